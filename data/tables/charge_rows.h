/* SPDX-License-Identifier: MIT */
/* Force fields' charges, a row for each form of a residue. */
#pragma once

typedef struct {
  const char
      *family;      /* what its forms have in common: HIS of HID, HIE and HIP, A of adenine in DNA and RNA */
  const char *name; /* the form's, in the force field */
  /* The atoms but hydrogen, "CB:-0.1825:0.0603,0.0603,0.0603": a name, its charge (e), and those of the
   * hydrogens that it carries, in the order of their numbers. */
  const char *atoms;
} DebyeChargeRow;

/* Each ends with a row of NULLs. */
extern const DebyeChargeRow debye_charge_rows_amber[], debye_charge_rows_charmm[], debye_charge_rows_parse[];
/* The same forms in the same order, with radii (Å) in place of charges. */
extern const DebyeChargeRow debye_radius_rows_amber[], debye_radius_rows_charmm[], debye_radius_rows_parse[];

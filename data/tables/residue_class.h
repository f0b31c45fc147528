/* SPDX-License-Identifier: MIT */
/* What a residue is, by its name in the force fields and files of the field. */
#pragma once

#include <glib.h>

typedef enum {
  DEBYE_RESIDUE_PROTEIN = 1 << 0, /* amino acids, their protonation states and caps */
  DEBYE_RESIDUE_NUCLEIC = 1 << 1,
  DEBYE_RESIDUE_WATER = 1 << 2,
  DEBYE_RESIDUE_ION = 1 << 3,
  DEBYE_RESIDUE_LIPID = 1 << 4,
  DEBYE_RESIDUE_SUGAR = 1 << 5,
} DebyeResidueClass;

/* 0: none of them. Names are compared as they are written: "NA" and "Na+" are sodium, "na" is nothing known. */
DebyeResidueClass debye_residue_class_of(const char *name);

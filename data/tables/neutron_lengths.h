/* SPDX-License-Identifier: MIT */
/* How strongly nuclei scatter neutrons: bound scattering lengths and cross sections of the elements and their
 * isotopes (source: neutron_lengths_table.c). */
#pragma once

#include <glib.h>

typedef struct {
  guint8 number;
  guint16 mass_number;       /* 0: the element in its natural abundance */
  double coherent;           /* b_coh, fm: real part … */
  double coherent_imaginary; /* … and imaginary part, of strong absorbers; it depends on the wavelength
                                (here 1.798 Å) */
  double coherent_section;   /* barn */
  double incoherent_section; /* barn */
  double absorption_section; /* barn, at 2,200 m/s */
  double abundance;          /* % of the element; 0 for the element itself */
} DebyeNeutronLength;

/* An isotope, or with mass number 0 the element. NULL: not tabulated (noble gases' isotopes, transuranics). */
const DebyeNeutronLength *debye_neutron_length_get(guint8 atomic_number, guint mass_number);
/* "H", "D", "T", "13C", "C13", "C-13", in any case of the letters. NULL: no such element or isotope. */
const DebyeNeutronLength *debye_neutron_length_find(const char *name);
/* "Fe", "D", "13C". To be freed. */
char *debye_neutron_length_get_name(const DebyeNeutronLength *length);

/* In the order of atomic and mass numbers. */
extern const DebyeNeutronLength debye_neutron_lengths[];
extern const gsize debye_n_neutron_lengths;

#define DEBYE_NEUTRON_LENGTHS_SOURCE "V. F. Sears, Neutron News 3 (3), 26 (1992)"

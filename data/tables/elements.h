/* SPDX-License-Identifier: MIT */
/* The periodic table, and how an atom's element is decided from what a file says. Atomic number 0 stands for
 * "unknown"; virtual sites, lone pairs and Drude particles have it too. */
#pragma once

#include <glib.h>

#define DEBYE_N_ELEMENTS 119 /* atomic numbers 0 … 118 */

typedef struct {
  const char *symbol;
  const char *name;
  double mass;           /* u; IUPAC 2021 conventional values; 0 for number 0 */
  float covalent_radius; /* Å; Cordero et al. 2008 */
  float mantina_radius;  /* Å; of DEBYE_RADII_MANTINA */
  guint32 color;         /* 0xRRGGBB; Jmol's scheme */
} DebyeElement;

const DebyeElement *debye_element_get(guint8 atomic_number);

/* Sets of van der Waals radii. Each use has one:
 * - Bondi's, in which H is 1.20 Å: spheres and surfaces of pictures, and radii written for other programs;
 * - Mantina's, in which H is 1.10 Å: the volumes of displaced solvent in scattering. Fraser, MacRae & Suzuki's
 *   hydrogen (J. Appl. Cryst. 11, 693 (1978); 5.15 Å³, as CRYSOL has it) is a sphere of 1.07 Å. */
typedef enum {
  DEBYE_RADII_BONDI,   /* Bondi, J. Phys. Chem. 68, 441 (1964), Tables I and V; others are Mantina's */
  DEBYE_RADII_MANTINA, /* H: Rowland & Taylor, J. Phys. Chem. 100, 7384 (1996); main groups: Mantina et al., J.
                          Phys. Chem. A 113, 5806 (2009); others: Alvarez, Dalton Trans. 2013, 8617 */
} DebyeRadiusSet;
/* Å; 2.00 where nobody has one, 1.50 of number 0. */
float debye_element_get_radius(guint8 atomic_number, DebyeRadiusSet set);

/* Exact symbol, case-insensitive; "D" and "T" are hydrogen. 0: none. */
guint8 debye_element_from_symbol(const char *text, gssize length);
#define DEBYE_DEUTERIUM_MASS 2.01410F /* u; AME 2020 */

/* "D" for hydrogen of deuterium's mass (2.014 u; the 2 u of repartitioned masses are none), else the element's
 * symbol; "" for element 0. */
const char *debye_element_get_isotope_symbol(guint8 number, double mass);
/* The element whose mass is nearest and within the tolerance that isotopes, united atoms and hydrogen mass
 * repartitioning don't break. 0: none. */
guint8 debye_element_from_mass(double mass);
/* From an atom's name with its residue's name as context: CA in ALA is carbon, in CA calcium. 0: none. */
guint8 debye_element_from_name(const char *name, const char *residue_name);
/* From a force field's type: CT1, OG2D1, SOD, c3, Zn. 0: none. */
guint8 debye_element_from_type(const char *type);
/* A name that stands for no atom: EP, MW, LP1, M of a water. */
gboolean debye_element_name_is_virtual(const char *name, const char *residue_name);
/* An amino acid, a nucleotide, a lipid, a sugar or water, where a name's first letter is its element. */
gboolean debye_element_residue_is_biopolymer(const char *residue_name);

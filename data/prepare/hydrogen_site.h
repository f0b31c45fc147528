/* SPDX-License-Identifier: MIT */
/* Where hydrogens are about the atom that carries them, by geometry alone: ideal bond lengths and angles of AMBER (parm10;
 * Cornell et al., J. Am. Chem. Soc. 117, 5179, 1995), directions from the bonds that the atom has. Used by
 * add_hydrogens.c. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

#define DEBYE_SITE_NEIGHBOURS 3
#define DEBYE_SITE_HYDROGENS 3

typedef struct {
  DebyeVec3 center; /* Å, as all positions */
  guint8 element;   /* C, N, O or S */
  gboolean is_planar;
  guint n_neighbours; /* 1 to 3, in the order from the backbone outwards */
  DebyeVec3 neighbours[DEBYE_SITE_NEIGHBOURS];
  /* A further atom bonded to the only neighbour, to which torsions refer; and its torsion angle with the first hydrogen,
   * degrees. Two or three hydrogens follow 120° or, in a plane, 180° from one another. */
  DebyeVec3 reference;
  double torsion;
  guint n_hydrogens; /* 1 to 3 */
} DebyeHydrogenSite;

/* Fills n_hydrogens positions. FALSE where the bonds leave no direction: atoms at one place, or more bonds than the atom
 * can have. */
gboolean debye_hydrogen_site_place(const DebyeHydrogenSite *site, DebyeVec3 positions[DEBYE_SITE_HYDROGENS]);

/* The place at `length` of c, at `angle` (degrees) from b, whose torsion about b–c counted from a is `torsion` (degrees;
 * IUPAC's sign). FALSE where a, b and c lie on a line. */
gboolean debye_place_by_torsion(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c, double length, double angle,
                                double torsion, DebyeVec3 *position);

/* SPDX-License-Identifier: MIT */
/* Implementation of hydrogen_site.h. */
#include "hydrogen_site.h"

#define RADIAN (3.14159265358979323846 / 180.0)
#define TETRAHEDRAL 109.5 /* HC-CT-HC, H-N3-CT */
#define LEAST_LENGTH 1e-3 /* of what directions are made from, relative */

/* Length of the bond to hydrogen, Å. */
static double
get_bond_length(guint8 element, gboolean is_planar)
{
  switch (element) {
  case 6:
    return is_planar ? 1.08 : 1.09;
  case 7:
    return 1.01;
  case 8:
    return 0.96;
  default:
    return 1.336;
  }
}

/* From a bonded atom over the one that carries the hydrogen: C-OH-HO and CT-OH-HO, CT-SH-HS. */
static double
get_angle(const DebyeHydrogenSite *site)
{
  if (site->element == 16)
    return 96.0;
  if (site->element == 8)
    return site->is_planar ? 113.0 : 108.5;
  return site->is_planar ? 120.0 : TETRAHEDRAL;
}

static gboolean
normalise(DebyeVec3 *u)
{
  const double length = debye_vec3_length(*u);
  if (!(length > LEAST_LENGTH))
    return FALSE;
  *u = debye_vec3_scale(*u, 1.0 / length);
  return TRUE;
}

static DebyeVec3
step(DebyeVec3 from, DebyeVec3 along, double length)
{
  return debye_vec3_add(from, debye_vec3_scale(along, length));
}

gboolean
debye_place_by_torsion(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c, double length, double angle, double torsion,
                       DebyeVec3 *position)
{
  DebyeVec3 along = debye_vec3_subtract(c, b);
  DebyeVec3 normal = debye_vec3_cross(debye_vec3_subtract(b, a), along);
  if (!normalise(&along) || !normalise(&normal))
    return FALSE;
  const DebyeVec3 across = debye_vec3_cross(normal, along);
  const double out = length * sin(angle * RADIAN);
  *position = step(c, along, -length * cos(angle * RADIAN));
  *position = step(*position, across, out * cos(torsion * RADIAN));
  *position = step(*position, normal, out * sin(torsion * RADIAN));
  return TRUE;
}

/* On the only bond: a hydroxyl, an ammonium, a methyl group, an amide. */
static gboolean
place_about_bond(const DebyeHydrogenSite *site, double length, DebyeVec3 *positions)
{
  const double turn = site->is_planar ? 180.0 : 120.0;
  for (guint k = 0; k < site->n_hydrogens; k++)
    if (!debye_place_by_torsion(site->reference, site->neighbours[0], site->center, length, get_angle(site),
                                site->torsion + k * turn, &positions[k]))
      return FALSE;
  return TRUE;
}

/* Opposite of what there is: of two bonds in their plane, of three outside. */
static gboolean
place_opposite(const DebyeHydrogenSite *site, double length, DebyeVec3 *position)
{
  DebyeVec3 sum = {0};
  for (guint k = 0; k < site->n_neighbours; k++) {
    DebyeVec3 u = debye_vec3_subtract(site->center, site->neighbours[k]);
    if (!normalise(&u))
      return FALSE;
    sum = debye_vec3_add(sum, u);
  }
  if (!normalise(&sum))
    return FALSE;
  *position = step(site->center, sum, length);
  return TRUE;
}

/* Two in the plane that halves the angle of the bonds. The first lies against the normal of (neighbour 1, neighbour 2), which
 * for bonds in the order from the backbone outwards is IUPAC's number 2 (Markley et al., Pure Appl. Chem. 70, 117, 1998). */
static gboolean
place_pair(const DebyeHydrogenSite *site, double length, DebyeVec3 *positions)
{
  DebyeVec3 middle, u = debye_vec3_subtract(site->neighbours[0], site->center),
                    v = debye_vec3_subtract(site->neighbours[1], site->center);
  DebyeVec3 normal = debye_vec3_cross(u, v);
  if (!normalise(&normal) || !place_opposite(site, 1.0, &middle))
    return FALSE;
  middle = debye_vec3_subtract(middle, site->center);
  const double half = 0.5 * TETRAHEDRAL * RADIAN;
  const DebyeVec3 foot = step(site->center, middle, length * cos(half));
  positions[0] = step(foot, normal, -length * sin(half));
  positions[1] = step(foot, normal, length * sin(half));
  return TRUE;
}

gboolean
debye_hydrogen_site_place(const DebyeHydrogenSite *site, DebyeVec3 positions[DEBYE_SITE_HYDROGENS])
{
  const double length = get_bond_length(site->element, site->is_planar);
  if (site->n_neighbours == 1)
    return place_about_bond(site, length, positions);
  if (site->n_hydrogens == 1 && (site->n_neighbours == 3 || (site->is_planar && site->n_neighbours == 2)))
    return place_opposite(site, length, positions);
  /* Of a neutral ammonium one hydrogen is left, at one of the two places. */
  if (site->n_neighbours == 2 && !site->is_planar && site->n_hydrogens <= 2)
    return place_pair(site, length, positions);
  return FALSE;
}

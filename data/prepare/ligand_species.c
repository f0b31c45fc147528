/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_species.h. */
#include "ligand_species.h"

#define MOST_ENDS 4
#define STRAIGHT 0.87 /* minus the cosine of 150° */

typedef struct {
  guint8 element;
  guint8 order; /* of its bond to the center */
  int charge;
} End;

typedef enum { SHAPE_ANY, SHAPE_STRAIGHT, SHAPE_BENT } Shape;

/* An atom and others that are bonded to it alone. */
typedef struct {
  guint8 center;
  int charge;
  guint n_ends;
  End ends[MOST_ENDS];
  Shape shape;
  double longest; /* Å, of a bond; longer ones have a lower order: H2O2, CH3OH, CH3NH2 */
} Species;

static const Species all[] = {
    {7, 1, 3, {{8, 2, 0}, {8, 1, -1}, {8, 1, -1}}, SHAPE_ANY, 1.40},            /* nitrate */
    {7, 0, 2, {{8, 2, 0}, {8, 1, -1}}, SHAPE_BENT, 1.40},                       /* nitrite */
    {7, 1, 2, {{7, 2, -1}, {7, 2, -1}}, SHAPE_STRAIGHT, 1.32},                  /* azide */
    {6, 0, 2, {{7, 3, 0}, {16, 1, -1}}, SHAPE_STRAIGHT, 1.80},                  /* thiocyanate */
    {6, 0, 2, {{7, 3, 0}, {8, 1, -1}}, SHAPE_STRAIGHT, 1.35},                   /* cyanate */
    {6, -1, 1, {{7, 3, 0}}, SHAPE_ANY, 1.21},                                   /* cyanide */
    {17, 0, 4, {{8, 2, 0}, {8, 2, 0}, {8, 2, 0}, {8, 1, -1}}, SHAPE_ANY, 1.65}, /* perchlorate */
    {6, 0, 3, {{8, 2, 0}, {8, 1, -1}, {8, 1, -1}}, SHAPE_ANY, 1.45},            /* carbonate */
    {16, 0, 3, {{8, 2, 0}, {8, 1, -1}, {8, 1, -1}}, SHAPE_ANY, 1.70},           /* sulfite */
    {6, 0, 2, {{8, 2, 0}, {8, 2, 0}}, SHAPE_STRAIGHT, 1.35},                    /* carbon dioxide */
    {6, 0, 2, {{16, 2, 0}, {16, 2, 0}}, SHAPE_STRAIGHT, 1.75},                  /* carbon disulfide */
    {8, 0, 1, {{8, 2, 0}}, SHAPE_ANY, 1.32},                                    /* oxygen */
    {6, -1, 1, {{8, 3, 1}}, SHAPE_ANY, 1.17},                                   /* carbon monoxide */
    {7, 0, 1, {{8, 2, 0}}, SHAPE_ANY, 1.19},                                    /* nitric oxide */
};

static DebyeVec3
get_bond(const DebyeLigand *ligand, guint32 center, guint32 end)
{
  return debye_vec3_subtract(debye_ligand_get_atom(ligand, end)->position,
                             debye_ligand_get_atom(ligand, center)->position);
}

static gboolean
has_shape(const DebyeLigand *ligand, guint32 center, const guint32 *ends, const Species *species)
{
  for (guint k = 0; k < species->n_ends; k++)
    if (debye_vec3_length(get_bond(ligand, center, ends[k])) > species->longest)
      return FALSE;
  if (species->shape == SHAPE_ANY)
    return TRUE;
  const DebyeVec3 u = get_bond(ligand, center, ends[0]), v = get_bond(ligand, center, ends[1]);
  const gboolean is_straight = -debye_vec3_dot(u, v) > STRAIGHT * debye_vec3_length(u) * debye_vec3_length(v);
  return is_straight == (species->shape == SHAPE_STRAIGHT);
}

/* The atoms that the species' ends are, in its order. */
static gboolean
find_ends(const DebyeLigand *ligand, guint32 center, const Species *species, guint32 ends[MOST_ENDS])
{
  guint32 bonded[MOST_ENDS + 1];
  gboolean is_used[MOST_ENDS + 1] = {FALSE};
  const guint n = debye_ligand_list_bonded(ligand, center, bonded, MOST_ENDS + 1);
  if (debye_ligand_get_atom(ligand, center)->element != species->center || n != species->n_ends)
    return FALSE;
  for (guint e = 0; e < n; e++) {
    guint k = 0;
    while (k < n &&
           (is_used[k] || debye_ligand_get_atom(ligand, bonded[k])->element != species->ends[e].element))
      k++;
    if (k == n)
      return FALSE;
    is_used[k] = TRUE;
    ends[e] = bonded[k];
  }
  return has_shape(ligand, center, ends, species);
}

static void
set(DebyeLigand *ligand, guint32 center, const Species *species, const guint32 *ends)
{
  debye_ligand_get_atom(ligand, center)->formal_charge = species->charge;
  debye_ligand_get_atom(ligand, center)->n_hydrogens = 0;
  for (guint e = 0; e < species->n_ends; e++) {
    debye_ligand_find_bond(ligand, center, ends[e])->order = species->ends[e].order;
    debye_ligand_get_atom(ligand, ends[e])->formal_charge = species->ends[e].charge;
    debye_ligand_get_atom(ligand, ends[e])->n_hydrogens = 0;
  }
}

gboolean
debye_ligand_species_set(DebyeLigand *ligand)
{
  const guint n = ligand->atoms->len;
  if (n < 2 || n > MOST_ENDS + 1 || ligand->bonds->len != n - 1)
    return FALSE;
  for (guint32 center = 0; center < n; center++)
    for (gsize s = 0; s < G_N_ELEMENTS(all); s++) {
      guint32 ends[MOST_ENDS];
      if (all[s].n_ends != n - 1 || !find_ends(ligand, center, &all[s], ends))
        continue;
      set(ligand, center, &all[s], ends);
      return TRUE;
    }
  return FALSE;
}

/* SPDX-License-Identifier: MIT */
/* Implementation of titration_states.h. */
#include "titration_states.h"

#include <stdlib.h>
#include <string.h>

/* Of the tautomers of neutral histidine: Nε–H's model value less Nδ–H's. */
#define TAUTOMERS 0.4
/* Less is rounding. */
#define LEAST_CHANGE 1e-6

/* What the families' states are: forms of the residue, or what its end is. The first has no charge. */
typedef struct {
  const char *family;
  gboolean is_acid;         /* its first state has the proton */
  const char *first, *last; /* forms */
  const char *oxygens[2];   /* of acids with two tautomers */
} Family;

static const Family families[] = {
    {"ASP", TRUE, "ASH", "ASP", {"OD2", "OD1"}},       {"GLU", TRUE, "GLH", "GLU", {"OE2", "OE1"}},
    {"CYS", TRUE, "CYS", "CYM", {NULL, NULL}},         {"TYR", TRUE, "TYR", "TYM", {NULL, NULL}},
    {"HIS", FALSE, "HIE", "HIP", {NULL, NULL}},        {"LYS", FALSE, "LYN", "LYS", {NULL, NULL}},
    {"ARG", FALSE, "ARN", "ARG", {NULL, NULL}},        {"NTR", FALSE, "neutral", "charged", {NULL, NULL}},
    {"CTR", TRUE, "neutral", "charged", {"OXT", "O"}},
};

/* Of forms that PARSE has not, less those of the form with the proton: tyrosinate has its charge at the oxygen, as PARSE's other
 * anions; guanidine gives the proton from NH2 and what makes its groups dipoles. */
static const struct {
  const char *form, *of, *atom;
  double change; /* e */
} changes[] = {
    {"TYM", "TYR", "HH", -0.435}, {"TYM", "TYR", "OH", -0.435}, {"TYM", "TYR", "CZ", -0.13},
    {"ARN", "ARG", "HH22", -0.4}, {"ARN", "ARG", "CD", -0.35},  {"ARN", "ARG", "CZ", -0.25},
};

/* --- Charges of the table --- */

static const char *
get_name(const DebyeTitrationGroup *group, guint32 atom)
{
  return debye_string_pool_get(debye_topology_get_string_pool(group->topology),
                               debye_topology_get_names(group->topology)[atom]);
}

static const DebyeResidue *
get_row(const DebyeTitrationGroup *group)
{
  return &debye_topology_get_residue_table(group->topology)[group->residue];
}

/* Gives the hydrogens of a heavy atom the charges of "0.4,0.4" in their order; those that are more than that have none. */
static void
fill_hydrogens(const DebyeTitrationGroup *group, guint32 heavy, const char *texts, double *charges)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(group->topology, &n_bonds);
  const guint8 *elements = debye_topology_get_elements(group->topology);
  const guint32 first = get_row(group)->first_atom;
  g_auto(GStrv) values = g_strsplit(texts != NULL ? texts : "", ",", -1);
  guint k = 0;
  for (gsize b = 0; b < n_bonds; b++) {
    const guint32 other = bonds[b].i == heavy ? bonds[b].j : bonds[b].j == heavy ? bonds[b].i : heavy;
    if (other != heavy && elements[other] == 1)
      charges[other - first] = values[k] != NULL ? g_ascii_strtod(values[k++], NULL) : 0.0;
  }
}

static gboolean
fill_heavy(const DebyeTitrationGroup *group, guint32 atom, const GStrv entries, double *charges)
{
  char name[DEBYE_FORM_NAME_SIZE];
  debye_residue_form_normalise(group->form, get_name(group, atom), name);
  for (guint k = 0; entries[k] != NULL; k++) {
    g_auto(GStrv) parts = g_strsplit(entries[k], ":", 3);
    if (strcmp(parts[0], name) != 0)
      continue;
    charges[atom - get_row(group)->first_atom] = g_ascii_strtod(parts[1], NULL);
    fill_hydrogens(group, atom, parts[2], charges);
    return TRUE;
  }
  return FALSE;
}

/* Of each atom of the residue in a form at its place in the chain. FALSE: the table has none. */
static gboolean
fill_of_table(const DebyeTitrationGroup *group, const char *form_name, DebyeFormEnd start,
              DebyeFormEnd finish, double *charges)
{
  const DebyeResidueForm *form = debye_residue_form_find_state(group->form, form_name);
  const DebyeChargeRow *row =
      form != NULL ? debye_residue_form_find_row(form, DEBYE_CHARGE_TABLE_PARSE, start, finish, FALSE) : NULL;
  const DebyeResidue *residue = get_row(group);
  const guint8 *elements = debye_topology_get_elements(group->topology);
  if (row == NULL)
    return FALSE;
  g_auto(GStrv) entries = g_strsplit(row->atoms, " ", -1);
  for (guint32 i = residue->first_atom; i < residue->first_atom + residue->n_atoms; i++)
    if (elements[i] != 1 && !fill_heavy(group, i, entries, charges))
      return FALSE;
  return TRUE;
}

static gboolean
fill_charges(const DebyeTitrationGroup *group, const char *state, double *charges)
{
  const DebyeResidue *residue = get_row(group);
  const char *form = state;
  DebyeFormEnd start = group->start, finish = group->finish;
  if (group->end != NULL) {
    const DebyeFormEnd end = strcmp(state, "neutral") == 0 ? DEBYE_END_NEUTRAL : DEBYE_END_CHARGED;
    *(strcmp(group->end, "NTR") == 0 ? &start : &finish) = end;
    form = group->form->name;
  }
  for (gsize k = 0; k < G_N_ELEMENTS(changes); k++)
    if (strcmp(changes[k].form, form) == 0)
      form = changes[k].of;
  if (!fill_of_table(group, form, start, finish, charges))
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS(changes); k++)
    for (guint32 i = 0; i < residue->n_atoms && strcmp(changes[k].form, state) == 0; i++)
      if (strcmp(get_name(group, residue->first_atom + i), changes[k].atom) == 0)
        charges[i] += changes[k].change;
  return TRUE;
}

/* --- Tautomers of acids --- */

static guint32
find_oxygen(const DebyeTitrationGroup *group, const char *name)
{
  const DebyeResidue *residue = get_row(group);
  char normal[DEBYE_FORM_NAME_SIZE];
  for (guint32 i = residue->first_atom; i < residue->first_atom + residue->n_atoms; i++) {
    debye_residue_form_normalise(group->form, get_name(group, i), normal);
    if (strcmp(normal, name) == 0)
      return i;
  }
  return DEBYE_PREPARE_NONE;
}

static DebyeVec3
get_position(const DebyeTitrationGroup *group, guint32 atom)
{
  const DebyeFrame *frame = group->frame;
  return debye_vec3((double)frame->x[atom], (double)frame->y[atom], (double)frame->z[atom]);
}

/* The atom that is bonded to both, or the hydrogen at the first. */
static guint32
find_bonded(const DebyeTitrationGroup *group, guint32 first, gboolean is_hydrogen)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(group->topology, &n_bonds);
  const guint8 *elements = debye_topology_get_elements(group->topology);
  for (gsize b = 0; b < n_bonds; b++) {
    const guint32 other = bonds[b].i == first ? bonds[b].j : bonds[b].j == first ? bonds[b].i : first;
    if (other != first && (elements[other] == 1) == is_hydrogen)
      return other;
  }
  return DEBYE_PREPARE_NONE;
}

static void
append(DebyeTitrationSites *sites, DebyeVec3 position, float radius)
{
  const float x = (float)position.x, y = (float)position.y, z = (float)position.z, none = 0.0f;
  g_array_append_val(sites->x, x);
  g_array_append_val(sites->y, y);
  g_array_append_val(sites->z, z);
  g_array_append_val(sites->radii, radius);
  g_array_append_val(sites->charges, none);
}

/* The proton at the other oxygen, in the mirror that has the two in each other's places. `pairs` gets both oxygens and both
 * hydrogens. FALSE: something isn't there. */
static gboolean
mirror_proton(DebyeTitrationSites *sites, const DebyeTitrationGroup *group, const Family *family,
              guint32 pairs[4])
{
  pairs[0] = find_oxygen(group, family->oxygens[0]);
  pairs[1] = find_oxygen(group, family->oxygens[1]);
  if (pairs[0] == DEBYE_PREPARE_NONE || pairs[1] == DEBYE_PREPARE_NONE)
    return FALSE;
  pairs[2] = find_bonded(group, pairs[0], TRUE);
  const guint32 carbon = find_bonded(group, pairs[0], FALSE);
  if (pairs[2] == DEBYE_PREPARE_NONE || carbon == DEBYE_PREPARE_NONE)
    return FALSE;
  const DebyeVec3 across = debye_vec3_subtract(get_position(group, pairs[0]), get_position(group, pairs[1]));
  const DebyeVec3 arm = debye_vec3_subtract(get_position(group, pairs[2]), get_position(group, carbon));
  const double share = 2.0 * debye_vec3_dot(arm, across) / debye_vec3_dot(across, across);
  pairs[3] = sites->x->len;
  append(sites, debye_vec3_subtract(get_position(group, pairs[2]), debye_vec3_scale(across, share)),
         g_array_index(sites->radii, float, pairs[2]));
  return TRUE;
}

/* --- States --- */

/* Charges of the residue's atoms, then of one more hydrogen. */
typedef struct {
  const char *name;
  double protons, energy;
  double *charges;
} Draft;

static void
mirror_charges(const DebyeTitrationGroup *group, const guint32 pairs[4], const double *from, double *to)
{
  const DebyeResidue *residue = get_row(group);
  const guint32 n = residue->n_atoms, first = residue->first_atom;
  memcpy(to, from, (n + 1) * sizeof *to);
  to[pairs[0] - first] = from[pairs[1] - first];
  to[pairs[1] - first] = from[pairs[0] - first];
  to[pairs[2] - first] = 0.0;
  to[n] = from[pairs[2] - first];
}

/* What differs of the drafts becomes the site's; the rest is the same in all. */
static void
take_drafts(DebyeTitrationSites *sites, DebyeTitrationSite *site, const DebyeTitrationGroup *group,
            const Draft *drafts, guint n, guint32 last)
{
  const DebyeResidue *residue = get_row(group);
  for (guint32 i = 0; i <= residue->n_atoms; i++) {
    const guint32 atom = i < residue->n_atoms ? residue->first_atom + i : last;
    double change = 0.0;
    for (guint s = 1; s < n; s++)
      change = MAX(change, fabs(drafts[s].charges[i] - drafts[0].charges[i]));
    if (change < LEAST_CHANGE || atom == DEBYE_PREPARE_NONE)
      continue;
    g_array_append_val(site->atoms, atom);
    g_array_index(sites->charges, float, atom) = (float)drafts[0].charges[i];
    for (guint s = 0; s < n; s++) {
      DebyeTitrationState *state = &site->states[s];
      state->charges = g_renew(double, state->charges, site->atoms->len);
      state->charges[site->atoms->len - 1] = drafts[s].charges[i];
    }
  }
  site->n_states = n;
  for (guint s = 0; s < n; s++) {
    site->states[s].name = drafts[s].name;
    site->states[s].protons = drafts[s].protons;
    site->states[s].energy = drafts[s].energy;
  }
}

/* Each of the tautomers has its model value, so that all together have the site's. */
static guint
draft_states(const DebyeTitrationGroup *group, const Family *family, double pka, const guint32 *pairs,
             Draft drafts[DEBYE_TITRATION_STATES])
{
  const double at_epsilon = pka + log10(1.0 + pow(10.0, -TAUTOMERS));
  const gboolean is_histidine = strcmp(family->family, "HIS") == 0;
  drafts[0] = (Draft){family->first, family->is_acid ? 1.0 : 0.0, 0.0, drafts[0].charges};
  drafts[1] = (Draft){family->last, family->is_acid ? 0.0 : 1.0, 0.0, drafts[1].charges};
  if (!fill_charges(group, family->first, drafts[0].charges) ||
      !fill_charges(group, family->last, drafts[1].charges) ||
      (is_histidine && !fill_charges(group, "HID", drafts[2].charges)))
    return 0;
  drafts[family->is_acid ? 0 : 1].energy = -G_LN10 * (is_histidine ? at_epsilon : pka);
  if (is_histidine) {
    drafts[2] = (Draft){"HID", 0.0, G_LN10 * TAUTOMERS, drafts[2].charges};
    return 3;
  }
  if (pairs == NULL)
    return 2;
  mirror_charges(group, pairs, drafts[0].charges, drafts[2].charges);
  drafts[0].energy += G_LN2;
  drafts[2] = (Draft){family->first, 1.0, drafts[0].energy, drafts[2].charges};
  return 3;
}

gboolean
debye_titration_states_fill(DebyeTitrationSites *sites, DebyeTitrationSite *site,
                            const DebyeTitrationGroup *group)
{
  const gsize n = get_row(group)->n_atoms + 1;
  g_autofree double *charges = g_new0(double, DEBYE_TITRATION_STATES *n);
  Draft drafts[DEBYE_TITRATION_STATES];
  guint32 pairs[4];
  for (guint s = 0; s < DEBYE_TITRATION_STATES; s++)
    drafts[s].charges = charges + s * n;
  for (gsize k = 0; k < G_N_ELEMENTS(families); k++) {
    if (strcmp(families[k].family, site->family) != 0)
      continue;
    const gboolean has_mirror =
        families[k].oxygens[0] != NULL && mirror_proton(sites, group, &families[k], pairs);
    const guint n_states = draft_states(group, &families[k], site->pka, has_mirror ? pairs : NULL, drafts);
    if (n_states > 0)
      take_drafts(sites, site, group, drafts, n_states, has_mirror ? pairs[3] : DEBYE_PREPARE_NONE);
    if (has_mirror)
      g_array_append_val(site->model, pairs[3]);
    return n_states > 0;
  }
  return FALSE;
}

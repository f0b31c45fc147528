/* SPDX-License-Identifier: MIT */
/* Implementation of titration_states.h. */
#include "titration_states.h"

#include <string.h>

#include "data/molecule/periodic.h"

/* Of the tautomers of neutral histidine: pK to Nδ–H, 6.92, less pK to Nε–H, 6.53 (titration_sites.h). */
#define TAUTOMERS 0.4
/* Less is rounding. */
#define LEAST_CHANGE 1e-6

/* kT: of a carboxylic acid in water the anti form less the syn one, 1.1 kcal/mol. Given as J. Gao & J. J. Pavelites, J.
 * Am. Chem. Soc. 114 (1992) 1912, from memory: the paper wasn't at hand. */
#define ANTI 1.86
/* Places of a hydrogen beside its own. */
#define MOST_PLACES 3

/* What the families' states are: forms of the residue, or what its end is. The first has no charge. */
typedef struct {
  const char *family;
  gboolean is_acid;         /* its first state has the proton */
  const char *first, *last; /* forms; NULL: the hydroxyl turns, that is all */
  const char *oxygens[2];   /* that may have the proton */
} Family;

static const Family families[] = {
    {"ASP", TRUE, "ASH", "ASP", {"OD2", "OD1"}},       {"GLU", TRUE, "GLH", "GLU", {"OE2", "OE1"}},
    {"CYS", TRUE, "CYS", "CYM", {NULL, NULL}},         {"TYR", TRUE, "TYR", "TYM", {"OH", NULL}},
    {"SER", FALSE, "SER", NULL, {"OG", NULL}},         {"THR", FALSE, "THR", NULL, {"OG1", NULL}},
    {"HIS", FALSE, "HIE", "HIP", {NULL, NULL}},        {"LYS", FALSE, "LYN", "LYS", {NULL, NULL}},
    {"ARG", FALSE, "ARN", "ARG", {NULL, NULL}},        {"NTR", FALSE, "neutral", "charged", {NULL, NULL}},
    {"CTR", TRUE, "neutral", "charged", {"OXT", "O"}},
};

/* Of forms that PARSE has not, less those of the form with the proton: tyrosinate has its charge at the oxygen, as
 * PARSE's other anions; guanidine gives the proton from NH2 and what makes its groups dipoles. */
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

/* --- Places of a proton --- */

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
append(DebyeTitrationSites *sites, DebyeVec3 position)
{
  const float x = (float)position.x, y = (float)position.y, z = (float)position.z, none = 0.0f;
  g_array_append_val(sites->x, x);
  g_array_append_val(sites->y, y);
  g_array_append_val(sites->z, z);
  g_array_append_val(sites->radii, none);
  g_array_append_val(sites->charges, none);
}

/* A proton at an oxygen, and where else it may be: places[0] is its own atom's number, the others are added to the sites. */
typedef struct {
  guint32 oxygens[2], hydrogen, carbon; /* the second oxygen DEBYE_PREPARE_NONE: there is none */
  guint32 others[MOST_PLACES];
  guint n_others;
} Proton;

static void
add_place(DebyeTitrationSites *sites, Proton *proton, DebyeVec3 position)
{
  proton->others[proton->n_others++] = sites->x->len;
  append(sites, position);
}

/* The hydrogen about the bond of its oxygen, by so many degrees. */
static DebyeVec3
turn(const DebyeTitrationGroup *group, const Proton *proton, double degrees)
{
  const DebyeVec3 end = debye_frame_get_position(group->frame, proton->oxygens[0]),
                  start = debye_frame_get_position(group->frame, proton->carbon);
  const DebyeVec3 bond = debye_vec3_subtract(end, start);
  const DebyeVec3 axis = debye_vec3_scale(bond, 1.0 / debye_vec3_length(bond));
  const DebyeVec3 arm = debye_vec3_subtract(debye_frame_get_position(group->frame, proton->hydrogen), end);
  const DebyeVec3 along = debye_vec3_scale(axis, debye_vec3_dot(arm, axis));
  const DebyeVec3 off = debye_vec3_subtract(arm, along);
  const double angle = degrees * G_PI / 180.0;
  const DebyeVec3 turned = debye_vec3_add(debye_vec3_scale(off, cos(angle)),
                                          debye_vec3_scale(debye_vec3_cross(axis, off), sin(angle)));
  return debye_vec3_add(end, debye_vec3_add(along, turned));
}

/* In the mirror that has the two oxygens in each other's places. */
static DebyeVec3
mirror(const DebyeTitrationGroup *group, const Proton *proton, DebyeVec3 position)
{
  const DebyeVec3 across = debye_vec3_subtract(debye_frame_get_position(group->frame, proton->oxygens[0]),
                                               debye_frame_get_position(group->frame, proton->oxygens[1]));
  const DebyeVec3 arm = debye_vec3_subtract(position, debye_frame_get_position(group->frame, proton->carbon));
  const double share = 2.0 * debye_vec3_dot(arm, across) / debye_vec3_dot(across, across);
  return debye_vec3_subtract(position, debye_vec3_scale(across, share));
}

/* FALSE: it has but one place, or something isn't there. */
static gboolean
place_proton(DebyeTitrationSites *sites, const DebyeTitrationGroup *group, const Family *family,
             Proton *proton)
{
  if (family->oxygens[0] == NULL)
    return FALSE;
  proton->oxygens[0] = find_oxygen(group, family->oxygens[0]);
  proton->oxygens[1] =
      family->oxygens[1] != NULL ? find_oxygen(group, family->oxygens[1]) : DEBYE_PREPARE_NONE;
  if (proton->oxygens[0] == DEBYE_PREPARE_NONE ||
      (family->oxygens[1] != NULL && proton->oxygens[1] == DEBYE_PREPARE_NONE))
    return FALSE;
  proton->hydrogen = find_bonded(group, proton->oxygens[0], TRUE);
  proton->carbon = find_bonded(group, proton->oxygens[0], FALSE);
  if (proton->hydrogen == DEBYE_PREPARE_NONE || proton->carbon == DEBYE_PREPARE_NONE)
    return FALSE;
  /* In the sphere of its oxygen, as in PypKa: one for each place would keep the solvent from the anion. */
  g_array_index(sites->radii, float, proton->hydrogen) = 0.0f;
  if (family->last == NULL) {
    add_place(sites, proton, turn(group, proton, 120.0));
    add_place(sites, proton, turn(group, proton, -120.0));
    return TRUE;
  }
  const DebyeVec3 anti = turn(group, proton, 180.0);
  add_place(sites, proton, anti);
  if (family->oxygens[1] != NULL) {
    add_place(sites, proton, mirror(group, proton, debye_frame_get_position(group->frame, proton->hydrogen)));
    add_place(sites, proton, mirror(group, proton, anti));
  }
  return TRUE;
}

/* --- States --- */

/* Charges of the residue's atoms, then of the other places of its proton. */
typedef struct {
  const char *name;
  double protons, energy;
  double *charges;
} Draft;

/* The first state with the proton at another of its places, of which those from the second on are at the other oxygen. */
static void
move_proton(const DebyeTitrationGroup *group, const Proton *proton, guint place, const double *from,
            double *to)
{
  const DebyeResidue *residue = get_row(group);
  const guint32 n = residue->n_atoms, first = residue->first_atom;
  memcpy(to, from, (n + MOST_PLACES) * sizeof *to);
  to[proton->hydrogen - first] = 0.0;
  to[n + place] = from[proton->hydrogen - first];
  if (place == 0 || proton->oxygens[1] == DEBYE_PREPARE_NONE)
    return;
  to[proton->oxygens[0] - first] = from[proton->oxygens[1] - first];
  to[proton->oxygens[1] - first] = from[proton->oxygens[0] - first];
}

/* What differs of the drafts becomes the site's; the rest is the same in all. */
static void
take_drafts(DebyeTitrationSites *sites, DebyeTitrationSite *site, const DebyeTitrationGroup *group,
            const Draft *drafts, guint n, const Proton *proton)
{
  const DebyeResidue *residue = get_row(group);
  for (guint32 i = 0; i < residue->n_atoms + proton->n_others; i++) {
    const guint32 atom =
        i < residue->n_atoms ? residue->first_atom + i : proton->others[i - residue->n_atoms];
    double change = 0.0;
    for (guint s = 1; s < n; s++)
      change = MAX(change, fabs(drafts[s].charges[i] - drafts[0].charges[i]));
    if (change < LEAST_CHANGE)
      continue;
    g_array_append_val(site->atoms, atom);
    g_array_index(sites->charges, float, atom) = (float)drafts[0].charges[i];
    for (guint s = 0; s < n; s++) {
      DebyeTitrationState *state = &site->states[s];
      state->charges = g_renew(double, state->charges, site->atoms->len);
      state->charges[site->atoms->len - 1] = drafts[s].charges[i];
    }
  }
  for (guint s = 0; s < n; s++) {
    site->states[s].name = drafts[s].name;
    site->states[s].protons = drafts[s].protons;
    site->states[s].energy = drafts[s].energy;
  }
}

/* States with the proton at its other places, each with an energy so that all together have the site's model value. */
static guint
draft_places(const DebyeTitrationGroup *group, const Family *family, const Proton *proton, guint n,
             Draft drafts[DEBYE_TITRATION_STATES])
{
  const gboolean is_carboxyl = family->oxygens[1] != NULL;
  const double anti = is_carboxyl ? ANTI : 0.0;
  const double share = (is_carboxyl ? 2.0 : 1.0) * (1.0 + exp(-anti));
  if (family->is_acid)
    drafts[0].energy += log(share);
  for (guint k = 0; k < proton->n_others; k++) {
    Draft *draft = &drafts[n + k];
    move_proton(group, proton, k, drafts[0].charges, draft->charges);
    draft->name = family->first;
    draft->protons = drafts[0].protons;
    draft->energy = drafts[0].energy + (k == 1 ? 0.0 : anti);
  }
  return n + proton->n_others;
}

/* 0: the table has not all. */
static guint
draft_states(const DebyeTitrationGroup *group, const Family *family, double pka, const Proton *proton,
             Draft drafts[DEBYE_TITRATION_STATES])
{
  const double at_epsilon = pka + log10(1.0 + pow(10.0, -TAUTOMERS));
  const gboolean is_histidine = strcmp(family->family, "HIS") == 0;
  drafts[0] = (Draft){family->first, family->is_acid ? 1.0 : 0.0, 0.0, drafts[0].charges};
  if (!fill_charges(group, family->first, drafts[0].charges))
    return 0;
  if (family->last == NULL)
    return draft_places(group, family, proton, 1, drafts);
  drafts[1] = (Draft){family->last, family->is_acid ? 0.0 : 1.0, 0.0, drafts[1].charges};
  if (!fill_charges(group, family->last, drafts[1].charges) ||
      (is_histidine && !fill_charges(group, "HID", drafts[2].charges)))
    return 0;
  drafts[family->is_acid ? 0 : 1].energy = -G_LN10 * (is_histidine ? at_epsilon : pka);
  if (is_histidine) {
    drafts[2] = (Draft){"HID", 0.0, G_LN10 * TAUTOMERS, drafts[2].charges};
    return 3;
  }
  return proton->n_others > 0 ? draft_places(group, family, proton, 2, drafts) : 2;
}

static const Family *
find_family(const char *name)
{
  for (gsize k = 0; k < G_N_ELEMENTS(families); k++)
    if (strcmp(families[k].family, name) == 0)
      return &families[k];
  return NULL;
}

gboolean
debye_titration_states_has(const char *family)
{
  return find_family(family) != NULL;
}

gboolean
debye_titration_states_fill(DebyeTitrationSites *sites, DebyeTitrationSite *site,
                            const DebyeTitrationGroup *group)
{
  const gsize n = get_row(group)->n_atoms + MOST_PLACES;
  const Family *family = find_family(site->family);
  g_autofree double *charges = g_new0(double, DEBYE_TITRATION_STATES *n);
  Draft drafts[DEBYE_TITRATION_STATES];
  Proton proton = {.n_others = 0};
  for (guint s = 0; s < DEBYE_TITRATION_STATES; s++)
    drafts[s] = (Draft){.charges = charges + s * n};
  if (family == NULL || (!place_proton(sites, group, family, &proton) && family->last == NULL))
    return FALSE;
  site->n_states = draft_states(group, family, site->pka, &proton, drafts);
  if (site->n_states > 0)
    take_drafts(sites, site, group, drafts, site->n_states, &proton);
  g_array_append_vals(site->model, proton.others, proton.n_others);
  return site->n_states > 0;
}

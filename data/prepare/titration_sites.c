/* SPDX-License-Identifier: MIT */
/* Implementation of titration_sites.h: the structure with all protons, and which of its residues are sites. What their states
 * are is titration_states.c's. */
#include "titration_sites.h"

#include <string.h>

#include "data/tables/residue_class.h"
#include "prepare.h"
#include "titration_states.h"

/* Below all model values: everything is protonated. */
#define LOWEST_PH (-2.0)
/* Å, from a metal to the sulfur or nitrogen that it holds. */
#define METAL_LENGTH 2.8

static void
site_free(gpointer data)
{
  DebyeTitrationSite *site = data;
  g_free(site->residue);
  g_free(site->chain);
  g_array_unref(site->atoms);
  g_array_unref(site->model);
  for (guint s = 0; s < site->n_states; s++)
    g_free(site->states[s].charges);
  g_free(site);
}

void
debye_titration_sites_free(DebyeTitrationSites *self)
{
  if (self == NULL)
    return;
  GArray *const arrays[] = {self->x, self->y, self->z, self->radii, self->charges};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    g_array_unref(arrays[k]);
  g_ptr_array_unref(self->sites);
  g_free(self);
}

/* --- Residues of the structure as it is --- */

typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame;
  const DebyeStringPool *pool;
  const DebyeResidue *rows;
  gsize n;
} Residues;

static Residues
list_residues(const DebyePrepared *prepared)
{
  DebyeTopology *topology = prepared->topology;
  return (Residues){topology, prepared->frame, debye_topology_get_string_pool(topology),
                    debye_topology_get_residue_table(topology), debye_topology_get_n_residues(topology)};
}

static const char *
get_name(const Residues *residues, gsize r)
{
  return debye_string_pool_get(residues->pool, residues->rows[r].name);
}

static gboolean
is_of_protein(const Residues *residues, gsize r)
{
  gboolean is_stated;
  const DebyeResidueForm *form = debye_residue_form_find(get_name(residues, r), &is_stated);
  return form != NULL && (form->kind == DEBYE_FORM_AMINO_ACID || form->kind == DEBYE_FORM_CAP);
}

static DebyeVec3
get_position(const Residues *residues, guint32 atom)
{
  const DebyeFrame *frame = residues->frame;
  return debye_vec3((double)frame->x[atom], (double)frame->y[atom], (double)frame->z[atom]);
}

/* The atom of that name; DEBYE_PREPARE_NONE. */
static guint32
find_atom(const Residues *residues, gsize r, const char *name)
{
  const guint32 *names = debye_topology_get_names(residues->topology);
  const DebyeResidue *row = &residues->rows[r];
  for (guint32 i = row->first_atom; i < row->first_atom + row->n_atoms; i++)
    if (strcmp(debye_string_pool_get(residues->pool, names[i]), name) == 0)
      return i;
  return DEBYE_PREPARE_NONE;
}

/* --- What doesn't titrate --- */

static gboolean
is_held_by_metal(const Residues *residues, gsize r)
{
  static const char *const holders[] = {"SG", "ND1", "NE2"};
  const guint8 *elements = debye_topology_get_elements(residues->topology);
  for (gsize k = 0; k < G_N_ELEMENTS(holders); k++) {
    const guint32 holder = find_atom(residues, r, holders[k]);
    for (guint32 i = 0; holder != DEBYE_PREPARE_NONE && i < residues->frame->n_atoms; i++)
      if (elements[i] >= 21 && elements[i] != 34 && elements[i] != 35 && elements[i] != 53 &&
          debye_vec3_length(debye_vec3_subtract(get_position(residues, i), get_position(residues, holder))) <
              METAL_LENGTH)
        return TRUE;
  }
  return FALSE;
}

static gboolean
is_row_of(const Residues *residues, gsize r, const DebyePrepareState *row)
{
  const DebyeResidue *residue = &residues->rows[r];
  return residue->number == row->number && residue->insertion_code == row->insertion_code &&
         strcmp(debye_string_pool_get(residues->pool, residue->chain), row->chain) == 0;
}

/* Its side chain, or with NTR or CTR an end. */
static gboolean
is_chosen(const Residues *residues, gsize r, const char *end, const DebyeStateSettings *settings)
{
  for (gsize k = 0; k < settings->n_states; k++) {
    const DebyePrepareState *row = &settings->states[k];
    const gboolean fits =
        debye_prepare_state_is_of_end(row) ? end != NULL && strcmp(row->name, end) == 0 : end == NULL;
    if (fits && is_row_of(residues, r, row))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_chain_going_on(const Residues *residues, gsize r, gboolean at_start)
{
  const gsize other = at_start ? r - 1 : r + 1;
  return other < residues->n && residues->rows[other].chain == residues->rows[r].chain &&
         is_of_protein(residues, other);
}

/* A real end, of the chain and not of what of it could be seen. */
static gboolean
is_titrating_end(const Residues *residues, gsize r, gboolean at_start, const DebyePrepareSettings *settings)
{
  const guint32 mark = find_atom(residues, r, at_start ? "H3" : "OXT");
  return mark != DEBYE_PREPARE_NONE && !is_chain_going_on(residues, r, at_start) &&
         settings->states.termini == DEBYE_TERMINI_CHARGED &&
         !is_chosen(residues, r, at_start ? "NTR" : "CTR", &settings->states);
}

/* --- The structure with all protons --- */

static void
add_state(GArray *states, const Residues *residues, gsize r, const char *name, const char *state)
{
  const DebyeResidue *row = &residues->rows[r];
  const DebyePrepareState added = {.chain = debye_string_pool_get(residues->pool, row->chain),
                                   .name = name,
                                   .number = row->number,
                                   .insertion_code = row->insertion_code,
                                   .state = state};
  g_array_append_val(states, added);
}

/* Sites are decided by `full`, where chosen residues keep their states. */
static GArray *
list_states(const Residues *residues, const DebyePrepareSettings *settings)
{
  GArray *states = g_array_new(FALSE, FALSE, sizeof(DebyePrepareState));
  g_array_append_vals(states, settings->states.states, (guint)settings->states.n_states);
  for (gsize r = 0; r < residues->n; r++) {
    const char *name = get_name(residues, r);
    if (!is_of_protein(residues, r))
      continue;
    if (is_titrating_end(residues, r, FALSE, settings))
      add_state(states, residues, r, "CTR", "neutral");
    if (is_held_by_metal(residues, r) && !is_chosen(residues, r, NULL, &settings->states))
      add_state(states, residues, r, NULL,
                strcmp(name, "CYS") == 0                              ? "CYM"
                : find_atom(residues, r, "HD1") != DEBYE_PREPARE_NONE ? "HID"
                                                                      : "HIE");
  }
  return states;
}

static DebyePrepared *
protonate(const Residues *residues, const DebyePrepareSettings *settings, GError **error)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (gsize r = 0; r < residues->n; r++)
    for (guint32 i = 0; i < residues->rows[r].n_atoms && is_of_protein(residues, r); i++) {
      const guint32 atom = residues->rows[r].first_atom + i;
      g_array_append_val(atoms, atom);
    }
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  g_autoptr(DebyeTopology) part = debye_topology_subset(residues->topology, list, atoms->len);
  g_autoptr(DebyeFrame) frame = debye_frame_subset(residues->frame, list, atoms->len);
  g_autoptr(GArray) states = list_states(residues, settings);
  DebyePrepareSettings full = {.states = settings->states, .renames = TRUE};
  full.states.ph = LOWEST_PH;
  full.states.table = DEBYE_CHARGE_TABLE_PARSE;
  full.states.titrate = DEBYE_TITRATE_MODEL;
  full.states.states = (const DebyePrepareState *)(const void *)states->data;
  full.states.n_states = states->len;
  return frame != NULL ? debye_prepare(part, frame, &full, error) : NULL;
}

/* --- Atoms --- */

static void
add_atom(DebyeTitrationSites *self, const Residues *residues, guint32 atom)
{
  const DebyeFrame *frame = residues->frame;
  g_array_append_val(self->x, frame->x[atom]);
  g_array_append_val(self->y, frame->y[atom]);
  g_array_append_val(self->z, frame->z[atom]);
  g_array_append_val(self->radii, debye_topology_get_radii(residues->topology)[atom]);
  g_array_append_val(self->charges, debye_topology_get_charges(residues->topology)[atom]);
}

/* Ions that come and go: the salt of the solution has them. */
static gboolean
is_solvent(const Residues *residues, gsize r)
{
  const char *name = get_name(residues, r);
  const guint8 element = debye_topology_get_elements(residues->topology)[residues->rows[r].first_atom];
  const gboolean is_mobile = element == 11 || element == 19 || element == 17;
  return (debye_residue_class_of(name) & DEBYE_RESIDUE_WATER) != 0 ||
         (residues->rows[r].n_atoms == 1 && is_mobile);
}

/* Of `full` all, then what of the structure is neither protein nor solvent. */
static void
add_atoms(DebyeTitrationSites *self, const Residues *full, const Residues *residues)
{
  for (guint32 i = 0; i < full->frame->n_atoms; i++)
    add_atom(self, full, i);
  for (gsize r = 0; r < residues->n; r++)
    for (guint32 i = 0; i < residues->rows[r].n_atoms; i++)
      if (!is_of_protein(residues, r) && !is_solvent(residues, r))
        add_atom(self, residues, residues->rows[r].first_atom + i);
}

/* --- Sites --- */

static void
add_named(GArray *model, const Residues *full, gsize r, const char *name)
{
  const guint32 atom = r < full->n ? find_atom(full, r, name) : DEBYE_PREPARE_NONE;
  if (atom != DEBYE_PREPARE_NONE)
    g_array_append_val(model, atom);
}

static gboolean
is_bonded(const Residues *full, gsize before, gsize after)
{
  const guint32 carbon = before < full->n ? find_atom(full, before, "C") : DEBYE_PREPARE_NONE;
  const guint32 nitrogen = after < full->n ? find_atom(full, after, "N") : DEBYE_PREPARE_NONE;
  return carbon != DEBYE_PREPARE_NONE && nitrogen != DEBYE_PREPARE_NONE &&
         debye_vec3_length(debye_vec3_subtract(get_position(full, carbon), get_position(full, nitrogen))) <
             2.0;
}

/* The residue with the peptide groups on both sides. */
static void
fill_model(const Residues *full, gsize r, GArray *model)
{
  static const char *const before[] = {"CA", "C", "O"}, *const after[] = {"N", "H", "CA"};
  const DebyeResidue *row = &full->rows[r];
  for (guint32 i = row->first_atom; i < row->first_atom + row->n_atoms; i++)
    g_array_append_val(model, i);
  for (gsize k = 0; k < 3; k++) {
    if (is_bonded(full, r - 1, r))
      add_named(model, full, r - 1, before[k]);
    if (is_bonded(full, r, r + 1))
      add_named(model, full, r + 1, after[k]);
  }
}

static void
add_site(DebyeTitrationSites *self, const Residues *full, gsize r, const DebyeTitrationGroup *group)
{
  const DebyeResidue *row = &full->rows[r];
  const char insertion[2] = {row->insertion_code, '\0'};
  const char *name = group->end != NULL ? group->end : group->form->family;
  DebyeTitrationSite *site = g_new0(DebyeTitrationSite, 1);
  site->residue = g_strdup_printf("%s %d%s", name, row->number, insertion);
  site->chain = g_strdup(debye_string_pool_get(full->pool, row->chain));
  site->family = name;
  site->number = row->number;
  site->insertion_code = row->insertion_code;
  site->pka = debye_model_pka(name);
  site->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  site->model = g_array_new(FALSE, FALSE, sizeof(guint32));
  fill_model(full, r, site->model);
  if (debye_titration_states_fill(self, site, group))
    g_ptr_array_add(self->sites, site);
  else
    site_free(site);
}

/* `own`: where its residue is in the structure as it is. */
static void
add_sites(DebyeTitrationSites *self, const Residues *full, const Residues *residues, gsize r, gsize own,
          const DebyePrepareSettings *settings)
{
  gboolean is_stated;
  DebyeTitrationGroup group = {.topology = full->topology,
                               .frame = full->frame,
                               .residue = (guint32)r,
                               .form = debye_residue_form_find(get_name(full, r), &is_stated)};
  if (group.form == NULL || group.form->kind != DEBYE_FORM_AMINO_ACID)
    return;
  group.start = find_atom(full, r, "H3") != DEBYE_PREPARE_NONE ? DEBYE_END_CHARGED : DEBYE_END_NONE;
  group.is_neutral_end = is_titrating_end(residues, own, FALSE, settings);
  group.finish = group.is_neutral_end                              ? DEBYE_END_NEUTRAL
                 : find_atom(full, r, "OXT") != DEBYE_PREPARE_NONE ? DEBYE_END_CHARGED
                                                                   : DEBYE_END_NONE;
  if (is_titrating_end(residues, own, TRUE, settings)) {
    group.end = "NTR";
    add_site(self, full, r, &group);
  }
  group.end = NULL;
  if (debye_titration_states_has(group.form->family) && strcmp(group.form->name, "CYX") != 0 &&
      !is_held_by_metal(residues, own) && !is_chosen(residues, own, NULL, &settings->states))
    add_site(self, full, r, &group);
  if (group.is_neutral_end) {
    group.end = "CTR";
    add_site(self, full, r, &group);
  }
}

static DebyeTitrationSites *
make_empty(void)
{
  DebyeTitrationSites *self = g_new0(DebyeTitrationSites, 1);
  GArray **const arrays[] = {&self->x, &self->y, &self->z, &self->radii, &self->charges};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    *arrays[k] = g_array_new(FALSE, FALSE, sizeof(float));
  self->sites = g_ptr_array_new_with_free_func(site_free);
  return self;
}

DebyeTitrationSites *
debye_titration_sites_new(const DebyePrepared *prepared, const DebyePrepareSettings *settings, GError **error)
{
  const Residues residues = list_residues(prepared);
  g_autoptr(DebyePrepared) whole = protonate(&residues, settings, error);
  if (whole == NULL)
    return NULL;
  const Residues full = list_residues(whole);
  DebyeTitrationSites *self = make_empty();
  add_atoms(self, &full, &residues);
  /* The proteins' residues are the same in both, in the same order. */
  for (gsize r = 0, own = 0; r < full.n && own < residues.n; own++)
    if (is_of_protein(&residues, own)) {
      add_sites(self, &full, &residues, r, own, settings);
      r++;
    }
  return self;
}

/* SPDX-License-Identifier: MIT */
/* Implementation of titration_sites.h: the structure with all protons, and which of its residues are sites. What their states
 * are is titration_states.c's. */
#include "titration_sites.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/periodic.h"
#include "data/tables/residue_class.h"
#include "prepare.h"
#include "titration_states.h"

/* Below all model values: everything is protonated. */
#define LOWEST_PH (-2.0)
/* e, that the charge of a residue differs by from itself with all protons. */
#define CHARGE_ERROR 0.01

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
  const DebyePreparedResidue *facts;
  gsize n;
} Residues;

static Residues
list_residues(const DebyePrepared *prepared)
{
  DebyeTopology *topology = prepared->topology;
  return (Residues){topology,
                    prepared->frame,
                    debye_topology_get_string_pool(topology),
                    debye_topology_get_residue_table(topology),
                    (const DebyePreparedResidue *)(const void *)prepared->residues->data,
                    debye_topology_get_n_residues(topology)};
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

/* What is bonded to proteins is made ready with them: it takes the place of protons and goes on with chains. */
static gboolean
has_part(const Residues *residues, gsize r)
{
  return is_of_protein(residues, r) || residues->facts[r].is_joined;
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

/* A real end, of the chain and not of what of it could be seen. */
static gboolean
is_titrating_end(const Residues *residues, gsize r, gboolean at_start, const DebyePrepareSettings *settings)
{
  const DebyePreparedResidue *fact = &residues->facts[r];
  return (at_start ? fact->is_start : fact->is_end) && !fact->is_at_break &&
         !fact->is_end_chosen[at_start ? 0 : 1] && settings->states.termini == DEBYE_TERMINI_CHARGED;
}

static gboolean
is_titrating_chain(const Residues *residues, gsize r)
{
  const DebyePreparedResidue *fact = &residues->facts[r];
  return !fact->is_held && !fact->is_linked && !fact->is_chosen;
}

/* --- The structure with all protons --- */

static void
add_state(GArray *states, guint32 place, const char *name, const char *state)
{
  const DebyePrepareState added = {.chain = "", .name = name, .place = place, .state = state};
  g_array_append_val(states, added);
}

static gboolean
is_of_family(const Residues *residues, gsize r, const char *name)
{
  gboolean is_stated;
  const DebyeResidueForm *own = debye_residue_form_find(get_name(residues, r), &is_stated);
  const DebyeResidueForm *other = name != NULL ? debye_residue_form_find(name, &is_stated) : own;
  return own != NULL && other != NULL && strcmp(own->family, other->family) == 0;
}

/* A form without “ turned”, which it is already; of an end as it is. */
static const char *
get_state(const Residues *residues, gsize r, const DebyePrepareState *row)
{
  gboolean is_stated;
  if (debye_prepare_state_is_of_end(row))
    return row->state;
  g_auto(GStrv) words = g_strsplit(row->state, " ", 2);
  return debye_residue_form_find_state(debye_residue_form_find(get_name(residues, r), &is_stated), words[0])
      ->name;
}

/* What a person decided of the residue; caps are there already. */
static void
add_chosen(GArray *states, const Residues *residues, gsize r, guint32 place,
           const DebyeStateSettings *settings)
{
  const DebyeResidue *residue = &residues->rows[r];
  const DebyePreparedResidue *fact = &residues->facts[r];
  for (gsize k = 0; k < settings->n_states; k++) {
    const DebyePrepareState *row = &settings->states[k];
    const gboolean fits = !debye_prepare_state_is_of_end(row)
                              ? fact->is_chosen && is_of_family(residues, r, row->name)
                          : strcmp(row->name, "NTR") == 0 ? fact->is_start && fact->is_end_chosen[0]
                                                          : fact->is_end && fact->is_end_chosen[1];
    if (fits && residue->number == row->number && residue->insertion_code == row->insertion_code &&
        strcmp(debye_string_pool_get(residues->pool, residue->chain), row->chain) == 0)
      add_state(states, place, row->name, get_state(residues, r, row));
  }
}

/* Of the residues `kept`. Sites are decided by what comes of them, where chosen residues keep their states. */
static GArray *
list_states(const Residues *residues, const GArray *kept, const DebyePrepareSettings *settings)
{
  GArray *states = g_array_new(FALSE, FALSE, sizeof(DebyePrepareState));
  for (guint k = 0; k < kept->len; k++) {
    const gsize r = g_array_index(kept, guint32, k);
    const DebyePreparedResidue *fact = &residues->facts[r];
    add_chosen(states, residues, r, k + 1, &settings->states);
    if (is_titrating_end(residues, r, FALSE, settings))
      add_state(states, k + 1, "CTR", "neutral");
    if (fact->is_held && !fact->is_chosen)
      add_state(states, k + 1, NULL,
                is_of_family(residues, r, "CYS")                      ? "CYM"
                : find_atom(residues, r, "HD1") != DEBYE_PREPARE_NONE ? "HID"
                                                                      : "HIE");
  }
  return states;
}

/* `kept`: the residues that are made ready once more, in their order. */
static DebyePrepared *
protonate(const Residues *residues, const GArray *kept, const DebyePrepareSettings *settings, GError **error)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = 0; k < kept->len; k++) {
    const DebyeResidue *row = &residues->rows[g_array_index(kept, guint32, k)];
    for (guint32 atom = row->first_atom; atom < row->first_atom + row->n_atoms; atom++)
      g_array_append_val(atoms, atom);
  }
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  g_autoptr(DebyeTopology) part = debye_topology_subset(residues->topology, list, atoms->len);
  g_autoptr(DebyeFrame) frame = debye_frame_subset(residues->frame, list, atoms->len);
  g_autoptr(GArray) states = list_states(residues, kept, settings);
  DebyePrepareSettings full = {.states = settings->states, .ligands = settings->ligands, .renames = TRUE};
  full.states.ph = LOWEST_PH;
  full.states.table = DEBYE_CHARGE_TABLE_PARSE;
  full.states.titrate = DEBYE_TITRATE_MODEL;
  full.states.states = (const DebyePrepareState *)(const void *)states->data;
  full.states.n_states = states->len;
  if (frame == NULL)
    return debye_null(debye_error_set_memory(error, NULL, atoms->len, N_("positions")));
  return debye_prepare(part, frame, &full, error);
}

static double
sum_charge(const Residues *residues, gsize r)
{
  const DebyeResidue *row = &residues->rows[r];
  double sum = 0.0;
  for (guint32 i = row->first_atom; i < row->first_atom + row->n_atoms; i++)
    sum += (double)debye_topology_get_charges(residues->topology)[i];
  return sum;
}

/* What has no form is the same in both, or there was more that it is bonded to. */
static gboolean
check_joined(const Residues *full, const Residues *residues, const GArray *kept, GError **error)
{
  for (guint k = 0; k < kept->len; k++) {
    const gsize r = g_array_index(kept, guint32, k);
    if (!residues->facts[r].is_joined || fabs(sum_charge(full, k) - sum_charge(residues, r)) < CHARGE_ERROR)
      continue;
    g_autofree char *residue = g_strdup_printf("%s %d", get_name(residues, r), residues->rows[r].number);
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "residue %s: its charge depends on atoms outside the protein, which titration does not "
        "count. Choose the atoms to keep without it, or states by model values",
        residue);
  }
  return TRUE;
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

/* Of `full` all, then what of the structure is neither in it nor solvent. */
static void
add_atoms(DebyeTitrationSites *self, const Residues *full, const Residues *residues)
{
  for (guint32 i = 0; i < full->frame->n_atoms; i++)
    add_atom(self, full, i);
  for (gsize r = 0; r < residues->n; r++)
    for (guint32 i = 0; i < residues->rows[r].n_atoms; i++)
      if (!has_part(residues, r) && !is_solvent(residues, r))
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
         debye_vec3_length(debye_vec3_subtract(debye_frame_get_position(full->frame, carbon),
                                               debye_frame_get_position(full->frame, nitrogen))) < 2.0;
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
add_site(DebyeTitrationSites *self, const Residues *full, gsize r, guint32 place,
         const DebyeTitrationGroup *group)
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
  site->place = place;
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
  const guint32 place = residues->facts[own].residue + 1;
  if (group.form == NULL || group.form->kind != DEBYE_FORM_AMINO_ACID)
    return;
  group.start = find_atom(full, r, "H3") != DEBYE_PREPARE_NONE ? DEBYE_END_CHARGED : DEBYE_END_NONE;
  group.is_neutral_end = is_titrating_end(residues, own, FALSE, settings);
  group.finish = group.is_neutral_end                              ? DEBYE_END_NEUTRAL
                 : find_atom(full, r, "OXT") != DEBYE_PREPARE_NONE ? DEBYE_END_CHARGED
                                                                   : DEBYE_END_NONE;
  if (is_titrating_end(residues, own, TRUE, settings)) {
    group.end = "NTR";
    add_site(self, full, r, place, &group);
  }
  group.end = NULL;
  if (debye_titration_states_has(group.form->family) && strcmp(group.form->name, "CYX") != 0 &&
      is_titrating_chain(residues, own))
    add_site(self, full, r, place, &group);
  if (group.is_neutral_end) {
    group.end = "CTR";
    add_site(self, full, r, place, &group);
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
  g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 r = 0; r < residues.n; r++)
    if (has_part(&residues, r))
      g_array_append_val(kept, r);
  g_autoptr(DebyePrepared) whole = protonate(&residues, kept, settings, error);
  if (whole == NULL)
    return NULL;
  const Residues full = list_residues(whole);
  g_assert(full.n == kept->len); /* ends have their caps already */
  if (!check_joined(&full, &residues, kept, error))
    return NULL;
  DebyeTitrationSites *self = make_empty();
  add_atoms(self, &full, &residues);
  for (guint k = 0; k < kept->len; k++)
    add_sites(self, &full, &residues, k, g_array_index(kept, guint32, k), settings);
  return self;
}

/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_states.h. */
#include "prepare_states.h"

#include <string.h>

#include "data/files/error.h"

/* Forms with and without the proton; NULL: the tables of charges have none. */
static const struct {
  const char *family;
  double pka;
  const char *protonated, *deprotonated;
} sites[] = {
    {"ASP", 3.67, "ASH", "ASP"},  {"GLU", 4.25, "GLH", "GLU"}, {"HIS", 6.54, "HIP", "HIE"},
    {"CYS", 8.55, "CYS", "CYM"},  {"TYR", 9.84, "TYR", "TYM"}, {"LYS", 10.40, "LYS", "LYN"},
    {"ARG", 12.30, "ARG", "ARN"}, {"NTR", 8.00, NULL, NULL},   {"CTR", 3.67, NULL, NULL},
};

double
debye_model_pka(const char *family)
{
  for (gsize k = 0; k < G_N_ELEMENTS(sites); k++)
    if (strcmp(sites[k].family, family) == 0)
      return sites[k].pka;
  return NAN;
}

static gboolean
is_charged(const DebyePreparedUnit *unit, const DebyeResidueForm *form, const DebyeStateSettings *settings)
{
  const DebyeFormEnd start = !unit->is_start                        ? DEBYE_END_NONE
                             : unit->start == DEBYE_TERMINI_NEUTRAL ? DEBYE_END_NEUTRAL
                                                                    : DEBYE_END_CHARGED;
  const DebyeFormEnd end = !unit->is_end                        ? DEBYE_END_NONE
                           : unit->end == DEBYE_TERMINI_NEUTRAL ? DEBYE_END_NEUTRAL
                                                                : DEBYE_END_CHARGED;
  return debye_residue_form_is_charged(form, settings->table, start, end);
}

/* FALSE where the table has no charges for the form, and the unit keeps its own. */
static gboolean
set_form(DebyePreparedUnit *unit, const char *name, const DebyeStateSettings *settings)
{
  const DebyeResidueForm *form = debye_residue_form_find_state(unit->form, name);
  if (form == NULL || !is_charged(unit, form, settings))
    return FALSE;
  unit->form = form;
  return TRUE;
}

static void
decide_cysteine(DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  if (unit->disulfide != DEBYE_PREPARE_NONE)
    set_form(unit, "CYX", settings);
  else if (unit->metal[0] != DEBYE_PREPARE_NONE && !set_form(unit, "CYM", settings))
    debye_prepared_unit_warn(unit, "the table has no thiolate at an end of a chain: left protonated");
}

/* The hydrogen is on the nitrogen that holds no metal. */
static void
decide_histidine(DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  set_form(unit, unit->metal[1] != DEBYE_PREPARE_NONE ? "HID" : "HIE", settings);
  if (unit->metal[0] != DEBYE_PREPARE_NONE && unit->metal[1] != DEBYE_PREPARE_NONE)
    debye_prepared_unit_warn(unit, "both nitrogens hold a metal, and the table has no imidazolate");
}

static gboolean
is_bound(const DebyePreparedUnit *unit)
{
  return unit->disulfide != DEBYE_PREPARE_NONE || unit->metal[0] != DEBYE_PREPARE_NONE ||
         unit->metal[1] != DEBYE_PREPARE_NONE;
}

static gboolean
has_hydrogen(const DebyePreparedUnit *unit, const char *name)
{
  for (guint k = 0; k < unit->hydrogens->len; k++)
    if (strcmp(g_array_index(unit->hydrogens, DebyePreparedHydrogen, k).name, name) == 0)
      return TRUE;
  return FALSE;
}

/* The tautomer of neutral histidine that the file states, by the residue's name or by its hydrogens. */
static const char *
get_neutral_histidine(DebyePreparedUnit *unit)
{
  const gboolean at_delta = has_hydrogen(unit, "HD1"), at_epsilon = has_hydrogen(unit, "HE2");
  if (unit->is_stated)
    return strcmp(unit->form->name, "HID") == 0 ? "HID" : "HIE";
  unit->is_stated = at_delta != at_epsilon;
  return at_delta && !at_epsilon ? "HID" : "HIE";
}

static void
titrate(DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  for (gsize k = 0; k < G_N_ELEMENTS(sites); k++) {
    if (strcmp(sites[k].family, unit->form->family) != 0)
      continue;
    const gboolean is_protonated = settings->ph < sites[k].pka;
    const char *name = is_protonated ? sites[k].protonated : sites[k].deprotonated;
    unit->pka = sites[k].pka;
    if (!is_protonated && strcmp(unit->form->family, "HIS") == 0)
      name = get_neutral_histidine(unit);
    if (name == NULL || !set_form(unit, name, settings))
      debye_prepared_unit_warn(unit, "%s at this pH, but the table has no charges for that: left %s",
                               is_protonated ? "protonated" : "deprotonated", unit->form->name);
    return;
  }
}

/* Titrated, or the model value. */
static double
get_pka_of_end(const DebyePreparedUnit *unit, int end)
{
  return isnan(unit->pk_half_of_end[end]) ? debye_model_pka(end == 0 ? "NTR" : "CTR")
                                          : unit->pk_half_of_end[end];
}

/* By its pKa an end is neutral at this pH, but is charged by the setting; what a person chose needs no remark. */
static void
note_ends(DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  const gboolean is_amber = settings->table == DEBYE_CHARGE_TABLE_AMBER;
  if (unit->form->kind != DEBYE_FORM_AMINO_ACID || settings->titrate == DEBYE_TITRATE_NONE)
    return;
  if (unit->is_start && unit->start == DEBYE_TERMINI_CHARGED && !unit->is_end_chosen[0] &&
      settings->ph > get_pka_of_end(unit, 0))
    debye_prepared_unit_warn(unit, is_amber ? "the table has no charges for a neutral start: it stays charged"
                                            : "the start is neutral at this pH, but charged by the setting");
  if (unit->is_end && unit->end == DEBYE_TERMINI_CHARGED && !unit->is_end_chosen[1] &&
      settings->ph < get_pka_of_end(unit, 1))
    debye_prepared_unit_warn(unit, is_amber ? "the table has no charges for a neutral end: it stays charged"
                                            : "the end is neutral at this pH, but charged by the setting");
}

/* Neutral ends of which the table has none stay charged: CHARMM's proline at a start. */
static void
settle_ends(DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  if (is_charged(unit, unit->form, settings))
    return;
  if (unit->is_start && unit->start == DEBYE_TERMINI_NEUTRAL) {
    unit->start = DEBYE_TERMINI_CHARGED;
    debye_prepared_unit_warn(unit, "the table has no charges for a neutral start: it stays charged");
  }
  if (unit->is_end && unit->end == DEBYE_TERMINI_NEUTRAL) {
    unit->end = DEBYE_TERMINI_CHARGED;
    debye_prepared_unit_warn(unit, "the table has no charges for a neutral end: it stays charged");
  }
}

/* A form that the table has, of those that the family has: CHARMM has phosphates with one proton only. */
static void
settle_form(DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  if (is_charged(unit, unit->form, settings))
    return;
  for (const DebyeResidueForm *form = debye_residue_forms; form->family != NULL; form++)
    if (form->kind == unit->form->kind && strcmp(form->family, unit->form->family) == 0 &&
        is_charged(unit, form, settings)) {
      debye_prepared_unit_warn(unit, "the table has no charges for %s; %s is used instead", unit->form->name,
                               form->name);
      unit->form = form;
      return;
    }
}

/* --- What a titration found --- */

/* Of a residue's side chain, or of an end; NULL: nothing. */
static const DebyePrepareTitrated *
find_titrated(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const char *end,
              const DebyeStateSettings *settings)
{
  for (gsize k = 0; k < settings->n_titrated && settings->titrate == DEBYE_TITRATE_PB; k++) {
    const DebyePrepareTitrated *row = &settings->titrated[k];
    if (strcmp(row->family, end != NULL ? end : unit->form->family) == 0 &&
        debye_prepared_unit_is_meant(system, unit, row->place, row->chain, row->number, row->insertion_code))
      return row;
  }
  return NULL;
}

static void
take_titrated(DebyePreparedUnit *unit, const DebyePrepareTitrated *row, const DebyeStateSettings *settings)
{
  char half[G_ASCII_DTOSTR_BUF_SIZE], error[G_ASCII_DTOSTR_BUF_SIZE];
  unit->pka = debye_model_pka(unit->form->family);
  unit->pk_half = row->half;
  unit->pk_error = row->error;
  unit->is_stated = TRUE; /* of histidine's tautomers the likelier */
  if (!set_form(unit, row->state, settings))
    debye_prepared_unit_warn(unit, "%s at this pH, but the table has no charges for that: left %s",
                             row->is_protonated ? "protonated" : "deprotonated", unit->form->name);
  if (!isnan(row->half))
    debye_prepared_unit_note(unit, "pK½ %s ± %s by Poisson–Boltzmann",
                             g_ascii_formatd(half, sizeof half, "%.1f", row->half),
                             g_ascii_formatd(error, sizeof error, "%.1f", MAX(row->error, 0.1)));
}

/* Ends of which the table has both charges and a titration found the neutral one. */
static void
take_titrated_ends(const DebyePreparedSystem *system, DebyePreparedUnit *unit,
                   const DebyeStateSettings *settings)
{
  static const char *const ends[2] = {"NTR", "CTR"};
  for (int k = 0; k < 2; k++) {
    const DebyePrepareTitrated *row = find_titrated(system, unit, ends[k], settings);
    if (row == NULL || !(k == 0 ? unit->is_start : unit->is_end))
      continue;
    unit->pk_half_of_end[k] = row->half;
    unit->pk_error_of_end[k] = row->error;
    if (settings->table != DEBYE_CHARGE_TABLE_AMBER && strcmp(row->state, "neutral") == 0)
      *(k == 0 ? &unit->start : &unit->end) = DEBYE_TERMINI_NEUTRAL;
  }
}

static void
decide(const DebyePreparedSystem *system, DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  const DebyePrepareTitrated *titrated = find_titrated(system, unit, NULL, settings);
  take_titrated_ends(system, unit, settings);
  settle_ends(unit, settings);
  const gboolean is_cysteine = strcmp(unit->form->family, "CYS") == 0;
  if (is_bound(unit) && is_cysteine)
    decide_cysteine(unit, settings);
  else if (is_bound(unit))
    decide_histidine(unit, settings);
  else if (unit->is_linked)
    ; /* its proton is gone for a bond */
  else if (titrated != NULL)
    take_titrated(unit, titrated, settings);
  else if (settings->titrate != DEBYE_TITRATE_NONE)
    titrate(unit, settings);
  else if (strcmp(unit->form->family, "HIS") == 0 && !unit->is_stated)
    set_form(unit, get_neutral_histidine(unit), settings);
  else if (is_cysteine && unit->is_stated && strcmp(unit->form->name, "CYX") == 0)
    set_form(unit, "CYS", settings); /* a disulfide in name only */
  settle_form(unit, settings);
  note_ends(unit, settings);
}

/* --- A person's decisions --- */

/* By the name in the file, or by that of any of its states. */
static gboolean
is_named(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const char *name)
{
  gboolean is_stated;
  const DebyeResidueForm *form = debye_residue_form_find(name, &is_stated);
  return strcmp(debye_prepared_unit_get_name(system, unit), name) == 0 ||
         (form != NULL && unit->form != NULL && strcmp(form->family, unit->form->family) == 0);
}

static gboolean
refuse_name(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const DebyePrepareState *state,
            GError **error)
{
  const char insertion[2] = {state->insertion_code, '\0'};
  g_autofree char *meant = g_strdup_printf("%s %d%s", state->name, state->number, insertion);
  g_autofree char *found = debye_prepared_unit_describe(system, unit);
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "residue %s: the structure has %s. Correct the name or the number", meant, found);
}

/* Several residues may have one number: water is often counted from 1 again. */
static DebyePreparedUnit *
find_meant(const DebyePreparedSystem *system, const DebyePrepareState *state, GError **error)
{
  DebyePreparedUnit *first = NULL;
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (!debye_prepared_unit_is_meant(system, unit, state->place, state->chain, state->number,
                                      state->insertion_code))
      continue;
    if (state->name == NULL || is_named(system, unit, state->name))
      return unit;
    first = first == NULL ? unit : first;
  }
  if (first != NULL)
    refuse_name(system, first, state, error);
  else
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "residue %d of chain %s: expected a residue of the structure, found none", state->number,
                    state->chain);
  return NULL;
}

static gboolean
refuse_state(DebyePreparedSystem *system, const DebyePreparedUnit *unit, const DebyePrepareState *state,
             GError **error)
{
  g_autofree char *residue = debye_prepared_unit_describe(system, unit);
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "residue %s: expected a state that the table has charges for, found %s", residue,
                         state->state);
}

/* "turned" or "kept"; NULL: neither was said. */
static gboolean
choose_turn(DebyePreparedUnit *unit, const char *turn)
{
  static const char *const families[] = {"ASN", "GLN", "HIS", NULL};
  if (turn == NULL)
    return TRUE;
  unit->turn = strcmp(turn, "turned") == 0 ? DEBYE_TURN_CHOSEN
               : strcmp(turn, "kept") == 0 ? DEBYE_TURN_KEPT
                                           : DEBYE_TURN_FREE;
  return unit->turn != DEBYE_TURN_FREE && g_strv_contains(families, unit->form->family) &&
         unit->metal[0] == DEBYE_PREPARE_NONE && unit->metal[1] == DEBYE_PREPARE_NONE && !unit->is_linked;
}

static gboolean
choose(DebyePreparedSystem *system, const DebyePrepareState *state, const DebyeStateSettings *settings,
       GError **error)
{
  DebyePreparedUnit *found = find_meant(system, state, error);
  if (found == NULL)
    return FALSE;
  g_auto(GStrv) words = g_strsplit(state->state, " ", 2);
  if (found->form == NULL || words[0] == NULL || !set_form(found, words[0], settings) ||
      !choose_turn(found, words[1]))
    return refuse_state(system, found, state, error);
  if ((strcmp(found->form->name, "CYX") == 0) != (found->disulfide != DEBYE_PREPARE_NONE)) {
    g_autofree char *residue = debye_prepared_unit_describe(system, found);
    return debye_error_set(error, DEBYE_ERROR_VALUE, "residue %s: %s doesn't fit the bonds of its sulfur",
                           residue, state->state);
  }
  found->is_chosen = TRUE;
  debye_prepared_unit_note(found, "state chosen");
  return TRUE;
}

/* --- What a person can choose --- */

/* By hand: as in the file, or turned by 180°. */
static const struct {
  const char *name, *state;
} turned[] = {
    {"ASN", "ASN kept"}, {"ASN", "ASN turned"}, {"GLN", "GLN kept"}, {"GLN", "GLN turned"},
    {"HID", "HID kept"}, {"HID", "HID turned"}, {"HIE", "HIE kept"}, {"HIE", "HIE turned"},
    {"HIP", "HIP kept"}, {"HIP", "HIP turned"},
};

static const char **
end_list(GPtrArray *states)
{
  if (states->len < 2)
    g_ptr_array_set_size(states, 0);
  g_ptr_array_add(states, NULL);
  return (const char **)g_ptr_array_free(states, FALSE);
}

static void
add_turned(const DebyePreparedUnit *unit, const char *name, GPtrArray *states)
{
  const gboolean is_held =
      unit->metal[0] != DEBYE_PREPARE_NONE || unit->metal[1] != DEBYE_PREPARE_NONE || unit->is_linked;
  for (gsize k = 0; k < G_N_ELEMENTS(turned) && !is_held; k++)
    if (strcmp(turned[k].name, name) == 0)
      g_ptr_array_add(states, (gpointer)turned[k].state);
}

const char **
debye_prepare_states_list(const DebyePreparedUnit *unit, const DebyeStateSettings *settings)
{
  GPtrArray *states = g_ptr_array_new();
  for (int turns = 0; turns < 2; turns++)
    for (const DebyeResidueForm *row = debye_residue_forms; unit->form != NULL && row->family != NULL;
         row++) {
      if (row->kind != unit->form->kind || strcmp(row->family, unit->form->family) != 0 ||
          !is_charged(unit, row, settings) ||
          (strcmp(row->name, "CYX") == 0) != (unit->disulfide != DEBYE_PREPARE_NONE))
        continue;
      if (turns == 0)
        g_ptr_array_add(states, (gpointer)row->name);
      else
        add_turned(unit, row->name, states);
    }
  return end_list(states);
}

const char **
debye_prepare_states_list_of_end(const DebyePreparedUnit *unit, gboolean at_start,
                                 const DebyeStateSettings *settings)
{
  static const char *const names[] = {"charged", "neutral", "capped"};
  GPtrArray *states = g_ptr_array_new();
  DebyePreparedUnit other = *unit;
  *(at_start ? &other.is_start : &other.is_end) = TRUE;
  for (int k = 0; k < 3; k++) {
    *(at_start ? &other.start : &other.end) = (DebyeTermini)k;
    if (k == DEBYE_TERMINI_CAPPED || is_charged(&other, unit->form, settings))
      g_ptr_array_add(states, (gpointer)names[k]);
  }
  return end_list(states);
}

/* --- All --- */

/* No table has an amino acid with both ends. */
static gboolean
check_alone(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, GError **error)
{
  if (unit->form->kind != DEBYE_FORM_AMINO_ACID || !unit->is_start || !unit->is_end)
    return TRUE;
  g_autofree char *residue = debye_prepared_unit_describe(system, unit);
  return debye_error_set(
      error, DEBYE_ERROR_MISSING,
      "residue %s is bonded to no other: the table has charges for amino acids in chains only. Choose the "
      "atoms to keep without it",
      residue);
}

gboolean
debye_prepare_states_decide(DebyePreparedSystem *system, const DebyeStateSettings *settings, GError **error)
{
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind != DEBYE_UNIT_CHAIN)
      continue;
    if (!check_alone(system, unit, error))
      return FALSE;
    decide(system, unit, settings);
  }
  for (gsize k = 0; k < settings->n_states; k++)
    if (!debye_prepare_state_is_of_end(&settings->states[k]) &&
        !choose(system, &settings->states[k], settings, error))
      return FALSE;
  return TRUE;
}

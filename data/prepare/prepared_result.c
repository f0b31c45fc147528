/* SPDX-License-Identifier: MIT */
/* Implementation of prepared_result.h. */
#include "prepared_result.h"

#include <string.h>

#include "chain_ends.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/table_charges.h"

typedef struct {
  const DebyePreparedSystem *system;
  const DebyePrepareSettings *settings;
  DebyeTopologyBuilder *builder;
  guint32 *numbers_of_sources; /* of each atom of the old topology; DEBYE_PREPARE_NONE: left out */
  guint32 *numbers;            /* in the new topology, of each heavy atom of the system */
  GArray *positions;           /* DebyeVec3 */
  gsize n_added;
} Building;

static const char *
get_string(const DebyePreparedSystem *system, guint32 code)
{
  return debye_string_pool_get(debye_topology_get_string_pool(system->topology), code);
}

static gboolean
is_left_out(const Building *building, const DebyePreparedUnit *unit)
{
  return unit->kind == DEBYE_UNIT_WATER && building->settings->drops_water;
}

/* --- Residues --- */

/* AMBER's names of nucleotides tell the ends of strands; those of amino acids don't in coordinate files. */
static char *
get_residue_name(const Building *building, const DebyePreparedUnit *unit)
{
  if (unit->kind != DEBYE_UNIT_CHAIN || !building->settings->renames)
    return g_strdup(debye_prepared_unit_get_name(building->system, unit));
  if (!debye_residue_form_is_nucleotide(unit->form))
    return g_strdup(unit->form->name);
  const gboolean is_start =
      unit->is_start && debye_prepared_system_find(building->system, unit, "P") == DEBYE_PREPARE_NONE;
  return g_strconcat(unit->form->name,
                     is_start && unit->is_end ? "N"
                     : is_start               ? "5"
                     : unit->is_end           ? "3"
                                              : "",
                     NULL);
}

static void
begin_residue(const Building *building, const DebyePreparedUnit *unit)
{
  const DebyePreparedSystem *system = building->system;
  const DebyeResidue *residue = &debye_topology_get_residue_table(system->topology)[unit->residue];
  g_autofree char *name = get_residue_name(building, unit);
  debye_topology_builder_set_residue(
      building->builder, name, -1, debye_prepared_unit_get_number(system, unit), residue->insertion_code,
      get_string(system, residue->chain), -1, get_string(system, residue->segment), -1);
  debye_topology_builder_new_residue(building->builder);
}

/* --- Atoms --- */

static DebyeAtom
describe_added(const DebyePreparedSystem *system, const char *name, guint8 element)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = name;
  atom.atomic_number = element;
  atom.occupancy = debye_topology_get_occupancies(system->topology) != NULL ? 1.0 : NAN;
  atom.b_factor = debye_topology_get_b_factors(system->topology) != NULL ? 0.0 : NAN;
  return atom;
}

static guint32
add_atom(Building *building, guint32 source, const char *name, guint8 element, DebyeVec3 position)
{
  DebyeAtom atom = source != DEBYE_PREPARE_NONE
                       ? debye_topology_describe_atom(building->system->topology, source)
                       : describe_added(building->system, name, element);
  /* No table has deuterium's names. */
  if (element == 1 && atom.name[0] == 'D')
    atom.name = name;
  if (source != DEBYE_PREPARE_NONE)
    building->numbers_of_sources[source] = (guint32)debye_topology_builder_get_n_atoms(building->builder);
  building->n_added += source == DEBYE_PREPARE_NONE;
  g_array_append_val(building->positions, position);
  return debye_topology_builder_add_atom(building->builder, &atom);
}

static void
add_unit(Building *building, const DebyePreparedUnit *unit)
{
  begin_residue(building, unit);
  for (guint k = 0; k < unit->atoms->len; k++) {
    const guint32 number = g_array_index(unit->atoms, guint32, k);
    const DebyePreparedAtom *atom = debye_prepared_system_get_atom(building->system, number);
    building->numbers[number] = add_atom(building, atom->source, atom->name, atom->element, atom->position);
  }
  for (guint k = 0; k < unit->hydrogens->len; k++) {
    const DebyePreparedHydrogen *hydrogen = &g_array_index(unit->hydrogens, DebyePreparedHydrogen, k);
    const guint32 number = add_atom(building, hydrogen->source, hydrogen->name, 1, hydrogen->position);
    debye_topology_builder_add_bond(building->builder, building->numbers[hydrogen->heavy], number);
  }
}

static void
add_bonds(Building *building)
{
  for (guint32 i = 0; i < building->system->atoms->len; i++) {
    const DebyePreparedAtom *atom = debye_prepared_system_get_atom(building->system, i);
    for (guint k = 0; k < atom->n_neighbours; k++)
      if (i < atom->neighbours[k])
        debye_topology_builder_add_bond(building->builder, building->numbers[i],
                                        building->numbers[atom->neighbours[k]]);
  }
  for (guint b = 0; b < building->system->bonds->len; b++) {
    const DebyeBond bond = g_array_index(building->system->bonds, DebyeBond, b);
    debye_topology_builder_add_bond(building->builder, building->numbers[bond.i], building->numbers[bond.j]);
  }
}

/* The file's, of which residues without a form have no others. */
static void
add_bonds_of_file(Building *building)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(building->system->topology, &n_bonds);
  for (gsize b = 0; b < n_bonds; b++) {
    const guint32 i = building->numbers_of_sources[bonds[b].i], j = building->numbers_of_sources[bonds[b].j];
    if (i != DEBYE_PREPARE_NONE && j != DEBYE_PREPARE_NONE)
      debye_topology_builder_add_bond(building->builder, i, j);
  }
}

static DebyeTopology *
build_topology(Building *building)
{
  const DebyePreparedSystem *system = building->system;
  debye_topology_builder_set_title(building->builder, debye_topology_get_title(system->topology), -1);
  debye_topology_builder_trust_residues(building->builder);
  g_autoptr(GArray) order = debye_chain_ends_list_in_order(system);
  for (guint k = 0; k < order->len; k++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, g_array_index(order, guint32, k));
    if (!is_left_out(building, unit))
      add_unit(building, unit);
  }
  add_bonds(building);
  add_bonds_of_file(building);
  return debye_topology_builder_finish(building->builder);
}

static DebyeFrame *
build_frame(const Building *building, GError **error)
{
  const DebyeFrame *old = building->system->frame;
  DebyeFrame *frame = debye_frame_new(building->positions->len);
  if (frame == NULL)
    return debye_null(debye_error_set_memory(error, NULL, building->positions->len, N_("positions")));
  for (guint i = 0; i < building->positions->len; i++)
    debye_frame_set_position(frame, i, g_array_index(building->positions, DebyeVec3, i));
  frame->cell = old->cell;
  frame->has_cell = old->has_cell;
  frame->cell_origin = old->cell_origin;
  frame->time = old->time;
  return frame;
}

/* --- Residues that titrate --- */

static gboolean
is_of_protein(const DebyePreparedUnit *unit)
{
  return unit->kind == DEBYE_UNIT_CHAIN &&
         (unit->form->kind == DEBYE_FORM_AMINO_ACID || unit->form->kind == DEBYE_FORM_CAP);
}

/* By unit; links between two residues without a form are there from one side. */
static gboolean *
find_joined(const DebyePreparedSystem *system)
{
  gboolean *joined = g_new0(gboolean, MAX(system->units->len, 1));
  for (gboolean is_changed = TRUE; is_changed;) {
    is_changed = FALSE;
    for (guint l = 0; l < system->links->len; l++) {
      const DebyePreparedLink *link = &g_array_index(system->links, DebyePreparedLink, l);
      const guint32 own = debye_prepared_system_get_atom(system, link->own)->unit;
      const guint32 partner = debye_prepared_system_get_atom(system, link->partner)->unit;
      const DebyePreparedUnit *other = debye_prepared_system_get_unit(system, partner);
      const gboolean has_form = other->kind == DEBYE_UNIT_CHAIN;
      const gboolean is_joined =
          has_form ? joined[own] || is_of_protein(other) : joined[own] || joined[partner];
      is_changed |= is_joined && (!joined[own] || (!has_form && !joined[partner]));
      joined[own] = is_joined;
      joined[partner] = !has_form && is_joined;
    }
  }
  return joined;
}

static GArray *
list_residues(const Building *building)
{
  const DebyePreparedSystem *system = building->system;
  GArray *residues = g_array_new(FALSE, FALSE, sizeof(DebyePreparedResidue));
  g_autofree gboolean *joined = find_joined(system);
  g_autoptr(GArray) order = debye_chain_ends_list_in_order(system);
  for (guint k = 0; k < order->len; k++) {
    const guint32 u = g_array_index(order, guint32, k);
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    const gboolean is_protein = is_of_protein(unit);
    const DebyePreparedResidue row = {.residue = unit->residue,
                                      .is_start = is_protein && unit->is_start,
                                      .is_end = is_protein && unit->is_end,
                                      .is_at_break = unit->is_at_break,
                                      .is_chosen = unit->is_chosen,
                                      .is_end_chosen = {unit->is_end_chosen[0], unit->is_end_chosen[1]},
                                      .is_held = unit->metal[0] != DEBYE_PREPARE_NONE ||
                                                 unit->metal[1] != DEBYE_PREPARE_NONE,
                                      .is_linked = unit->is_linked,
                                      .is_joined = joined[u]};
    if (!is_left_out(building, unit))
      g_array_append_val(residues, row);
  }
  return residues;
}

/* --- Charges --- */

static char *
describe_residue(DebyeTopology *topology, guint32 residue)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *row = &debye_topology_get_residue_table(topology)[residue];
  const char *chain = debye_string_pool_get(pool, row->chain);
  g_autofree char *number = g_strdup_printf("%s %d", debye_string_pool_get(pool, row->name), row->number);
  return chain[0] == '\0' ? g_steal_pointer(&number) : debye_say("%s of chain %s", number, chain);
}

/* An atom without charge by the table, or an ion without radius. */
static gboolean
is_bare(DebyeTopology *topology, const DebyeChargeReport *report, guint32 atom)
{
  return report->kinds[atom] == DEBYE_CHARGED_NONE ||
         (report->kinds[atom] == DEBYE_CHARGED_ION && !(debye_topology_get_radii(topology)[atom] > 0.0f));
}

#define MAX_NAMES 24 /* of kinds of residues, in an error */

/* "DMS ACT GOL", each once, of the residues without charges, whose number and first one are told. */
static char *
list_bare(DebyeTopology *topology, const DebyeChargeReport *report, guint *n, guint32 *first)
{
  const guint32 *residues = debye_topology_get_residues(topology);
  const DebyeResidue *rows = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  guint32 last = DEBYE_PREPARE_NONE;
  *n = 0;
  for (guint32 i = 0; i < debye_topology_get_n_atoms(topology); i++) {
    if (!is_bare(topology, report, i) || residues[i] == last)
      continue;
    last = residues[i];
    *first = (*n)++ == 0 ? last : *first;
    const char *name = debye_string_pool_get(pool, rows[last].name);
    if (names->len < MAX_NAMES && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
      g_ptr_array_add(names, (gpointer)name);
  }
  g_ptr_array_add(names, NULL);
  return g_strjoinv(" ", (char **)names->pdata);
}

static gboolean
check_charges(DebyeTopology *topology, const DebyeChargeReport *report, GError **error)
{
  guint n;
  guint32 first = DEBYE_PREPARE_NONE;
  g_autofree char *names = list_bare(topology, report, &n, &first);
  if (n == 0)
    return TRUE;
  g_autofree char *residue = describe_residue(topology, first);
  if (n == 1)
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "the table has no charges for residue %s: to continue without it, keep “not resname %s”",
                    residue, names);
  else
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "the table has no charges for %u residues, the first is %s: to continue without them, "
                    "keep “not resname %s”",
                    n, residue, names);
  return FALSE;
}

/* Charges and radii that units have in place of the table's. */
static void
take_own_charges(const Building *building, DebyePrepared *prepared, DebyeChargeReport *report)
{
  const gsize n_atoms = debye_topology_get_n_atoms(prepared->topology);
  g_autofree float *charges =
      g_memdup2(debye_topology_get_charges(prepared->topology), n_atoms * sizeof(float));
  g_autofree float *radii = g_memdup2(debye_topology_get_radii(prepared->topology), n_atoms * sizeof(float));
  g_autoptr(GArray) order = debye_chain_ends_list_in_order(building->system);
  gboolean has_any = FALSE;
  gsize atom = 0;
  for (guint u = 0; u < order->len; u++) {
    const DebyePreparedUnit *unit =
        debye_prepared_system_get_unit(building->system, g_array_index(order, guint32, u));
    const gsize n = is_left_out(building, unit) ? 0 : unit->atoms->len + unit->hydrogens->len;
    for (guint k = 0; unit->charges != NULL && k < n; k++) {
      charges[atom + k] = (float)g_array_index(unit->charges, double, k);
      radii[atom + k] = (float)g_array_index(unit->radii, double, k);
      report->kinds[atom + k] = DEBYE_CHARGED_OTHER;
      has_any = TRUE;
    }
    atom += n;
  }
  if (!has_any)
    return;
  g_autoptr(DebyeTopology) charged = debye_topology_with_charges(prepared->topology, charges);
  g_object_unref(prepared->topology);
  prepared->topology = debye_topology_with_radii(charged, radii);
}

/* --- The report --- */

static void
decision_free(gpointer data)
{
  DebyePrepareDecision *decision = data;
  g_free(decision->residue);
  g_free(decision->chain);
  g_free(decision->state);
  g_free(decision->states);
  g_free(decision->done);
  g_strfreev(decision->notes);
  g_free(decision);
}

static DebyePrepareDecision *
add_decision(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, const char *name,
             GPtrArray *decisions)
{
  const DebyeResidue *residue = &debye_topology_get_residue_table(system->topology)[unit->residue];
  const char insertion[2] = {residue->insertion_code, '\0'};
  DebyePrepareDecision *decision = g_new0(DebyePrepareDecision, 1);
  decision->residue =
      g_strdup_printf("%s %d%s", name, debye_prepared_unit_get_number(system, unit), insertion);
  decision->chain = g_strdup(get_string(system, residue->chain));
  decision->pka = decision->pk_half = decision->pk_error = NAN;
  decision->charge = NAN;
  g_ptr_array_add(decisions, decision);
  return decision;
}

static void
tell_alone(DebyePrepareDecision *decision, const char *note)
{
  decision->done = g_strdup(note);
  decision->notes = g_new0(char *, 2);
  decision->notes[0] = g_strdup(note);
}

static void
tell_done(DebyePrepareDecision *decision, const DebyePreparedUnit *unit)
{
  decision->done = g_strdup(unit->done->str);
  decision->notes = g_new0(char *, unit->notes->len + 1);
  for (guint k = 0; k < unit->notes->len; k++)
    decision->notes[k] = g_strdup(unit->notes->pdata[k]);
  decision->is_routine = isnan(unit->pka) && unit->notes->len == 0;
}

static void
add_end(const Building *building, const DebyePreparedUnit *unit, gboolean at_start, GPtrArray *decisions)
{
  const gsize end = at_start ? 0 : 1;
  const DebyeTermini termini = at_start ? unit->start : unit->end;
  const gboolean is_chosen = unit->is_end_chosen[end];
  const char *name = at_start ? "NTR" : "CTR";
  static const char *const states[] = {N_("charged"), N_("neutral"), N_("capped")};
  DebyePrepareDecision *decision = add_decision(building->system, unit, name, decisions);
  decision->state = g_strdup(states[termini]);
  decision->states = debye_prepare_states_list_of_end(unit, at_start, &building->settings->states);
  decision->pka = debye_model_pka(name);
  decision->pk_half = unit->pk_half_of_end[end];
  decision->pk_error = unit->pk_error_of_end[end];
  decision->done = g_strdup(is_chosen ? N_("state chosen") : "");
  decision->notes = g_new0(char *, 2);
  decision->notes[0] = g_strdup(is_chosen ? N_("state chosen") : states[termini]);
}

static void
add_warning(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, GPtrArray *warnings)
{
  g_autofree char *residue = debye_prepared_unit_describe(system, unit);
  if (unit->warnings->len > 0)
    g_ptr_array_add(warnings, g_strdup_printf("%s: %s", residue, unit->warnings->str));
}

/* As a file of chosen states has them. */
static const char *const turns[] = {
    [DEBYE_TURN_FREE] = "", [DEBYE_TURN_KEPT] = " kept", [DEBYE_TURN_CHOSEN] = " turned"};

static void
report_unit(const Building *building, const DebyePreparedUnit *unit, double charge, GPtrArray *decisions)
{
  const DebyePreparedSystem *system = building->system;
  const gboolean is_protein = unit->kind == DEBYE_UNIT_CHAIN && unit->form->kind == DEBYE_FORM_AMINO_ACID;
  if (is_protein && (unit->is_start || unit->caps[0] != DEBYE_PREPARE_NONE))
    add_end(building, unit, TRUE, decisions);
  DebyePrepareDecision *decision =
      add_decision(system, unit, debye_prepared_unit_get_name(system, unit), decisions);
  decision->state = g_strconcat(unit->form != NULL ? unit->form->name : "", turns[unit->turn], NULL);
  decision->states = debye_prepare_states_list(unit, &building->settings->states);
  decision->pka = unit->pka;
  decision->pk_half = unit->pk_half;
  decision->pk_error = unit->pk_error;
  decision->n_hydrogens = unit->hydrogens->len;
  decision->charge = isnan(charge) ? NAN : debye_charge_round(charge);
  if (is_left_out(building, unit))
    tell_alone(decision, N_("left out"));
  else
    tell_done(decision, unit);
  decision->is_routine |= is_left_out(building, unit);
  if (is_protein && (unit->is_end || unit->caps[1] != DEBYE_PREPARE_NONE))
    add_end(building, unit, FALSE, decisions);
}

/* Of each unit that is written; its atoms follow one another. */
static void
report_all(const Building *building, DebyePrepared *prepared)
{
  const float *charges = debye_topology_get_charges(prepared->topology);
  GPtrArray *warnings = g_ptr_array_new();
  g_autoptr(GArray) order = debye_chain_ends_list_in_order(building->system);
  gsize atom = 0;
  guint n_unseen = 0;
  for (guint u = 0; u < order->len; u++) {
    const DebyePreparedUnit *unit =
        debye_prepared_system_get_unit(building->system, g_array_index(order, guint32, u));
    double charge = is_left_out(building, unit) ? NAN : 0.0;
    for (gsize k = 0; !isnan(charge) && k < unit->atoms->len + unit->hydrogens->len; k++)
      charge += (double)charges[atom++];
    prepared->total_charge += isnan(charge) ? 0.0 : charge;
    n_unseen += isnan(charge) ? 0 : unit->n_unseen;
    report_unit(building, unit, charge, prepared->decisions);
    add_warning(building->system, unit, warnings);
  }
  prepared->total_charge = debye_charge_round(prepared->total_charge);
  if (n_unseen > 0)
    g_ptr_array_insert(
        warnings, 0,
        debye_say("atoms with occupancy 0, whose positions the experiment does not show: %u", n_unseen));
  g_ptr_array_add(warnings, NULL);
  prepared->warnings = (char **)g_ptr_array_free(warnings, FALSE);
}

DebyePrepared *
debye_prepared_result_new(const DebyePreparedSystem *system, const DebyePrepareSettings *settings,
                          GError **error)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(GArray) positions = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  g_autofree guint32 *numbers = g_new0(guint32, MAX(system->atoms->len, 1));
  const gsize n_sources = debye_topology_get_n_atoms(system->topology);
  g_autofree guint32 *numbers_of_sources = g_new(guint32, MAX(n_sources, 1));
  memset(numbers_of_sources, 0xff, n_sources * sizeof(guint32));
  g_auto(DebyeChargeReport) report = {0};
  g_autoptr(DebyePrepared) prepared = g_new0(DebyePrepared, 1);
  Building building = {.system = system,
                       .settings = settings,
                       .builder = builder,
                       .numbers = numbers,
                       .positions = positions,
                       .numbers_of_sources = numbers_of_sources};
  prepared->decisions = g_ptr_array_new_with_free_func(decision_free);
  prepared->residues = list_residues(&building);
  g_autoptr(DebyeTopology) topology = build_topology(&building);
  prepared->topology = debye_topology_with_table_parameters(topology, settings->states.table, &report);
  take_own_charges(&building, prepared, &report);
  prepared->n_added = building.n_added;
  prepared->frame = build_frame(&building, error);
  if (prepared->frame == NULL || !check_charges(prepared->topology, &report, error))
    return NULL;
  report_all(&building, prepared);
  return g_steal_pointer(&prepared);
}

void
debye_prepared_free(DebyePrepared *prepared)
{
  if (prepared == NULL)
    return;
  g_clear_object(&prepared->topology);
  g_clear_pointer(&prepared->frame, debye_frame_unref);
  g_ptr_array_unref(prepared->decisions);
  g_clear_pointer(&prepared->residues, g_array_unref);
  g_strfreev(prepared->warnings);
  g_free(prepared);
}

/* SPDX-License-Identifier: MIT */
/* Places ions for ions_analysis.c: the map of the solute by lanes, then on one device ion after ion, each
 * where the map that the others have changed is lowest or highest. */
#include "ions_run.h"

#include <math.h>

#include "app/analysis/driver/charge_weights.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/potential_unit.h"
#include "ions_notes.h"
#include "kernels/potential/ion_field.h"
#include "kernels/potential/potential_map_lanes.h"
#include "app/analysis/map/map_effective_settings.h"
#include "app/analysis/map/map_planes.h"

/* How much of the time the map is expected to take. */
#define MAP_SHARE 0.8
#define PROGRESS_INTERVAL 16 /* ions: one takes less than a picture of the progress */

typedef struct {
  const DebyeRunInput *input;
  const DebyeIonsPlan *plan;
  gsize n_points;
  float *map, *unit;         /* e/Å; the unit map NULL where none is used */
  float *x, *y, *z, *charge; /* of the chosen atoms: those with a charge first */
  gsize n_charged;
  DebyeMapPlanes map_planes, unit_planes;
  DebyeFrameState state; /* both maps, for the file of a job */
  DebyeIonsStory story;
  DebyeLaneTotals lanes;
  gint64 start;
} IonsRun;

static void
ions_run_clear(IonsRun *run)
{
  debye_map_planes_clear(&run->map_planes);
  debye_map_planes_clear(&run->unit_planes);
  debye_frame_state_clear(&run->state);
  g_free(run->map);
  g_free(run->unit);
  g_free(run->x);
  g_free(run->y);
  g_free(run->z);
  g_free(run->charge);
  debye_ions_story_clear(&run->story);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(IonsRun, ions_run_clear)

static const volatile bool *
cancel_flag(const IonsRun *run)
{
  return run->input->callbacks != NULL ? run->input->callbacks->cancel : NULL;
}

static void
report_progress(const IonsRun *run, double fraction, const char *message)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  if (callbacks != NULL && callbacks->progress != NULL)
    callbacks->progress(fraction, message, callbacks->data);
}

static void
set_stopped(GError **error)
{
  debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before an ion was placed");
}

/* --- The map of the solute --- */

static void
copy_atom(IonsRun *run, guint32 atom, gsize at)
{
  const DebyeFrame *frame = run->plan->map.frames.first;
  run->x[at] = frame->x[atom];
  run->y[at] = frame->y[atom];
  run->z[at] = frame->z[atom];
  run->charge[at] = debye_topology_get_charges(run->plan->map.topology)[atom];
}

/* All chosen atoms keep ions away; only those with a charge are summed. */
static gboolean
gather_atoms(IonsRun *run, GError **error)
{
  const GArray *atoms = run->plan->map.atoms;
  const float *charge = debye_topology_get_charges(run->plan->map.topology);
  const DebyeFrame *frame = run->plan->map.frames.first;
  gsize at_end = atoms->len;
  for (guint i = 0; i < atoms->len; i++) {
    guint32 atom = g_array_index(atoms, guint32, i);
    if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
      return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Atoms",
                                   "atom %u has no finite coordinates in frame %" G_GSIZE_FORMAT
                                   ", expected finite ones for all atoms that ions keep away from",
                                   atom, frame->index);
    copy_atom(run, atom, charge[atom] != 0.0f ? run->n_charged++ : --at_end);
  }
  return TRUE;
}

static gboolean
allocate(IonsRun *run, GError **error)
{
  const gsize n_atoms = run->plan->map.atoms->len;
  run->n_points = debye_grid_n_points(&run->plan->map.potential.grid);
  run->map = g_try_new0(float, run->n_points);
  run->unit = run->plan->has_unit_map ? g_try_new0(float, run->n_points) : NULL;
  run->x = g_try_new(float, n_atoms);
  run->y = g_try_new(float, n_atoms);
  run->z = g_try_new(float, n_atoms);
  run->charge = g_try_new(float, n_atoms);
  if (run->map != NULL && run->x != NULL && run->y != NULL && run->z != NULL && run->charge != NULL &&
      (run->unit != NULL || !run->plan->has_unit_map))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing",
                               "no memory for a map of this many points");
}

static void
slab_finished(void *data, DebyeSlab slab, size_t done, size_t total)
{
  (void)slab;
  report_progress(data, MAP_SHARE * (double)done / (double)total, "summing charges");
}

/* The file of a job whose maps aren't done has them alone. */
static DebyeResult *
make_kept(gpointer data)
{
  const IonsRun *run = data;
  return debye_result_new(run->input->request, "Electrostatic potential before the first ion");
}

static void
init_planes(IonsRun *run, DebyeMapPlanes *planes)
{
  *planes = (DebyeMapPlanes){.input = run->input,
                             .grid = &run->plan->map.potential.grid,
                             .cancel = cancel_flag(run),
                             .lanes = &run->lanes,
                             .finished = slab_finished,
                             .data = run,
                             .job = &run->plan->settings.map.job,
                             .state = &run->state,
                             .make_kept = make_kept};
}

static void
list_state(IonsRun *run)
{
  debye_frame_state_init(&run->state);
  debye_frame_state_add_counts(&run->state, "map_planes", DEBYE_STATE_KEPT, &run->map_planes.n_done, 1);
  debye_frame_state_add_floats(&run->state, "map", run->map, run->n_points);
  if (run->unit == NULL)
    return;
  debye_frame_state_add_counts(&run->state, "unit_planes", DEBYE_STATE_KEPT, &run->unit_planes.n_done, 1);
  debye_frame_state_add_floats(&run->state, "unit", run->unit, run->n_points);
}

static gboolean
sum_map(IonsRun *run, DebyeMapPlanes *planes, DebyeSharing *map, const DebyeCharges *charges, float *out,
        GError **error)
{
  const DebyePotentialSettings *potential = &run->plan->map.potential;
  const DebyePotentialFrame frame = {
      .charges = *charges, .cell = potential->periodic != DEBYE_PERIODIC_NONE ? &potential->cell : NULL};
  g_autoptr(GError) problem = NULL;
  planes->map = map;
  if (charges->n == 0 || debye_map_planes_sum(planes, &frame, out, NULL, &problem))
    return TRUE;
  if (problem != NULL)
    g_propagate_error(error, g_steal_pointer(&problem));
  else
    set_stopped(error);
  return FALSE;
}

static gboolean
sum_maps(IonsRun *run, DebyeSharing *map, GError **error)
{
  const DebyeVec3 origin = run->plan->map.potential.grid.origin;
  const float x = (float)origin.x, y = (float)origin.y, z = (float)origin.z, one = 1.0f;
  const DebyeCharges solute = {run->x, run->y, run->z, run->charge, run->n_charged};
  const DebyeCharges unit = {&x, &y, &z, &one, 1};
  return sum_map(run, &run->map_planes, map, &solute, run->map, error) &&
         (run->unit == NULL || sum_map(run, &run->unit_planes, map, &unit, run->unit, error));
}

static gboolean
make_maps(IonsRun *run, const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  DebyePotentialMapLanesSettings settings = {.potential = run->plan->map.potential,
                                             .memory_limit = run->plan->map.memory_limit};
  DebyeSharing *map = NULL;
  DebyeStatus status = {0};
  settings.potential.max_charges = MAX(run->n_charged, 1);
  if (debye_potential_map_lanes_create(&settings, devices, n_devices, &map, &status) != DEBYE_STATUS_OK)
    return debye_device_set_error(error, &status);
  gboolean is_made = sum_maps(run, map, error);
  debye_sharing_free(map);
  return is_made;
}

/* --- Ion after ion --- */

/* What brings the whole nearer to zero goes first. */
static gboolean
cation_is_next(const IonsRun *run, double charge)
{
  const DebyeIonsStory *story = &run->story;
  if (story->n_cations_placed == story->n_cations)
    return FALSE;
  return story->n_anions_placed == story->n_anions || charge <= 0.0;
}

static void
note_ion(IonsRun *run, const DebyeIonKind *kind, const DebyeIonExtreme *extreme)
{
  const DebyePlacedIon ion = {.kind = kind, .index = extreme->index, .potential = (double)extreme->value};
  g_array_append_val(run->story.ions, ion);
  if (kind->charge > 0)
    run->story.n_cations_placed++;
  else
    run->story.n_anions_placed++;
}

static void
report_ions(const IonsRun *run)
{
  const gsize n = run->story.ions->len, total = run->story.n_cations + run->story.n_anions;
  if (n % PROGRESS_INTERVAL != 0 && n < total)
    return;
  g_autofree char *message = debye_say("ion %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, n, total);
  report_progress(run, MAP_SHARE + (1.0 - MAP_SHARE) * (double)n / (double)total, message);
}

static void
set_no_room(const IonsRun *run, GError **error)
{
  char distance[G_ASCII_DTOSTR_BUF_SIZE], between[G_ASCII_DTOSTR_BUF_SIZE];
  debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Number of ions",
      "no room is left %s Å from the atoms and %s Å from other ions after %u of %" G_GSIZE_FORMAT
      " ions, expected fewer ions, smaller distances or a larger padding",
      g_ascii_formatd(distance, sizeof distance, "%g", run->plan->settings.distance),
      g_ascii_formatd(between, sizeof between, "%g", run->plan->settings.ion_distance), run->story.ions->len,
      run->story.n_cations + run->story.n_anions);
}

static gboolean
is_stopped(const IonsRun *run)
{
  return debye_is_cancelled(cancel_flag(run));
}

/* FALSE with an error where there is no room; the status says what a device did. */
static gboolean
place_ions(IonsRun *run, DebyeIonField *field, DebyeStatus *status, GError **error)
{
  double charge = run->plan->map.net_charge;
  while (run->story.ions->len < run->story.n_cations + run->story.n_anions && !is_stopped(run)) {
    const DebyeIonKind *kind = cation_is_next(run, charge) ? run->plan->cation : run->plan->anion;
    DebyeIonExtreme extreme = {0};
    if (debye_ion_field_find_extreme(field, kind->charge > 0 ? -1 : 1, &extreme, status) != DEBYE_STATUS_OK)
      return FALSE;
    if (extreme.n_open == 0) {
      set_no_room(run, error);
      return FALSE;
    }
    if (debye_ion_field_place(field, extreme.index, kind->charge, run->plan->settings.ion_distance, status) !=
        DEBYE_STATUS_OK)
      return FALSE;
    note_ion(run, kind, &extreme);
    charge += kind->charge;
    report_ions(run);
  }
  return TRUE;
}

/* Points that the atoms leave open, and by them the number of ions. */
static gboolean
open_field(IonsRun *run, DebyeIonField *field, DebyeStatus *status, GError **error)
{
  const DebyeGrid *grid = &run->plan->map.potential.grid;
  const DebyeCell steps = {grid->step[0], grid->step[1], grid->step[2]};
  DebyeIonExtreme extreme = {0};
  report_progress(run, MAP_SHARE, "finding positions for ions");
  if (debye_ion_field_set_map(field, run->map, status) != DEBYE_STATUS_OK ||
      (run->unit != NULL && debye_ion_field_set_unit_map(field, run->unit, status) != DEBYE_STATUS_OK) ||
      debye_ion_field_forbid(field, run->x, run->y, run->z, run->plan->map.atoms->len,
                             run->plan->settings.distance, cancel_flag(run), status) != DEBYE_STATUS_OK ||
      debye_ion_field_find_extreme(field, 1, &extreme, status) != DEBYE_STATUS_OK)
    return FALSE;
  run->story.open_volume = (double)extreme.n_open * fabs(debye_cell_volume(&steps));
  return debye_ions_plan_count(run->plan, run->story.open_volume, &run->story.n_cations, &run->story.n_anions,
                               NULL, error);
}

/* What one device does, from the start, and what went wrong beside the device. */
typedef struct {
  IonsRun *run;
  GError *error;
} Placing;

/* The map before the first ion stays as it is until the end. */
static DebyeStatusCode
place_on_device(void *data, const DebyeDeviceEntry *device, DebyeIonField *field, DebyeStatus *status)
{
  Placing *placing = data;
  IonsRun *run = placing->run;
  debye_ions_story_begin(&run->story, device);
  debye_status_ok(status);
  if (open_field(run, field, status, &placing->error) && place_ions(run, field, status, &placing->error) &&
      run->story.ions->len > 0)
    debye_ion_field_get_map(field, run->map, status);
  return placing->error != NULL ? DEBYE_STATUS_INVALID : status->code;
}

static void
note_failure(void *data, const DebyeDeviceEntry *device, const char *reason)
{
  const Placing *placing = data;
  debye_ions_story_add_failure(&placing->run->story, device, reason);
}

/* The fastest device that can; where it fails the next one begins anew. */
static gboolean
place(IonsRun *run, const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  const DebyeIonFieldSettings settings = {
      .grid = run->plan->map.potential.grid,
      .core_radius = run->plan->map.potential.core_radius,
      .periodic = run->plan->map.potential.periodic,
      .cell = run->plan->map.potential.cell,
      .has_unit_map = run->unit != NULL,
  };
  Placing placing = {.run = run};
  const DebyeIonFieldUse use = {place_on_device, note_failure, &placing};
  DebyeStatus status = {0};
  debye_ions_story_begin(&run->story, devices[0]);
  const DebyeStatusCode code = debye_ion_field_use(&settings, run->plan->map.memory_limit, devices, n_devices,
                                                   &use, cancel_flag(run), &status);
  if (placing.error != NULL)
    g_propagate_error(error, placing.error);
  else if (code == DEBYE_STATUS_CANCELLED)
    set_stopped(error);
  else if (code != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

/* --- The result --- */

static DebyeField *
make_field(IonsRun *run)
{
  for (gsize i = 0; i < run->n_points; i++)
    run->map[i] = (float)((double)run->map[i] * run->plan->map.scale);
  g_autofree char *medium = debye_medium_describe(run->plan->settings.map.permittivity);
  DebyeField *field = debye_field_new_of_kind(DEBYE_FIELD_POTENTIAL, &run->plan->map.potential.grid,
                                              g_steal_pointer(&run->map),
                                              debye_potential_unit_name(run->plan->settings.map.unit));
  debye_field_set_medium(field, medium);
  return field;
}

static void
take_settings(const IonsRun *run, DebyeRequest *request)
{
  g_autofree char *count =
      g_strdup_printf("%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT, run->story.n_cations, run->story.n_anions);
  debye_map_set_effective_settings(request, &run->plan->map);
  debye_request_set_effective(request, "count", count);
  debye_request_set_effective(request, "neutralise", run->plan->neutralise ? "true" : "false");
}

static DebyeResult *
make_result(IonsRun *run)
{
  g_autoptr(DebyeRequest) complete = debye_request_copy(run->input->request);
  g_autofree char *title = debye_ions_story_make_title(&run->story, run->plan);
  g_autoptr(DebyeField) field = make_field(run);
  g_autoptr(DebyeTable) table = debye_ions_story_make_table(&run->story, run->plan);
  take_settings(run, complete);
  DebyeResult *result = debye_result_new(complete, title);
  debye_result_add_field(result, field);
  debye_result_add_table(result, table);
  debye_charge_weights_add(&run->plan->map.charges, run->plan->map.atoms, result);
  debye_result_set_inputs(result, debye_dataset_get_paths(run->input->dataset));
  debye_result_set_partial(result, run->story.ions->len < run->story.n_cations + run->story.n_anions);
  debye_ions_story_add_notes(&run->story, run->plan, result);
  debye_lane_totals_add_notes(&run->lanes, run->input->registry, "slabs", result);
  debye_map_planes_add_notes(&run->map_planes, result);
  debye_result_set_wall_time(result, (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC);
  return result;
}

static gboolean
prepare(IonsRun *run, DebyeResult **finished, GError **error)
{
  if (!allocate(run, error) || !gather_atoms(run, error))
    return FALSE;
  init_planes(run, &run->map_planes);
  init_planes(run, &run->unit_planes);
  list_state(run);
  return debye_map_planes_open_file(&run->map_planes, finished, error);
}

DebyeResult *
debye_ions_run(gpointer own, const DebyeRunInput *input, GError **error)
{
  const DebyeIonsPlan *plan = own;
  g_auto(IonsRun) run = {.input = input, .plan = plan, .start = g_get_monotonic_time()};
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  g_autoptr(DebyeResult) result = NULL;
  gsize n_devices = debye_device_choose(input->registry, &plan->settings.map.lanes, devices, error);
  if (n_devices == 0 || !prepare(&run, &result, error))
    return NULL;
  if (result != NULL)
    return g_steal_pointer(&result);
  if (!make_maps(&run, devices, n_devices, error) || !place(&run, devices, n_devices, error))
    return NULL;
  if (run.story.ions->len == 0) {
    set_stopped(error);
    return NULL;
  }
  result = make_result(&run);
  return debye_map_planes_close_file(&run.map_planes, result, error) ? g_steal_pointer(&result) : NULL;
}

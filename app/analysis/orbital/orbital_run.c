/* SPDX-License-Identifier: MIT */
/* Runs the kernel of orbitals map by map; called by orbital_analysis.c. */
#include "orbital_run.h"

#include <gio/gio.h>

#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "kernels/orbital/orbital.h"
#include "orbital_electrostatics.h"
#include "orbital_maps.h"

/* Functions that a device is given at a time. */
#define BATCH 192
#define OF_LAPLACIAN 5

typedef struct {
  const DebyeOrbitalPlan *plan;
  const DebyeRunInput *input;
  DebyeOrbitalMaps maps;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  const DebyeOrbitalMap *map;
  guint next;       /* orbital of a density */
  double done, own; /* of the planes of all maps: which are there, and which are computed now */
  double *row;
  GPtrArray *failures;
  DebyeOrbitalElectrostatics *potential;
} Run;

static void
run_clear(Run *run)
{
  g_free(run->row);
  g_clear_pointer(&run->failures, g_ptr_array_unref);
  g_clear_pointer(&run->potential, debye_orbital_electrostatics_free);
  debye_orbital_maps_clear(&run->maps);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

static const volatile bool *
cancel_flag(const DebyeRunInput *input)
{
  return input->callbacks != NULL ? input->callbacks->cancel : NULL;
}

static void
report_part(gpointer data, double part)
{
  const Run *run = data;
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  if (callbacks != NULL && callbacks->progress != NULL)
    callbacks->progress(run->done + MIN(part, 1.0) * run->own, run->map->name, callbacks->data);
}

/* --- What the kernel is given --- */

static void
begin(void *data)
{
  ((Run *)data)->next = 0;
}

/* ∇²ρ = 2 Σ n (|∇ψ|² + ψ ∇²ψ) */
static void
add_laplacian(DebyeOrbitalSet *set, const double *row, double occupation)
{
  debye_orbital_set_add(set, row, DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_KEEP, 0.0);
  debye_orbital_set_add(set, row, DEBYE_ORBITAL_LAPLACIAN, DEBYE_ORBITAL_PRODUCT, 2.0 * occupation);
  for (int axis = 0; axis < 3; axis++)
    debye_orbital_set_add(set, row, (DebyeOrbitalOperator)(DEBYE_ORBITAL_DX + axis), DEBYE_ORBITAL_SQUARE,
                          2.0 * occupation);
}

static bool
next_orbital(Run *run, DebyeOrbitalSet *set)
{
  if (run->next > 0)
    return false;
  run->next = run->plan->wave->orbitals->len;
  debye_wave_function_get_cartesian(run->plan->wave, run->map->orbital, run->row);
  debye_orbital_set_add(set, run->row, DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE, 1.0);
  return true;
}

static bool
next_functions(void *data, DebyeOrbitalSet *set)
{
  Run *run = data;
  const DebyeOrbitalMapKind kind = run->map->kind;
  const gsize each = kind == DEBYE_ORBITAL_MAP_LAPLACIAN ? OF_LAPLACIAN : 1;
  debye_orbital_set_empty(set);
  report_part(run, (double)run->next / (double)run->plan->wave->orbitals->len);
  if (kind == DEBYE_ORBITAL_MAP_ORBITAL)
    return next_orbital(run, set);
  for (; run->next < run->plan->wave->orbitals->len && set->n_functions + each <= set->max_functions;
       run->next++) {
    const double weight = debye_orbital_plan_get_weight(run->plan, kind, run->next);
    if (weight == 0.0)
      continue;
    debye_wave_function_get_cartesian(run->plan->wave, run->next, run->row);
    if (kind == DEBYE_ORBITAL_MAP_LAPLACIAN)
      add_laplacian(set, run->row, weight);
    else
      debye_orbital_set_add(set, run->row, DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_SQUARE, weight);
  }
  return set->n_functions > 0;
}

static void
note_failure(void *data, const DebyeDeviceEntry *device, const char *reason)
{
  g_ptr_array_add(((Run *)data)->failures,
                  g_strdup_printf("Device %s did not compute orbitals: %s", device->info.id, reason));
}

/* --- Maps --- */

static DebyeGrid
to_bohr(const DebyeGrid *grid)
{
  DebyeGrid scaled = *grid;
  scaled.origin = debye_vec3_scale(grid->origin, 1.0 / DEBYE_BOHR);
  for (int axis = 0; axis < 3; axis++)
    scaled.step[axis] = debye_vec3_scale(grid->step[axis], 1.0 / DEBYE_BOHR);
  return scaled;
}

static gboolean
fill_map(Run *run, float *values, GError **error)
{
  const gboolean is_laplacian = run->map->kind == DEBYE_ORBITAL_MAP_LAPLACIAN;
  const DebyeGrid grid = to_bohr(&run->plan->grid);
  DebyeStatus status = {0};
  DebyeOrbitalSet *set = NULL;
  DebyeStatusCode code =
      debye_orbital_set_new(&run->plan->basis, run->map->kind == DEBYE_ORBITAL_MAP_ORBITAL ? 1 : BATCH,
                            is_laplacian, DEBYE_ORBITAL_SCREEN, &set, &status);
  if (code == DEBYE_STATUS_OK) {
    const DebyeOrbitalSettings settings = debye_orbital_settings_of(&grid, set);
    const DebyeOrbitalSource source = {set, begin, next_functions, note_failure, run};
    code = debye_orbital_map(&settings, run->plan->memory_limit, run->devices, run->n_devices, &source,
                             cancel_flag(run->input), values, &run->maps.used, &status);
  }
  debye_orbital_set_free(set);
  return debye_device_check(code, &status, error);
}

static gboolean
fill_potential(Run *run, gsize first, gsize n, float *values, GError **error)
{
  if (run->potential == NULL)
    run->potential = debye_orbital_electrostatics_new(run->plan, cancel_flag(run->input), error);
  if (run->potential == NULL)
    return FALSE;
  if (!debye_orbital_electrostatics_fill(run->potential, first, n, cancel_flag(run->input), report_part, run,
                                         values))
    return debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  return TRUE;
}

/* For orbital_maps.c. */
static gboolean
compute(gpointer data, guint map, gsize first, gsize n, float *values, GError **error)
{
  Run *run = data;
  const double all = (double)run->plan->maps->len, planes = (double)run->plan->grid.shape[2];
  run->map = &g_array_index(run->plan->maps, DebyeOrbitalMap, map);
  run->done = ((double)map + (double)first / planes) / all;
  run->own = (double)n / planes / all;
  return run->map->kind == DEBYE_ORBITAL_MAP_POTENTIAL ? fill_potential(run, first, n, values, error)
                                                       : fill_map(run, values, error);
}

static DebyeFieldKind
find_kind(DebyeOrbitalMapKind kind)
{
  return kind == DEBYE_ORBITAL_MAP_DENSITY     ? DEBYE_FIELD_ELECTRON_DENSITY
         : kind == DEBYE_ORBITAL_MAP_POTENTIAL ? DEBYE_FIELD_ELECTROSTATIC_POTENTIAL
                                               : DEBYE_FIELD_ANY;
}

static void
add_map(const Run *run, guint number, DebyeResult *result)
{
  const DebyeOrbitalMap *map = &g_array_index(run->plan->maps, DebyeOrbitalMap, number);
  float *values = g_steal_pointer(&run->maps.values->pdata[number]);
  debye_orbital_notes_add_integral(run->plan, map, values, result);
  g_autoptr(DebyeField) field =
      debye_field_new_take(map->name, &run->plan->grid, values, debye_orbital_map_get_unit(map->kind));
  debye_field_set_kind(field, find_kind(map->kind));
  debye_result_add_field(result, field);
}

static void
add_notes(const Run *run, DebyeResult *result)
{
  debye_orbital_maps_add_devices(&run->maps, result);
  for (guint i = 0; i < run->failures->len; i++)
    debye_result_add_note(result, "%s", (const char *)g_ptr_array_index(run->failures, i));
  debye_orbital_maps_add_notes(&run->maps, result);
}

static gboolean
add_maps(Run *run, DebyeResult *result, GError **error)
{
  run->n_devices = debye_device_choose(run->input->registry, &run->plan->settings.lanes, run->devices, error);
  if (run->n_devices == 0 || !debye_orbital_maps_compute(&run->maps, error))
    return FALSE;
  for (guint i = 0; i < run->plan->maps->len; i++) {
    if (run->potential != NULL && i + 1 == run->plan->maps->len)
      debye_orbital_electrostatics_tell(run->potential, result);
    add_map(run, i, result);
  }
  add_notes(run, result);
  return TRUE;
}

/* Its atoms, for cube files. */
static void
set_molecule(const DebyeWaveFunction *wave, DebyeResult *result)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(DebyeFrame) frame = debye_frame_new(wave->atoms->len);
  if (frame == NULL)
    return;
  for (guint i = 0; i < wave->atoms->len; i++) {
    const DebyeWaveAtom *of = &g_array_index(wave->atoms, DebyeWaveAtom, i);
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.atomic_number = of->element;
    debye_topology_builder_add_atom(builder, &atom);
    frame->x[i] = (float)(of->position[0] * DEBYE_BOHR);
    frame->y[i] = (float)(of->position[1] * DEBYE_BOHR);
    frame->z[i] = (float)(of->position[2] * DEBYE_BOHR);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  debye_result_set_molecule(result, topology, frame);
}

static gboolean
add_points(const Run *run, DebyeResult *result, GError **error)
{
  g_autoptr(DebyeTable) table =
      debye_orbital_points_compute(run->plan, cancel_flag(run->input), result, error);
  if (table != NULL)
    debye_result_add_table(result, table);
  else if (error == NULL || *error == NULL)
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before anything was finished");
  return table != NULL;
}

DebyeResult *
debye_orbital_run(gpointer own, const DebyeRunInput *input, GError **error)
{
  const DebyeOrbitalPlan *plan = own;
  const gint64 start = g_get_monotonic_time();
  g_auto(Run) run = {.plan = plan, .input = input, .row = g_new(double, plan->wave->n_cartesian)};
  const DebyeOrbitalMap *first = &g_array_index(plan->maps, DebyeOrbitalMap, 0);
  g_autoptr(DebyeResult) result =
      debye_result_new(input->request, plan->maps->len == 1 ? first->name : "Orbitals");
  g_autoptr(DebyeResult) finished = NULL;
  g_autoptr(DebyeTable) orbitals = debye_orbital_notes_make_table(plan);
  run.failures = g_ptr_array_new_with_free_func(g_free);
  run.maps = (DebyeOrbitalMaps){.plan = plan, .input = input, .compute = compute, .data = &run};
  if (!debye_orbital_maps_open(&run.maps, &finished, error))
    return NULL;
  if (finished != NULL)
    return g_steal_pointer(&finished);
  debye_orbital_notes_add(plan, result);
  if (!(plan->points != NULL ? add_points(&run, result, error) : add_maps(&run, result, error)))
    return NULL;
  debye_result_add_table(result, orbitals);
  set_molecule(plan->wave, result);
  debye_result_set_inputs(result, debye_dataset_get_paths(input->dataset));
  debye_result_set_wall_time(result, (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC);
  return debye_orbital_maps_close(&run.maps, result, error) ? g_steal_pointer(&result) : NULL;
}

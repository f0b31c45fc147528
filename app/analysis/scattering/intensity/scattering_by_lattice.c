/* SPDX-License-Identifier: MIT */
/* Method (scattering_method.h): all vectors of the reciprocal lattice at once by a nonuniform Fourier
 * transform. Its cost hardly depends on the number of vectors. */
#include <stdlib.h>

#include "data/files/error.h"
#include "kernels/chunk_threads.h"
#include "kernels/scattering/scattering_lattice_lanes.h"
#include "app/analysis/scattering/system/scattering_frames.h"
#include "scattering_sums.h"
#include "scattering_method.h"

/* Frames that are summed before the sums are fetched: fetching then costs little. */
#define FRAMES_AT_ONCE 32
#define MAX_FRAME_BYTES ((gsize)1 << 29) /* of frames that wait */

typedef struct {
  DebyeScatteringTask task;
  DebyeSharing *sums;
  unsigned extent[3];
  double *values; /* of all pairs */
} ByLattice;

static void
by_lattice_close(gpointer state)
{
  ByLattice *by = state;
  debye_sharing_free(by->sums);
  g_free(by->values);
  g_free(by);
}

static const int *
get_indices(const DebyeScatteringPlan *plan, gsize vector)
{
  return ((const int(*)[3])plan->vectors.indices->data)[vector];
}

void
debye_scattering_lattice_extent(const DebyeScatteringPlan *plan, unsigned extent[3])
{
  const int(*indices)[3] = (const int(*)[3])plan->vectors.indices->data;
  const gsize n = plan->vectors.vectors->len;
  int largest[3] = {1, 1, 1};
  for (gsize i = 0; i < n; i++)
    for (guint k = 0; k < 3; k++)
      largest[k] = MAX(largest[k], abs(indices[i][k]));
  for (guint k = 0; k < 3; k++)
    extent[k] = (unsigned)largest[k];
}

double
debye_scattering_lattice_tolerance(const DebyeScatteringPlan *plan)
{
  return CLAMP(plan->double_precision ? DEBYE_LATTICE_LEAST_TOLERANCE : plan->settings.tolerance,
               DEBYE_LATTICE_LEAST_TOLERANCE, DEBYE_LATTICE_LARGEST_TOLERANCE);
}

static gsize
by_lattice_get_frames_at_once(const DebyeScatteringTask *task)
{
  const gsize n_atoms = debye_topology_get_n_atoms(task->plan->topology);
  return CLAMP(MAX_FRAME_BYTES / (12 * MAX(n_atoms, 1)), 1, FRAMES_AT_ONCE);
}

static gpointer
by_lattice_open(const DebyeScatteringTask *task, GError **error)
{
  gsize n_pairs = debye_scattering_n_pairs(task->groups.n_groups);
  gsize n_atoms = debye_topology_get_n_atoms(task->plan->topology);
  DebyeStatus status = {0};
  ByLattice *by = g_new0(ByLattice, 1);
  by->task = *task;
  debye_scattering_lattice_extent(task->plan, by->extent);
  by->values = g_try_new(double, n_pairs *debye_lattice_n_values(by->extent));
  if (by->values == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Scattering vector",
                          "no memory for a reciprocal lattice of %u × %u × %u indices of %" G_GSIZE_FORMAT
                          " pairs of species",
                          by->extent[0] + 1, 2 * by->extent[1] + 1, 2 * by->extent[2] + 1, n_pairs);
    by_lattice_close(by);
    return NULL;
  }
  const DebyeLatticeLanesSettings settings = {
      .lattice = {.n_atoms = n_atoms,
                  .may_be_packed = task->may_be_packed,
                  .groups = task->groups,
                  .extent = {by->extent[0], by->extent[1], by->extent[2]},
                  .tolerance = debye_scattering_lattice_tolerance(task->plan)},
      .memory_limit = task->plan->memory_limit};
  if (debye_lattice_lanes_create(&settings, task->devices, task->n_devices, &by->sums, &status) ==
      DEBYE_STATUS_OK)
    return by;
  debye_device_set_error(error, &status);
  by_lattice_close(by);
  return NULL;
}

/* Σ of a pair at the indices, of whichever sign. */
static double
get_sum(const ByLattice *by, gsize pair, const int indices[3])
{
  const int sign = indices[0] < 0 ? -1 : 1;
  gsize n = debye_lattice_n_values(by->extent);
  return by->values[pair * n +
                    debye_lattice_index(by->extent, sign * indices[0], sign * indices[1], sign * indices[2])];
}

typedef struct {
  const ByLattice *by;
  double complex *products;
} Folding;

/* One pair of one shell: the order of its sum is the vectors', whoever does it. */
static void
fold_pair(void *context, size_t number)
{
  const Folding *folding = context;
  const ByLattice *by = folding->by;
  const DebyeScatteringVectors *vectors = &by->task.plan->vectors;
  const double *weights = (const double *)vectors->weights->data;
  const gsize n_shells = vectors->shells->len, pair = number / n_shells, k = number % n_shells;
  const DebyeScatteringShell *shell = &g_array_index(vectors->shells, DebyeScatteringShell, k);
  double sum = 0.0;
  for (gsize v = shell->first; v < shell->first + shell->n; v++)
    sum += weights[v] * get_sum(by, pair, get_indices(by->task.plan, v));
  folding->products[pair * by->task.n_q + k] = sum / shell->weight;
}

/* Vectors of a shell lie all over the lattice: one core waits for memory most of the time. */
static void
fold(const ByLattice *by, double complex *products)
{
  Folding folding = {by, products};
  debye_chunk_threads_run(debye_scattering_n_pairs(by->task.groups.n_groups) *
                              by->task.plan->vectors.shells->len,
                          fold_pair, &folding);
}

static gboolean
by_lattice_sum(gpointer state, DebyeFrame *const *frames, gsize n_frames, double complex *products,
               GError **error)
{
  ByLattice *by = state;
  DebyeScatteringFrame positions[FRAMES_AT_ONCE];
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  gsize bad = 0;
  for (gsize i = 0; i < n_frames; i++)
    positions[i] = debye_scattering_view_frame(frames[i]);
  DebyeStatusCode code =
      debye_lattice_lanes_execute(by->sums, positions, n_frames, by->values, &bad, by->task.cancel, &status);
  gsize n_reports = debye_sharing_get_reports(by->sums, &reports);
  debye_lane_totals_add(by->task.lanes, reports, n_reports);
  if (!debye_device_check_frame(code, &status, frames[MIN(bad, n_frames - 1)], error))
    return FALSE;
  fold(by, products);
  if (by->task.volume != NULL)
    debye_scattering_volume_add(by->task.volume, by->values, n_frames);
  return TRUE;
}

static void
by_lattice_add_notes(gpointer state, DebyeResult *result)
{
  const ByLattice *by = state;
  char tolerance[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note(
      result,
      "Reciprocal lattice by a nonuniform Fourier transform: indices up to %u, %u, %u, amplitudes within %s "
      "of √(Σw²)",
      by->extent[0], by->extent[1], by->extent[2],
      g_ascii_formatd(tolerance, sizeof tolerance, "%g", debye_scattering_lattice_tolerance(by->task.plan)));
}

const DebyeScatteringMethod debye_scattering_by_lattice = {
    .takes_packed = TRUE,
    .open = by_lattice_open,
    .get_frames_at_once = by_lattice_get_frames_at_once,
    .sum = by_lattice_sum,
    .add_notes = by_lattice_add_notes,
    .close = by_lattice_close,
};

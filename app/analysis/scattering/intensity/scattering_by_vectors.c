/* SPDX-License-Identifier: MIT */
/* Method (scattering_method.h): amplitudes at each vector. If the cell changes, the vectors of a reciprocal
 * lattice change with it, frame by frame; otherwise the devices receive several frames at once. */
#include <string.h>

#include "data/files/error.h"
#include "kernels/scattering/scattering_amplitude_lanes.h"
#include "scattering_fold.h"
#include "app/analysis/scattering/system/scattering_frames.h"
#include "scattering_sums.h"
#include "scattering_method.h"

#define MAX_VALUES ((gsize)1 << 24) /* amplitudes in memory at once: 256 MB */
#define MAX_FRAMES 64

typedef struct {
  DebyeScatteringTask task;
  DebyeSharing *amplitudes;
  gsize n_vectors;        /* of a run: all, or as many as memory allows */
  double complex *values; /* [frame][species][vector] */
  DebyeFrame *wrapped[MAX_FRAMES];
} ByVectors;

static void
let_wrapped_go(ByVectors *by)
{
  for (gsize i = 0; i < MAX_FRAMES; i++)
    g_clear_pointer(&by->wrapped[i], debye_frame_unref);
}

static void
by_vectors_close(gpointer state)
{
  ByVectors *by = state;
  let_wrapped_go(by);
  debye_sharing_free(by->amplitudes);
  g_free(by->values);
  g_free(by);
}

/* Vectors that move with the cell are those of one frame. */
static gboolean
moves(const DebyeScatteringPlan *plan)
{
  return plan->orientation.kind == DEBYE_ORIENTATION_LATTICE;
}

static gsize
count_vectors_at_once(const DebyeScatteringTask *task)
{
  return CLAMP(MAX_VALUES / task->groups.n_groups, 1, task->plan->vectors.vectors->len);
}

static gsize
by_vectors_get_frames_at_once(const DebyeScatteringTask *task)
{
  if (moves(task->plan))
    return 1;
  return CLAMP(MAX_VALUES / (task->groups.n_groups * count_vectors_at_once(task)), 1, MAX_FRAMES);
}

static gpointer
by_vectors_open(const DebyeScatteringTask *task, GError **error)
{
  const gsize n_species = task->groups.n_groups, n_frames = by_vectors_get_frames_at_once(task);
  DebyeStatus status = {0};
  ByVectors *by = g_new0(ByVectors, 1);
  by->task = *task;
  by->n_vectors = count_vectors_at_once(task);
  by->values = g_try_new(double complex, n_frames *n_species * by->n_vectors);
  if (by->values == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for the amplitudes at %" G_GSIZE_FORMAT " vectors",
                    by->n_vectors);
    by_vectors_close(by);
    return NULL;
  }
  const DebyeAmplitudeLanesSettings settings = {
      .amplitude = {.n_atoms = debye_topology_get_n_atoms(task->plan->topology),
                    .may_be_packed = task->may_be_packed,
                    .groups = task->groups,
                    .max_vectors = by->n_vectors,
                    .max_frames = n_frames,
                    .double_precision = task->plan->double_precision},
      .memory_limit = task->plan->memory_limit};
  if (debye_amplitude_lanes_create(&settings, task->devices, task->n_devices, &by->amplitudes, &status) ==
      DEBYE_STATUS_OK)
    return by;
  debye_device_set_error(error, &status);
  by_vectors_close(by);
  return NULL;
}

/* The frames as the kernel takes them: where the shape of the cell is to be taken off, atoms are in it. */
static gboolean
make_positions(ByVectors *by, DebyeFrame *const *frames, gsize n_frames, DebyeScatteringFrame *positions,
               GError **error)
{
  let_wrapped_go(by);
  for (gsize i = 0; i < n_frames; i++) {
    const DebyeFrame *frame = frames[i];
    if (by->task.plan->corrects_box) {
      by->wrapped[i] = debye_scattering_wrap_frame(frame, error);
      if (by->wrapped[i] == NULL)
        return FALSE;
      frame = by->wrapped[i];
    }
    positions[i] = debye_scattering_view_frame(frame);
  }
  return TRUE;
}

static gboolean
compute(ByVectors *by, const DebyeVec3 *vectors, gsize n_vectors, const DebyeScatteringFrame *positions,
        DebyeFrame *const *frames, gsize n_frames, GError **error)
{
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  gsize bad = 0;
  /* A complex number is a pair of a real and an imaginary part. */
  DebyeStatusCode code =
      debye_amplitude_lanes_execute(by->amplitudes, vectors, n_vectors, positions, n_frames,
                                    (double *)by->values, &bad, by->task.cancel, &status);
  gsize n_reports = debye_sharing_get_reports(by->amplitudes, &reports);
  debye_lane_totals_add(by->task.lanes, reports, n_reports);
  return debye_device_check_frame(code, &status, frames[MIN(bad, n_frames - 1)], error);
}

static gboolean
by_vectors_sum(gpointer state, DebyeFrame *const *frames, gsize n_frames, double complex *products,
               GError **error)
{
  ByVectors *by = state;
  const DebyeScatteringPlan *plan = by->task.plan;
  gsize n_species = by->task.groups.n_groups, n_all = plan->vectors.vectors->len;
  gsize n_values = debye_scattering_n_pairs(n_species) * by->task.n_q;
  DebyeScatteringFrame positions[MAX_FRAMES];
  g_autofree DebyeVec3 *vectors = debye_scattering_plan_get_vectors(plan, frames[0]);
  if (!make_positions(by, frames, n_frames, positions, error))
    return FALSE;
  memset(products, 0, n_values * sizeof *products);
  for (gsize first = 0; first < n_all; first += by->n_vectors) {
    gsize n = MIN(by->n_vectors, n_all - first);
    if (!compute(by, vectors + first, n, positions, frames, n_frames, error))
      return FALSE;
    for (gsize i = 0; i < n_frames; i++) {
      const DebyeAmplitudeRun run = {.first = first, .n = n, .amplitudes = by->values + i * n_species * n};
      if (plan->corrects_box)
        debye_scattering_correct_box(plan, &frames[i]->cell, vectors, &run);
      debye_scattering_fold(plan, &run, products);
    }
  }
  return TRUE;
}

const DebyeScatteringMethod debye_scattering_by_vectors = {
    .takes_packed = TRUE,
    .open = by_vectors_open,
    .get_frames_at_once = by_vectors_get_frames_at_once,
    .sum = by_vectors_sum,
    .close = by_vectors_close,
};

/* SPDX-License-Identifier: MIT */
/* Parts of a problem as arrays for debye-kernel-runner; used by bench_source_run.c. */
#include "bench_source_private.h"

#include <math.h>
#include <string.h>

#include "bench_ladder.h"
#include "data/files/error.h"
#include "kernels/ladder/ladder_bins.h"

#define SMALL_ATOMS ((gsize)1000)
#define MAX_COUNTED ((gsize)20000) /* atoms: all pairs are summed once more in double */
#define MAX_EDGE ((gsize)256)      /* points, of the cutoff's cube */

static void
append(DebyeBenchSourceCase *one, gconstpointer data, gsize n_bytes)
{
  one->about.input_bytes[one->about.n_inputs++] = n_bytes;
  if (n_bytes > 0)
    g_byte_array_append(one->inputs, data, (guint)n_bytes);
}

/* What single precision rounds: no coordinate of point or atom is larger. */
static void
find_extent(DebyeBenchSourceCase *one, const DebyeLadderFrame *frame)
{
  for (int axis = 0; axis < 3; axis++)
    one->extent = fmax(one->extent, fabs((double)frame->step[axis]) * (double)frame->shape[axis]);
  for (gsize i = 0; i < frame->n_atoms; i++) {
    const DebyeLadderAtom *atom = &frame->atoms[i];
    one->extent =
        fmax(one->extent, fmax(fmax(fabs((double)atom->x), fabs((double)atom->y)), fabs((double)atom->z)));
  }
}

static gboolean
has_failed(DebyeStatusCode code, const DebyeStatus *status, GError **error)
{
  if (code != DEBYE_STATUS_OK)
    debye_error_set(error, DEBYE_ERROR_VALUE, "bench: %s", status->text);
  return code != DEBYE_STATUS_OK;
}

/* The map's first `n_rows` rows; 0: a small piece of it. */
static gboolean
set_direct(DebyeBenchSourceCase *one, gsize n_rows, GError **error)
{
  DebyeLadderFrame frame;
  DebyeStatus status = {0};
  gsize *shape = one->map.grid.shape;
  const gsize in_plane = n_rows > 0 ? shape[1] : MIN(shape[1], 13);
  one->map.charges.n = n_rows > 0 ? one->map.charges.n : MIN(one->map.charges.n, SMALL_ATOMS);
  shape[0] = n_rows > 0 ? shape[0] : MIN(shape[0], 21);
  shape[1] = n_rows > 0 ? MIN(n_rows, in_plane) : in_plane;
  shape[2] = n_rows > 0 ? CLAMP(n_rows / in_plane, 1, shape[2]) : MIN(shape[2], 2);
  const gboolean ok = !has_failed(debye_ladder_frame_init(&frame, &one->map, &status), &status, error);
  if (ok) {
    DebyeRunnerCase *about = &one->about;
    about->family = DEBYE_RUNNER_DIRECT;
    for (int axis = 0; axis < 3; axis++) {
      about->counts[axis] = (int)shape[axis];
      about->reals[axis] = frame.step[axis];
    }
    about->counts[3] = (int)frame.n_atoms;
    about->reals[3] = frame.core2;
    about->scratch_bytes = (3 * frame.n_atoms + shape[1]) * sizeof(float);
    find_extent(one, &frame);
    append(one, frame.atoms, frame.n_atoms * sizeof *frame.atoms);
  }
  debye_ladder_frame_clear(&frame);
  return ok;
}

/* Points in the middle of the map, where bins are as full as they get. */
static void
take_middle(DebyeGrid *grid, gsize edge)
{
  double first[3];
  for (int axis = 0; axis < 3; axis++) {
    const gsize n = MIN(grid->shape[axis], edge > 0 ? edge : (gsize)(11 - axis));
    first[axis] = (double)((grid->shape[axis] - n) / 2);
    grid->shape[axis] = n;
  }
  grid->origin = debye_grid_point(grid, first[0], first[1], first[2]);
}

static void
fill_bins(DebyeBenchSourceCase *one, const DebyeLadderBins *bins)
{
  DebyeRunnerCase *about = &one->about;
  const gsize n_atoms = bins->frame.n_atoms;
  about->family = DEBYE_RUNNER_CUTOFF;
  for (int axis = 0; axis < 3; axis++) {
    about->counts[axis] = bins->shape[axis];
    about->reals[axis] = one->step[axis] = bins->step[axis];
  }
  about->counts[3] = (int)n_atoms;
  about->counts[4] = bins->bins[0];
  about->counts[5] = bins->bins[1];
  about->counts[6] = bins->n_offsets;
  about->counts[7] = (int)bins->n_regions;
  about->counts[8] = (int)bins->count.n_overflowing;
  about->reals[3] = bins->core2;
  about->reals[4] = bins->cutoff2;
  append(one, bins->frame.atoms, n_atoms * sizeof *bins->frame.atoms);
  append(one, bins->slots, bins->n_bins * DEBYE_LADDER_CAPACITY * sizeof *bins->slots);
  append(one, bins->head, bins->n_bins * sizeof *bins->head);
  append(one, bins->next, n_atoms * sizeof *bins->next);
  append(one, bins->reach, sizeof bins->reach);
  append(one, bins->offsets, (gsize)bins->n_offsets * sizeof *bins->offsets);
  append(one, bins->overflow, bins->count.n_overflowing * sizeof *bins->overflow);
  g_array_append_vals(one->overflow, bins->overflow, (guint)bins->count.n_overflowing);
  find_extent(one, &bins->frame);
}

static gboolean
set_cutoff(DebyeBenchSourceCase *one, gsize edge, GError **error)
{
  DebyeLadderBins bins;
  DebyeStatus status = {0};
  one->map.cutoff = one->problem->cutoff;
  take_middle(&one->map.grid, MIN(edge, MAX_EDGE));
  const gboolean ok = !has_failed(debye_ladder_bins_init(&bins, &one->map, &status), &status, error);
  if (ok)
    fill_bins(one, &bins);
  debye_ladder_bins_clear(&bins);
  return ok;
}

static void
set_counts(DebyeBenchSourceCase *one, gsize n_atoms)
{
  const DebyeBenchProblem *problem = one->problem;
  DebyeRunnerCase *about = &one->about;
  one->pairs =
      (DebyeLadderPairs){.x = problem->x,
                         .y = problem->y,
                         .z = problem->z,
                         .n = MIN(problem->n_atoms, n_atoms > 0 ? MIN(n_atoms, MAX_COUNTED) : SMALL_ATOMS),
                         .r_max = debye_bench_find_range(problem),
                         .n_bins = DEBYE_BENCH_N_BINS,
                         .edge = {problem->edge[0], problem->edge[1], problem->edge[2]}};
  about->family = DEBYE_RUNNER_HISTOGRAM;
  about->scratch_bytes = DEBYE_RUNNER_SHARES * (DEBYE_BENCH_N_BINS + 1) * sizeof(guint64);
  about->counts[0] = (int)one->pairs.n_bins;
  about->counts[1] = (int)one->pairs.n;
  about->reals[0] = debye_ladder_bins_per_angstrom(&one->pairs);
  for (int axis = 0; axis < 3; axis++)
    about->reals[1 + axis] = debye_ladder_edge(&one->pairs, axis);
  const float *const from[3] = {one->pairs.x, one->pairs.y, one->pairs.z};
  for (int axis = 0; axis < 3; axis++)
    append(one, from[axis], one->pairs.n * sizeof(float));
}

gsize
debye_bench_source_case_count(const DebyeBenchSourceCase *one)
{
  return one->kind == DEBYE_LADDER_COUNT ? one->pairs.n_bins : debye_grid_n_points(&one->map.grid);
}

double
debye_bench_source_case_evaluations(const DebyeBenchSourceCase *one)
{
  const double n_pairs = (double)one->pairs.n;
  if (one->kind == DEBYE_LADDER_COUNT)
    return 0.5 * n_pairs * (n_pairs - 1.0);
  return (double)debye_grid_n_points(&one->map.grid) * (double)one->map.charges.n;
}

gboolean
debye_bench_source_case_init(DebyeBenchSourceCase *one, const DebyeBenchProblem *problem,
                             DebyeLadderKind kind, gsize n_units, GError **error)
{
  gboolean ok = TRUE;
  *one = (DebyeBenchSourceCase){
      .problem = problem,
      .kind = kind,
      .map = {.grid = problem->grid, .charges = problem->charges, .core_radius = DEBYE_BENCH_CORE_RADIUS},
      .inputs = g_byte_array_new(),
      .overflow = g_array_new(FALSE, FALSE, sizeof(DebyeLadderAtom))};
  memcpy(one->about.magic, DEBYE_RUNNER_MAGIC, sizeof one->about.magic);
  if (kind == DEBYE_LADDER_COUNT)
    set_counts(one, n_units);
  else
    ok = kind == DEBYE_LADDER_CUTOFF ? set_cutoff(one, n_units, error) : set_direct(one, n_units, error);
  one->about.output_bytes =
      debye_bench_source_case_count(one) * (kind == DEBYE_LADDER_COUNT ? sizeof(guint64) : sizeof(float));
  return ok;
}

void
debye_bench_source_case_clear(DebyeBenchSourceCase *one)
{
  g_clear_pointer(&one->inputs, g_byte_array_unref);
  g_clear_pointer(&one->overflow, g_array_unref);
}

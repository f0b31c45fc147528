/* SPDX-License-Identifier: MIT */
/* Sums the offsets of displacements within their bins; called by scattering_displacements.c. */
#include "scattering_offsets.h"

#include <math.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/scattering/displacement_math.h"

#define MAX_PAIRS 1e8 /* of times and atoms: some seconds of one processor */

typedef struct {
  const DebyeScatteringOffsets *offsets;
  const DebyeSelfBlock *block;
  const volatile bool *cancel;
  DebyePairBins bins;
} Work;

gboolean
debye_scattering_offsets_are_worth(gsize n_atoms, gsize n_frames, gsize n_lags)
{
  const double n_pairs = ((double)n_frames - 0.5 * (double)n_lags) * (double)n_lags;
  return (double)n_atoms * n_pairs <= MAX_PAIRS;
}

static void
get_place(const DebyeSelfBlock *block, gsize frame, gsize atom, float place[3])
{
  const gsize at = frame * block->stride + atom;
  place[0] = block->x[at];
  place[1] = block->y[at];
  place[2] = block->z[at];
}

/* Rows of a lag are those of no other. */
static void
add_lag(void *context, size_t lag)
{
  const Work *work = context;
  const DebyeScatteringOffsets *offsets = work->offsets;
  const DebyeSelfBlock *block = work->block;
  float from[3], to[3];
  for (gsize i = 0; i < block->n_atoms && lag > 0; i++) {
    const gsize species = block->group != NULL ? block->group[i] : 0;
    double *row = offsets->sums + (species * offsets->n_times + lag) * offsets->n_bins;
    if (work->cancel != NULL && *work->cancel)
      return;
    for (gsize t = 0; t + lag < offsets->n_frames; t++) {
      get_place(block, t, i, from);
      get_place(block, t + lag, i, to);
      const gsize bin = debye_displacement_bin(&work->bins, from, to);
      if (bin < offsets->n_bins)
        row[bin] += sqrt(debye_displacement_square(from, to)) - offsets->width * ((double)bin + 0.5);
    }
  }
}

static gboolean
widen(DebyeScatteringOffsets *offsets, gsize n_bins)
{
  const gsize n_rows = offsets->n_species * offsets->n_times;
  double *wider = g_try_new0(double, n_rows *n_bins);
  if (wider == NULL)
    return FALSE;
  for (gsize row = 0; row < n_rows && offsets->sums != NULL; row++)
    memcpy(wider + row * n_bins, offsets->sums + row * offsets->n_bins, offsets->n_bins * sizeof *wider);
  g_free(offsets->sums);
  offsets->sums = wider;
  offsets->n_bins = n_bins;
  return TRUE;
}

gboolean
debye_scattering_offsets_add(DebyeScatteringOffsets *offsets, const DebyeSelfBlock *block, gsize n_bins,
                             const volatile bool *cancel)
{
  g_autofree double *edges = g_try_new(double, n_bins + 1);
  if (edges == NULL || (n_bins > offsets->n_bins && !widen(offsets, n_bins)))
    return FALSE;
  debye_displacement_set_edges(edges, offsets->width, offsets->n_bins);
  Work work = {.offsets = offsets,
               .block = block,
               .cancel = cancel,
               .bins = {edges, offsets->n_bins, 1.0 / offsets->width}};
  debye_chunk_threads_run(offsets->n_times, add_lag, &work);
  return TRUE;
}

void
debye_scattering_offsets_clear(DebyeScatteringOffsets *offsets)
{
  g_clear_pointer(&offsets->sums, g_free);
}

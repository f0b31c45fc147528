/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/density, some frames after the others, on one thread or on all; called by ladder.c. Its
 * twin is cuda/ladder/ladder_density.cu. */
#include "kernels/ladder/ladder_density.h"

#include <stdlib.h>
#include <string.h>

#include "direct.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "ladder_steps.h"

#define ATOMS 2e7 /* until a Stop is looked for, of each thread */

typedef struct {
  const DebyeLadderCode *code;
  const DebyeLadderDensity *density;
  uint32_t *counts, *marks;
  size_t first_frame, end_frame, n_threads;
} Work;

static void
fill(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderDensity *density = work->density;
  const size_t *shape = density->shape;
  work->code->fill(work->counts, work->marks, (int)shape[0], (int)shape[1], (int)shape[2], density->corner[0],
                   density->corner[1], density->corner[2], 1.0 / density->edge, density->x, density->y,
                   density->z, (int)density->n_atoms, (int)work->first_frame, (int)work->end_frame,
                   (int)thread, (int)work->n_threads);
}

static void
fold(void *context, size_t thread)
{
  const Work *work = context;
  work->code->fold(work->counts, work->marks, (int)debye_ladder_density_n_voxels(work->density), (int)thread,
                   (int)work->n_threads);
}

static DebyeStatusCode
count_all(Work *work, DebyePool *pool, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n = work->density->n_frames;
  const size_t most = debye_ladder_density_frames_at_once(work->density, ATOMS * (double)work->n_threads,
                                                          work->code->batch_frames);
  for (work->first_frame = 0; work->first_frame < n; work->first_frame += most) {
    work->end_frame = n - work->first_frame < most ? n : work->first_frame + most;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    debye_parallel_for(pool, work->n_threads, fill, work, NULL);
    if (work->code->fold != NULL)
      debye_parallel_for(pool, work->n_threads, fold, work, NULL);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_ladder_density_run(const char *source, const DebyeLadderDensity *density, uint32_t *counts,
                         double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n_voxels = debye_ladder_density_n_voxels(density);
  Work work = {.code = debye_ladder_find_code(source), .density = density, .counts = counts};
  DebyePool *pool = work.code->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
  DebyeStatusCode code = DEBYE_STATUS_NO_MEMORY;
  work.n_threads = debye_pool_get_threads(pool);
  const size_t n_grids = work.code->has_grids ? work.n_threads : 1;
  work.marks = malloc(n_grids * n_voxels * sizeof *work.marks);
  if (work.marks != NULL) {
    /* Written, so that no page is made while the clock runs. */
    memset(work.marks, 0, n_grids * n_voxels * sizeof *work.marks);
    memset(counts, 0, n_voxels * sizeof *counts);
    const double start = debye_ladder_now();
    code = count_all(&work, pool, cancel, status);
    *seconds = debye_ladder_now() - start;
  } else
    debye_status_set(status, code, "There is no memory for %zu grids of %zu voxels.", n_grids, n_voxels);
  free(work.marks);
  debye_pool_free(pool);
  return code;
}

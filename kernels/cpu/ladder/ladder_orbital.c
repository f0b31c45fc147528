/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/orbital, some planes after the others, on one thread or on all; called by ladder.c. Its
 * twin is cuda/ladder/ladder_orbital.cu. */
#include "kernels/ladder/ladder_orbital.h"

#include <stdlib.h>

#include "direct.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "ladder_steps.h"

#define EVALUATIONS 2e9 /* until a Stop is looked for, of each thread */

typedef struct {
  const DebyeLadderCode *code;
  const DebyeLadderBasis *basis;
  float *map, *scratch;
  size_t first_plane, n_planes, n_threads;
} Work;

static void
do_thread(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderBasis *basis = work->basis;
  const size_t *shape = basis->shape;
  work->code->orbital(work->map + work->first_plane * shape[0] * shape[1], (int)shape[0], (int)shape[1],
                      (int)work->n_planes, basis->step[0], basis->step[1], basis->step[2],
                      (float)work->first_plane * basis->step[2], basis->atoms, (int)basis->n_atoms,
                      basis->first_shell, basis->shells, basis->primitives, basis->coefficients,
                      work->scratch, (int)thread, (int)work->n_threads);
}

static DebyeStatusCode
draw_planes(Work *work, DebyePool *pool, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n = work->basis->shape[2];
  const size_t most = debye_ladder_orbital_planes_at_once(work->basis, EVALUATIONS * (double)work->n_threads);
  for (work->first_plane = 0; work->first_plane < n; work->first_plane += most) {
    work->n_planes = n - work->first_plane < most ? n - work->first_plane : most;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    debye_parallel_for(pool, work->n_threads, do_thread, work, NULL);
  }
  return debye_status_ok(status);
}

static DebyeStatusCode
draw(const DebyeLadderCode *code, const DebyeLadderBasis *basis, float *map, double *seconds,
     const volatile bool *cancel, DebyeStatus *status)
{
  DebyePool *pool = code->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
  Work work = {.code = code, .basis = basis, .map = map, .n_threads = debye_pool_get_threads(pool)};
  work.scratch = malloc(work.n_threads * DEBYE_LADDER_SHELL_PRIMITIVES *
                        (basis->shape[0] + DEBYE_LADDER_STRIP) * sizeof(float));
  const double start = debye_ladder_now();
  const DebyeStatusCode result =
      work.scratch != NULL ? draw_planes(&work, pool, cancel, status)
                           : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                              "There is no memory for %zu threads.", work.n_threads);
  *seconds = debye_ladder_now() - start;
  free(work.scratch);
  debye_pool_free(pool);
  return result;
}

DebyeStatusCode
debye_ladder_orbital_run(const char *source, const DebyeLadderOrbital *orbital, float *map, double *seconds,
                         const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderBasis basis;
  DebyeStatusCode code = debye_ladder_basis_init(&basis, orbital, status);
  if (code == DEBYE_STATUS_OK)
    code = draw(debye_ladder_find_code(source), &basis, map, seconds, cancel, status);
  debye_ladder_basis_clear(&basis);
  return code;
}

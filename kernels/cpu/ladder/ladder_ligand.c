/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/ligand, some planes after the others, on one thread or on all; called by ladder.c. Its
 * twin is cuda/ladder/ladder_ligand.cu. */
#include "kernels/ladder/ladder_ligand.h"

#include "direct.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "ladder_steps.h"

#define TESTS 2e9 /* until a Stop is looked for, of each thread */

typedef struct {
  const DebyeLadderCode *code;
  const DebyeLadderMatter *matter;
  float *means;
  size_t first_plane, n_planes, n_threads;
} Work;

static void
do_thread(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderMatter *matter = work->matter;
  const size_t *shape = matter->shape;
  work->code->ligand(work->means + work->first_plane * shape[0] * shape[1], (int)shape[0], (int)shape[1],
                     (int)work->n_planes, matter->step[0], matter->step[1], matter->step[2],
                     matter->margin + (float)work->first_plane * matter->step[2], matter->margin,
                     matter->subsamples, matter->atoms, matter->pairs, (int)matter->n_atoms, matter->start,
                     matter->bins[0], matter->bins[1], matter->edge, matter->cutoff2, (int)thread,
                     (int)work->n_threads);
}

static DebyeStatusCode
sample_all(Work *work, DebyePool *pool, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n = work->matter->shape[2];
  const size_t most = debye_ladder_ligand_planes_at_once(work->matter, TESTS * (double)work->n_threads);
  for (work->first_plane = 0; work->first_plane < n; work->first_plane += most) {
    work->n_planes = n - work->first_plane < most ? n - work->first_plane : most;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    debye_parallel_for(pool, work->n_threads, do_thread, work, NULL);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_ladder_ligand_run(const char *source, const DebyeLadderLigand *ligand, float *means, double *seconds,
                        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderMatter matter;
  DebyeStatusCode code = debye_ladder_matter_init(&matter, ligand, status);
  if (code == DEBYE_STATUS_OK) {
    Work work = {.code = debye_ladder_find_code(source), .matter = &matter, .means = means};
    DebyePool *pool = work.code->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
    work.n_threads = debye_pool_get_threads(pool);
    const double start = debye_ladder_now();
    code = sample_all(&work, pool, cancel, status);
    *seconds = debye_ladder_now() - start;
    debye_pool_free(pool);
  }
  debye_ladder_matter_clear(&matter);
  return code;
}

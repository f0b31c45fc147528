/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/direct, slice by slice, on one thread or on all; called by ladder.c. Its twin is
 * cuda/ladder/direct.cu. */
#include "direct.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/ladder/ladder_codes.h"
#include "ladder_steps.h"

static const DebyeLadderCode *const codes[] = {DEBYE_LADDER_CODES};

/* They stand in the order of instruction sets. */
const DebyeLadderCode *
debye_ladder_find_code(const char *source)
{
  const DebyeLadderCode *found = NULL;
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
    if (codes[i]->level <= debye_cpu_get_level() && strcmp(codes[i]->source, source) == 0)
      found = codes[i];
  return found;
}

typedef struct {
  const DebyeLadderFrame *frame;
  DebyeLadderSlice *slice;
  float *energy, z, *scratch;
  size_t n_threads;
} Work;

static void
do_thread(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderFrame *frame = work->frame;
  work->slice(work->energy, (int)frame->shape[0], (int)frame->shape[1], frame->step[0], frame->step[1],
              work->z, &frame->atoms->x, (int)frame->n_atoms, frame->core2, work->scratch, (int)thread,
              (int)work->n_threads);
}

/* FALSE where it was stopped. */
static bool
sum_slices(const DebyeLadderCode *code, const DebyeLadderFrame *frame, float *map, float *scratch,
           DebyePool *pool, const volatile bool *cancel)
{
  const size_t n_points = frame->shape[0] * frame->shape[1];
  Work work = {.frame = frame, .scratch = scratch, .n_threads = debye_pool_get_threads(pool)};
  for (size_t k = 0; k < frame->shape[2]; k++) {
    DebyeLadderSlice *const passes[] = {code->prepare, code->sum};
    work.energy = map + k * n_points;
    work.z = (float)k * frame->step[2];
    memset(work.energy, 0, n_points * sizeof *map);
    for (int pass = 0; pass < 2; pass++) {
      work.slice = passes[pass];
      if (debye_is_cancelled(cancel))
        return false;
      if (work.slice != NULL)
        debye_parallel_for(pool, work.n_threads, do_thread, &work, NULL);
    }
  }
  return true;
}

static size_t
scratch_floats(const DebyeLadderProblem *problem)
{
  return 3 * problem->charges.n + problem->grid.shape[1];
}

/* The sources count in int. */
static bool
is_too_large(const DebyeLadderProblem *problem)
{
  return problem->charges.n > INT_MAX / 4 || problem->grid.shape[0] > INT_MAX / 64 ||
         problem->grid.shape[1] > (INT_MAX - 64) / problem->grid.shape[0];
}

uint64_t
debye_ladder_direct_bytes(const DebyeLadderProblem *problem)
{
  return is_too_large(problem) ? SIZE_MAX
                               : problem->charges.n * (sizeof(DebyeLadderAtom) + 4 * sizeof(double)) +
                                     scratch_floats(problem) * sizeof(float);
}

static DebyeStatusCode
run_code(const DebyeLadderCode *code, const DebyeLadderFrame *frame, float *map, float *scratch,
         double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyePool *pool = code->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
  const double start = debye_ladder_now();
  const bool is_whole = sum_slices(code, frame, map, scratch, pool, cancel);
  *seconds = debye_ladder_now() - start;
  debye_pool_free(pool);
  return is_whole ? debye_status_ok(status) : debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
}

DebyeStatusCode
debye_ladder_direct_run(const char *source, const DebyeLadderProblem *problem, float *map, double *seconds,
                        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderFrame frame;
  if (is_too_large(problem))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  float *scratch = malloc(scratch_floats(problem) * sizeof *scratch);
  DebyeStatusCode code = debye_ladder_frame_init(&frame, problem, status);
  if (code == DEBYE_STATUS_OK && scratch == NULL)
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the charges of %zu atoms.", problem->charges.n);
  if (code == DEBYE_STATUS_OK)
    code = run_code(debye_ladder_find_code(source), &frame, map, scratch, seconds, cancel, status);
  free(scratch);
  debye_ladder_frame_clear(&frame);
  return code;
}

/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/scattering, a block of atoms after the other, on one thread or on all, with FFTW
 * between them; called by ladder.c. Its twin is cuda/ladder/ladder_scattering.cu. */
#include <stdlib.h>
#include <string.h>

#include "direct.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/fourier.h"
#include "kernels/cpu/common/parallel.h"
#include "ladder_steps.h"

typedef struct {
  const DebyeLadderCode *code;
  const DebyeLadderCourses *courses;
  DebyePool *pool; /* NULL: one thread */
  size_t n_threads;
  float *q, *series, *f;
  size_t block, n_rows, length;       /* atoms of a block, atoms whose series it has, values of one */
  size_t first, n_atoms, n_atom_rows; /* the same of the block at hand */
  DebyeFourier *fourier;
} Work;

static void
do_compute(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderCourses *courses = work->courses;
  work->code->compute_series(work->series, courses->x, courses->y, courses->z, (int)courses->n_atoms,
                             (int)courses->n_frames, work->q, (int)courses->n_vectors, (int)work->first,
                             (int)work->n_atoms, (int)work->length, (int)thread, (int)work->n_threads);
}

static size_t
count_series(const Work *work)
{
  return work->n_atom_rows * work->courses->n_vectors;
}

static void
do_multiply(void *context, size_t thread)
{
  const Work *work = context;
  work->code->multiply_series(work->series, (long)(count_series(work) * work->length), (int)thread,
                              (int)work->n_threads);
}

static void
do_add(void *context, size_t thread)
{
  const Work *work = context;
  work->code->add_series(work->f, work->series, (int)work->courses->n_frames, (int)work->courses->n_vectors,
                         (int)work->n_atom_rows, (int)work->length, (int)thread, (int)work->n_threads);
}

static void
do_all(Work *work, void (*do_thread)(void *, size_t))
{
  debye_parallel_for(work->pool, work->n_threads, do_thread, work, NULL);
}

/* Of all of a block's series in one call, or of each. */
static void
transform(const Work *work, void (*transform_one)(const DebyeFourier *, void *))
{
  const size_t n = work->code->transforms_each ? count_series(work) : 1;
  for (size_t i = 0; i < n; i++)
    transform_one(work->fourier, work->series + 2 * work->length * i);
}

static DebyeStatusCode
make_room(Work *work, DebyeStatus *status)
{
  const size_t n_series = work->n_rows * work->courses->n_vectors;
  const DebyeFourierSettings settings = {.shape = {work->length, 1, 1},
                                         .batch = work->code->transforms_each ? 1 : n_series};
  work->series = calloc(n_series * work->length, 2 * sizeof *work->series);
  if (work->series == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for %zu series of %zu frames.", n_series, work->length);
  return work->code->multiply_series != NULL
             ? debye_fourier_create(&settings, work->pool, &work->fourier, status)
             : debye_status_ok(status);
}

static void
clear_room(Work *work)
{
  debye_fourier_destroy(work->fourier);
  free(work->series);
  work->fourier = NULL;
  work->series = NULL;
}

static DebyeStatusCode
do_block(Work *work, DebyeStatus *status)
{
  const bool has_room = work->series != NULL;
  const DebyeStatusCode code = has_room ? debye_status_ok(status) : make_room(work, status);
  if (code == DEBYE_STATUS_OK) {
    do_all(work, do_compute);
    if (work->fourier != NULL) {
      transform(work, debye_fourier_forward);
      do_all(work, do_multiply);
      transform(work, debye_fourier_backward);
    }
    do_all(work, do_add);
  }
  if (!has_room)
    clear_room(work);
  return code;
}

static DebyeStatusCode
do_blocks(Work *work, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n_atoms = work->courses->n_atoms;
  DebyeStatusCode code = work->code->plans_once ? make_room(work, status) : debye_status_ok(status);
  for (work->first = 0; work->first < n_atoms && code == DEBYE_STATUS_OK; work->first += work->block) {
    const size_t left = n_atoms - work->first;
    work->n_atoms = left < work->block ? left : work->block;
    work->n_atom_rows = work->n_rows < work->n_atoms ? work->n_rows : work->n_atoms;
    code = debye_is_cancelled(cancel) ? debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.")
                                      : do_block(work, status);
  }
  clear_room(work);
  return code;
}

DebyeStatusCode
debye_ladder_scatter(const char *source, const DebyeLadderCourses *courses, float *f, double *seconds,
                     const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeLadderCode *found = debye_ladder_find_code(source);
  const bool is_one = found->block_atoms == 0;
  const size_t most = is_one ? courses->n_atoms : (size_t)found->block_atoms;
  Work work = {.code = found, .courses = courses, .f = f};
  work.block = courses->n_atoms < most ? courses->n_atoms : most;
  work.n_rows = is_one ? 1 : work.block;
  work.length =
      found->multiply_series != NULL ? debye_ladder_series_length(courses->n_frames) : courses->n_frames;
  work.pool = found->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
  work.n_threads = debye_pool_get_threads(work.pool);
  work.q = debye_ladder_flatten_vectors(courses);
  memset(f, 0, 2 * courses->n_vectors * courses->n_frames * sizeof *f);
  const double start = debye_ladder_now();
  const DebyeStatusCode code =
      work.q != NULL ? do_blocks(&work, cancel, status)
                     : debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu vectors.",
                                        courses->n_vectors);
  *seconds = debye_ladder_now() - start;
  debye_pool_free(work.pool);
  free(work.q);
  return code;
}

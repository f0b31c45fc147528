/* SPDX-License-Identifier: MIT */
/* The functions of a loaded source on all of a case; called by runner_main.c. */
#include "runner_calls.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "runner_fourier.h"

#define SIGNAL_STACK_BYTES 32768

typedef void Slice(float *, int, int, float, float, float, const float *, int, float, float *, int, int);
typedef void Regions(float *, int, int, int, float, float, float, const float *, int, const float *,
                     const int *, const int *, int, int, const int *, const int *, int, float, float, int,
                     int, int, int);
typedef void Overflow(float *, int, int, int, float, float, float, const float *, int, float, float, int,
                      int);
typedef void Count(unsigned long long *, int, float, const float *, const float *, const float *, int, int,
                   int, float, float, float, unsigned long long *, int, int);

typedef void Orbital(float *, int, int, int, float, float, float, float, const float *, int, const int *,
                     const int *, const float *, const float *, float *, int, int);
typedef void Sample(float *, int, int, int, float, float, float, float, float, int, const float *,
                    const float *, int, const int *, int, int, float, float, int, int);
typedef void Fill(unsigned *, unsigned *, int, int, int, double, double, double, double, const float *,
                  const float *, const float *, int, int, int, int, int);
typedef void Fold(unsigned *, unsigned *, int, int, int);
typedef void ComputeSeries(float *, const float *, const float *, const float *, int, int, const float *, int,
                           int, int, int, int, int);
typedef void MultiplySeries(float *, long, int, int);
typedef void AddSeries(float *, const float *, int, int, int, int, int, int);

const DebyeRunnerFamilyRow debye_runner_families[DEBYE_RUNNER_N_FAMILIES] = {
    [DEBYE_RUNNER_DIRECT] = {{"prepare_slice", "sum_slice"}, 2, {"atoms"}, "energy", "scratch"},
    [DEBYE_RUNNER_CUTOFF] = {{"sum_regions", "sum_overflow"},
                             1,
                             {"atoms", "bins", "head", "next", "reach", "offsets", "atoms"},
                             "energy",
                             "scratch"},
    [DEBYE_RUNNER_HISTOGRAM] =
        {{"count_pairs"}, 1, {"x", "y", "z"}, "counts", "scratch", DEBYE_RUNNER_COUNTS_OUT, true},
    [DEBYE_RUNNER_ORBITAL] = {{"compute_orbital"},
                              1,
                              {"atoms", "first_shell", "shells", "primitives", "coefficients"},
                              "psi",
                              "scratch"},
    [DEBYE_RUNNER_LIGAND] = {{"sample_planes"}, 1, {"atoms", "pairs", "start"}, "mean", "scratch"},
    [DEBYE_RUNNER_DENSITY] =
        {{"fill_voxels", "fold_marks"}, 1, {"x", "y", "z"}, "counts", "marks", DEBYE_RUNNER_VOXELS_OUT, true},
    [DEBYE_RUNNER_SCATTERING] =
        {{"compute_series", "multiply_series", "add_series"}, 5, {"x", "y", "z", "q"}, "f", "series"},
};

static int
limit(int value, int most)
{
  return value < 0 ? 0 : value < most ? value : most;
}

bool
debye_runner_find_functions(DebyeRunnerRun *run, void *library)
{
  const DebyeRunnerFamilyRow *row = &debye_runner_families[run->about.family];
  const int *batches = dlsym(library, "debye_batches");
  if (batches != NULL) {
    run->block_atoms = limit(batches[0], DEBYE_RUNNER_MOST_ATOMS);
    run->batch_frames = limit(batches[1], INT_MAX);
  }
  for (int i = 0; i < DEBYE_RUNNER_MAX_FUNCTIONS && row->functions[i] != NULL; i++) {
    /* ISO C converts no object's pointer to a function's; POSIX has it so. */
    *(void **)&run->functions[i] = dlsym(library, row->functions[i]);
    if ((row->needed & 1u << i) != 0 && run->functions[i] == NULL)
      return false;
  }
  return true;
}

int
debye_runner_block_atoms(const DebyeRunnerRun *run)
{
  const int n_atoms = run->about.counts[0];
  return run->block_atoms > 0 && run->block_atoms < n_atoms ? run->block_atoms : n_atoms;
}

int
debye_runner_block_rows(const DebyeRunnerRun *run)
{
  return run->block_atoms > 0 ? debye_runner_block_atoms(run) : 1;
}

int
debye_runner_series_length(const DebyeRunnerRun *run)
{
  return run->functions[1] != NULL ? run->about.counts[3] : run->about.counts[1];
}

void
debye_runner_fit_scratch(DebyeRunnerRun *run)
{
  if (run->about.family == DEBYE_RUNNER_SCATTERING)
    debye_runner_buffer_shrink(&run->scratch, 2 * sizeof(float) * (size_t)debye_runner_block_rows(run) *
                                                  (size_t)run->about.counts[2] *
                                                  (size_t)debye_runner_series_length(run));
}

/* One step of a run, of which each thread does its share. */
typedef struct Step {
  const DebyeRunnerRun *run;
  void (*call)(const struct Step *step, int thread);
  DebyeRunnerFunction *function;
  int first, n; /* slice; or frames or atoms from this one on, and how many */
  int n_threads;
} Step;

static void
call_slice(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const int *n = about->counts;
  float *slice = (float *)step->run->output.data + (size_t)n[0] * (size_t)n[1] * (size_t)step->first;
  ((Slice *)step->function)(slice, n[0], n[1], about->reals[0], about->reals[1],
                            (float)step->first * about->reals[2], (const float *)step->run->inputs[0].data,
                            n[3], about->reals[3], (float *)step->run->scratch.data, thread, step->n_threads);
}

static void
call_regions(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const DebyeRunnerBuffer *in = step->run->inputs;
  const int *n = about->counts;
  const float *real = about->reals;
  ((Regions *)step->function)((float *)step->run->output.data, n[0], n[1], n[2], real[0], real[1], real[2],
                              (const float *)in[0].data, n[3], (const float *)in[1].data,
                              (const int *)in[2].data, (const int *)in[3].data, n[4], n[5],
                              (const int *)in[4].data, (const int *)in[5].data, n[6], real[4], real[3], 0,
                              n[7], thread, step->n_threads);
}

static void
call_overflow(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const int *n = about->counts;
  const float *real = about->reals;
  ((Overflow *)step->function)((float *)step->run->output.data, n[0], n[1], n[2], real[0], real[1], real[2],
                               (const float *)step->run->inputs[6].data, n[8], real[4], real[3], thread,
                               step->n_threads);
}

static void
call_count(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const DebyeRunnerBuffer *in = step->run->inputs;
  const float *real = about->reals;
  ((Count *)step->function)((unsigned long long *)step->run->output.data, about->counts[0], real[0],
                            (const float *)in[0].data, (const float *)in[1].data, (const float *)in[2].data,
                            about->counts[1], 0, about->counts[1], real[1], real[2], real[3],
                            (unsigned long long *)step->run->scratch.data, thread, step->n_threads);
}

static void
call_orbital(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const DebyeRunnerBuffer *in = step->run->inputs;
  const int *n = about->counts;
  const float *real = about->reals;
  ((Orbital *)step->function)((float *)step->run->output.data, n[0], n[1], n[2], real[0], real[1], real[2],
                              0.0f, (const float *)in[0].data, n[3], (const int *)in[1].data,
                              (const int *)in[2].data, (const float *)in[3].data, (const float *)in[4].data,
                              (float *)step->run->scratch.data, thread, step->n_threads);
}

static void
call_sample(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const DebyeRunnerBuffer *in = step->run->inputs;
  const int *n = about->counts;
  const float *real = about->reals;
  ((Sample *)step->function)((float *)step->run->output.data, n[0], n[1], n[2], real[0], real[1], real[2],
                             real[3], real[3], n[3], (const float *)in[0].data, (const float *)in[1].data,
                             n[4], (const int *)in[2].data, n[5], n[6], real[4], real[5], thread,
                             step->n_threads);
}

static void
call_fill(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const DebyeRunnerBuffer *in = step->run->inputs;
  const int *n = about->counts;
  const double *real = about->doubles;
  ((Fill *)step->function)((unsigned *)step->run->output.data, (unsigned *)step->run->scratch.data, n[0],
                           n[1], n[2], real[0], real[1], real[2], real[3], (const float *)in[0].data,
                           (const float *)in[1].data, (const float *)in[2].data, n[3], step->first,
                           step->first + step->n, thread, step->n_threads);
}

static void
call_fold(const Step *step, int thread)
{
  const int *n = step->run->about.counts;
  ((Fold *)step->function)((unsigned *)step->run->output.data, (unsigned *)step->run->scratch.data,
                           n[0] * n[1] * n[2], thread, step->n_threads);
}

static void
call_compute(const Step *step, int thread)
{
  const int *n = step->run->about.counts;
  const DebyeRunnerBuffer *in = step->run->inputs;
  ((ComputeSeries *)step->function)((float *)step->run->scratch.data, (const float *)in[0].data,
                                    (const float *)in[1].data, (const float *)in[2].data, n[0], n[1],
                                    (const float *)in[3].data, n[2], step->first, step->n,
                                    debye_runner_series_length(step->run), thread, step->n_threads);
}

/* Series of the block at hand, of which each thread transforms some. */
static int
count_series(const Step *step)
{
  return (step->run->block_atoms > 0 ? step->n : 1) * step->run->about.counts[2];
}

static void
transform(const Step *step, int thread, bool is_back)
{
  const int n = count_series(step), length = debye_runner_series_length(step->run);
  const int first = (int)((long)n * thread / step->n_threads),
            end = (int)((long)n * (thread + 1) / step->n_threads);
  float *series = (float *)step->run->scratch.data;
  for (int i = first; i < end; i++)
    debye_runner_transform(series + 2l * length * i, is_back);
}

static void
call_forward(const Step *step, int thread)
{
  transform(step, thread, false);
}

static void
call_back(const Step *step, int thread)
{
  transform(step, thread, true);
}

static void
call_multiply(const Step *step, int thread)
{
  ((MultiplySeries *)step->function)((float *)step->run->scratch.data,
                                     (long)count_series(step) * debye_runner_series_length(step->run), thread,
                                     step->n_threads);
}

static void
call_add(const Step *step, int thread)
{
  const int *n = step->run->about.counts;
  ((AddSeries *)step->function)((float *)step->run->output.data, (const float *)step->run->scratch.data, n[1],
                                n[2], step->run->block_atoms > 0 ? step->n : 1,
                                debye_runner_series_length(step->run), thread, step->n_threads);
}

/* --- Threads --- */

/* Threads that last as long as the process; all wait at `begin` for a step, and at `end` for each other. */
static struct {
  pthread_barrier_t begin, end;
  pthread_mutex_t mutex; /* of what follows, until all threads are there */
  pthread_cond_t ready;
  int n_threads, numbers[DEBYE_RUNNER_MOST_THREADS];
  const Step *step;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .ready = PTHREAD_COND_INITIALIZER};

static void
wait_until_ready(void)
{
  pthread_mutex_lock(&pool.mutex);
  while (pool.n_threads == 0)
    pthread_cond_wait(&pool.ready, &pool.mutex);
  pthread_mutex_unlock(&pool.mutex);
}

/* Where its stack is full, the fault is handled on another one. */
static void *
work(void *data)
{
  const int *number = data;
  unsigned char stack[SIGNAL_STACK_BYTES];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  wait_until_ready();
  for (;;) {
    pthread_barrier_wait(&pool.begin);
    pool.step->call(pool.step, *number);
    pthread_barrier_wait(&pool.end);
  }
  return NULL;
}

int
debye_runner_threads_start(int n_threads)
{
  pthread_attr_t attributes;
  int n = 0;
  n_threads = n_threads < DEBYE_RUNNER_MOST_THREADS ? n_threads : DEBYE_RUNNER_MOST_THREADS;
  if (n_threads < 2)
    return 1;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, DEBYE_RUNNER_STACK_BYTES + SIGNAL_STACK_BYTES);
  for (pthread_t thread; n < n_threads; n++) {
    pool.numbers[n] = n;
    if (pthread_create(&thread, &attributes, work, &pool.numbers[n]) != 0)
      return n;
  }
  pthread_attr_destroy(&attributes);
  pthread_barrier_init(&pool.begin, NULL, (unsigned)n + 1);
  pthread_barrier_init(&pool.end, NULL, (unsigned)n + 1);
  pthread_mutex_lock(&pool.mutex);
  pool.n_threads = n;
  pthread_cond_broadcast(&pool.ready);
  pthread_mutex_unlock(&pool.mutex);
  return n;
}

static void
do_step(const Step *step, DebyeRunnerSharing sharing)
{
  if (sharing == DEBYE_RUNNER_SIDE_BY_SIDE && step->n_threads > 1) {
    pool.step = step;
    pthread_barrier_wait(&pool.begin);
    pthread_barrier_wait(&pool.end);
    return;
  }
  for (int i = 0; i < (sharing == DEBYE_RUNNER_FIRST_SHARE ? 1 : step->n_threads); i++)
    step->call(step, i);
}

/* Nothing where the source lacks the function. */
static void
do_function(Step *step, void (*call)(const Step *step, int thread), int function, DebyeRunnerSharing sharing)
{
  step->call = call;
  step->function = step->run->functions[function];
  if (step->function != NULL)
    do_step(step, sharing);
}

static void
sum_slices(Step *step, DebyeRunnerSharing sharing)
{
  for (step->first = 0; step->first < step->run->about.counts[2]; step->first++)
    for (int pass = 0; pass < 2; pass++)
      do_function(step, call_slice, pass, sharing);
}

static void
fill_frames(Step *step, DebyeRunnerSharing sharing)
{
  const int all = step->run->about.counts[4], some = step->run->batch_frames;
  const int most = some > 0 && some < all ? some : all;
  for (step->first = 0; step->first < all; step->first += most) {
    step->n = all - step->first < most ? all - step->first : most;
    do_function(step, call_fill, 0, sharing);
    do_function(step, call_fold, 1, sharing);
  }
}

static void
scatter(Step *step, DebyeRunnerSharing sharing)
{
  const int all = step->run->about.counts[0], most = debye_runner_block_atoms(step->run);
  for (step->first = 0; step->first < all; step->first += most) {
    step->n = all - step->first < most ? all - step->first : most;
    do_function(step, call_compute, 0, sharing);
    do_function(step, call_forward, 1, sharing);
    do_function(step, call_multiply, 1, sharing);
    do_function(step, call_back, 1, sharing);
    do_function(step, call_add, 2, sharing);
  }
}

void
debye_runner_call(DebyeRunnerRun *run, int n_threads, DebyeRunnerSharing sharing)
{
  const int most = sharing != DEBYE_RUNNER_SIDE_BY_SIDE ? DEBYE_RUNNER_MOST_THREADS
                   : pool.n_threads > 0                 ? pool.n_threads
                                                        : 1;
  Step step = {.run = run, .n_threads = n_threads < most ? n_threads : most};
  switch (run->about.family) {
  case DEBYE_RUNNER_DIRECT:
    sum_slices(&step, sharing);
    break;
  case DEBYE_RUNNER_CUTOFF:
    do_function(&step, call_regions, 0, sharing);
    if (run->about.counts[8] > 0)
      do_function(&step, call_overflow, 1, sharing);
    break;
  case DEBYE_RUNNER_ORBITAL:
    do_function(&step, call_orbital, 0, sharing);
    break;
  case DEBYE_RUNNER_LIGAND:
    do_function(&step, call_sample, 0, sharing);
    break;
  case DEBYE_RUNNER_DENSITY:
    fill_frames(&step, sharing);
    break;
  case DEBYE_RUNNER_SCATTERING:
    scatter(&step, sharing);
    break;
  default:
    do_function(&step, call_count, 0, sharing);
  }
}

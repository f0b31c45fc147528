/* SPDX-License-Identifier: MIT */
/* The functions of a loaded source on all of a case; called by runner_main.c. */
#include "runner_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#define SIGNAL_STACK_BYTES 32768

typedef void Slice(float *, int, int, float, float, float, const float *, int, float, float *, int, int);
typedef void Regions(float *, int, int, int, float, float, float, const float *, int, const float *,
                     const int *, const int *, int, int, const int *, const int *, int, float, float, int,
                     int, int, int);
typedef void Overflow(float *, int, int, int, float, float, float, const float *, int, float, float, int,
                      int);
typedef void Count(unsigned long long *, int, float, const float *, const float *, const float *, int, int,
                   int, float, float, float, unsigned long long *, int, int);

const char *const debye_runner_inputs[DEBYE_RUNNER_N_FAMILIES][DEBYE_RUNNER_MAX_INPUTS] = {
    [DEBYE_RUNNER_DIRECT] = {"atoms"},
    [DEBYE_RUNNER_CUTOFF] = {"atoms", "bins", "head", "next", "reach", "offsets", "atoms"},
    [DEBYE_RUNNER_HISTOGRAM] = {"x", "y", "z"},
};

bool
debye_runner_find_functions(DebyeRunnerRun *run, void *library)
{
  static const char *const names[DEBYE_RUNNER_N_FAMILIES][2] = {
      [DEBYE_RUNNER_DIRECT] = {"prepare_slice", "sum_slice"},
      [DEBYE_RUNNER_CUTOFF] = {"sum_regions", "sum_overflow"},
      [DEBYE_RUNNER_HISTOGRAM] = {"count_pairs", "count_pairs"},
  };
  /* ISO C converts no object's pointer to a function's; POSIX has it so. */
  *(void **)&run->first = dlsym(library, names[run->about.family][0]);
  *(void **)&run->second = dlsym(library, names[run->about.family][1]);
  return (run->about.family == DEBYE_RUNNER_DIRECT ? run->second : run->first) != NULL;
}

/* One step of a run, of which each thread does its share. */
typedef struct Step {
  const DebyeRunnerRun *run;
  void (*call)(const struct Step *step, int thread);
  DebyeRunnerFunction *function;
  int slice, n_threads;
} Step;

static void
call_slice(const Step *step, int thread)
{
  const DebyeRunnerCase *about = &step->run->about;
  const int *n = about->counts;
  float *slice = (float *)step->run->output.data + (size_t)n[0] * (size_t)n[1] * (size_t)step->slice;
  ((Slice *)step->function)(slice, n[0], n[1], about->reals[0], about->reals[1],
                            (float)step->slice * about->reals[2], (const float *)step->run->inputs[0].data,
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
do_step(const Step *step, bool in_turn)
{
  if (!in_turn && step->n_threads > 1) {
    pool.step = step;
    pthread_barrier_wait(&pool.begin);
    pthread_barrier_wait(&pool.end);
    return;
  }
  for (int i = 0; i < step->n_threads; i++)
    step->call(step, i);
}

void
debye_runner_call(DebyeRunnerRun *run, int n_threads, bool in_turn)
{
  const int most = in_turn ? DEBYE_RUNNER_MOST_THREADS : pool.n_threads > 0 ? pool.n_threads : 1;
  Step step = {.run = run, .n_threads = n_threads < most ? n_threads : most};
  switch (run->about.family) {
  case DEBYE_RUNNER_DIRECT:
    step.call = call_slice;
    for (step.slice = 0; step.slice < run->about.counts[2]; step.slice++)
      for (int pass = 0; pass < 2; pass++) {
        step.function = pass == 0 ? run->first : run->second;
        if (step.function != NULL)
          do_step(&step, in_turn);
      }
    break;
  case DEBYE_RUNNER_CUTOFF:
    step.call = call_regions;
    step.function = run->first;
    do_step(&step, in_turn);
    step.call = call_overflow;
    step.function = run->second;
    if (step.function != NULL && run->about.counts[8] > 0)
      do_step(&step, in_turn);
    break;
  default:
    step.call = call_count;
    step.function = run->first;
    do_step(&step, in_turn);
  }
}

/* SPDX-License-Identifier: MIT */
/* What the CPU can do at most with all its threads: loops of nothing but multiply-adds, reciprocal
 * square roots, and copies. Its twin is cuda/ladder/ladder_limits.cu. */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/cpu/common/cpu_settings.h"
#include "ladder_steps.h"
#include "kernels/cpu/common/parallel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define STEPS 100000
#define LEAST_SECONDS 0.05                     /* of each probe */
#define COPY_BYTES ((size_t)256 * 1024 * 1024) /* more than most caches hold */
#define COPY_CHUNK ((size_t)1024 * 1024)
#define LANES 16
#define MAX_CHAINS 12

/* Sixteen floats: one, two or four registers. */
typedef float Vector __attribute__((vector_size(LANES * sizeof(float))));

/* Independent chains, as many as registers hold, hide the latency of a multiply-add. Returns operations;
 * `sink` is there so that the compiler can't leave the loop out. */
static inline __attribute__((always_inline)) double
multiply_add(const int chains, volatile float *sink)
{
  Vector sum[MAX_CHAINS];
  for (int i = 0; i < chains; i++)
    sum[i] = (Vector){0.0f} + (float)i;
  for (int step = 0; step < STEPS; step++)
#pragma GCC unroll 12
    for (int i = 0; i < chains; i++)
      sum[i] = sum[i] * 0.999f + 0.001f;
  for (int i = 0; i < chains; i++)
    *sink = sum[i][i];
  return 2.0 * chains * LANES * STEPS;
}

static double
multiply_add_portable(volatile float *sink)
{
  return multiply_add(3, sink);
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))

static AVX2 double
multiply_add_avx2(volatile float *sink)
{
  return multiply_add(6, sink);
}

static AVX512 double
multiply_add_avx512(volatile float *sink)
{
  return multiply_add(12, sink);
}

static AVX2 double
roots_avx2(volatile float *sink)
{
  __m256 value[MAX_CHAINS];
  for (int i = 0; i < MAX_CHAINS; i++)
    value[i] = _mm256_set1_ps(1.5f + (float)i);
  for (int step = 0; step < STEPS; step++)
#pragma GCC unroll 12
    for (int i = 0; i < MAX_CHAINS; i++)
      value[i] = _mm256_rsqrt_ps(value[i]);
  for (int i = 0; i < MAX_CHAINS; i++)
    *sink = _mm256_cvtss_f32(value[i]);
  return 8.0 * MAX_CHAINS * STEPS;
}

static AVX512 double
roots_avx512(volatile float *sink)
{
  __m512 value[MAX_CHAINS];
  for (int i = 0; i < MAX_CHAINS; i++)
    value[i] = _mm512_set1_ps(1.5f + (float)i);
  for (int step = 0; step < STEPS; step++)
#pragma GCC unroll 12
    for (int i = 0; i < MAX_CHAINS; i++)
      value[i] = _mm512_rsqrt14_ps(value[i]);
  for (int i = 0; i < MAX_CHAINS; i++)
    *sink = _mm512_cvtss_f32(value[i]);
  return 16.0 * MAX_CHAINS * STEPS;
}

#endif

typedef double (*Loop)(volatile float *sink);

typedef struct {
  Loop multiply_add, roots; /* roots NULL: no instruction for them */
} Loops;

static Loops
choose_loops(void)
{
#if defined(__x86_64__)
  if (debye_cpu_get_level() == DEBYE_CPU_AVX512)
    return (Loops){multiply_add_avx512, roots_avx512};
  if (debye_cpu_get_level() == DEBYE_CPU_AVX2)
    return (Loops){multiply_add_avx2, roots_avx2};
#endif
  return (Loops){multiply_add_portable, NULL};
}

typedef struct {
  Loop loop;
  double begin;
  atomic_uint n_calls;
} Probe;

/* A thread's share: calls until the time is over; one at least, as a thread may begin after that on a busy machine. */
static void
repeat_loop(void *context, size_t chunk)
{
  Probe *probe = context;
  volatile float sink;
  (void)chunk;
  do {
    probe->loop(&sink);
    atomic_fetch_add_explicit(&probe->n_calls, 1, memory_order_relaxed);
  } while (debye_ladder_now() - probe->begin < LEAST_SECONDS);
}

static double
measure_loop(DebyePool *pool, Loop loop)
{
  volatile float sink;
  /* Wakes wide units, and says what a call is. */
  const double operations = loop(&sink);
  Probe probe = {.loop = loop, .begin = debye_ladder_now()};
  debye_parallel_for(pool, debye_pool_get_threads(pool), repeat_loop, &probe, NULL);
  return operations * (double)atomic_load(&probe.n_calls) / (debye_ladder_now() - probe.begin);
}

typedef struct {
  char *from, *to;
} Copy;

static void
copy_chunk(void *context, size_t chunk)
{
  const Copy *copy = context;
  memcpy(copy->to + chunk * COPY_CHUNK, copy->from + chunk * COPY_CHUNK, COPY_CHUNK);
}

/* With all pages at once: one by one they would take longer than all that is measured. NULL where there is no memory. */
static char *
take_pages(void)
{
  void *pages =
      mmap(NULL, COPY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return pages != MAP_FAILED ? pages : NULL;
}

static void
give_pages_back(char *pages)
{
  if (pages != NULL)
    munmap(pages, COPY_BYTES);
}

/* The best of three copies. 0 where there is no memory for it. */
static double
measure_copy(DebyePool *pool)
{
  Copy copy = {.from = take_pages(), .to = take_pages()};
  double best = 0.0;
  for (int repeat = 0; repeat < 3 && copy.from != NULL && copy.to != NULL; repeat++) {
    const double begin = debye_ladder_now();
    debye_parallel_for(pool, COPY_BYTES / COPY_CHUNK, copy_chunk, &copy, NULL);
    const double rate = 2.0 * (double)COPY_BYTES / (debye_ladder_now() - begin);
    best = rate > best ? rate : best;
  }
  give_pages_back(copy.from);
  give_pages_back(copy.to);
  return best;
}

DebyeStatusCode
debye_cpu_measure_limits(int device, DebyeLadderLimits *limits, DebyeStatus *status)
{
  (void)device;
  const Loops loops = choose_loops();
  DebyePool *pool = debye_pool_new(debye_cpu_get_threads());
  *limits = (DebyeLadderLimits){.operations = 0.0};
  if (pool != NULL) {
    limits->operations = measure_loop(pool, loops.multiply_add);
    limits->reciprocal_roots = loops.roots != NULL ? measure_loop(pool, loops.roots) : 0.0;
    limits->bandwidth = measure_copy(pool);
  }
  debye_pool_free(pool);
  if (limits->bandwidth > 0.0)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to measure the limits in.");
}

/* SPDX-License-Identifier: MIT */
/* Implementation of cpu_settings.h: the CPU's instruction set and thread limit; asked by every kernel of this
 * back end. */
#include "cpu_settings.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "parallel.h"

/* Only tests write it; a process runs on one CPU, so this is no state of a kernel. */
static atomic_int level_limit = DEBYE_CPU_AVX512;

static DebyeCpuLevel
detect_level(void)
{
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return DEBYE_CPU_AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return DEBYE_CPU_AVX2;
#endif
  return DEBYE_CPU_PORTABLE;
}

DebyeCpuLevel
debye_cpu_get_level(void)
{
  DebyeCpuLevel can = detect_level();
  DebyeCpuLevel limit = (DebyeCpuLevel)atomic_load_explicit(&level_limit, memory_order_relaxed);
  return can < limit ? can : limit;
}

const char *
debye_cpu_level_get_name(DebyeCpuLevel level)
{
  static const char *const names[] = {
      [DEBYE_CPU_PORTABLE] = "any CPU", [DEBYE_CPU_AVX2] = "AVX2", [DEBYE_CPU_AVX512] = "AVX-512"};
  return names[level];
}

void
debye_cpu_set_level(DebyeCpuLevel level)
{
  atomic_store_explicit(&level_limit, (int)level, memory_order_relaxed);
}

static atomic_uint thread_setting;

void
debye_cpu_set_threads(unsigned threads)
{
  atomic_store_explicit(&thread_setting, threads, memory_order_relaxed);
}

unsigned
debye_cpu_get_threads(void)
{
  unsigned threads = atomic_load_explicit(&thread_setting, memory_order_relaxed);
  return threads > 0 ? threads : debye_count_cores();
}

unsigned
debye_cpu_threads_beside(unsigned spare_cores)
{
  unsigned threads = debye_cpu_get_threads();
  bool chosen = atomic_load_explicit(&thread_setting, memory_order_relaxed) > 0;
  return chosen || threads <= spare_cores ? threads : threads - spare_cores;
}

/* SPDX-License-Identifier: MIT */
/* Options by a table. */
#include "bench_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"

static bool
set_level(const char *text)
{
  static const char *const names[] = {
      [DEBYE_CPU_PORTABLE] = "portable", [DEBYE_CPU_AVX2] = "avx2", [DEBYE_CPU_AVX512] = "avx512"};
  for (int level = DEBYE_CPU_PORTABLE; level <= DEBYE_CPU_AVX512; level++)
    if (strcmp(text, names[level]) == 0) {
      debye_cpu_set_level((DebyeCpuLevel)level);
      return true;
    }
  return false;
}

/* Not a number where the text is none. */
static double
read_number(const char *text)
{
  char *end;
  const double number = strtod(text, &end);
  return end != text && *end == '\0' ? number : NAN;
}

static bool
set_threads(const char *text)
{
  const double number = read_number(text);
  if (!(number >= 0.0))
    return false;
  debye_backend_cpu.set_threads((unsigned)number);
  return true;
}

static bool
set_value(const DebyeBenchOption *option, const char *value)
{
  const double number = read_number(value);
  if (option->text != NULL) {
    *option->text = value;
    return value[0] != '\0';
  }
  if (!(number >= option->least))
    return false;
  if (option->number != NULL)
    *option->number = number;
  else
    *option->count = (size_t)number;
  return true;
}

/* Returns how many of argv it takes; 0 where it is wrong. */
static int
read_option(const char *name, const char *value, const DebyeBenchOption *options, size_t n)
{
  if (strcmp(name, "--threads") == 0)
    return set_threads(value) ? 2 : 0;
  if (strcmp(name, "--level") == 0)
    return set_level(value) ? 2 : 0;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(name, options[i].name) != 0)
      continue;
    if (options[i].flag == NULL)
      return set_value(&options[i], value) ? 2 : 0;
    *options[i].flag = true;
    return 1;
  }
  return 0;
}

int
debye_bench_read_options(int argc, char **argv, const DebyeBenchOption *options, size_t n)
{
  int n_left = 0;
  for (int i = 1; i < argc;) {
    if (argv[i][0] != '-') {
      argv[n_left++] = argv[i++];
      continue;
    }
    const int taken = read_option(argv[i], i + 1 < argc ? argv[i + 1] : "", options, n);
    if (taken == 0) {
      fprintf(stderr, "%s: %s is unknown, or its value is missing or too small\n", argv[0], argv[i]);
      return -1;
    }
    i += taken;
  }
  return n_left;
}

double
debye_bench_seconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

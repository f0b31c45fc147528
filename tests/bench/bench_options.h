/* SPDX-License-Identifier: MIT */
/* What all benchmarks of kernels share: options by a table, and a clock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* "--name VALUE", or "--name" alone for a flag; one of the places is given. */
typedef struct {
  const char *name;
  double *number;
  size_t *count;
  const char **text;
  bool *flag;
  double least; /* that a number or a count may be */
} DebyeBenchOption;

/* Takes the options out of argv, beside those of the table --threads N and --level portable|avx2|avx512,
 * which take effect at once. Returns the number of what remains, or -1, said on the standard error, where one
 * is unknown or its value is missing or too small. */
int debye_bench_read_options(int argc, char **argv, const DebyeBenchOption *options, size_t n);
double debye_bench_seconds(void);

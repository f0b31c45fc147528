/* SPDX-License-Identifier: MIT */
/* What every family does with a case: appends an array to its inputs, and looks at some of its values; called by
 * bench_source_case.c and the families. */
#include "bench_source_private.h"

#define SAMPLE_VALUES ((gsize)400)

void
debye_bench_source_case_append(DebyeBenchSourceCase *one, gconstpointer data, gsize n_bytes)
{
  one->about.input_bytes[one->about.n_inputs++] = n_bytes;
  if (n_bytes > 0)
    g_byte_array_append(one->inputs, data, (guint)n_bytes);
}

gsize
debye_bench_source_case_stride(const DebyeBenchSourceCase *one)
{
  return one->about.n_repeats == 0 ? 1 : MAX(one->n_values / SAMPLE_VALUES, 1) | 1;
}

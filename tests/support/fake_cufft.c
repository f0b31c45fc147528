/* SPDX-License-Identifier: MIT */
/* cuFFT without a GPU, for test_cli_source_cuda.py, in the memory of fake_cuda.c: each transform as the definition reads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PLANS 8
#define C2C 0x29

/* As the library has them. */
#pragma GCC visibility push(default)

static struct {
  int length, batch;
} plans[MAX_PLANS];
static int n_plans;

int
cufftPlanMany(int *plan, int rank, int *n, int *in_embed, int in_stride, int in_apart, int *out_embed,
              int out_stride, int out_apart, int type, int batch)
{
  if (rank != 1 || in_embed != NULL || out_embed != NULL || in_stride != 1 || out_stride != 1 ||
      in_apart != n[0] || out_apart != n[0] || type != C2C || batch < 1 || n_plans == MAX_PLANS)
    return 4;
  plans[n_plans].length = n[0];
  plans[n_plans].batch = batch;
  *plan = n_plans++;
  return 0;
}

static void
transform(float *series, int n, int sign)
{
  double *sums = calloc(2 * (size_t)n, sizeof *sums);
  for (int k = 0; sums != NULL && k < n; k++)
    for (int t = 0; t < n; t++) {
      const double angle = sign * 2.0 * acos(-1.0) * (double)((long)k * t % n) / n, c = cos(angle),
                   s = sin(angle);
      sums[2 * k] += (double)series[2 * t] * c - (double)series[2 * t + 1] * s;
      sums[2 * k + 1] += (double)series[2 * t] * s + (double)series[2 * t + 1] * c;
    }
  for (int i = 0; sums != NULL && i < 2 * n; i++)
    series[i] = (float)sums[i];
  free(sums);
}

int
cufftExecC2C(int plan, void *in, void *out, int direction)
{
  if (plan < 0 || plan >= n_plans || in != out)
    return 4;
  for (int i = 0; i < plans[plan].batch; i++)
    transform((float *)out + 2l * plans[plan].length * i, plans[plan].length, direction);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* Transforms of series through FFTW; called by runner_calls.c. */
#include "runner_fourier.h"

#include <fftw3.h>
#include <stdint.h>

#define VECTOR_BYTES 16

/* Of a series that begins where vectors may, and of one that doesn't; forward and back. */
static struct {
  fftwf_plan aligned[2], unaligned[2];
} plans;

bool
debye_runner_fourier_plan(int length)
{
  fftwf_complex *values = length > 0 ? fftwf_alloc_complex((size_t)length) : NULL;
  bool ok = values != NULL;
  for (int i = 0; ok && i < 2; i++) {
    const int sign = i == 0 ? FFTW_FORWARD : FFTW_BACKWARD;
    plans.aligned[i] = fftwf_plan_dft_1d(length, values, values, sign, FFTW_ESTIMATE);
    plans.unaligned[i] = fftwf_plan_dft_1d(length, values, values, sign, FFTW_ESTIMATE | FFTW_UNALIGNED);
    ok = plans.aligned[i] != NULL && plans.unaligned[i] != NULL;
  }
  fftwf_free(values);
  return ok;
}

void
debye_runner_transform(float *series, bool is_back)
{
  fftwf_complex *values = (fftwf_complex *)series;
  const bool is_aligned = (uintptr_t)series % VECTOR_BYTES == 0;
  fftwf_execute_dft((is_aligned ? plans.aligned : plans.unaligned)[is_back ? 1 : 0], values, values);
}

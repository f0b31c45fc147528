/* SPDX-License-Identifier: MIT */
/* cuFFT's door against FFTW's, which test_fourier holds against the definition: the same transforms, in both
 * precisions, of even, odd and prime lengths, alone and in batches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/common/fourier.cuh"

extern "C" {
#include "kernels/cpu/common/fourier.h"
#include "tests/support/check.h"
#include "tests/support/oracle_potential.h"
}

/* Two libraries, each with an error of a few ε·log₂ n. */
template <class Real>
static double
tolerance()
{
  return sizeof(Real) == sizeof(double) ? 4e-15 : 2e-6;
}

template <class Real>
static Real *
random_values(size_t n, unsigned seed)
{
  Real *values = (Real *)malloc((n + 1) * sizeof *values);
  for (size_t i = 0; i < n; i++)
    values[i] = (Real)(2.0 * debye_random(&seed) - 1.0);
  return values;
}

template <class Real>
static double
relative_error(const Real *found, const Real *expected, size_t n, double scale)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < n; i++) {
    double error = scale * found[i] - expected[i];
    square_error += error * error;
    square += (double)expected[i] * expected[i];
  }
  return sqrt(square_error / square);
}

template <class Real>
static Real *
on_device(const Real *values, size_t n)
{
  Real *copy = NULL;
  CHECK(cudaMalloc((void **)&copy, (n + 1) * sizeof *copy) == cudaSuccess);
  if (values != NULL)
    CHECK(cudaMemcpy(copy, values, n * sizeof *copy, cudaMemcpyHostToDevice) == cudaSuccess);
  return copy;
}

template <class Real>
static void
fetch(Real *values, const Real *device, size_t n)
{
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaMemcpy(values, device, n * sizeof *values, cudaMemcpyDeviceToHost) == cudaSuccess);
}

template <class Real>
static void
test_complex(DebyeCudaFourier *fourier, const DebyeFourier *expected, const DebyeFourierSettings *settings)
{
  const size_t n = 2 * debye_fourier_n_complex(settings);
  DebyeStatus status = {};
  Real *in = random_values<Real>(n, 3), *want = random_values<Real>(n, 3), *out = random_values<Real>(n, 4);
  Real *device = on_device(in, n);
  debye_fourier_forward(expected, want);
  CHECK_THAT(debye_cuda_fourier_forward(fourier, device, &status) == DEBYE_STATUS_OK, "%s", status.text);
  fetch(out, device, n);
  CHECK_AT_MOST(relative_error(out, want, n, 1.0), tolerance<Real>());
  CHECK_THAT(debye_cuda_fourier_backward(fourier, device, &status) == DEBYE_STATUS_OK, "%s", status.text);
  fetch(out, device, n);
  CHECK_AT_MOST(relative_error(out, in, n, 2.0 * settings->batch / n), tolerance<Real>());
  cudaFree(device);
  free(in);
  free(want);
  free(out);
}

template <class Real>
static void
test_real(DebyeCudaFourier *fourier, const DebyeFourier *expected, const DebyeFourierSettings *settings)
{
  const size_t n = debye_fourier_n_real(settings), n_modes = 2 * debye_fourier_n_complex(settings);
  DebyeStatus status = {};
  Real *in = random_values<Real>(n, 5), *want = random_values<Real>(n_modes, 6);
  Real *modes = random_values<Real>(n_modes, 7), *back = random_values<Real>(n, 8);
  Real *device_in = on_device(in, n), *device_modes = on_device((const Real *)NULL, n_modes);
  debye_fourier_real_forward(expected, in, want);
  CHECK_THAT(debye_cuda_fourier_real_forward(fourier, device_in, device_modes, &status) == DEBYE_STATUS_OK,
             "%s", status.text);
  fetch(modes, device_modes, n_modes);
  CHECK_AT_MOST(relative_error(modes, want, n_modes, 1.0), tolerance<Real>());
  CHECK_THAT(debye_cuda_fourier_real_backward(fourier, device_modes, device_in, &status) == DEBYE_STATUS_OK,
             "%s", status.text);
  fetch(back, device_in, n);
  CHECK_AT_MOST(relative_error(back, in, n, (double)settings->batch / n), tolerance<Real>());
  cudaFree(device_in);
  cudaFree(device_modes);
  free(in);
  free(want);
  free(modes);
  free(back);
}

static void
test_settings(const DebyeFourierSettings *settings)
{
  DebyeStatus status = {};
  DebyeCudaFourier *fourier = NULL;
  DebyeFourier *expected = NULL;
  debye_check_subject("%s %s, %zu × %zu × %zu, %zu times", settings->double_precision ? "double" : "float",
                      settings->real ? "real" : "complex", settings->shape[0], settings->shape[1],
                      settings->shape[2], settings->batch);
  CHECK(debye_fourier_create(settings, NULL, &expected, &status) == DEBYE_STATUS_OK);
  CHECK_THAT(debye_cuda_fourier_create(settings, NULL, &fourier, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  if (fourier != NULL && settings->double_precision)
    (settings->real ? test_real<double> : test_complex<double>)(fourier, expected, settings);
  else if (fourier != NULL)
    (settings->real ? test_real<float> : test_complex<float>)(fourier, expected, settings);
  debye_cuda_fourier_destroy(fourier);
  debye_fourier_destroy(expected);
}

int
main(void)
{
  static const DebyeFourierSettings cases[] = {
      {false, false, {2000, 1, 1}, 1}, {false, false, {101, 1, 1}, 64}, {false, false, {1009, 1, 1}, 3},
      {false, false, {16, 10, 9}, 1},  {false, false, {17, 33, 2}, 2},  {false, false, {64, 48, 36}, 1},
      {false, false, {3, 1, 40}, 1},   {true, false, {360, 1, 1}, 11},  {true, false, {97, 1, 1}, 5},
      {true, false, {30, 21, 13}, 1},  {true, false, {31, 5, 7}, 2},    {true, false, {64, 60, 54}, 1},
  };
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) {
    printf("There is no GPU to test on.\n");
    return 77;
  }
  for (DebyeFourierSettings settings : cases)
    for (int exact = 0; exact < 2; exact++) {
      settings.double_precision = exact == 1;
      test_settings(&settings);
    }
  debye_cuda_fourier_destroy(NULL);
  return debye_check_finish();
}

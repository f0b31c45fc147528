/* SPDX-License-Identifier: MIT */
/* The door to Fourier transforms on a GPU, through cuFFT; its twin is cpu/common/fourier.h. What is
 * transformed is said in kernels/fourier_settings.h.
 *
 * cuFFT is a library of 300 MB that a program for CPUs needs none of: it is opened when the first
 * transform is planned, and where it isn't there planning says UNSUPPORTED with the reason. */
#pragma once

#include "device.cuh"
#include "kernels/fourier_settings.h"

typedef struct DebyeCudaFourier DebyeCudaFourier;

/* For the calling thread's device; transforms are put into `stream` and not waited for. */
DebyeStatusCode debye_cuda_fourier_create(const DebyeFourierSettings *settings, cudaStream_t stream,
                                          DebyeCudaFourier **fourier, DebyeStatus *status);
void debye_cuda_fourier_destroy(DebyeCudaFourier *fourier);
/* Roughly the device memory that a plan takes beside the arrays. */
uint64_t debye_cuda_fourier_bytes(const DebyeFourierSettings *settings);

/* Plans for complex values; `data` is on the device. */
DebyeStatusCode debye_cuda_fourier_forward(DebyeCudaFourier *fourier, void *data, DebyeStatus *status);
DebyeStatusCode debye_cuda_fourier_backward(DebyeCudaFourier *fourier, void *data, DebyeStatus *status);
/* Plans for real values; the input of either may be used up. */
DebyeStatusCode debye_cuda_fourier_real_forward(DebyeCudaFourier *fourier, void *real, void *complex_values,
                                                DebyeStatus *status);
DebyeStatusCode debye_cuda_fourier_real_backward(DebyeCudaFourier *fourier, void *complex_values, void *real,
                                                 DebyeStatus *status);

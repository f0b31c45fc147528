/* SPDX-License-Identifier: MIT */
/* What every kernel of the CUDA back end needs: the device chosen for the calling thread, errors as statuses.
 */
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/backend.h"

/* Sets *status and returns its code; OK for cudaSuccess. `what` says what was being done: "copying the
 * charges". */
DebyeStatusCode debye_cuda_status(cudaError_t error, const char *what, DebyeStatus *status);

extern "C" const DebyePotentialKernel debye_cuda_direct;
extern "C" const DebyePotentialKernel debye_cuda_cutoff;
extern "C" const DebyePotentialKernel debye_cuda_ewald;
extern "C" const DebyePotentialKernel debye_cuda_multilevel;
extern "C" const DebyeIonFieldKernel debye_cuda_ion_field;
extern "C" const DebyePairHistogramKernel debye_cuda_pair_histogram;

/* SPDX-License-Identifier: MIT */
/* What every kernel of the CUDA back end needs: the device chosen for the calling thread, errors as statuses.
 */
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/backend.h"
#include "kernels/plan.h"

/* Sets *status and returns its code; OK for cudaSuccess. `what` says what was being done: "copying the
 * charges". */
DebyeStatusCode debye_cuda_status(cudaError_t error, const char *what, DebyeStatus *status);

/* Copies from the host's ordinary memory; what is then launched into any stream finds it there. cudaMemcpy
 * promises less: it returns when the host's memory may be used again, with the copy into the device's still
 * under way in the default stream, for which streams of our own don't wait. */
cudaError_t debye_cuda_upload(void *device, const void *host, size_t bytes);

/* Memory of all kinds for the calling thread's device. */
extern const DebyeMemorySource debye_cuda_memory_source;

extern "C" const DebyePotentialKernel debye_cuda_direct;
extern "C" const DebyePotentialKernel debye_cuda_cutoff;
extern "C" const DebyePotentialKernel debye_cuda_ewald;
extern "C" const DebyePotentialKernel debye_cuda_multilevel;

#define DEBYE_CUDA_KERNEL(name, Type) extern "C" const Type debye_cuda_##name;
DEBYE_KERNELS(DEBYE_CUDA_KERNEL)

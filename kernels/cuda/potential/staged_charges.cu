/* SPDX-License-Identifier: MIT */
/* Brings a frame's charges to the device through pinned memory; called by potential_cutoff.cu and
 * split_sum.cu. */
#include "staged_charges.cuh"

#include <string.h>

#include "kernels/chunk_threads.h"

struct Copy {
  const float *from[4];
  const DebyeStagedCharges *staged;
  size_t n;
};

static void
copy_part(void *context, size_t part)
{
  const Copy *copy = (const Copy *)context;
  const size_t begin = debye_charge_part_begin(copy->n, part);
  const size_t n = debye_charge_part_begin(copy->n, part + 1) - begin;
  if (n == 0)
    return;
  for (size_t i = 0; i < 4; i++)
    memcpy(copy->staged->host + i * copy->n + begin, copy->from[i] + begin, n * sizeof(float));
}

uint64_t
debye_staged_charges_bytes(size_t max_charges)
{
  return 4 * sizeof(float) * (uint64_t)(max_charges > 0 ? max_charges : 1);
}

cudaError_t
debye_staged_charges_create(DebyeStagedCharges *staged, size_t max_charges)
{
  *staged = {};
  staged->room = max_charges > 0 ? max_charges : 1;
  const size_t bytes = debye_staged_charges_bytes(max_charges);
  cudaError_t error = cudaMalloc((void **)&staged->device, bytes);
  return error == cudaSuccess ? cudaHostAlloc((void **)&staged->host, bytes, cudaHostAllocDefault) : error;
}

void
debye_staged_charges_clear(DebyeStagedCharges *staged)
{
  cudaFree(staged->device);
  cudaFreeHost(staged->host);
  *staged = {};
}

DebyeStatusCode
debye_staged_charges_set(DebyeStagedCharges *staged, const DebyeCharges *charges, cudaStream_t stream,
                         DebyeStatus *status)
{
  if (charges->n > staged->room)
    return debye_charges_check(charges, staged->room, &debye_chunk_threads, NULL, status);
  DebyeStatusCode code = debye_cuda_status(cudaStreamSynchronize(stream), "computing a frame", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Copy copy = {{charges->x, charges->y, charges->z, charges->charge}, staged, charges->n};
  debye_chunk_threads_run(debye_charge_parts(charges->n), copy_part, &copy);
  const size_t n = charges->n;
  const float *on_device = staged->device, *host = staged->host;
  staged->charges = {on_device, on_device + n, on_device + 2 * n, on_device + 3 * n, n};
  staged->on_host = {host, host + n, host + 2 * n, host + 3 * n, n};
  /* One copy: each takes some 10 µs more than its bytes. */
  if (n > 0)
    code = debye_cuda_status(
        cudaMemcpyAsync(staged->device, staged->host, 4 * n * sizeof(float), cudaMemcpyHostToDevice, stream),
        "copying the charges to the device", status);
  /* Looked through while the bus is busy; on the device nothing has been done with them yet. */
  return code == DEBYE_STATUS_OK
             ? debye_charges_check(charges, staged->room, &debye_chunk_threads, &staged->total, status)
             : code;
}

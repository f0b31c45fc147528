/* SPDX-License-Identifier: MIT */
/* Device memory that grows with the frame; used by bin_sorter.cu and potential_multilevel.cu. It takes a
 * quarter more than asked for, since frames differ. */
#include "device_array.cuh"

cudaError_t
debye_device_array_reserve(DebyeDeviceArray *array, size_t bytes, bool *grew)
{
  if (grew != NULL)
    *grew = false;
  if (bytes <= array->bytes && array->memory != NULL)
    return cudaSuccess;
  debye_device_array_clear(array);
  const size_t wanted = bytes + bytes / 4 + 256;
  cudaError_t error = cudaMalloc(&array->memory, wanted);
  if (error == cudaSuccess)
    array->bytes = wanted;
  if (grew != NULL)
    *grew = error == cudaSuccess;
  return error;
}

cudaError_t
debye_device_array_upload(DebyeDeviceArray *array, const void *from, size_t bytes, cudaStream_t stream)
{
  cudaError_t error = debye_device_array_reserve(array, bytes, NULL);
  return error == cudaSuccess && bytes > 0
             ? cudaMemcpyAsync(array->memory, from, bytes, cudaMemcpyHostToDevice, stream)
             : error;
}

void
debye_device_array_clear(DebyeDeviceArray *array)
{
  cudaFree(array->memory);
  *array = {};
}

/* SPDX-License-Identifier: MIT */
/* The only unit that includes CUB. */
#include "device_sort.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

cudaError_t
debye_cuda_sort_pairs(void *scratch, size_t *bytes, const uint32_t *keys, uint32_t *sorted_keys,
                      const uint32_t *values, uint32_t *sorted_values, uint32_t n, int bits,
                      cudaStream_t stream)
{
  return cub::DeviceRadixSort::SortPairs(scratch, *bytes, keys, sorted_keys, values, sorted_values, (int)n, 0,
                                         bits, stream);
}

cudaError_t
debye_cuda_sort_pairs_64(void *scratch, size_t *bytes, const uint64_t *keys, uint64_t *sorted_keys,
                         const uint32_t *values, uint32_t *sorted_values, uint32_t n, int bits,
                         cudaStream_t stream)
{
  return cub::DeviceRadixSort::SortPairs(scratch, *bytes, keys, sorted_keys, values, sorted_values, (int)n, 0,
                                         bits, stream);
}

cudaError_t
debye_cuda_exclusive_sums(void *scratch, size_t *bytes, uint32_t *values, uint32_t *sums, uint32_t n,
                          cudaStream_t stream)
{
  return cub::DeviceScan::ExclusiveSum(scratch, *bytes, values, sums, (int)n, stream);
}

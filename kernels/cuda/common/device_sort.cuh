/* SPDX-License-Identifier: MIT */
/* Sorts and prefix sums on a GPU, by CUB. Its templates take longer to compile than most kernels do, so one unit has all
 * of them.
 *
 * As in CUB, a call with `scratch` NULL only sets *bytes, the scratch memory that the same call needs; it puts nothing
 * into `stream`. Nothing here allocates. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Sorts pairs of key and value by the lowest `bits` bits of the key. The sort is stable. */
cudaError_t debye_cuda_sort_pairs(void *scratch, size_t *bytes, const uint32_t *keys, uint32_t *sorted_keys,
                                  const uint32_t *values, uint32_t *sorted_values, uint32_t n, int bits,
                                  cudaStream_t stream);
/* The same for keys of 64 bits. */
cudaError_t debye_cuda_sort_pairs_64(void *scratch, size_t *bytes, const uint64_t *keys,
                                     uint64_t *sorted_keys, const uint32_t *values, uint32_t *sorted_values,
                                     uint32_t n, int bits, cudaStream_t stream);
/* Sets sums[i] to the sum of values[0] to values[i - 1]; both may be the same array. */
cudaError_t debye_cuda_exclusive_sums(void *scratch, size_t *bytes, uint32_t *values, uint32_t *sums,
                                      uint32_t n, cudaStream_t stream);

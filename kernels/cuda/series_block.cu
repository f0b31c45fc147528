/* SPDX-License-Identifier: MIT */
/* Frames turned into series, tile by tile through shared memory. */
#include "series_block.cuh"

#include <stdlib.h>
#include <string.h>

#define TILE 32
#define TILE_ROWS 8

static __global__ void
turn_frames(const float *frames, const uint32_t *order, size_t n_atoms, size_t n_frames, size_t row,
            float *out)
{
  __shared__ float tile[TILE][TILE + 1];
  const size_t atom = (size_t)blockIdx.x * TILE + threadIdx.x;
  const uint32_t from = atom < n_atoms ? order[atom] : 0;
  for (size_t first = (size_t)blockIdx.y * TILE; first < n_frames; first += (size_t)gridDim.y * TILE) {
    for (size_t i = threadIdx.y; i < TILE; i += TILE_ROWS)
      if (atom < n_atoms && first + i < n_frames)
        tile[i][threadIdx.x] = frames[(first + i) * n_atoms + from];
    __syncthreads();
    for (size_t i = threadIdx.y; i < TILE; i += TILE_ROWS) {
      const size_t to = (size_t)blockIdx.x * TILE + i, t = first + threadIdx.x;
      if (to < n_atoms && t < n_frames)
        out[to * row + t] = tile[threadIdx.x][i];
    }
    __syncthreads();
  }
}

static size_t
row_of(size_t n_frames)
{
  return (n_frames + 31) / 32 * 32;
}

uint64_t
debye_series_block_bytes(size_t max_atoms, size_t n_frames)
{
  return (uint64_t)max_atoms * ((3 * row_of(n_frames) + n_frames) * sizeof(float) + sizeof(uint32_t));
}

static cudaError_t
allocate(DebyeSeriesBlock *series)
{
  cudaError_t error = cudaMalloc(&series->frames, series->max_atoms * series->n_frames * sizeof(float));
  if (error == cudaSuccess)
    error = cudaMalloc(&series->device_order, series->max_atoms * sizeof(uint32_t));
  for (int axis = 0; axis < 3 && error == cudaSuccess; axis++)
    error = cudaMalloc(&series->position[axis], series->max_atoms * series->row * sizeof(float));
  return error;
}

DebyeStatusCode
debye_series_block_init(DebyeSeriesBlock *series, size_t max_atoms, size_t n_frames, size_t n_groups,
                        DebyeStatus *status)
{
  *series = {};
  series->row = row_of(n_frames);
  series->n_frames = n_frames;
  series->max_atoms = max_atoms;
  series->n_groups = n_groups;
  series->order = (uint32_t *)calloc(max_atoms, sizeof *series->order);
  series->group_end = (size_t *)calloc(n_groups, sizeof *series->group_end);
  if (series->order == NULL || series->group_end == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu atoms.", max_atoms);
  return debye_cuda_status(allocate(series), "allocating the atoms' courses", status);
}

void
debye_series_block_clear(DebyeSeriesBlock *series)
{
  for (int axis = 0; axis < 3; axis++)
    cudaFree(series->position[axis]);
  cudaFree(series->frames);
  cudaFree(series->device_order);
  cudaGetLastError();
  free(series->order);
  free(series->group_end);
  *series = {};
}

static cudaError_t
set_axis(DebyeSeriesBlock *series, const float *from, size_t stride, float *to, cudaStream_t stream)
{
  const size_t width = series->n_atoms * sizeof(float);
  cudaError_t error = cudaMemcpy2DAsync(series->frames, width, from, stride * sizeof(float), width,
                                        series->n_frames, cudaMemcpyHostToDevice, stream);
  if (error != cudaSuccess)
    return error;
  const size_t tiles = (series->n_frames + TILE - 1) / TILE;
  const dim3 blocks((unsigned)((series->n_atoms + TILE - 1) / TILE),
                    (unsigned)(tiles < 65535 ? tiles : 65535));
  turn_frames<<<blocks, dim3(TILE, TILE_ROWS), 0, stream>>>(
      series->frames, series->device_order, series->n_atoms, series->n_frames, series->row, to);
  return cudaGetLastError();
}

DebyeStatusCode
debye_series_block_set(DebyeSeriesBlock *series, const DebyeSelfBlock *block, cudaStream_t stream,
                       DebyeStatus *status)
{
  series->n_atoms = block->n_atoms;
  debye_self_sort_atoms(block, series->n_groups, series->order, series->group_end);
  if (block->n_atoms == 0)
    return debye_status_ok(status);
  const float *from[3] = {block->x, block->y, block->z};
  cudaError_t error = cudaMemcpyAsync(series->device_order, series->order, block->n_atoms * sizeof(uint32_t),
                                      cudaMemcpyHostToDevice, stream);
  for (int axis = 0; axis < 3 && error == cudaSuccess; axis++)
    error = set_axis(series, from[axis], block->stride, series->position[axis], stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(stream);
  return debye_cuda_status(error, "copying the atoms' courses", status);
}

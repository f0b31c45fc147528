/* SPDX-License-Identifier: MIT */
/* The teaching variants on a GPU as the field's lectures present them, each a step from the one before; the
 * CPU's are cpu/ladder/ladder_steps.c and cpu/ladder/ladder_blocked.c. All but the first add a part of the
 * atoms to the map, and work on planes [first_plane, first_plane + gridDim.z). */
#pragma once

#include "kernels/ladder/ladder_math.h"
#include "ladder_parts.cuh"

/* In constant memory, which hands one address to all lanes of a warp at once. */
static __constant__ float4 debye_ladder_bank[DEBYE_LADDER_BANK_ATOMS];

/* Points of a thread, and threads of a block in x and y, of the unrolled variants. */
#define DEBYE_LADDER_POINTS 8
#define DEBYE_LADDER_LANES 16
#define DEBYE_LADDER_ROWS 8
#define DEBYE_LADDER_WIDTH (DEBYE_LADDER_POINTS * DEBYE_LADDER_LANES)
#define DEBYE_LADDER_SHARED_ATOMS 256
/* Threads of a block: of the scatter kernel, and along an edge of the plain gather kernels. */
#define DEBYE_LADDER_SCATTER_THREADS 256
#define DEBYE_LADDER_EDGE 16

static __device__ __forceinline__ float *
debye_ladder_row(const DebyeLadderLaunch &launch, unsigned j, unsigned k)
{
  return launch.map + ((size_t)k * launch.shape[1] + j) * launch.shape[0];
}

/* Scatter: a thread an atom, which adds itself to every point. All threads walk the map in step, so that they
 * meet at the same points. */
static __global__ void
debye_ladder_scatter(const __grid_constant__ DebyeLadderLaunch launch, unsigned n_planes)
{
  const unsigned i_atom = blockIdx.x * blockDim.x + threadIdx.x;
  if (i_atom >= launch.n_atoms)
    return;
  const float4 atom = launch.atoms[i_atom];
  for (unsigned k = launch.first_plane; k < launch.first_plane + n_planes; k++)
    for (unsigned j = 0; j < launch.shape[1]; j++) {
      float *row = debye_ladder_row(launch, j, k);
      const float dy = (float)j * launch.step[1] - atom.y, dz = (float)k * launch.step[2] - atom.z;
      for (unsigned i = 0; i < launch.shape[0]; i++) {
        const float dx = (float)i * launch.step[0] - atom.x;
        atomicAdd(row + i, debye_ladder_term(atom.w, dx * dx + dy * dy + dz * dz, launch.core2));
      }
    }
}

/* Gather: a thread a point, which sums over the atoms in constant memory. */
static __global__ void
debye_ladder_gather(const __grid_constant__ DebyeLadderLaunch launch)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned k = launch.first_plane + blockIdx.z;
  if (i >= launch.shape[0] || j >= launch.shape[1])
    return;
  const float x = (float)i * launch.step[0], y = (float)j * launch.step[1], z = (float)k * launch.step[2];
  float sum = 0.0f;
  for (unsigned a = 0; a < launch.n_atoms; a++) {
    const float4 atom = debye_ladder_bank[a];
    const float dx = x - atom.x, dy = y - atom.y, dz = z - atom.z;
    sum += debye_ladder_term(atom.w, dx * dx + dy * dy + dz * dz, launch.core2);
  }
  debye_ladder_row(launch, j, k)[i] += sum;
}

/* dz² of the bank's atoms for each plane, a block a plane. */
static __global__ void
debye_ladder_fill_squares(const __grid_constant__ DebyeLadderLaunch launch, float *squares)
{
  const unsigned a = threadIdx.x, plane = blockIdx.x;
  const float dz = (float)(launch.first_plane + plane) * launch.step[2] - debye_ladder_bank[a].z;
  squares[plane * DEBYE_LADDER_BANK_ATOMS + a] = dz * dz;
}

/* + dz² beforehand. */
static __global__ void
debye_ladder_squares_before(const __grid_constant__ DebyeLadderLaunch launch,
                            const float *__restrict__ squares)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= launch.shape[0] || j >= launch.shape[1])
    return;
  const float *dz2 = squares + blockIdx.z * DEBYE_LADDER_BANK_ATOMS;
  const float x = (float)i * launch.step[0], y = (float)j * launch.step[1];
  float sum = 0.0f;
  for (unsigned a = 0; a < launch.n_atoms; a++) {
    const float4 atom = debye_ladder_bank[a];
    const float dx = x - atom.x, dy = y - atom.y;
    sum += debye_ladder_term(atom.w, dx * dx + dy * dy + __ldg(dz2 + a), launch.core2);
  }
  debye_ladder_row(launch, j, launch.first_plane + blockIdx.z)[i] += sum;
}

/* Adds an atom to the thread's points, `apart` points from one to the next. */
static __device__ __forceinline__ void
debye_ladder_add_to_points(const DebyeLadderLaunch &launch, unsigned first, unsigned apart, float4 atom,
                           float square, float (&sum)[DEBYE_LADDER_POINTS])
{
#pragma unroll
  for (unsigned p = 0; p < DEBYE_LADDER_POINTS; p++) {
    const float dx = (float)(first + p * apart) * launch.step[0] - atom.x;
    sum[p] += debye_ladder_term(atom.w, dx * dx + square, launch.core2);
  }
}

static __device__ __forceinline__ void
debye_ladder_store_points(const DebyeLadderLaunch &launch, unsigned first, unsigned apart, unsigned j,
                          unsigned k, const float (&sum)[DEBYE_LADDER_POINTS])
{
#pragma unroll
  for (unsigned p = 0; p < DEBYE_LADDER_POINTS; p++)
    if (first + p * apart < launch.shape[0])
      debye_ladder_row(launch, j, k)[first + p * apart] += sum[p];
}

/* + unrolled in x: eight neighbours a thread. */
static __global__ void
debye_ladder_unrolled(const __grid_constant__ DebyeLadderLaunch launch, const float *__restrict__ squares)
{
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * DEBYE_LADDER_POINTS;
  const unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
  if (first >= launch.shape[0] || j >= launch.shape[1])
    return;
  const float *dz2 = squares + blockIdx.z * DEBYE_LADDER_BANK_ATOMS;
  const float y = (float)j * launch.step[1];
  float sum[DEBYE_LADDER_POINTS] = {};
  for (unsigned a = 0; a < launch.n_atoms; a++) {
    const float4 atom = debye_ladder_bank[a];
    const float dy = y - atom.y;
    debye_ladder_add_to_points(launch, first, 1, atom, dy * dy + __ldg(dz2 + a), sum);
  }
  debye_ladder_store_points(launch, first, 1, j, launch.first_plane + blockIdx.z, sum);
}

/* + shared memory: the block brings the atoms, tile by tile, and squares dz once for all its threads; all
 * atoms in one launch. COALESCED: + a thread's points a row of threads apart, so that neighbouring threads
 * store neighbouring points. */
template <bool COALESCED>
static __global__ void
debye_ladder_shared(const __grid_constant__ DebyeLadderLaunch launch)
{
  __shared__ float4 tile[DEBYE_LADDER_SHARED_ATOMS];
  const unsigned block = blockIdx.x * DEBYE_LADDER_WIDTH, j = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned first = block + (COALESCED ? threadIdx.x : threadIdx.x * DEBYE_LADDER_POINTS);
  const unsigned apart = COALESCED ? DEBYE_LADDER_LANES : 1, k = launch.first_plane + blockIdx.z;
  const unsigned thread = threadIdx.y * DEBYE_LADDER_LANES + threadIdx.x;
  const float y = (float)j * launch.step[1], z = (float)k * launch.step[2];
  float sum[DEBYE_LADDER_POINTS] = {};
  for (unsigned begin = 0; begin < launch.n_atoms; begin += DEBYE_LADDER_SHARED_ATOMS) {
    const unsigned count = min(DEBYE_LADDER_SHARED_ATOMS, launch.n_atoms - begin);
    for (unsigned a = thread; a < count; a += DEBYE_LADDER_LANES * DEBYE_LADDER_ROWS) {
      const float4 atom = launch.atoms[begin + a];
      const float dz = z - atom.z;
      tile[a] = make_float4(atom.x, atom.y, dz * dz, atom.w);
    }
    __syncthreads();
    for (unsigned a = 0; a < count; a++) {
      const float4 atom = tile[a];
      const float dy = y - atom.y;
      debye_ladder_add_to_points(launch, first, apart, atom, dy * dy + atom.z, sum);
    }
    __syncthreads();
  }
  if (j < launch.shape[1])
    debye_ladder_store_points(launch, first, apart, j, k, sum);
}

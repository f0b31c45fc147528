/* SPDX-License-Identifier: MIT */
/* Multigrid of the Poisson-Boltzmann equation on a GPU: coarser operators and one V-cycle; called by poisson.cu. Its twin is
 * cpu/poisson/poisson_levels.c. */
#include "poisson_grid.cuh"

#define THREADS_X 32
#define THREADS_Y 8
#define COARSEST_THREADS 512

/* How far a neighbor of a coarse point's fine one counts. */
static __device__ __forceinline__ float
share(int offset)
{
  return offset == 0 ? 1.0f : 0.5f;
}

static dim3
blocks_of(int x, int y, int z)
{
  return dim3((unsigned)(x + THREADS_X - 1) / THREADS_X, (unsigned)(y + THREADS_Y - 1) / THREADS_Y,
              (unsigned)z);
}

/* The coarse point of a thread, outer ones at the low ends with them; false beyond. */
static __device__ __forceinline__ bool
coarse_point(const DebyeCudaPoissonGrid &coarse, int at[3])
{
  at[0] = (int)(blockIdx.x * THREADS_X + threadIdx.x);
  at[1] = (int)(blockIdx.y * THREADS_Y + threadIdx.y);
  at[2] = (int)blockIdx.z;
  return at[0] + 1 < coarse.shape[0] && at[1] + 1 < coarse.shape[1] && at[2] + 1 < coarse.shape[2];
}

static __global__ void
coarsen(const __grid_constant__ DebyeCudaPoissonGrid fine,
        const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!coarse_point(coarse, at))
    return;
  const ptrdiff_t step[3] = {1, (ptrdiff_t)fine.y, (ptrdiff_t)fine.z};
  const size_t from = 2 * (at[0] + fine.y * at[1] + fine.z * at[2]);
  const size_t to = at[0] + coarse.y * at[1] + coarse.z * at[2];
  for (int axis = 0; axis < 3; axis++) {
    const int one = (axis + 1) % 3, other = (axis + 2) % 3;
    float sum = 0.0f;
    if (at[one] == 0 || at[other] == 0)
      continue;
    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++) {
        const float *line = fine.along[axis] + from + i * step[one] + j * step[other];
        sum += share(i) * share(j) * (line[0] * line[step[axis]] / (line[0] + line[step[axis]]));
      }
    coarse.along[axis][to] = sum;
  }
}

static __global__ void
coarsen_screening(const __grid_constant__ DebyeCudaPoissonGrid fine,
                  const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!coarse_point(coarse, at) || at[0] == 0 || at[1] == 0 || at[2] == 0)
    return;
  const float *from = fine.screening + 2 * (at[0] + fine.y * at[1] + fine.z * at[2]);
  float sum = 0.0f;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      for (int k = -1; k <= 1; k++)
        sum += share(i) * share(j) * share(k) * from[i + j * (ptrdiff_t)fine.y + k * (ptrdiff_t)fine.z];
  coarse.screening[at[0] + coarse.y * at[1] + coarse.z * at[2]] = sum;
}

void
debye_cuda_poisson_coarsen_screening(const DebyeCudaPoissonLevels *levels, DebyeStream *stream)
{
  debye_cuda_poisson_wrap(&levels->grids[0], levels->grids[0].screening, stream);
  for (size_t i = 1; i < levels->n_levels && debye_stream_is_good(stream); i++) {
    const DebyeCudaPoissonGrid &coarse = levels->grids[i];
    coarsen_screening<<<blocks_of(coarse.shape[0], coarse.shape[1], coarse.shape[2]),
                        dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(levels->grids[i - 1], coarse);
    debye_stream_note_launch(stream);
    debye_cuda_poisson_wrap(&coarse, coarse.screening, stream);
  }
}

void
debye_cuda_poisson_coarsen(const DebyeCudaPoissonLevels *levels, DebyeStream *stream)
{
  for (size_t i = 1; i < levels->n_levels && debye_stream_is_good(stream); i++) {
    const DebyeCudaPoissonGrid &coarse = levels->grids[i];
    coarsen<<<blocks_of(coarse.shape[0], coarse.shape[1], coarse.shape[2]), dim3(THREADS_X, THREADS_Y), 0,
              stream->handle>>>(levels->grids[i - 1], coarse);
    debye_stream_note_launch(stream);
    for (float *along : coarse.along)
      debye_cuda_poisson_wrap(&coarse, along, stream);
  }
  debye_cuda_poisson_coarsen_screening(levels, stream);
}

static __device__ __forceinline__ float
relaxed(const DebyeCudaPoissonGrid &grid, size_t i)
{
  const float xl = grid.along[0][i - 1], xh = grid.along[0][i], yl = grid.along[1][i - grid.y];
  const float yh = grid.along[1][i], zl = grid.along[2][i - grid.z], zh = grid.along[2][i];
  const float *values = grid.values;
  const float sum = grid.right[i] + xl * values[i - 1] + xh * values[i + 1] + yl * values[i - grid.y] +
                    yh * values[i + grid.y] + zl * values[i - grid.z] + zh * values[i + grid.z];
  return sum / (xl + xh + yl + yh + zl + zh + grid.screening[i]);
}

/* One colour. The first of a cycle begins with no values: those of the other colour don't count. */
template <bool FIRST>
static __global__ void
relax(const __grid_constant__ DebyeCudaPoissonGrid grid, int colour)
{
  const int y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1, z = (int)blockIdx.z + 1;
  const int x = 2 * (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1 + (y + z - 1 + colour) % 2;
  if (x + 1 >= grid.shape[0] || y + 1 >= grid.shape[1])
    return;
  const size_t i = x + grid.y * y + grid.z * z;
  if (FIRST)
    grid.values[i] =
        grid.right[i] / (grid.along[0][i - 1] + grid.along[0][i] + grid.along[1][i - grid.y] +
                         grid.along[1][i] + grid.along[2][i - grid.z] + grid.along[2][i] + grid.screening[i]);
  else
    grid.values[i] = relaxed(grid, i);
}

static __global__ void
subtract(const __grid_constant__ DebyeCudaPoissonGrid grid)
{
  const int x = (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1,
            y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  const int z = (int)blockIdx.z + 1;
  if (x + 1 >= grid.shape[0] || y + 1 >= grid.shape[1])
    return;
  const size_t i = x + grid.y * y + grid.z * z;
  grid.left[i] = grid.right[i] - debye_poisson_apply(grid, (const float *)grid.values, i);
}

static __global__ void
restrict_left(const __grid_constant__ DebyeCudaPoissonGrid fine,
              const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!coarse_point(coarse, at) || at[0] == 0 || at[1] == 0 || at[2] == 0)
    return;
  const float *from = fine.left + 2 * (at[0] + fine.y * at[1] + fine.z * at[2]);
  float sum = 0.0f;
  for (int k = -1; k <= 1; k++)
    for (int j = -1; j <= 1; j++) {
      const float *row = from + j * (ptrdiff_t)fine.y + k * (ptrdiff_t)fine.z;
      sum += share(j) * share(k) * (row[0] + 0.5f * (row[-1] + row[1]));
    }
  coarse.right[at[0] + coarse.y * at[1] + coarse.z * at[2]] = sum;
}

static __global__ void
interpolate(const __grid_constant__ DebyeCudaPoissonGrid fine,
            const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  const int x = (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1,
            y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  const int z = (int)blockIdx.z + 1;
  if (x + 1 >= fine.shape[0] || y + 1 >= fine.shape[1])
    return;
  const float *from = coarse.values + (x / 2 + coarse.y * (y / 2) + coarse.z * (z / 2));
  const size_t step_x = x % 2, step_y = y % 2 * coarse.y, step_z = z % 2 * coarse.z;
  const float low = from[0] + from[step_y] + from[step_z] + from[step_y + step_z];
  const float high =
      from[step_x] + from[step_x + step_y] + from[step_x + step_z] + from[step_x + step_y + step_z];
  fine.values[x + fine.y * y + fine.z * z] += 0.125f * (low + high);
}

/* Periodic copies of a small grid's values, by one block. */
static __device__ void
wrap_block(const DebyeCudaPoissonGrid &grid)
{
  const size_t step[3] = {1, grid.y, grid.z};
  for (int axis = 0; axis < 3; axis++) {
    const int one = axis == 0 ? 1 : 0, other = axis == 2 ? 1 : 2, n = grid.shape[one] * grid.shape[other];
    const size_t last = (size_t)grid.shape[axis] - 1;
    for (int k = (int)threadIdx.x; k < n && grid.periodic[axis]; k += COARSEST_THREADS) {
      float *line = grid.values + k % grid.shape[one] * step[one] + k / grid.shape[one] * step[other];
      line[0] = line[(last - 1) * step[axis]];
      line[last * step[axis]] = line[step[axis]];
    }
    __syncthreads();
  }
}

/* All sweeps of the coarsest grid in one block. */
static __global__ void
__launch_bounds__(COARSEST_THREADS)
    relax_coarsest(const __grid_constant__ DebyeCudaPoissonGrid grid, int sweeps)
{
  const int nx = grid.shape[0] - 2, ny = grid.shape[1] - 2, n = nx * ny * (grid.shape[2] - 2);
  for (int i = (int)threadIdx.x; i < n; i += COARSEST_THREADS)
    grid.values[i % nx + 1 + grid.y * (i / nx % ny + 1) + grid.z * (i / nx / ny + 1)] = 0.0f;
  __syncthreads();
  wrap_block(grid);
  for (int half = 0; half < 4 * sweeps; half++) {
    /* Colours 0, 1, 0, 1, … and then 1, 0, 1, 0, …: symmetric. */
    const int colour = half < 2 * sweeps ? half % 2 : 1 - half % 2;
    for (int i = (int)threadIdx.x; i < n; i += COARSEST_THREADS) {
      const int x = i % nx + 1, y = i / nx % ny + 1, z = i / nx / ny + 1;
      const size_t at = x + grid.y * y + grid.z * z;
      if ((x + y + z + colour) % 2 == 0)
        grid.values[at] = relaxed(grid, at);
    }
    __syncthreads();
    wrap_block(grid);
  }
}

template <bool FIRST>
static void
launch_relax(const DebyeCudaPoissonGrid &grid, int colour, DebyeStream *stream)
{
  relax<FIRST><<<blocks_of((grid.shape[0] - 1) / 2, grid.shape[1] - 2, grid.shape[2] - 2),
                 dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(grid, colour);
  debye_stream_note_launch(stream);
  debye_cuda_poisson_wrap(&grid, grid.values, stream);
}

static void
descend(const DebyeCudaPoissonGrid &fine, const DebyeCudaPoissonGrid &coarse, DebyeStream *stream)
{
  launch_relax<true>(fine, 0, stream);
  launch_relax<false>(fine, 1, stream);
  subtract<<<blocks_of(fine.shape[0] - 2, fine.shape[1] - 2, fine.shape[2] - 2), dim3(THREADS_X, THREADS_Y),
             0, stream->handle>>>(fine);
  debye_cuda_poisson_wrap(&fine, fine.left, stream);
  restrict_left<<<blocks_of(coarse.shape[0], coarse.shape[1], coarse.shape[2]), dim3(THREADS_X, THREADS_Y), 0,
                  stream->handle>>>(fine, coarse);
  debye_stream_note_launch(stream);
}

static void
ascend(const DebyeCudaPoissonGrid &fine, const DebyeCudaPoissonGrid &coarse, DebyeStream *stream)
{
  interpolate<<<blocks_of(fine.shape[0] - 2, fine.shape[1] - 2, fine.shape[2] - 2),
                dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(fine, coarse);
  debye_cuda_poisson_wrap(&fine, fine.values, stream);
  launch_relax<false>(fine, 1, stream);
  launch_relax<false>(fine, 0, stream);
}

void
debye_cuda_poisson_cycle(const DebyeCudaPoissonLevels *levels, DebyeStream *stream)
{
  const DebyeCudaPoissonGrid &last = levels->grids[levels->n_levels - 1];
  int largest = last.shape[0] > last.shape[1] ? last.shape[0] : last.shape[1];
  largest = largest > last.shape[2] ? largest : last.shape[2];
  for (size_t i = 0; i + 1 < levels->n_levels && debye_stream_is_good(stream); i++)
    descend(levels->grids[i], levels->grids[i + 1], stream);
  if (!debye_stream_is_good(stream))
    return;
  relax_coarsest<<<1, COARSEST_THREADS, 0, stream->handle>>>(last, largest);
  debye_stream_note_launch(stream);
  for (size_t i = levels->n_levels - 1; i-- > 0 && debye_stream_is_good(stream);)
    ascend(levels->grids[i], levels->grids[i + 1], stream);
}

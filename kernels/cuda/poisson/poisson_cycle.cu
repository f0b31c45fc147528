/* SPDX-License-Identifier: MIT */
/* Multigrid of the Poisson-Boltzmann equation on a GPU: one V-cycle; called by poisson.cu, of slabs step by step by
 * poisson_slabs.cu. Its twin is cpu/poisson/poisson_levels.c. */
#include "poisson_sweeps.cuh"

#define THREADS_X DEBYE_POISSON_THREADS_X
#define THREADS_Y DEBYE_POISSON_THREADS_Y
#define COARSEST_THREADS 512
/* Inner points of a coarsest grid whose threads have one each, and all of its points. */
#define SMALL_INNER 1024
#define SMALL_POINTS 4096

static __device__ __forceinline__ float
flow_in(const DebyeCudaPoissonGrid &grid, const float *values, uint32_t i)
{
  return debye_poisson_flow_in(grid, i, [values](uint32_t at, int, int, int) { return values[at]; });
}

/* The point of a thread, of a colour: even ones have an even sum of places. False beyond the grid. */
static __device__ __forceinline__ bool
coloured_point(const DebyeCudaPoissonGrid &grid, int colour, int at[3])
{
  at[1] = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  at[2] = (int)blockIdx.z + 1;
  at[0] = 2 * (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1 + (at[1] + at[2] - 1 + colour) % 2;
  return at[0] + 1 < grid.shape[0] && at[1] + 1 < grid.shape[1];
}

/* The first sweep, from nothing. Even points are right·inverse then, which isn't written: whoever needs them computes them. */
static __global__ void
relax_first(const __grid_constant__ DebyeCudaPoissonGrid grid)
{
  int at[3];
  if (!coloured_point(grid, 1, at))
    return;
  const uint32_t i = at[0] + grid.y * at[1] + grid.z * at[2];
  const float *right = grid.right, *inverse = grid.inverse;
  const float flow =
      debye_poisson_flow_in(grid, i, [=](uint32_t k, int, int, int) { return right[k] * inverse[k]; });
  grid.values[i] = (right[i] + flow) * inverse[i];
}

/* What the first sweep leaves: nothing at odd points, and at even ones what flows in from the odd. */
static __global__ void
leave(const __grid_constant__ DebyeCudaPoissonGrid grid)
{
  int at[3];
  if (!coloured_point(grid, 0, at))
    return;
  const uint32_t i = at[0] + grid.y * at[1] + grid.z * at[2];
  grid.left[i] = flow_in(grid, grid.values, i);
}

/* Full weighting about a point; an odd number of odd places makes an odd point, where nothing is left. */
static __device__ __forceinline__ float
weigh(const float *from, ptrdiff_t y, ptrdiff_t z)
{
  float sum = 0.0f;
  for (int sign = -1; sign <= 1; sign += 2)
    sum += from[sign * y - 1] + from[sign * y + 1] + from[sign * z - 1] + from[sign * z + 1] +
           from[sign * z - y] + from[sign * z + y];
  return from[0] + 0.25f * sum;
}

static __global__ void
restrict_left(const __grid_constant__ DebyeCudaPoissonGrid fine,
              const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!debye_poisson_coarse_point(coarse, at) || at[0] == 0 || at[1] == 0 || at[2] == 0)
    return;
  const float *from = fine.left + 2 * (at[0] + fine.y * at[1] + fine.z * at[2]);
  coarse.right[at[0] + coarse.y * at[1] + coarse.z * at[2]] =
      weigh(from, (ptrdiff_t)fine.y, (ptrdiff_t)fine.z);
}

/* Odd points of the second sweep, from what the first left even ones and the coarser grid adds to them. Neither is
 * written: after this the even ones are new. */
static __global__ void
relax_odd(const __grid_constant__ DebyeCudaPoissonGrid grid,
          const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!coloured_point(grid, 1, at))
    return;
  const uint32_t i = at[0] + grid.y * at[1] + grid.z * at[2];
  const int x = at[0], y = at[1], z = at[2];
  const float *right = grid.right, *inverse = grid.inverse;
  const float flow = debye_poisson_flow_in(grid, i, [&](uint32_t k, int dx, int dy, int dz) {
    return right[k] * inverse[k] + interpolated(coarse, x + dx, y + dy, z + dz);
  });
  grid.values[i] = (right[i] + flow) * inverse[i];
}

static __global__ void
relax_even(const __grid_constant__ DebyeCudaPoissonGrid grid)
{
  int at[3];
  if (!coloured_point(grid, 0, at))
    return;
  const uint32_t i = at[0] + grid.y * at[1] + grid.z * at[2];
  grid.values[i] = (grid.right[i] + flow_in(grid, grid.values, i)) * grid.inverse[i];
}

/* The same on the finest grid, with the product: an even point's, and that of the odd one beside it. */
static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS, 6) relax_last(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                                       const __grid_constant__ DebyeCudaPoissonSums sums)
{
  double sum = 0.0, whole;
  const int pair = (int)(blockIdx.x * THREADS_X + threadIdx.x),
            y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  int z, end;
  debye_poisson_planes(grid, &z, &end);
  for (; z < end && y + 1 < grid.shape[1]; z++) {
    const int offset = (y + z - 1) % 2, x = 2 * pair + 1 + offset, beside = 2 * pair + 2 - offset;
    const uint32_t row = grid.y * y + grid.z * z, i = row + x, k = row + beside;
    if (x + 1 < grid.shape[0]) {
      const float right = grid.right[i], value = (right + flow_in(grid, grid.values, i)) * grid.inverse[i];
      grid.values[i] = value;
      sum += (double)(right * value);
    }
    if (beside + 1 < grid.shape[0])
      sum += (double)(grid.right[k] * grid.values[k]);
  }
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_product(sums, whole);
}

/* The product of a grid that has no coarser ones. */
static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS) multiply(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                                  const __grid_constant__ DebyeCudaPoissonSums sums)
{
  double sum = 0.0, whole;
  debye_poisson_over_inner(
      grid, [&](size_t i, const int *) { sum += (double)grid.right[i] * (double)grid.values[i]; });
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_product(sums, whole);
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

/* Whether the sweep number `half` of one colour is that of even or odd points:
 * 0, 1, 0, 1, … and then 1, 0, 1, 0, …: symmetric. */
static __device__ __forceinline__ int
colour_of(int half, int sweeps)
{
  return half < 2 * sweeps ? half % 2 : 1 - half % 2;
}

/* All sweeps of a coarsest grid whose points within have a thread each of the first of a block, and keep their part of the
 * operator at hand. values: of all its points, in shared memory. */
static __device__ __forceinline__ void
relax_shared(const DebyeCudaPoissonGrid &grid, int sweeps, float right, float *values)
{
  const int nx = grid.shape[0] - 2, ny = grid.shape[1] - 2, n = nx * ny * (grid.shape[2] - 2),
            k = (int)threadIdx.x;
  const int x = k % nx + 1, y = k / nx % ny + 1, z = k / nx / ny + 1;
  const int step_y = (int)grid.y, step_z = (int)grid.z, i = x + step_y * y + step_z * z;
  float along[6] = {}, inverse = 0.0f;
  for (int at = k; at < (int)grid.n; at += (int)blockDim.x)
    values[at] = 0.0f;
  if (k < n) {
    for (int axis = 0; axis < 3; axis++) {
      along[2 * axis] = debye_poisson_rough(grid, axis, i - (axis == 0 ? 1 : axis == 1 ? step_y : step_z));
      along[2 * axis + 1] = debye_poisson_rough(grid, axis, i);
    }
    inverse = grid.inverse[i];
  }
  for (int half = 0; half < 4 * sweeps; half++) {
    __syncthreads();
    if (k < n && (x + y + z + colour_of(half, sweeps)) % 2 == 0)
      values[i] =
          (right + along[0] * values[i - 1] + along[1] * values[i + 1] + along[2] * values[i - step_y] +
           along[3] * values[i + step_y] + along[4] * values[i - step_z] + along[5] * values[i + step_z]) *
          inverse;
  }
}

static __global__ void
__launch_bounds__(SMALL_INNER) relax_small(const __grid_constant__ DebyeCudaPoissonGrid grid, int sweeps)
{
  __shared__ float values[SMALL_POINTS];
  const int nx = grid.shape[0] - 2, ny = grid.shape[1] - 2, n = nx * ny * (grid.shape[2] - 2),
            k = (int)threadIdx.x;
  const size_t i = k % nx + 1 + grid.y * (k / nx % ny + 1) + grid.z * (k / nx / ny + 1);
  relax_shared(grid, sweeps, k < n ? grid.right[i] : 0.0f, values);
  if (k < n)
    grid.values[i] = values[i];
}

/* The same of any grid. */
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
    const int colour = colour_of(half, sweeps);
    for (int i = (int)threadIdx.x; i < n; i += COARSEST_THREADS) {
      const int x = i % nx + 1, y = i / nx % ny + 1, z = i / nx / ny + 1;
      const size_t at = x + grid.y * y + grid.z * z;
      if ((x + y + z + colour) % 2 == 0)
        grid.values[at] = (grid.right[at] + flow_in(grid, grid.values, at)) * grid.inverse[at];
    }
    __syncthreads();
    wrap_block(grid);
  }
}

/* Blocks for the points of one colour. */
static dim3
blocks_of_colour(const DebyeCudaPoissonGrid &grid)
{
  return debye_poisson_blocks((grid.shape[0] - 1) / 2, grid.shape[1] - 2, grid.shape[2] - 2);
}

void
debye_cuda_poisson_sweep(DebyeCudaPoissonSweep sweep, const DebyeCudaPoissonGrid *fine,
                         const DebyeCudaPoissonGrid *coarse, const DebyeCudaPoissonSums *sums,
                         DebyeStream *stream)
{
  const dim3 threads(THREADS_X, THREADS_Y), blocks = blocks_of_colour(*fine);
  if (!debye_stream_is_good(stream))
    return;
  switch (sweep) {
  case DEBYE_POISSON_SWEEP_FIRST:
    relax_first<<<blocks, threads, 0, stream->handle>>>(*fine);
    break;
  case DEBYE_POISSON_SWEEP_LEAVE:
    leave<<<blocks, threads, 0, stream->handle>>>(*fine);
    break;
  case DEBYE_POISSON_SWEEP_RESTRICT:
    restrict_left<<<debye_poisson_blocks(coarse->shape[0], coarse->shape[1], coarse->shape[2]), threads, 0,
                    stream->handle>>>(*fine, *coarse);
    break;
  case DEBYE_POISSON_SWEEP_ODD:
    relax_odd<<<blocks, threads, 0, stream->handle>>>(*fine, *coarse);
    break;
  case DEBYE_POISSON_SWEEP_EVEN:
    if (sums == NULL)
      relax_even<<<blocks, threads, 0, stream->handle>>>(*fine);
    else
      relax_last<<<debye_poisson_tiles(fine->shape[0] / 2, fine->shape[1] - 2, fine->shape[2] - 2), threads,
                   0, stream->handle>>>(*fine, *sums);
    break;
  }
  debye_stream_note_launch(stream);
}

static void
descend(const DebyeCudaPoissonGrid &fine, const DebyeCudaPoissonGrid &coarse, DebyeStream *stream)
{
  if (debye_cuda_poisson_has_tiles(&fine)) {
    debye_cuda_poisson_descend_tiles(&fine, &coarse, stream);
    return;
  }
  debye_cuda_poisson_wrap(&fine, fine.right, stream);
  debye_cuda_poisson_sweep(DEBYE_POISSON_SWEEP_FIRST, &fine, &coarse, NULL, stream);
  debye_cuda_poisson_wrap(&fine, fine.values, stream);
  debye_cuda_poisson_sweep(DEBYE_POISSON_SWEEP_LEAVE, &fine, &coarse, NULL, stream);
  debye_cuda_poisson_wrap(&fine, fine.left, stream);
  debye_cuda_poisson_sweep(DEBYE_POISSON_SWEEP_RESTRICT, &fine, &coarse, NULL, stream);
}

/* sums: of the finest grid; else NULL. */
static void
ascend(const DebyeCudaPoissonGrid &fine, const DebyeCudaPoissonGrid &coarse, const DebyeCudaPoissonSums *sums,
       DebyeStream *stream)
{
  if (debye_cuda_poisson_has_tiles(&fine)) {
    debye_cuda_poisson_ascend_tiles(&fine, &coarse, sums, stream);
    return;
  }
  debye_cuda_poisson_sweep(DEBYE_POISSON_SWEEP_ODD, &fine, &coarse, NULL, stream);
  debye_cuda_poisson_wrap(&fine, fine.values, stream);
  debye_cuda_poisson_sweep(DEBYE_POISSON_SWEEP_EVEN, &fine, &coarse, sums, stream);
  debye_cuda_poisson_wrap(&fine, fine.values, stream);
}

static int
largest_axis(const DebyeCudaPoissonGrid &grid)
{
  const int largest = grid.shape[0] > grid.shape[1] ? grid.shape[0] : grid.shape[1];
  return largest > grid.shape[2] ? largest : grid.shape[2];
}

static bool
is_periodic(const DebyeCudaPoissonGrid &grid)
{
  return grid.periodic[0] || grid.periodic[1] || grid.periodic[2];
}

static size_t
count_inner(const DebyeCudaPoissonGrid &grid)
{
  return ((size_t)grid.shape[0] - 2) * ((size_t)grid.shape[1] - 2) * ((size_t)grid.shape[2] - 2);
}

static void
solve_coarsest(const DebyeCudaPoissonGrid &last, DebyeStream *stream)
{
  const int largest = largest_axis(last);
  const size_t inner = count_inner(last);
  if (!is_periodic(last) && inner <= SMALL_INNER && last.n <= SMALL_POINTS)
    relax_small<<<1, ((unsigned)inner + 31) / 32 * 32, 0, stream->handle>>>(last, largest);
  else
    relax_coarsest<<<1, COARSEST_THREADS, 0, stream->handle>>>(last, largest);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_cycle(const DebyeCudaPoissonLevels *levels, size_t first, const DebyeCudaPoissonSums *sums,
                         DebyeStream *stream)
{
  const DebyeCudaPoissonGrid *grids = levels->grids;
  for (size_t i = first; i + 1 < levels->n_levels && debye_stream_is_good(stream); i++)
    descend(grids[i], grids[i + 1], stream);
  if (!debye_stream_is_good(stream))
    return;
  solve_coarsest(grids[levels->n_levels - 1], stream);
  if (levels->n_levels == 1)
    multiply<<<debye_poisson_inner_tiles(grids), dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(grids[0],
                                                                                                  *sums);
  for (size_t i = levels->n_levels - 1; i-- > first && debye_stream_is_good(stream);)
    ascend(grids[i], grids[i + 1], i == 0 ? sums : NULL, stream);
}

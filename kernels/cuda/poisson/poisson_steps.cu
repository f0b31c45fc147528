/* SPDX-License-Identifier: MIT */
/* What conjugate gradients do beside the cycle on a GPU; called by poisson.cu. Scalars stay on the device, so that an
 * iteration needs nothing of the host. */
#include "kernels/poisson/poisson_math.h"
#include "poisson_grid.cuh"

#define THREADS 256

/* Adds a block's value to the sum; true in the block that comes last, whose first thread then has the whole of it. The order
 * of the additions is always the same. */
static __device__ bool
add_blocks(const DebyeCudaPoissonSums &sums, double value, double *whole)
{
  __shared__ double parts[THREADS];
  __shared__ bool is_last;
  const unsigned thread = threadIdx.x;
  parts[thread] = value;
  __syncthreads();
  for (unsigned width = THREADS / 2; width > 0; width /= 2) {
    if (thread < width)
      parts[thread] += parts[thread + width];
    __syncthreads();
  }
  if (thread == 0) {
    sums.of_blocks[blockIdx.x] = parts[0];
    __threadfence();
    is_last = atomicInc(sums.n_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last)
    return false;
  __threadfence();
  double sum = 0.0;
  for (unsigned block = thread; block < gridDim.x; block += THREADS)
    sum += *(volatile double *)&sums.of_blocks[block];
  parts[thread] = sum;
  __syncthreads();
  for (unsigned width = THREADS / 2; width > 0; width /= 2) {
    if (thread < width)
      parts[thread] += parts[thread + width];
    __syncthreads();
  }
  *whole = parts[0];
  return thread == 0;
}

/* The point number `inner` of those within. */
static __device__ __forceinline__ size_t
inner_point(const DebyeCudaPoissonGrid &grid, size_t inner, int at[3])
{
  const size_t nx = (size_t)grid.shape[0] - 2, ny = (size_t)grid.shape[1] - 2;
  at[0] = (int)(inner % nx) + 1;
  at[1] = (int)(inner / nx % ny) + 1;
  at[2] = (int)(inner / nx / ny) + 1;
  return at[0] + grid.y * at[1] + grid.z * at[2];
}

static __host__ __device__ size_t
count_inner(const DebyeCudaPoissonGrid &grid)
{
  return ((size_t)grid.shape[0] - 2) * ((size_t)grid.shape[1] - 2) * ((size_t)grid.shape[2] - 2);
}

/* What the outer points bring to a point within. */
static __device__ double
outer_part(const DebyeCudaPoissonGrid &grid, const double *potential, size_t i, const int at[3])
{
  const size_t step[3] = {1, grid.y, grid.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (grid.periodic[axis])
      continue;
    if (at[axis] == 1)
      sum += (double)grid.along[axis][i - step[axis]] * potential[i - step[axis]];
    if (at[axis] + 2 == grid.shape[axis])
      sum += (double)grid.along[axis][i] * potential[i + step[axis]];
  }
  return sum;
}

static __global__ void
__launch_bounds__(THREADS)
    find_norm(const __grid_constant__ DebyeCudaPoissonGrid grid,
              const __grid_constant__ DebyeCudaPoissonSums sums, const float *source, const double *potential)
{
  double sum = 0.0, whole;
  for (size_t n = count_inner(grid), k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n;
       k += (size_t)gridDim.x * THREADS) {
    int at[3];
    const size_t i = inner_point(grid, k, at);
    const double right = (double)source[i] + outer_part(grid, potential, i, at);
    sum += right * right;
  }
  if (add_blocks(sums, sum, &whole))
    sums.scalars->norm2 = whole;
}

template <bool LINEAR>
static __global__ void
__launch_bounds__(THREADS) find_residual(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                         const __grid_constant__ DebyeCudaPoissonSums sums,
                                         const __grid_constant__ DebyeCudaPoissonEquation equation)
{
  double sum = 0.0, whole;
  for (size_t n = count_inner(grid), k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n;
       k += (size_t)gridDim.x * THREADS) {
    int at[3];
    const size_t i = inner_point(grid, k, at);
    const double potential = equation.potential[i], screening = (double)equation.screening[i];
    double answer = potential, slope = 1.0;
    if (!LINEAR && screening > 0.0)
      answer = debye_poisson_ions(&equation.salt, potential, &slope);
    const float left =
        (float)((double)equation.source[i] - debye_poisson_flow(grid, (const double *)equation.potential, i) -
                screening * answer);
    grid.right[i] = left;
    if (!LINEAR)
      grid.screening[i] = (float)(screening * slope);
    sum += (double)left * (double)left;
  }
  if (add_blocks(sums, sum, &whole)) {
    sums.scalars->norm2 = whole;
    sums.scalars->product = 0.0;
  }
}

static __global__ void
__launch_bounds__(THREADS) correct(size_t n, double part, const double *correction, double *potential)
{
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += (size_t)gridDim.x * THREADS)
    potential[k] += part * correction[k];
}

/* product = residual · correction, and what of the last direction is in the next. */
static __global__ void
__launch_bounds__(THREADS) multiply(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                    const __grid_constant__ DebyeCudaPoissonSums sums)
{
  double sum = 0.0, whole;
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < grid.n; k += (size_t)gridDim.x * THREADS)
    sum += (double)grid.right[k] * (double)grid.values[k];
  if (add_blocks(sums, sum, &whole)) {
    const double before = sums.scalars->product;
    sums.scalars->scale = before > 0.0 ? whole / before : 0.0;
    sums.scalars->product = whole;
  }
}

static __global__ void
__launch_bounds__(THREADS) turn(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                const DebyeCudaPoissonScalars *scalars, float *direction)
{
  const float scale = (float)scalars->scale;
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < grid.n; k += (size_t)gridDim.x * THREADS)
    direction[k] = scale == 0.0f ? grid.values[k] : scale * direction[k] + grid.values[k];
}

/* left = A·direction */
static __global__ void
__launch_bounds__(THREADS) apply(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                 const __grid_constant__ DebyeCudaPoissonSums sums, const float *direction)
{
  double sum = 0.0, whole;
  for (size_t n = count_inner(grid), k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n;
       k += (size_t)gridDim.x * THREADS) {
    int at[3];
    const size_t i = inner_point(grid, k, at);
    const float applied = debye_poisson_apply(grid, direction, i);
    grid.left[i] = applied;
    sum += (double)direction[i] * (double)applied;
  }
  if (add_blocks(sums, sum, &whole)) {
    sums.scalars->curvature = whole;
    sums.scalars->step = whole > 0.0 ? sums.scalars->product / whole : 0.0;
  }
}

static __global__ void
__launch_bounds__(THREADS)
    advance(const __grid_constant__ DebyeCudaPoissonGrid grid,
            const __grid_constant__ DebyeCudaPoissonSums sums, const float *direction, double *solution)
{
  const double step = sums.scalars->step;
  double sum = 0.0, whole;
  for (size_t n = count_inner(grid), k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n;
       k += (size_t)gridDim.x * THREADS) {
    int at[3];
    const size_t i = inner_point(grid, k, at);
    const float left = (float)((double)grid.right[i] - step * (double)grid.left[i]);
    solution[i] += step * (double)direction[i];
    grid.right[i] = left;
    sum += (double)left * (double)left;
  }
  if (add_blocks(sums, sum, &whole))
    sums.scalars->norm2 = whole;
}

static unsigned
blocks_for(size_t n)
{
  const size_t blocks = (n + THREADS - 1) / THREADS;
  return (unsigned)(blocks < DEBYE_POISSON_SUMS ? blocks : DEBYE_POISSON_SUMS);
}

void
debye_cuda_poisson_residual(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                            const DebyeCudaPoissonEquation *equation, DebyeStream *stream)
{
  const unsigned blocks = blocks_for(count_inner(*grid));
  debye_cuda_poisson_wrap_double(grid, equation->potential, stream);
  if (!debye_stream_is_good(stream))
    return;
  if (equation->salt.n_ions == 0)
    find_residual<true><<<blocks, THREADS, 0, stream->handle>>>(*grid, *sums, *equation);
  else
    find_residual<false><<<blocks, THREADS, 0, stream->handle>>>(*grid, *sums, *equation);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_norm(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                        const DebyeCudaPoissonEquation *equation, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  find_norm<<<blocks_for(count_inner(*grid)), THREADS, 0, stream->handle>>>(*grid, *sums, equation->source,
                                                                            equation->potential);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_correct(const DebyeCudaPoissonGrid *grid, double part, const double *correction,
                           double *potential, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  correct<<<blocks_for(grid->n), THREADS, 0, stream->handle>>>(grid->n, part, correction, potential);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_step(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums, float *direction,
                        double *solution, DebyeStream *stream)
{
  const unsigned inner = blocks_for(count_inner(*grid)), all = blocks_for(grid->n);
  if (!debye_stream_is_good(stream))
    return;
  multiply<<<all, THREADS, 0, stream->handle>>>(*grid, *sums);
  turn<<<all, THREADS, 0, stream->handle>>>(*grid, sums->scalars, direction);
  apply<<<inner, THREADS, 0, stream->handle>>>(*grid, *sums, direction);
  advance<<<inner, THREADS, 0, stream->handle>>>(*grid, *sums, direction, solution);
  debye_stream_note_launch(stream);
}

/* SPDX-License-Identifier: MIT */
/* What conjugate gradients do beside the cycle on a GPU; called by poisson.cu, for sums of all slabs by poisson_slabs.cu, and
 * by poisson_molecule.cu for the whole potential. Scalars stay on the device, so that an iteration needs nothing of the
 * host. */
#include "kernels/poisson/poisson_math.h"
#include "poisson_sweeps.cuh"

#define THREADS_X DEBYE_POISSON_THREADS_X
#define THREADS_Y DEBYE_POISSON_THREADS_Y
#define THREADS DEBYE_POISSON_THREADS
/* Planes of which a thread reads a value before it uses the first. */
#define AT_A_TIME 4

static __device__ __forceinline__ void
set_beginning(const DebyeCudaPoissonSums &sums, double norm2)
{
  sums.scalars->norm2 = norm2;
  sums.scalars->product = 0.0;
  sums.scalars->begins = true;
}

/* What the outer points bring to a point within. */
static __device__ double
outer_part(const DebyeCudaPoissonGrid &grid, const DebyeCudaPoissonPotential &potential, size_t i,
           const int at[3])
{
  const uint32_t step[3] = {1, grid.y, grid.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (grid.periodic[axis])
      continue;
    if (at[axis] == 1)
      sum += (double)debye_poisson_along(grid, axis, i - step[axis]) * potential(i - step[axis]);
    if (at[axis] + 2 == grid.shape[axis])
      sum += (double)debye_poisson_along(grid, axis, i) * potential(i + step[axis]);
  }
  return sum;
}

/* The right-hand side, which is the residual of a potential that is 0 within. */
static __global__ void
__launch_bounds__(THREADS) begin(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                 const __grid_constant__ DebyeCudaPoissonSums sums, const float *source,
                                 const DebyeCudaPoissonPotential potential)
{
  const int x = (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1,
            y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  const bool is_edge = x == 1 || x + 2 == grid.shape[0] || y == 1 || y + 2 == grid.shape[1];
  int z, end;
  double sum = 0.0, whole;
  debye_poisson_planes(grid, &z, &end);
  end = x + 1 < grid.shape[0] && y + 1 < grid.shape[1] ? end : 0;
#pragma unroll 1
  for (; z < end; z += AT_A_TIME) {
    const size_t i = x + grid.y * y + grid.z * z;
    float left[AT_A_TIME];
#pragma unroll
    for (int k = 0; k < AT_A_TIME; k++)
      left[k] = z + k < end ? source[i + k * grid.z] : 0.0f;
#pragma unroll
    for (int k = 0; k < AT_A_TIME; k++) {
      if (z + k < end && (is_edge || z + k == 1 || z + k + 2 == grid.shape[2])) {
        const int at[3] = {x, y, z + k};
        left[k] = (float)((double)left[k] + outer_part(grid, potential, i + k * grid.z, at));
      }
      if (z + k < end)
        grid.right[i + k * grid.z] = left[k];
      sum += (double)left[k] * (double)left[k];
    }
  }
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_beginning(sums, whole);
}

static __global__ void
__launch_bounds__(THREADS) find_norm(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                     const __grid_constant__ DebyeCudaPoissonSums sums, const float *source,
                                     const DebyeCudaPoissonPotential potential)
{
  double sum = 0.0, whole;
  debye_poisson_over_inner(grid, [&](size_t i, const int *at) {
    const double right = (double)source[i] + outer_part(grid, potential, i, at);
    sum += right * right;
  });
  if (debye_poisson_add_blocks(sums, sum, &whole))
    sums.scalars->norm2 = whole;
}

template <bool LINEAR>
static __global__ void
__launch_bounds__(THREADS) find_residual(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                         const __grid_constant__ DebyeCudaPoissonSums sums,
                                         const __grid_constant__ DebyeCudaPoissonEquation equation)
{
  double sum = 0.0, whole;
  debye_poisson_over_inner(grid, [&](size_t i, const int *) {
    const double potential = equation.potential(i), screening = (double)grid.ions(i);
    double answer = potential, slope = 1.0;
    if (!LINEAR && screening > 0.0)
      answer = debye_poisson_ions(&equation.salt, potential, &slope);
    const float left =
        (float)((double)equation.source[i] - debye_poisson_flow(grid, potential, i, equation.potential) -
                screening * answer);
    grid.right[i] = left;
    if (!LINEAR)
      grid.screening[i] = (float)(screening * slope);
    sum += (double)left * (double)left;
  });
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_beginning(sums, whole);
}

static __global__ void
__launch_bounds__(THREADS) correct(const __grid_constant__ DebyeCudaPoissonGrid grid, double part,
                                   const float *correction, const DebyeCudaPoissonPotential potential)
{
  debye_poisson_over_inner(
      grid, [&](size_t i, const int *) { potential.set(i, potential(i) + part * (double)correction[i]); });
}

static __global__ void
__launch_bounds__(THREADS) finish(size_t n, const DebyeCudaPoissonScalars *scalars, float *direction,
                                  const DebyeCudaPoissonPotential potential, bool keeps_correction)
{
  const bool begins = scalars->begins;
  const float step = (float)scalars->step;
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += (size_t)gridDim.x * THREADS) {
    const float correction = begins ? potential.rest[k] : potential.rest[k] + step * direction[k];
    potential.set(k, (double)potential.rounded[k] + (double)correction);
    if (keeps_correction)
      direction[k] = correction;
  }
}

static __global__ void
__launch_bounds__(THREADS) split(size_t n, const double *values, const DebyeCudaPoissonPotential potential)
{
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += (size_t)gridDim.x * THREADS)
    potential.set(k, values[k]);
}

static __global__ void
__launch_bounds__(THREADS) join(size_t n, const DebyeCudaPoissonPotential potential, double *values)
{
  for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += (size_t)gridDim.x * THREADS)
    values[k] = potential(k);
}

static __device__ __forceinline__ float4
add_scaled(float4 to, float scale, float4 from)
{
  return make_float4(to.x + scale * from.x, to.y + scale * from.y, to.z + scale * from.z,
                     to.w + scale * from.w);
}

static __device__ __forceinline__ float
square(float4 value)
{
  return value.x * value.x + value.y * value.y + value.z * value.z + value.w * value.w;
}

/* Four points at a time, outer ones with them, which are 0. The last direction is at hand here, so that the step along it is
 * taken here. */
static __global__ void
__launch_bounds__(THREADS) turn(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                const DebyeCudaPoissonScalars *scalars, float *direction, float *correction)
{
  const bool begins = scalars->begins;
  const float scale = (float)scalars->scale, step = (float)scalars->step;
  const float4 *values = (const float4 *)grid.values;
  float4 *directions = (float4 *)direction, *corrections = (float4 *)correction;
  const size_t first = (size_t)blockIdx.x * THREADS + threadIdx.x, n = grid.n / 4;
  for (size_t k = first; k < n; k += (size_t)gridDim.x * THREADS) {
    const float4 value = values[k];
    if (begins) {
      directions[k] = value;
      continue;
    }
    const float4 last = directions[k], correction = corrections[k];
    corrections[k] = add_scaled(correction, step, last);
    directions[k] = add_scaled(value, scale, last);
  }
  if (first < grid.n % 4) {
    const size_t k = 4 * n + first;
    const float last = begins ? 0.0f : direction[k];
    if (!begins)
      correction[k] += step * last;
    direction[k] = grid.values[k] + scale * last;
  }
}

static __device__ __forceinline__ void
set_curvature(const DebyeCudaPoissonSums &sums, double curvature)
{
  sums.scalars->curvature = curvature;
  sums.scalars->step = curvature > 0.0 ? sums.scalars->product / curvature : 0.0;
}

/* left = A·direction. What a plane has in common with the next is read once, and conductances only of points about the
 * surface. BYTES: the grid has them. */
template <bool BYTES>
static __global__ void
__launch_bounds__(THREADS)
    apply(const __grid_constant__ DebyeCudaPoissonGrid grid,
          const __grid_constant__ DebyeCudaPoissonSums sums, const float *__restrict__ direction)
{
  const int x = (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1,
            y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  const uint8_t *__restrict__ bytes = grid.ions.flags;
  float *__restrict__ left = grid.left;
  const DebyeCudaPoissonUncut uncut = BYTES ? *grid.ions.uncut : DebyeCudaPoissonUncut{};
  int z, end;
  double sum = 0.0, whole;
  debye_poisson_planes(grid, &z, &end);
  end = x + 1 < grid.shape[0] && y + 1 < grid.shape[1] ? end : 0;
  size_t i = x + grid.y * y + grid.z * z;
  float below = z < end ? direction[i - grid.z] : 0.0f, at = z < end ? direction[i] : 0.0f;
  for (; z < end; z++, i += grid.z) {
    const unsigned flags = BYTES ? bytes[i] : 0;
    const float above = direction[i + grid.z];
    const float x_low = at - direction[i - 1], x_high = at - direction[i + 1];
    const float y_low = at - direction[i - grid.y], y_high = at - direction[i + grid.y];
    const float z_low = at - below, z_high = at - above;
    float applied;
    if (grid.screening != NULL)
      applied = grid.screening[i] * at;
    else if (BYTES)
      applied = (flags & DEBYE_POISSON_IONS) != 0 ? uncut.screening * at : 0.0f;
    else
      applied = grid.ions.screening[i] * at;
    if ((flags & DEBYE_POISSON_UNCUT) != 0) {
      const bool is_inner = (flags & DEBYE_POISSON_INNER) != 0;
      applied += (is_inner ? uncut.along[1][0] : uncut.along[0][0]) * (x_low + x_high) +
                 (is_inner ? uncut.along[1][1] : uncut.along[0][1]) * (y_low + y_high) +
                 (is_inner ? uncut.along[1][2] : uncut.along[0][2]) * (z_low + z_high);
    } else {
      applied += debye_poisson_along(grid, 0, i - 1) * x_low + debye_poisson_along(grid, 0, i) * x_high +
                 debye_poisson_along(grid, 1, i - grid.y) * y_low + debye_poisson_along(grid, 1, i) * y_high +
                 debye_poisson_along(grid, 2, i - grid.z) * z_low + debye_poisson_along(grid, 2, i) * z_high;
    }
    left[i] = applied;
    sum += (double)(at * applied);
    below = at;
    at = above;
  }
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_curvature(sums, whole);
}

static __device__ __forceinline__ void
set_norm(const DebyeCudaPoissonSums &sums, double norm2)
{
  sums.scalars->norm2 = norm2;
  sums.scalars->begins = false;
}

/* Where copies of planes aren't to be counted twice: two planes at a time, read before any is written. */
static __global__ void
__launch_bounds__(THREADS, 6) advance(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                      const __grid_constant__ DebyeCudaPoissonSums sums)
{
  const float step = (float)sums.scalars->step;
  const int x = (int)(blockIdx.x * THREADS_X + threadIdx.x) + 1,
            y = (int)(blockIdx.y * THREADS_Y + threadIdx.y) + 1;
  int z, end;
  double sum = 0.0, whole;
  debye_poisson_planes(grid, &z, &end);
  end = x + 1 < grid.shape[0] && y + 1 < grid.shape[1] ? end : 0;
#pragma unroll 1
  for (; z < end; z += 2) {
    const size_t i = x + grid.y * y + grid.z * z, k = z + 1 < end ? i + grid.z : i;
    const float left_i = grid.right[i] - step * grid.left[i], left_k = grid.right[k] - step * grid.left[k];
    grid.right[i] = left_i;
    grid.right[k] = left_k;
    sum += (double)(left_i * left_i) + (k != i ? (double)(left_k * left_k) : 0.0);
  }
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_norm(sums, whole);
}

/* The same of a grid that has no copies, as turn(). */
static __global__ void
__launch_bounds__(THREADS) advance_all(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                       const __grid_constant__ DebyeCudaPoissonSums sums)
{
  const float step = (float)sums.scalars->step;
  const float4 *applied = (const float4 *)grid.left;
  float4 *rights = (float4 *)grid.right;
  const size_t first = (size_t)blockIdx.x * THREADS + threadIdx.x, n = grid.n / 4;
  double sum = 0.0, whole;
#pragma unroll 2
  for (size_t k = first; k < n; k += (size_t)gridDim.x * THREADS) {
    const float4 right = add_scaled(rights[k], -step, applied[k]);
    rights[k] = right;
    sum += (double)square(right);
  }
  if (first < grid.n % 4) {
    const size_t k = 4 * n + first;
    grid.right[k] -= step * grid.left[k];
    sum += (double)(grid.right[k] * grid.right[k]);
  }
  if (debye_poisson_add_blocks(sums, sum, &whole))
    set_norm(sums, whole);
}

size_t
debye_cuda_poisson_count_sums(const DebyeCudaPoissonGrid *grid)
{
  size_t most = DEBYE_POISSON_SUMS;
  for (const dim3 &blocks : {debye_poisson_inner_tiles(grid),
                             debye_poisson_sweep_blocks(grid, DEBYE_POISSON_TILE_X, DEBYE_POISSON_TILE_Y)}) {
    const size_t n = (size_t)blocks.x * blocks.y * blocks.z;
    most = n > most ? n : most;
  }
  return most;
}

/* Of loops over all points. */
static unsigned
blocks_for(size_t n)
{
  const size_t blocks = (n + THREADS - 1) / THREADS, most = 16384;
  return (unsigned)(blocks < most ? blocks : most);
}

void
debye_cuda_poisson_residual(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                            const DebyeCudaPoissonEquation *equation, DebyeStream *stream)
{
  const dim3 tiles = debye_poisson_inner_tiles(grid), threads(THREADS_X, THREADS_Y);
  debye_cuda_poisson_wrap(grid, equation->potential.rounded, stream);
  debye_cuda_poisson_wrap(grid, equation->potential.rest, stream);
  if (!debye_stream_is_good(stream))
    return;
  if (equation->salt.n_ions == 0)
    find_residual<true><<<tiles, threads, 0, stream->handle>>>(*grid, *sums, *equation);
  else
    find_residual<false><<<tiles, threads, 0, stream->handle>>>(*grid, *sums, *equation);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_norm(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                        const DebyeCudaPoissonEquation *equation, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  find_norm<<<debye_poisson_inner_tiles(grid), dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(
      *grid, *sums, equation->source, equation->potential);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_begin(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                         const DebyeCudaPoissonEquation *equation, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  begin<<<debye_poisson_inner_tiles(grid), dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(
      *grid, *sums, equation->source, equation->potential);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_finish(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                          float *direction, const DebyeCudaPoissonPotential *potential, bool keeps_correction,
                          DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  finish<<<blocks_for(grid->n), THREADS, 0, stream->handle>>>(grid->n, sums->scalars, direction, *potential,
                                                              keeps_correction);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_correct(const DebyeCudaPoissonGrid *grid, double part, const float *correction,
                           const DebyeCudaPoissonPotential *potential, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  correct<<<debye_poisson_inner_tiles(grid), dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(
      *grid, part, correction, *potential);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_split(size_t n, const double *values, const DebyeCudaPoissonPotential *potential,
                         DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  split<<<blocks_for(n), THREADS, 0, stream->handle>>>(n, values, *potential);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_join(size_t n, const DebyeCudaPoissonPotential *potential, double *values,
                        DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  join<<<blocks_for(n), THREADS, 0, stream->handle>>>(n, *potential, values);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_turn(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums, float *direction,
                        float *correction, DebyeStream *stream)
{
  const dim3 tiles = debye_poisson_inner_tiles(grid), threads(THREADS_X, THREADS_Y);
  if (!debye_stream_is_good(stream))
    return;
  turn<<<blocks_for((grid->n + 3) / 4), THREADS, 0, stream->handle>>>(*grid, sums->scalars, direction,
                                                                      correction);
  if (grid->ions.flags != NULL)
    apply<true><<<tiles, threads, 0, stream->handle>>>(*grid, *sums, direction);
  else
    apply<false><<<tiles, threads, 0, stream->handle>>>(*grid, *sums, direction);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_advance(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                           bool has_copies, DebyeStream *stream)
{
  const unsigned blocks = blocks_for((grid->n + 3) / 4);
  const unsigned n_sums = blocks < DEBYE_POISSON_SUMS ? blocks : DEBYE_POISSON_SUMS;
  if (!debye_stream_is_good(stream))
    return;
  if (has_copies)
    advance<<<debye_poisson_inner_tiles(grid), dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(*grid, *sums);
  else
    advance_all<<<n_sums, THREADS, 0, stream->handle>>>(*grid, *sums);
  debye_stream_note_launch(stream);
}

static __global__ void
add_parts(DebyeCudaPoissonTotal total, const DebyeCudaPoissonScalars *parts, unsigned n,
          const __grid_constant__ DebyeCudaPoissonSums sums)
{
  double sum = 0.0;
  for (unsigned i = 0; i < n; i++)
    sum += total == DEBYE_POISSON_TOTAL_PRODUCT     ? parts[i].product
           : total == DEBYE_POISSON_TOTAL_CURVATURE ? parts[i].curvature
                                                    : parts[i].norm2;
  switch (total) {
  case DEBYE_POISSON_TOTAL_NORM:
    sums.scalars->norm2 = sum;
    break;
  case DEBYE_POISSON_TOTAL_BEGINNING:
    set_beginning(sums, sum);
    break;
  case DEBYE_POISSON_TOTAL_PRODUCT:
    set_product(sums, sum);
    break;
  case DEBYE_POISSON_TOTAL_CURVATURE:
    set_curvature(sums, sum);
    break;
  case DEBYE_POISSON_TOTAL_ADVANCED:
    set_norm(sums, sum);
    break;
  }
}

void
debye_cuda_poisson_add_parts(DebyeCudaPoissonTotal total, const DebyeCudaPoissonScalars *parts, unsigned n,
                             const DebyeCudaPoissonSums *sums, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  add_parts<<<1, 1, 0, stream->handle>>>(total, parts, n, *sums);
  debye_stream_note_launch(stream);
}

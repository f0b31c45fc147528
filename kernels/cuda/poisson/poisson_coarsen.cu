/* SPDX-License-Identifier: MIT */
/* Coarser operators of multigrid on a GPU, of the finest grid's; called by poisson.cu, of slabs by poisson_slabs.cu, and by
 * poisson_molecule.cu for a molecule's ions and what the host asks for. Its twin is cpu/poisson/poisson_levels.c. */
#include "poisson_sweeps.cuh"

#define THREADS_X DEBYE_POISSON_THREADS_X
#define THREADS_Y DEBYE_POISSON_THREADS_Y

/* How far a neighbor of a coarse point's fine one counts. */
static __device__ __forceinline__ float
share(int offset)
{
  return offset == 0 ? 1.0f : 0.5f;
}

/* The finest grid's conductances are in halves. */
template <bool FINEST>
static __global__ void
coarsen(const __grid_constant__ DebyeCudaPoissonGrid fine,
        const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!debye_poisson_coarse_point(coarse, at))
    return;
  const auto along = [&](int axis, size_t i) {
    return FINEST ? debye_poisson_along(fine, axis, i) : fine.along[axis][i];
  };
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
        const size_t line = from + i * step[one] + j * step[other];
        const float first = along(axis, line), second = along(axis, line + step[axis]);
        sum += share(i) * share(j) * (first * second / (first + second));
      }
    coarse.along[axis][to] = sum;
    coarse.rough[axis][to] = debye_poisson_round_along(sum);
  }
}

static __global__ void
coarsen_screening(const __grid_constant__ DebyeCudaPoissonGrid fine,
                  const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  int at[3];
  if (!debye_poisson_coarse_point(coarse, at) || at[0] == 0 || at[1] == 0 || at[2] == 0)
    return;
  const size_t from = 2 * (at[0] + fine.y * at[1] + fine.z * at[2]);
  float sum = 0.0f;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      for (int k = -1; k <= 1; k++)
        sum += share(i) * share(j) * share(k) *
               debye_poisson_screening(fine, from + i + j * (ptrdiff_t)fine.y + k * (ptrdiff_t)fine.z);
  coarse.screening[at[0] + coarse.y * at[1] + coarse.z * at[2]] = sum;
}

static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS) round_along(size_t n, const float *along, uint16_t *rough)
{
  for (size_t k = (size_t)blockIdx.x * DEBYE_POISSON_THREADS + threadIdx.x; k < n;
       k += (size_t)gridDim.x * DEBYE_POISSON_THREADS)
    rough[k] = debye_poisson_round_along(along[k]);
}

static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS)
    halve(const __grid_constant__ DebyeCudaPoissonGrid grid, int axis, const float *along)
{
  for (size_t k = (size_t)blockIdx.x * DEBYE_POISSON_THREADS + threadIdx.x; k < grid.n;
       k += (size_t)gridDim.x * DEBYE_POISSON_THREADS)
    debye_poisson_conduct(grid, axis, k, along[k]);
}

static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS)
    join_halves(const __grid_constant__ DebyeCudaPoissonGrid grid, int axis, float *along)
{
  for (size_t k = (size_t)blockIdx.x * DEBYE_POISSON_THREADS + threadIdx.x; k < grid.n;
       k += (size_t)gridDim.x * DEBYE_POISSON_THREADS)
    along[k] = debye_poisson_along(grid, axis, k);
}

static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS)
    get_ions(const __grid_constant__ DebyeCudaPoissonGrid grid, float *screening)
{
  for (size_t k = (size_t)blockIdx.x * DEBYE_POISSON_THREADS + threadIdx.x; k < grid.n;
       k += (size_t)gridDim.x * DEBYE_POISSON_THREADS)
    screening[k] = grid.ions(k);
}

static __global__ void
__launch_bounds__(DEBYE_POISSON_THREADS) invert(const __grid_constant__ DebyeCudaPoissonGrid grid)
{
  debye_poisson_over_inner(grid, [&](size_t i, const int *) {
    const float sum = debye_poisson_rough(grid, 0, i - 1) + debye_poisson_rough(grid, 0, i) +
                      debye_poisson_rough(grid, 1, i - grid.y) + debye_poisson_rough(grid, 1, i) +
                      debye_poisson_rough(grid, 2, i - grid.z) + debye_poisson_rough(grid, 2, i);
    grid.inverse[i] = 1.0f / (sum + debye_poisson_screening(grid, i));
  });
}

/* Of loops over so many values. */
static unsigned
blocks_for(size_t n)
{
  const size_t blocks = (n + DEBYE_POISSON_THREADS - 1) / DEBYE_POISSON_THREADS;
  return (unsigned)(blocks < 65536 ? blocks : 65536);
}

void
debye_cuda_poisson_get_ions(const DebyeCudaPoissonGrid *grid, float *screening, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  get_ions<<<blocks_for(grid->n), DEBYE_POISSON_THREADS, 0, stream->handle>>>(*grid, screening);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_reset_screening(const DebyeCudaPoissonLevels *levels, DebyeStream *stream)
{
  const DebyeCudaPoissonGrid &grid = levels->grids[0];
  if (grid.screening != NULL)
    debye_cuda_poisson_get_ions(&grid, grid.screening, stream);
}

void
debye_cuda_poisson_halve(const DebyeCudaPoissonGrid *grid, int axis, const float *along, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  halve<<<blocks_for(grid->n), DEBYE_POISSON_THREADS, 0, stream->handle>>>(*grid, axis, along);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_join_halves(const DebyeCudaPoissonGrid *grid, int axis, float *along, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  join_halves<<<blocks_for(grid->n), DEBYE_POISSON_THREADS, 0, stream->handle>>>(*grid, axis, along);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_sum_screening(const DebyeCudaPoissonLevels *levels, size_t first, DebyeStream *stream)
{
  for (size_t i = first; i < levels->n_levels && debye_stream_is_good(stream); i++) {
    const DebyeCudaPoissonGrid &coarse = levels->grids[i];
    coarsen_screening<<<debye_poisson_blocks(coarse.shape[0], coarse.shape[1], coarse.shape[2]),
                        dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(levels->grids[i - 1], coarse);
    debye_stream_note_launch(stream);
    debye_cuda_poisson_wrap(&coarse, coarse.screening, stream);
  }
}

void
debye_cuda_poisson_invert(const DebyeCudaPoissonGrid *grid, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  invert<<<debye_poisson_inner_tiles(grid), dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(*grid);
  debye_stream_note_launch(stream);
  debye_cuda_poisson_wrap(grid, grid->inverse, stream);
}

void
debye_cuda_poisson_coarsen_screening(const DebyeCudaPoissonLevels *levels, DebyeStream *stream)
{
  const DebyeCudaPoissonGrid &finest = levels->grids[0];
  size_t n_coarse = 0;
  if (finest.screening != NULL)
    debye_cuda_poisson_wrap(&finest, finest.screening, stream);
  debye_cuda_poisson_sum_screening(levels, 1, stream);
  for (size_t i = 0; i < levels->n_levels; i++) {
    debye_cuda_poisson_invert(&levels->grids[i], stream);
    n_coarse += i > 0 ? levels->grids[i].n : 0;
  }
  debye_stream_clear(stream, finest.left, n_coarse * sizeof *finest.left);
}

static void
round_level(const DebyeCudaPoissonGrid &grid, DebyeStream *stream)
{
  if (!debye_stream_is_good(stream))
    return;
  round_along<<<blocks_for(3 * grid.n), DEBYE_POISSON_THREADS, 0, stream->handle>>>(3 * grid.n, grid.along[0],
                                                                                    grid.rough[0]);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_coarsen_along(const DebyeCudaPoissonLevels *levels, size_t first, DebyeStream *stream)
{
  for (size_t i = first; i < levels->n_levels && debye_stream_is_good(stream); i++) {
    const DebyeCudaPoissonGrid &coarse = levels->grids[i];
    const dim3 blocks = debye_poisson_blocks(coarse.shape[0], coarse.shape[1], coarse.shape[2]);
    if (i == 1)
      coarsen<true><<<blocks, dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(levels->grids[0], coarse);
    else
      coarsen<false><<<blocks, dim3(THREADS_X, THREADS_Y), 0, stream->handle>>>(levels->grids[i - 1], coarse);
    debye_stream_note_launch(stream);
    for (float *along : coarse.along)
      debye_cuda_poisson_wrap(&coarse, along, stream);
    if (coarse.periodic[0] || coarse.periodic[1] || coarse.periodic[2])
      round_level(coarse, stream);
  }
}

void
debye_cuda_poisson_coarsen(const DebyeCudaPoissonLevels *levels, DebyeStream *stream)
{
  debye_cuda_poisson_coarsen_along(levels, 1, stream);
  debye_cuda_poisson_coarsen_screening(levels, stream);
}

/* SPDX-License-Identifier: MIT */
/* Periodic copies of a grid's values on a GPU; called by poisson_coarsen.cu,
 * poisson_cycle.cu and poisson_steps.cu. Its twin is debye_poisson_wrap(). */
#include "poisson_grid.cuh"

#define THREADS 256

/* A thread per pair of points of the first and last plane across an axis. */
static __global__ void
__launch_bounds__(THREADS)
    wrap_axis(const __grid_constant__ DebyeCudaPoissonGrid grid, float *values, int axis)
{
  const size_t step[3] = {1, grid.y, grid.z};
  const int one = axis == 0 ? 1 : 0, other = axis == 2 ? 1 : 2;
  const size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x;
  if (k >= (size_t)grid.shape[one] * (size_t)grid.shape[other])
    return;
  float *line = values + k % grid.shape[one] * step[one] + k / grid.shape[one] * step[other];
  const size_t last = (size_t)grid.shape[axis] - 1;
  line[0] = line[(last - 1) * step[axis]];
  line[last * step[axis]] = line[step[axis]];
}

/* One axis after the other: edges and corners are copies of copies. */
void
debye_cuda_poisson_wrap(const DebyeCudaPoissonGrid *grid, float *values, DebyeStream *stream)
{
  for (int axis = 0; axis < 3; axis++) {
    const size_t n = grid->n / (size_t)grid->shape[axis];
    if (!grid->periodic[axis] || !debye_stream_is_good(stream))
      continue;
    wrap_axis<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream->handle>>>(*grid, values, axis);
    debye_stream_note_launch(stream);
  }
}

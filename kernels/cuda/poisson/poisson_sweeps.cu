/* SPDX-License-Identifier: MIT */
/* Both colours of a sweep at a time on a GPU: a block goes through the planes of its tile, and what one colour makes the
 * other takes from shared memory; called by poisson_cycle.cu. Points that blocks have in common each computes for itself. */
#include "poisson_sweeps.cuh"

#define TILE_X DEBYE_POISSON_TILE_X
#define TILE_Y DEBYE_POISSON_TILE_Y
#define THREADS DEBYE_POISSON_THREADS

/* Blocks of a processor at a time, for DEBYE_POISSON_AT_A_TIME. */
#define BLOCKS 6

/* Four planes of a tile and its surroundings, from a point of the grid on, in pairs of a point of
 * even and of odd column, which are apart: in a row a colour has only the ones or the others. Pairs
 * 1 to 32 are of a warp's lanes, others of the first threads. */
template <int HALF, int HEIGHT> struct Window {
  static constexpr int SIZE = 4 * HEIGHT * 2 * HALF, CORE = DEBYE_POISSON_THREADS_X;
  float *values; /* SIZE */
  int x, y;

  __device__ __forceinline__ float &at(int z, int row, int column) const
  {
    return values[((z & 3) * HEIGHT + row) * (2 * HALF) + (column & 1) * HALF + (column >> 1)];
  }

  /* A point of a colour: where it is in the window and on the grid, and whether within it. */
  struct Point {
    int row, column, x, y;
    uint32_t i;
    bool is_inner;
  };

  template <typename Function>
  __device__ __forceinline__ void call(const DebyeCudaPoissonGrid &grid, int colour, int z, int row, int pair,
                                       Function function) const
  {
    Point point;
    point.row = row;
    point.y = y + row;
    point.column = 2 * pair + ((x + point.y + z + colour) & 1);
    point.x = x + point.column;
    point.is_inner = (unsigned)(point.x - 1) < (unsigned)(grid.shape[0] - 2) &&
                     (unsigned)(point.y - 1) < (unsigned)(grid.shape[1] - 2) &&
                     (unsigned)(z - 1) < (unsigned)(grid.shape[2] - 2);
    point.i = (uint32_t)point.x + grid.y * (uint32_t)point.y + grid.z * (uint32_t)z;
    function(point);
  }

  /* Calls function(point) for the points of a colour of a plane in rows that are MARGIN or
   * more within the window, and pairs from FIRST to LAST. */
  template <int MARGIN, int FIRST, int LAST, typename Function>
  __device__ __forceinline__ void over(const DebyeCudaPoissonGrid &grid, int colour, int z,
                                       Function function) const
  {
    constexpr int ROWS = HEIGHT - 2 * MARGIN, EDGES = LAST - FIRST + 1 - CORE;
    const int thread = (int)(threadIdx.x + DEBYE_POISSON_THREADS_X * threadIdx.y);
#pragma unroll
    for (int j = 0; j < ROWS; j += DEBYE_POISSON_THREADS_Y)
      if (j + DEBYE_POISSON_THREADS_Y <= ROWS || j + (int)threadIdx.y < ROWS)
        call(grid, colour, z, MARGIN + j + (int)threadIdx.y, 1 + (int)threadIdx.x, function);
    if (EDGES > 0 && thread < EDGES * ROWS) {
      const int edge = FIRST + thread % (EDGES > 0 ? EDGES : 1);
      call(grid, colour, z, MARGIN + thread / (EDGES > 0 ? EDGES : 1), edge == 0 ? 0 : edge + CORE,
           [&](const Point &point) {
             /* Columns at a margin from the window's rows are at one from its ends, too. */
             if (MARGIN == 0 || (point.column > 0 && point.column < 2 * HALF - 1))
               function(point);
           });
    }
  }

  /* What flows to a point from its neighbors. */
  __device__ __forceinline__ float flow(const DebyeCudaPoissonGrid &grid, const Point &point, int z) const
  {
    return debye_poisson_flow_in(grid, point.i, [&](uint32_t, int dx, int dy, int dz) {
      return at(z + dz, point.row + dy, point.column + dx);
    });
  }

  /* Odd points of a plane, from the even ones of it and of those beside it. */
  __device__ __forceinline__ void relax_odd(const DebyeCudaPoissonGrid &grid, int z) const
  {
    over<1, 0, CORE + 1>(grid, 1, z, [&](const Point &point) {
      float value = 0.0f;
      if (point.is_inner)
        value = (grid.right[point.i] + flow(grid, point, z)) * grid.inverse[point.i];
      at(z, point.row, point.column) = value;
    });
  }
};

/* The first sweep from nothing, what it leaves at even points (nothing at odd ones), and its full weighting: a thread for
 * each coarse point. Of the sweep nothing is written, since the second computes what it needs of it. */
#define COARSE_X DEBYE_POISSON_THREADS_X
#define COARSE_Y DEBYE_POISSON_THREADS_Y
typedef Window<COARSE_X + 3, 2 * COARSE_Y + 5> WindowDown;

static __global__ void
__launch_bounds__(THREADS, BLOCKS) descend(const __grid_constant__ DebyeCudaPoissonGrid fine,
                                           const __grid_constant__ DebyeCudaPoissonGrid coarse)
{
  __shared__ float values[WindowDown::SIZE];
  const int x = (int)(blockIdx.x * COARSE_X + threadIdx.x) + 1,
            y = (int)(blockIdx.y * COARSE_Y + threadIdx.y) + 1;
  const WindowDown window = {values, 2 * (int)(blockIdx.x * COARSE_X) - 1,
                             2 * (int)(blockIdx.y * COARSE_Y) - 1};
  const int column = 2 * (int)threadIdx.x + 3, row = 2 * (int)threadIdx.y + 3;
  const bool is_inner = x + 1 < coarse.shape[0] && y + 1 < coarse.shape[1];
  int begin, end;
  float sum = 0.0f;
  debye_poisson_planes(coarse, &begin, &end);
  for (int z = 2 * begin - 3; z <= 2 * end + 2; z++) {
    const int left = z - 3;
    if (z <= 2 * end + 1)
      window.over<0, 0, COARSE_X + 2>(fine, 0, z, [&](const WindowDown::Point &point) {
        window.at(z, point.row, point.column) =
            point.is_inner ? fine.right[point.i] * fine.inverse[point.i] : 0.0f;
      });
    if (left >= 2 * begin - 1)
      window.over<2, 1, COARSE_X + 1>(fine, 0, left, [&](const WindowDown::Point &point) {
        window.at(left, point.row, point.column) = point.is_inner ? window.flow(fine, point, left) : 0.0f;
      });
    __syncthreads();
    if (z - 1 >= 2 * begin - 2 && z - 1 <= 2 * end)
      window.relax_odd(fine, z - 1);
    if (left >= 2 * begin - 1 && left % 2 == 0)
      sum += window.at(left, row, column) +
             0.25f * (window.at(left, row - 1, column - 1) + window.at(left, row - 1, column + 1) +
                      window.at(left, row + 1, column - 1) + window.at(left, row + 1, column + 1));
    if (left >= 2 * begin - 1 && left % 2 != 0) {
      const float beside = 0.25f * (window.at(left, row, column - 1) + window.at(left, row, column + 1) +
                                    window.at(left, row - 1, column) + window.at(left, row + 1, column));
      if (is_inner && left > 2 * begin)
        coarse.right[x + coarse.y * y + coarse.z * (left / 2)] = sum + beside;
      sum = beside;
    }
    __syncthreads();
  }
}

/* The second sweep: odd points from what the first left even ones and the coarser grid adds to them, then even ones from
 * those. With the product of the finest grid. */
typedef Window<TILE_X / 2 + 2, TILE_Y + 4> WindowUp;

template <bool FINEST>
static __global__ void
__launch_bounds__(THREADS, BLOCKS) ascend(const __grid_constant__ DebyeCudaPoissonGrid grid,
                                          const __grid_constant__ DebyeCudaPoissonGrid coarse,
                                          const __grid_constant__ DebyeCudaPoissonSums sums)
{
  __shared__ float values[WindowUp::SIZE];
  const WindowUp window = {values, (int)(blockIdx.x * TILE_X) - 1, (int)(blockIdx.y * TILE_Y) - 1};
  int begin, end;
  double sum = 0.0, whole;
  debye_poisson_planes(grid, &begin, &end);
  for (int z = begin - 2; z <= end + 2; z++) {
    const int done = z - 3;
    if (z <= end + 1)
      window.over<0, 0, COARSE_X + 1>(grid, 0, z, [&](const WindowUp::Point &point) {
        window.at(z, point.row, point.column) = point.is_inner ? grid.right[point.i] * grid.inverse[point.i] +
                                                                     interpolated(coarse, point.x, point.y, z)
                                                               : 0.0f;
      });
    if (done >= begin) {
      window.over<2, 1, COARSE_X>(grid, 0, done, [&](const WindowUp::Point &point) {
        if (!point.is_inner)
          return;
        const float right = grid.right[point.i],
                    value = (right + window.flow(grid, point, done)) * grid.inverse[point.i];
        grid.values[point.i] = value;
        if (FINEST)
          sum += (double)(right * value);
      });
      window.over<2, 1, COARSE_X>(grid, 1, done, [&](const WindowUp::Point &point) {
        if (!point.is_inner)
          return;
        const float value = window.at(done, point.row, point.column);
        grid.values[point.i] = value;
        if (FINEST)
          sum += (double)(grid.right[point.i] * value);
      });
    }
    __syncthreads();
    if (z - 1 >= begin - 1 && z - 1 <= end)
      window.relax_odd(grid, z - 1);
    __syncthreads();
  }
  if (FINEST && debye_poisson_add_blocks(sums, sum, &whole))
    set_product(sums, whole);
}

void
debye_cuda_poisson_descend_tiles(const DebyeCudaPoissonGrid *fine, const DebyeCudaPoissonGrid *coarse,
                                 DebyeStream *stream)
{
  descend<<<debye_poisson_sweep_blocks(coarse, COARSE_X, COARSE_Y),
            dim3(DEBYE_POISSON_THREADS_X, DEBYE_POISSON_THREADS_Y), 0, stream->handle>>>(*fine, *coarse);
  debye_stream_note_launch(stream);
}

void
debye_cuda_poisson_ascend_tiles(const DebyeCudaPoissonGrid *fine, const DebyeCudaPoissonGrid *coarse,
                                const DebyeCudaPoissonSums *sums, DebyeStream *stream)
{
  const dim3 blocks = debye_poisson_sweep_blocks(fine, TILE_X, TILE_Y),
             threads(DEBYE_POISSON_THREADS_X, DEBYE_POISSON_THREADS_Y);
  if (sums != NULL)
    ascend<true><<<blocks, threads, 0, stream->handle>>>(*fine, *coarse, *sums);
  else
    ascend<false><<<blocks, threads, 0, stream->handle>>>(*fine, *coarse, DebyeCudaPoissonSums{});
  debye_stream_note_launch(stream);
}

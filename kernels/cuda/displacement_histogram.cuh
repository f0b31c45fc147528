/* SPDX-License-Identifier: MIT */
/* The displacements' kernels.
 *
 * Consecutive lags: a block counts 2·COLUMNS of them in shared memory, each thread its own two. A thread's
 * column of counters lies in one bank, so that a warp's 32 increments never meet, however few bins the short
 * lags crowd; its two lags share a word, 16 bits each. Places of a tile of first times, and of the times that
 * its lags reach, are read into shared memory once; a thread goes over its share of the first times two by
 * two, and what it reads for one of its lags serves the other.
 *
 * Listed lags, which may be anything, are counted a lag a warp with places from the device's memory.
 *
 * Whether a float can tell the bin is known from how near its edge it is; else the definition in double is
 * asked.
 */
#pragma once

#include "kernels/displacement_math.h"

/* First times of a tile. */
#define DEBYE_DISPLACEMENT_TILE 512
/* Counters are flushed before 16 bits overflow. */
#define DEBYE_DISPLACEMENT_FULL 65535u

/* Atoms of a block's work, all of one group. */
struct DebyeDisplacementPiece {
  uint32_t first, count, group;
};

struct DebyeDisplacementLaunch {
  const float *position[3]; /* [atom·row + frame] */
  size_t row;
  unsigned n_frames, n_bins;
  unsigned shared_bins;       /* that a column has; those from there on are counted in the device's memory */
  unsigned first_lag, n_lags; /* of this launch: consecutive ones, or entries of the list */
  const uint32_t *lags;       /* the list, or NULL */
  const DebyeDisplacementPiece *pieces;
  unsigned n_pieces;
  float scale; /* bins an Å */
  DebyePairBins bins;
  unsigned long long *counts; /* [(group·n_lags + lag)·n_bins + bin] */
  unsigned long long *beyond; /* [group·n_lags + lag] */
  double2 *moments;           /* [piece·n_lags + lag]: Σ d², Σ d⁴ */
};

/* What the loops hold for certain of one displacement: its bin, as a float whose lowest bits it is, and d².
 */
struct DebyeDisplacementFound {
  float shifted, rest, square;
  bool inside, certain;
};

/* Adding it leaves the nearest whole number in the lowest 22 bits. */
#define DEBYE_DISPLACEMENT_MAGIC 12582912.0f
#define DEBYE_DISPLACEMENT_MAGIC_BITS 0x4b400000u

static __device__ __forceinline__ DebyeDisplacementFound
debye_displacement_find(float3 from, float3 to, float scale, float end)
{
  DebyeDisplacementFound found;
  constexpr float error = DEBYE_DISPLACEMENT_ERROR;
  const float dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
  found.square = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
  float reciprocal;
  /* Of 0 it would be infinite. */
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(found.square + 1e-30f));
  /* Rounding t − 1/2 to the nearest is t's whole part. */
  const float half = fmaf(found.square * scale, reciprocal, -0.5f);
  found.shifted = half + DEBYE_DISPLACEMENT_MAGIC;
  found.rest = half - (found.shifted - DEBYE_DISPLACEMENT_MAGIC);
  found.inside = half < end;
  /* 1/2 − t·error; at 0, where no edge is, that is 1/2. */
  found.certain = fabsf(found.rest) <= fmaf(half, -error, 0.5f - 0.5f * error) && found.inside;
  return found;
}

/* The bin by its definition. Rare, and so apart from the loops. Near an edge of a bin inside only its two
 * sides are left. */
static __device__ __noinline__ unsigned
debye_displacement_decide(const double *edge2, unsigned n_bins, double inverse_width, float3 from, float3 to,
                          DebyeDisplacementFound found)
{
  const float one[3] = {from.x, from.y, from.z}, other[3] = {to.x, to.y, to.z};
  if (found.inside) {
    const unsigned edge =
        __float_as_uint(found.shifted) - DEBYE_DISPLACEMENT_MAGIC_BITS + (found.rest > 0.0f ? 1 : 0);
    return debye_displacement_square(one, other) >= edge2[edge] ? edge : edge - 1;
  }
  const DebyePairBins bins = {edge2, n_bins, inverse_width};
  return (unsigned)debye_displacement_bin(&bins, one, other);
}

/* Places of some times, an axis after the other; their number is even. */
struct DebyeDisplacementPlaces {
  float *x, *y, *z;
};

/* What a thread reads of a tile: held in registers while the tile before is counted. */

template <unsigned REACH, unsigned THREADS>
static __device__ __forceinline__ void
debye_displacement_fetch(const DebyeDisplacementLaunch &launch, size_t atom, unsigned start, unsigned lag,
                         float *held)
{
#pragma unroll
  for (unsigned m = 0; m < (3 * (DEBYE_DISPLACEMENT_TILE + REACH) + THREADS - 1) / THREADS; m++) {
    const unsigned i = threadIdx.x + m * THREADS;
    const bool first = i < 3 * DEBYE_DISPLACEMENT_TILE;
    const unsigned j = first ? i : i - 3 * DEBYE_DISPLACEMENT_TILE;
    const unsigned length = first ? DEBYE_DISPLACEMENT_TILE : REACH, axis = j / length;
    const unsigned t = start + (first ? 0 : lag) + j % length;
    held[m] = axis < 3 && t < launch.n_frames ? (axis == 0   ? launch.position[0]
                                                 : axis == 1 ? launch.position[1]
                                                             : launch.position[2])[atom * launch.row + t]
                                              : 0.0f;
  }
}

/* The places stand in shared memory in the order that they are numbered in. */
template <unsigned PLACES, unsigned THREADS>
static __device__ __forceinline__ void
debye_displacement_keep(const float *held, float *places)
{
#pragma unroll
  for (unsigned m = 0; m < (PLACES + THREADS - 1) / THREADS; m++)
    if (threadIdx.x + m * THREADS < PLACES)
      places[threadIdx.x + m * THREADS] = held[m];
}

/* Where a thread counts: its column of shared memory, as the address of the magic number's bin, and the rows
 * of its two lags in the device's. */
struct DebyeDisplacementColumn {
  unsigned address;
  unsigned long long *counts, *beyond;
};

template <int COLUMNS>
static __device__ __forceinline__ void
debye_displacement_increment(const DebyeDisplacementColumn &column, unsigned bits, int odd)
{
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(column.address + bits * (4 * COLUMNS)),
               "r"(odd == 0 ? 1u : 0x10000u)
               : "memory");
}

template <int COLUMNS>
static __device__ __forceinline__ void
debye_displacement_count_exactly(const DebyeDisplacementLaunch &launch, float3 from, float3 to,
                                 const DebyeDisplacementFound &found, const DebyeDisplacementColumn &column,
                                 int odd)
{
  const unsigned bin =
      debye_displacement_decide(launch.bins.edge2, launch.n_bins, launch.bins.inverse_width, from, to, found);
  if (bin < launch.shared_bins)
    debye_displacement_increment<COLUMNS>(column, bin + DEBYE_DISPLACEMENT_MAGIC_BITS, odd);
  else if (bin < launch.n_bins)
    atomicAdd(column.counts + (size_t)odd * launch.n_bins + bin, 1ull);
  else
    atomicAdd(column.beyond + odd, 1ull);
}

template <int COLUMNS, int THREADS> struct DebyeDisplacementShape {
  static constexpr unsigned LAGS = 2 * COLUMNS;
  static constexpr unsigned REACH = DEBYE_DISPLACEMENT_TILE + LAGS; /* times that a tile's lags reach */
  static constexpr unsigned PLACES = 3 * (DEBYE_DISPLACEMENT_TILE + REACH);
  static constexpr unsigned HELD = (PLACES + THREADS - 1) / THREADS; /* of them by a thread */
  /* Of shared memory, at least what the moments are added in. */
  static size_t bytes(size_t bins)
  {
    const size_t needed = (PLACES + bins * COLUMNS) * sizeof(float), least = THREADS * sizeof(double2);
    return needed > least ? needed : least;
  }
};

/* A thread's share of a tile: the first times from `first` to `last`, two by two, and both lags. Unless the
 * tile is WHOLE, of its first times `valid[0]` have the first lag and `valid[1]` the other. */
template <int COLUMNS, bool WHOLE>
static __device__ __forceinline__ void
debye_displacement_share(const DebyeDisplacementLaunch &launch, const DebyeDisplacementPlaces &from,
                         const DebyeDisplacementPlaces &to, unsigned first, unsigned last, const int valid[2],
                         unsigned number, const DebyeDisplacementColumn &column, float2 *two, float2 *four)
{
  const float scale = launch.scale, end = (float)launch.shared_bins - 0.5f;
  unsigned place = first + 2 * number;
  float2 x = *(const float2 *)(to.x + place), y = *(const float2 *)(to.y + place);
  float2 z = *(const float2 *)(to.z + place);
#pragma unroll 2
  for (unsigned t = first; t < last; t += 2) {
    const float2 fx = *(const float2 *)(from.x + t), fy = *(const float2 *)(from.y + t);
    const float2 fz = *(const float2 *)(from.z + t);
    place += 2;
    const float2 nx = *(const float2 *)(to.x + place), ny = *(const float2 *)(to.y + place);
    const float2 nz = *(const float2 *)(to.z + place);
    const float3 start[4] = {make_float3(fx.x, fy.x, fz.x), make_float3(fx.x, fy.x, fz.x),
                             make_float3(fx.y, fy.y, fz.y), make_float3(fx.y, fy.y, fz.y)};
    const float3 stop[4] = {make_float3(x.x, y.x, z.x), make_float3(x.y, y.y, z.y),
                            make_float3(x.y, y.y, z.y), make_float3(nx.x, ny.x, nz.x)};
    DebyeDisplacementFound found[4];
    bool counts[4], all_certain = true;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      counts[i] = WHOLE || (int)t + i / 2 < valid[i % 2];
      found[i] = debye_displacement_find(start[i], stop[i], scale, end);
      all_certain = all_certain && (found[i].certain || !counts[i]);
      const float square = counts[i] ? found[i].square : 0.0f;
      (i % 2 == 0 ? two->x : two->y) += square;
      (i % 2 == 0 ? four->x : four->y) += square * square;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (counts[i] && found[i].certain)
        debye_displacement_increment<COLUMNS>(column, __float_as_uint(found[i].shifted), i % 2);
    if (!all_certain) {
#pragma unroll
      for (int i = 0; i < 4; i++)
        if (counts[i] && !found[i].certain)
          debye_displacement_count_exactly<COLUMNS>(launch, start[i], stop[i], found[i], column, i % 2);
    }
    x = nx;
    y = ny;
    z = nz;
  }
}

/* A group's rows in the device's memory, from one lag of the launch on. */
struct DebyeDisplacementRows {
  unsigned long long *counts, *beyond;
};

static __device__ __forceinline__ DebyeDisplacementRows
debye_displacement_rows(const DebyeDisplacementLaunch &launch, unsigned group, unsigned lag)
{
  const size_t place = (size_t)group * launch.n_lags + lag;
  return {launch.counts + place * launch.n_bins, launch.beyond + place};
}

/* Adds the counters to the counts and clears them. */
template <int COLUMNS, int THREADS>
static __device__ void
debye_displacement_flush(const DebyeDisplacementLaunch &launch, unsigned *counters,
                         const DebyeDisplacementRows &rows, unsigned n_lags)
{
  const size_t row = launch.n_bins;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < launch.shared_bins * COLUMNS; i += THREADS) {
    const unsigned word = counters[i], lag = 2 * (i % COLUMNS), bin = i / COLUMNS;
    counters[i] = 0;
    if ((word & 0xffffu) != 0 && lag < n_lags)
      atomicAdd(rows.counts + lag * row + bin, (unsigned long long)(word & 0xffffu));
    if (word >> 16 != 0 && lag + 1 < n_lags)
      atomicAdd(rows.counts + (lag + 1) * row + bin, (unsigned long long)(word >> 16));
  }
  __syncthreads();
}

/* Tiles of about the same length, a multiple of two first times for each share. */
static __device__ __forceinline__ unsigned
debye_displacement_tile_length(unsigned n_first_times, unsigned shares)
{
  const unsigned step = 2 * shares, most = DEBYE_DISPLACEMENT_TILE / step * step;
  const unsigned n_tiles = (n_first_times + most - 1) / most;
  return (n_first_times + step * n_tiles - 1) / (step * n_tiles) * step;
}

/* Blocks: pieces in x, runs of LAGS lags in y. */
template <int COLUMNS, int THREADS>
static __global__ void
__launch_bounds__(THREADS, 1) debye_displacement_consecutive(const DebyeDisplacementLaunch launch)
{
  using Shape = DebyeDisplacementShape<COLUMNS, THREADS>;
  extern __shared__ float debye_displacement_shared[];
  float *const shared = debye_displacement_shared;
  const DebyeDisplacementPlaces from = {shared, shared + DEBYE_DISPLACEMENT_TILE,
                                        shared + 2 * DEBYE_DISPLACEMENT_TILE};
  float *const reach = shared + 3 * DEBYE_DISPLACEMENT_TILE;
  const DebyeDisplacementPlaces to = {reach, reach + Shape::REACH, reach + 2 * Shape::REACH};
  unsigned *const counters = (unsigned *)(shared + Shape::PLACES);
  /* The sub-warps of COLUMNS threads share the tile's first times. */
  constexpr unsigned SHARES = THREADS / COLUMNS;
  const unsigned number = threadIdx.x % COLUMNS, share = threadIdx.x / COLUMNS;
  const DebyeDisplacementPiece piece = launch.pieces[blockIdx.x];
  const unsigned run = blockIdx.y * Shape::LAGS, lag = launch.first_lag + run;
  const unsigned n_lags = min(Shape::LAGS, launch.n_lags - run), n_first_times = launch.n_frames - lag;
  const unsigned tile = debye_displacement_tile_length(n_first_times, SHARES);
  const DebyeDisplacementRows rows = debye_displacement_rows(launch, piece.group, run);
  DebyeDisplacementColumn column;
  column.address = (unsigned)__cvta_generic_to_shared(counters + number) -
                   DEBYE_DISPLACEMENT_MAGIC_BITS * (unsigned)(4 * COLUMNS);
  column.counts = rows.counts + 2 * number * (size_t)launch.n_bins;
  column.beyond = rows.beyond + 2 * number;
  for (unsigned i = threadIdx.x; i < launch.shared_bins * COLUMNS; i += THREADS)
    counters[i] = 0;
  double2 sum_two = make_double2(0.0, 0.0), sum_four = make_double2(0.0, 0.0);
  unsigned filled = 0;
  float held[Shape::HELD];
  debye_displacement_fetch<Shape::REACH, THREADS>(launch, piece.first, 0, lag, held);
  for (uint32_t atom = piece.first; atom < piece.first + piece.count; atom++)
    for (unsigned start = 0; start < n_first_times; start += tile) {
      if (filled > DEBYE_DISPLACEMENT_FULL - DEBYE_DISPLACEMENT_TILE) {
        debye_displacement_flush<COLUMNS, THREADS>(launch, counters, rows, n_lags);
        filled = 0;
      }
      filled += DEBYE_DISPLACEMENT_TILE;
      __syncthreads();
      debye_displacement_keep<Shape::PLACES, THREADS>(held, shared);
      __syncthreads();
      const bool last_tile = start + tile >= n_first_times;
      if (!last_tile || atom + 1 < piece.first + piece.count)
        debye_displacement_fetch<Shape::REACH, THREADS>(launch, last_tile ? atom + 1 : atom,
                                                        last_tile ? 0 : start + tile, lag, held);
      float2 two = make_float2(0.0f, 0.0f), four = make_float2(0.0f, 0.0f);
      const int left = (int)(n_first_times - start), own = left - 2 * (int)number;
      const int valid[2] = {2 * number < n_lags ? own : 0, 2 * number + 1 < n_lags ? own - 1 : 0};
      const unsigned first = share * (tile / SHARES), end = first + tile / SHARES;
      if (left >= (int)(tile + Shape::LAGS) && n_lags == Shape::LAGS)
        debye_displacement_share<COLUMNS, true>(launch, from, to, first, end, valid, number, column, &two,
                                                &four);
      else
        debye_displacement_share<COLUMNS, false>(launch, from, to, first, min(end, (unsigned)left), valid,
                                                 number, column, &two, &four);
      sum_two = make_double2(sum_two.x + two.x, sum_two.y + two.y);
      sum_four = make_double2(sum_four.x + four.x, sum_four.y + four.y);
    }
  debye_displacement_flush<COLUMNS, THREADS>(launch, counters, rows, n_lags);
  /* The moments: threads of a column are added in their order, in the memory that the places had. */
  double2 *const moments = (double2 *)shared;
  for (int odd = 0; odd < 2; odd++) {
    __syncthreads();
    moments[threadIdx.x] =
        odd == 0 ? make_double2(sum_two.x, sum_four.x) : make_double2(sum_two.y, sum_four.y);
    __syncthreads();
    if (threadIdx.x < COLUMNS && 2 * threadIdx.x + odd < n_lags) {
      double2 sum = make_double2(0.0, 0.0);
      for (unsigned i = 0; i < SHARES; i++) {
        sum.x += moments[i * COLUMNS + threadIdx.x].x;
        sum.y += moments[i * COLUMNS + threadIdx.x].y;
      }
      launch.moments[(size_t)blockIdx.x * launch.n_lags + run + 2 * threadIdx.x + odd] = sum;
    }
  }
}

/* Blocks of 256 threads: pieces in x, entries of the list in y. */
static __global__ void __launch_bounds__(256) debye_displacement_listed(const DebyeDisplacementLaunch launch)
{
  extern __shared__ float debye_displacement_shared[];
  unsigned *const counters = (unsigned *)debye_displacement_shared;
  __shared__ double2 moments[256];
  const DebyeDisplacementPiece piece = launch.pieces[blockIdx.x];
  const unsigned lag = launch.lags[launch.first_lag + blockIdx.y];
  const DebyeDisplacementRows rows = debye_displacement_rows(launch, piece.group, blockIdx.y);
  for (unsigned i = threadIdx.x; i < launch.shared_bins; i += 256)
    counters[i] = 0;
  __syncthreads();
  double2 sum = make_double2(0.0, 0.0);
  for (uint32_t atom = piece.first; atom < piece.first + piece.count; atom++) {
    const float *x = launch.position[0] + atom * launch.row, *y = launch.position[1] + atom * launch.row;
    const float *z = launch.position[2] + atom * launch.row;
    for (unsigned t = threadIdx.x; t + lag < launch.n_frames; t += 256) {
      const float3 from = make_float3(x[t], y[t], z[t]), to = make_float3(x[t + lag], y[t + lag], z[t + lag]);
      const DebyeDisplacementFound found =
          debye_displacement_find(from, to, launch.scale, (float)launch.shared_bins - 0.5f);
      sum.x += (double)found.square;
      sum.y += (double)(found.square * found.square);
      unsigned bin = __float_as_uint(found.shifted) - DEBYE_DISPLACEMENT_MAGIC_BITS;
      if (!found.certain)
        bin = debye_displacement_decide(launch.bins.edge2, launch.n_bins, launch.bins.inverse_width, from, to,
                                        found);
      if (bin < launch.shared_bins)
        atomicAdd(counters + bin, 1u);
      else
        atomicAdd(bin < launch.n_bins ? rows.counts + bin : rows.beyond, 1ull);
    }
  }
  moments[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < launch.shared_bins; i += 256)
    if (counters[i] != 0)
      atomicAdd(rows.counts + i, (unsigned long long)counters[i]);
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      moments[threadIdx.x].x += moments[threadIdx.x + width].x;
      moments[threadIdx.x].y += moments[threadIdx.x + width].y;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    launch.moments[(size_t)blockIdx.x * launch.n_lags + blockIdx.y] = moments[0];
}

/* Adds the pieces' moments in their order: [group·n_lags + lag]. Blocks: lags in x, groups in y. */
static __global__ void
debye_displacement_add_moments(const double2 *pieces, const uint32_t *piece_end, unsigned n_lags,
                               double2 *out)
{
  const unsigned lag = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y;
  if (lag >= n_lags)
    return;
  double2 sum = make_double2(0.0, 0.0);
  for (uint32_t piece = group > 0 ? piece_end[group - 1] : 0; piece < piece_end[group]; piece++) {
    sum.x += pieces[(size_t)piece * n_lags + lag].x;
    sum.y += pieces[(size_t)piece * n_lags + lag].y;
  }
  out[(size_t)group * n_lags + lag] = sum;
}

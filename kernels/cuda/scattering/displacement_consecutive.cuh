/* SPDX-License-Identifier: MIT */
/* Displacements of consecutive lags.
 *
 * A block counts 2·COLUMNS lags of a piece of the atoms in shared memory. Each thread of a sub-warp has two
 * lags of its own, and a column of counters in a bank of its own: a warp's 32 increments never meet, however
 * few bins the short lags crowd. The two lags share a word, 16 bits each. Sub-warps go over atoms of their
 * own without waiting for each other: places come from the first-level cache, each first time for all lags at
 * once, four first times a step, and of what a thread reads for one of its lags most serves the other.
 *
 * The bin of d = √s in float is ⌊d/Δr⌋, rounded down by the one instruction that multiplies. Computed with
 * 1/Δr less and more the error of all before, it is certain where both agree; else the definition in double
 * is asked, and the counter set right: words are added to modulo 2³², so that a wrong increment can be taken
 * back. */
#pragma once

#include "displacement_kernels.cuh"

/* Counters are flushed before 16 bits overflow. */
#define DEBYE_DISPLACEMENT_FULL 65535u
/* First times of a step, and of those whose moments are added in float; a word has a bit for each of their
 * displacements. */
#define DEBYE_DISPLACEMENT_STEP 4u
#define DEBYE_DISPLACEMENT_ADDED 16u

/* A thread's atom: where it is at a first time, and where the thread's first lag leads to from there. */
struct DebyeDisplacementCourse {
  const float *from[3], *to[3];
};

/* What a thread reads for a step, an axis after the other: four first times, and where they lead to. The two
 * times before those are left from the step before. */
struct DebyeDisplacementTimes {
  float4 from[3];
  float2 to[3][2];
};

static __device__ __forceinline__ DebyeDisplacementTimes
debye_displacement_read(const DebyeDisplacementCourse &course, unsigned ahead)
{
  DebyeDisplacementTimes times;
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    times.from[axis] = __ldg((const float4 *)(course.from[axis] + ahead));
    times.to[axis][0] = __ldg((const float2 *)(course.to[axis] + ahead + 2));
    times.to[axis][1] = __ldg((const float2 *)(course.to[axis] + ahead + 4));
  }
  return times;
}

/* Where a thread counts. */
struct DebyeDisplacementColumn {
  unsigned address;           /* in shared memory, of the magic number's row */
  unsigned long long *counts; /* in the device's: of row 0 and the first lag */
};

/* Adds to a row, given as the bits that the loops find. */
template <int COLUMNS>
static __device__ __forceinline__ void
debye_displacement_add(const DebyeDisplacementColumn &column, unsigned row, unsigned increment)
{
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(column.address + row * (4 * COLUMNS)), "r"(increment));
}

/* Displacements that were counted in a row while they might be in the next: rare, and so apart from the loop,
 * for which their places are read again. Bit 2·t + odd of `doubts` is first time t's, of `course`. */
template <int COLUMNS>
static __device__ __noinline__ void
debye_displacement_correct(const DebyeDisplacementLaunch &launch, const DebyeDisplacementColumn &column,
                           const float *from, const float *to, unsigned doubts)
{
  const ptrdiff_t y = launch.position[1] - launch.position[0], z = launch.position[2] - launch.position[0];
  for (; doubts != 0; doubts &= doubts - 1) {
    const int bit = __ffs((int)doubts) - 1, t = bit / 2;
    const float *const a = from + t, *const b = to + t + bit % 2;
    const float one[3] = {a[0], a[y], a[z]}, other[3] = {b[0], b[y], b[z]};
    const DebyeDisplacementFound found = debye_displacement_find(launch, one, other, INFINITY);
    const unsigned row = debye_displacement_decide(launch, one, other, found.high);
    const unsigned counted = __float_as_uint(fminf(found.low, launch.last_row));
    const unsigned increment = bit % 2 == 0 ? 1u : 0x10000u;
    if (row == counted - DEBYE_DISPLACEMENT_MAGIC_BITS)
      continue;
    debye_displacement_add<COLUMNS>(column, counted, 0u - increment);
    if (row < launch.shared_rows)
      debye_displacement_add<COLUMNS>(column, row + DEBYE_DISPLACEMENT_MAGIC_BITS, increment);
    else
      atomicAdd(column.counts + (size_t)row * (2 * COLUMNS) + bit % 2 * COLUMNS, 1ull);
  }
}

/* Σ d² and Σ d⁴ of a thread's two lags, and which displacements' rows are in doubt. */
struct DebyeDisplacementSum {
  float two[2], four[2];
  unsigned doubts;
};

/* Four first times and both lags. Unless the step is WHOLE, of its first times `left[0]` have the first lag
 * and `left[1]` the other. */
template <int COLUMNS, bool WHOLE>
static __device__ __forceinline__ void
debye_displacement_step(const DebyeDisplacementLaunch &launch, const DebyeDisplacementColumn &column,
                        const DebyeDisplacementCourse &course, float2 before[3], unsigned ahead,
                        const int left[2], DebyeDisplacementSum *sum)
{
  const DebyeDisplacementTimes times = debye_displacement_read(course, ahead);
  float from[4][3], to[6][3];
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    const float4 f = times.from[axis];
    from[0][axis] = f.x, from[1][axis] = f.y, from[2][axis] = f.z, from[3][axis] = f.w;
    to[0][axis] = before[axis].x, to[1][axis] = before[axis].y;
    to[2][axis] = times.to[axis][0].x, to[3][axis] = times.to[axis][0].y;
    to[4][axis] = times.to[axis][1].x, to[5][axis] = times.to[axis][1].y;
    before[axis] = times.to[axis][1];
  }
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const DebyeDisplacementFound found =
        debye_displacement_find(launch, from[i / 2], to[i / 2 + i % 2], launch.last_root);
    const bool counts = WHOLE || i / 2 < left[i % 2];
    const float square = counts ? found.square : 0.0f;
    if (counts && found.low != found.high)
      sum->doubts |= 1u << (2 * ahead + i);
    sum->two[i % 2] += square;
    sum->four[i % 2] = fmaf(square, square, sum->four[i % 2]);
    /* What is behind the last frame adds nothing to a row that there is: less than a branch takes. */
    debye_displacement_add<COLUMNS>(column, __float_as_uint(found.low),
                                    !counts      ? 0
                                    : i % 2 == 0 ? 1u
                                                 : 0x10000u);
  }
}

/* Lags of a block, and how its atoms' first times are cut into units. */
struct DebyeDisplacementRun {
  unsigned lag;                     /* the first */
  unsigned n_times;                 /* first times that have it */
  unsigned whole;                   /* that have all lags of the run */
  unsigned length, segments, chunk; /* first times of a unit, units of an atom, units between flushes */
  int last[2];                      /* a thread's: its lags lead to the last frame from here */
};

template <int COLUMNS, int THREADS>
static __device__ __forceinline__ DebyeDisplacementRun
debye_displacement_run(const DebyeDisplacementLaunch &launch, unsigned number)
{
  constexpr unsigned LAGS = 2 * COLUMNS, SHARES = THREADS / COLUMNS, ADDED = DEBYE_DISPLACEMENT_ADDED;
  DebyeDisplacementRun run;
  const unsigned first = blockIdx.y * LAGS, n_frames = launch.n_frames;
  run.lag = launch.first_lag + first;
  run.n_times = n_frames - run.lag;
  const bool full = first >= launch.skip && first + LAGS <= launch.n_lags && n_frames >= run.lag + LAGS;
  run.whole = full ? n_frames - (run.lag + LAGS - 1) : 0;
  /* 16 bits have room for three units and more of each sub-warp. */
  constexpr unsigned UNIT = DEBYE_DISPLACEMENT_FULL / (3 * SHARES) / ADDED * ADDED;
  run.segments = (run.n_times + UNIT - 1) / UNIT;
  run.length = (run.n_times + run.segments * ADDED - 1) / (run.segments * ADDED) * ADDED;
  run.chunk = DEBYE_DISPLACEMENT_FULL / run.length / SHARES * SHARES;
  for (unsigned odd = 0; odd < 2; odd++) {
    const unsigned lag = first + 2 * number + odd;
    run.last[odd] =
        lag >= launch.skip && lag < launch.n_lags ? (int)n_frames - (int)(launch.first_lag + lag) : 0;
  }
  return run;
}

/* A unit's displacements. */
template <int COLUMNS>
static __device__ __forceinline__ void
debye_displacement_walk(const DebyeDisplacementLaunch &launch, const DebyeDisplacementRun &run,
                        const DebyeDisplacementColumn &column, size_t atom, unsigned segment, unsigned number,
                        double2 *sum_two, double2 *sum_four)
{
  constexpr unsigned STEP = DEBYE_DISPLACEMENT_STEP, ADDED = DEBYE_DISPLACEMENT_ADDED;
  DebyeDisplacementCourse course;
  float2 before[3];
  const int end = (int)min((segment + 1) * run.length, run.n_times), whole_end = min(end, (int)run.whole);
  int t = (int)(segment * run.length);
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    course.from[axis] = launch.position[axis] + atom * launch.row + t;
    course.to[axis] = course.from[axis] + run.lag + 2 * number;
    before[axis] = __ldg((const float2 *)course.to[axis]);
  }
  for (; t < end; t += (int)ADDED) {
    DebyeDisplacementSum sum = {{0.0f, 0.0f}, {0.0f, 0.0f}, 0};
    if (t + (int)ADDED <= whole_end) {
#pragma unroll
      for (unsigned ahead = 0; ahead < ADDED; ahead += STEP)
        debye_displacement_step<COLUMNS, true>(launch, column, course, before, ahead, run.last, &sum);
    } else {
#pragma unroll 1
      for (unsigned ahead = 0; ahead < ADDED && t + (int)ahead < end; ahead += STEP) {
        const int left[2] = {min(run.last[0], end) - t - (int)ahead, min(run.last[1], end) - t - (int)ahead};
        debye_displacement_step<COLUMNS, false>(launch, column, course, before, ahead, left, &sum);
      }
    }
    if (sum.doubts != 0)
      debye_displacement_correct<COLUMNS>(launch, column, course.from[0], course.to[0], sum.doubts);
#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
      course.from[axis] += ADDED;
      course.to[axis] += ADDED;
    }
    *sum_two = make_double2(sum_two->x + sum.two[0], sum_two->y + sum.two[1]);
    *sum_four = make_double2(sum_four->x + sum.four[0], sum_four->y + sum.four[1]);
  }
}

/* Adds the counters to the run's counts and clears them. */
template <int COLUMNS, int THREADS>
static __device__ void
debye_displacement_flush(unsigned *counters, unsigned n_rows, unsigned long long *counts)
{
  const unsigned number = threadIdx.x % COLUMNS;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n_rows * COLUMNS; i += THREADS) {
    const unsigned word = counters[i];
    unsigned long long *const row = counts + (size_t)(i / COLUMNS) * (2 * COLUMNS) + number;
    counters[i] = 0;
    if ((word & 0xffffu) != 0)
      atomicAdd(row, (unsigned long long)(word & 0xffffu));
    if (word >> 16 != 0)
      atomicAdd(row + COLUMNS, (unsigned long long)(word >> 16));
  }
  __syncthreads();
}

/* Writes a piece's moments: threads of a column are added in their order. */
template <int COLUMNS, int THREADS>
static __device__ void
debye_displacement_write_moments(const DebyeDisplacementLaunch &launch, double2 *shared, double2 two,
                                 double2 four)
{
  constexpr unsigned LAGS = 2 * COLUMNS;
  for (int odd = 0; odd < 2; odd++) {
    __syncthreads();
    shared[threadIdx.x] = odd == 0 ? make_double2(two.x, four.x) : make_double2(two.y, four.y);
    __syncthreads();
    const unsigned lag = blockIdx.y * LAGS + 2 * threadIdx.x + odd;
    if (threadIdx.x < COLUMNS && lag < launch.n_lags) {
      double2 sum = make_double2(0.0, 0.0);
      for (unsigned i = threadIdx.x; i < THREADS; i += COLUMNS)
        sum = make_double2(sum.x + shared[i].x, sum.y + shared[i].y);
      launch.moments[(size_t)blockIdx.x * launch.n_lags + lag] = sum;
    }
  }
}

/* Of shared memory, at least what the moments are added in. */
static inline size_t
debye_displacement_shared_bytes(size_t n_rows, size_t columns, size_t threads)
{
  const size_t needed = n_rows * columns * sizeof(unsigned), least = threads * sizeof(double2);
  return needed > least ? needed : least;
}

/* Blocks: pieces in x, runs of 2·COLUMNS lags in y. */
template <int COLUMNS, int THREADS>
static __global__ void
__launch_bounds__(THREADS, 1)
    debye_displacement_consecutive(const __grid_constant__ DebyeDisplacementLaunch launch)
{
  constexpr unsigned SHARES = THREADS / COLUMNS;
  extern __shared__ double2 debye_displacement_shared[];
  unsigned *const counters = (unsigned *)debye_displacement_shared;
  const unsigned number = threadIdx.x % COLUMNS, share = threadIdx.x / COLUMNS;
  const DebyeSeriesPiece piece = launch.pieces[blockIdx.x];
  const DebyeDisplacementRun run = debye_displacement_run<COLUMNS, THREADS>(launch, number);
  unsigned long long *const counts = launch.counts + ((size_t)piece.group * gridDim.y + blockIdx.y) *
                                                         (launch.n_bins + 1) * (size_t)(2 * COLUMNS);
  DebyeDisplacementColumn column;
  column.address = (unsigned)__cvta_generic_to_shared(counters + number) -
                   DEBYE_DISPLACEMENT_MAGIC_BITS * (unsigned)(4 * COLUMNS);
  column.counts = counts + number;
  for (unsigned i = threadIdx.x; i < launch.shared_rows * COLUMNS; i += THREADS)
    counters[i] = 0;
  __syncthreads();
  double2 two = make_double2(0.0, 0.0), four = make_double2(0.0, 0.0);
  const unsigned n_units = piece.count * run.segments;
  for (unsigned begin = 0; begin < n_units; begin += run.chunk) {
    const unsigned end = min(begin + run.chunk, n_units);
    for (unsigned unit = begin + share; unit < end; unit += SHARES)
      debye_displacement_walk<COLUMNS>(launch, run, column, piece.first + unit / run.segments,
                                       unit % run.segments, number, &two, &four);
    debye_displacement_flush<COLUMNS, THREADS>(counters, launch.shared_rows, counts);
  }
  debye_displacement_write_moments<COLUMNS, THREADS>(launch, debye_displacement_shared, two, four);
}

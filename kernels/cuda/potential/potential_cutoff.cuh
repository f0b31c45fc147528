/* SPDX-License-Identifier: MIT */
/* The cutoff method's kernels.
 *
 * A warp has a block of the map to itself: LANES_X × POINTS_Y × LANES_Z points, each thread a column of
 * POINTS_Y in y, neighbouring lanes neighbouring points in x. Its lanes go together through the rows of bins
 * that the block can see, 32 atoms at a time, and put those that are within the cutoff of the block's box
 * into shared memory, relative to its middle. When enough stand there, every lane takes them one after the
 * other: what x and z contribute to d² once, then its column. Because no other warp is waited for, there is
 * nothing to synchronise, and a block in a dense place delays only itself.
 *
 * What is left to waste is the pairs of an atom near the block and a point that it does not reach: the
 * smaller a block, the fewer, but the more often an atom is looked at. tests/bench/bench_cutoff_shapes times
 * shapes. Atoms that may be within the core radius of a point are kept apart, so that the others need no
 * clamp. */
#pragma once

#include "kernels/potential/cutoff_bins.h"
#include "kernels/potential/pair_function.h"

template <int LANES_X_, int POINTS_Y_, int WARPS_, int SOFTWARE_, int MIN_BLOCKS_ = 1, int UNROLL_ = 1>
struct DebyeCutoffShape {
  static constexpr int LANES_X = LANES_X_, LANES_Z = 32 / LANES_X_, POINTS_Y = POINTS_Y_, WARPS = WARPS_;
  static constexpr int SOFTWARE = SOFTWARE_, MIN_BLOCKS = MIN_BLOCKS_, UNROLL = UNROLL_;
  static constexpr int THREADS = 32 * WARPS;
};

/* Atoms that wait in shared memory: when more than FULL do, they are summed. */
#define DEBYE_CUTOFF_FULL 128
#define DEBYE_CUTOFF_ROOM (DEBYE_CUTOFF_FULL + 32)
#define DEBYE_CUTOFF_NEAR_FULL 32
#define DEBYE_CUTOFF_NEAR_ROOM (DEBYE_CUTOFF_NEAR_FULL + 32)

/* What a launch works on: planes [first_plane, first_plane + n_planes), into `out` from its begin. */
struct DebyeCutoffLaunch {
  DebyeTurnedGrid grid;
  DebyeBinMap map;
  const DebyeBinnedAtom *atoms;
  const DebyeBinnedExactAtom *exact_atoms; /* NULL where neither doubles nor a step need them */
  DebyePairFloats pair;
  DebyePairFunction function;
  double core2;
  double unit;
  size_t first_plane, n_planes;
  const volatile int *stop; /* on the device, may be NULL: not 0 when the result is no longer wanted */
};

/* A block of points, and where atoms are measured from. */
struct DebyeCutoffWarp {
  size_t first[3], count[3];
  DebyeBlockBox box;
  uint32_t middle[3];
  float half[3];
};

/* One lane's points: (x + j·row_x, y[j], z) from the middle. */
template <class Shape> struct DebyeCutoffColumn {
  float x, z, row_x;
  float y[Shape::POINTS_Y];
  float sum[Shape::POINTS_Y];
};

/* 1/√r2 in one instruction; the argument is never subnormal here. */
static __device__ __forceinline__ float
debye_cutoff_rsqrt(float r2)
{
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(r2));
  return result;
}

/* As in the direct sum: some points get theirs from the multiply-add pipes. */
template <class Shape>
static __device__ __forceinline__ float
debye_cutoff_term(float charge, float r2, int point)
{
#if __CUDA_ARCH__ != 750 && __CUDA_ARCH__ != 800
  if ((point + 1) * Shape::SOFTWARE / Shape::POINTS_Y != point * Shape::SOFTWARE / Shape::POINTS_Y) {
    const float guess = debye_rsqrt_guess(r2);
    return charge * guess * debye_rsqrt_correction(r2 * (guess * guess));
  }
#endif
  return charge * debye_cutoff_rsqrt(r2);
}

template <int N>
static __device__ __forceinline__ float
debye_cutoff_polynomial(const DebyePairFloats &pair, float v)
{
  float b = pair.coefficient[N - 1];
#pragma unroll
  for (int i = N - 2; i >= 0; i--)
    b = fmaf(b, v, pair.coefficient[i]);
  return b;
}

/* Adds q·f to `sum` where the pair is within the cutoff; `clamped` is r2 or the core's. */
template <class Shape, int FORM>
static __device__ __forceinline__ void
debye_cutoff_add(const DebyePairFloats &pair, float r2, float clamped, float charge, int point, float *sum)
{
  float term = debye_cutoff_term<Shape>(charge, clamped, point);
  if (FORM == DEBYE_PAIR_SCREENED || FORM == DEBYE_PAIR_ANY) {
    const float t = __saturatef(fmaf(clamped, -pair.inverse_cutoff2, 1.0f)), t2 = t * t;
    if (FORM == DEBYE_PAIR_SCREENED) {
      *sum = fmaf(t2, term, *sum);
      return;
    }
    term *= fmaf(pair.screened, t2 - 1.0f, 1.0f);
  }
  if (FORM != DEBYE_PAIR_STEP) {
    constexpr int N = FORM == DEBYE_PAIR_EVEN_4    ? 4
                      : FORM == DEBYE_PAIR_EVEN_8  ? 8
                      : FORM == DEBYE_PAIR_EVEN_12 ? 12
                                                   : 16;
    term = fmaf(-charge, debye_cutoff_polynomial<N>(pair, fmaf(r2, pair.inverse_cutoff2, -0.5f)), term);
  }
  if (r2 < pair.edge_low)
    *sum += term;
}

/* Decides in double the pairs that float could not: a step is as high as the function. */
template <class Shape>
static __device__ __noinline__ float
debye_cutoff_edge_pair(const DebyeCutoffLaunch &launch, const DebyeCutoffWarp &warp, int lane, int j,
                       uint32_t index)
{
  const DebyeTurnedGrid &grid = launch.grid;
  const DebyeBinnedExactAtom atom = launch.exact_atoms[index];
  const double i = (double)(warp.first[0] + lane % Shape::LANES_X), row = (double)(warp.first[1] + j);
  const double k = (double)(warp.first[2] + lane / Shape::LANES_X);
  const double dx = atom.x - (i * grid.step_x + row * grid.row_x + k * grid.plane_x);
  const double dy = atom.y - (row * grid.row_y + k * grid.plane_y), dz = atom.z - k * grid.plane_z;
  const double r2 = dx * dx + dy * dy + dz * dz;
  const double cutoff2 = launch.function.cutoff * launch.function.cutoff;
  return r2 < cutoff2 ? (float)(atom.charge * debye_pair_value(&launch.function, r2, launch.core2)) : 0.0f;
}

/* Sums the waiting atoms into the lane's column. Their sum is made apart, so that rounding grows with the
 * square root of their number and not of all. */
template <class Shape, int FORM, bool SHEARED, bool CLAMPED>
static __device__ __forceinline__ void
debye_cutoff_sum(const DebyeCutoffLaunch &launch, const DebyeCutoffWarp &warp, const float4 *atoms,
                 const uint32_t *index, int count, int lane, DebyeCutoffColumn<Shape> &column)
{
  constexpr bool STEPS = FORM == DEBYE_PAIR_STEP || FORM == DEBYE_PAIR_ANY;
  const DebyePairFloats &pair = launch.pair;
  float part[Shape::POINTS_Y] = {};
#pragma unroll Shape::UNROLL
  for (int at = 0; at < count; at++) {
    const float4 atom = atoms[at];
    const float dx = atom.x - column.x, dz = atom.z - column.z;
    const float s = SHEARED ? dz * dz : fmaf(dx, dx, dz * dz);
    bool on_edge = false;
#pragma unroll
    for (int j = 0; j < Shape::POINTS_Y; j++) {
      const float dy = atom.y - column.y[j];
      float r2 = fmaf(dy, dy, s);
      if (SHEARED) {
        const float d = fmaf(-(float)j, column.row_x, dx);
        r2 = fmaf(d, d, r2);
      }
      if (STEPS)
        on_edge |= r2 >= pair.edge_low && r2 <= pair.edge_high;
      debye_cutoff_add<Shape, FORM>(pair, r2, CLAMPED ? fmaxf(r2, pair.core2) : r2, atom.w, j, &part[j]);
    }
    if (STEPS && on_edge) {
#pragma unroll
      for (int j = 0; j < Shape::POINTS_Y; j++) {
        const float dy = atom.y - column.y[j];
        float r2 = fmaf(dy, dy, s);
        if (SHEARED) {
          const float d = fmaf(-(float)j, column.row_x, dx);
          r2 = fmaf(d, d, r2);
        }
        if (r2 >= pair.edge_low && r2 <= pair.edge_high)
          part[j] += debye_cutoff_edge_pair<Shape>(launch, warp, lane, j, index[at]);
      }
    }
  }
#pragma unroll
  for (int j = 0; j < Shape::POINTS_Y; j++)
    column.sum[j] += part[j];
}

static __device__ __forceinline__ size_t
debye_least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* False where the block has no point of the grid. */
template <class Shape>
static __device__ __forceinline__ bool
debye_cutoff_place(const DebyeCutoffLaunch &launch, DebyeCutoffWarp &warp)
{
  const size_t *shape = launch.grid.shape;
  const size_t extent[3] = {Shape::LANES_X, Shape::POINTS_Y, Shape::LANES_Z};
  /* Blocks begin at multiples of their size, so that a map does not depend on its slabs. */
  warp.first[0] = ((size_t)blockIdx.x * Shape::WARPS + threadIdx.x / 32) * Shape::LANES_X;
  warp.first[1] = (size_t)blockIdx.y * Shape::POINTS_Y;
  warp.first[2] = (launch.first_plane / Shape::LANES_Z + blockIdx.z) * Shape::LANES_Z;
  if (warp.first[0] >= shape[0] || (launch.stop != NULL && *launch.stop != 0))
    return false;
  for (int axis = 0; axis < 3; axis++)
    warp.count[axis] = debye_least(extent[axis], shape[axis] - warp.first[axis]);
  warp.box = debye_block_box(&launch.map, &launch.grid, warp.first, warp.count);
  return true;
}

template <class Shape>
static __device__ __forceinline__ void
debye_cutoff_frame(const DebyeCutoffLaunch &launch, int lane, DebyeCutoffWarp &warp,
                   DebyeCutoffColumn<Shape> &column)
{
  const DebyeTurnedGrid &grid = launch.grid;
  double middle[3];
  for (int axis = 0; axis < 3; axis++) {
    const double centre = 0.5 * (warp.box.low[axis] + warp.box.high[axis]);
    warp.middle[axis] = debye_fixed_point(centre, launch.unit);
    middle[axis] = rint(centre / launch.unit) * launch.unit;
    warp.half[axis] = (float)(0.5 * (warp.box.high[axis] - warp.box.low[axis]) * (1.0 + 1e-6));
  }
  const double i = (double)(warp.first[0] + lane % Shape::LANES_X), j = (double)warp.first[1];
  const double k = (double)(warp.first[2] + lane / Shape::LANES_X);
  column.x = (float)(i * grid.step_x + j * grid.row_x + k * grid.plane_x - middle[0]);
  column.z = (float)(k * grid.plane_z - middle[2]);
  column.row_x = (float)grid.row_x;
#pragma unroll
  for (int point = 0; point < Shape::POINTS_Y; point++) {
    column.y[point] = (float)((j + point) * grid.row_y + k * grid.plane_y - middle[1]);
    column.sum[point] = 0.0f;
  }
}

/* What waits in a warp's part of shared memory. */
template <int FORM> struct DebyeCutoffStore {
  static constexpr int INDICES = FORM == DEBYE_PAIR_STEP || FORM == DEBYE_PAIR_ANY ? 1 : 0;
  float4 far[DEBYE_CUTOFF_ROOM], near[DEBYE_CUTOFF_NEAR_ROOM];
  uint32_t far_index[INDICES * DEBYE_CUTOFF_ROOM + 1], near_index[INDICES * DEBYE_CUTOFF_NEAR_ROOM + 1];
};

/* Appends the lanes' atoms for which `keeps` holds; in the order of lanes, so that sums don't depend on
 * chance. */
static __device__ __forceinline__ void
debye_cutoff_append(bool keeps, float4 atom, uint32_t at, bool indexed, float4 *atoms, uint32_t *index,
                    int lane, int *count)
{
  const unsigned keepers = __ballot_sync(0xffffffffu, keeps);
  const int place = *count + __popc(keepers & ((1u << lane) - 1u));
  if (keeps) {
    atoms[place] = atom;
    if (indexed)
      index[place] = at;
  }
  *count += __popc(keepers);
}

/* Atoms [first, end), 32 at a time, those that the block may see into the store, and on. */
template <class Shape, int FORM, bool SHEARED>
static __device__ __forceinline__ void
debye_cutoff_run(const DebyeCutoffLaunch &launch, const DebyeCutoffWarp &warp, uint32_t first, uint32_t end,
                 int lane, DebyeCutoffStore<FORM> &store, int &n_far, int &n_near,
                 DebyeCutoffColumn<Shape> &column)
{
  constexpr bool INDEXED = DebyeCutoffStore<FORM>::INDICES != 0;
  const float unit = (float)launch.unit;
  for (uint32_t batch = first; batch < end; batch += 32) {
    const uint32_t at = batch + lane;
    float4 atom = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float gap2 = INFINITY;
    if (at < end) {
      const uint4 bits = __ldg((const uint4 *)launch.atoms + at);
      atom.x = unit * (float)(int)(bits.x - warp.middle[0]);
      atom.y = unit * (float)(int)(bits.y - warp.middle[1]);
      atom.z = unit * (float)(int)(bits.z - warp.middle[2]);
      atom.w = __uint_as_float(bits.w);
      const float x = fmaxf(fabsf(atom.x) - warp.half[0], 0.0f);
      const float y = fmaxf(fabsf(atom.y) - warp.half[1], 0.0f);
      const float z = fmaxf(fabsf(atom.z) - warp.half[2], 0.0f);
      gap2 = fmaf(x, x, fmaf(y, y, z * z));
    }
    const bool near = gap2 <= 1.01f * launch.pair.core2;
    debye_cutoff_append(!near && gap2 < 1.00001f * launch.pair.edge_high, atom, at, INDEXED, store.far,
                        store.far_index, lane, &n_far);
    debye_cutoff_append(near, atom, at, INDEXED, store.near, store.near_index, lane, &n_near);
    __syncwarp();
    if (n_far > DEBYE_CUTOFF_FULL) {
      debye_cutoff_sum<Shape, FORM, SHEARED, false>(launch, warp, store.far, store.far_index, n_far, lane,
                                                    column);
      n_far = 0;
    }
    if (n_near > DEBYE_CUTOFF_NEAR_FULL) {
      debye_cutoff_sum<Shape, FORM, true, true>(launch, warp, store.near, store.near_index, n_near, lane,
                                                column);
      n_near = 0;
    }
    __syncwarp();
  }
}

/* Launched with (⌈nx/(LANES_X·WARPS)⌉, ⌈ny/POINTS_Y⌉, layers of LANES_Z planes) blocks of THREADS. */
template <class Shape, int FORM, bool SHEARED>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::MIN_BLOCKS)
    debye_cutoff_float(const __grid_constant__ DebyeCutoffLaunch launch, float *__restrict__ out)
{
  __shared__ DebyeCutoffStore<FORM> stores[Shape::WARPS];
  DebyeCutoffStore<FORM> &store = stores[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  DebyeCutoffWarp warp;
  DebyeCutoffColumn<Shape> column;
  if (!debye_cutoff_place<Shape>(launch, warp))
    return;
  debye_cutoff_frame<Shape>(launch, lane, warp, column);
  int n_far = 0, n_near = 0;
  /* Each lane finds out about a row of bins; then the warp goes through them together. */
  for (long offset = 0; offset < launch.map.n_offsets; offset += 32) {
    uint32_t first = 0, end = 0;
    if (offset + lane < launch.map.n_offsets)
      debye_bin_row(&launch.map, &warp.box, launch.map.offset[offset + lane], &first, &end);
    unsigned rows = __ballot_sync(0xffffffffu, end > first);
    for (; rows != 0; rows &= rows - 1) {
      const int row = __ffs((int)rows) - 1;
      debye_cutoff_run<Shape, FORM, SHEARED>(launch, warp, __shfl_sync(0xffffffffu, first, row),
                                             __shfl_sync(0xffffffffu, end, row), lane, store, n_far, n_near,
                                             column);
    }
  }
  debye_cutoff_sum<Shape, FORM, SHEARED, false>(launch, warp, store.far, store.far_index, n_far, lane,
                                                column);
  debye_cutoff_sum<Shape, FORM, true, true>(launch, warp, store.near, store.near_index, n_near, lane, column);

  const size_t *shape = launch.grid.shape;
  const size_t i = warp.first[0] + lane % Shape::LANES_X, k = warp.first[2] + lane / Shape::LANES_X;
  if (i >= shape[0] || k < launch.first_plane || k >= launch.first_plane + launch.n_planes)
    return;
  out += i + shape[0] * (warp.first[1] + shape[1] * (k - launch.first_plane));
#pragma unroll
  for (int j = 0; j < Shape::POINTS_Y; j++)
    if (j < warp.count[1])
      out[(size_t)j * shape[0]] = column.sum[j];
}

/* The checking path: a point a thread, everything in double. A warp has 32 points of a row, so that all its
 * lanes go through the same atoms. */
using DebyeCutoffDoubleShape = DebyeCutoffShape<32, 1, 4, 0>;

static __global__ void
__launch_bounds__(DebyeCutoffDoubleShape::THREADS)
    debye_cutoff_double(const __grid_constant__ DebyeCutoffLaunch launch, double *__restrict__ out)
{
  using Shape = DebyeCutoffDoubleShape;
  DebyeCutoffWarp warp;
  if (!debye_cutoff_place<Shape>(launch, warp))
    return;
  const DebyeTurnedGrid &grid = launch.grid;
  const size_t i = warp.first[0] + threadIdx.x % 32;
  const double j = (double)warp.first[1], k = (double)warp.first[2];
  const double x = (double)i * grid.step_x + j * grid.row_x + k * grid.plane_x;
  const double y = j * grid.row_y + k * grid.plane_y, z = k * grid.plane_z;
  const double cutoff2 = launch.function.cutoff * launch.function.cutoff;
  double sum = 0.0;
  for (long offset = 0; offset < launch.map.n_offsets; offset++) {
    uint32_t first, end;
    debye_bin_row(&launch.map, &warp.box, launch.map.offset[offset], &first, &end);
    for (uint32_t at = first; at < end; at++) {
      const DebyeBinnedExactAtom atom = launch.exact_atoms[at];
      const double dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff2)
        sum += atom.charge * debye_pair_value(&launch.function, r2, launch.core2);
    }
  }
  if (i >= grid.shape[0])
    return;
  out[i + grid.shape[0] * (warp.first[1] + grid.shape[1] * (warp.first[2] - launch.first_plane))] = sum;
}

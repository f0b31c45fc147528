/* SPDX-License-Identifier: MIT */
/* The innermost loop of the cutoff method: atoms that wait in shared memory into columns of points; included by
 * cutoff_search.cuh. */
#pragma once

#include "cutoff_launch.cuh"

/* (1 − s)²·|q|/d is (√|q| − √|q|·s)²/d, an operation less. Atoms come with √(|q| / DEBYE_CUTOFF_CHARGE), which is at most 1
 * so that one clamp serves both ends; larger charges are summed with those that are near. */
#define DEBYE_CUTOFF_CHARGE 1048576.0f

/* What waits in a warp's part of shared memory: atoms for whole columns, for their lower and upper halves, and those that
 * are near. When more than FULL do, they are summed; an odd last turn is filled up. */
template <class Shape, int FORM> struct DebyeCutoffStore {
  static constexpr int FULL = 64, HALF_FULL = 32, NEAR_FULL = 16, MORE = 32 + Shape::UNROLL;
  static constexpr int WHOLE = 0, LOW = FULL + MORE, HIGH = LOW + HALF_FULL + MORE,
                       NEAR = HIGH + HALF_FULL + MORE;
  static constexpr int ROOM = NEAR + NEAR_FULL + MORE;
  float4 atom[ROOM];
  uint32_t index[DEBYE_CUTOFF_STEPS<FORM> ? ROOM : 1];
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
debye_cutoff_root(float r2, int turn, int point)
{
#if __CUDA_ARCH__ != 750 && __CUDA_ARCH__ != 800
  constexpr int ALL = Shape::UNROLL * Shape::POINTS_Y;
  const int at = turn * Shape::POINTS_Y + point;
  if ((at + 1) * Shape::SOFTWARE / ALL != at * Shape::SOFTWARE / ALL) {
    const float guess = debye_rsqrt_guess(r2);
    return guess * debye_rsqrt_correction(r2 * (guess * guess));
  }
#endif
  return debye_cutoff_rsqrt(r2);
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

/* Adds q·f to `sum` where the pair is within the cutoff; `root` is 1/√clamped, and that r2 or the core's. */
template <int FORM>
static __device__ __forceinline__ void
debye_cutoff_add(const DebyePairFloats &pair, float r2, float clamped, float root, float charge, float *sum)
{
  float value = root;
  if (FORM == DEBYE_PAIR_SCREENED || FORM == DEBYE_PAIR_ANY) {
    const float t = __saturatef(fmaf(clamped, -pair.inverse_cutoff2, 1.0f)), t2 = t * t;
    if (FORM == DEBYE_PAIR_SCREENED) {
      *sum = fmaf(t2, charge * root, *sum);
      return;
    }
    value *= fmaf(pair.screened, t2 - 1.0f, 1.0f);
  }
  if (FORM != DEBYE_PAIR_STEP) {
    constexpr int N = FORM == DEBYE_PAIR_EVEN_4    ? 4
                      : FORM == DEBYE_PAIR_EVEN_8  ? 8
                      : FORM == DEBYE_PAIR_EVEN_12 ? 12
                                                   : 16;
    value -= debye_cutoff_polynomial<N>(pair, fmaf(r2, pair.inverse_cutoff2, -0.5f));
  }
  if (r2 < pair.edge_low)
    *sum = fmaf(charge, value, *sum);
}

/* Decides in double the pairs that float could not: a step is as high as the function. */
template <class Shape>
static __device__ __noinline__ float
debye_cutoff_edge_pair(const DebyeCutoffLaunch &launch, const size_t first[3], int j, uint32_t index)
{
  const DebyeTurnedGrid &grid = launch.grid;
  const DebyeBinnedExactAtom atom = launch.exact_atoms[index];
  const int lane = threadIdx.x % 32;
  const double i = (double)(first[0] + lane % Shape::LANES_X), row = (double)(first[1] + j);
  const double k = (double)(first[2] + lane / Shape::LANES_X);
  const double dx = atom.x - (i * grid.step_x + row * grid.row_x + k * grid.plane_x);
  const double dy = atom.y - (row * grid.row_y + k * grid.plane_y), dz = atom.z - k * grid.plane_z;
  const double r2 = dx * dx + dy * dy + dz * dz;
  const double cutoff2 = launch.function.cutoff * launch.function.cutoff;
  return r2 < cutoff2 ? (float)(atom.charge * debye_pair_value(&launch.function, r2, launch.core2)) : 0.0f;
}

/* What a loop needs of a launch, by way of shared memory into registers: from constant memory it would be fetched again for
 * each atom. */
template <int COUNT> struct DebyeCutoffSteps {
  float middle, fall;
  float square[COUNT / 2], twice[COUNT / 2];
};

template <int COUNT>
static __device__ __forceinline__ DebyeCutoffSteps<COUNT>
debye_cutoff_steps(const DebyeCutoffBlock &block, float first_y, int first)
{
  DebyeCutoffSteps<COUNT> steps;
  steps.middle = fmaf((float)first + 0.5f * (COUNT - 1), block.row_y, first_y);
  steps.fall = block.fall;
#pragma unroll
  for (int j = 0; j < COUNT / 2; j++) {
    steps.square[j] = block.square[j];
    steps.twice[j] = block.twice[j];
  }
  return steps;
}

/* d² of points [FIRST, FIRST + COUNT) of a column. */
template <class Shape, int FIRST, int COUNT>
static __device__ __forceinline__ void
debye_cutoff_squares(const DebyeCutoffBlock &block, const DebyeCutoffColumn<Shape> &column, float4 atom,
                     float r2[COUNT])
{
  const float dx = atom.x - column.x, dz = atom.z - column.z;
#pragma unroll
  for (int j = 0; j < COUNT; j++) {
    const float x = fmaf(-(float)(FIRST + j), block.row_x, dx);
    const float y = atom.y - fmaf((float)(FIRST + j), block.row_y, column.y);
    r2[j] = fmaf(x, x, fmaf(y, y, dz * dz));
  }
}

/* The same for a column that is upright and not near: points above its middle and below share a part. What cancels out is
 * a few times d² at most. */
template <class Shape, int COUNT>
static __device__ __forceinline__ void
debye_cutoff_mirrored(const DebyeCutoffSteps<COUNT> &steps, const DebyeCutoffColumn<Shape> &column,
                      float4 atom, float r2[COUNT])
{
  const float dx = atom.x - column.x, dy = atom.y - steps.middle, dz = atom.z - column.z;
  const float s = fmaf(dy, dy, fmaf(dx, dx, dz * dz));
#pragma unroll
  for (int j = 0; j < COUNT / 2; j++) {
    const float both = s + steps.square[j];
    r2[COUNT / 2 + j] = fmaf(-steps.twice[j], dy, both);
    r2[COUNT / 2 - 1 - j] = fmaf(steps.twice[j], dy, both);
  }
}

/* Adds one atom to `part`: the sums of points [FIRST, FIRST + COUNT). */
template <class Shape, int FORM, bool SHEARED, bool NEAR, int FIRST, int COUNT>
static __device__ __forceinline__ void
debye_cutoff_add_atom(const DebyeCutoffLaunch &launch, const DebyeCutoffColumn<Shape> &column,
                      const DebyeCutoffSteps<COUNT> &steps, float4 atom, const uint32_t *index, int turn,
                      float part[COUNT])
{
  const DebyePairFloats &pair = launch.pair;
  float r2[COUNT];
  bool on_edge = false;
  if (SHEARED || NEAR)
    debye_cutoff_squares<Shape, FIRST, COUNT>(launch.block, column, atom, r2);
  else
    debye_cutoff_mirrored<Shape, COUNT>(steps, column, atom, r2);
  const float fall = steps.fall * atom.w;
  const float charge = DEBYE_CUTOFF_SIGNED<FORM> ? atom.w * atom.w : atom.w;
#pragma unroll
  for (int j = 0; j < COUNT; j++) {
    const float clamped = NEAR ? fmaxf(r2[j], pair.core2) : r2[j];
    const float root = debye_cutoff_root<Shape>(clamped, turn, FIRST + j);
    on_edge |= r2[j] >= pair.edge_low && r2[j] <= pair.edge_high;
    if (DEBYE_CUTOFF_SIGNED<FORM> && !NEAR) {
      const float t = __saturatef(fmaf(r2[j], fall, atom.w));
      part[j] = fmaf(t * t, root, part[j]);
    } else
      debye_cutoff_add<FORM>(pair, r2[j], clamped, root, charge, &part[j]);
  }
  if (DEBYE_CUTOFF_STEPS<FORM> && on_edge) {
#pragma unroll
    for (int j = 0; j < COUNT; j++)
      if (r2[j] >= pair.edge_low && r2[j] <= pair.edge_high)
        part[j] += debye_cutoff_edge_pair<Shape>(launch, column.first, FIRST + j, *index);
  }
}

/* Adds `sign` times what atoms [first, end) of the store give to points [FIRST, FIRST + COUNT) of the lane's column; there
 * is room for UNROLL more. Their sum is made apart, so that rounding grows with the square root of their number and not
 * of all. */
template <class Shape, int FORM, bool SHEARED, bool NEAR, int FIRST, int COUNT>
static __device__ __forceinline__ void
debye_cutoff_sum(const DebyeCutoffLaunch &launch, const DebyeCutoffBlock &block,
                 DebyeCutoffStore<Shape, FORM> &store, int first, int end, float sign,
                 DebyeCutoffColumn<Shape> &column)
{
  const DebyeCutoffSteps<COUNT> steps = debye_cutoff_steps<COUNT>(block, column.y, FIRST);
  float part[COUNT] = {};
  /* The last turn is filled up with what is far away and has no charge. */
  if (threadIdx.x % 32 < Shape::UNROLL)
    store.atom[end + threadIdx.x % 32] = make_float4(1e15f, 1e15f, 1e15f, 0.0f);
  __syncwarp();
#pragma unroll 1
  for (int at = first; at < end; at += Shape::UNROLL) {
#pragma unroll
    for (int turn = 0; turn < Shape::UNROLL; turn++)
      debye_cutoff_add_atom<Shape, FORM, SHEARED, NEAR, FIRST, COUNT>(
          launch, column, steps, store.atom[at + turn], store.index + at + turn, turn, part);
  }
#pragma unroll
  for (int j = 0; j < COUNT; j++)
    column.sum[FIRST + j] = fmaf(sign, part[j], column.sum[FIRST + j]);
  __syncwarp();
}

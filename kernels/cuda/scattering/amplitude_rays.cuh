/* SPDX-License-Identifier: MIT */
/* The amplitudes' kernel for equidistant vectors on rays (kernels/scattering/amplitude_rays.h).
 *
 * With q = s + k·d, e(q·r) = e(s·r)·e(k·d·r): a tile of R starts s, COLUMNS steps apart on one ray, has its
 * R·COLUMNS terms of an atom from R + COLUMNS sines and cosines, and their sum over atoms is a product of two
 * complex matrices. It is made of products of real ones in double, whose unit adds as many terms a second as
 * multiply-adds in float would and leaves the other pipes to the sines and cosines.
 *
 * Phases come from a product of matrices as in amplitude_kernels.cuh: of 8 vectors by 8 atoms, of which a lane
 * gets one vector and two atoms. Their cosines and sines are then what that lane has to give for the next
 * products, where those of an atom are two places of the inner index: nothing moves between lanes. With
 * (cosine, −sine) of the starts above (sine, cosine) and (cosine, sine) of the steps, one product of 16 × 16
 * by 16 × 8 has real and imaginary parts of 64 vectors and 8 atoms.
 *
 * Sines and cosines are polynomials, whose error has no mean over a turn, in steps of 2⁻²²: the last
 * multiply-add of the polynomial adds a large constant, and its bits are the lower word of a double. Nothing
 * is rounded to less than a double after that.
 *
 * The error does not grow with k, as no factor is a power of another. A phase is off by 2⁻²⁶ + 2⁻²⁹ of a turn
 * at most (a float of up to ½, and fixed point), a sine by half a step and the float's rounding before it, so
 * a factor by 3.6e-7, a term by 7.2e-7, and by 2.3e-8 more as vectors are their tile's to 2⁻²⁸ of a turn. By
 * chance: a phase 5e-8, a factor's step 1e-7; two of each, with the polynomials' rounding, 1.7e-7. */
#pragma once

#include "amplitude_kernels.cuh"

/* ROWS times eight starts by COLUMNS times eight steps a warp, WARPS a block, blocks a multiprocessor at
 * least. */
template <int ROWS_, int COLUMNS_, int WARPS_, int BLOCKS_> struct DebyeAmplitudeRayShape {
  static constexpr int ROWS = ROWS_;
  static constexpr int COLUMNS = COLUMNS_;
  static constexpr int WARPS = WARPS_;
  static constexpr int BLOCKS = BLOCKS_;
  static constexpr int THREADS = 32 * WARPS;
  static constexpr int TILE = 64 * ROWS * COLUMNS; /* vectors of a block */
};

/* `sums` of the launch has the vectors of a tile one start after the other. */
struct DebyeAmplitudeRayLaunch {
  DebyeAmplitudeLaunch launch;
  const double *starts[3]; /* in turns, of 8·ROWS a tile */
  const double *steps[3];  /* of 8·COLUMNS a tile */
};

/* Steps of a sine of 1, and 1.5·2²³, around which a float has whole numbers. */
#define DEBYE_RAY_STEPS 0x1p22f
#define DEBYE_RAY_FLOAT_BASE 0x1.8p23f

/* sin 2πv in steps, for |v| ≤ ¼: debye_quarter_sine's polynomial. */
static __device__ __forceinline__ double
debye_ray_quarter_sine(float v)
{
  const float z = v * v;
  float sum = 0x1.3c4b2cp+5f * DEBYE_RAY_STEPS;
  sum = fmaf(sum, z, -0x1.3232fap+6f * DEBYE_RAY_STEPS);
  sum = fmaf(sum, z, 0x1.46676ep+6f * DEBYE_RAY_STEPS);
  sum = fmaf(sum, z, -0x1.4abbb6p+5f * DEBYE_RAY_STEPS);
  sum = fmaf(sum, z, 0x1.921fb4p+2f * DEBYE_RAY_STEPS);
  const int word = __float_as_int(fmaf(v, sum, DEBYE_RAY_FLOAT_BASE));
  return __hiloint2double(0x43300000, word) - (0x1p52 + (double)0x4b400000);
}

/* Cosine and sine, in steps, of turns that DEBYE_TURN_PLAIN_BASE was added to. */
static __device__ __forceinline__ double2
debye_ray_cosine_sine(double based)
{
  const float u = debye_turn_signed_fraction(based), size = fabsf(u), other = 0.5f - size;
  return make_double2(debye_ray_quarter_sine(0.25f - size),
                      debye_ray_quarter_sine(copysignf(fminf(size, other), u)));
}

/* debye_matrix_product of two first matrices. One instruction of generation 9.0, where the small ones run at half of the
 * unit's speed. */
static __device__ __forceinline__ void
debye_matrix_products(double a, double other, double b, double2 *product, double2 *other_product)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
      : "=d"(product->x), "=d"(product->y), "=d"(other_product->x), "=d"(other_product->y)
      : "d"(a), "d"(other), "d"(b), "d"(0.0));
#else
  *product = debye_matrix_product(a, b);
  *other_product = debye_matrix_product(other, b);
#endif
}

/* What a lane has of eight vectors by eight atoms: of its vector, cosine and sine of two atoms. */
struct DebyeRayFactors {
  double2 first, second;
};

static __device__ __forceinline__ DebyeRayFactors
debye_ray_factors_of(double2 turns)
{
  return {debye_ray_cosine_sine(turns.x), debye_ray_cosine_sine(turns.y)};
}

/* Of N times eight vectors by eight atoms. */
template <int N>
static __device__ __forceinline__ void
debye_ray_factors(const double *rows, double column, DebyeRayFactors (&factors)[N])
{
  double2 turns[N];
#pragma unroll
  for (int i = 0; i + 1 < N; i += 2)
    debye_matrix_products(rows[i], rows[i + 1], column, &turns[i], &turns[i + 1]);
  if (N % 2 == 1)
    turns[N - 1] = debye_matrix_product(rows[N - 1], column);
#pragma unroll
  for (int i = 0; i < N; i++)
    factors[i] = debye_ray_factors_of(turns[i]);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
static __device__ __forceinline__ void
debye_matrix_add(double2 *sum, double a, double b)
{
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(sum->x), "+d"(sum->y)
      : "d"(a), "d"(b));
}
#else
/* Never launched there. */
static __device__ __forceinline__ void
debye_matrix_add(double2 *, double, double)
{
}
#endif

/* Adds the products of eight starts and eight steps over eight atoms. */
static __device__ __forceinline__ void
debye_ray_add(const DebyeRayFactors &start, const DebyeRayFactors &step, double2 *real, double2 *imaginary)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %4, %7, %8, %9, %7}, {%10, %11, %12, %13}, {%0, %1, %2, %3};"
      : "+d"(real->x), "+d"(real->y), "+d"(imaginary->x), "+d"(imaginary->y)
      : "d"(start.first.x), "d"(start.first.y), "d"(-start.first.y), "d"(start.second.x), "d"(start.second.y),
        "d"(-start.second.y), "d"(step.first.x), "d"(step.first.y), "d"(step.second.x), "d"(step.second.y));
#else
  debye_matrix_add(real, start.first.x, step.first.x);
  debye_matrix_add(real, -start.first.y, step.first.y);
  debye_matrix_add(real, start.second.x, step.second.x);
  debye_matrix_add(real, -start.second.y, step.second.y);
  debye_matrix_add(imaginary, start.first.y, step.first.x);
  debye_matrix_add(imaginary, start.first.x, step.first.y);
  debye_matrix_add(imaginary, start.second.y, step.second.x);
  debye_matrix_add(imaginary, start.second.x, step.second.y);
#endif
}

/* The sums of a warp's tile over its atoms. */
template <class Shape> struct DebyeRaySums {
  double2 real[Shape::ROWS][Shape::COLUMNS], imaginary[Shape::ROWS][Shape::COLUMNS];
};

/* Eight atoms. The steps' factors have the weights. */
template <class Shape, bool WEIGHTED>
static __device__ __forceinline__ void
debye_ray_add_eight(double column, float2 weight, const double (&rows)[Shape::ROWS],
                    const double (&steps)[Shape::COLUMNS], DebyeRaySums<Shape> *sums)
{
  constexpr int TOGETHER = Shape::ROWS % 2 == 0 ? 2 : 1;
  DebyeRayFactors right[Shape::COLUMNS];
  debye_ray_factors(steps, column, right);
#pragma unroll
  for (int c = 0; c < Shape::COLUMNS && WEIGHTED; c++) {
    right[c].first.x *= (double)weight.x;
    right[c].first.y *= (double)weight.x;
    right[c].second.x *= (double)weight.y;
    right[c].second.y *= (double)weight.y;
  }
#pragma unroll
  for (int r = 0; r < Shape::ROWS; r += TOGETHER) {
    DebyeRayFactors left[TOGETHER];
    debye_ray_factors(rows + r, column, left);
#pragma unroll
    for (int i = 0; i < TOGETHER; i++)
#pragma unroll
      for (int c = 0; c < Shape::COLUMNS; c++)
        debye_ray_add(left[i], right[c], &sums->real[r + i][c], &sums->imaginary[r + i][c]);
  }
}

template <class Shape, bool WEIGHTED>
static __device__ __forceinline__ void
debye_ray_run(const DebyeAmplitudeColumns *columns, unsigned n, const double (&rows)[Shape::ROWS],
              const double (&steps)[Shape::COLUMNS], DebyeRaySums<Shape> *sums)
{
  const unsigned lane = threadIdx.x % 32;
  const double *const numbers = (const double *)columns->column;
#pragma unroll 1
  for (unsigned eight = 0; eight < n / 8; eight++)
    debye_ray_add_eight<Shape, WEIGHTED>(numbers[32 * eight + lane],
                                         ((const float2 *)columns->weight)[4 * eight + lane % 4], rows, steps,
                                         sums);
}

/* A lane has a start and two steps of each eight of both. */
template <class Shape>
static __device__ __forceinline__ void
debye_ray_write(const DebyeRaySums<Shape> &sums, double2 *out)
{
  constexpr double UNIT = 1.0 / ((double)DEBYE_RAY_STEPS * (double)DEBYE_RAY_STEPS);
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int r = 0; r < Shape::ROWS; r++)
#pragma unroll
    for (int c = 0; c < Shape::COLUMNS; c++) {
      double2 *at = out + (8 * r + lane / 4) * (8 * Shape::COLUMNS) + 8 * c + 2 * (lane % 4);
      at[0] = make_double2(UNIT * sums.real[r][c].x, UNIT * sums.imaginary[r][c].x);
      at[1] = make_double2(UNIT * sums.real[r][c].y, UNIT * sums.imaginary[r][c].y);
    }
}

template <class Shape, bool WEIGHTED>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::BLOCKS)
    debye_amplitude_rays(const __grid_constant__ DebyeAmplitudeRayLaunch rays)
{
  constexpr int ROWS = Shape::ROWS, COLUMNS = Shape::COLUMNS;
  /* Sums where atoms waited. */
  __shared__ union {
    DebyeAmplitudeColumns waiting[Shape::WARPS];
    double2 sums[Shape::WARPS * Shape::TILE];
  } shared;
  const DebyeAmplitudeLaunch &launch = rays.launch;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned tile = blockIdx.x % launch.n_tiles, section = blockIdx.x / launch.n_tiles;
  const size_t frame = blockIdx.y, ray_tile = launch.first_tile + tile;
  const DebyeAmplitudeSection place = launch.sections[section];
  double rows[ROWS], steps[COLUMNS];
  DebyeRaySums<Shape> sums = {};
#pragma unroll
  for (int j = 0; j < ROWS; j++)
    rows[j] = lane % 4 < 3 ? rays.starts[lane % 4][8 * (ROWS * ray_tile + j) + lane / 4] : 1.0;
#pragma unroll
  for (int j = 0; j < COLUMNS; j++)
    steps[j] = lane % 4 < 3 ? rays.steps[lane % 4][8 * (COLUMNS * ray_tile + j) + lane / 4] : 1.0;
  const unsigned end = place.first + place.count;
  DebyeAmplitudeColumns *const waiting = &shared.waiting[warp];
  for (unsigned first = place.first + DEBYE_AMPLITUDE_MATRIX_RUN * warp; first < end;
       first += DEBYE_AMPLITUDE_MATRIX_RUN * Shape::WARPS) {
    const unsigned n =
        debye_amplitude_bring_columns<WEIGHTED>(launch, frame, first, end, DEBYE_TURN_PLAIN_BASE, waiting);
    if (first + n <= end)
      debye_ray_run<Shape, WEIGHTED>(waiting, n, rows, steps, &sums);
    else
      debye_ray_run<Shape, true>(waiting, n, rows, steps, &sums);
  }
  __syncthreads();
  debye_ray_write<Shape>(sums, shared.sums + warp * Shape::TILE);
  debye_amplitude_write<Shape>(launch, frame, section, tile, shared.sums, Shape::TILE);
}

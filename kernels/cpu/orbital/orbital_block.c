/* SPDX-License-Identifier: MIT */
/* The loops over a tile of points, called by orbital.c; compiled once per instruction set. */
#include "orbital_block.h"

#include <stdint.h>
#include <string.h>

#define INLINE inline __attribute__((always_inline))
#define TILE_X DEBYE_ORBITAL_TILE_X
#define TILE_Y DEBYE_ORBITAL_TILE_Y
#define TILE_Z DEBYE_ORBITAL_TILE_Z
#define ROWS DEBYE_ORBITAL_ROWS
#define MAX_DEGREE 8

/* Rows whose sums stay in registers while the terms go by. */
#if defined(__AVX512F__)
#define ROWS_AT_ONCE 8
#else
#define ROWS_AT_ONCE 4
#endif

/* exp(x) for x ≤ 0, good to 2e-7: 2ⁿ times the series of exp on |r| ≤ ½ ln 2. Below −87 it is that of −87. */
static INLINE float
exp_negative(float x)
{
  const float magic = 0x1.8p23f, high = 0x1.62e4p-1f, low = 0x1.7f7d1cp-20f;
  x = x > -87.0f ? x : -87.0f;
  union {
    float number;
    int32_t bits;
  } whole = {x * 0x1.715476p0f + magic}, power;
  const float n = whole.number - magic;
  const float r = (x - n * high) - n * low;
  float sum = 1.0f / 5040.0f;
  sum = sum * r + 1.0f / 720.0f;
  sum = sum * r + 1.0f / 120.0f;
  sum = sum * r + 1.0f / 24.0f;
  sum = sum * r + 1.0f / 6.0f;
  sum = sum * r + 0.5f;
  sum = sum * r + 1.0f;
  sum = sum * r + 1.0f;
  power.bits = (int32_t)((uint32_t)(whole.bits + 127) << 23);
  return sum * power.number;
}

static void
exponentials(const double *distances, double exponent, float *values)
{
  float arguments[DEBYE_ORBITAL_LINES];
  for (int i = 0; i < DEBYE_ORBITAL_LINES; i++)
    arguments[i] = (float)(-exponent * distances[i] * distances[i]);
  for (int i = 0; i < DEBYE_ORBITAL_LINES; i++)
    values[i] = exp_negative(arguments[i]);
}

/* Where the row of coefficients x⁰ … of y^b z^c begins, at [c][b]. */
static INLINE void
find_rows(int degree, int begins[MAX_DEGREE + 1][MAX_DEGREE + 1])
{
  int begin = 0;
  for (int c = 0; c <= degree; c++)
    for (int b = 0; b <= degree - c; b++) {
      begins[c][b] = begin;
      begin += degree - c - b + 1;
    }
}

/* The polynomial in y and z that stands by x^a. */
static INLINE void
write_row(int degree, int a, const float *coefficients, const int begins[MAX_DEGREE + 1][MAX_DEGREE + 1],
          const float *y, const float *z, float *row)
{
  for (int i = 0; i < ROWS; i++)
    row[i] = 0.0f;
  for (int b = degree - a; b >= 0; b--) {
    float inner[TILE_Z] = {0.0f};
    for (int c = degree - a - b; c >= 0; c--)
      for (int k = 0; k < TILE_Z; k++)
        inner[k] = inner[k] * z[k] + coefficients[begins[c][b] + a];
    for (int k = 0; k < TILE_Z; k++)
      for (int j = 0; j < TILE_Y; j++)
        row[k * TILE_Y + j] = row[k * TILE_Y + j] * y[j] + inner[k];
  }
}

static void
write_terms(int degree, const float *coefficients, const float *distances, const float *gaussians,
            float *columns, float *rows)
{
  const float *ey = gaussians + TILE_X, *ez = ey + TILE_Y, *y = distances + TILE_X, *z = y + TILE_Y;
  int begins[MAX_DEGREE + 1][MAX_DEGREE + 1];
  float both[ROWS];
  for (int k = 0; k < TILE_Z; k++)
    for (int j = 0; j < TILE_Y; j++)
      both[k * TILE_Y + j] = ey[j] * ez[k];
  memcpy(columns, gaussians, TILE_X * sizeof *columns);
  if (degree == 0) {
    for (int i = 0; i < ROWS; i++)
      rows[i] = coefficients[0] * both[i];
    return;
  }
  find_rows(degree, begins);
  for (int a = 0; a <= degree; a++) {
    float *row = rows + a * ROWS;
    write_row(degree, a, coefficients, (const int(*)[MAX_DEGREE + 1]) begins, y, z, row);
    for (int i = 0; i < ROWS; i++)
      row[i] *= both[i];
    for (int i = 0; i < TILE_X && a > 0; i++)
      columns[a * TILE_X + i] = columns[(a - 1) * TILE_X + i] * distances[i];
  }
}

/* A vector of the compiler's, split into what the instruction set has: it stays in registers, which it would not
 * as an array. */
typedef float Column __attribute__((vector_size(TILE_X * sizeof(float)), aligned(4)));

static void
multiply(const float *columns, const float *rows, size_t n_terms, float *tile)
{
  for (int first = 0; first < ROWS; first += ROWS_AT_ONCE) {
    Column sums[ROWS_AT_ONCE];
    for (int i = 0; i < ROWS_AT_ONCE; i++)
      memcpy(&sums[i], tile + (first + i) * TILE_X, sizeof sums[i]);
    for (size_t term = 0; term < n_terms; term++) {
      const float *row = rows + term * ROWS + first;
      Column column;
      memcpy(&column, columns + term * TILE_X, sizeof column);
      for (int i = 0; i < ROWS_AT_ONCE; i++)
        sums[i] += row[i] * column;
    }
    for (int i = 0; i < ROWS_AT_ONCE; i++)
      memcpy(tile + (first + i) * TILE_X, &sums[i], sizeof sums[i]);
  }
}

const DebyeOrbitalBlock DEBYE_AT_LEVEL(debye_orbital_block) = {
    .exponentials = exponentials, .write_terms = write_terms, .multiply = multiply};

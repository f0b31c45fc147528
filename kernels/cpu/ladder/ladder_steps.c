/* SPDX-License-Identifier: MIT */
/* The first steps of the ladder on one thread, one evaluation at a time; on a GPU they are
 * cuda/ladder/ladder_kernels.cuh. */
#include "ladder_steps.h"

#include <string.h>

#include "kernels/ladder/ladder_math.h"

/* Vectors are a later step: the compiler must not take it before. */
#if defined(__clang__)
#define ONE_AT_A_TIME
#else
#define ONE_AT_A_TIME __attribute__((optimize("no-tree-vectorize")))
#endif

#define POINTS 8

static float *
row_of(const DebyeLadderFrame *frame, float *map, size_t j, size_t k)
{
  return map + (k * frame->shape[1] + j) * frame->shape[0];
}

static size_t
count_points(const DebyeLadderFrame *frame)
{
  return frame->shape[0] * frame->shape[1] * frame->shape[2];
}

static ONE_AT_A_TIME float
sum_at(const DebyeLadderFrame *frame, float x, float y, float z)
{
  float sum = 0.0f;
  for (size_t i = 0; i < frame->n_atoms; i++) {
    const DebyeLadderAtom atom = frame->atoms[i];
    float dx = x - atom.x, dy = y - atom.y, dz = z - atom.z;
    sum += debye_ladder_term(atom.charge, dx * dx + dy * dy + dz * dz, frame->core2);
  }
  return sum;
}

bool
debye_ladder_grid_outer(const DebyeLadderFrame *frame, float *map, float *scratch,
                        const volatile bool *cancel)
{
  (void)scratch;
  for (size_t k = 0; k < frame->shape[2]; k++)
    for (size_t j = 0; j < frame->shape[1]; j++) {
      float *row = row_of(frame, map, j, k);
      float y = (float)j * frame->step[1], z = (float)k * frame->step[2];
      if (debye_is_cancelled(cancel))
        return false;
      for (size_t i = 0; i < frame->shape[0]; i++)
        row[i] = sum_at(frame, (float)i * frame->step[0], y, z);
    }
  return true;
}

static ONE_AT_A_TIME void
add_atom(const DebyeLadderFrame *frame, DebyeLadderAtom atom, float y, float z, float *row)
{
  for (size_t i = 0; i < frame->shape[0]; i++) {
    float dx = (float)i * frame->step[0] - atom.x, dy = y - atom.y, dz = z - atom.z;
    row[i] += debye_ladder_term(atom.charge, dx * dx + dy * dy + dz * dz, frame->core2);
  }
}

bool
debye_ladder_atom_outer(const DebyeLadderFrame *frame, float *map, float *scratch,
                        const volatile bool *cancel)
{
  (void)scratch;
  memset(map, 0, count_points(frame) * sizeof *map);
  for (size_t atom = 0; atom < frame->n_atoms; atom++)
    for (size_t k = 0; k < frame->shape[2]; k++) {
      if (debye_is_cancelled(cancel))
        return false;
      for (size_t j = 0; j < frame->shape[1]; j++)
        add_atom(frame, frame->atoms[atom], (float)j * frame->step[1], (float)k * frame->step[2],
                 row_of(frame, map, j, k));
    }
  return true;
}

static ONE_AT_A_TIME void
add_atom_to_row(const DebyeLadderFrame *frame, const DebyeLadderAtom *atom, float square, float *row)
{
  const float x = atom->x, charge = atom->charge;
  for (size_t i = 0; i < frame->shape[0]; i++) {
    float dx = (float)i * frame->step[0] - x;
    row[i] += debye_ladder_term(charge, dx * dx + square, frame->core2);
  }
}

bool
debye_ladder_squares_before(const DebyeLadderFrame *frame, float *map, float *scratch,
                            const volatile bool *cancel)
{
  (void)scratch;
  memset(map, 0, count_points(frame) * sizeof *map);
  for (size_t k = 0; k < frame->shape[2]; k++)
    for (size_t i = 0; i < frame->n_atoms; i++) {
      const DebyeLadderAtom *atom = frame->atoms + i;
      const float dz = (float)k * frame->step[2] - atom->z, dz2 = dz * dz;
      if (debye_is_cancelled(cancel))
        return false;
      for (size_t j = 0; j < frame->shape[1]; j++) {
        const float dy = (float)j * frame->step[1] - atom->y;
        add_atom_to_row(frame, atom, dy * dy + dz2, row_of(frame, map, j, k));
      }
    }
  return true;
}

/* Eight neighbours of a row, their sums in registers while all atoms pass. */
static ONE_AT_A_TIME void
sum_points(const DebyeLadderFrame *frame, const float *dz2, float y, size_t first, float *sum)
{
  float x[POINTS], part[POINTS] = {0.0f};
  for (size_t p = 0; p < POINTS; p++)
    x[p] = (float)(first + p) * frame->step[0];
  for (size_t i = 0; i < frame->n_atoms; i++) {
    const DebyeLadderAtom atom = frame->atoms[i];
    const float dy = y - atom.y, square = dy * dy + dz2[i];
#pragma GCC unroll 8
    for (size_t p = 0; p < POINTS; p++) {
      float dx = x[p] - atom.x;
      part[p] += debye_ladder_term(atom.charge, dx * dx + square, frame->core2);
    }
  }
  memcpy(sum, part, sizeof part);
}

bool
debye_ladder_unrolled(const DebyeLadderFrame *frame, float *map, float *scratch, const volatile bool *cancel)
{
  const size_t nx = frame->shape[0];
  for (size_t k = 0; k < frame->shape[2]; k++) {
    for (size_t i = 0; i < frame->n_atoms; i++) {
      const float dz = (float)k * frame->step[2] - frame->atoms[i].z;
      scratch[i] = dz * dz;
    }
    for (size_t j = 0; j < frame->shape[1]; j++) {
      float *row = row_of(frame, map, j, k);
      if (debye_is_cancelled(cancel))
        return false;
      for (size_t first = 0; first < nx; first += POINTS) {
        float sum[POINTS];
        sum_points(frame, scratch, (float)j * frame->step[1], first, sum);
        memcpy(row + first, sum, (nx - first < POINTS ? nx - first : POINTS) * sizeof *sum);
      }
    }
  }
  return true;
}

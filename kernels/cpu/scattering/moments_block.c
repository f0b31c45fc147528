/* SPDX-License-Identifier: MIT */
/* The loop over the pairs of one atom, called by scattering_debye_moments.c; compiled once per instruction set. */
#include "moments_block.h"

#include <math.h>

/* 1.5·2⁵²: doubles about it are whole numbers, whose last bits are those of the number that was added and rounded. */
#define WHOLE 6755399441055744.0

static void
find(const DebyeMomentsRow *row, size_t n, DebyeMomentsPairs *restrict pairs)
{
  const double *restrict x = row->x, *restrict y = row->y, *restrict z = row->z, *restrict w = row->w;
  const double x0 = row->origin[0], y0 = row->origin[1], z0 = row->origin[2];
  const double weight = row->weight, inverse = row->inverse, n_bins = row->n_bins;
  for (size_t i = 0; i < n; i++) {
    const double dx = x[i] - x0, dy = y[i] - y0, dz = z[i] - z0;
    const double r = sqrt(dx * dx + dy * dy + dz * dz);
    const double place = r * inverse - 0.5, inside = place < n_bins ? place : n_bins;
    const double sum = inside + WHOLE, t = inside - (sum - WHOLE), moment = weight * w[i] / r;
    pairs->key[i].sum = sum;
    pairs->first[i][0] = moment;
    pairs->first[i][1] = moment * t;
    pairs->square[i] = t * t;
  }
}

const DebyeMomentsBlock DEBYE_AT_LEVEL(debye_moments_block) = {.find = find};

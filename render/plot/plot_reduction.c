/* SPDX-License-Identifier: MIT */
/* The extremes of a curve over any stretch, for its layout; kept as a pyramid: blocks of points, blocks of
 * blocks … A stretch is a few points at both ends and few blocks of each level between. */
#include "plot_reduction.h"

#include <math.h>

#define BLOCK 32
#define MAX_LEVELS 12

struct _DebyePlotReduction {
  const double *y, *errors;
  gsize n;
  int n_levels;
  gsize counts[MAX_LEVELS];
  DebyePlotExtremes *levels[MAX_LEVELS]; /* level 0: of BLOCK points each */
};

static const DebyePlotExtremes nothing = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};

static void
add_point(DebyePlotExtremes *extremes, double y, double error)
{
  if (!isfinite(y))
    return;
  error = isfinite(error) ? error : 0.0;
  extremes->minimum = fmin(extremes->minimum, y);
  extremes->maximum = fmax(extremes->maximum, y);
  extremes->low = fmin(extremes->low, y - error);
  extremes->high = fmax(extremes->high, y + error);
}

static void
add_extremes(DebyePlotExtremes *extremes, const DebyePlotExtremes *other)
{
  extremes->minimum = fmin(extremes->minimum, other->minimum);
  extremes->maximum = fmax(extremes->maximum, other->maximum);
  extremes->low = fmin(extremes->low, other->low);
  extremes->high = fmax(extremes->high, other->high);
}

static void
add_points(const DebyePlotReduction *self, gsize first, gsize last, DebyePlotExtremes *extremes)
{
  for (gsize i = first; i < last; i++)
    add_point(extremes, self->y[i], self->errors != NULL ? self->errors[i] : 0.0);
}

DebyePlotReduction *
debye_plot_reduction_new(DebyeCurve *curve)
{
  DebyePlotReduction *self = g_new0(DebyePlotReduction, 1);
  self->y = debye_curve_get_y(curve);
  self->errors = debye_curve_get_errors(curve);
  self->n = debye_curve_get_n_points(curve);
  for (gsize below = self->n; below > BLOCK && self->n_levels < MAX_LEVELS; self->n_levels++) {
    gsize count = below / BLOCK; /* whole blocks only: the rest is looked at by itself */
    DebyePlotExtremes *level = g_new(DebyePlotExtremes, count);
    const DebyePlotExtremes *under = self->n_levels > 0 ? self->levels[self->n_levels - 1] : NULL;
    for (gsize i = 0; i < count; i++) {
      level[i] = nothing;
      if (under == NULL)
        add_points(self, i * BLOCK, (i + 1) * BLOCK, &level[i]);
      for (gsize j = 0; under != NULL && j < BLOCK; j++)
        add_extremes(&level[i], &under[i * BLOCK + j]);
    }
    self->levels[self->n_levels] = level;
    self->counts[self->n_levels] = count;
    below = count;
  }
  return self;
}

void
debye_plot_reduction_free(DebyePlotReduction *self)
{
  for (int i = 0; self != NULL && i < self->n_levels; i++)
    g_free(self->levels[i]);
  g_free(self);
}

/* Blocks first … last-1 of a level: what fills whole blocks of the next one is left to it. */
static void
add_blocks(const DebyePlotReduction *self, int level, gsize first, gsize last, DebyePlotExtremes *extremes)
{
  const DebyePlotExtremes *blocks = self->levels[level];
  if (level + 1 < self->n_levels) {
    gsize begin = (first + BLOCK - 1) / BLOCK, end = MIN(last / BLOCK, self->counts[level + 1]);
    if (begin < end) {
      for (gsize i = first; i < begin * BLOCK; i++)
        add_extremes(extremes, &blocks[i]);
      add_blocks(self, level + 1, begin, end, extremes);
      first = end * BLOCK;
    }
  }
  for (gsize i = first; i < last; i++)
    add_extremes(extremes, &blocks[i]);
}

DebyePlotExtremes
debye_plot_reduction_get(const DebyePlotReduction *self, gsize first, gsize last)
{
  DebyePlotExtremes extremes = nothing;
  last = MIN(last, self->n);
  gsize begin = (first + BLOCK - 1) / BLOCK, end = last / BLOCK;
  if (self->n_levels == 0 || begin >= MIN(end, self->counts[0])) {
    add_points(self, first, last, &extremes);
    return extremes;
  }
  end = MIN(end, self->counts[0]);
  add_points(self, first, begin * BLOCK, &extremes);
  add_blocks(self, 0, begin, end, &extremes);
  add_points(self, end * BLOCK, last, &extremes);
  return extremes;
}

gsize
debye_plot_find_x(const double *x, gsize first, gsize n, double value)
{
  while (first < n) {
    gsize middle = first + (n - first) / 2;
    if (x[middle] < value)
      first = middle + 1;
    else
      n = middle;
  }
  return first;
}

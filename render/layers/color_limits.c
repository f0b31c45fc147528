/* SPDX-License-Identifier: MIT */
/* Implementation of color_limits.h. */
#include "color_limits.h"

#include <math.h>

#include "overlay_text.h"

#define LEAST_STEPS 8.0 /* between limits of one sign: a step is an eighth of their distance at most */
#define ROUNDING 1e-9   /* of what is round but for its last digits */
#define TAIL 0.02       /* of the values beyond each limit; of a map that is 0 nearly everywhere … */
#define LEAST_TAIL 1e-5 /* … fewer, until the limit … */
#define NOTHING 1e-4    /* … is more than this part of the largest value */
/* Steps of the values' logarithm, and how many decades below the largest they reach. */
#define BINS 800
#define DECADES 8.0

/* The next of a few round numbers that is at least as large. */
static double
round_up(double value)
{
  static const double mantissas[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
  const double decade = pow(10.0, floor(log10(value)));
  for (gsize i = 0; i < G_N_ELEMENTS(mantissas); i++)
    if (mantissas[i] * decade >= value * (1.0 - ROUNDING))
      return mantissas[i] * decade;
  return 10.0 * decade;
}

void
debye_color_limits_round(double *minimum, double *maximum)
{
  if (!isfinite(*minimum) || !isfinite(*maximum) || !(*maximum > *minimum))
    return;
  if (*minimum == -*maximum) {
    *maximum = round_up(*maximum);
    *minimum = -*maximum;
    return;
  }
  const double step = debye_overlay_text_round_step((*maximum - *minimum) / LEAST_STEPS);
  *minimum = step * floor(*minimum / step + ROUNDING);
  *maximum = step * ceil(*maximum / step - ROUNDING);
}

/* --- Maps of something small in a large box --- */

typedef struct {
  double power; /* of |value|, which adds up to what is shared out */
  double share;
} Localised;

static const Localised *
find_localised(DebyeField *field)
{
  static const Localised orbital = {2.0, 1.0 / 3.0}, density = {1.0, 0.5};
  switch (debye_field_get_kind(field)) {
  case DEBYE_FIELD_ORBITAL:
    return &orbital;
  case DEBYE_FIELD_ELECTRON_DENSITY:
  case DEBYE_FIELD_SPIN_DENSITY:
  case DEBYE_FIELD_ELECTRONS:
    return &density;
  default:
    return NULL;
  }
}

gboolean
debye_color_limits_is_localised(DebyeField *field)
{
  return find_localised(field) != NULL;
}

static gsize
find_bin(double value, double largest)
{
  const double bin = BINS / DECADES * log10(largest / value);
  return bin < BINS ? (gsize)fmax(bin, 0.0) : BINS;
}

/* Beyond it lies that share of all. */
static double
find_enclosing(DebyeField *field, const Localised *kind, double largest)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  const gsize n = grid->shape[0] * grid->shape[1] * grid->shape[2];
  double sums[BINS + 1] = {0.0}, whole = 0.0, sum = 0.0;
  for (gsize i = 0; i < n; i++) {
    const double value = fabs((double)values[i]);
    if (!(value > 0.0) || !isfinite(value))
      continue;
    const double part = pow(value, kind->power);
    sums[find_bin(value, largest)] += part;
    whole += part;
  }
  gsize bin = 0;
  while (bin < BINS && (sum += sums[bin]) < kind->share * whole)
    bin++;
  return largest * pow(10.0, -(double)(bin + 1) * DECADES / BINS);
}

static double
find_high(DebyeField *field, const DebyeFieldStatistics *statistics)
{
  double high = debye_field_get_percentile(field, 1.0 - TAIL);
  if (statistics->minimum < 0.0)
    return high;
  for (double tail = TAIL; tail >= LEAST_TAIL && high <= NOTHING * statistics->maximum; tail *= 0.5)
    high = debye_field_get_percentile(field, 1.0 - tail);
  return high;
}

void
debye_color_limits_suggest(DebyeField *field, gboolean is_diverging, double *minimum, double *maximum)
{
  const Localised *kind = find_localised(field);
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  const double largest = fmax(fabs(statistics.minimum), fabs(statistics.maximum));
  double low = debye_field_get_percentile(field, TAIL), high = find_high(field, &statistics);
  if (kind != NULL && largest > 0.0 && isfinite(largest)) {
    high = find_enclosing(field, kind, largest);
    low = is_diverging || statistics.minimum < -high ? -high : 0.0;
  }
  const double reach = fmax(fabs(low), fabs(high));
  *minimum = is_diverging ? -reach : low;
  *maximum = is_diverging ? reach : high;
  if (!(*maximum > *minimum))
    *maximum = *minimum + 1.0;
  debye_color_limits_round(minimum, maximum);
}

/* SPDX-License-Identifier: MIT */
/* Implementation of color_limits.h. */
#include "color_limits.h"

#include <math.h>

#include "overlay_text.h"

#define LEAST_STEPS 8.0 /* between limits of one sign: a step is an eighth of their distance at most */
#define ROUNDING 1e-9   /* of what is round but for its last digits */

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

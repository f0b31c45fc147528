/* SPDX-License-Identifier: MIT */
/* Implementation of time_text.h; called by the class room's lessons and the report of debye-cli bench. */
#include "time_text.h"

#include <math.h>

#include "count_text.h"

#define ROUNDS_UP 0.9995 /* of a unit: with three digits it is one */

char *
debye_time_text(double seconds)
{
  static const char *const units[] = {"s", "ms", "µs"};
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gsize unit = 0;
  if (!isfinite(seconds))
    return g_strdup("–");
  if (seconds >= 1000.0 * ROUNDS_UP && seconds < 1e15) {
    g_autofree char *whole = debye_count_text((guint64)llround(seconds));
    return g_strdup_printf("%s s", whole);
  }
  for (; seconds > 0.0 && seconds < ROUNDS_UP && unit + 1 < G_N_ELEMENTS(units); unit++)
    seconds *= 1e3;
  g_ascii_formatd(number, sizeof number, "%.3g", seconds);
  return g_strdup_printf("%s %s", number, units[unit]);
}

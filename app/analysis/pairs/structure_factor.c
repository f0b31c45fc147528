/* SPDX-License-Identifier: MIT */
/* Sine transforms between g(r) and structure factors; called by rdf_structure.c. */
#include "structure_factor.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/float_text.h"
#include "data/files/input.h"

#define MAX_VALUES 1000000
#define SMALL_ANGLE \
  1e-3 /* below, the differences of sines and cosines lose more digits than the series' next term */

/* ∫ r sin(qr)/q dr from 0 to r: the primitive of r²·sin(qr)/(qr). */
static double
primitive(double r, double q)
{
  double angle = q * r;
  if (angle < SMALL_ANGLE)
    return r * r * r / 3.0 * (1.0 - angle * angle / 10.0);
  return (sin(angle) - angle * cos(angle)) / (q * q * q);
}

static double
lorch(double r, double r_max)
{
  double angle = G_PI * r / r_max;
  return angle > 0.0 ? sin(angle) / angle : 1.0;
}

double
debye_structure_transform(const double *g, gsize n_bins, double width, double q, DebyeRdfWindow window)
{
  double sum = 0.0, r_max = width * (double)n_bins, before = 0.0;
  for (gsize k = 0; k < n_bins; k++) {
    double low = width * (double)k, high = low + width, end = primitive(high, q);
    double weight = window == DEBYE_WINDOW_LORCH ? lorch(0.5 * (low + high), r_max) : 1.0;
    if (isfinite(g[k]))
      sum += (g[k] - 1.0) * weight * (end - before);
    before = end;
  }
  return 4.0 * G_PI * sum;
}

double *
debye_structure_parse_range(const char *label, const char *text, gsize *n_values, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  double low = 0.0, high = 0.0, step = 0.0;
  gboolean ok = g_strv_length(parts) == 3 && debye_text_to_double(parts[0], strlen(parts[0]), &low) &&
                debye_text_to_double(parts[1], strlen(parts[1]), &high) &&
                debye_text_to_double(parts[2], strlen(parts[2]), &step);
  ok = ok && low >= 0.0 && high >= low && step > 0.0 && (high - low) / step < MAX_VALUES;
  if (!ok) {
    debye_error_set_about(
        error, DEBYE_ERROR_SETTING, label,
        "expected min:max:step with 0 ≤ min ≤ max and a step above 0 (at most %d values), found “%s”",
        MAX_VALUES, text);
    return NULL;
  }
  /* Ends included: a step that does not divide the range exactly in binary still reaches its end. */
  *n_values = (gsize)floor((high - low) / step + 1e-6) + 1;
  double *values = g_new(double, *n_values);
  for (gsize i = 0; i < *n_values; i++)
    values[i] = debye_double_to_decimal(low + step * (double)i);
  return values;
}

/* SPDX-License-Identifier: MIT */
/* Gives the instrument's resolution in time; called by scattering_spectrum.c. */
#include "scattering_resolution.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"

#define LABEL "Resolution"

/* --- What is said --- */

static gboolean
parse_width(DebyeResolution *resolution, DebyeResolutionKind kind, const char *text, GError **error)
{
  resolution->kind = kind;
  if (debye_text_to_double(text, strlen(text), &resolution->width) && isfinite(resolution->width) &&
      resolution->width > 0.0)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                               "expected a full width above 0 in meV, found “%s”", text);
}

/* From point to point: needs them in order, and an area to divide by. */
static gboolean
check_measured(DebyeCurve *curve, const char *path, GError **error)
{
  gsize n = debye_curve_get_n_points(curve);
  const double *x = debye_curve_get_x(curve), *y = debye_curve_get_y(curve);
  g_autofree char *name = debye_error_name_file(path);
  double area = 0.0;
  for (gsize i = 0; i < n; i++) {
    if (!isfinite(y[i]) || (i > 0 && !(x[i] > x[i - 1])))
      return debye_error_set_about(error, DEBYE_ERROR_VALUE, LABEL,
                                   "%s: point %" G_GSIZE_FORMAT
                                   ": expected ascending energies and finite intensities, found %g and %g",
                                   name, i + 1, x[i], y[i]);
    area += i > 0 ? 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1]) : 0.0;
  }
  if (n >= 3 && area > 0.0 && isfinite(area))
    return TRUE;
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, LABEL,
      "%s: expected a line of three or more points with an area above 0, found %" G_GSIZE_FORMAT
      " points with the area %g",
      name, n, area);
}

static gboolean
read_measured(DebyeResolution *resolution, const char *path, GError **error)
{
  g_autoptr(DebyeCurve) curve = debye_curve_load(path, error);
  if (curve == NULL) {
    debye_error_name_setting(error, LABEL);
    return FALSE;
  }
  const char *unit = debye_curve_get_x_quantity(curve)->unit;
  g_autoptr(DebyeCurve) in_energy =
      unit[0] == '\0' ? g_object_ref(curve) : debye_curve_with_x_unit(curve, "meV");
  if (in_energy == NULL) {
    g_autofree char *name = debye_error_name_file(path);
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, LABEL, "%s: expected energies in meV, found “%s”",
                                 name, unit);
  }
  resolution->kind = DEBYE_RESOLUTION_MEASURED;
  if (!check_measured(in_energy, path, error))
    return FALSE;
  resolution->measured = g_steal_pointer(&in_energy);
  return TRUE;
}

gboolean
debye_resolution_parse(DebyeResolution *resolution, const char *text, GError **error)
{
  const char *rest = strchr(text, ':');
  *resolution = (DebyeResolution){0};
  if (g_str_equal(text, "none") || text[0] == '\0')
    return TRUE;
  if (g_str_has_prefix(text, "gaussian:"))
    return parse_width(resolution, DEBYE_RESOLUTION_GAUSSIAN, rest + 1, error);
  if (g_str_has_prefix(text, "lorentzian:"))
    return parse_width(resolution, DEBYE_RESOLUTION_LORENTZIAN, rest + 1, error);
  if (g_str_has_prefix(text, "file:") && rest[1] != '\0')
    return read_measured(resolution, rest + 1, error);
  return debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                               "expected none, gaussian:FWHM, lorentzian:FWHM or file:FILE, found “%s”",
                               text);
}

void
debye_resolution_clear(DebyeResolution *resolution)
{
  g_clear_object(&resolution->measured);
}

/* --- In time --- */

/* ∫₀¹ exp(ias)ds and ∫₀¹ s exp(ias)ds; by series where the quotients would lose digits. */
static void
get_moments(double a, double complex *zeroth, double complex *first)
{
  double complex ia = I * a;
  if (fabs(a) < 0.1) {
    double complex term = 1.0;
    *zeroth = *first = 0.0;
    for (int n = 0; n < 10; n++) {
      *zeroth += term / (n + 1);
      *first += term / (n + 2);
      term *= ia / (n + 1);
    }
    return;
  }
  *zeroth = (cexp(ia) - 1.0) / ia;
  *first = (cexp(ia) - *zeroth) / ia;
}

/* Piece by piece exactly, so that times longer than the points are dense don't come back as others. */
static double complex
transform_measured(DebyeCurve *curve, double time)
{
  gsize n = debye_curve_get_n_points(curve);
  const double *x = debye_curve_get_x(curve), *y = debye_curve_get_y(curve);
  double complex sum = 0.0, zeroth, first;
  double area = 0.0;
  for (gsize i = 1; i < n; i++) {
    double width = x[i] - x[i - 1];
    get_moments(width * time / DEBYE_HBAR, &zeroth, &first);
    sum += width * cexp(I * x[i - 1] * time / DEBYE_HBAR) * (y[i - 1] * zeroth + (y[i] - y[i - 1]) * first);
    area += 0.5 * width * (y[i] + y[i - 1]);
  }
  return sum / area;
}

double complex
debye_resolution_transform(const DebyeResolution *resolution, double time)
{
  double turns = resolution->width * fabs(time) / DEBYE_HBAR;
  switch (resolution->kind) {
  case DEBYE_RESOLUTION_NONE:
    break;
  case DEBYE_RESOLUTION_GAUSSIAN: /* σ = FWHM/√(8 ln 2) */
    return exp(-turns * turns / (16.0 * G_LN2));
  case DEBYE_RESOLUTION_LORENTZIAN:
    return exp(-0.5 * turns);
  case DEBYE_RESOLUTION_MEASURED:
    return transform_measured(resolution->measured, time);
  }
  return 1.0;
}

/* SPDX-License-Identifier: MIT */
/* Puts mean square displacements and the van Hove function into a result; called by
 * scattering_dynamic_result.c. */
#include "scattering_displacement_result.h"

#include "data/messages/message.h"
#include "scattering_rows.h"

#define MAX_PLACES 150 /* of the van Hove function over r: finer bins would show the noise of long lags */
#define MAX_LAGS 200   /* over τ */
#define MAX_CURVES 6

typedef struct {
  const DebyeIntermediateScattering *scattering;
  const DebyeScatteringDisplacements *displacements;
  const double *times;
  gsize n_times;
  DebyeQuantity time;
} Maker;

/* --- Moments --- */

static char *
name_moment(const DebyeScatterers *scatterers, guint species, const char *what)
{
  return species == scatterers->species->len
             ? g_strdup(what)
             : g_strconcat(debye_scatterers_get(scatterers, species)->name, " ", what, NULL);
}

/* Of a species, or of all atoms together (n_species). */
static void
add_moments(DebyeResult *result, const Maker *maker, guint species)
{
  static const DebyeQuantity square = {"mean_square_displacement", "⟨d²⟩", "Å²"};
  static const DebyeQuantity shape = {"non_gaussian", "α₂", NULL};
  const DebyeScatterers *scatterers = &maker->scattering->plan->scatterers;
  g_autofree char *square_name = name_moment(scatterers, species, N_("mean square displacement"));
  g_autofree char *shape_name = name_moment(scatterers, species, N_("non-Gaussian parameter"));
  g_autofree double *squares = g_new(double, maker->n_times);
  g_autofree double *shapes = g_new(double, maker->n_times);
  for (gsize t = 0; t < maker->n_times; t++)
    debye_scattering_displacements_moments(maker->displacements, scatterers, species, t, &squares[t],
                                           &shapes[t]);
  g_autoptr(DebyeCurve) one = debye_curve_new(square_name, &maker->time, &square, DEBYE_CURVE_LINE,
                                              maker->n_times, maker->times, squares, NULL);
  g_autoptr(DebyeCurve) other = debye_curve_new(shape_name, &maker->time, &shape, DEBYE_CURVE_LINE,
                                                maker->n_times, maker->times, shapes, NULL);
  debye_result_add_curve(result, one);
  debye_result_add_curve(result, other);
}

/* --- The van Hove function --- */

static const DebyeQuantity place = {"r", "r", "Å"};
static const DebyeQuantity density = {"van_hove_self", "4πr²Gₛ(r, τ)", "1/Å"};

/* Of times 1 … n_times − 1: at 0 nothing has moved. */
static gsize
get_lag(gsize i, gsize n, gsize n_times)
{
  return n > 1 ? 1 + i * (n_times - 2) / (n - 1) : n_times - 1;
}

static void
add_distributions(DebyeResult *result, const Maker *maker, gsize joined, gsize n, const double *r)
{
  gsize n_curves = MIN(maker->n_times - 1, MAX_CURVES);
  g_autofree double *values = g_new(double, n);
  for (gsize i = 0; i < n_curves; i++) {
    gsize lag = get_lag(i, n_curves, maker->n_times);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *name = g_strdup_printf(
        "τ = %s %s", g_ascii_formatd(number, sizeof number, "%.3g", maker->times[lag]), maker->time.unit);
    debye_scattering_displacements_van_hove(maker->displacements, lag, joined, n, values);
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &place, &density, DEBYE_CURVE_LINE, n, r, values, NULL);
    debye_result_add_curve(result, curve);
  }
}

static void
add_van_hove(DebyeResult *result, const Maker *maker)
{
  gsize n_bins = maker->displacements->n_bins, joined = (n_bins + MAX_PLACES - 1) / MAX_PLACES;
  gsize n = (n_bins + joined - 1) / joined, n_lags = MIN(maker->n_times - 1, MAX_LAGS);
  g_autofree double *r = g_new(double, n);
  g_autofree double *times = g_new(double, n_lags);
  g_autofree double *values = g_new(double, n_lags *n);
  for (gsize i = 0; i < n; i++)
    r[i] = maker->displacements->width * (double)joined * ((double)i + 0.5);
  for (gsize i = 0; i < n_lags; i++) {
    gsize lag = get_lag(i, n_lags, maker->n_times);
    times[i] = maker->times[lag];
    debye_scattering_displacements_van_hove(maker->displacements, lag, joined, n, values + i * n);
  }
  add_distributions(result, maker, joined, n, r);
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new("van_hove_self", &maker->time, n_lags, times, &place, n, r, &density, values, NULL);
  debye_result_add_matrix(result, matrix);
}

void
debye_scattering_displacements_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                                   const DebyeScatteringDisplacements *displacements, const double *times,
                                   gsize n_times)
{
  const Maker maker = {.scattering = scattering,
                       .displacements = displacements,
                       .times = times,
                       .n_times = n_times,
                       .time = debye_scattering_time_quantity(scattering)};
  guint n_species = scattering->plan->scatterers.species->len;
  add_moments(result, &maker, n_species);
  for (guint s = 0; s < n_species && scattering->plan->settings.atoms.partials && n_species > 1; s++)
    add_moments(result, &maker, s);
  if (n_times > 1)
    add_van_hove(result, &maker);
}

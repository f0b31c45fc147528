/* SPDX-License-Identifier: MIT */
/* Implementation of titration_curves.h. */
#include "titration_curves.h"

#include <math.h>

#include "data/work/parts.h"

/* Of a proton: beyond it the logarithm is noise. */
#define LEAST_SHARE 0.1
/* Error of a share of which all samples were alike. */
#define LEAST_ERROR 1e-4

void
debye_titration_curves_free(DebyeTitrationCurves *self)
{
  if (self == NULL)
    return;
  g_free(self->ph);
  g_free(self->occupancy);
  g_free(self->error);
  g_free(self->protonated);
  g_free(self->protonated_error);
  g_free(self->charge);
  g_free(self->midpoints);
  g_free(self);
}

static void
add_site(DebyeTitrationCurves *self, const DebyeTitrationModel *model, gsize k, gsize site)
{
  const double *occupancy = self->occupancy + k * self->n_states, *error = self->error + k * self->n_states;
  double with = 0.0, squares_with = 0.0, squares_without = 0.0;
  for (guint s = model->first[site]; s < model->first[site + 1]; s++) {
    const gboolean has = model->protons[s] > 0.0;
    with += has ? occupancy[s] : 0.0;
    *(has ? &squares_with : &squares_without) += error[s] * error[s];
    self->charge[k] += occupancy[s] * model->protons[s];
  }
  /* The shares with and without the proton have one error; of several tautomers those that move into each other count too. */
  self->protonated[k * self->n_sites + site] = with;
  self->protonated_error[k * self->n_sites + site] = sqrt(MIN(squares_with, squares_without));
}

typedef struct {
  DebyeTitrationCurves *curves;
  const DebyeTitrationModel *model;
  const DebyeTitrationCurvesSettings *settings;
  gsize next; /* atomic: the pH that nobody has taken yet */
} Titration;

/* At a pH, with random numbers of its own, so that who takes which makes no difference. */
static void
titrate(const Titration *titration, gsize k)
{
  DebyeTitrationCurves *self = titration->curves;
  const DebyeTitrationModel *model = titration->model;
  const DebyeTitrationCurvesSettings *settings = titration->settings;
  double *occupancy = self->occupancy + k * self->n_states, *error = self->error + k * self->n_states;
  DebyeTitrationSampling sampling = settings->sampling;
  sampling.seed += k;
  if (self->is_exact)
    debye_titration_model_enumerate(model, self->ph[k], occupancy);
  else
    debye_titration_sample(model, self->ph[k], &sampling, occupancy, error);
  self->charge[k] = settings->charge;
  for (gsize i = 0; i < self->n_sites; i++)
    add_site(self, model, k, i);
}

/* One after the other, on a thread. */
static void
titrate_some(gsize thread G_GNUC_UNUSED, gpointer data)
{
  Titration *titration = data;
  const volatile bool *cancel = titration->settings->cancel;
  while (cancel == NULL || !*cancel) {
    const gsize k = __atomic_fetch_add(&titration->next, 1, __ATOMIC_RELAXED);
    if (k >= titration->curves->n_ph)
      return;
    titrate(titration, k);
  }
}

/* --- What is read off --- */

static double
get_logit(double share)
{
  const double within = CLAMP(share, 1e-6, 1.0 - 1e-6);
  return log10(within / (1.0 - within));
}

/* Where the values go through `level` downwards first, linear between two points of them. */
static double
find_crossing(const DebyeTitrationCurves *self, const double *values, double level, gsize *before)
{
  for (gsize k = 0; k + 1 < self->n_ph; k++)
    if (values[k] >= level && values[k + 1] < level) {
      *before = k;
      return self->ph[k] +
             (self->ph[k + 1] - self->ph[k]) * (values[k] - level) / (values[k] - values[k + 1]);
    }
  return NAN;
}

/* A line through the logarithms about the midpoint, weighted by their errors. */
static void
fit_hill(const DebyeTitrationCurves *self, gsize site, DebyeTitrationMidpoint *midpoint)
{
  double sums[5] = {0.0};
  for (gsize k = 0; k < self->n_ph; k++) {
    const double share = self->protonated[k * self->n_sites + site], x = self->ph[k] - midpoint->half;
    if (share < LEAST_SHARE || share > 1.0 - LEAST_SHARE || fabs(x) > 1.0)
      continue;
    const double error =
        MAX(self->protonated_error[k * self->n_sites + site], LEAST_ERROR) / (G_LN10 * share * (1.0 - share));
    const double weight = 1.0 / (error * error), y = get_logit(share);
    const double terms[5] = {weight, weight * x, weight * x * x, weight * y, weight * x * y};
    for (int t = 0; t < 5; t++)
      sums[t] += terms[t];
  }
  const double determinant = sums[0] * sums[2] - sums[1] * sums[1];
  if (!(determinant > 1e-9 * sums[0] * sums[0]))
    return;
  midpoint->hill = -(sums[0] * sums[4] - sums[1] * sums[3]) / determinant;
  midpoint->hill_error = self->is_exact ? 0.0 : sqrt(sums[0] / determinant);
}

static void
read_midpoint(DebyeTitrationCurves *self, gsize site)
{
  DebyeTitrationMidpoint *midpoint = &self->midpoints[site];
  g_autofree double *logits = g_new(double, self->n_ph + 1);
  gsize k = 0;
  *midpoint = (DebyeTitrationMidpoint){NAN, NAN, NAN, NAN};
  for (gsize p = 0; p < self->n_ph; p++)
    logits[p] = get_logit(self->protonated[p * self->n_sites + site]);
  midpoint->half = find_crossing(self, logits, 0.0, &k);
  if (isnan(midpoint->half))
    return;
  const double *errors = self->protonated_error + k * self->n_sites + site;
  const double drop =
      self->protonated[k * self->n_sites + site] - self->protonated[(k + 1) * self->n_sites + site];
  midpoint->half_error =
      MAX(errors[0], errors[self->n_sites]) * (self->ph[k + 1] - self->ph[k]) / MAX(drop, 1e-3);
  fit_hill(self, site, midpoint);
}

static void
read_off(DebyeTitrationCurves *self)
{
  gsize k;
  for (gsize i = 0; i < self->n_sites; i++)
    read_midpoint(self, i);
  self->isoelectric = find_crossing(self, self->charge, 0.0, &k);
}

DebyeTitrationCurves *
debye_titration_curves_new(const DebyeTitrationModel *model, const DebyeTitrationCurvesSettings *settings)
{
  const gsize n = settings->range.n;
  g_autoptr(DebyeTitrationCurves) self = g_new0(DebyeTitrationCurves, 1);
  self->n_sites = model->n_sites;
  self->n_states = model->n_states;
  self->n_ph = n;
  self->is_exact = debye_titration_model_count_ways(model) <= DEBYE_TITRATION_MOST_WAYS;
  self->ph = g_new0(double, n);
  self->charge = g_new0(double, n);
  self->occupancy = g_new0(double, n * model->n_states + 1);
  self->error = g_new0(double, n * model->n_states + 1);
  self->protonated = g_new0(double, n * model->n_sites + 1);
  self->protonated_error = g_new0(double, n * model->n_sites + 1);
  self->midpoints = g_new0(DebyeTitrationMidpoint, model->n_sites + 1);
  for (gsize k = 0; k < n; k++)
    self->ph[k] = settings->range.first + settings->range.step * (double)k;
  Titration titration = {self, model, settings, 0};
  debye_parts_run(settings->n_threads > 0 ? MIN(n, settings->n_threads) : n, titrate_some, &titration);
  if (settings->cancel != NULL && *settings->cancel)
    return NULL;
  read_off(self);
  return g_steal_pointer(&self);
}

/* SPDX-License-Identifier: MIT */
/* Implementation of titration_run.h. */
#include "titration_run.h"

#include <math.h>

#include "kernels/chunk_threads.h"
#include "titration_access.h"

/* From −4 to 18: so that sites are seen to their halves that are out of
 * water's reach, as one of charge ±1 next to others is. */
static const DebyeTitrationRange range = {.first = -4.0, .step = 0.25, .n = 89};
static const DebyeTitrationSampling sampling = {.sweeps = 1000, .blocks = 20, .seed = 20};

static void
clear(gpointer data)
{
  DebyeTitrationResult *self = data;
  g_clear_pointer(&self->sites, debye_titration_sites_free);
  g_clear_pointer(&self->model, debye_titration_model_free);
  g_clear_pointer(&self->access, g_free);
  g_clear_pointer(&self->curves, debye_titration_curves_free);
}

DebyeTitrationResult *
debye_titration_result_ref(DebyeTitrationResult *self)
{
  return g_atomic_rc_box_acquire(self);
}

void
debye_titration_result_free(DebyeTitrationResult *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full(self, clear);
}

/* e, of all without the protons that sites may have. */
static double
sum_charge(const DebyeTitrationSites *sites)
{
  double sum = 0.0;
  for (guint k = 0; k < sites->charges->len; k++)
    sum += (double)g_array_index(sites->charges, float, k);
  for (guint i = 0; i < sites->sites->len; i++)
    sum -= ((const DebyeTitrationSite *)g_ptr_array_index(sites->sites, i))->states[0].protons;
  return sum;
}

DebyeTitrationResult *
debye_titration_run(const DebyePrepared *prepared, const DebyePrepareSettings *preparation,
                    const DebyeTitrationEnergySettings *settings, GError **error)
{
  g_autoptr(DebyeTitrationResult) self = g_atomic_rc_box_new0(DebyeTitrationResult);
  self->medium = settings->medium;
  self->sites = debye_titration_sites_new(prepared, preparation, error);
  if (self->sites == NULL)
    return NULL;
  DebyeStages *stages = settings->callbacks != NULL ? settings->callbacks->stages : NULL;
  const DebyeStage before = debye_stages_enter(stages, DEBYE_STAGE_COMPUTE);
  self->model = debye_titration_energies_compute(self->sites, settings, &self->solved, error);
  if (self->model == NULL)
    return NULL;
  self->access = debye_titration_access_measure(self->sites, error);
  if (self->access == NULL)
    return NULL;
  const DebyeTitrationCurvesSettings curves = {
      .range = range,
      .sampling = sampling,
      .charge = sum_charge(self->sites),
      .n_threads = debye_chunk_threads_count(),
      .cancel = settings->callbacks != NULL ? settings->callbacks->cancel : NULL};
  debye_stages_enter(stages, DEBYE_STAGE_SAMPLE);
  self->curves = debye_titration_curves_new(self->model, &curves);
  debye_stages_enter(stages, before);
  if (self->curves == NULL) {
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
    return NULL;
  }
  return g_steal_pointer(&self);
}

/* --- At a pH --- */

/* Of values that stand so far apart, one a pH, linear between them. */
static double
interpolate(const DebyeTitrationCurves *curves, const double *values, gsize stride, double ph)
{
  const double step = curves->ph[1] - curves->ph[0];
  const double place = CLAMP((ph - curves->ph[0]) / step, 0.0, (double)(curves->n_ph - 1));
  const gsize before = MIN((gsize)place, curves->n_ph - 2);
  const double share = place - (double)before;
  return values[before * stride] * (1.0 - share) + values[(before + 1) * stride] * share;
}

double
debye_titration_result_get_protons(const DebyeTitrationResult *self, guint site, double ph)
{
  return interpolate(self->curves, self->curves->protonated + site, self->curves->n_sites, ph);
}

double
debye_titration_result_get_charge(const DebyeTitrationResult *self, double ph)
{
  return interpolate(self->curves, self->curves->charge, 1, ph);
}

const DebyeTitrationState *
debye_titration_result_get_state(const DebyeTitrationResult *self, guint site, double ph)
{
  const DebyeTitrationSite *row = g_ptr_array_index(self->sites->sites, site);
  const double protons = debye_titration_result_get_protons(self, site, ph) >= 0.5 ? 1.0 : 0.0;
  const DebyeTitrationState *best = NULL;
  double most = -1.0;
  for (guint s = 0; s < row->n_states; s++) {
    const double share = interpolate(self->curves, self->curves->occupancy + self->model->first[site] + s,
                                     self->curves->n_states, ph);
    if (row->states[s].protons != protons || share <= most)
      continue;
    most = share;
    best = &row->states[s];
  }
  return best;
}

GArray *
debye_titration_result_list(const DebyeTitrationResult *self, double ph)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(DebyePrepareTitrated));
  for (guint i = 0; i < self->sites->sites->len; i++) {
    const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, i);
    const DebyeTitrationMidpoint *midpoint = &self->curves->midpoints[i];
    const DebyeTitrationState *state = debye_titration_result_get_state(self, i, ph);
    if (isnan(site->pka))
      continue;
    const DebyePrepareTitrated row = {.chain = site->chain,
                                      .family = site->family,
                                      .number = site->number,
                                      .insertion_code = site->insertion_code,
                                      .place = site->place,
                                      .state = state->name,
                                      .is_protonated = state->protons > 0.0,
                                      .half = midpoint->half,
                                      .error = midpoint->half_error};
    g_array_append_val(list, row);
  }
  return list;
}

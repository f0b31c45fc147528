/* SPDX-License-Identifier: MIT */
/* Implementation of titration_model.h. */
#include "titration_model.h"

#include <math.h>

DebyeTitrationModel *
debye_titration_model_new(const guint *n_states, gsize n_sites)
{
  g_autoptr(DebyeTitrationModel) self = g_new0(DebyeTitrationModel, 1);
  self->n_sites = n_sites;
  self->first = g_new0(guint, n_sites + 1);
  for (gsize i = 0; i < n_sites; i++)
    self->first[i + 1] = self->first[i] + n_states[i];
  self->n_states = self->first[n_sites];
  self->protons = g_new0(double, self->n_states + 1);
  self->energy = g_new0(double, self->n_states + 1);
  self->interaction = g_try_new0(double, self->n_states * self->n_states + 1);
  return self->interaction != NULL ? g_steal_pointer(&self) : NULL;
}

void
debye_titration_model_free(DebyeTitrationModel *self)
{
  if (self == NULL)
    return;
  g_free(self->first);
  g_free(self->protons);
  g_free(self->energy);
  g_free(self->interaction);
  g_free(self);
}

double
debye_titration_model_get_energy(const DebyeTitrationModel *self, guint state, double ph)
{
  return self->energy[state] + G_LN10 * ph * self->protons[state];
}

double
debye_titration_model_get_intrinsic(const DebyeTitrationModel *self, gsize site)
{
  double with = 0.0, without = 0.0;
  for (guint s = self->first[site]; s < self->first[site + 1]; s++)
    *(self->protons[s] > 0.0 ? &with : &without) += exp(-self->energy[s]);
  return log10(with / without);
}

double
debye_titration_model_count_ways(const DebyeTitrationModel *self)
{
  double ways = 1.0;
  for (gsize i = 0; i < self->n_sites; i++)
    ways *= (double)(self->first[i + 1] - self->first[i]);
  return ways;
}

/* --- Every way --- */

typedef struct {
  const DebyeTitrationModel *model;
  double ph, least; /* kT: what exponents are taken from */
  guint *chosen;    /* a state of each site */
  double *occupancy, whole;
  gboolean counts; /* else looks for the least */
} Ways;

static void
visit(Ways *ways, gsize site, double energy)
{
  const DebyeTitrationModel *model = ways->model;
  if (site == model->n_sites) {
    const double weight = ways->counts ? exp(ways->least - energy) : 0.0;
    ways->least = ways->counts ? ways->least : MIN(ways->least, energy);
    ways->whole += weight;
    for (gsize i = 0; i < site && ways->counts; i++)
      ways->occupancy[ways->chosen[i]] += weight;
    return;
  }
  for (guint s = model->first[site]; s < model->first[site + 1]; s++) {
    double with = energy + debye_titration_model_get_energy(model, s, ways->ph);
    for (gsize j = 0; j < site; j++)
      with += model->interaction[s * model->n_states + ways->chosen[j]];
    ways->chosen[site] = s;
    visit(ways, site + 1, with);
  }
}

void
debye_titration_model_enumerate(const DebyeTitrationModel *self, double ph, double *occupancy)
{
  g_autofree guint *chosen = g_new(guint, self->n_sites + 1);
  Ways ways = {.model = self, .ph = ph, .least = INFINITY, .chosen = chosen, .occupancy = occupancy};
  visit(&ways, 0, 0.0);
  ways.counts = TRUE;
  for (gsize s = 0; s < self->n_states; s++)
    occupancy[s] = 0.0;
  visit(&ways, 0, 0.0);
  for (gsize s = 0; s < self->n_states; s++)
    occupancy[s] /= ways.whole;
}

/* SPDX-License-Identifier: MIT */
/* Implementation of titration_access.h. */
#include "titration_access.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "kernels/surface/surface_area.h"

#define PROBE 1.4

/* Å², of each atom of a list, alone with the others of it. */
static double *
measure_areas(const DebyeTitrationSites *sites, const guint32 *atoms, guint n, GError **error)
{
  g_autofree float *numbers = g_new(float, 4 * (gsize)n + 1);
  float *const x = numbers, *const y = x + n, *const z = y + n, *const radii = z + n;
  g_autofree double *areas = g_new0(double, n + 1);
  DebyeStatus status = {0};
  for (guint k = 0; k < n; k++) {
    x[k] = g_array_index(sites->x, float, atoms[k]);
    y[k] = g_array_index(sites->y, float, atoms[k]);
    z[k] = g_array_index(sites->z, float, atoms[k]);
    radii[k] = g_array_index(sites->radii, float, atoms[k]);
  }
  const DebyeSpheres spheres = {x, y, z, radii, n};
  if (debye_surface_areas(&spheres, PROBE, areas, &status) != DEBYE_STATUS_OK) {
    debye_device_set_error(error, &status);
    return NULL;
  }
  return g_steal_pointer(&areas);
}

static double *
measure_protein(const DebyeTitrationSites *sites, GError **error)
{
  g_autofree guint32 *all = g_new(guint32, sites->x->len + 1);
  for (guint32 i = 0; i < sites->x->len; i++)
    all[i] = i;
  return measure_areas(sites, all, sites->x->len, error);
}

static gboolean
has_atom(const GArray *atoms, guint32 atom)
{
  for (guint i = 0; i < atoms->len; i++)
    if (g_array_index(atoms, guint32, i) == atom)
      return TRUE;
  return FALSE;
}

/* NAN with an error. A site that is within its own compound is reached by nothing. */
static double
measure_site(const DebyeTitrationSites *sites, const DebyeTitrationSite *site, const double *in_protein,
             GError **error)
{
  const guint32 *model = (const guint32 *)(const void *)site->model->data;
  g_autofree double *in_model = measure_areas(sites, model, site->model->len, error);
  double with = 0.0, alone = 0.0;
  if (in_model == NULL)
    return NAN;
  for (guint k = 0; k < site->model->len; k++)
    if (has_atom(site->atoms, model[k])) {
      with += in_protein[model[k]];
      alone += in_model[k];
    }
  return alone > 0.0 ? CLAMP(with / alone, 0.0, 1.0) : 0.0;
}

double *
debye_titration_access_measure(const DebyeTitrationSites *sites, GError **error)
{
  g_autofree double *in_protein = measure_protein(sites, error);
  g_autofree double *access = g_new0(double, sites->sites->len + 1);
  if (in_protein == NULL)
    return NULL;
  for (guint i = 0; i < sites->sites->len; i++) {
    access[i] = measure_site(sites, g_ptr_array_index(sites->sites, i), in_protein, error);
    if (isnan(access[i]))
      return NULL;
  }
  return g_steal_pointer(&access);
}

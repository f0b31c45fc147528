/* SPDX-License-Identifier: MIT */
/* Names the rows and times of signals in time; called by whoever puts them into a result. */
#include "scattering_rows.h"

#include <math.h>

#include "app/analysis/scattering/system/scattering_norm.h"

DebyeQuantity
debye_scattering_time_quantity(const DebyeIntermediateScattering *scattering)
{
  gboolean is_lag = scattering->signal == DEBYE_SIGNAL_AUTOCORRELATE;
  const char *unit = scattering->step > 0.0 ? "ps" : "frames";
  /* The name of the column is the same: scripts find it by that. */
  return (DebyeQuantity){"tau", is_lag ? "τ" : "t", unit};
}

double *
debye_scattering_row_factors(const DebyeIntermediateScattering *scattering, double volume)
{
  double *factors = g_new(double, scattering->n_rows);
  for (gsize row = 0; row < scattering->n_rows; row++)
    factors[row] = debye_scattering_scale(scattering->plan, scattering->plan->settings.kind, volume, NAN,
                                          scattering->q[row])
                       .factor;
  return factors;
}

static const char *const vector_names[] = {"h", "k", "l", "qx", "qy", "qz"};

static guint
get_first_name(const DebyeScatteringPlan *plan)
{
  return plan->vectors.indices != NULL ? 0 : 3;
}

guint
debye_scattering_row_n_names(const DebyeScatteringPlan *plan)
{
  return plan->rows_are_vectors ? G_N_ELEMENTS(vector_names) - get_first_name(plan) : 1;
}

const char *
debye_scattering_row_get_name(const DebyeScatteringPlan *plan, guint k)
{
  return plan->rows_are_vectors ? vector_names[get_first_name(plan) + k] : "q";
}

double
debye_scattering_row_get_value(const DebyeIntermediateScattering *scattering, guint k, gsize row)
{
  const DebyeScatteringPlan *plan = scattering->plan;
  if (!plan->rows_are_vectors)
    return scattering->q[row];
  DebyeVec3 q = g_array_index(plan->vectors.vectors, DebyeVec3, row);
  k += get_first_name(plan);
  if (k < 3)
    return ((const int(*)[3])plan->vectors.indices->data)[row][k];
  return k == 3 ? q.x : k == 4 ? q.y : q.z;
}

void
debye_intermediate_scattering_add_row_names(DebyeTable *table, const DebyeIntermediateScattering *scattering,
                                            gsize times)
{
  gsize n = scattering->n_rows * times;
  g_autofree double *values = g_new(double, n);
  for (guint k = 0; k < debye_scattering_row_n_names(scattering->plan); k++) {
    const char *name = debye_scattering_row_get_name(scattering->plan, k);
    for (gsize i = 0; i < n; i++)
      values[i] = debye_scattering_row_get_value(scattering, k, i / times);
    debye_table_add_numbers(table, &(DebyeQuantity){name, name, name[0] == 'q' ? "Å⁻¹" : NULL}, n, values);
  }
}

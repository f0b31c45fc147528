/* SPDX-License-Identifier: MIT */
/* Makes I(q) with its partials and errors from sums; called by scattering_result.c. */
#include "scattering_intensity.h"

#include <math.h>

#include "data/results/contrast.h"

#define HYDROGEN 1

gboolean
debye_scattering_intensity_has_errors(const DebyeScatteringFound *found)
{
  return found->sums != NULL && debye_scattering_sums_get_n_blocks(found->sums) >= 2;
}

double
debye_scattering_intensity_volume(const DebyeScatteringFound *found)
{
  if (found->plan.volume > 0.0)
    return found->plan.volume;
  if (found->sums != NULL)
    return debye_scattering_sums_get_volume(found->sums);
  return found->cell_volume;
}

static double complex *
make_weights(const DebyeScatteringFound *found, double x)
{
  const DebyeScatterers *scatterers = &found->plan.scatterers;
  guint n_species = scatterers->species->len;
  if (isnan(x))
    return debye_scattering_weights(scatterers, found->q, found->n_q);
  double complex *weights = g_new(double complex, n_species * found->n_q);
  for (guint s = 0; s < n_species; s++)
    for (gsize k = 0; k < found->n_q; k++)
      weights[s * found->n_q + k] = debye_scatterers_exchanged_coherent(scatterers, s, found->q[k], x);
  return weights;
}

void
debye_scattering_intensity(const DebyeScatteringFound *found, DebyeScatteringPart part, double x,
                           double *values, double *errors)
{
  double incoherent = debye_scattering_incoherent_sum(&found->plan.scatterers, x);
  double volume = debye_scattering_intensity_volume(found);
  for (gsize k = 0; k < found->n_q; k++)
    values[k] = 0.0;
  if (part != DEBYE_SCATTERING_INCOHERENT) {
    g_autofree double complex *weights = make_weights(found, x);
    debye_scattering_sums_get_intensity(found->sums, weights, values, errors);
  }
  for (gsize k = 0; k < found->n_q; k++) {
    DebyeScatteringScale scale = debye_scattering_scale(&found->plan, part, volume, x, found->q[k]);
    double sum = values[k] + (part != DEBYE_SCATTERING_COHERENT ? incoherent : 0.0);
    values[k] = sum * scale.factor + scale.offset;
    if (errors != NULL)
      errors[k] *= fabs(scale.factor);
  }
}

/* --- Contrast --- */

/* Light hydrogen, or the element as it is found. */
static gboolean
is_hydrogen(const DebyeScatterer *scatterer)
{
  return scatterer->element == HYDROGEN && scatterer->length != NULL && scatterer->length->mass_number < 2;
}

/* The species, with hydrogens that can be exchanged; a new reference, NULL where there is none. What the
 * species own stays theirs. */
static GArray *
make_exchangeable(const DebyeScatterers *scatterers)
{
  g_autoptr(GArray) species = g_array_new(FALSE, FALSE, sizeof(DebyeScatterer));
  gboolean is_asked = FALSE, is_any = FALSE;
  g_array_append_vals(species, scatterers->species->data, scatterers->species->len);
  for (guint s = 0; s < species->len; s++)
    is_asked = is_asked || g_array_index(species, DebyeScatterer, s).is_exchangeable;
  for (guint s = 0; s < species->len; s++) {
    DebyeScatterer *scatterer = &g_array_index(species, DebyeScatterer, s);
    scatterer->is_exchangeable = is_asked ? scatterer->is_exchangeable : is_hydrogen(scatterer);
    is_any = is_any || scatterer->is_exchangeable;
  }
  return is_any ? g_steal_pointer(&species) : NULL;
}

static void
add_matrix(DebyeResult *result, const DebyeScatteringFound *found, const char *name,
           const DebyeQuantity *quantity, const double *values)
{
  static const DebyeQuantity row = {DEBYE_CONTRAST_ROW, "fraction D", NULL}, column = {"q", "q", "Å⁻¹"};
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new(name, &row, DEBYE_CONTRAST_N, debye_contrast_fractions,
                                                   &column, found->n_q, found->q, quantity, values, NULL);
  debye_result_add_matrix(result, matrix);
}

static gboolean
divides_by_weights(const DebyeScatteringPlan *plan)
{
  return plan->settings.normalise == DEBYE_NORMALISE_WEIGHT ||
         plan->settings.normalise == DEBYE_NORMALISE_FABER_ZIMAN;
}

static void
add_divisors(DebyeResult *result, const DebyeScatteringFound *found, DebyeScatteringPart part,
             const char *curve)
{
  static const DebyeQuantity divisor = {"divisor", "divisor", NULL};
  g_autofree char *name = g_strdup_printf(DEBYE_CONTRAST_DIVISOR "%s", curve);
  g_autofree double *values = g_new(double, DEBYE_CONTRAST_N * found->n_q);
  double volume = debye_scattering_intensity_volume(found);
  for (gsize i = 0; i < DEBYE_CONTRAST_N; i++)
    for (gsize k = 0; k < found->n_q; k++)
      values[i * found->n_q + k] =
          1.0 /
          debye_scattering_scale(&found->plan, part, volume, debye_contrast_fractions[i], found->q[k]).factor;
  add_matrix(result, found, name, &divisor, values);
}

void
debye_scattering_intensity_add_contrast(DebyeResult *result, const DebyeScatteringFound *found,
                                        DebyeScatteringPart part, const DebyeQuantity *quantity,
                                        const char *name)
{
  if (found->plan.scatterers.probe != DEBYE_PROBE_NEUTRON)
    return;
  g_autoptr(GArray) species = make_exchangeable(&found->plan.scatterers);
  if (species == NULL)
    return;
  DebyeScatteringFound other = *found;
  other.plan.scatterers.species = species;
  g_autofree char *full = g_strdup_printf(DEBYE_CONTRAST_VALUES "%s", name);
  g_autofree double *values = g_new(double, DEBYE_CONTRAST_N * found->n_q);
  for (gsize i = 0; i < DEBYE_CONTRAST_N; i++)
    debye_scattering_intensity(&other, part, debye_contrast_fractions[i], values + i * found->n_q, NULL);
  add_matrix(result, found, full, quantity, values);
  if (divides_by_weights(&found->plan))
    add_divisors(result, &other, part, name);
}

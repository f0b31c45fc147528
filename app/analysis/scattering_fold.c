/* SPDX-License-Identifier: MIT */
/* From amplitudes to products, see scattering_fold.h. */
#include "scattering_fold.h"

#include <math.h>

#include "scattering_sums.h"

static double
sinc(double x)
{
  return fabs(x) > 1e-4 ? sin(x) / x : 1.0 - x * x / 6.0;
}

double complex
debye_cell_shape(const DebyeCell *cell, DebyeVec3 corner, DebyeVec3 q)
{
  DebyeVec3 diagonal = debye_vec3_add(cell->a, debye_vec3_add(cell->b, cell->c));
  double phase = debye_vec3_dot(q, debye_vec3_add(corner, debye_vec3_scale(diagonal, 0.5)));
  double size = sinc(0.5 * debye_vec3_dot(q, cell->a)) * sinc(0.5 * debye_vec3_dot(q, cell->b)) *
                sinc(0.5 * debye_vec3_dot(q, cell->c));
  return size * (cos(phase) + I * sin(phase));
}

void
debye_scattering_correct_box(const DebyeScatteringPlan *plan, const DebyeCell *cell, const DebyeVec3 *vectors,
                             double complex *amplitudes)
{
  guint n_vectors = plan->vectors.vectors->len;
  for (guint v = 0; v < n_vectors; v++) {
    double complex shape = debye_cell_shape(cell, debye_vec3(0.0, 0.0, 0.0), vectors[v]);
    for (guint s = 0; s < plan->scatterers.species->len; s++)
      amplitudes[s * n_vectors + v] -= shape * debye_scatterers_get(&plan->scatterers, s)->atoms->len;
  }
}

static double complex
fold_shell(const DebyeScatteringPlan *plan, const DebyeScatteringShell *shell, const double complex *first,
           const double complex *second)
{
  const double *weights = (const double *)plan->vectors.weights->data;
  double complex sum = 0.0;
  double total = 0.0;
  for (gsize v = shell->first; v < shell->first + shell->n; v++) {
    double complex product = first[v] * conj(second[v]);
    /* A weight of 2 is of a vector and its opposite, whose product is the conjugate. */
    sum += weights[v] * (weights[v] > 1.0 ? creal(product) : product);
    total += weights[v];
  }
  return sum / total;
}

void
debye_scattering_fold(const DebyeScatteringPlan *plan, const double complex *amplitudes,
                      double complex *products)
{
  guint n_species = plan->scatterers.species->len, n_vectors = plan->vectors.vectors->len;
  guint n_shells = plan->vectors.shells->len;
  for (guint a = 0; a < n_species; a++)
    for (guint b = a; b < n_species; b++)
      for (guint k = 0; k < n_shells; k++)
        products[debye_scattering_pair(n_species, a, b) * n_shells + k] =
            fold_shell(plan, &g_array_index(plan->vectors.shells, DebyeScatteringShell, k),
                       amplitudes + (gsize)a * n_vectors, amplitudes + (gsize)b * n_vectors);
}

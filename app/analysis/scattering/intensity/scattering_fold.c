/* SPDX-License-Identifier: MIT */
/* Folds amplitudes into the products of species; called by the sums by vectors and the coherent part in
 * time. */
#include "scattering_fold.h"

#include <math.h>

#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "scattering_sums.h"

static double
sinc(double x)
{
  return fabs(x) > 1e-4 ? sin(x) / x : 1.0 - x * x / 6.0;
}

/* The amplitude of a cell filled evenly with one scatterer, whose lower corner is at `corner`:
 * ∫ exp(iq·r) d³r / V = exp(iq·(corner + (a + b + c)/2)) Π sin(q·a/2)/(q·a/2). */
static double complex
cell_shape(const DebyeCell *cell, DebyeVec3 corner, DebyeVec3 q)
{
  DebyeVec3 diagonal = debye_vec3_add(cell->a, debye_vec3_add(cell->b, cell->c));
  double phase = debye_vec3_dot(q, debye_vec3_add(corner, debye_vec3_scale(diagonal, 0.5)));
  double size = sinc(0.5 * debye_vec3_dot(q, cell->a)) * sinc(0.5 * debye_vec3_dot(q, cell->b)) *
                sinc(0.5 * debye_vec3_dot(q, cell->c));
  return size * (cos(phase) + I * sin(phase));
}

void
debye_scattering_correct_box(const DebyeScatteringPlan *plan, const DebyeCell *cell, const DebyeVec3 *vectors,
                             const DebyeAmplitudeRun *run)
{
  for (gsize i = 0; i < run->n; i++) {
    double complex shape = cell_shape(cell, debye_vec3(0.0, 0.0, 0.0), vectors[run->first + i]);
    for (guint s = 0; s < plan->scatterers.species->len; s++)
      run->amplitudes[s * run->n + i] -= shape * debye_scatterers_get(&plan->scatterers, s)->atoms->len;
  }
}

DebyeFrame *
debye_scattering_wrap_frame(const DebyeFrame *frame, GError **error)
{
  DebyePeriodic periodic;
  DebyeFrame *wrapped = debye_frame_copy(frame);
  if (wrapped == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for a frame of %" G_GSIZE_FORMAT " atoms",
                    frame->n_atoms);
    return NULL;
  }
  debye_periodic_init_for_frame(&periodic, frame);
  debye_frame_wrap_atoms(wrapped, debye_periodic_get_middle(&periodic));
  return wrapped;
}

/* Of the vectors from `from` up to `to`, which are of one shell. */
static double complex
fold_shell(const DebyeScatteringPlan *plan, const DebyeAmplitudeRun *run, gsize from, gsize to, guint a,
           guint b)
{
  const double *weights = (const double *)plan->vectors.weights->data;
  const double complex *first = run->amplitudes + (gsize)a * run->n;
  const double complex *second = run->amplitudes + (gsize)b * run->n;
  double complex sum = 0.0;
  for (gsize v = from; v < to; v++) {
    double complex product = first[v - run->first] * conj(second[v - run->first]);
    /* A weight of 2 is of a vector and its opposite, whose product is the conjugate. */
    sum += weights[v] * (weights[v] > 1.0 ? creal(product) : product);
  }
  return sum;
}

void
debye_scattering_fold(const DebyeScatteringPlan *plan, const DebyeAmplitudeRun *run, double complex *products)
{
  guint n_species = plan->scatterers.species->len, n_shells = plan->vectors.shells->len;
  for (guint k = 0; k < n_shells; k++) {
    const DebyeScatteringShell *shell = &g_array_index(plan->vectors.shells, DebyeScatteringShell, k);
    gsize from = MAX(shell->first, run->first), to = MIN(shell->first + shell->n, run->first + run->n);
    for (guint a = 0; a < n_species && from < to; a++)
      for (guint b = a; b < n_species; b++)
        products[debye_scattering_pair(n_species, a, b) * n_shells + k] +=
            fold_shell(plan, run, from, to, a, b) / shell->weight;
  }
}

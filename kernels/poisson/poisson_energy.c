/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_energy.h. Chunks have sums of their own, so that
 * the result is the same on any number of threads. */
#include "poisson_energy.h"

#include <math.h>
#include <stdlib.h>

#include "poisson_tree.h"

#define PI 3.14159265358979323846
#define CHUNK_CHARGES ((size_t)64)
/* As poisson_math.h holds exponents. */
#define MAX_EXPONENT 60.0

static const DebyePoissonTreeSettings tree_settings = {.degree = 6, .opening = 0.5};

/* Adds up what `count` chunks left in their sums, and frees these. */
static double
add_up(double *sums, size_t count)
{
  double sum = 0.0;
  for (size_t i = 0; i < count; i++)
    sum += sums[i];
  free(sums);
  return sum;
}

/* Coulomb. */

typedef struct {
  const DebyeSpheres *spheres;
  const double *charges;
  DebyePoissonTree tree;
  double *sums; /* by chunk */
  double *at;   /* by charge */
} Coulomb;

typedef struct {
  DebyeVec3 at;
  double sum;
} Place;

static void
add_sources(void *context, const DebyePoissonSources *sources, bool are_proxies)
{
  Place *place = context;
  (void)are_proxies;
  for (size_t i = 0; i < sources->n; i++) {
    const double distance = debye_vec3_length(
        debye_vec3_subtract(debye_vec3(sources->x[i], sources->y[i], sources->z[i]), place->at));
    place->sum += distance > 0.0 ? sources->charge[i] / distance : 0.0;
  }
}

static void
sum_chunk(void *context, size_t chunk)
{
  static const double apart[3] = {0.0, 0.0, 0.0};
  const Coulomb *coulomb = context;
  const size_t first = chunk * CHUNK_CHARGES, n = coulomb->spheres->n;
  for (size_t i = first; i < n && i < first + CHUNK_CHARGES; i++) {
    Place place = {.at = debye_sphere_center(coulomb->spheres, i)};
    if (coulomb->charges[i] != 0.0)
      debye_poisson_tree_visit(&coulomb->tree, place.at, apart, add_sources, &place);
    coulomb->sums[chunk] += 0.5 * coulomb->charges[i] * place.sum;
  }
}

static void
potential_chunk(void *context, size_t chunk)
{
  static const double apart[3] = {0.0, 0.0, 0.0};
  const Coulomb *coulomb = context;
  const size_t first = chunk * CHUNK_CHARGES, n = coulomb->spheres->n;
  for (size_t i = first; i < n && i < first + CHUNK_CHARGES; i++) {
    Place place = {.at = debye_sphere_center(coulomb->spheres, i)};
    debye_poisson_tree_visit(&coulomb->tree, place.at, apart, add_sources, &place);
    coulomb->at[i] = place.sum;
  }
}

DebyeStatusCode
debye_poisson_coulomb_potential(const DebyeSpheres *spheres, const float *charges, double *potential,
                                DebyeStatus *status)
{
  const size_t n_chunks = (spheres->n + CHUNK_CHARGES - 1) / CHUNK_CHARGES;
  double *copies = malloc((spheres->n + 1) * sizeof *copies);
  Coulomb coulomb = {.spheres = spheres, .charges = copies, .at = potential};
  for (size_t i = 0; i < spheres->n && copies != NULL; i++)
    copies[i] = (double)charges[i];
  const bool good = copies != NULL && debye_poisson_tree_init(&coulomb.tree, &tree_settings, spheres, copies);
  if (good)
    debye_chunk_threads_run(n_chunks, potential_chunk, &coulomb);
  debye_poisson_tree_clear(&coulomb.tree);
  free(copies);
  return good ? debye_status_ok(status)
              : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                 "There is no memory for the reaction field of %zu charges.", spheres->n);
}

DebyeStatusCode
debye_poisson_coulomb_energy(const DebyeSpheres *spheres, const float *charges, double *energy,
                             DebyeStatus *status)
{
  const size_t n_chunks = (spheres->n + CHUNK_CHARGES - 1) / CHUNK_CHARGES;
  double *copies = malloc((spheres->n + 1) * sizeof *copies);
  Coulomb coulomb = {.spheres = spheres, .charges = copies, .sums = calloc(n_chunks + 1, sizeof(double))};
  for (size_t i = 0; i < spheres->n && copies != NULL; i++)
    copies[i] = (double)charges[i];
  const bool good = copies != NULL && coulomb.sums != NULL &&
                    debye_poisson_tree_init(&coulomb.tree, &tree_settings, spheres, copies);
  if (good)
    debye_chunk_threads_run(n_chunks, sum_chunk, &coulomb);
  debye_poisson_tree_clear(&coulomb.tree);
  free(copies);
  *energy = add_up(coulomb.sums, good ? n_chunks : 0);
  return good ? debye_status_ok(status)
              : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                 "There is no memory for the reaction field of %zu charges.", spheres->n);
}

/* Ions. */

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyePoissonSalt *salt;
  const DebyePoissonEquation *equation;
  double *sums; /* by plane */
} Ions;

/* Of ions of Σ z²c = 1, with the sign of the exponent turned. */
static double
density_of(const DebyePoissonSalt *salt, double potential)
{
  double sum = 0.0;
  for (unsigned i = 0; i < salt->n_ions; i++) {
    const double exponent = fmin(MAX_EXPONENT, -salt->valence[i] * potential);
    sum += salt->share[i] / (salt->valence[i] * salt->valence[i]) *
           (0.5 * exponent * exp(exponent) - expm1(exponent));
  }
  return sum;
}

static void
sum_plane(void *context, size_t plane)
{
  const Ions *ions = context;
  const size_t n = ions->medium->grid.shape[0] * ions->medium->grid.shape[1], first = n * plane;
  double sum = 0.0;
  for (size_t i = first; i < first + n; i++)
    if (ions->equation->screening[i] > 0.0f)
      sum += (double)ions->equation->screening[i] * density_of(ions->salt, ions->equation->potential[i]);
  ions->sums[plane] = sum / (4.0 * PI * ions->medium->length);
}

DebyeStatusCode
debye_poisson_ions_energy(const DebyePoissonMedium *medium, const DebyePoissonSalt *salt,
                          const DebyePoissonEquation *equation, double *energy, DebyeStatus *status)
{
  const size_t planes = medium->grid.shape[2];
  Ions ions = {medium, salt, equation, calloc(planes, sizeof(double))};
  *energy = 0.0;
  if (ions.sums == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the surface on the grid.");
  debye_chunk_threads_run(planes, sum_plane, &ions);
  *energy = add_up(ions.sums, planes);
  return debye_status_ok(status);
}

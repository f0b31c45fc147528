/* SPDX-License-Identifier: MIT */
/* Flattens the basis of the orbital's teaching variants; called by both back ends' drivers. */
#include "ladder_orbital.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define TOLERANCE 1e-8 /* of the map: what a Gaussian may add beyond its reach */
#define MAX_DEGREE 2   /* that the sources know */
#define MAX_POINTS 1e9
#define MAX_EDGE 100000 /* points */
#define MAX_EXTENT 1e4  /* of the grid, and of an atom's distance from it */
#define SEARCH_STEPS 50 /* of a reach */

/* --- Checks --- */

static bool
is_along_axes(const DebyeGrid *grid)
{
  const DebyeVec3 *step = grid->step;
  return step[0].x > 0.0 && step[1].y > 0.0 && step[2].z > 0.0 && step[0].y == 0.0 && step[0].z == 0.0 &&
         step[1].x == 0.0 && step[1].z == 0.0 && step[2].x == 0.0 && step[2].y == 0.0;
}

static bool
grid_is_good(const DebyeGrid *grid)
{
  const double steps[3] = {grid->step[0].x, grid->step[1].y, grid->step[2].z};
  double n_points = 1.0;
  if (!is_along_axes(grid))
    return false;
  for (int axis = 0; axis < 3; axis++) {
    n_points *= (double)grid->shape[axis];
    if (!(steps[axis] * (double)grid->shape[axis] < MAX_EXTENT) || grid->shape[axis] > MAX_EDGE)
      return false;
  }
  return n_points >= 1.0 && n_points <= MAX_POINTS;
}

static bool
shells_are_good(const DebyeOrbitalBasis *basis)
{
  for (size_t shell = 0; shell < basis->n_shells; shell++) {
    const uint32_t first = basis->first_primitive[shell], end = basis->first_primitive[shell + 1];
    if (basis->degree[shell] > MAX_DEGREE || basis->centre[shell] >= basis->n_centres || end < first ||
        end - first > DEBYE_LADDER_SHELL_PRIMITIVES)
      return false;
    for (uint32_t p = first; p < end; p++)
      if (!(basis->exponents[p] > 0.0) || !isfinite(basis->exponents[p]) || !isfinite(basis->weights[p]))
        return false;
  }
  return true;
}

/* What the sources have room for. */
static bool
atoms_are_good(const DebyeLadderOrbital *orbital)
{
  const DebyeOrbitalBasis *basis = orbital->basis;
  const DebyeVec3 origin = orbital->grid.origin;
  for (size_t centre = 0; centre < basis->n_centres; centre++) {
    size_t n_shells = 0, n_primitives = 0, n_functions = 0;
    const double away = debye_vec3_length(
        debye_vec3(basis->x[centre] - origin.x, basis->y[centre] - origin.y, basis->z[centre] - origin.z));
    for (size_t shell = 0; shell < basis->n_shells; shell++)
      if (basis->centre[shell] == centre) {
        n_shells++;
        n_primitives += basis->first_primitive[shell + 1] - basis->first_primitive[shell];
        n_functions += debye_orbital_n_monomials(basis->degree[shell]);
      }
    if (!(away < MAX_EXTENT) || n_shells > DEBYE_LADDER_ATOM_SHELLS ||
        n_primitives > DEBYE_LADDER_ATOM_PRIMITIVES || n_functions > DEBYE_LADDER_ATOM_PRIMITIVES)
      return false;
  }
  return true;
}

DebyeStatusCode
debye_ladder_orbital_check(const DebyeLadderKernel *ladder, size_t variant, const DebyeLadderOrbital *orbital,
                           DebyeStatus *status)
{
  if (variant >= ladder->n_variants || ladder->variants[variant].kind != DEBYE_LADDER_ORBITAL)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There is no teaching variant number %zu of this kind.", variant);
  if (!grid_is_good(&orbital->grid))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The teaching variants need a grid along the axes for orbitals.");
  if (orbital->basis->n_centres > INT_MAX / 4 || orbital->basis->n_shells > INT_MAX / 4 ||
      !shells_are_good(orbital->basis) || !atoms_are_good(orbital))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "The teaching variants need s, p and d functions, of an atom at most %d shells and %d Gaussians.",
        DEBYE_LADDER_ATOM_SHELLS, DEBYE_LADDER_ATOM_PRIMITIVES);
  return debye_status_ok(status);
}

/* --- The basis as arrays --- */

static bool
allocate(DebyeLadderBasis *flat, const DebyeOrbitalBasis *basis)
{
  flat->n_atoms = basis->n_centres;
  flat->atoms = malloc(4 * (flat->n_atoms + 1) * sizeof *flat->atoms);
  flat->first_shell = malloc((flat->n_atoms + 1) * sizeof *flat->first_shell);
  flat->shells = malloc(3 * (basis->n_shells + 1) * sizeof *flat->shells);
  flat->primitives = malloc((3 * (size_t)basis->first_primitive[basis->n_shells] + 1) * sizeof(float));
  flat->coefficients = malloc((debye_orbital_basis_n_functions(basis) + 1) * sizeof(float));
  return flat->atoms != NULL && flat->first_shell != NULL && flat->shells != NULL &&
         flat->primitives != NULL && flat->coefficients != NULL;
}

/* r² from where on |most|·r^degree·exp(−αr²) is below the tolerance: the larger solution of ln most + degree·ln r = αr². */
static double
find_reach2(double exponent, double most, int degree)
{
  double r2 = 0.0;
  if (!(most > 0.0))
    return 0.0;
  r2 = fmax(log(most / TOLERANCE), 1.0) / exponent;
  for (int i = 0; i < SEARCH_STEPS && degree > 0; i++)
    r2 = fmax(log(most / TOLERANCE) + 0.5 * degree * log(r2), 0.5 * degree) / exponent;
  return degree > 0 || most > TOLERANCE ? r2 : 0.0;
}

static void
put_primitive(DebyeLadderBasis *flat, size_t first, double exponent, double weight, double reach2)
{
  size_t at = flat->n_primitives++;
  for (; at > first && (double)flat->primitives[3 * at - 1] < reach2; at--)
    for (int k = 0; k < 3; k++)
      flat->primitives[3 * at + (size_t)k] = flat->primitives[3 * (at - 1) + (size_t)k];
  flat->primitives[3 * at] = (float)exponent;
  flat->primitives[3 * at + 1] = (float)weight;
  flat->primitives[3 * at + 2] = (float)reach2;
}

static void
put_shell(DebyeLadderBasis *flat, const DebyeOrbitalBasis *basis, size_t shell, const double *coefficients)
{
  const size_t n = debye_orbital_n_monomials(basis->degree[shell]), first = flat->n_primitives;
  int *row = flat->shells + 3 * flat->n_shells++;
  double most = 0.0;
  row[0] = basis->degree[shell];
  row[1] = (int)first;
  row[2] = (int)flat->n_functions;
  for (size_t i = 0; i < n; i++) {
    flat->coefficients[flat->n_functions++] = (float)coefficients[i];
    most += fabs(coefficients[i]);
  }
  for (uint32_t p = basis->first_primitive[shell]; p < basis->first_primitive[shell + 1]; p++)
    put_primitive(flat, first, basis->exponents[p], basis->weights[p],
                  find_reach2(basis->exponents[p], most * fabs(basis->weights[p]), basis->degree[shell]));
}

static void
put_atom(DebyeLadderBasis *flat, const DebyeLadderOrbital *orbital, size_t centre)
{
  const DebyeOrbitalBasis *basis = orbital->basis;
  const double *coefficients = orbital->coefficients;
  float *atom = flat->atoms + 4 * centre;
  flat->first_shell[centre] = (int)flat->n_shells;
  atom[0] = (float)(basis->x[centre] - orbital->grid.origin.x);
  atom[1] = (float)(basis->y[centre] - orbital->grid.origin.y);
  atom[2] = (float)(basis->z[centre] - orbital->grid.origin.z);
  atom[3] = 0.0f;
  for (size_t shell = 0; shell < basis->n_shells; shell++) {
    const size_t first = flat->n_primitives;
    if (basis->centre[shell] == centre)
      put_shell(flat, basis, shell, coefficients);
    if (flat->n_primitives > first)
      atom[3] = fmaxf(atom[3], flat->primitives[3 * first + 2]);
    coefficients += debye_orbital_n_monomials(basis->degree[shell]);
  }
}

DebyeStatusCode
debye_ladder_basis_init(DebyeLadderBasis *flat, const DebyeLadderOrbital *orbital, DebyeStatus *status)
{
  const DebyeGrid *grid = &orbital->grid;
  *flat =
      (DebyeLadderBasis){.shape = {grid->shape[0], grid->shape[1], grid->shape[2]},
                         .step = {(float)grid->step[0].x, (float)grid->step[1].y, (float)grid->step[2].z}};
  if (!allocate(flat, orbital->basis))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a basis of %zu shells.",
                            orbital->basis->n_shells);
  for (size_t centre = 0; centre < flat->n_atoms; centre++)
    put_atom(flat, orbital, centre);
  flat->first_shell[flat->n_atoms] = (int)flat->n_shells;
  flat->shells[3 * flat->n_shells] = 0;
  flat->shells[3 * flat->n_shells + 1] = (int)flat->n_primitives;
  flat->shells[3 * flat->n_shells + 2] = (int)flat->n_functions;
  return debye_status_ok(status);
}

void
debye_ladder_basis_clear(DebyeLadderBasis *flat)
{
  free(flat->atoms);
  free(flat->first_shell);
  free(flat->shells);
  free(flat->primitives);
  free(flat->coefficients);
  *flat = (DebyeLadderBasis){.n_atoms = 0};
}

/* Of a row of points at x = 0, step, …, those less than `half` from the atom. */
static double
count_points(const DebyeLadderBasis *flat, double x, double half)
{
  const double step = (double)flat->step[0], last = (double)flat->shape[0] - 1.0;
  const double first = fmax(ceil((x - half) / step), 0.0), end = fmin(floor((x + half) / step), last);
  return fmax(end - first + 1.0, 0.0);
}

double
debye_ladder_basis_evaluations(const DebyeLadderBasis *flat)
{
  double sum = 0.0;
  for (size_t n = 0; n < flat->n_atoms; n++) {
    const float *atom = flat->atoms + 4 * n;
    const int begin = flat->shells[3 * flat->first_shell[n] + 1],
              end = flat->shells[3 * flat->first_shell[n + 1] + 1];
    for (size_t row = 0; row < flat->shape[1] * flat->shape[2]; row++) {
      const double dy = (double)(row % flat->shape[1]) * (double)flat->step[1] - (double)atom[1],
                   dz = (double)(row / flat->shape[1]) * (double)flat->step[2] - (double)atom[2];
      for (int p = begin; p < end; p++) {
        const double left = (double)flat->primitives[3 * p + 2] - dy * dy - dz * dz;
        sum += left > 0.0 ? count_points(flat, (double)atom[0], sqrt(left)) : 0.0;
      }
    }
  }
  return sum;
}

size_t
debye_ladder_orbital_planes_at_once(const DebyeLadderBasis *flat, double evaluations)
{
  const double in_plane =
      (double)flat->shape[0] * (double)flat->shape[1] * ((double)flat->n_primitives + 1.0);
  const double planes = fmin(fmax(evaluations / in_plane, 1.0),
                             INT_MAX / 2.0 / ((double)flat->shape[0] * (double)flat->shape[1]));
  return planes < (double)flat->shape[2] ? (size_t)fmax(planes, 1.0) : flat->shape[2];
}

/* --- The production kernel --- */

/* A device may go on with a map after the call, so that the last one's values are waited for. */
static DebyeStatusCode
draw(const DebyeOrbitalKernel *kernel, DebyeKernelPlan *plan, float *map, double *seconds,
     const volatile bool *cancel, DebyeStatus *status)
{
  const int n_maps = 20;
  DebyeStatusCode code = kernel->compute(plan, 0, 1, false, cancel, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->get_map(plan, map, status);
  const double start = debye_ladder_now();
  for (int i = 0; i < n_maps && code == DEBYE_STATUS_OK; i++)
    code = kernel->compute(plan, 0, 1, false, cancel, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->get_map(plan, map, status);
  *seconds = (debye_ladder_now() - start) / n_maps;
  return code;
}

DebyeStatusCode
debye_ladder_orbital_ours(const DebyeOrbitalKernel *kernel, int device, const DebyeLadderOrbital *orbital,
                          float *map, double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeOrbitalSet *set = NULL;
  DebyeKernelPlan *plan = NULL;
  DebyeStatusCode code = debye_orbital_set_new(orbital->basis, 1, false, TOLERANCE, &set, status);
  if (code == DEBYE_STATUS_OK) {
    debye_orbital_set_add(set, orbital->coefficients, DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE, 1.0);
    const DebyeOrbitalSettings settings = debye_orbital_settings_of(&orbital->grid, set);
    code = kernel->head.create(device, &settings, &plan, status);
  }
  if (code == DEBYE_STATUS_OK)
    code = kernel->set(plan, set, status);
  if (code == DEBYE_STATUS_OK)
    code = draw(kernel, plan, map, seconds, cancel, status);
  kernel->head.destroy(plan);
  debye_orbital_set_free(set);
  return code;
}

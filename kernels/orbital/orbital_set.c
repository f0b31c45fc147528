/* SPDX-License-Identifier: MIT */
/* Makes polynomials times Gaussians of shells, derivatives of them, and how far they reach; called by the analysis of
 * orbitals. */
#include "orbital_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t
count_coefficients(int degree)
{
  return (size_t)(degree + 1) * (size_t)(degree + 2) * (size_t)(degree + 3) / 6;
}

/* Where the coefficient of x^a y^b z^c stands in a polynomial. */
static size_t
place_of(int degree, int a, int b, int c)
{
  size_t place = 0;
  for (int power = 0; power < c; power++)
    place += debye_orbital_n_monomials(degree - power);
  for (int power = 0; power < b; power++)
    place += (size_t)(degree - c - power + 1);
  return place + (size_t)a;
}

/* --- Making a set --- */

bool
debye_orbital_basis_is_valid(const DebyeOrbitalBasis *basis)
{
  for (size_t i = 0; i < basis->n_shells; i++)
    if (basis->degree[i] > DEBYE_ORBITAL_MAX_L || basis->centre[i] >= basis->n_centres)
      return false;
  for (size_t i = 0; i < basis->first_primitive[basis->n_shells]; i++)
    if (!(basis->exponents[i] > 0.0) || !isfinite(basis->exponents[i]) || !isfinite(basis->weights[i]))
      return false;
  for (size_t i = 0; i < basis->n_centres; i++)
    if (!isfinite(basis->x[i]) || !isfinite(basis->y[i]) || !isfinite(basis->z[i]))
      return false;
  return true;
}

static bool
allocate(DebyeOrbitalSet *set)
{
  const size_t n_basis = set->basis->first_primitive[set->basis->n_shells];
  set->x = calloc(set->n_centres + 1, sizeof *set->x);
  set->y = calloc(set->n_centres + 1, sizeof *set->y);
  set->z = calloc(set->n_centres + 1, sizeof *set->z);
  set->first = calloc(set->n_centres + 1, sizeof *set->first);
  set->exponents = calloc(n_basis + 1, sizeof *set->exponents);
  set->degrees = calloc(n_basis + 1, sizeof *set->degrees);
  set->first_coefficient = calloc(n_basis + 1, sizeof *set->first_coefficient);
  set->of_primitive = calloc(n_basis + 1, sizeof *set->of_primitive);
  return set->x != NULL && set->y != NULL && set->z != NULL && set->first != NULL && set->exponents != NULL &&
         set->degrees != NULL && set->first_coefficient != NULL && set->of_primitive != NULL;
}

static bool
allocate_functions(DebyeOrbitalSet *set)
{
  const size_t n = set->max_functions;
  set->coefficients = calloc(n * set->n_coefficients + 1, sizeof *set->coefficients);
  set->reach = calloc(n * set->n_primitives + 1, sizeof *set->reach);
  set->centre_reach = calloc(n * set->n_centres + 1, sizeof *set->centre_reach);
  set->uses = calloc(n + 1, sizeof *set->uses);
  set->weights = calloc(n + 1, sizeof *set->weights);
  set->sums = calloc(set->n_coefficients + 1, sizeof *set->sums);
  return set->coefficients != NULL && set->reach != NULL && set->centre_reach != NULL && set->uses != NULL &&
         set->weights != NULL && set->sums != NULL;
}

/* The set's primitive of this exponent among the centre's, or a new one, which goes behind those that are more
 * diffuse: they reach farther, so that a device meets them first. */
static void
join_exponent(DebyeOrbitalSet *set, size_t begin, double exponent, int degree)
{
  size_t at = begin;
  while (at < set->n_primitives && set->exponents[at] < exponent)
    at++;
  if (at < set->n_primitives && set->exponents[at] == exponent) {
    set->degrees[at] = set->degrees[at] > degree ? set->degrees[at] : (uint8_t)degree;
    return;
  }
  memmove(set->exponents + at + 1, set->exponents + at, (set->n_primitives - at) * sizeof *set->exponents);
  memmove(set->degrees + at + 1, set->degrees + at, (set->n_primitives - at) * sizeof *set->degrees);
  set->exponents[at] = exponent;
  set->degrees[at] = (uint8_t)degree;
  set->n_primitives++;
}

/* The shells of each centre, one list after the other: centre i's from starts[i] on. */
static void
sort_shells(const DebyeOrbitalBasis *basis, uint32_t *starts, uint32_t *shells)
{
  memset(starts, 0, (basis->n_centres + 1) * sizeof *starts);
  for (size_t i = 0; i < basis->n_shells; i++)
    starts[basis->centre[i] + 1]++;
  for (size_t i = 0; i < basis->n_centres; i++)
    starts[i + 1] += starts[i];
  for (size_t i = 0; i < basis->n_shells; i++)
    shells[starts[basis->centre[i]]++] = (uint32_t)i;
  memmove(starts + 1, starts, basis->n_centres * sizeof *starts);
  starts[0] = 0;
}

static void
join_centre(DebyeOrbitalSet *set, const uint32_t *shells, size_t n_shells, int more)
{
  const DebyeOrbitalBasis *basis = set->basis;
  const size_t begin = set->n_primitives;
  for (size_t i = 0; i < n_shells; i++)
    for (size_t k = basis->first_primitive[shells[i]]; k < basis->first_primitive[shells[i] + 1]; k++)
      join_exponent(set, begin, basis->exponents[k], basis->degree[shells[i]] + more);
  for (size_t i = 0; i < n_shells; i++)
    for (size_t k = basis->first_primitive[shells[i]]; k < basis->first_primitive[shells[i] + 1]; k++) {
      size_t at = begin;
      while (set->exponents[at] < basis->exponents[k])
        at++;
      set->of_primitive[k] = (uint32_t)at;
    }
}

static bool
join_primitives(DebyeOrbitalSet *set, int more)
{
  const DebyeOrbitalBasis *basis = set->basis;
  uint32_t *starts = malloc((basis->n_centres + 2) * sizeof *starts);
  uint32_t *shells = malloc((basis->n_shells + 1) * sizeof *shells);
  const bool has_memory = starts != NULL && shells != NULL;
  if (has_memory) {
    sort_shells(basis, starts, shells);
    for (size_t i = 0; i < basis->n_centres; i++) {
      set->x[i] = basis->x[i];
      set->y[i] = basis->y[i];
      set->z[i] = basis->z[i];
      join_centre(set, shells + starts[i], starts[i + 1] - starts[i], more);
      set->first[i + 1] = (uint32_t)set->n_primitives;
    }
    for (size_t i = 0; i < set->n_primitives; i++)
      set->first_coefficient[i + 1] =
          set->first_coefficient[i] + (uint32_t)count_coefficients(set->degrees[i]);
    set->n_coefficients = set->first_coefficient[set->n_primitives];
  }
  free(starts);
  free(shells);
  return has_memory;
}

DebyeStatusCode
debye_orbital_set_new(const DebyeOrbitalBasis *basis, size_t max_functions, bool has_derivatives,
                      double tolerance, DebyeOrbitalSet **set, DebyeStatus *status)
{
  *set = NULL;
  if (!debye_orbital_basis_is_valid(basis) || !(tolerance > 0.0))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "A basis of Gaussians needs finite positions, positive exponents and shells up to i.");
  DebyeOrbitalSet *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->basis = basis;
    made->n_centres = basis->n_centres;
    made->max_functions = max_functions;
    made->tolerance = tolerance;
    if (allocate(made) && join_primitives(made, has_derivatives ? 2 : 0) && allocate_functions(made)) {
      *set = made;
      return debye_status_ok(status);
    }
  }
  debye_orbital_set_free(made);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu orbitals.",
                          max_functions);
}

void
debye_orbital_set_free(DebyeOrbitalSet *set)
{
  if (set == NULL)
    return;
  free(set->x);
  free(set->y);
  free(set->z);
  free(set->first);
  free(set->exponents);
  free(set->degrees);
  free(set->first_coefficient);
  free(set->of_primitive);
  free(set->coefficients);
  free(set->reach);
  free(set->centre_reach);
  free(set->uses);
  free(set->weights);
  free(set->sums);
  free(set);
}

void
debye_orbital_set_empty(DebyeOrbitalSet *set)
{
  set->n_functions = 0;
}

/* --- Functions --- */

typedef struct {
  int degree;
  double *values;
} Polynomial;

static void
polynomial_add(const Polynomial *sum, int a, int b, int c, double value)
{
  if (value != 0.0)
    sum->values[place_of(sum->degree, a, b, c)] += value;
}

/* ∂/∂x (Q e) = (∂Q/∂x − 2αxQ) e, likewise for y and z; `power` are those of the monomial. */
static void
add_derivative(const Polynomial *sum, const int power[3], int axis, double exponent, double value)
{
  int low[3] = {power[0], power[1], power[2]}, high[3] = {power[0], power[1], power[2]};
  low[axis]--;
  high[axis]++;
  if (low[axis] >= 0)
    polynomial_add(sum, low[0], low[1], low[2], value * power[axis]);
  polynomial_add(sum, high[0], high[1], high[2], -2.0 * exponent * value);
}

/* Along one axis n(n−1)x^(n−2) − 2α(2n+1)xⁿ + 4α²x^(n+2). */
static void
add_laplacian(const Polynomial *sum, const int power[3], double exponent, double value)
{
  for (int axis = 0; axis < 3; axis++) {
    int low[3] = {power[0], power[1], power[2]}, high[3] = {power[0], power[1], power[2]};
    const double n = power[axis];
    low[axis] -= 2;
    high[axis] += 2;
    if (low[axis] >= 0)
      polynomial_add(sum, low[0], low[1], low[2], value * n * (n - 1.0));
    polynomial_add(sum, power[0], power[1], power[2], -2.0 * exponent * (2.0 * n + 1.0) * value);
    polynomial_add(sum, high[0], high[1], high[2], 4.0 * exponent * exponent * value);
  }
}

static void
add_monomial(const Polynomial *sum, const int power[3], double exponent, double value,
             DebyeOrbitalOperator operation)
{
  if (value == 0.0)
    return;
  if (operation == DEBYE_ORBITAL_ITSELF)
    polynomial_add(sum, power[0], power[1], power[2], value);
  else if (operation == DEBYE_ORBITAL_LAPLACIAN)
    add_laplacian(sum, power, exponent, value);
  else
    add_derivative(sum, power, (int)operation - DEBYE_ORBITAL_DX, exponent, value);
}

/* By degree the sum of the coefficients' sizes: |Q(r)| ≤ Σ_d sums[d] r^d. */
static double
bound(const double *sums, int degree, double r)
{
  double value = 0.0;
  for (int d = degree; d >= 0; d--)
    value = value * r + sums[d];
  return value;
}

/* Solves αr² = ln(Σ sums r^d / tolerance) from above the largest solution downwards. */
static float
find_reach(const double *sums, int degree, double exponent, double tolerance)
{
  const double narrow = sqrt((double)degree / (2.0 * exponent)); /* all terms fall from here on */
  double r = fmax(narrow, 1.0 / sqrt(exponent));
  while (bound(sums, degree, r) * exp(-exponent * r * r) > tolerance)
    r *= 1.4;
  if (bound(sums, degree, narrow) < tolerance)
    return 0.0f; /* there all r^d are at least as large as where exp(−αr²)r^d is largest */
  for (int i = 0; i < 6; i++)
    r = fmax(narrow, sqrt(fmax(0.0, log(bound(sums, degree, r) / tolerance)) / exponent));
  return (float)(r * 1.0001);
}

static float
measure_reach(const Polynomial *polynomial, double exponent, double tolerance)
{
  double sums[DEBYE_ORBITAL_MAX_DEGREE + 1] = {0.0}, total = 0.0;
  const double *value = polynomial->values;
  for (int c = 0; c <= polynomial->degree; c++)
    for (int b = 0; b <= polynomial->degree - c; b++)
      for (int a = 0; a <= polynomial->degree - c - b; a++)
        sums[a + b + c] += fabs(*value++);
  for (int d = 0; d <= polynomial->degree; d++)
    total += sums[d];
  return total > 0.0 ? find_reach(sums, polynomial->degree, exponent, tolerance) : 0.0f;
}

/* Each shell's monomials, times each of its primitives' weights, into the polynomials of their exponents. */
static void
gather(DebyeOrbitalSet *set, const double *coefficients, DebyeOrbitalOperator operation)
{
  const DebyeOrbitalBasis *basis = set->basis;
  memset(set->sums, 0, set->n_coefficients * sizeof *set->sums);
  for (size_t shell = 0; shell < basis->n_shells; shell++) {
    const int degree = basis->degree[shell];
    const size_t n = debye_orbital_n_monomials(degree);
    for (size_t k = basis->first_primitive[shell]; k < basis->first_primitive[shell + 1]; k++) {
      const uint32_t primitive = set->of_primitive[k];
      const Polynomial sum = {set->degrees[primitive], set->sums + set->first_coefficient[primitive]};
      for (size_t i = 0; i < n; i++) {
        int power[3];
        debye_orbital_monomial(degree, (int)i, power);
        add_monomial(&sum, power, basis->exponents[k], coefficients[i] * basis->weights[k], operation);
      }
    }
    coefficients += n;
  }
}

static void
store(DebyeOrbitalSet *set)
{
  const size_t function = set->n_functions;
  float *coefficients = set->coefficients + function * set->n_coefficients;
  float *reach = set->reach + function * set->n_primitives;
  float *centre_reach = set->centre_reach + function * set->n_centres;
  for (size_t i = 0; i < set->n_coefficients; i++)
    coefficients[i] = (float)set->sums[i];
  for (size_t centre = 0; centre < set->n_centres; centre++) {
    centre_reach[centre] = 0.0f;
    for (size_t k = set->first[centre]; k < set->first[centre + 1]; k++) {
      const Polynomial polynomial = {set->degrees[k], set->sums + set->first_coefficient[k]};
      reach[k] = measure_reach(&polynomial, set->exponents[k], set->tolerance);
      centre_reach[centre] = fmaxf(centre_reach[centre], reach[k]);
    }
  }
}

void
debye_orbital_set_add(DebyeOrbitalSet *set, const double *coefficients, DebyeOrbitalOperator operation,
                      DebyeOrbitalUse use, double weight)
{
  if (set->n_functions == set->max_functions)
    return;
  gather(set, coefficients, operation);
  store(set);
  set->uses[set->n_functions] = use;
  set->weights[set->n_functions++] = (float)weight;
}

/* --- At a point --- */

size_t
debye_orbital_basis_n_functions(const DebyeOrbitalBasis *basis)
{
  size_t n = 0;
  for (size_t i = 0; i < basis->n_shells; i++)
    n += debye_orbital_n_monomials(basis->degree[i]);
  return n;
}

static double
power_of(double x, int n)
{
  double value = 1.0;
  for (; n > 0; n--)
    value *= x;
  return n == 0 ? value : 0.0;
}

/* `radial` holds Σ w (−2α)^i exp(−αr²) for i = 0, 1, 2. */
static double
differentiate(const double from[3], const int power[3], int axis, const double radial[3])
{
  const double rest = power_of(from[(axis + 1) % 3], power[(axis + 1) % 3]) *
                      power_of(from[(axis + 2) % 3], power[(axis + 2) % 3]);
  const int n = power[axis];
  return rest * (n * power_of(from[axis], n - 1) * radial[0] + power_of(from[axis], n + 1) * radial[1]);
}

static double
differentiate_twice(const double from[3], const int power[3], int axis, const double radial[3])
{
  const double rest = power_of(from[(axis + 1) % 3], power[(axis + 1) % 3]) *
                      power_of(from[(axis + 2) % 3], power[(axis + 2) % 3]);
  const int n = power[axis];
  return rest * (n * (n - 1) * power_of(from[axis], n - 2) * radial[0] +
                 (2 * n + 1) * power_of(from[axis], n) * radial[1] + power_of(from[axis], n + 2) * radial[2]);
}

static double
evaluate_monomial(const double from[3], const int power[3], const double radial[3],
                  DebyeOrbitalOperator operation)
{
  if (operation == DEBYE_ORBITAL_ITSELF)
    return power_of(from[0], power[0]) * power_of(from[1], power[1]) * power_of(from[2], power[2]) *
           radial[0];
  if (operation != DEBYE_ORBITAL_LAPLACIAN)
    return differentiate(from, power, (int)operation - DEBYE_ORBITAL_DX, radial);
  return differentiate_twice(from, power, 0, radial) + differentiate_twice(from, power, 1, radial) +
         differentiate_twice(from, power, 2, radial);
}

void
debye_orbital_basis_evaluate(const DebyeOrbitalBasis *basis, const double point[3],
                             DebyeOrbitalOperator operation, double *values)
{
  for (size_t shell = 0; shell < basis->n_shells; shell++) {
    const uint32_t centre = basis->centre[shell];
    const double from[3] = {point[0] - basis->x[centre], point[1] - basis->y[centre],
                            point[2] - basis->z[centre]};
    const double square = from[0] * from[0] + from[1] * from[1] + from[2] * from[2];
    double radial[3] = {0.0, 0.0, 0.0};
    for (size_t k = basis->first_primitive[shell]; k < basis->first_primitive[shell + 1]; k++) {
      const double value = basis->weights[k] * exp(-basis->exponents[k] * square);
      radial[0] += value;
      radial[1] -= 2.0 * basis->exponents[k] * value;
      radial[2] += 4.0 * basis->exponents[k] * basis->exponents[k] * value;
    }
    for (size_t i = 0; i < debye_orbital_n_monomials(basis->degree[shell]); i++) {
      int power[3];
      debye_orbital_monomial(basis->degree[shell], (int)i, power);
      *values++ = evaluate_monomial(from, power, radial, operation);
    }
  }
}

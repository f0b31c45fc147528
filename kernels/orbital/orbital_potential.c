/* SPDX-License-Identifier: MIT */
/* Implementation of orbital_potential.h; called by the analysis of orbitals. */
#include "orbital_potential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_L DEBYE_ORBITAL_MAX_L
#define MAX_ORDER (2 * MAX_L)
#define MAX_TERMS ((MAX_ORDER + 1) * (MAX_ORDER + 2) * (MAX_ORDER + 3) / 6)
#define LANES 16      /* points at once */
#define FARTHEST 60.0 /* exp(−60) */
#define PI 3.14159265358979323846

/* Hermite Gaussians of one product of two primitives: Σ coefficients · ∂^t ∂^u ∂^v exp(−p|r − P|²), with 2π/p in the
 * coefficients. */
typedef struct {
  double p, at[3];
  int order; /* t + u + v at most */
  size_t first;
} Product;

/* How R_tuv follows from those of the next higher auxiliary order: along an axis. Terms stand by t + u + v. */
typedef struct {
  int axis, parent, grandparent, factor;
} Step;

struct DebyeOrbitalPotential {
  Product *products;
  size_t n_products, room_products;
  double *coefficients;
  size_t n_coefficients, room_coefficients;
  double left_out;
  int n_terms[MAX_ORDER + 1]; /* of all orders up to one */
  int term_of[MAX_ORDER + 1][MAX_ORDER + 1][MAX_ORDER + 1];
  Step steps[MAX_TERMS];
};

/* --- Terms --- */

static void
number_terms(DebyeOrbitalPotential *self)
{
  int n = 0;
  for (int order = 0; order <= MAX_ORDER; order++) {
    for (int t = order; t >= 0; t--)
      for (int u = order - t; u >= 0; u--) {
        const int powers[3] = {t, u, order - t - u};
        self->term_of[t][u][powers[2]] = n;
        if (order > 0) {
          const int axis = t > 0 ? 0 : u > 0 ? 1 : 2;
          int lower[3] = {powers[0], powers[1], powers[2]};
          lower[axis]--;
          Step *step = &self->steps[n];
          *step = (Step){.axis = axis, .parent = self->term_of[lower[0]][lower[1]][lower[2]]};
          step->factor = lower[axis];
          lower[axis] -= lower[axis] > 0 ? 1 : 0;
          step->grandparent = self->term_of[lower[0]][lower[1]][lower[2]];
        }
        n++;
      }
    self->n_terms[order] = n;
  }
}

/* --- Products --- */

static void *
make_room(void *array, size_t *room, size_t needed, size_t size)
{
  if (needed <= *room)
    return array;
  const size_t more = needed > 2 * *room ? needed : 2 * *room;
  void *larger = realloc(array, more * size);
  if (larger != NULL)
    *room = more;
  return larger;
}

/* Along one axis: line[i][j][t], x_A^i x_B^j exp(…) = Σ line · ∂^t exp(−p(x − P)²), without the factor of the product. */
typedef double Line[MAX_L + 1][MAX_L + 1][MAX_ORDER + 1];

static void
fill_line(double p, double pa, double pb, int la, int lb, Line line)
{
  for (int i = 0; i <= la; i++)
    for (int j = 0; j <= lb; j++)
      for (int t = 0; t <= la + lb; t++) {
        line[i][j][t] = i == 0 && j == 0 && t == 0 ? 1.0 : 0.0;
        if ((i == 0 && j == 0) || t > i + j)
          continue;
        const double *below = i > 0 ? line[i - 1][j] : line[i][j - 1];
        line[i][j][t] = (t > 0 ? below[t - 1] / (2.0 * p) : 0.0) + (i > 0 ? pa : pb) * below[t] +
                        (t < la + lb ? (t + 1) * below[t + 1] : 0.0);
      }
}

/* A shell as the basis has it. */
typedef struct {
  int degree;
  const double *at;
  size_t first_function;
} Shell;

typedef struct {
  const DebyeOrbitalBasis *basis;
  const double *density;
  size_t n;
  double tolerance;
  uint64_t most_bytes;
  const volatile bool *cancel;
} Source;

/* Of one pair of primitives: adds what their Cartesian products, times the density, are in Hermite Gaussians. */
static void
contract(const DebyeOrbitalPotential *self, const Source *source, const Shell *a, const Shell *b,
         const Line lines[3], double factor, double *sums)
{
  for (int i = 0; i < (int)debye_orbital_n_monomials(a->degree); i++) {
    int powers_a[3];
    debye_orbital_monomial(a->degree, i, powers_a);
    for (int j = 0; j < (int)debye_orbital_n_monomials(b->degree); j++) {
      int powers_b[3];
      debye_orbital_monomial(b->degree, j, powers_b);
      const double weight =
          factor *
          source->density[(a->first_function + (size_t)i) * source->n + b->first_function + (size_t)j];
      const double *x = lines[0][powers_a[0]][powers_b[0]], *y = lines[1][powers_a[1]][powers_b[1]],
                   *z = lines[2][powers_a[2]][powers_b[2]];
      for (int t = 0; t <= powers_a[0] + powers_b[0]; t++)
        for (int u = 0; u <= powers_a[1] + powers_b[1]; u++)
          for (int v = 0; v <= powers_a[2] + powers_b[2]; v++)
            sums[self->term_of[t][u][v]] += weight * x[t] * y[u] * z[v];
    }
  }
}

/* |R_tuv| is p^(s/2) times a number of the order of s!/(s/2)!, s = t + u + v, at most. */
static double
bound(const DebyeOrbitalPotential *self, int order, double p, const double *sums)
{
  double total = 0.0, scale = 1.0;
  for (int s = 0, k = 0; s <= order; s++) {
    for (; k < self->n_terms[s]; k++)
      total += scale * fabs(sums[k]);
    scale *= sqrt(p) * (s + 1);
  }
  return total;
}

static bool
fits(const DebyeOrbitalPotential *self, uint64_t most_bytes)
{
  return most_bytes == 0 || self->room_products * sizeof *self->products +
                                    self->room_coefficients * sizeof *self->coefficients <=
                                most_bytes;
}

static bool
add_product(DebyeOrbitalPotential *self, const Product *product, const double *sums, const Source *source)
{
  const size_t n = (size_t)self->n_terms[product->order];
  const double most = bound(self, product->order, product->p, sums);
  if (most < source->tolerance) {
    self->left_out += most;
    return true;
  }
  Product *products =
      make_room(self->products, &self->room_products, self->n_products + 1, sizeof *self->products);
  self->products = products != NULL ? products : self->products;
  double *coefficients = make_room(self->coefficients, &self->room_coefficients, self->n_coefficients + n,
                                   sizeof *self->coefficients);
  self->coefficients = coefficients != NULL ? coefficients : self->coefficients;
  if (products == NULL || coefficients == NULL || !fits(self, source->most_bytes))
    return false;
  products[self->n_products] = *product;
  products[self->n_products++].first = self->n_coefficients;
  memcpy(coefficients + self->n_coefficients, sums, n * sizeof *sums);
  self->n_coefficients += n;
  return true;
}

static bool
add_pair(DebyeOrbitalPotential *self, const Source *source, const Shell *a, const Shell *b, size_t first,
         size_t second)
{
  const double alpha = source->basis->exponents[first], beta = source->basis->exponents[second],
               p = alpha + beta;
  Product product = {.p = p, .order = a->degree + b->degree};
  double sums[MAX_TERMS], square = 0.0;
  Line lines[3];
  for (int axis = 0; axis < 3; axis++) {
    square += (a->at[axis] - b->at[axis]) * (a->at[axis] - b->at[axis]);
    product.at[axis] = (alpha * a->at[axis] + beta * b->at[axis]) / p;
  }
  if (alpha * beta / p * square > FARTHEST)
    return true;
  for (int axis = 0; axis < 3; axis++)
    fill_line(p, product.at[axis] - a->at[axis], product.at[axis] - b->at[axis], a->degree, b->degree,
              lines[axis]);
  memset(sums, 0, (size_t)self->n_terms[product.order] * sizeof *sums);
  const double both = a->first_function == b->first_function ? 1.0 : 2.0;
  contract(self, source, a, b, (const Line *)lines,
           both * 2.0 * PI / p * source->basis->weights[first] * source->basis->weights[second] *
               exp(-alpha * beta / p * square),
           sums);
  return add_product(self, &product, sums, source);
}

static bool
add_shells(DebyeOrbitalPotential *self, const Source *source)
{
  const DebyeOrbitalBasis *basis = source->basis;
  double at[2][3];
  size_t functions[2] = {0, 0};
  for (size_t one = 0; one < basis->n_shells; one++) {
    functions[1] = 0;
    for (size_t other = 0; other <= one; other++) {
      const size_t numbers[2] = {one, other};
      if (debye_is_cancelled(source->cancel))
        return false;
      Shell shells[2];
      for (int k = 0; k < 2; k++) {
        const uint32_t centre = basis->centre[numbers[k]];
        at[k][0] = basis->x[centre];
        at[k][1] = basis->y[centre];
        at[k][2] = basis->z[centre];
        shells[k] = (Shell){basis->degree[numbers[k]], at[k], functions[k]};
      }
      for (size_t i = basis->first_primitive[one]; i < basis->first_primitive[one + 1]; i++)
        for (size_t j = basis->first_primitive[other]; j < basis->first_primitive[other + 1]; j++)
          if (!add_pair(self, source, &shells[0], &shells[1], i, j))
            return false;
      functions[1] += debye_orbital_n_monomials(basis->degree[other]);
    }
    functions[0] += debye_orbital_n_monomials(basis->degree[one]);
  }
  return true;
}

DebyeStatusCode
debye_orbital_potential_new(const DebyeOrbitalBasis *basis, const double *density, double tolerance,
                            uint64_t most_bytes, const volatile bool *cancel,
                            DebyeOrbitalPotential **potential, DebyeStatus *status)
{
  *potential = NULL;
  if (!debye_orbital_basis_is_valid(basis))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "the basis has shells or exponents that can't be");
  DebyeOrbitalPotential *self = calloc(1, sizeof *self);
  const Source source = {basis,     density,    debye_orbital_basis_n_functions(basis),
                         tolerance, most_bytes, cancel};
  if (self != NULL)
    number_terms(self);
  if (self == NULL || !add_shells(self, &source)) {
    debye_orbital_potential_free(self);
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "stopped");
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "no memory for the products of the basis");
  }
  *potential = self;
  return DEBYE_STATUS_OK;
}

/* Of two shells. */
static uint64_t
count_near(const DebyeOrbitalBasis *basis, size_t one, size_t other)
{
  const uint32_t a = basis->centre[one], b = basis->centre[other];
  const double x = basis->x[a] - basis->x[b], y = basis->y[a] - basis->y[b], z = basis->z[a] - basis->z[b];
  uint64_t n = 0;
  for (size_t i = basis->first_primitive[one]; i < basis->first_primitive[one + 1]; i++)
    for (size_t j = basis->first_primitive[other]; j < basis->first_primitive[other + 1]; j++) {
      const double alpha = basis->exponents[i], beta = basis->exponents[j];
      n += alpha * beta / (alpha + beta) * (x * x + y * y + z * z) <= FARTHEST;
    }
  return n;
}

uint64_t
debye_orbital_potential_most_bytes(const DebyeOrbitalBasis *basis)
{
  uint64_t bytes = 0;
  for (size_t one = 0; one < basis->n_shells; one++)
    for (size_t other = 0; other <= one; other++) {
      const uint64_t order = (uint64_t)basis->degree[one] + (uint64_t)basis->degree[other];
      const uint64_t n_terms = (order + 1) * (order + 2) * (order + 3) / 6;
      bytes += count_near(basis, one, other) * (sizeof(Product) + n_terms * sizeof(double));
    }
  /* Arrays that grow have up to twice the room. */
  return 2 * bytes;
}

void
debye_orbital_potential_free(DebyeOrbitalPotential *potential)
{
  if (potential == NULL)
    return;
  free(potential->products);
  free(potential->coefficients);
  free(potential);
}

size_t
debye_orbital_potential_get_n_products(const DebyeOrbitalPotential *potential)
{
  return potential->n_products;
}

double
debye_orbital_potential_get_left_out(const DebyeOrbitalPotential *potential)
{
  return potential->left_out;
}

/* --- Points --- */

/* R^n of all terms up to an order from R^(n+1), for n from the order to 0; `start` holds (−2p)^n F_n. */
static void
advance(const DebyeOrbitalPotential *self, int order, const double start[][LANES],
        const double distances[][LANES], double (*terms)[LANES], double (*next)[LANES])
{
  double(*lower)[LANES] = terms, (*upper)[LANES] = next;
  for (int n = order; n >= 0; n--) {
    double(*swapped)[LANES] = upper;
    upper = lower;
    lower = swapped;
    memcpy(lower[0], start[n], sizeof lower[0]);
    for (int k = 1; k < self->n_terms[order - n]; k++) {
      const Step *step = &self->steps[k];
      const double *distance = distances[step->axis], *parent = upper[step->parent],
                   *grandparent = upper[step->grandparent];
      for (int i = 0; i < LANES; i++)
        lower[k][i] = distance[i] * parent[i] + step->factor * grandparent[i];
    }
  }
  if (lower != terms)
    memcpy(terms, lower, (size_t)self->n_terms[order] * sizeof *terms);
}

static void
add_product_at(const DebyeOrbitalPotential *self, const Product *product, const double points[3][LANES],
               double sums[LANES])
{
  double distances[3][LANES], start[MAX_ORDER + 1][LANES], terms[2][MAX_TERMS][LANES];
  for (int i = 0; i < LANES; i++) {
    double boys[MAX_ORDER + 1], square = 0.0, power = 1.0;
    for (int axis = 0; axis < 3; axis++) {
      distances[axis][i] = product->at[axis] - points[axis][i];
      square += distances[axis][i] * distances[axis][i];
    }
    debye_orbital_boys(product->order, product->p * square, boys);
    for (int n = 0; n <= product->order; n++) {
      start[n][i] = power * boys[n];
      power *= -2.0 * product->p;
    }
  }
  advance(self, product->order, (const double(*)[LANES])start, (const double(*)[LANES])distances, terms[0],
          terms[1]);
  const double *coefficients = self->coefficients + product->first;
  for (int k = 0; k < self->n_terms[product->order]; k++)
    for (int i = 0; i < LANES; i++)
      sums[i] += coefficients[k] * terms[0][k][i];
}

void
debye_orbital_potential_compute(const DebyeOrbitalPotential *potential, size_t n, const double *x,
                                const double *y, const double *z, double *values)
{
  const double *const axes[3] = {x, y, z};
  for (size_t first = 0; first < n; first += LANES) {
    double points[3][LANES], sums[LANES] = {0.0};
    for (int axis = 0; axis < 3; axis++)
      for (size_t i = 0; i < LANES; i++)
        points[axis][i] = axes[axis][first + i < n ? first + i : n - 1];
    for (size_t k = 0; k < potential->n_products; k++)
      add_product_at(potential, &potential->products[k], (const double(*)[LANES])points, sums);
    memcpy(values + first, sums, (n - first < LANES ? n - first : LANES) * sizeof *values);
  }
}

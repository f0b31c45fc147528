/* SPDX-License-Identifier: MIT */
/* Averages over orientations by multipoles, against the Debye formula and against many directions; and the
 * special functions, against closed forms and their own sums. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scattering/scattering_multipole.h"
#include "kernels/special_functions.h"
#include "tests/support/check.h"

#define PI 3.14159265358979323846
#define N_ATOMS 150
#define N_Q 21

/* --- Special functions --- */

static void
test_spherical_bessel(void)
{
  double j[61];
  for (double x = 1e-9; x < 300.0; x *= 1.9) {
    debye_spherical_bessel(60, x, j);
    const double s = sin(x), c = cos(x);
    debye_check_subject("x = %g", x);
    CHECK_AT_MOST(fabs(j[0] - s / x), 1e-15);
    if (x > 0.1) {
      CHECK_AT_MOST(fabs(j[1] - (s / x - c) / x), 1e-14);
      CHECK_AT_MOST(fabs(j[2] - ((3.0 / (x * x) - 1.0) * s / x - 3.0 * c / (x * x))), 2e-14);
    }
    /* Σ (2l + 1) j_l² = 1, as long as 60 orders hold all of it. */
    double sum = 0.0;
    for (unsigned l = 0; l <= 60; l++)
      sum += (2.0 * l + 1.0) * j[l] * j[l];
    if (x < 40.0)
      CHECK_AT_MOST(fabs(sum - 1.0), 1e-13);
  }
  debye_check_subject("x = 0");
  debye_spherical_bessel(3, 0.0, j);
  CHECK(j[0] == 1.0 && j[1] == 0.0 && j[3] == 0.0);
}

static void
test_cylindrical_bessel(void)
{
  double J[41];
  for (double x = 1e-8; x < 200.0; x *= 1.7) {
    debye_cylindrical_bessel(40, x, J);
    debye_check_subject("x = %g", x);
    /* The library's own upward recurrence loses three digits at the largest x. */
    for (int m = 0; m <= 40; m++)
      CHECK_AT_MOST(fabs(J[m] - jn(m, x)), 5e-13);
  }
  debye_check_subject("%s", "");
}

/* ∫ P_lm P_l'm dΩ = δ: by Gauss's rule in closed form it would take nodes; the addition theorem says it, too:
 * Σ_m |Y_lm|² = (2l + 1)/4π everywhere. */
static void
test_legendre(void)
{
  double p[40 * 41 / 2 + 41];
  for (double angle = 0.0; angle <= PI; angle += 0.31) {
    debye_legendre(39, cos(angle), sin(angle), p);
    for (unsigned l = 0; l < 40; l++) {
      double sum = 0.0;
      for (unsigned m = 0; m <= l; m++)
        sum += (m > 0 ? 2.0 : 1.0) * pow(p[debye_harmonic_index(l, m)], 2.0);
      CHECK_AT_MOST(fabs(sum - (2.0 * l + 1.0) / (4.0 * PI)), 1e-12 * (l + 1));
    }
  }
}

/* --- Averages --- */

typedef struct {
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS], weight[N_ATOMS];
  double q[N_Q];
  size_t first[4];
} Body;

/* Three groups (the middle one empty) in a ball of 12 Å away from the origin. */
static void
make_body(Body *body)
{
  unsigned state = 12345;
  for (size_t i = 0; i < N_ATOMS; i++) {
    double v[3];
    do {
      for (int k = 0; k < 3; k++) {
        state = state * 1664525u + 1013904223u;
        v[k] = 24.0 * ((double)(state >> 8) / 16777216.0 - 0.5);
      }
    } while (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 144.0);
    body->x[i] = (float)(v[0] + 20.0);
    body->y[i] = (float)(v[1] - 7.0);
    body->z[i] = (float)(v[2] + 3.0);
    body->weight[i] = (float)(0.5 + (double)(i % 5));
  }
  for (size_t k = 0; k < N_Q; k++)
    body->q[k] = 0.1 * (double)k;
  memcpy(body->first, (const size_t[]){0, 60, 60, N_ATOMS}, sizeof body->first);
}

static double
distance(const Body *body, size_t i, size_t j)
{
  const double x = (double)body->x[i] - (double)body->x[j], y = (double)body->y[i] - (double)body->y[j],
               z = (double)body->z[i] - (double)body->z[j];
  return sqrt(x * x + y * y + z * z);
}

/* Debye's formula for two groups. */
static double
debye_sum(const Body *body, size_t a, size_t b, double q)
{
  double sum = 0.0;
  for (size_t i = body->first[a]; i < body->first[a + 1]; i++)
    for (size_t j = body->first[b]; j < body->first[b + 1]; j++) {
      const double x = q * distance(body, i, j);
      sum += (double)body->weight[i] * (double)body->weight[j] * (x > 1e-9 ? sin(x) / x : 1.0);
    }
  return sum;
}

static void
test_sphere(void)
{
  Body body;
  double products[2 * 6 * N_Q], share[N_Q];
  DebyeStatus status = {0};
  make_body(&body);
  const DebyeScatteringGroups groups = {.n_groups = 3, .first = body.first, .weight = body.weight};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  const DebyeMultipole multipole = {.order = 60};
  CHECK(debye_multipole_products(&multipole, &groups, &frame, debye_vec3(20.0, -7.0, 3.0), body.q, N_Q,
                                 products, share, NULL, &status) == DEBYE_STATUS_OK);
  for (size_t k = 0, pair = 0; k < N_Q; k++, pair = 0) {
    const double whole = debye_sum(&body, 0, 0, 0.0) + debye_sum(&body, 2, 2, 0.0);
    for (size_t a = 0; a < 3; a++)
      for (size_t b = a; b < 3; b++, pair++) {
        debye_check_subject("pair %zu-%zu at q = %g", a, b, body.q[k]);
        CHECK_AT_MOST(fabs(products[2 * (pair * N_Q + k)] - debye_sum(&body, a, b, body.q[k])) / whole,
                      1e-13);
      }
    CHECK_AT_MOST(share[k], 1e-13);
  }
  debye_check_subject("%s", "");
}

/* Too low an order is told. */
static void
test_left_out(void)
{
  Body body;
  double products[2 * 6 * N_Q], share[N_Q];
  make_body(&body);
  const DebyeScatteringGroups groups = {.n_groups = 3, .first = body.first, .weight = body.weight};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  const DebyeMultipole multipole = {.order = 10};
  CHECK(debye_multipole_products(&multipole, &groups, &frame, debye_vec3(20.0, -7.0, 3.0), body.q, N_Q,
                                 products, share, NULL, NULL) == DEBYE_STATUS_OK);
  CHECK(share[1] < 1e-6);
  CHECK(share[N_Q - 1] > 1e-3);
}

static double complex
amplitude(const Body *body, size_t group, DebyeVec3 q)
{
  double complex sum = 0.0;
  for (size_t i = body->first[group]; i < body->first[group + 1]; i++) {
    const double phase = q.x * (double)body->x[i] + q.y * (double)body->y[i] + q.z * (double)body->z[i];
    sum += (double)body->weight[i] * (cos(phase) + I * sin(phase));
  }
  return sum;
}

/* 200 directions around the axis hold all orders that there are. */
static void
test_cylinder(void)
{
  Body body;
  double products[2 * 6 * N_Q];
  const DebyeVec3 axis = {0.6, 0.0, 0.8}, u = {0.8, 0.0, -0.6}, v = {0.0, 1.0, 0.0};
  make_body(&body);
  const DebyeScatteringGroups groups = {.n_groups = 3, .first = body.first, .weight = body.weight};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  const DebyeMultipole multipole = {.order = 60, .cylindrical = true, .axis = axis, .axial = 0.35};
  CHECK(debye_multipole_products(&multipole, &groups, &frame, debye_vec3(20.0, -7.0, 3.0), body.q + 5,
                                 N_Q - 5, products, NULL, NULL, NULL) == DEBYE_STATUS_OK);
  for (size_t k = 5; k < N_Q; k++) {
    const double across = sqrt(body.q[k] * body.q[k] - 0.35 * 0.35);
    double complex sum = 0.0;
    for (int i = 0; i < 200; i++) {
      const double angle = 2.0 * PI * i / 200.0;
      const DebyeVec3 q = debye_vec3_add(
          debye_vec3_scale(axis, 0.35),
          debye_vec3_add(debye_vec3_scale(u, across * cos(angle)), debye_vec3_scale(v, across * sin(angle))));
      sum += amplitude(&body, 0, q) * conj(amplitude(&body, 2, q)) / 200.0;
    }
    const double *found = products + 2 * (2 * (N_Q - 5) + k - 5);
    const double whole = debye_sum(&body, 0, 0, 0.0);
    debye_check_subject("q = %g", body.q[k]);
    CHECK_AT_MOST(fabs(found[0] - creal(sum)) / whole, 1e-12);
    CHECK_AT_MOST(fabs(found[1] - cimag(sum)) / whole, 1e-12);
  }
  debye_check_subject("%s", "");
}

static void
test_refused(void)
{
  Body body;
  double products[2 * 6 * N_Q];
  DebyeStatus status = {0};
  make_body(&body);
  const DebyeScatteringGroups groups = {.n_groups = 3, .first = body.first, .weight = body.weight};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  DebyeMultipole multipole = {.order = 201};
  CHECK(debye_multipole_products(&multipole, &groups, &frame, debye_vec3(0.0, 0.0, 0.0), body.q, N_Q,
                                 products, NULL, NULL, &status) == DEBYE_STATUS_INVALID);
  multipole = (DebyeMultipole){.order = 5, .cylindrical = true, .axis = {0.0, 0.0, 1.0}, .axial = 1.0};
  CHECK(debye_multipole_products(&multipole, &groups, &frame, debye_vec3(0.0, 0.0, 0.0), body.q, N_Q,
                                 products, NULL, NULL, &status) == DEBYE_STATUS_INVALID);
  multipole = (DebyeMultipole){.order = 5};
  body.y[7] = NAN;
  CHECK(debye_multipole_products(&multipole, &groups, &frame, debye_vec3(0.0, 0.0, 0.0), body.q, N_Q,
                                 products, NULL, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "8") != NULL, "the atom isn't named: %s", status.text);
}

int
main(void)
{
  test_spherical_bessel();
  test_cylindrical_bessel();
  test_legendre();
  test_sphere();
  test_left_out();
  test_cylinder();
  test_refused();
  return debye_check_finish();
}

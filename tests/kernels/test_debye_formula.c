/* SPDX-License-Identifier: MIT */
/* The exact average over orientations: closed forms and plain loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scattering/scattering_debye.h"
#include "tests/support/check.h"

#define N_Q 120
#define N_ATOMS 300

/* Two atoms: 2(1 + sin(qd)/(qd)). Values of q evenly spaced, uneven, and none at all between. */
static void
test_two_atoms(void)
{
  const float x[2] = {1.0f, 1.0f}, y[2] = {0.0f, 3.0f}, z[2] = {-2.0f, 2.0f};
  const size_t first[2] = {0, 2};
  const DebyeScatteringGroups groups = {.n_groups = 1, .first = first};
  const DebyeScatteringFrame frame = {.x = x, .y = y, .z = z};
  double q[N_Q], products[N_Q];
  for (size_t k = 0; k < N_Q; k++)
    q[k] = k < 80 ? 0.25 * (double)k : 20.0 + 0.01 * (double)(k * k);
  CHECK(debye_formula_products(&groups, &frame, q, N_Q, products, NULL, NULL) == DEBYE_STATUS_OK);
  for (size_t k = 0; k < N_Q; k++) {
    debye_check_subject("q = %g", q[k]);
    CHECK_AT_MOST(fabs(products[k] - 2.0 * (1.0 + (k > 0 ? sin(5.0 * q[k]) / (5.0 * q[k]) : 1.0))), 1e-14);
  }
  debye_check_subject("%s", "");
}

typedef struct {
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS], weight[N_ATOMS];
  double q[N_Q];
} Body;

static void
make_body(Body *body)
{
  unsigned state = 99;
  float *columns[3] = {body->x, body->y, body->z};
  for (size_t i = 0; i < N_ATOMS; i++) {
    for (int k = 0; k < 3; k++) {
      state = state * 1664525u + 1013904223u;
      columns[k][i] = (float)(30.0 * (double)(state >> 8) / 16777216.0);
    }
    body->weight[i] = i % 3 == 0 ? -3.74f : 6.6f;
  }
  /* Two atoms at one place. */
  for (int k = 0; k < 3; k++)
    columns[k][17] = columns[k][16];
  for (size_t k = 0; k < N_Q; k++)
    body->q[k] = 0.05 + 0.05 * (double)k;
}

static double
plain_sum(const Body *body, size_t a0, size_t a1, size_t b0, size_t b1, double q)
{
  double sum = 0.0;
  for (size_t i = a0; i < a1; i++)
    for (size_t j = b0; j < b1; j++) {
      const double x = (double)body->x[i] - (double)body->x[j], y = (double)body->y[i] - (double)body->y[j],
                   z = (double)body->z[i] - (double)body->z[j];
      const double phase = q * sqrt(x * x + y * y + z * z);
      sum += (double)body->weight[i] * (double)body->weight[j] * (phase > 0.0 ? sin(phase) / phase : 1.0);
    }
  return sum;
}

static void
test_groups(void)
{
  Body body;
  const size_t first[4] = {0, 70, 70, N_ATOMS}, ends[3][2] = {{0, 70}, {70, 70}, {70, N_ATOMS}};
  double products[6 * N_Q];
  make_body(&body);
  const DebyeScatteringGroups groups = {.n_groups = 3, .first = first, .weight = body.weight};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  CHECK(debye_formula_products(&groups, &frame, body.q, N_Q, products, NULL, NULL) == DEBYE_STATUS_OK);
  /* Σ|w_n w_m| */
  const double scale = 230.0 * 230.0 * 30.0;
  for (size_t a = 0, pair = 0; a < 3; a++)
    for (size_t b = a; b < 3; b++, pair++)
      for (size_t k = 0; k < N_Q; k += 7) {
        debye_check_subject("groups %zu and %zu at q = %g", a, b, body.q[k]);
        CHECK_AT_MOST(fabs(products[pair * N_Q + k] -
                           plain_sum(&body, ends[a][0], ends[a][1], ends[b][0], ends[b][1], body.q[k])) /
                          scale,
                      1e-13);
      }
  debye_check_subject("%s", "");
}

static void
test_refused(void)
{
  Body body;
  DebyeStatus status = {0};
  double products[N_Q];
  const size_t first[2] = {0, N_ATOMS};
  bool cancel = true;
  make_body(&body);
  const DebyeScatteringGroups groups = {.n_groups = 1, .first = first};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  CHECK(debye_formula_products(&groups, &frame, body.q, N_Q, products, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  body.z[41] = INFINITY;
  CHECK(debye_formula_products(&groups, &frame, body.q, N_Q, products, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "42") != NULL, "the atom isn't named: %s", status.text);
}

int
main(void)
{
  test_two_atoms();
  test_groups();
  test_refused();
  return debye_check_finish();
}

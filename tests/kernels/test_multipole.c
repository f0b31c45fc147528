/* SPDX-License-Identifier: MIT */
/* Averages over orientations by multipoles, against the Debye formula and against many directions: one body for
 * every device that there is; over several lanes that fail; and the special functions, against closed forms and
 * their own sums. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/scattering_multipole_lanes.h"
#include "kernels/special_functions.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/fake_backend.h"

#define PI 3.14159265358979323846
#define N_ATOMS 150
#define N_Q 21
#define MAX_LANES 3

/* --- Special functions --- */

static void
test_spherical_bessel(void)
{
  double j[61];
  for (double x = 1e-9; x < 300.0; x *= 1.9) {
    debye_spherical_bessel(60, x, j, 1);
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
  debye_spherical_bessel(3, 0.0, j, 1);
  CHECK(j[0] == 1.0 && j[1] == 0.0 && j[3] == 0.0);
}

static void
test_cylindrical_bessel(void)
{
  double J[41];
  for (double x = 1e-8; x < 200.0; x *= 1.7) {
    debye_cylindrical_bessel(40, x, J, 1);
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
    debye_legendre(39, cos(angle), sin(angle), p, 1);
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

/* Three groups: their pairs are 00, 01, 02, 11, 12, 22. */
#define N_PAIRS 6

static DebyeStatusCode
find_products(const DebyeDeviceEntry *const *devices, size_t n_devices, const Body *body,
              DebyeMultipole multipole, size_t first_q, double *products, double *share, DebyeStatus *status)
{
  const DebyeMultipoleLanesSettings settings = {
      .multipole = {.multipole = multipole,
                    .n_atoms = N_ATOMS,
                    .groups = {.n_groups = 3, .first = body->first, .weight = body->weight},
                    .max_q = N_Q}};
  const DebyeScatteringFrame frame = {.x = body->x, .y = body->y, .z = body->z};
  DebyeSharing *lanes = NULL;
  DebyeStatusCode code = debye_multipole_lanes_create(&settings, devices, n_devices, &lanes, status);
  /* Twice: a plan is used for many frames. */
  for (int i = 0; i < 2 && code == DEBYE_STATUS_OK; i++)
    code = debye_multipole_lanes_execute(lanes, &frame, debye_vec3(20.0, -7.0, 3.0), body->q + first_q,
                                         N_Q - first_q, products, share, NULL, status);
  debye_sharing_free(lanes);
  return code;
}

static void
check_sphere(const Body *body, const double *products, const double *share)
{
  const double whole = debye_sum(body, 0, 0, 0.0) + debye_sum(body, 2, 2, 0.0);
  for (size_t k = 0, pair = 0; k < N_Q; k++, pair = 0) {
    for (size_t a = 0; a < 3; a++)
      for (size_t b = a; b < 3; b++, pair++)
        CHECK_AT_MOST(fabs(products[2 * (pair * N_Q + k)] - debye_sum(body, a, b, body->q[k])) / whole,
                      1e-13);
    CHECK_AT_MOST(share[k], 1e-13);
  }
}

static void
test_sphere(const DebyeDeviceEntry *device)
{
  Body body;
  double products[2 * N_PAIRS * N_Q], share[N_Q];
  DebyeStatus status = {0};
  make_body(&body);
  CHECK_THAT(find_products(&device, 1, &body, (DebyeMultipole){.order = 60}, 0, products, share, &status) ==
                 DEBYE_STATUS_OK,
             "%s", status.text);
  check_sphere(&body, products, share);
}

/* Too low an order is told. */
static void
test_left_out(const DebyeDeviceEntry *device)
{
  Body body;
  double products[2 * N_PAIRS * N_Q], share[N_Q];
  make_body(&body);
  CHECK(find_products(&device, 1, &body, (DebyeMultipole){.order = 10}, 0, products, share, NULL) ==
        DEBYE_STATUS_OK);
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
test_cylinder(const DebyeDeviceEntry *device)
{
  Body body;
  double products[2 * N_PAIRS * N_Q], share[N_Q];
  const DebyeVec3 axis = {0.6, 0.0, 0.8}, u = {0.8, 0.0, -0.6}, v = {0.0, 1.0, 0.0};
  const DebyeMultipole multipole = {.order = 60, .cylindrical = true, .axis = axis, .axial = 0.35};
  make_body(&body);
  CHECK(find_products(&device, 1, &body, multipole, 5, products, share, NULL) == DEBYE_STATUS_OK);
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
    CHECK_AT_MOST(fabs(found[0] - creal(sum)) / whole, 1e-12);
    CHECK_AT_MOST(fabs(found[1] - cimag(sum)) / whole, 1e-12);
  }
}

/* --- As large as the order allows --- */

#define N_MANY 4500
#define MANY_RADIUS 28.0

/* So many atoms, and so high an order, that each back end sums them in several parts. Without weights, by a list
 * of atoms. q = 0 counts them. */
static void
test_many(const DebyeDeviceEntry *device)
{
  static float x[N_MANY], y[N_MANY], z[N_MANY];
  static uint32_t atoms[N_MANY];
  static double expected[3];
  const double q[3] = {0.0, 1.3, 5.0};
  const size_t first[2] = {0, N_MANY};
  double products[6], share[3];
  for (size_t i = 0; i < N_MANY; i++) {
    /* A spiral of Fibonacci's, filled. */
    const double t = ((double)i + 0.5) / N_MANY, radius = MANY_RADIUS * cbrt(t * 0.999 + 0.001);
    const double cosine = 1.0 - 2.0 * fmod((double)i * 0.754877666, 1.0), sine = sqrt(1.0 - cosine * cosine);
    const double angle = 2.0 * PI * fmod((double)i * 0.569840290998, 1.0);
    x[i] = (float)(radius * sine * cos(angle));
    y[i] = (float)(radius * sine * sin(angle));
    z[i] = (float)(radius * cosine);
    atoms[i] = (uint32_t)(N_MANY - 1 - i);
  }
  for (int k = 0; k < 3 && expected[2] == 0.0; k++) {
    double sum = 0.0;
    for (size_t i = 0; i < N_MANY; i++)
      for (size_t j = 0; j < i; j++) {
        const double dx = (double)x[i] - (double)x[j], dy = (double)y[i] - (double)y[j],
                     dz = (double)z[i] - (double)z[j], phase = q[k] * sqrt(dx * dx + dy * dy + dz * dz);
        sum += phase > 0.0 ? sin(phase) / phase : 1.0;
      }
    expected[k] = (double)N_MANY + 2.0 * sum;
  }
  const DebyeMultipoleLanesSettings settings = {
      .multipole = {.multipole = {.order = 200},
                    .n_atoms = N_MANY,
                    .groups = {.n_groups = 1, .first = first, .atoms = atoms},
                    .max_q = 3}};
  const DebyeScatteringFrame frame = {.x = x, .y = y, .z = z};
  DebyeSharing *lanes = NULL;
  DebyeStatus status = {0};
  debye_multipole_lanes_create(&settings, &device, 1, &lanes, &status);
  CHECK_THAT(lanes != NULL &&
                 debye_multipole_lanes_execute(lanes, &frame, debye_vec3(0.0, 0.0, 0.0), q, 3, products,
                                               share, NULL, &status) == DEBYE_STATUS_OK,
             "%s", status.text);
  for (int k = 0; k < 3; k++)
    CHECK_AT_MOST(fabs(products[2 * k] - expected[k]) / ((double)N_MANY * (double)N_MANY), 1e-12);
  debye_sharing_free(lanes);
}

/* --- Refusals --- */

static void
test_refused(const DebyeDeviceEntry *device)
{
  Body body;
  double products[2 * N_PAIRS * N_Q], share[N_Q];
  DebyeStatus status = {0};
  make_body(&body);
  DebyeMultipole multipole = {.order = 201};
  CHECK(find_products(&device, 1, &body, multipole, 0, products, share, &status) == DEBYE_STATUS_INVALID);
  multipole = (DebyeMultipole){.order = 5, .cylindrical = true, .axis = {0.0, 0.0, 1.0}, .axial = 1.0};
  CHECK(find_products(&device, 1, &body, multipole, 0, products, share, &status) == DEBYE_STATUS_INVALID);
  multipole = (DebyeMultipole){.order = 5};
  body.y[7] = NAN;
  CHECK(find_products(&device, 1, &body, multipole, 0, products, share, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "8") != NULL, "the atom isn't named: %s", status.text);
}

static void
test_stopped(const DebyeDeviceEntry *device)
{
  Body body;
  double out[2 * 3 * 66];
  const volatile bool cancel = true;
  make_body(&body);
  const DebyeMultipoleSettings settings = {
      .multipole = {.order = 10},
      .n_atoms = N_ATOMS,
      .groups = {.n_groups = 3, .first = body.first, .weight = body.weight},
      .max_q = 1};
  const DebyeScatteringFrame frame = {.x = body.x, .y = body.y, .z = body.z};
  const DebyeMultipoleKernel *kernel = device->backend->multipole;
  DebyeKernelPlan *plan = NULL;
  CHECK(kernel->head.create(device->device, &settings, &plan, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->set_frame(plan, &frame, debye_vec3(0.0, 0.0, 0.0), NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->execute(plan, body.q, 1, out, &cancel, NULL) == DEBYE_STATUS_CANCELLED);
  CHECK(kernel->execute(plan, body.q, 2, out, NULL, NULL) == DEBYE_STATUS_INVALID);
  CHECK(kernel->execute(plan, body.q, 1, out, NULL, NULL) == DEBYE_STATUS_OK);
  kernel->head.destroy(plan);
}

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  (void)data;
  debye_check_subject("%s%s", device->info.id, how);
  test_sphere(device);
  test_left_out(device);
  test_cylinder(device);
  test_many(device);
  test_refused(device);
  test_stopped(device);
  debye_check_subject("%s", "");
}

/* --- Several devices --- */

static void
test_lanes(void)
{
  for (int failing = 0; failing < 3; failing++) {
    Body body;
    double products[2 * N_PAIRS * N_Q], share[N_Q];
    const DebyeDeviceEntry *devices[MAX_LANES];
    DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
    make_body(&body);
    debye_fake_reset(2);
    for (int i = 0; i < failing; i++) {
      debye_fake_device(i)->fail_at = 1;
      debye_fake_device(i)->execute_code = DEBYE_STATUS_DEVICE_FAILED;
    }
    debye_registry_add(registry, &debye_fake_backend);
    for (size_t i = 0; i < debye_registry_get_count(registry); i++)
      devices[i] = debye_registry_get(registry, i);
    debye_check_subject("three lanes, %d of which fail", failing);
    CHECK(find_products(devices, debye_registry_get_count(registry), &body, (DebyeMultipole){.order = 60}, 0,
                        products, share, NULL) == DEBYE_STATUS_OK);
    check_sphere(&body, products, share);
    debye_registry_free(registry);
  }
  debye_check_subject("%s", "");
}

int
main(int argc, char **argv)
{
  if (debye_test_has_processor(argc, argv)) {
    test_spherical_bessel();
    test_cylindrical_bessel();
    test_legendre();
    test_lanes();
  }
  return debye_test_main(argc, argv, test_device);
}

/* SPDX-License-Identifier: MIT */
/* Self scattering, displacements and correlations over lanes: the same numbers with any number of devices,
 * whatever fails, and with atoms in one block or many; and the two ways to the orientation's average against
 * each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scattering/correlation_lanes.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/displacement_histogram_lanes.h"
#include "kernels/scattering/displacement_extent.h"
#include "kernels/scattering/displacement_function.h"
#include "kernels/scattering/scattering_self_lanes.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_self.h"

#define MAX_LANES 8
#define N_ATOMS 500
#define N_FRAMES 40
#define N_GROUPS 2
#define N_VECTORS 3
#define PI 3.14159265358979323846

static const DebyeVec3 vectors[N_VECTORS] = {{0.7, 0.1, -0.2}, {0.0, 2.0, 0.3}, {-1.1, 0.4, 3.0}};

static DebyeRegistry *
make_registry(int n_fakes, const DebyeDeviceEntry **devices, size_t *n_devices)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_fake_reset(n_fakes);
  if (n_fakes > 0)
    debye_registry_add(registry, &debye_fake_backend);
  *n_devices = debye_registry_get_count(registry);
  for (size_t i = 0; i < *n_devices; i++)
    devices[i] = debye_registry_get(registry, i);
  return registry;
}

static DebyeSelfLanesSettings
self_settings(void)
{
  return (DebyeSelfLanesSettings){.self = {.n_frames = N_FRAMES,
                                           .vectors = vectors,
                                           .n_vectors = N_VECTORS,
                                           .n_groups = N_GROUPS,
                                           .max_atoms = N_ATOMS,
                                           .elastic = true,
                                           .double_precision = true}};
}

static void
check_self(const DebyeSharing *scattering, const DebyeCourses *courses)
{
  double expected[2 * N_FRAMES], fq2, squares = 0.0;
  for (size_t i = 0; i < courses->block.n_atoms; i++)
    squares += debye_self_weight(&courses->block, i);
  for (size_t vector = 0; vector < N_VECTORS; vector++)
    for (size_t group = 0; group < N_GROUPS; group++) {
      const double *found = debye_self_lanes_get_f(scattering, vector, group);
      double most = 0.0;
      debye_oracle_self(DEBYE_SIGNAL_AUTOCORRELATE, courses, vectors[vector], group, expected, &fq2);
      for (size_t i = 0; i < 2 * N_FRAMES; i++)
        most = fmax(most, fabs(found[i] - expected[i]));
      CHECK_AT_MOST(most / squares, 1e-12);
      CHECK_AT_MOST(fabs(debye_self_lanes_get_fq2(scattering, vector, group) - fq2),
                    1e-12 * squares * squares);
    }
}

/* In blocks of so many atoms. */
static DebyeStatusCode
add_blocks(DebyeSharing *scattering, const DebyeCourses *courses, size_t atoms, DebyeStatus *status)
{
  for (size_t first = 0; first < courses->block.n_atoms; first += atoms) {
    DebyeSelfBlock block = courses->block;
    block.x += first;
    block.y += first;
    block.z += first;
    block.group += first;
    block.length += 2 * first;
    block.n_atoms = block.n_atoms - first < atoms ? block.n_atoms - first : atoms;
    DebyeStatusCode code = debye_self_lanes_execute(scattering, &block, NULL, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  return DEBYE_STATUS_OK;
}

static void
test_self_lanes(const DebyeCourses *courses)
{
  const DebyeSelfLanesSettings settings = self_settings();
  for (int n_fakes = 0; n_fakes <= 3; n_fakes++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(n_fakes, devices, &n_devices);
    static const size_t atoms[] = {N_ATOMS, 170, 7};
    for (size_t i = 0; i < sizeof atoms / sizeof atoms[0]; i++) {
      DebyeSharing *scattering = NULL;
      DebyeStatus status = {0};
      CHECK(debye_self_lanes_create(&settings, devices, n_devices, &scattering, &status) == DEBYE_STATUS_OK);
      CHECK_THAT(add_blocks(scattering, courses, atoms[i], &status) == DEBYE_STATUS_OK, "%s", status.text);
      check_self(scattering, courses);
      debye_sharing_free(scattering);
    }
    for (int i = 0; i < n_fakes; i++)
      CHECK(atomic_load(&debye_fake_device(i)->n_plans) == 0);
    debye_registry_free(registry);
  }
}

/* One lane fails at whichever call, another for lack of memory. */
static void
let_fail(unsigned fail_at)
{
  debye_fake_device(0)->fail_at = fail_at;
  debye_fake_device(0)->execute_code = DEBYE_STATUS_DEVICE_FAILED;
  debye_fake_device(0)->score = 1e12;
  debye_fake_device(1)->fail_at = fail_at + 1;
  debye_fake_device(1)->execute_code = DEBYE_STATUS_NO_MEMORY;
  debye_fake_device(1)->delay_microseconds = 200;
}

static void
test_self_failures(const DebyeCourses *courses)
{
  const DebyeSelfLanesSettings settings = self_settings();
  for (unsigned fail_at = 1; fail_at <= 4; fail_at++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(2, devices, &n_devices);
    DebyeSharing *scattering = NULL;
    DebyeStatus status = {0};
    let_fail(fail_at);
    CHECK(debye_self_lanes_create(&settings, devices, n_devices, &scattering, &status) == DEBYE_STATUS_OK);
    CHECK(add_blocks(scattering, courses, 300, &status) == DEBYE_STATUS_OK);
    check_self(scattering, courses);
    debye_sharing_free(scattering);
    debye_registry_free(registry);
  }
}

/* Nothing of a block that fails stays, and an atom has its number in the block. */
static void
test_self_refusals(DebyeCourses *courses)
{
  const DebyeSelfLanesSettings settings = self_settings();
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices;
  DebyeRegistry *registry = make_registry(2, devices, &n_devices);
  DebyeSharing *scattering = NULL;
  DebyeStatus status = {0};
  CHECK(debye_self_lanes_create(&settings, devices, n_devices, &scattering, &status) == DEBYE_STATUS_OK);
  float *x = &courses->x[11 * courses->block.stride + 433], kept = *x;
  *x = NAN;
  CHECK(add_blocks(scattering, courses, N_ATOMS, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Atom 434 of frame 12 ") != NULL, "%s", status.text);
  *x = kept;
  const bool cancel = true;
  CHECK(debye_self_lanes_execute(scattering, &courses->block, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  CHECK(add_blocks(scattering, courses, N_ATOMS, &status) == DEBYE_STATUS_OK);
  check_self(scattering, courses);
  debye_sharing_free(scattering);
  debye_registry_free(registry);
}

static void
test_self_memory(void)
{
  DebyeSelfLanesSettings settings = self_settings();
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, atoms = 0, fewer = 0;
  DebyeRegistry *registry = make_registry(0, devices, &n_devices);
  DebyeStatus status = {0};
  CHECK(debye_self_lanes_pass_atoms(&settings, devices, n_devices, 100000, &atoms, &status) ==
        DEBYE_STATUS_OK);
  CHECK(atoms == 100000);
  /* What a block of twice as many takes more is what they take. */
  settings.memory_limit = 40000000;
  CHECK(debye_self_lanes_pass_atoms(&settings, devices, n_devices, 10000000, &atoms, &status) ==
        DEBYE_STATUS_OK);
  settings.memory_limit = 20000000;
  CHECK(debye_self_lanes_pass_atoms(&settings, devices, n_devices, 10000000, &fewer, &status) ==
        DEBYE_STATUS_OK);
  const double apart = (double)(atoms - fewer) * (12.0 * N_FRAMES + 4.0);
  CHECK_THAT(fabs(apart - 2e7) < 1e4, "%zu and %zu atoms", atoms, fewer);
  settings.memory_limit = 1000;
  CHECK(debye_self_lanes_pass_atoms(&settings, devices, n_devices, 10, &atoms, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK_THAT(strstr(status.text, " kB even for one atom") != NULL, "%s", status.text);
  debye_registry_free(registry);
}

/* Displacements. */

static DebyeDisplacementLanesSettings
displacement_settings(void)
{
  return (DebyeDisplacementLanesSettings){.displacement = {.n_frames = N_FRAMES,
                                                           .n_lags = N_FRAMES,
                                                           .bin_width = 0.05,
                                                           .n_groups = N_GROUPS,
                                                           .max_atoms = N_ATOMS}};
}

static void
check_counts(const DebyeSharing *counts, const DebyeCourses *courses)
{
  DebyeDisplacementSettings settings = displacement_settings().displacement;
  const DebyeDisplacementSums *found = debye_displacement_lanes_get_sums(counts, &settings.n_bins);
  const size_t rows = N_GROUPS * N_FRAMES, n = rows * settings.n_bins;
  DebyeDisplacementSums expected = {calloc(n, sizeof(uint64_t)), calloc(rows, sizeof(uint64_t)),
                                    calloc(rows, sizeof(double)), calloc(rows, sizeof(double))};
  debye_oracle_displacements(&settings, courses, &expected);
  CHECK(memcmp(found->counts, expected.counts, n * sizeof(uint64_t)) == 0);
  for (size_t row = 0; row < rows; row++) {
    CHECK(found->beyond[row] == 0 && expected.beyond[row] == 0);
    CHECK_AT_MOST(fabs(found->square[row] - expected.square[row]), 3e-7 * expected.square[row]);
    CHECK_AT_MOST(fabs(found->fourth[row] - expected.fourth[row]), 3e-7 * expected.fourth[row]);
  }
  free(expected.counts);
  free(expected.beyond);
  free(expected.square);
  free(expected.fourth);
}

/* Blocks that go farther and farther, over lanes that fail. */
static void
test_displacements(const DebyeCourses *courses)
{
  const DebyeDisplacementLanesSettings settings = displacement_settings();
  for (unsigned fail_at = 0; fail_at <= 3; fail_at++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(2, devices, &n_devices);
    DebyeSharing *counts = NULL;
    DebyeStatus status = {0};
    if (fail_at > 0)
      let_fail(fail_at);
    CHECK(debye_displacement_lanes_create(&settings, devices, n_devices, &counts, &status) ==
          DEBYE_STATUS_OK);
    for (size_t first = 0; first < N_ATOMS; first += 300) {
      DebyeSelfBlock block = courses->block;
      block.x += first;
      block.y += first;
      block.z += first;
      block.group += first;
      block.n_atoms = N_ATOMS - first < 300 ? N_ATOMS - first : 300;
      CHECK_THAT(debye_displacement_lanes_execute(counts, &block, NULL, &status) == DEBYE_STATUS_OK, "%s",
                 status.text);
    }
    check_counts(counts, courses);
    const bool cancel = true;
    CHECK(debye_displacement_lanes_execute(counts, &courses->block, &cancel, &status) ==
          DEBYE_STATUS_CANCELLED);
    check_counts(counts, courses);
    debye_sharing_free(counts);
    debye_registry_free(registry);
  }
}

/* How far atoms move, of more of them than a thread looks at; and a place that is no number is named. */
static void
test_farthest(void)
{
  DebyeCourses courses = debye_courses_walk(700, 20, 1, 0.0, 20.0, 12);
  const size_t stride = courses.block.stride;
  double farthest = -1.0;
  DebyeStatus status = {0};
  courses.x[3 * stride + 650] = courses.x[650] + 3.0f;
  courses.z[19 * stride + 650] = courses.z[650] - 4.0f;
  CHECK(debye_displacement_farthest(&courses.block, 20, &farthest, &status) == DEBYE_STATUS_OK);
  CHECK_AT_MOST(fabs(farthest - 5.0), 1e-5);
  courses.y[7 * stride + 699] = NAN;
  CHECK(debye_displacement_farthest(&courses.block, 20, &farthest, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Atom 700 of frame 8 ") != NULL, "%s", status.text);
  debye_courses_clear(&courses);
}

/* Whichever lane's part it is in, an atom has its number in the block; nothing of the block is added. */
static void
test_displacement_refusal(DebyeCourses *courses)
{
  DebyeDisplacementLanesSettings settings = displacement_settings();
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, n_bins, n_counted = 0;
  DebyeRegistry *registry = make_registry(2, devices, &n_devices);
  DebyeSharing *counts = NULL;
  DebyeStatus status = {0};
  float *place = &courses->y[11 * courses->block.stride + 433], before = *place;
  settings.displacement.n_bins = 100;
  CHECK(debye_displacement_lanes_create(&settings, devices, n_devices, &counts, &status) == DEBYE_STATUS_OK);
  *place = NAN;
  CHECK(debye_displacement_lanes_execute(counts, &courses->block, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Atom 434 of frame 12 ") != NULL, "%s", status.text);
  const DebyeDisplacementSums *sums = debye_displacement_lanes_get_sums(counts, &n_bins);
  for (size_t i = 0; i < N_GROUPS * N_FRAMES * n_bins; i++)
    n_counted += sums->counts[i] != 0;
  CHECK(n_bins == 100 && n_counted == 0);
  *place = before;
  debye_sharing_free(counts);
  debye_registry_free(registry);
}

/* A pair that turns about its middle at places that are even over the circle: between two of M places s steps
 * apart is d = 2R sin(πs/M), and F_s is the mean of sin(qd)/(qd). Long after, over all places, the elastic
 * part. */
static void
test_rotating_pair(void)
{
  enum { M = 36, TURNS = 4, FRAMES = M * TURNS };
  DebyeCourses courses = debye_courses_walk(2, FRAMES, 1, 0.0, 0.0, 1);
  for (size_t t = 0; t < FRAMES; t++)
    for (size_t i = 0; i < 2; i++) {
      const double angle = 2.0 * PI * (double)t / M + PI * (double)i;
      courses.x[t * courses.block.stride + i] = (float)(1.5 * cos(angle));
      courses.z[t * courses.block.stride + i] = (float)(1.5 * sin(angle));
    }
  const double q = 2.2, width = debye_displacement_bin_width(q, 1e-6);
  const DebyeDisplacementLanesSettings settings = {
      .displacement = {
          .n_frames = FRAMES, .n_lags = FRAMES, .bin_width = width, .n_groups = 1, .max_atoms = 2}};
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, n_bins;
  DebyeRegistry *registry = make_registry(0, devices, &n_devices);
  DebyeSharing *counts = NULL;
  DebyeStatus status = {0};
  CHECK(debye_displacement_lanes_create(&settings, devices, n_devices, &counts, &status) == DEBYE_STATUS_OK);
  CHECK(debye_displacement_lanes_execute(counts, &courses.block, NULL, &status) == DEBYE_STATUS_OK);
  const DebyeDisplacementSums *sums = debye_displacement_lanes_get_sums(counts, &n_bins);
  double *weights = calloc(n_bins, sizeof *weights), elastic = 0.0, expected_elastic = 0.0;
  debye_displacement_weights(q, width, n_bins, weights);
  for (size_t lag = 0; lag < M; lag++) {
    const double d = 3.0 * fabs(sin(PI * (double)lag / M)), n = 2.0 * (FRAMES - (double)lag);
    const double expected = d > 0.0 ? sin(q * d) / (q * d) : 1.0;
    const double found = debye_displacement_average(sums->counts + lag * n_bins, weights, n_bins);
    /* All in one bin, whose middle may be Δr/2 away; the function's slope is at most q/2. */
    CHECK_AT_MOST(fabs(found - expected), 0.25 * q * width + 1e-6);
    CHECK_AT_MOST(fabs(debye_displacement_mean_square(sums->square[lag], n) - d * d), 1e-5);
    elastic += found / M;
    expected_elastic += expected / M;
  }
  CHECK_AT_MOST(fabs(elastic - expected_elastic), 0.25 * q * width);
  free(weights);
  debye_sharing_free(counts);
  debye_registry_free(registry);
  debye_courses_clear(&courses);
}

/* Random walks of step σ: ⟨d²⟩ = 3σ²τ, α₂ = 0, F_s = exp(−q²σ²τ/2), all within five standard errors. */
static void
test_diffusion(void)
{
  enum { ATOMS = 2000, FRAMES = 60 };
  const double sigma = 0.3, q = 1.7, width = debye_displacement_bin_width(3.0, 1e-5);
  DebyeCourses courses = debye_courses_walk(ATOMS, FRAMES, 1, sigma, 10.0, 21);
  const DebyeDisplacementLanesSettings settings = {
      .displacement = {
          .n_frames = FRAMES, .n_lags = FRAMES, .bin_width = width, .n_groups = 1, .max_atoms = ATOMS}};
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, n_bins;
  DebyeRegistry *registry = make_registry(0, devices, &n_devices);
  DebyeSharing *counts = NULL;
  DebyeStatus status = {0};
  CHECK(debye_displacement_lanes_create(&settings, devices, n_devices, &counts, &status) == DEBYE_STATUS_OK);
  CHECK(debye_displacement_lanes_execute(counts, &courses.block, NULL, &status) == DEBYE_STATUS_OK);
  const DebyeDisplacementSums *sums = debye_displacement_lanes_get_sums(counts, &n_bins);
  double *weights = calloc(n_bins, sizeof *weights);
  debye_displacement_weights(q, width, n_bins, weights);
  for (size_t lag = 1; lag < FRAMES; lag += 6) {
    const double n = (double)ATOMS * (double)(FRAMES - lag),
                 independent = (double)ATOMS * FRAMES / (double)(lag + 1);
    const double expected = 3.0 * sigma * sigma * (double)lag, error = 5.0 / sqrt(independent);
    const uint64_t *row = sums->counts + lag * n_bins;
    CHECK_AT_MOST(fabs(debye_displacement_mean_square(sums->square[lag], n) / expected - 1.0), error);
    CHECK_AT_MOST(fabs(debye_displacement_average(row, weights, n_bins) -
                       exp(-0.5 * q * q * sigma * sigma * (double)lag)),
                  error + 1e-5);
    /* A sum of twelve uniform numbers has an excess of −0.1 that falls with 1/τ. */
    CHECK_AT_MOST(fabs(debye_displacement_non_gaussian(sums->square[lag], sums->fourth[lag], n)),
                  3.0 * error + 0.05 / (double)lag);
    double whole = 0.0;
    for (size_t k = 0; k < n_bins; k++)
      whole += (double)row[k];
    CHECK(whole == n);
  }
  free(weights);
  debye_sharing_free(counts);
  debye_registry_free(registry);
  debye_courses_clear(&courses);
}

/* Vectors on a golden spiral: the more, the nearer their mean is to the exact one. */
static double
vectors_against_exact(const DebyeCourses *courses, const DebyeDeviceEntry *const *devices, size_t n_devices,
                      size_t n_vectors, double q, const double *exact)
{
  DebyeVec3 *spiral = calloc(n_vectors, sizeof *spiral);
  for (size_t i = 0; i < n_vectors; i++) {
    const double z = 1.0 - (2.0 * (double)i + 1.0) / (double)n_vectors, r = sqrt(1.0 - z * z);
    const double angle = PI * (3.0 - sqrt(5.0)) * (double)i;
    spiral[i] = (DebyeVec3){q * r * cos(angle), q * r * sin(angle), q * z};
  }
  const DebyeSelfLanesSettings settings = {.self = {.n_frames = courses->n_frames,
                                                    .vectors = spiral,
                                                    .n_vectors = n_vectors,
                                                    .n_groups = 1,
                                                    .max_atoms = courses->block.n_atoms}};
  DebyeSharing *scattering = NULL;
  DebyeStatus status = {0};
  double most = 0.0;
  CHECK(debye_self_lanes_create(&settings, devices, n_devices, &scattering, &status) == DEBYE_STATUS_OK);
  CHECK(debye_self_lanes_execute(scattering, &courses->block, NULL, &status) == DEBYE_STATUS_OK);
  for (size_t tau = 0; tau < courses->n_frames / 2; tau++) {
    double mean = 0.0;
    for (size_t i = 0; i < n_vectors; i++)
      mean += debye_self_lanes_get_f(scattering, i, 0)[2 * tau] / (double)n_vectors;
    most = fmax(most, fabs(mean / (double)courses->block.n_atoms - exact[tau]));
  }
  debye_sharing_free(scattering);
  free(spiral);
  return most;
}

static void
test_routes(void)
{
  enum { ATOMS = 20, FRAMES = 30 };
  const double q = 1.3, width = debye_displacement_bin_width(q, 1e-7);
  DebyeCourses courses = debye_courses_walk(ATOMS, FRAMES, 1, 0.4, 10.0, 31);
  courses.block.length = NULL;
  const DebyeDisplacementLanesSettings settings = {
      .displacement = {
          .n_frames = FRAMES, .n_lags = FRAMES, .bin_width = width, .n_groups = 1, .max_atoms = ATOMS}};
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, n_bins;
  DebyeRegistry *registry = make_registry(0, devices, &n_devices);
  DebyeSharing *counts = NULL;
  DebyeStatus status = {0};
  double exact[FRAMES];
  CHECK(debye_displacement_lanes_create(&settings, devices, n_devices, &counts, &status) == DEBYE_STATUS_OK);
  CHECK(debye_displacement_lanes_execute(counts, &courses.block, NULL, &status) == DEBYE_STATUS_OK);
  const DebyeDisplacementSums *sums = debye_displacement_lanes_get_sums(counts, &n_bins);
  double *weights = calloc(n_bins, sizeof *weights);
  debye_displacement_weights(q, width, n_bins, weights);
  for (size_t tau = 0; tau < FRAMES; tau++)
    exact[tau] = debye_displacement_average(sums->counts + tau * n_bins, weights, n_bins);
  const double few = vectors_against_exact(&courses, devices, n_devices, 10, q, exact);
  const double many = vectors_against_exact(&courses, devices, n_devices, 1000, q, exact);
  CHECK_THAT(many < 0.05 * few, "10 vectors are off by %.3g, 1,000 by %.3g", few, many);
  /* Some 400 displacements a lag are not smooth: each is off by qΔr/√12 times a slope below 1/2, which is
   * 1e-5 for their mean; the largest of 15 lags may be three times that. */
  CHECK_AT_MOST(many, 3e-5);
  free(weights);
  debye_sharing_free(counts);
  debye_registry_free(registry);
  debye_courses_clear(&courses);
}

/* Correlations. */

static void
test_correlations(void)
{
  enum { FRAMES = 33, SERIES = 50 };
  double *a = calloc(2 * FRAMES * SERIES, sizeof *a), *out = calloc(2 * FRAMES * SERIES, sizeof *out);
  double expected[2 * FRAMES];
  for (size_t i = 0; i < 2 * FRAMES * SERIES; i++)
    a[i] = sin(0.1 * (double)(i * i % 997));
  DebyeCorrelationLanesSettings settings = {.correlation = {.n_frames = FRAMES}};
  for (unsigned fail_at = 0; fail_at <= 2; fail_at++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(2, devices, &n_devices);
    DebyeStatus status = {0};
    if (fail_at > 0)
      let_fail(fail_at);
    CHECK(debye_correlation_lanes_execute(&settings, devices, n_devices, a, SERIES, out, NULL, &status) ==
          DEBYE_STATUS_OK);
    for (size_t series = 0; series < SERIES; series++) {
      const double *own = a + 2 * FRAMES * series;
      double most = 0.0;
      debye_oracle_signal(DEBYE_SIGNAL_AUTOCORRELATE, own, own, FRAMES, expected);
      for (size_t i = 0; i < 2 * FRAMES; i++)
        most = fmax(most, fabs(out[2 * FRAMES * series + i] - expected[i]));
      CHECK_AT_MOST(most, 1e-13);
    }
    settings.memory_limit = 100;
    CHECK(debye_correlation_lanes_execute(&settings, devices, n_devices, a, SERIES, out, NULL, &status) ==
          DEBYE_STATUS_NO_MEMORY);
    settings.memory_limit = debye_backend_cpu.correlation->head.bytes_needed(0, &settings.correlation);
    CHECK(debye_correlation_lanes_execute(&settings, devices, n_devices, a, SERIES, out, NULL, &status) ==
          DEBYE_STATUS_OK);
    settings.memory_limit = 0;
    debye_registry_free(registry);
  }
  free(a);
  free(out);
}

int
main(void)
{
  DebyeCourses courses = debye_courses_walk(N_ATOMS, N_FRAMES, N_GROUPS, 0.3, 20.0, 11);
  test_self_lanes(&courses);
  test_self_failures(&courses);
  test_self_refusals(&courses);
  test_self_memory();
  test_displacements(&courses);
  test_displacement_refusal(&courses);
  test_farthest();
  test_rotating_pair();
  test_diffusion();
  test_routes();
  test_correlations();
  debye_courses_clear(&courses);
  return debye_check_finish();
}

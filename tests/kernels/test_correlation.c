/* SPDX-License-Identifier: MIT */
/* Correlations of series: one body for every device that there is. Series whose correlation is known first,
 * then the sum in long double.
 *
 * Tolerances are of the largest |f|: a transform in double of up to 8,192 points is good to about 1e-15, and
 * the last lags, which few frames are in, are divided by little: 1e-12. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scattering/correlation.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_self.h"

#define TOLERANCE 1e-12
#define GUARD 16
#define SENTINEL 4321.0625

typedef struct {
  const DebyeCorrelationKernel *kernel;
  int device;
} Path;

static double *
process(const Path *path, DebyeCorrelationSettings settings, const double *a, const double *b,
        size_t n_series)
{
  const size_t n = 2 * settings.n_frames * n_series;
  double *out = malloc((n + GUARD) * sizeof *out);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  settings.max_series = n_series;
  for (size_t i = 0; i < n + GUARD; i++)
    out[i] = SENTINEL;
  CHECK(path->kernel->head.bytes_needed(path->device, &settings) < UINT64_MAX);
  path->kernel->head.create(path->device, &settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return out;
  /* Twice: a plan is used for many frames. */
  for (int i = 0; i < 2; i++) {
    path->kernel->execute(plan, a, b, n_series, out, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  }
  path->kernel->head.destroy(plan);
  for (size_t i = n; i < n + GUARD; i++)
    CHECK(out[i] == SENTINEL);
  return out;
}

static double
largest_difference(const double *a, const double *b, size_t n)
{
  double most = 0.0, scale = 0.0;
  for (size_t i = 0; i < n; i++) {
    most = fabs(a[i] - b[i]) > most || isnan(a[i]) ? fabs(a[i] - b[i]) : most;
    scale = fmax(scale, fabs(b[i]));
  }
  return scale > 0.0 ? most / scale : most;
}

static double *
make_series(size_t n_frames, size_t n_series, unsigned seed)
{
  double *series = malloc(2 * n_frames * n_series * sizeof *series);
  uint64_t state = seed;
  for (size_t i = 0; i < 2 * n_frames * n_series; i++) {
    state = state * UINT64_C(6364136223846793005) + 1;
    series[i] = (double)(state >> 11) * 0x1p-53 - 0.3;
  }
  return series;
}

/* A wave's correlation is the wave; a single pulse's is itself at τ = 0. */
static void
test_known(const Path *path)
{
  const DebyeCorrelationSettings settings = {.n_frames = 77};
  double a[2 * 77], expected[2 * 77];
  for (int t = 0; t < 77; t++) {
    a[2 * t] = 3.0 * cos(0.37 * t + 1.0);
    a[2 * t + 1] = 3.0 * sin(0.37 * t + 1.0);
    expected[2 * t] = 9.0 * cos(0.37 * t);
    expected[2 * t + 1] = 9.0 * sin(0.37 * t);
  }
  double *found = process(path, settings, a, NULL, 1);
  CHECK_AT_MOST(largest_difference(found, expected, 2 * 77), TOLERANCE);
  free(found);

  memset(a, 0, sizeof a);
  memset(expected, 0, sizeof expected);
  a[2 * 40 + 1] = 2.0;
  expected[0] = 4.0 / 77.0;
  found = process(path, settings, a, NULL, 1);
  CHECK_AT_MOST(largest_difference(found, expected, 2 * 77), TOLERANCE);
  free(found);
}

static void
test_lengths(const Path *path)
{
  static const size_t lengths[] = {1, 2, 3, 16, 97, 501, 1000, 2049};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    const size_t n_frames = lengths[i], n_series = 3;
    double *a = make_series(n_frames, n_series, 5), *b = make_series(n_frames, n_series, 6);
    double *expected = malloc(2 * n_frames * n_series * sizeof *expected);
    for (int signal = DEBYE_SIGNAL_AUTOCORRELATE; signal <= DEBYE_SIGNAL_PLAIN; signal++)
      for (int how = 0; how < 4; how++) {
        const bool direct = (how & 1) != 0, cross = (how & 2) != 0;
        const DebyeCorrelationSettings settings = {
            .signal = (DebyeSignal)signal, .n_frames = n_frames, .direct = direct};
        for (size_t series = 0; series < n_series; series++)
          debye_oracle_signal((DebyeSignal)signal, a + 2 * n_frames * series,
                              (cross ? b : a) + 2 * n_frames * series, n_frames,
                              expected + 2 * n_frames * series);
        double *found = process(path, settings, a, cross ? b : NULL, n_series);
        const double difference = largest_difference(found, expected, 2 * n_frames * n_series);
        CHECK_THAT(difference <= TOLERANCE, "%zu frames, signal %d, direct %d, cross %d: %.3g", n_frames,
                   signal, direct, cross, difference);
        free(found);
      }
    free(a);
    free(b);
    free(expected);
  }
}

static void
test_refusals(const Path *path)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  DebyeCorrelationSettings settings = {.n_frames = 0, .max_series = 1};
  CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.text[0] != '\0');
  settings = (DebyeCorrelationSettings){.n_frames = 10, .max_series = 2};
  CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  double *a = make_series(10, 3, 1), *out = calloc(60, sizeof *out);
  CHECK(path->kernel->execute(plan, a, NULL, 3, out, NULL, &status) == DEBYE_STATUS_INVALID);
  a[2 * 10 + 2 * 6 + 1] = NAN;
  CHECK(path->kernel->execute(plan, a, NULL, 2, out, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Frame 7 of series 2 ") != NULL, "%s", status.text);
  a[2 * 10 + 2 * 6 + 1] = 1.0;
  const bool cancel = true;
  CHECK(path->kernel->execute(plan, a, NULL, 2, out, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  CHECK(path->kernel->execute(plan, a, NULL, 2, out, NULL, &status) == DEBYE_STATUS_OK);
  path->kernel->head.destroy(plan);
  free(a);
  free(out);
}

static void
test_mean(const Path *path)
{
  (void)path;
  double mean[2], many[2 * 1000];
  const double three[6] = {1.0, 0.0, 2.0, 3.0, 3.0, -6.0};
  debye_signal_mean(three, 3, mean);
  CHECK(mean[0] == 2.0 && mean[1] == -1.0);
  /* 0 … 999, and a number whose sums are not exact. */
  for (size_t i = 0; i < 1000; i++) {
    many[2 * i] = (double)i;
    many[2 * i + 1] = 0.1;
  }
  debye_signal_mean(many, 1000, mean);
  CHECK(mean[0] == 499.5);
  CHECK_AT_MOST(fabs(mean[1] - 0.1), 1e-16);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"known", test_known},
    {"lengths", test_lengths},
    {"refusals", test_refusals},
    {"mean", test_mean},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  const Path path = {entry->backend->correlation, entry->device};
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
    if (!debye_test_is_asked(bodies[i].name, arguments))
      continue;
    debye_check_subject("%s%s: %s", entry->info.id, how, bodies[i].name);
    bodies[i].body(&path);
  }
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}

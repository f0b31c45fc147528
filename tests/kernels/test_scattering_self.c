/* SPDX-License-Identifier: MIT */
/* Self scattering by vectors: one body for every device that there is, in float and in double, each
 * instruction set of the processor. Answers that are known first, then the sum in long double.
 *
 * Tolerances are those that scattering_self.h states, of Σ|b|² (fq2: Σ|b|⁴): 1e-6 in float, 1e-12 in double.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "kernels/scattering/scattering_self.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_self.h"

#define GUARD 16
#define SENTINEL 4321.0625
#define N_VECTORS 4

typedef struct {
  const DebyeSelfKernel *kernel;
  int device;
  bool double_precision;
} Path;

typedef struct {
  double *f, *fq2;
} Result;

/* Commensurate, not, zero, and long. */
static const DebyeVec3 vectors[N_VECTORS] = {
    {0.202, 0.0, -0.404}, {1.234, -2.1, 0.777}, {0.0, 0.0, 0.0}, {5.0, 9.0, -7.0}};

static double
tolerance(const Path *path)
{
  return path->double_precision ? 1e-12 : 4e-7;
}

static double
elastic_tolerance(const Path *path)
{
  return path->double_precision ? 1e-12 : 3e-6;
}

static DebyeSelfSettings
settings_for(const Path *path, const DebyeCourses *courses, DebyeSignal signal, size_t n_groups)
{
  return (DebyeSelfSettings){.signal = signal,
                             .n_frames = courses->n_frames,
                             .vectors = vectors,
                             .n_vectors = N_VECTORS,
                             .n_groups = n_groups,
                             .max_atoms = courses->block.n_atoms + 5,
                             .elastic = true,
                             .double_precision = path->double_precision};
}

static Result
allocate(const DebyeSelfSettings *settings)
{
  const size_t n = settings->n_vectors * settings->n_groups;
  Result result = {malloc((2 * n * settings->n_frames + GUARD) * sizeof(double)),
                   malloc((n + GUARD) * sizeof(double))};
  for (size_t i = 0; i < 2 * n * settings->n_frames + GUARD; i++)
    result.f[i] = SENTINEL;
  for (size_t i = 0; i < n + GUARD; i++)
    result.fq2[i] = SENTINEL;
  return result;
}

static void
release(Result *result)
{
  free(result->f);
  free(result->fq2);
}

/* All vectors, in two calls. */
static Result
compute(const Path *path, const DebyeSelfSettings *settings, const DebyeSelfBlock *block)
{
  const size_t n = settings->n_vectors * settings->n_groups, first = settings->n_vectors / 3;
  const size_t skipped = first * settings->n_groups;
  Result result = allocate(settings);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) < UINT64_MAX);
  path->kernel->head.create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return result;
  path->kernel->set_block(plan, block, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  path->kernel->execute(plan, first, settings->n_vectors - first, result.f + 2 * settings->n_frames * skipped,
                        result.fq2 + skipped, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  if (first > 0)
    path->kernel->execute(plan, 0, first, result.f, result.fq2, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  path->kernel->head.destroy(plan);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(result.f[2 * n * settings->n_frames + i] == SENTINEL && result.fq2[n + i] == SENTINEL);
  return result;
}

static double
largest_difference(const double *a, const double *b, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= most))
      most = fabs(a[i] - b[i]);
  return most;
}

/* Of an autocorrelation: each lag's as much smaller as fewer pairs of times are in it. */
static double
largest_error(const double *f, const double *expected, bool correlated, size_t n_frames)
{
  double most = 0.0;
  for (size_t t = 0; t < n_frames; t++) {
    const double share = correlated ? (double)(n_frames - t) / (double)n_frames : 1.0;
    const double error = share * largest_difference(f + 2 * t, expected + 2 * t, 2);
    if (!(error <= most))
      most = error;
  }
  return most;
}

static void
sum_weights(const DebyeSelfBlock *block, size_t group, double *squares, double *fourths)
{
  *squares = *fourths = 0.0;
  for (size_t i = 0; i < block->n_atoms; i++)
    if (block->group == NULL || block->group[i] == group) {
      const double weight = debye_self_weight(block, i);
      *squares += weight;
      *fourths += weight * weight;
    }
}

static void
check_against_oracle(const Path *path, const DebyeCourses *courses, DebyeSignal signal, size_t n_groups)
{
  const DebyeSelfSettings settings = settings_for(path, courses, signal, n_groups);
  const size_t n = 2 * courses->n_frames;
  double *expected = malloc(n * sizeof *expected), fq2, squares, fourths;
  Result found = compute(path, &settings, &courses->block);
  for (size_t vector = 0; vector < N_VECTORS; vector++)
    for (size_t group = 0; group < n_groups; group++) {
      const size_t place = vector * n_groups + group;
      debye_oracle_self(signal, courses, vectors[vector], group, expected, &fq2);
      sum_weights(&courses->block, group, &squares, &fourths);
      if (signal == DEBYE_SIGNAL_PLAIN) {
        /* A sum of lengths, not of their squares. */
        fourths = squares;
        squares = sqrt(squares * (double)courses->block.n_atoms);
      }
      const bool correlated = signal == DEBYE_SIGNAL_AUTOCORRELATE;
      const double difference =
          largest_error(found.f + place * n, expected, correlated, courses->n_frames) / (squares + 1e-300);
      const double elastic = fabs(found.fq2[place] - fq2) / (fourths + 1e-300);
      CHECK_THAT(difference <= tolerance(path) && elastic <= elastic_tolerance(path),
                 "%zu atoms, %zu frames, signal %d, vector %zu, group %zu: %.3g, fq2 %.3g",
                 courses->block.n_atoms, courses->n_frames, (int)signal, vector, group, difference, elastic);
    }
  release(&found);
  free(expected);
}

/* Known answers. */

/* Atoms that fly apart: f(τ) = Σ_n |b_n|² exp(i q·v_n τ), whatever the times. */
static void
test_free_particles(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(5, 120, 1, 0.0, 30.0, 1);
  const size_t stride = courses.block.stride;
  double expected[2 * 120] = {0.0};
  for (size_t i = 0; i < 5; i++) {
    /* Velocities that floats can add exactly. */
    const double v[3] = {0.25 * (double)i, -0.5, 0.125 * (double)(i * i)};
    for (size_t t = 0; t < 120; t++) {
      courses.x[t * stride + i] = (float)(8.0 + v[0] * (double)t);
      courses.y[t * stride + i] = (float)(-4.0 + v[1] * (double)t);
      courses.z[t * stride + i] = (float)(v[2] * (double)t);
      const double phase = (double)t * (vectors[1].x * v[0] + vectors[1].y * v[1] + vectors[1].z * v[2]);
      expected[2 * t] += debye_self_weight(&courses.block, i) * cos(phase);
      expected[2 * t + 1] += debye_self_weight(&courses.block, i) * sin(phase);
    }
  }
  double squares, fourths;
  sum_weights(&courses.block, 0, &squares, &fourths);
  const DebyeSelfSettings settings = settings_for(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 1);
  Result found = compute(path, &settings, &courses.block);
  CHECK_AT_MOST(largest_error(found.f + 2 * 120, expected, true, 120) / squares, tolerance(path));
  release(&found);
  debye_courses_clear(&courses);
}

/* Random walks of step σ: f(τ)/Σ|b|² = exp(−q²σ²τ/2). Each of N atoms has at least NF/τ independent times,
 * and a term's own spread is below 1: five standard errors. */
static void
test_diffusion(const Path *path)
{
  const size_t n_atoms = 400, n_frames = 200;
  DebyeCourses courses = debye_courses_walk(n_atoms, n_frames, 1, 0.2, 10.0, 2);
  courses.block.length = NULL;
  const DebyeSelfSettings settings = settings_for(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 1);
  Result found = compute(path, &settings, &courses.block);
  for (size_t vector = 0; vector < 2; vector++) {
    const double q2 = debye_vec3_dot(vectors[vector], vectors[vector]);
    for (size_t tau = 0; tau < n_frames; tau += 7) {
      const double expected = exp(-0.5 * q2 * 0.04 * (double)tau);
      const double independent = (double)n_atoms * (double)n_frames / (double)(tau + 1);
      const double *f = found.f + 2 * (vector * n_frames + tau);
      CHECK_AT_MOST(fabs(f[0] / (double)n_atoms - expected), 5.0 / sqrt(independent));
      CHECK_AT_MOST(fabs(f[1] / (double)n_atoms), 5.0 / sqrt(independent));
    }
  }
  CHECK_AT_MOST(fabs(found.f[0] / (double)n_atoms - 1.0), tolerance(path));
  release(&found);
  debye_courses_clear(&courses);
}

/* q·r of 1e6 turns: whole turns more or less change nothing. In floats these places are exact. */
static void
test_far_away(const Path *path)
{
  DebyeCourses near = debye_courses_walk(9, 64, 1, 0.0, 0.0, 3),
               far = debye_courses_walk(9, 64, 1, 0.0, 0.0, 3);
  const DebyeVec3 q = {2.0 * 3.14159265358979323846 / 0.5, 0.0, 0.0};
  for (size_t i = 0; i < near.block.stride * 64; i++) {
    near.x[i] = (float)((i * 37) % 128) / 128.0f;
    far.x[i] = near.x[i] + 65536.0f;
  }
  DebyeSelfSettings settings = settings_for(path, &near, DEBYE_SIGNAL_AUTOCORRELATE, 1);
  settings.vectors = &q;
  settings.n_vectors = 1;
  Result one = compute(path, &settings, &near.block), two = compute(path, &settings, &far.block);
  double squares, fourths;
  sum_weights(&near.block, 0, &squares, &fourths);
  /* q itself is rounded: 1e6 turns times 1e-16. */
  CHECK_AT_MOST(largest_error(one.f, two.f, true, 64) / squares,
                path->double_precision ? 1e-9 : tolerance(path));
  release(&one);
  release(&two);
  debye_courses_clear(&near);
  debye_courses_clear(&far);
}

/* Oracle. */

static void
test_signals(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(37, 53, 3, 0.3, 15.0, 4);
  for (int signal = DEBYE_SIGNAL_AUTOCORRELATE; signal <= DEBYE_SIGNAL_PLAIN; signal++)
    check_against_oracle(path, &courses, (DebyeSignal)signal, 3);
  courses.block.length = NULL;
  courses.block.group = NULL;
  for (int signal = DEBYE_SIGNAL_AUTOCORRELATE; signal <= DEBYE_SIGNAL_PLAIN; signal++)
    check_against_oracle(path, &courses, (DebyeSignal)signal, 1);
  debye_courses_clear(&courses);
}

static void
test_lengths(const Path *path)
{
  static const size_t lengths[] = {1, 2, 3, 97, 501, 512, 513, 1000, 1024, 1025, 2049};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    DebyeCourses courses = debye_courses_walk(lengths[i] > 600 ? 2 : 5, lengths[i], 1, 0.1, 50.0, 5);
    check_against_oracle(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 1);
    debye_courses_clear(&courses);
  }
}

static void
test_numbers_of_atoms(const Path *path)
{
  static const size_t numbers[] = {1, 15, 16, 17, 33, 300};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    DebyeCourses courses = debye_courses_walk(numbers[i], 20, 2, 0.5, 5.0, 6);
    check_against_oracle(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 2);
    check_against_oracle(path, &courses, DEBYE_SIGNAL_PLAIN, 2);
    debye_courses_clear(&courses);
  }
}

/* Atoms of equal lengths among others, of none, and a group that has none at all. */
static void
test_weights(const Path *path)
{
  static const size_t lengths[] = {300, 700};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    DebyeCourses courses = debye_courses_walk(80, lengths[i], 3, 0.1, 50.0, 9);
    for (size_t atom = 0; atom < courses.block.stride; atom++) {
      const double length = courses.group[atom] == 1 ? 0.0 : atom % 5 == 0 ? 1.5 : atom % 7 == 0 ? 0.0 : 3.0;
      courses.length[2 * atom] = 0.8 * length;
      courses.length[2 * atom + 1] = -0.6 * length;
    }
    check_against_oracle(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 3);
    debye_courses_clear(&courses);
  }
}

/* The same numbers, to the last bit, again. */
static void
test_repeats(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(130, 40, 2, 0.5, 5.0, 7);
  const DebyeSelfSettings settings = settings_for(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 2);
  Result one = compute(path, &settings, &courses.block), two = compute(path, &settings, &courses.block);
  CHECK(memcmp(one.f, two.f, 2 * 2 * 40 * N_VECTORS * sizeof *one.f) == 0);
  CHECK(memcmp(one.fq2, two.fq2, 2 * N_VECTORS * sizeof *one.fq2) == 0);
  release(&one);
  release(&two);
  debye_courses_clear(&courses);
}

static void
test_refused_settings(const Path *path)
{
  const DebyeVec3 long_vector = {80.0, 80.0, 0.0}, none = {NAN, 0.0, 0.0};
  const DebyeSelfSettings good = {
      .n_frames = 10, .vectors = vectors, .n_vectors = 2, .n_groups = 1, .max_atoms = 4};
  DebyeSelfSettings wrong[6] = {good, good, good, good, good, good};
  wrong[0].n_frames = 0;
  wrong[1].n_vectors = 0;
  wrong[2].n_groups = 0;
  wrong[3].max_atoms = 0;
  wrong[4].vectors = &long_vector;
  wrong[4].n_vectors = 1;
  wrong[5].vectors = &none;
  wrong[5].n_vectors = 1;
  for (int i = 0; i < 6; i++) {
    DebyeKernelPlan *plan = NULL;
    DebyeStatus status = {0};
    CHECK(path->kernel->head.create(path->device, &wrong[i], &plan, &status) == DEBYE_STATUS_INVALID);
    CHECK(plan == NULL && status.text[0] != '\0');
  }
}

static void
check_refused(const Path *path, DebyeKernelPlan *plan, const DebyeSelfBlock *block, const char *words)
{
  DebyeStatus status = {0};
  CHECK(path->kernel->set_block(plan, block, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, words) != NULL, "\"%s\" has not \"%s\"", status.text, words);
}

static void
test_refused_blocks(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(20, 30, 2, 0.5, 5.0, 8);
  DebyeSelfSettings settings = settings_for(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 2);
  settings.max_atoms = 20;
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  float *y = &courses.y[17 * courses.block.stride + 11], kept = *y;
  *y = NAN;
  check_refused(path, plan, &courses.block, "Atom 12 of frame 18 ");
  *y = 2e5f;
  check_refused(path, plan, &courses.block, "Atom 12 of frame 18 ");
  *y = kept;
  courses.group[3] = 2;
  check_refused(path, plan, &courses.block, "Atom 4 is in group 2");
  courses.group[3] = 1;
  const double length = courses.length[8];
  courses.length[8] = INFINITY;
  check_refused(path, plan, &courses.block, "Atom 5 ");
  courses.length[8] = length;
  DebyeSelfBlock many = courses.block;
  many.n_atoms = 21;
  check_refused(path, plan, &many, "21 atoms");
  Result result = allocate(&settings);
  CHECK(path->kernel->set_block(plan, &courses.block, &status) == DEBYE_STATUS_OK);
  const bool cancel = true;
  CHECK(path->kernel->execute(plan, 0, N_VECTORS, result.f, result.fq2, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  CHECK(path->kernel->execute(plan, 0, N_VECTORS, result.f, result.fq2, NULL, &status) == DEBYE_STATUS_OK);
  path->kernel->head.destroy(plan);
  release(&result);
  debye_courses_clear(&courses);
}

/* In float the header's bound, 4e-7·NF/(NF − τ) of Σ|b|², for many atoms as for one: what a block's transform
 * rounds is the same for all of them. It is 1e-6 at three fifths of the frames. */
static void
test_late_lags(const Path *path)
{
  enum { ATOMS = 400, FRAMES = 1000 };
  DebyeCourses courses = debye_courses_walk(ATOMS, FRAMES, 1, 0.3, 20.0, 5);
  courses.block.length = NULL;
  Path exact = *path;
  exact.double_precision = true;
  DebyeSelfSettings settings = settings_for(path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 1);
  Result found = compute(path, &settings, &courses.block);
  settings.double_precision = true;
  Result expected = compute(&exact, &settings, &courses.block);
  for (size_t i = 0; i < N_VECTORS; i++) {
    const double *f = found.f + 2 * i * FRAMES, *known = expected.f + 2 * i * FRAMES;
    CHECK_AT_MOST(largest_difference(f, known, 2 * FRAMES * 3 / 5), 1e-6 * ATOMS);
    CHECK_AT_MOST(largest_error(f, known, true, FRAMES), 4e-7 * ATOMS);
  }
  release(&found);
  release(&expected);
  debye_courses_clear(&courses);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"free particles", test_free_particles},
    {"diffusion", test_diffusion},
    {"far away", test_far_away},
    {"signals", test_signals},
    {"lengths", test_lengths},
    {"numbers of atoms", test_numbers_of_atoms},
    {"weights", test_weights},
    {"late lags", test_late_lags},
    {"repeats", test_repeats},
    {"refused settings", test_refused_settings},
    {"refused blocks", test_refused_blocks},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  for (int precision = 0; precision < 2; precision++) {
    const Path path = {entry->backend->self, entry->device, precision == 1};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
      if (!debye_test_is_asked(bodies[i].name, arguments))
        continue;
      debye_check_subject("%s%s, %s: %s", entry->info.id, how, precision == 1 ? "double" : "float",
                          bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

/* Threads don't show, to the last bit. */
static void
test_threads(void)
{
  const Path path = {.kernel = debye_backend_cpu.self, .device = 0};
  DebyeCourses courses = debye_courses_walk(1000, 30, 3, 0.5, 5.0, 9);
  const DebyeSelfSettings settings = settings_for(&path, &courses, DEBYE_SIGNAL_AUTOCORRELATE, 3);
  Result first = {NULL, NULL};
  debye_check_subject("cpu: threads");
  for (unsigned threads = 1; threads <= 5; threads += 2) {
    debye_backend_cpu.set_threads(threads);
    Result result = compute(&path, &settings, &courses.block);
    if (first.f == NULL) {
      first = result;
      continue;
    }
    CHECK(memcmp(first.f, result.f, 3 * 2 * 30 * N_VECTORS * sizeof *first.f) == 0);
    CHECK(memcmp(first.fq2, result.fq2, 3 * N_VECTORS * sizeof *first.fq2) == 0);
    release(&result);
  }
  debye_backend_cpu.set_threads(0);
  release(&first);
  debye_courses_clear(&courses);
}

int
main(int argc, char **argv)
{
  if (debye_test_has_processor(argc, argv))
    test_threads();
  return debye_test_main(argc, argv, test_device);
}

/* SPDX-License-Identifier: MIT */
/* Direct amplitudes: the analytic cases, the oracle, groups, large phases, blocks of frames and refusals, on
 * every device and for every instruction set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_scattering.h"

/* Of Σ|w|, for any term by term; and of √(Σw²), typically (scattering_amplitude.h). A sum of many in one
 * float adds its rounding, 5e-7 of the root of their number. */
#define WORST_FLOAT 1e-6
#define MEAN_FLOAT 8e-7
#define WORST_DOUBLE 2e-15
#define MEAN_DOUBLE 5e-15
/* Values around the output that must stay as they were. */
#define GUARD 3

typedef struct {
  const DebyeAmplitudeKernel *kernel;
  int device;
  bool exact;
  bool processor;
} Path;

static DebyeAmplitudeSettings
settings_for(const Path *path, const DebyeScatteringSystem *system, size_t n_vectors, size_t n_frames)
{
  return (DebyeAmplitudeSettings){.n_atoms = system->n_atoms,
                                  .groups = system->groups,
                                  .max_vectors = n_vectors,
                                  .max_frames = n_frames,
                                  .double_precision = path->exact};
}

static DebyeKernelPlan *
make_plan(const Path *path, const DebyeAmplitudeSettings *settings)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) < SIZE_MAX);
  CHECK_THAT(path->kernel->head.create(path->device, settings, &plan, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  return plan;
}

/* With a guard on both sides; owned. */
static double *
compute(const Path *path, const DebyeAmplitudeSettings *settings, const DebyeScatteringFrame *frames,
        size_t n_frames, const DebyeVec3 *q, size_t n_vectors)
{
  const size_t n = 2 * n_frames * settings->groups.n_groups * n_vectors;
  double *memory = malloc((n + 2 * GUARD) * sizeof *memory);
  DebyeKernelPlan *plan = make_plan(path, settings);
  DebyeStatus status = {0};
  memset(memory, 0x55, (n + 2 * GUARD) * sizeof *memory);
  double before[2 * GUARD];
  memcpy(before, memory, GUARD * sizeof *before);
  memcpy(before + GUARD, memory + GUARD + n, GUARD * sizeof *before);
  if (plan != NULL) {
    CHECK_THAT(path->kernel->set_vectors(plan, q, n_vectors, &status) == DEBYE_STATUS_OK, "%s", status.text);
    CHECK_THAT(path->kernel->execute(plan, frames, n_frames, memory + GUARD, NULL, NULL, &status) ==
                   DEBYE_STATUS_OK,
               "%s", status.text);
  }
  CHECK(memcmp(before, memory, GUARD * sizeof *before) == 0);
  CHECK(memcmp(before + GUARD, memory + GUARD + n, GUARD * sizeof *before) == 0);
  path->kernel->head.destroy(plan);
  return memory;
}

/* The worst error against Σ|w| and the root mean square against √(Σw²), over groups and q of a frame. */
static void
check_frame(const Path *path, const DebyeScatteringSystem *system, const DebyeVec3 *q, size_t n_vectors,
            const double *found)
{
  for (size_t g = 0; g < system->groups.n_groups; g++) {
    double sum, square, worst = 0.0, total = 0.0;
    debye_oracle_weights(&system->groups, g, &sum, &square);
    for (size_t i = 0; i < n_vectors; i++) {
      const DebyeOracleAmplitude expected = debye_oracle_amplitude(&system->groups, g, &system->frame, q[i]);
      const double *value = found + 2 * (g * n_vectors + i);
      double error = hypot((double)((long double)value[0] - expected.real),
                           (double)((long double)value[1] - expected.imaginary));
      worst = fmax(worst, isnan(error) ? (double)INFINITY : error);
      total += error * error;
    }
    CHECK_AT_MOST(worst, (path->exact ? WORST_DOUBLE : WORST_FLOAT) * sum);
    CHECK_AT_MOST(sqrt(total / (double)(n_vectors > 0 ? n_vectors : 1)),
                  (path->exact ? MEAN_DOUBLE : MEAN_FLOAT) * sqrt(square));
  }
}

static void
check_system(const Path *path, const DebyeScatteringSystem *system, const DebyeVec3 *q, size_t n_vectors)
{
  const DebyeAmplitudeSettings settings = settings_for(path, system, n_vectors, 1);
  double *found = compute(path, &settings, &system->frame, 1, q, n_vectors);
  check_frame(path, system, q, n_vectors, found + GUARD);
  free(found);
}

/* b² of two atoms a distance d apart along x: |A|² = 2b²(1 + cos q_x d). */
static void
test_two_atoms(const Path *path)
{
  float x[2] = {1.25f, 4.75f}, zero[2] = {0.0f, 0.0f}, b[2] = {3.5f, 3.5f};
  size_t first[2] = {0, 2};
  DebyeScatteringFrame frame = {.x = x, .y = zero, .z = zero};
  DebyeAmplitudeSettings settings = {.n_atoms = 2,
                                     .groups = {.n_groups = 1, .first = first, .weight = b},
                                     .max_vectors = 40,
                                     .max_frames = 1,
                                     .double_precision = path->exact};
  DebyeVec3 q[40];
  for (int i = 0; i < 40; i++)
    q[i] = debye_vec3(0.17 * i, 1.0, -2.0);
  double *found = compute(path, &settings, &frame, 1, q, 40);
  for (int i = 0; i < 40; i++) {
    const double *a = found + GUARD + 2 * i, expected = 2.0 * 3.5 * 3.5 * (1.0 + cos(q[i].x * 3.5));
    CHECK_AT_MOST(fabs(a[0] * a[0] + a[1] * a[1] - expected), (path->exact ? 1e-13 : 1e-5) * 3.5 * 3.5);
  }
  free(found);
}

/* A simple cubic lattice of 10³ atoms, 4 Å apart: N at its reciprocal lattice, 0 at the box's other points.
 */
static void
test_crystal(const Path *path)
{
  DebyeScatteringSystem system =
      debye_scattering_system_new(1000, 1, debye_vec3(0.0, 0.0, 0.0), 1.0, false, 3);
  for (size_t i = 0; i < 1000; i++) {
    system.x[i] = 4.0f * (float)(i % 10) + 100.5f;
    system.y[i] = 4.0f * (float)(i / 10 % 10) - 7.25f;
    system.z[i] = 4.0f * (float)(i / 100);
  }
  const double unit = 6.283185307179586476925 / 40.0;
  DebyeVec3 q[216];
  for (int i = 0; i < 216; i++)
    q[i] = debye_vec3(unit * 5.0 * (i % 6), unit * 5.0 * (i / 6 % 6), unit * 5.0 * (i / 36));
  const DebyeAmplitudeSettings settings = settings_for(path, &system, 216, 1);
  double *found = compute(path, &settings, &system.frame, 1, q, 216);
  for (int i = 0; i < 216; i++) {
    const bool bragg = i % 6 % 2 == 0 && i / 6 % 6 % 2 == 0 && i / 36 % 2 == 0;
    double size = hypot(found[GUARD + 2 * i], found[GUARD + 2 * i + 1]);
    CHECK_AT_MOST(fabs(size - (bragg ? 1000.0 : 0.0)), (path->exact ? 1e-11 : 1e-3));
  }
  free(found);
  debye_scattering_system_clear(&system);
}

/* Numbers of atoms and of q around the sizes of tiles, strips, sections and blocks. */
static void
test_sizes(const Path *path)
{
  static const struct {
    size_t atoms, vectors;
  } sizes[] = {{1, 1},     {3, 17},    {255, 16},  {256, 15},   {257, 33}, {1000, 100},
               {511, 129}, {128, 513}, {2049, 64}, {20001, 13}, {33, 1100}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    DebyeVec3 q[1100];
    debye_random_vectors(q, sizes[i].vectors, 8.0, 17 + i);
    for (int weighted = 0; weighted < 2; weighted++) {
      DebyeScatteringSystem system = debye_scattering_system_new(
          sizes[i].atoms, 1, debye_vec3(-20.0, 0.0, 5.0), 50.0, weighted == 1, 5 + i);
      check_system(path, &system, q, sizes[i].vectors);
      debye_scattering_system_clear(&system);
    }
  }
}

/* Equidistant q on rays, shell after shell, whose lengths don't fit into tiles: q = 0 first, a shell without
 * its last directions, and vectors that stand on no ray before and after. */
static void
test_rays(const Path *path)
{
  static const struct {
    size_t atoms, rays, length;
  } cases[] = {{33, 1, 700}, {100, 5, 130}, {2100, 1, 70}, {130, 9, 61}, {129, 3, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    DebyeVec3 q[710], directions[10];
    const size_t n_rays = cases[i].rays, n_shells = cases[i].rays * cases[i].length - (n_rays > 1 ? 1 : 0);
    size_t n = 0;
    debye_random_vectors(directions, n_rays, 6.0, 60 + i);
    q[n++] = debye_vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < n_shells; k++)
      q[n++] = debye_vec3_scale(directions[k % n_rays], 0.01 * (double)(k / n_rays + 1));
    debye_random_vectors(q + n, 5, 8.0, 70 + i);
    for (int weighted = 0; weighted < 2; weighted++) {
      DebyeScatteringSystem system = debye_scattering_system_new(
          cases[i].atoms, 2, debye_vec3(-40.0, 0.0, 1e3), 90.0, weighted == 1, 80 + i);
      check_system(path, &system, q, n + 5);
      debye_scattering_system_clear(&system);
    }
  }
}

/* Several groups in shuffled lists, one of them empty, and atoms that are in two or in none. */
static void
test_groups(const Path *path)
{
  for (int weighted = 0; weighted < 2; weighted++) {
    DebyeScatteringSystem system =
        debye_scattering_system_new(3000, 4, debye_vec3(-15.0, -15.0, -15.0), 30.0, weighted == 1, 6);
    size_t first[6] = {system.first[0],       system.first[1],     system.first[2] - 100,
                       system.first[2] - 100, system.first[3] + 7, system.first[4] - 300};
    DebyeVec3 q[50];
    system.groups.n_groups = 5;
    system.groups.first = first;
    system.atoms[10] = system.atoms[11] = system.atoms[first[4] + 3];
    debye_random_vectors(q, 50, 5.0, 8);
    check_system(path, &system, q, 50);
    debye_scattering_system_clear(&system);
  }
}

/* More groups than any table of them would have room for. */
static void
test_many_groups(const Path *path)
{
  DebyeScatteringSystem system =
      debye_scattering_system_new(1500, 600, debye_vec3(0.0, 0.0, 0.0), 30.0, true, 9);
  DebyeVec3 q[20];
  debye_random_vectors(q, 20, 5.0, 10);
  check_system(path, &system, q, 20);
  debye_scattering_system_clear(&system);
}

/* |q·r| up to 1e5 and beyond: what a float of the phase would be lost at. */
static void
test_large_phases(const Path *path)
{
  static const double edges[] = {1e3, 2e4, 1e5};
  for (int i = 0; i < 3; i++) {
    DebyeScatteringSystem system =
        debye_scattering_system_new(700, 1, debye_vec3(-0.5 * edges[i], 0.0, -edges[i]), edges[i], true, 11);
    DebyeVec3 q[60];
    debye_random_vectors(q, 60, i == 2 ? DEBYE_AMPLITUDE_LARGEST_Q : 10.0, 12);
    q[7] = debye_vec3(1e-7, 0.0, 0.0);
    q[8] = debye_vec3(0.0, 0.0, 0.0);
    /* The largest phases that there can be, of both signs. */
    const double most = DEBYE_AMPLITUDE_LARGEST_Q;
    q[9] = debye_vec3(most, most, most);
    q[10] = debye_vec3(-most, -most, -most);
    system.x[0] = system.y[0] = system.z[0] = (float)edges[i];
    check_system(path, &system, q, 60);
    debye_scattering_system_clear(&system);
  }
}

/* The mean over a turn of what a term is off by must vanish: it would add up over all atoms of a large system
 * and outgrow A, which grows as the root of their number. Phases spread evenly over whole turns sum to 0. */
static void
test_no_bias(const Path *path)
{
  const size_t n = 1 << 16;
  DebyeScatteringSystem system = debye_scattering_system_new(n, 1, debye_vec3(0.0, 0.0, 0.0), 1.0, false, 3);
  for (size_t i = 0; i < n; i++)
    system.x[i] = (float)i / (float)n;
  DebyeVec3 q[2] = {{6.283185307179586476925, 0.0, 0.0}, {6.283185307179586476925 * 3.0, 0.0, 0.0}};
  const DebyeAmplitudeSettings settings = settings_for(path, &system, 2, 1);
  double *found = compute(path, &settings, &system.frame, 1, q, 2);
  for (int i = 0; i < 4; i++)
    CHECK_AT_MOST(fabs(found[GUARD + i]) / (double)n, path->exact ? 1e-16 : 5e-9);
  free(found);
  debye_scattering_system_clear(&system);
}

/* A block of frames is its frames, to the last bit, however they are put into blocks. */
static void
test_frames(const Path *path)
{
  enum { N_FRAMES = 9, N_VECTORS = 37 };
  DebyeScatteringSystem systems[N_FRAMES];
  DebyeScatteringFrame frames[N_FRAMES];
  DebyeVec3 q[N_VECTORS];
  debye_random_vectors(q, N_VECTORS, 4.0, 20);
  for (size_t f = 0; f < N_FRAMES; f++) {
    systems[f] = debye_scattering_system_new(900, 3, debye_vec3(0.0, 0.0, 0.0), 40.0, false, 30);
    for (size_t i = 0; i < 900; i++)
      systems[f].x[i] += (float)f;
    frames[f] = systems[f].frame;
  }
  const DebyeAmplitudeSettings whole = settings_for(path, &systems[0], N_VECTORS, N_FRAMES),
                               single = settings_for(path, &systems[0], N_VECTORS + 100, 1);
  double *together = compute(path, &whole, frames, N_FRAMES, q, N_VECTORS);
  const size_t a_frame = 2 * 3 * N_VECTORS;
  for (size_t f = 0; f < N_FRAMES; f++) {
    double *alone = compute(path, &single, &frames[f], 1, q, N_VECTORS);
    CHECK(memcmp(alone + GUARD, together + GUARD + f * a_frame, a_frame * sizeof *alone) == 0);
    check_frame(path, &systems[f], q, N_VECTORS, together + GUARD + f * a_frame);
    free(alone);
  }
  for (size_t f = 0; f < N_FRAMES; f++)
    debye_scattering_system_clear(&systems[f]);
  free(together);
}

/* New q in an old plan; none; no frames; no atoms. */
static void
test_empty(const Path *path)
{
  DebyeScatteringSystem system =
      debye_scattering_system_new(50, 1, debye_vec3(0.0, 0.0, 0.0), 9.0, false, 40);
  DebyeAmplitudeSettings settings = settings_for(path, &system, 30, 2);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  DebyeVec3 q[30];
  double out[60];
  debye_random_vectors(q, 30, 4.0, 41);
  for (size_t n = 30; n > 0 && plan != NULL; n -= 10) {
    CHECK(path->kernel->set_vectors(plan, q, n, &status) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, &system.frame, 1, out, NULL, NULL, &status) == DEBYE_STATUS_OK);
    check_frame(path, &system, q, n, out);
  }
  CHECK(path->kernel->execute(plan, &system.frame, 0, out, NULL, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->set_vectors(plan, NULL, 0, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->execute(plan, &system.frame, 1, out, NULL, NULL, &status) == DEBYE_STATUS_OK);
  path->kernel->head.destroy(plan);
  path->kernel->head.destroy(NULL);
  size_t none[2] = {0, 0};
  settings.n_atoms = 0;
  settings.groups.first = none;
  double *found = compute(path, &settings, &system.frame, 1, q, 30);
  for (int i = 0; i < 60; i++)
    CHECK(found[GUARD + i] == 0.0);
  free(found);
  debye_scattering_system_clear(&system);
}

/* Refusals. */

static void
check_refused(const Path *path, const DebyeAmplitudeSettings *settings)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) == SIZE_MAX);
  CHECK(path->kernel->head.create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.text[0] != '\0');
}

static void
test_wrong_settings(const Path *path)
{
  DebyeScatteringSystem system = debye_scattering_system_new(20, 2, debye_vec3(0.0, 0.0, 0.0), 9.0, true, 42);
  const DebyeAmplitudeSettings good = settings_for(path, &system, 3, 2);
  DebyeAmplitudeSettings wrong = good;
  wrong.max_frames = 0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.max_vectors = SIZE_MAX / 8;
  check_refused(path, &wrong);
  wrong = good;
  wrong.n_atoms = 19;
  check_refused(path, &wrong);
  wrong = good;
  wrong.groups.n_groups = 0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.groups.atoms = NULL;
  wrong.n_atoms = 10;
  check_refused(path, &wrong);
  size_t falling[3] = {0, 12, 7};
  wrong = good;
  wrong.groups.first = falling;
  check_refused(path, &wrong);
  system.weight[4] = NAN;
  check_refused(path, &good);
  debye_scattering_system_clear(&system);
}

static void
test_wrong_arguments(const Path *path)
{
  DebyeScatteringSystem system =
                            debye_scattering_system_new(600, 2, debye_vec3(0.0, 0.0, 0.0), 9.0, false, 43),
                        other =
                            debye_scattering_system_new(600, 2, debye_vec3(0.0, 0.0, 0.0), 9.0, false, 44);
  const DebyeAmplitudeSettings settings = settings_for(path, &system, 3, 2);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  DebyeVec3 q[4] = {{0.0, 0.0, 1.0}, {(double)NAN, 0.0, 0.0}, {0.0, 201.0, 0.0}, {0.0, 0.0, 0.0}};
  double out[2 * 2 * 2];
  size_t bad = 77;
  if (plan == NULL)
    return;
  CHECK(path->kernel->set_vectors(plan, q, 2, &status) == DEBYE_STATUS_INVALID);
  CHECK(strstr(status.text, "vector 2") != NULL);
  CHECK(path->kernel->set_vectors(plan, q + 2, 1, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->set_vectors(plan, q, 4, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->set_vectors(plan, q, 1, &status) == DEBYE_STATUS_OK);
  DebyeScatteringFrame frames[3] = {system.frame, other.frame, system.frame};
  CHECK(path->kernel->execute(plan, frames, 3, out, &bad, NULL, &status) == DEBYE_STATUS_INVALID);
  float *const axes[] = {other.x, other.y, other.z};
  const float wrong[] = {NAN, INFINITY, -1.1e5f};
  for (int i = 0; i < 3; i++) {
    const size_t atom = 345;
    float kept = axes[i][atom];
    axes[i][atom] = wrong[i];
    CHECK(path->kernel->execute(plan, frames, 2, out, &bad, NULL, &status) == DEBYE_STATUS_INVALID);
    CHECK_THAT(bad == 1 && strstr(status.text, "Atom 346 ") != NULL, "frame %zu: %s", bad, status.text);
    axes[i][atom] = kept;
  }
  CHECK(path->kernel->execute(plan, frames, 2, out, &bad, NULL, &status) == DEBYE_STATUS_OK);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
  debye_scattering_system_clear(&other);
}

/* Who is in no group may be anywhere. */
static void
test_ungrouped(const Path *path)
{
  DebyeScatteringSystem system =
      debye_scattering_system_new(100, 2, debye_vec3(0.0, 0.0, 0.0), 9.0, false, 45);
  DebyeVec3 q[3];
  debye_random_vectors(q, 3, 4.0, 46);
  system.groups.n_groups = 1;
  system.x[51] = NAN;
  check_system(path, &system, q, 3);
  debye_scattering_system_clear(&system);
}

static void
test_cancelled(const Path *path)
{
  DebyeScatteringSystem system =
      debye_scattering_system_new(100, 1, debye_vec3(0.0, 0.0, 0.0), 9.0, false, 47);
  const DebyeAmplitudeSettings settings = settings_for(path, &system, 3, 1);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  DebyeVec3 q[3];
  double out[6];
  bool cancel = true;
  if (plan == NULL)
    return;
  debye_random_vectors(q, 3, 4.0, 46);
  CHECK(path->kernel->set_vectors(plan, q, 3, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->execute(plan, &system.frame, 1, out, NULL, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  cancel = false;
  CHECK(path->kernel->execute(plan, &system.frame, 1, out, NULL, &cancel, &status) == DEBYE_STATUS_OK);
  check_frame(path, &system, q, 3, out);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
}

/* The same bits whatever the number of threads. */
static void
test_threads(const Path *path)
{
  if (!path->processor)
    return;
  DebyeScatteringSystem system =
      debye_scattering_system_new(30000, 2, debye_vec3(0.0, 0.0, 0.0), 50.0, true, 48);
  DebyeVec3 q[40];
  debye_random_vectors(q, 40, 4.0, 49);
  const DebyeAmplitudeSettings settings = settings_for(path, &system, 40, 1);
  double *first = NULL;
  for (unsigned threads = 1; threads <= 5; threads += 2) {
    debye_backend_cpu.set_threads(threads);
    double *found = compute(path, &settings, &system.frame, 1, q, 40);
    CHECK(first == NULL || memcmp(first, found, (2 * 2 * 40 + 2 * GUARD) * sizeof *found) == 0);
    if (first != NULL)
      free(found);
    else
      first = found;
  }
  debye_backend_cpu.set_threads(0);
  free(first);
  debye_scattering_system_clear(&system);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"two atoms", test_two_atoms},
    {"crystal", test_crystal},
    {"sizes", test_sizes},
    {"rays", test_rays},
    {"groups", test_groups},
    {"many groups", test_many_groups},
    {"large phases", test_large_phases},
    {"no bias", test_no_bias},
    {"frames", test_frames},
    {"empty", test_empty},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
    {"ungrouped", test_ungrouped},
    {"cancelled", test_cancelled},
    {"threads", test_threads},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  if (entry->backend->amplitude == NULL)
    return;
  for (int exact = 0; exact < 2; exact++) {
    Path path = {.kernel = entry->backend->amplitude,
                 .device = entry->device,
                 .exact = exact == 1,
                 .processor = strcmp(entry->info.id, "cpu") == 0};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
      if (!debye_test_is_asked(bodies[i].name, arguments))
        continue;
      debye_check_subject("%s%s in %s: %s", entry->info.id, how, path.exact ? "double" : "float",
                          bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}

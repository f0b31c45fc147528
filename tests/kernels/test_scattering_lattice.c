/* SPDX-License-Identifier: MIT */
/* Amplitudes of the reciprocal lattice: the oracle at every tolerance and in any cell, a crystal, Parseval,
 * the direct sum, groups and their products, the chosen ones, refusals, on every device and for every
 * instruction set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "kernels/scattering/scattering_lattice.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_scattering.h"

#define TOLERANCE 1e-6

typedef struct {
  const DebyeLatticeKernel *kernel;
  int device;
  bool processor;
} Path;

static DebyeKernelPlan *
make_plan(const Path *path, const DebyeLatticeSettings *settings)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) < SIZE_MAX);
  CHECK_THAT(path->kernel->head.create(path->device, settings, &plan, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  return plan;
}

static DebyeLatticeSettings
settings_for(const DebyeScatteringSystem *system, unsigned h, unsigned k, unsigned l, double tolerance)
{
  return (DebyeLatticeSettings){
      .n_atoms = system->n_atoms, .groups = system->groups, .extent = {h, k, l}, .tolerance = tolerance};
}

/* Group g's half array; owned. */
static double *
amplitudes_of(const Path *path, DebyeKernelPlan *plan, const DebyeLatticeSettings *settings, size_t group)
{
  double *values = calloc(2 * debye_lattice_n_values(settings->extent), sizeof *values);
  DebyeStatus status = {0};
  CHECK_THAT(path->kernel->get_amplitudes(plan, group, values, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  return values;
}

/* Root mean square of the error over all hkl that are a stride apart, against √(Σw²). */
static double
error_of(const DebyeScatteringSystem *system, const DebyeLatticeSettings *settings, size_t group,
         const double *values, size_t stride)
{
  const int extent[3] = {(int)settings->extent[0], (int)settings->extent[1], (int)settings->extent[2]};
  double total = 0.0, sum, square;
  size_t n = 0, at = 0;
  debye_oracle_weights(&settings->groups, group, &sum, &square);
  for (int l = -extent[2]; l <= extent[2]; l++)
    for (int k = -extent[1]; k <= extent[1]; k++)
      for (int h = 0; h <= extent[0]; h++, at++) {
        if (at % stride != 0)
          continue;
        CHECK(at == debye_lattice_index(settings->extent, h, k, l));
        const DebyeOracleAmplitude expected =
            debye_oracle_lattice(&settings->groups, group, &system->frame, h, k, l);
        const double real = values[2 * at] - (double)expected.real,
                     imaginary = values[2 * at + 1] - (double)expected.imaginary;
        total += real * real + imaginary * imaginary;
        n++;
      }
  return sqrt(total / (double)n / square);
}

static void
check_system(const Path *path, const DebyeScatteringSystem *system, const DebyeLatticeSettings *settings,
             size_t stride)
{
  DebyeKernelPlan *plan = make_plan(path, settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK_THAT(path->kernel->execute(plan, &system->frame, NULL, NULL, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (size_t g = 0; g < settings->groups.n_groups; g++) {
    double *values = amplitudes_of(path, plan, settings, g);
    if (settings->groups.first[g + 1] > settings->groups.first[g])
      CHECK_AT_MOST(error_of(system, settings, g, values, stride), settings->tolerance);
    free(values);
  }
  path->kernel->head.destroy(plan);
}

static DebyeScatteringSystem
make_system(size_t n_atoms, size_t n_groups, double edge, bool weighted, uint64_t seed)
{
  return debye_scattering_system_new(n_atoms, n_groups, debye_vec3(-3.0, 2.0, 0.5), edge, weighted, seed);
}

static void
test_tolerances(const Path *path)
{
  DebyeScatteringSystem system = make_system(300, 1, 20.0, true, 1);
  system.frame.cell = &system.cell;
  for (double tolerance = 1e-1; tolerance > 0.9e-12; tolerance *= 0.1) {
    const DebyeLatticeSettings settings = settings_for(&system, 9, 11, 10, fmax(tolerance, 1e-12));
    check_system(path, &system, &settings, 11);
  }
  debye_scattering_system_clear(&system);
}

/* Skew, left-handed, long and turned cells, whose atoms may be many cells away. */
static void
test_cells(const Path *path)
{
  static const DebyeCell cells[] = {
      {{20.0, 0.0, 0.0}, {0.0, 25.0, 0.0}, {0.0, 0.0, 5.0}},
      {{20.0, 0.0, 0.0}, {7.0, 18.0, 0.0}, {-6.0, 5.0, 17.0}},
      {{0.0, 0.0, 9.0}, {0.0, 11.0, 0.0}, {10.0, 0.0, 0.0}},
      {{12.0, 3.0, -2.0}, {1.0, 14.0, 4.0}, {-5.0, 2.0, 90.0}},
  };
  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
    DebyeScatteringSystem system = make_system(200, 2, 60.0, false, 2 + i);
    system.frame.cell = &cells[i];
    const DebyeLatticeSettings settings = settings_for(&system, 6, 5, 12, TOLERANCE);
    check_system(path, &system, &settings, 2);
    debye_scattering_system_clear(&system);
  }
}

/* Extents from none to more than a slab. */
static void
test_extents(const Path *path)
{
  static const unsigned extents[][3] = {{0, 0, 0},  {1, 0, 0},  {0, 0, 40},
                                        {33, 1, 2}, {3, 50, 1}, {17, 16, 15}};
  for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++)
    for (double tolerance = 1e-3; tolerance > 1e-10; tolerance *= 1e-3) {
      DebyeScatteringSystem system = make_system(150, 1, 15.0, true, 20 + i);
      system.frame.cell = &system.cell;
      const DebyeLatticeSettings settings =
          settings_for(&system, extents[i][0], extents[i][1], extents[i][2], tolerance);
      check_system(path, &system, &settings, 7);
      debye_scattering_system_clear(&system);
    }
}

/* A mesh beyond the cache of a GPU, which then takes its atoms in another order: skew, with atoms many cells
 * away and many in one place; and as before in a second frame. */
static void
test_large_mesh(const Path *path)
{
  if (path->processor)
    return;
  DebyeScatteringSystem system = make_system(34000, 1, 60.0, true, 27);
  const DebyeCell cell = {{20.0, 0.0, 0.0}, {7.0, 18.0, 0.0}, {-6.0, 5.0, 17.0}};
  for (size_t i = 0; i < 1000; i++)
    system.x[i] = system.y[i] = system.z[i] = -1e-9f;
  system.frame.cell = &cell;
  for (double tolerance = 1e-4; tolerance > 1e-8; tolerance *= 1e-3) {
    const DebyeLatticeSettings settings = settings_for(&system, 60, 55, 60, tolerance);
    const size_t bytes = 2 * debye_lattice_n_values(settings.extent) * sizeof(double);
    DebyeKernelPlan *plan = make_plan(path, &settings);
    DebyeStatus status = {0};
    double *first = NULL;
    for (int run = 0; run < 2 && plan != NULL; run++) {
      CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
      double *values = amplitudes_of(path, plan, &settings, 0);
      /* √1000 for those whose errors are all the same. */
      CHECK_AT_MOST(error_of(&system, &settings, 0, values, 9001), 32.0 * tolerance);
      CHECK(first == NULL || memcmp(first, values, bytes) == 0);
      free(first);
      first = values;
    }
    free(first);
    path->kernel->head.destroy(plan);
  }
  debye_scattering_system_clear(&system);
}

/* All atoms in one place, and on the edge of the cell. */
static void
test_one_place(const Path *path)
{
  DebyeScatteringSystem system = make_system(5000, 1, 10.0, false, 30);
  for (size_t i = 0; i < 5000; i++) {
    system.x[i] = i % 2 == 0 ? -1e-9f : 10.0f;
    system.y[i] = -10.0f;
    system.z[i] = 3.25f;
  }
  system.frame.cell = &system.cell;
  const DebyeLatticeSettings settings = settings_for(&system, 4, 4, 4, TOLERANCE);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
  double *values = amplitudes_of(path, plan, &settings, 0);
  /* √5000 = 71 times what the tolerance is of: the atoms' errors are all the same. */
  CHECK_AT_MOST(error_of(&system, &settings, 0, values, 1), 71.0 * TOLERANCE);
  free(values);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
}

/* 8³ atoms on a simple cubic lattice: N at hkl that are multiples of 8, else 0. */
static void
test_crystal(const Path *path)
{
  DebyeScatteringSystem system = make_system(512, 1, 32.0, false, 40);
  for (size_t i = 0; i < 512; i++) {
    system.x[i] = 4.0f * (float)(i % 8);
    system.y[i] = 4.0f * (float)(i / 8 % 8);
    system.z[i] = 4.0f * (float)(i / 64);
  }
  system.frame.cell = &system.cell;
  const DebyeLatticeSettings settings = settings_for(&system, 16, 16, 16, TOLERANCE);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
  double *values = amplitudes_of(path, plan, &settings, 0), worst = 0.0;
  for (int l = -16; l <= 16; l++)
    for (int k = -16; k <= 16; k++)
      for (int h = 0; h <= 16; h++) {
        const double *value = values + 2 * debye_lattice_index(settings.extent, h, k, l);
        const bool bragg = h % 8 == 0 && k % 8 == 0 && l % 8 == 0;
        worst = fmax(worst, hypot(value[0] - (bragg ? 512.0 : 0.0), value[1]));
      }
  CHECK_AT_MOST(worst, 10.0 * TOLERANCE * 512.0);
  free(values);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
}

/* Atoms on the points of a 9³ lattice: the sum of |F|² over its 9³ hkl is 9³ times that of w². */
static void
test_parseval(const Path *path)
{
  DebyeScatteringSystem system = make_system(400, 1, 9.0, true, 50);
  double square = 0.0, total = 0.0;
  for (size_t i = 0; i < 400; i++) {
    system.x[i] = (float)(i % 9);
    system.y[i] = (float)(i / 9 % 9);
    system.z[i] = (float)(i / 81);
    square += (double)system.weight[i] * (double)system.weight[i];
  }
  system.frame.cell = &system.cell;
  const DebyeLatticeSettings settings = settings_for(&system, 4, 4, 4, TOLERANCE);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
  double *values = amplitudes_of(path, plan, &settings, 0);
  for (size_t i = 0; i < debye_lattice_n_values(settings.extent); i++)
    total +=
        (i % 5 == 0 ? 1.0 : 2.0) * (values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1]);
  CHECK_AT_MOST(fabs(total / (729.0 * square) - 1.0), TOLERANCE);
  free(values);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
}

/* The direct kernel of the same device (or the processor's) gives the same at the lattice's q. */
static void
test_as_direct(const Path *path)
{
  enum { N = 60 };
  static const DebyeCell cell = {{25.0, 0.0, 0.0}, {4.0, 22.0, 0.0}, {-6.0, 5.0, 27.0}};
  DebyeScatteringSystem system = make_system(1500, 1, 40.0, true, 60);
  DebyeMiller chosen[N];
  DebyeVec3 q[N];
  double lattice[2 * N], direct[2 * N], sum, square, total = 0.0;
  const double volume = debye_cell_volume(&cell), two_pi = 6.283185307179586476925;
  for (int i = 0; i < N; i++) {
    chosen[i] = (DebyeMiller){i % 13 - 6, i * 7 % 15 - 7, i * 11 % 17 - 8};
    const DebyeVec3 a = debye_vec3_scale(debye_vec3_cross(cell.b, cell.c), two_pi * chosen[i].h / volume),
                    b = debye_vec3_scale(debye_vec3_cross(cell.c, cell.a), two_pi * chosen[i].k / volume),
                    c = debye_vec3_scale(debye_vec3_cross(cell.a, cell.b), two_pi * chosen[i].l / volume);
    q[i] = debye_vec3_add(a, debye_vec3_add(b, c));
  }
  system.frame.cell = &cell;
  DebyeLatticeSettings settings = settings_for(&system, 6, 7, 8, 1e-9);
  settings.chosen = chosen;
  settings.n_chosen = N;
  const DebyeAmplitudeSettings direct_settings = {
      .n_atoms = 1500, .groups = system.groups, .max_vectors = N, .max_frames = 1, .double_precision = true};
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeKernelPlan *direct_plan = NULL;
  DebyeStatus status = {0};
  const DebyeAmplitudeKernel *kernel = debye_backend_cpu.amplitude;
  CHECK(kernel->head.create(0, &direct_settings, &direct_plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL || direct_plan == NULL)
    return;
  CHECK(path->kernel->execute(plan, &system.frame, lattice, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(kernel->set_vectors(direct_plan, q, N, &status) == DEBYE_STATUS_OK);
  CHECK(kernel->execute(direct_plan, &system.frame, 1, direct, NULL, NULL, &status) == DEBYE_STATUS_OK);
  debye_oracle_weights(&system.groups, 0, &sum, &square);
  for (int i = 0; i < 2 * N; i++)
    total += (lattice[i] - direct[i]) * (lattice[i] - direct[i]);
  CHECK_AT_MOST(sqrt(total / N / square), 1e-9);
  kernel->head.destroy(direct_plan);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
}

/* Products of groups over frames with cells of their own, one group empty; then anew. */
static void
test_sums(const Path *path)
{
  enum { N_FRAMES = 4, N_GROUPS = 3 };
  DebyeScatteringSystem systems[N_FRAMES];
  for (size_t f = 0; f < N_FRAMES; f++) {
    systems[f] = make_system(240, 2, 12.0 + (double)f, false, 70 + f);
    systems[f].frame.cell = &systems[f].cell;
  }
  size_t first[N_GROUPS + 1] = {0, systems[0].first[1], systems[0].first[1], systems[0].first[2]};
  DebyeLatticeSettings settings = settings_for(&systems[0], 5, 4, 3, TOLERANCE);
  settings.groups.n_groups = N_GROUPS;
  settings.groups.first = first;
  settings.sums = true;
  const size_t n = debye_lattice_n_values(settings.extent);
  DebyeKernelPlan *plan = make_plan(path, &settings);
  double *expected = calloc(debye_lattice_n_pairs(N_GROUPS) * n, sizeof *expected),
         *found = calloc(n, sizeof *found), *values[N_GROUPS];
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  for (int round = 0; round < 2; round++) {
    memset(expected, 0, debye_lattice_n_pairs(N_GROUPS) * n * sizeof *expected);
    for (size_t f = 0; f < N_FRAMES; f++) {
      CHECK(path->kernel->execute(plan, &systems[f].frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
      for (size_t g = 0; g < N_GROUPS; g++)
        values[g] = amplitudes_of(path, plan, &settings, g);
      for (size_t a = 0; a < N_GROUPS; a++)
        for (size_t b = a; b < N_GROUPS; b++)
          for (size_t i = 0; i < n; i++)
            expected[debye_lattice_pair(N_GROUPS, a, b) * n + i] +=
                values[a][2 * i] * values[b][2 * i] + values[a][2 * i + 1] * values[b][2 * i + 1];
      for (size_t g = 0; g < N_GROUPS; g++)
        free(values[g]);
    }
    for (size_t pair = 0; pair < debye_lattice_n_pairs(N_GROUPS); pair++) {
      double worst = 0.0;
      CHECK(path->kernel->get_sums(plan, pair, found, &status) == DEBYE_STATUS_OK);
      for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(found[i] - expected[pair * n + i]));
      /* Products are of values in the mesh's precision at least. */
      CHECK_AT_MOST(worst, 1e-9 * 240.0 * 240.0);
    }
    CHECK(path->kernel->clear_sums(plan, &status) == DEBYE_STATUS_OK);
  }
  CHECK(path->kernel->get_sums(plan, debye_lattice_n_pairs(N_GROUPS), found, &status) ==
        DEBYE_STATUS_INVALID);
  path->kernel->head.destroy(plan);
  for (size_t f = 0; f < N_FRAMES; f++)
    debye_scattering_system_clear(&systems[f]);
  free(expected);
  free(found);
}

/* Products of the last frame's two groups by h² + k² + l², one vector after the other: three pairs. */
static void
add_lengths(const Path *path, DebyeKernelPlan *plan, const DebyeLatticeSettings *settings, double *sums)
{
  const int h_end = (int)settings->extent[0], k_end = (int)settings->extent[1],
            l_end = (int)settings->extent[2];
  const size_t n = debye_lattice_n_lengths(settings->extent);
  double *values[2] = {amplitudes_of(path, plan, settings, 0), amplitudes_of(path, plan, settings, 1)};
  for (int l = -l_end; l <= l_end; l++)
    for (int k = -k_end; k <= k_end; k++)
      for (int h = -h_end; h <= h_end; h++) {
        const size_t square = (size_t)(h * h + k * k + l * l);
        const int sign = h < 0 ? -1 : 1;
        const size_t at = 2 * debye_lattice_index(settings->extent, sign * h, sign * k, sign * l);
        for (size_t a = 0; a < 2 && square < n; a++)
          for (size_t b = a; b < 2; b++)
            sums[debye_lattice_pair(2, a, b) * n + square] +=
                values[a][at] * values[b][at] + values[a][at + 1] * values[b][at + 1];
      }
  free(values[0]);
  free(values[1]);
}

/* Of all vectors of a length, both halves, in a lattice that reaches farther along some axes; of two frames, and the same bits
 * for any number of threads. */
static void
test_by_length(const Path *path)
{
  static const unsigned extents[][3] = {{7, 7, 7}, {6, 9, 8}, {21, 20, 20}, {0, 0, 0}};
  DebyeScatteringSystem system = make_system(900, 2, 15.0, true, 85);
  system.frame.cell = &system.cell;
  for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++) {
    DebyeLatticeSettings settings =
        settings_for(&system, extents[e][0], extents[e][1], extents[e][2], e % 2 == 0 ? 1e-9 : 1e-4);
    settings.sums = settings.by_length = true;
    const size_t n = debye_lattice_n_sums(&settings);
    double *expected = calloc(3 * n, sizeof *expected), *found = calloc(3 * n, sizeof *found),
           *again = calloc(n, sizeof *again);
    DebyeStatus status = {0};
    for (unsigned threads = 1; threads <= 2; threads++) {
      debye_backend_cpu.set_threads(threads);
      DebyeKernelPlan *plan = make_plan(path, &settings);
      for (int frame = 0; frame < 2; frame++)
        CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
      if (threads == 1)
        add_lengths(path, plan, &settings, expected);
      for (size_t pair = 0; pair < 3; pair++) {
        CHECK(path->kernel->get_sums(plan, pair, again, &status) == DEBYE_STATUS_OK);
        CHECK(threads == 1 || memcmp(again, found + pair * n, n * sizeof *again) == 0);
        memcpy(found + pair * n, again, n * sizeof *again);
      }
      CHECK(path->kernel->get_sums(plan, 3, again, &status) == DEBYE_STATUS_INVALID);
      path->kernel->head.destroy(plan);
    }
    for (size_t i = 0; i < 3 * n; i++)
      CHECK_AT_MOST(fabs(found[i] - 2.0 * expected[i]), 1e-9 * 900.0 * 900.0);
    free(expected);
    free(found);
    free(again);
  }
  debye_backend_cpu.set_threads(0);
  debye_scattering_system_clear(&system);
}

/* More pairs of groups than CUDA has rows of blocks, a group an atom: products are those of weights where q is 0, and of an
 * atom with itself also at the six vectors of length 1. */
static void
test_many_groups(const Path *path)
{
  enum { N = 365, LAST = 55 };
  DebyeScatteringSystem system = make_system(N, N, 15.0, true, 86);
  system.frame.cell = &system.cell;
  for (size_t g = 0; g <= N; g++)
    system.first[g] = g;
  DebyeLatticeSettings settings = settings_for(&system, 1, 1, 1, 1e-9);
  settings.sums = settings.by_length = true;
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  double found[2], worst = 0.0;
  if (plan == NULL)
    return;
  CHECK(debye_lattice_n_sums(&settings) == 2 && debye_lattice_pair(N, N - LAST, N - LAST) < 65535 &&
        debye_lattice_n_pairs(N) > 65535);
  CHECK_THAT(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (size_t a = 0; a < N; a = a == 0 ? N - LAST : a + 1)
    for (size_t b = a; b < N; b++) {
      const double product = (double)system.weight[a] * (double)system.weight[b];
      CHECK(path->kernel->get_sums(plan, debye_lattice_pair(N, a, b), found, &status) == DEBYE_STATUS_OK);
      worst = fmax(worst, fabs(found[0] - product));
      if (a == b)
        worst = fmax(worst, fabs(found[1] - 6.0 * product));
    }
  CHECK_AT_MOST(worst, 1e-6);
  path->kernel->head.destroy(plan);
  debye_scattering_system_clear(&system);
}

/* The same bits in every run and for any number of threads. */
static void
test_threads(const Path *path)
{
  DebyeScatteringSystem system = make_system(20000, 1, 60.0, true, 80);
  system.frame.cell = &system.cell;
  for (double tolerance = 1e-3; tolerance > 1e-10; tolerance *= 1e-6) {
    const DebyeLatticeSettings settings = settings_for(&system, 20, 20, 20, tolerance);
    double *first = NULL;
    for (unsigned threads = 1; threads <= 3; threads++) {
      debye_backend_cpu.set_threads(threads);
      DebyeKernelPlan *plan = make_plan(path, &settings);
      DebyeStatus status = {0};
      CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
      double *values = amplitudes_of(path, plan, &settings, 0);
      CHECK(first == NULL ||
            memcmp(first, values, 2 * debye_lattice_n_values(settings.extent) * sizeof *values) == 0);
      path->kernel->head.destroy(plan);
      if (first == NULL)
        first = values;
      else
        free(values);
    }
    free(first);
  }
  debye_backend_cpu.set_threads(0);
  debye_scattering_system_clear(&system);
}

/* Refusals. */

static void
check_refused(const Path *path, const DebyeLatticeSettings *settings)
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
  DebyeScatteringSystem system = make_system(20, 2, 9.0, true, 90);
  const DebyeMiller outside = {0, -6, 0};
  const DebyeLatticeSettings good = settings_for(&system, 5, 5, 5, TOLERANCE);
  DebyeLatticeSettings wrong = good;
  wrong.tolerance = 0.0;
  check_refused(path, &wrong);
  wrong.tolerance = (double)NAN;
  check_refused(path, &wrong);
  wrong = good;
  wrong.extent[1] = 5000;
  check_refused(path, &wrong);
  wrong = good;
  wrong.chosen = &outside;
  wrong.n_chosen = 1;
  check_refused(path, &wrong);
  wrong = good;
  wrong.n_atoms = 3;
  check_refused(path, &wrong);
  debye_scattering_system_clear(&system);
}

static void
test_wrong_frames(const Path *path)
{
  DebyeScatteringSystem system = make_system(500, 2, 9.0, false, 91);
  DebyeLatticeSettings settings = settings_for(&system, 2, 2, 2, TOLERANCE);
  settings.sums = true;
  DebyeKernelPlan *plan = make_plan(path, &settings);
  DebyeStatus status = {0};
  double sums[3 * 5 * 5];
  bool cancel = true;
  if (plan == NULL)
    return;
  CHECK(path->kernel->get_amplitudes(plan, 0, sums, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_INVALID);
  DebyeCell flat = system.cell;
  flat.c = flat.b;
  system.frame.cell = &flat;
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_INVALID);
  system.frame.cell = &system.cell;
  const float kept = system.y[321];
  system.y[321] = NAN;
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Atom 322 ") != NULL, "%s", status.text);
  system.y[321] = kept;
  CHECK(path->kernel->execute(plan, &system.frame, NULL, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  CHECK(path->kernel->get_sums(plan, 0, sums, &status) == DEBYE_STATUS_OK);
  for (size_t i = 0; i < 75; i++)
    CHECK(sums[i] == 0.0);
  CHECK(path->kernel->execute(plan, &system.frame, NULL, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->get_sums(plan, 0, sums, &status) == DEBYE_STATUS_OK);
  CHECK_AT_MOST(fabs(sums[debye_lattice_index(settings.extent, 0, 0, 0)] - 250.0 * 250.0), 1.0);
  path->kernel->head.destroy(plan);
  path->kernel->head.destroy(NULL);
  debye_scattering_system_clear(&system);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"tolerances", test_tolerances},
    {"cells", test_cells},
    {"extents", test_extents},
    {"large mesh", test_large_mesh},
    {"one place", test_one_place},
    {"crystal", test_crystal},
    {"Parseval", test_parseval},
    {"as direct", test_as_direct},
    {"sums", test_sums},
    {"by length", test_by_length},
    {"many groups", test_many_groups},
    {"threads", test_threads},
    {"wrong settings", test_wrong_settings},
    {"wrong frames", test_wrong_frames},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  if (entry->backend->lattice == NULL)
    return;
  Path path = {.kernel = entry->backend->lattice,
               .device = entry->device,
               .processor = strcmp(entry->info.id, "cpu") == 0};
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
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

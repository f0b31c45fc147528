/* SPDX-License-Identifier: MIT */
/* The teaching variants of pairs and of scattering, on every device that there is and with each instruction set of the
 * processor: the count with atomics is right, and the one without never above it; series are what their definition says. */
#include <stdlib.h>
#include <string.h>

#include "kernels/ladder/ladder.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_potential.h"
#include "tests/support/oracle_self.h"

#define GUARD 64
#define SENTINEL 1234.5f

typedef struct {
  const DebyeLadderKernel *ladder;
  int device;
  size_t variant;
} Path;

/* Pairs. */

#define N_ATOMS 2000
#define N_BINS 37
#define R_MAX 15.0

/* Atoms on whole numbers: squares of distances are exact in float, and none is near an edge. */
static DebyeLadderPairs
lattice_pairs(float (*at)[N_ATOMS])
{
  unsigned state = 5;
  for (size_t i = 0; i < N_ATOMS; i++)
    for (size_t axis = 0; axis < 3; axis++)
      at[axis][i] = (float)floor(20.0 * debye_random(&state));
  return (DebyeLadderPairs){
      .x = at[0], .y = at[1], .z = at[2], .n = N_ATOMS, .r_max = R_MAX, .n_bins = N_BINS};
}

static void
count_exactly(const DebyeLadderPairs *pairs, uint64_t *counts)
{
  double margin = 1.0;
  memset(counts, 0, N_BINS * sizeof *counts);
  for (size_t i = 0; i < pairs->n; i++)
    for (size_t j = i + 1; j < pairs->n; j++) {
      const float *const at[3] = {pairs->x, pairs->y, pairs->z};
      double r2 = 0.0;
      for (int axis = 0; axis < 3; axis++) {
        const double edge = pairs->edge[axis], d = (double)at[axis][i] - (double)at[axis][j];
        const double nearest = edge > 0.0 ? d - edge * nearbyint(d / edge) : d;
        r2 += nearest * nearest;
      }
      if (r2 >= R_MAX * R_MAX)
        continue;
      const double bin = sqrt(r2) * N_BINS / R_MAX;
      if (r2 > 0.0)
        margin = fmin(margin, fabs(bin - round(bin)));
      counts[(size_t)bin]++;
    }
  CHECK_THAT(margin > 1e-4, "a pair is %g of a bin from an edge: the counts would hang on a rounding",
             margin);
}

/* What the lattice has in this cell (all 0: none), up to bin for bin. */
static void
test_counts_in(const Path *path, DebyeVec3 edge)
{
  static float at[3][N_ATOMS];
  DebyeLadderPairs pairs = lattice_pairs(at);
  pairs.edge[0] = edge.x, pairs.edge[1] = edge.y, pairs.edge[2] = edge.z;
  const bool loses = path->ladder->variants[path->variant].loses_counts;
  uint64_t expected[N_BINS], counts[N_BINS];
  double seconds = -1.0;
  DebyeStatus status = {0};
  count_exactly(&pairs, expected);
  memset(counts, 0xff, sizeof counts);
  path->ladder->count(path->device, path->variant, &pairs, counts, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(seconds >= 0.0 && seconds < 100.0);
  for (size_t bin = 0; bin < N_BINS; bin++)
    CHECK_THAT(loses ? counts[bin] <= expected[bin] : counts[bin] == expected[bin],
               "%llu of %llu pairs in bin %zu", (unsigned long long)counts[bin],
               (unsigned long long)expected[bin], bin);
}

/* Edges of powers of two, so that a float's image of a lattice's atom is exact; 13 has no such inverse. */
static void
test_counts(const Path *path)
{
  test_counts_in(path, (DebyeVec3){0.0, 0.0, 0.0});
  test_counts_in(path, (DebyeVec3){32.0, 32.0, 32.0});
  test_counts_in(path, (DebyeVec3){16.0, 32.0, 13.0});
}

/* More bins than a block's shared memory has, and one of them far beyond it. */
static void
test_many_bins(const Path *path)
{
  enum { MANY = 5000, ATOMS = 300 };
  float at[ATOMS], zero[ATOMS] = {0};
  uint64_t counts[MANY];
  double seconds;
  DebyeStatus status = {0};
  for (size_t i = 0; i < ATOMS; i++)
    at[i] = (float)i;
  const DebyeLadderPairs pairs = {
      .x = at, .y = zero, .z = zero, .n = ATOMS, .r_max = 312.5, .n_bins = MANY}; /* 1 Å: 16 bins */
  path->ladder->count(path->device, path->variant, &pairs, counts, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  for (size_t bin = 0; bin < MANY; bin++) {
    const uint64_t expected = bin % 16 == 0 && bin > 0 && bin / 16 < ATOMS ? ATOMS - bin / 16 : 0;
    CHECK_THAT(counts[bin] <= expected &&
                   (counts[bin] == expected || path->ladder->variants[path->variant].loses_counts),
               "%llu of %llu pairs in bin %zu", (unsigned long long)counts[bin], (unsigned long long)expected,
               bin);
  }
}

/* 18 million pairs in one bin: a float of the CPU comes to 2²⁴ and stays there. */
static void
test_full_bin(const Path *path)
{
  enum { ATOMS = 6000 };
  static const float zero[ATOMS];
  const uint64_t all = (uint64_t)ATOMS * (ATOMS - 1) / 2;
  const DebyeLadderVariant *variant = path->ladder->variants + path->variant;
  uint64_t counts[2];
  double seconds;
  DebyeStatus status = {0};
  const DebyeLadderPairs pairs = {.x = zero, .y = zero, .z = zero, .n = ATOMS, .r_max = 1.0, .n_bins = 2};
  path->ladder->count(path->device, path->variant, &pairs, counts, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_THAT(variant->loses_counts ? counts[0] <= all : counts[0] == all, "%llu of %llu pairs",
             (unsigned long long)counts[0], (unsigned long long)all);
  if (variant->source != NULL && strcmp(variant->source, "histogram/06-float.c") == 0)
    CHECK(counts[0] == (uint64_t)1 << 24);
  CHECK(counts[1] == 0);
}

static void
test_wrong_counts(const Path *path)
{
  float good[2] = {0.0f, 1.0f}, nan[2] = {0.0f, NAN};
  uint64_t counts[4];
  double seconds;
  bool cancel = true;
  DebyeStatus status = {0};
  const DebyeLadderPairs wrong[] = {{good, good, nan, 2, 5.0, 4, {0.0}},
                                    {good, good, good, 2, 0.0, 4, {0.0}},
                                    {good, good, good, 2, (double)NAN, 4, {0.0}},
                                    {good, good, good, 2, 5.0, 0, {0.0}},
                                    {good, good, good, 2, 5.0, DEBYE_LADDER_MAX_BINS + 1, {0.0}},
                                    {good, good, good, DEBYE_LADDER_MAX_COUNTED + 1, 5.0, 4, {0.0}},
                                    {good, good, good, 2, 5.0, 4, {5.0, 0.0, 5.0}},
                                    {good, good, good, 2, 5.0, 4, {5.0, 5.0, (double)NAN}}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(path->ladder->count(path->device, path->variant, &wrong[i], counts, &seconds, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  const DebyeLadderPairs right = {good, good, good, 2, 5.0, 4, {0.0, 0.0, 0.0}};
  CHECK(path->ladder->count(path->device, 0, &right, counts, &seconds, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(path->ladder->count(path->device, path->variant, &right, counts, &seconds, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  CHECK(path->ladder->count(path->device, path->variant, &right, counts, &seconds, NULL, &status) ==
        DEBYE_STATUS_OK);
  CHECK(counts[0] == 0 && counts[1] == 1 && counts[2] == 0 && counts[3] == 0);
}

/* Scattering. */

#define N_WALKERS 70 /* more than two blocks of 32 */
#define LONGEST_FRAMES 33
#define N_VECTORS 35
/* Phases of up to 30 turns are floats, 4e-6 each, which a transform spreads over all lags. */
#define SCATTERED 2e-5

/* exp(i q·r) of one atom, or the sum over all (atom: N_WALKERS). */
static void
add_phases(const DebyeLadderCourses *courses, size_t vector, size_t atom, double *a)
{
  const DebyeVec3 q = courses->vectors[vector];
  for (size_t t = 0; t < courses->n_frames; t++)
    for (size_t i = atom < courses->n_atoms ? atom : 0; i < courses->n_atoms; i++) {
      const size_t at = t * courses->n_atoms + i;
      const double phase =
          q.x * (double)courses->x[at] + q.y * (double)courses->y[at] + q.z * (double)courses->z[at];
      a[2 * t] += cos(phase);
      a[2 * t + 1] += sin(phase);
      if (atom < courses->n_atoms)
        break;
    }
}

/* What a variant has to write for one vector, by the definition. */
static void
scatter_exactly(const DebyeLadderCourses *courses, DebyeLadderSignal signal, size_t vector, double *f)
{
  const bool is_sum = signal == DEBYE_LADDER_ALL;
  const DebyeSignal processed = signal == DEBYE_LADDER_SQUARE  ? DEBYE_SIGNAL_SQUARE
                                : signal == DEBYE_LADDER_PLAIN ? DEBYE_SIGNAL_PLAIN
                                                               : DEBYE_SIGNAL_AUTOCORRELATE;
  double a[2 * LONGEST_FRAMES], out[2 * LONGEST_FRAMES];
  memset(f, 0, 2 * courses->n_frames * sizeof *f);
  for (size_t atom = is_sum ? courses->n_atoms : 0; atom < courses->n_atoms + is_sum; atom++) {
    memset(a, 0, sizeof a);
    add_phases(courses, vector, atom, a);
    debye_oracle_signal(processed, a, a, courses->n_frames, out);
    for (size_t i = 0; i < 2 * courses->n_frames; i++)
      f[i] += out[i];
  }
}

static void
check_scattered(const Path *path, const DebyeLadderCourses *courses)
{
  const DebyeLadderSignal signal = path->ladder->variants[path->variant].signal;
  const size_t n = courses->n_frames, n_values = 2 * n * courses->n_vectors;
  float *f = malloc((n_values + GUARD) * sizeof *f);
  double expected[2 * LONGEST_FRAMES], seconds = -1.0, worst = 0.0;
  DebyeStatus status = {0};
  for (size_t i = 0; i < n_values + GUARD; i++)
    f[i] = i < n_values ? NAN : SENTINEL;
  path->ladder->scatter(path->device, path->variant, courses, f, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(seconds >= 0.0 && seconds < 100.0);
  for (size_t vector = 0; vector < courses->n_vectors; vector++) {
    scatter_exactly(courses, signal, vector, expected);
    for (size_t i = 0; i < 2 * n; i++) {
      /* Late lags are means of few pairs. */
      const double pairs =
          signal == DEBYE_LADDER_SELF || signal == DEBYE_LADDER_ALL ? (double)(n - i / 2) / (double)n : 1.0;
      const double difference = fabs((double)f[2 * n * vector + i] - expected[i]);
      worst = fmax(worst, isfinite(difference) ? difference * pairs / (double)courses->n_atoms : INFINITY);
    }
  }
  CHECK_AT_MOST(worst, SCATTERED);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(f[n_values + i] == SENTINEL);
  free(f);
}

/* One and several blocks of atoms, vectors and frames, and one of each. */
static void
test_scattering(const Path *path)
{
  static const size_t sizes[][3] = {
      {1, 1, 1}, {5, 7, 3}, {N_WALKERS, LONGEST_FRAMES, N_VECTORS}, {32, 32, 32}};
  DebyeVec3 vectors[N_VECTORS];
  unsigned state = 6;
  for (size_t i = 0; i < N_VECTORS; i++)
    vectors[i] = debye_vec3(3.0 * debye_random(&state), -2.0 * debye_random(&state), debye_random(&state));
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const size_t n_atoms = sizes[i][0], n_frames = sizes[i][1];
    float *at = malloc(3 * n_atoms * n_frames * sizeof *at);
    for (size_t k = 0; k < 3 * n_atoms * n_frames; k++)
      at[k] = (float)(20.0 * debye_random(&state) - 10.0);
    const DebyeLadderCourses courses = {.x = at,
                                        .y = at + n_atoms * n_frames,
                                        .z = at + 2 * n_atoms * n_frames,
                                        .n_atoms = n_atoms,
                                        .n_frames = n_frames,
                                        .vectors = vectors,
                                        .n_vectors = sizes[i][2]};
    check_scattered(path, &courses);
    free(at);
  }
}

static void
test_wrong_courses(const Path *path)
{
  float good[4] = {0.0f, 1.0f, 2.0f, 3.0f}, nan[4] = {0.0f, 1.0f, NAN, 3.0f}, f[4];
  const DebyeVec3 q = debye_vec3(1.0, 2.0, 0.5), long_q = debye_vec3(1e3, 0.0, 0.0);
  const DebyeLadderCourses right = {good, good, good, 2, 2, &q, 1};
  const DebyeLadderCourses wrong[] = {
      {good, good, nan, 2, 2, &q, 1},       {good, good, good, 0, 2, &q, 1},
      {good, good, good, 2, 0, &q, 1},      {good, good, good, 2, 2, &q, 0},
      {good, good, good, 2, 2, &long_q, 1}, {good, good, good, 2, DEBYE_LADDER_MAX_FRAMES + 1, &q, 1},
  };
  double seconds;
  bool cancel = true;
  DebyeStatus status = {0};
  const DebyeLadderKernel *ladder = path->ladder;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(ladder->scatter(path->device, path->variant, &wrong[i], f, &seconds, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  CHECK(ladder->scatter(path->device, 0, &right, f, &seconds, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(ladder->scatter(path->device, path->variant, &right, f, &seconds, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  (void)arguments;
  Path path = {entry->backend->ladder, entry->device, 0};
  for (; path.variant < path.ladder->n_variants; path.variant++) {
    const DebyeLadderVariant *variant = path.ladder->variants + path.variant;
    debye_check_subject("%s%s, %s", entry->info.id, how, variant->id);
    if (variant->kind == DEBYE_LADDER_SCATTERING) {
      test_scattering(&path);
      test_wrong_courses(&path);
    }
    if (variant->kind == DEBYE_LADDER_COUNT) {
      test_counts(&path);
      test_many_bins(&path);
      test_full_bin(&path);
      test_wrong_counts(&path);
    }
  }
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}

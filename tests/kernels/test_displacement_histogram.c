/* SPDX-License-Identifier: MIT */
/* Histograms of displacements: one body for every device that there is, each instruction set of the
 * processor. Answers that are known first, then plain loops.
 *
 * Counts have no tolerance, but for displacements that lie so near to a bin's edge that two ways to round a
 * double part; courses of random floats have none such. Sums of d² and d⁴ are good to the 3e-7 that
 * displacement_histogram.h states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/displacement_histogram.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_self.h"

#define TOLERANCE 3e-7
#define GUARD 8
#define SENTINEL UINT64_C(0xfeedfacecafebeef)

typedef struct {
  const DebyeDisplacementKernel *kernel;
  int device;
} Path;

static size_t
n_rows(const DebyeDisplacementSettings *settings)
{
  return settings->n_groups * settings->n_lags;
}

static DebyeDisplacementSums
allocate(const DebyeDisplacementSettings *settings)
{
  const size_t rows = n_rows(settings), n = rows * settings->n_bins;
  DebyeDisplacementSums sums = {malloc((n + GUARD) * sizeof(uint64_t)), malloc(rows * sizeof(uint64_t)),
                                malloc(rows * sizeof(double)), malloc(rows * sizeof(double))};
  for (size_t i = 0; i < n + GUARD; i++)
    sums.counts[i] = SENTINEL;
  return sums;
}

static void
release(DebyeDisplacementSums *sums)
{
  free(sums->counts);
  free(sums->beyond);
  free(sums->square);
  free(sums->fourth);
}

/* All lags, in two calls. */
static DebyeDisplacementSums
compute(const Path *path, const DebyeDisplacementSettings *settings, const DebyeSelfBlock *block)
{
  DebyeDisplacementSums sums = allocate(settings);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) < UINT64_MAX);
  path->kernel->head.create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return sums;
  path->kernel->set_block(plan, block, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  const size_t first = settings->n_lags / 3;
  if (first > 0)
    path->kernel->execute(plan, 0, first, &sums, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  path->kernel->execute(plan, first, settings->n_lags - first, &sums, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  path->kernel->head.destroy(plan);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(sums.counts[n_rows(settings) * settings->n_bins + i] == SENTINEL);
  return sums;
}

static double
difference(double found, double expected)
{
  return fabs(found - expected) / (fabs(expected) + 1e-300);
}

static void
check_against_oracle(const Path *path, const DebyeDisplacementSettings *settings, const DebyeCourses *courses)
{
  DebyeDisplacementSums expected = allocate(settings), found = compute(path, settings, &courses->block);
  debye_oracle_displacements(settings, courses, &expected);
  size_t n_different = 0;
  for (size_t i = 0; i < n_rows(settings) * settings->n_bins; i++)
    n_different += found.counts[i] != expected.counts[i];
  CHECK_THAT(n_different == 0, "%zu atoms, %zu frames, %zu lags, %zu bins: %zu bins differ",
             courses->block.n_atoms, settings->n_frames, settings->n_lags, settings->n_bins, n_different);
  for (size_t row = 0; row < n_rows(settings); row++) {
    CHECK(found.beyond[row] == expected.beyond[row]);
    CHECK_AT_MOST(difference(found.square[row], expected.square[row]), TOLERANCE);
    CHECK_AT_MOST(difference(found.fourth[row], expected.fourth[row]), TOLERANCE);
  }
  release(&expected);
  release(&found);
}

static DebyeDisplacementSettings
settings_for(const DebyeCourses *courses, double bin_width, size_t n_bins, size_t n_groups)
{
  return (DebyeDisplacementSettings){.n_frames = courses->n_frames,
                                     .n_lags = courses->n_frames,
                                     .bin_width = bin_width,
                                     .n_bins = n_bins,
                                     .n_groups = n_groups,
                                     .max_atoms = courses->block.n_atoms + 5};
}

/* One step of 1/4 Å a frame: every displacement is on the edge of bin `lag`, and belongs to it. */
static void
check_edges(const Path *path, size_t n_frames)
{
  DebyeCourses courses = debye_courses_walk(40, n_frames, 1, 0.0, 0.0, 1);
  for (size_t t = 0; t < n_frames; t++)
    for (size_t i = 0; i < courses.block.stride; i++)
      courses.y[t * courses.block.stride + i] = 0.25f * (float)t - (float)i;
  DebyeDisplacementSettings settings = settings_for(&courses, 0.25, 50, 1);
  DebyeDisplacementSums sums = compute(path, &settings, &courses.block);
  for (size_t lag = 0; lag < n_frames; lag++) {
    const uint64_t pairs = 40 * (n_frames - lag);
    if (lag < 50)
      CHECK(sums.counts[lag * 50 + lag] == pairs && sums.beyond[lag] == 0);
    else
      CHECK(sums.beyond[lag] == pairs);
    const double square = 0.0625 * (double)(lag * lag);
    CHECK_AT_MOST(fabs(sums.square[lag] - square * (double)pairs), TOLERANCE * square * (double)pairs);
    CHECK_AT_MOST(fabs(sums.fourth[lag] - square * square * (double)pairs),
                  TOLERANCE * square * square * (double)pairs);
  }
  release(&sums);
  debye_courses_clear(&courses);
}

/* Of few frames, and of so many that most lags are beyond the bins and a device, which adds moments of 16 first times in float,
 * has many such sums of the others. */
static void
test_edges(const Path *path)
{
  check_edges(path, 70);
  check_edges(path, 330);
}

/* The same where all displacements have their bins, and nothing is in doubt but which: on a lattice of a bin's width,
 * and back and forth. */
static void
test_lattice(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(6, 400, 1, 0.0, 0.0, 12);
  for (size_t t = 0; t < 400; t++)
    for (size_t i = 0; i < courses.block.stride; i++) {
      courses.x[t * courses.block.stride + i] = 0.125f * (float)((t * (i + 3)) % 17);
      courses.z[t * courses.block.stride + i] = 0.125f * (float)((t * t + i) % 13);
    }
  const DebyeDisplacementSettings settings = settings_for(&courses, 0.125, 40, 1);
  check_against_oracle(path, &settings, &courses);
  debye_courses_clear(&courses);
}

static void
test_lengths(const Path *path)
{
  static const size_t lengths[] = {1, 2, 3, 31, 97, 501, 1100};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    DebyeCourses courses = debye_courses_walk(3, lengths[i], 1, 0.21, 40.0, 2);
    const DebyeDisplacementSettings settings = settings_for(&courses, 0.0371, 300, 1);
    check_against_oracle(path, &settings, &courses);
    debye_courses_clear(&courses);
  }
}

/* From bins that a byte could number to more than any fast memory holds. */
static void
test_numbers_of_bins(const Path *path)
{
  static const size_t numbers[] = {1, 30, 1500, 3000, 6000, 12000, 25000, 120000};
  DebyeCourses courses = debye_courses_walk(3, 40, 2, 0.4, 20.0, 3);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const DebyeDisplacementSettings settings =
        settings_for(&courses, 4.0 / (double)numbers[i], numbers[i], 2);
    check_against_oracle(path, &settings, &courses);
  }
  debye_courses_clear(&courses);
}

static void
test_groups(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(230, 33, 5, 0.4, 20.0, 4);
  DebyeDisplacementSettings settings = settings_for(&courses, 0.05, 100, 5);
  check_against_oracle(path, &settings, &courses);
  courses.block.group = NULL;
  settings.n_groups = 1;
  check_against_oracle(path, &settings, &courses);
  debye_courses_clear(&courses);
}

static void
test_listed_lags(const Path *path)
{
  static const uint32_t lags[] = {0, 1, 2, 5, 10, 31, 32, 33, 64, 100, 149};
  DebyeCourses courses = debye_courses_walk(21, 150, 2, 0.1, 20.0, 5);
  DebyeDisplacementSettings settings = settings_for(&courses, 0.021, 200, 2);
  settings.lags = lags;
  settings.n_lags = sizeof lags / sizeof lags[0];
  check_against_oracle(path, &settings, &courses);
  settings.lags = lags + 4;
  settings.n_lags = 1;
  check_against_oracle(path, &settings, &courses);
  debye_courses_clear(&courses);
}

/* Many displacements in one bin: more than 16 bits count. */
static void
test_crowd(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(300, 700, 1, 0.0, 0.0, 6);
  static const uint32_t lags[] = {1, 2};
  DebyeDisplacementSettings settings = settings_for(&courses, 1.0, 10, 1);
  DebyeDisplacementSums sums = compute(path, &settings, &courses.block);
  for (size_t lag = 0; lag < 700; lag += 100)
    CHECK(sums.counts[lag * 10] == 300 * (700 - lag));
  release(&sums);
  settings.lags = lags;
  settings.n_lags = 2;
  sums = compute(path, &settings, &courses.block);
  CHECK(sums.counts[0] == 300 * 699 && sums.counts[10] == 300 * 698);
  release(&sums);
  debye_courses_clear(&courses);
}

/* Blocks larger than what is brought to a device at a time: by frames, and by atoms where frames are few. */
static void
test_large_blocks(const Path *path)
{
  static const struct {
    size_t n_atoms, n_frames;
    uint32_t lags[2];
  } blocks[] = {{1500, 1000, {1, 997}}, {47000, 33, {5, 32}}};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    DebyeCourses courses = debye_courses_walk(blocks[i].n_atoms, blocks[i].n_frames, 3, 0.1, 20.0, 8);
    DebyeDisplacementSettings settings = settings_for(&courses, 0.05, 100, 3);
    settings.lags = blocks[i].lags;
    settings.n_lags = 2;
    check_against_oracle(path, &settings, &courses);
    debye_courses_clear(&courses);
  }
}

/* Most displacements of the longer lags are beyond the bins, of few and of more than fast memory holds. */
static void
test_beyond(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(5, 300, 1, 0.5, 20.0, 10);
  const DebyeDisplacementSettings few = settings_for(&courses, 0.1, 20, 1);
  const DebyeDisplacementSettings many = settings_for(&courses, 0.0001, 20000, 1);
  check_against_oracle(path, &few, &courses);
  check_against_oracle(path, &many, &courses);
  debye_courses_clear(&courses);
}

/* Courses that a device cuts into more than one unit of work. */
static void
test_long(const Path *path)
{
  DebyeCourses courses = debye_courses_walk(1, 1900, 1, 0.02, 20.0, 11);
  const DebyeDisplacementSettings settings = settings_for(&courses, 0.05, 60, 1);
  check_against_oracle(path, &settings, &courses);
  debye_courses_clear(&courses);
}

static void
test_refusals(const Path *path)
{
  static const uint32_t falling[] = {3, 3}, large[] = {1, 30};
  DebyeCourses courses = debye_courses_walk(10, 30, 1, 0.4, 20.0, 7);
  const DebyeDisplacementSettings good = settings_for(&courses, 0.1, 50, 1);
  DebyeDisplacementSettings wrong[6] = {good, good, good, good, good, good};
  wrong[0].bin_width = 0.0;
  wrong[1].n_bins = 0;
  wrong[2].lags = falling;
  wrong[2].n_lags = 2;
  wrong[3].lags = large;
  wrong[3].n_lags = 2;
  wrong[4].n_lags = 29;
  wrong[5].n_groups = 0;
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  for (int i = 0; i < 6; i++) {
    CHECK(path->kernel->head.create(path->device, &wrong[i], &plan, &status) == DEBYE_STATUS_INVALID);
    CHECK(plan == NULL && status.text[0] != '\0');
  }
  CHECK(path->kernel->head.create(path->device, &good, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  courses.z[29 * courses.block.stride + 9] = -INFINITY;
  CHECK(path->kernel->set_block(plan, &courses.block, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Atom 10 of frame 30 ") != NULL, "%s", status.text);
  courses.z[29 * courses.block.stride + 9] = 0.0f;
  CHECK(path->kernel->set_block(plan, &courses.block, &status) == DEBYE_STATUS_OK);
  const bool cancel = true;
  DebyeDisplacementSums sums = allocate(&good);
  CHECK(path->kernel->execute(plan, 0, 30, &sums, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  CHECK(path->kernel->execute(plan, 0, 30, &sums, NULL, &status) == DEBYE_STATUS_OK);
  path->kernel->head.destroy(plan);
  release(&sums);
  debye_courses_clear(&courses);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"edges", test_edges},       {"lattice", test_lattice},
    {"lengths", test_lengths},   {"numbers of bins", test_numbers_of_bins},
    {"groups", test_groups},     {"listed lags", test_listed_lags},
    {"crowd", test_crowd},       {"large blocks", test_large_blocks},
    {"beyond", test_beyond},     {"long", test_long},
    {"refusals", test_refusals},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  const Path path = {entry->backend->displacement, entry->device};
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
    if (!debye_test_is_asked(bodies[i].name, arguments))
      continue;
    debye_check_subject("%s%s: %s", entry->info.id, how, bodies[i].name);
    bodies[i].body(&path);
  }
}

/* Threads don't show, to the last bit. */
static void
test_threads(void)
{
  const Path path = {debye_backend_cpu.displacement, 0};
  DebyeCourses courses = debye_courses_walk(100, 80, 3, 0.5, 5.0, 9);
  const DebyeDisplacementSettings settings = settings_for(&courses, 0.1, 60, 3);
  DebyeDisplacementSums first = {NULL, NULL, NULL, NULL};
  debye_check_subject("cpu: threads");
  for (unsigned threads = 1; threads <= 5; threads += 2) {
    debye_backend_cpu.set_threads(threads);
    DebyeDisplacementSums sums = compute(&path, &settings, &courses.block);
    if (first.counts == NULL) {
      first = sums;
      continue;
    }
    CHECK(memcmp(first.counts, sums.counts, n_rows(&settings) * 60 * sizeof *sums.counts) == 0);
    CHECK(memcmp(first.square, sums.square, n_rows(&settings) * sizeof *sums.square) == 0);
    CHECK(memcmp(first.fourth, sums.fourth, n_rows(&settings) * sizeof *sums.fourth) == 0);
    release(&sums);
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

/* SPDX-License-Identifier: MIT */
/* The pair histogram: one body for every device that there is, each instruction set of the processor and each
 * size of tiles. Crystals with known shells first, then the plain loops of the oracle, to the last count.
 *
 * There is no tolerance: a count may differ from the oracle's only by pairs that lie within 1e-9 Å of a bin's
 * edge, where two ways to round a double part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/direct_block.h"
#include "kernels/pair_counts.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/oracle_pairs.h"
#include "tests/support/pair_systems.h"

#define GUARD 32
#define SENTINEL UINT64_C(0xfeedfacecafebeef)

/* What a body runs on. */
typedef struct {
  const DebyePairHistogramKernel *kernel;
  int device;
  unsigned tile_atoms;
  size_t n_slices;
} Path;

static const DebyeGroupPair like = {0, 0};

static size_t
n_values(const DebyePairSettings *settings)
{
  return settings->n_pairs * settings->n_bins;
}

/* The counts of one frame, slice by slice; to be freed. */
static uint64_t *
count(const Path *path, const DebyePairSettings *given, const DebyePairFrame *frame)
{
  DebyePairSettings settings = *given;
  size_t n = n_values(&settings);
  uint64_t *all = calloc(n + GUARD, sizeof *all);
  DebyePairPlan *plan = NULL;
  DebyeStatus status = {0};
  settings.tile_atoms = path->tile_atoms;
  for (size_t i = 0; i < GUARD; i++)
    all[n + i] = SENTINEL;
  CHECK(path->kernel->bytes_needed(path->device, &settings) < SIZE_MAX);
  path->kernel->create(path->device, &settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return all;
  path->kernel->set_frame(plan, frame, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  size_t n_slices = path->n_slices > 0 ? path->n_slices : 1;
  for (size_t slice = 0; slice < n_slices; slice++) {
    path->kernel->execute(plan, slice, 1, n_slices, all, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  }
  path->kernel->destroy(plan);
  CHECK(debye_pair_add_self_images(&settings, frame, all, &status) == DEBYE_STATUS_OK);
  size_t n_hurt = 0;
  for (size_t i = 0; i < GUARD; i++)
    n_hurt += all[n + i] != SENTINEL;
  CHECK_THAT(n_hurt == 0, "%zu values behind the counts were written", n_hurt);
  return all;
}

static void
check_against_oracle(const Path *path, const DebyePairSettings *settings, const DebyePairFrame *frame)
{
  size_t n = n_values(settings);
  uint64_t *expected = calloc(n, sizeof *expected), total = 0;
  uint64_t *near = calloc(n + settings->n_pairs, sizeof *near);
  uint64_t *found = count(path, settings, frame);
  debye_oracle_pairs(settings, frame, expected, near);
  size_t n_different = debye_oracle_pairs_compare(settings, found, expected, near);
  CHECK_THAT(n_different == 0, "%zu of %zu histograms differ from the exact ones", n_different,
             settings->n_pairs);
  for (size_t i = 0; i < n; i++)
    total += expected[i];
  CHECK(total > 0 || frame->n < 3);
  free(expected);
  free(near);
  free(found);
}

static DebyePairSettings
settings_for(const DebyePairSystem *system, const DebyeGroupPair *pairs, size_t n_pairs, size_t n_groups,
             double r_max, size_t n_bins)
{
  return (DebyePairSettings){.max_atoms = system->frame.n,
                             .n_groups = n_groups,
                             .pairs = pairs,
                             .n_pairs = n_pairs,
                             .r_max = r_max,
                             .n_bins = n_bins};
}

/* Analytic. */

/* Shells at squared distances (in units of a²) with so many neighbours of each atom; everything else empty.
 */
static void
check_shells(const Path *path, DebyePairSystem *system, double a, const double (*shells)[2], size_t n_shells)
{
  system->frame.cell = &system->cell;
  /* No shell on an edge: those are at √(k/4)·a, edges at multiples of 0.0437. */
  DebyePairSettings settings = settings_for(system, &like, 1, 1, 0.0437 * 180.0, 180);
  uint64_t *found = count(path, &settings, &system->frame), others = 0, sum = 0;
  for (size_t bin = 0; bin < settings.n_bins; bin++)
    others += found[bin];
  for (size_t s = 0; s < n_shells; s++) {
    size_t bin = (size_t)(a * sqrt(shells[s][0]) / 0.0437);
    uint64_t expected = (uint64_t)((double)system->frame.n * shells[s][1] / 2.0);
    CHECK_THAT(bin < settings.n_bins && found[bin] == expected, "shell %zu has %lu pairs, not %lu", s + 1,
               bin < settings.n_bins ? (unsigned long)found[bin] : 0ul, (unsigned long)expected);
    sum += expected;
  }
  CHECK_THAT(others == sum, "%lu pairs in all, %lu in shells", (unsigned long)others, (unsigned long)sum);
  free(found);
}

/* Also for crystals of one cell, where most neighbours are images, an atom's own among them. */
static void
test_crystals(const Path *path)
{
  static const double fcc[][2] = {{0.5, 12}, {1.0, 6}, {1.5, 24}, {2.0, 12}, {2.5, 24}, {3.0, 8}, {3.5, 48}};
  static const double bcc[][2] = {{0.75, 8}, {1.0, 6}, {2.0, 12}, {2.75, 24}, {3.0, 8}, {4.0, 6}};
  for (size_t repeats = 1; repeats <= 5; repeats += repeats < 3 ? 1 : 2) {
    /* r_max is 7.866 Å: before the shells at 4a² (fcc, 8.1 Å) and 4.75a² (bcc, 8.08 Å). */
    DebyePairSystem system = debye_pair_fcc(4.05, repeats);
    check_shells(path, &system, 4.05, fcc, sizeof fcc / sizeof fcc[0]);
    debye_pair_system_clear(&system);
    system = debye_pair_bcc(3.71, repeats);
    check_shells(path, &system, 3.71, bcc, sizeof bcc / sizeof bcc[0]);
    debye_pair_system_clear(&system);
  }
}

/* One atom in fcc's primitive cell, given as skew as can be: every pair is an atom and its own image. */
static void
test_primitive_cell(const Path *path)
{
  static const double fcc[][2] = {{0.5, 12}, {1.0, 6}, {1.5, 24}, {2.0, 12}, {2.5, 24}, {3.0, 8}, {3.5, 48}};
  DebyePairSystem system = debye_pair_random(1, NULL, 1, 0.0, 3);
  DebyeVec3 u = {2.025, 2.025, 0.0}, v = {2.025, 0.0, 2.025}, w = {0.0, 2.025, 2.025};
  system.cell.a = u;
  system.cell.b = debye_vec3_add(v, debye_vec3_scale(u, 5.0));
  system.cell.c = debye_vec3_add(w, debye_vec3_add(debye_vec3_scale(u, -3.0), debye_vec3_scale(v, 4.0)));
  check_shells(path, &system, 4.05, fcc, sizeof fcc / sizeof fcc[0]);

  DebyePairSettings settings = settings_for(&system, &like, 1, 1, 9.0, 90);
  settings.without_self_images = true;
  uint64_t *found = count(path, &settings, &system.frame);
  for (size_t bin = 0; bin < settings.n_bins; bin++)
    CHECK(found[bin] == 0);
  free(found);
  debye_pair_system_clear(&system);
}

/* Edges belong to the bin above them; r_max to none. */
static void
test_edges(const Path *path)
{
  float x[] = {0.0f, 0.0f, 1.0f, 2.5f, 4.0f}, zero[] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  DebyePairFrame frame = {.x = x, .y = zero, .z = zero, .n = 5};
  DebyePairSettings settings = {
      .max_atoms = 5, .n_groups = 1, .pairs = &like, .n_pairs = 1, .r_max = 4.0, .n_bins = 8};
  /* Distances: 0 once, 1 twice, 2.5 and 4 twice, and 1.5, 3, 1.5. */
  static const uint64_t expected[8] = {1, 0, 2, 2, 0, 2, 1, 0};
  uint64_t *found = count(path, &settings, &frame);
  for (size_t bin = 0; bin < 8; bin++)
    CHECK_THAT(found[bin] == expected[bin], "bin %zu has %lu pairs, not %lu", bin, (unsigned long)found[bin],
               (unsigned long)expected[bin]);
  free(found);
}

/* Bins of an ideal gas, far beyond the cell: as many as there is room, within the standard error of
 * independent pairs. 40 bins in each of the cells; at 5 standard errors one in a million would fail by
 * chance, and the seed is fixed. */
static void
test_ideal_gas(const Path *path)
{
  const size_t n = 500, n_bins = 40;
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    DebyePairSystem system = debye_pair_random(n, &debye_test_cells[c].cell, 1, 0.0, 17 + (unsigned)c);
    system.frame.cell = &system.cell;
    double volume = fabs(debye_cell_volume(&system.cell)), r_max = 2.0 * cbrt(volume), chi2 = 0.0;
    DebyePairSettings settings = settings_for(&system, &like, 1, 1, r_max, n_bins);
    settings.without_self_images = true;
    uint64_t *found = count(path, &settings, &system.frame);
    for (size_t bin = 0; bin < n_bins; bin++) {
      double low = r_max * (double)bin / (double)n_bins, high = r_max * (double)(bin + 1) / (double)n_bins;
      double shell = 4.0 / 3.0 * 3.14159265358979324 * (high * high * high - low * low * low);
      double expected = 0.5 * (double)n * (double)(n - 1) * shell / volume;
      /* A pair with several images in a bin counts them all, which makes the spread larger than that of
       * independent counts by at most so many as there are cells in the shell. */
      double spread = sqrt(expected * (1.0 + shell / volume)), off = ((double)found[bin] - expected) / spread;
      chi2 += off * off;
      CHECK_THAT(fabs(off) < 5.0, "%s: bin %zu is off by %.1f standard errors", debye_test_cells[c].name, bin,
                 off);
    }
    CHECK_AT_MOST(chi2 / (double)n_bins, 3.0);
    free(found);
    debye_pair_system_clear(&system);
  }
}

/* Against the oracle. */

static void
check_random(const Path *path, const DebyeCell *cell, size_t n, size_t n_groups, double r_max, size_t n_bins,
             DebyePairImages images, double offset)
{
  DebyeGroupPair *pairs;
  size_t n_pairs = debye_all_group_pairs(n_groups, &pairs);
  DebyePairSystem system = debye_pair_random(n, cell, n_groups, offset, (unsigned)(n + n_bins));
  system.frame.cell = cell != NULL ? &system.cell : NULL;
  DebyePairSettings settings = settings_for(&system, pairs, n_pairs, n_groups, r_max, n_bins);
  settings.images = images;
  check_against_oracle(path, &settings, &system.frame);
  debye_pair_system_clear(&system);
  free(pairs);
}

static void
test_cells(const Path *path)
{
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    const DebyeCell *cell = &debye_test_cells[c].cell;
    double edge = cbrt(fabs(debye_cell_volume(cell)));
    check_random(path, cell, 200, 1, 0.3 * edge, 100, DEBYE_PAIR_IMAGES_ALL, 0.0);
    check_random(path, cell, 160, 1, 0.5 * edge, 1000, DEBYE_PAIR_IMAGES_ALL, 0.0);
    check_random(path, cell, 40, 2, 2.0 * edge, 37, DEBYE_PAIR_IMAGES_ALL, 0.0);
  }
}

static void
test_nearest(const Path *path)
{
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    const DebyeCell *cell = &debye_test_cells[c].cell;
    double edge = cbrt(fabs(debye_cell_volume(cell)));
    check_random(path, cell, 80, 2, edge, 60, DEBYE_PAIR_IMAGES_NEAREST, 0.0);
    /* Within half the shortest vector this is no other case. */
    check_random(path, cell, 150, 1, 0.15 * edge, 60, DEBYE_PAIR_IMAGES_NEAREST, 0.0);
  }
}

static void
test_open(const Path *path)
{
  check_random(path, NULL, 700, 1, 36.0, 200, DEBYE_PAIR_IMAGES_ALL, 0.0);
  check_random(path, NULL, 700, 3, 8.0, 200, DEBYE_PAIR_IMAGES_NEAREST, 0.0);
}

/* Trajectories that were unwrapped: a few cells away, 10⁴ Å from the origin. What the floats say is what
 * counts. */
static void
test_far_from_origin(const Path *path)
{
  for (size_t c = 0; c < debye_n_test_cells; c++)
    check_random(path, &debye_test_cells[c].cell, 200, 1, 11.0, 300, DEBYE_PAIR_IMAGES_ALL, 1e4);
  check_random(path, NULL, 200, 1, 11.0, 300, DEBYE_PAIR_IMAGES_ALL, 1e4);
}

/* Bins so narrow that a float can't tell one pair's, and bins so wide that there is one. */
static void
test_bin_widths(const Path *path)
{
  const DebyeCell *cell = &debye_test_cells[0].cell;
  check_random(path, cell, 300, 1, 9.5, 1, DEBYE_PAIR_IMAGES_ALL, 0.0);
  check_random(path, cell, 300, 1, 9.5, 20000, DEBYE_PAIR_IMAGES_ALL, 0.0);
  check_random(path, cell, 300, 1, 9.5, 1000000, DEBYE_PAIR_IMAGES_ALL, 0.0);
}

static void
test_groups(const Path *path)
{
  const DebyeCell *cell = &debye_test_cells[3].cell;
  check_random(path, cell, 400, 4, 9.0, 90, DEBYE_PAIR_IMAGES_ALL, 0.0);
  check_random(path, cell, 500, 64, 9.0, 50, DEBYE_PAIR_IMAGES_ALL, 0.0);
  /* All partials together are the histogram of one group. */
  DebyeGroupPair *pairs;
  size_t n_pairs = debye_all_group_pairs(5, &pairs), n_bins = 100;
  DebyePairSystem system = debye_pair_random(2000, cell, 5, 0.0, 99);
  system.frame.cell = &system.cell;
  DebyePairSettings settings = settings_for(&system, pairs, n_pairs, 5, 10.0, n_bins);
  uint64_t *parts = count(path, &settings, &system.frame);
  DebyePairFrame whole = system.frame;
  whole.group = NULL;
  DebyePairSettings one = settings_for(&system, &like, 1, 1, 10.0, n_bins);
  uint64_t *all = count(path, &one, &whole);
  for (size_t bin = 0; bin < n_bins; bin++) {
    uint64_t sum = 0;
    for (size_t pair = 0; pair < n_pairs; pair++)
      sum += parts[pair * n_bins + bin];
    CHECK(sum == all[bin]);
  }
  free(parts);
  free(all);
  free(pairs);
  debye_pair_system_clear(&system);
}

/* Only some pairs asked for, some groups empty, some atoms in none. */
static void
test_some_pairs(const Path *path)
{
  static const DebyeGroupPair pairs[] = {{3, 1}, {4, 4}, {6, 0}, {2, 2}};
  DebyePairSystem system = debye_pair_random(400, &debye_test_cells[2].cell, 6, 0.0, 5);
  system.frame.cell = &system.cell;
  for (size_t i = 0; i < 400; i += 7)
    system.group[i] = i % 2 == 0 ? DEBYE_PAIR_NO_GROUP : 8;
  DebyePairSettings settings = settings_for(&system, pairs, 4, 8, 8.0, 70);
  check_against_oracle(path, &settings, &system.frame);
  debye_pair_system_clear(&system);
}

static void
test_few_atoms(const Path *path)
{
  for (size_t n = 0; n <= 3; n++) {
    check_random(path, &debye_test_cells[1].cell, n, 1, 30.0, 50, DEBYE_PAIR_IMAGES_ALL, 0.0);
    check_random(path, NULL, n, 2, 30.0, 50, DEBYE_PAIR_IMAGES_ALL, 0.0);
  }
}

/* Atoms of three in turn are a molecule; besides, each excludes the one that is 5 further. In a cell that is
 * smaller than r_max a pair's other images stay. */
static void
test_exclusions(const Path *path)
{
  enum { N = 210, CLASSES = N / 3 };
  uint32_t members[N], class_first[CLASSES + 1], partners[N], partner_first[N + 1];
  for (uint32_t i = 0; i < N; i++) {
    members[i] = (i * 7) % N;
    partners[i] = (i + 5) % N;
    partner_first[i] = i;
  }
  partner_first[N] = N;
  for (uint32_t c = 0; c <= CLASSES; c++)
    class_first[c] = 3 * c;
  DebyeGroupPair *pairs;
  size_t n_pairs = debye_all_group_pairs(2, &pairs);
  for (size_t c = 0; c < debye_n_test_cells; c += 3)
    for (int images = DEBYE_PAIR_IMAGES_ALL; images <= (int)DEBYE_PAIR_IMAGES_NEAREST; images++) {
      DebyePairSystem system = debye_pair_random(N, &debye_test_cells[c].cell, 2, 0.0, 23);
      system.frame.cell = &system.cell;
      DebyePairSettings settings = settings_for(&system, pairs, n_pairs, 2, 12.0, 100);
      settings.images = (DebyePairImages)images;
      settings.exclusions = (DebyePairExclusions){.members = members,
                                                  .class_first = class_first,
                                                  .n_classes = CLASSES,
                                                  .partners = partners,
                                                  .partner_first = partner_first,
                                                  .n_listed = N};
      check_against_oracle(path, &settings, &system.frame);
      debye_pair_system_clear(&system);
    }
  free(pairs);
}

/* A larger system, where every kind of tile occurs; against the first path that computed it, which is the
 * processor's. */
static void
test_same_counts(const Path *path)
{
  static uint64_t reference[3 * 250];
  static bool has_reference;
  static const DebyeGroupPair pairs[] = {{0, 0}, {0, 1}, {1, 1}};
  DebyePairSystem system = debye_pair_random(8000, &debye_test_cells[3].cell, 2, 0.0, 77);
  system.frame.cell = &system.cell;
  DebyePairSettings settings = settings_for(&system, pairs, 3, 2, 11.0, 250);
  uint64_t *found = count(path, &settings, &system.frame);
  if (!has_reference)
    memcpy(reference, found, sizeof reference);
  has_reference = true;
  CHECK_THAT(memcmp(found, reference, sizeof reference) == 0, "the counts differ from the processor's");
  free(found);
  debye_pair_system_clear(&system);
}

/* One plan, frames with other numbers of atoms and other cells. */
static void
test_frames(const Path *path)
{
  DebyePairSettings settings = {.max_atoms = 400,
                                .n_groups = 1,
                                .pairs = &like,
                                .n_pairs = 1,
                                .r_max = 9.0,
                                .n_bins = 90,
                                .tile_atoms = path->tile_atoms};
  DebyePairPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  for (size_t c = 0; c < debye_n_test_cells && plan != NULL; c++) {
    DebyePairSystem system =
        debye_pair_random(400 - 50 * c, &debye_test_cells[c].cell, 1, 0.0, 3 + (unsigned)c);
    uint64_t found[90] = {0}, expected[90], near[91];
    system.frame.cell = c == 4 ? NULL : &system.cell;
    CHECK(path->kernel->set_frame(plan, &system.frame, &status) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, 0, 3, 3, found, NULL, &status) == DEBYE_STATUS_OK);
    CHECK(debye_pair_add_self_images(&settings, &system.frame, found, &status) == DEBYE_STATUS_OK);
    debye_oracle_pairs(&settings, &system.frame, expected, near);
    CHECK(debye_oracle_pairs_compare(&settings, found, expected, near) == 0);
    debye_pair_system_clear(&system);
  }
  path->kernel->destroy(plan);
}

/* Refusals. */

static void
check_refused(const Path *path, const DebyePairSettings *settings)
{
  DebyePairPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->bytes_needed(path->device, settings) == SIZE_MAX);
  CHECK(path->kernel->create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
}

static const DebyePairSettings small_settings = {
    .max_atoms = 4, .n_groups = 2, .pairs = &like, .n_pairs = 1, .r_max = 5.0, .n_bins = 10};

static void
test_wrong_settings(const Path *path)
{
  static const DebyeGroupPair beyond = {0, 2};
  DebyePairSettings wrong = small_settings;
  wrong.r_max = 0.0;
  check_refused(path, &wrong);
  wrong.r_max = (double)NAN;
  check_refused(path, &wrong);
  wrong = small_settings;
  wrong.n_bins = 0;
  check_refused(path, &wrong);
  wrong.n_bins = DEBYE_PAIR_MAX_BINS + 1;
  check_refused(path, &wrong);
  wrong = small_settings;
  wrong.n_groups = 0;
  check_refused(path, &wrong);
  wrong.n_groups = DEBYE_PAIR_MAX_GROUPS + 1;
  check_refused(path, &wrong);
  wrong = small_settings;
  wrong.n_pairs = 0;
  check_refused(path, &wrong);
  wrong = small_settings;
  wrong.pairs = &beyond;
  check_refused(path, &wrong);
  wrong = small_settings;
  wrong.tile_atoms = 48;
  check_refused(path, &wrong);
  wrong = small_settings;
  wrong.max_atoms = DEBYE_PAIR_MAX_ATOMS + 1;
  check_refused(path, &wrong);
}

static void
check_frame_refused(const Path *path, DebyePairPlan *plan, const DebyePairFrame *frame, const char *says)
{
  DebyeStatus status = {0};
  CHECK(path->kernel->set_frame(plan, frame, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, says) != NULL, "“%s” does not say “%s”", status.text, says);
}

static void
test_wrong_frames(const Path *path)
{
  DebyePairPlan *plan = NULL;
  DebyeStatus status = {0};
  float good[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[4] = {0.0f, 1.0f, NAN, 2.0f};
  float far[4] = {0.0f, 1e10f, 2.0f, 3.0f};
  const uint32_t group[4] = {0, 0, 7, 1};
  const DebyeCell none = {0}, flat = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {10.0, 10.0, 0.0}};
  const DebyeCell thin = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {0.0, 0.0, 0.01}};
  CHECK(path->kernel->create(path->device, &small_settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  check_frame_refused(path, plan, &(DebyePairFrame){.x = good, .y = good, .z = good, .n = 5}, "5 atoms");
  check_frame_refused(path, plan, &(DebyePairFrame){.x = good, .y = good, .z = nan, .n = 4}, "Atom 3 ");
  check_frame_refused(path, plan, &(DebyePairFrame){.x = far, .y = good, .z = good, .n = 4}, "Atom 2 ");
  check_frame_refused(path, plan, &(DebyePairFrame){.x = good, .y = good, .z = good, .n = 4, .cell = &none},
                      "cell");
  check_frame_refused(path, plan, &(DebyePairFrame){.x = good, .y = good, .z = good, .n = 4, .cell = &flat},
                      "cell");
  check_frame_refused(path, plan, &(DebyePairFrame){.x = good, .y = good, .z = good, .n = 4, .cell = &thin},
                      "width");
  /* An atom in no group may be anywhere. */
  uint64_t found[10] = {0};
  DebyePairFrame frame = {.x = good, .y = good, .z = nan, .group = group, .n = 4};
  CHECK(path->kernel->set_frame(plan, &frame, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->execute(plan, 0, 1, 1, found, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(found[3] == 1);
  CHECK(path->kernel->execute(plan, 2, 3, 4, found, NULL, &status) == DEBYE_STATUS_INVALID);
  path->kernel->destroy(plan);
}

static void
test_cancelled(const Path *path)
{
  DebyePairSystem system = debye_pair_random(2000, &debye_test_cells[0].cell, 1, 0.0, 4);
  system.frame.cell = &system.cell;
  DebyePairSettings settings = settings_for(&system, &like, 1, 1, 10.0, 100);
  uint64_t found[100] = {0};
  DebyePairPlan *plan = NULL;
  DebyeStatus status = {0};
  bool cancel = true;
  CHECK(path->kernel->create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan != NULL) {
    CHECK(path->kernel->set_frame(plan, &system.frame, &status) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, 0, 1, 1, found, &cancel, &status) == DEBYE_STATUS_CANCELLED);
    cancel = false;
    memset(found, 0, sizeof found);
    CHECK(path->kernel->execute(plan, 0, 1, 1, found, &cancel, &status) == DEBYE_STATUS_OK);
    uint64_t *again = count(path, &settings, &system.frame);
    CHECK(memcmp(found, again, sizeof found) == 0);
    free(again);
  }
  path->kernel->destroy(plan);
  path->kernel->destroy(NULL);
  debye_pair_system_clear(&system);
}

/* Each body on each path. */

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"crystals", test_crystals},
    {"primitive cell", test_primitive_cell},
    {"edges", test_edges},
    {"ideal gas", test_ideal_gas},
    {"cells", test_cells},
    {"nearest", test_nearest},
    {"open", test_open},
    {"far from the origin", test_far_from_origin},
    {"bin widths", test_bin_widths},
    {"groups", test_groups},
    {"some pairs", test_some_pairs},
    {"few atoms", test_few_atoms},
    {"exclusions", test_exclusions},
    {"same counts", test_same_counts},
    {"frames", test_frames},
    {"wrong settings", test_wrong_settings},
    {"wrong frames", test_wrong_frames},
    {"cancelled", test_cancelled},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, const char *only_tiles)
{
  static const Path shapes[] = {{.tile_atoms = 0, .n_slices = 1},
                                {.tile_atoms = 32, .n_slices = 7},
                                {.tile_atoms = 64, .n_slices = 3},
                                {.tile_atoms = 128, .n_slices = 1},
                                {.tile_atoms = 256, .n_slices = 2}};
  for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
    Path path = shapes[shape];
    if (only_tiles != NULL && strtoul(only_tiles, NULL, 10) != path.tile_atoms)
      continue;
    path.kernel = entry->backend->pair_histogram;
    path.device = entry->device;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
      debye_check_subject("%s%s, tiles of %u: %s", entry->info.id, how, path.tile_atoms, bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

static void
test_processor(const DebyeDeviceEntry *entry, const char *only_tiles)
{
  DebyeCpuLevel best = debye_cpu_get_level();
  for (int level = DEBYE_CPU_PORTABLE; level <= (int)best; level++) {
    char how[40];
    debye_cpu_set_level((DebyeCpuLevel)level);
    snprintf(how, sizeof how, " (%s)", debye_direct_block((DebyeCpuLevel)level)->name);
    test_device(entry, how, only_tiles);
  }
  debye_cpu_set_level(best);
}

/* With an argument only on devices whose id begins so ("cuda"), with two only tiles of so many atoms (0: as
 * the program chooses): the sanitizers take their time. */
int
main(int argc, char **argv)
{
  const char *only = argc > 1 ? argv[1] : "", *only_tiles = argc > 2 ? argv[2] : NULL;
  DebyeRegistry *registry = debye_registry_new(getenv("DEBYE_BACKEND_DIR"));
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    if (strncmp(entry->info.id, only, strlen(only)) != 0)
      continue;
    if (entry->device < 0)
      printf("%s is not tested: %s\n", entry->backend != NULL ? entry->backend->title : entry->info.name,
             entry->reason);
    else if (strcmp(entry->info.id, "cpu") == 0)
      test_processor(entry, only_tiles);
    else
      test_device(entry, "", only_tiles);
  }
  debye_registry_free(registry);
  return debye_check_finish();
}

/* SPDX-License-Identifier: MIT */
/* Atoms at random in every cell against the plain loops of the oracle, to the last count. */
#include "pair_test_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pairs/pair_histogram_lanes.h"
#include "tests/support/check.h"
#include "tests/support/oracle_pairs.h"

void
debye_pair_test_cells(const DebyePairPath *path)
{
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    const DebyeCell *cell = &debye_test_cells[c].cell;
    double edge = cbrt(fabs(debye_cell_volume(cell)));
    debye_pair_check_random(path, cell, 200, 1, 0.3 * edge, 100, DEBYE_PAIR_IMAGES_ALL, 0.0);
    debye_pair_check_random(path, cell, 160, 1, 0.5 * edge, 1000, DEBYE_PAIR_IMAGES_ALL, 0.0);
    debye_pair_check_random(path, cell, 40, 2, 2.0 * edge, 37, DEBYE_PAIR_IMAGES_ALL, 0.0);
  }
}

void
debye_pair_test_nearest(const DebyePairPath *path)
{
  for (size_t c = 0; c < debye_n_test_cells; c++) {
    const DebyeCell *cell = &debye_test_cells[c].cell;
    double edge = cbrt(fabs(debye_cell_volume(cell)));
    debye_pair_check_random(path, cell, 80, 2, edge, 60, DEBYE_PAIR_IMAGES_NEAREST, 0.0);
    /* Within half the shortest vector this is no other case. */
    debye_pair_check_random(path, cell, 150, 1, 0.15 * edge, 60, DEBYE_PAIR_IMAGES_NEAREST, 0.0);
  }
}

void
debye_pair_test_open(const DebyePairPath *path)
{
  debye_pair_check_random(path, NULL, 700, 1, 36.0, 200, DEBYE_PAIR_IMAGES_ALL, 0.0);
  debye_pair_check_random(path, NULL, 700, 3, 8.0, 200, DEBYE_PAIR_IMAGES_NEAREST, 0.0);
}

/* Trajectories that were unwrapped: a few cells away, 10⁴ Å from the origin. What the floats say is what
 * counts. */
void
debye_pair_test_far_from_origin(const DebyePairPath *path)
{
  for (size_t c = 0; c < debye_n_test_cells; c++)
    debye_pair_check_random(path, &debye_test_cells[c].cell, 200, 1, 11.0, 300, DEBYE_PAIR_IMAGES_ALL, 1e4);
  debye_pair_check_random(path, NULL, 200, 1, 11.0, 300, DEBYE_PAIR_IMAGES_ALL, 1e4);
}

/* Bins so narrow that a float can't tell one pair's, and bins so wide that there is one. */
void
debye_pair_test_bin_widths(const DebyePairPath *path)
{
  const DebyeCell *cell = &debye_test_cells[0].cell;
  debye_pair_check_random(path, cell, 300, 1, 9.5, 1, DEBYE_PAIR_IMAGES_ALL, 0.0);
  debye_pair_check_random(path, cell, 300, 1, 9.5, 20000, DEBYE_PAIR_IMAGES_ALL, 0.0);
  debye_pair_check_random(path, cell, 300, 1, 9.5, 1000000, DEBYE_PAIR_IMAGES_ALL, 0.0);
}

void
debye_pair_test_groups(const DebyePairPath *path)
{
  const DebyeCell *cell = &debye_test_cells[3].cell;
  debye_pair_check_random(path, cell, 400, 4, 9.0, 90, DEBYE_PAIR_IMAGES_ALL, 0.0);
  debye_pair_check_random(path, cell, 500, 64, 9.0, 50, DEBYE_PAIR_IMAGES_ALL, 0.0);
  /* All partials together are the histogram of one group. */
  DebyeGroupPair *pairs;
  size_t n_pairs = debye_all_group_pairs(5, &pairs), n_bins = 100;
  DebyePairSystem system = debye_pair_random(2000, cell, 5, 0.0, 99);
  system.frame.cell = &system.cell;
  DebyePairSettings settings = debye_pair_settings_for(&system, pairs, n_pairs, 5, 10.0, n_bins);
  uint64_t *parts = debye_pair_test_count(path, &settings, &system.frame);
  DebyePairFrame whole = system.frame;
  whole.group = NULL;
  DebyePairSettings one = debye_pair_settings_for(&system, &debye_pair_like, 1, 1, 10.0, n_bins);
  uint64_t *all = debye_pair_test_count(path, &one, &whole);
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
void
debye_pair_test_some_pairs(const DebyePairPath *path)
{
  static const DebyeGroupPair pairs[] = {{3, 1}, {4, 4}, {6, 0}, {2, 2}};
  DebyePairSystem system = debye_pair_random(400, &debye_test_cells[2].cell, 6, 0.0, 5);
  system.frame.cell = &system.cell;
  for (size_t i = 0; i < 400; i += 7)
    system.group[i] = i % 2 == 0 ? DEBYE_PAIR_NO_GROUP : 8;
  DebyePairSettings settings = debye_pair_settings_for(&system, pairs, 4, 8, 8.0, 70);
  debye_pair_check_against_oracle(path, &settings, &system.frame);
  debye_pair_system_clear(&system);
}

void
debye_pair_test_few_atoms(const DebyePairPath *path)
{
  for (size_t n = 0; n <= 3; n++) {
    debye_pair_check_random(path, &debye_test_cells[1].cell, n, 1, 30.0, 50, DEBYE_PAIR_IMAGES_ALL, 0.0);
    debye_pair_check_random(path, NULL, n, 2, 30.0, 50, DEBYE_PAIR_IMAGES_ALL, 0.0);
  }
}

/* Atoms of three in turn are a molecule; besides, each excludes the one that is 5 further. In a cell that is
 * smaller than r_max a pair's other images stay. */
void
debye_pair_test_exclusions(const DebyePairPath *path)
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
      DebyePairSettings settings = debye_pair_settings_for(&system, pairs, n_pairs, 2, 12.0, 100);
      settings.images = (DebyePairImages)images;
      settings.exclusions = (DebyePairExclusions){.members = members,
                                                  .class_first = class_first,
                                                  .n_classes = CLASSES,
                                                  .partners = partners,
                                                  .partner_first = partner_first,
                                                  .n_listed = N};
      debye_pair_check_against_oracle(path, &settings, &system.frame);
      debye_pair_system_clear(&system);
    }
  free(pairs);
}

/* A larger system, where every kind of tile occurs; against the first path that computed it, which is the
 * processor's. */
void
debye_pair_test_same_counts(const DebyePairPath *path)
{
  static uint64_t reference[3 * 250];
  static bool has_reference;
  static const DebyeGroupPair pairs[] = {{0, 0}, {0, 1}, {1, 1}};
  DebyePairSystem system = debye_pair_random(8000, &debye_test_cells[3].cell, 2, 0.0, 77);
  system.frame.cell = &system.cell;
  DebyePairSettings settings = debye_pair_settings_for(&system, pairs, 3, 2, 11.0, 250);
  uint64_t *found = debye_pair_test_count(path, &settings, &system.frame);
  if (!has_reference)
    memcpy(reference, found, sizeof reference);
  has_reference = true;
  CHECK_THAT(memcmp(found, reference, sizeof reference) == 0, "the counts differ from the processor's");
  free(found);
  debye_pair_system_clear(&system);
}

/* One plan, frames with other numbers of atoms and other cells. */
void
debye_pair_test_frames(const DebyePairPath *path)
{
  DebyePairSettings settings = {.max_atoms = 400,
                                .n_groups = 1,
                                .pairs = &debye_pair_like,
                                .n_pairs = 1,
                                .r_max = 9.0,
                                .n_bins = 90,
                                .tile_atoms = path->tile_atoms};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
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
  path->kernel->head.destroy(plan);
}

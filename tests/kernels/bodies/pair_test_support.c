/* SPDX-License-Identifier: MIT */
/* Counting between sentinels, and the comparison with the oracle. */
#include "pair_test_support.h"

#include <stdlib.h>

#include "kernels/pairs/pair_histogram_lanes.h"
#include "tests/support/check.h"
#include "tests/support/oracle_pairs.h"

#define GUARD 32
#define SENTINEL UINT64_C(0xfeedfacecafebeef)

const DebyeGroupPair debye_pair_like = {0, 0};

static size_t
n_values(const DebyePairSettings *settings)
{
  return settings->n_pairs * settings->n_bins;
}

uint64_t *
debye_pair_test_count(const DebyePairPath *path, const DebyePairSettings *given, const DebyePairFrame *frame)
{
  DebyePairSettings settings = *given;
  size_t n = n_values(&settings);
  uint64_t *all = calloc(n + GUARD, sizeof *all);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  settings.tile_atoms = path->tile_atoms;
  for (size_t i = 0; i < GUARD; i++)
    all[n + i] = SENTINEL;
  CHECK(path->kernel->head.bytes_needed(path->device, &settings) < SIZE_MAX);
  path->kernel->head.create(path->device, &settings, &plan, &status);
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
  path->kernel->head.destroy(plan);
  CHECK(debye_pair_add_self_images(&settings, frame, all, &status) == DEBYE_STATUS_OK);
  size_t n_hurt = 0;
  for (size_t i = 0; i < GUARD; i++)
    n_hurt += all[n + i] != SENTINEL;
  CHECK_THAT(n_hurt == 0, "%zu values behind the counts were written", n_hurt);
  return all;
}

void
debye_pair_check_against_oracle(const DebyePairPath *path, const DebyePairSettings *settings,
                                const DebyePairFrame *frame)
{
  size_t n = n_values(settings);
  uint64_t *expected = calloc(n, sizeof *expected), total = 0;
  uint64_t *near = calloc(n + settings->n_pairs, sizeof *near);
  uint64_t *found = debye_pair_test_count(path, settings, frame);
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

DebyePairSettings
debye_pair_settings_for(const DebyePairSystem *system, const DebyeGroupPair *pairs, size_t n_pairs,
                        size_t n_groups, double r_max, size_t n_bins)
{
  return (DebyePairSettings){.max_atoms = system->frame.n,
                             .n_groups = n_groups,
                             .pairs = pairs,
                             .n_pairs = n_pairs,
                             .r_max = r_max,
                             .n_bins = n_bins};
}

void
debye_pair_check_random(const DebyePairPath *path, const DebyeCell *cell, size_t n, size_t n_groups,
                        double r_max, size_t n_bins, DebyePairImages images, double offset)
{
  DebyeGroupPair *pairs;
  size_t n_pairs = debye_all_group_pairs(n_groups, &pairs);
  DebyePairSystem system = debye_pair_random(n, cell, n_groups, offset, (unsigned)(n + n_bins));
  system.frame.cell = cell != NULL ? &system.cell : NULL;
  DebyePairSettings settings = debye_pair_settings_for(&system, pairs, n_pairs, n_groups, r_max, n_bins);
  settings.images = images;
  debye_pair_check_against_oracle(path, &settings, &system.frame);
  debye_pair_system_clear(&system);
  free(pairs);
}

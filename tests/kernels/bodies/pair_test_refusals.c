/* SPDX-License-Identifier: MIT */
/* Settings and frames that can't be, with a sentence each; a plan that was told to stop. */
#include "pair_test_refusals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static void
check_refused(const DebyePairPath *path, const DebyePairSettings *settings)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) == SIZE_MAX);
  CHECK(path->kernel->head.create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
}

static const DebyePairSettings small_settings = {
    .max_atoms = 4, .n_groups = 2, .pairs = &debye_pair_like, .n_pairs = 1, .r_max = 5.0, .n_bins = 10};

void
debye_pair_test_wrong_settings(const DebyePairPath *path)
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
check_frame_refused(const DebyePairPath *path, DebyeKernelPlan *plan, const DebyePairFrame *frame,
                    const char *says)
{
  DebyeStatus status = {0};
  CHECK(path->kernel->set_frame(plan, frame, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, says) != NULL, "“%s” does not say “%s”", status.text, says);
}

void
debye_pair_test_wrong_frames(const DebyePairPath *path)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  float good[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[4] = {0.0f, 1.0f, NAN, 2.0f};
  float far[4] = {0.0f, 1e10f, 2.0f, 3.0f};
  const uint32_t group[4] = {0, 0, 7, 1};
  const DebyeCell none = {0}, flat = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {10.0, 10.0, 0.0}};
  const DebyeCell thin = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {0.0, 0.0, 0.01}};
  CHECK(path->kernel->head.create(path->device, &small_settings, &plan, &status) == DEBYE_STATUS_OK);
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
  path->kernel->head.destroy(plan);
}

void
debye_pair_test_cancelled(const DebyePairPath *path)
{
  DebyePairSystem system = debye_pair_random(2000, &debye_test_cells[0].cell, 1, 0.0, 4);
  system.frame.cell = &system.cell;
  DebyePairSettings settings = debye_pair_settings_for(&system, &debye_pair_like, 1, 1, 10.0, 100);
  uint64_t found[100] = {0};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  bool cancel = true;
  CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan != NULL) {
    CHECK(path->kernel->set_frame(plan, &system.frame, &status) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, 0, 1, 1, found, &cancel, &status) == DEBYE_STATUS_CANCELLED);
    cancel = false;
    memset(found, 0, sizeof found);
    CHECK(path->kernel->execute(plan, 0, 1, 1, found, &cancel, &status) == DEBYE_STATUS_OK);
    uint64_t *again = debye_pair_test_count(path, &settings, &system.frame);
    CHECK(memcmp(found, again, sizeof found) == 0);
    free(again);
  }
  path->kernel->head.destroy(plan);
  path->kernel->head.destroy(NULL);
  debye_pair_system_clear(&system);
}

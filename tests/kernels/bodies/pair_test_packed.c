/* SPDX-License-Identifier: MIT */
/* Counts of packed frames are those of the same frames unpacked, which others hold against the oracle: one plan counts both in turn,
 * of all atoms and of some, with groups that stay and that change. */
#include "pair_test_packed.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/unpacking.h"
#include "tests/support/check.h"
#include "tests/support/packed_frames.h"

enum { N = 4000, N_GROUPS = 3, N_BINS = 80, N_PAIRS = 6, N_COUNTS = N_PAIRS * N_BINS };

static const uint32_t ranges[][3] = {
    {2000, 3000, 2500}, {700000, 700000, 700000}, {0xffffff, 0xffffff, 0xffffff}, {0x1000000, 7, 0x800000}};
#define N_FRAMES (sizeof ranges / sizeof ranges[0])

typedef struct {
  DebyePackedCoordinates packed;
  float *whole, *chosen; /* x, y, z of all atoms and of some */
} Packed;

static Packed
make_packed(size_t number, const uint32_t *atoms, size_t n_chosen)
{
  Packed made = {.packed = {.minimum = {-40, 3, -100000},
                            .range = {ranges[number][0], ranges[number][1], ranges[number][2]},
                            .unit = 0.001f,
                            .small_ranges = debye_packed_test_ranges()}};
  DebyePackedScale scale;
  debye_packed_random(&made.packed, N, 12 + 19 * (int)number, (unsigned)number);
  debye_packed_scale_init(&scale, &made.packed);
  made.whole = calloc(3 * N, sizeof(float));
  made.chosen = calloc(3 * n_chosen, sizeof(float));
  for (size_t i = 0; i < made.packed.n_segments; i++)
    debye_packed_unpack_segment(&made.packed, &scale, i, made.whole, made.whole + N, made.whole + 2 * N);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < n_chosen; i++)
      made.chosen[k * n_chosen + i] = made.whole[k * N + atoms[i]];
  return made;
}

static void
clear_packed(Packed *made)
{
  debye_packed_clear(&made->packed);
  free(made->whole);
  free(made->chosen);
}

static void
count(const DebyePairPath *path, DebyeKernelPlan *plan, const DebyePairFrame *frame, uint64_t *counts)
{
  DebyeStatus status = {0};
  memset(counts, 0, N_COUNTS * sizeof *counts);
  CHECK_THAT(path->kernel->set_frame(plan, frame, &status) == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(path->kernel->execute(plan, 0, 2, 2, counts, NULL, &status) == DEBYE_STATUS_OK);
}

/* The frame packed, then as floats, then packed again. */
static void
check_frame(const DebyePairPath *path, DebyeKernelPlan *plan, DebyePairFrame frame, const Packed *made)
{
  uint64_t expected[N_COUNTS], found[N_COUNTS], total = 0;
  const float *x = frame.atoms != NULL ? made->chosen : made->whole;
  DebyePairFrame plain = frame;
  plain.x = x;
  plain.y = x + frame.n;
  plain.z = x + 2 * frame.n;
  frame.packed = &made->packed;
  count(path, plan, &frame, found);
  count(path, plan, &plain, expected);
  CHECK(memcmp(found, expected, sizeof found) == 0);
  count(path, plan, &frame, found);
  CHECK(memcmp(found, expected, sizeof found) == 0);
  for (size_t i = 0; i < N_COUNTS; i++)
    total += expected[i];
  CHECK(total > 0);
}

void
debye_pair_test_packed(const DebyePairPath *path)
{
  enum { N_CHOSEN = N / 3 };
  static uint32_t atoms[N_CHOSEN], group[N], other_group[N];
  const DebyeCell cell = {{31.0, 0.0, 0.0}, {4.0, 24.5, 0.0}, {0.0, -3.0, 22.25}};
  DebyeGroupPair *pairs;
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  DebyePairSettings settings = {.max_atoms = N,
                                .max_packed_atoms = N,
                                .n_groups = N_GROUPS,
                                .n_pairs = debye_all_group_pairs(N_GROUPS, &pairs),
                                .r_max = 8.0,
                                .n_bins = N_BINS,
                                .tile_atoms = path->tile_atoms};
  settings.pairs = pairs;
  for (uint32_t i = 0; i < N; i++) {
    group[i] = i % 7 == 0 ? DEBYE_PAIR_NO_GROUP : i % N_GROUPS;
    other_group[i] = i % 2;
  }
  for (uint32_t i = 0; i < N_CHOSEN; i++)
    atoms[i] = 3 * i + i % 2;
  CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  for (size_t k = 0; k < N_FRAMES && plan != NULL; k++) {
    Packed made = make_packed(k, atoms, N_CHOSEN);
    const DebyePairFrame some = {
        .n = N_CHOSEN, .atoms = atoms, .group = group, .cell = &cell, .groups_number = 1};
    const DebyePairFrame others = {
        .n = N_CHOSEN, .atoms = atoms, .group = other_group, .cell = &cell, .groups_number = 2};
    const DebyePairFrame all = {.n = N, .group = group, .cell = &cell};
    const DebyePairFrame alike = {.n = N, .cell = &cell, .groups_number = 3};
    check_frame(path, plan, some, &made);
    check_frame(path, plan, others, &made);
    check_frame(path, plan, all, &made);
    check_frame(path, plan, alike, &made);
    clear_packed(&made);
  }
  path->kernel->head.destroy(plan);
  free(pairs);
}

static void
check_refused(const DebyePairPath *path, DebyeKernelPlan *plan, const DebyePairFrame *frame, const char *says)
{
  DebyeStatus status = {0};
  CHECK(path->kernel->set_frame(plan, frame, &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, says) != NULL, "“%s” does not say “%s”", status.text, says);
}

/* More of a frame than so many atoms have. */
static void
check_sizes(const DebyePairPath *path, DebyeKernelPlan *plan, DebyePairFrame *frame,
            DebyePackedCoordinates *packed)
{
  const DebyePackedCoordinates good = *packed;
  packed->n_bytes = debye_packed_max_bytes(N) + 1;
  check_refused(path, plan, frame, "more bytes or segments than 4000 atoms");
  *packed = good;
  packed->n_segments = debye_packed_max_segments(N) + 1;
  check_refused(path, plan, frame, "more bytes or segments than 4000 atoms");
  *packed = good;
  frame->n = N + 1;
  frame->atoms = NULL;
  check_refused(path, plan, frame, "has 4000 atoms; 4001 were asked for");
}

void
debye_pair_test_packed_refusals(const DebyePairPath *path)
{
  static const uint32_t first = 0;
  const DebyeCell cell = {{30.0, 0.0, 0.0}, {0.0, 30.0, 0.0}, {0.0, 0.0, 30.0}};
  DebyePairSettings settings = {.max_atoms = N + 1,
                                .n_groups = 1,
                                .pairs = &debye_pair_like,
                                .n_pairs = 1,
                                .r_max = 8.0,
                                .n_bins = N_BINS,
                                .tile_atoms = path->tile_atoms};
  Packed made = make_packed(0, &first, 1);
  for (size_t missing = 0; missing < 2; missing++) {
    DebyePairFrame frame = {.n = 1, .atoms = &first, .packed = &made.packed};
    DebyeKernelPlan *plan = NULL;
    DebyeStatus status = {0};
    settings.max_packed_atoms = N - missing;
    CHECK(path->kernel->head.create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
    if (plan == NULL)
      continue;
    check_refused(path, plan, &frame, "needs a cell");
    frame.cell = &cell;
    if (missing > 0)
      check_refused(path, plan, &frame, "4000 packed atoms");
    else
      check_sizes(path, plan, &frame, &made.packed);
    path->kernel->head.destroy(plan);
  }
  clear_packed(&made);
}

/* SPDX-License-Identifier: MIT */
/* The teaching variants of densities, on every device that there is and with each instruction set of the processor: every
 * voxel has the number of a plain loop in long double, exactly, and problems that they can't have are refused. */
#include <stdlib.h>
#include <string.h>

#include "kernels/ladder/ladder.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"

#define GUARD 64
#define SENTINEL 0xdeadbeefu
/* Of the atoms that are counted: those that a step in single precision puts next door. A float of 64 Å is off by at most
 * 4e-6 Å, along each axis, beside voxels of half an Å at least. */
#define ROUNDED 1e-4

typedef struct {
  const DebyeLadderKernel *ladder;
  int device;
  size_t variant;
} Path;

typedef struct {
  size_t n_atoms, n_frames, shape[3];
  double corner[3], edge;
  float low, high;   /* of coordinates */
  bool has_quarters; /* some of these are multiples of a quarter */
} Case;

/* Full and partly filled batches of 32 frames, blocks of 256 atoms and tiles of 8192 voxels; one atom in one voxel;
 * voxels that many atoms share; faces that atoms lie on exactly, where `edge` and `corner` are binary fractions and it is
 * known on which side an atom is. */
static const Case cases[] = {
    {700, 70, {33, 20, 17}, {-8.3, -5.1, -4.7}, 0.7, -10.0f, 17.0f, false},
    {257, 33, {16, 8, 8}, {-4.0, -2.0, -2.0}, 0.5, -4.5f, 4.5f, true},
    {1, 1, {1, 1, 1}, {0.0, 0.0, 0.0}, 1.0, 0.25f, 0.75f, false},
    {4096, 5, {2, 1, 3}, {1.0, 2.0, 3.0}, 20.0, 0.0f, 64.0f, true},
    {31, 64, {40, 40, 40}, {-20.0, -20.0, -20.0}, 1.0, -20.0f, 20.0f, true},
};

/* Coordinates of three axes: anywhere, or on a face often; some atoms are nowhere. */
static float *
make_places(const Case *one)
{
  const size_t n = one->n_atoms * one->n_frames;
  float *places = malloc(3 * n * sizeof *places);
  uint32_t state = 12345;
  for (size_t i = 0; i < 3 * n; i++) {
    state = state * 1664525u + 1013904223u;
    const float share = (float)(state >> 8) / 16777216.0f;
    places[i] = one->low + share * (one->high - one->low);
    if (one->has_quarters && (state >> 4) % 5 == 0)
      places[i] = rintf(4.0f * places[i]) / 4.0f;
  }
  if (n > 300) {
    places[7] = NAN;
    places[n + 11] = INFINITY;
    places[2 * n + 13] = -INFINITY;
    places[17] = 3e38f;
    places[n + 19] = -1e20f;
  }
  return places;
}

/* The voxel by its definition, or −1. */
static long
find_voxel(const Case *one, const float *places, size_t at)
{
  const size_t n = one->n_atoms * one->n_frames;
  long voxel = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const long double u =
        floorl(((long double)places[(size_t)axis * n + at] - (long double)one->corner[axis]) /
               (long double)one->edge);
    if (!(u >= 0.0L && u < (long double)one->shape[axis]))
      return -1;
    voxel = voxel * (long)one->shape[axis] + (long)u;
  }
  return voxel;
}

static uint32_t *
count_plainly(const Case *one, const float *places, bool is_occupancy, double *n_counted)
{
  const size_t n_voxels = one->shape[0] * one->shape[1] * one->shape[2];
  uint32_t *counts = calloc(n_voxels, sizeof *counts);
  char *seen = malloc(n_voxels);
  *n_counted = 0.0;
  for (size_t t = 0; t < one->n_frames; t++) {
    memset(seen, 0, n_voxels);
    for (size_t i = 0; i < one->n_atoms; i++) {
      const long voxel = find_voxel(one, places, t * one->n_atoms + i);
      *n_counted += voxel >= 0;
      if (voxel >= 0 && !(is_occupancy && seen[voxel]))
        counts[voxel]++;
      if (voxel >= 0)
        seen[voxel] = 1;
    }
  }
  free(seen);
  return counts;
}

static DebyeLadderDensity
make_problem(const Case *one, const float *places)
{
  const size_t n = one->n_atoms * one->n_frames;
  return (DebyeLadderDensity){.x = places,
                              .y = places + n,
                              .z = places + 2 * n,
                              .n_atoms = one->n_atoms,
                              .n_frames = one->n_frames,
                              .corner = {one->corner[0], one->corner[1], one->corner[2]},
                              .edge = one->edge,
                              .shape = {one->shape[0], one->shape[1], one->shape[2]}};
}

static void
check_case(const Path *path, const Case *one)
{
  const DebyeLadderVariant *variant = path->ladder->variants + path->variant;
  const size_t n_voxels = one->shape[0] * one->shape[1] * one->shape[2];
  float *places = make_places(one);
  double seconds = -1.0, n_counted, off = 0.0;
  uint32_t *exact = count_plainly(one, places, variant->is_occupancy, &n_counted);
  uint32_t *counts = malloc((n_voxels + GUARD) * sizeof *counts);
  const DebyeLadderDensity density = make_problem(one, places);
  DebyeStatus status = {0};
  for (size_t i = 0; i < n_voxels + GUARD; i++)
    counts[i] = SENTINEL;
  path->ladder->fill_voxels(path->device, path->variant, &density, counts, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(seconds >= 0.0 && seconds < 100.0);
  for (size_t i = 0; i < n_voxels; i++)
    off += fabs((double)counts[i] - (double)exact[i]);
  CHECK_AT_MOST(off, variant->is_rounded ? ROUNDED * n_counted + 2.0 : 0.0);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(counts[n_voxels + i] == SENTINEL);
  free(places);
  free(exact);
  free(counts);
}

static void
test_wrong(const Path *path)
{
  const Case good = {5, 3, {2, 2, 2}, {0.0, 0.0, 0.0}, 1.0, 0.0f, 2.0f, true};
  const DebyeLadderKernel *ladder = path->ladder;
  float *places = make_places(&good);
  uint32_t counts[8];
  double seconds;
  bool cancel = true;
  DebyeStatus status = {0};
  const DebyeLadderDensity right = make_problem(&good, places);
  DebyeLadderDensity wrong[6];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    wrong[i] = right;
  wrong[0].n_frames = 0;
  wrong[1].shape[1] = 0;
  wrong[2].edge = 0.0;
  wrong[3].corner[2] = NAN;
  wrong[4].n_atoms = (size_t)1 << 31;
  wrong[5].shape[0] = (size_t)1 << 60;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(ladder->fill_voxels(path->device, path->variant, &wrong[i], counts, &seconds, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  CHECK(ladder->fill_voxels(path->device, 0, &right, counts, &seconds, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(ladder->fill_voxels(path->device, path->variant, &right, counts, &seconds, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  free(places);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  (void)arguments;
  Path path = {entry->backend->ladder, entry->device, 0};
  for (; path.variant < path.ladder->n_variants; path.variant++) {
    const DebyeLadderVariant *variant = path.ladder->variants + path.variant;
    if (variant->kind != DEBYE_LADDER_DENSITY)
      continue;
    debye_check_subject("%s%s, %s", entry->info.id, how, variant->id);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
      check_case(&path, &cases[i]);
    test_wrong(&path);
  }
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}

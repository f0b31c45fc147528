/* SPDX-License-Identifier: MIT */
/* Counts displacements on all devices at once for the analysis of scattering. Inputs are parts of the block's
 * atoms, a part for each lane, which so brings only its own atoms to its device; items are their runs of lags.
 * Each writes its own place of its part's arrays, so that one that is repeated after a failure does no harm;
 * they are added to the sums when all are done. */
#include "displacement_histogram_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "displacement_extent.h"

/* Lags of an item: as many as a device likes at a time. */
#define ITEM_LAGS 64
/* What a displacement costs against the Coulomb pair that devices' scores are given in. */
#define DISPLACEMENT_COST 4.0
/* Atoms of a part at least, and bytes of all parts' counts. */
#define PART_ATOMS 64
#define PARTS_BYTES ((size_t)256 << 20)
/* Bins are added in steps of so many, and some more than the block needs. */
#define BIN_STEP 64
#define BIN_RESERVE 1.1

typedef struct {
  DebyeSharing share; /* its settings have n_bins as it is now */
  bool grows;
  uint32_t *lags;
  DebyeDisplacementSums sums; /* of all blocks */
  /* The block under way. */
  const DebyeSelfBlock *block;
  DebyeDisplacementSums parts; /* one after the other */
  size_t room;                 /* parts that there are arrays for */
} DisplacementShare;

static size_t
n_rows(const DebyeDisplacementSettings *settings)
{
  return settings->n_groups * settings->n_lags;
}

/* Sums. */

static void
clear_sums(DebyeDisplacementSums *sums)
{
  free(sums->counts);
  free(sums->beyond);
  free(sums->square);
  free(sums->fourth);
  *sums = (DebyeDisplacementSums){NULL, NULL, NULL, NULL};
}

static bool
allocate_sums(DebyeDisplacementSums *sums, size_t rows, size_t n_bins)
{
  *sums = (DebyeDisplacementSums){calloc(rows * n_bins, sizeof(uint64_t)), calloc(rows, sizeof(uint64_t)),
                                  calloc(rows, sizeof(double)), calloc(rows, sizeof(double))};
  return sums->counts != NULL && sums->beyond != NULL && sums->square != NULL && sums->fourth != NULL;
}

static bool
make_room(DisplacementShare *displacements, size_t n_parts)
{
  const DebyeDisplacementSettings *settings = displacements->share.settings;
  if (n_parts <= displacements->room)
    return true;
  clear_sums(&displacements->parts);
  displacements->room =
      allocate_sums(&displacements->parts, n_parts * n_rows(settings), settings->n_bins) ? n_parts : 0;
  return displacements->room > 0;
}

static void
add_parts(DisplacementShare *displacements)
{
  const DebyeDisplacementSettings *settings = displacements->share.settings;
  const size_t rows = n_rows(settings), n_parts = displacements->share.job.n_inputs;
  const DebyeDisplacementSums *sums = &displacements->sums, *parts = &displacements->parts;
  debye_sharing_add_counts(sums->counts, parts->counts, rows * settings->n_bins, n_parts);
  debye_sharing_add_counts(sums->beyond, parts->beyond, rows, n_parts);
  debye_sharing_add_values(sums->square, parts->square, rows, n_parts);
  debye_sharing_add_values(sums->fourth, parts->fourth, rows, n_parts);
}

/* Rows become longer; what they hold stays. */
static bool
widen(DisplacementShare *displacements, size_t n_bins)
{
  DebyeDisplacementSettings *settings = displacements->share.settings;
  const size_t rows = n_rows(settings), old = settings->n_bins;
  uint64_t *wider = calloc(rows * n_bins, sizeof *wider);
  clear_sums(&displacements->parts);
  displacements->room = 0;
  if (wider == NULL)
    return false;
  for (size_t row = 0; row < rows && old > 0; row++)
    memcpy(wider + row * n_bins, displacements->sums.counts + row * old, old * sizeof *wider);
  free(displacements->sums.counts);
  displacements->sums.counts = wider;
  settings->n_bins = n_bins;
  return true;
}

/* Lanes. */

static const DebyeDisplacementKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeDisplacementKernel *)lane->kernel;
}

static DebyeStatusCode
set_part(const DebyeSharing *share, DebyeSharingLane *lane, size_t part, DebyeStatus *status)
{
  const DebyeSelfBlock piece =
      debye_self_block_part(((const DisplacementShare *)share)->block, part, share->job.n_inputs);
  return kernel_of(lane)->set_block(lane->plan, &piece, status);
}

static DebyeStatusCode
count_lags(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
           DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = share->settings;
  const DebyeDisplacementSums *parts = &((const DisplacementShare *)share)->parts;
  const size_t first = run.first * ITEM_LAGS, end = (run.first + run.count) * ITEM_LAGS;
  const size_t row = run.input * n_rows(settings), n_lags = settings->n_lags;
  DebyeDisplacementSums sums = {parts->counts + row * settings->n_bins, parts->beyond + row,
                                parts->square + row, parts->fourth + row};
  return kernel_of(lane)->execute(lane->plan, first, (end < n_lags ? end : n_lags) - first, &sums, cancel,
                                  status);
}

static void
clear(DebyeSharing *share)
{
  DisplacementShare *displacements = (DisplacementShare *)share;
  clear_sums(&displacements->sums);
  clear_sums(&displacements->parts);
  free(displacements->lags);
}

static const DebyeSharingFamily family = {
    .task = "count displacements",
    .kernel = offsetof(DebyeBackend, displacement),
    .size = sizeof(DisplacementShare),
    .settings_size = sizeof(DebyeDisplacementSettings),
    .spare_cores = offsetof(DebyeDisplacementSettings, spare_cores),
    .set = set_part,
    .execute = count_lags,
    .clear = clear,
};

/* The object. */

static bool
allocate(DisplacementShare *displacements)
{
  DebyeDisplacementSettings *settings = displacements->share.settings;
  if (settings->lags != NULL) {
    displacements->lags = calloc(settings->n_lags, sizeof *displacements->lags);
    if (displacements->lags == NULL)
      return false;
    memcpy(displacements->lags, settings->lags, settings->n_lags * sizeof *displacements->lags);
    settings->lags = displacements->lags;
  }
  return allocate_sums(&displacements->sums, n_rows(settings), settings->n_bins);
}

DebyeStatusCode
debye_displacement_lanes_create(const DebyeDisplacementLanesSettings *settings,
                                const DebyeDeviceEntry *const *devices, size_t n_devices,
                                DebyeSharing **share, DebyeStatus *status)
{
  DebyeDisplacementSettings start = settings->displacement;
  *share = NULL;
  start.n_bins = start.n_bins == 0 ? BIN_STEP : start.n_bins;
  DebyeStatusCode code = debye_displacement_settings_check(&start, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DisplacementShare *made = debye_sharing_new(&family, &start, settings->memory_limit, devices, n_devices);
  if (made != NULL)
    made->grows = settings->displacement.n_bins == 0;
  return debye_sharing_start(made, made != NULL && allocate(made), share, status);
}

static DebyeStatusCode
out_of_memory(const DebyeDisplacementSettings *settings, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for displacements over %zu lags in %zu groups and %zu bins.",
                          settings->n_lags, settings->n_groups, settings->n_bins);
}

/* So that nothing is beyond. */
static DebyeStatusCode
grow(DisplacementShare *displacements, double farthest, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = displacements->share.settings;
  const double needed = floor(farthest / settings->bin_width) + 1.0;
  if (needed > (double)DEBYE_DISPLACEMENT_MAX_BINS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "An atom moves as far as %.4g Å, which is more than %zu bins of %g Å.", farthest,
                            DEBYE_DISPLACEMENT_MAX_BINS, settings->bin_width);
  if (needed <= (double)settings->n_bins)
    return debye_status_ok(status);
  const double steps = ceil(fmax(needed, BIN_RESERVE * needed) / BIN_STEP);
  const size_t wanted = (size_t)steps * BIN_STEP;
  const size_t n_bins = wanted < DEBYE_DISPLACEMENT_MAX_BINS ? wanted : DEBYE_DISPLACEMENT_MAX_BINS;
  if (!widen(displacements, n_bins))
    return out_of_memory(settings, status);
  return debye_sharing_open(&displacements->share, status);
}

/* Beside accelerators the CPU is no lane to have a part for: theirs would end before its, and all of them would
 * have to bring what is left of it to their devices once more. One where there is one lane, or where its counts
 * are much memory: who sets a limit has little. */
static size_t
parts_for(const DebyeSharing *share, const DebyeSelfBlock *block)
{
  const DebyeDisplacementSettings *settings = share->settings;
  const size_t bytes = n_rows(settings) * (settings->n_bins + 3) * sizeof(uint64_t);
  const uint64_t limit = share->memory_limit;
  const size_t room = limit > 0 && limit / 4 < PARTS_BYTES ? (size_t)limit / 4 : PARTS_BYTES;
  const size_t fits = room / bytes, atoms = block->n_atoms / PART_ATOMS;
  const size_t max_parts = fits < atoms ? fits : atoms;
  const size_t wanted = settings->spare_cores > 0 ? settings->spare_cores : share->n_lanes;
  return max_parts < 1 ? 1 : wanted < max_parts ? wanted : max_parts;
}

/* Places are looked through by the lanes, who all need them anyway, unless they say how many bins there are. */
static DebyeStatusCode
check_block(DisplacementShare *displacements, const DebyeSelfBlock *block, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = displacements->share.settings;
  double farthest;
  DebyeStatusCode code = debye_displacement_block_check(settings, block, status);
  if (code == DEBYE_STATUS_OK && displacements->grows)
    code = debye_displacement_farthest(block, settings->n_frames, &farthest, status);
  if (code == DEBYE_STATUS_OK && displacements->grows)
    code = grow(displacements, farthest, status);
  return code;
}

DebyeStatusCode
debye_displacement_lanes_execute(DebyeSharing *share, const DebyeSelfBlock *block,
                                 const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = share->settings;
  DisplacementShare *displacements = (DisplacementShare *)share;
  DebyeStatusCode code = check_block(displacements, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const double pairs = (double)block->n_atoms * debye_displacement_pairs(settings, settings->n_lags);
  DebyeSharingJob job = {.n_inputs = parts_for(share, block),
                         .n_items = (settings->n_lags + ITEM_LAGS - 1) / ITEM_LAGS,
                         .apart = true,
                         .cancel = cancel};
  job.item_cost = DISPLACEMENT_COST * pairs / (double)(job.n_inputs * job.n_items);
  displacements->block = block;
  if (!make_room(displacements, job.n_inputs))
    return out_of_memory(settings, status);
  code = debye_sharing_run(share, &job, status);
  if (code == DEBYE_STATUS_OK)
    add_parts(displacements);
  if (code == DEBYE_STATUS_INVALID && job.n_inputs > 1)
    debye_self_positions_name(block, settings->n_frames, status);
  return code;
}

const DebyeDisplacementSums *
debye_displacement_lanes_get_sums(const DebyeSharing *share, size_t *n_bins)
{
  *n_bins = ((const DebyeDisplacementSettings *)share->settings)->n_bins;
  return &((const DisplacementShare *)share)->sums;
}

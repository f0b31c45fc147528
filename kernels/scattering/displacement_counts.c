/* SPDX-License-Identifier: MIT */
/* Counts displacements on all devices at once for the analysis of scattering. Items of the lanes are runs of
 * lags of parts of the block's atoms, a part for each lane, which so brings only its own atoms to its device.
 * Each writes its own place of its part's arrays, so that one that is repeated after a failure does no harm;
 * they are added to the sums when all are done. */
#include "displacement_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "displacement_extent.h"
#include "kernels/lane_plan.h"

/* Lags of an item: as many as a device likes at a time. */
#define ITEM_LAGS 64
/* What a displacement costs against the Coulomb pair that devices' scores are given in. */
#define DISPLACEMENT_COST 4.0
/* Atoms of a part at least, and bytes of all parts' counts. */
#define PART_ATOMS 64
#define PARTS_BYTES ((size_t)256 << 20)
/* Counts that a thread adds at a time. */
#define ADDED_COUNTS ((size_t)1 << 15)
/* Bins are added in steps of so many, and some more than the block needs. */
#define BIN_STEP 64
#define BIN_RESERVE 1.1

struct DebyeDisplacementCounts {
  DebyeDisplacementCountsSettings settings; /* n_bins as it is now */
  bool grows;
  uint32_t *lags;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  size_t n_lanes;
  DebyeDisplacementSums sums; /* of all blocks */

  /* The block under way. */
  const DebyeSelfBlock *block;
  DebyeDisplacementSums *parts;
  size_t n_parts, room; /* parts that there are arrays for */
  unsigned long execution;
  DebyeDisplacementProgress progress;
  void *progress_data;
};

/* A lane's own. */
typedef struct {
  const DebyeDisplacementKernel *kernel;
  DebyeDisplacementPlan *plan;
  DebyeLaneInput set; /* a part */
} LanePlan;

static size_t
n_rows(const DebyeDisplacementCounts *counts)
{
  return counts->settings.displacement.n_groups * counts->settings.displacement.n_lags;
}

/* Of a part. */
static size_t
n_items(const DebyeDisplacementCounts *counts)
{
  return (counts->settings.displacement.n_lags + ITEM_LAGS - 1) / ITEM_LAGS;
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

static void
clear_parts(DebyeDisplacementCounts *counts)
{
  for (size_t part = 0; part < counts->room; part++)
    clear_sums(&counts->parts[part]);
  free(counts->parts);
  counts->parts = NULL;
  counts->room = 0;
}

static bool
make_room(DebyeDisplacementCounts *counts, size_t n_parts)
{
  if (n_parts <= counts->room)
    return true;
  clear_parts(counts);
  counts->parts = calloc(n_parts, sizeof *counts->parts);
  while (counts->parts != NULL && counts->room < n_parts)
    if (!allocate_sums(&counts->parts[counts->room++], n_rows(counts), counts->settings.displacement.n_bins))
      clear_parts(counts);
  return counts->parts != NULL;
}

static void
add_chunk(void *context, size_t chunk)
{
  DebyeDisplacementCounts *counts = context;
  const size_t n = n_rows(counts) * counts->settings.displacement.n_bins, first = chunk * ADDED_COUNTS;
  const size_t end = first + ADDED_COUNTS < n ? first + ADDED_COUNTS : n;
  uint64_t *restrict sum = counts->sums.counts;
  for (size_t part = 0; part < counts->n_parts; part++) {
    const uint64_t *restrict added = counts->parts[part].counts;
    for (size_t i = first; i < end; i++)
      sum[i] += added[i];
  }
}

static void
add_parts(DebyeDisplacementCounts *counts)
{
  const size_t rows = n_rows(counts), n = rows * counts->settings.displacement.n_bins;
  debye_chunk_threads_run((n + ADDED_COUNTS - 1) / ADDED_COUNTS, add_chunk, counts);
  for (size_t part = 0; part < counts->n_parts; part++)
    for (size_t i = 0; i < rows; i++) {
      counts->sums.beyond[i] += counts->parts[part].beyond[i];
      counts->sums.square[i] += counts->parts[part].square[i];
      counts->sums.fourth[i] += counts->parts[part].fourth[i];
    }
}

/* Rows become longer; what they hold stays. */
static bool
widen(DebyeDisplacementCounts *counts, size_t n_bins)
{
  const size_t rows = n_rows(counts), old = counts->settings.displacement.n_bins;
  uint64_t *wider = calloc(rows * n_bins, sizeof *wider);
  clear_parts(counts);
  if (wider == NULL)
    return false;
  for (size_t row = 0; row < rows && old > 0; row++)
    memcpy(wider + row * n_bins, counts->sums.counts + row * old, old * sizeof *wider);
  free(counts->sums.counts);
  counts->sums.counts = wider;
  counts->settings.displacement.n_bins = n_bins;
  return true;
}

/* Lanes. */

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  const DebyeDisplacementCounts *counts = context;
  const DebyeDisplacementSettings *settings = &counts->settings.displacement;
  LanePlan *lane = lane_state;
  const DebyeDisplacementKernel *kernel = lane->kernel = device->backend->displacement;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "count displacements", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   counts->settings.memory_limit, status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static DebyeStatusCode
set_part(const DebyeDisplacementCounts *counts, LanePlan *lane, size_t part, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, counts->execution, part))
    return debye_status_ok(status);
  const DebyeSelfBlock piece = debye_self_block_part(counts->block, part, counts->n_parts);
  const DebyeStatusCode code = lane->kernel->set_block(lane->plan, &piece, status);
  return debye_lane_input_note(&lane->set, counts->execution, part, code);
}

static DebyeStatusCode
work_lags(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
          DebyeStatus *status)
{
  DebyeDisplacementCounts *counts = context;
  LanePlan *lane = lane_state;
  const size_t n_lags = counts->settings.displacement.n_lags, of_part = n_items(counts);
  for (size_t item = first; item < first + count;) {
    const size_t part = item / of_part, run = item % of_part, left = first + count - item;
    const size_t length = left < of_part - run ? left : of_part - run;
    const size_t first_lag = run * ITEM_LAGS, end = (run + length) * ITEM_LAGS;
    DebyeStatusCode code = set_part(counts, lane, part, status);
    if (code == DEBYE_STATUS_OK)
      code = lane->kernel->execute(lane->plan, first_lag, (end < n_lags ? end : n_lags) - first_lag,
                                   &counts->parts[part], cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    item += length;
  }
  return DEBYE_STATUS_OK;
}

static void
lags_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyeDisplacementCounts *counts = context;
  (void)first;
  (void)count;
  if (counts->progress != NULL)
    counts->progress(counts->progress_data, n_done, counts->n_parts * n_items(counts));
}

/* The object. */

static bool
copy_lags(DebyeDisplacementCounts *counts)
{
  DebyeDisplacementSettings *settings = &counts->settings.displacement;
  if (settings->lags == NULL)
    return true;
  counts->lags = calloc(settings->n_lags, sizeof *counts->lags);
  if (counts->lags == NULL)
    return false;
  memcpy(counts->lags, settings->lags, settings->n_lags * sizeof *counts->lags);
  settings->lags = counts->lags;
  return true;
}

static bool
allocate(DebyeDisplacementCounts *counts, const DebyeDisplacementCountsSettings *settings)
{
  counts->settings = *settings;
  return copy_lags(counts) && allocate_sums(&counts->sums, n_rows(counts), settings->displacement.n_bins);
}

static DebyeStatusCode
out_of_memory(const DebyeDisplacementSettings *settings, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for displacements over %zu lags in %zu groups and %zu bins.",
                          settings->n_lags, settings->n_groups, settings->n_bins);
}

DebyeStatusCode
debye_displacement_counts_create(const DebyeDisplacementCountsSettings *settings,
                                 const DebyeDeviceEntry *const *devices, size_t n_devices,
                                 DebyeDisplacementCounts **counts, DebyeStatus *status)
{
  DebyeDisplacementCountsSettings start = *settings;
  const bool grows = settings->displacement.n_bins == 0;
  *counts = NULL;
  start.displacement.n_bins = grows ? BIN_STEP : settings->displacement.n_bins;
  DebyeStatusCode code = debye_displacement_settings_check(&start.displacement, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeDisplacementCounts *made = calloc(1, sizeof *made);
  if (made == NULL || !allocate(made, &start)) {
    debye_displacement_counts_destroy(made);
    return out_of_memory(&start.displacement, status);
  }
  made->settings.displacement.spare_processors = debye_lane_count_accelerators(devices, n_devices);
  made->grows = grows;
  made->n_lanes = n_devices;
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_lags,
                               .close = close_lane,
                               .finished = lags_finished};
  code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *counts = made;
  else
    debye_displacement_counts_destroy(made);
  return code;
}

/* So that nothing is beyond. */
static DebyeStatusCode
grow(DebyeDisplacementCounts *counts, double farthest, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &counts->settings.displacement;
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
  if (!widen(counts, n_bins))
    return out_of_memory(settings, status);
  return debye_lanes_open(counts->lanes, &counts->work, status);
}

/* One where there is one lane, or where its counts are much memory: who sets a limit has little. */
static size_t
parts_for(const DebyeDisplacementCounts *counts, const DebyeSelfBlock *block)
{
  const size_t bytes = n_rows(counts) * (counts->settings.displacement.n_bins + 3) * sizeof(uint64_t);
  const uint64_t limit = counts->settings.memory_limit;
  const size_t room = limit > 0 && limit / 4 < PARTS_BYTES ? (size_t)limit / 4 : PARTS_BYTES;
  const size_t fits = room / bytes, atoms = block->n_atoms / PART_ATOMS;
  const size_t wanted = counts->n_lanes;
  const size_t most = fits < atoms ? fits : atoms;
  return most < 1 ? 1 : wanted < most ? wanted : most;
}

/* Places are looked through by the lanes, who all need them anyway, unless they say how many bins there are.
 */
static DebyeStatusCode
check_block(DebyeDisplacementCounts *counts, const DebyeSelfBlock *block, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &counts->settings.displacement;
  double farthest;
  DebyeStatusCode code = debye_displacement_block_check(settings, block, status);
  if (code == DEBYE_STATUS_OK && counts->grows)
    code = debye_displacement_farthest(block, settings->n_frames, &farthest, status);
  if (code == DEBYE_STATUS_OK && counts->grows)
    code = grow(counts, farthest, status);
  return code;
}

DebyeStatusCode
debye_displacement_counts_execute(DebyeDisplacementCounts *counts, const DebyeSelfBlock *block,
                                  const volatile bool *cancel, DebyeDisplacementProgress progress, void *data,
                                  DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &counts->settings.displacement;
  DebyeStatusCode code = check_block(counts, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  counts->block = block;
  counts->execution++;
  counts->n_parts = parts_for(counts, block);
  counts->progress = progress;
  counts->progress_data = data;
  counts->work.part_items = n_items(counts);
  if (!make_room(counts, counts->n_parts))
    return out_of_memory(settings, status);
  const size_t items = counts->n_parts * n_items(counts);
  const double pairs = (double)block->n_atoms * debye_displacement_pairs(settings, 0, settings->n_lags);
  code = debye_lanes_run(counts->lanes, items, DISPLACEMENT_COST * pairs / (double)items, cancel, status);
  if (code == DEBYE_STATUS_OK)
    add_parts(counts);
  if (code == DEBYE_STATUS_INVALID && counts->n_parts > 1)
    debye_self_positions_name(block, settings->n_frames, status);
  return code;
}

const DebyeDisplacementSums *
debye_displacement_counts_get_sums(const DebyeDisplacementCounts *counts, size_t *n_bins)
{
  *n_bins = counts->settings.displacement.n_bins;
  return &counts->sums;
}

size_t
debye_displacement_counts_get_reports(const DebyeDisplacementCounts *counts, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(counts->lanes, reports);
}

void
debye_displacement_counts_destroy(DebyeDisplacementCounts *counts)
{
  if (counts == NULL)
    return;
  debye_lanes_free(counts->lanes);
  clear_sums(&counts->sums);
  clear_parts(counts);
  free(counts->lags);
  free(counts);
}

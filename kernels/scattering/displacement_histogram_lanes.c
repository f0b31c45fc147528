/* SPDX-License-Identifier: MIT */
/* Counts displacements on all devices at once for the analysis of scattering. Items of the lanes are runs of
 * lags of parts of the block's atoms, a part for each lane, which so brings only its own atoms to its device.
 * Each writes its own place of its part's arrays, so that one that is repeated after a failure does no harm;
 * they are added to the sums when all are done. */
#include "displacement_histogram_lanes.h"

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

struct DebyeDisplacementLanes {
  DebyeDisplacementLanesSettings settings; /* n_bins as it is now */
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
n_rows(const DebyeDisplacementLanes *lanes)
{
  return lanes->settings.displacement.n_groups * lanes->settings.displacement.n_lags;
}

/* Of a part. */
static size_t
n_items(const DebyeDisplacementLanes *lanes)
{
  return (lanes->settings.displacement.n_lags + ITEM_LAGS - 1) / ITEM_LAGS;
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
clear_parts(DebyeDisplacementLanes *lanes)
{
  for (size_t part = 0; part < lanes->room; part++)
    clear_sums(&lanes->parts[part]);
  free(lanes->parts);
  lanes->parts = NULL;
  lanes->room = 0;
}

static bool
make_room(DebyeDisplacementLanes *lanes, size_t n_parts)
{
  if (n_parts <= lanes->room)
    return true;
  clear_parts(lanes);
  lanes->parts = calloc(n_parts, sizeof *lanes->parts);
  while (lanes->parts != NULL && lanes->room < n_parts)
    if (!allocate_sums(&lanes->parts[lanes->room++], n_rows(lanes), lanes->settings.displacement.n_bins))
      clear_parts(lanes);
  return lanes->parts != NULL;
}

static void
add_chunk(void *context, size_t chunk)
{
  DebyeDisplacementLanes *lanes = context;
  const size_t n = n_rows(lanes) * lanes->settings.displacement.n_bins, first = chunk * ADDED_COUNTS;
  const size_t end = first + ADDED_COUNTS < n ? first + ADDED_COUNTS : n;
  uint64_t *restrict sum = lanes->sums.counts;
  for (size_t part = 0; part < lanes->n_parts; part++) {
    const uint64_t *restrict added = lanes->parts[part].counts;
    for (size_t i = first; i < end; i++)
      sum[i] += added[i];
  }
}

static void
add_parts(DebyeDisplacementLanes *lanes)
{
  const size_t rows = n_rows(lanes), n = rows * lanes->settings.displacement.n_bins;
  debye_chunk_threads_run((n + ADDED_COUNTS - 1) / ADDED_COUNTS, add_chunk, lanes);
  for (size_t part = 0; part < lanes->n_parts; part++)
    for (size_t i = 0; i < rows; i++) {
      lanes->sums.beyond[i] += lanes->parts[part].beyond[i];
      lanes->sums.square[i] += lanes->parts[part].square[i];
      lanes->sums.fourth[i] += lanes->parts[part].fourth[i];
    }
}

/* Rows become longer; what they hold stays. */
static bool
widen(DebyeDisplacementLanes *lanes, size_t n_bins)
{
  const size_t rows = n_rows(lanes), old = lanes->settings.displacement.n_bins;
  uint64_t *wider = calloc(rows * n_bins, sizeof *wider);
  clear_parts(lanes);
  if (wider == NULL)
    return false;
  for (size_t row = 0; row < rows && old > 0; row++)
    memcpy(wider + row * n_bins, lanes->sums.counts + row * old, old * sizeof *wider);
  free(lanes->sums.counts);
  lanes->sums.counts = wider;
  lanes->settings.displacement.n_bins = n_bins;
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
  const DebyeDisplacementLanes *lanes = context;
  const DebyeDisplacementSettings *settings = &lanes->settings.displacement;
  LanePlan *lane = lane_state;
  const DebyeDisplacementKernel *kernel = lane->kernel = device->backend->displacement;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "count displacements", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   lanes->settings.memory_limit, status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static DebyeStatusCode
set_part(const DebyeDisplacementLanes *lanes, LanePlan *lane, size_t part, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, lanes->execution, part))
    return debye_status_ok(status);
  const DebyeSelfBlock piece = debye_self_block_part(lanes->block, part, lanes->n_parts);
  const DebyeStatusCode code = lane->kernel->set_block(lane->plan, &piece, status);
  return debye_lane_input_note(&lane->set, lanes->execution, part, code);
}

static DebyeStatusCode
work_lags(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
          DebyeStatus *status)
{
  DebyeDisplacementLanes *lanes = context;
  LanePlan *lane = lane_state;
  const size_t n_lags = lanes->settings.displacement.n_lags, of_part = n_items(lanes);
  for (size_t item = first; item < first + count;) {
    const size_t part = item / of_part, run = item % of_part, left = first + count - item;
    const size_t length = left < of_part - run ? left : of_part - run;
    const size_t first_lag = run * ITEM_LAGS, end = (run + length) * ITEM_LAGS;
    DebyeStatusCode code = set_part(lanes, lane, part, status);
    if (code == DEBYE_STATUS_OK)
      code = lane->kernel->execute(lane->plan, first_lag, (end < n_lags ? end : n_lags) - first_lag,
                                   &lanes->parts[part], cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    item += length;
  }
  return DEBYE_STATUS_OK;
}

static void
lags_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyeDisplacementLanes *lanes = context;
  (void)first;
  (void)count;
  if (lanes->progress != NULL)
    lanes->progress(lanes->progress_data, n_done, lanes->n_parts * n_items(lanes));
}

/* The object. */

static bool
copy_lags(DebyeDisplacementLanes *lanes)
{
  DebyeDisplacementSettings *settings = &lanes->settings.displacement;
  if (settings->lags == NULL)
    return true;
  lanes->lags = calloc(settings->n_lags, sizeof *lanes->lags);
  if (lanes->lags == NULL)
    return false;
  memcpy(lanes->lags, settings->lags, settings->n_lags * sizeof *lanes->lags);
  settings->lags = lanes->lags;
  return true;
}

static bool
allocate(DebyeDisplacementLanes *lanes, const DebyeDisplacementLanesSettings *settings)
{
  lanes->settings = *settings;
  return copy_lags(lanes) && allocate_sums(&lanes->sums, n_rows(lanes), settings->displacement.n_bins);
}

static DebyeStatusCode
out_of_memory(const DebyeDisplacementSettings *settings, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for displacements over %zu lags in %zu groups and %zu bins.",
                          settings->n_lags, settings->n_groups, settings->n_bins);
}

DebyeStatusCode
debye_displacement_lanes_create(const DebyeDisplacementLanesSettings *settings,
                                const DebyeDeviceEntry *const *devices, size_t n_devices,
                                DebyeDisplacementLanes **lanes, DebyeStatus *status)
{
  DebyeDisplacementLanesSettings start = *settings;
  const bool grows = settings->displacement.n_bins == 0;
  *lanes = NULL;
  start.displacement.n_bins = grows ? BIN_STEP : settings->displacement.n_bins;
  DebyeStatusCode code = debye_displacement_settings_check(&start.displacement, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeDisplacementLanes *made = calloc(1, sizeof *made);
  if (made == NULL || !allocate(made, &start)) {
    debye_displacement_lanes_destroy(made);
    return out_of_memory(&start.displacement, status);
  }
  made->settings.displacement.spare_cores = debye_lane_count_accelerators(devices, n_devices);
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
    *lanes = made;
  else
    debye_displacement_lanes_destroy(made);
  return code;
}

/* So that nothing is beyond. */
static DebyeStatusCode
grow(DebyeDisplacementLanes *lanes, double farthest, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &lanes->settings.displacement;
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
  if (!widen(lanes, n_bins))
    return out_of_memory(settings, status);
  return debye_lanes_open(lanes->lanes, &lanes->work, status);
}

/* One where there is one lane, or where its counts are much memory: who sets a limit has little. */
static size_t
parts_for(const DebyeDisplacementLanes *lanes, const DebyeSelfBlock *block)
{
  const size_t bytes = n_rows(lanes) * (lanes->settings.displacement.n_bins + 3) * sizeof(uint64_t);
  const uint64_t limit = lanes->settings.memory_limit;
  const size_t room = limit > 0 && limit / 4 < PARTS_BYTES ? (size_t)limit / 4 : PARTS_BYTES;
  const size_t fits = room / bytes, atoms = block->n_atoms / PART_ATOMS;
  const size_t wanted = lanes->n_lanes;
  const size_t max_parts = fits < atoms ? fits : atoms;
  return max_parts < 1 ? 1 : wanted < max_parts ? wanted : max_parts;
}

/* Places are looked through by the lanes, who all need them anyway, unless they say how many bins there are. */
static DebyeStatusCode
check_block(DebyeDisplacementLanes *lanes, const DebyeSelfBlock *block, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &lanes->settings.displacement;
  double farthest;
  DebyeStatusCode code = debye_displacement_block_check(settings, block, status);
  if (code == DEBYE_STATUS_OK && lanes->grows)
    code = debye_displacement_farthest(block, settings->n_frames, &farthest, status);
  if (code == DEBYE_STATUS_OK && lanes->grows)
    code = grow(lanes, farthest, status);
  return code;
}

DebyeStatusCode
debye_displacement_lanes_execute(DebyeDisplacementLanes *lanes, const DebyeSelfBlock *block,
                                 const volatile bool *cancel, DebyeDisplacementProgress progress, void *data,
                                 DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &lanes->settings.displacement;
  DebyeStatusCode code = check_block(lanes, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  lanes->block = block;
  lanes->execution++;
  lanes->n_parts = parts_for(lanes, block);
  lanes->progress = progress;
  lanes->progress_data = data;
  lanes->work.part_items = n_items(lanes);
  if (!make_room(lanes, lanes->n_parts))
    return out_of_memory(settings, status);
  const size_t items = lanes->n_parts * n_items(lanes);
  const double pairs = (double)block->n_atoms * debye_displacement_pairs(settings, 0, settings->n_lags);
  code = debye_lanes_run(lanes->lanes, items, DISPLACEMENT_COST * pairs / (double)items, cancel, status);
  if (code == DEBYE_STATUS_OK)
    add_parts(lanes);
  if (code == DEBYE_STATUS_INVALID && lanes->n_parts > 1)
    debye_self_positions_name(block, settings->n_frames, status);
  return code;
}

const DebyeDisplacementSums *
debye_displacement_lanes_get_sums(const DebyeDisplacementLanes *lanes, size_t *n_bins)
{
  *n_bins = lanes->settings.displacement.n_bins;
  return &lanes->sums;
}

size_t
debye_displacement_lanes_get_reports(const DebyeDisplacementLanes *lanes, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(lanes->lanes, reports);
}

void
debye_displacement_lanes_destroy(DebyeDisplacementLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  clear_sums(&lanes->sums);
  clear_parts(lanes);
  free(lanes->lags);
  free(lanes);
}

/* SPDX-License-Identifier: MIT */
/* Computes amplitudes on all devices at once for the analysis of scattering. Items of the lanes are frames of
 * a block of vectors, block by block, so that a run of items is one call of the kernel. */
#include "scattering_amplitude_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/lane_plan.h"

/* Items a lane has at least, so that all end together; and vectors of a block at least. */
#define ITEMS_OF_LANE 8
#define BLOCK_VECTORS 64
/* What a term costs against the Coulomb pair that devices' scores are given in. */
#define TERM_COST 4.0

struct DebyeAmplitudeLanes {
  DebyeAmplitudeLanesSettings settings;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  size_t n_lanes;

  /* The execution under way. */
  const DebyeVec3 *q;
  size_t n_vectors, n_blocks;
  const DebyeScatteringFrame *frames;
  size_t n_frames;
  double *out;
  unsigned long execution;
  size_t bad_frame; /* written by the one lane that finds it */
};

/* A lane's own. */
typedef struct {
  const DebyeAmplitudeKernel *kernel;
  DebyeAmplitudePlan *plan;
  DebyeLaneInput set; /* a block of vectors */
  double *values;     /* of a run of items, where blocks are not all vectors */
  size_t room;
} LanePlan;

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
  free(lane->values);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  const DebyeAmplitudeLanes *lanes = context;
  const DebyeAmplitudeSettings *settings = &lanes->settings.amplitude;
  LanePlan *lane = lane_state;
  const DebyeAmplitudeKernel *kernel = lane->kernel = device->backend->amplitude;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "sum scattering amplitudes", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   lanes->settings.memory_limit, status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static size_t
block_begin(const DebyeAmplitudeLanes *lanes, size_t block)
{
  return lanes->n_vectors * block / lanes->n_blocks;
}

static DebyeStatusCode
set_block(const DebyeAmplitudeLanes *lanes, LanePlan *lane, size_t block, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, lanes->execution, block))
    return debye_status_ok(status);
  const size_t first = block_begin(lanes, block), end = block_begin(lanes, block + 1);
  const DebyeStatusCode code = lane->kernel->set_vectors(lane->plan, lanes->q + first, end - first, status);
  return debye_lane_input_note(&lane->set, lanes->execution, block, code);
}

static bool
make_room(LanePlan *lane, size_t n_values)
{
  if (n_values <= lane->room)
    return true;
  free(lane->values);
  lane->values = malloc(n_values * sizeof *lane->values);
  lane->room = lane->values != NULL ? n_values : 0;
  return lane->values != NULL;
}

/* A block's values to their places among all vectors. */
static void
spread(const DebyeAmplitudeLanes *lanes, const double *values, size_t first_vector, size_t n_vectors,
       size_t first_frame, size_t n_frames)
{
  const size_t n_groups = lanes->settings.amplitude.groups.n_groups;
  for (size_t row = 0; row < n_frames * n_groups; row++)
    memcpy(lanes->out + 2 * ((first_frame * n_groups + row) * lanes->n_vectors + first_vector),
           values + 2 * row * n_vectors, 2 * n_vectors * sizeof *values);
}

/* Frames [first, first + count) of one block. */
static DebyeStatusCode
work_block(DebyeAmplitudeLanes *lanes, LanePlan *lane, size_t block, size_t first, size_t count,
           const volatile bool *cancel, DebyeStatus *status)
{
  const size_t n_groups = lanes->settings.amplitude.groups.n_groups;
  const size_t from = block_begin(lanes, block), n = block_begin(lanes, block + 1) - from;
  const bool whole = lanes->n_blocks == 1;
  size_t bad = 0;
  if (!whole && !make_room(lane, 2 * count * n_groups * n))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the amplitudes of %zu frames.", count);
  DebyeStatusCode code = set_block(lanes, lane, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  double *values = whole ? lanes->out + 2 * first * n_groups * n : lane->values;
  code = lane->kernel->execute(lane->plan, lanes->frames + first, count, values, &bad, cancel, status);
  if (code == DEBYE_STATUS_INVALID)
    __atomic_store_n(&lanes->bad_frame, first + bad, __ATOMIC_RELAXED);
  if (code == DEBYE_STATUS_OK && !whole)
    spread(lanes, values, from, n, first, count);
  return code;
}

static DebyeStatusCode
work_items(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
           DebyeStatus *status)
{
  DebyeAmplitudeLanes *lanes = context;
  const size_t max_frames = lanes->settings.amplitude.max_frames;
  for (size_t item = first; item < first + count;) {
    const size_t frame = item % lanes->n_frames, in_block = lanes->n_frames - frame;
    size_t length = first + count - item;
    length = length < in_block ? length : in_block;
    length = length < max_frames ? length : max_frames;
    const DebyeStatusCode code =
        work_block(lanes, lane_state, item / lanes->n_frames, frame, length, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    item += length;
  }
  return DEBYE_STATUS_OK;
}

DebyeStatusCode
debye_amplitude_lanes_create(const DebyeAmplitudeLanesSettings *settings,
                             const DebyeDeviceEntry *const *devices, size_t n_devices,
                             DebyeAmplitudeLanes **lanes, DebyeStatus *status)
{
  *lanes = NULL;
  DebyeStatusCode code = debye_amplitude_settings_check(&settings->amplitude, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeAmplitudeLanes *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for scattering amplitudes.");
  made->settings = *settings;
  made->settings.amplitude.spare_cores = debye_lane_count_accelerators(devices, n_devices);
  made->n_lanes = n_devices;
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_items,
                               .close = close_lane};
  code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *lanes = made;
  else
    debye_amplitude_lanes_destroy(made);
  return code;
}

/* One where frames are enough for all lanes. */
static size_t
count_blocks(const DebyeAmplitudeLanes *lanes, size_t n_vectors, size_t n_frames)
{
  const size_t wanted = ITEMS_OF_LANE * lanes->n_lanes;
  if (lanes->n_lanes < 2 || n_frames >= wanted)
    return 1;
  const size_t blocks = (wanted + n_frames - 1) / n_frames, max_blocks = n_vectors / BLOCK_VECTORS;
  return max_blocks < 1 ? 1 : blocks < max_blocks ? blocks : max_blocks;
}

DebyeStatusCode
debye_amplitude_lanes_execute(DebyeAmplitudeLanes *lanes, const DebyeVec3 *q, size_t n_vectors,
                              const DebyeScatteringFrame *frames, size_t n_frames, double *out,
                              size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeScatteringGroups *groups = &lanes->settings.amplitude.groups;
  DebyeStatusCode code = debye_amplitude_vectors_check(&lanes->settings.amplitude, q, n_vectors, status);
  if (code != DEBYE_STATUS_OK || n_vectors == 0 || n_frames == 0)
    return code;
  lanes->q = q;
  lanes->n_vectors = n_vectors;
  lanes->n_blocks = count_blocks(lanes, n_vectors, n_frames);
  lanes->frames = frames;
  lanes->n_frames = n_frames;
  lanes->out = out;
  lanes->execution++;
  lanes->bad_frame = 0;
  const double terms =
      (double)debye_scattering_n_entries(groups) * (double)n_vectors / (double)lanes->n_blocks;
  code = debye_lanes_run(lanes->lanes, n_frames * lanes->n_blocks, TERM_COST * terms, cancel, status);
  if (bad_frame != NULL)
    *bad_frame = lanes->bad_frame;
  return code;
}

size_t
debye_amplitude_lanes_get_reports(const DebyeAmplitudeLanes *lanes, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(lanes->lanes, reports);
}

void
debye_amplitude_lanes_destroy(DebyeAmplitudeLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  free(lanes);
}

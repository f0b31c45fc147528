/* SPDX-License-Identifier: MIT */
/* Computes self scattering on all devices at once for the analysis of scattering. Items of the lanes are
 * vectors of parts of the block's atoms. Each item writes its own place, so that one that is repeated after a
 * failure does no harm, and parts are added in their order when all are done. */
#include "scattering_self_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/lane_plan.h"

/* Items a lane has at least, so that all end together; and atoms of a part at least. */
#define ITEMS_OF_LANE 8
#define PART_ATOMS 64
/* Of all parts' sums, where vectors are enough for all lanes, and what a byte of them costs, fetched and
 * added, against one of the atoms' places, which every lane of a part needs. */
#define PARTS_BYTES ((size_t)256 << 20)
#define SUM_COST 2
/* Values that a thread adds at a time. */
#define ADDED_VALUES ((size_t)1 << 15)
/* What a term costs against the Coulomb pair that devices' scores are given in. */
#define TERM_COST 25.0
/* Places of an atom in a frame. */
#define ATOM_BYTES (3 * sizeof(float))

struct DebyeSelfLanes {
  DebyeSelfLanesSettings settings;
  DebyeVec3 *vectors;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  size_t n_lanes;
  double *f, *fq2; /* sums of all blocks, [vector][group] */

  /* The block under way. */
  const DebyeSelfBlock *block;
  unsigned long execution;
  size_t n_parts;
  double *part_f, *part_fq2; /* [part][vector][group] */
  size_t room;               /* parts that there is room for */
  DebyeSelfProgress progress;
  void *progress_data;
};

/* A lane's own. */
typedef struct {
  const DebyeSelfKernel *kernel;
  DebyeSelfPlan *plan;
  DebyeLaneInput set; /* a part */
} LanePlan;

static size_t
values_of_part(const DebyeSelfSettings *settings)
{
  return settings->n_vectors * settings->n_groups * 2 * settings->n_frames;
}

/* Memory. */

static uint64_t
limit_of(const DebyeSelfLanesSettings *settings, const DebyeDeviceEntry *device)
{
  if (settings->memory_limit > 0)
    return settings->memory_limit;
  const uint64_t has = device->info.memory_free > 0 ? device->info.memory_free : device->info.memory_total;
  return has / 10 * 9;
}

/* What a device, or the host, needs for a pass of so many atoms. */
static uint64_t
bytes_for(const DebyeSelfLanesSettings *settings, const DebyeDeviceEntry *device, size_t atoms)
{
  DebyeSelfSettings self = settings->self;
  self.max_atoms = atoms;
  uint64_t bytes = device->backend->self->bytes_needed(device->device, &self);
  if (debye_device_is_cpu(device))
    bytes += (uint64_t)atoms * self.n_frames * ATOM_BYTES + 2 * values_of_part(&self) * sizeof(double);
  return bytes;
}

static size_t
atoms_that_fit(const DebyeSelfLanesSettings *settings, const DebyeDeviceEntry *device, size_t n_atoms)
{
  const uint64_t limit = limit_of(settings, device);
  size_t low = 0, high = n_atoms + 1;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (bytes_for(settings, device, middle) <= limit)
      low = middle;
    else
      high = middle;
  }
  return low;
}

DebyeStatusCode
debye_self_lanes_pass_atoms(const DebyeSelfLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                            size_t n_devices, size_t n_atoms, size_t *pass_atoms, DebyeStatus *status)
{
  const DebyeDeviceEntry *tightest = NULL;
  DebyeSelfSettings self = settings->self;
  self.max_atoms = 1;
  *pass_atoms = n_atoms;
  DebyeStatusCode code = debye_self_settings_check(&self, status);
  for (size_t i = 0; i < n_devices && code == DEBYE_STATUS_OK; i++) {
    if (devices[i]->backend->self == NULL)
      continue;
    const size_t fits = atoms_that_fit(settings, devices[i], n_atoms);
    /* A device without room for one atom only loses its lane, as long as another has some. */
    if (fits > 0 && fits < *pass_atoms)
      *pass_atoms = fits;
    if (fits > 0)
      tightest = devices[i];
  }
  if (code != DEBYE_STATUS_OK || tightest != NULL)
    return code;
  *pass_atoms = 0;
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < n_devices; i++)
    if (devices[i]->backend->self != NULL && bytes_for(settings, devices[i], 1) < least)
      least = bytes_for(settings, devices[i], 1);
  /* Rounded up: a limit of that size is enough. */
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "Self scattering of %zu frames and %zu vectors q needs %.0f kB even for one atom.",
                          self.n_frames, self.n_vectors, ceil(1e-3 * (double)least));
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
  const DebyeSelfLanes *lanes = context;
  const DebyeSelfSettings *settings = &lanes->settings.self;
  LanePlan *lane = lane_state;
  const DebyeSelfKernel *kernel = lane->kernel = device->backend->self;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "compute self scattering", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   lanes->settings.memory_limit, status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static DebyeStatusCode
set_part(const DebyeSelfLanes *lanes, LanePlan *lane, size_t part, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, lanes->execution, part))
    return debye_status_ok(status);
  const DebyeSelfBlock piece = debye_self_block_part(lanes->block, part, lanes->n_parts);
  const DebyeStatusCode code = lane->kernel->set_block(lane->plan, &piece, status);
  return debye_lane_input_note(&lane->set, lanes->execution, part, code);
}

static DebyeStatusCode
work_vectors(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
             DebyeStatus *status)
{
  DebyeSelfLanes *lanes = context;
  LanePlan *lane = lane_state;
  const DebyeSelfSettings *settings = &lanes->settings.self;
  for (size_t item = first; item < first + count;) {
    const size_t vector = item % settings->n_vectors, left = first + count - item;
    const size_t in_part = settings->n_vectors - vector, length = left < in_part ? left : in_part;
    DebyeStatusCode code = set_part(lanes, lane, item / settings->n_vectors, status);
    if (code == DEBYE_STATUS_OK)
      code = lane->kernel->execute(lane->plan, vector, length,
                                   lanes->part_f + item * settings->n_groups * 2 * settings->n_frames,
                                   lanes->part_fq2 + item * settings->n_groups, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    item += length;
  }
  return DEBYE_STATUS_OK;
}

static void
vectors_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyeSelfLanes *lanes = context;
  (void)first;
  (void)count;
  if (lanes->progress != NULL)
    lanes->progress(lanes->progress_data, n_done, lanes->n_parts * lanes->settings.self.n_vectors);
}

/* The object. */

static DebyeStatusCode
out_of_memory(const DebyeSelfSettings *settings, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for self scattering of %zu vectors q and %zu frames.",
                          settings->n_vectors, settings->n_frames);
}

static bool
allocate(DebyeSelfLanes *lanes, const DebyeSelfLanesSettings *settings, unsigned n_accelerators)
{
  const size_t n_values = values_of_part(&settings->self);
  const size_t n = settings->self.n_vectors * settings->self.n_groups;
  lanes->settings = *settings;
  lanes->vectors = calloc(settings->self.n_vectors, sizeof *lanes->vectors);
  lanes->f = calloc(n_values, sizeof *lanes->f);
  lanes->fq2 = calloc(n, sizeof *lanes->fq2);
  if (lanes->vectors == NULL || lanes->f == NULL || lanes->fq2 == NULL)
    return false;
  memcpy(lanes->vectors, settings->self.vectors, settings->self.n_vectors * sizeof(DebyeVec3));
  lanes->settings.self.vectors = lanes->vectors;
  lanes->settings.self.spare_cores = n_accelerators;
  return true;
}

DebyeStatusCode
debye_self_lanes_create(const DebyeSelfLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                        size_t n_devices, DebyeSelfLanes **lanes, DebyeStatus *status)
{
  *lanes = NULL;
  DebyeStatusCode code = debye_self_settings_check(&settings->self, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeSelfLanes *made = calloc(1, sizeof *made);
  if (made == NULL || !allocate(made, settings, debye_lane_count_accelerators(devices, n_devices))) {
    debye_self_lanes_destroy(made);
    return out_of_memory(&settings->self, status);
  }
  made->n_lanes = n_devices;
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_vectors,
                               .close = close_lane,
                               .finished = vectors_finished};
  code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *lanes = made;
  else
    debye_self_lanes_destroy(made);
  return code;
}

/* Whether it is quicker to add up the lanes' sums than to bring all atoms to every lane. */
static bool
sums_are_small(const DebyeSelfLanes *lanes, const DebyeSelfBlock *block)
{
  const DebyeSelfSettings *settings = &lanes->settings.self;
  const size_t sums = values_of_part(settings) * sizeof(double);
  return lanes->n_lanes * sums <= PARTS_BYTES &&
         SUM_COST * sums < block->n_atoms * settings->n_frames * ATOM_BYTES;
}

/* One where vectors are enough for all lanes, unless each better has atoms of its own. */
static size_t
parts_for(const DebyeSelfLanes *lanes, const DebyeSelfBlock *block)
{
  const size_t n_vectors = lanes->settings.self.n_vectors, n_lanes = lanes->n_lanes;
  const size_t least = n_lanes > 1 && sums_are_small(lanes, block) ? n_lanes : 1;
  const size_t wanted = n_lanes > 1 ? (ITEMS_OF_LANE * n_lanes + n_vectors - 1) / n_vectors : 1;
  const size_t parts = wanted < least ? least : wanted, max_parts = block->n_atoms / PART_ATOMS;
  return max_parts < 1 ? 1 : parts < max_parts ? parts : max_parts;
}

static bool
make_room(DebyeSelfLanes *lanes, size_t n_parts)
{
  if (n_parts <= lanes->room)
    return true;
  const DebyeSelfSettings *settings = &lanes->settings.self;
  free(lanes->part_f);
  free(lanes->part_fq2);
  lanes->room = 0;
  lanes->part_f = calloc(n_parts * values_of_part(settings), sizeof *lanes->part_f);
  lanes->part_fq2 = calloc(n_parts * settings->n_vectors * settings->n_groups, sizeof *lanes->part_fq2);
  if (lanes->part_f == NULL || lanes->part_fq2 == NULL)
    return false;
  lanes->room = n_parts;
  return true;
}

static void
add_chunk(void *context, size_t chunk)
{
  DebyeSelfLanes *lanes = context;
  const size_t n = values_of_part(&lanes->settings.self), first = chunk * ADDED_VALUES;
  const size_t end = first + ADDED_VALUES < n ? first + ADDED_VALUES : n;
  double *restrict f = lanes->f;
  for (size_t part = 0; part < lanes->n_parts; part++) {
    const double *restrict added = lanes->part_f + part * n;
    for (size_t i = first; i < end; i++)
      f[i] += added[i];
  }
}

static void
add_parts(DebyeSelfLanes *lanes)
{
  const DebyeSelfSettings *settings = &lanes->settings.self;
  const size_t n_values = values_of_part(settings), n = settings->n_vectors * settings->n_groups;
  debye_chunk_threads_run((n_values + ADDED_VALUES - 1) / ADDED_VALUES, add_chunk, lanes);
  for (size_t part = 0; part < lanes->n_parts && settings->elastic; part++)
    for (size_t i = 0; i < n; i++)
      lanes->fq2[i] += lanes->part_fq2[part * n + i];
}

DebyeStatusCode
debye_self_lanes_execute(DebyeSelfLanes *lanes, const DebyeSelfBlock *block, const volatile bool *cancel,
                         DebyeSelfProgress progress, void *data, DebyeStatus *status)
{
  const DebyeSelfSettings *settings = &lanes->settings.self;
  lanes->block = block;
  lanes->execution++;
  lanes->n_parts = parts_for(lanes, block);
  lanes->progress = progress;
  lanes->progress_data = data;
  lanes->work.part_items = lanes->n_parts > 1 ? settings->n_vectors : 0;
  DebyeStatusCode code = debye_self_block_check(settings, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!make_room(lanes, lanes->n_parts))
    return out_of_memory(settings, status);
  const double terms = (double)block->n_atoms / (double)lanes->n_parts * (double)settings->n_frames;
  code =
      debye_lanes_run(lanes->lanes, lanes->n_parts * settings->n_vectors, TERM_COST * terms, cancel, status);
  if (code == DEBYE_STATUS_OK)
    add_parts(lanes);
  if (code == DEBYE_STATUS_INVALID && lanes->n_parts > 1)
    debye_self_positions_name(block, settings->n_frames, status);
  return code;
}

const double *
debye_self_lanes_get_f(const DebyeSelfLanes *lanes, size_t vector, size_t group)
{
  const DebyeSelfSettings *settings = &lanes->settings.self;
  return lanes->f + (vector * settings->n_groups + group) * 2 * settings->n_frames;
}

double
debye_self_lanes_get_fq2(const DebyeSelfLanes *lanes, size_t vector, size_t group)
{
  return lanes->fq2[vector * lanes->settings.self.n_groups + group];
}

size_t
debye_self_lanes_get_reports(const DebyeSelfLanes *lanes, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(lanes->lanes, reports);
}

void
debye_self_lanes_destroy(DebyeSelfLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  free(lanes->vectors);
  free(lanes->f);
  free(lanes->fq2);
  free(lanes->part_f);
  free(lanes->part_fq2);
  free(lanes);
}

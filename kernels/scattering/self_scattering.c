/* SPDX-License-Identifier: MIT */
/* Computes self scattering on all devices at once for the analysis of scattering. Items of the lanes are
 * vectors of parts of the block's atoms. Each item writes its own place, so that one that is repeated after a
 * failure does no harm, and parts are added in their order when all are done. */
#include "self_scattering.h"

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

struct DebyeSelfScattering {
  DebyeSelfScatteringSettings settings;
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
limit_of(const DebyeSelfScatteringSettings *settings, const DebyeDeviceEntry *device)
{
  if (settings->memory_limit > 0)
    return settings->memory_limit;
  const uint64_t has = device->info.memory_free > 0 ? device->info.memory_free : device->info.memory_total;
  return has / 10 * 9;
}

/* What a device, or the host, needs for a pass of so many atoms. */
static uint64_t
bytes_for(const DebyeSelfScatteringSettings *settings, const DebyeDeviceEntry *device, size_t atoms)
{
  DebyeSelfSettings self = settings->self;
  self.max_atoms = atoms;
  uint64_t bytes = device->backend->self->bytes_needed(device->device, &self);
  if (debye_device_is_processor(device))
    bytes += (uint64_t)atoms * self.n_frames * ATOM_BYTES + 2 * values_of_part(&self) * sizeof(double);
  return bytes;
}

static size_t
atoms_that_fit(const DebyeSelfScatteringSettings *settings, const DebyeDeviceEntry *device, size_t n_atoms)
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
debye_self_scattering_pass_atoms(const DebyeSelfScatteringSettings *settings,
                                 const DebyeDeviceEntry *const *devices, size_t n_devices, size_t n_atoms,
                                 size_t *pass_atoms, DebyeStatus *status)
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
  const DebyeSelfScattering *scattering = context;
  const DebyeSelfSettings *settings = &scattering->settings.self;
  LanePlan *lane = lane_state;
  const DebyeSelfKernel *kernel = lane->kernel = device->backend->self;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "compute self scattering", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   scattering->settings.memory_limit, status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static DebyeStatusCode
set_part(const DebyeSelfScattering *scattering, LanePlan *lane, size_t part, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, scattering->execution, part))
    return debye_status_ok(status);
  const DebyeSelfBlock piece = debye_self_block_part(scattering->block, part, scattering->n_parts);
  const DebyeStatusCode code = lane->kernel->set_block(lane->plan, &piece, status);
  return debye_lane_input_note(&lane->set, scattering->execution, part, code);
}

static DebyeStatusCode
work_vectors(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
             DebyeStatus *status)
{
  DebyeSelfScattering *scattering = context;
  LanePlan *lane = lane_state;
  const DebyeSelfSettings *settings = &scattering->settings.self;
  for (size_t item = first; item < first + count;) {
    const size_t vector = item % settings->n_vectors, left = first + count - item;
    const size_t in_part = settings->n_vectors - vector, length = left < in_part ? left : in_part;
    DebyeStatusCode code = set_part(scattering, lane, item / settings->n_vectors, status);
    if (code == DEBYE_STATUS_OK)
      code = lane->kernel->execute(lane->plan, vector, length,
                                   scattering->part_f + item * settings->n_groups * 2 * settings->n_frames,
                                   scattering->part_fq2 + item * settings->n_groups, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    item += length;
  }
  return DEBYE_STATUS_OK;
}

static void
vectors_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyeSelfScattering *scattering = context;
  (void)first;
  (void)count;
  if (scattering->progress != NULL)
    scattering->progress(scattering->progress_data, n_done,
                         scattering->n_parts * scattering->settings.self.n_vectors);
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
allocate(DebyeSelfScattering *scattering, const DebyeSelfScatteringSettings *settings,
         unsigned n_accelerators)
{
  const size_t n_values = values_of_part(&settings->self);
  const size_t n = settings->self.n_vectors * settings->self.n_groups;
  scattering->settings = *settings;
  scattering->vectors = calloc(settings->self.n_vectors, sizeof *scattering->vectors);
  scattering->f = calloc(n_values, sizeof *scattering->f);
  scattering->fq2 = calloc(n, sizeof *scattering->fq2);
  if (scattering->vectors == NULL || scattering->f == NULL || scattering->fq2 == NULL)
    return false;
  memcpy(scattering->vectors, settings->self.vectors, settings->self.n_vectors * sizeof(DebyeVec3));
  scattering->settings.self.vectors = scattering->vectors;
  scattering->settings.self.spare_processors = n_accelerators;
  return true;
}

DebyeStatusCode
debye_self_scattering_create(const DebyeSelfScatteringSettings *settings,
                             const DebyeDeviceEntry *const *devices, size_t n_devices,
                             DebyeSelfScattering **scattering, DebyeStatus *status)
{
  *scattering = NULL;
  DebyeStatusCode code = debye_self_settings_check(&settings->self, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeSelfScattering *made = calloc(1, sizeof *made);
  if (made == NULL || !allocate(made, settings, debye_lane_count_accelerators(devices, n_devices))) {
    debye_self_scattering_destroy(made);
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
    *scattering = made;
  else
    debye_self_scattering_destroy(made);
  return code;
}

/* Whether it is quicker to add up the lanes' sums than to bring all atoms to every lane. */
static bool
sums_are_small(const DebyeSelfScattering *scattering, const DebyeSelfBlock *block)
{
  const DebyeSelfSettings *settings = &scattering->settings.self;
  const size_t sums = values_of_part(settings) * sizeof(double);
  return scattering->n_lanes * sums <= PARTS_BYTES &&
         SUM_COST * sums < block->n_atoms * settings->n_frames * ATOM_BYTES;
}

/* One where vectors are enough for all lanes, unless each better has atoms of its own. */
static size_t
parts_for(const DebyeSelfScattering *scattering, const DebyeSelfBlock *block)
{
  const size_t n_vectors = scattering->settings.self.n_vectors, n_lanes = scattering->n_lanes;
  const size_t least = n_lanes > 1 && sums_are_small(scattering, block) ? n_lanes : 1;
  const size_t wanted = n_lanes > 1 ? (ITEMS_OF_LANE * n_lanes + n_vectors - 1) / n_vectors : 1;
  const size_t parts = wanted < least ? least : wanted, most = block->n_atoms / PART_ATOMS;
  return most < 1 ? 1 : parts < most ? parts : most;
}

static bool
make_room(DebyeSelfScattering *scattering, size_t n_parts)
{
  if (n_parts <= scattering->room)
    return true;
  const DebyeSelfSettings *settings = &scattering->settings.self;
  free(scattering->part_f);
  free(scattering->part_fq2);
  scattering->room = 0;
  scattering->part_f = calloc(n_parts * values_of_part(settings), sizeof *scattering->part_f);
  scattering->part_fq2 =
      calloc(n_parts * settings->n_vectors * settings->n_groups, sizeof *scattering->part_fq2);
  if (scattering->part_f == NULL || scattering->part_fq2 == NULL)
    return false;
  scattering->room = n_parts;
  return true;
}

static void
add_chunk(void *context, size_t chunk)
{
  DebyeSelfScattering *scattering = context;
  const size_t n = values_of_part(&scattering->settings.self), first = chunk * ADDED_VALUES;
  const size_t end = first + ADDED_VALUES < n ? first + ADDED_VALUES : n;
  double *restrict f = scattering->f;
  for (size_t part = 0; part < scattering->n_parts; part++) {
    const double *restrict added = scattering->part_f + part * n;
    for (size_t i = first; i < end; i++)
      f[i] += added[i];
  }
}

static void
add_parts(DebyeSelfScattering *scattering)
{
  const DebyeSelfSettings *settings = &scattering->settings.self;
  const size_t n_values = values_of_part(settings), n = settings->n_vectors * settings->n_groups;
  debye_chunk_threads_run((n_values + ADDED_VALUES - 1) / ADDED_VALUES, add_chunk, scattering);
  for (size_t part = 0; part < scattering->n_parts && settings->elastic; part++)
    for (size_t i = 0; i < n; i++)
      scattering->fq2[i] += scattering->part_fq2[part * n + i];
}

DebyeStatusCode
debye_self_scattering_execute(DebyeSelfScattering *scattering, const DebyeSelfBlock *block,
                              const volatile bool *cancel, DebyeSelfProgress progress, void *data,
                              DebyeStatus *status)
{
  const DebyeSelfSettings *settings = &scattering->settings.self;
  scattering->block = block;
  scattering->execution++;
  scattering->n_parts = parts_for(scattering, block);
  scattering->progress = progress;
  scattering->progress_data = data;
  scattering->work.part_items = scattering->n_parts > 1 ? settings->n_vectors : 0;
  DebyeStatusCode code = debye_self_block_check(settings, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!make_room(scattering, scattering->n_parts))
    return out_of_memory(settings, status);
  const double terms = (double)block->n_atoms / (double)scattering->n_parts * (double)settings->n_frames;
  code = debye_lanes_run(scattering->lanes, scattering->n_parts * settings->n_vectors, TERM_COST * terms,
                         cancel, status);
  if (code == DEBYE_STATUS_OK)
    add_parts(scattering);
  if (code == DEBYE_STATUS_INVALID && scattering->n_parts > 1)
    debye_self_positions_name(block, settings->n_frames, status);
  return code;
}

const double *
debye_self_scattering_get_f(const DebyeSelfScattering *scattering, size_t vector, size_t group)
{
  const DebyeSelfSettings *settings = &scattering->settings.self;
  return scattering->f + (vector * settings->n_groups + group) * 2 * settings->n_frames;
}

double
debye_self_scattering_get_fq2(const DebyeSelfScattering *scattering, size_t vector, size_t group)
{
  return scattering->fq2[vector * scattering->settings.self.n_groups + group];
}

size_t
debye_self_scattering_get_reports(const DebyeSelfScattering *scattering, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(scattering->lanes, reports);
}

void
debye_self_scattering_destroy(DebyeSelfScattering *scattering)
{
  if (scattering == NULL)
    return;
  debye_lanes_free(scattering->lanes);
  free(scattering->vectors);
  free(scattering->f);
  free(scattering->fq2);
  free(scattering->part_f);
  free(scattering->part_fq2);
  free(scattering);
}

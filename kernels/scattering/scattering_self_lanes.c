/* SPDX-License-Identifier: MIT */
/* Computes self scattering on all devices at once for the analysis of scattering. Inputs are parts of the
 * block's atoms, items their vectors. Each item writes its own place, so that one that is repeated after a
 * failure does no harm, and parts are added in their order when all are done. */
#include "scattering_self_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Items a lane has at least, so that all end together; and atoms of a part at least. */
#define ITEMS_OF_LANE 8
#define PART_ATOMS 64
/* Of all parts' sums, where vectors are enough for all lanes, and what a byte of them costs, fetched and
 * added, against one of the atoms' places, which every lane of a part needs. */
#define PARTS_BYTES ((size_t)256 << 20)
#define SUM_COST 2
/* What a term costs against the Coulomb pair that devices' scores are given in. */
#define TERM_COST 25.0
/* Places of an atom in a frame. */
#define ATOM_BYTES (3 * sizeof(float))

typedef struct {
  DebyeSharing share;
  DebyeVec3 *vectors;
  double *f, *fq2; /* sums of all blocks, [vector][group] */
  /* The block under way. */
  const DebyeSelfBlock *block;
  double *part_f, *part_fq2; /* [part][vector][group] */
  size_t room;               /* parts that there is room for */
} SelfShare;

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
  uint64_t bytes = device->backend->self->head.bytes_needed(device->device, &self);
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

static const DebyeSelfKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeSelfKernel *)lane->kernel;
}

static DebyeStatusCode
set_part(const DebyeSharing *share, DebyeSharingLane *lane, size_t part, DebyeStatus *status)
{
  const DebyeSelfBlock piece =
      debye_self_block_part(((const SelfShare *)share)->block, part, share->job.n_inputs);
  return kernel_of(lane)->set_block(lane->plan, &piece, status);
}

static DebyeStatusCode
compute_vectors(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
                DebyeStatus *status)
{
  const SelfShare *self = (const SelfShare *)share;
  const DebyeSelfSettings *settings = share->settings;
  const size_t place = (run.input * settings->n_vectors + run.first) * settings->n_groups;
  return kernel_of(lane)->execute(lane->plan, run.first, run.count,
                                  self->part_f + place * 2 * settings->n_frames, self->part_fq2 + place,
                                  cancel, status);
}

static void
clear(DebyeSharing *share)
{
  const SelfShare *self = (const SelfShare *)share;
  free(self->vectors);
  free(self->f);
  free(self->fq2);
  free(self->part_f);
  free(self->part_fq2);
}

static const DebyeSharingFamily family = {
    .task = "compute self scattering",
    .kernel = offsetof(DebyeBackend, self),
    .size = sizeof(SelfShare),
    .settings_size = sizeof(DebyeSelfSettings),
    .spare_cores = offsetof(DebyeSelfSettings, spare_cores),
    .set = set_part,
    .execute = compute_vectors,
    .clear = clear,
};

/* The object. */

static bool
allocate(SelfShare *self)
{
  DebyeSelfSettings *settings = self->share.settings;
  self->vectors = calloc(settings->n_vectors, sizeof *self->vectors);
  self->f = calloc(values_of_part(settings), sizeof *self->f);
  self->fq2 = calloc(settings->n_vectors * settings->n_groups, sizeof *self->fq2);
  if (self->vectors == NULL || self->f == NULL || self->fq2 == NULL)
    return false;
  memcpy(self->vectors, settings->vectors, settings->n_vectors * sizeof(DebyeVec3));
  settings->vectors = self->vectors;
  return true;
}

DebyeStatusCode
debye_self_lanes_create(const DebyeSelfLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                        size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  *share = NULL;
  DebyeStatusCode code = debye_self_settings_check(&settings->self, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  SelfShare *made = debye_sharing_new(&family, &settings->self, settings->memory_limit, devices, n_devices);
  return debye_sharing_start(made, made != NULL && allocate(made), share, status);
}

/* Whether it is quicker to add up the lanes' sums than to bring all atoms to every lane. */
static bool
sums_are_small(const DebyeSharing *share, const DebyeSelfBlock *block)
{
  const DebyeSelfSettings *settings = share->settings;
  const size_t sums = values_of_part(settings) * sizeof(double);
  return share->n_lanes * sums <= PARTS_BYTES &&
         SUM_COST * sums < block->n_atoms * settings->n_frames * ATOM_BYTES;
}

/* One where vectors are enough for all lanes, unless each better has atoms of its own. */
static size_t
parts_for(const DebyeSharing *share, const DebyeSelfBlock *block)
{
  const size_t n_vectors = ((const DebyeSelfSettings *)share->settings)->n_vectors, n_lanes = share->n_lanes;
  const size_t least = n_lanes > 1 && sums_are_small(share, block) ? n_lanes : 1;
  const size_t wanted = n_lanes > 1 ? (ITEMS_OF_LANE * n_lanes + n_vectors - 1) / n_vectors : 1;
  const size_t parts = wanted < least ? least : wanted, max_parts = block->n_atoms / PART_ATOMS;
  return max_parts < 1 ? 1 : parts < max_parts ? parts : max_parts;
}

static bool
make_room(SelfShare *self, size_t n_parts)
{
  if (n_parts <= self->room)
    return true;
  const DebyeSelfSettings *settings = self->share.settings;
  free(self->part_f);
  free(self->part_fq2);
  self->part_f = calloc(n_parts * values_of_part(settings), sizeof *self->part_f);
  self->part_fq2 = calloc(n_parts * settings->n_vectors * settings->n_groups, sizeof *self->part_fq2);
  self->room = self->part_f != NULL && self->part_fq2 != NULL ? n_parts : 0;
  return self->room > 0;
}

DebyeStatusCode
debye_self_lanes_execute(DebyeSharing *share, const DebyeSelfBlock *block, const volatile bool *cancel,
                         DebyeStatus *status)
{
  const DebyeSelfSettings *settings = share->settings;
  SelfShare *self = (SelfShare *)share;
  DebyeStatusCode code = debye_self_block_check(settings, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t n_parts = parts_for(share, block);
  if (!make_room(self, n_parts))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for self scattering of %zu vectors q and %zu frames.",
                            settings->n_vectors, settings->n_frames);
  const double terms = (double)block->n_atoms / (double)n_parts * (double)settings->n_frames;
  const DebyeSharingJob job = {.n_inputs = n_parts,
                               .n_items = settings->n_vectors,
                               .item_cost = TERM_COST * terms,
                               .apart = n_parts > 1,
                               .cancel = cancel};
  self->block = block;
  code = debye_sharing_run(share, &job, status);
  if (code == DEBYE_STATUS_OK)
    debye_sharing_add_values(self->f, self->part_f, values_of_part(settings), n_parts);
  if (code == DEBYE_STATUS_OK && settings->elastic)
    debye_sharing_add_values(self->fq2, self->part_fq2, settings->n_vectors * settings->n_groups, n_parts);
  if (code == DEBYE_STATUS_INVALID && n_parts > 1)
    debye_self_positions_name(block, settings->n_frames, status);
  return code;
}

const double *
debye_self_lanes_get_f(const DebyeSharing *share, size_t vector, size_t group)
{
  const DebyeSelfSettings *settings = share->settings;
  return ((const SelfShare *)share)->f + (vector * settings->n_groups + group) * 2 * settings->n_frames;
}

double
debye_self_lanes_get_fq2(const DebyeSharing *share, size_t vector, size_t group)
{
  const DebyeSelfSettings *settings = share->settings;
  return ((const SelfShare *)share)->fq2[vector * settings->n_groups + group];
}

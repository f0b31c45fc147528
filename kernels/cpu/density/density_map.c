/* SPDX-License-Identifier: MIT */
/* Density maps on the CPU: threads add into one grid; its twin is cuda/density/density_map.cu. */
#include "kernels/density/density_map.h"

#include <string.h>

#include "density_block.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/unpack.h"
#include "kernels/plan.h"

#define PIECE_POINTS ((size_t)8192)
#define PIECE_VOXELS ((size_t)65536)
/* Bits of a word: views whose voxels are kept apart until they are counted. */
#define BITS 32

typedef struct {
  DebyeDensitySettings settings;
  DebyeDensityTarget target;
  const DebyeDensityBlock *loops;
  DebyePool *pool;
  unsigned n_threads;
  const DebyeDensityFrame *frames;
  size_t n_frames, n_samples;
  DebyeLattice *lattices; /* by frame */
  DebyeDensitySample *samples;
  float *unpacked; /* x, y, z of a packed frame */
} Plan;

static DebyeStatusCode
set_frames(DebyeKernelPlan *handle, const DebyeDensityFrame *frames, size_t n_frames, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->n_frames = plan->n_samples = 0;
  const DebyeStatusCode code = debye_density_frames_check(&plan->settings, frames, n_frames, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->frames = frames;
  plan->n_frames = n_frames;
  for (size_t i = 0; i < n_frames; i++) {
    debye_lattice_init(&plan->lattices[i], frames[i].cell);
    for (size_t view = 0; view < frames[i].n_views; view++) {
      DebyeDensitySample *sample = &plan->samples[plan->n_samples++];
      debye_density_sample_init(sample, &plan->settings, &frames[i], view, &plan->lattices[i]);
      sample->frame = (uint32_t)i;
    }
  }
  return DEBYE_STATUS_OK;
}

/* --- Adding --- */

typedef struct {
  const Plan *plan;
  size_t first; /* sample */
  size_t n_pieces;
  DebyeDensityFrame unpacked; /* that all samples are of; n 0: of the plan's frames as they are */
} Pass;

static void
add_piece(void *context, size_t chunk)
{
  const Pass *pass = context;
  const Plan *plan = pass->plan;
  const size_t number = chunk / pass->n_pieces, begin = chunk % pass->n_pieces * PIECE_POINTS;
  const DebyeDensitySample *sample = &plan->samples[pass->first + number];
  const DebyeDensityFrame *frame = pass->unpacked.n > 0 ? &pass->unpacked : &plan->frames[sample->frame];
  const size_t end = begin + PIECE_POINTS < frame->n ? begin + PIECE_POINTS : frame->n;
  plan->loops->add(&plan->target, &plan->lattices[sample->frame], sample, (unsigned)(number % BITS), frame,
                   begin, end);
}

static void
fold_piece(void *context, size_t chunk)
{
  const DebyeDensityTarget *target = &((const Plan *)context)->target;
  const size_t begin = chunk * PIECE_VOXELS;
  const size_t end = begin + PIECE_VOXELS < target->n_voxels ? begin + PIECE_VOXELS : target->n_voxels;
  for (size_t i = begin; i < end; i++) {
    target->counts[i] += (uint32_t)__builtin_popcount(target->bits[i]);
    target->bits[i] = 0;
  }
}

static size_t
most_points(const Plan *plan)
{
  size_t most = 0;
  for (size_t i = 0; i < plan->n_frames; i++)
    most = plan->frames[i].n > most ? plan->frames[i].n : most;
  return most;
}

/* Samples that are added together from `first` on: of packed frames those of one, as there is room for one. */
static size_t
count_together(const Plan *plan, size_t first)
{
  const size_t left = plan->n_samples - first;
  const size_t most = plan->target.bits != NULL && left > BITS ? BITS : left;
  const uint32_t frame = plan->samples[first].frame;
  const bool is_packed = plan->frames[frame].packed != NULL;
  size_t n = 1;
  while (n < most && (plan->samples[first + n].frame == frame ||
                      (!is_packed && plan->frames[plan->samples[first + n].frame].packed == NULL)))
    n++;
  return n;
}

static DebyeDensityFrame
unpack(const Plan *plan, const DebyeDensityFrame *frame)
{
  const DebyePackedAtoms *atoms = &plan->settings.packed;
  float *x = plan->unpacked, *y = x + atoms->n_atoms, *z = y + atoms->n_atoms;
  DebyeDensityFrame whole = *frame;
  debye_unpack(frame->packed, atoms->chosen, atoms->n_chosen, plan->pool, x, y, z);
  whole.x = x;
  whole.y = y;
  whole.z = z;
  whole.packed = NULL;
  return whole;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t n_pieces = (most_points(plan) + PIECE_POINTS - 1) / PIECE_POINTS;
  for (size_t first = 0, n; first < plan->n_samples && n_pieces > 0; first += n) {
    const DebyeDensityFrame *frame = &plan->frames[plan->samples[first].frame];
    Pass pass = {.plan = plan, .first = first, .n_pieces = n_pieces};
    if (frame->packed != NULL)
      pass.unpacked = unpack(plan, frame);
    n = count_together(plan, first);
    if (!debye_parallel_for(plan->pool, n * n_pieces, add_piece, &pass, cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Counting in voxels was stopped.");
    if (plan->target.bits != NULL)
      debye_parallel_for(plan->pool, (plan->target.n_voxels + PIECE_VOXELS - 1) / PIECE_VOXELS, fold_piece,
                         plan, NULL);
  }
  return debye_status_ok(status);
}

static DebyeStatusCode
fetch(DebyeKernelPlan *handle, int64_t *sums, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t n = debye_density_n_sums(&plan->settings);
  if (plan->target.sums != NULL) {
    memcpy(sums, plan->target.sums, n * sizeof *sums);
    memset(plan->target.sums, 0, n * sizeof *sums);
    return debye_status_ok(status);
  }
  for (size_t i = 0; i < n; i++)
    sums[i] = (int64_t)plan->target.counts[i];
  memset(plan->target.counts, 0, n * sizeof *plan->target.counts);
  if (plan->target.bits != NULL)
    memset(plan->target.bits, 0, n * sizeof *plan->target.bits);
  return debye_status_ok(status);
}

/* --- The plan --- */

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeDensitySettings *)settings;
  plan->n_threads = debye_cpu_threads_beside(plan->settings.spare_cores);
  const DebyeStatusCode code = debye_density_settings_check(&plan->settings, status);
  if (code == DEBYE_STATUS_OK)
    debye_density_target_init(&plan->target, &plan->settings);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  const DebyeDensitySettings *settings = &plan->settings;
  if (settings->sum == DEBYE_DENSITY_WEIGH)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->target.sums, debye_density_n_sums(settings));
  else
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->target.counts, plan->target.n_voxels);
  if (settings->sum == DEBYE_DENSITY_OCCUPANCY)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->target.bits, plan->target.n_voxels);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->lattices, settings->max_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->samples, settings->max_frames * settings->max_views);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->unpacked, 3 * (uint64_t)settings->packed.n_atoms);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeDensitySettings *settings = &((const Plan *)made)->settings;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for a grid of %zu × %zu × %zu voxels.", settings->shape[0],
                          settings->shape[1], settings->shape[2]);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  plan->loops = debye_density_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(plan->n_threads);
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_POOL_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

const DebyeDensityKernel debye_cpu_density = {
    .head = {bytes_needed, create, destroy},
    .set_frames = set_frames,
    .execute = execute,
    .fetch = fetch,
};

/* SPDX-License-Identifier: MIT */
/* Amplitudes on the CPU; its twin is cuda/scattering/scattering_amplitude.cu.
 *
 * One chunk of work is a section of a group's atoms in one frame against a few strips of q. Its sums go to a
 * place of their own, and are then added in the order of the sections, so that threads don't show in the
 * result. */
#include "kernels/scattering/scattering_amplitude.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "amplitude_block.h"
#include "unpacked_frame.h"
#include "kernels/scattering/amplitude_math.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"

/* Atoms of a chunk: some milliseconds against its q. */
#define SECTION_ATOMS ((size_t)8192)
/* A tile of atoms is made ready for so many strips. */
#define CHUNK_STRIPS ((size_t)8)
/* Sums of the sections of the frames that are under way together. */
#define SECTION_BYTES ((size_t)32 << 20)

typedef struct {
  size_t group;
  size_t first, count; /* entries of the groups' list */
} Section;

typedef struct {
  DebyeAmplitudeSettings settings;
  const DebyeAmplitudeBlock *block;
  DebyePool *pool;
  Section *sections;
  size_t n_sections;
  size_t *group_section; /* the first of each group; n_groups + 1 */
  DebyeAmplitudeStrip *strips;
  size_t n_vectors, n_strips;
  DebyeAmplitudeSums *sums; /* of sections: [(frame·n_sections + section)·n_strips + strip] */
  size_t n_sums;
  float *unpacked; /* x, y, z of a packed frame */
} DebyeAmplitudeCpuPlan;

/* Frames that are done together. */
typedef struct {
  const DebyeAmplitudeCpuPlan *plan;
  const DebyeScatteringFrame *frames;
  size_t n_frames;
  size_t chunks_wide; /* chunks that share the strips of a section */
  double *out;
  /* The first atom that can't be used, as frame·n_atoms + atom; UINT64_MAX: none. */
  _Atomic uint64_t first_bad;
} Batch;

static size_t
at_most(size_t value, size_t limit)
{
  return value < limit ? value : limit;
}

static size_t
pieces(size_t n, size_t size)
{
  return (n + size - 1) / size;
}

static size_t
count_sections(const DebyeScatteringGroups *groups)
{
  size_t n = 0;
  for (size_t g = 0; g < groups->n_groups; g++)
    n += pieces(groups->first[g + 1] - groups->first[g], SECTION_ATOMS);
  return n;
}

/* One frame at least. */
static size_t
sums_planned(const DebyeAmplitudeSettings *settings, size_t n_sections)
{
  size_t a_frame = n_sections * pieces(settings->max_vectors, DEBYE_AMPLITUDE_STRIP);
  size_t fits = SECTION_BYTES / sizeof(DebyeAmplitudeSums) / (a_frame > 0 ? a_frame : 1);
  return a_frame * at_most(fits > 0 ? fits : 1, settings->max_frames);
}

static void
set_sections(DebyeAmplitudeCpuPlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  size_t n = 0;
  for (size_t g = 0; g < groups->n_groups; g++) {
    plan->group_section[g] = n;
    for (size_t first = groups->first[g]; first < groups->first[g + 1]; first += SECTION_ATOMS)
      plan->sections[n++] = (Section){
          .group = g, .first = first, .count = at_most(SECTION_ATOMS, groups->first[g + 1] - first)};
  }
  plan->group_section[groups->n_groups] = n;
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  DebyeAmplitudeCpuPlan *plan = made;
  (void)device;
  plan->settings = *(const DebyeAmplitudeSettings *)settings;
  const DebyeStatusCode code = debye_amplitude_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->n_sections = count_sections(&plan->settings.groups);
  plan->n_sums = sums_planned(&plan->settings, plan->n_sections);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeAmplitudeCpuPlan *plan = made;
  const DebyeAmplitudeSettings *settings = &plan->settings;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sections, plan->n_sections);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->group_section, settings->groups.n_groups + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->strips,
                   pieces(settings->max_vectors, DEBYE_AMPLITUDE_STRIP));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sums, plan->n_sums);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->unpacked,
                   settings->may_be_packed ? 3 * (uint64_t)settings->n_atoms : 0);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeAmplitudeCpuPlan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the amplitudes of %zu q.",
                          plan->settings.max_vectors);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeAmplitudeCpuPlan *plan = made;
  plan->block = debye_amplitude_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(debye_cpu_threads_beside(plan->settings.spare_cores));
  set_sections(plan);
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_POOL_CLEAR_PLAN(DebyeAmplitudeCpuPlan)
DEBYE_PLAN(DebyeAmplitudeCpuPlan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare,
           .clear = clear)

/* Lanes beyond the last q stay at q = 0 and are dropped. */
static DebyeStatusCode
set_vectors(DebyeKernelPlan *handle, const DebyeVec3 *q, size_t n_vectors, DebyeStatus *status)
{
  DebyeAmplitudeCpuPlan *plan = (DebyeAmplitudeCpuPlan *)handle;
  plan->n_vectors = plan->n_strips = 0;
  if (debye_amplitude_vectors_check(&plan->settings, q, n_vectors, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  plan->n_vectors = n_vectors;
  plan->n_strips = pieces(n_vectors, DEBYE_AMPLITUDE_STRIP);
  memset(plan->strips, 0, plan->n_strips * sizeof *plan->strips);
  for (size_t i = 0; i < n_vectors; i++) {
    DebyeAmplitudeStrip *strip = &plan->strips[i / DEBYE_AMPLITUDE_STRIP];
    const size_t lane = i % DEBYE_AMPLITUDE_STRIP;
    const DebyeTurnVector turns = debye_turn_vector(q[i]);
    strip->x[lane] = turns.x;
    strip->y[lane] = turns.y;
    strip->z[lane] = turns.z;
    strip->rest_x[lane] = turns.rest_x;
    strip->rest_y[lane] = turns.rest_y;
    strip->rest_z[lane] = turns.rest_z;
  }
  return debye_status_ok(status);
}

static void
note_bad(Batch *batch, size_t frame, size_t atom)
{
  uint64_t found = (uint64_t)frame * batch->plan->settings.n_atoms + atom,
           known = atomic_load(&batch->first_bad);
  while (found < known && !atomic_compare_exchange_weak(&batch->first_bad, &known, found))
    ;
}

/* Atoms of `count` entries from `first` on. */
static void
fill_tile(Batch *batch, size_t frame, size_t first, size_t count, DebyeAmplitudeTile *tile)
{
  const DebyeScatteringGroups *groups = &batch->plan->settings.groups;
  const DebyeScatteringFrame *atoms = &batch->frames[frame];
  tile->n = count;
  for (size_t i = 0; i < count; i++) {
    const size_t atom = groups->atoms != NULL ? groups->atoms[first + i] : first + i;
    const bool good = debye_scattering_is_good(atoms->x[atom], atoms->y[atom], atoms->z[atom]);
    if (!good)
      note_bad(batch, frame, atom);
    tile->x[i] = good ? (double)atoms->x[atom] : 0.0;
    tile->y[i] = good ? (double)atoms->y[atom] : 0.0;
    tile->z[i] = good ? (double)atoms->z[atom] : 0.0;
    tile->weight[i] = groups->weight != NULL ? groups->weight[first + i] : 1.0f;
  }
}

static void
sum_chunk(void *context, size_t chunk)
{
  Batch *batch = context;
  const DebyeAmplitudeCpuPlan *plan = batch->plan;
  const size_t place = chunk / batch->chunks_wide, frame = place / plan->n_sections;
  const size_t first_strip = chunk % batch->chunks_wide * CHUNK_STRIPS;
  const size_t n_strips = at_most(CHUNK_STRIPS, plan->n_strips - first_strip);
  const Section *section = &plan->sections[place % plan->n_sections];
  DebyeAmplitudeSums *sums = plan->sums + place * plan->n_strips + first_strip;
  DebyeAmplitudeTile tile;
  memset(sums, 0, n_strips * sizeof *sums);
  for (size_t done = 0; done < section->count; done += tile.n) {
    fill_tile(batch, frame, section->first + done, at_most(DEBYE_AMPLITUDE_TILE, section->count - done),
              &tile);
    for (size_t i = 0; i < n_strips; i++)
      if (plan->settings.double_precision)
        plan->block->add_double(&tile, &plan->strips[first_strip + i], &sums[i]);
      else
        plan->block->add_float(&tile, &plan->strips[first_strip + i], &sums[i]);
  }
}

/* Adds the sections of each group of a frame. */
static void
gather_frame(const Batch *batch, size_t frame)
{
  const DebyeAmplitudeCpuPlan *plan = batch->plan;
  const size_t n_groups = plan->settings.groups.n_groups;
  const DebyeAmplitudeSums *sums = plan->sums + frame * plan->n_sections * plan->n_strips;
  for (size_t g = 0; g < n_groups; g++) {
    double *out = batch->out + 2 * (frame * n_groups + g) * plan->n_vectors;
    memset(out, 0, 2 * plan->n_vectors * sizeof *out);
    for (size_t s = plan->group_section[g]; s < plan->group_section[g + 1]; s++)
      for (size_t i = 0; i < plan->n_vectors; i++) {
        const DebyeAmplitudeSums *strip = &sums[s * plan->n_strips + i / DEBYE_AMPLITUDE_STRIP];
        out[2 * i] += strip->real[i % DEBYE_AMPLITUDE_STRIP];
        out[2 * i + 1] += strip->imaginary[i % DEBYE_AMPLITUDE_STRIP];
      }
  }
}

static DebyeStatusCode
sum_batch(Batch *batch, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeAmplitudeCpuPlan *plan = batch->plan;
  atomic_store(&batch->first_bad, UINT64_MAX);
  batch->chunks_wide = pieces(plan->n_strips, CHUNK_STRIPS);
  const size_t n_chunks = batch->n_frames * plan->n_sections * batch->chunks_wide;
  if (!debye_parallel_for(plan->pool, n_chunks, sum_chunk, batch, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  if (atomic_load(&batch->first_bad) != UINT64_MAX)
    return DEBYE_STATUS_INVALID;
  for (size_t frame = 0; frame < batch->n_frames; frame++)
    gather_frame(batch, frame);
  return debye_status_ok(status);
}

/* Frames that are done together from the first on: a packed one by itself, as there is room for one. */
static size_t
count_together(const DebyeAmplitudeCpuPlan *plan, const DebyeScatteringFrame *frames, size_t n_frames)
{
  const size_t a_frame = plan->n_sections * plan->n_strips;
  const size_t most = at_most(a_frame > 0 ? plan->n_sums / a_frame : plan->settings.max_frames, n_frames);
  size_t n = 0;
  while (n < most && frames[n].packed == NULL)
    n++;
  return n > 0 ? n : 1;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const DebyeScatteringFrame *frames, size_t n_frames, double *out,
        size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeAmplitudeCpuPlan *plan = (DebyeAmplitudeCpuPlan *)handle;
  const DebyeAmplitudeSettings *settings = &plan->settings;
  if (debye_amplitude_frames_check(settings, n_frames, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const size_t n_values = 2 * settings->groups.n_groups * plan->n_vectors;
  for (size_t first = 0, n; first < n_frames; first += n) {
    DebyeScatteringFrame given = frames[first];
    n = count_together(plan, frames + first, n_frames - first);
    DebyeStatusCode code = debye_scattering_unpack(&given, settings->n_atoms, settings->may_be_packed,
                                                   plan->unpacked, plan->pool, status);
    Batch batch = {.plan = plan,
                   .frames = frames[first].packed != NULL ? &given : frames + first,
                   .n_frames = n,
                   .out = out + first * n_values,
                   .first_bad = UINT64_MAX};
    if (code == DEBYE_STATUS_OK)
      code = sum_batch(&batch, cancel, status);
    const uint64_t bad = atomic_load(&batch.first_bad);
    const size_t place = bad != UINT64_MAX ? (size_t)(bad / settings->n_atoms) : 0;
    if (code == DEBYE_STATUS_INVALID && bad_frame != NULL)
      *bad_frame = first + place;
    if (code == DEBYE_STATUS_INVALID && bad != UINT64_MAX)
      return debye_scattering_bad_atom(&batch.frames[place], (size_t)(bad % settings->n_atoms), status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  return debye_status_ok(status);
}

const DebyeAmplitudeKernel debye_cpu_amplitude = {
    .head = {bytes_needed, create, destroy},
    .set_vectors = set_vectors,
    .execute = execute,
};

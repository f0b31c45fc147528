/* SPDX-License-Identifier: MIT */
/* Density maps on a GPU; its twin is cpu/density/density_map.c. Frames are copied to the device when they are first added:
 * some are counted while the next ones are on the bus. */
#include "kernels/chunk_threads.h"
#include "kernels/cuda/common/stream.cuh"
#include "kernels/cuda/common/unpacking.cuh"
#include "kernels/density/density_math.h"

#define THREADS 256
#define POINTS_PER_THREAD 8
#define BITS 32u
/* Views of one launch: its grid counts them in 16 bits. */
#define MAX_SAMPLES 32768u
/* Points that are counted while the next ones are copied. */
#define PIECE_POINTS ((size_t)1 << 20)
/* Buffers that frames in ordinary memory go through. */
#define STAGES 2
/* Counts that a thread of the host turns to sums at a time. */
#define CHUNK ((size_t)1 << 18)

/* Where a frame's arrays begin. */
typedef struct {
  size_t n, points, weights, owners; /* SIZE_MAX: it has none */
} FrameArrays;

typedef struct {
  DebyeDensitySettings settings;
  DebyeDensityTarget target;
  int device;
  DebyeStream stream, copies;
  cudaEvent_t copied, staged[STAGES];
  DebyeDensityFrame *frames; /* the caller's */
  size_t n_frames, n_samples, most_points, n_uploaded;
  unsigned stage; /* that is next */
  float *stages[STAGES];
  DebyeCudaPacked packed;
  float *points, *weights; /* x, y, z of a frame one after the other */
  uint32_t *owners;
  FrameArrays *arrays, *host_arrays;
  DebyeLattice *lattices, *host_lattices;
  DebyeDensitySample *samples, *host_samples;
  uint32_t *host_counts;
} Plan;

/* --- Frames --- */

/* Frames often have the same weights and owners: those of the frame before stay where they are. */
static void
place_frame(Plan *plan, size_t i)
{
  const DebyeDensityFrame *frame = &plan->frames[i], *before = i > 0 ? frame - 1 : NULL;
  FrameArrays *arrays = &plan->host_arrays[i];
  const size_t most = plan->settings.max_points;
  const bool is_same = before != NULL && before->n == frame->n;
  *arrays = (FrameArrays){frame->n, 3 * most * i, SIZE_MAX, SIZE_MAX};
  if (frame->weights != NULL && plan->target.n_components > 0)
    arrays->weights = is_same && before->weights == frame->weights ? plan->host_arrays[i - 1].weights
                                                                   : plan->target.n_components * most * i;
  if (frame->owner != NULL)
    arrays->owners = is_same && before->owner == frame->owner ? plan->host_arrays[i - 1].owners : most * i;
}

static bool
is_pinned(const void *memory)
{
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, memory) == cudaSuccess)
    return attributes.type == cudaMemoryTypeHost;
  cudaGetLastError();
  return false;
}

/* Ordinary memory goes through pinned buffers, which several threads fill while one before is on the bus. */
static void
upload_points(Plan *plan, const DebyeDensityFrame *frame, float *to)
{
  const size_t most = plan->settings.max_points, bytes = frame->n * sizeof(float);
  const float *const from[3] = {frame->x, frame->y, frame->z};
  const bool is_staged = !(is_pinned(frame->x) && is_pinned(frame->y) && is_pinned(frame->z));
  const unsigned stage = plan->stage;
  if (is_staged && debye_stream_is_good(&plan->copies))
    debye_stream_note(&plan->copies, cudaEventSynchronize(plan->staged[stage]));
  for (int axis = 0; axis < 3; axis++) {
    const float *source = from[axis];
    if (is_staged) {
      debye_chunk_threads_copy(plan->stages[stage] + axis * most, source, bytes);
      source = plan->stages[stage] + axis * most;
    }
    debye_stream_upload(&plan->copies, to + axis * most, source, bytes);
  }
  if (is_staged) {
    debye_stream_record(&plan->copies, plan->staged[stage]);
    plan->stage = (stage + 1) % STAGES;
  }
}

static void
upload_frame(Plan *plan, size_t i)
{
  const DebyeDensityFrame *frame = &plan->frames[i];
  const FrameArrays *arrays = &plan->host_arrays[i], *before = i > 0 ? arrays - 1 : NULL;
  const size_t bytes = frame->n * sizeof(float);
  if (frame->packed != NULL)
    debye_cuda_packed_take(&plan->packed, frame->packed, plan->points + arrays->points,
                           plan->settings.max_points, &plan->copies);
  else
    upload_points(plan, frame, plan->points + arrays->points);
  if (arrays->weights != SIZE_MAX && (before == NULL || before->weights != arrays->weights))
    debye_stream_upload(&plan->copies, plan->weights + arrays->weights, frame->weights,
                        plan->target.n_components * bytes);
  if (arrays->owners != SIZE_MAX && (before == NULL || before->owners != arrays->owners))
    debye_stream_upload(&plan->copies, plan->owners + arrays->owners, frame->owner, bytes);
}

static DebyeStatusCode
set_frames(DebyeKernelPlan *handle, const DebyeDensityFrame *frames, size_t n_frames, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->n_frames = plan->n_samples = plan->most_points = plan->n_uploaded = 0;
  DebyeStatusCode code = debye_density_frames_check(&plan->settings, frames, n_frames, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  for (size_t i = 0; i < n_frames; i++) {
    plan->frames[i] = frames[i];
    place_frame(plan, i);
    debye_lattice_init(&plan->host_lattices[i], frames[i].cell);
    plan->most_points = frames[i].n > plan->most_points ? frames[i].n : plan->most_points;
    for (size_t view = 0; view < frames[i].n_views; view++) {
      DebyeDensitySample *sample = &plan->host_samples[plan->n_samples++];
      debye_density_sample_init(sample, &plan->settings, &frames[i], view, &plan->host_lattices[i]);
      sample->frame = (uint32_t)i;
    }
  }
  plan->n_frames = n_frames;
  debye_stream_upload(&plan->stream, plan->arrays, plan->host_arrays, n_frames * sizeof *plan->arrays);
  debye_stream_upload(&plan->stream, plan->lattices, plan->host_lattices, n_frames * sizeof *plan->lattices);
  debye_stream_upload(&plan->stream, plan->samples, plan->host_samples,
                      plan->n_samples * sizeof *plan->samples);
  code = debye_stream_finish(&plan->stream, "copying frames", status);
  if (code != DEBYE_STATUS_OK)
    plan->n_frames = plan->n_samples = 0;
  return code;
}

/* --- Adding --- */

/* By all threads of a block, in words. */
static __device__ void
copy_words(void *to, const void *from, size_t bytes)
{
  for (size_t i = threadIdx.x; i < bytes / sizeof(uint32_t); i += THREADS)
    ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

/* A block is a piece of the points of one view. */
static __global__ void
add_points(DebyeDensityTarget target, const DebyeDensitySample *samples, const DebyeLattice *lattices,
           const FrameArrays *arrays, const float *points, const float *weights, const uint32_t *owners,
           size_t most, unsigned first_bit)
{
  __shared__ DebyeDensitySample sample;
  __shared__ DebyeLattice lattice;
  const size_t first = (size_t)blockIdx.x * THREADS * POINTS_PER_THREAD;
  copy_words(&sample, &samples[blockIdx.y], sizeof sample);
  copy_words(&lattice, &lattices[samples[blockIdx.y].frame], sizeof lattice);
  __syncthreads();
  const FrameArrays from = arrays[sample.frame];
  const float *x = points + from.points;
  for (unsigned k = 0; k < POINTS_PER_THREAD; k++) {
    const size_t i = first + k * THREADS + threadIdx.x;
    if (i >= from.n)
      return;
    if (from.owners != SIZE_MAX && owners[from.owners + i] == sample.owner)
      continue;
    debye_density_add_point(&target, &lattice, &sample, (first_bit + blockIdx.y) % BITS, x[i], x[i + most],
                            x[i + 2 * most], from.weights != SIZE_MAX ? weights + from.weights + i : NULL,
                            from.n);
  }
}

static __global__ void
fold_bits(uint32_t *bits, uint32_t *counts, size_t n)
{
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || bits[i] == 0)
    return;
  counts[i] += (uint32_t)__popc(bits[i]);
  bits[i] = 0;
}

/* How many views from `first` on are added at once: those of a piece while frames are being copied. */
static size_t
count_together(const Plan *plan, size_t first)
{
  const size_t most = plan->target.bits != NULL ? BITS - first % BITS : MAX_SAMPLES;
  size_t n = 0, points = 0;
  while (n < most && first + n < plan->n_samples && points < PIECE_POINTS) {
    const uint32_t frame = plan->host_samples[first + n++].frame;
    points += frame >= plan->n_uploaded ? plan->frames[frame].n : 0;
  }
  return n;
}

/* The frames of all views before `end`; what is added next waits for them. */
static void
upload_frames(Plan *plan, size_t end)
{
  const size_t n = plan->host_samples[end - 1].frame + 1;
  if (n <= plan->n_uploaded)
    return;
  for (; plan->n_uploaded < n; plan->n_uploaded++)
    upload_frame(plan, plan->n_uploaded);
  debye_stream_record(&plan->copies, plan->copied);
  debye_stream_follow(&plan->stream, plan->copied);
}

static void
add_samples(Plan *plan, size_t first, size_t n)
{
  const DebyeDensityTarget *target = &plan->target;
  const size_t piece = THREADS * POINTS_PER_THREAD, end = first + n;
  if (debye_stream_is_good(&plan->stream) && debye_stream_is_good(&plan->copies))
    add_points<<<dim3((unsigned)((plan->most_points + piece - 1) / piece), (unsigned)n), THREADS, 0,
                 plan->stream.handle>>>(*target, plan->samples + first, plan->lattices, plan->arrays,
                                        plan->points, plan->weights, plan->owners, plan->settings.max_points,
                                        (unsigned)(first % BITS));
  debye_stream_note_launch(&plan->stream);
  if (target->bits == NULL || (end % BITS != 0 && end < plan->n_samples))
    return;
  if (debye_stream_is_good(&plan->stream))
    fold_bits<<<(unsigned)((target->n_voxels + 255) / 256), 256, 0, plan->stream.handle>>>(
        target->bits, target->counts, target->n_voxels);
  debye_stream_note_launch(&plan->stream);
}

/* Both streams are empty afterwards. */
static DebyeStatusCode
finish(Plan *plan, DebyeStatus *status)
{
  debye_stream_wait(&plan->stream);
  const DebyeStatusCode copied = debye_stream_finish(&plan->copies, "copying frames", status);
  const DebyeStatusCode code =
      debye_stream_finish(&plan->stream, "counting in voxels", copied == DEBYE_STATUS_OK ? status : NULL);
  return copied == DEBYE_STATUS_OK ? code : copied;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  for (size_t first = 0, n; first < plan->n_samples && plan->most_points > 0; first += n) {
    if (debye_is_cancelled(cancel)) {
      finish(plan, NULL);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Counting in voxels was stopped.");
    }
    n = count_together(plan, first);
    upload_frames(plan, first + n);
    add_samples(plan, first, n);
  }
  const DebyeStatusCode code = finish(plan, status);
  /* They may be gone, whole or in part. */
  if (code != DEBYE_STATUS_OK)
    plan->n_uploaded = 0;
  return code;
}

typedef struct {
  int64_t *sums;
  const uint32_t *counts;
  size_t n;
} Widening;

static void
widen_chunk(void *context, size_t chunk)
{
  const Widening *widening = (const Widening *)context;
  const size_t first = chunk * CHUNK, end = first + CHUNK < widening->n ? first + CHUNK : widening->n;
  for (size_t i = first; i < end; i++)
    widening->sums[i] = (int64_t)widening->counts[i];
}

static DebyeStatusCode
fetch(DebyeKernelPlan *handle, int64_t *sums, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t n = debye_density_n_sums(&plan->settings);
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  if (plan->target.sums != NULL) {
    debye_stream_download(&plan->stream, sums, plan->target.sums, n * sizeof *sums);
    debye_stream_clear(&plan->stream, plan->target.sums, n * sizeof *sums);
    return debye_stream_finish(&plan->stream, "fetching sums", status);
  }
  debye_stream_download(&plan->stream, plan->host_counts, plan->target.counts, n * sizeof *plan->host_counts);
  debye_stream_clear(&plan->stream, plan->target.counts, n * sizeof *plan->target.counts);
  if (plan->target.bits != NULL)
    debye_stream_clear(&plan->stream, plan->target.bits, n * sizeof *plan->target.bits);
  const DebyeStatusCode code = debye_stream_finish(&plan->stream, "fetching counts", status);
  Widening widening = {sums, plan->host_counts, n};
  if (code == DEBYE_STATUS_OK)
    debye_chunk_threads_run((n + CHUNK - 1) / CHUNK, widen_chunk, &widening);
  return code;
}

/* --- The plan --- */

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  plan->device = device;
  plan->settings = *(const DebyeDensitySettings *)data;
  const DebyeStatusCode code = debye_density_settings_check(&plan->settings, status);
  if (code == DEBYE_STATUS_OK)
    debye_density_target_init(&plan->target, &plan->settings);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const DebyeDensitySettings *settings = &plan->settings;
  const size_t points = settings->max_points * settings->max_frames;
  const size_t samples = settings->max_views * settings->max_frames;
  if (settings->sum == DEBYE_DENSITY_WEIGH) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->target.sums, debye_density_n_sums(settings));
  } else {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->target.counts, plan->target.n_voxels);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_counts, plan->target.n_voxels);
  }
  if (settings->sum == DEBYE_DENSITY_OCCUPANCY)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->target.bits, plan->target.n_voxels);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->points, 3 * points);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->weights, plan->target.n_components * points);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->owners, settings->max_views > 1 ? points : 0);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->arrays, settings->max_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->lattices, settings->max_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->samples, samples);
  for (unsigned i = 0; i < STAGES; i++)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->stages[i], 3 * settings->max_points);
  debye_cuda_packed_list(&plan->packed, &settings->packed, memory);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->frames, settings->max_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_arrays, settings->max_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_lattices, settings->max_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_samples, samples);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeDensityTarget *target = &plan->target;
  debye_stream_open(&plan->stream);
  debye_stream_open(&plan->copies);
  debye_stream_new_event(&plan->copies, &plan->copied);
  for (unsigned i = 0; i < STAGES; i++)
    debye_stream_new_event(&plan->copies, &plan->staged[i]);
  debye_cuda_packed_open(&plan->packed, &plan->settings.packed, &plan->copies);
  if (target->sums != NULL)
    debye_stream_clear(&plan->stream, target->sums,
                       debye_density_n_sums(&plan->settings) * sizeof *target->sums);
  if (target->counts != NULL)
    debye_stream_clear(&plan->stream, target->counts, target->n_voxels * sizeof *target->counts);
  if (target->bits != NULL)
    debye_stream_clear(&plan->stream, target->bits, target->n_voxels * sizeof *target->bits);
  const DebyeStatusCode code = debye_stream_report(&plan->copies, "preparing a grid", status);
  return code == DEBYE_STATUS_OK ? debye_stream_finish(&plan->stream, "preparing a grid", status) : code;
}

static void
clear(void *made)
{
  Plan *plan = (Plan *)made;
  cudaSetDevice(plan->device);
  debye_event_free(plan->copied);
  for (unsigned i = 0; i < STAGES; i++)
    debye_event_free(plan->staged[i]);
  debye_cuda_packed_close(&plan->packed);
  debye_stream_close(&plan->copies);
  debye_stream_close(&plan->stream);
}

DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

extern "C" const DebyeDensityKernel debye_cuda_density = {
    .head = {bytes_needed, create, destroy},
    .set_frames = set_frames,
    .execute = execute,
    .fetch = fetch,
};

/* SPDX-License-Identifier: MIT */
/* Amplitudes on a GPU; its twin is cpu/scattering_amplitude.c.
 *
 * Frames go through the device in batches, two at once: while one is summed the next is brought into the
 * order of the groups on the host, and copied. */
#include "scattering_amplitude.cuh"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.cuh"
#include "kernels/chunk_threads.h"
#include "kernels/scattering_amplitude.h"

/* The fastest of the shapes that tests/bench/bench_amplitude_shapes measures side by side on an H200
 * (tests/bench/RESULTS.md); with one or two vectors a lane where there are few. */
using Matrix4 = DebyeAmplitudeMatrixShape<4, 0, 4, 2, 6>;
using Matrix8 = DebyeAmplitudeMatrixShape<8, 1, 2, 2, 8>;
using Matrix8Weighted = DebyeAmplitudeMatrixShape<8, 1, 4, 2, 4>;
using Plain1 = DebyeAmplitudeShape<1, 4, 8, 6>;
using Plain4 = DebyeAmplitudeShape<4, 4, 4, 4>;
using InDouble = DebyeAmplitudeShape<1, 4, 4, 4>;

constexpr size_t LARGEST_TILE = Plain4::TILE;
/* Half a thousand terms a thread, some hundreds of blocks for a frame of a million atoms. */
constexpr size_t SECTION_ENTRIES = 2048;
constexpr size_t BATCH_POSITION_BYTES = (size_t)32 << 20;
constexpr size_t BATCH_SUM_BYTES = (size_t)64 << 20;
constexpr size_t BATCH_FRAMES = 4096;
constexpr size_t BATCHES = 2; /* of a call, at least */
constexpr size_t CHUNK_ENTRIES = (size_t)1 << 16;
constexpr unsigned GATHER_THREADS = 128;
/* Blocks that measure the unit's mean over a turn, 2²³ phases. */
constexpr unsigned MEAN_BLOCKS = 1024, MEAN_THREADS = 256;

struct Slot {
  cudaStream_t stream;
  cudaEvent_t done;
  float *positions, *positions_host;
  double2 *out, *out_host, *sums;
  size_t first, count; /* frames of the call; count 0: free */
};

typedef struct {
  int device;
  DebyeAmplitudeSettings settings;
  bool matrices;                        /* units for products of matrices in double that are worth it */
  size_t n_entries, n_sections, padded; /* vectors to the end of a largest tile */
  size_t batch;                         /* frames */
  size_t chunk_tiles;                   /* of the smallest tiles, of one launch */
  Slot slots[2];
  DebyeAmplitudeSection *sections, *sections_host;
  unsigned *group_section;
  float *weight;
  double2 *bias;
  double *turns, *turns_host;
  size_t n_vectors;
} DebyeAmplitudeCudaPlan;

/* Frames that the host brings into order. */
struct Gathering {
  const DebyeAmplitudeCudaPlan *plan;
  const DebyeScatteringFrame *frames;
  size_t n_frames, chunks_wide;
  float *out;
  uint64_t first_bad;
};

static size_t
smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t
larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static size_t
pieces(size_t n, size_t size)
{
  return (n + size - 1) / size;
}

/* Sizes that follow from the settings. */
static void
set_sizes(DebyeAmplitudeCudaPlan *plan)
{
  const DebyeAmplitudeSettings *settings = &plan->settings;
  const DebyeScatteringGroups *groups = &settings->groups;
  plan->n_entries = debye_scattering_n_entries(groups);
  plan->n_sections = 0;
  for (size_t g = 0; g < groups->n_groups; g++)
    plan->n_sections += pieces(groups->first[g + 1] - groups->first[g], SECTION_ENTRIES);
  plan->padded = larger(pieces(settings->max_vectors, LARGEST_TILE), 1) * LARGEST_TILE;
  const size_t position_bytes = 3 * sizeof(float) * larger(plan->n_entries, 1);
  const size_t out_bytes = sizeof(double2) * groups->n_groups * larger(settings->max_vectors, 1);
  const size_t least_sums = sizeof(double2) * larger(plan->n_sections, 1) * LARGEST_TILE;
  size_t batch = smaller(smaller(settings->max_frames, BATCH_FRAMES), BATCH_POSITION_BYTES / position_bytes);
  batch = smaller(batch, smaller(BATCH_SUM_BYTES / out_bytes, BATCH_SUM_BYTES / least_sums));
  /* Several of them, so that copies hide behind sums. */
  plan->batch = larger(smaller(batch, pieces(settings->max_frames, BATCHES)), 1);
  plan->chunk_tiles =
      LARGEST_TILE / 32 *
      larger(smaller(BATCH_SUM_BYTES / (least_sums * plan->batch), plan->padded / LARGEST_TILE), 1);
}

static size_t
slot_position_bytes(const DebyeAmplitudeCudaPlan *plan)
{
  return plan->batch * 3 * sizeof(float) * larger(plan->n_entries, 1);
}

static size_t
slot_out_bytes(const DebyeAmplitudeCudaPlan *plan)
{
  return plan->batch * sizeof(double2) * plan->settings.groups.n_groups *
         larger(plan->settings.max_vectors, 1);
}

static size_t
slot_sum_bytes(const DebyeAmplitudeCudaPlan *plan)
{
  return plan->batch * sizeof(double2) * larger(plan->n_sections, 1) * plan->chunk_tiles * 32;
}

static uint64_t
bytes_needed(int device, const DebyeAmplitudeSettings *settings)
{
  (void)device;
  if (debye_amplitude_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  DebyeAmplitudeCudaPlan plan = {};
  plan.settings = *settings;
  set_sizes(&plan);
  if (plan.n_entries > UINT32_MAX)
    return SIZE_MAX;
  return 2 * (slot_position_bytes(&plan) + slot_out_bytes(&plan) + slot_sum_bytes(&plan)) +
         6 * sizeof(double) * plan.padded + sizeof(float) * plan.n_entries +
         sizeof(DebyeAmplitudeSection) * plan.n_sections;
}

static void
destroy(DebyeAmplitudePlan *handle)
{
  DebyeAmplitudeCudaPlan *plan = (DebyeAmplitudeCudaPlan *)handle;
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  for (Slot &slot : plan->slots) {
    if (slot.stream != NULL)
      cudaStreamDestroy(slot.stream);
    if (slot.done != NULL)
      cudaEventDestroy(slot.done);
    cudaFree(slot.positions);
    cudaFree(slot.out);
    cudaFree(slot.sums);
    cudaFreeHost(slot.positions_host);
    cudaFreeHost(slot.out_host);
  }
  cudaFree(plan->sections);
  cudaFree(plan->group_section);
  cudaFree(plan->weight);
  cudaFree(plan->bias);
  cudaFree(plan->turns);
  cudaFreeHost(plan->turns_host);
  cudaGetLastError();
  free(plan->sections_host);
  free(plan);
}

/* Planning. */

/* Sums of the unit's cosines and sines over phases that are spread evenly over a turn, a block each. */
static __global__ void
measure_mean(double2 *means)
{
  __shared__ double2 shared[MEAN_THREADS];
  const unsigned first = blockIdx.x * MEAN_THREADS + threadIdx.x, step = MEAN_BLOCKS * MEAN_THREADS;
  double2 sum = make_double2(0.0, 0.0);
  for (unsigned i = first; i < 1u << 23; i += step) {
    float sine, cosine;
    debye_fast_sine_cosine(__uint_as_float(0x3f800000u | i) - 1.5f, &sine, &cosine);
    sum.x += (double)cosine;
    sum.y += (double)sine;
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (unsigned i = 1; i < MEAN_THREADS; i++) {
    sum.x += shared[i].x;
    sum.y += shared[i].y;
  }
  means[blockIdx.x] = sum;
}

static double
section_weight(const DebyeAmplitudeCudaPlan *plan, const DebyeAmplitudeSection *section)
{
  const float *weight = plan->settings.groups.weight;
  double sum = weight != NULL ? 0.0 : (double)section->count;
  for (size_t i = 0; weight != NULL && i < section->count; i++)
    sum += (double)weight[section->first + i];
  return sum;
}

/* What the special function unit is off by in the mean over a turn adds up over atoms, as nothing else of its
 * error does: Σ_m e_m A(mq) with the error's harmonics e_m, of which only e_0 meets all atoms in phase. It is
 * a constant of the device, and taken off. */
static cudaError_t
set_bias(DebyeAmplitudeCudaPlan *plan)
{
  double2 means[MEAN_BLOCKS], *on_device = NULL, mean = {0.0, 0.0};
  cudaError_t error = cudaMalloc(&on_device, sizeof means);
  if (error == cudaSuccess) {
    measure_mean<<<MEAN_BLOCKS, MEAN_THREADS>>>(on_device);
    error = cudaMemcpy(means, on_device, sizeof means, cudaMemcpyDeviceToHost);
  }
  cudaFree(on_device);
  for (const double2 &part : means) {
    mean.x += part.x / (1 << 23);
    mean.y += part.y / (1 << 23);
  }
  double2 *bias = (double2 *)calloc(plan->n_sections + 1, sizeof *bias);
  if (error == cudaSuccess && bias == NULL)
    error = cudaErrorMemoryAllocation;
  for (size_t i = 0; i < plan->n_sections && error == cudaSuccess; i++) {
    const double weight = section_weight(plan, &plan->sections_host[i]);
    bias[i] = make_double2(mean.x * weight, mean.y * weight);
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->bias, bias, plan->n_sections * sizeof *bias, cudaMemcpyHostToDevice);
  free(bias);
  return error;
}

static cudaError_t
set_sections(DebyeAmplitudeCudaPlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  DebyeAmplitudeSection *sections = plan->sections_host;
  unsigned *group_section = (unsigned *)calloc(groups->n_groups + 1, sizeof *group_section);
  cudaError_t error = group_section != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
  unsigned n = 0;
  for (size_t g = 0; g < groups->n_groups && error == cudaSuccess; g++) {
    for (size_t first = groups->first[g]; first < groups->first[g + 1]; first += SECTION_ENTRIES)
      sections[n++] = {(uint32_t)first, (uint32_t)smaller(SECTION_ENTRIES, groups->first[g + 1] - first)};
    group_section[g + 1] = n;
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->sections, sections, plan->n_sections * sizeof *sections, cudaMemcpyHostToDevice);
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->group_section, group_section, (groups->n_groups + 1) * sizeof *group_section,
                       cudaMemcpyHostToDevice);
  if (error == cudaSuccess && groups->weight != NULL)
    error = cudaMemcpy(plan->weight, groups->weight, plan->n_entries * sizeof *plan->weight,
                       cudaMemcpyHostToDevice);
  free(group_section);
  return error;
}

static cudaError_t
make_slot(const DebyeAmplitudeCudaPlan *plan, Slot *slot)
{
  cudaError_t error = cudaStreamCreateWithFlags(&slot->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->positions, slot_position_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->out, slot_out_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->sums, slot_sum_bytes(plan));
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&slot->positions_host, slot_position_bytes(plan), cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&slot->out_host, slot_out_bytes(plan), cudaHostAllocDefault);
  return error;
}

/* Those that compute in double at half the speed of float have them; consumers' devices have a few units in
 * double for show. */
static cudaError_t
look_for_matrices(DebyeAmplitudeCudaPlan *plan)
{
  int ratio = 0, generation = 0;
  cudaError_t error =
      cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, plan->device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, plan->device);
  plan->matrices = generation >= 8 && ratio <= 4;
  return error;
}

static cudaError_t
make_device_parts(DebyeAmplitudeCudaPlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = look_for_matrices(plan);
  for (Slot &slot : plan->slots)
    if (error == cudaSuccess)
      error = make_slot(plan, &slot);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->sections, (plan->n_sections + 1) * sizeof *plan->sections);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->group_section, (groups->n_groups + 1) * sizeof *plan->group_section);
  if (error == cudaSuccess && groups->weight != NULL)
    error = cudaMalloc(&plan->weight, larger(plan->n_entries, 1) * sizeof *plan->weight);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->turns, 6 * plan->padded * sizeof *plan->turns);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->turns_host, 6 * plan->padded * sizeof *plan->turns_host,
                          cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->bias, (plan->n_sections + 1) * sizeof *plan->bias);
  if (error == cudaSuccess)
    error = set_sections(plan);
  if (error == cudaSuccess && !plan->settings.double_precision)
    error = set_bias(plan);
  /* Copies from memory that is not pinned may still be under way, and streams don't wait for them. */
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

static DebyeStatusCode
create(int device, const DebyeAmplitudeSettings *settings, DebyeAmplitudePlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  if (debye_amplitude_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeAmplitudeCudaPlan *made = (DebyeAmplitudeCudaPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for a plan.");
  made->device = device;
  made->settings = *settings;
  set_sizes(made);
  made->sections_host = (DebyeAmplitudeSection *)calloc(made->n_sections + 1, sizeof *made->sections_host);
  const cudaError_t error = made->sections_host != NULL ? make_device_parts(made) : cudaErrorMemoryAllocation;
  if (error != cudaSuccess) {
    destroy((DebyeAmplitudePlan *)made);
    return debye_cuda_status(error, "planning amplitudes", status);
  }
  *plan = (DebyeAmplitudePlan *)made;
  return debye_status_ok(status);
}

static DebyeStatusCode
set_vectors(DebyeAmplitudePlan *handle, const DebyeVec3 *q, size_t n_vectors, DebyeStatus *status)
{
  DebyeAmplitudeCudaPlan *plan = (DebyeAmplitudeCudaPlan *)handle;
  plan->n_vectors = 0;
  if (debye_amplitude_vectors_check(&plan->settings, q, n_vectors, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  double *turns = plan->turns_host;
  const size_t stride = plan->padded;
  memset(turns, 0, 6 * stride * sizeof *turns);
  for (size_t i = 0; i < n_vectors; i++) {
    const DebyeTurnVector vector = debye_turn_vector(q[i]);
    const double parts[6] = {vector.x, vector.y, vector.z, vector.rest_x, vector.rest_y, vector.rest_z};
    for (size_t part = 0; part < 6; part++)
      turns[part * stride + i] = parts[part];
  }
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->turns, turns, 6 * stride * sizeof *turns, cudaMemcpyHostToDevice);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "copying q vectors to the device", status);
  plan->n_vectors = n_vectors;
  return debye_status_ok(status);
}

/* Bringing frames into the order of the groups. */

static void
note_bad(Gathering *gathering, uint64_t found)
{
  uint64_t known = __atomic_load_n(&gathering->first_bad, __ATOMIC_RELAXED);
  while (found < known && !__atomic_compare_exchange_n(&gathering->first_bad, &known, found, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void
gather_chunk(void *context, size_t chunk)
{
  Gathering *gathering = (Gathering *)context;
  const DebyeAmplitudeCudaPlan *plan = gathering->plan;
  const size_t frame = chunk / gathering->chunks_wide, first = chunk % gathering->chunks_wide * CHUNK_ENTRIES;
  const size_t n = plan->n_entries, count = smaller(CHUNK_ENTRIES, n - first);
  float *x = gathering->out + frame * n + first, *y = x + gathering->n_frames * n;
  const size_t bad = debye_scattering_gather(&plan->settings.groups, &gathering->frames[frame], first, count,
                                             x, y, y + gathering->n_frames * n);
  if (bad != SIZE_MAX)
    note_bad(gathering, (uint64_t)frame * plan->settings.n_atoms + bad);
}

/* UINT64_MAX, or which atom of which frame can't be used. */
static uint64_t
gather_frames(const DebyeAmplitudeCudaPlan *plan, const DebyeScatteringFrame *frames, size_t n_frames,
              float *out)
{
  Gathering gathering = {plan, frames, n_frames, pieces(plan->n_entries, CHUNK_ENTRIES), out, UINT64_MAX};
  /* Small frames are not worth a thread. */
  if (n_frames * plan->n_entries < CHUNK_ENTRIES)
    for (size_t chunk = 0; chunk < n_frames * gathering.chunks_wide; chunk++)
      gather_chunk(&gathering, chunk);
  else
    debye_chunk_threads_run(n_frames * gathering.chunks_wide, gather_chunk, &gathering);
  return gathering.first_bad;
}

/* Summing. */

/* A kernel, and what it is launched with. */
struct Choice {
  const void *kernel;
  size_t tile;
  unsigned threads;
};

template <class Shape, bool WEIGHTED>
static Choice
matrix_kernel(void)
{
  return {(const void *)debye_amplitude_matrix<Shape, WEIGHTED>, Shape::TILE, Shape::THREADS};
}

template <class Shape, bool WEIGHTED>
static Choice
plain_kernel(void)
{
  return {(const void *)debye_amplitude_plain<Shape, WEIGHTED>, Shape::TILE, Shape::THREADS};
}

/* The one for so many vectors. */
static Choice
choose_kernel(const DebyeAmplitudeCudaPlan *plan)
{
  const bool weighted = plan->weight != NULL;
  if (plan->settings.double_precision)
    return {(const void *)debye_amplitude_double<InDouble>, InDouble::TILE, InDouble::THREADS};
  if (!plan->matrices && plan->n_vectors <= Plain1::TILE)
    return weighted ? plain_kernel<Plain1, true>() : plain_kernel<Plain1, false>();
  if (!plan->matrices)
    return weighted ? plain_kernel<Plain4, true>() : plain_kernel<Plain4, false>();
  /* Half of a large tile's work would be for nothing. */
  const size_t rest = plan->n_vectors % Matrix8::TILE;
  if (plan->n_vectors < 8 * Matrix8::TILE && rest > 0 && rest <= Matrix4::TILE)
    return weighted ? matrix_kernel<Matrix4, true>() : matrix_kernel<Matrix4, false>();
  return weighted ? matrix_kernel<Matrix8Weighted, true>() : matrix_kernel<Matrix8, false>();
}

/* All q of the slot's frames, as many tiles at a time as the sums have room for. */
static cudaError_t
launch_sums(const DebyeAmplitudeCudaPlan *plan, const Slot *slot)
{
  const Choice choice = choose_kernel(plan);
  const size_t tile = choice.tile;
  const size_t n_tiles = pieces(plan->n_vectors, tile), chunk = plan->chunk_tiles * 32 / tile;
  const unsigned n_groups = (unsigned)plan->settings.groups.n_groups;
  DebyeAmplitudeLaunch launch = {};
  for (size_t axis = 0; axis < 3; axis++)
    launch.position[axis] = slot->positions + axis * slot->count * plan->n_entries;
  for (size_t part = 0; part < 6; part++)
    launch.turns[part] = plan->turns + part * plan->padded;
  launch.weight = plan->weight;
  launch.n_entries = plan->n_entries;
  launch.sections = plan->sections;
  launch.bias = plan->bias;
  launch.n_sections = (unsigned)plan->n_sections;
  launch.sums = slot->sums;
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < n_tiles && error == cudaSuccess; first += chunk) {
    launch.first_tile = (unsigned)first;
    launch.n_tiles = (unsigned)smaller(chunk, n_tiles - first);
    const size_t vectors = smaller(launch.n_tiles * tile, plan->n_vectors - first * tile);
    void *arguments[] = {&launch};
    if (plan->n_sections > 0)
      error = cudaLaunchKernel(choice.kernel, dim3(launch.n_tiles * launch.n_sections, (unsigned)slot->count),
                               dim3(choice.threads), arguments, 0, slot->stream);
    if (error != cudaSuccess)
      return error;
    debye_amplitude_gather<<<dim3((unsigned)pieces(vectors, GATHER_THREADS), n_groups, (unsigned)slot->count),
                             GATHER_THREADS, 0, slot->stream>>>(
        slot->sums, launch.n_sections, launch.n_tiles * tile, plan->group_section, (unsigned)vectors,
        plan->n_vectors, slot->out + first * tile);
    error = cudaGetLastError();
  }
  return error;
}

static size_t
frame_out_bytes(const DebyeAmplitudeCudaPlan *plan)
{
  return sizeof(double2) * plan->settings.groups.n_groups * plan->n_vectors;
}

static cudaError_t
start_slot(const DebyeAmplitudeCudaPlan *plan, const Slot *slot)
{
  cudaError_t error = cudaMemcpyAsync(slot->positions, slot->positions_host,
                                      slot->count * plan->n_entries * 3 * sizeof(float),
                                      cudaMemcpyHostToDevice, slot->stream);
  if (error == cudaSuccess)
    error = launch_sums(plan, slot);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(slot->out_host, slot->out, slot->count * frame_out_bytes(plan),
                            cudaMemcpyDeviceToHost, slot->stream);
  return error == cudaSuccess ? cudaEventRecord(slot->done, slot->stream) : error;
}

/* Waits for the slot without spinning long: the CPU lane needs the cores. */
static cudaError_t
wait_for_slot(const Slot *slot)
{
  for (long nanoseconds = 2000;; nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0) {
    const cudaError_t error = cudaEventQuery(slot->done);
    if (error != cudaErrorNotReady)
      return error;
    cudaGetLastError();
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
  }
}

static cudaError_t
finish_slot(const DebyeAmplitudeCudaPlan *plan, Slot *slot, double *out)
{
  const cudaError_t error = wait_for_slot(slot);
  const size_t bytes = frame_out_bytes(plan);
  if (error == cudaSuccess)
    memcpy((char *)out + slot->first * bytes, slot->out_host, slot->count * bytes);
  slot->count = 0;
  return error;
}

/* Leaves nothing under way: what the slots still write nobody will read. */
static void
drain(DebyeAmplitudeCudaPlan *plan)
{
  for (Slot &slot : plan->slots) {
    cudaStreamSynchronize(slot.stream);
    slot.count = 0;
  }
  cudaGetLastError();
}

static DebyeStatusCode
refuse_atom(DebyeAmplitudeCudaPlan *plan, const DebyeScatteringFrame *frames, size_t first, uint64_t bad,
            size_t *bad_frame, DebyeStatus *status)
{
  const size_t frame = first + (size_t)(bad / plan->settings.n_atoms);
  drain(plan);
  if (bad_frame != NULL)
    *bad_frame = frame;
  return debye_scattering_bad_atom(&frames[frame], (size_t)(bad % plan->settings.n_atoms), status);
}

static DebyeStatusCode
execute(DebyeAmplitudePlan *handle, const DebyeScatteringFrame *frames, size_t n_frames, double *out,
        size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeAmplitudeCudaPlan *plan = (DebyeAmplitudeCudaPlan *)handle;
  if (debye_amplitude_frames_check(&plan->settings, n_frames, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (plan->n_vectors == 0)
    return debye_status_ok(status);
  cudaError_t error = cudaSetDevice(plan->device);
  const size_t batch = smaller(plan->batch, pieces(n_frames, BATCHES));
  size_t started = 0;
  for (size_t next = 0; started < n_frames && error == cudaSuccess; next = 1 - next) {
    Slot *slot = &plan->slots[next];
    if (slot->count > 0)
      error = finish_slot(plan, slot, out);
    if (debye_is_cancelled(cancel)) {
      drain(plan);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    }
    const size_t count = smaller(batch, n_frames - started);
    const uint64_t bad = gather_frames(plan, frames + started, count, slot->positions_host);
    if (bad != UINT64_MAX)
      return refuse_atom(plan, frames, started, bad, bad_frame, status);
    slot->first = started;
    slot->count = count;
    started += count;
    if (error == cudaSuccess)
      error = start_slot(plan, slot);
  }
  for (Slot &slot : plan->slots)
    if (slot.count > 0 && error == cudaSuccess)
      error = finish_slot(plan, &slot, out);
  if (error != cudaSuccess)
    drain(plan);
  return debye_cuda_status(error, "summing amplitudes", status);
}

extern "C" const DebyeAmplitudeKernel debye_cuda_amplitude = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_vectors = set_vectors,
    .execute = execute,
    .destroy = destroy,
};

/* SPDX-License-Identifier: MIT */
/* Slots in turn: what one has done is taken, then it gets the next planes. */
#include "slab_pipeline.cuh"

#include <stdlib.h>
#include <string.h>
#include <time.h>

constexpr size_t SLOTS = 4;
/* A copy of it to the host takes a tenth of a millisecond. */
constexpr size_t CHUNK_POINTS = (size_t)1 << 19;
/* Kernels compute whole layers of blocks, of at most so many planes. */
constexpr size_t LAYER = 8;

struct Slot {
  cudaStream_t stream;
  cudaEvent_t done;
  void *device, *host;
  DebyeSlab planes; /* of the grid; count 0: free */
};

struct DebyeSlabPipeline {
  size_t plane_bytes, chunk_planes, n_slots;
  Slot slots[SLOTS];
};

static size_t
smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t
plane_points(const DebyePotentialSettings *settings)
{
  return settings->grid.shape[0] * settings->grid.shape[1];
}

static size_t
plane_bytes(const DebyePotentialSettings *settings)
{
  return plane_points(settings) * (settings->double_precision ? sizeof(double) : sizeof(float));
}

static size_t
planes_in_chunk(const DebyePotentialSettings *settings)
{
  const size_t planes = CHUNK_POINTS / plane_points(settings) / LAYER * LAYER;
  return smaller(planes > 0 ? planes : LAYER, settings->max_planes);
}

static size_t
slots_used(const DebyePotentialSettings *settings)
{
  const size_t chunk = planes_in_chunk(settings);
  return smaller((settings->max_planes + chunk - 1) / chunk, SLOTS);
}

uint64_t
debye_slab_pipeline_bytes(const DebyePotentialSettings *settings)
{
  return (uint64_t)slots_used(settings) * planes_in_chunk(settings) * plane_bytes(settings);
}

static cudaError_t
make_slot(Slot *slot, size_t bytes)
{
  cudaError_t error = cudaStreamCreateWithFlags(&slot->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->device, bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc(&slot->host, bytes, cudaHostAllocDefault);
  return error;
}

DebyeStatusCode
debye_slab_pipeline_create(const DebyePotentialSettings *settings, DebyeSlabPipeline **pipeline,
                           DebyeStatus *status)
{
  *pipeline = NULL;
  DebyeSlabPipeline *made = (DebyeSlabPipeline *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->plane_bytes = plane_bytes(settings);
  made->chunk_planes = planes_in_chunk(settings);
  made->n_slots = slots_used(settings);
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < made->n_slots && error == cudaSuccess; i++)
    error = make_slot(&made->slots[i], made->chunk_planes * made->plane_bytes);
  if (error != cudaSuccess) {
    debye_slab_pipeline_destroy(made);
    return debye_cuda_status(error, "planning the copies of the map", status);
  }
  *pipeline = made;
  return debye_status_ok(status);
}

void
debye_slab_pipeline_destroy(DebyeSlabPipeline *pipeline)
{
  if (pipeline == NULL)
    return;
  for (Slot &slot : pipeline->slots) {
    if (slot.stream != NULL)
      cudaStreamDestroy(slot.stream);
    if (slot.done != NULL)
      cudaEventDestroy(slot.done);
    cudaFree(slot.device);
    cudaFreeHost(slot.host);
  }
  cudaGetLastError();
  free(pipeline);
}

/* Waits without spinning long: other lanes need the cores. False where it was told to stop. */
static bool
wait_for_slot(const Slot *slot, const volatile bool *cancel, cudaError_t *error)
{
  for (long nanoseconds = 2000;; nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0) {
    *error = cudaEventQuery(slot->done);
    if (*error != cudaErrorNotReady)
      return true;
    cudaGetLastError();
    if (debye_is_cancelled(cancel))
      return false;
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
  }
}

/* Leaves nothing under way: what the slots still write nobody will read. */
static void
drain(DebyeSlabPipeline *pipeline)
{
  for (size_t i = 0; i < pipeline->n_slots; i++) {
    cudaStreamSynchronize(pipeline->slots[i].stream);
    pipeline->slots[i].planes.count = 0;
  }
  cudaGetLastError();
}

/* One call of debye_slab_pipeline_run. */
struct Run {
  DebyeSlabPipeline *pipeline;
  DebyeSlab slab;
  char *out;
  DebyeSlabStart start;
  void *context;
  const volatile bool *cancel;
  size_t started, finished;
};

static DebyeStatusCode
take_slot(Run *run, Slot *slot, DebyeStatus *status)
{
  const size_t bytes = run->pipeline->plane_bytes;
  cudaError_t error;
  if (slot->planes.count == 0)
    return DEBYE_STATUS_OK;
  if (!wait_for_slot(slot, run->cancel, &error))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  if (error != cudaSuccess)
    return debye_cuda_status(error, "computing a slab", status);
  memcpy(run->out + (slot->planes.first - run->slab.first) * bytes, slot->host, slot->planes.count * bytes);
  run->finished += slot->planes.count;
  slot->planes.count = 0;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
start_slot(Run *run, Slot *slot, DebyeStatus *status)
{
  if (run->started == run->slab.count)
    return DEBYE_STATUS_OK;
  if (debye_is_cancelled(run->cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  const size_t count = smaller(run->pipeline->chunk_planes, run->slab.count - run->started);
  slot->planes = {run->slab.first + run->started, count};
  run->started += count;
  DebyeStatusCode code = run->start(run->context, slot->planes, slot->device, slot->stream, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaError_t error = cudaMemcpyAsync(slot->host, slot->device, count * run->pipeline->plane_bytes,
                                      cudaMemcpyDeviceToHost, slot->stream);
  if (error == cudaSuccess)
    error = cudaEventRecord(slot->done, slot->stream);
  return debye_cuda_status(error, "computing a slab", status);
}

DebyeStatusCode
debye_slab_pipeline_run(DebyeSlabPipeline *pipeline, DebyeSlab slab, void *out, DebyeSlabStart start,
                        void *context, const volatile bool *cancel, DebyeStatus *status)
{
  Run run = {pipeline, slab, (char *)out, start, context, cancel, 0, 0};
  DebyeStatusCode code = debye_status_ok(status);
  for (size_t next = 0; run.finished < slab.count && code == DEBYE_STATUS_OK;
       next = (next + 1) % pipeline->n_slots) {
    code = take_slot(&run, &pipeline->slots[next], status);
    if (code == DEBYE_STATUS_OK)
      code = start_slot(&run, &pipeline->slots[next], status);
  }
  if (code != DEBYE_STATUS_OK)
    drain(pipeline);
  return code;
}

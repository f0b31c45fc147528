/* SPDX-License-Identifier: MIT */
/* Runs the planes of a slab through several slots, each with its stream: what one has done is fetched, then
 * it gets the next planes. Called by the methods of the potential. */
#include "slab_pipeline.cuh"

#include <stdlib.h>
#include <time.h>

#include "kernels/chunk_threads.h"

constexpr size_t SLOTS = 4;
/* Blocks of a launch along y and z. */
constexpr size_t MAX_PLANES = 65528;
constexpr double MAX_SPINNING = 300.0; /* µs */

struct Slot {
  cudaStream_t stream;
  cudaEvent_t done;
  void *device, *host;
  DebyeSlab planes; /* of the grid; count 0: free */
};

struct DebyeSlabPipeline {
  size_t plane_bytes, layer, chunk_planes, n_slots;
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

/* Planes that are shared by all slots, in whole layers: a thin slab is spread over them, since one stream at
 * a time doesn't fill the device. */
static size_t
shared_planes(size_t planes, size_t n_slots, size_t layer)
{
  return ((planes + n_slots - 1) / n_slots + layer - 1) / layer * layer;
}

static size_t
thickest_slab(const DebyePotentialSettings *settings)
{
  return smaller(settings->max_planes, settings->grid.shape[2]);
}

static size_t
planes_in_chunk(const DebyePotentialSettings *settings, DebyeSlabChunks chunks)
{
  const size_t thickest = thickest_slab(settings), layer = chunks.layer;
  const size_t planes = chunks.points / plane_points(settings) / layer * layer;
  const size_t chunk = smaller(planes > 0 ? planes : layer, shared_planes(thickest, SLOTS, layer));
  return smaller(smaller(chunk, thickest), MAX_PLANES);
}

static size_t
slots_used(const DebyePotentialSettings *settings, DebyeSlabChunks chunks)
{
  const size_t chunk = planes_in_chunk(settings, chunks);
  return smaller((thickest_slab(settings) + chunk - 1) / chunk, SLOTS);
}

uint64_t
debye_slab_pipeline_bytes(const DebyePotentialSettings *settings, DebyeSlabChunks chunks)
{
  return (uint64_t)slots_used(settings, chunks) * planes_in_chunk(settings, chunks) * plane_bytes(settings);
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
debye_slab_pipeline_create(const DebyePotentialSettings *settings, DebyeSlabChunks chunks,
                           DebyeSlabPipeline **pipeline, DebyeStatus *status)
{
  *pipeline = NULL;
  DebyeSlabPipeline *made = (DebyeSlabPipeline *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->plane_bytes = plane_bytes(settings);
  made->layer = chunks.layer;
  made->chunk_planes = planes_in_chunk(settings, chunks);
  made->n_slots = slots_used(settings, chunks);
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

static double
microseconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Looks again and again for a moment, because a sleep takes some 50 µs whatever was asked for; then it sleeps
 * in between, because other lanes need the cores. False where it was told to stop. */
static bool
wait_for_slot(const Slot *slot, const volatile bool *cancel, cudaError_t *error)
{
  const double begin = microseconds();
  for (;;) {
    *error = cudaEventQuery(slot->done);
    if (*error != cudaErrorNotReady)
      return true;
    cudaGetLastError();
    if (debye_is_cancelled(cancel))
      return false;
    const struct timespec pause = {0, 50000};
    if (microseconds() - begin > MAX_SPINNING)
      nanosleep(&pause, NULL);
  }
}

/* One call of debye_slab_pipeline_run. */
struct Run {
  DebyeSlabPipeline *pipeline;
  DebyeSlab slab;
  char *out;
  const DebyeSlabWork *work;
  const volatile bool *cancel;
  size_t chunk, started, finished;
};

/* Leaves nothing under way: what the slots still write nobody will read. */
static void
drain(const Run *run)
{
  DebyeSlabPipeline *pipeline = run->pipeline;
  if (run->work->stop != NULL)
    run->work->stop(run->work->context);
  for (size_t i = 0; i < pipeline->n_slots; i++) {
    cudaStreamSynchronize(pipeline->slots[i].stream);
    pipeline->slots[i].planes.count = 0;
  }
  cudaGetLastError();
}

static DebyeStatusCode
take_slot(Run *run, Slot *slot, DebyeStatus *status)
{
  const size_t bytes = run->pipeline->plane_bytes;
  const DebyeSlabWork *work = run->work;
  char *out = run->out + (slot->planes.first - run->slab.first) * bytes;
  cudaError_t error;
  if (slot->planes.count == 0)
    return DEBYE_STATUS_OK;
  if (!wait_for_slot(slot, run->cancel, &error))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  if (error != cudaSuccess)
    return debye_cuda_status(error, "computing a slab", status);
  if (work->take != NULL)
    work->take(work->context, slot->planes, slot->host, out);
  else
    debye_chunk_threads_copy(out, slot->host, slot->planes.count * bytes);
  run->finished += slot->planes.count;
  slot->planes.count = 0;
  return DEBYE_STATUS_OK;
}

/* How many planes a slot gets: chunks end where a layer of blocks does. */
static size_t
next_planes(const Run *run)
{
  const size_t layer = run->pipeline->layer, first = run->slab.first + run->started;
  const size_t whole = run->chunk >= layer ? run->chunk - first % layer : run->chunk;
  return smaller(whole, run->slab.count - run->started);
}

static DebyeStatusCode
start_slot(Run *run, Slot *slot, DebyeStatus *status)
{
  if (run->started == run->slab.count)
    return DEBYE_STATUS_OK;
  if (debye_is_cancelled(run->cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  slot->planes = {run->slab.first + run->started, next_planes(run)};
  run->started += slot->planes.count;
  DebyeStatusCode code =
      run->work->start(run->work->context, slot->planes, slot->device, slot->stream, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaError_t error =
      cudaMemcpyAsync(slot->host, slot->device, slot->planes.count * run->pipeline->plane_bytes,
                      cudaMemcpyDeviceToHost, slot->stream);
  if (error == cudaSuccess)
    error = cudaEventRecord(slot->done, slot->stream);
  return debye_cuda_status(error, "computing a slab", status);
}

DebyeStatusCode
debye_slab_pipeline_run(DebyeSlabPipeline *pipeline, DebyeSlab slab, void *out, const DebyeSlabWork *work,
                        const volatile bool *cancel, DebyeStatus *status)
{
  const size_t shared = shared_planes(slab.count, pipeline->n_slots, pipeline->layer);
  Run run = {pipeline, slab, (char *)out, work, cancel, smaller(pipeline->chunk_planes, shared), 0, 0};
  DebyeStatusCode code = debye_status_ok(status);
  for (size_t next = 0; run.finished < slab.count && code == DEBYE_STATUS_OK;
       next = (next + 1) % pipeline->n_slots) {
    code = take_slot(&run, &pipeline->slots[next], status);
    if (code == DEBYE_STATUS_OK)
      code = start_slot(&run, &pipeline->slots[next], status);
  }
  if (code != DEBYE_STATUS_OK)
    drain(&run);
  return code;
}

/* SPDX-License-Identifier: MIT */
/* Runs the planes of a slab through several slots, each with its stream: what one has done is fetched, then
 * it gets the next planes. Called by the methods of the potential. */
#include "slab_pipeline.cuh"

#include <time.h>

#include "kernels/chunk_threads.h"

constexpr size_t SLOTS = DEBYE_SLAB_SLOTS;
/* Blocks of a launch along y and z. */
constexpr size_t MAX_PLANES = 65528;
constexpr double MAX_SPINNING = 300.0; /* µs */

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

void
debye_slab_pipeline_set_up(DebyeSlabPipeline *pipeline, const DebyePotentialSettings *settings,
                           DebyeSlabChunks chunks)
{
  const size_t chunk = planes_in_chunk(settings, chunks);
  pipeline->plane_bytes =
      plane_points(settings) * (settings->double_precision ? sizeof(double) : sizeof(float));
  pipeline->layer = chunks.layer;
  pipeline->chunk_planes = chunk;
  pipeline->n_slots = smaller((thickest_slab(settings) + chunk - 1) / chunk, SLOTS);
}

void
debye_slab_pipeline_list(DebyeSlabPipeline *pipeline, DebyePlanMemory *memory)
{
  const uint64_t bytes = (uint64_t)pipeline->chunk_planes * pipeline->plane_bytes;
  for (size_t i = 0; i < pipeline->n_slots; i++) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, pipeline->slots[i].device, bytes);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, pipeline->slots[i].host, bytes);
  }
}

DebyeStatusCode
debye_slab_pipeline_open(DebyeSlabPipeline *pipeline, DebyeStatus *status)
{
  DebyeStatusCode code = debye_status_ok(status);
  for (size_t i = 0; i < pipeline->n_slots && code == DEBYE_STATUS_OK; i++) {
    DebyeStream *stream = &pipeline->slots[i].stream;
    debye_stream_open(stream);
    debye_stream_new_event(stream, &pipeline->slots[i].done);
    code = debye_stream_report(stream, "planning the copies of the map", status);
  }
  return code;
}

void
debye_slab_pipeline_close(DebyeSlabPipeline *pipeline)
{
  for (DebyeSlabSlot &slot : pipeline->slots) {
    debye_stream_close(&slot.stream);
    debye_event_free(slot.done);
  }
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
wait_for_slot(DebyeSlabSlot *slot, const volatile bool *cancel)
{
  const double begin = microseconds();
  for (;;) {
    const cudaError_t error = cudaEventQuery(slot->done);
    if (error != cudaErrorNotReady) {
      debye_stream_note(&slot->stream, error);
      return true;
    }
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
    debye_stream_finish(&pipeline->slots[i].stream, run->work->what, NULL);
    pipeline->slots[i].planes.count = 0;
  }
}

static DebyeStatusCode
take_slot(Run *run, DebyeSlabSlot *slot, DebyeStatus *status)
{
  const size_t bytes = run->pipeline->plane_bytes;
  const DebyeSlabWork *work = run->work;
  char *out = run->out + (slot->planes.first - run->slab.first) * bytes;
  if (slot->planes.count == 0)
    return DEBYE_STATUS_OK;
  if (!wait_for_slot(slot, run->cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  const DebyeStatusCode code = debye_stream_report(&slot->stream, work->what, status);
  if (code != DEBYE_STATUS_OK)
    return code;
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
start_slot(Run *run, DebyeSlabSlot *slot, DebyeStatus *status)
{
  DebyeStream *stream = &slot->stream;
  if (run->started == run->slab.count)
    return DEBYE_STATUS_OK;
  if (debye_is_cancelled(run->cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  slot->planes = {run->slab.first + run->started, next_planes(run)};
  run->started += slot->planes.count;
  run->work->start(run->work->context, slot->planes, slot->device, stream);
  debye_stream_download(stream, slot->host, slot->device, slot->planes.count * run->pipeline->plane_bytes);
  debye_stream_record(stream, slot->done);
  return debye_stream_report(stream, run->work->what, status);
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

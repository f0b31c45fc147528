/* SPDX-License-Identifier: MIT */
/* The plan of displacements on a GPU; called by displacement_histogram.cu. */
#include "displacement_plan.cuh"

#include <string.h>

/* Pieces of the atoms: enough blocks for every multiprocessor to have several, but no more sums than that; of
 * each warp's atoms as many as of any other's. */
#define WANTED_BLOCKS 1024
#define LEAST_ATOMS (DEBYE_DISPLACEMENT_THREADS / 32)
/* Of the counts of lags that are counted at once, and of those on their way to the host. */
#define COUNT_BYTES ((size_t)512 << 20)
#define STAGE_BYTES ((size_t)4 << 20)
#define MAX_LAGS ((size_t)65472) /* blocks of listed ones */

/* Sizes. */

/* Lags of a block, with a column of counters for two of them: as many as have all their rows in shared
 * memory, or else the fewest. One of listed ones. */
static size_t
run_lags_of(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  size_t columns = 32;
  if (settings->lags != NULL)
    return 1;
  while (columns > 4 && (settings->n_bins + 1) * columns * sizeof(unsigned) > shared_bytes)
    columns /= 2;
  return 2 * columns;
}

static size_t
shared_bytes_of(int device)
{
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return (size_t)bytes;
}

/* In whole runs. */
static size_t
lags_of_batch(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  const size_t run = run_lags_of(settings, shared_bytes);
  const size_t lag = (settings->n_bins + 1) * sizeof(unsigned long long) * settings->n_groups;
  size_t lags = COUNT_BYTES / lag / run * run;
  lags = lags < run ? run : lags > MAX_LAGS ? MAX_LAGS : lags;
  return lags < settings->n_lags ? lags : settings->n_lags;
}

/* And one more, where a batch begins with an odd lag. */
static size_t
runs_of_batch(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  const size_t run = run_lags_of(settings, shared_bytes);
  return lags_of_batch(settings, shared_bytes) / run + 1;
}

static size_t
lags_of_stage(const DebyeDisplacementSettings *settings)
{
  const size_t lags = STAGE_BYTES / ((settings->n_bins + 1) * sizeof(unsigned long long));
  return lags < 1 ? 1 : lags < settings->n_lags ? lags : settings->n_lags;
}

size_t
debye_cuda_displacement_piece_atoms(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  const size_t atoms = settings->max_atoms * runs_of_batch(settings, shared_bytes) / WANTED_BLOCKS;
  return atoms < LEAST_ATOMS ? LEAST_ATOMS : atoms / LEAST_ATOMS * LEAST_ATOMS;
}

static size_t
pieces_of(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  return settings->max_atoms / debye_cuda_displacement_piece_atoms(settings, shared_bytes) +
         settings->n_groups;
}

/* Of the counts, and of the moments of each lag. */
static size_t
rows_of_batch(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  return runs_of_batch(settings, shared_bytes) * run_lags_of(settings, shared_bytes);
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)made;
  const DebyeDisplacementSettings *settings = (const DebyeDisplacementSettings *)data;
  const DebyeStatusCode code = debye_displacement_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->device = device;
  plan->settings = *settings;
  plan->shared_bytes = shared_bytes_of(plan->device);
  plan->run_lags = run_lags_of(settings, plan->shared_bytes);
  plan->batch = lags_of_batch(settings, plan->shared_bytes);
  plan->stage_lags = lags_of_stage(settings);
  plan->max_pieces = pieces_of(settings, plan->shared_bytes);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)made;
  const DebyeDisplacementSettings *settings = &plan->settings;
  const size_t lags = rows_of_batch(settings, plan->shared_bytes), rows = lags * settings->n_groups;
  debye_series_block_list(&plan->series, settings->max_atoms, settings->n_frames, settings->n_groups, memory);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->lags, settings->n_lags);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_lags, settings->n_lags);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->pieces, plan->max_pieces);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_pieces, plan->max_pieces);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->piece_end, settings->n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_piece_end, settings->n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->counts, rows * (settings->n_bins + 1));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->piece_moments, plan->max_pieces * lags);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->moments, rows);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_moments, rows);
  for (DebyeDisplacementStage &stage : plan->stages) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, stage.counts, plan->stage_lags * (settings->n_bins + 1));
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, stage.counts_host,
                     plan->stage_lags * (settings->n_bins + 1));
  }
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)made;
  DebyeDisplacementSettings *settings = &plan->settings;
  DebyeStream *stream = &plan->stream;
  debye_stream_open(stream);
  debye_series_block_open(&plan->series, stream);
  for (DebyeDisplacementStage &stage : plan->stages)
    debye_stream_new_event(stream, &stage.done);
  if (settings->lags != NULL) {
    memcpy(plan->host_lags, settings->lags, settings->n_lags * sizeof(uint32_t));
    settings->lags = plan->host_lags;
    debye_stream_upload(stream, plan->lags, plan->host_lags, settings->n_lags * sizeof(uint32_t));
  }
  debye_stream_note(stream, debye_cuda_displacement_allow_memory(plan->shared_bytes));
  return debye_stream_finish(stream, "preparing displacements", status);
}

static void
clear(void *made)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)made;
  cudaSetDevice(plan->device);
  debye_series_block_close(&plan->series);
  for (DebyeDisplacementStage &stage : plan->stages)
    debye_event_free(stage.done);
  debye_stream_close(&plan->stream);
}

const DebyePlanKind debye_cuda_displacement_plan_kind =
    DEBYE_PLAN_KIND(DebyeCudaDisplacementPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear);

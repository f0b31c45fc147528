/* SPDX-License-Identifier: MIT */
/* Turns frames into series on the device, tile by tile through shared memory; used by displacements and self
 * scattering. */
#include "series_block.cuh"

#include <stdlib.h>

#include "kernels/chunk_threads.h"

#define TILE 32
#define TILE_ROWS 8
/* Coordinates of a stage, at most; and what a thread copies at a time, at least. */
#define STAGE_VALUES ((size_t)4 << 20)
#define CHUNK_VALUES ((size_t)1 << 14)

/* Some frames of some of the caller's atoms. */
struct Slice {
  size_t first_atom, n_atoms, first_frame, n_frames;
};

/* A slice that threads bring into a stage, by frames. */
struct Filling {
  const DebyeSelfBlock *block;
  Slice slice;
  size_t chunk_frames;
  float *to;
  bool bad;
};

/* Blocks: tiles of atoms in x, of frames in y, axes in z. */
static __global__ void
turn_slice(const float *values, const uint32_t *place, const Slice slice, size_t row, float *x, float *y,
           float *z)
{
  __shared__ float tile[TILE][TILE + 1];
  const float *from = values + blockIdx.z * slice.n_frames * slice.n_atoms;
  float *const to = blockIdx.z == 0 ? x : blockIdx.z == 1 ? y : z;
  const size_t atoms = (size_t)blockIdx.x * TILE, atom = atoms + threadIdx.x;
  for (size_t first = (size_t)blockIdx.y * TILE; first < slice.n_frames; first += (size_t)gridDim.y * TILE) {
    for (size_t i = threadIdx.y; i < TILE; i += TILE_ROWS)
      if (atom < slice.n_atoms && first + i < slice.n_frames)
        tile[i][threadIdx.x] = from[(first + i) * slice.n_atoms + atom];
    __syncthreads();
    for (size_t i = threadIdx.y; i < TILE; i += TILE_ROWS)
      if (atoms + i < slice.n_atoms && first + threadIdx.x < slice.n_frames)
        to[place[slice.first_atom + atoms + i] * row + slice.first_frame + first + threadIdx.x] =
            tile[threadIdx.x][i];
    __syncthreads();
  }
}

static size_t
row_of(size_t n_frames)
{
  return (n_frames + 31) / 32 * 32;
}

static size_t
values_of_stage(size_t max_atoms, size_t n_frames)
{
  const size_t all = 3 * max_atoms * n_frames;
  return all < STAGE_VALUES ? all : STAGE_VALUES;
}

void
debye_series_block_list(DebyeSeriesBlock *series, size_t max_atoms, size_t n_frames, size_t n_groups,
                        DebyePlanMemory *memory)
{
  series->row = row_of(n_frames);
  series->n_frames = n_frames;
  series->max_atoms = max_atoms;
  series->n_groups = n_groups;
  for (float *&position : series->position)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, position, max_atoms * series->row + DEBYE_SERIES_SLACK);
  for (DebyeSeriesStage &stage : series->stages) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, stage.device, values_of_stage(max_atoms, n_frames));
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, stage.host, values_of_stage(max_atoms, n_frames));
  }
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, series->place, max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, series->place_host, max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, series->order, max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, series->group_end, n_groups);
}

void
debye_series_block_open(DebyeSeriesBlock *series, DebyeStream *stream)
{
  /* What is behind a row's frames is read, too, though nothing is made of it. */
  for (float *position : series->position)
    debye_stream_clear(stream, position,
                       (series->max_atoms * series->row + DEBYE_SERIES_SLACK) * sizeof *position);
  for (DebyeSeriesStage &stage : series->stages)
    debye_stream_note(stream, cudaEventCreateWithFlags(&stage.done, cudaEventDisableTiming));
}

void
debye_series_block_close(DebyeSeriesBlock *series)
{
  for (DebyeSeriesStage &stage : series->stages)
    if (stage.done != NULL)
      cudaEventDestroy(stage.done);
}

static void
upload_places(const DebyeSeriesBlock *series, DebyeStream *stream)
{
  for (size_t i = 0; i < series->n_atoms; i++)
    series->place_host[series->order[i]] = (uint32_t)i;
  debye_stream_upload(stream, series->place, series->place_host, series->n_atoms * sizeof *series->place);
}

static void
fill_chunk(void *context, size_t chunk)
{
  Filling *filling = (Filling *)context;
  const Slice *slice = &filling->slice;
  const float *const axes[3] = {filling->block->x, filling->block->y, filling->block->z};
  const size_t begin = chunk * filling->chunk_frames, left = slice->n_frames - begin;
  const size_t end = begin + (left < filling->chunk_frames ? left : filling->chunk_frames);
  bool good = true;
  for (size_t axis = 0; axis < 3; axis++)
    for (size_t t = begin; t < end; t++)
      good &= debye_self_copy_places(
          axes[axis] + (slice->first_frame + t) * filling->block->stride + slice->first_atom, slice->n_atoms,
          filling->to + (axis * slice->n_frames + t) * slice->n_atoms);
  if (!good)
    __atomic_store_n(&filling->bad, true, __ATOMIC_RELAXED);
}

/* False where a place can't be used. */
static bool
fill(const DebyeSelfBlock *block, const Slice &slice, float *to)
{
  const size_t of_frame = 3 * slice.n_atoms;
  Filling filling = {block, slice, (CHUNK_VALUES + of_frame - 1) / of_frame, to, false};
  debye_chunk_threads_run((slice.n_frames + filling.chunk_frames - 1) / filling.chunk_frames, fill_chunk,
                          &filling);
  return !filling.bad;
}

static void
start(const DebyeSeriesBlock *series, const DebyeSeriesStage *stage, const Slice &slice, DebyeStream *stream)
{
  const size_t tiles = (slice.n_frames + TILE - 1) / TILE;
  const dim3 blocks((unsigned)((slice.n_atoms + TILE - 1) / TILE), (unsigned)(tiles < 65535 ? tiles : 65535),
                    3);
  debye_stream_upload(stream, stage->device, stage->host, 3 * slice.n_frames * slice.n_atoms * sizeof(float));
  if (!debye_stream_is_good(stream))
    return;
  turn_slice<<<blocks, dim3(TILE, TILE_ROWS), 0, stream->handle>>>(stage->device, series->place, slice,
                                                                   series->row, series->position[0],
                                                                   series->position[1], series->position[2]);
  debye_stream_note_launch(stream);
  debye_stream_record(stream, stage->done);
}

/* All frames of as many atoms as a stage has room for, or as many frames of all; at least a tile's. */
static Slice
largest_slice(const DebyeSeriesBlock *series)
{
  const size_t room = values_of_stage(series->max_atoms, series->n_frames) / 3;
  Slice slice = {0, series->n_atoms, 0, room / series->n_atoms};
  slice.n_frames = slice.n_frames < series->n_frames ? slice.n_frames / TILE * TILE : series->n_frames;
  if (slice.n_frames == 0)
    slice.n_frames = series->n_frames < TILE ? series->n_frames : TILE;
  if (slice.n_atoms > room / slice.n_frames)
    slice.n_atoms = room / slice.n_frames;
  return slice;
}

DebyeStatusCode
debye_series_block_set(DebyeSeriesBlock *series, const DebyeSelfBlock *block, DebyeStream *stream,
                       DebyeStatus *status)
{
  series->n_atoms = block->n_atoms;
  debye_self_sort_atoms(block, series->n_groups, series->order, series->group_end);
  if (block->n_atoms == 0)
    return debye_status_ok(status);
  const Slice largest = largest_slice(series);
  upload_places(series, stream);
  bool good = true;
  size_t n_slices = 0;
  for (size_t t = 0; t < series->n_frames; t += largest.n_frames)
    for (size_t atom = 0; atom < series->n_atoms && good && debye_stream_is_good(stream);
         atom += largest.n_atoms) {
      const size_t atoms = series->n_atoms - atom, frames = series->n_frames - t;
      const Slice slice = {atom, atoms < largest.n_atoms ? atoms : largest.n_atoms, t,
                           frames < largest.n_frames ? frames : largest.n_frames};
      DebyeSeriesStage *stage = &series->stages[n_slices++ % 2];
      /* Of an event that was never recorded that is at once. */
      debye_stream_note(stream, cudaEventSynchronize(stage->done));
      good = !debye_stream_is_good(stream) || fill(block, slice, stage->host);
      if (good)
        start(series, stage, slice, stream);
    }
  const DebyeStatusCode code = debye_stream_finish(stream, "copying the atoms' courses", status);
  return good ? code : debye_self_positions_check(block, 0, series->n_frames, status);
}

size_t
debye_series_block_cut(const DebyeSeriesBlock *series, size_t atoms, DebyeSeriesPiece *pieces,
                       uint32_t *piece_end)
{
  size_t n_pieces = 0, first = 0;
  for (size_t group = 0; group < series->n_groups; group++) {
    for (const size_t end = series->group_end[group]; first < end;) {
      const size_t count = end - first < atoms ? end - first : atoms;
      pieces[n_pieces++] = {(uint32_t)first, (uint32_t)count, (uint32_t)group};
      first += count;
    }
    piece_end[group] = (uint32_t)n_pieces;
  }
  return n_pieces;
}

/* SPDX-License-Identifier: MIT */
/* Unpacks coordinates on a GPU, one warp per segment. A segment's groups follow from one another, so that all lanes walk over 32
 * of them alike; then each lane unpacks one. */
#include "unpacking.cuh"

#include <string.h>

#include "kernels/chunk_threads.h"

#define WARPS 4
#define TAKE_THREADS 256u
/* Words of the stream that a warp has at hand, and loads at a time. */
#define RING 1024
#define LOADED 128
/* That 32 groups are in at most, with those that are looked at behind them. */
#define GROUPS_WORDS ((DEBYE_PACKED_ATOM_BITS + DEBYE_PACKED_MAX_RUN * (DEBYE_PACKED_WIDTHS - 1)) + 4)
#define GROUPS_ATOMS (32 * (DEBYE_PACKED_MAX_RUN + 1))
static_assert(GROUPS_WORDS + LOADED <= RING, "what is loaded next would overwrite what is still needed");

static __global__ void __launch_bounds__(32 * WARPS)
    unpack(const __grid_constant__ DebyePackedScale scale, const uint32_t *words,
           const DebyePackedSegment *segments, uint32_t n_segments, uint32_t n_atoms, uint64_t n_bits,
           float *x, float *y, float *z)
{
  __shared__ uint32_t rings[WARPS][RING];
  __shared__ float unpacked[WARPS][3][GROUPS_ATOMS];
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint32_t segment = blockIdx.x * WARPS + warp;
  if (segment >= n_segments)
    return;
  const DebyePackedSegment begin = segments[segment];
  const bool is_last = segment + 1 == n_segments;
  const uint64_t first_word = begin.position / 32;
  const uint64_t end = is_last ? n_bits : segments[segment + 1].position;
  const uint32_t end_atom = is_last ? n_atoms : segments[segment + 1].atom;
  const uint32_t n_words = (uint32_t)(end / 32 - first_word) + 4;
  uint32_t *ring = rings[warp];
  const DebyePackedWords stream = {ring, RING - 1};
  DebyePackedWalk walk = {(uint32_t)(begin.position % 32), begin.atom, begin.run, begin.small_index};
  uint32_t loaded = 0;
  while (walk.atom < end_atom) {
    const uint32_t needed = min(walk.position / 32 + GROUPS_WORDS, n_words);
    for (; loaded < needed; loaded += LOADED)
      for (uint32_t i = loaded + lane; i < min(loaded + LOADED, n_words); i += 32)
        ring[i % RING] = debye_packed_swap(words[first_word + i]);
    __syncwarp();
    const uint32_t first_atom = walk.atom;
    DebyePackedGroup mine = {0, 0, 0, 0, 0};
    bool has_one = false;
    for (uint32_t k = 0; k < 32 && walk.atom < end_atom; k++) {
      const DebyePackedGroup group = debye_packed_next(&scale, stream, &walk);
      if (k == lane) {
        mine = group;
        has_one = true;
      }
    }
    const uint32_t at = mine.atom - first_atom;
    if (has_one)
      debye_packed_group(&scale, stream, &mine, &unpacked[warp][0][at], &unpacked[warp][1][at],
                         &unpacked[warp][2][at]);
    __syncwarp();
    for (uint32_t i = lane; i < walk.atom - first_atom; i += 32) {
      x[first_atom + i] = unpacked[warp][0][i];
      y[first_atom + i] = unpacked[warp][1][i];
      z[first_atom + i] = unpacked[warp][2][i];
    }
    __syncwarp();
  }
}

/* A frame's atoms in the order that a plan has them. */
static __global__ void
take_chosen(const float *xyz, size_t n_atoms, const uint32_t *chosen, uint32_t n, float *to, size_t stride)
{
  const uint32_t i = blockIdx.x * TAKE_THREADS + threadIdx.x;
  if (i >= n)
    return;
  const size_t from = chosen != nullptr ? chosen[i] : i;
  for (size_t k = 0; k < 3; k++)
    to[k * stride + i] = xyz[k * n_atoms + from];
}

/* Room for the bytes, whole words, and the padding that is looked at behind them. */
static uint64_t
max_words(size_t max_atoms)
{
  return max_atoms > 0 ? (debye_packed_max_bytes(max_atoms) + DEBYE_PACKED_PADDING) / 4 + 1 : 0;
}

void
debye_cuda_packed_list(DebyeCudaPacked *packed, const DebyePackedAtoms *atoms, DebyePlanMemory *memory)
{
  const size_t max_atoms = atoms->n_atoms;
  const uint64_t n_segments = max_atoms > 0 ? debye_packed_max_segments(max_atoms) : 0;
  packed->has_chosen = max_atoms > 0 && atoms->chosen != NULL;
  packed->n_chosen = atoms->n_chosen;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, packed->words, max_words(max_atoms));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, packed->segments, n_segments);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, packed->xyz, 3 * (uint64_t)max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, packed->chosen, packed->has_chosen ? atoms->n_chosen : 0);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, packed->staged, 4 * max_words(max_atoms));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, packed->staged_segments, n_segments);
}

void
debye_cuda_packed_open(DebyeCudaPacked *packed, const DebyePackedAtoms *atoms, DebyeStream *stream)
{
  debye_stream_new_event(stream, &packed->sent);
  if (packed->has_chosen)
    debye_stream_upload(stream, packed->chosen, atoms->chosen, atoms->n_chosen * sizeof *atoms->chosen);
}

void
debye_cuda_packed_close(DebyeCudaPacked *packed)
{
  debye_event_free(packed->sent);
}

/* What is staged may still be on the bus. */
static void
send(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame, DebyeStream *stream)
{
  const size_t bytes = frame->n_bytes + DEBYE_PACKED_PADDING;
  const size_t segment_bytes = frame->n_segments * sizeof *frame->segments;
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaEventSynchronize(packed->sent));
  if (!debye_stream_is_good(stream))
    return;
  debye_chunk_threads_copy(packed->staged, frame->bytes, bytes);
  memcpy(packed->staged_segments, frame->segments, segment_bytes);
  debye_stream_upload(stream, packed->words, packed->staged, bytes);
  debye_stream_upload(stream, packed->segments, packed->staged_segments, segment_bytes);
  debye_stream_record(stream, packed->sent);
}

static void
unpack_to(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame, float *to, size_t stride,
          DebyeStream *stream)
{
  const uint32_t n_segments = (uint32_t)frame->n_segments;
  DebyePackedScale scale;
  debye_packed_scale_init(&scale, frame);
  send(packed, frame, stream);
  if (!debye_stream_is_good(stream) || n_segments == 0)
    return;
  unpack<<<(n_segments + WARPS - 1) / WARPS, 32 * WARPS, 0, stream->handle>>>(
      scale, packed->words, packed->segments, n_segments, (uint32_t)frame->n_atoms, 8 * frame->n_bytes, to,
      to + stride, to + 2 * stride);
  debye_stream_note_launch(stream);
}

void
debye_cuda_packed_unpack(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame, DebyeStream *stream)
{
  unpack_to(packed, frame, packed->xyz, frame->n_atoms, stream);
}

void
debye_cuda_packed_take(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame, float *to, size_t stride,
                       DebyeStream *stream)
{
  const uint32_t n = (uint32_t)packed->n_chosen;
  if (!packed->has_chosen && n == frame->n_atoms) {
    unpack_to(packed, frame, to, stride, stream);
    return;
  }
  debye_cuda_packed_unpack(packed, frame, stream);
  if (!debye_stream_is_good(stream) || n == 0)
    return;
  take_chosen<<<(n + TAKE_THREADS - 1) / TAKE_THREADS, TAKE_THREADS, 0, stream->handle>>>(
      packed->xyz, frame->n_atoms, packed->has_chosen ? packed->chosen : NULL, n, to, stride);
  debye_stream_note_launch(stream);
}

/* SPDX-License-Identifier: MIT */
/* Coordinates unpacked on a GPU against the processor's, which test_xtc_packed holds against the reader's decoder: the same bits, for
 * every width of small numbers and every kind of range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/common/unpacking.cuh"

extern "C" {
#include "tests/support/check.h"
#include "tests/support/packed_frames.h"
}

static const size_t MAX_ATOMS = 70000, N_CHOSEN = 9, STRIDE = 50;
/* In no order, and one of them twice. */
static const uint32_t chosen[N_CHOSEN] = {9, 0, 3, 3, 8, 1, 2, 7, 5};

static const uint32_t ranges[][3] = {{1, 1, 1},
                                     {2, 3, 5},
                                     {21700, 21700, 21700},
                                     {500000, 500000, 500000},
                                     {700000, 700000, 700000},
                                     {2000000, 2000000, 3000000},
                                     {0xffffff, 0xffffff, 0xffffff},
                                     {0x1000000, 7, 0x80000000},
                                     {0xffffffff, 0xfffffffe, 0xffffffff}};

static void
check_chosen(DebyeCudaPacked *device, DebyeStream *stream, const DebyePackedCoordinates *frame,
             const float *expected, float *room)
{
  float found[3 * STRIDE];
  DebyeStatus status = {};
  debye_cuda_packed_take(device, frame, room, STRIDE, stream);
  debye_stream_download(stream, found, room, sizeof found);
  CHECK_THAT(debye_stream_finish(stream, "unpacking", &status) == DEBYE_STATUS_OK, "%s", status.text);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < N_CHOSEN; i++)
      CHECK(memcmp(&found[k * STRIDE + i], &expected[k * frame->n_atoms + chosen[i]], sizeof(float)) == 0);
}

/* Right behind each other, as a batch of frames comes: what is staged must not be written over too early. */
static void
check_row(DebyeCudaPacked *device, DebyeStream *stream, const DebyePackedCoordinates *frames, size_t n_frames,
          float *room)
{
  const size_t n = frames[0].n_atoms, bytes = 3 * n * sizeof(float);
  float *expected = (float *)calloc(3 * n, sizeof(float)), *found = (float *)calloc(3 * n, sizeof(float));
  DebyeStatus status = {};
  for (size_t f = 0; f < n_frames; f++)
    debye_cuda_packed_take(device, &frames[f], room + 3 * n * f, n, stream);
  for (size_t f = 0; f < n_frames; f++) {
    DebyePackedScale scale;
    debye_packed_scale_init(&scale, &frames[f]);
    for (size_t i = 0; i < frames[f].n_segments; i++)
      debye_packed_unpack_segment(&frames[f], &scale, i, expected, expected + n, expected + 2 * n);
    debye_stream_download(stream, found, room + 3 * n * f, bytes);
    CHECK_THAT(debye_stream_finish(stream, "unpacking", &status) == DEBYE_STATUS_OK, "%s", status.text);
    CHECK(memcmp(found, expected, bytes) == 0);
  }
  free(expected);
  free(found);
}

static void
check_frame(DebyeCudaPacked *device, DebyeStream *stream, const DebyePackedCoordinates *frame, float *room)
{
  const size_t n = frame->n_atoms, bytes = 3 * n * sizeof(float);
  float *expected = (float *)calloc(3 * n, sizeof(float)), *found = (float *)calloc(3 * n, sizeof(float));
  DebyePackedScale scale;
  DebyeStatus status = {};
  debye_packed_scale_init(&scale, frame);
  for (size_t i = 0; i < frame->n_segments; i++)
    debye_packed_unpack_segment(frame, &scale, i, expected, expected + n, expected + 2 * n);
  CHECK(debye_packed_check(frame, MAX_ATOMS, &status) == DEBYE_STATUS_OK);
  debye_cuda_packed_unpack(device, frame, stream);
  debye_stream_download(stream, found, device->xyz, bytes);
  CHECK_THAT(debye_stream_finish(stream, "unpacking", &status) == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(memcmp(found, expected, bytes) == 0);
  check_chosen(device, stream, frame, expected, room);
  free(expected);
  free(found);
}

static DebyePackedCoordinates
make_frame(const uint32_t range[3], size_t n, int width, unsigned seed)
{
  DebyePackedCoordinates frame = {};
  memcpy(frame.range, range, sizeof frame.range);
  frame.minimum[1] = -77;
  frame.unit = 0.001f;
  frame.small_ranges = debye_packed_test_ranges();
  debye_packed_random(&frame, n, width, seed);
  return frame;
}

/* All atoms, as a plan has them that chooses none. */
static void
check_rows(DebyeStream *stream)
{
  enum { N_FRAMES = 6 };
  const DebyePackedAtoms all = {MAX_ATOMS, NULL, MAX_ATOMS};
  DebyeCudaPacked device = {};
  DebyePackedCoordinates frames[N_FRAMES];
  DebyePlanMemory memory = {};
  float *room;
  debye_cuda_packed_list(&device, &all, &memory);
  DEBYE_PLAN_ARRAY(&memory, DEBYE_MEMORY_DEVICE, room, 3 * MAX_ATOMS * N_FRAMES);
  CHECK(debye_plan_memory_take(&memory, &debye_cuda_memory_source));
  debye_cuda_packed_open(&device, &all, stream);
  for (unsigned f = 0; f < N_FRAMES; f++)
    frames[f] = make_frame(ranges[f], MAX_ATOMS, 20 + 3 * (int)f, f);
  check_row(&device, stream, frames, N_FRAMES, room);
  for (DebyePackedCoordinates &frame : frames)
    debye_packed_clear(&frame);
  debye_cuda_packed_close(&device);
  debye_plan_memory_give_back(&memory, &debye_cuda_memory_source);
}

int
main()
{
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0)
    return 0;
  DebyeCudaPacked device = {};
  DebyeStream stream = {};
  DebyePlanMemory memory = {};
  debye_stream_open(&stream);
  const DebyePackedAtoms atoms = {MAX_ATOMS, chosen, N_CHOSEN};
  float *room;
  debye_cuda_packed_list(&device, &atoms, &memory);
  DEBYE_PLAN_ARRAY(&memory, DEBYE_MEMORY_DEVICE, room, 3 * STRIDE);
  CHECK(debye_plan_memory_take(&memory, &debye_cuda_memory_source));
  debye_cuda_packed_open(&device, &atoms, &stream);
  for (int width = 9; width < DEBYE_PACKED_WIDTHS; width++)
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
      for (size_t n = 10; n < MAX_ATOMS; n = n * 9 + 2) {
        DebyePackedCoordinates frame = make_frame(ranges[k], n, width, (unsigned)(n + k));
        debye_check_subject("width %d, ranges %zu, %zu atoms", width, k, n);
        check_frame(&device, &stream, &frame, room);
        debye_packed_clear(&frame);
      }
  debye_check_subject("frames in a row");
  check_rows(&stream);
  debye_cuda_packed_close(&device);
  debye_plan_memory_give_back(&memory, &debye_cuda_memory_source);
  debye_stream_close(&stream);
  return debye_check_finish();
}

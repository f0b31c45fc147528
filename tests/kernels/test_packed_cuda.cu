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

static const size_t MAX_ATOMS = 70000;

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
check_frame(DebyeCudaPacked *device, DebyeStream *stream, const DebyePackedCoordinates *frame)
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
  free(expected);
  free(found);
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
  debye_cuda_packed_list(&device, MAX_ATOMS, &memory);
  CHECK(debye_plan_memory_take(&memory, &debye_cuda_memory_source));
  for (int width = 9; width < DEBYE_PACKED_WIDTHS; width++)
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
      for (size_t n = 10; n < MAX_ATOMS; n = n * 9 + 2) {
        DebyePackedCoordinates frame = {};
        memcpy(frame.range, ranges[k], sizeof frame.range);
        frame.minimum[1] = -77;
        frame.unit = 0.001f;
        frame.small_ranges = debye_packed_test_ranges();
        debye_packed_random(&frame, n, width, (unsigned)(n + k));
        debye_check_subject("width %d, ranges %zu, %zu atoms", width, k, n);
        check_frame(&device, &stream, &frame);
        debye_packed_clear(&frame);
      }
  debye_plan_memory_give_back(&memory, &debye_cuda_memory_source);
  debye_stream_close(&stream);
  return debye_check_finish();
}

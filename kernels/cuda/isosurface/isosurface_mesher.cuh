/* SPDX-License-Identifier: MIT */
/* Triangles of an isosurface of a map that is on the device, for every kernel that has one there. Each step goes into a stream
 * and does nothing once that has an error. Compiled unfused, as the CPU's: the same mesh to the last bit. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/isosurface/isosurface.h"
#include "kernels/isosurface/isosurface_math.h"

/* Buffers that copies to and from ordinary memory go through. */
#define DEBYE_MESHER_STAGES 2

/* As kernels are given it. A word is number w of row (j, k): w + words·(j + ny·k). */
struct DebyeCudaIsosurface {
  DebyeIsosurfaceMap map;
  const DebyeCellTable *table;
  const uint64_t *bits;
  /* Counts, then the sums before each, and at the end of all. Of slice k its words' edges, then the words of the cells
   * between it and the slice before. */
  uint32_t *vertices;
  uint32_t *triangles;               /* of the words of cells */
  uint32_t nx, ny, nz, words, slice; /* slice: words of one */
};

/* All zero to begin with. Its rooms grow with the maps. */
struct DebyeCudaMesher {
  DebyeCudaIsosurface surface;
  DebyeCellTable *table;
  DebyeCellSurface *surfaces;
  uint32_t *totals; /* of vertices and triangles; pinned */
  char *stages[DEBYE_MESHER_STAGES];
  cudaEvent_t staged[DEBYE_MESHER_STAGES];
  size_t scratch_bytes;
  DebyeRoom bits, vertices, triangles, scratch, positions, normals, indices;
};

/* Of the maps to come, or of a typical one before its memory is listed; takes nothing. */
cudaError_t debye_cuda_mesher_set_shape(DebyeCudaMesher *mesher, const size_t shape[3]);
void debye_cuda_mesher_list(DebyeCudaMesher *mesher, DebyePlanMemory *memory);
/* Once it has the list's memory. */
void debye_cuda_mesher_open(DebyeCudaMesher *mesher, DebyeStream *stream);
void debye_cuda_mesher_close(DebyeCudaMesher *mesher);
/* The functions prepare and clear of a plan (kernels/plan.h) that has nothing to open but a stream and a mesher. `what`: as of
 * debye_cuda_status(). */
#define DEBYE_MESHER_PREPARE_AND_CLEAR_PLAN(Plan, what)           \
  static DebyeStatusCode prepare(void *made, DebyeStatus *status) \
  {                                                               \
    Plan *plan = (Plan *)made;                                    \
    debye_stream_open(&plan->stream);                             \
    debye_cuda_mesher_open(&plan->mesher, &plan->stream);         \
    return debye_stream_finish(&plan->stream, what, status);      \
  }                                                               \
  static void clear(void *made)                                   \
  {                                                               \
    Plan *plan = (Plan *)made;                                    \
    cudaSetDevice(plan->device);                                  \
    debye_cuda_mesher_close(&plan->mesher);                       \
    debye_stream_close(&plan->stream);                            \
  }

/* Copies from ordinary memory, which may go when the stream has been waited for. */
void debye_cuda_mesher_upload(DebyeCudaMesher *mesher, void *device, const void *host, size_t bytes,
                              DebyeStream *stream);
/* The whole, of a map whose shape is set and which can be (debye_isosurface_can_be()): the three steps below. `mesh` is empty
 * before, and after an error. */
DebyeStatusCode debye_cuda_mesher_make(DebyeCudaMesher *mesher, const DebyeGrid *grid, const float *values,
                                       double level, DebyeStream *stream, DebyeIsosurface *mesh,
                                       DebyeStatus *status);
/* Numbers all that there will be; waits, and the totals are there. `values` are on the device. */
void debye_cuda_mesher_count(DebyeCudaMesher *mesher, const DebyeGrid *grid, const float *values,
                             double level, DebyeStream *stream);
/* Vertices and triangles, on the device. */
void debye_cuda_mesher_put(DebyeCudaMesher *mesher, DebyeStream *stream);
/* Into ordinary memory; waits. */
DebyeStatusCode debye_cuda_mesher_fetch(DebyeCudaMesher *mesher, DebyeIsosurface *mesh, DebyeStream *stream,
                                        DebyeStatus *status);

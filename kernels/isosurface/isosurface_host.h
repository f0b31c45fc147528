/* SPDX-License-Identifier: MIT */
/* Isosurfaces on the host, on the threads of a runner: what the CPU's back end does, and pictures without one. */
#pragma once

#include "isosurface.h"
#include "kernels/chunk_threads.h"

/* On the host: `n_slabs` slabs of slices (1: at least), one chunk of the runner each, joined as if it had been one.
 * `is_stopped` is asked now and then on any thread; NULL: nobody stops it. False with an empty mesh if it was stopped, or
 * if there isn't the memory. */
typedef struct {
  size_t n_slabs;
  const DebyeChunkRunner *runner; /* NULL: the calling thread */
  bool (*is_stopped)(const void *stopper);
  const void *stopper;
} DebyeIsosurfaceWay;

bool debye_isosurface_make(const DebyeGrid *grid, const float *values, double level,
                           const DebyeIsosurfaceWay *way, DebyeIsosurface *mesh);
/* What so many threads share well. */
size_t debye_isosurface_count_slabs(const DebyeGrid *grid, size_t n_threads);

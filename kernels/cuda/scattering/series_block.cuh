/* SPDX-License-Identifier: MIT */
/* A block of atoms on a device as series: each atom's places in time one after the other, atoms in the order
 * of their groups.
 *
 * The caller's frames go through two pinned stages, some frames of some atoms at a time: while one is on its
 * way and turned into series on the device, threads look through the next and copy it. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/scattering/scattering_self.h"

/* Floats behind the last row that may be read. */
#define DEBYE_SERIES_SLACK 128

/* Frames of some atoms on their way: [(axis·frames + frame)·atoms + atom]. */
typedef struct {
  float *host, *device; /* the host's is pinned */
  cudaEvent_t done;     /* the device has turned it */
} DebyeSeriesStage;

typedef struct {
  float *position[3]; /* on the device: [atom · row + frame] */
  size_t row, n_frames, n_atoms, max_atoms, n_groups;
  uint32_t *order;   /* on the host: the atom of the caller's block */
  size_t *group_end; /* on the host */
  /* Where the caller's atom stands in that order. */
  uint32_t *place, *place_host;
  DebyeSeriesStage stages[2];
} DebyeSeriesBlock;

/* Atoms of a block's work in their order, all of one group. */
typedef struct {
  uint32_t first, count, group;
} DebyeSeriesPiece;

/* Sets the sizes (all zero before) and adds the series' arrays to their plan's. */
void debye_series_block_list(DebyeSeriesBlock *series, size_t max_atoms, size_t n_frames, size_t n_groups,
                             DebyePlanMemory *memory);
/* Once there is the memory: what is put into the stream clears it. */
void debye_series_block_open(DebyeSeriesBlock *series, DebyeStream *stream);
/* Before the memory goes. */
void debye_series_block_close(DebyeSeriesBlock *series);
/* A block whose groups were checked; its places are here: INVALID as debye_self_positions_check says. Returns
 * when its series are on the device. */
DebyeStatusCode debye_series_block_set(DebyeSeriesBlock *series, const DebyeSelfBlock *block,
                                       DebyeStream *stream, DebyeStatus *status);
/* Cuts the groups into pieces of at most so many atoms, and writes where each group's pieces end. Returns
 * their number. */
size_t debye_series_block_cut(const DebyeSeriesBlock *series, size_t atoms, DebyeSeriesPiece *pieces,
                              uint32_t *piece_end);

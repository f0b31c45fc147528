/* SPDX-License-Identifier: MIT */
/* The atoms that a map's points can see within a cutoff, sorted into bins: what the CPU's and the GPU's sums
 * of pair functions both read.
 *
 * Every image of an atom that is within the cutoff of the map's volume is an atom of its own here, so that
 * the sums know nothing of cells: any triclinic cell, cells smaller than the cutoff and maps that reach
 * beyond the cell are then all the same. Bins are boxes in the turned grid's frame, in rows along x, and
 * their atoms lie one after the other; the bins of a row that a block of points can see are one run of atoms.
 *
 * Positions are 32-bit fixed-point numbers modulo 2³². A block only looks at atoms near it, so the
 * difference to its middle is exact, and float is precise enough for what is left, however large the map. */
#pragma once

#include "cell_images.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DEBYE_BIN_SIZE 4.0
#define DEBYE_BIN_CAPACITY 8

typedef struct {
  uint32_t x, y, z; /* in DebyeCutoffBins.unit from the grid's origin, modulo 2³² */
  float charge;
} DebyeBinnedAtom;

typedef struct {
  double x, y, z, charge;
} DebyeBinnedExactAtom;

/* Calls function(context, chunk) for all chunks, on whatever threads. */
typedef struct {
  void (*run)(void *runner, size_t n_chunks, void (*function)(void *context, size_t chunk), void *context);
  void *runner;
} DebyeChunkRunner;

/* A row of bins from the bin that holds a block's lowest corner. */
typedef struct {
  int y, z;
} DebyeBinOffset;

/* What the sums need to know to find atoms; pointers are to the host's or a device's memory. */
typedef struct {
  double cutoff;
  double corner[3], edge[3]; /* Å: bin (i, j, k) begins at corner + (i·edge, j·edge, k·edge) */
  long shape[3];
  const uint32_t *start; /* of bin i + shape[0]·(j + shape[1]·k); one more than there are bins */
  const DebyeBinOffset *offset;
  long n_offsets;
} DebyeBinMap;

typedef struct {
  DebyeTurnedGrid grid;
  size_t block[3]; /* points */
  double wanted_edge;
  unsigned wanted_capacity;
  bool limited; /* bins have a capacity */
  bool exact;   /* positions in double as well */
  unsigned periodic;
  size_t max_charges;

  /* A frame's. */
  double unit; /* Å, a power of two */
  DebyeBinMap map;
  unsigned capacity; /* the most in one bin, where limited */
  size_t n_atoms;    /* with images */
  DebyeBinnedAtom *atoms;
  DebyeBinnedExactAtom *exact_atoms;
  uint32_t *start;
  size_t n_bins;
  DebyeBinOffset *offset;
  float *overflow[4]; /* x, y, z in the caller's coordinates, charge */
  size_t n_overflow;
  struct DebyeBinImages *images; /* between the passes, and what is allocated */
} DebyeCutoffBins;

/* What a map with a cutoff needs beyond debye_potential_settings_check. */
DebyeStatusCode debye_cutoff_settings_check(const DebyePotentialSettings *settings, double cutoff,
                                            DebyeStatus *status);
/* Host bytes for a typical frame. */
uint64_t debye_cutoff_bins_bytes(const DebyePotentialSettings *settings, double cutoff);
/* `block`: the points of the blocks that will ask, which begin at multiples of it. `limited`: bins have a
 * capacity, and what doesn't fit is overflow. NO_MEMORY. */
DebyeStatusCode debye_cutoff_bins_init(DebyeCutoffBins *bins, const DebyePotentialSettings *settings,
                                       double cutoff, const size_t block[3], bool limited, bool exact,
                                       DebyeStatus *status);
/* A frame. The same atoms give the same order, whatever the number of threads. `runner` may be NULL:
 * all is done on the calling thread. */
DebyeStatusCode debye_cutoff_bins_set(DebyeCutoffBins *bins, const DebyeCharges *charges,
                                      const DebyeCell *cell, const DebyeChunkRunner *runner,
                                      DebyeStatus *status);
void debye_cutoff_bins_clear(DebyeCutoffBins *bins);
/* No block is longer than this. */
double debye_cutoff_block_extent(const DebyeCutoffBins *bins);

/* A box around the points of a block, and the row of bins that its lowest corner is in. */
typedef struct {
  double low[3], high[3];
  long base_y, base_z;
} DebyeBlockBox;

/* Points [first, first + count) along each axis. */
DEBYE_SHARED_MATH DebyeBlockBox
debye_block_box(const DebyeBinMap *map, const DebyeTurnedGrid *grid, const size_t first[3],
                const size_t count[3])
{
  DebyeBlockBox box;
  const double i0 = (double)first[0], j0 = (double)first[1], k0 = (double)first[2];
  const double di = (double)(count[0] - 1), dj = (double)(count[1] - 1), dk = (double)(count[2] - 1);
  const double x = i0 * grid->step_x + j0 * grid->row_x + k0 * grid->plane_x;
  const double y = j0 * grid->row_y + k0 * grid->plane_y, z = k0 * grid->plane_z;
  box.low[0] = x + fmin(di * grid->step_x, 0.0) + fmin(dj * grid->row_x, 0.0) + fmin(dk * grid->plane_x, 0.0);
  box.high[0] =
      x + fmax(di * grid->step_x, 0.0) + fmax(dj * grid->row_x, 0.0) + fmax(dk * grid->plane_x, 0.0);
  box.low[1] = y + fmin(dj * grid->row_y, 0.0) + fmin(dk * grid->plane_y, 0.0);
  box.high[1] = y + fmax(dj * grid->row_y, 0.0) + fmax(dk * grid->plane_y, 0.0);
  box.low[2] = z + fmin(dk * grid->plane_z, 0.0);
  box.high[2] = z + fmax(dk * grid->plane_z, 0.0);
  box.base_y = (long)floor((box.low[1] - map->corner[1]) / map->edge[1]);
  box.base_z = (long)floor((box.low[2] - map->corner[2]) / map->edge[2]);
  return box;
}

/* How far apart two intervals are. */
DEBYE_SHARED_MATH double
debye_interval_gap(double low_a, double high_a, double low_b, double high_b)
{
  return fmax(fmax(low_a - high_b, low_b - high_a), 0.0);
}

/* The run of atoms [*first, *end) in the row of bins at `offset` that a block may see. */
DEBYE_SHARED_MATH void
debye_bin_row(const DebyeBinMap *map, const DebyeBlockBox *box, DebyeBinOffset offset, uint32_t *first,
              uint32_t *end)
{
  const long j = box->base_y + offset.y, k = box->base_z + offset.z;
  *first = *end = 0;
  if (j < 0 || k < 0 || j >= map->shape[1] || k >= map->shape[2])
    return;
  const double y = map->corner[1] + (double)j * map->edge[1], z = map->corner[2] + (double)k * map->edge[2];
  const double dy = debye_interval_gap(y, y + map->edge[1], box->low[1], box->high[1]);
  const double dz = debye_interval_gap(z, z + map->edge[2], box->low[2], box->high[2]);
  const double left = map->cutoff * map->cutoff - dy * dy - dz * dz;
  if (left < 0.0)
    return;
  /* A little more than the chord, so that rounding can't lose an atom on the edge of a bin. */
  const double half = sqrt(left) + 1e-6 * map->edge[0];
  const double from = floor((box->low[0] - half - map->corner[0]) / map->edge[0]);
  const double to = floor((box->high[0] + half - map->corner[0]) / map->edge[0]) + 1.0;
  const long row = map->shape[0] * (j + map->shape[1] * k);
  const double limit = (double)map->shape[0];
  if (from < limit && to > 0.0) {
    *first = map->start[row + (long)fmax(from, 0.0)];
    *end = map->start[row + (long)fmin(to, limit)];
  }
}

/* A coordinate in fixed point, modulo 2³². */
DEBYE_SHARED_MATH uint32_t
debye_fixed_point(double coordinate, double unit)
{
  return (uint32_t)(int64_t)rint(coordinate / unit);
}

#ifdef __cplusplus
}
#endif

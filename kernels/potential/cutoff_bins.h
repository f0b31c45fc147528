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
#include "charges.h"
#include "kernels/plan_memory.h"

DEBYE_BEGIN_DECLS

typedef struct {
  uint32_t x, y, z; /* in DebyeCutoffBins.unit from the grid's origin, modulo 2³² */
  float charge;
} DebyeBinnedAtom;

typedef struct {
  double x, y, z, charge;
} DebyeBinnedExactAtom;

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

/* A box around images; infinite the wrong way around where there are none. */
typedef struct {
  double low[3], high[3];
} DebyeBinBox;

typedef struct {
  DebyeTurnedGrid grid;
  size_t block[3];    /* points */
  double wanted_edge; /* 0: chosen by the density */
  bool exact;         /* positions in double as well */
  unsigned periodic;
  size_t max_charges;
  /* Of a typical frame. */
  uint64_t usual_images, usual_offsets;

  /* A frame's. */
  double unit; /* Å, a power of two */
  DebyeBinMap map;
  size_t n_atoms; /* with images */
  DebyeBinnedAtom *atoms;
  DebyeBinnedExactAtom *exact_atoms;
  uint32_t *start;
  size_t n_bins;
  DebyeBinOffset *offset;

  /* The memory behind that, and what the passes hand on: images before they are sorted, and of each chunk of
   * atoms a box around its images and how many are before it. */
  DebyeRoom atom_room, exact_room, start_room, offset_room, image_room;
  DebyeBinBox *box_of_chunk;
  size_t *first_of_chunk;
} DebyeCutoffBins;

/* What finds the images of an atom that a map can see, as plain data, for the host and for a device that
 * sorts charges itself. */
typedef struct {
  DebyeVec3 origin, axis[3]; /* of the turned grid */
  DebyeCellImages lattice;
  double first_cell[3], last_cell[3]; /* that the map can see, in fractional coordinates */
  DebyeVec3 gradient[3];              /* of the grid's index along each axis, and what of it can be seen */
  double low[3], high[3];
} DebyeBinFrame;

/* What a map with a cutoff needs beyond debye_potential_settings_check. */
DebyeStatusCode debye_cutoff_settings_check(const DebyePotentialSettings *settings, double cutoff,
                                            DebyeStatus *status);
/* Bytes of bins for a typical frame. */
uint64_t debye_cutoff_bins_bytes(const DebyePotentialSettings *settings, double cutoff);
/* Bins that have no memory yet. `block`: the points of the blocks that will ask, which begin at multiples of
 * it. Bins are runs of one array, so that a full one costs no more than its atoms' time. */
DebyeCutoffBins debye_cutoff_bins(const DebyePotentialSettings *settings, double cutoff,
                                  const size_t block[3], bool exact);
/* What bins that the host sorts into have in a plan's list; and of that what they need where a device sorts. */
void debye_cutoff_bins_list(DebyeCutoffBins *bins, DebyePlanMemory *memory);
void debye_cutoff_bins_list_layout(DebyeCutoffBins *bins, DebyePlanMemory *memory);
/* Bins with a list of their own; cleared by debye_cutoff_bins_clear. NO_MEMORY. */
DebyeStatusCode debye_cutoff_bins_init(DebyeCutoffBins *bins, const DebyePotentialSettings *settings,
                                       double cutoff, const size_t block[3], bool exact, DebyeStatus *status);
/* A frame. The same atoms give the same order, whatever the number of threads. `runner` may be NULL:
 * all is done on the calling thread. */
DebyeStatusCode debye_cutoff_bins_set(DebyeCutoffBins *bins, const DebyeCharges *charges,
                                      const DebyeCell *cell, const DebyeChunkRunner *runner,
                                      DebyeStatus *status);
void debye_cutoff_bins_clear(DebyeCutoffBins *bins);
/* For a device that sorts charges itself: first what finds their images, then, when those are counted and
 * have a box around them, where bins lie: all of bins->map but `start`, ->unit and ->n_bins. INVALID,
 * NO_MEMORY. */
DebyeStatusCode debye_bin_frame_set(const DebyeCutoffBins *bins, const DebyeCell *cell, size_t n_charges,
                                    DebyeBinFrame *frame, DebyeStatus *status);
DebyeStatusCode debye_cutoff_bins_lay_out(DebyeCutoffBins *bins, size_t n_atoms, const DebyeBinBox *box,
                                          DebyeStatus *status);
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

/* That of geometry.h is for the host alone. */
DEBYE_SHARED_MATH double
debye_bin_dot(DebyeVec3 u, double x, double y, double z)
{
  return u.x * x + u.y * y + u.z * z;
}

/* An atom's place in the turned grid's frame. */
DEBYE_SHARED_MATH DebyeVec3
debye_bin_home(const DebyeBinFrame *frame, double x, double y, double z)
{
  const double dx = x - frame->origin.x, dy = y - frame->origin.y, dz = z - frame->origin.z;
  DebyeVec3 home;
  home.x = debye_bin_dot(frame->axis[0], dx, dy, dz);
  home.y = debye_bin_dot(frame->axis[1], dx, dy, dz);
  home.z = debye_bin_dot(frame->axis[2], dx, dy, dz);
  return home;
}

/* Cells that an image of an atom at home may be seen in: from first to last along each axis. */
DEBYE_SHARED_MATH void
debye_bin_cells(const DebyeBinFrame *frame, DebyeVec3 home, double first[3], double last[3])
{
  for (int i = 0; i < 3; i++) {
    const double fraction = debye_bin_dot(frame->lattice.reciprocal[i], home.x, home.y, home.z);
    const bool periodic = frame->lattice.periodic[i];
    first[i] = periodic ? ceil(frame->first_cell[i] - fraction - 1e-9) : 0.0;
    last[i] = periodic ? floor(frame->last_cell[i] - fraction + 1e-9) : 0.0;
  }
}

/* The image in cell (a, b, c); false where the map can't see it. */
DEBYE_SHARED_MATH bool
debye_bin_image(const DebyeBinFrame *frame, DebyeVec3 home, double a, double b, double c, DebyeVec3 *image)
{
  const DebyeVec3 *edge = frame->lattice.edge;
  image->x = home.x + a * edge[0].x + b * edge[1].x + c * edge[2].x;
  image->y = home.y + a * edge[0].y + b * edge[1].y + c * edge[2].y;
  image->z = home.z + a * edge[0].z + b * edge[1].z + c * edge[2].z;
  for (int i = 0; i < 3; i++) {
    const double u = debye_bin_dot(frame->gradient[i], image->x, image->y, image->z);
    if (!(u >= frame->low[i] && u <= frame->high[i]))
      return false;
  }
  return true;
}

/* The bin of a place within the map's bins. */
DEBYE_SHARED_MATH uint32_t
debye_bin_of(const DebyeBinMap *map, const double p[3])
{
  long at[3];
  for (int axis = 0; axis < 3; axis++) {
    at[axis] = (long)((p[axis] - map->corner[axis]) / map->edge[axis]);
    at[axis] = at[axis] < map->shape[axis] ? at[axis] : map->shape[axis] - 1;
    at[axis] = at[axis] > 0 ? at[axis] : 0;
  }
  return (uint32_t)(at[0] + map->shape[0] * (at[1] + map->shape[1] * at[2]));
}

/* A coordinate in fixed point, modulo 2³². */
DEBYE_SHARED_MATH uint32_t
debye_fixed_point(double coordinate, double unit)
{
  return (uint32_t)(int64_t)rint(coordinate / unit);
}

DEBYE_END_DECLS

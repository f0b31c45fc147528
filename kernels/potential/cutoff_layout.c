/* SPDX-License-Identifier: MIT */
/* Lays out a frame's bins; called by cutoff_bins.c and the CUDA back end's bin_sorter.cu. */
#include "cutoff_bins_private.h"

#define BIN_SIZE 4.0

/* In a bin of water of the usual size. */
#define USUAL_ATOMS 6.4

const DebyeBinBox debye_bin_box_empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

void
debye_bin_box_extend(DebyeBinBox *box, double x, double y, double z)
{
  const double p[3] = {x, y, z};
  for (int axis = 0; axis < 3; axis++) {
    box->low[axis] = p[axis] < box->low[axis] ? p[axis] : box->low[axis];
    box->high[axis] = p[axis] > box->high[axis] ? p[axis] : box->high[axis];
  }
}

double
debye_cutoff_block_extent(const DebyeCutoffBins *bins)
{
  const DebyeTurnedGrid *grid = &bins->grid;
  return (double)bins->block[0] * fabs(grid->step_x) +
         (double)bins->block[1] * (fabs(grid->row_x) + fabs(grid->row_y)) +
         (double)bins->block[2] * (fabs(grid->plane_x) + fabs(grid->plane_y) + fabs(grid->plane_z));
}

/* Where atoms are far apart bins are wider, up to the cutoff: to look at an empty one costs as much as at an
 * atom. */
static double
choose_edge(const DebyeCutoffBins *bins, const DebyeBinBox *box)
{
  if (bins->wanted_edge > 0.0)
    return bins->wanted_edge;
  double volume = 1.0;
  for (int axis = 0; axis < 3; axis++)
    volume *= fmax(box->high[axis] - box->low[axis], BIN_SIZE);
  double edge = cbrt(volume * USUAL_ATOMS / (double)(bins->n_atoms > 0 ? bins->n_atoms : 1));
  return fmax(fmin(edge, bins->map.cutoff), BIN_SIZE);
}

/* A box around the images, cut into bins; so many at most that their number doesn't matter beside the
 * atoms'. */
static void
lay_out_bins(DebyeCutoffBins *bins, const DebyeBinBox *box)
{
  const double max_bins = 262144.0 + 8.0 * (double)bins->n_atoms;
  double edge = choose_edge(bins, box), n_bins = INFINITY;
  for (; n_bins > max_bins; edge *= n_bins > max_bins ? 1.25 : 1.0) {
    n_bins = 1.0;
    for (int axis = 0; axis < 3; axis++) {
      double extent = bins->n_atoms > 0 ? box->high[axis] - box->low[axis] : 0.0;
      double n = floor(extent / edge) + 1.0;
      bins->map.corner[axis] = bins->n_atoms > 0 ? box->low[axis] : 0.0;
      bins->map.edge[axis] = edge;
      bins->map.shape[axis] = (long)fmin(n, 1e9);
      n_bins *= n;
    }
  }
  bins->n_bins = (size_t)n_bins;
}

/* The unit of positions: of what is in the bins that a block looks at nothing may wrap around. */
static double
choose_unit(const DebyeCutoffBins *bins)
{
  double span = 4.0 * (debye_cutoff_block_extent(bins) + bins->map.cutoff + bins->map.edge[0]);
  return exp2(ceil(log2(span)) - 31.0);
}

/* Of a block. */
static double
extent_in_y(const DebyeCutoffBins *bins)
{
  return (double)(bins->block[1] - 1) * fabs(bins->grid.row_y) +
         (double)(bins->block[2] - 1) * fabs(bins->grid.plane_y);
}

static double
extent_in_z(const DebyeCutoffBins *bins)
{
  return (double)(bins->block[2] - 1) * fabs(bins->grid.plane_z);
}

uint64_t
debye_bin_usual_offsets(const DebyeCutoffBins *bins)
{
  const double edge = bins->wanted_edge > 0.0 ? bins->wanted_edge : BIN_SIZE, cutoff = bins->map.cutoff;
  const double below = ceil(cutoff / edge) + 1.0;
  const double n = (below + ceil((cutoff + extent_in_y(bins)) / edge)) *
                   (below + ceil((cutoff + extent_in_z(bins)) / edge));
  return n < 1e6 ? (uint64_t)n : 1000000;
}

/* Rows that some block whose lowest corner is in bin (0, 0) can see, wherever in the bin it is. */
static bool
list_offsets(DebyeCutoffBins *bins)
{
  DebyeBinMap *map = &bins->map;
  const double extent_y = extent_in_y(bins), extent_z = extent_in_z(bins);
  const long below_y = (long)ceil(map->cutoff / map->edge[1]),
             below_z = (long)ceil(map->cutoff / map->edge[2]);
  const long above_y = (long)ceil((map->cutoff + extent_y) / map->edge[1]);
  const long above_z = (long)ceil((map->cutoff + extent_z) / map->edge[2]);
  size_t max_offsets = (size_t)(below_y + above_y + 1) * (size_t)(below_z + above_z + 1);
  if (!debye_room_reserve(&bins->offset_room, DEBYE_MEMORY_HOST, max_offsets, sizeof *bins->offset,
                          &debye_host_memory_source))
    return false;
  bins->offset = bins->offset_room.memory;
  map->n_offsets = 0;
  for (long z = -below_z; z <= above_z; z++)
    for (long y = -below_y; y <= above_y; y++) {
      double gap_y = debye_interval_gap((double)y * map->edge[1], (double)(y + 1) * map->edge[1], 0.0,
                                        map->edge[1] + extent_y);
      double gap_z = debye_interval_gap((double)z * map->edge[2], (double)(z + 1) * map->edge[2], 0.0,
                                        map->edge[2] + extent_z);
      if (gap_y * gap_y + gap_z * gap_z <= map->cutoff * map->cutoff)
        bins->offset[map->n_offsets++] = (DebyeBinOffset){(int)y, (int)z};
    }
  map->offset = bins->offset;
  return true;
}

DebyeStatusCode
debye_cutoff_bins_lay_out(DebyeCutoffBins *bins, size_t n_atoms, const DebyeBinBox *box, DebyeStatus *status)
{
  bins->n_atoms = n_atoms;
  lay_out_bins(bins, box);
  bins->unit = choose_unit(bins);
  return list_offsets(bins) ? debye_status_ok(status) : debye_bins_no_memory((double)n_atoms, status);
}

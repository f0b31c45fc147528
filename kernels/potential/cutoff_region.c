/* SPDX-License-Identifier: MIT */
/* Finds which part of space a map can see of a frame's atoms and images; called by cutoff_bins.c and
 * bin_sorter.cu. */
#include "cutoff_bins_private.h"

DebyeStatusCode
debye_bins_no_memory(double n_atoms, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for the %.3g atoms and images that the map sees within the "
                          "cutoff.",
                          n_atoms);
}

/* The volume that the map can see: fractional coordinates of the grid from low to high, and its corners. */
typedef struct {
  DebyeVec3 gradient[3]; /* of the grid's index along each axis */
  double low[3], high[3];
  DebyeVec3 corner[8];
} Region;

/* A grid's index along each axis as a linear function of the place; an axis of one point needs no step. */
static void
index_gradients(const DebyeTurnedGrid *grid, DebyeVec3 gradient[3])
{
  const size_t *shape = grid->shape;
  const double sx = shape[0] > 1 ? grid->step_x : 1.0;
  const double rx = shape[1] > 1 ? grid->row_x : 0.0, ry = shape[1] > 1 ? grid->row_y : 1.0;
  const double px = shape[2] > 1 ? grid->plane_x : 0.0, py = shape[2] > 1 ? grid->plane_y : 0.0;
  const double pz = shape[2] > 1 ? grid->plane_z : 1.0;
  gradient[0] = debye_vec3(1.0 / sx, -rx / (sx * ry), (rx * py / ry - px) / (sx * pz));
  gradient[1] = debye_vec3(0.0, 1.0 / ry, -py / (ry * pz));
  gradient[2] = debye_vec3(0.0, 0.0, 1.0 / pz);
}

static Region
region_of(const DebyeTurnedGrid *grid, double cutoff)
{
  Region region;
  index_gradients(grid, region.gradient);
  for (int i = 0; i < 3; i++) {
    double margin = cutoff * debye_vec3_length(region.gradient[i]) * (1.0 + 1e-9) + 1e-9;
    region.low[i] = -margin;
    region.high[i] = (double)(grid->shape[i] - 1) + margin;
  }
  /* The corners from the indices: the gradients are the rows of a triangular matrix. */
  const DebyeVec3 *g = region.gradient;
  for (int corner = 0; corner < 8; corner++) {
    double u[3];
    for (int i = 0; i < 3; i++)
      u[i] = corner >> i & 1 ? region.high[i] : region.low[i];
    double z = u[2] / g[2].z, y = (u[1] - g[1].z * z) / g[1].y;
    region.corner[corner] = debye_vec3((u[0] - g[0].y * y - g[0].z * z) / g[0].x, y, z);
  }
  return region;
}

double
debye_bin_region_volume(const DebyeTurnedGrid *grid, double cutoff)
{
  const Region region = region_of(grid, cutoff);
  double volume = 1.0;
  for (int i = 0; i < 3; i++)
    volume *= region.high[i] - region.low[i];
  return volume / fabs(region.gradient[0].x * region.gradient[1].y * region.gradient[2].z);
}

/* What finds images: the frame's lattice is set. */
static void
fill_frame(const DebyeCutoffBins *bins, const Region *region, DebyeBinFrame *frame)
{
  frame->origin = bins->grid.origin;
  for (int i = 0; i < 3; i++) {
    frame->axis[i] = bins->grid.axis[i];
    frame->gradient[i] = region->gradient[i];
    frame->low[i] = region->low[i];
    frame->high[i] = region->high[i];
    frame->first_cell[i] = INFINITY;
    frame->last_cell[i] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
      double fraction = debye_vec3_dot(frame->lattice.reciprocal[i], region->corner[corner]);
      frame->first_cell[i] = fmin(frame->first_cell[i], fraction);
      frame->last_cell[i] = fmax(frame->last_cell[i], fraction);
    }
  }
}

/* How many images there may be, of all atoms. */
static double
max_images(const DebyeCutoffBins *bins, const DebyeBinFrame *frame, double n_charges)
{
  const DebyeCell cell = {frame->lattice.edge[0], frame->lattice.edge[1], frame->lattice.edge[2]};
  double cells = 1.0;
  if (bins->periodic == DEBYE_PERIODIC_ALL)
    return n_charges * debye_bin_region_volume(&bins->grid, bins->map.cutoff) /
           fabs(debye_cell_volume(&cell));
  /* Along axes that are not periodic there is one cell, not so many as its made-up edge says. */
  for (int i = 0; i < 3; i++)
    if (frame->lattice.periodic[i])
      cells *= frame->last_cell[i] - frame->first_cell[i] + 1.0;
  return n_charges * cells;
}

DebyeStatusCode
debye_bin_frame_set(const DebyeCutoffBins *bins, const DebyeCell *cell, size_t n_charges,
                    DebyeBinFrame *frame, DebyeStatus *status)
{
  if (debye_cell_images_set(&frame->lattice, &bins->grid, bins->periodic, cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Region region = region_of(&bins->grid, bins->map.cutoff);
  fill_frame(bins, &region, frame);
  const double images = max_images(bins, frame, (double)n_charges);
  return images > DEBYE_MAX_BIN_IMAGES ? debye_bins_no_memory(images, status) : debye_status_ok(status);
}

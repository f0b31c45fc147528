/* SPDX-License-Identifier: MIT */
/* Lays the grid of a map and suggests its spacing; called by map_plan.c. */
#include "map_grid.h"

#define MAX_POINTS 2e6         /* of a suggested grid: a surface of it is drawn at once */
#define MAX_PAIRS_A_FRAME 2e10 /* a few seconds on one processor core */
#define MAX_PAIRS 4e11         /* over all frames */
#define FINEST 0.25            /* Å: finer shows nothing of a molecule that this doesn't */
#define LARGEST_AXIS 1e9       /* keeps counts far from overflow; memory is checked by the caller */

static double
edge(double low, double high, double padding)
{
  return high - low + 2.0 * padding;
}

static double
points_with(DebyeVec3 low, DebyeVec3 high, double padding, double spacing)
{
  return (floor(edge(low.x, high.x, padding) / spacing) + 2.0) *
         (floor(edge(low.y, high.y, padding) / spacing) + 2.0) *
         (floor(edge(low.z, high.z, padding) / spacing) + 2.0);
}

double
debye_map_grid_spacing_for(DebyeVec3 low, DebyeVec3 high, double padding, double max_points)
{
  static const double steps[] = {1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
  for (double decade = 0.01; decade < 1e4; decade *= 10.0)
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
      if (points_with(low, high, padding, decade * steps[i]) <= max_points)
        return decade * steps[i];
  return 1e5;
}

double
debye_map_grid_suggest_spacing(DebyeVec3 low, DebyeVec3 high, double padding, gsize n_atoms, gsize n_frames)
{
  double atoms = (double)MAX(n_atoms, 1), frames = (double)MAX(n_frames, 1);
  double points = MIN(MAX_POINTS, MIN(MAX_PAIRS_A_FRAME, MAX_PAIRS / frames) / atoms);
  /* Fewer than 16³ points show no shape at all, however long they take. */
  double spacing = debye_map_grid_spacing_for(low, high, padding, MAX(points, 4096.0));
  return MAX(spacing, FINEST);
}

/* One axis: which of origin and count are given decides how the rest follows. */
static void
lay_axis(double low, double high, double padding, double spacing, const double *given_origin,
         gsize given_count, double *origin, gsize *count)
{
  if (given_origin != NULL)
    *origin = *given_origin;
  else if (given_count > 0)
    *origin = 0.5 * (low + high) - 0.5 * spacing * (double)(given_count - 1);
  else
    *origin = floor((low - padding) / spacing) * spacing;
  if (given_count > 0)
    *count = given_count;
  else
    *count = (gsize)MIN(MAX(ceil((high + padding - *origin) / spacing - 1e-9), 0.0) + 1.0, LARGEST_AXIS);
}

void
debye_map_grid_lay(const DebyeMapSettings *settings, DebyeVec3 low, DebyeVec3 high, DebyeGrid *grid)
{
  const double spacing = settings->spacing, padding = settings->padding;
  const DebyeVec3 *origin = settings->has_origin ? &settings->origin : NULL;
  const gsize *shape = settings->shape;
  *grid = (DebyeGrid){.step = {{spacing, 0.0, 0.0}, {0.0, spacing, 0.0}, {0.0, 0.0, spacing}}};
  lay_axis(low.x, high.x, padding, spacing, origin != NULL ? &origin->x : NULL, shape[0], &grid->origin.x,
           &grid->shape[0]);
  lay_axis(low.y, high.y, padding, spacing, origin != NULL ? &origin->y : NULL, shape[1], &grid->origin.y,
           &grid->shape[1]);
  lay_axis(low.z, high.z, padding, spacing, origin != NULL ? &origin->z : NULL, shape[2], &grid->origin.z,
           &grid->shape[2]);
}

void
debye_map_grid_lay_cell(const DebyeCell *cell, DebyeVec3 middle, double spacing, DebyeGrid *grid)
{
  const DebyeVec3 edges[3] = {cell->a, cell->b, cell->c};
  grid->origin = middle;
  for (int axis = 0; axis < 3; axis++) {
    double length = debye_vec3_length(edges[axis]);
    grid->shape[axis] = (gsize)CLAMP(ceil(length / spacing - 1e-9), 1.0, LARGEST_AXIS);
    grid->step[axis] = debye_vec3_scale(edges[axis], 1.0 / (double)grid->shape[axis]);
    grid->origin = debye_vec3_subtract(grid->origin, debye_vec3_scale(edges[axis], 0.5));
  }
}

double
debye_map_grid_count(const DebyeGrid *grid)
{
  return (double)grid->shape[0] * (double)grid->shape[1] * (double)grid->shape[2];
}

/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_polarisation.h. Rows are counted, then filled. */
#include "poisson_polarisation.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyePoissonEquation *equation;
  DebyePoissonPolarisation *polarisation;
} Filling;

static size_t
count_rows(const DebyeSurfaceGrid *grid)
{
  return grid->shape[1] * grid->shape[2];
}

/* Places of a point's next neighbors; 0: it has none along that axis. */
static void
next_of(const DebyeSurfaceGrid *grid, size_t x, size_t row, size_t next[3])
{
  next[0] = x + 1 < grid->shape[0] ? 1 : 0;
  next[1] = row % grid->shape[1] + 1 < grid->shape[1] ? grid->shape[0] : 0;
  next[2] = row / grid->shape[1] + 1 < grid->shape[2] ? grid->shape[0] * grid->shape[1] : 0;
}

static size_t
count_row(const Filling *filling, size_t row)
{
  const DebyeSurfaceGrid *grid = &filling->medium->grid;
  const bool *is_inner = filling->equation->is_inner + grid->shape[0] * row;
  size_t n = 0, next[3];
  for (size_t x = 0; x < grid->shape[0]; x++) {
    next_of(grid, x, row, next);
    for (int axis = 0; axis < 3; axis++)
      n += next[axis] != 0 && is_inner[x] != is_inner[x + next[axis]];
  }
  return n;
}

static void
count_chunk(void *context, size_t chunk)
{
  const Filling *filling = context;
  const size_t rows = filling->medium->grid.shape[1];
  for (size_t row = chunk * rows; row < (chunk + 1) * rows; row++)
    filling->polarisation->begin[row + 1] = count_row(filling, row);
}

/* The permittivity outside the molecule at one of the grid's points. */
static double
permittivity_at(const DebyePoissonMedium *medium, size_t x, size_t row)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const double little = 1e-6 * grid->step[2];
  const DebyeVec3 at = debye_vec3(grid->origin.x + grid->step[0] * (double)x,
                                  grid->origin.y + grid->step[1] * (double)(row % grid->shape[1]),
                                  grid->origin.z + grid->step[2] * (double)(row / grid->shape[1]));
  return medium->membrane.is_there
             ? little / debye_poisson_membrane_resistance(&medium->membrane, medium->solvent, at, 2, little)
             : medium->solvent;
}

/* Of the edge from a point of the grid. The fraction within the surface follows from the edge's permittivity. */
static DebyePoissonInduced
induce(const Filling *filling, size_t x, size_t row, int axis, size_t next)
{
  const DebyePoissonMedium *medium = filling->medium;
  const DebyePoissonEquation *equation = filling->equation;
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t i = x + grid->shape[0] * row;
  const double volume = grid->step[0] * grid->step[1] * grid->step[2];
  const double along = (double)equation->along[axis][i];
  const double permittivity = along * grid->step[axis] * grid->step[axis] / volume;
  const bool is_next = equation->is_inner[i]; /* the end that is outside */
  const double outside = permittivity_at(medium, is_next && axis == 0 ? x + 1 : x,
                                         row + (!is_next || axis == 0 ? 0
                                                : axis == 1           ? 1
                                                                      : grid->shape[1]));
  const double contrast = 1.0 / medium->solute - 1.0 / outside;
  const double within = contrast != 0.0 ? (1.0 / permittivity - 1.0 / outside) / contrast : 0.0;
  const double fraction = fmin(1.0, fmax(0.0, equation->is_inner[i] ? within : 1.0 - within));
  const double flux = along * (equation->potential[i] - equation->potential[i + next]);
  const double jump = contrast * (is_next ? -1.0 : 1.0);
  return (DebyePoissonInduced){
      {(uint32_t)x, (uint32_t)(row % grid->shape[1]), (uint32_t)(row / grid->shape[1])},
      (uint32_t)axis,
      (float)fraction,
      (float)(flux * jump / (4.0 * PI * medium->length))};
}

static void
fill_chunk(void *context, size_t chunk)
{
  const Filling *filling = context;
  const DebyeSurfaceGrid *grid = &filling->medium->grid;
  for (size_t row = chunk * grid->shape[1]; row < (chunk + 1) * grid->shape[1]; row++) {
    const bool *is_inner = filling->equation->is_inner + grid->shape[0] * row;
    DebyePoissonInduced *induced = filling->polarisation->induced + filling->polarisation->begin[row];
    size_t next[3];
    for (size_t x = 0; x < grid->shape[0]; x++) {
      next_of(grid, x, row, next);
      for (int axis = 0; axis < 3; axis++)
        if (next[axis] != 0 && is_inner[x] != is_inner[x + next[axis]])
          *induced++ = induce(filling, x, row, axis, next[axis]);
    }
  }
}

bool
debye_poisson_polarisation_init(DebyePoissonPolarisation *polarisation, const DebyePoissonMedium *medium,
                                const DebyePoissonEquation *equation)
{
  const size_t rows = count_rows(&medium->grid);
  Filling filling = {medium, equation, polarisation};
  *polarisation = (DebyePoissonPolarisation){.grid = &medium->grid};
  polarisation->begin = calloc(rows + 1, sizeof *polarisation->begin);
  if (polarisation->begin == NULL)
    return false;
  /* In a uniform medium there is none, and where permittivities are smoothed it has no place. */
  const bool has_any = (medium->solute != medium->solvent || medium->membrane.is_there) && !medium->smoothed;
  if (has_any)
    debye_chunk_threads_run(medium->grid.shape[2], count_chunk, &filling);
  for (size_t row = 0; row < rows; row++)
    polarisation->begin[row + 1] += polarisation->begin[row];
  polarisation->induced = malloc((polarisation->begin[rows] + 1) * sizeof *polarisation->induced);
  if (polarisation->induced == NULL) {
    debye_poisson_polarisation_clear(polarisation);
    return false;
  }
  if (has_any)
    debye_chunk_threads_run(medium->grid.shape[2], fill_chunk, &filling);
  return true;
}

void
debye_poisson_polarisation_clear(DebyePoissonPolarisation *polarisation)
{
  free(polarisation->induced);
  free(polarisation->begin);
  *polarisation = (DebyePoissonPolarisation){.grid = NULL};
}

/* The first of a row at x or behind it. */
static size_t
find(const DebyePoissonPolarisation *polarisation, size_t row, double x)
{
  size_t low = polarisation->begin[row], high = polarisation->begin[row + 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if ((double)polarisation->induced[middle].point[0] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void
debye_poisson_polarisation_visit(const DebyePoissonPolarisation *polarisation, DebyeVec3 at,
                                 const double half[3],
                                 void (*function)(void *context, const DebyePoissonInduced *induced),
                                 void *context)
{
  const DebyeSurfaceGrid *grid = polarisation->grid;
  const DebyeVec3 offset = debye_vec3_subtract(at, grid->origin);
  const double offsets[3] = {offset.x, offset.y, offset.z};
  double first[3], last[3];
  /* An edge belongs to its lower point. */
  for (int axis = 0; axis < 3; axis++) {
    first[axis] = fmax(0.0, ceil((offsets[axis] - half[axis]) / grid->step[axis]) - 1.0);
    last[axis] =
        fmin((double)grid->shape[axis] - 1.0, floor((offsets[axis] + half[axis]) / grid->step[axis]));
  }
  for (double z = first[2]; z <= last[2]; z++)
    for (double y = first[1]; y <= last[1]; y++) {
      const size_t row = (size_t)y + grid->shape[1] * (size_t)z;
      for (size_t i = find(polarisation, row, first[0]); i < polarisation->begin[row + 1]; i++) {
        if ((double)polarisation->induced[i].point[0] > last[0])
          break;
        function(context, &polarisation->induced[i]);
      }
    }
}

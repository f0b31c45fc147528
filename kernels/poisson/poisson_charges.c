/* SPDX-License-Identifier: MIT */
/* The charges of poisson_medium.h as quadratic B-splines over 27 points of the grid: onto it, from it, and what they do to
 * each other in a uniform medium. */
#include <math.h>
#include <stdlib.h>

#include "lattice_green.h"
#include "poisson_medium.h"

#define PI 3.14159265358979323846
/* Steps within which charges see each other's shape. */
#define NEAR 4.0
#define CHUNK_CHARGES ((size_t)32)

/* The points about a place: [first, first + 3) along each axis. */
typedef struct {
  size_t first[3];
  double weight[3][3];
} Spline;

/* False where some are outer points, or none. */
static bool
spline_at(const DebyeSurfaceGrid *grid, DebyeVec3 at, Spline *spline)
{
  const double offset[3] = {at.x - grid->origin.x, at.y - grid->origin.y, at.z - grid->origin.z};
  for (int axis = 0; axis < 3; axis++) {
    const double place = offset[axis] / grid->step[axis], nearest = floor(place + 0.5), t = place - nearest;
    if (!(nearest >= 2.0 && nearest + 3.0 <= (double)grid->shape[axis]))
      return false;
    spline->first[axis] = (size_t)nearest - 1;
    spline->weight[axis][0] = 0.5 * (0.5 - t) * (0.5 - t);
    spline->weight[axis][1] = 0.75 - t * t;
    spline->weight[axis][2] = 0.5 * (0.5 + t) * (0.5 + t);
  }
  return true;
}

bool
debye_poisson_medium_contains(const DebyePoissonMedium *medium, const DebyeSpheres *spheres)
{
  Spline spline;
  for (size_t i = 0; i < spheres->n; i++)
    if (!spline_at(&medium->grid, debye_sphere_center(spheres, i), &spline))
      return false;
  return true;
}

void
debye_poisson_medium_add_charges(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                 const float *charges, float *source)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  for (size_t i = 0; i < spheres->n; i++) {
    Spline spline;
    if (!spline_at(grid, debye_sphere_center(spheres, i), &spline))
      continue;
    const double whole = 4.0 * PI * medium->length * (double)charges[i];
    for (size_t z = 0; z < 3; z++)
      for (size_t y = 0; y < 3; y++) {
        float *row = source + spline.first[0] +
                     grid->shape[0] * (spline.first[1] + y + grid->shape[1] * (spline.first[2] + z));
        for (size_t x = 0; x < 3; x++)
          row[x] += (float)(whole * spline.weight[0][x] * spline.weight[1][y] * spline.weight[2][z]);
      }
  }
}

static double
interpolate(const DebyeSurfaceGrid *grid, const Spline *spline, const double *potential)
{
  double sum = 0.0;
  for (size_t z = 0; z < 3; z++)
    for (size_t y = 0; y < 3; y++) {
      const double *row = potential + spline->first[0] +
                          grid->shape[0] * (spline->first[1] + y + grid->shape[1] * (spline->first[2] + z));
      const double weight = spline->weight[1][y] * spline->weight[2][z];
      for (size_t x = 0; x < 3; x++)
        sum += spline->weight[0][x] * weight * row[x];
    }
  return sum;
}

/* What a unit charge does to another, by the grid, times the permittivity. */
static double
discrete_pair(const DebyeLatticeGreen *green, const Spline *one, const Spline *other)
{
  double sum = 0.0, across[3][5];
  /* Weights by the difference of places. */
  for (int axis = 0; axis < 3; axis++) {
    for (int d = 0; d < 5; d++)
      across[axis][d] = 0.0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        across[axis][i - j + 2] += one->weight[axis][i] * other->weight[axis][j];
  }
  for (int x = 0; x < 5; x++)
    for (int y = 0; y < 5; y++)
      for (int z = 0; z < 5; z++) {
        const long dx = labs((long)one->first[0] - (long)other->first[0] + x - 2);
        const long dy = labs((long)one->first[1] - (long)other->first[1] + y - 2);
        const long dz = labs((long)one->first[2] - (long)other->first[2] + z - 2);
        sum += across[0][x] * across[1][y] * across[2][z] * green->at[dx][dy][dz];
      }
  return sum;
}

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSpheres *spheres;
  const float *charges;
  const double *potential;
  const DebyeLatticeGreen *green;
  double *field;
} Reaction;

static bool
is_near(const DebyeSurfaceGrid *grid, DebyeVec3 d)
{
  return fabs(d.x) <= NEAR * grid->step[0] && fabs(d.y) <= NEAR * grid->step[1] &&
         fabs(d.z) <= NEAR * grid->step[2];
}

/* What all charges do to this one in a uniform medium of permittivity 1, less l₀. */
static double
uniform_at(const Reaction *reaction, size_t i, const Spline *spline)
{
  const DebyeSpheres *spheres = reaction->spheres;
  const DebyeVec3 here = debye_sphere_center(spheres, i);
  Spline other;
  double sum = 0.0;
  for (size_t j = 0; j < spheres->n; j++) {
    const DebyeVec3 d = debye_vec3_subtract(debye_sphere_center(spheres, j), here);
    if (!is_near(&reaction->medium->grid, d))
      sum += (double)reaction->charges[j] / debye_vec3_length(d);
    else if (spline_at(&reaction->medium->grid, debye_vec3_add(here, d), &other))
      sum += (double)reaction->charges[j] * 4.0 * PI * discrete_pair(reaction->green, spline, &other);
  }
  return sum;
}

static void
react_chunk(void *context, size_t chunk)
{
  const Reaction *reaction = context;
  const DebyePoissonMedium *medium = reaction->medium;
  const size_t first = chunk * CHUNK_CHARGES, n = reaction->spheres->n;
  for (size_t i = first; i < n && i < first + CHUNK_CHARGES; i++) {
    Spline spline;
    reaction->field[i] = 0.0;
    if (reaction->charges[i] != 0.0f &&
        spline_at(&medium->grid, debye_sphere_center(reaction->spheres, i), &spline))
      reaction->field[i] = interpolate(&medium->grid, &spline, reaction->potential) -
                           medium->length / medium->solute * uniform_at(reaction, i, &spline);
  }
}

void
debye_poisson_medium_reaction(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                              const float *charges, const double *potential, const DebyeChunkRunner *runner,
                              double *field)
{
  const double *step = medium->grid.step;
  const double volume = step[0] * step[1] * step[2];
  const double conductance[3] = {volume / (step[0] * step[0]), volume / (step[1] * step[1]),
                                 volume / (step[2] * step[2])};
  DebyeLatticeGreen green;
  debye_lattice_green_init(&green, conductance);
  Reaction reaction = {medium, spheres, charges, potential, &green, field};
  debye_chunks_run(runner, (spheres->n + CHUNK_CHARGES - 1) / CHUNK_CHARGES, react_chunk, &reaction);
}

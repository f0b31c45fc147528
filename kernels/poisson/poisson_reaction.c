/* SPDX-License-Identifier: MIT */
/* The reaction field of poisson_medium.h: what the grid's potential at the charges is of themselves, and where the
 * surface's polarisation is. */
#include <stdlib.h>

#include "lattice_green.h"
#include "poisson_medium.h"
#include "poisson_polarisation.h"
#include "poisson_spline.h"
#include "poisson_tree.h"

#define PI 3.14159265358979323846
/* Steps within which charges see each other's shape on the grid: what the asymptotic form errs beyond is 3e-4 of the energy of a
 * protein. With the splines' points that is the table's reach. */
#define NEAR 6.0
/* Steps within which the polarisation is moved. */
#define NEAR_SURFACE 6.0
#define CHUNK_CHARGES ((size_t)32)
#define BLOCK ((size_t)128)

/* 2e-7 of Coulomb's sum. */
static const DebyePoissonTreeSettings tree_settings = {.degree = 6, .opening = 0.5};

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSpheres *spheres;
  const float *charges;
  const double *potential;
  DebyeLatticeGreen green;
  DebyePoissonTree tree;
  DebyePoissonPolarisation polarisation;
  double near[3], near_surface[3]; /* Å */
  double *field;
} Reaction;

/* The place that is looked at. */
typedef struct {
  const Reaction *reaction;
  DebyeVec3 at;
  DebyePoissonSpline spline;
  double sum;
} Place;

static double
interpolate(const DebyeSurfaceGrid *grid, const DebyePoissonSpline *spline, const double *potential)
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
discrete_pair(const DebyeLatticeGreen *green, const DebyePoissonSpline *one, const DebyePoissonSpline *other)
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

/* What a unit charge at a point of the grid does to a charge that is spread, by the grid, times the permittivity. */
static double
discrete_point(const DebyeLatticeGreen *green, const DebyePoissonSpline *spline, const size_t point[3])
{
  long d[3][3];
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 3; i++)
      d[axis][i] = labs((long)spline->first[axis] + i - (long)point[axis]);
  for (int x = 0; x < 3; x++)
    for (int y = 0; y < 3; y++)
      for (int z = 0; z < 3; z++)
        sum += spline->weight[0][x] * spline->weight[1][y] * spline->weight[2][z] *
               green->at[d[0][x]][d[1][y]][d[2][z]];
  return sum;
}

static bool
is_near(const double near[3], DebyeVec3 d)
{
  return fabs(d.x) <= near[0] && fabs(d.y) <= near[1] && fabs(d.z) <= near[2];
}

/* Charges over their distances as the seven points' equation has them far away; near ones count nothing. Parts are added
 * apart from their loop, which has vectors then. */
static double
sum_far(const Reaction *reaction, const DebyePoissonSources *sources, size_t first, size_t n, DebyeVec3 at)
{
  const double *step = reaction->medium->grid.step;
  const double a = step[0] * step[0] / 24.0, b = step[1] * step[1] / 24.0, c = step[2] * step[2] / 24.0;
  const double near_x = reaction->near[0], near_y = reaction->near[1], near_z = reaction->near[2];
  const double *restrict xs = sources->x + first, *restrict ys = sources->y + first,
                         *restrict zs = sources->z + first, *restrict charges = sources->charge + first;
  double parts[BLOCK], sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double x = xs[i] - at.x, y = ys[i] - at.y, z = zs[i] - at.z;
    const bool is_far = (fabs(x) > near_x) | (fabs(y) > near_y) | (fabs(z) > near_z);
    const double square = x * x + y * y + z * z, inverse2 = 1.0 / (is_far ? square : 1.0);
    const double u = x * x * inverse2, v = y * y * inverse2, w = z * z * inverse2;
    const double correction = a * (3.0 + u * (15.0 * u - 18.0)) + b * (3.0 + v * (15.0 * v - 18.0)) +
                              c * (3.0 + w * (15.0 * w - 18.0));
    const double part = charges[i] * sqrt(inverse2) * (1.0 + correction * inverse2);
    parts[i] = is_far ? part : 0.0;
  }
  for (size_t i = 0; i < n; i++)
    sum += parts[i];
  return sum;
}

/* What charges do to the one that is looked at in a uniform medium of permittivity 1, less l₀. */
static void
add_sources(void *context, const DebyePoissonSources *sources, bool is_far)
{
  Place *place = context;
  const Reaction *reaction = place->reaction;
  const DebyeSurfaceGrid *grid = &reaction->medium->grid;
  DebyePoissonSpline other;
  for (size_t first = 0; first < sources->n; first += BLOCK)
    place->sum +=
        sum_far(reaction, sources, first, sources->n - first < BLOCK ? sources->n - first : BLOCK, place->at);
  for (size_t j = 0; j < sources->n && !is_far; j++) {
    const DebyeVec3 at = debye_vec3(sources->x[j], sources->y[j], sources->z[j]);
    if (is_near(reaction->near, debye_vec3_subtract(at, place->at)) &&
        debye_poisson_spline_at(grid, at, &other))
      place->sum += sources->charge[j] * 4.0 * PI * discrete_pair(&reaction->green, &place->spline, &other);
  }
}

/* What it takes to move a charge of the surface from the grid to where it is, less l₀. */
static void
move_polarisation(void *context, const DebyePoissonInduced *induced)
{
  Place *place = context;
  const Reaction *reaction = place->reaction;
  const DebyeSurfaceGrid *grid = &reaction->medium->grid;
  const DebyeVec3 d = debye_vec3_subtract(debye_poisson_induced_place(grid, induced), place->at);
  if (!is_near(reaction->near_surface, d))
    return;
  size_t point[3] = {induced->point[0], induced->point[1], induced->point[2]};
  const double fraction = (double)induced->fraction;
  double on_grid = (1.0 - fraction) * discrete_point(&reaction->green, &place->spline, point);
  point[induced->axis]++;
  on_grid += fraction * discrete_point(&reaction->green, &place->spline, point);
  place->sum += (double)induced->charge * (1.0 / debye_vec3_length(d) - 4.0 * PI * on_grid);
}

static double
field_at(const Reaction *reaction, size_t i)
{
  const DebyePoissonMedium *medium = reaction->medium;
  Place place = {.reaction = reaction, .at = debye_sphere_center(reaction->spheres, i)};
  if (!debye_poisson_spline_at(&medium->grid, place.at, &place.spline))
    return 0.0;
  debye_poisson_tree_visit(&reaction->tree, place.at, reaction->near, add_sources, &place);
  const double field = interpolate(&medium->grid, &place.spline, reaction->potential) -
                       medium->length / medium->solute * place.sum;
  place.sum = 0.0;
  debye_poisson_polarisation_visit(&reaction->polarisation, place.at, reaction->near_surface,
                                   move_polarisation, &place);
  return field + medium->length * place.sum;
}

static void
react_chunk(void *context, size_t chunk)
{
  const Reaction *reaction = context;
  const size_t first = chunk * CHUNK_CHARGES, n = reaction->spheres->n;
  for (size_t i = first; i < n && i < first + CHUNK_CHARGES; i++)
    reaction->field[i] = field_at(reaction, i);
}

static bool
plant_tree(Reaction *reaction)
{
  const DebyeSpheres *spheres = reaction->spheres;
  double *charges = malloc((spheres->n + 1) * sizeof *charges);
  for (size_t i = 0; i < spheres->n && charges != NULL; i++)
    charges[i] = (double)reaction->charges[i];
  const bool good =
      charges != NULL && debye_poisson_tree_init(&reaction->tree, &tree_settings, spheres, charges);
  free(charges);
  return good;
}

DebyeStatusCode
debye_poisson_medium_reaction(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                              const float *charges, const DebyePoissonEquation *equation,
                              const DebyeChunkRunner *runner, double *field, DebyeStatus *status)
{
  const double *step = medium->grid.step;
  const double volume = step[0] * step[1] * step[2];
  const double conductance[3] = {volume / (step[0] * step[0]), volume / (step[1] * step[1]),
                                 volume / (step[2] * step[2])};
  Reaction reaction = {
      .medium = medium,
      .spheres = spheres,
      .charges = charges,
      .potential = equation->potential,
      .near = {NEAR * step[0], NEAR * step[1], NEAR * step[2]},
      .near_surface = {NEAR_SURFACE * step[0], NEAR_SURFACE * step[1], NEAR_SURFACE * step[2]},
      .field = field};
  debye_lattice_green_init(&reaction.green, conductance);
  const bool good = plant_tree(&reaction) &&
                    debye_poisson_polarisation_init(&reaction.polarisation, medium, equation, runner);
  if (good)
    debye_chunks_run(runner, (spheres->n + CHUNK_CHARGES - 1) / CHUNK_CHARGES, react_chunk, &reaction);
  debye_poisson_polarisation_clear(&reaction.polarisation);
  debye_poisson_tree_clear(&reaction.tree);
  return good ? debye_status_ok(status)
              : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                 "There is no memory for the reaction field of %zu charges.", spheres->n);
}

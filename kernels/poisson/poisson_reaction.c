/* SPDX-License-Identifier: MIT */
/* The reaction field of poisson_medium.h: what the grid's potential at the charges is of themselves, and where the
 * surface's polarisation is. */
#include <stdlib.h>
#include <string.h>

#include "lattice_green.h"
#include "poisson_medium.h"
#include "poisson_polarisation.h"
#include "poisson_spline.h"
#include "poisson_tree.h"

#define PI 3.14159265358979323846
/* Steps within which charges see each other's shape on the grid: what the asymptotic form errs beyond is 3e-4 of the
 * energy of a protein. With the splines' points that is the table's reach. */
#define NEAR 6.0
/* Steps within which the polarisation is moved. */
#define NEAR_SURFACE 6.0
/* Points that an edge nearer than that has: its place is up to half a step from the middle of the
 * spline, and its upper point up to one from where it is cut. */
#define REACH 7
#define WIDTH (2 * REACH + 1)
#define CHUNK_CHARGES ((size_t)32)
#define BLOCK ((size_t)128)

/* 2e-7 of Coulomb's sum. */
static const DebyePoissonTreeSettings tree_settings = {.degree = 6, .opening = 0.5};

/* What a unit charge that is spread about a place does to the grid's points about it, times the
 * permittivity: REACH of them in each direction, z fastest. */
typedef struct {
  double at[WIDTH][WIDTH][WIDTH];
} Neighborhood;

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSpheres *spheres;
  const float *charges;
  const double *potential;
  DebyeLatticeGreen green;
  DebyePoissonTree tree;
  DebyePoissonPolarisation polarisation;
  double near[3], near_surface[3]; /* Å */
  DebyePoissonUniform *uniform;    /* NULL: not kept */
  double *field;
} Reaction;

/* The place that is looked at. */
typedef struct {
  const Reaction *reaction;
  DebyeVec3 at;
  DebyePoissonSpline spline;
  double sum;
  Neighborhood *neighborhood; /* of the thread */
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

/* Along one axis after the other. */
static void
fill_neighborhood(const DebyeLatticeGreen *green, const DebyePoissonSpline *spline,
                  Neighborhood *neighborhood)
{
  static const int reach = REACH + 1, width = WIDTH + 2;
  double along_z[WIDTH + 2][WIDTH + 2][WIDTH], row[WIDTH + 2];
  const double *wx = spline->weight[0], *wy = spline->weight[1], *wz = spline->weight[2];
  for (int x = 0; x < width; x++)
    for (int y = 0; y < width; y++) {
      const double *from = green->at[abs(x - reach)][abs(y - reach)];
      for (int z = 0; z < width; z++)
        row[z] = from[abs(z - reach)];
      /* A point further on sees the spline's first weight further away. */
      for (int z = 0; z < WIDTH; z++)
        along_z[x][y][z] = wz[0] * row[z + 2] + wz[1] * row[z + 1] + wz[2] * row[z];
    }
  for (int x = 0; x < WIDTH; x++)
    for (int y = 0; y < WIDTH; y++) {
      double sums[WIDTH] = {0.0};
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          const double weight = wx[i] * wy[j], *from = along_z[x + 2 - i][y + 2 - j];
          for (int z = 0; z < WIDTH; z++)
            sums[z] += weight * from[z];
        }
      memcpy(neighborhood->at[x][y], sums, sizeof sums);
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
  const size_t *middle = place->spline.first;
  const size_t x = (size_t)induced->point[0] + REACH - (middle[0] + 1),
               y = (size_t)induced->point[1] + REACH - (middle[1] + 1),
               z = (size_t)induced->point[2] + REACH - (middle[2] + 1);
  const double fraction = (double)induced->fraction;
  const double here = place->neighborhood->at[x][y][z];
  const double next =
      place->neighborhood->at[x + (induced->axis == 0)][y + (induced->axis == 1)][z + (induced->axis == 2)];
  const double on_grid = (1.0 - fraction) * here + fraction * next;
  place->sum += (double)induced->charge * (1.0 / debye_vec3_length(d) - 4.0 * PI * on_grid);
}

static bool
is_known(const Reaction *reaction)
{
  return reaction->uniform != NULL && reaction->uniform->is_known;
}

static double
field_at(const Reaction *reaction, size_t i, Neighborhood *neighborhood)
{
  const DebyePoissonMedium *medium = reaction->medium;
  Place place = {
      .reaction = reaction, .at = debye_sphere_center(reaction->spheres, i), .neighborhood = neighborhood};
  if (!debye_poisson_spline_at(&medium->grid, place.at, &place.spline))
    return 0.0;
  if (is_known(reaction))
    place.sum = reaction->uniform->sums[i];
  else
    debye_poisson_tree_visit(&reaction->tree, place.at, reaction->near, add_sources, &place);
  if (reaction->uniform != NULL)
    reaction->uniform->sums[i] = place.sum;
  const double field = interpolate(&medium->grid, &place.spline, reaction->potential) -
                       medium->length / medium->solute * place.sum;
  place.sum = 0.0;
  fill_neighborhood(&reaction->green, &place.spline, neighborhood);
  debye_poisson_polarisation_visit(&reaction->polarisation, place.at, reaction->near_surface,
                                   move_polarisation, &place);
  return field + medium->length * place.sum;
}

static void
react_chunk(void *context, size_t chunk)
{
  const Reaction *reaction = context;
  const size_t first = chunk * CHUNK_CHARGES, n = reaction->spheres->n;
  Neighborhood neighborhood;
  for (size_t i = first; i < n && i < first + CHUNK_CHARGES; i++)
    reaction->field[i] = field_at(reaction, i, &neighborhood);
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
                              DebyePoissonUniform *uniform, double *field, DebyeStatus *status)
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
      .uniform = uniform,
      .field = field};
  debye_lattice_green_init(&reaction.green, conductance);
  const bool good = (is_known(&reaction) || plant_tree(&reaction)) &&
                    debye_poisson_polarisation_init(&reaction.polarisation, medium, equation);
  if (good)
    debye_chunk_threads_run((spheres->n + CHUNK_CHARGES - 1) / CHUNK_CHARGES, react_chunk, &reaction);
  if (good && uniform != NULL)
    uniform->is_known = true;
  debye_poisson_polarisation_clear(&reaction.polarisation);
  debye_poisson_tree_clear(&reaction.tree);
  return good ? debye_status_ok(status)
              : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                 "There is no memory for the reaction field of %zu charges.", spheres->n);
}

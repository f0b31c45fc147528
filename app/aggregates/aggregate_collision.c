/* SPDX-License-Identifier: MIT */
/* Implementation of aggregate_collision.h: random walks with the first contact on each step, and trials of contacts. */
#include "aggregate_collision.h"

#include <math.h>

/* Steps near the other cluster, in diameters; farther off a step is as long as there is nothing to meet. */
#define STEP 1.0
/* A walker that is farther off than so many times the distance of its start begins anew. */
#define LOST 2.5
/* Rounding must not make two particles that touch overlap. */
#define TOUCH 1e-9

double
debye_aggregate_random(guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
  guint64 mixed = *state;
  mixed = (mixed ^ (mixed >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ (mixed >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return (double)((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

/* Uniform on the unit sphere. */
static DebyeAggregatePoint
random_direction(guint64 *state)
{
  const double z = 2.0 * debye_aggregate_random(state) - 1.0,
               angle = 2.0 * G_PI * debye_aggregate_random(state), across = sqrt(1.0 - z * z);
  return (DebyeAggregatePoint){across * cos(angle), across * sin(angle), z};
}

static double
dot(DebyeAggregatePoint a, DebyeAggregatePoint b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a + t·b */
static DebyeAggregatePoint
along(DebyeAggregatePoint a, double t, DebyeAggregatePoint b)
{
  return (DebyeAggregatePoint){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

/* --- Who is near --- */

/* The fixed cluster's particles, by cubes of this edge: whoever can be met within a step lies in 27 of them. */
#define EDGE (1.0 + STEP)

typedef struct {
  const DebyeCluster *cluster;
  int n_cells;  /* along each axis */
  guint *first; /* of each cube, and one more */
  guint *order; /* particles, cube by cube */
} Cells;

static int
cell_of(const Cells *cells, double x)
{
  return (int)floor((x + cells->cluster->radius) / EDGE) + 1;
}

static gsize
cell_index(const Cells *cells, DebyeAggregatePoint at)
{
  return ((gsize)cell_of(cells, at.x) * (gsize)cells->n_cells + (gsize)cell_of(cells, at.y)) *
             (gsize)cells->n_cells +
         (gsize)cell_of(cells, at.z);
}

static void
cells_init(Cells *cells, const DebyeCluster *cluster)
{
  cells->cluster = cluster;
  cells->n_cells = (int)floor(2.0 * cluster->radius / EDGE) + 3;
  const gsize n = (gsize)cells->n_cells * (gsize)cells->n_cells * (gsize)cells->n_cells;
  cells->first = g_new0(guint, n + 2);
  cells->order = g_new(guint, cluster->n);
  for (guint i = 0; i < cluster->n; i++)
    cells->first[cell_index(cells, cluster->points[i]) + 2]++;
  for (gsize i = 2; i < n + 2; i++)
    cells->first[i] += cells->first[i - 1];
  for (guint i = 0; i < cluster->n; i++)
    cells->order[cells->first[cell_index(cells, cluster->points[i]) + 1]++] = i;
}

static void
cells_clear(Cells *cells)
{
  g_free(cells->first);
  g_free(cells->order);
}

/* How far a particle at `at` can go in the direction `step` (of length 1) before it touches, up to `limit`. */
static double
free_way_in_row(const Cells *cells, gsize begin, gsize end, DebyeAggregatePoint at, DebyeAggregatePoint step,
                double limit)
{
  for (guint k = cells->first[begin]; k < cells->first[end]; k++) {
    const DebyeAggregatePoint from = along(at, -1.0, cells->cluster->points[cells->order[k]]);
    const double towards = dot(from, step), outside = dot(from, from) - 1.0;
    const double root = towards * towards - outside;
    if (towards < 0.0 && root > 0.0)
      limit = fmin(limit, fmax(-towards - sqrt(root), 0.0));
  }
  return limit;
}

static double
free_way(const Cells *cells, DebyeAggregatePoint at, DebyeAggregatePoint step, double limit)
{
  const int n = cells->n_cells, x = cell_of(cells, at.x), y = cell_of(cells, at.y), z = cell_of(cells, at.z);
  if (z + 1 < 0 || z - 1 >= n)
    return limit;
  for (int i = MAX(x - 1, 0); i <= MIN(x + 1, n - 1); i++)
    for (int j = MAX(y - 1, 0); j <= MIN(y + 1, n - 1); j++) {
      const gsize row = ((gsize)i * (gsize)n + (gsize)j) * (gsize)n;
      limit = free_way_in_row(cells, row + (gsize)MAX(z - 1, 0), row + (gsize)MIN(z + 1, n - 1) + 1, at, step,
                              limit);
    }
  return limit;
}

static double
free_way_of_all(const Cells *cells, const DebyeCluster *moving, DebyeAggregatePoint centre,
                DebyeAggregatePoint step)
{
  double limit = STEP;
  for (guint i = 0; i < moving->n; i++)
    limit = free_way(cells, along(centre, 1.0, moving->points[i]), step, limit);
  return limit;
}

/* --- By diffusion --- */

static DebyeAggregatePoint
walk(const Cells *cells, const DebyeCluster *moving, guint64 *state)
{
  const double apart = cells->cluster->radius + moving->radius + 1.0;
  DebyeAggregatePoint centre = along((DebyeAggregatePoint){0}, apart, random_direction(state));
  for (;;) {
    const DebyeAggregatePoint step = random_direction(state);
    const double distance = sqrt(dot(centre, centre)), gap = distance - apart;
    if (distance > LOST * apart) {
      centre = along((DebyeAggregatePoint){0}, apart, random_direction(state));
    } else if (gap > STEP) {
      /* Where a sphere about the walker is empty, it leaves that at a place that is as likely as any. */
      centre = along(centre, gap, step);
    } else {
      const double way = free_way_of_all(cells, moving, centre, step);
      centre = along(centre, way < STEP ? fmax(way - TOUCH, 0.0) : way, step);
      if (way < STEP)
        return centre;
    }
  }
}

/* --- By reaction --- */

/* Overlaps are looked for as contacts of a step of no length are: within 27 cubes. */
static gboolean
overlaps(const Cells *cells, const DebyeCluster *moving, DebyeAggregatePoint centre)
{
  static const double near = 1.0 - TOUCH;
  for (guint m = 0; m < moving->n; m++) {
    const DebyeAggregatePoint at = along(centre, 1.0, moving->points[m]);
    const int n = cells->n_cells, x = cell_of(cells, at.x), y = cell_of(cells, at.y),
              z = cell_of(cells, at.z);
    if (x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n)
      continue;
    for (int i = MAX(x - 1, 0); i <= MIN(x + 1, n - 1); i++)
      for (int j = MAX(y - 1, 0); j <= MIN(y + 1, n - 1); j++) {
        const gsize row = ((gsize)i * (gsize)n + (gsize)j) * (gsize)n;
        for (guint k = cells->first[row + (gsize)MAX(z - 1, 0)];
             k < cells->first[row + (gsize)MIN(z + 1, n - 1) + 1]; k++) {
          const DebyeAggregatePoint from = along(at, -1.0, cells->cluster->points[cells->order[k]]);
          if (dot(from, from) < near)
            return TRUE;
        }
      }
  }
  return FALSE;
}

static DebyeAggregatePoint
choose_contact(const Cells *cells, const DebyeCluster *moving, guint64 *state)
{
  for (;;) {
    const guint a = (guint)(debye_aggregate_random(state) * cells->cluster->n),
                b = (guint)(debye_aggregate_random(state) * moving->n);
    const DebyeAggregatePoint touching =
        along(cells->cluster->points[a], 1.0 + TOUCH, random_direction(state));
    const DebyeAggregatePoint centre = along(touching, -1.0, moving->points[b]);
    if (!overlaps(cells, moving, centre))
      return centre;
  }
}

DebyeAggregatePoint
debye_aggregate_collide(DebyeAggregateLaw law, const DebyeCluster *fixed, const DebyeCluster *moving,
                        guint64 *state)
{
  Cells cells;
  cells_init(&cells, fixed);
  const DebyeAggregatePoint centre =
      law == DEBYE_AGGREGATE_DIFFUSION ? walk(&cells, moving, state) : choose_contact(&cells, moving, state);
  cells_clear(&cells);
  return centre;
}

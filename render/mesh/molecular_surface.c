/* SPDX-License-Identifier: MIT */
/* Makes the Gaussian surface of a molecule for its layer: a density on a grid, slab by slab on several
 * threads, then marching cubes. A Gaussian is a product of three, so a grid point costs one
 * multiplication. */
#include "molecular_surface.h"

#include "data/work/parts.h"
#include "marching_cubes.h"
#include "surface_owners.h"

#define SPACING_PER_RESOLUTION 0.6 /* finer shows nothing new */
#define WIDEST_SPACING 1.0         /* Å: a lone atom is to be a sphere at every resolution */
#define BLEND_PER_RESOLUTION 0.5
#define COARSEST_BLENDED 4.0 /* Å: more costs time and shows nothing new */
#define LEAST_PART 0.003     /* of the level: contributions below are left out */
#define MAX_REACH_POINTS 512 /* of one atom, a side */

typedef struct {
  const DebyeSurfaceAtoms *atoms;
  DebyeGrid grid;
  double spacing, exponent; /* 1 / (2 resolution²) */
  double reach;             /* Å beyond which the widest atom has no part */
  float *density;
  guint32 *order, *starts; /* atoms by the layer of the grid that is below them */
} Surface;

/* A part of the grid's layers. */
typedef struct {
  const Surface *surface;
  gsize first, last; /* layers first … last − 1 */
  GCancellable *cancellable;
} Slab;

/* --- The grid --- */

/* How far an atom of this radius has a part, Å. */
static double
reach_of(const Surface *surface, double radius)
{
  return sqrt(radius * radius - log(LEAST_PART) / surface->exponent);
}

static void
lay_grid(Surface *surface, gsize max_points)
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  const float *const columns[3] = {atoms->x, atoms->y, atoms->z};
  double low[3], high[3], volume = 1.0;
  surface->reach = reach_of(surface, debye_surface_largest_radius(atoms));
  for (int axis = 0; axis < 3; axis++) {
    debye_surface_find_range(columns[axis], atoms->n_atoms, &low[axis], &high[axis]);
    low[axis] -= surface->reach;
    high[axis] += surface->reach;
    volume *= high[axis] - low[axis];
  }
  surface->spacing = fmax(fmin(SPACING_PER_RESOLUTION * atoms->resolution, WIDEST_SPACING),
                          1.01 * cbrt(volume / (double)MAX(max_points, 1)));
  double h = surface->spacing;
  surface->grid = (DebyeGrid){.origin = {low[0], low[1], low[2]}, .step = {{h, 0, 0}, {0, h, 0}, {0, 0, h}}};
  for (int axis = 0; axis < 3; axis++)
    surface->grid.shape[axis] = (gsize)((high[axis] - low[axis]) / h) + 2;
}

/* Counting sort. */
static void
sort_atoms(Surface *surface)
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  gsize n_layers = surface->grid.shape[2];
  surface->starts = g_new0(guint32, n_layers + 1);
  surface->order = g_new(guint32, atoms->n_atoms);
  g_autofree guint32 *layers = g_new(guint32, atoms->n_atoms);
  for (gsize i = 0; i < atoms->n_atoms; i++) {
    layers[i] = (guint32)(((double)atoms->z[i] - surface->grid.origin.z) / surface->spacing);
    surface->starts[layers[i] + 1]++;
  }
  for (gsize k = 0; k < n_layers; k++)
    surface->starts[k + 1] += surface->starts[k];
  g_autofree guint32 *next = g_memdup2(surface->starts, (n_layers + 1) * sizeof(guint32));
  for (guint32 i = 0; i < atoms->n_atoms; i++)
    surface->order[next[layers[i]]++] = i;
}

/* --- The density --- */

/* The points of an axis that an atom reaches, and its Gaussian there. */
typedef struct {
  gsize first, n;
  float values[MAX_REACH_POINTS];
} Reach;

static void
spread(const Surface *surface, int axis, double place, double reach, gsize from, gsize to, Reach *points)
{
  double origin = (&surface->grid.origin.x)[axis], h = surface->spacing;
  double first = ceil((place - reach - origin) / h), last = floor((place + reach - origin) / h);
  first = fmax(first, (double)from);
  last = fmin(last, (double)to - 1.0);
  points->n = last >= first ? MIN((gsize)(last - first) + 1, MAX_REACH_POINTS) : 0;
  points->first = points->n ? (gsize)first : 0;
  for (gsize i = 0; i < points->n; i++) {
    double d = origin + (double)(points->first + i) * h - place;
    points->values[i] = (float)exp(-surface->exponent * d * d);
  }
}

static void
add_atom(const Surface *surface, guint32 atom, const Slab *slab)
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  double radius = (double)atoms->radii[atom], reach = reach_of(surface, radius);
  float height = (float)exp(surface->exponent * radius * radius);
  Reach x, y, z;
  spread(surface, 2, (double)atoms->z[atom], reach, slab->first, slab->last, &z);
  if (z.n == 0)
    return;
  spread(surface, 0, (double)atoms->x[atom], reach, 0, surface->grid.shape[0], &x);
  spread(surface, 1, (double)atoms->y[atom], reach, 0, surface->grid.shape[1], &y);
  for (gsize k = 0; k < z.n; k++)
    for (gsize j = 0; j < y.n; j++) {
      float part = height * z.values[k] * y.values[j];
      if (part < (float)LEAST_PART)
        continue;
      float *row = surface->density + x.first +
                   surface->grid.shape[0] * (y.first + j + surface->grid.shape[1] * (z.first + k));
      for (gsize i = 0; i < x.n; i++)
        row[i] += part * x.values[i];
    }
}

static void
fill_slab(gsize number, gpointer slabs)
{
  const Slab *slab = (const Slab *)slabs + number;
  const Surface *surface = slab->surface;
  gsize margin = (gsize)ceil(surface->reach / surface->spacing) + 1;
  gsize first = slab->first > margin ? slab->first - margin : 0;
  gsize last = MIN(slab->last + margin, surface->grid.shape[2]);
  for (gsize layer = first; layer < last && !g_cancellable_is_cancelled(slab->cancellable); layer++)
    for (guint32 a = surface->starts[layer]; a < surface->starts[layer + 1]; a++)
      add_atom(surface, surface->order[a], slab);
}

/* The layer up to which `part` of the atoms lie: slabs of as many atoms take as long. */
static gsize
layer_at(const Surface *surface, double part)
{
  gsize layer = 0;
  while (layer < surface->grid.shape[2] &&
         (double)surface->starts[layer] < part * (double)surface->atoms->n_atoms)
    layer++;
  return layer;
}

static void
fill_density(const Surface *surface, GCancellable *cancellable)
{
  guint n_threads = debye_parts_count_threads();
  g_autofree Slab *slabs = g_new(Slab, n_threads);
  gsize first = 0;
  for (guint t = 0; t < n_threads; t++) {
    gsize last = t + 1 == n_threads ? surface->grid.shape[2] : layer_at(surface, (t + 1.0) / n_threads);
    slabs[t] = (Slab){surface, first, MAX(last, first), cancellable};
    first = slabs[t].last;
  }
  debye_parts_run(n_threads, fill_slab, slabs);
}

/* --- The whole --- */

/* Colours are blended by Gaussians like those of the density, but sharper, or all would be the mean colour.
 * Of coarse surfaces only few atoms, far apart, are near: sharper still, and the triangles would show. */
static double
find_blend(const Surface *surface)
{
  return fmax(debye_surface_narrowest_blend(surface->spacing),
              BLEND_PER_RESOLUTION * fmin(surface->atoms->resolution, COARSEST_BLENDED));
}

static DebyeMesh *
make_mesh(Surface *surface, GCancellable *cancellable)
{
  surface->density = g_try_new0(float, debye_grid_n_points(&surface->grid));
  if (!surface->density)
    return NULL;
  sort_atoms(surface);
  fill_density(surface, cancellable);
  DebyeMesh *mesh = NULL;
  if (!g_cancellable_is_cancelled(cancellable))
    mesh = debye_marching_cubes(&surface->grid, surface->density, 1.0, cancellable);
  if (mesh && !debye_surface_find_owners(surface->atoms, find_blend(surface), mesh, cancellable))
    g_clear_pointer(&mesh, debye_mesh_free);
  g_free(surface->density);
  g_free(surface->order);
  g_free(surface->starts);
  return mesh;
}

DebyeMesh *
debye_molecular_surface_new(const DebyeSurfaceAtoms *atoms, gsize max_points, GCancellable *cancellable)
{
  if (atoms->n_atoms == 0)
    return g_new0(DebyeMesh, 1);
  Surface surface = {.atoms = atoms, .exponent = 0.5 / (atoms->resolution * atoms->resolution)};
  lay_grid(&surface, max_points);
  return make_mesh(&surface, cancellable);
}

/* SPDX-License-Identifier: MIT */
/* Makes the solvent-excluded surface for its layer. First comes the distance to the accessible surface from
 * outside, which is that to the nearest ball around an atom and exact. A grid point just outside has its foot
 * on that surface; all the feet stand for it. Then from each foot the distances inwards, of which the least
 * counts. Both passes go slab by slab, a thread each. */
#include "excluded_surface.h"

#include <math.h>

#include "data/work/parts.h"
#include "marching_cubes.h"
#include "surface_owners.h"

#define SPACING_PER_RESOLUTION 0.5
#define SEED_DEPTH 1.1   /* spacings: how far outside a grid point may be that gives a foot */
#define BAND 2.5         /* spacings on both sides of the surface where distances are told */
#define CREASE_REACH 1.5 /* spacings: from a grid point to a crease that it gives */
#define NOBODY G_MAXUINT32

typedef struct {
  const DebyeSurfaceAtoms *atoms;
  double probe, spacing;
  DebyeGrid grid;
  float *outside;   /* distance to the nearest ball (radius + probe) where that is small; below 0: in one */
  guint32 *nearest; /* the atom of that ball; NOBODY: all are far */
  float *inside;    /* square of the distance to the nearest foot, at most that of the band's end */
} Surface;

typedef struct {
  const Surface *surface;
  gsize first, last; /* layers first … last − 1 */
  GCancellable *cancellable;
} Slab;

/* --- The grid --- */

static void
lay_grid(Surface *surface, gsize max_points)
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  const float *const columns[3] = {atoms->x, atoms->y, atoms->z};
  double reach = debye_surface_largest_radius(atoms) + surface->probe, low[3], high[3], volume = 1.0;
  double wanted = SPACING_PER_RESOLUTION * atoms->resolution;
  for (int axis = 0; axis < 3; axis++) {
    debye_surface_find_range(columns[axis], atoms->n_atoms, &low[axis], &high[axis]);
    volume *= high[axis] - low[axis] + 2.0 * (reach + 3.0 * wanted);
  }
  double h = surface->spacing = fmax(wanted, 1.05 * cbrt(volume / (double)MAX(max_points, 1)));
  double rim = reach + 3.0 * h;
  surface->grid = (DebyeGrid){.origin = {low[0] - rim, low[1] - rim, low[2] - rim},
                              .step = {{h, 0, 0}, {0, h, 0}, {0, 0, h}}};
  for (int axis = 0; axis < 3; axis++)
    surface->grid.shape[axis] = (gsize)((high[axis] - low[axis] + 2.0 * rim) / h) + 2;
}

/* The points of an axis from `first` to `last` − 1 that lie within `reach` of a place. FALSE: none. */
static gboolean
find_reach(const Surface *surface, int axis, double place, double reach, gsize from, gsize to, gsize *first,
           gsize *last)
{
  double middle = (place - (&surface->grid.origin.x)[axis]) / surface->spacing;
  double low = fmax(ceil(middle - reach / surface->spacing), (double)from);
  double high = fmin(floor(middle + reach / surface->spacing), (double)to - 1.0);
  if (high < low)
    return FALSE;
  *first = (gsize)low;
  *last = (gsize)high + 1;
  return TRUE;
}

static double
coordinate(const Surface *surface, int axis, gsize i)
{
  return (&surface->grid.origin.x)[axis] + (double)i * surface->spacing;
}

static gsize
row_at(const Surface *surface, gsize j, gsize k)
{
  return surface->grid.shape[0] * (j + surface->grid.shape[1] * k);
}

/* --- From outside --- */

static void
take_row(const Surface *surface, guint32 atom, double radius, double square, gsize row, gsize first,
         gsize last)
{
  float x = (float)((double)surface->atoms->x[atom] - surface->grid.origin.x), h = (float)surface->spacing;
  float *outside = surface->outside + row;
  guint32 *nearest = surface->nearest + row;
  for (gsize i = first; i < last; i++) {
    float dx = (float)i * h - x;
    float from_centre = dx * dx + (float)square, limit = outside[i] + (float)radius;
    /* Squares first: most atoms are not the nearest. */
    if (!(limit > 0.0f && from_centre < limit * limit))
      continue;
    outside[i] = sqrtf(from_centre) - (float)radius;
    nearest[i] = atom;
  }
}

static void
take_atom(const Surface *surface, guint32 atom, const Slab *slab)
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  double radius = (double)atoms->radii[atom] + surface->probe, reach = radius + 1.5 * surface->spacing;
  gsize k_first, k_last, j_first, j_last, first, last;
  if (!find_reach(surface, 2, (double)atoms->z[atom], reach, slab->first, slab->last, &k_first, &k_last))
    return;
  for (gsize k = k_first; k < k_last; k++) {
    double dz = coordinate(surface, 2, k) - (double)atoms->z[atom];
    double flat = sqrt(fmax(reach * reach - dz * dz, 0.0));
    if (!find_reach(surface, 1, (double)atoms->y[atom], flat, 0, surface->grid.shape[1], &j_first, &j_last))
      continue;
    for (gsize j = j_first; j < j_last; j++) {
      double dy = coordinate(surface, 1, j) - (double)atoms->y[atom];
      double half = sqrt(fmax(flat * flat - dy * dy, 0.0));
      if (find_reach(surface, 0, (double)atoms->x[atom], half, 0, surface->grid.shape[0], &first, &last))
        take_row(surface, atom, radius, dy * dy + dz * dz, row_at(surface, j, k), first, last);
    }
  }
}

static void
measure_outside(gsize number, gpointer slabs)
{
  const Slab *slab = (const Slab *)slabs + number;
  const Surface *surface = slab->surface;
  gsize from = row_at(surface, 0, slab->first), to = row_at(surface, 0, slab->last);
  for (gsize i = from; i < to; i++) {
    surface->outside[i] = INFINITY;
    surface->nearest[i] = NOBODY;
  }
  for (guint32 atom = 0; atom < surface->atoms->n_atoms; atom++) {
    if (atom % 1024 == 0 && g_cancellable_is_cancelled(slab->cancellable))
      return;
    take_atom(surface, atom, slab);
  }
}

/* --- Inwards --- */

/* How far inwards distances are told, Å. */
static double
get_end(const Surface *surface)
{
  return surface->probe + BAND * surface->spacing;
}

/* Where the ball around its atom is nearest to a point outside it. */
static void
find_foot(const Surface *surface, gsize row, gsize i, const double at[3], double foot[3])
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  guint32 atom = surface->nearest[row + i];
  double centre[3] = {(double)atoms->x[atom], (double)atoms->y[atom], (double)atoms->z[atom]};
  double radius = (double)atoms->radii[atom] + surface->probe;
  double share = radius / (radius + (double)surface->outside[row + i]);
  for (int axis = 0; axis < 3; axis++)
    foot[axis] = centre[axis] + share * (at[axis] - centre[axis]);
}

static void
take_foot(const Surface *surface, const double foot[3], const Slab *slab)
{
  double end = get_end(surface);
  float x = (float)(foot[0] - surface->grid.origin.x), h = (float)surface->spacing;
  gsize k_first, k_last, j_first, j_last, first, last;
  if (!find_reach(surface, 2, foot[2], end, slab->first, slab->last, &k_first, &k_last))
    return;
  for (gsize k = k_first; k < k_last; k++) {
    double dz = coordinate(surface, 2, k) - foot[2], flat = sqrt(fmax(end * end - dz * dz, 0.0));
    if (!find_reach(surface, 1, foot[1], flat, 0, surface->grid.shape[1], &j_first, &j_last))
      continue;
    for (gsize j = j_first; j < j_last; j++) {
      double dy = coordinate(surface, 1, j) - foot[1], half = sqrt(fmax(flat * flat - dy * dy, 0.0));
      float square = (float)(dy * dy + dz * dz);
      float *inside = surface->inside + row_at(surface, j, k);
      if (!find_reach(surface, 0, foot[0], half, 0, surface->grid.shape[0], &first, &last))
        continue;
      for (gsize i = first; i < last; i++) {
        float dx = (float)i * h - x, now = dx * dx + square;
        inside[i] = now < inside[i] ? now : inside[i];
      }
    }
  }
}

/* --- Where two balls meet ---
 * The accessible surface has creases there, which all of the surface between two atoms looks at: without
 * points on them it would be dented by a part of the spacing. */

/* Of the circle on which both balls' spheres meet, the point nearest to a place. FALSE: they don't meet, or
 * the place is on its axis. */
static gboolean
find_crease(const Surface *surface, guint32 a, guint32 b, const double at[3], double crease[3])
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  DebyeVec3 from = debye_vec3((double)atoms->x[a], (double)atoms->y[a], (double)atoms->z[a]);
  DebyeVec3 to = debye_vec3((double)atoms->x[b], (double)atoms->y[b], (double)atoms->z[b]);
  double ra = (double)atoms->radii[a] + surface->probe, rb = (double)atoms->radii[b] + surface->probe;
  DebyeVec3 way = debye_vec3_subtract(to, from);
  double distance = debye_vec3_length(way);
  double along = distance > 1e-6 ? 0.5 * (distance * distance + ra * ra - rb * rb) / distance : INFINITY;
  if (!(fabs(along) < ra))
    return FALSE;
  way = debye_vec3_scale(way, 1.0 / distance);
  DebyeVec3 middle = debye_vec3_add(from, debye_vec3_scale(way, along));
  DebyeVec3 aside = debye_vec3_subtract(debye_vec3(at[0], at[1], at[2]), middle);
  aside = debye_vec3_subtract(aside, debye_vec3_scale(way, debye_vec3_dot(aside, way)));
  double off = debye_vec3_length(aside);
  if (!(off > 1e-6))
    return FALSE;
  middle = debye_vec3_add(middle, debye_vec3_scale(aside, sqrt(ra * ra - along * along) / off));
  crease[0] = middle.x;
  crease[1] = middle.y;
  crease[2] = middle.z;
  return TRUE;
}

static gboolean
is_in_ball(const Surface *surface, guint32 atom, const double place[3])
{
  const DebyeSurfaceAtoms *atoms = surface->atoms;
  double d[3] = {place[0] - (double)atoms->x[atom], place[1] - (double)atoms->y[atom],
                 place[2] - (double)atoms->z[atom]};
  double radius = (double)atoms->radii[atom] + surface->probe;
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) < radius - 1e-3;
}

/* A third ball that covers the place is the nearest of one of the grid points around it. */
static gboolean
is_covered(const Surface *surface, const double place[3])
{
  gsize from[3], to[3];
  for (int axis = 0; axis < 3; axis++) {
    double at = (place[axis] - (&surface->grid.origin.x)[axis]) / surface->spacing;
    from[axis] = (gsize)fmax(floor(at) - 1.0, 0.0);
    to[axis] = MIN((gsize)fmax(floor(at) + 3.0, 1.0), surface->grid.shape[axis]);
  }
  for (gsize k = from[2]; k < to[2]; k++)
    for (gsize j = from[1]; j < to[1]; j++)
      for (gsize i = from[0]; i < to[0]; i++) {
        guint32 atom = surface->nearest[row_at(surface, j, k) + i];
        if (atom != NOBODY && is_in_ball(surface, atom, place))
          return TRUE;
      }
  return FALSE;
}

static void
take_creases(const Surface *surface, const gsize index[3], const double at[3], const Slab *slab)
{
  const gsize steps[3] = {1, surface->grid.shape[0], surface->grid.shape[0] * surface->grid.shape[1]};
  gsize here = row_at(surface, index[1], index[2]) + index[0];
  guint32 atom = surface->nearest[here];
  for (int axis = 0; axis < 3; axis++) {
    double crease[3], square = 0.0;
    if (index[axis] + 1 >= surface->grid.shape[axis])
      continue;
    guint32 other = surface->nearest[here + steps[axis]];
    if (other == atom || other == NOBODY || !find_crease(surface, atom, other, at, crease))
      continue;
    for (int c = 0; c < 3; c++)
      square += (crease[c] - at[c]) * (crease[c] - at[c]);
    if (square < CREASE_REACH * CREASE_REACH * surface->spacing * surface->spacing &&
        !is_covered(surface, crease))
      take_foot(surface, crease, slab);
  }
}

static void
take_feet_of_layer(const Surface *surface, gsize k, const Slab *slab)
{
  float depth = (float)(SEED_DEPTH * surface->spacing);
  for (gsize j = 0; j < surface->grid.shape[1]; j++) {
    gsize row = row_at(surface, j, k);
    for (gsize i = 0; i < surface->grid.shape[0]; i++) {
      if (!(fabsf(surface->outside[row + i]) < depth))
        continue;
      const double at[3] = {coordinate(surface, 0, i), coordinate(surface, 1, j), coordinate(surface, 2, k)};
      double foot[3];
      take_creases(surface, (const gsize[3]){i, j, k}, at, slab);
      if (surface->outside[row + i] < 0.0f)
        continue;
      find_foot(surface, row, i, at, foot);
      take_foot(surface, foot, slab);
    }
  }
}

/* Squares become what marching cubes wants: above 1 inside the surface, about linear in the distance. */
static void
finish_slab(const Slab *slab)
{
  const Surface *surface = slab->surface;
  gsize from = row_at(surface, 0, slab->first), to = row_at(surface, 0, slab->last);
  float shift = 1.0f - (float)surface->probe, lowest = (float)(-BAND * surface->spacing);
  for (gsize i = from; i < to; i++)
    surface->inside[i] = surface->outside[i] < 0.0f ? sqrtf(surface->inside[i]) + shift
                                                    : shift + fmaxf(-surface->outside[i], lowest);
}

static void
measure_inside(gsize number, gpointer slabs)
{
  const Slab *slab = (const Slab *)slabs + number;
  const Surface *surface = slab->surface;
  gsize from = row_at(surface, 0, slab->first), to = row_at(surface, 0, slab->last);
  float end = (float)(get_end(surface) * get_end(surface));
  gsize margin = (gsize)ceil((get_end(surface) + SEED_DEPTH * surface->spacing) / surface->spacing) + 1;
  for (gsize i = from; i < to; i++)
    surface->inside[i] = end;
  gsize k = slab->first > margin ? slab->first - margin : 0;
  for (; k < MIN(slab->last + margin, surface->grid.shape[2]); k++) {
    if (g_cancellable_is_cancelled(slab->cancellable))
      return;
    take_feet_of_layer(surface, k, slab);
  }
  finish_slab(slab);
}

/* --- The whole --- */

static void
run_slabs(const Surface *surface, DebyePartWork work, GCancellable *cancellable)
{
  guint n_threads = debye_parts_count_threads();
  gsize n_layers = surface->grid.shape[2];
  g_autofree Slab *slabs = g_new(Slab, n_threads);
  for (guint t = 0; t < n_threads; t++)
    slabs[t] = (Slab){surface, t * n_layers / n_threads, (t + 1) * n_layers / n_threads, cancellable};
  debye_parts_run(n_threads, work, slabs);
}

static DebyeMesh *
make_mesh(Surface *surface, GCancellable *cancellable)
{
  run_slabs(surface, measure_outside, cancellable);
  if (!g_cancellable_is_cancelled(cancellable))
    run_slabs(surface, measure_inside, cancellable);
  if (g_cancellable_is_cancelled(cancellable))
    return NULL;
  DebyeMesh *mesh = debye_marching_cubes(&surface->grid, surface->inside, 1.0, cancellable);
  double blend = debye_surface_narrowest_blend(surface->spacing);
  if (mesh != NULL && !debye_surface_find_owners(surface->atoms, blend, mesh, cancellable))
    g_clear_pointer(&mesh, debye_mesh_free);
  return mesh;
}

DebyeMesh *
debye_excluded_surface_new(const DebyeSurfaceAtoms *atoms, double probe, gsize max_points,
                           GCancellable *cancellable)
{
  if (atoms->n_atoms == 0)
    return g_new0(DebyeMesh, 1);
  Surface surface = {.atoms = atoms, .probe = probe};
  lay_grid(&surface, max_points);
  gsize n_points = debye_grid_n_points(&surface.grid);
  surface.outside = g_try_new(float, n_points);
  surface.nearest = g_try_new(guint32, n_points);
  surface.inside = g_try_new(float, n_points);
  DebyeMesh *mesh = surface.outside != NULL && surface.nearest != NULL && surface.inside != NULL
                        ? make_mesh(&surface, cancellable)
                        : NULL;
  g_free(surface.outside);
  g_free(surface.nearest);
  g_free(surface.inside);
  return mesh;
}

/* SPDX-License-Identifier: MIT */
/* Lays a grid about a molecule's spheres, has depths found on it, and makes triangles of them, or has a device make both;
 * called by molecular_surface_layer.c. */
#include "sphere_surface.h"

#include <math.h>

#include "marching_cubes.h"
#include "surface_owners.h"

#define SPACING_PER_RESOLUTION 0.5
/* Small bodies, which are seen from nearer, have a finer grid, down to this share of the spacing, as far as so many points
 * allow: walls of some tenths of an ångström between hollows would be holes with ragged rims. */
#define FINEST_SHARE 0.5
#define FINE_POINTS ((double)(1 << 20))
/* Spacings on both sides of the surface where depths are told: an edge that crosses it has slopes at its ends by their
 * neighbors. */
#define BAND 2.5

static DebyeSurfaceDepths find_depths;
static DebyeSphereSurfaceDevice lent; /* atomic */

void
debye_sphere_surface_set_depths(DebyeSurfaceDepths find)
{
  find_depths = find;
}

void
debye_sphere_surface_set_device(DebyeSphereSurfaceDevice make)
{
  __atomic_store_n(&lent, make, __ATOMIC_RELEASE);
}

/* `more`: Å that the surface may lie outside the atoms. Gives its spacing, Å. */
static double
lay_grid(const DebyeSurfaceAtoms *atoms, double more, gsize max_points, DebyeGrid *grid)
{
  const float *const columns[3] = {atoms->x, atoms->y, atoms->z};
  const double reach = debye_surface_largest_radius(atoms) + more;
  const double wanted = SPACING_PER_RESOLUTION * atoms->resolution;
  double low[3], high[3], volume = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    debye_surface_find_range(columns[axis], atoms->n_atoms, &low[axis], &high[axis]);
    volume *= high[axis] - low[axis] + 2.0 * (reach + 3.0 * wanted);
  }
  const double fine = CLAMP(cbrt(volume / FINE_POINTS), FINEST_SHARE * wanted, wanted);
  const double h = fmax(fine, 1.05 * cbrt(volume / (double)MAX(max_points, 1)));
  const double rim = reach + 3.0 * h;
  *grid = (DebyeGrid){.origin = {low[0] - rim, low[1] - rim, low[2] - rim},
                      .step = {{h, 0, 0}, {0, h, 0}, {0, 0, h}}};
  for (int axis = 0; axis < 3; axis++)
    grid->shape[axis] = (gsize)((high[axis] - low[axis] + 2.0 * rim) / h) + 2;
  return h;
}

static DebyeMesh *
make_triangles(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe, const DebyeGrid *grid,
               double band, GCancellable *cancellable)
{
  const DebyeSphereSurfaceDevice make = __atomic_load_n(&lent, __ATOMIC_ACQUIRE);
  DebyeMesh *mesh = make != NULL ? make(atoms, kind, probe, grid, band, cancellable) : NULL;
  if (mesh != NULL)
    return mesh;
  g_autofree float *depths = g_try_new(float, debye_grid_n_points(grid));
  if (depths == NULL || !find_depths(atoms, kind, probe, grid, band, depths, cancellable))
    return NULL;
  return debye_marching_cubes(grid, depths, 0.0, cancellable);
}

DebyeMesh *
debye_sphere_surface_new(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe,
                         gsize max_points, GCancellable *cancellable)
{
  DebyeGrid grid;
  g_return_val_if_fail(find_depths != NULL && kind != DEBYE_MESH_SURFACE_GAUSSIAN, NULL);
  if (atoms->n_atoms == 0)
    return g_new0(DebyeMesh, 1);
  const double spacing =
      lay_grid(atoms, kind == DEBYE_MESH_SURFACE_ACCESSIBLE ? probe : 0.0, max_points, &grid);
  DebyeMesh *mesh = make_triangles(atoms, kind, probe, &grid, BAND * spacing, cancellable);
  /* A finer grid doesn't change where colours meet. */
  const double blend =
      debye_surface_narrowest_blend(fmax(spacing, SPACING_PER_RESOLUTION * atoms->resolution));
  if (mesh != NULL && !debye_surface_find_owners(atoms, blend, mesh, cancellable))
    g_clear_pointer(&mesh, debye_mesh_free);
  return mesh;
}

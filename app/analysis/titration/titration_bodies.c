/* SPDX-License-Identifier: MIT */
/* Implementation of titration_bodies.h. */
#include "titration_bodies.h"

#include <math.h>

#include "kernels/poisson/poisson.h"

/* Å about the molecule on the coarse grid, whose boundary is Debye and Hückel's, and its spacing and points. */
#define COARSE_PADDING 12.0
#define COARSE_SPACING 1.0
#define COARSE_POINTS 6e5

void
debye_titration_body_init(DebyeTitrationBody *body)
{
  GArray **const arrays[] = {&body->x, &body->y, &body->z, &body->radii};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    *arrays[k] = g_array_new(FALSE, FALSE, sizeof(float));
  body->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
}

void
debye_titration_body_clear(DebyeTitrationBody *body)
{
  GArray *const arrays[] = {body->x, body->y, body->z, body->radii, body->atoms};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    if (arrays[k] != NULL)
      g_array_unref(arrays[k]);
  g_free(body->field);
}

void
debye_titration_body_add(DebyeTitrationBody *body, const DebyeTitrationSites *sites, guint32 atom)
{
  g_array_append_val(body->x, g_array_index(sites->x, float, atom));
  g_array_append_val(body->y, g_array_index(sites->y, float, atom));
  g_array_append_val(body->z, g_array_index(sites->z, float, atom));
  g_array_append_val(body->radii, g_array_index(sites->radii, float, atom));
  g_array_append_val(body->atoms, atom);
}

void
debye_titration_body_fill(DebyeTitrationBody *body, const DebyeTitrationSites *sites, const GArray *atoms)
{
  const guint n = atoms != NULL ? atoms->len : sites->x->len;
  for (guint k = 0; k < n; k++)
    debye_titration_body_add(body, sites, atoms != NULL ? g_array_index(atoms, guint32, k) : k);
  body->field = g_new0(double, n + 1);
}

DebyeSpheres
debye_titration_body_get_spheres(const DebyeTitrationBody *body)
{
  return (DebyeSpheres){(const float *)(const void *)body->x->data,
                        (const float *)(const void *)body->y->data,
                        (const float *)(const void *)body->z->data,
                        (const float *)(const void *)body->radii->data, body->x->len};
}

/* --- Grids --- */

DebyeSurfaceGrid
debye_titration_lay_grid(const DebyeTitrationSites *sites, const GArray *atoms, double padding,
                         double spacing)
{
  const GArray *const axes[3] = {sites->x, sites->y, sites->z};
  const guint n = atoms != NULL ? atoms->len : sites->x->len;
  DebyeSurfaceGrid grid = {.step = {spacing, spacing, spacing}};
  double *const origin[3] = {&grid.origin.x, &grid.origin.y, &grid.origin.z};
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (guint k = 0; k < n; k++) {
      const double value =
          (double)g_array_index(axes[axis], float, atoms != NULL ? g_array_index(atoms, guint32, k) : k);
      low = fmin(low, value);
      high = fmax(high, value);
    }
    grid.shape[axis] = debye_poisson_round((gsize)ceil((high - low + 2.0 * padding) / spacing) + 1);
    *origin[axis] = 0.5 * (low + high) - 0.5 * spacing * (double)(grid.shape[axis] - 1);
  }
  return grid;
}

double
debye_titration_count_points(const DebyeSurfaceGrid *grid)
{
  return (double)grid->shape[0] * (double)grid->shape[1] * (double)grid->shape[2];
}

DebyeSurfaceGrid
debye_titration_lay_coarse(const DebyeTitrationSites *sites)
{
  double spacing = COARSE_SPACING;
  DebyeSurfaceGrid grid = debye_titration_lay_grid(sites, NULL, COARSE_PADDING, spacing);
  while (debye_titration_count_points(&grid) > COARSE_POINTS) {
    spacing *= 1.1;
    grid = debye_titration_lay_grid(sites, NULL, COARSE_PADDING + 2.0 * spacing, spacing);
  }
  return grid;
}

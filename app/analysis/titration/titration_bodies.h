/* SPDX-License-Identifier: MIT */
/* Atoms that a medium has, and the grids about them; used by titration_energies.c. */
#pragma once

#include "data/prepare/titration_sites.h"
#include "kernels/surface/surface.h"

/* Which atoms a medium has: the protein's, or those of a model compound, in the order of `atoms`. */
typedef struct {
  GArray *x, *y, *z, *radii; /* float */
  GArray *atoms;             /* guint32, of the sites */
  double *field;             /* kT/e, of each: what a state's charges do by reaction */
} DebyeTitrationBody;

void debye_titration_body_init(DebyeTitrationBody *body);
void debye_titration_body_clear(DebyeTitrationBody *body);
void debye_titration_body_add(DebyeTitrationBody *body, const DebyeTitrationSites *sites, guint32 atom);
/* With those of a list; NULL: with all. */
void debye_titration_body_fill(DebyeTitrationBody *body, const DebyeTitrationSites *sites,
                               const GArray *atoms);
DebyeSpheres debye_titration_body_get_spheres(const DebyeTitrationBody *body);

/* About the atoms (NULL: all), so many Å. */
DebyeSurfaceGrid debye_titration_lay_grid(const DebyeTitrationSites *sites, const GArray *atoms,
                                          double padding, double spacing);
double debye_titration_count_points(const DebyeSurfaceGrid *grid);
/* As many points as a large molecule leaves: the finer grids have what matters. */
DebyeSurfaceGrid debye_titration_lay_coarse(const DebyeTitrationSites *sites);

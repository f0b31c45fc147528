/* SPDX-License-Identifier: MIT */
/* The energy of binding of two selections in a solvent, G(AB) − G(A) − G(B) on one grid with Coulomb's cross terms; used by
 * map_poisson.c. */
#pragma once

#include "map_equation.h"

typedef struct DebyeMapBinding DebyeMapBinding;

/* Of a plan that was checked. NULL with an error. */
DebyeMapBinding *debye_map_binding_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                       gsize n_devices, GError **error);
void debye_map_binding_free(DebyeMapBinding *self);

/* kT; area in Å². */
typedef struct {
  double reaction; /* of the complex, less that of each partner */
  double coulomb;  /* of pairs across, in the solute's permittivity */
  double area;     /* the change of the solvent-accessible area; 0: not asked for */
} DebyeMapBindingEnergy;

/* Of a frame: its chosen atoms, in the plan's order, whose energy together is
 * `complex_energy`, kT. *residual becomes the worst. */
gboolean debye_map_binding_solve(DebyeMapBinding *self, const DebyeSpheres *spheres, const float *charges,
                                 gsize frame, double complex_energy, DebyeMapBindingEnergy *energy,
                                 double *residual, DebyeLaneTotals *lanes, const volatile bool *cancel,
                                 GError **error);

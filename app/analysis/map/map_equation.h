/* SPDX-License-Identifier: MIT */
/* One Poisson-Boltzmann equation of a map, solved frame by frame; where the boundary is focused, on a larger grid first.
 * Used by map_poisson.c and map_binding.c; and what devices need for all of them. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "kernels/poisson/poisson_lanes.h"
#include "map_plan.h"

typedef enum {
  DEBYE_MAP_IN_SOLVENT,
  DEBYE_MAP_IN_VACUUM, /* outside the solute, without ions */
  DEBYE_MAP_IN_SOLUTE, /* the solute's permittivity everywhere, without ions */
  DEBYE_MAP_AT_TWICE,  /* in the solvent, at twice the spacing */
} DebyeMapEquationKind;

typedef struct {
  const DebyeMapPlan *plan; /* borrowed */
  DebyePoissonSalt salt;
  DebyeSharing *share, *outer; /* outer: of the larger grid; NULL: none */
  float *outer_map;
  gboolean
      wants_map_only; /* set before it is opened: neither a field nor which points are within is wanted */
} DebyeMapEquationSolver;

/* FALSE with an error. What there is of it then is to be cleared. */
gboolean debye_map_equation_open(DebyeMapEquationSolver *self, const DebyeMapPlan *plan,
                                 DebyeMapEquationKind kind, const DebyeDeviceEntry *const *devices,
                                 gsize n_devices, GError **error);
void debye_map_equation_clear(DebyeMapEquationSolver *self);
/* As debye_poisson_lanes_execute(), of the frame with that number. The report's residual is the worse of both grids'. `lanes`
 * may be NULL. FALSE with an error, or without one where it was stopped. */
gboolean debye_map_equation_solve(DebyeMapEquationSolver *self, const DebyeSpheres *spheres,
                                  const float *charges, gsize frame, float *map, double *field,
                                  DebyePoissonReport *report, DebyeLaneTotals *lanes,
                                  const volatile bool *cancel, GError **error);
/* What comes next is another molecule: the last solution is no guess. */
void debye_map_equation_forget(DebyeMapEquationSolver *self);

/* Stands for a plan whose size is unknown. */
#define DEBYE_MAP_POISSON_MOST_BYTES 1e19

/* How many equations a frame takes, where those for `binding` count `of_binding` times. */
double debye_map_poisson_count_solutions(const DebyeMapSettings *settings, double of_binding);
/* The medium on the larger grid; FALSE: there is none. */
gboolean debye_map_poisson_find_outer(const DebyeMapPlan *plan, DebyePoissonMedium *outer);
/* The memory of all equations that a device keeps at a time, in bytes; and the share that the equation on one grid of the plan
 * has in it. */
guint64 debye_map_poisson_device_bytes(const DebyeMapPlan *plan, const DebyeDeviceEntry *device);
double debye_map_poisson_memory_part(const DebyeMapPlan *plan, const DebyePoissonMedium *medium,
                                     const DebyeDeviceEntry *device);
/* Whether there is memory for all equations, on one accelerator or shared by several: *n gets how many an equation needs. */
gboolean debye_map_poisson_fits(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                gsize n_devices, gsize *n);
/* The names of the devices that have each equation together, because none has the memory alone, and the bytes that all equations take
 * of them; to be freed. NULL: there are none. */
char *debye_map_poisson_find_together(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                      gsize n_devices, guint64 *bytes);

/* SPDX-License-Identifier: MIT */
/* The method of maps that knows the solvent: Poisson-Boltzmann's equation, solved for each frame anew. Used by the plan and
 * the runs of maps. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "kernels/poisson/poisson_lanes.h"
#include "map_frame.h"
#include "map_plan.h"

G_BEGIN_DECLS

gboolean debye_map_is_poisson(const DebyeMapSettings *settings);
/* Defaults of this method where a person set nothing: the solute, 298.15 K, water's permittivity there, padding for the
 * boundary. They become effective in the request. */
void debye_map_poisson_settle(DebyeRequest *request, DebyeMapSettings *settings);

/* With the plan's charges and atoms: each atom's radius. *key names the setting that is the cause of an error. */
gboolean debye_map_poisson_choose_radii(DebyeMapPlan *plan, const char **key, GError **error);
/* With its grid laid, which gets more points where multigrid needs them. */
gboolean debye_map_poisson_fit_grid(DebyeMapPlan *plan, const char **key, GError **error);
double debye_map_poisson_suggest_spacing(const DebyeMapPlan *plan);
DebyePoissonMedium debye_map_poisson_medium(const DebyeMapPlan *plan);

/* Of one frame, and of the first device. */
void debye_map_poisson_estimate(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                gsize n_devices, double *seconds, guint64 *device_bytes);

/* "ε = 2 within the solvent-excluded surface, 78.54 outside, ionic strength 0.15 mol/l, 298.15 K". To be freed. */
char *debye_map_poisson_describe_medium(const DebyeMapSettings *settings);
char *debye_map_poisson_describe_method(const DebyeMapSettings *settings);

typedef struct DebyeMapPoisson DebyeMapPoisson;

DebyeMapPoisson *debye_map_poisson_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                       gsize n_devices, GError **error);
void debye_map_poisson_free(DebyeMapPoisson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMapPoisson, debye_map_poisson_free)
/* The frame's map in e/Å, as the other methods give it, so that the plan's scale makes the unit of it. */
gboolean debye_map_poisson_solve(DebyeMapPoisson *self, const DebyeMapFrame *frame, float *map,
                                 DebyeLaneTotals *lanes, const volatile bool *cancel, GError **error);
/* Residuals, and energies where they were asked for. */
void debye_map_poisson_add_notes(const DebyeMapPoisson *self, DebyeResult *result);

G_END_DECLS

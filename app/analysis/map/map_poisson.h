/* SPDX-License-Identifier: MIT */
/* The method of maps that knows the solvent: Poisson-Boltzmann's equation, solved for each frame anew. Used by the plan and
 * the runs of maps. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_state.h"
#include "map_frame.h"
#include "map_plan.h"
#include "map_solvent.h"

/* Of one frame, and of the first device; *start: seconds before the first frame. */
void debye_map_poisson_estimate(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                gsize n_devices, double *seconds, double *start, guint64 *device_bytes);

/* Before the first frame: whether a frame's equations fit on one of the devices, of which a processor has what the plan has,
 * or on several together. FALSE with an error. */
gboolean debye_map_poisson_check_memory(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                        gsize n_devices, GError **error);

/* How many devices solve frames of the plan at the same time: the accelerators, where there are frames for several. */
gsize debye_map_poisson_count_sharing(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                      gsize n_devices);

/* Whether an atom's reaction field is wanted. */
gboolean debye_map_poisson_wants_field(const DebyeMapPlan *plan);

typedef struct DebyeMapPoisson DebyeMapPoisson;

DebyeMapPoisson *debye_map_poisson_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                       gsize n_devices, GError **error);
void debye_map_poisson_free(DebyeMapPoisson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMapPoisson, debye_map_poisson_free)
/* The frame's map in e/Å, as the other methods give it, so that the plan's scale makes the unit of it. FALSE with an error, or
 * without one where it was stopped: nothing of the frame counts then. `lanes` may be NULL. */
gboolean debye_map_poisson_solve(DebyeMapPoisson *self, const DebyeMapFrame *frame, float *map,
                                 DebyeLaneTotals *lanes, const volatile bool *cancel, GError **error);
/* Takes over the sums of another one of the same plan, which has none then. */
void debye_map_poisson_merge(DebyeMapPoisson *self, DebyeMapPoisson *part);
/* The sums over the frames, for processes and files of running jobs. */
void debye_map_poisson_list_state(DebyeMapPoisson *self, DebyeFrameState *state);
/* The files that the settings name: the table of residues of the result, and the maps of the last frame. */
gboolean debye_map_poisson_write(const DebyeMapPoisson *self, DebyeResult *result, GError **error);
/* After the last frame: frees what solved them, but for what debye_map_poisson_write() needs. */
void debye_map_poisson_finish(DebyeMapPoisson *self);
/* Adds the residual reached to the medium's description if the map is not solved, so that legends and files show it. */
void debye_map_poisson_mark(const DebyeMapPoisson *self, DebyeField *map);
/* Resets the sums: maps that are shown one by one are each marked on their own. */
void debye_map_poisson_forget(DebyeMapPoisson *self);
/* Residuals, and energies where they were asked for. */
void debye_map_poisson_add_notes(const DebyeMapPoisson *self, DebyeResult *result);

/* SPDX-License-Identifier: MIT */
/* The story of a map, as notes of its result. */
#pragma once

#include "analysis.h"
#include "frame_loop.h"
#include "kernels/lanes.h"
#include "map_plan.h"

G_BEGIN_DECLS

/* What was computed: atoms, charge, grid, frames. */
void debye_map_notes_add_plan(DebyeResult *result, DebyeRequest *request, const DebyeMapPlan *plan);
void debye_map_notes_add_frames(DebyeResult *result, const DebyeMapPlan *plan,
                                const DebyeFrameLoopReport *report);
/* By what: slabs that each lane did over all frames, why lanes retired, why other devices were not used. */
void debye_map_notes_add_devices(DebyeResult *result, const DebyeRegistry *registry,
                                 const DebyeLaneReport *lanes, gsize n_lanes);

G_END_DECLS

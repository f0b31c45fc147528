/* SPDX-License-Identifier: MIT */
/* Writes the notes of a map's result; called by map_analysis.c. */
#pragma once

#include "app/analysis/driver/frame_run.h"
#include "map_plan.h"

/* What was computed: atoms, charge, grid, frames. */
void debye_map_notes_add_plan(DebyeResult *result, const DebyeMapPlan *plan);
void debye_map_notes_add_frames(DebyeResult *result, const DebyeMapPlan *plan, const DebyeFrameRun *frames);
/* Bins whose capacity nothing minded; `devices` are those of the run. */
void debye_map_notes_add_bins(DebyeResult *result, const DebyeMapPlan *plan,
                              const DebyeDeviceEntry *const *devices, gsize n_devices);

/* Of Poisson-Boltzmann's equation: how the grid's edge and what is given came about. So many frames have an atom beyond the grid,
 * or nearly. */
void debye_map_notes_add_medium(DebyeResult *result, const DebyeMapPlan *plan, gsize n_cut);

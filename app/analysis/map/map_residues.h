/* SPDX-License-Identifier: MIT */
/* The potential and the charge of each atom and residue in a solvent, as a table of a map's result and as CSV; used by
 * map_poisson.c. */
#pragma once

#include "app/analysis/driver/frame_state.h"
#include "data/results/result.h"
#include "kernels/poisson/poisson_energy.h"
#include "map_plan.h"

G_BEGIN_DECLS

/* The table's name: a row per residue, each followed by a row per atom. Too long for reports. */
#define DEBYE_MAP_TABLE_OF_RESIDUES "residues"

typedef struct DebyeMapResidues DebyeMapResidues;

/* NULL with an error: no memory. */
DebyeMapResidues *debye_map_residues_new(const DebyeMapPlan *plan, GError **error);
void debye_map_residues_free(DebyeMapResidues *self);
/* Of a frame: its chosen atoms, in the plan's order, and the reaction field at each, kT/e. */
DebyeStatusCode debye_map_residues_add_frame(DebyeMapResidues *self, const DebyeSpheres *spheres,
                                             const float *charges, const double *field, DebyeStatus *status);
/* The sums, for processes and files of running jobs. */
void debye_map_residues_list_state(DebyeMapResidues *self, DebyeFrameState *state);
/* Means over the frames, in the plan's unit, and their spread where there are several. */
void debye_map_residues_add_table(const DebyeMapResidues *self, DebyeResult *result);

/* Writes the result's table, if there is one. */
gboolean debye_map_residues_save(DebyeResult *result, const char *path, GError **error);

G_END_DECLS

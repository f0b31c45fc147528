/* SPDX-License-Identifier: MIT */
/* Potential, charge and energy of each atom and residue in a solvent, as a table of a map's result, as curves along the
 * residues, and as CSV; used by map_poisson.c. */
#pragma once

#include "app/analysis/driver/frame_state.h"
#include "data/results/result.h"
#include "kernels/poisson/poisson_energy.h"
#include "map_plan.h"

typedef struct DebyeMapResidues DebyeMapResidues;

/* Where a table is written or residues are followed over time, and where energies are asked for of atoms that are the same in all frames. */
gboolean debye_map_residues_are_wanted(const DebyeMapPlan *plan);

/* NULL with an error: no memory. */
DebyeMapResidues *debye_map_residues_new(const DebyeMapPlan *plan, GError **error);
void debye_map_residues_free(DebyeMapResidues *self);
/* Of a frame: its chosen atoms, in the plan's order. Nothing is summed yet. */
DebyeStatusCode debye_map_residues_set_frame(DebyeMapResidues *self, const DebyeSpheres *spheres,
                                             const float *charges, DebyeStatus *status);
/* Σ z/d over the other atoms, e/Å, at each atom of that frame. */
const double *debye_map_residues_get_coulomb(const DebyeMapResidues *self);
/* Adds that frame, with the reaction field at each atom, kT/e. */
void debye_map_residues_add_frame(DebyeMapResidues *self, const DebyeFrame *frame,
                                  const DebyeSpheres *spheres, const float *charges, const double *field);
/* The sums, for processes and files of running jobs. */
void debye_map_residues_list_state(DebyeMapResidues *self, DebyeFrameState *state);
/* DEBYE_TABLE_OF_RESIDUES: a row per residue, each followed by a row per atom: means over the frames, in the plan's unit, and
 * their spread where there are several. Energies are ½ Σ z φ of the reaction field in kcal/mol, whose sum over the residues is
 * the linear equation's reaction field energy. Then its curves, and those over time. */
void debye_map_residues_add_table(const DebyeMapResidues *self, DebyeResult *result);

/* Writes the result's table, if there is one. */
gboolean debye_map_residues_save(DebyeResult *result, const char *path, GError **error);

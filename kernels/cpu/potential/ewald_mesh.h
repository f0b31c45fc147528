/* SPDX-License-Identifier: MIT */
/* Ewald's mesh on the CPU: charges in, the smooth part of the potential out. Used by potential_ewald.c. */
#pragma once

#include "kernels/cpu/common/fourier.h"
#include "kernels/potential/ewald.h"
#include "kernels/plan.h"
#include "kernels/potential/potential.h"

/* Of a mesh. */
typedef struct {
  DebyeEwald ewald;
  size_t max_charges;
  bool double_precision;
  DebyePool *pool; /* borrowed */
} DebyeEwaldMeshSettings;

typedef struct DebyeEwaldMesh DebyeEwaldMesh;

extern const DebyePlanKind debye_ewald_mesh_kind;

/* The potential on the mesh, for interpolation until the next call. The same to the last bit for any number
 * of threads. INVALID, naming the atom, where a number is not finite or out of range. */
DebyeStatusCode debye_ewald_mesh_set_charges(DebyeEwaldMesh *mesh, const DebyeCharges *charges,
                                             const DebyeCell *cell, DebyeStatus *status);
/* Writes the slab's points. CANCELLED where `cancel` became true. */
DebyeStatusCode debye_ewald_mesh_interpolate(const DebyeEwaldMesh *mesh, const DebyeGrid *grid,
                                             DebyeSlab slab, void *out, const volatile bool *cancel,
                                             DebyeStatus *status);

/* SPDX-License-Identifier: MIT */
/* Ewald's mesh on the CPU: charges in, the smooth part of the potential out. Used by potential_ewald.c. */
#pragma once

#include "kernels/cpu/common/fourier.h"
#include "kernels/potential/ewald.h"
#include "kernels/potential/potential.h"

typedef struct DebyeEwaldMesh DebyeEwaldMesh;

/* Bytes of a mesh for so many charges. */
uint64_t debye_ewald_mesh_bytes(const DebyeEwald *ewald, size_t max_charges, bool double_precision);
/* `pool` is borrowed. */
DebyeStatusCode debye_ewald_mesh_create(const DebyeEwald *ewald, size_t max_charges, bool double_precision,
                                        DebyePool *pool, DebyeEwaldMesh **mesh, DebyeStatus *status);
void debye_ewald_mesh_destroy(DebyeEwaldMesh *mesh);

/* The potential on the mesh, for interpolation until the next call. The same to the last bit for any number
 * of threads. INVALID, naming the atom, where a number is not finite or out of range. */
DebyeStatusCode debye_ewald_mesh_set_charges(DebyeEwaldMesh *mesh, const DebyeCharges *charges,
                                             const DebyeCell *cell, DebyeStatus *status);
/* Writes the slab's points. CANCELLED where `cancel` became true. */
DebyeStatusCode debye_ewald_mesh_interpolate(const DebyeEwaldMesh *mesh, const DebyeGrid *grid,
                                             DebyeSlab slab, void *out, const volatile bool *cancel,
                                             DebyeStatus *status);

/* SPDX-License-Identifier: MIT */
/* The lattices of multilevel summation on the CPU: charges in, the smooth part of the potential out. Used by
 * potential_multilevel.c. */
#pragma once

#include "kernels/potential/multilevel.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/plan.h"

typedef struct {
  DebyeMultilevel multilevel;
  DebyePotentialSettings potential;
  DebyePool *pool; /* borrowed */
} DebyeMultilevelLatticeSettings;

typedef struct DebyeMultilevelLattices DebyeMultilevelLattices;

extern const DebyePlanKind debye_multilevel_lattices_kind;

/* The potential on the finest lattice, for interpolation until the next call. The same to the last bit for
 * any number of threads. INVALID, naming the atom, where a number is not finite or out of range. */
DebyeStatusCode debye_multilevel_lattices_set_charges(DebyeMultilevelLattices *lattices,
                                                      const DebyeCharges *charges, const DebyeCell *cell,
                                                      DebyeStatus *status);
/* Writes the slab's points. CANCELLED where `cancel` became true. */
DebyeStatusCode debye_multilevel_lattices_interpolate(const DebyeMultilevelLattices *lattices, DebyeSlab slab,
                                                      void *out, const volatile bool *cancel,
                                                      DebyeStatus *status);

/* SPDX-License-Identifier: MIT */
/* The potential's row in a back end's table: what each method offers on each kind of device. */
#pragma once

#include <assert.h>

#include "kernels/kernel_head.h"
#include "kernels/backend.h"
#include "potential.h"

/* A planned potential: opaque, each kernel casts it to its own. */
/* What the host does while a device works: for each part of the slab, when the device has done it, writes
 * `values` (the device's, in the plan's precision) and its own share of them together into the caller's
 * array, while the device goes on with the next parts. */
typedef struct {
  void (*work)(void *context, DebyeSlab part, const void *values);
  void *context;
} DebyeMeanwhile;

/* One method of the potential on one kind of device. */
struct DebyePotentialKernel {
  DebyeKernelHead head;
  /* A frame: its charges and its cell (NULL where nothing is periodic). Everything that does not depend on
   * the slab is done here: bins, lattices, transforms. */
  DebyeStatusCode (*set_charges)(DebyeKernelPlan *plan, const DebyeCharges *charges, const DebyeCell *cell,
                                 DebyeStatus *status);
  /* The same of a packed frame, by the settings' atoms and charges. NULL: this kernel takes none. */
  DebyeStatusCode (*set_packed)(DebyeKernelPlan *plan, const DebyePackedCoordinates *packed,
                                const DebyeCell *cell, DebyeStatus *status);
  /* The atoms that set_charges had no room for in its bins, valid until the next frame: the caller adds
   * their sum. NULL: there are never any. */
  void (*get_overflow)(const DebyeKernelPlan *plan, DebyeCharges *overflow);
  /* The slab's values, x fastest, slab.count × shape[1] × shape[0] of them, written (not added). Give `out`
   * for a plan in float and `out_double` for one in double. `meanwhile`, given only where there is a
   * get_overflow and not NULL then, is called part after part, on the calling thread.
   * `cancel`, where not NULL, is looked at now and then: true ends the call with DEBYE_STATUS_CANCELLED. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, DebyeSlab slab, float *out, double *out_double,
                             const DebyeMeanwhile *meanwhile, const volatile bool *cancel,
                             DebyeStatus *status);
  /* As execute, but the values are added to `base`, an array of the plan's precision in which the slab begins
   * at 0 and which may be what is written to. NULL: this kernel can't. */
  DebyeStatusCode (*add)(DebyeKernelPlan *plan, DebyeSlab slab, const void *base, float *out,
                         double *out_double, const volatile bool *cancel, DebyeStatus *status);
};

static_assert(DEBYE_BACKEND_POTENTIALS == DEBYE_POTENTIAL_N_METHODS, "a kernel of each method");

/* SPDX-License-Identifier: MIT */
/* The processor as a back end: built in, always there, its one device the cores this process may use. */
#pragma once

#include "kernels/backend.h"

extern const DebyeBackend debye_backend_cpu;

/* With a plan of the cutoff method, as execute, but the slab's values are added to `base`, in the plan's
 * precision, which may be what is written to. */
DebyeStatusCode debye_cpu_cutoff_add(DebyePotentialPlan *plan, DebyeSlab slab, const void *base, float *out,
                                     double *out_double, const volatile bool *cancel, DebyeStatus *status);

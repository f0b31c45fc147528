/* SPDX-License-Identifier: MIT */
/* The cutoff method on the CPU, and what multilevel summation and Ewald's use it for: their short-range part,
 * added to a map that holds the long-range one. */
#pragma once

#include "kernels/potential/potential_kernel.h"
#include "kernels/potential/pair_function.h"

extern const DebyePotentialKernel debye_cpu_cutoff;

/* A plan for any pair function; settings->cutoff and ->smoothing are not looked at, the rest as for the
 * cutoff method (periodic, bin_size, max_charges, precision …). debye_cpu_cutoff's set_charges, execute and
 * destroy take it. There is never any overflow. */
DebyeStatusCode debye_cpu_cutoff_create_with(const DebyePotentialSettings *settings,
                                             const DebyePairFunction *function, DebyePotentialPlan **plan,
                                             DebyeStatus *status);

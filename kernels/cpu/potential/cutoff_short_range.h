/* SPDX-License-Identifier: MIT */
/* The short-range part of multilevel summation and of Ewald's method on the CPU: the cutoff method
 * (potential_cutoff.c) with another pair function, added to a map that holds the long-range part. Its twin is
 * cuda/potential/cutoff_short_range.cuh. */
#pragma once

#include "kernels/potential/potential_kernel.h"
#include "kernels/potential/pair_function.h"

/* A plan for any pair function; settings->cutoff and ->smoothing are not looked at, the rest as for the
 * cutoff method (periodic, bin_size, max_charges, precision …). debye_cpu_cutoff's set_charges, execute and
 * destroy take it. There is never any overflow. */
DebyeStatusCode debye_cpu_cutoff_create_with(const DebyePotentialSettings *settings,
                                             const DebyePairFunction *function, DebyeKernelPlan **plan,
                                             DebyeStatus *status);
/* What that takes. */
uint64_t debye_cpu_cutoff_bytes_with(const DebyePotentialSettings *settings,
                                     const DebyePairFunction *function);

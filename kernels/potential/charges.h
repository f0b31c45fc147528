/* SPDX-License-Identifier: MIT */
/* Passes over all of a frame's charges, on whatever threads there are. */
#pragma once

#include "kernels/chunk_threads.h"
#include "potential.h"
#include "kernels/status.h"

DEBYE_BEGIN_DECLS

/* A pass goes over the charges in parts, as many as are worth a thread each: one takes as long to start as
 * tens of thousands of charges to look through. Their number depends on that of the charges alone, so that no
 * result depends on the threads. */
#define DEBYE_CHARGE_PARTS 64
size_t debye_charge_parts(size_t n_charges);
/* The first charge of a part; of the part after the last, how many there are. */
size_t debye_charge_part_begin(size_t n_charges, size_t part);

/* INVALID, naming the first such atom, where a number is not finite or beyond what can be summed, or where
 * there are more than max_charges. *total, where not NULL, becomes Σ|q|: the same whatever the number of
 * threads. */
DebyeStatusCode debye_charges_check(const DebyeCharges *charges, size_t max_charges,
                                    const DebyeChunkRunner *runner, double *total, DebyeStatus *status);

/* The same sum of finite charges. */
double debye_charges_total(const float *charge, size_t n);

DEBYE_END_DECLS

/* SPDX-License-Identifier: MIT */
/* Charges of frames that reach the CPU packed. */
#pragma once

#include "kernels/cpu/common/unpack.h"
#include "kernels/plan_memory.h"
#include "kernels/potential/potential.h"

/* Part of a plan: x, y and z of a frame's atoms. */
typedef struct {
  float *xyz;
} DebyeUnpackedCharges;

void debye_unpacked_charges_list(DebyeUnpackedCharges *unpacked, const DebyePotentialSettings *settings,
                                 DebyePlanMemory *memory);
/* The charges as set_charges takes them, valid until the next frame. */
DebyeStatusCode debye_unpacked_charges_set(DebyeUnpackedCharges *unpacked,
                                           const DebyePotentialSettings *settings,
                                           const DebyePackedCoordinates *packed, DebyePool *pool,
                                           DebyeCharges *charges, DebyeStatus *status);

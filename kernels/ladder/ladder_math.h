/* SPDX-License-Identifier: MIT */
/* What an evaluation of the teaching variants is, one copy for C and CUDA, written as the textbook writes it:
 * the production kernel's estimate of 1/√ and its rows are the last step and not part of the others. */
#pragma once

#include <math.h>

#include "ladder.h"
#include "kernels/potential/potential_math.h"

DEBYE_SHARED_MATH float
debye_ladder_term(float charge, float r2, float core2)
{
  const float clamped = r2 > core2 ? r2 : core2;
#ifdef __CUDA_ARCH__
  return charge * rsqrtf(clamped);
#else
  return charge / sqrtf(clamped);
#endif
}

/* SPDX-License-Identifier: MIT */
/* The fake back end's pair histogram: the processor's, failing on command (fake_backend.h). */
#pragma once

#include "kernels/backend.h"
#include "kernels/pairs/pair_histogram.h"

extern const DebyePairHistogramKernel debye_fake_pair_histogram;

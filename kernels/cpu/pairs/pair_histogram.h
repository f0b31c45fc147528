/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/backend.h"
#include "kernels/pairs/pair_histogram.h"

extern const DebyePairHistogramKernel debye_cpu_pair_histogram;

/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/backend.h"
#include "kernels/pair_histogram.h"

extern const DebyePairHistogramKernel debye_cpu_pair_histogram;

/* SPDX-License-Identifier: MIT */
/* The CPU back end's kernel of pair histograms, listed by backend_cpu.c. */
#pragma once

#include "kernels/backend.h"
#include "kernels/pairs/pair_histogram.h"

extern const DebyePairHistogramKernel debye_cpu_pair_histogram;

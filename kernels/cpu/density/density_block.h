/* SPDX-License-Identifier: MIT */
/* The loop over the points of a view, one table per instruction set; density_map.c calls it. */
#pragma once

#include "kernels/cpu/common/cpu_level.h"
#include "kernels/density/density_math.h"

typedef struct {
  /* Points [first, end) of the frame. */
  void (*add)(const DebyeDensityTarget *target, const DebyeLattice *lattice, const DebyeDensitySample *sample,
              unsigned bit, const DebyeDensityFrame *frame, size_t first, size_t end);
} DebyeDensityBlock;

DEBYE_DECLARE_LEVELS(DebyeDensityBlock, debye_density_block)

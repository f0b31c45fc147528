/* SPDX-License-Identifier: MIT */
/* The loop over the points of a view, called by density_map.c; compiled once per instruction set, since the fused
 * operations of its mathematics are calls where the processor has none. */
#include "density_block.h"

static void
add(const DebyeDensityTarget *target, const DebyeLattice *lattice, const DebyeDensitySample *sample,
    unsigned bit, const DebyeDensityFrame *frame, size_t first, size_t end)
{
  for (size_t i = first; i < end; i++) {
    if (frame->owner != NULL && frame->owner[i] == sample->owner)
      continue;
    debye_density_add_point(target, lattice, sample, bit, frame->x[i], frame->y[i], frame->z[i],
                            frame->weights != NULL ? frame->weights + i : NULL, frame->n);
  }
}

const DebyeDensityBlock DEBYE_AT_LEVEL(debye_density_block) = {.add = add};

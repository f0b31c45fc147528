/* SPDX-License-Identifier: MIT */
/* What the inner loops of the cutoff sum (cutoff_block.h) are told: the pair function, and where a block's
 * points stand, both in units of the cutoff. */
#pragma once

#include "cutoff_block.h"

/* A plan's. */
typedef struct {
  double cutoff; /* Å */
  DebyePairFloats floats;
  DebyePairForm form;
  DebyeCutoffTables tables;
  bool has_tables;
} DebyeCutoffPair;

/* `core_radius` and `extent` (of a block) in Å. `with_tables`: where the function has them. */
void debye_cutoff_pair_set(DebyeCutoffPair *pair, const DebyePairFunction *function, double core_radius,
                           double extent, bool with_tables);

/* Å: point `i` of a row of a column of the block that begins with point `first` of the grid. */
DebyeVec3 debye_cutoff_point(const DebyeTurnedGrid *grid, const size_t first[3], size_t column, size_t row,
                             size_t i);
/* `box`: around the block's points; `pair` stays where it is as long as the frame is used. */
void debye_cutoff_frame_set(const DebyeCutoffPair *pair, const DebyeCutoffBins *bins, const size_t first[3],
                            const DebyeBlockBox *box, DebyeCutoffFrame *frame);

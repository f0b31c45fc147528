/* SPDX-License-Identifier: MIT */
/* A pass of a picture cut into pieces that take about as long as is wanted, by what the pieces before took. */
#pragma once

#include "render/layers/layer.h"

typedef struct {
  double done; /* of the pass, 0 … 1 */
  double size; /* of the next piece, 0 … 1; 0: nothing is known yet */
} DebyePortion;

/* From the beginning; what is known of the size stays. */
void debye_portion_begin(DebyePortion *portion);
/* The piece that is next. */
DebyeShare debye_portion_next(const DebyePortion *portion);
/* The piece took `time` (µs), where `wanted` was. TRUE where the pass is complete. */
gboolean debye_portion_tell(DebyePortion *portion, gint64 time, gint64 wanted);

/* SPDX-License-Identifier: MIT */
/* How fine a picture may be that must be there at once, as while a view is turned: it follows the time that
 * the pictures before it took, on any GL. Knows no GL. */
#pragma once

#include <glib.h>

typedef struct {
  double factor; /* pixels drawn a pixel shown, along a side: 1, 1/2 … */
  gboolean occlusion;
  gboolean coarse; /* fewer triangles */
  int n_layers;    /* of transparency */
} DebyeDetail;

/* All zeros: nothing measured yet. */
typedef struct {
  int level;        /* steps coarser than the finest, plus one; 0: not chosen yet */
  int calm;         /* pictures in a row that left time for a finer one */
  int patience;     /* pictures that it takes until the finer one is tried */
  gint64 last_time; /* µs, of the picture before */
} DebyePace;

/* Of the next picture. */
DebyeDetail debye_pace_get_detail(const DebyePace *pace);
/* The picture took that long (µs). Two slow ones in a row make the next one coarser: a single one is another
 * program's doing. A finer one is tried when it should fit with room to spare; where it then doesn't, the
 * next trial waits twice as long, so that nothing flickers. */
void debye_pace_tell(DebyePace *pace, gint64 time);

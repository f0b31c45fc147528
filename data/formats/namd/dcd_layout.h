/* SPDX-License-Identifier: MIT */
/* The header of a DCD file, and how its frames lie. DCD is what Fortran writes: records between two markers
 * that hold their length. CHARMM, X-PLOR, NAMD and VMD write dialects that differ in the header's numbers,
 * the markers' width and the byte order. */
#pragma once

#include "data/files/input.h"

#include "data/geometry.h"

/* ps in one unit of time of CHARMM: sqrt(u Å² / (kcal/mol)), as CHARMM, NAMD and MDAnalysis have it. */
#define DEBYE_DCD_TIME_UNIT 0.04888821

#define DEBYE_DCD_HEADER_BYTES 84 /* "CORD" and twenty integers */
#define DEBYE_DCD_CELL_BYTES 48   /* six doubles */

typedef struct {
  gboolean is_swapped; /* other byte order than this machine's */
  gsize marker_bytes;  /* 4, or 8 where the compiler wrote long markers */
  gint32 n_frames;     /* as the header says: often 0 or wrong */
  gint32 first_step, step_interval;
  double delta;        /* time of a step in DEBYE_DCD_TIME_UNIT */
  gint32 version;      /* of CHARMM; 0: X-PLOR */
  gboolean has_cell;   /* a record before the coordinates of each frame */
  gboolean has_fourth; /* a record after them: the fourth dimension */
  gsize n_atoms;
  gsize n_free;        /* atoms in the frames after the first one; n_atoms unless some are fixed */
  guint32 *free_atoms; /* which; NULL unless some are fixed */
  guint64 frames_offset;
  guint64 first_bytes; /* of the first frame, and of each of the others */
  guint64 other_bytes;
} DebyeDcdLayout;

/* TRUE when the bytes begin like a DCD file; fills is_swapped and marker_bytes. */
gboolean debye_dcd_layout_recognize(DebyeDcdLayout *layout, const guint8 *bytes, gsize n);
/* Reads the header and checks the first frame's markers. */
gboolean debye_dcd_layout_read(DebyeDcdLayout *layout, DebyeInput *input, GError **error);
void debye_dcd_layout_clear(DebyeDcdLayout *layout);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeDcdLayout, debye_dcd_layout_clear)

guint64 debye_dcd_layout_get_marker(const DebyeDcdLayout *layout, const guint8 *bytes);
gint64 debye_dcd_layout_get_step(const DebyeDcdLayout *layout, gsize frame_number);
/* ps; NAN where the header's step is none. */
double debye_dcd_layout_get_time(const DebyeDcdLayout *layout, gsize frame_number);
/* The cell from its six doubles, in whichever of the three ways they are meant. FALSE, and all zero: none. */
gboolean debye_dcd_layout_get_cell(const DebyeDcdLayout *layout, const guint8 bytes[DEBYE_DCD_CELL_BYTES],
                                   DebyeCell *cell);

/* SPDX-License-Identifier: MIT */
/* One frame's coordinates: structure-of-arrays in float, Å, as the kernels take them, so nothing is converted
 * on the way. A frame is a buffer that a reader fills again and again; once shared between threads it must
 * not be written. */
#pragma once

#include <glib-object.h>

#include "data/geometry.h"
#include "data/packed_coordinates.h"

typedef struct {
  gsize n_atoms;
  float *x, *y, *z;    /* Å, each n_atoms long, 64-byte aligned */
  float *vx, *vy, *vz; /* Å/ps; NULL where the file has none */
  DebyeCell cell;      /* all zero: none */
  gboolean has_cell;
  DebyeVec3 cell_origin; /* where the file puts the cell's corner, Å; 0 where it doesn't say. For pictures:
                            what is periodic doesn't depend on it */
  double time;           /* ps; NAN: unknown */
  gint64 step;           /* -1: unknown */
  gsize index;           /* in its trajectory */
  gsize n_absent;        /* atoms that the file doesn't have in this frame: their coordinates are NaN */
  gsize n_bad;           /* coordinates that are NaN or infinite */
  gsize first_bad_atom;  /* valid when n_bad > 0 */
  DebyePackedCoordinates *packed; /* room, of frames that may stay packed (debye_frame_add_packed) */
  gboolean is_packed;             /* the coordinates are there, all of them finite, and x, y, z are not set */
} DebyeFrame;

#define DEBYE_TYPE_FRAME (debye_frame_get_type())
GType debye_frame_get_type(void);

/* NULL when there isn't the memory: callers bound n_atoms by the file first. */
DebyeFrame *debye_frame_new(gsize n_atoms);
DebyeFrame *debye_frame_ref(DebyeFrame *frame);
void debye_frame_unref(DebyeFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFrame, debye_frame_unref)

DebyeFrame *debye_frame_copy(const DebyeFrame *frame);
/* Called in place of freeing when the last reference goes, on whichever thread let it go; the one reference
 * there is then belongs to the function. NULL: the frame is freed. This is how a stream gets its buffers
 * back. */
typedef void (*DebyeFrameReleaseFunc)(DebyeFrame *frame, gpointer data);
void debye_frame_set_release(DebyeFrame *frame, DebyeFrameReleaseFunc release, gpointer data);

/* Only `atoms`, in that order. */
DebyeFrame *debye_frame_subset(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms);
/* Room for velocities; FALSE without the memory. A reader of a frame without them sets the three pointers to
 * NULL again, and the room is kept for the next. */
gboolean debye_frame_add_velocities(DebyeFrame *frame);
/* Lets readers leave coordinates as the file packs them, where it does; FALSE without the memory. Who asks for it looks at
 * is_packed: no other function of frames takes one that is. */
gboolean debye_frame_add_packed(DebyeFrame *frame);
/* Room for so many bytes, and DEBYE_PACKED_PADDING more; FALSE without the memory. */
gboolean debye_frame_reserve_packed(DebyeFrame *frame, gsize n_bytes);
void debye_frame_set_position(DebyeFrame *frame, gsize atom, DebyeVec3 position);
/* As readers begin that know of no velocities, cell, time and step. */
void debye_frame_forget(DebyeFrame *frame);
/* Sets n_bad and first_bad_atom by looking at every coordinate. Readers call it last. */
void debye_frame_check(DebyeFrame *frame);
/* Of the finite coordinates, Å. FALSE with no atom. `atoms` NULL: all. */
gboolean debye_frame_get_bounds(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms, DebyeVec3 *low,
                                DebyeVec3 *high);

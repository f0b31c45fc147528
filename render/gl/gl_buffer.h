/* SPDX-License-Identifier: MIT */
/* Fills buffers of the current GL context. A driver's own copy is one core's, so that all cores write large ones into memory
 * that the device reads. Called by layers. */
#pragma once

#include <epoxy/gl.h>
#include <glib.h>

typedef struct {
  gconstpointer data;
  gsize n_bytes;
} DebyeBufferPiece;

/* The buffer bound to `target` gets these pieces, one after the other. `room`: its size in bytes, which is kept where it fits;
 * NULL: it is made anew. */
void debye_buffer_fill(GLenum target, const DebyeBufferPiece *pieces, gsize n_pieces, GLenum usage,
                       gsize *room);

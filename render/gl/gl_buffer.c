/* SPDX-License-Identifier: MIT */
/* Implementation of gl_buffer.h. */
#include "gl_buffer.h"

#include <string.h>

#include "data/work/parts.h"

/* Bytes: fewer are copied sooner than threads wake. */
#define WORTH_THREADS ((gsize)1 << 20)

typedef struct {
  const DebyeBufferPiece *pieces;
  gsize n_pieces, n_parts;
  guint8 *to;
} Filling;

/* A share of every piece. */
static void
fill_part(gsize part, gpointer data)
{
  const Filling *filling = data;
  guint8 *to = filling->to;
  for (gsize i = 0; i < filling->n_pieces; i++) {
    const gsize n = filling->pieces[i].n_bytes, first = n * part / filling->n_parts;
    memcpy(to + first, (const guint8 *)filling->pieces[i].data + first,
           n * (part + 1) / filling->n_parts - first);
    to += n;
  }
}

static gboolean
fill_mapped(GLenum target, Filling *filling, gsize n_bytes)
{
  filling->to =
      glMapBufferRange(target, 0, (GLsizeiptr)n_bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (filling->to == NULL)
    return FALSE;
  debye_parts_run(filling->n_parts, fill_part, filling);
  return glUnmapBuffer(target);
}

void
debye_buffer_fill(GLenum target, const DebyeBufferPiece *pieces, gsize n_pieces, GLenum usage, gsize *room)
{
  Filling filling = {.pieces = pieces, .n_pieces = n_pieces, .n_parts = debye_parts_count_threads()};
  gsize n_bytes = 0;
  GLintptr at = 0;
  for (gsize i = 0; i < n_pieces; i++)
    n_bytes += pieces[i].n_bytes;
  if (room == NULL || *room != n_bytes)
    glBufferData(target, (GLsizeiptr)n_bytes, NULL, usage);
  if (room != NULL)
    *room = n_bytes;
  if (n_bytes >= WORTH_THREADS && fill_mapped(target, &filling, n_bytes))
    return;
  for (gsize i = 0; i < n_pieces; at += (GLintptr)pieces[i++].n_bytes)
    glBufferSubData(target, at, (GLsizeiptr)pieces[i].n_bytes, pieces[i].data);
}

/* SPDX-License-Identifier: MIT */
/* Implementation of nearest_fragments.h. */
#include "nearest_fragments.h"

/* Of the device's memory; larger pictures are peeled. */
#define MOST_BYTES ((gsize)512 << 20)

gboolean
debye_nearest_ensure(DebyeNearestFragments *self, DebyePrograms *programs, int width, int height)
{
  const gsize n_bytes = (gsize)width * (gsize)height * DEBYE_NEAREST_FRAGMENTS * sizeof(guint64);
  GLint64 most = 0;
  if (!debye_programs_keeps_nearest(programs) || n_bytes > MOST_BYTES)
    return FALSE;
  if (self->n_bytes == n_bytes)
    return TRUE;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  if ((gint64)n_bytes > most)
    return FALSE;
  if (!self->buffer)
    glGenBuffers(1, &self->buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, self->buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)n_bytes, NULL, GL_DYNAMIC_COPY);
  self->n_bytes = n_bytes;
  return TRUE;
}

void
debye_nearest_clear(DebyeNearestFragments *self, gboolean context_lost)
{
  if (!context_lost && self->buffer)
    glDeleteBuffers(1, &self->buffer);
  *self = (DebyeNearestFragments){0};
}

void
debye_nearest_begin(const DebyeNearestFragments *self)
{
  const GLuint empty[] = {G_MAXUINT32, G_MAXUINT32};
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, self->buffer);
  glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, empty);
}

void
debye_nearest_bind(const DebyeNearestFragments *self)
{
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, self->buffer);
}

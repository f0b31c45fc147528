/* SPDX-License-Identifier: MIT */
/* Implementation of nearest_fragments.h. */
#include "nearest_fragments.h"

/* Largest buffer; larger pictures use depth peeling. */
#define MOST_BYTES ((gsize)512 << 20)

static gboolean
allocate(DebyeNearestFragments *self, gsize n_bytes)
{
  GLint64 most = 0, found = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  if ((gint64)n_bytes > most)
    return FALSE;
  if (!self->buffer)
    glGenBuffers(1, &self->buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, self->buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)n_bytes, NULL, GL_DYNAMIC_COPY);
  /* Less where there is no memory for it. */
  glGetBufferParameteri64v(GL_SHADER_STORAGE_BUFFER, GL_BUFFER_SIZE, &found);
  if ((gint64)n_bytes == found) {
    self->n_bytes = n_bytes;
    return TRUE;
  }
  (void)glGetError();
  debye_nearest_clear(self, FALSE);
  return FALSE;
}

gboolean
debye_nearest_ensure(DebyeNearestFragments *self, DebyePrograms *programs, int width, int height)
{
  self->n_used = (gsize)width * (gsize)height * DEBYE_NEAREST_FRAGMENTS * sizeof(guint64);
  if (self->n_used > MOST_BYTES || !debye_programs_keeps_nearest(programs))
    return FALSE;
  return self->n_used <= self->n_bytes || allocate(self, self->n_used);
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
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, self->buffer);
  glClearBufferSubData(GL_SHADER_STORAGE_BUFFER, GL_RG32UI, 0, (GLsizeiptr)self->n_used, GL_RG_INTEGER,
                       GL_UNSIGNED_INT, empty);
}

void
debye_nearest_bind(const DebyeNearestFragments *self)
{
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, self->buffer);
}

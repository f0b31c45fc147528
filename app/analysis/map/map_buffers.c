/* SPDX-License-Identifier: MIT */
/* Implementation of map_buffers.h: recycles the memory of maps from frame to frame for map_live.c. */
#include "map_buffers.h"

/* More than this many wait for nothing: what is shown, what is meshed and what is being computed. */
#define MAX_WAITING 4

/* Lives until the last of its maps has come back. */
struct _DebyeMapBuffers {
  gatomicrefcount references; /* the owner's and one for each map that is out */
  GMutex mutex;
  GPtrArray *waiting; /* element-type Buffer */
  gsize n_points;
  guint n_allocated;
  gboolean is_closed;
};

typedef struct {
  DebyeMapBuffers *owner;
  float values[];
} Buffer;

static void
unref(DebyeMapBuffers *buffers)
{
  if (!g_atomic_ref_count_dec(&buffers->references))
    return;
  g_ptr_array_unref(buffers->waiting);
  g_mutex_clear(&buffers->mutex);
  g_free(buffers);
}

DebyeMapBuffers *
debye_map_buffers_new(gsize n_points)
{
  DebyeMapBuffers *buffers = g_new0(DebyeMapBuffers, 1);
  g_atomic_ref_count_init(&buffers->references);
  g_mutex_init(&buffers->mutex);
  buffers->waiting = g_ptr_array_new_with_free_func(g_free);
  buffers->n_points = n_points;
  return buffers;
}

void
debye_map_buffers_free(DebyeMapBuffers *buffers)
{
  if (buffers == NULL)
    return;
  g_mutex_lock(&buffers->mutex);
  buffers->is_closed = TRUE;
  g_ptr_array_set_size(buffers->waiting, 0);
  g_mutex_unlock(&buffers->mutex);
  unref(buffers);
}

float *
debye_map_buffers_take(DebyeMapBuffers *buffers)
{
  Buffer *buffer = NULL;
  g_mutex_lock(&buffers->mutex);
  if (buffers->waiting->len > 0) {
    buffer = g_ptr_array_steal_index_fast(buffers->waiting, buffers->waiting->len - 1);
  } else {
    buffer = g_try_malloc(sizeof *buffer + buffers->n_points * sizeof(float));
    buffers->n_allocated += buffer != NULL;
  }
  g_mutex_unlock(&buffers->mutex);
  if (buffer == NULL)
    return NULL;
  buffer->owner = buffers;
  g_atomic_ref_count_inc(&buffers->references);
  return buffer->values;
}

void
debye_map_buffers_give_back(gpointer values)
{
  Buffer *buffer = (Buffer *)(gpointer)((char *)values - G_STRUCT_OFFSET(Buffer, values));
  DebyeMapBuffers *owner = buffer->owner;
  g_mutex_lock(&owner->mutex);
  if (!owner->is_closed && owner->waiting->len < MAX_WAITING)
    g_ptr_array_add(owner->waiting, g_steal_pointer(&buffer));
  g_mutex_unlock(&owner->mutex);
  g_free(buffer);
  unref(owner);
}

GBytes *
debye_map_buffers_wrap(DebyeMapBuffers *buffers, float *values)
{
  return g_bytes_new_with_free_func(values, buffers->n_points * sizeof(float), debye_map_buffers_give_back,
                                    values);
}

guint
debye_map_buffers_get_n_allocated(DebyeMapBuffers *buffers)
{
  g_mutex_lock(&buffers->mutex);
  guint n = buffers->n_allocated;
  g_mutex_unlock(&buffers->mutex);
  return n;
}

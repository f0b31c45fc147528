/* SPDX-License-Identifier: MIT */
/* Reads frames ahead for the frame loop of analyses and the command line. A thread reads into buffers that
 * come back when the consumer lets a frame go. The pool outlives the stream for as long as somebody holds one
 * of its frames. */
#include "frame_stream.h"

#include "data/files/error.h"

/* Without a wish for the depth: at least 2, so that one is read while one is used, and at most 16 or this
 * memory. */
#define DEFAULT_BYTES (64u << 20)
#define DEFAULT_DEPTH_MAXIMUM 16

typedef struct {
  gatomicrefcount references; /* the stream's and one for each frame */
  GMutex mutex;
  GCond changed;
  GQueue free_frames;
  gsize n_atoms;
  guint n_frames, depth;
  gboolean is_closed; /* no stream any more: frames that come back are freed */
} Pool;

struct _DebyeFrameStream {
  Pool *pool;
  DebyeTrajectoryReader *reader;
  DebyeFrameRange range;
  GThread *thread;
  /* Guarded by the pool's mutex. */
  GQueue ready;
  gboolean is_stopped;
  gboolean is_done; /* the thread reads no more */
  GError *error;
};

static Pool *
pool_new(gsize n_atoms, guint depth)
{
  Pool *pool = g_new0(Pool, 1);
  g_atomic_ref_count_init(&pool->references);
  g_mutex_init(&pool->mutex);
  g_cond_init(&pool->changed);
  g_queue_init(&pool->free_frames);
  pool->n_atoms = n_atoms;
  pool->depth = depth;
  return pool;
}

static void
pool_unref(Pool *pool)
{
  if (!g_atomic_ref_count_dec(&pool->references))
    return;
  g_mutex_clear(&pool->mutex);
  g_cond_clear(&pool->changed);
  g_free(pool);
}

static void
free_pool_frame(Pool *pool, DebyeFrame *frame)
{
  debye_frame_set_release(frame, NULL, NULL);
  debye_frame_unref(frame);
  pool_unref(pool);
}

/* The last reference to a frame is gone. */
static void
take_frame_back(DebyeFrame *frame, gpointer data)
{
  Pool *pool = data;
  g_mutex_lock(&pool->mutex);
  gboolean is_kept = !pool->is_closed;
  if (is_kept) {
    g_queue_push_tail(&pool->free_frames, frame);
    g_cond_broadcast(&pool->changed);
  }
  g_mutex_unlock(&pool->mutex);
  if (!is_kept)
    free_pool_frame(pool, frame);
}

static DebyeFrame *
pool_add_frame(Pool *pool)
{
  DebyeFrame *frame = debye_frame_new(pool->n_atoms);
  if (!frame)
    return NULL;
  g_atomic_ref_count_inc(&pool->references);
  debye_frame_set_release(frame, take_frame_back, pool);
  pool->n_frames++;
  return frame;
}

static void
pool_close(Pool *pool)
{
  GQueue frames = G_QUEUE_INIT;
  g_mutex_lock(&pool->mutex);
  pool->is_closed = TRUE;
  frames = pool->free_frames;
  g_queue_init(&pool->free_frames);
  g_mutex_unlock(&pool->mutex);
  for (DebyeFrame *frame; (frame = g_queue_pop_head(&frames));)
    free_pool_frame(pool, frame);
  pool_unref(pool);
}

/* A buffer to read into; NULL when the stream was stopped or there is no memory. A consumer that holds on to
 * all frames and still asks for the next one gets another: waiting would last for ever. */
static DebyeFrame *
get_buffer(DebyeFrameStream *stream, GError **error)
{
  Pool *pool = stream->pool;
  DebyeFrame *frame = NULL;
  g_mutex_lock(&pool->mutex);
  while (!stream->is_stopped && g_queue_is_empty(&pool->free_frames) && pool->n_frames >= pool->depth)
    g_cond_wait(&pool->changed, &pool->mutex);
  if (!stream->is_stopped) {
    frame = g_queue_pop_head(&pool->free_frames);
    if (!frame)
      frame = pool_add_frame(pool);
    if (!frame)
      debye_error_set_memory(error, NULL, pool->n_atoms, "atoms");
  }
  g_mutex_unlock(&pool->mutex);
  return frame;
}

static gboolean
read_next(DebyeFrameStream *stream, gsize number, GError **error)
{
  g_autoptr(DebyeFrame) frame = get_buffer(stream, error);
  if (!frame || !debye_trajectory_reader_read(stream->reader, number, frame, error))
    return FALSE;
  g_mutex_lock(&stream->pool->mutex);
  g_queue_push_tail(&stream->ready, g_steal_pointer(&frame));
  g_cond_broadcast(&stream->pool->changed);
  g_mutex_unlock(&stream->pool->mutex);
  return TRUE;
}

static gpointer
read_ahead(gpointer data)
{
  DebyeFrameStream *stream = data;
  gsize n = debye_frame_range_count(&stream->range);
  GError *error = NULL;
  for (gsize k = 0; k < n; k++)
    if (!read_next(stream, stream->range.first + k * stream->range.step, &error))
      break;
  g_mutex_lock(&stream->pool->mutex);
  stream->error = error;
  stream->is_done = TRUE;
  g_cond_broadcast(&stream->pool->changed);
  g_mutex_unlock(&stream->pool->mutex);
  return NULL;
}

static guint
choose_depth(gsize n_atoms)
{
  gsize frame_bytes = 3 * sizeof(float) * MAX(n_atoms, 1);
  return (guint)CLAMP(DEFAULT_BYTES / frame_bytes, 2, DEFAULT_DEPTH_MAXIMUM);
}

DebyeFrameStream *
debye_frame_stream_new(DebyeTrajectory *trajectory, DebyeFrameRange range, guint depth, GError **error)
{
  gsize n_atoms = debye_trajectory_get_n_atoms(trajectory);
  g_return_val_if_fail(range.step > 0, NULL);
  DebyeTrajectoryReader *reader = debye_trajectory_reader_new(trajectory, error);
  if (!reader)
    return NULL;
  DebyeFrameStream *stream = g_new0(DebyeFrameStream, 1);
  stream->pool = pool_new(n_atoms, depth > 0 ? MAX(depth, 2) : choose_depth(n_atoms));
  stream->reader = reader;
  stream->range = range;
  g_queue_init(&stream->ready);
  stream->thread = g_thread_new("debye-frames", read_ahead, stream);
  return stream;
}

void
debye_frame_stream_free(DebyeFrameStream *stream)
{
  if (!stream)
    return;
  g_mutex_lock(&stream->pool->mutex);
  stream->is_stopped = TRUE;
  g_cond_broadcast(&stream->pool->changed);
  g_mutex_unlock(&stream->pool->mutex);
  g_thread_join(stream->thread);
  g_queue_clear_full(&stream->ready, (GDestroyNotify)debye_frame_unref);
  debye_trajectory_reader_free(stream->reader);
  g_clear_error(&stream->error);
  pool_close(stream->pool);
  g_free(stream);
}

DebyeFrame *
debye_frame_stream_next(DebyeFrameStream *stream, GError **error)
{
  Pool *pool = stream->pool;
  g_mutex_lock(&pool->mutex);
  while (g_queue_is_empty(&stream->ready) && !stream->is_done)
    g_cond_wait(&pool->changed, &pool->mutex);
  DebyeFrame *frame = g_queue_pop_head(&stream->ready);
  if (!frame && stream->error)
    g_propagate_error(error, g_steal_pointer(&stream->error));
  g_mutex_unlock(&pool->mutex);
  return frame;
}

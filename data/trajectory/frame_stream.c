/* SPDX-License-Identifier: MIT */
/* Reads frames ahead for the frame loop of analyses and the command line. Threads read into buffers that come
 * back when the consumer lets a frame go. The pool outlives the stream for as long as somebody holds one of its
 * frames. */
#include "frame_stream.h"

#include "data/files/error.h"

/* Without a wish for the depth: at least 2, so that one is read while one is used, and at most two a reader or this memory. */
#define DEFAULT_BYTES (256u << 20)
#define DEFAULT_DEPTH_MAXIMUM 16
#define HUNGER 200 /* µs that the consumer had to wait: less is the time between threads */

typedef struct {
  gatomicrefcount references; /* the stream's and one for each frame */
  GMutex mutex;
  GCond changed;
  GQueue free_frames;
  gsize n_atoms;
  guint n_frames, depth;
  gboolean may_be_packed;
  gboolean is_closed; /* no stream any more: frames that come back are freed */
} Pool;

/* What came of one number of the range: a frame or an error; neither: it is still being read. */
typedef struct {
  DebyeFrame *frame;
  GError *error;
} Slot;

struct _DebyeFrameStream {
  Pool *pool;
  DebyeTrajectory *trajectory;
  DebyeFrameRange range;
  gsize n; /* frames of the range */
  guint n_readers_maximum;
  DebyeFrameFunc prepare; /* or NULL */
  gpointer prepare_data;
  GPtrArray *threads; /* of the consumer, who starts them */
  /* Guarded by the pool's mutex. A buffer is taken together with the number of the frame that it is for, so that the next frame
   * to be given always has one, and no more numbers are under way than there are buffers: number k has slot k % depth. */
  Slot *slots;
  gsize n_taken; /* numbers that readers have taken */
  gsize n_given; /* numbers that the consumer has had */
  gboolean is_stopped;
};

static Pool *
pool_new(gsize n_atoms, guint depth, gboolean may_be_packed)
{
  Pool *pool = g_new0(Pool, 1);
  g_atomic_ref_count_init(&pool->references);
  g_mutex_init(&pool->mutex);
  g_cond_init(&pool->changed);
  g_queue_init(&pool->free_frames);
  pool->n_atoms = n_atoms;
  pool->depth = depth;
  pool->may_be_packed = may_be_packed;
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
  g_autoptr(DebyeFrame) frame = debye_frame_new(pool->n_atoms);
  if (!frame || (pool->may_be_packed && !debye_frame_add_packed(frame)))
    return NULL;
  g_atomic_ref_count_inc(&pool->references);
  debye_frame_set_release(frame, take_frame_back, pool);
  pool->n_frames++;
  return g_steal_pointer(&frame);
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

/* The next number of the range and a buffer for it; NULL when nothing is left, the stream was stopped, or there is no memory.
 * With the pool's mutex. */
static DebyeFrame *
take_number(DebyeFrameStream *stream, gsize *k, GError **error)
{
  Pool *pool = stream->pool;
  while (!stream->is_stopped && stream->n_taken < stream->n && g_queue_is_empty(&pool->free_frames) &&
         pool->n_frames >= pool->depth)
    g_cond_wait(&pool->changed, &pool->mutex);
  if (stream->is_stopped || stream->n_taken == stream->n)
    return NULL;
  DebyeFrame *frame = g_queue_pop_head(&pool->free_frames);
  if (frame == NULL)
    frame = pool_add_frame(pool);
  *k = stream->n_taken++;
  if (frame == NULL) {
    stream->n = stream->n_taken; /* no other reader may take a number without a buffer */
    debye_error_set_memory(error, NULL, pool->n_atoms, "atoms");
  }
  return frame;
}

/* A frame, or why there is none. What follows an error nobody will ask for. */
static void
put(DebyeFrameStream *stream, gsize k, DebyeFrame *frame, GError *error)
{
  Pool *pool = stream->pool;
  g_mutex_lock(&pool->mutex);
  stream->slots[k % pool->depth] = (Slot){frame, error};
  if (error != NULL)
    stream->n = MIN(stream->n, k + 1);
  g_cond_broadcast(&pool->changed);
  g_mutex_unlock(&pool->mutex);
}

static gboolean
read_next(DebyeFrameStream *stream, DebyeTrajectoryReader *reader)
{
  g_autoptr(GError) error = NULL;
  gsize k = G_MAXSIZE;
  g_mutex_lock(&stream->pool->mutex);
  g_autoptr(DebyeFrame) frame = take_number(stream, &k, &error);
  g_mutex_unlock(&stream->pool->mutex);
  if (frame == NULL && error == NULL)
    return FALSE;
  if (frame == NULL ||
      !debye_trajectory_reader_read(reader, stream->range.first + k * stream->range.step, frame, &error)) {
    put(stream, k, NULL, g_steal_pointer(&error));
    return FALSE;
  }
  if (stream->prepare != NULL)
    stream->prepare(frame, stream->prepare_data);
  put(stream, k, g_steal_pointer(&frame), NULL);
  return TRUE;
}

static gpointer
read_ahead(gpointer data)
{
  DebyeFrameStream *stream = data;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(stream->trajectory, NULL);
  while (read_next(stream, reader))
    continue;
  return NULL;
}

/* --- How many read --- */

static void
join(gpointer thread)
{
  g_thread_join(thread);
}

/* Each opens the file anew, so that there are no more than the consumer's
 * hunger asks for: twice as many where it had to wait. They read until the stream ends and have their niceness from who
 * asks, so they are no tasks of a pool. */
static void
add_readers(DebyeFrameStream *stream)
{
  const guint n = MAX(2 * stream->threads->len, 1);
  while (stream->threads->len < MIN(n, stream->n_readers_maximum))
    g_ptr_array_add(stream->threads, g_thread_new("debye-frames", read_ahead, stream));
}

static guint
choose_depth(gsize n_atoms, guint n_readers)
{
  const gsize frame_bytes = 3 * sizeof(float) * MAX(n_atoms, 1);
  return (guint)CLAMP(DEFAULT_BYTES / frame_bytes, 2, MAX(2 * n_readers, DEFAULT_DEPTH_MAXIMUM));
}

DebyeFrameStream *
debye_frame_stream_new(DebyeTrajectory *trajectory, DebyeFrameRange range, guint depth, guint n_readers)
{
  return debye_frame_stream_new_prepared(trajectory, range, depth, n_readers, FALSE, NULL, NULL);
}

DebyeFrameStream *
debye_frame_stream_new_prepared(DebyeTrajectory *trajectory, DebyeFrameRange range, guint depth,
                                guint n_readers, gboolean may_be_packed, DebyeFrameFunc prepare,
                                gpointer data)
{
  const gsize n_atoms = debye_trajectory_get_n_atoms(trajectory);
  g_return_val_if_fail(range.step > 0, NULL);
  DebyeFrameStream *stream = g_new0(DebyeFrameStream, 1);
  if (n_readers == 0)
    n_readers = debye_trajectory_has_many_readers(trajectory) ? g_get_num_processors() : 1;
  stream->pool =
      pool_new(n_atoms, depth > 0 ? MAX(depth, 2) : choose_depth(n_atoms, n_readers), may_be_packed);
  stream->trajectory = g_object_ref(trajectory);
  stream->range = range;
  stream->prepare = prepare;
  stream->prepare_data = data;
  stream->n = debye_frame_range_count(&range);
  stream->n_readers_maximum = MIN(n_readers, stream->pool->depth - 1);
  stream->slots = g_new0(Slot, stream->pool->depth);
  stream->threads = g_ptr_array_new_with_free_func(join);
  add_readers(stream);
  return stream;
}

static void
slot_clear(Slot *slot)
{
  g_clear_pointer(&slot->frame, debye_frame_unref);
  g_clear_error(&slot->error);
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
  g_ptr_array_unref(stream->threads);
  for (guint i = 0; i < stream->pool->depth; i++)
    slot_clear(&stream->slots[i]);
  g_free(stream->slots);
  g_object_unref(stream->trajectory);
  pool_close(stream->pool);
  g_free(stream);
}

static gboolean
is_there(const Slot *slot)
{
  return slot->frame != NULL || slot->error != NULL;
}

/* The slot of the next number, when it has been read. With the pool's mutex. */
static Slot *
wait_for_slot(DebyeFrameStream *stream)
{
  Pool *pool = stream->pool;
  Slot *slot = &stream->slots[stream->n_given % pool->depth];
  const gint64 end = g_get_monotonic_time() + HUNGER;
  while (!is_there(slot))
    if (!g_cond_wait_until(&pool->changed, &pool->mutex, end))
      break;
  if (!is_there(slot) && stream->n_taken < stream->n)
    add_readers(stream);
  while (!is_there(slot))
    g_cond_wait(&pool->changed, &pool->mutex);
  return slot;
}

DebyeFrame *
debye_frame_stream_next(DebyeFrameStream *stream, GError **error)
{
  Pool *pool = stream->pool;
  DebyeFrame *frame = NULL;
  g_mutex_lock(&pool->mutex);
  if (stream->n_given < stream->n) {
    Slot *slot = wait_for_slot(stream);
    frame = g_steal_pointer(&slot->frame);
    if (frame != NULL)
      stream->n_given++;
    else if (slot->error != NULL) {
      g_propagate_error(error, g_steal_pointer(&slot->error));
      stream->n = stream->n_given;
    }
  }
  g_mutex_unlock(&pool->mutex);
  return frame;
}

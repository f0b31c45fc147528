/* SPDX-License-Identifier: MIT */
/* Reads single frames and keeps the last few with their trajectory; called by the plans of analyses. */
#include "kept_frames.h"

#include "data/files/error.h"

/* The first frame, the first that is used, and the second and last of those, which tell the time step. */
#define N_KEPT 4
/* Large frames are read again rather than kept, but for one. */
#define MAX_BYTES (64 * 1024 * 1024)

typedef struct {
  GMutex mutex;
  DebyeFrame *frames[N_KEPT];
  guint next; /* whose place the next one takes */
} Kept;

static void
kept_free(gpointer data)
{
  Kept *kept = data;
  for (guint i = 0; i < N_KEPT; i++)
    g_clear_pointer(&kept->frames[i], debye_frame_unref);
  g_mutex_clear(&kept->mutex);
  g_free(kept);
}

/* Two threads may come at once. */
static Kept *
get_kept(DebyeTrajectory *trajectory)
{
  static GMutex making;
  g_mutex_lock(&making);
  Kept *kept = g_object_get_data(G_OBJECT(trajectory), "kept-frames");
  if (kept == NULL) {
    kept = g_new0(Kept, 1);
    g_mutex_init(&kept->mutex);
    g_object_set_data_full(G_OBJECT(trajectory), "kept-frames", kept, kept_free);
  }
  g_mutex_unlock(&making);
  return kept;
}

static DebyeFrame *
read_frame(DebyeTrajectory *trajectory, gsize index, GError **error)
{
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  if (reader == NULL)
    return NULL;
  const gsize n_atoms = debye_trajectory_get_n_atoms(trajectory);
  g_autoptr(DebyeFrame) frame = debye_frame_new(n_atoms);
  if (frame == NULL)
    return debye_null(debye_error_set_memory(error, NULL, n_atoms, "atoms of one more frame"));
  return debye_trajectory_reader_read(reader, index, frame, error) ? g_steal_pointer(&frame) : NULL;
}

static DebyeFrame *
find(const Kept *kept, gsize index)
{
  for (guint i = 0; i < N_KEPT; i++)
    if (kept->frames[i] != NULL && kept->frames[i]->index == index)
      return kept->frames[i];
  return NULL;
}

static guint
get_n_places(DebyeTrajectory *trajectory)
{
  const gsize frame_bytes = 6 * sizeof(float) * debye_trajectory_get_n_atoms(trajectory);
  return (guint)CLAMP(MAX_BYTES / MAX(frame_bytes, 1), 1, N_KEPT);
}

/* With the mutex. */
static void
keep(DebyeTrajectory *trajectory, Kept *kept, DebyeFrame *frame)
{
  g_clear_pointer(&kept->frames[kept->next], debye_frame_unref);
  kept->frames[kept->next] = frame;
  kept->next = (kept->next + 1) % get_n_places(trajectory);
}

void
debye_trajectory_keep_frame(DebyeTrajectory *trajectory, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_TRAJECTORY(trajectory));
  Kept *kept = get_kept(trajectory);
  g_mutex_lock(&kept->mutex);
  keep(trajectory, kept, debye_frame_ref(frame));
  g_mutex_unlock(&kept->mutex);
}

DebyeFrame *
debye_trajectory_get_frame(DebyeTrajectory *trajectory, gsize index, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(trajectory), NULL);
  Kept *kept = get_kept(trajectory);
  g_mutex_lock(&kept->mutex);
  DebyeFrame *frame = find(kept, index);
  if (frame == NULL && (frame = read_frame(trajectory, index, error)) != NULL)
    keep(trajectory, kept, frame);
  if (frame != NULL)
    debye_frame_ref(frame);
  g_mutex_unlock(&kept->mutex);
  return frame;
}

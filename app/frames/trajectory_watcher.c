/* SPDX-License-Identifier: MIT */
/* Watches on a thread whether a trajectory's files grow; made by window_frames.c. */
#include "trajectory_watcher.h"

#include "data/files/error.h"
#include "data/work/threads.h"

#define PAUSE (2 * G_USEC_PER_SEC)
/* Of the time, where looking takes long: a format that must be read through again from the beginning. */
#define LARGEST_SHARE 0.1

struct _DebyeTrajectoryWatcher {
  GObject parent_instance;
  DebyeDataset *dataset; /* the newest; of the thread alone, which keeps the watcher until it ends */

  GMutex lock;
  GCond wake;
  gboolean stopped;
  DebyeDataset *grown; /* to be told */
  GError *error;       /* to be told */
  GSource *idle;
};

G_DEFINE_FINAL_TYPE(DebyeTrajectoryWatcher, debye_trajectory_watcher, G_TYPE_OBJECT)

static gboolean
on_idle(gpointer data)
{
  g_autoptr(DebyeTrajectoryWatcher) self = g_object_ref(data);
  g_mutex_lock(&self->lock);
  g_autoptr(DebyeDataset) grown = g_steal_pointer(&self->grown);
  g_autoptr(GError) error = g_steal_pointer(&self->error);
  g_clear_pointer(&self->idle, g_source_unref);
  g_mutex_unlock(&self->lock);
  if (grown != NULL)
    g_signal_emit_by_name(self, "grown", grown);
  if (error != NULL)
    g_signal_emit_by_name(self, "failed", error->message);
  return G_SOURCE_REMOVE;
}

/* Takes the error; news that nobody has heard yet is replaced. */
static void
hand_over(DebyeTrajectoryWatcher *self, DebyeDataset *grown, GError *error)
{
  g_mutex_lock(&self->lock);
  if (grown != NULL)
    g_set_object(&self->grown, grown);
  g_clear_error(&self->error);
  self->error = error;
  if (!self->stopped && self->idle == NULL) {
    self->idle = g_idle_source_new();
    g_source_set_callback(self->idle, on_idle, self, NULL);
    g_source_attach(self->idle, NULL);
  }
  g_mutex_unlock(&self->lock);
}

/* FALSE when it is time to go. */
static gboolean
wait_for(DebyeTrajectoryWatcher *self, gint64 pause)
{
  const gint64 deadline = g_get_monotonic_time() + pause;
  g_mutex_lock(&self->lock);
  while (!self->stopped && g_cond_wait_until(&self->wake, &self->lock, deadline))
    ;
  gboolean goes_on = !self->stopped;
  g_mutex_unlock(&self->lock);
  return goes_on;
}

static gboolean
on_progress(double fraction G_GNUC_UNUSED, gpointer data)
{
  DebyeTrajectoryWatcher *self = data;
  g_mutex_lock(&self->lock);
  gboolean goes_on = !self->stopped;
  g_mutex_unlock(&self->lock);
  return goes_on;
}

static gsize
count_frames(DebyeDataset *dataset)
{
  return debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset));
}

/* FALSE where there is no use in looking again. A file that can't be read just now may be in the middle of
 * being written: only one that is not what it was is given up. */
static gboolean
look(DebyeTrajectoryWatcher *self)
{
  g_autoptr(GError) error = NULL;
  if (!debye_trajectory_has_changed(debye_dataset_get_trajectory(self->dataset)))
    return TRUE;
  g_autoptr(DebyeDataset) fresh = debye_dataset_refresh(self->dataset, on_progress, self, &error);
  if (g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH)) {
    hand_over(self, NULL, g_steal_pointer(&error));
    return FALSE;
  }
  if (fresh == NULL)
    return TRUE;
  const gboolean has_news = count_frames(fresh) > count_frames(self->dataset);
  g_set_object(&self->dataset, fresh);
  if (has_news)
    hand_over(self, fresh, NULL);
  return TRUE;
}

static void
run_thread(gpointer data)
{
  g_autoptr(DebyeTrajectoryWatcher) self = data;
  gint64 pause = PAUSE;
  while (wait_for(self, pause)) {
    const gint64 start = g_get_monotonic_time();
    if (!look(self))
      break;
    pause = MAX(PAUSE, (gint64)((double)(g_get_monotonic_time() - start) / LARGEST_SHARE));
  }
}

DebyeTrajectoryWatcher *
debye_trajectory_watcher_new(DebyeDataset *dataset)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(dataset) && debye_dataset_get_trajectory(dataset) != NULL, NULL);
  DebyeTrajectoryWatcher *self = g_object_new(DEBYE_TYPE_TRAJECTORY_WATCHER, NULL);
  self->dataset = g_object_ref(dataset);
  debye_threads_start("debye-watch", run_thread, g_object_ref(self));
  return self;
}

void
debye_trajectory_watcher_stop(DebyeTrajectoryWatcher *self)
{
  g_return_if_fail(DEBYE_IS_TRAJECTORY_WATCHER(self));
  g_mutex_lock(&self->lock);
  self->stopped = TRUE;
  if (self->idle != NULL)
    g_source_destroy(self->idle);
  g_clear_pointer(&self->idle, g_source_unref);
  g_cond_signal(&self->wake);
  g_mutex_unlock(&self->lock);
}

static void
debye_trajectory_watcher_finalize(GObject *object)
{
  DebyeTrajectoryWatcher *self = DEBYE_TRAJECTORY_WATCHER(object);
  g_clear_object(&self->dataset);
  g_clear_object(&self->grown);
  g_clear_error(&self->error);
  g_mutex_clear(&self->lock);
  g_cond_clear(&self->wake);
  G_OBJECT_CLASS(debye_trajectory_watcher_parent_class)->finalize(object);
}

static void
debye_trajectory_watcher_class_init(DebyeTrajectoryWatcherClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_trajectory_watcher_finalize;
  const GType type = DEBYE_TYPE_TRAJECTORY_WATCHER;
  g_signal_new("grown", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_DATASET);
  g_signal_new("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_trajectory_watcher_init(DebyeTrajectoryWatcher *self)
{
  g_mutex_init(&self->lock);
  g_cond_init(&self->wake);
}

/* SPDX-License-Identifier: MIT */
/* Reads frames for the screen on a thread of its own. What the two share outlives whoever ends first: a read
 * can't be stopped in the middle, and may take long on a slow disk, so nobody waits for it. */
#include "frame_loader.h"

#include "data/files/error.h"
#include "idle_call.h"
#include "app/jobs/threads.h"

#define NO_REQUEST G_MAXSIZE

/* Of the loader and its thread. */
typedef struct {
  GMutex lock;
  GCond wake;
  DebyeFrameLoader *loader; /* NULL: it is time to go */
  DebyeTrajectory *trajectory;
  DebyeTopology *topology; /* of the molecules to be placed; NULL: none */
  DebyePlacing placing;
  DebyeDataset *dataset; /* of the alignment; NULL: none */
  DebyeAlignment alignment;
  gsize wanted, newest;        /* the latter whether it was read or not; NO_REQUEST: none */
  DebyeFrame *loaded, *placed; /* to be shown */
  GError *error;               /* to be told */
  GSource *idle;
} Reading;

struct _DebyeFrameLoader {
  GObject parent_instance;
  Reading *reading; /* NULL: stopped */
};

enum { SIGNAL_LOADED, SIGNAL_FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeFrameLoader, debye_frame_loader, G_TYPE_OBJECT)

static void
reading_clear(gpointer data)
{
  Reading *self = data;
  g_clear_pointer(&self->loaded, debye_frame_unref);
  g_clear_pointer(&self->placed, debye_frame_unref);
  g_clear_error(&self->error);
  g_clear_object(&self->trajectory);
  g_clear_object(&self->topology);
  g_clear_object(&self->dataset);
  debye_alignment_clear(&self->alignment);
  g_mutex_clear(&self->lock);
  g_cond_clear(&self->wake);
}

static void
reading_unref(Reading *self)
{
  g_atomic_rc_box_release_full(self, reading_clear);
}

static gboolean
on_idle(gpointer data)
{
  g_autoptr(DebyeFrameLoader) self = g_object_ref(data);
  Reading *reading = self->reading;
  g_mutex_lock(&reading->lock);
  g_autoptr(DebyeFrame) frame = g_steal_pointer(&reading->loaded);
  g_autoptr(DebyeFrame) placed = g_steal_pointer(&reading->placed);
  g_autoptr(GError) error = g_steal_pointer(&reading->error);
  g_clear_pointer(&reading->idle, g_source_unref);
  g_mutex_unlock(&reading->lock);
  if (frame != NULL)
    g_signal_emit(self, signals[SIGNAL_LOADED], 0, frame, placed);
  if (error != NULL)
    g_signal_emit(self, signals[SIGNAL_FAILED], 0, error->message);
  return G_SOURCE_REMOVE;
}

/* --- The thread --- */

/* Takes the frame, as it was read and placed, or the error. */
static void
hand_over(Reading *self, DebyeFrame *frame, DebyeFrame *placed, GError *error)
{
  g_mutex_lock(&self->lock);
  g_clear_pointer(&self->loaded, debye_frame_unref);
  g_clear_pointer(&self->placed, debye_frame_unref);
  g_clear_error(&self->error);
  self->loaded = frame;
  self->placed = placed;
  self->error = error;
  if (self->loader != NULL)
    debye_idle_call_ensure(&self->idle, on_idle, self->loader);
  g_mutex_unlock(&self->lock);
}

/* The next frame number; NO_REQUEST when it is time to go. */
static gsize
wait_for_request(Reading *self)
{
  g_mutex_lock(&self->lock);
  while (self->wanted == NO_REQUEST && self->loader != NULL)
    g_cond_wait(&self->wake, &self->lock);
  gsize frame = self->loader != NULL ? self->wanted : NO_REQUEST;
  self->wanted = NO_REQUEST;
  g_mutex_unlock(&self->lock);
  return frame;
}

/* What the thread reads from: the trajectory that the reader is of; and what places molecules. */
typedef struct {
  DebyeTrajectory *trajectory;
  DebyeTrajectoryReader *reader;
  DebyePlacer *placer; /* NULL until it is needed */
  DebyeAlignment alignment;
  DebyeFrameEdit *edit; /* of it; NULL: there is nothing to superpose */
} Source;

static void
source_close(Source *source)
{
  g_clear_pointer(&source->reader, debye_trajectory_reader_free);
  g_clear_object(&source->trajectory);
}

static void
source_clear(Source *source)
{
  source_close(source);
  g_clear_pointer(&source->placer, debye_placer_free);
  g_clear_pointer(&source->edit, debye_frame_edit_free);
  debye_alignment_clear(&source->alignment);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Source, source_clear)

static void
take_newest(Reading *self, Source *source)
{
  g_mutex_lock(&self->lock);
  g_autoptr(DebyeTrajectory) newest = g_object_ref(self->trajectory);
  g_mutex_unlock(&self->lock);
  if (newest == source->trajectory)
    return;
  source_close(source);
  source->trajectory = g_steal_pointer(&newest);
}

static DebyeFrame *
read_frame(Reading *self, Source *source, gsize number, GError **error)
{
  take_newest(self, source);
  if (source->reader == NULL)
    source->reader = debye_trajectory_reader_new(source->trajectory, error);
  if (source->reader == NULL)
    return NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(source->trajectory));
  if (frame == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "There is not the memory for one more frame");
    return NULL;
  }
  return debye_trajectory_reader_read(source->reader, number, frame, error) ? g_steal_pointer(&frame) : NULL;
}

/* Finding the molecules costs far more than placing them: a placer lives as long as its topology counts. */
static DebyeFrame *
place_frame(Reading *self, Source *source, DebyeFrame *frame, GError **error)
{
  g_mutex_lock(&self->lock);
  DebyePlacing placing = self->placing;
  g_autoptr(DebyeTopology) topology = self->topology != NULL ? g_object_ref(self->topology) : NULL;
  g_mutex_unlock(&self->lock);
  if (topology == NULL || placing == DEBYE_PLACING_FILE)
    return debye_frame_ref(frame);
  if (source->placer != NULL && debye_placer_get_topology(source->placer) != topology)
    g_clear_pointer(&source->placer, debye_placer_free);
  if (source->placer == NULL)
    source->placer = debye_placer_new(topology);
  return debye_placer_place(source->placer, placing, frame, error);
}

/* Reading the reference is done once; where that fails, it is told once. */
static void
take_alignment(Reading *self, Source *source, GError **error)
{
  g_auto(DebyeAlignment) newest = {0};
  g_mutex_lock(&self->lock);
  g_autoptr(DebyeDataset) dataset = self->dataset != NULL ? g_object_ref(self->dataset) : NULL;
  debye_alignment_copy(&newest, &self->alignment);
  g_mutex_unlock(&self->lock);
  if (debye_alignment_equal(&newest, &source->alignment))
    return;
  g_clear_pointer(&source->edit, debye_frame_edit_free);
  debye_alignment_clear(&source->alignment);
  debye_alignment_copy(&source->alignment, &newest);
  if (newest.atoms != NULL && dataset != NULL)
    source->edit = debye_alignment_new_edit(&newest, dataset, error);
}

/* Takes the frame. One that can't be superposed is shown where it is, and that is told. */
static DebyeFrame *
align_frame(Reading *self, Source *source, DebyeFrame *placed, GError **error)
{
  g_autoptr(DebyeFrame) frame = placed;
  take_alignment(self, source, error);
  DebyeFrame *aligned = source->edit != NULL ? debye_alignment_apply(source->edit, frame, error) : NULL;
  return aligned != NULL ? aligned : g_steal_pointer(&frame);
}

static void
read_frames(Reading *self)
{
  g_auto(Source) source = {0};
  gsize number;
  while ((number = wait_for_request(self)) != NO_REQUEST) {
    GError *error = NULL;
    g_autoptr(DebyeFrame) frame = read_frame(self, &source, number, &error);
    DebyeFrame *placed = frame != NULL ? place_frame(self, &source, frame, &error) : NULL;
    if (placed != NULL)
      placed = align_frame(self, &source, placed, &error);
    hand_over(self, placed != NULL ? g_steal_pointer(&frame) : NULL, placed, error);
  }
}

static void
run_thread(gpointer data)
{
  read_frames(data);
  reading_unref(data);
}

/* --- The loader --- */

DebyeFrameLoader *
debye_frame_loader_new(DebyeTrajectory *trajectory)
{
  DebyeFrameLoader *self = g_object_new(DEBYE_TYPE_FRAME_LOADER, NULL);
  self->reading = g_atomic_rc_box_new0(Reading);
  self->reading->loader = self;
  self->reading->trajectory = g_object_ref(trajectory);
  self->reading->wanted = self->reading->newest = NO_REQUEST;
  g_mutex_init(&self->reading->lock);
  g_cond_init(&self->reading->wake);
  debye_threads_start("debye-frames", run_thread, g_atomic_rc_box_acquire(self->reading));
  return self;
}

void
debye_frame_loader_set_trajectory(DebyeFrameLoader *self, DebyeTrajectory *trajectory)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_TRAJECTORY(trajectory));
  if (self->reading == NULL)
    return;
  g_mutex_lock(&self->reading->lock);
  g_set_object(&self->reading->trajectory, trajectory);
  g_mutex_unlock(&self->reading->lock);
}

void
debye_frame_loader_request(DebyeFrameLoader *self, gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self));
  if (self->reading == NULL)
    return;
  g_mutex_lock(&self->reading->lock);
  self->reading->wanted = self->reading->newest = frame;
  g_cond_signal(&self->reading->wake);
  g_mutex_unlock(&self->reading->lock);
}

void
debye_frame_loader_set_placing(DebyeFrameLoader *self, DebyeTopology *topology, DebyePlacing placing,
                               gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_TOPOLOGY(topology));
  if (self->reading == NULL)
    return;
  g_mutex_lock(&self->reading->lock);
  g_set_object(&self->reading->topology, topology);
  self->reading->placing = placing;
  self->reading->wanted = self->reading->newest != NO_REQUEST ? self->reading->newest : frame;
  g_cond_signal(&self->reading->wake);
  g_mutex_unlock(&self->reading->lock);
}

void
debye_frame_loader_set_alignment(DebyeFrameLoader *self, DebyeDataset *dataset,
                                 const DebyeAlignment *alignment, gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_DATASET(dataset));
  if (self->reading == NULL)
    return;
  g_mutex_lock(&self->reading->lock);
  g_set_object(&self->reading->dataset, dataset);
  debye_alignment_clear(&self->reading->alignment);
  debye_alignment_copy(&self->reading->alignment, alignment);
  self->reading->wanted = self->reading->newest != NO_REQUEST ? self->reading->newest : frame;
  g_cond_signal(&self->reading->wake);
  g_mutex_unlock(&self->reading->lock);
}

void
debye_frame_loader_stop(DebyeFrameLoader *self)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self));
  Reading *reading = g_steal_pointer(&self->reading);
  if (reading == NULL)
    return;
  g_mutex_lock(&reading->lock);
  reading->loader = NULL;
  debye_idle_call_clear(&reading->idle);
  g_cond_signal(&reading->wake);
  g_mutex_unlock(&reading->lock);
  reading_unref(reading);
}

static void
debye_frame_loader_dispose(GObject *object)
{
  debye_frame_loader_stop(DEBYE_FRAME_LOADER(object));
  G_OBJECT_CLASS(debye_frame_loader_parent_class)->dispose(object);
}

static void
debye_frame_loader_class_init(DebyeFrameLoaderClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_frame_loader_dispose;
  signals[SIGNAL_LOADED] = g_signal_new("loaded", DEBYE_TYPE_FRAME_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 2, DEBYE_TYPE_FRAME, DEBYE_TYPE_FRAME);
  signals[SIGNAL_FAILED] = g_signal_new("failed", DEBYE_TYPE_FRAME_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_frame_loader_init(DebyeFrameLoader *self)
{
  self->reading = NULL;
}

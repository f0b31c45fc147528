/* SPDX-License-Identifier: MIT */
/* Reads frames for the screen on a thread of its own. A read can't be stopped in the middle, and may take long
 * on a slow disk, so nobody waits for it. */
#include "frame_loader.h"

#include "data/files/error.h"
#include "data/work/worker.h"

#define NO_FRAME G_MAXSIZE

/* A frame and what becomes of it. */
typedef struct {
  gsize frame; /* NO_FRAME: none yet */
  DebyeTrajectory *trajectory;
  DebyeTopology *topology; /* of the molecules to be placed; NULL: none */
  DebyePlacing placing;
  DebyeDataset *dataset; /* of the alignment; NULL: none */
  DebyeAlignment alignment;
} Wish;

struct _DebyeFrameLoader {
  GObject parent_instance;
  Wish newest;         /* whether it was read or not */
  DebyeWorker *worker; /* NULL: stopped */
};

G_DEFINE_FINAL_TYPE(DebyeFrameLoader, debye_frame_loader, G_TYPE_OBJECT)

static void
wish_clear(Wish *wish)
{
  g_clear_object(&wish->trajectory);
  g_clear_object(&wish->topology);
  g_clear_object(&wish->dataset);
  debye_alignment_clear(&wish->alignment);
}

static void
wish_free(gpointer data)
{
  wish_clear(data);
  g_free(data);
}

/* Both frames, as it was read and placed, or the error; or both frames and why it is not superposed. */
typedef struct {
  DebyeFrame *frame, *placed;
  GError *error;
} Loaded;

static void
loaded_free(gpointer data)
{
  Loaded *loaded = data;
  g_clear_pointer(&loaded->frame, debye_frame_unref);
  g_clear_pointer(&loaded->placed, debye_frame_unref);
  g_clear_error(&loaded->error);
  g_free(loaded);
}

/* --- The thread --- */

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
source_free(gpointer data)
{
  Source *source = data;
  source_close(source);
  g_clear_pointer(&source->placer, debye_placer_free);
  g_clear_pointer(&source->edit, debye_frame_edit_free);
  debye_alignment_clear(&source->alignment);
  g_free(source);
}

static DebyeFrame *
read_frame(Source *source, const Wish *wish, GError **error)
{
  if (wish->trajectory != source->trajectory)
    source_close(source);
  g_set_object(&source->trajectory, wish->trajectory);
  if (source->reader == NULL)
    source->reader = debye_trajectory_reader_new(source->trajectory, error);
  if (source->reader == NULL)
    return NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(source->trajectory));
  if (frame == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Not enough memory for one more frame");
    return NULL;
  }
  return debye_trajectory_reader_read(source->reader, wish->frame, frame, error) ? g_steal_pointer(&frame)
                                                                                 : NULL;
}

/* Finding the molecules costs far more than placing them: a placer lives as long as its topology counts. */
static DebyeFrame *
place_frame(Source *source, const Wish *wish, DebyeFrame *frame, GError **error)
{
  if (wish->topology == NULL || wish->placing == DEBYE_PLACING_FILE)
    return debye_frame_ref(frame);
  if (source->placer != NULL && debye_placer_get_topology(source->placer) != wish->topology)
    g_clear_pointer(&source->placer, debye_placer_free);
  if (source->placer == NULL)
    source->placer = debye_placer_new(wish->topology);
  return debye_placer_place(source->placer, wish->placing, frame, error);
}

/* Reading the reference is done once; where that fails, it is told once. */
static void
take_alignment(Source *source, const Wish *wish, GError **error)
{
  if (debye_alignment_equal(&wish->alignment, &source->alignment))
    return;
  g_clear_pointer(&source->edit, debye_frame_edit_free);
  debye_alignment_clear(&source->alignment);
  debye_alignment_copy(&source->alignment, &wish->alignment);
  if (wish->alignment.atoms != NULL && wish->dataset != NULL)
    source->edit = debye_alignment_new_edit(&wish->alignment, wish->dataset, error);
}

/* Takes the frame. One that can't be superposed is shown where it is, and that is told. */
static DebyeFrame *
align_frame(Source *source, const Wish *wish, DebyeFrame *placed, GError **error)
{
  g_autoptr(DebyeFrame) frame = placed;
  take_alignment(source, wish, error);
  DebyeFrame *aligned = source->edit != NULL ? debye_alignment_apply(source->edit, frame, error) : NULL;
  return aligned != NULL ? aligned : g_steal_pointer(&frame);
}

static gpointer
work(gpointer wish, gpointer *state, GCancellable *cancellable G_GNUC_UNUSED)
{
  Source *source = *state != NULL ? *state : (*state = g_new0(Source, 1));
  Loaded *loaded = g_new0(Loaded, 1);
  g_autoptr(DebyeFrame) frame = read_frame(source, wish, &loaded->error);
  if (frame != NULL)
    loaded->placed = place_frame(source, wish, frame, &loaded->error);
  if (loaded->placed != NULL) {
    loaded->placed = align_frame(source, wish, loaded->placed, &loaded->error);
    loaded->frame = g_steal_pointer(&frame);
  }
  return loaded;
}

static const DebyeWork loading = {.name = "debye-frames",
                                  .work = work,
                                  .free_request = wish_free,
                                  .free_result = loaded_free,
                                  .free_state = source_free};

/* --- The loader --- */

static gboolean
on_loaded(gpointer data)
{
  g_autoptr(DebyeFrameLoader) self = g_object_ref(data);
  Loaded *loaded = debye_worker_take(self->worker);
  if (loaded != NULL && loaded->frame != NULL)
    g_signal_emit_by_name(self, "loaded", loaded->frame, loaded->placed);
  if (loaded != NULL && loaded->error != NULL)
    g_signal_emit_by_name(self, "failed", loaded->error->message);
  g_clear_pointer(&loaded, loaded_free);
  return G_SOURCE_CONTINUE;
}

DebyeFrameLoader *
debye_frame_loader_new(DebyeTrajectory *trajectory)
{
  DebyeFrameLoader *self = g_object_new(DEBYE_TYPE_FRAME_LOADER, NULL);
  self->newest.trajectory = g_object_ref(trajectory);
  self->worker = debye_worker_new(&loading, on_loaded, self);
  debye_worker_listen(self->worker);
  return self;
}

void
debye_frame_loader_set_trajectory(DebyeFrameLoader *self, DebyeTrajectory *trajectory)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_TRAJECTORY(trajectory));
  g_set_object(&self->newest.trajectory, trajectory);
}

void
debye_frame_loader_request(DebyeFrameLoader *self, gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self));
  if (self->worker == NULL)
    return;
  Wish *wish = g_new(Wish, 1);
  self->newest.frame = frame;
  *wish = self->newest;
  g_object_ref(wish->trajectory);
  wish->topology = wish->topology != NULL ? g_object_ref(wish->topology) : NULL;
  wish->dataset = wish->dataset != NULL ? g_object_ref(wish->dataset) : NULL;
  debye_alignment_copy(&wish->alignment, &self->newest.alignment);
  debye_worker_request(self->worker, wish);
}

static void
request_again(DebyeFrameLoader *self, gsize frame)
{
  debye_frame_loader_request(self, self->newest.frame != NO_FRAME ? self->newest.frame : frame);
}

void
debye_frame_loader_set_placing(DebyeFrameLoader *self, DebyeTopology *topology, DebyePlacing placing,
                               gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_TOPOLOGY(topology));
  g_set_object(&self->newest.topology, topology);
  self->newest.placing = placing;
  request_again(self, frame);
}

void
debye_frame_loader_set_alignment(DebyeFrameLoader *self, DebyeDataset *dataset,
                                 const DebyeAlignment *alignment, gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_DATASET(dataset));
  g_set_object(&self->newest.dataset, dataset);
  debye_alignment_clear(&self->newest.alignment);
  debye_alignment_copy(&self->newest.alignment, alignment);
  request_again(self, frame);
}

void
debye_frame_loader_stop(DebyeFrameLoader *self)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self));
  g_clear_pointer(&self->worker, debye_worker_leave);
}

static void
debye_frame_loader_dispose(GObject *object)
{
  DebyeFrameLoader *self = DEBYE_FRAME_LOADER(object);
  debye_frame_loader_stop(self);
  wish_clear(&self->newest);
  G_OBJECT_CLASS(debye_frame_loader_parent_class)->dispose(object);
}

static void
debye_frame_loader_class_init(DebyeFrameLoaderClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_frame_loader_dispose;
  g_signal_new("loaded", DEBYE_TYPE_FRAME_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
               DEBYE_TYPE_FRAME, DEBYE_TYPE_FRAME);
  g_signal_new("failed", DEBYE_TYPE_FRAME_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRING);
}

static void
debye_frame_loader_init(DebyeFrameLoader *self)
{
  self->newest.frame = NO_FRAME;
}

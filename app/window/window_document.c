/* SPDX-License-Identifier: MIT */
/* What one window has open; made by window_controller.c. */
#include "window_document.h"

#include <string.h>

struct _DebyeWindowDocument {
  GObject parent_instance;
  DebyeWindow *window;     /* borrowed */
  DebyeDocument *document; /* NULL: none */
  DebyeWindowScene *scene; /* NULL: none */
  GListStore *results;
  DebyeJobQueue *jobs;
  gboolean stop_confirmed; /* closing may stop what runs now */
};

G_DEFINE_FINAL_TYPE(DebyeWindowDocument, debye_window_document, G_TYPE_OBJECT)

DebyeWindow *
debye_window_document_get_window(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->window;
}

/* --- The document --- */

DebyeDocument *
debye_window_document_get_document(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->document;
}

DebyeDataset *
debye_window_document_get_dataset(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->document != NULL ? debye_document_get_dataset(self->document) : NULL;
}

guint
debye_window_document_count_frames(DebyeWindowDocument *self)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(self);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  return trajectory != NULL ? (guint)MIN(debye_trajectory_get_n_frames(trajectory), G_MAXINT) : 0;
}

char *
debye_window_document_suggest_name(DebyeWindowDocument *self, const char *ending)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self) && self->document != NULL, NULL);
  const char *path = debye_document_get_paths(self->document)[0];
  g_autofree char *name = g_path_get_basename(path);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat(name, ending, NULL);
}

void
debye_window_document_set_document(DebyeWindowDocument *self, DebyeDocument *document)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self) && document != NULL);
  g_set_object(&self->document, document);
}

void
debye_window_document_tell(DebyeWindowDocument *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self));
  g_signal_emit_by_name(self, "changed");
}

void
debye_window_document_grow(DebyeWindowDocument *self, DebyeDataset *dataset)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self) && self->document != NULL);
  g_autoptr(DebyeDocument) document = debye_document_with_dataset(self->document, dataset);
  g_set_object(&self->document, document);
  g_signal_emit_by_name(self, "grown");
}

/* --- Its scene --- */

DebyeWindowScene *
debye_window_document_get_scene(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->scene;
}

void
debye_window_document_set_scene(DebyeWindowDocument *self, DebyeWindowScene *scene)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self) && scene != NULL);
  g_set_object(&self->scene, scene);
  g_signal_emit_by_name(self, "scene-changed");
}

DebyeFrame *
debye_window_document_get_frame(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->scene != NULL ? debye_window_scene_get_frame(self->scene) : NULL;
}

DebyeFrame *
debye_window_document_get_file_frame(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->scene != NULL ? debye_window_scene_get_file_frame(self->scene) : NULL;
}

gboolean
debye_window_document_has_content(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), FALSE);
  return self->document != NULL && self->scene != NULL;
}

/* --- Its results --- */

GListModel *
debye_window_document_get_results(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return G_LIST_MODEL(self->results);
}

void
debye_window_document_add_result(DebyeWindowDocument *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self) && DEBYE_IS_RESULT(result));
  g_list_store_insert(self->results, 0, result);
}

void
debye_window_document_remove_results(DebyeWindowDocument *self, guint position, guint n_results)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self));
  g_list_store_splice(self->results, position, n_results, NULL, 0);
}

DebyeResult *
debye_window_document_get_result(DebyeWindowDocument *self, guint position)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return g_list_model_get_item(G_LIST_MODEL(self->results), position);
}

/* --- Jobs --- */

DebyeJobQueue *
debye_window_document_get_jobs(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), NULL);
  return self->jobs;
}

void
debye_window_document_add_job(DebyeWindowDocument *self, DebyeJob *job, gboolean computing)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self));
  debye_job_queue_add(self->jobs, job, computing);
  self->stop_confirmed = self->stop_confirmed && !computing;
}

gboolean
debye_window_document_is_computing(DebyeWindowDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self), FALSE);
  return debye_job_queue_count_active(self->jobs) > 0;
}

void
debye_window_document_stop_to_close(DebyeWindowDocument *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_DOCUMENT(self));
  self->stop_confirmed = TRUE;
  debye_job_queue_stop_all(self->jobs);
}

gboolean
debye_window_document_keeps_window(DebyeWindowDocument *self)
{
  return debye_window_document_is_computing(self) && !self->stop_confirmed;
}

/* --- The object --- */

DebyeWindowDocument *
debye_window_document_new(DebyeWindow *window)
{
  DebyeWindowDocument *self = g_object_new(DEBYE_TYPE_WINDOW_DOCUMENT, NULL);
  self->window = window;
  return self;
}

static void
debye_window_document_finalize(GObject *object)
{
  DebyeWindowDocument *self = DEBYE_WINDOW_DOCUMENT(object);
  g_clear_object(&self->jobs);
  g_clear_object(&self->results);
  g_clear_object(&self->scene);
  g_clear_object(&self->document);
  G_OBJECT_CLASS(debye_window_document_parent_class)->finalize(object);
}

static void
debye_window_document_class_init(DebyeWindowDocumentClass *class)
{
  static const char *const names[] = {"scene-changed", "changed", "grown"};
  G_OBJECT_CLASS(class)->finalize = debye_window_document_finalize;
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    g_signal_new(names[i], G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_window_document_init(DebyeWindowDocument *self)
{
  self->results = g_list_store_new(DEBYE_TYPE_RESULT);
  self->jobs = debye_job_queue_new();
}

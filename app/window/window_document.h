/* SPDX-License-Identifier: MIT */
/* What one window has open: the document, the scene that shows it, the results computed of it and the jobs at
 * work. Whoever shows, exports or computes something in a window starts from here.
 *
 * Signals: "scene-changed": another scene is shown from now on; "changed": something was opened, and its scene
 * and results are there; "grown": frames have come to the trajectory. */
#pragma once

#include "app/document/document.h"
#include "app/jobs/job_queue.h"
#include "ui/window/window.h"
#include "window_scene.h"

#define DEBYE_TYPE_WINDOW_DOCUMENT (debye_window_document_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowDocument, debye_window_document, DEBYE, WINDOW_DOCUMENT, GObject)

/* `window` outlives it. */
DebyeWindowDocument *debye_window_document_new(DebyeWindow *window);
DebyeWindow *debye_window_document_get_window(DebyeWindowDocument *self);

/* NULL: nothing is open. */
DebyeDocument *debye_window_document_get_document(DebyeWindowDocument *self);
/* The molecule of the document; NULL: there is none. */
DebyeDataset *debye_window_document_get_dataset(DebyeWindowDocument *self);
guint debye_window_document_count_frames(DebyeWindowDocument *self);
/* "fas2.png" for the structure fas2.pqr. */
char *debye_window_document_suggest_name(DebyeWindowDocument *self, const char *ending);
/* Replaces it; debye_window_document_tell() follows when its scene and results are there. */
void debye_window_document_set_document(DebyeWindowDocument *self, DebyeDocument *document);
/* Emits "changed". */
void debye_window_document_tell(DebyeWindowDocument *self);
/* The same molecule with the frames that have come. */
void debye_window_document_grow(DebyeWindowDocument *self, DebyeDataset *dataset);

/* NULL: nothing is shown yet. */
DebyeWindowScene *debye_window_document_get_scene(DebyeWindowDocument *self);
void debye_window_document_set_scene(DebyeWindowDocument *self, DebyeWindowScene *scene);
/* The frame that the scene shows, and the same as the file has it; NULL: none. */
DebyeFrame *debye_window_document_get_frame(DebyeWindowDocument *self);
DebyeFrame *debye_window_document_get_file_frame(DebyeWindowDocument *self);
/* Something is open and shown. */
gboolean debye_window_document_has_content(DebyeWindowDocument *self);

/* The newest first. (element-type DebyeResult) */
GListModel *debye_window_document_get_results(DebyeWindowDocument *self);
void debye_window_document_add_result(DebyeWindowDocument *self, DebyeResult *result);
void debye_window_document_remove_results(DebyeWindowDocument *self, guint position, guint n_results);
/* A new reference; NULL where there is none at that place. */
DebyeResult *debye_window_document_get_result(DebyeWindowDocument *self, guint position);

DebyeJobQueue *debye_window_document_get_jobs(DebyeWindowDocument *self);
/* `computing`: waits its turn behind other computations; otherwise it starts at once. */
void debye_window_document_add_job(DebyeWindowDocument *self, DebyeJob *job, gboolean computing);
/* Jobs are waiting or running that closing the window stops. */
gboolean debye_window_document_is_computing(DebyeWindowDocument *self);
/* The window is to close: whoever asked for that knows that it stops its jobs. */
void debye_window_document_stop_to_close(DebyeWindowDocument *self);
/* FALSE after that, until something is computed again. */
gboolean debye_window_document_keeps_window(DebyeWindowDocument *self);

/* SPDX-License-Identifier: MIT */
/* Files written from a window: pictures and maps. The asking is here, the writing is a job. */
#pragma once

#include "app/document/document.h"
#include "data/files/picture_origin.h"
#include "data/results/result.h"
#include "render/scene/picture_size.h"
#include "app/jobs/job.h"
#include "app/scene/offscreen_renderer.h"
#include "window_document.h"

/* Gets the path that was chosen. Not called when the user cancels. */
typedef void (*DebyePathChosen)(const char *path, gpointer data);

/* `suffixes`: NULL-terminated pairs of an ending and its description. `data` is the question's: `free_data`
 * (NULL: nothing) is called once it is answered or the window is gone, which takes the question with it. */
void debye_window_exports_choose_path(DebyeWindow *window, const char *title, const char *name,
                                      const char *const *suffixes, DebyePathChosen chosen, gpointer data,
                                      GDestroyNotify free_data);
/* A job that writes a file and is called after it. */
DebyeJob *debye_window_exports_job_new(const char *path, DebyeJobFunc work, gpointer data,
                                       GDestroyNotify free_data);
/* Starts a job that writes a file; what became of it is told. */
void debye_window_exports_add(DebyeWindowDocument *document, DebyeJob *job);
/* Says that what was done of this job until Stop is in its file; else a job that is stopped has written none. On any thread.
 */
void debye_window_exports_keep_stopped(DebyeJob *job);

/* What exports draw for which there is no GL off the main thread; `view` lives as long. */
void debye_window_exports_init_fallback(DebyeFallbackRenderer *fallback, DebyeView3d *view);
/* Lets go of a job's view: on the main thread, as a job's data may be freed on its own thread. */
void debye_window_exports_let_go(DebyeView3d *view);
/* Pixels a logical pixel of a picture so wide: text and lines keep their share of it whatever its size. */
double debye_window_exports_get_scale(DebyeView3d *view, int width);

/* The document's files without what a session kept of what is shown, which was computed of the others. */
char **debye_window_exports_list_inputs(DebyeDocument *document);
/* On a worker thread: the files that a picture is of, for its file to keep. */
void debye_window_exports_find_inputs(DebyePictureOrigin *origin, const char *const *paths);
/* How a picture of the view shall be. */
typedef struct {
  DebyePictureSize size; /* a size in pixels without a scale: text and lines have their share of the window */
  gboolean transparent;  /* no background */
  char *preset;          /* whose look it has; NULL: the window's */
} DebyePictureWish;

/* A job, not yet started: the picture is of a copy of the scene, which may change meanwhile. NULL with an error: it would
 * have too many pixels. A path that ends in .tiff or .tif gets a TIFF. */
DebyeJob *debye_window_exports_create_picture_job(DebyeWindow *window, DebyeDocument *document,
                                                  DebyeWindowScene *scene, const char *path,
                                                  const DebyePictureWish *wish, GError **error);
/* The view as it is seen can be dragged out of the window by the button that exports. */
void debye_window_exports_let_drag(DebyeWindowDocument *document);
/* Writes a result's data, as a job. */
void debye_window_exports_save_result(DebyeWindowDocument *document, DebyeResult *result, const char *path);

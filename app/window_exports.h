/* SPDX-License-Identifier: MIT */
/* Files written from a window: pictures and maps. The asking is here, the writing is a job. */
#pragma once

#include "data/result.h"
#include "jobs/job.h"
#include "ui/window.h"

G_BEGIN_DECLS

/* Gets the path that was chosen. Not called when the user cancels. */
typedef void (*DebyePathChosen)(const char *path, gpointer data);

/* `suffixes`: NULL-terminated pairs of an ending and its description. `data` lives as long as the window. */
void debye_window_exports_choose_path(DebyeWindow *window, const char *title, const char *name,
                                      const char *const *suffixes, DebyePathChosen chosen, gpointer data);
/* Jobs, not yet started. The picture is drawn at once, in the view's GL context; writing it is the job. */
DebyeJob *debye_window_exports_create_picture_job(DebyeWindow *window, const char *path, int width,
                                                  int height, gboolean transparent, GError **error);
DebyeJob *debye_window_exports_create_map_job(DebyeResult *result, const char *path, const char *command);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* What window_controller.c and window_actions.c share: the controller's parts, and the actions' way back to
 * it. */
#pragma once

#include "frame_loader.h"
#include "jobs/job_queue.h"
#include "window_analyses.h"
#include "window_controller.h"
#include "window_scene.h"

G_BEGIN_DECLS

struct _DebyeWindowController {
  GObject parent_instance;
  DebyeWindow *window; /* borrowed: it owns this */
  DebyePreferences *preferences;
  DebyeJobQueue *jobs;
  DebyeWindowAnalyses *analyses;
  GListStore *results; /* newest first */

  DebyeDocument *document;
  DebyeWindowScene *scene;
  DebyeFrameLoader *loader;
  DebyeJob *opening, *computing; /* the newest of their kind */
  char *sample_command;          /* to be run once its files are open */
  gboolean close_confirmed;
};

/* Which actions are possible now. */
void debye_window_controller_update_actions(DebyeWindowController *self);
/* `computing`: waits its turn behind other computations; otherwise it starts at once. */
void debye_window_controller_add_job(DebyeWindowController *self, DebyeJob *job, gboolean computing);
/* Runs what the form says, or a request of an earlier result. */
void debye_window_controller_run_form(DebyeWindowController *self, DebyeAnalysisForm *form);
void debye_window_controller_run_request(DebyeWindowController *self, DebyeRequest *request);
/* A new reference; NULL where there is none at that place. */
DebyeResult *debye_window_controller_get_result(DebyeWindowController *self, guint position);

/* Adds all actions to the window, with this controller as their target. */
void debye_window_actions_add(DebyeWindowController *self);

G_END_DECLS

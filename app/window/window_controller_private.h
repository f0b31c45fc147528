/* SPDX-License-Identifier: MIT */
/* What the files of the window's controller share: its parts, and the ways between them. */
#pragma once

#include "data/molecule/measure.h"
#include "frame_loader.h"
#include "app/jobs/job_queue.h"
#include "trajectory_watcher.h"
#include "window_analyses.h"
#include "window_controller.h"
#include "window_live.h"
#include "window_scene.h"
#include "window_session.h"
#include "window_shell.h"

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
  DebyePlacing placing;            /* how it places molecules */
  DebyeAlignment alignment;        /* and superposes frames */
  DebyeTrajectoryWatcher *watcher; /* NULL: there are no frames */
  DebyeWindowLive *live;
  guint n_live_maps;       /* shown since it was turned on */
  gint64 live_state_time;  /* when its state was last told */
  DebyeWindowShell *shell; /* the pairs shown in 3-D; NULL: none */
  DebyeWindowSession *session;
  DebyeJob *opening, *computing;      /* the newest of their kind */
  DebyeAnalysisForm *waiting;         /* to be run once it is known what its settings give; NULL: none */
  char *sample_name, *sample_command; /* to be run once its files are open */
  guint32 picked[DEBYE_MAX_MEASURED]; /* atoms of the measurement in the making */
  gsize n_picked;
  DebyeLayer *measured;     /* its layer, or the mark of its first atom; NULL: none yet */
  gboolean stop_confirmed;  /* closing may stop what runs now */
  gboolean close_confirmed; /* closing may lose what was changed, too */
  gboolean is_leaving;      /* closed, out of sight, until its last job has ended */
  GtkWidget *question;      /* before it closes; NULL: none is asked */
};

/* Something is open and shown. */
gboolean debye_window_controller_has_content(DebyeWindowController *self);
/* Presents the dialog that asks before the window closes; until it is answered closing again only shows it. */
void debye_window_controller_ask(DebyeWindowController *self, GtkWidget *dialog);
/* `computing`: waits its turn behind other computations; otherwise it starts at once. */
void debye_window_controller_add_job(DebyeWindowController *self, DebyeJob *job, gboolean computing);
/* Runs what the form says, as soon as it is known whether that can run; or a request of an earlier result. */
void debye_window_controller_run_form(DebyeWindowController *self, DebyeAnalysisForm *form);
/* For "notify::can-run". */
void debye_window_controller_run_waiting(DebyeWindowController *self, GParamSpec *spec,
                                         DebyeAnalysisForm *form);
void debye_window_controller_run_request(DebyeWindowController *self, DebyeRequest *request);
/* A new reference; NULL where there is none at that place. */
DebyeResult *debye_window_controller_get_result(DebyeWindowController *self, guint position);

/* A sample's command line waits until the form knows that it can run: for "notify::can-run". */
void debye_window_controller_run_sample(DebyeWindowController *self, GParamSpec *spec,
                                        DebyeAnalysisForm *form);
/* "map --select protein --spacing 0.7" into the form of that analysis, with all else at its defaults. NULL:
 * there is no such analysis. (transfer none) */
DebyeAnalysisForm *debye_window_controller_fill_form(DebyeWindowController *self, const char *command);

/* The document's trajectory on the playback bar, its frames on demand. */
void debye_window_controller_show_trajectory(DebyeWindowController *self);
void debye_window_controller_seek(DebyeWindowController *self, guint frame);
guint debye_window_controller_count_frames(DebyeWindowController *self);
/* The frame shown and those to come with their molecules as the scene's box says, where they are placed in
 * another way. */
void debye_window_controller_place_molecules(DebyeWindowController *self);
/* A map of superposed frames shows the picture's frames superposed alike, on the same reference; any other map
 * of atoms shows them as they are. */
void debye_window_controller_align_with(DebyeWindowController *self, DebyeResult *result);
/* Other elements for the document's atoms, as a job. */
void debye_window_controller_choose_elements(DebyeWindowController *self, const char *const *choices);
/* Other alternate locations, another cell or unit of length for the document, as a job: see dataset_choice.h. */
void debye_window_controller_choose_counted(DebyeWindowController *self, DebyeRequest *choice);
/* For the unit of length and then for the elements of files that don't say them. */
void debye_window_controller_ask_unit(DebyeWindowController *self);
/* Once, before the actions. */
void debye_window_controller_add_live(DebyeWindowController *self, DebyeDevices *devices);
/* Live mode: the map follows the frame shown, as the newest map computed was asked for, or as the form says
 * where there is none. */
void debye_window_controller_set_live(DebyeWindowController *self, gboolean live);
gboolean debye_window_controller_can_be_live(DebyeWindowController *self);
/* The playback bar follows the newest frame or not. */
void debye_window_controller_show_following(DebyeWindowController *self);
/* The playback bar plays or rests. */
void debye_window_controller_show_playing(DebyeWindowController *self);

/* A job that writes a file: it starts at once, and what became of it is told. */
void debye_window_controller_add_export(DebyeWindowController *self, DebyeJob *job);
/* Writes a result's data, as a job. */
void debye_window_controller_save_result(DebyeWindowController *self, DebyeResult *result, const char *path);
/* "fas2.png" for the structure fas2.pqr. */
char *debye_window_controller_suggest_name(DebyeWindowController *self, const char *ending);

/* Measuring in the picture. */
void debye_window_controller_set_measuring(DebyeWindowController *self, gboolean measuring);
void debye_window_controller_pick_atom(DebyeWindowController *self, guint atom);
/* The next click begins a measurement: another scene has come. */
void debye_window_controller_forget_picks(DebyeWindowController *self);
/* All measurements of the scene over the trajectory, as an analysis. */
void debye_window_controller_plot_measurements(DebyeWindowController *self);

/* Opens what a session says, with its files where they are now. */
void debye_window_controller_open_session(DebyeWindowController *self, DebyeSession *session);

G_END_DECLS

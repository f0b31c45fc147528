/* SPDX-License-Identifier: MIT */
/* What the sources of window_opening.h share. */
#pragma once

#include "app/installation/installation.h"
#include "app/jobs/job.h"
#include "app/preparing/prepare_run.h"
#include "window_opening.h"

struct _DebyeWindowOpening {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeWindowFrames *frames;
  DebyePreferences *preferences;
  DebyeJob *job;                      /* the newest; NULL: none is under way */
  gboolean is_plot_alone;             /* the plot has the view's place, which would show nothing */
  gboolean is_unframed;               /* the scene that it goes on with was not seen yet */
  char *sample_name, *sample_command; /* of the sample whose files it opens; NULL: they are none's */
};

/* What a job opens: one of files, elements, choices of what counts, a preparation, a session. */
typedef struct {
  char **paths;
  char **choices;                /* of elements, for `existing`: no files are opened; or NULL */
  DebyeRequest *counted;         /* the same of alternate locations, the cell, the unit of length */
  DebyePreparationOrder order;   /* its request is set: `existing` is to be prepared so */
  DebyeDevices *devices;         /* that titrate it */
  DebyePreparation *preparation; /* `existing` is to be so again; or NULL */
  gboolean is_unprepared;        /* or as its files have it */
  DebyeDocument *existing;
  DebyeSession *session; /* says all of it; or NULL */
  GVariant *scene;       /* that `existing` is shown in, to go on with; or NULL */
  GPtrArray *maps;       /* that the scene numbers */
  gint64 frame;
} DebyeOpening;

gboolean debye_opening_is_of_preparation(const DebyeOpening *opening);
/* Its result is a document. Takes `opening`, which the caller has set. */
DebyeJob *debye_opening_job_new(const char *title, DebyeOpening *opening);

/* Files of a sample, or, where that is NULL, of a person. */
void debye_window_opening_start(DebyeWindowOpening *self, const char *const *paths,
                                const DebyeSample *sample);
/* Opens what a session says, with its files where they are now. */
void debye_window_opening_open_checked(DebyeWindowOpening *self, DebyeSession *session);
/* Other elements for the document's atoms, as a job. */
void debye_window_opening_choose_elements(DebyeWindowOpening *self, const char *const *choices);
/* Other alternate locations, another cell or unit of length for the document, as a job: see dataset_choice.h. */
void debye_window_opening_choose_counted(DebyeWindowOpening *self, DebyeRequest *choice);
/* For the unit of length and then for the elements of files that don't say them. */
void debye_window_opening_ask_unit(DebyeWindowOpening *self);

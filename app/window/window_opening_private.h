/* SPDX-License-Identifier: MIT */
/* What the sources of window_opening.h share. */
#pragma once

#include "app/installation/installation.h"
#include "window_opening.h"

G_BEGIN_DECLS

struct _DebyeWindowOpening {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeWindowFrames *frames;
  DebyePreferences *preferences;
  DebyeJob *job;                      /* the newest; NULL: none is under way */
  gboolean is_unframed;               /* the scene that it goes on with was not seen yet */
  char *sample_name, *sample_command; /* of the sample whose files it opens; NULL: they are none's */
};

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

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* What a window computes: its forms, the jobs made of them, and their results on the way into the scene.
 *
 * Signals: "map-wanted": a map is about to be computed; "map-shown" (DebyeResult): a result's first part is
 * shown, and then the whole. */
#pragma once

#include "window_analyses.h"
#include "window_document.h"

#define DEBYE_TYPE_WINDOW_COMPUTING (debye_window_computing_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowComputing, debye_window_computing, DEBYE, WINDOW_COMPUTING, GObject)

DebyeWindowComputing *debye_window_computing_new(DebyeWindowDocument *document, DebyePreferences *preferences,
                                                 DebyeDevices *devices);
DebyeWindowDocument *debye_window_computing_get_document(DebyeWindowComputing *self);
DebyeWindowAnalyses *debye_window_computing_get_analyses(DebyeWindowComputing *self);
/* Runs what the form says, as soon as it is known whether that can run. NULL is nothing. */
void debye_window_computing_run_form(DebyeWindowComputing *self, DebyeAnalysisForm *form);
/* The same; when the job is done, `show` shows its result in place of what is usual for the analysis. `result` NULL: the
 * form can't run, and says why. */
typedef void (*DebyeWindowShow)(DebyeWindowComputing *self, DebyeResult *result);
void debye_window_computing_run_form_for(DebyeWindowComputing *self, DebyeAnalysisForm *form,
                                         DebyeWindowShow show);
/* The same for a request of an earlier result. `show` NULL: as is usual. */
void debye_window_computing_run_request(DebyeWindowComputing *self, DebyeRequest *request,
                                        DebyeWindowShow show);
/* "map --select protein --spacing 0.7" into the form of that analysis, with all else at its defaults. NULL:
 * there is no such analysis. (transfer none) */
DebyeAnalysisForm *debye_window_computing_fill_form(DebyeWindowComputing *self, const char *command);
/* A sample's command line, of the document that is open now: it waits until the form knows that it can run, and
 * the trajectory plays then. NULL: none waits any more. */
void debye_window_computing_set_sample(DebyeWindowComputing *self, const char *command);

/* Computes the potential of the frame shown by Poisson-Boltzmann's equation and shows it on the molecule's surface. The form
 * of the map has the settings: those that a person set of this method stay. */
void debye_window_electrostatic_show(DebyeWindowComputing *self);

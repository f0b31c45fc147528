/* SPDX-License-Identifier: MIT */
/* The forms of one window: made from the analyses, kept up to date with what the data suggests, what can't
 * run and what a run will cost. All of that is found on worker threads, the newest request winning. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/installation/devices.h"
#include "app/jobs/job.h"
#include "app/document/suggested_atoms.h"
#include "ui/forms/analysis_form.h"
#include "ui/widgets/preferences.h"

#define DEBYE_TYPE_WINDOW_ANALYSES (debye_window_analyses_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowAnalyses, debye_window_analyses, DEBYE, WINDOW_ANALYSES, GObject)

DebyeWindowAnalyses *debye_window_analyses_new(DebyePreferences *preferences, DebyeDevices *devices);
/* That runs use. */
DebyeDevices *debye_window_analyses_get_devices(DebyeWindowAnalyses *self);
/* Devices, threads, memory and what else a person prefers, where the request leaves it open. */
void debye_window_analyses_prefill(DebyeWindowAnalyses *self, DebyeRequest *request);
GListModel *debye_window_analyses_get_forms(DebyeWindowAnalyses *self);
void debye_window_analyses_set_dataset(DebyeWindowAnalyses *self, DebyeDataset *dataset);
/* The atoms that questions about a solute begin with, where the user chose none. */
void debye_window_analyses_advise_atoms(DebyeWindowAnalyses *self, const DebyeSuggestedAtoms *suggested);
DebyeAnalysisForm *debye_window_analyses_find_form(DebyeWindowAnalyses *self, const char *id);
/* A copy that says of the dataset what isn't in a form: the elements that were chosen. */
DebyeRequest *debye_window_analyses_complete_request(DebyeWindowAnalyses *self, DebyeRequest *request);
/* A job, not yet started, that computes what `request` asks for; its result is a DebyeResult. */
DebyeJob *debye_window_analyses_create_job(DebyeWindowAnalyses *self, DebyeRequest *request);

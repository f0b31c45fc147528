/* SPDX-License-Identifier: MIT */
/* What the form of one analysis shows: the request being filled in, what the data suggests, the estimate of
 * time and memory, and why it can't run. The program above fills it; the panel shows it.
 *
 * Property: "can-run" boolean. Signals: "suggested", "advised", "remarked"; "judged": estimate or problem have changed. */
#pragma once

#include "data/settings/request.h"

#define DEBYE_TYPE_ANALYSIS_FORM (debye_analysis_form_get_type())
G_DECLARE_FINAL_TYPE(DebyeAnalysisForm, debye_analysis_form, DEBYE, ANALYSIS_FORM, GObject)

DebyeAnalysisForm *debye_analysis_form_new(const DebyeSettingTable *table);
const DebyeSettingTable *debye_analysis_form_get_table(DebyeAnalysisForm *self);
/* What the user set. */
DebyeRequest *debye_analysis_form_get_request(DebyeAnalysisForm *self);
/* The same with what the data suggests for the rest: what will run. NULL until known. */
DebyeRequest *debye_analysis_form_get_suggested(DebyeAnalysisForm *self);
void debye_analysis_form_set_suggested(DebyeAnalysisForm *self, DebyeRequest *suggested);

/* Writes a value that fits this molecule into the request, with the reason to be shown as long as it stands;
 * one that the user chose stays. */
void debye_analysis_form_advise(DebyeAnalysisForm *self, const char *key, const char *value,
                                const char *reason);
/* What a form starts with: all settings but those of files at their defaults, and what was advised. */
void debye_analysis_form_reset(DebyeAnalysisForm *self);
/* Why the setting has the value it has; NULL where the user chose it. */
const char *debye_analysis_form_get_advice(DebyeAnalysisForm *self, const char *key);

/* A line below the question, about what the settings make; NULL: none. */
void debye_analysis_form_set_remark(DebyeAnalysisForm *self, const char *remark);
const char *debye_analysis_form_get_remark(DebyeAnalysisForm *self);
void debye_analysis_form_set_estimate(DebyeAnalysisForm *self, const char *estimate);
const char *debye_analysis_form_get_estimate(DebyeAnalysisForm *self);
/* The settings have changed, and what is suggested and said of them is of those before, until the next
 * debye_analysis_form_set_problem(). */
void debye_analysis_form_set_outdated(DebyeAnalysisForm *self);
gboolean debye_analysis_form_is_outdated(DebyeAnalysisForm *self);
/* `key` names the setting that is the cause, or NULL; `problem` NULL: it can run. */
void debye_analysis_form_set_problem(DebyeAnalysisForm *self, const char *key, const char *problem);
const char *debye_analysis_form_get_problem(DebyeAnalysisForm *self);
const char *debye_analysis_form_get_problem_key(DebyeAnalysisForm *self);
/* Something typed in the form is no value: what stands in the request isn't what the user sees. */
void debye_analysis_form_set_refused(DebyeAnalysisForm *self, gboolean refused);
gboolean debye_analysis_form_can_run(DebyeAnalysisForm *self);

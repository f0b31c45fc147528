/* SPDX-License-Identifier: MIT */
/* The Analyse side of the side bar: a list of analyses, the form of the chosen one, and what was computed.
 * With one analysis its form stands there at once. */
#pragma once

#include <adwaita.h>

#include "analysis_form.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

#define DEBYE_TYPE_ANALYSIS_PANEL (debye_analysis_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeAnalysisPanel, debye_analysis_panel, DEBYE, ANALYSIS_PANEL, AdwBin)

/* `forms`: of DebyeAnalysisForm. Emits "run" (DebyeAnalysisForm), and "turned" when another form, or the
 * list, is shown. */
void debye_analysis_panel_set_forms(DebyeAnalysisPanel *self, GListModel *forms);
/* For live counts of atoms. */
void debye_analysis_panel_set_system(DebyeAnalysisPanel *self, DebyeTopology *topology, DebyeFrame *frame);
/* `results`: of DebyeResult. */
void debye_analysis_panel_set_results(DebyeAnalysisPanel *self, GListModel *results);
/* The form that is shown now; NULL while the list of analyses is. */
DebyeAnalysisForm *debye_analysis_panel_get_form(DebyeAnalysisPanel *self);
void debye_analysis_panel_show_form(DebyeAnalysisPanel *self, DebyeAnalysisForm *form);

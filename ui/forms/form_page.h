/* SPDX-License-Identifier: MIT */
/* The form of one analysis: basic settings on top, the others behind "More", and a foot that always shows
 * what a run will cost, and Run. Ctrl+Z and Ctrl+Shift+Z in it are of its settings (request_history.h), as
 * those elsewhere in the window are of the scene: nobody wants a layer back that is on another page. Where
 * the form has nothing to undo they do nothing. */
#pragma once

#include <adwaita.h>

#include "analysis_form.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

#define DEBYE_TYPE_FORM_PAGE (debye_form_page_get_type())
G_DECLARE_FINAL_TYPE(DebyeFormPage, debye_form_page, DEBYE, FORM_PAGE, GtkBox)

/* Emits "run". */
GtkWidget *debye_form_page_new(DebyeAnalysisForm *form);
DebyeAnalysisForm *debye_form_page_get_form(DebyeFormPage *self);
void debye_form_page_set_system(DebyeFormPage *self, DebyeTopology *topology, DebyeFrame *frame);
/* A widget at the end of the scrolled part. */
void debye_form_page_append(DebyeFormPage *self, GtkWidget *widget);

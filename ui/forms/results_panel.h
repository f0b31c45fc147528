/* SPDX-License-Identifier: MIT */
/* What was computed: a row a result. Hovering shows how it was made; a menu runs it again, copies its command
 * or exports it, through the window's actions result-run-again, result-copy-command, result-export and
 * result-remove, whose parameter is the result's place in the list; of a map it offers what map_menu.h has. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_RESULTS_PANEL (debye_results_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeResultsPanel, debye_results_panel, DEBYE, RESULTS_PANEL, GtkBox)

/* `results`: of DebyeResult. Hidden while it is empty. */
GtkWidget *debye_results_panel_new(GListModel *results);

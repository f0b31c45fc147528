/* SPDX-License-Identifier: MIT */
/* One curve of a plot as a row of look_panel.c: colour, name, dash, width and marker. */
#pragma once

#include <adwaita.h>

#include "render/look/result_look.h"

#define DEBYE_TYPE_CURVE_ROW (debye_curve_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeCurveRow, debye_curve_row, DEBYE, CURVE_ROW, AdwPreferencesRow)

GtkWidget *debye_curve_row_new(DebyeResultLook *look, DebyePlot *plot, guint series);

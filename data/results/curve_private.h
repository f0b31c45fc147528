/* SPDX-License-Identifier: MIT */
/* For readers of curves. Private to this folder. */
#pragma once

#include "array_private.h"
#include "curve.h"

/* Rows as a reader finds them. */
typedef struct {
  GArray *x, *y, *errors, *resolution;     /* double; of the last two all NAN: not known */
  char *x_name, *y_name, *x_unit, *y_unit; /* NULL: q, intensity and no unit */
} DebyeCurvePoints;

void debye_curve_points_init(DebyeCurvePoints *points);
void debye_curve_points_clear(DebyeCurvePoints *points);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeCurvePoints, debye_curve_points_clear)
void debye_curve_points_add(DebyeCurvePoints *points, double x, double y, double error, double resolution);
/* Named after the file. An error where there is no point, or an x that isn't finite. */
DebyeCurve *debye_curve_points_finish(const DebyeCurvePoints *points, DebyeInput *input, GError **error);
/* The file's name without its extension. */
char *debye_curve_make_name(DebyeInput *input);

/* Each reads one kind of file. `columns` NULL: found. */
DebyeCurve *debye_curve_read_text(DebyeInput *input, const DebyeCurveColumns *columns, GError **error);
DebyeCurve *debye_curve_read_gnom(DebyeInput *input, GError **error);
DebyeCurve *debye_curve_read_xml(DebyeInput *input, GError **error);
DebyeCurve *debye_curve_read_nexus(DebyeInput *input, GError **error);

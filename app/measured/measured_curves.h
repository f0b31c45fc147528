/* SPDX-License-Identifier: MIT */
/* The measured curves of a window's plot with the files that they come from: read on a thread, kept by sessions. One whose
 * file can't be read stays in the session. */
#pragma once

#include "app/jobs/job.h"
#include "ui/plot/plot_choices.h"

#define DEBYE_TYPE_MEASURED_CURVES (debye_measured_curves_get_type())
G_DECLARE_FINAL_TYPE(DebyeMeasuredCurves, debye_measured_curves, DEBYE, MEASURED_CURVES, GObject)

/* Whether a name ends as that of a text file with columns, which is a measured curve beside a plot. */
gboolean debye_measured_curves_is_one(const char *path);
DebyeMeasuredCurves *debye_measured_curves_new(DebyePlotChoices *choices);
/* A job, to be started, that reads the curve; at its end it is in the plot. */
DebyeJob *debye_measured_curves_read(DebyeMeasuredCurves *self, const char *path);
/* The values of a session. `folder`: where it will lie; NULL: not known. */
void debye_measured_curves_save(DebyeMeasuredCurves *self, GVariantDict *values, const char *folder);
/* In the place of all that there are. `folder`: the session's. (element-type DebyeJob): one for each curve, to be started. */
GPtrArray *debye_measured_curves_restore(DebyeMeasuredCurves *self, GVariant *values, const char *folder);

/* SPDX-License-Identifier: MIT */
/* Fits the scale and background of a measured curve to I(q) and keeps both with the result;
 * intensity/scattering_job.c calls it. */
#pragma once

#include "data/results/result.h"

G_BEGIN_DECLS

/* The file that the setting “measured” names, rows of q, intensity and error, against the result's first
 * curve: a curve on that one's scale, the table “fit” and a note. Nothing where none is named. FALSE with an
 * error where it can't be read or fitted. */
gboolean debye_scattering_measured_add(DebyeResult *result, const char *path, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* Fits the laws of small angles to curves: what `debye-cli fit` does. */
#pragma once

#include "data/results/result.h"

/* Of the file of a computed or measured curve, NULL: none, and of the one that the setting “data” names. The result has a table
 * DEBYE_TABLE_OF_FITS, a row per fit and curve, and the curves of each kind of plot. FALSE with an error where nothing
 * was asked for, q has no unit, or a fit has too few points. */
DebyeResult *debye_fit_run(DebyeRequest *request, const char *path, GError **error);

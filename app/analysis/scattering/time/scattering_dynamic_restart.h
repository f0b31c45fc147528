/* SPDX-License-Identifier: MIT */
/* Continues scattering in time: turns the rows of an earlier result into signals again. scattering_dynamic.c
 * calls it. */
#pragma once

#include "scattering_dynamic_result.h"
#include "app/analysis/scattering/intensity/scattering_restart.h"

/* The numbers of the rows that the earlier result (NULL: none) has not. NULL with an error where it
 * isn't made of such rows or has one that this job has not. (element-type guint) */
GArray *debye_scattering_dynamic_find_left(DebyeResult *earlier,
                                           const DebyeIntermediateScattering *scattering, GError **error);

/* Those that it has into the signals, instead of what is there. FALSE with an error where it holds other
 * times or partials. */
gboolean debye_scattering_dynamic_restore(DebyeResult *earlier, const DebyeIntermediateScattering *scattering,
                                          const DebyeIntermediateScatteringData *found, GError **error);

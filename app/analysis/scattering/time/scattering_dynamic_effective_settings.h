/* SPDX-License-Identifier: MIT */
/* Records in the request the values that the data decided for unset settings of scattering in time;
 * scattering_dynamic_result.c calls it. */
#pragma once

#include "intermediate_scattering.h"

G_BEGIN_DECLS

/* As debye_scattering_set_effective_settings, with `n_times` times. */
void debye_scattering_set_effective_dynamic_settings(DebyeRequest *request,
                                                     const DebyeIntermediateScattering *scattering,
                                                     gsize n_times, double volume);

G_END_DECLS

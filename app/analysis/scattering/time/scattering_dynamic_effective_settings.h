/* SPDX-License-Identifier: MIT */
/* What scattering in time took for the settings that the data decide. */
#pragma once

#include "intermediate_scattering.h"

G_BEGIN_DECLS

/* As debye_scattering_set_effective_settings, with `n_times` times. */
void debye_scattering_set_effective_dynamic_settings(DebyeRequest *request,
                                                     const DebyeIntermediateScattering *scattering,
                                                     gsize n_times, double volume);

G_END_DECLS

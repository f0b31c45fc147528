/* SPDX-License-Identifier: MIT */
/* What scattering took for the settings that the data decide, so that its result tells all of them. */
#pragma once

#include "app/analysis/scattering/system/scattering_plan.h"

G_BEGIN_DECLS

/* `request` is the result's own; `volume`: mean of the frames' cells, Å³, 0 or NAN where there are none. */
void debye_scattering_set_effective_settings(DebyeRequest *request, const DebyeScatteringPlan *plan,
                                             double volume);

G_END_DECLS

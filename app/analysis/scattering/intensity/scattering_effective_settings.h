/* SPDX-License-Identifier: MIT */
/* Records in the request the values that the data decided for unset settings of I(q); scattering_result.c
 * calls it, and time/scattering_dynamic_result.c for its part. */
#pragma once

#include "app/analysis/scattering/system/scattering_plan.h"

G_BEGIN_DECLS

/* `request` is the result's own; `volume`: mean of the frames' cells, Å³, 0 or NAN where there are none. */
void debye_scattering_set_effective_settings(DebyeRequest *request, const DebyeScatteringPlan *plan,
                                             double volume);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* Foresees the rounding error of amplitudes in single precision; called by the runs of I(q) and in time once
 * they know their devices. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "data/results/result.h"

/* What single precision may cost, relative to the largest value. */
#define DEBYE_SCATTERING_ROUNDING 1e-6

/* Sums over vectors one by one: sets plan->rounding to the expected error of single precision, relative to the
 * largest value, and plan->double_precision if it exceeds DEBYE_SCATTERING_ROUNDING and the setting
 * “precision” leaves the choice. From some vectors of the plan's first frame. */
void debye_scattering_rounding_settle(DebyeScatteringPlan *plan, const DebyeDeviceEntry *const *devices,
                                      gsize n_devices);
/* Says why double precision was chosen, or warns where it was not. */
void debye_scattering_rounding_add_note(const DebyeScatteringPlan *plan, DebyeResult *result);

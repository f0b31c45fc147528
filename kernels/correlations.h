/* SPDX-License-Identifier: MIT */
/* Signal processing of many series on all devices at once (correlation.h): series shared over lanes. */
#pragma once

#include "correlation.h"
#include "lanes.h"

/* Processes n_series series, as DebyeCorrelationKernel's execute does; settings.max_series and
 * spare_processors are set for each lane. INVALID names the series and frame that is not a number. */
DebyeStatusCode debye_correlations_execute(const DebyeCorrelationSettings *settings,
                                           const DebyeDeviceEntry *const *devices, size_t n_devices,
                                           const double *a, const double *b, size_t n_series, double *out,
                                           const volatile bool *cancel, DebyeStatus *status);

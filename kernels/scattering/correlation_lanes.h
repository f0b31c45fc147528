/* SPDX-License-Identifier: MIT */
/* Signal processing of many series on all devices at once (correlation.h): series shared over lanes. */
#pragma once

#include "correlation.h"
#include "kernels/registry.h"

typedef struct {
  DebyeCorrelationSettings correlation; /* max_series and spare_cores are set for each lane */
  uint64_t memory_limit;                /* bytes a device may take; 0: what it has */
} DebyeCorrelationLanesSettings;

/* Processes n_series series, as DebyeCorrelationKernel's execute does. INVALID names the series and frame
 * that is not a number. */
DebyeStatusCode debye_correlation_lanes_execute(const DebyeCorrelationLanesSettings *settings,
                                                const DebyeDeviceEntry *const *devices, size_t n_devices,
                                                const double *series, size_t n_series, double *out,
                                                const volatile bool *cancel, DebyeStatus *status);

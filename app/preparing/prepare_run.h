/* SPDX-License-Identifier: MIT */
/* A preparation as a window's job: its progress, what stops it, and the devices that titrate. Called by window_opening.c on the
 * job's thread. */
#pragma once

#include "app/document/preparation.h"
#include "app/installation/devices.h"
#include "app/jobs/job.h"

DebyePreparation *debye_prepare_run(DebyeJob *job, DebyeDataset *origin, const DebyePreparationOrder *order,
                                    DebyeDevices *devices, GError **error);

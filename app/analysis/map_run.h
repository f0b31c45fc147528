/* SPDX-License-Identifier: MIT */
/* Computing a map that is planned. */
#pragma once

#include "analysis.h"

G_BEGIN_DECLS

/* DebyeAnalysis.run of the map. */
DebyeResult *debye_map_run(const DebyeRunInput *input, GError **error);

/* The devices that the request names, with its threads and memory applied. 0 with an error. */
gsize debye_map_choose_devices(const DebyeRegistry *registry, DebyeRequest *request,
                               const DebyeDeviceEntry **devices, gsize max, GError **error);

G_END_DECLS

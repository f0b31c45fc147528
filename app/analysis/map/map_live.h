/* SPDX-License-Identifier: MIT */
/* The map of whatever frame a window shows: planned once, then computed for one frame after the other. */
#pragma once

#include <stdbool.h>

#include "data/trajectory/dataset.h"
#include "data/results/field.h"
#include "data/settings/request.h"
#include "kernels/registry.h"

typedef struct _DebyeMapLive DebyeMapLive;

/* `request`: of a map. Its statistic and all but the first of its frames are left aside. The grid is that of
 * the request's first frame, for all; where frames are superposed or centred, a map's values are those that
 * the average takes of its frame, on that grid moved back to the frame's own atoms, which a window shows
 * where they are. Reads the first frame and starts the devices: not for the main thread. */
DebyeMapLive *debye_map_live_new(DebyeDataset *dataset, DebyeRequest *request, const DebyeRegistry *registry,
                                 GError **error);
void debye_map_live_free(DebyeMapLive *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMapLive, debye_map_live_free)

/* The frame's map, in the request's unit. Its memory is that of an earlier one which nobody shows any more:
 * nothing large is allocated. NULL without an error where `cancel` ended it. One thread at a time. */
DebyeField *debye_map_live_compute(DebyeMapLive *live, const DebyeFrame *frame, const volatile bool *cancel,
                                   GError **error);
/* For tests: the number of maps allocated so far, which shows that no frame allocates one. */
guint debye_map_live_get_n_allocated(DebyeMapLive *live);

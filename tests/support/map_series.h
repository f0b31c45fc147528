/* SPDX-License-Identifier: MIT */
/* A structure with charges, a trajectory of it and fake devices beside the processor, for tests of maps over many frames. */
#pragma once

#include "app/analysis/driver/analysis.h"

typedef struct {
  char *folder, *structure, *trajectory; /* paths */
  DebyeDataset *dataset;
  DebyeRegistry *registry;
} DebyeMapSeries;

/* Of texts: a PQR file, and frames in the format of the suffix. */
void debye_map_series_init(DebyeMapSeries *self, int n_devices, const char *pqr, const char *suffix,
                           const char *frames);
/* Other frames in their place. */
void debye_map_series_replace(DebyeMapSeries *self, const char *frames);
/* All plans of the devices must be gone. */
void debye_map_series_clear(DebyeMapSeries *self);

/* For a map, with more settings as key, value. */
DebyeRequest *debye_map_series_ask(const char *device, const char *const *common, const char *const *more);
DebyeResult *debye_map_series_run(const DebyeMapSeries *self, DebyeRequest *request,
                                  const DebyeRunCallbacks *callbacks, GError **error);
gboolean debye_map_series_has_note(DebyeResult *result, const char *part);

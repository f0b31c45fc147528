/* SPDX-License-Identifier: MIT */
/* The settings of measurements: their table and its values. */
#pragma once

#include "data/molecule/measure.h"
#include "app/analysis/driver/common_settings.h"

typedef struct {
  const char *atoms, *frames;
  DebyeJobSettings job;
} DebyeMeasureSettings;

extern const DebyeSettingTable debye_measure_settings;

/* Two to four atoms. */
typedef struct {
  guint32 atoms[DEBYE_MAX_MEASURED];
  gsize n_atoms;
} DebyeMeasurement;

/* The setting “atoms”: "0,5; 3,4,5", 0-based indices of a system of `n_system`.
 * (element-type DebyeMeasurement); NULL with an error. */
GArray *debye_measure_parse(const char *text, gsize n_system, GError **error);

/* SPDX-License-Identifier: MIT */
/* The settings of exported coordinates: their table, for the window's dialog and debye-cli export, and its values, for
 * coordinate_export.c. */
#pragma once

#include "app/analysis/driver/common_settings.h"

typedef struct {
  const char *frames, *select, *center;
  gboolean wrap, unwrap, whole, has_wrap, has_unwrap;
  DebyeVec3 translate;
  gboolean has_translate;
  double precision; /* NAN: not set */
  DebyeSuperposeSettings superposing;
} DebyeCoordinateExportSettings;

extern const DebyeSettingTable debye_coordinate_export_settings;

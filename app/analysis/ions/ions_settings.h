/* SPDX-License-Identifier: MIT */
/* The settings of the placement of ions: their table, for forms and debye-cli ions, and its values. */
#pragma once

#include "app/analysis/map/map_settings.h"
#include "ion_kinds.h"

typedef struct {
  DebyeMapSettings
      map; /* before the first ion. It must be the first member: rows of the map are filled as in its table */
  int cation, anion;    /* of debye_cation_choices, debye_anion_choices */
  const char *count;    /* "12,8" */
  double concentration; /* mol/L; NAN: not set */
  gboolean neutralise, has_neutralise;
  double distance, ion_distance; /* Å */
  DebyeIonNames names;
  gint64 frame;
} DebyeIonsSettings;
G_STATIC_ASSERT(offsetof(DebyeIonsSettings, map) == 0);

extern const DebyeSettingTable debye_ions_settings;

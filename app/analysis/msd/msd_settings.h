/* SPDX-License-Identifier: MIT */
/* The settings of mean square displacements: their table, for forms and debye-cli msd, and its values. */
#pragma once

#include "app/analysis/driver/common_settings.h"

typedef enum {
  DEBYE_MSD_ATOMS,
  DEBYE_MSD_RESIDUES,
  DEBYE_MSD_MOLECULES,
} DebyeMsdCentres;

typedef struct {
  const char *select, *frames;
  DebyeMsdCentres centres;
  double lags;     /* ps, or frames; NAN: not set */
  const char *fit; /* t0:t1 */
  gint64 blocks;
  double viscosity;   /* mPa·s; NAN: not set */
  double temperature; /* K */
  gboolean unwrap;
  DebyeLaneSettings lanes;
  DebyeJobSettings job;
} DebyeMsdSettings;

extern const DebyeSettingTable debye_msd_settings;

/* SPDX-License-Identifier: MIT */
/* The settings of structures made ready: their table, for debye-cli prepare, and its values, for prepare_job.c. */
#pragma once

#include "app/analysis/driver/common_settings.h"
#include "data/settings/request.h"
#include "data/prepare/prepare.h"

typedef struct {
  double ph;
  DebyeTitration titrate;
  DebyeChargeTable table;
  gboolean renames;
  const char *keep;
  gboolean drops_water, optimises, has_keep, has_model;
  gint64 model;        /* from 1 */
  const char *states;  /* file; NULL or empty: none */
  const char *ligands; /* files, a line each; NULL or empty: none */
  gint64 assembly;     /* 0: none, the atoms as the file has them */
  DebyeTermini termini;
  double solute_permittivity; /* of titrations, */
  double ionic_strength;      /* mol/l */
  DebyeLaneSettings lanes;
} DebyePrepareJobSettings;

extern const DebyeSettingTable debye_prepare_settings;

/* Whether states are decided by a titration, which takes devices. */
gboolean debye_prepare_settings_titrate(DebyeRequest *request);

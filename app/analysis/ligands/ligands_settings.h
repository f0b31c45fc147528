/* SPDX-License-Identifier: MIT */
/* The settings of implicit ligand sampling: their table, for forms and debye-cli ligands, and its values. */
#pragma once

#include "app/analysis/driver/common_settings.h"

typedef enum {
  DEBYE_FORCE_FIELD_FILES,
  DEBYE_FORCE_FIELD_TABLE,
} DebyeForceField;

typedef enum {
  DEBYE_COMBINING_LORENTZ_BERTHELOT,
  DEBYE_COMBINING_GEOMETRIC,
} DebyeCombiningRule;

/* None, and DebyeChargeSource's from 1 on. */
typedef enum {
  DEBYE_LIGAND_CHARGES_NONE,
} DebyeLigandCharges;

typedef enum {
  DEBYE_FREE_ENERGY_KCAL,
  DEBYE_FREE_ENERGY_KJ,
  DEBYE_FREE_ENERGY_KT,
} DebyeFreeEnergyUnit;

typedef struct {
  const char *ligand;     /* a name or a file */
  const char *parameters; /* files, one a line; NULL or empty: none */
  const char *select, *frames;
  DebyeForceField force_field;
  DebyeCombiningRule combining;
  DebyeLigandCharges charges;
  DebyeFreeEnergyUnit unit;
  gint64 orientations, subsamples, blocks;
  double cutoff, temperature, spacing, padding; /* Å, K; NAN: not set */
  gboolean has_padding;
  DebyeVec3 origin; /* Å */
  gboolean has_origin;
  gsize shape[3]; /* all zero: not set */
  gboolean has_shape;
  double cavities; /* in the map's unit */
  gboolean has_cavities;
  DebyeVec3 bulk; /* Å */
  gboolean has_bulk;
  DebyeSuperposeSettings superposing;
  DebyeJobSettings job;
  DebyeLaneSettings lanes;
} DebyeLigandsOptions;

extern const DebyeSettingTable debye_ligands_settings;

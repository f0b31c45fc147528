/* SPDX-License-Identifier: MIT */
/* The settings of maps of orbitals and densities: their table, for forms and debye-cli orbital, and its values. */
#pragma once

#include "app/analysis/driver/common_settings.h"

typedef struct {
  const char *orbitals; /* a line each */
  gboolean density, spin, laplacian, potential;
  const char *points;      /* file */
  double spacing, padding; /* Å */
  gboolean has_padding;
  DebyeVec3 origin;
  gboolean has_origin;
  gsize shape[3];
  gboolean has_shape;
  DebyeJobSettings job;
  DebyeLaneSettings lanes;
} DebyeOrbitalChoices;

extern const DebyeSettingTable debye_orbital_settings;

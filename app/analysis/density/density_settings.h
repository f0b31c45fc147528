/* SPDX-License-Identifier: MIT */
/* The settings of density maps and profiles: their table, for forms and debye-cli density, and its values. */
#pragma once

#include "app/analysis/driver/common_settings.h"

typedef enum {
  DEBYE_WEIGHT_NUMBER,
  DEBYE_WEIGHT_OCCUPANCY,
  DEBYE_WEIGHT_MASS,
  DEBYE_WEIGHT_CHARGE,
  DEBYE_WEIGHT_ELECTRONS,
  DEBYE_WEIGHT_Z,
  DEBYE_WEIGHT_DIPOLE,
} DebyeDensityWeight;

typedef enum {
  DEBYE_PROFILE_NONE,
  DEBYE_PROFILE_X,
  DEBYE_PROFILE_Y,
  DEBYE_PROFILE_Z,
  DEBYE_PROFILE_RADIAL,
  DEBYE_PROFILE_AXIAL,
  DEBYE_PROFILE_PROXIMAL,
} DebyeDensityProfileKind;

typedef struct {
  DebyeDensityWeight weight;
  const char *select, *about, *center, *frames; /* selections; NULL or empty: none */
  gboolean copies;
  double spacing, padding, gaussian, max; /* Å; NAN: not set */
  gboolean has_padding;
  const char *bins; /* N or N,N,N */
  DebyeVec3 origin; /* Å */
  gboolean has_origin;
  gsize shape[3]; /* all zero: not set */
  gboolean has_shape;
  DebyeDensityProfileKind profile;
  gboolean symmetrise, relative;
  const char *blobs; /* a file; NULL or empty: none */
  double level;      /* of the map in it; NAN: not set */
  DebyeVec3 blob_at; /* Å: the blob there alone */
  gboolean has_blob_at;
  DebyeChargeSource charges;
  gint64 blocks;
  DebyeJobSettings job;
  DebyeLaneSettings lanes;
} DebyeDensityOptions;

extern const DebyeSettingTable debye_density_settings;

/* Whether a text setting asks for something. */
static inline gboolean
debye_density_is_asked(const char *text)
{
  return text != NULL && *text != '\0';
}

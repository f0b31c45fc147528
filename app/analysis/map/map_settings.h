/* SPDX-License-Identifier: MIT */
/* The settings of electrostatic maps: their table, for forms and debye-cli map, and its values, which placed ions share. */
#pragma once

#include "app/analysis/driver/common_settings.h"
#include "data/settings/request.h"
#include "kernels/potential/potential.h"
#include "map_statistic.h"

G_BEGIN_DECLS

typedef enum {
  DEBYE_PRECISION_AUTO,
  DEBYE_PRECISION_SINGLE,
  DEBYE_PRECISION_DOUBLE,
} DebyePrecision;

/* The cell's vectors along which images are: of the choices of “periodic”, in their order. */
typedef enum {
  DEBYE_MAP_PERIODIC_NONE,
  DEBYE_MAP_PERIODIC_X,
  DEBYE_MAP_PERIODIC_Y,
  DEBYE_MAP_PERIODIC_Z,
  DEBYE_MAP_PERIODIC_XY,
  DEBYE_MAP_PERIODIC_XZ,
  DEBYE_MAP_PERIODIC_YZ,
  DEBYE_MAP_PERIODIC_XYZ,
} DebyeMapPeriodic;

typedef struct {
  DebyePotentialMethod method;
  int variant; /* of the table's choices, debye_map_settings_get_variant() */
  gboolean has_variant;
  double cutoff; /* Å; NAN: not set */
  DebyeSmoothing smoothing;
  DebyeMapPeriodic periodic;
  gboolean has_periodic;
  double ewald_width, bin_size; /* Å; NAN: not set */
  gint64 bin_capacity;
  double spacing; /* Å; NAN: not set */
  double padding; /* Å */
  gboolean has_padding;
  DebyeVec3 origin; /* Å */
  gboolean has_origin;
  gsize shape[3]; /* all zero: not set */
  gboolean has_shape;
  const char *frames;
  DebyeMapStatistic statistic;
  gint64 blocks;
  DebyeSuperposeSettings superposing;
  const char *center, *select;
  DebyeChargeSource charges;
  DebyePotentialUnit unit;
  double temperature, permittivity; /* K */
  double core_radius;               /* Å */
  DebyePrecision precision;
  double tolerance; /* NAN: not set */
  DebyeJobSettings job;
  DebyeLaneSettings lanes;
} DebyeMapSettings;

extern const DebyeSettingTable debye_map_settings;

/* The name of the teaching variant; NULL: none is asked for. */
const char *debye_map_settings_get_variant(const DebyeMapSettings *settings);
/* "xy", as the choice is called. */
const char *debye_map_periodic_name(DebyeMapPeriodic periodic);

G_END_DECLS

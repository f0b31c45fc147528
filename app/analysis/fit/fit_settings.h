/* SPDX-License-Identifier: MIT */
/* What `debye-cli fit` can be told, and its texts as numbers. */
#pragma once

#include "data/results/curve.h"
#include "data/settings/request.h"
#include "fit_points.h"

typedef struct {
  const char *curve_unit, *data, *data_unit, *intensity_unit, *data_columns;
  double data_resolution; /* standard deviation of q over q; NAN: as in the file */
  const char *q_range, *mask;
  const char *guinier, *power_law, *porod, *pr; /* NULL: not asked for */
  gboolean kratky;
  double concentration; /* mg/ml; NAN: not given */
  double mass_contrast; /* cm/g */
} DebyeFitSettings;

extern const DebyeSettingTable debye_fit_table;

/* What stands for a range that is to be found. */
#define DEBYE_FIT_FOUND "auto"

/* "QMIN:QMAX" in Å⁻¹, either of which may be left out; `label` begins the error. */
gboolean debye_fit_range_parse(const char *text, const char *label, DebyeFitRange *range, GError **error);
/* The ranges of a setting that is repeated. (element-type DebyeFitRange) */
GArray *debye_fit_masks_parse(const char *text, GError **error);
/* "X,Y[,ERROR[,RESOLUTION]]". */
gboolean debye_fit_columns_parse(const char *text, DebyeCurveColumns *columns, GError **error);

/* SPDX-License-Identifier: MIT */
/* The settings of pair distributions: their table, for forms and debye-cli rdf, and its values, for all that computes. */
#pragma once

#include "app/analysis/driver/common_settings.h"
#include "kernels/pairs/pair_histogram.h"

typedef enum {
  DEBYE_RDF_NORM_PAIRS,
  DEBYE_RDF_NORM_DENSITY,
} DebyeRdfNorm;

typedef enum {
  DEBYE_WINDOW_NONE,
  DEBYE_WINDOW_LORCH,
} DebyeRdfWindow;

typedef enum {
  DEBYE_STRUCTURE_FABER_ZIMAN,
  DEBYE_STRUCTURE_ASHCROFT_LANGRETH,
} DebyeStructureConvention;

typedef struct {
  const char *pairs; /* "A | B", one a line */
  gboolean partials;
  const char *select, *frames;
  double max, width; /* Å; max NAN: not set, INFINITY: the farthest nearest image */
  gint64 bins;
  gboolean has_bins;
  const char *exclude;
  DebyePairImages images;
  gboolean geometric_factor;
  gboolean self_images;
  DebyeRdfNorm norm;
  double density; /* Å⁻³ */
  gboolean has_density;
  gint64 blocks;
  const char *structure_factor; /* min:max:step, Å⁻¹ */
  DebyeRdfWindow window;
  DebyeStructureConvention convention;
  double temperature; /* K */
  DebyeJobSettings job;
  DebyeLaneSettings lanes;
} DebyeRdfSettings;

extern const DebyeSettingTable debye_rdf_settings;

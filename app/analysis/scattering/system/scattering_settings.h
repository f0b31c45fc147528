/* SPDX-License-Identifier: MIT */
/* The settings of scattering: their table, from which form, options and attributes come, and its values. */
#pragma once

#include "app/analysis/driver/atom_kinds.h"
#include "app/analysis/driver/common_settings.h"
#include "data/tables/xray_factors.h"
#include "kernels/scattering/correlation.h"

typedef enum {
  DEBYE_PROBE_NEUTRON,
  DEBYE_PROBE_XRAY,
} DebyeProbe;

typedef enum {
  DEBYE_SCATTERING_COHERENT,
  DEBYE_SCATTERING_INCOHERENT,
  DEBYE_SCATTERING_TOTAL,
} DebyeScatteringPart;

typedef enum {
  DEBYE_NORMALISE_ATOM,
  DEBYE_NORMALISE_RAW,
  DEBYE_NORMALISE_WEIGHT,
  DEBYE_NORMALISE_ABSOLUTE,
  DEBYE_NORMALISE_FABER_ZIMAN,
} DebyeScatteringNorm;

typedef enum {
  DEBYE_SPECTRUM_WINDOW_HANN,
  DEBYE_SPECTRUM_WINDOW_GAUSSIAN,
  DEBYE_SPECTRUM_WINDOW_NONE,
} DebyeSpectrumWindow;

typedef enum {
  DEBYE_FREQUENCY_MEV,
  DEBYE_FREQUENCY_PER_PS,
} DebyeFrequencyUnit;

typedef enum {
  DEBYE_SCATTERING_PRECISION_AUTO,
  DEBYE_SCATTERING_PRECISION_SINGLE,
  DEBYE_SCATTERING_PRECISION_DOUBLE,
} DebyeScatteringPrecision;

/* Volumes that atoms displace; the second three don't fall off with q. */
typedef enum {
  DEBYE_DISPLACED_TABLE,
  DEBYE_DISPLACED_SPHERE,
  DEBYE_DISPLACED_GAUSSIAN,
  DEBYE_DISPLACED_TABLE_FLAT,
  DEBYE_DISPLACED_SPHERE_FLAT,
  DEBYE_DISPLACED_GAUSSIAN_FLAT,
} DebyeDisplacedKind;

/* Texts are NULL where nothing is set. */
typedef struct {
  DebyeProbe probe;
  DebyeScatteringPart kind;
  const char *q, *orientation, *q_vectors, *hkl;
  gint64 shell_vectors;
  gboolean has_shell_vectors;
  gint64 seed;
  const char *select, *frames;
  DebyeScatteringNorm normalise;
  double volume; /* Å³; NAN: not set */
  DebyeAtomKindSettings atoms;
  gboolean contrast_series;
  DebyeXrayTable form_factors;
  DebyeXrayHydrogen hydrogen;
  const char *solvent;
  DebyeDisplacedKind displaced;
  gboolean box_correction, has_box_correction;
  gint64 blocks;
  gboolean dynamic;
  DebyeSignal signal;
  double lags; /* ps, or frames; NAN: not set */
  gboolean spectrum;
  DebyeSpectrumWindow window;
  const char *resolution;
  DebyeFrequencyUnit frequency;
  gboolean detailed_balance;
  double temperature; /* K */
  gboolean unwrap, has_unwrap;
  DebyeSuperposeSettings superposing;
  const char *center, *motion;
  DebyeScatteringPrecision precision;
  DebyeJobSettings job;
  const char *measured; /* file */
  gboolean volume_map;
  double tolerance;
  DebyeLaneSettings lanes;
} DebyeScatteringSettings;

extern const DebyeSettingTable debye_scattering_settings;

/* Whether something over time is asked for, or rows of vectors, which are computed the same way. */
gboolean debye_scattering_is_dynamic(const DebyeScatteringSettings *settings);

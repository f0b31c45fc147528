/* SPDX-License-Identifier: MIT */
/* The settings of electrostatic maps: their table, for forms and debye-cli map, and its values, which placed ions share. */
#pragma once

#include "app/analysis/driver/common_settings.h"
#include "data/settings/request.h"
#include "kernels/potential/potential.h"
#include "kernels/poisson/poisson_membrane.h"
#include "kernels/surface/surface.h"
#include "map_statistic.h"

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

/* The sums of kernels/potential/potential.h by their numbers there, and what is none of them. */
typedef enum {
  DEBYE_MAP_METHOD_DIRECT = DEBYE_POTENTIAL_DIRECT,
  DEBYE_MAP_METHOD_CUTOFF = DEBYE_POTENTIAL_CUTOFF,
  DEBYE_MAP_METHOD_MULTILEVEL = DEBYE_POTENTIAL_MULTILEVEL,
  DEBYE_MAP_METHOD_EWALD = DEBYE_POTENTIAL_EWALD,
  DEBYE_MAP_METHOD_PB = DEBYE_POTENTIAL_N_METHODS, /* Poisson-Boltzmann */
} DebyeMapMethod;

typedef enum {
  DEBYE_MAP_EQUATION_LINEAR,
  DEBYE_MAP_EQUATION_NONLINEAR,
} DebyeMapEquation;

/* Where radii come from. */
typedef enum {
  DEBYE_MAP_RADII_AUTO,
  DEBYE_MAP_RADII_FILE,
  DEBYE_MAP_RADII_BONDI,
} DebyeMapRadii;

/* The potential at the edge of the grid. */
typedef enum {
  DEBYE_MAP_BOUNDARY_DEBYE_HUECKEL,
  DEBYE_MAP_BOUNDARY_FOCUS,
  DEBYE_MAP_BOUNDARY_ZERO,
} DebyeMapBoundary;

typedef struct {
  DebyeMapMethod method;
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
  gboolean has_select, has_temperature, has_permittivity;
  double core_radius; /* Å */
  /* Of Poisson-Boltzmann. */
  DebyeMapEquation equation;
  double solute_permittivity;
  double ionic_strength; /* mol/l */
  const char *salt;      /* ions in place of ±1, debye_map_salt_read() */
  DebyeSurfaceKind surface;
  double probe, ion_radius; /* Å */
  DebyeMapRadii radii;
  double residual;
  gboolean energies, grid_error;
  const char *nonpolar;      /* debye_map_nonpolar_read() */
  DebyeMapBoundary boundary; /* not set: debye_map_poisson_settle() chooses it */
  gboolean has_boundary;
  gboolean as_apbs, reaction;
  const char *membrane;
  double voltage;            /* V; NAN: not set */
  DebyePoissonMembrane slab; /* of both: debye_map_membrane_settle() */
  const char *binding;       /* two selections */
  const char *residues;      /* a file that is written */
  const char *follow;        /* a selection */
  const char *dielectric_maps, *ion_map, *charge_map, *write_maps;
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
/* "a, b": the cell's vectors of it, as the window has them. */
const char *debye_map_periodic_vectors(DebyeMapPeriodic periodic);
/* "focus", likewise. */
const char *debye_map_boundary_name(DebyeMapBoundary boundary);

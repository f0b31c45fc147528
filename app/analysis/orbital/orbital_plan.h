/* SPDX-License-Identifier: MIT */
/* What a request for orbitals comes to: the wave function, which orbitals of it, and where. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "data/formats/quantum/wave_function.h"
#include "kernels/orbital/orbital_set.h"
#include "orbital_settings.h"

/* The table of values at points. */
#define DEBYE_ORBITAL_POINTS "points"

/* What is computed, in the order of the result. */
typedef enum {
  DEBYE_ORBITAL_MAP_ORBITAL,
  DEBYE_ORBITAL_MAP_DENSITY,
  DEBYE_ORBITAL_MAP_SPIN,
  DEBYE_ORBITAL_MAP_LAPLACIAN,
  DEBYE_ORBITAL_MAP_POTENTIAL, /* of nuclei and electrons */
} DebyeOrbitalMapKind;

typedef struct {
  DebyeOrbitalMapKind kind;
  guint orbital; /* of an orbital */
  char *name;    /* "orbital 4", "electron density" */
  double norm;   /* of an orbital: ⟨ψ|ψ⟩ */
} DebyeOrbitalMap;

typedef struct {
  DebyeOrbitalChoices settings;
  DebyeWaveFunction *wave;
  /* The same for kernels; arrays of them. */
  DebyeOrbitalBasis basis;
  double *x, *y, *z;
  guint32 *centres, *first;
  guint8 *degrees;
  GArray *maps;            /* DebyeOrbitalMap */
  int homo, lumo;          /* −1: none */
  double least_occupation; /* of an orbital that counts as occupied */
  double
      n_electrons; /* Σ occupations; of them as the orbitals' norms have it: n_in_norms, NAN where no density is asked for */
  double n_in_norms, nuclear_charge;
  GArray *points; /* DebyeVec3, Å; NULL: maps */
  DebyeGrid grid; /* Å */
  guint64 memory_limit;
} DebyeOrbitalPlan;

/* The functions of the driver's DebyeAnalysis. */
gboolean debye_orbital_plan_init(gpointer plan, DebyePlan *of, GError **error);
void debye_orbital_plan_clear(gpointer plan);

/* Of a plan that has been made: this orbital alone, on the same grid. */
void debye_orbital_plan_choose(DebyeOrbitalPlan *plan, guint orbital);
/* Fills n_in_norms. */
void debye_orbital_plan_count_electrons(DebyeOrbitalPlan *plan);

/* Whether an orbital has a part in a map, and with which weight. */
double debye_orbital_plan_get_weight(const DebyeOrbitalPlan *plan, DebyeOrbitalMapKind kind, guint orbital);
/* "HOMO", "LUMO" or NULL: of an orbital that is it, or has its energy to 5e-4 hartree (degenerate ones, whichever the file
 * has first). */
const char *debye_orbital_plan_get_frontier(const DebyeOrbitalPlan *plan, guint orbital);
const char *debye_orbital_map_get_unit(DebyeOrbitalMapKind kind);

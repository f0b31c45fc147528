/* SPDX-License-Identifier: MIT */
/* What the states of a structure's sites are worth by the Poisson-Boltzmann equation (linear), of titration_model.h. Called by
 * titration_run.c.
 *
 * The states' charges differ, and the surface, which has all protons, is one: so the medium is made once for each grid and
 * the equation is symmetric, and as it is linear one solution for the change of charges δ from a site's first state to another
 * gives all that is asked of that state,
 *
 *   ΔG = ½ Σ δ (R_protein − R_model)δ + Σ q (R_protein − R_model)δ over the model compound + Σ q φ_protein over all other atoms,
 *   W = Σ δ' φ_protein of another site's state,
 *
 * q the charges with all sites in their first states, R the reaction field, φ the whole potential with Coulomb's part. Protein
 * and model compound are on the same points. A grid of the whole molecule gives a finer one about the site its boundary. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "data/prepare/titration_sites.h"
#include "data/titration/titration_model.h"

G_BEGIN_DECLS

typedef struct {
  double solute, solvent; /* permittivities */
  double temperature;     /* K */
  double ionic_strength;  /* mol/l */
  double spacing;         /* Å, of the grid about a site */
} DebyeTitrationMedium;

/* What came of it beside the model. */
typedef struct {
  double asymmetry; /* kT: the most that W of two states differs from W of the same the other way round */
  double residual;  /* the worst of all solutions */
  guint n_solutions;
} DebyeTitrationSolved;

typedef struct {
  DebyeTitrationMedium medium;
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  const DebyeRunCallbacks *callbacks; /* progress, and what stops it; NULL: none */
} DebyeTitrationEnergySettings;

/* NULL with an error, that it was stopped, too. */
DebyeTitrationModel *debye_titration_energies_compute(const DebyeTitrationSites *sites,
                                                      const DebyeTitrationEnergySettings *settings,
                                                      DebyeTitrationSolved *solved, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* What the states of a structure's sites are worth by the Poisson-Boltzmann equation (linear), of titration_model.h. Called by
 * titration_run.c.
 *
 * The states' charges differ, and the surface, which has all protons, is one: so the medium is made once for each grid and
 * the equation is symmetric, and as it is linear one solution for the change of charges δ from a site's first state to another
 * gives all that is asked of that state,
 *
 *   ΔG = ½ Σ δ (R_protein − R_model)δ + Σ q (R_protein − R_model)δ over the model compound
 *        + h Σ q φ_protein over all other atoms,
 *   W = h Σ δ' φ_protein of another site's state (h = 1 if both are of one residue),
 *
 * q the charges with all sites in their first states, R the reaction field, φ the whole potential with Coulomb's part. Protein
 * and model compound are on the same points. A grid of the whole molecule gives a finer one about the site its boundary.
 *
 * h is what an interaction keeps as the protein gives way. By linear response it is the mean over the site's two states,
 * each in the structure that fits it; a crystal has the one that fits the charge. Where the charge is gone a part m of
 * what held it has turned to others or to water: h = 1 − m/2, between ½ and 1. So the permittivity of interactions is
 * larger than that of a charge's own reaction field (Y. Y. Sham, I. Muegge & A. Warshel, Biophys. J. 74 (1998) 1744).
 * What bonds hold beside the site, its residue and the peptide groups on both sides, stays. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "data/prepare/titration_sites.h"
#include "data/titration/titration_model.h"

/* m = 0.8, the best on five of the proteins of tests/bench/RESULTS.md; the six others agree. */
#define DEBYE_TITRATION_HELD 0.6

typedef struct {
  double solute, solvent; /* permittivities */
  double temperature;     /* K */
  double ionic_strength;  /* mol/l */
  double spacing;         /* Å, of the grid about a site */
  double held;            /* h; 1: nothing gives way */
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

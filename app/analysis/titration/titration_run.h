/* SPDX-License-Identifier: MIT */
/* A structure that is made ready, titrated: which protons its sites have over pH. Called by app/analysis/prepare. */
#pragma once

#include "data/titration/titration_curves.h"
#include "titration_energies.h"

typedef struct {
  DebyeTitrationMedium medium;
  DebyeTitrationSolved solved;
  DebyeTitrationSites *sites;
  DebyeTitrationModel *model;
  double *access; /* of each site, titration_access.h: the model's interactions have it */
  DebyeTitrationCurves *curves;
} DebyeTitrationResult;

/* Immutable and counted: free gives up one. */
DebyeTitrationResult *debye_titration_result_ref(DebyeTitrationResult *self);
void debye_titration_result_free(DebyeTitrationResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTitrationResult, debye_titration_result_free)

/* `prepared` is made ready with `preparation`. NULL with an error: that of a residue, of a device, or that it was stopped. */
DebyeTitrationResult *debye_titration_run(const DebyePrepared *prepared,
                                          const DebyePrepareSettings *preparation,
                                          const DebyeTitrationEnergySettings *settings, GError **error);

/* The state that a site has at a pH: protonated or not as most of it is, and then its likeliest tautomer. */
const DebyeTitrationState *debye_titration_result_get_state(const DebyeTitrationResult *self, guint site,
                                                            double ph);
/* How much of a proton it has there; and all charges, e. */
double debye_titration_result_get_protons(const DebyeTitrationResult *self, guint site, double ph);
double debye_titration_result_get_charge(const DebyeTitrationResult *self, double ph);
/* Of (DebyePrepareTitrated), one a site, at a pH; borrows from `self`. */
GArray *debye_titration_result_list(const DebyeTitrationResult *self, double ph);

/* SPDX-License-Identifier: MIT */
/* How likely the states of titration_model.h are at a pH, by Metropolis' Monte Carlo (P. Beroza, D. R. Fredkin, M. Y. Okamura &
 * G. Feher, Proc. Natl. Acad. Sci. USA 88 (1991) 5804). Called by titration_curves.c. */
#pragma once

#include "titration_model.h"

typedef struct {
  guint sweeps; /* over all sites, in each block, */
  guint blocks; /* of which the error comes, at least 2; half a block more is before the first */
  guint64 seed; /* the same gives the same */
} DebyeTitrationSampling;

/* A move gives one site another state, or two sites that feel each other by 2 kT or more. `occupancy` gets the mean of each
 * state, `error` the standard error of its mean over the blocks. */
void debye_titration_sample(const DebyeTitrationModel *model, double ph,
                            const DebyeTitrationSampling *sampling, double *occupancy, double *error);

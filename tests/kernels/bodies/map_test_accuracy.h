/* SPDX-License-Identifier: MIT */
/* Whether a method with a tolerance meets it. */
#pragma once

#include "map_test_support.h"
#include "map_test_systems.h"

#define DEBYE_MAP_MOST_SAMPLES 200

/* Values of a map by brute force, at points drawn at random. */
typedef struct {
  DebyePotentialSettings settings; /* what they were computed for */
  double fingerprint;              /* of the charges */
  size_t n;
  size_t at[DEBYE_MAP_MOST_SAMPLES];
  double exact[DEBYE_MAP_MOST_SAMPLES];
} DebyeMapSamples;

/* The exact sums take far longer than what is tested and are the same for every device, precision,
 * instruction set and tolerance: computed once for each grid, cell, periodicity, Gaussian and charges. */
const DebyeMapSamples *debye_map_samples_get(const DebyePotentialSettings *settings,
                                             const DebyeCharges *charges, size_t n);
/* Root mean square of the error at the samples, over that of the whole map: the few points next to an atom
 * make most of that, so that the samples' own would be another one for each choice of them. */
double debye_map_samples_error(const DebyeMapSamples *samples, const DebyeTestMap *map);
/* That the error is at most the tolerance. `name`, of the system, is for the sentence. */
void debye_map_check_tolerance(const DebyeMapPath *path, const char *name,
                               const DebyePotentialSettings *settings, const DebyeCharges *charges,
                               size_t n_samples);
/* By how much the crystal's Madelung constant is missed, from the potential of the other ions at one. */
double debye_map_madelung_error(const DebyeMapPath *path, const DebyeIonCrystal *crystal,
                                const DebyePotentialSettings *like);

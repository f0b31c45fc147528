/* SPDX-License-Identifier: MIT */
/* Amplitudes in long double, term by term, and systems to try them on. */
#pragma once

#include "kernels/scattering/scattering_groups.h"

typedef struct {
  long double real, imaginary;
} DebyeOracleAmplitude;

/* A_g(q) of group g; and its Σ|w| and Σw². */
DebyeOracleAmplitude debye_oracle_amplitude(const DebyeScatteringGroups *groups, size_t group,
                                            const DebyeScatteringFrame *frame, DebyeVec3 q);
void debye_oracle_weights(const DebyeScatteringGroups *groups, size_t group, double *sum, double *square);
/* F(hkl), with q = 2π(h a* + k b* + l c*) in long double too. */
DebyeOracleAmplitude debye_oracle_lattice(const DebyeScatteringGroups *groups, size_t group,
                                          const DebyeScatteringFrame *frame, int h, int k, int l);

/* Owned arrays; frame and groups point into them. */
typedef struct {
  float *x, *y, *z, *weight;
  uint32_t *atoms;
  size_t *first;
  size_t n_atoms;
  DebyeCell cell;
  DebyeScatteringFrame frame;
  DebyeScatteringGroups groups;
} DebyeScatteringSystem;

/* Atoms at random in a box with this corner and edge, in groups by turns (in a shuffled list where there are
 * more than one), weights of both signs where `weighted`. */
DebyeScatteringSystem debye_scattering_system_new(size_t n_atoms, size_t n_groups, DebyeVec3 corner,
                                                  double edge, bool weighted, uint64_t seed);
void debye_scattering_system_clear(DebyeScatteringSystem *system);
/* q at random up to so large a component. */
void debye_random_vectors(DebyeVec3 *q, size_t n, double largest, uint64_t seed);

/* SPDX-License-Identifier: MIT */
/* The second and the fourth moment of displacements at all lags, over all origins, by Fourier transforms in
 * double (Kneller et al., Comput. Phys. Commun. 91 (1995) 191; Calandrini et al., Collection SFN 12 (2011)
 * 201). With a = r(t), b = r(t + τ), A = a², B = b²:
 *
 *   |b − a|² = A + B − 2 a·b
 *   |b − a|⁴ = A² + B² + 2AB + 4(a·b)² − 4(A + B) a·b
 *
 * Sums of A + B and A² + B² over the origins follow from each other, lag by lag; the other terms are
 * correlations of r, of A, of the six products of r's parts, and of r with A·r: twelve real transforms a
 * path. The power spectra of all paths are added before they are transformed back. The first lags are summed
 * directly: where paths are far longer than their steps, the fourth moment is a small difference there.
 *
 * Unlike displacement_histogram.h this tells moments alone, but its time grows with N log N, not N². There is
 * no other device for it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/status.h"

typedef struct DebyeDisplacementMoments DebyeDisplacementMoments;

/* Paths of n_frames ≥ 1 places, in n_blocks ≥ 1 sums that are kept apart. INVALID, or NO_MEMORY. */
DebyeStatusCode debye_displacement_moments_create(size_t n_frames, size_t n_blocks,
                                                  DebyeDisplacementMoments **moments, DebyeStatus *status);
void debye_displacement_moments_destroy(DebyeDisplacementMoments *moments);

/* Adds n_paths: coordinate k of path i at a frame is paths[(3i + k)·stride + frame], in Å and finite. Path i
 * belongs to block (first + i) % n_blocks. CANCELLED where it was stopped: what was added is whole paths. The
 * sums don't depend on the number of threads, nor on how paths are divided among calls. */
DebyeStatusCode debye_displacement_moments_add(DebyeDisplacementMoments *moments, const double *paths,
                                               size_t stride, size_t first, size_t n_paths,
                                               const volatile bool *cancel, DebyeStatus *status);
size_t debye_displacement_moments_count(const DebyeDisplacementMoments *moments, size_t block);

/* All that was added so far, as one array: those of other paths, of the same numbers of frames and blocks, are added to
 * it value by value, and the sums of a file take its place. */
double *debye_displacement_moments_get_sums(DebyeDisplacementMoments *moments, size_t *n);

/* Σ d² (Å²) and Σ d⁴ (Å⁴) over the paths of a block and the n_frames − τ origins, for τ = 0 … n_frames − 1.
 * NO_MEMORY leaves them as they are. */
DebyeStatusCode debye_displacement_moments_get(const DebyeDisplacementMoments *moments, size_t block,
                                               double *square, double *fourth, DebyeStatus *status);

/* Bytes of a plan, threads and all. */
uint64_t debye_displacement_moments_bytes(size_t n_frames, size_t n_blocks);

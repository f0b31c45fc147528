/* SPDX-License-Identifier: MIT */
/* The stencils of multilevel summation: what a lattice's charges are folded with.
 *
 * A level's is the one within its reach, 2a less one spacing, for which the root mean square of the error of
 * the potential is least, over all positions of charges and points. In Fourier space, with U² = Πsinc²ᵖ what
 * the splines do to a wave and S its sum over the wave's aliases, a stencil K̂ has the squared error
 *
 *   ∫ ĝ² − 2 K̂ ΣĝU² + K̂² S² dθ,
 *
 * least where the stencil's own points satisfy M·K = b, M the lattice's convolution with S² and b the kernel
 * folded with the splines. Conjugate gradients solve that; after a few dozen rounds what is left to gain is
 * in waves that hardly count, and to go on would only enlarge the weights there.
 *
 * All levels share one stencil, halved from level to level. The top level has its own, K̂ = ĝ U²/S² over the
 * whole lattice. Along open axes ĝ is there the transform of a kernel cut off beyond the lattice (Rozzi et
 * al., Phys. Rev. B 73 (2006) 205119), so that what is not periodic doesn't see the transform's images. */
#pragma once

#include "multilevel_frame.h"

DEBYE_BEGIN_DECLS

/* Weights of the points low[i] … low[i] + n[i] − 1 away along each axis, the first fastest. They stand as far
 * before as behind: the weight of a distance is that of its opposite. */
typedef struct {
  int low[3], n[3];
  double *weight;
} DebyeMultilevelStencil;

/* For the finest lattice. NO_MEMORY. */
DebyeStatusCode debye_multilevel_level_stencil(const DebyeMultilevel *multilevel,
                                               const DebyeMultilevelFrame *frame,
                                               DebyeMultilevelStencil *stencil, DebyeStatus *status);
/* For the highest. UNSUPPORTED where it would be too large: the period along an axis is then too small
 * against the extent across it. */
DebyeStatusCode debye_multilevel_top_stencil(const DebyeMultilevel *multilevel,
                                             const DebyeMultilevelFrame *frame,
                                             DebyeMultilevelStencil *stencil, DebyeStatus *status);
void debye_multilevel_stencil_clear(DebyeMultilevelStencil *stencil);

DEBYE_END_DECLS

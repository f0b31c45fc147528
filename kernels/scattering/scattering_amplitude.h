/* SPDX-License-Identifier: MIT */
/* Scattering amplitudes, summed directly for any list of q:
 *
 *   A_g(q, t) = Σ_{n in group g} w_n exp(+i q·r_n(t))
 *
 * q in 1/Å, r in Å; w are real weights of the atoms (1 where none are given), so that A has their unit. A
 * complex length or a form factor f_g(q) is applied by the caller to the group's sum. No cell is looked at.
 *
 * Accuracy. q·r/2π is computed in double and its fraction of a turn kept as a number of fixed point, so that
 * the error of a phase does not grow with |q·r|: for any |q·r| that the largest q and the farthest atom
 * (scattering_groups.h) allow, 5.25·10⁷.
 *
 *   float   each term is off by at most 1e-6 (on a GPU the fraction of a turn is kept to 2⁻²³: 3.7e-7; sine
 *           and cosine), by chance and not one way, so that A is off by at most 1e-6·Σ|w|, and typically by
 *           3e-7·√(Σw²) on a GPU, 1e-7·√(Σw²) on a CPU. Equidistant q on rays (amplitude_rays.h) are products
 *           of two factors on a GPU: 7.5e-7 at most, typically 1.7e-7·√(Σw²).
 *   double  each product is carried with its rounding error; A is off by at most 1e-12·Σ|w|, and typically by
 *           1e-15·Σ|w|.
 *
 * Sums are in double in both, beyond a few hundred terms.
 * The result is the same to the last bit for any number of threads and any number of frames in a call, and
 * within the error on every device. */
#pragma once

#include "kernels/kernel_head.h"
#include "scattering_groups.h"

DEBYE_BEGIN_DECLS

/* A component of q may be so large, in 1/Å: with coordinates of at most DEBYE_SCATTERING_FARTHEST there are
 * less than the 2²³ turns that amplitude_math.h has room for. */
#define DEBYE_AMPLITUDE_LARGEST_Q 175.0
#define DEBYE_AMPLITUDE_MAX_VECTORS ((size_t)1 << 28)

typedef struct {
  size_t n_atoms;               /* of every frame */
  DebyeScatteringGroups groups; /* borrowed as long as the plan lives */
  size_t max_vectors;           /* the most that set_vectors will be given */
  size_t max_frames;            /* the most that execute will be given */
  bool may_be_packed;           /* frames, each for itself */
  bool double_precision;
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyeAmplitudeSettings;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeAmplitudeKernel {
  DebyeKernelHead head;
  /* The q of all that follows, until others are set; copied. */
  DebyeStatusCode (*set_vectors)(DebyeKernelPlan *plan, const DebyeVec3 *q, size_t n_vectors,
                                 DebyeStatus *status);
  /* A block of frames. Writes (not adds) pairs of a real and an imaginary part,
   * out[2·((frame·n_groups + group)·n_vectors + vector)]; an empty group has zeros. INVALID where an atom
   * that is in a group is not a number or too far away, with *bad_frame (may be NULL) its frame's index in
   * `frames`. Unless it returns OK `out` means nothing. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, const DebyeScatteringFrame *frames, size_t n_frames,
                             double *out, size_t *bad_frame, const volatile bool *cancel,
                             DebyeStatus *status);
};

/* INVALID with the reason where the settings, the vectors or the number of frames make no sense. */
DebyeStatusCode debye_amplitude_settings_check(const DebyeAmplitudeSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_amplitude_vectors_check(const DebyeAmplitudeSettings *settings, const DebyeVec3 *q,
                                              size_t n_vectors, DebyeStatus *status);
DebyeStatusCode debye_amplitude_frames_check(const DebyeAmplitudeSettings *settings, size_t n_frames,
                                             DebyeStatus *status);

DEBYE_END_DECLS

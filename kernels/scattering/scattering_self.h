/* SPDX-License-Identifier: MIT */
/* Incoherent ("self") scattering by vectors. Positions r_n(t) in Å, t = 0 … NF − 1, vectors q in 1/Å, lengths
 * b_n; a_n(t) = b_n exp(i q·r_n(t)) is processed as correlation.h says, atom by atom, and summed over atoms:
 *
 *   autocorrelate   f(τ) = Σ_n |b_n|² 1/(NF − τ) Σ_t exp(i q·(r_n(t + τ) − r_n(t))) = F_s(q, τ)
 *   square          f(t) = Σ_n |b_n|²
 *   plain           f(t) = Σ_n b_n exp(i q·r_n(t))
 *   fq2             Σ_n |mean of atom n's own f over its NF entries|²
 *
 * Power spectra are summed over atoms before the one transform back of each q and group: the sum and the
 * transform commute. fq0 and fq follow from f (debye_signal_mean).
 *
 * A block of atoms is given with its whole course in time; sums over blocks are the caller's
 * (scattering_self_lanes.h), which so reads the trajectory once for as many atoms as memory allows and never
 * keeps it whole. Atoms of one group are summed apart from the others: with lengths of 1 and one group an
 * element, X-ray factors, isotopes and contrast are put on afterwards, |b|² on f and |b|⁴ on fq2 of the
 * autocorrelation.
 *
 * In float the phase of each term is exact to 2⁻²³ turns whatever q·r is (it is reduced in double), and the
 * error of an autocorrelation is at most 4e-7·NF/(NF − τ) of Σ|b_n|²: a transform's error is spread evenly
 * over the sums over pairs of times, of which late lags have few; it is 1e-6 at three fifths of the frames.
 * That of fq2 is at most 3e-6 of Σ|b_n|⁴. In double both are 1e-12 while |q·r| < 1e3. */
#pragma once

#include "kernels/kernel_head.h"
#include "correlation.h"
#include "data/geometry.h"

DEBYE_BEGIN_DECLS

/* Coordinates beyond this many Å, and longer vectors (1/Å), are refused. */
#define DEBYE_SELF_FARTHEST 1e5
#define DEBYE_SELF_LONGEST_VECTOR 100.0
#define DEBYE_SELF_MAX_GROUPS 4096
#define DEBYE_SELF_MAX_FRAMES ((size_t)1 << 24)

typedef struct {
  DebyeSignal signal;
  size_t n_frames;
  const DebyeVec3 *vectors; /* 1/Å, copied by create */
  size_t n_vectors;
  size_t n_groups;
  size_t max_atoms; /* of one block */
  bool elastic;     /* fq2 is wanted, too */
  bool double_precision;
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyeSelfSettings;

/* Borrowed while it is set. Frames one after the other, as they are read: atom i of frame t is at
 * [t·stride + i]. Coordinates are unwrapped: an atom that jumps across the cell seems to move by it. */
typedef struct {
  const float *x, *y, *z; /* Å */
  size_t stride;
  size_t n_atoms;
  const uint32_t *group; /* of each atom; NULL: all are in group 0 */
  const double *length;  /* b_n of each atom in fm, complex pairs; NULL: 1 */
} DebyeSelfBlock;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeSelfKernel {
  DebyeKernelHead head;
  /* INVALID names the atom and frame of a coordinate that can't be used, counted from 1 within the block. */
  DebyeStatusCode (*set_block)(DebyeKernelPlan *plan, const DebyeSelfBlock *block, DebyeStatus *status);
  /* Vectors [first, first + count) of the block. Writes f, n_frames complex values, to
   * f[((vector − first)·n_groups + group)·n_frames·2] and, where they are wanted,
   * fq2[(vector − first)·n_groups + group]. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, size_t first, size_t count, double *f, double *fq2,
                             const volatile bool *cancel, DebyeStatus *status);
};

/* INVALID with the reason where the settings, or the block's groups and lengths, make no sense. */
DebyeStatusCode debye_self_settings_check(const DebyeSelfSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_self_block_check(const DebyeSelfSettings *settings, const DebyeSelfBlock *block,
                                       DebyeStatus *status);
/* Frames [first, first + count) of the block: INVALID names the first atom whose place can't be used. */
DebyeStatusCode debye_self_positions_check(const DebyeSelfBlock *block, size_t first, size_t count,
                                           DebyeStatus *status);
/* Where a lane has refused a part of the block: puts into status which atom of the whole block it is, if it
 * is for one's place. */
void debye_self_positions_name(const DebyeSelfBlock *block, size_t n_frames, DebyeStatus *status);
/* The atoms of one of n_parts parts of a block, that differ by one atom at most. */
DebyeSelfBlock debye_self_block_part(const DebyeSelfBlock *block, size_t part, size_t n_parts);
/* Copies n coordinates; false where one can't be used. */
bool debye_self_copy_places(const float *from, size_t n, float *to);
/* |b_n|² of the block's atom. */
double debye_self_weight(const DebyeSelfBlock *block, size_t atom);
/* Writes the atoms' numbers in the order of their groups, those of one group as they come, and where each
 * group ends. */
void debye_self_sort_atoms(const DebyeSelfBlock *block, size_t n_groups, uint32_t *order, size_t *group_end);
/* The square needs no positions: f and fq2 (may be NULL) of `count` vectors. */
void debye_self_square(const DebyeSelfSettings *settings, const DebyeSelfBlock *block, size_t count,
                       double *f, double *fq2);
/* Padded series are a power of two long: the least of at least 2·n_frames − 1. */
size_t debye_self_length(size_t n_frames);
/* exp(2πi k/length), complex pairs. */
void debye_self_roots(size_t length, double *root);
/* What gives the mean of an autocorrelation over its NF lags from its power spectrum of `length` points, a
 * power of two of at least 2·NF − 1: the mean is Σ_k |A(k)|² W(k). `root` as above, W complex pairs. */
void debye_self_mean_weights(size_t n_frames, size_t length, const double *root, double *weights);

DEBYE_END_DECLS

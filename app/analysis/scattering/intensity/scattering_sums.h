/* SPDX-License-Identifier: MIT */
/* Sums over frames, filled by scattering_run.c: for each q the mean over vectors and frames of the products
 * A_a A_b* of pairs of species, unweighted, in total and in blocks of successive frames. Intensities for any
 * weights follow, with standard errors, so that another contrast or normalisation needs no second pass. */
#pragma once

#include <complex.h>

#include "app/analysis/driver/frame_blocks.h"
#include "app/analysis/driver/frame_state.h"
#include "app/analysis/scattering/system/scatterers.h"

typedef struct _DebyeScatteringSums DebyeScatteringSums;

/* The number of the pair of species a ≤ b: 00, 01, …, 11, 12, …, as in
 * kernels/scattering/scattering_lattice.h. */
static inline gsize
debye_scattering_pair(gsize n_species, gsize a, gsize b)
{
  return a * n_species - a * (a + 1) / 2 + b;
}

static inline gsize
debye_scattering_n_pairs(gsize n_species)
{
  return n_species * (n_species + 1) / 2;
}

/* `blocks`: of the frames that are expected; none: no errors. NULL without the memory. */
DebyeScatteringSums *debye_scattering_sums_new(gsize n_q, gsize n_species, DebyeFrameBlocks blocks);
void debye_scattering_sums_free(DebyeScatteringSums *sums);

/* Frames of one block, the first of which is that number of the expected ones: the sum of their
 * products[pair·n_q + q], each already the mean over the vectors of its q, and of their volumes in Å³ (0:
 * none). */
void debye_scattering_sums_add(DebyeScatteringSums *sums, gsize first, const double complex *products,
                               gsize n_frames, double volume_sum);
/* Of the expected frames, used or not, all before that one are behind: blocks that end there are whole. */
void debye_scattering_sums_reach(DebyeScatteringSums *sums, gsize frame);
void debye_scattering_sums_list_state(DebyeScatteringSums *sums, DebyeFrameState *state);

DebyeFrameBlocks debye_scattering_sums_get_blocks(const DebyeScatteringSums *sums);
gsize debye_scattering_sums_get_n_blocks(const DebyeScatteringSums *sums); /* whole ones that have a frame */
double debye_scattering_sums_get_volume(const DebyeScatteringSums *sums);  /* the mean; 0: none */
/* The mean of A_a A_b* at the q of index k. */
double complex debye_scattering_sums_get_product(const DebyeScatteringSums *sums, gsize pair, gsize k);

/* A weight w_a(q) of each species for each q: weights[species·n_q + k]. */
double complex *debye_scattering_weights(const DebyeScatterers *scatterers, const double *q, gsize n_q);

/* I(q) = Σ_ab w_a w_b* ⟨A_a A_b*⟩ of all species, into intensity[n_q], and its standard error from the blocks
 * into error[n_q] (may be NULL; NAN with fewer than two). */
void debye_scattering_sums_get_intensity(const DebyeScatteringSums *sums, const double complex *weights,
                                         double *intensity, double *error);
/* What the pair a, b adds to it (both orders). */
void debye_scattering_sums_get_partial(const DebyeScatteringSums *sums, const double complex *weights,
                                       gsize a, gsize b, double *intensity);

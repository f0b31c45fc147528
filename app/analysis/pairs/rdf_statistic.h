/* SPDX-License-Identifier: MIT */
/* Pair distributions over frames: from exact counts to g(r) with its standard error, in double.
 *
 * g(r) of a frame is n_ab(k)·V/(P·v_k): n ordered pairs in bin k, V the volume of that frame, P the number of
 * pairs that an ideal gas would spread over it, v_k = 4π/3·(r₂³ − r₁³) exactly. The mean is over frames, each
 * with its own volume. Standard errors come from the means of blocks of successive frames. */
#pragma once

#include "app/analysis/driver/frame_blocks.h"
#include "app/analysis/driver/frame_state.h"

typedef struct _DebyeRdfStatistic DebyeRdfStatistic;

/* Of one distribution. NULL without the memory. */
DebyeRdfStatistic *debye_rdf_statistic_new(double width, gsize n_bins, DebyeFrameBlocks blocks);
void debye_rdf_statistic_free(DebyeRdfStatistic *statistic);

/* What a frame gives: `ordered` counts, the volume for each pair, V/P (0: g is not known there, and the frame
 * is not in its mean), and the atoms N_a around which was counted (0: it says nothing of their neighbours). */
void debye_rdf_statistic_add(DebyeRdfStatistic *statistic, const guint64 *ordered, double volume_a_pair,
                             double n_around);

/* Before that frame is added, of those that are asked for and not only of those that could be used, and when
 * all are behind: ends the block of the frames before, where it ends there. */
/* `prefix`: of the names of the arrays. */
void debye_rdf_statistic_list_state(DebyeRdfStatistic *statistic, const char *prefix, DebyeFrameState *state);
void debye_rdf_statistic_reach(DebyeRdfStatistic *statistic, gsize frame);

const guint64 *debye_rdf_statistic_get_ordered(const DebyeRdfStatistic *statistic); /* over all frames */
/* n_bins each, to be freed. NAN where there is nothing: g without volumes, errors with fewer than two blocks.
 */
double *debye_rdf_statistic_get_g(const DebyeRdfStatistic *statistic);
double *debye_rdf_statistic_get_errors(const DebyeRdfStatistic *statistic);
/* Standard errors that tell a peak from noise, there with few blocks and without any, too: √n of n pairs (`is_self`: an
 * ordered count has each twice), times how much more the blocks differ, where they do: the median of the ratio of the two
 * variances over three bins to either side. */
double *debye_rdf_statistic_get_noise(const DebyeRdfStatistic *statistic, gboolean is_self);
/* Atoms within r_high of one of the N_a, at each bin's end: the running integral, exact. */
double *debye_rdf_statistic_get_coordination(const DebyeRdfStatistic *statistic);

/* Frames whose g is known. */
gsize debye_rdf_statistic_get_n_known(const DebyeRdfStatistic *statistic);
const DebyeFrameBlocksProgress *debye_rdf_statistic_get_blocks(const DebyeRdfStatistic *statistic);
/* How many successive frames tell as much as one independent frame: the variance of block means times their
 * length over that of frames, summed over bins (Flyvbjerg & Petersen, J. Chem. Phys. 91 (1989) 461). 1 for
 * independent frames; the correlation time is half of it. NAN with fewer than two blocks. */
double debye_rdf_statistic_get_inefficiency(const DebyeRdfStatistic *statistic);

/* Exact volume of the shell of bin k. */
double debye_rdf_shell_volume(double width, gsize bin);

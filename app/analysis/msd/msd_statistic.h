/* SPDX-License-Identifier: MIT */
/* From sums of displacements to mean square displacements, their standard errors and the non-Gaussian
 * parameter; msd_analysis.c fills it, msd_result.c looks at it. */
#pragma once

#include <gio/gio.h>

#include "kernels/cpu/scattering/displacement_moments.h"

typedef struct {
  gsize n_lags;    /* from τ = 0 on */
  gsize n_centres; /* that were followed */
  double *msd;     /* Å² */
  double *alpha2;  /* 3⟨d⁴⟩/(5⟨d²⟩²) − 1; 0 where nothing moves */
  double *errors;  /* Å², of msd; NAN where they aren't known */
  /* What errors come from: groups of centres, or of a single centre blocks of successive frames. */
  gboolean of_frames;
  gsize n_blocks, n_known; /* fewer than 2 that have a centre: no errors */
  gsize n_block_lags;      /* as many as n_lags, of blocks of frames fewer */
  double *blocks;          /* Å², [block·n_block_lags + lag] */
} DebyeMsdStatistic;

void debye_msd_statistic_clear(DebyeMsdStatistic *statistic);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeMsdStatistic, debye_msd_statistic_clear)

/* The sums of all centres in n_groups, of paths of n_frames, up to n_lags. `of_frames`: the sums of
 * that centre in blocks of n_block_frames each; NULL: the groups tell the errors. FALSE with an error. */
gboolean debye_msd_statistic_init(DebyeMsdStatistic *statistic, const DebyeDisplacementMoments *moments,
                                  gsize n_groups, gsize n_frames, gsize n_lags,
                                  const DebyeDisplacementMoments *of_frames, gsize n_frame_blocks,
                                  gsize n_block_frames, GError **error);

/* The standard error of the mean of n values, those that are no number left out; NAN of fewer than two. */
double debye_msd_standard_error(const double *values, gsize n, gsize step);

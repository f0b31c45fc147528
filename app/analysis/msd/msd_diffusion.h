/* SPDX-License-Identifier: MIT */
/* The diffusion coefficient from a mean square displacement: Einstein's relation MSD = 6Dτ + c by a straight
 * line over a range of τ, unweighted, its error from the lines of blocks, and the correction for the size of
 * a cubic cell (Yeh & Hummer, J. Phys. Chem. B 108 (2004) 15873):
 *
 *   D∞ = D + ξ kT/(6πηL),   ξ = 2.837297 */
#pragma once

#include "msd_plan.h"
#include "msd_statistic.h"

G_BEGIN_DECLS

typedef struct {
  double step;       /* between lags: ps, or 1 frame */
  gsize first, last; /* lags of the line */
  double d, error;   /* Å²/ps (or Å²/frame); NAN: not known */
  double offset;     /* Å², c */
  double correction; /* Å²/ps, of D∞; NAN: none */
} DebyeMsdDiffusion;

/* `step` ps, or 0: lags count frames. `length` Å, the mean edge of the cells. */
DebyeMsdDiffusion debye_msd_diffusion(const DebyeMsdPlan *plan, const DebyeMsdStatistic *statistic,
                                      double step, double length);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#include "scattering_formula_cost.h"

#include <math.h>

#include "kernels/pairs/pair_histogram.h"
#include "scattering_sums.h"

/* Pairs times q of a frame up to which pair by pair is quick: a tenth of a second. */
#define FEW_TERMS 2e8
/* Pairs that are counted between two transforms: some 0.1 s of a core, after which a run can be stopped. */
#define PAIRS_AT_ONCE 5e7
#define FRAMES_AT_ONCE 16.0
/* To empty a bin and to add up those of all threads takes as long as so many terms. */
#define TERMS_OF_BIN 5.0

static double
count_pairs(const DebyeScatteringPlan *plan)
{
  const double n = (double)plan->scatterers.n_atoms;
  return 0.5 * n * n;
}

gboolean
debye_scattering_formula_is_pair_by_pair(const DebyeScatteringPlan *plan, gsize n_q)
{
  return plan->double_precision || count_pairs(plan) * (double)n_q <= FEW_TERMS ||
         1.0 / plan->settings.tolerance > (double)DEBYE_PAIR_MAX_BINS;
}

gsize
debye_scattering_formula_frames_at_once(const DebyeScatteringPlan *plan)
{
  return (gsize)CLAMP(PAIRS_AT_ONCE / MAX(count_pairs(plan), 1.0), 1.0, FRAMES_AT_ONCE);
}

/* A distance is known to half a bin, by chance, so that a term sin(qr)/(qr) is off by about Δr/√12/r, and the
 * sum over pairs against the sum over atoms by no more: with distances of a third of the reach that is
 * Δr/reach. The mean within a bin is off by (qΔr)²/24. */
gsize
debye_scattering_formula_count_bins(const DebyeScatteringPlan *plan, double reach, double q_max)
{
  const double tolerance = plan->settings.tolerance;
  double width = tolerance * reach;
  if (q_max > 0.0)
    width = fmin(width, sqrt(24.0 * tolerance) / q_max);
  return MIN((gsize)fmax(1.0, ceil(fmin(reach / width, 1e12))), DEBYE_PAIR_MAX_BINS);
}

/* Of so many distances; a sine and a cosine made anew, every 32nd q, take as long as sixteen terms by a turn. */
static double
count_terms(const DebyeScatteringPlan *plan, double n_distances)
{
  const double n_q = (double)plan->q->len;
  return n_distances * (n_q + 16.0 * (1.0 + n_q / 32.0));
}

/* Bins that have a pair; the reach leaves half of all beyond the largest distance. */
static double
count_filled(const DebyeScatteringPlan *plan, double n_bins, double n_frames)
{
  double n_filled = 0.0;
  for (guint a = 0; a < plan->scatterers.species->len; a++)
    for (guint b = a; b < plan->scatterers.species->len; b++) {
      const double n_a = (double)debye_scatterers_get(&plan->scatterers, a)->atoms->len;
      const double n_b = (double)debye_scatterers_get(&plan->scatterers, b)->atoms->len;
      n_filled += fmin(0.5 * n_bins, (a == b ? 0.5 : 1.0) * n_a * n_b * n_frames);
    }
  return n_filled;
}

double
debye_scattering_formula_count_terms(const DebyeScatteringPlan *plan)
{
  if (debye_scattering_formula_is_pair_by_pair(plan, plan->q->len))
    return count_terms(plan, count_pairs(plan));
  const double n_bins = (double)debye_scattering_formula_count_bins(plan, 1.0, 0.0);
  const double of_block = (double)plan->frames.n_frames / (double)MAX(plan->n_blocks, 1);
  const double n_frames = fmax(fmin((double)debye_scattering_formula_frames_at_once(plan), of_block), 1.0);
  return count_terms(plan, count_filled(plan, n_bins, n_frames)) / n_frames +
         TERMS_OF_BIN * n_bins * (double)debye_scattering_n_pairs(plan->scatterers.species->len);
}

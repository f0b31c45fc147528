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
/* Nanoseconds of a core: to count a pair, of which those so near to an edge of a bin that they are looked at twice are as
 * many as bins are narrow; a term; and a point of a lattice (scattering_debye_lattice.h). */
#define PAIR_COST 0.7
#define EDGE_COST 5e-3 /* Å */
#define TERM_COST 0.75
#define POINT_COST 0.6
#define WEIGHT_COST 20.0 /* of a wave vector and a length of the lattice */
/* Å³ that an atom has of the cube of the radius, before positions are known; a compact body has 4. */
#define USUAL_VOLUME 8.0
/* A lattice that takes more memory than this is left alone, bytes. */
#define MOST_MEMORY 2e9

static double
count_pairs(const DebyeScatteringPlan *plan)
{
  const double n = (double)plan->scatterers.n_atoms;
  return 0.5 * n * n;
}

/* In double precision every pair is exact, and a small number of pairs is fast anyway. */
static gboolean
needs_every_pair(const DebyeScatteringPlan *plan, gsize n_q)
{
  return plan->double_precision || count_pairs(plan) * (double)n_q <= FEW_TERMS;
}

gboolean
debye_scattering_formula_is_pair_by_pair(const DebyeScatteringPlan *plan, gsize n_q)
{
  return needs_every_pair(plan, n_q) || 1.0 / plan->settings.tolerance > (double)DEBYE_PAIR_MAX_BINS;
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

/* Of a frame by its distances, in nanoseconds of a core. */
static double
estimate_by_pairs(const DebyeScatteringPlan *plan, gsize n_q, double reach, double q_max)
{
  if (debye_scattering_formula_is_pair_by_pair(plan, n_q))
    return TERM_COST * count_terms(plan, count_pairs(plan));
  const double n_bins = (double)debye_scattering_formula_count_bins(plan, reach, q_max);
  return count_pairs(plan) * (PAIR_COST + EDGE_COST * n_bins / reach) +
         TERM_COST * count_terms(plan, count_filled(plan, n_bins, 1.0));
}

/* Of a frame, likewise. */
static double
estimate_by_lattice(const DebyeScatteringPlan *plan, gsize n_q, const DebyeFormulaLattice *lattice)
{
  double points = 0.0;
  for (guint a = 0; a < plan->scatterers.species->len; a++)
    points +=
        debye_formula_lattice_count_points(lattice, debye_scatterers_get(&plan->scatterers, a)->atoms->len);
  return POINT_COST * points + WEIGHT_COST * debye_formula_lattice_count_weights(lattice, n_q);
}

gboolean
debye_scattering_formula_suits_lattice(const DebyeScatteringPlan *plan, gsize n_q,
                                       const DebyeFormulaLattice *lattice)
{
  const double limit = plan->memory_limit > 0 ? 0.9 * (double)plan->memory_limit : MOST_MEMORY;
  if (needs_every_pair(plan, n_q) || !lattice->holds_tolerance ||
      debye_formula_lattice_count_bytes(lattice, plan->scatterers.species->len, plan->scatterers.n_atoms) >
          fmin(limit, MOST_MEMORY))
    return FALSE;
  return estimate_by_lattice(plan, n_q, lattice) <
         estimate_by_pairs(plan, n_q, lattice->reach, lattice->q_max);
}

/* Of a body of the usual size. FALSE where none will do. */
static gboolean
guess_lattice(const DebyeScatteringPlan *plan, DebyeFormulaLattice *lattice)
{
  const gsize n_q = plan->q != NULL ? plan->q->len : 0, n_atoms = plan->scatterers.n_atoms;
  if (n_q == 0 || n_atoms == 0 || !plan->with_coherent || plan->vectors.vectors != NULL ||
      plan->orientation.kind != DEBYE_ORIENTATION_EXACT)
    return FALSE;
  *lattice =
      debye_formula_lattice(2.0 * cbrt((double)n_atoms * USUAL_VOLUME),
                            g_array_index(plan->q, double, n_q - 1), plan->settings.tolerance, n_atoms);
  return debye_scattering_formula_suits_lattice(plan, n_q, lattice);
}

double
debye_scattering_formula_lattice_seconds(const DebyeScatteringPlan *plan)
{
  DebyeFormulaLattice lattice;
  return guess_lattice(plan, &lattice) ? 1e-9 * estimate_by_lattice(plan, plan->q->len, &lattice) : INFINITY;
}

guint64
debye_scattering_formula_lattice_bytes(const DebyeScatteringPlan *plan)
{
  DebyeFormulaLattice lattice;
  return guess_lattice(plan, &lattice)
             ? (guint64)debye_formula_lattice_count_bytes(&lattice, plan->scatterers.species->len,
                                                          plan->scatterers.n_atoms)
             : 0;
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

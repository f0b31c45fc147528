/* SPDX-License-Identifier: MIT */
#include "scattering_formula_cost.h"

#include <math.h>

/* Pairs times q of a frame up to which pair by pair is quick: a tenth of a second. */
#define FEW_TERMS 2e8
/* Nanoseconds of a core: a pair that goes into moments; a term sin(qr)/(qr); to empty a bin of one share, and to add it up;
 * and a point of a lattice (scattering_debye_lattice.h). */
#define PAIR_COST 4.0
#define TERM_COST 0.75
#define BIN_COST 50.0
#define POINT_COST 0.6
#define WEIGHT_COST 20.0 /* of a wave vector and a length of the lattice */
/* Terms of a bin, as four moments are summed. */
#define TERMS_OF_BIN 2.0
/* Å³ that an atom has of the cube of the radius, before positions are known; a compact body has 4. */
#define USUAL_VOLUME 8.0
/* What sums may take where no limit is given: a number that is the same at any time and in each of
 * several processes, so that they all go the same way. */
#define USUAL_BYTES 2e9

static double
count_pairs(const DebyeScatteringPlan *plan)
{
  const double n = (double)plan->scatterers.n_atoms;
  return 0.5 * n * n;
}

/* In double precision every pair is exact, and a small number of pairs is fast anyway. */
gboolean
debye_scattering_formula_is_pair_by_pair(const DebyeScatteringPlan *plan, gsize n_q)
{
  return plan->double_precision || count_pairs(plan) * (double)n_q <= FEW_TERMS;
}

/* Of so many distances; a sine and a cosine made anew, every 32nd q, take as long as sixteen terms by a turn. */
static double
count_terms(double n_distances, gsize n_q)
{
  return n_distances * ((double)n_q + 16.0 * (1.0 + (double)n_q / 32.0));
}

/* Bytes that a frame's sums may take. */
static double
find_room(const DebyeScatteringPlan *plan)
{
  return plan->memory_limit > 0 ? 0.9 * (double)plan->memory_limit : USUAL_BYTES;
}

DebyeFormulaBins
debye_scattering_formula_bins(const DebyeScatteringPlan *plan, gsize n_q, double reach, double q_max)
{
  const gsize n_atoms = plan->scatterers.n_atoms;
  DebyeFormulaBins bins = debye_formula_bins(reach, q_max, plan->settings.tolerance, n_atoms);
  debye_formula_bins_fit(&bins, n_atoms, n_q, find_room(plan));
  return bins;
}

/* Of the pairs, those beyond the last bin: distances are taken as evenly spread, which a ball's large ones are less than. */
static double
find_part_beyond(const DebyeFormulaBins *bins, double reach)
{
  return MAX(1.0 - (double)bins->n_bins * bins->width / MAX(reach, bins->width), 0.0);
}

/* Of a frame by its distances, in nanoseconds of a core. */
static double
estimate_by_pairs(const DebyeScatteringPlan *plan, gsize n_q, double reach, double q_max)
{
  if (debye_scattering_formula_is_pair_by_pair(plan, n_q))
    return TERM_COST * count_terms(count_pairs(plan), n_q);
  const DebyeFormulaBins bins = debye_scattering_formula_bins(plan, n_q, reach, q_max);
  const double n_species = (double)plan->scatterers.species->len;
  const double n_bins = (double)bins.n_bins * 0.5 * n_species * (n_species + 1.0);
  return PAIR_COST * count_pairs(plan) + BIN_COST * n_bins +
         TERM_COST * TERMS_OF_BIN * count_terms(n_bins, n_q) +
         TERM_COST * count_terms(find_part_beyond(&bins, reach) * count_pairs(plan), n_q);
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
  if (debye_scattering_formula_is_pair_by_pair(plan, n_q) || !lattice->holds_tolerance ||
      debye_formula_lattice_count_bytes(lattice, plan->scatterers.species->len, plan->scatterers.n_atoms) >
          find_room(plan))
    return FALSE;
  return estimate_by_lattice(plan, n_q, lattice) <
         estimate_by_pairs(plan, n_q, lattice->reach, lattice->q_max);
}

/* Of a body of the usual size, Å. */
static double
guess_reach(const DebyeScatteringPlan *plan)
{
  return 2.0 * cbrt((double)plan->scatterers.n_atoms * USUAL_VOLUME);
}

/* Of such a body. FALSE where none will do. */
static gboolean
guess_lattice(const DebyeScatteringPlan *plan, DebyeFormulaLattice *lattice)
{
  const gsize n_q = plan->q != NULL ? plan->q->len : 0, n_atoms = plan->scatterers.n_atoms;
  if (n_q == 0 || n_atoms == 0 || !plan->with_coherent || plan->vectors.vectors != NULL ||
      plan->orientation.kind != DEBYE_ORIENTATION_EXACT)
    return FALSE;
  *lattice = debye_formula_lattice(guess_reach(plan), g_array_index(plan->q, double, n_q - 1),
                                   plan->settings.tolerance, n_atoms);
  return debye_scattering_formula_suits_lattice(plan, n_q, lattice);
}

double
debye_scattering_formula_seconds(const DebyeScatteringPlan *plan)
{
  DebyeFormulaLattice lattice;
  const gsize n_q = plan->q->len;
  if (guess_lattice(plan, &lattice))
    return 1e-9 * estimate_by_lattice(plan, n_q, &lattice);
  return n_q == 0 ? 0.0
                  : 1e-9 * estimate_by_pairs(plan, n_q, guess_reach(plan),
                                             g_array_index(plan->q, double, n_q - 1));
}

guint64
debye_scattering_formula_bytes(const DebyeScatteringPlan *plan)
{
  DebyeFormulaLattice lattice;
  const gsize n_q = plan->q->len, n_atoms = plan->scatterers.n_atoms;
  if (guess_lattice(plan, &lattice))
    return (guint64)debye_formula_lattice_count_bytes(&lattice, plan->scatterers.species->len, n_atoms);
  if (n_q == 0 || debye_scattering_formula_is_pair_by_pair(plan, n_q))
    return 0;
  const DebyeFormulaBins bins =
      debye_scattering_formula_bins(plan, n_q, guess_reach(plan), g_array_index(plan->q, double, n_q - 1));
  return (guint64)debye_formula_bins_count_bytes(&bins, n_atoms, n_q);
}

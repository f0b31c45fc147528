/* SPDX-License-Identifier: MIT */
#include "scattering_formula_cost.h"

#include <math.h>

#include "app/analysis/scattering/system/scatterer_groups.h"
#include "kernels/chunk_threads.h"

/* Pairs times q of a frame up to which pair by pair is quick: a tenth of a second. */
#define FEW_TERMS 2e8
/* Nanoseconds of a core: a pair that goes into moments; a term sin(qr)/(qr); to empty a bin of one share, and to add it up;
 * and a point of a lattice (scattering_debye_lattice.h). */
#define PAIR_COST 4.0
#define TERM_COST 0.75
#define BIN_COST 50.0
#define POINT_COST 0.6
#define WEIGHT_COST 20.0 /* of a wave vector and a length of the lattice */
/* A point of a lattice on an accelerator, in the Coulomb pairs of its score; and seconds of a frame there beside. */
#define DEVICE_POINT_COST 100.0
#define DEVICE_FRAME_SECONDS 5e-4
/* Until an accelerator has made its plan, kernels and transform. */
#define START_SECONDS 0.3
/* Of an accelerator's memory. */
#define DEVICE_PART 0.5
/* Terms of a bin, as four moments are summed. */
#define TERMS_OF_BIN 2.0
/* Å³ that an atom has of the cube of the radius, where that isn't known; a compact body has 4. */
#define USUAL_VOLUME 8.0
/* What sums may take where no limit is given. What is free would change from time to time and from process to process, and
 * the way of a frame, and the width of its bins, with it. */
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

gboolean
debye_scattering_takes_formula(const DebyeScatteringPlan *plan)
{
  return plan->with_coherent && plan->vectors.vectors == NULL &&
         plan->orientation.kind == DEBYE_ORIENTATION_EXACT;
}

double
debye_scattering_formula_reach(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeVec3 low, high;
  double farthest = 0.0;
  if (!debye_frame_get_bounds(frame, atoms, n_atoms, &low, &high))
    return INFINITY;
  const DebyeVec3 middle = debye_vec3_scale(debye_vec3_add(low, high), 0.5);
  for (gsize i = 0; i < n_atoms; i++) {
    const guint32 atom = atoms[i];
    if (!debye_scattering_is_good(frame->x[atom], frame->y[atom], frame->z[atom]))
      return INFINITY;
    const double x = (double)frame->x[atom] - middle.x, y = (double)frame->y[atom] - middle.y,
                 z = (double)frame->z[atom] - middle.z;
    farthest = fmax(farthest, x * x + y * y + z * z);
  }
  return 2.0 * sqrt(farthest);
}

/* INFINITY where it isn't known: a cell may cut the body. */
static double
find_first_reach(const DebyeScatteringPlan *plan)
{
  if (plan->frames.first == NULL || plan->is_periodic)
    return INFINITY;
  g_auto(DebyeScattererGroups) groups = {0};
  debye_scatterer_groups_init(&groups, &plan->scatterers);
  return debye_scattering_formula_reach(plan->frames.first, groups.atoms, plan->scatterers.n_atoms);
}

static void
share_basis(DebyeFormulaBasis *basis, const DebyeRanks *ranks)
{
  double values[] = {basis->speed, basis->memory, basis->n_threads};
  if (!debye_ranks_are_several(ranks))
    return;
  ranks->least(values, G_N_ELEMENTS(values));
  basis->speed = values[0];
  basis->memory = values[1];
  basis->n_threads = values[2];
}

DebyeFormulaBasis
debye_scattering_formula_basis(const DebyeScatteringPlan *plan, const DebyeDeviceEntry *const *devices,
                               gsize n_devices, const DebyeRanks *ranks)
{
  DebyeFormulaBasis found = {.memory = INFINITY, .n_threads = debye_chunk_threads_count()};
  if (!debye_scattering_takes_formula(plan))
    return found;
  const double first = find_first_reach(plan);
  found.reach = isfinite(first) ? first : 2.0 * cbrt((double)plan->scatterers.n_atoms * USUAL_VOLUME);
  found.least_reach = isfinite(first) ? first : 0.0;
  for (gsize i = 0; i < n_devices; i++) {
    if (debye_device_is_cpu(devices[i]) || devices[i]->backend->lattice == NULL)
      continue;
    found.speed += devices[i]->info.score;
    found.memory = MIN(found.memory, (double)devices[i]->info.memory_total);
  }
  share_basis(&found, ranks);
  return found;
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

static double
count_points(const DebyeScatteringPlan *plan, const DebyeFormulaLattice *lattice)
{
  double points = 0.0;
  for (guint a = 0; a < plan->scatterers.species->len; a++)
    points +=
        debye_formula_lattice_count_points(lattice, debye_scatterers_get(&plan->scatterers, a)->atoms->len);
  return points;
}

/* Of a frame, likewise. */
static double
estimate_by_lattice(const DebyeScatteringPlan *plan, gsize n_q, const DebyeFormulaLattice *lattice)
{
  return POINT_COST * count_points(plan, lattice) +
         WEIGHT_COST * debye_formula_lattice_count_weights(lattice, n_q);
}

static double
count_bytes(const DebyeScatteringPlan *plan, gsize n_q, const DebyeFormulaLattice *lattice)
{
  return debye_formula_lattice_count_bytes(lattice, plan->scatterers.species->len, plan->scatterers.n_atoms,
                                           n_q);
}

gboolean
debye_scattering_formula_fits_processor(const DebyeScatteringPlan *plan, gsize n_q,
                                        const DebyeFormulaLattice *lattice)
{
  return count_bytes(plan, n_q, lattice) <= find_room(plan);
}

/* In seconds, whether the accelerators are quicker than all cores by the frame's distances. */
static gboolean
suits_accelerators(const DebyeScatteringPlan *plan, gsize n_q, const DebyeFormulaBasis *basis,
                   const DebyeFormulaLattice *lattice)
{
  const double room = plan->memory_limit > 0 ? find_room(plan) : DEVICE_PART * basis->memory;
  if (!(basis->speed > 0.0) || count_bytes(plan, n_q, lattice) > room)
    return FALSE;
  return DEVICE_FRAME_SECONDS + DEVICE_POINT_COST * count_points(plan, lattice) / basis->speed <
         1e-9 * estimate_by_pairs(plan, n_q, lattice->reach, lattice->q_max) / basis->n_threads;
}

gboolean
debye_scattering_formula_suits_lattice(const DebyeScatteringPlan *plan, gsize n_q,
                                       const DebyeFormulaBasis *basis, const DebyeFormulaLattice *lattice)
{
  if (debye_scattering_formula_is_pair_by_pair(plan, n_q) || !lattice->holds_tolerance)
    return FALSE;
  if (suits_accelerators(plan, n_q, basis, lattice))
    return TRUE;
  return debye_scattering_formula_fits_processor(plan, n_q, lattice) &&
         estimate_by_lattice(plan, n_q, lattice) <
             estimate_by_pairs(plan, n_q, lattice->reach, lattice->q_max);
}

/* Of the first body. FALSE where none will do. */
static gboolean
guess_lattice(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis, DebyeFormulaLattice *lattice)
{
  const gsize n_q = plan->q != NULL ? plan->q->len : 0, n_atoms = plan->scatterers.n_atoms;
  if (n_q == 0 || n_atoms == 0 || !debye_scattering_takes_formula(plan))
    return FALSE;
  *lattice = debye_formula_lattice(basis->reach, g_array_index(plan->q, double, n_q - 1),
                                   plan->settings.tolerance, n_atoms);
  return debye_scattering_formula_suits_lattice(plan, n_q, basis, lattice);
}

/* Of the whole run, by all cores. */
static double
processor_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  const DebyeFormulaBasis none = {.reach = basis->reach};
  return debye_scattering_formula_seconds(plan, &none) * (double)plan->frames.n_frames / basis->n_threads;
}

gboolean
debye_scattering_formula_wants(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  DebyeFormulaLattice lattice;
  if (!(basis->speed > 0.0) || !guess_lattice(plan, basis, &lattice))
    return FALSE;
  return !g_str_equal(plan->settings.lanes.device, "auto") || processor_seconds(plan, basis) > START_SECONDS;
}

double
debye_scattering_formula_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  DebyeFormulaLattice lattice;
  const gsize n_q = plan->q->len;
  if (n_q == 0)
    return 0.0;
  if (!guess_lattice(plan, basis, &lattice))
    return 1e-9 * estimate_by_pairs(plan, n_q, basis->reach, g_array_index(plan->q, double, n_q - 1));
  return basis->speed > 0.0 ? 0.0 : 1e-9 * estimate_by_lattice(plan, n_q, &lattice);
}

double
debye_scattering_formula_wait(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  DebyeFormulaLattice lattice;
  return basis->speed > 0.0 && guess_lattice(plan, basis, &lattice) ? DEVICE_FRAME_SECONDS : 0.0;
}

double
debye_scattering_formula_pairs(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  DebyeFormulaLattice lattice;
  if (!(basis->speed > 0.0) || !guess_lattice(plan, basis, &lattice))
    return 0.0;
  return DEVICE_POINT_COST * count_points(plan, &lattice);
}

double
debye_scattering_formula_speed(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis, double speed)
{
  DebyeFormulaLattice lattice;
  if (!(basis->speed > 0.0) || !guess_lattice(plan, basis, &lattice))
    return speed;
  return debye_scattering_formula_fits_processor(plan, plan->q->len, &lattice) ? speed : basis->speed;
}

/* Where none but accelerators have the lattice and they fail, moments take its place. */
guint64
debye_scattering_formula_bytes(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  DebyeFormulaLattice lattice;
  const gsize n_q = plan->q->len, n_atoms = plan->scatterers.n_atoms;
  double bytes = 0.0;
  if (n_q == 0 || debye_scattering_formula_is_pair_by_pair(plan, n_q))
    return 0;
  if (guess_lattice(plan, basis, &lattice)) {
    if (debye_scattering_formula_fits_processor(plan, n_q, &lattice))
      return (guint64)count_bytes(plan, n_q, &lattice);
    bytes = debye_formula_lattice_count_host_bytes(&lattice, plan->scatterers.species->len, n_atoms, n_q);
  }
  const DebyeFormulaBins bins =
      debye_scattering_formula_bins(plan, n_q, basis->reach, g_array_index(plan->q, double, n_q - 1));
  return (guint64)MAX(bytes, debye_formula_bins_count_bytes(&bins, n_atoms, n_q));
}

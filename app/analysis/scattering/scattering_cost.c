/* SPDX-License-Identifier: MIT */
/* Counts terms and passes for the estimate of time and memory; called by scattering_analysis.c. */
#include "scattering_cost.h"

#include <math.h>

#include "kernels/host_memory.h"
#include "app/analysis/scattering/time/scattering_correlation.h"
#include "app/analysis/scattering/time/intermediate_scattering.h"
#include "app/analysis/scattering/time/scattering_dynamic.h"
#include "app/analysis/scattering/time/scattering_offsets.h"
#include "app/analysis/scattering/time/scattering_pass.h"

/* In Coulomb pairs, measured: a sine and a cosine of an amplitude; of a course, with its share of the
 * transforms; and a displacement that is counted. */
#define AMPLITUDE_COST 4.0
#define COURSE_COST 25.0
#define DISPLACEMENT_COST 4.0

/* Seconds of a core per displacement whose offset within its bin is summed; per bin, time and species that is emptied and
 * collected; and per such bin and q of the average (bench_form --run kind=incoherent dynamic=true, six systems). */
#define OFFSET_SECONDS 1.2e-8
#define BIN_SECONDS 2e-8
#define AVERAGE_SECONDS 2.8e-9
/* Å that bins reach, for want of a better guess: atoms of a liquid's 22 to 5,459 moved by 17 to 93 Å at most. */
#define USUAL_REACH 24.0

/* Of a frame: atoms times vectors, or atoms times q times multipoles. */
static double
coherent_pairs(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  const double n = (double)plan->scatterers.n_atoms, l = (double)plan->orientation.n + 1.0;
  if (debye_scattering_takes_formula(plan))
    return debye_scattering_formula_pairs(plan, basis);
  if (plan->vectors.vectors != NULL)
    return AMPLITUDE_COST * n * (double)plan->vectors.vectors->len;
  return AMPLITUDE_COST * n * (double)plan->q->len * 0.5 * l * l;
}

/* Only a longest time needs the time step, for which up to two frames are read. */
static gsize
count_lags(const DebyeScatteringPlan *plan)
{
  const double step = isnan(plan->settings.lags) ? 0.0 : debye_frame_choice_get_time_step(&plan->frames);
  return debye_scattering_count_lags(plan, step);
}

static gboolean
counts_displacements(const DebyeScatteringPlan *plan)
{
  return plan->with_incoherent && debye_scattering_is_dynamic(&plan->settings) &&
         debye_scattering_averages_exactly(plan, plan->settings.signal);
}

/* Of a frame, in the mean: of each vector a phase, or of each later frame up to the longest time a
 * displacement. */
static double
incoherent_pairs(const DebyeScatteringPlan *plan, gsize n_lags)
{
  const double n = (double)plan->scatterers.n_atoms, n_frames = (double)plan->frames.n_frames;
  if (counts_displacements(plan))
    return DISPLACEMENT_COST * n * (double)n_lags * (1.0 - 0.5 * ((double)n_lags - 1.0) / n_frames);
  return COURSE_COST * n * (double)plan->vectors.vectors->len;
}

/* Of the devices, whose scores, `speed`, are in Coulomb pairs; and what no device is quicker at. */
static double
device_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis, gsize n_lags, double speed)
{
  double seconds = 0.0;
  if (plan->with_coherent)
    seconds += coherent_pairs(plan, basis) / debye_scattering_formula_speed(plan, basis, speed) +
               debye_scattering_formula_wait(plan, basis);
  /* What is incoherent is the same at all q, unless it is followed in time. */
  if (plan->with_incoherent && debye_scattering_is_dynamic(&plan->settings))
    seconds += incoherent_pairs(plan, n_lags) / speed;
  return seconds * (double)plan->frames.n_frames;
}

/* What follows the count of displacements (scattering_displacements.c), in seconds of a core. */
static double
displacement_core_seconds(const DebyeScatteringPlan *plan, gsize n_lags)
{
  const gsize n_frames = plan->frames.n_frames, n_atoms = plan->scatterers.n_atoms;
  const double pairs = (double)n_atoms * ((double)n_frames - 0.5 * (double)n_lags) * (double)n_lags;
  const double n_q = (double)plan->q->len,
               q_max = n_q > 0.0 ? g_array_index(plan->q, double, plan->q->len - 1) : 0.0;
  const double width = debye_scattering_displacement_bin_width(plan->settings.tolerance, q_max);
  const double bins = USUAL_REACH / width * (double)n_lags * (double)plan->scatterers.species->len;
  const double offsets = debye_scattering_offsets_are_worth(n_atoms, n_frames, n_lags) ? pairs : 0.0;
  return OFFSET_SECONDS * offsets + (BIN_SECONDS + AVERAGE_SECONDS * n_q) * bins;
}

/* Work that is the CPU's on any devices, in seconds of one core. */
static double
core_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis, gsize n_lags)
{
  double seconds = counts_displacements(plan) ? displacement_core_seconds(plan, n_lags) : 0.0;
  if (debye_scattering_takes_formula(plan))
    seconds += debye_scattering_formula_seconds(plan, basis) * (double)plan->frames.n_frames;
  return seconds;
}

double
debye_scattering_cost_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis, double speed,
                              double n_threads)
{
  const gsize n_lags = counts_displacements(plan) ? count_lags(plan) : 0;
  return device_seconds(plan, basis, n_lags, speed) + core_seconds(plan, basis, n_lags) / n_threads;
}

/* --- In time --- */

static gboolean
has_series(const DebyeScatteringPlan *plan)
{
  return plan->with_coherent && plan->vectors.vectors != NULL;
}

/* Of an atom: its places in all frames. */
static guint64
atom_bytes(const DebyeScatteringPlan *plan)
{
  return plan->frames.n_frames * 3 * sizeof(float);
}

/* What each vector and species comes to over a block of atoms, and over all blocks. */
static guint64
self_sum_bytes(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  if (debye_scattering_averages_exactly(plan, signal))
    return 0;
  return 2 * (guint64)plan->vectors.vectors->len * plan->scatterers.species->len * plan->frames.n_frames *
         sizeof(double complex);
}

/* Atoms of a pass: by vectors what else there is leaves them room, otherwise they have half of it. */
static guint64
atoms_of_pass(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  const guint64 sums = self_sum_bytes(plan, signal);
  guint64 room = debye_scattering_pass_room(plan);
  if (!debye_scattering_averages_exactly(plan, signal)) {
    /* Without a limit what is free, as each device goes by what it has
     * (kernels/scattering/scattering_self_lanes.c). */
    const guint64 limit =
        plan->memory_limit > 0 ? plan->memory_limit : debye_host_memory_available() / 10 * 9;
    room = limit > sums ? limit - sums : 0;
  }
  return CLAMP(room / atom_bytes(plan), 1, plan->scatterers.n_atoms);
}

static guint64
coherent_bytes(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  const guint64 n = debye_scattering_pass_vectors(plan, signal);
  const guint64 correlated = debye_scattering_correlate_together(plan, n) * plan->frames.n_frames;
  return n * debye_scattering_pass_vector_bytes(plan, signal) + 2 * correlated * sizeof(double complex);
}

static guint64
count_rows(const DebyeScatteringPlan *plan)
{
  return plan->vectors.shells != NULL ? plan->vectors.shells->len : plan->q->len;
}

/* Of the result, and by vectors of the coherent and the incoherent part before they are joined in it. */
static guint64
signal_bytes(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  const guint64 value =
      sizeof(double complex) + debye_scattering_count_partials(plan, signal) * sizeof(double);
  return (plan->vectors.vectors != NULL ? 3 : 2) * count_rows(plan) * plan->frames.n_frames * value;
}

gsize
debye_scattering_cost_passes(const DebyeScatteringPlan *plan)
{
  const DebyeSignal signal = plan->settings.signal;
  if (!debye_scattering_is_dynamic(&plan->settings))
    return 1;
  gsize n = debye_scattering_reads_cells(plan) ? 1 : 0;
  if (has_series(plan)) {
    const gsize of_pass = debye_scattering_pass_vectors(plan, signal);
    n += (plan->vectors.vectors->len + of_pass - 1) / of_pass;
  }
  if (plan->with_incoherent) {
    const gsize of_pass = atoms_of_pass(plan, signal);
    n += (plan->scatterers.n_atoms + of_pass - 1) / of_pass;
  }
  return MAX(n, 1);
}

/* One part comes after the other. */
static guint64
bytes_in_time(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  guint64 bytes = has_series(plan) ? coherent_bytes(plan, signal) : 0;
  if (plan->with_incoherent)
    bytes = MAX(bytes, atoms_of_pass(plan, signal) * atom_bytes(plan) + self_sum_bytes(plan, signal));
  return bytes + signal_bytes(plan, signal);
}

guint64
debye_scattering_cost_bytes(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis)
{
  const guint64 n_species = plan->scatterers.species->len;
  const guint64 n_vectors = plan->vectors.vectors != NULL ? plan->vectors.vectors->len : plan->q->len;
  const guint64 sums = count_rows(plan) * n_species * (n_species + 1) / 2 * (plan->n_blocks + 1);
  if (debye_scattering_is_dynamic(&plan->settings))
    return bytes_in_time(plan, plan->settings.signal);
  return sizeof(double complex) * (n_species * n_vectors + sums) +
         (debye_scattering_takes_formula(plan) ? debye_scattering_formula_bytes(plan, basis) : 0);
}

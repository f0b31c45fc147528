/* SPDX-License-Identifier: MIT */
/* Timing of kernels on a made-up problem or a molecule, with the error against a sum in double precision:
 * what `debye-cli bench` and the class room share. */
#pragma once

#include "bench_atoms.h"
#include "bench_power.h"
#include "data/geometry.h"
#include "kernels/ladder/ladder.h"
#include "kernels/potential/potential_map_lanes.h"

#include <glib.h>

/* Å */
#define DEBYE_BENCH_CORE_RADIUS 1e-3
#define DEBYE_BENCH_PADDING 6.0 /* of grid beyond the atoms */
/* Of the teaching variants' histogram. */
#define DEBYE_BENCH_N_BINS 200

/* Charges with a grid over them. */
typedef struct {
  DebyeGrid grid;
  gsize n_atoms;
  float *x, *y, *z, *charge;
  DebyeCharges charges;
  double edge[3]; /* Å, of a cell with right angles for pairs: unless it is set, a cube round the atoms */
  GArray *sample; /* guint64: points whose exact value is known */
  double *exact;  /* theirs, e/Å */
  double exact_rms;
  double cutoff; /* Å, of the cutoff's teaching variants, which exact and exact_rms have none of */
  /* Of scattering's teaching variants: courses in time and how much of them (debye_bench_problem_set_courses). */
  const DebyeBenchAtoms *courses;
  DebyeBenchAtoms *made_up;
  gsize n_frames, n_vectors;
  double field_points;         /* of teaching variants with their own subject, about; 0: their own number */
  const volatile bool *cancel; /* borrowed; what ends every measurement. NULL: nothing does */
} DebyeBenchProblem;

/* A cube of charges at a molecule's density: the same for the same numbers. */
DebyeBenchProblem *debye_bench_problem_new(gsize points_a_side, gsize n_atoms);
/* A molecule's charges (Å, e; copied), 1 at least, with a grid of about so many points and the same spacing
 * along each axis. */
DebyeBenchProblem *debye_bench_problem_new_for_charges(const DebyeCharges *charges, gsize n_points);
void debye_bench_problem_free(DebyeBenchProblem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeBenchProblem, debye_bench_problem_free)

/* Pairs by distance, as a teaching variant counted them last. */
typedef struct {
  double
      n_atoms; /* all their pairs; more than asked for where a race had lost nothing (debye_bench_count_race) */
  double n_asked;
  double volume; /* Å³, of their cell */
  double range;  /* Å, of all bins */
  gboolean is_race;
  guint64 bins[DEBYE_BENCH_N_BINS];
  guint64 expected[DEBYE_BENCH_N_BINS]; /* of the same atoms, by the production kernel */
} DebyeBenchCounts;

/* One line of the table. */
typedef struct {
  char *variant, *device;
  double seconds;          /* of one call: of production kernels the median of the repeats, else the best */
  double fastest, slowest; /* s, of the repeats; 0: not kept */
  double median;           /* s, of repeats of which `seconds` is the best; 0: not kept */
  double n_repeats;
  double whole;             /* times the part that was timed; 1: all was; 0: not kept */
  double evaluations, rate; /* what is counted, of one call and a second: pairs of a point and an atom */
  double error;      /* root mean square over the sample, relative to the exact one's; of counts: the lost */
  double operations; /* a second, as kernels/ladder/ladder.h counts them; 0: not known */
  double share;      /* of the most that the device can do */
  double intensity;  /* operations for each byte of memory; 0: not known */
  /* Of bins with a fixed capacity the share of the atoms that have no slot, and the seconds for those that have and for
   * those that haven't, which may run at the same time. 0: there are no such bins. */
  double overflow, kernel_seconds, overflow_seconds;
  DebyeLadderResources resources; /* of a GPU's kernel */
  DebyeLadderTimes times;         /* of a GPU's teaching variant, on the part of the problem that was timed */
  DebyeBenchPower power;          /* while it was repeated */
  DebyeBenchCounts *counts;       /* NULL: it counts no pairs */
} DebyeBenchResult;

/* Of all that it has; cleared by who asked for it. */
DebyeBenchResult debye_bench_result_copy(const DebyeBenchResult *result);
void debye_bench_result_clear(DebyeBenchResult *result);
/* Over the points of the sample below `n_points`, of one of the two maps; NAN where there are none. */
double debye_bench_measure_error(const DebyeBenchProblem *problem, const float *single, const double *twice,
                                 guint64 n_points);

/* Of the atoms, how many are within `cutoff` (Å) of a point of the sample, on average. */
double debye_bench_count_within(const DebyeBenchProblem *problem, double cutoff);

/* The textbook: two plain loops in single precision on one thread, over as many planes as take a second or
 * so. */
void debye_bench_naive(const DebyeBenchProblem *problem, guint repeat, DebyeBenchResult *result);

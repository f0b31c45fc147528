/* SPDX-License-Identifier: MIT */
/* A measurement repeated while one or several of its sizes change: times, how they scale, and the power law
 * that fits them. */
#pragma once

#include "bench_case.h"
#include "data/results/table.h"

/* Axes in all, and axes with more than one value, which multiply the measurements. */
#define DEBYE_BENCH_MAX_AXES 8
#define DEBYE_BENCH_MAX_CHANGING_AXES 3

typedef enum {
  DEBYE_BENCH_OF_SIZE,     /* time should grow with it */
  DEBYE_BENCH_OF_RESOURCE, /* time should fall with it: threads, devices, ranks */
  DEBYE_BENCH_OF_CHOICE,   /* neither */
} DebyeBenchScaling;

typedef struct {
  const char *name;         /* "threads": in --sweep and as a column */
  const char *label, *unit; /* of an axis; unit may be NULL */
  DebyeBenchSize size;      /* DEBYE_BENCH_N_SIZES: words, not numbers */
  DebyeBenchScaling scaling;
  gboolean is_whole;
  double minimum, maximum;
  const char *macro; /* of a source, which it sets; NULL: a size or a resource */
} DebyeBenchVariable;

typedef struct {
  const DebyeBenchVariable *variable;
  gsize n;
  double *values; /* NULL: words */
  GStrv words;    /* as they are told; n of them */
} DebyeBenchAxis;

/* The first axis with numbers is x; the others make a curve for each combination of their values. */
typedef struct {
  DebyeBenchAxis axes[DEBYE_BENCH_MAX_AXES];
  gsize n_axes;
} DebyeBenchSweep;

typedef struct {
  gsize at[DEBYE_BENCH_MAX_AXES]; /* of each axis which value */
  gsize curve;
  DebyeBenchResult result;
  /* Against the curve's first point: its time over this one's, and that over how many times more threads,
   * devices or processes there are. NAN unless x is such. */
  double speed_up, efficiency;
} DebyeBenchRow;

/* seconds = factor · x^exponent */
typedef struct {
  char *name;                     /* of the curve, "direct, cuda:0"; "" where there is one */
  double factor, exponent, error; /* error: standard, of the exponent; NAN below three points */
} DebyeBenchFit;

/* Each text "NAME=LIST": values parted by commas, or FIRST:LAST:STEP, or FIRST:LAST:xFACTOR; as `devices` also
 * their names, with + between those that work together. FALSE with an error that names what there is. */
gboolean debye_bench_sweep_parse(DebyeBenchSweep *sweep, const char *const *texts, GError **error);
void debye_bench_sweep_clear(DebyeBenchSweep *sweep);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeBenchSweep, debye_bench_sweep_clear)
/* What --sweep calls a macro of a source: "tile" of "TILE"; NULL: nothing. */
const char *debye_bench_sweep_name_macro(const char *macro);
/* The axis of this name; NULL: there is none. */
const DebyeBenchAxis *debye_bench_sweep_find(const DebyeBenchSweep *sweep, const char *name);

/* `at`: of each axis which value. */
typedef gboolean (*DebyeBenchMeasure)(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result,
                                      gpointer data, GError **error);
/* Ends `rows` (DebyeBenchRow, curve by curve) with a measurement each, and `fits` with one each curve. */
gboolean debye_bench_sweep_run(const DebyeBenchSweep *sweep, DebyeBenchMeasure measure, gpointer data,
                               GArray *rows, GArray *fits, GError **error);
/* "cutoff, cuda:0": the row's values on all axes but the first; "": there is one. */
char *debye_bench_sweep_name_curve(const DebyeBenchSweep *sweep, const DebyeBenchRow *row);
/* Whether its axes change what is computed: then no time is better than another's, but a throughput may be. */
gboolean debye_bench_sweep_changes_work(const DebyeBenchSweep *sweep);
/* The one with the least time, or, where the axes change the work, the highest throughput, of those (DebyeBenchRow) that have
 * any; NULL: none has. */
const DebyeBenchRow *debye_bench_sweep_find_best(const DebyeBenchSweep *sweep, const GArray *rows);
/* Whether of any the median is so far above the fastest run that it is not the machine's own. */
gboolean debye_bench_sweep_swings(const GArray *rows);
void debye_bench_row_clear(DebyeBenchRow *row);
void debye_bench_fit_clear(DebyeBenchFit *fit);

/* The fit of n points to a power law by least squares of the logarithms. */
DebyeBenchFit debye_bench_fit_power(const double *x, const double *y, gsize n);
/* One row a measurement, with the columns of the axes first. */
DebyeTable *debye_bench_sweep_create_table(const DebyeBenchSweep *sweep, const GArray *rows);

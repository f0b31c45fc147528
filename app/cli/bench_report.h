/* SPDX-License-Identifier: MIT */
/* The output of debye-cli bench: rows as a table, as JSON and in files; the teaching variants and their code.
 * Called by command_bench.c. */
#pragma once

#include "app/bench/bench_ladder.h"
#include "app/bench/bench_source.h"
#include "app/bench/bench_sweep.h"
#include "app/classroom/classroom.h"
#include "app/document/json_writer.h"
#include "bench_run.h"

typedef struct {
  const char *subject;              /* one line: on what it was measured */
  const char *operations;           /* how GFLOP/s count; NULL: they don't */
  const char *kernel;               /* id */
  const char *unit;                 /* what throughput counts: "pairs" */
  const char *job;                  /* the line of a whole job; NULL: kernels were timed */
  gint64 points_a_side;             /* of the map's first axis; 0: no map */
  gint64 atoms;                     /* 0: not known */
  const DebyeBenchSweep *sweep;     /* without axes: none */
  const GArray *rows;               /* DebyeBenchRow */
  const GArray *fits;               /* DebyeBenchFit */
  const GArray *limits;             /* DebyeBenchLimits */
  const char *figure;               /* of teaching variants: g, roofline or NULL, the usual one */
  const DebyeBenchVerdict *verdict; /* of a source of the class; NULL: there is none */
} DebyeBenchReport;

/* "Direct sum, 64×64×64 points, atoms: 1000"; `shape` of a map that no sweep changes, or NULL. */
char *debye_bench_report_describe(const DebyeBenchJob *job, const char *title, const gsize *shape);
void debye_bench_report_print(const DebyeBenchReport *report);
void debye_bench_report_print_json(const DebyeBenchReport *report);
/* The same text, which the class room shows as a recording (app/classroom/classroom_recording.h). */
char *debye_bench_report_to_json(const DebyeBenchReport *report);
/* By ending: .csv, or the plot of a sweep or of a ladder as .svg, .pdf or .png. */
gboolean debye_bench_report_save(const DebyeBenchReport *report, DebyeArguments *arguments, const char *path,
                                 GError **error);

/* In bench_plot.c: a figure of the class room, or its numbers, into each --output. */
gboolean debye_bench_save_figure(DebyeArguments *arguments, DebyePlot *plot, GError **error);
/* A number of a table after a blank, whatever the locale; a dash where there is none: NAN. */
void debye_bench_print_number(int width, const char *format, double value);
/* NAN for 0, which stands for what is not known; and in JSON nothing. */
double debye_bench_if_known(double value);
void debye_bench_add_if_known(DebyeJson *json, const char *key, double value);

/* The teaching variants of all back ends, whether or not one is here: by family, in the order in which they are
 * taught. */
void debye_bench_report_print_variants(gboolean json);
/* The code of a variant on each back end that has one of this name. FALSE with an error. */
gboolean debye_bench_report_print_source(const char *id, gboolean json, GError **error);

/* --bins, in bench_bins.c. Whether the class room has a figure of that name. */
gboolean debye_bench_bins_check(const char *figure, GError **error);
/* Prints how atoms fill bins of many edges and writes the figure into --output. `atoms` NULL: made-up ones. */
gboolean debye_bench_bins_run(DebyeArguments *arguments, const char *figure,
                              const DebyeClassroomBinChoice *choice, const DebyeBenchAtoms *atoms,
                              GError **error);

/* In bench_line.c. --size: "64,1000", "64,1000,128,32"; what isn't given stays the kernel's own. `sizes` are
 * DEBYE_BENCH_N_SIZES. */
gboolean debye_bench_parse_size(const char *text, double *sizes, GError **error);
/* Whether rows are of teaching variants, which the class room has a figure of. */
gboolean debye_bench_has_figure(const DebyeBenchJob *job);
/* --job: its line as the command of that name reads it, whose outputs are to be others. FALSE with an error, also for options of
 * bench that are of kernels. */
gboolean debye_bench_read_whole(const DebyeCommand *const *all, DebyeArguments *arguments, const char *line,
                                DebyeBenchWhole *whole, GError **error);
/* Whether the options that are given go together. */
gboolean debye_bench_check_line(DebyeArguments *arguments, const DebyeBenchJob *job, GError **error);

/* --slices, in bench_slices.c. Whether the class room has a figure of that name, which outputs can hold. */
gboolean debye_bench_slices_check(DebyeArguments *arguments, const char *figure, GError **error);
/* Deals a map's slices to one device of the job, then to more, prints the times and writes the figure into --output. `spacing`
 * (Å) is of the placements of ions that are estimated. */
gboolean debye_bench_slices_run(DebyeArguments *arguments, const char *figure, const DebyeBenchJob *job,
                                double spacing, GError **error);

/* --batches, in bench_slices.c: prints the memory of batched transforms and writes the figure (atoms, frames) into --output.
 * `sizes` are DEBYE_BENCH_N_SIZES; `block` 0 and `memory` "": the usual ones. */
gboolean debye_bench_batches_run(DebyeArguments *arguments, const char *figure, const double *sizes,
                                 gint64 block, const char *memory, GError **error);

/* --exercise, in bench_bins.c: the kernel's family of teaching variants with gaps, into a folder. */
gboolean debye_bench_save_exercise(const char *kernel, const char *folder, GError **error);

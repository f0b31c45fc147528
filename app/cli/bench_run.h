/* SPDX-License-Identifier: MIT */
/* What debye-cli bench was asked for, and measuring it, alone or in several processes. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/bench/bench_ladder.h"
#include "app/bench/bench_source.h"
#include "app/bench/bench_sweep.h"
#include "app/bench/bench_whole.h"
#include "app/classroom/sweep_file.h"
#include "cli_progress.h"
#include "process_ranks.h"

typedef struct {
  DebyeRegistry *registry;
  DebyeLaneSettings lanes;
  DebyeRanks ranks;
  DebyeBenchCase asked;    /* which a sweep changes; completed */
  gboolean is_ladder;      /* the teaching variants of the pair histogram */
  const char *against;     /* or NULL */
  const char *figure;      /* of teaching variants: g, roofline or NULL, the usual one */
  DebyeBenchSource source; /* of the class; without a name: none */
  char *runner;            /* the program that runs it */
  DebyeBenchVerdict verdict;
  DebyeBenchWhole whole;  /* in place of kernels; without a line: none */
  DebyeBenchSweep sweep;  /* without axes: none */
  const char *continued;  /* the file of its finished points; NULL: none is kept */
  DebyeSweepFileJob kept; /* what they are of; no inputs but `files` and `class_file` */
  const char *const *files;
  const char *class_file; /* the source's; NULL: there is none */
  DebyeBenchAtoms *atoms; /* of files; NULL: made-up */
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  GArray *limits; /* DebyeBenchLimits; of what was compared with them */
  GArray *rows;   /* DebyeBenchRow */
  GArray *fits;   /* DebyeBenchFit */
  DebyeCliProgress progress;
} DebyeBenchJob;

void debye_bench_job_init(DebyeBenchJob *job);
void debye_bench_job_clear(DebyeBenchJob *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeBenchJob, debye_bench_job_clear)

/* The family of teaching variants that goes with the kernel; DEBYE_LADDER_N_KINDS: none does. */
DebyeLadderKind debye_bench_job_find_kind(const DebyeBenchJob *job);
/* Whether --against names what there is. */
gboolean debye_bench_job_check_against(const DebyeBenchJob *job, GError **error);
/* Whether the sweep's axes are of its kernels, and there are as many processes as it asks for. */
gboolean debye_bench_job_check_sweep(const DebyeBenchJob *job, GError **error);
/* Of several kernels, atoms or frames the most: what has to be read of files. */
double debye_bench_job_find_most(const DebyeBenchJob *job, DebyeBenchSize size);
/* Completes what was asked for. FALSE with an error where the atoms of files are not what the kernels of the
 * sweep need, or fewer than it asks for. */
gboolean debye_bench_job_complete(DebyeBenchJob *job, GError **error);
/* Fills rows and fits. */
gboolean debye_bench_job_run(DebyeBenchJob *job, GError **error);

/* In bench_line.c. Of a whole job: whether the sweep's axes are options that every command has. */
gboolean debye_bench_whole_check_sweep(const DebyeBenchJob *job, GError **error);

/* In bench_design.c. Fills rows and fits, of finished points from the file that the job continues. */
gboolean debye_bench_job_sweep(DebyeBenchJob *job, DebyeBenchMeasure measure, GError **error);
/* A point of a sweep over a source's macros. Sets them; FALSE with an error. */
gboolean debye_bench_design_define(DebyeBenchSource *source, const DebyeBenchSweep *sweep, const gsize *at,
                                   GError **error);
/* Takes the verdict's result; of a source that is wrong there it has no time, and a warning says why. */
void debye_bench_design_take(const DebyeBenchSource *source, const DebyeBenchSweep *sweep, const gsize *at,
                             DebyeBenchVerdict *verdict, DebyeBenchResult *result);

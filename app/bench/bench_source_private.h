/* SPDX-License-Identifier: MIT */
/* What the files that run a source of the class share. */
#pragma once

#include "app/runner/runner_case.h"
#include "bench_source.h"

G_BEGIN_DECLS

/* --- bench_source_case.c: a part of the problem, as the runner gets it --- */

typedef struct {
  const DebyeBenchProblem *problem;
  DebyeLadderKind kind;
  DebyeLadderProblem map; /* of a map */
  DebyeLadderPairs pairs; /* of counts */
  DebyeRunnerCase about;
  GByteArray *inputs;
  GArray *overflow; /* DebyeLadderAtom, in the frame of the map */
  float step[3];
  double extent; /* Å, of all coordinates: what they are rounded by */
} DebyeBenchSourceCase;

/* A small piece, with edges of different lengths. FALSE with an error. */
gboolean debye_bench_source_case_init(DebyeBenchSourceCase *one, const DebyeBenchProblem *problem,
                                      DebyeLadderKind kind, gsize n_units, GError **error);
void debye_bench_source_case_clear(DebyeBenchSourceCase *one);
gsize debye_bench_source_case_count(const DebyeBenchSourceCase *one); /* values of its output */
double debye_bench_source_case_evaluations(const DebyeBenchSourceCase *one);

/* --- bench_source_check.c --- */

/* What is expected in double, and how far single precision may be off. */
typedef struct {
  double expected, tolerance;
} DebyeBenchExpected;

/* Of value `index`; without_overflow: of the atoms with a slot. */
DebyeBenchExpected debye_bench_source_expect(const DebyeBenchSourceCase *one, gsize index,
                                             gboolean without_overflow, double *within);
/* Of counts: the middle of what rounding allows. */
void debye_bench_source_expect_counts(const DebyeBenchSourceCase *one, DebyeBenchExpected *expected);
/* "point (3, 4, 0)", a message */
char *debye_bench_source_name_value(const DebyeBenchSourceCase *one, gsize index);

/* --- bench_source_process.c --- */

typedef struct {
  char *path;
  const char *runner;
  const volatile bool *cancel;
} DebyeBenchFolder;

gboolean debye_bench_folder_init(DebyeBenchFolder *folder, const char *runner, const volatile bool *cancel,
                                 GError **error);
void debye_bench_folder_clear(DebyeBenchFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeBenchFolder, debye_bench_folder_clear)
gboolean debye_bench_folder_write(const DebyeBenchFolder *folder, const char *name, gconstpointer data,
                                  gsize n, GError **error);
/* Starts the runner there with these arguments (the first is its own name), and ends it and all that it started after so
 * many seconds. *status is waitpid's. FALSE with an error. */
gboolean debye_bench_folder_run(const DebyeBenchFolder *folder, char **arguments, double seconds,
                                gboolean *is_late, int *status, GError **error);

/* --- bench_source_compile.c --- */

/* With the C compiler; with NVRTC, for GPU number `gpu`. */
gboolean debye_bench_source_compile(const DebyeBenchSource *source, const DebyeBenchFolder *folder,
                                    DebyeBenchVerdict *verdict, GError **error);
gboolean debye_bench_source_compile_cuda(const DebyeBenchSource *source, const DebyeBenchFolder *folder,
                                         guint gpu, DebyeBenchVerdict *verdict, GError **error);
/* Of a compiler's lines the first that says something, not where it is; "?": none does. */
const char *debye_bench_source_find_line(const char *const *lines);
/* FALSE with an error where CUDA sources must not run: a fault in one would end what others run through MPS. */
gboolean debye_bench_source_check_mps(GError **error);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* A kernel that somebody wrote for the class, for `bench --source` and the class room: compiled by the machine's C
 * compiler or NVRTC, run by debye-kernel-runner, held against sums in double and timed as the ladder's variants.
 * Signatures are those of kernels/cpu/ladder/direct.h and kernels/cuda/ladder/direct.cuh. */
#pragma once

#include "bench.h"
#include "kernels/ladder/ladder.h"

/* The program that runs it (app/runner), of debye_installation_find_helper(). */
#define DEBYE_BENCH_SOURCE_RUNNER "debye-kernel-runner"
/* How its row is called. */
#define DEBYE_BENCH_SOURCE_NAME "ours, of the class"

typedef struct {
  char *name; /* as messages call the file */
  char *text;
  gboolean is_cuda;   /* CUDA C for a GPU, else C for the CPU */
  gboolean is_scalar; /* of C: the compiler makes no vectors of it, as of most of the shipped variants */
  gboolean is_only_compiled; /* of CUDA C: it isn't run, as Debye has no device for its result */
  /* What it has to compute, if there is a choice, from 1 on: of scattering one of DebyeLadderSignal, of densities numbers of
   * atoms or of frames; 0: any of these. */
  guint alternative;
  DebyeLadderKind kind;   /* what its function says */
  GPtrArray *definitions; /* (element-type utf8) "TILE=256" */
} DebyeBenchSource;

/* The same of a text; `name` is what messages call it, and its extension states the language: .c or .cu. */
gboolean debye_bench_source_take(DebyeBenchSource *source, const char *name, const char *text,
                                 GError **error);
/* Sets a macro of the source. FALSE with an error where it has none of that name with a default; `option` wanted it. */
gboolean debye_bench_source_define(DebyeBenchSource *source, const char *option, const char *macro,
                                   gint64 value, GError **error);
void debye_bench_source_clear(DebyeBenchSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeBenchSource, debye_bench_source_clear)

/* As a command line has it; macros that are 0 are the source's own. */
typedef struct {
  const char *source;
  gint64 block, unroll, points, tile, chunk, atom_block;
} DebyeBenchSourceSettings;

/* Reads the file and sets its macros. FALSE with an error; DEBYE_ERROR_SETTING where there are macros and no file. */
gboolean debye_bench_source_read_settings(const DebyeBenchSourceSettings *settings, DebyeBenchSource *source,
                                          GError **error);
/* The choice of --kernel that goes with the source. */
const char *debye_bench_source_get_kernel(const DebyeBenchSource *source);
/* The function that sources of this kind define: "sum_slice". */
const char *debye_bench_source_name_function(DebyeLadderKind kind);
/* FALSE with an error that names both functions: the source is of another kind. */
gboolean debye_bench_source_check_kind(const DebyeBenchSource *source, DebyeLadderKind kind, GError **error);

typedef struct {
  gboolean is_compiled, is_right;
  GError *problem; /* why not; NULL: it is right */
  guint line;      /* of the compiler's first error; 0: none */
  /* "point (3, 4, 0)", "bin 7": where it is most wrong, or would be first, as a message; NULL: there are no numbers. */
  char *worst;
  double expected, ours;
  gboolean uses_threads, has_landlock, has_seccomp;
  DebyeBenchResult result; /* where it is right */
} DebyeBenchVerdict;

void debye_bench_verdict_clear(DebyeBenchVerdict *verdict);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeBenchVerdict, debye_bench_verdict_clear)

/* The GPU of CUDA sources by its number, that of cuda:0, cuda:1 and so on. Nothing of the source
 * runs before. `runner` is the program debye-kernel-runner. FALSE with an error where nothing can be
 * said of the source: no compiler, no runner, or it was stopped. */
gboolean debye_bench_source_run(const DebyeBenchSource *source, const DebyeBenchProblem *problem,
                                const char *runner, guint repeat, guint n_threads, guint gpu,
                                DebyeBenchVerdict *verdict, GError **error);

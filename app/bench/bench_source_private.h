/* SPDX-License-Identifier: MIT */
/* What the files that run a source of the class share. */
#pragma once

#include "app/runner/runner_case.h"
#include "bench_source.h"

/* --- bench_source_case.c: a part of the problem, as the runner gets it --- */

/* What is expected of value `index` in double, and how far single precision may be off. */
typedef struct {
  gsize index;
  double expected, tolerance;
} DebyeBenchExpected;

typedef struct _DebyeBenchSourceFamily DebyeBenchSourceFamily;

typedef struct {
  const DebyeBenchSourceFamily *family;
  const DebyeBenchProblem *problem;
  DebyeLadderProblem map; /* of a map */
  DebyeLadderPairs pairs; /* of counts */
  gpointer subject;       /* of what has a subject or courses of its own */
  GDestroyNotify subject_free;
  DebyeGrid part;             /* of orbitals and ligands */
  DebyeLadderDensity density; /* of a density */
  DebyeRunnerCase about;
  GByteArray *inputs;
  GArray *overflow; /* DebyeLadderAtom, in the frame of the map */
  float step[3];
  double extent;      /* Å, of all coordinates: what they are rounded by */
  gsize n_values;     /* of its output */
  double n_additions; /* to each of them */
  guint
      n_alternatives; /* what a right source may compute, if not the same: 1, or more that are tried in turn */
  gboolean has_scratch_each; /* scratch is for each of the threads */
} DebyeBenchSourceCase;

/* One family of sources: what it is given, and what it should give. Units are rows of a map, points of a cube's edge, atoms,
 * planes or frames. */
struct _DebyeBenchSourceFamily {
  const char *function, *kernel; /* "sum_slice"; of `bench --kernel` */
  DebyeLadderKind kind;
  DebyeRunnerFamily number;
  const char *unit;              /* of its values: " e/Å" */
  gboolean is_voxels;            /* values are of voxels, not points */
  gsize value_bytes;             /* of counts 4 or 8, of others those of a float */
  gboolean is_count, is_written; /* written: not added to what is there */
  gboolean (*init)(DebyeBenchSourceCase *one, gsize n_units,
                   GError **error); /* 0: a small piece, with different edges */
  /* `within`: what was found of atoms within a cutoff, or NAN. */
  double (*count_evaluations)(const DebyeBenchSourceCase *one, double within);
  double (*find_whole)(const DebyeBenchSourceCase *one);                 /* how many times longer all takes */
  gsize (*foresee)(const DebyeBenchSourceCase *one, double evaluations); /* units that have so many */
  /* Appends the values that are looked at to `expected`, by rising index. */
  void (*expect)(const DebyeBenchSourceCase *one, guint alternative, GArray *expected, double *within);
  char *(*name_value)(const DebyeBenchSourceCase *one, gsize index); /* "point (3, 4, 0)", a message */
};

/* Of this kind; all kinds have one. */
const DebyeBenchSourceFamily *debye_bench_source_find_family(DebyeLadderKind kind);
/* A piece of so many units, as the source's macros ask for it. FALSE with an error. */
gboolean debye_bench_source_case_init(DebyeBenchSourceCase *one, const DebyeBenchProblem *problem,
                                      const DebyeBenchSource *source, gsize n_units, GError **error);
void debye_bench_source_case_clear(DebyeBenchSourceCase *one);
/* Appends an array to the inputs. */
void debye_bench_source_case_append(DebyeBenchSourceCase *one, gconstpointer data, gsize n_bytes);
/* Of the values of a map one of so many is looked at: all of a small piece. */
gsize debye_bench_source_case_stride(const DebyeBenchSourceCase *one);

/* --- Families: bench_source_check.c, bench_source_planes.c, bench_source_density.c, bench_source_scattering.c --- */

#define DEBYE_BENCH_ROUNDING 5.96e-8 /* 2⁻²⁴, of a number in single precision */
/* Of a difference of coordinates that were turned, rounded, and made of a step. */
#define DEBYE_BENCH_COORDINATE_ROUNDINGS 8
#define DEBYE_BENCH_TERM_ROUNDINGS 16 /* of a term, with an estimate of 1/√ and one Newton step */

void debye_bench_source_expect_map(const DebyeBenchSourceCase *one, guint alternative, GArray *expected,
                                   double *within);
void debye_bench_source_expect_counts(const DebyeBenchSourceCase *one, guint alternative, GArray *expected,
                                      double *within);
/* "point (3, 4, 0)", or as the family calls it. */
char *debye_bench_source_name_point(const DebyeBenchSourceCase *one, gsize index);
char *debye_bench_source_name_bin(const DebyeBenchSourceCase *one, gsize index);
extern const DebyeBenchSourceFamily debye_bench_source_orbital, debye_bench_source_ligand,
    debye_bench_source_density, debye_bench_source_scattering;

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

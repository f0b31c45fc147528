/* SPDX-License-Identifier: MIT */
/* Timing of the production kernels, any of them by the same loop: what `debye-cli bench`, its sweeps and the
 * class room measure. */
#pragma once

#include "bench.h"
#include "bench_atoms.h"
#include "bench_repeat.h"

/* What a measurement may be asked to change. A value of 0 is unset: the kernel's own. */
typedef enum {
  DEBYE_BENCH_ATOMS,     /* of files: at most; unset: all */
  DEBYE_BENCH_POINTS,    /* of the map, about so many */
  DEBYE_BENCH_FRAMES,    /* of one call */
  DEBYE_BENCH_VECTORS,   /* q */
  DEBYE_BENCH_SPACING,   /* of the map, Å; instead of points */
  DEBYE_BENCH_CUTOFF,    /* Å; of pairs the longest distance */
  DEBYE_BENCH_TOLERANCE, /* relative, of multilevel and ewald */
  DEBYE_BENCH_THREADS,   /* of the processor; its settings are the caller's to make */
  DEBYE_BENCH_DEVICES,   /* likewise how many of the devices */
  DEBYE_BENCH_RANKS,     /* likewise how many of the processes */
  DEBYE_BENCH_N_SIZES,
} DebyeBenchSize;

#define DEBYE_BENCH_ONLY(size) (1u << (size))

typedef struct _DebyeBenchCase DebyeBenchCase;

/* How a family of kernels is planned, executed, held against double precision, and freed. */
typedef struct {
  gpointer (*open)(const DebyeBenchCase *self, GError **error);
  gboolean (*run)(gpointer opened, GError **error);
  /* After runs. Sets evaluations, operations (of one run; 0: not known) and error of the result. */
  gboolean (*finish)(gpointer opened, DebyeBenchResult *result, GError **error);
  void (*close)(gpointer opened);
} DebyeBenchFamily;

typedef struct {
  const char *id;          /* "direct" */
  const char *title;       /* "Direct sum" */
  const char *evaluations; /* what throughput counts: "pairs of a grid point and an atom" */
  const char *unit;        /* the same in a table's head: "pairs" */
  const char *operations;  /* how those of one are counted; NULL: they are not known */
  DebyePotentialMethod method;
  gboolean needs_charges, needs_cell; /* of files */
  const char *subject;                /* what it is timed on, whatever files there are; NULL: atoms */
  guint sizes; /* DEBYE_BENCH_ONLY() of what it knows, beside threads, devices, ranks */
  double initial[DEBYE_BENCH_N_SIZES];
  double max_points; /* of its own subject */
  const DebyeBenchFamily *family;
} DebyeBenchKernel;

/* NULL: there is none of this name. */
const DebyeBenchKernel *debye_bench_kernel_find(const char *id);
gboolean debye_bench_kernel_has(const DebyeBenchKernel *kernel, DebyeBenchSize size);

struct _DebyeBenchCase {
  const DebyeBenchKernel *kernel;
  double sizes[DEBYE_BENCH_N_SIZES];
  const DebyeBenchAtoms *atoms; /* borrowed; NULL: made-up */
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  guint64 memory_limit;      /* bytes; 0: what there is */
  gboolean double_precision; /* of maps: the checking path */
  DebyeBenchRepeats repeats;
};

/* Sets sizes that are unset to the kernel's own. FALSE with an error where the atoms lack what the kernel
 * needs, or there are fewer than asked for. */
gboolean debye_bench_case_complete(DebyeBenchCase *self, GError **error);
/* A completed case: all its devices together, `variant` "ours" or "double". */
gboolean debye_bench_case_run(const DebyeBenchCase *self, DebyeBenchResult *result, GError **error);
/* The charges and the grid of a completed case of a map. NULL with an error. */
DebyeBenchProblem *debye_bench_case_new_problem(const DebyeBenchCase *self, GError **error);

/* Of the families: bench_case_map.c, bench_case_pairs.c, bench_case_scattering.c, bench_case_orbital.c, bench_case_ligand.c,
 * bench_case_density.c. */
extern const DebyeBenchFamily debye_bench_maps, debye_bench_pairs, debye_bench_self, debye_bench_coherent,
    debye_bench_orbitals, debye_bench_ligands, debye_bench_densities;
/* `atoms` as the case wants them, and with *made_up, which the caller frees, where they are made up. NULL with an
 * error. */
static inline const DebyeBenchAtoms *
debye_bench_case_get_atoms(const DebyeBenchCase *self, DebyeBenchAtoms **made_up, GError **error)
{
  if (self->atoms != NULL)
    return self->atoms;
  *made_up = debye_bench_atoms_new((gsize)self->sizes[DEBYE_BENCH_ATOMS],
                                   (gsize)MAX(self->sizes[DEBYE_BENCH_FRAMES], 1.0), error);
  return *made_up;
}

/* In all directions, of all lengths up to 3 1/Å; to be freed. */
DebyeVec3 *debye_bench_make_up_vectors(gsize n);

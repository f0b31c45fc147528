/* SPDX-License-Identifier: MIT */
/* The teaching variants of the direct sum: the field's classical sequence of kernels, from two plain loops to
 * the production kernel, each a real one that gives the same map, so that a class can see what each step
 * changes; those of the sum within a cutoff, with atoms in bins; the count of pair distances without and with atomic
 * additions; scattering; molecular orbitals; the sampling of a ligand; and atoms counted in voxels.
 *
 * Each step is a file of its own, FAMILY/NN-id.c or .cu, which includes nothing, so that it reads as a lecture's
 * listing does: one slice of the map at a time, one signature for all of a back end, parameters as macros with
 * defaults. Such files are compiled with the program (meson.build lists them), and can be shown by it.
 *
 * An evaluation is one grid point and one atom (in the count: one pair of atoms; of a cutoff those alone that are
 * within, so that testing the others is what a variant loses; of scattering a phase q·r of one atom, vector and frame,
 * without what correlates them; of an orbital one grid point and one Gaussian that reaches so far, whose share of its
 * atom is that of carbon in 6-31G(d); of a ligand one sample that no atom rejects and one atom within its cutoff; of a
 * density one atom of a frame).
 *
 * Operations of an evaluation are those that the variant's inner loop writes down: an addition, subtraction,
 * multiplication or maximum is one, a multiply-add two, and a square root, a division, or a reciprocal square
 * root one each, whatever the CPU makes of them. What several points of a thread share is divided among
 * them; what a whole row shares is not counted.
 *
 * Bytes are those that the variant's loads and stores name in main (or device) memory, before any cache:
 * those of a warp to one address once. Constant and shared memory, registers, and a tile that is kept in the
 * first-level cache don't count. A variant that lies above the memory's roof lives on caches, and that is
 * part of the lesson. */
#pragma once

#include "kernels/density/density_map.h"
#include "kernels/ligand/ligand_map.h"
#include "kernels/orbital/orbital.h"
#include "kernels/pairs/pair_histogram.h"
#include "kernels/potential/potential_kernel.h"
#include "kernels/scattering/scattering_self.h"

DEBYE_BEGIN_DECLS

typedef enum {
  DEBYE_LADDER_MAP,        /* run */
  DEBYE_LADDER_COUNT,      /* count */
  DEBYE_LADDER_CUTOFF,     /* run, of a problem with a cutoff */
  DEBYE_LADDER_SCATTERING, /* scatter */
  DEBYE_LADDER_ORBITAL,    /* draw_orbital */
  DEBYE_LADDER_LIGAND,     /* sample_ligand */
  DEBYE_LADDER_DENSITY,    /* fill_voxels */
  DEBYE_LADDER_N_KINDS,
} DebyeLadderKind;

/* What a variant of scattering writes of a(t) = exp(i q·r(t)); signals are those of kernels/scattering/correlation.h. */
typedef enum {
  DEBYE_LADDER_SELF,   /* the autocorrelation of each atom's a, summed over atoms */
  DEBYE_LADDER_ALL,    /* that of the sum over atoms */
  DEBYE_LADDER_SQUARE, /* Σ a* a */
  DEBYE_LADDER_PLAIN,  /* Σ a */
} DebyeLadderSignal;

/* What a lecture measured of a variant, in its own count of operations. */
typedef struct {
  double rate;        /* evaluations a second; 0: the lecture has no figure */
  double operations;  /* of an evaluation, a reciprocal square root as two */
  const char *device; /* NULL: its document doesn't state it */
} DebyeLadderFigure;

/* Of an evaluation, and what bytes each point and each atom has beside. */
typedef struct {
  double operations, evaluation_bytes, point_bytes, atom_bytes;
} DebyeLadderCost;

typedef struct {
  const char *id;     /* "grid-outer"; a variant of the same name on another back end takes the same step */
  const char *title;  /* "Grid points outside" */
  const char *lesson; /* one sentence: what this step changes and why it matters */
  const char *source; /* "direct/01-grid-outer.c", for debye_ladder_source_text; NULL: more than one file */
  bool has_vectors;   /* the CPU's compiler makes vectors of it, as kernels/ladder/meson.build says */
  bool is_legacy;     /* no step of the ladder: kept for who asks for it by name */
  DebyeLadderFigure lecture;
  DebyeLadderKind kind;
  DebyeLadderSignal signal; /* of scattering */
  bool is_race;             /* of threads for the same counts, which come out too low */
  bool loses_counts;        /* for this or another reason the counts may be too low */
  bool is_occupancy;        /* of a density: frames with an atom in the voxel count, not atoms */
  bool is_rounded;          /* of a density: the voxel is decided in single precision */
  DebyeLadderCost cost;
} DebyeLadderVariant;

/* What bins of a fixed capacity had no slot for, which the host sums, after the device or meanwhile. */
typedef struct {
  size_t n_atoms, n_overflowing; /* in range of the map, and of these without a slot */
  double device_seconds, host_seconds;
} DebyeLadderOverflow;

/* A grid with right angles, turned any way. */
typedef struct {
  DebyeGrid grid;
  DebyeCharges charges;
  double core_radius; /* Å, as in DebyePotentialSettings */
  /* Of the cutoff's variants: Σ q/d·(1 − d²/C²)² over the atoms within C (Å); and where they tell what overflowed, or
   * NULL. */
  double cutoff;
  DebyeLadderOverflow *overflow;
  int region,
      capacity; /* of sources of the class: points of a bin's edge, atoms in a bin; 0: those of ladder_bins.h */
} DebyeLadderProblem;

/* Pairs i < j, by the distance of their nearest images: bin k is [k·Δr, (k + 1)·Δr), Δr = r_max/n_bins, in float. */
typedef struct {
  const float *x, *y, *z; /* Å */
  size_t n;
  double r_max; /* Å */
  size_t n_bins;
  double edge[3]; /* Å, of a cell with right angles; all 0: there is none */
} DebyeLadderPairs;

/* Courses of atoms in time and vectors to scatter along. */
typedef struct {
  const float *x, *y, *z; /* Å; atom i of frame t is at [t·n_atoms + i] */
  size_t n_atoms, n_frames;
  const DebyeVec3 *vectors; /* 1/Å */
  size_t n_vectors;
} DebyeLadderCourses;

/* An orbital Σ c·χ of s, p and d functions on a grid along the axes; lengths are the basis's. */
typedef struct {
  DebyeGrid grid;
  const DebyeOrbitalBasis *basis;
  const double *coefficients; /* by Cartesian function, in the shells' order */
} DebyeLadderOrbital;

/* Means of exp(−E/kT) of a ligand of one atom, without charges and without a cell. */
typedef struct {
  const DebyeLigandSettings *settings;
  const DebyeLigandFrame *frame;
} DebyeLadderLigand;

/* Atoms of frames in a grid of cubes along the axes, without a cell. Those that are outside, or nowhere, don't count. */
typedef struct {
  const float *x, *y, *z; /* Å; atom i of frame t is at [t·n_atoms + i] */
  size_t n_atoms, n_frames;
  double corner[3], edge; /* Å, of the grid and of a voxel */
  size_t shape[3];
} DebyeLadderDensity;

/* What the device can do at most, each from a short loop of nothing else. */
typedef struct {
  double operations;       /* a second, single precision multiply-adds counted as two */
  double reciprocal_roots; /* 1/√x a second by the device's own instruction; 0: it has none */
  double bandwidth;        /* bytes a second between memory and device, read and written */
} DebyeLadderLimits;

/* What a block of a variant has of a GPU's multiprocessor; all 0: not known, as of variants of several kernels. */
typedef struct {
  int block, registers, blocks; /* threads of a block, registers of a thread, blocks at the same time */
  int shared_bytes;             /* of a block */
  int local_bytes;              /* of a thread: what had no room in registers */
  float occupancy;              /* threads at the same time, of the most that there can be */
} DebyeLadderResources;

/* What a variant takes beside its kernels; 0: not known, as of a production kernel of several, of a processor, or of the
 * copies of a map that crosses the bus slice by slice, which are in the kernel's time. */
typedef struct {
  double copy_in, copy_out; /* s, of the last run: its inputs to the device, its results back */
  /* s, of the first launch since the program began: it brings the kernel's code to the device */
  double first_launch;
} DebyeLadderTimes;

/* Of courses. A plane of a GPU's grid has no more blocks of frames or vectors. */
#define DEBYE_LADDER_MAX_FRAMES ((size_t)1 << 20)
#define DEBYE_LADDER_MAX_VECTORS ((size_t)1 << 20)
#define DEBYE_LADDER_MAX_BINS ((size_t)1 << 20)
/* With these a block of a GPU's grid counts less than 2³² pairs in a launch. */
#define DEBYE_LADDER_MAX_COUNTED ((size_t)1 << 22)
/* An edge of what has no cell, in float: all of space is nearer than its half. */
#define DEBYE_LADDER_NO_EDGE 1e30f
/* Å, of a voxel. */
#define DEBYE_LADDER_LEAST_VOXEL 1e-3

/* The entry of a back end's table. `seconds` are those of the kernel alone: neither copies nor the turning of
 * atoms are in them. Wherever `cancel` (may be NULL) is found true the result is CANCELLED. */
struct DebyeLadderKernel {
  const DebyeLadderVariant *variants; /* in the order in which they are taught; the last map is ours */
  size_t n_variants;
  /* Device memory that run takes; SIZE_MAX where it can't be done at all. */
  uint64_t (*bytes_needed)(int device, size_t variant, const DebyeLadderProblem *problem);
  /* Writes the grid's values in e/Å, x fastest. */
  DebyeStatusCode (*run)(int device, size_t variant, const DebyeLadderProblem *problem, float *map,
                         double *seconds, const volatile bool *cancel, DebyeStatus *status);
  /* Writes n_bins counts. */
  DebyeStatusCode (*count)(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts,
                           double *seconds, const volatile bool *cancel, DebyeStatus *status);
  /* Writes n_frames complex values for each vector: f[2·(vector·n_frames + t)]. */
  DebyeStatusCode (*scatter)(int device, size_t variant, const DebyeLadderCourses *courses, float *f,
                             double *seconds, const volatile bool *cancel, DebyeStatus *status);
  /* Writes the grid's values, x fastest. */
  DebyeStatusCode (*draw_orbital)(int device, size_t variant, const DebyeLadderOrbital *orbital, float *map,
                                  double *seconds, const volatile bool *cancel, DebyeStatus *status);
  /* Writes the voxels' means, x fastest. */
  DebyeStatusCode (*sample_ligand)(int device, size_t variant, const DebyeLadderLigand *ligand, float *means,
                                   double *seconds, const volatile bool *cancel, DebyeStatus *status);
  /* Writes the voxels' numbers of atoms, or of frames with one, x fastest. */
  DebyeStatusCode (*fill_voxels)(int device, size_t variant, const DebyeLadderDensity *density,
                                 uint32_t *counts, double *seconds, const volatile bool *cancel,
                                 DebyeStatus *status);
  DebyeStatusCode (*measure_limits)(int device, DebyeLadderLimits *limits, DebyeStatus *status);
  /* NULL: the back end has no multiprocessors. */
  void (*find_resources)(int device, size_t variant, DebyeLadderResources *resources);
  /* Of the variant that ran last. NULL: the back end copies nothing, and has no code to bring. */
  void (*find_times)(int device, size_t variant, DebyeLadderTimes *times);
};

/* The variants of both back ends, whether or not one was built. */
#define DEBYE_LADDER_N_CPU 59
#define DEBYE_LADDER_N_CUDA 69
extern const DebyeLadderVariant debye_ladder_cpu_variants[DEBYE_LADDER_N_CPU];
extern const DebyeLadderVariant debye_ladder_cuda_variants[DEBYE_LADDER_N_CUDA];

/* The code of a variant as it is compiled, for a class to read; NULL where there is none of that name. */
const char *debye_ladder_source_text(const char *source);

/* The variant's place in the list; n_variants where there is none of that name. */
size_t debye_ladder_find(const DebyeLadderKernel *ladder, const char *id);
/* Operations for each byte of memory: the abscissa of a roofline. */
double debye_ladder_intensity(const DebyeLadderVariant *variant, double n_points, double n_atoms);
/* The most operations a second that a roofline with these limits allows at this intensity. */
double debye_ladder_roof(const DebyeLadderLimits *limits, double intensity);

/* For back ends. INVALID with the reason where variant or problem make no sense. */
DebyeStatusCode debye_ladder_problem_check(const DebyeLadderKernel *ladder, size_t variant,
                                           const DebyeLadderProblem *problem, DebyeStatus *status);
DebyeStatusCode debye_ladder_pairs_check(const DebyeLadderKernel *ladder, size_t variant,
                                         const DebyeLadderPairs *pairs, DebyeStatus *status);

DebyeStatusCode debye_ladder_courses_check(const DebyeLadderKernel *ladder, size_t variant,
                                           const DebyeLadderCourses *courses, DebyeStatus *status);
/* Three numbers for each vector, to be freed; NULL: no memory. */
float *debye_ladder_flatten_vectors(const DebyeLadderCourses *courses);
/* The length of a padded series. */
size_t debye_ladder_series_length(size_t n_frames);
/* The production kernel of self scattering on these courses, which were checked. */
DebyeStatusCode debye_ladder_scatter_ours(const DebyeSelfKernel *kernel, int device,
                                          const DebyeLadderCourses *courses, float *f, double *seconds,
                                          const volatile bool *cancel, DebyeStatus *status);

/* What a pair's distance is multiplied with for its bin, and the cell's edges, as the sources are told them. */
float debye_ladder_bins_per_angstrom(const DebyeLadderPairs *pairs);
float debye_ladder_edge(const DebyeLadderPairs *pairs, int axis);
/* The production kernel of a back end on these pairs, which were checked. */
DebyeStatusCode debye_ladder_count_ours(const DebyePairHistogramKernel *kernel, int device,
                                        const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
                                        const volatile bool *cancel, DebyeStatus *status);
/* A clock that never goes back, in seconds. */
double debye_ladder_now(void);

/* Runs on accelerators take turns in a process: constant memory is the device's and not a run's, and who is
 * timed wants the device alone. */
void debye_ladder_begin_turn(void);
void debye_ladder_end_turn(void);

/* An atom as the textbook has it, in the grid's own frame. */
typedef struct {
  float x, y, z, charge;
} DebyeLadderAtom;

/* The problem in the grid's frame: point (i, j, k) stands at (i·step[0], j·step[1], k·step[2]). */
typedef struct {
  size_t shape[3];
  float step[3];
  float core2;
  DebyeLadderAtom *atoms;
  size_t n_atoms;
} DebyeLadderFrame;

/* What is in *frame afterwards is cleared with debye_ladder_frame_clear, whatever was returned. */
DebyeStatusCode debye_ladder_frame_init(DebyeLadderFrame *frame, const DebyeLadderProblem *problem,
                                        DebyeStatus *status);
void debye_ladder_frame_clear(DebyeLadderFrame *frame);
/* What the production kernel is told of this problem. */
DebyePotentialSettings debye_ladder_production_settings(const DebyeLadderProblem *problem);
/* It on this problem, which was checked: the seconds are those of its execute, with copies. */
DebyeStatusCode debye_ladder_run_production(const DebyePotentialKernel *kernel, int device,
                                            const DebyeLadderProblem *problem, float *map, double *seconds,
                                            const volatile bool *cancel, DebyeStatus *status);

DEBYE_END_DECLS

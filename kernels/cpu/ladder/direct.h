/* SPDX-License-Identifier: MIT */
/* What the build makes of each source of the teaching variants on the CPU (variant.c.in), and the direct sum's
 * driver, which ladder.c calls. */
#pragma once

#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/ladder/ladder.h"

/* Adds the atoms (x, y, z and charge of each) to a slice of nx × ny points at height z; the origin is the grid's
 * first point. `scratch` has three floats for each atom and one for each row. All threads call it with their number. */
typedef void DebyeLadderSlice(float *energy, int nx, int ny, float hx, float hy, float z, const float *atoms,
                              int n_atoms, float core2, float *scratch, int thread, int n_threads);

/* Adds the pairs of atoms `first` to `end` with all that follow them, by their nearest images in a cell with these
 * edges (DEBYE_LADDER_NO_EDGE: none). `scratch` has n_bins + 1 numbers for each thread, which are 0 before the first call. */
typedef void DebyeLadderCount(unsigned long long *counts, int n_bins, float bins_per_angstrom, const float *x,
                              const float *y, const float *z, int n_atoms, int first, int end, float ex,
                              float ey, float ez, unsigned long long *scratch, int thread, int n_threads);

/* Adds what regions `first` to `end` of the map see of the atoms, which are all in `atoms`, those with a slot in `bins`, and
 * in chains: kernels/ladder/ladder_bins.h describes them. */
typedef void DebyeLadderRegions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
                                const float *atoms, int n_atoms, const float *bins, const int *head,
                                const int *next, int bins_x, int bins_y, const int *reach, const int *offsets,
                                int n_offsets, float cutoff2, float core2, int first, int end, int thread,
                                int n_threads);

/* Adds atoms that have no slot to the whole map. */
typedef void DebyeLadderSumOverflow(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
                                    const float *atoms, int n_atoms, float cutoff2, float core2, int thread,
                                    int n_threads);

/* Writes a(t) = exp(i q·r(t)), padded with zeros to `length`, of atoms `first` to first + n_block and all vectors q (three
 * numbers each) to series[2·(length·(atom·n_vectors + vector) + t)]; or of the sum of these atoms, as if it were one. */
typedef void DebyeLadderComputeSeries(float *series, const float *x, const float *y, const float *z,
                                      int n_atoms, int n_frames, const float *q, int n_vectors, int first,
                                      int n_block, int length, int thread, int n_threads);
/* Between two transforms: makes |a|² of n values. */
typedef void DebyeLadderMultiplySeries(float *series, long n, int thread, int n_threads);
/* Adds what becomes of the series of n_block atoms to f[2·(n_frames·vector + t)]. */
typedef void DebyeLadderAddSeries(float *f, const float *series, int n_frames, int n_vectors, int n_block,
                                  int length, int thread, int n_threads);

/* Writes an orbital's values at nz planes of nx × ny points, the first at height z; kernels/ladder/ladder_orbital.h describes
 * the arrays. `scratch` has for each thread a row of factors, DEBYE_LADDER_STRIP longer, for each primitive of a shell. */
typedef void DebyeLadderOrbitalPlanes(float *psi, int nx, int ny, int nz, float hx, float hy, float hz,
                                      float z, const float *atoms, int n_atoms, const int *first_shell,
                                      const int *shells, const float *primitives, const float *coefficients,
                                      float *scratch, int thread, int n_threads);

/* Writes the means of nz planes of nx × ny voxels, the first at height z; kernels/ladder/ladder_ligand.h describes the
 * arrays. */
typedef void DebyeLadderSamplePlanes(float *mean, int nx, int ny, int nz, float hx, float hy, float hz,
                                     float z, float margin, int samples, const float *atoms,
                                     const float *pairs, int n_atoms, const int *start, int bins_x,
                                     int bins_y, float edge, float cutoff2, int thread, int n_threads);

/* Adds the atoms of frames `first` to `end` to the voxels that they are in, or marks these; `marks` are 0 before the
 * first call, one grid of them, or one for each thread. A voxel is decided by (x − corner)·per_angstrom, x being at
 * [t·n_atoms + i]. */
typedef void DebyeLadderFillVoxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz, double corner_x,
                                   double corner_y, double corner_z, double per_angstrom, const float *x,
                                   const float *y, const float *z, int n_atoms, int first, int end,
                                   int thread, int n_threads);
/* After each call: counts the marks and makes them 0. */
typedef void DebyeLadderFoldMarks(unsigned *counts, unsigned *marks, int n_voxels, int thread, int n_threads);

typedef struct {
  const char *source;
  DebyeLadderCount *count;                    /* of a family of pairs; or */
  DebyeLadderRegions *regions;                /* of the cutoff, */
  DebyeLadderSumOverflow *sum_overflow;       /* which one of its sources has for all; or */
  DebyeLadderOrbitalPlanes *orbital;          /* of an orbital; or */
  DebyeLadderSamplePlanes *ligand;            /* of a ligand; or */
  DebyeLadderFillVoxels *fill;                /* of a density, */
  DebyeLadderFoldMarks *fold;                 /* and what some do then; */
  size_t batch_frames;                        /* of a call, 0: as many as there are; */
  bool has_grids;                             /* marks are a grid for each thread; or */
  DebyeLadderComputeSeries *compute_series;   /* of scattering, */
  DebyeLadderMultiplySeries *multiply_series; /* which some have and are transformed before and behind, */
  DebyeLadderAddSeries *add_series;
  int block_atoms;      /* of it, 0: all are one series; */
  bool transforms_each; /* one series a call; */
  bool plans_once;      /* else for each block; else: */
  DebyeLadderSlice *sum;
  DebyeLadderSlice *prepare; /* of all threads, before any sums; NULL: nothing */
  DebyeCpuLevel level;       /* that it was compiled for */
  bool uses_threads;         /* else there is one */
  bool has_slots;            /* bins have a fixed capacity; */
  bool has_bins;             /* whether or not: it doesn't test all atoms */
} DebyeLadderCode;

/* The last of that name that the processor can run. */
const DebyeLadderCode *debye_ladder_find_code(const char *source);
uint64_t debye_ladder_direct_bytes(const DebyeLadderProblem *problem);
DebyeStatusCode debye_ladder_direct_run(const char *source, const DebyeLadderProblem *problem, float *map,
                                        double *seconds, const volatile bool *cancel, DebyeStatus *status);

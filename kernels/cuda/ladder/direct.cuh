/* SPDX-License-Identifier: MIT */
/* The functions that each source of the teaching variants on a GPU defines (compiled by variant.cu.in), and the direct
 * sum's driver, which ladder.cu calls.
 *
 * A kernel adds atoms (x, y, z and charge of each) to a slice of nx × ny points at height z; the origin is the grid's first
 * point. `atoms` are in the device's memory; sources with a bank find theirs in constant memory. `scratch` has a float
 * for each row:
 *
 *   sum_slice(float *energy, int nx, int ny, float hx, float hy, float z, const float4 *atoms, int n_atoms,
 *             float core2, float *scratch)
 *
 * Of the histogram, a kernel adds the pairs of atoms `first` to `end` with all that follow them, by their nearest images
 * in a cell with these edges (DEBYE_LADDER_NO_EDGE: none):
 *
 *   count_pairs(unsigned long long *counts, int n_bins, float bins_per_angstrom, const float *x, const float *y,
 *               const float *z, int n_atoms, int first, int end, float ex, float ey, float ez)
 *
 * Of the cutoff, block b writes what region first + b of the map sees of the atoms, which are all in `atoms`, those with a slot
 * in `bins`, and in chains: kernels/ladder/ladder_bins.h describes them. The list of bins is in constant memory:
 *
 *   sum_regions(float *energy, int nx, int ny, int nz, float hx, float hy, float hz, const float4 *atoms, int n_atoms,
 *               const float4 *bins, const int *head, const int *next, int bins_x, int bins_y, int reach_x, int reach_y,
 *               int reach_z, int n_offsets, float cutoff2, float core2, int first)
 *
 * Of scattering, series of a(t) = exp(i q·r(t)), padded with zeros to `length`, of atoms `first` to first + n_block and all
 * vectors q (three numbers each) are at series[length·(atom·n_vectors + vector) + t], or of the sum of these atoms, as if it
 * were one; between two transforms |a|² is made of n values, and what becomes of it added to f[n_frames·vector + t]:
 *
 *   compute_series(float2 *series, const float *x, const float *y, const float *z, int n_atoms, int n_frames,
 *                  const float *q, int n_vectors, int first, int n_block, int length)
 *   multiply_series(float2 *series, long n)
 *   add_series(float2 *f, const float2 *series, int n_frames, int n_vectors, int n_block, int length)
 *
 * Of an orbital, its values at nz planes of nx × ny points, the first at height z; kernels/ladder/ladder_orbital.h describes
 * the arrays, which are in the device's memory:
 *
 *   compute_orbital(float *psi, int nx, int ny, int nz, float hx, float hy, float hz, float z, const float4 *atoms,
 *                   int n_atoms, const int *first_shell, const int *shells, const float *primitives,
 *                   const float *coefficients)
 *
 * Of a ligand, the means of nz planes of nx × ny voxels, the first at height z; kernels/ladder/ladder_ligand.h describes the
 * arrays, which are in the device's memory:
 *
 *   sample_planes(float *mean, int nx, int ny, int nz, float hx, float hy, float hz, float z, float margin, int samples,
 *                 const float4 *atoms, const float2 *pairs, int n_atoms, const int *start, int bins_x, int bins_y, float edge,
 *                 float cutoff2)
 *
 * Of a density, atoms of frames `first` to `end` are added to the voxels that they are in, or these are marked, by threads that
 * are an atom of a frame each (first + blockIdx.y) or by blocks that are VOXELS voxels and BLOCK_FRAMES frames each; a voxel is
 * decided by (x − corner)·per_angstrom. Marks, 0 before, are counted and made 0 after each launch, by a thread for each voxel:
 *
 *   fill_voxels(unsigned *counts, unsigned *marks, int nx, int ny, int nz, double corner_x, double corner_y, double corner_z,
 *               double per_angstrom, const float *x, const float *y, const float *z, int n_atoms, int first, int end)
 *   fold_marks(unsigned *counts, unsigned *marks, int n_voxels) */
#pragma once

#include "ladder_parts.cuh"

/* Adds atoms that have no slot to the whole map, which is the host's. */
typedef void DebyeLadderSumOverflow(float *energy, int nx, int ny, int nz, float hx, float hy, float hz,
                                    const float *atoms, int n_atoms, float cutoff2, float core2, int thread,
                                    int n_threads);

struct DebyeLadderCode {
  const char *source;
  const void *kernel;  /* the one of its family */
  const void *prepare; /* in every slice before it, or NULL */
  const void *multiply_series,
      *add_series;                      /* of scattering: between two transforms or NULL, and at the end */
  DebyeLadderSumOverflow *sum_overflow; /* the host's, which one source of the cutoff has for all */
  cudaError_t (*find_bank)(void **address); /* constant memory; NULL: it has none */
  unsigned bank_size;                       /* float4 of atoms; of the cutoff int */
  bool has_squares;                         /* the bank has dz² of the slice in z's place */
  bool copies_slices;                       /* the host has the map, the device one slice */
  bool is_padded;                           /* a slice on the device ends with whole blocks */
  bool is_over_atoms;                       /* a thread is an atom, not some points */
  bool counts_floats;                       /* counts are floats side by side */
  bool has_slots;                           /* bins have a fixed capacity; */
  bool has_bins;                            /* whether or not: it doesn't test all atoms */
  bool sums_meanwhile;                 /* the host adds the atoms without a slot while the device works */
  unsigned block_atoms;                /* of scattering, 0: all are one series */
  bool transforms_each;                /* one series a call */
  bool plans_once;                     /* else for each block */
  bool has_graph;                      /* the launches of a block are recorded once */
  bool is_across;                      /* x is over vectors, not frames */
  bool adds_apart;                     /* each atom of a block is added by a thread of its own */
  unsigned block[3], points[2];        /* threads of a block, and points of a thread, in x and y */
  unsigned planes;                     /* of an orbital, those of a thread */
  unsigned grid[2];                    /* blocks over pairs; 0: a thread is an atom */
  const void *fold_marks;              /* of a density, after each launch, or NULL; */
  unsigned batch_frames;               /* of a launch, 0: as many as there are; */
  unsigned block_voxels, block_frames; /* of a block, 0: a thread is an atom */
};

const DebyeLadderCode *debye_ladder_find_code(const char *source);
/* The direct sum's slice on the device: of nx × ny points, or padded to whole blocks. */
void debye_ladder_slice_shape(const DebyeLadderCode *code, const size_t shape[3], size_t padded[2]);
DebyeStatusCode debye_ladder_direct_run(int device, const char *source, const DebyeLadderProblem *problem,
                                        float *map, double *seconds, const volatile bool *cancel,
                                        DebyeStatus *status);

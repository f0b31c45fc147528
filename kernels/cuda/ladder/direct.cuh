/* SPDX-License-Identifier: MIT */
/* What the build makes of each source of the teaching variants on a GPU (variant.cu.in), and the direct sum's driver,
 * which ladder.cu calls.
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
 *               const float *z, int n_atoms, int first, int end, float ex, float ey, float ez) */
#pragma once

#include "ladder.cuh"

struct DebyeLadderCode {
  const char *source;
  const void *sum, *prepare;                /* kernels; prepare: in every slice before it, or NULL */
  const void *count;                        /* of a family of pairs, instead of these */
  cudaError_t (*find_bank)(void **address); /* float4 of constant memory; NULL: it has none */
  unsigned bank_atoms;
  bool has_squares;             /* the bank has dz² of the slice in z's place */
  bool is_over_atoms;           /* a thread is an atom, not some points */
  bool counts_floats;           /* counts are floats side by side */
  unsigned block[2], points[2]; /* threads of a block, and points of a thread, in x and y */
  unsigned grid[2];             /* blocks over pairs; 0: a thread is an atom */
};

const DebyeLadderCode *debye_ladder_find_code(const char *source);
DebyeStatusCode debye_ladder_direct_run(int device, const char *source, const DebyeLadderProblem *problem,
                                        float *map, double *seconds, const volatile bool *cancel,
                                        DebyeStatus *status);

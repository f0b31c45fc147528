/* SPDX-License-Identifier: MIT */
/* A pair function by tables, for CPUs that look up a whole vector in their registers (AVX-512): from
 * half the cutoff on, where most pairs are, a polynomial in d² for each of 32 intervals. It takes fewer
 * instructions than a root, and the same few for every function. */
#pragma once

#include "kernels/potential/pair_function.h"

#define DEBYE_CUTOFF_INTERVALS 32
#define DEBYE_CUTOFF_TABLE_TERMS 4

/* f ≈ Σ c[n][i]·uⁿ, u = d² in units of the cutoff, low ≤ u < 1. Interval i is that of the numbers whose bits
 * without the lowest `shift` are i modulo 32. */
typedef struct {
  int n_terms, shift;
  float low;
  float c[DEBYE_CUTOFF_TABLE_TERMS][DEBYE_CUTOFF_INTERVALS];
} DebyeCutoffTable;

/* Parabolas for ½ ≤ u < 1, 32 intervals an octave; cubics for 1/16 ≤ u < 1, 8 an octave, for atoms that not
 * all of a list's points are far enough from for the first. */
typedef struct {
  DebyeCutoffTable far, middle;
} DebyeCutoffTables;

#define DEBYE_CUTOFF_FAR_TERMS 3
#define DEBYE_CUTOFF_FAR_SHIFT 18
#define DEBYE_CUTOFF_MIDDLE_TERMS 4
#define DEBYE_CUTOFF_MIDDLE_SHIFT 20

/* `function` has a cutoff of 1. False where it varies so much that a table would be off by more than a
 * millionth of 1/d. */
bool debye_cutoff_tables_set(DebyeCutoffTables *tables, const DebyePairFunction *function);

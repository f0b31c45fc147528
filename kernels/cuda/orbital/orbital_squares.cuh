/* SPDX-License-Identifier: MIT */
/* Sums of many squares of orbitals (densities) as a matrix product on tensor cores; part of the plan of orbital.cu. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/plan_memory.h"
#include "orbital_field.cuh"

/* A monomial times its Gaussian that some function of the set has. Times 2^scale, it is in the range of half precision. */
struct DebyeOrbitalTerm {
  uint32_t primitive : 24, a : 4, b : 4;
  uint32_t source : 28, c : 4; /* its coefficient in a function's row */
  int16_t scale, weigh;        /* of the coefficient */
};

struct DebyeOrbitalSquares {
  bool has_cores;               /* tensor cores, and room in shared memory */
  bool is_ready;                /* the set's functions are all squares, and many */
  int unscale;                  /* values are 2^unscale too large */
  unsigned n_terms, most_terms; /* of all primitives, of one */
  uint32_t *first;              /* n_primitives + 1: the terms of each */
  uint32_t *centre;             /* by primitive */
  float *reach;                 /* by primitive, the farthest of all functions … */
  float *strong;                /* … and how far single numbers of half precision would be too coarse */
  DebyeOrbitalTerm *terms;
  uint16_t *high, *low; /* a row per term: coefficients in two parts of half precision */
  uint32_t *first_host, *centre_host;
  float *reach_host, *strong_host;
  DebyeOrbitalTerm *terms_host;
};

/* The device must be known. */
void debye_orbital_squares_list(DebyeOrbitalSquares *squares, const DebyeOrbitalSettings *settings,
                                int device, DebyePlanMemory *memory);
/* After what came before in the stream has ended. */
void debye_orbital_squares_set(DebyeOrbitalSquares *squares, const DebyeOrbitalSet *set, DebyeStream *stream);
/* Whether so many functions are for the function below. */
bool debye_orbital_squares_take(const DebyeOrbitalSquares *squares, size_t count);
void debye_orbital_squares_compute(const DebyeOrbitalSquares *squares, const DebyeOrbitalField *field,
                                   uint32_t first, uint32_t count, bool adds, DebyeStream *stream);

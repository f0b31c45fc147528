/* SPDX-License-Identifier: MIT */
/* Functions made of Gaussians, as every device takes them: of all shells at a centre, those Gaussians that have
 * one exponent are one polynomial in x, y, z times exp(−αr²). A shell of any contraction, Cartesian or pure, a
 * derivative of an orbital and its Laplacian are nothing else, so that devices know no basis.
 *
 * Lengths are in any unit, exponents in its inverse square: wave functions have bohr. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernels/status.h"

DEBYE_BEGIN_DECLS

/* The highest angular momentum of a shell (i), and the highest degree of a polynomial: that of its Laplacian. */
#define DEBYE_ORBITAL_MAX_L 6
#define DEBYE_ORBITAL_MAX_DEGREE (DEBYE_ORBITAL_MAX_L + 2)

/* Shells of Cartesian Gaussians x^a y^b z^c Σ w exp(−αr²), r from the shell's centre, a + b + c its degree:
 * a shell has (l+1)(l+2)/2 of them, in the order of debye_orbital_monomial(). What normalises them stands in the
 * coefficients. Arrays belong to the caller. */
typedef struct {
  size_t n_centres, n_shells;
  const double *x, *y, *z;         /* by centre */
  const uint32_t *centre;          /* by shell */
  const uint8_t *degree;           /* by shell */
  const uint32_t *first_primitive; /* n_shells + 1 */
  const double *exponents, *weights;
} DebyeOrbitalBasis;

/* The exponents of monomial `number` of a degree: xx, xy, xz, yy, yz, zz. */
static inline void
debye_orbital_monomial(int degree, int number, int exponents[3])
{
  int rest = 0; /* b + c */
  while (number > rest)
    number -= ++rest;
  exponents[0] = degree - rest;
  exponents[1] = rest - number;
  exponents[2] = number;
}

static inline size_t
debye_orbital_n_monomials(int degree)
{
  return (size_t)(degree + 1) * (size_t)(degree + 2) / 2;
}

/* What is done with a function's values f at all points. */
typedef enum {
  DEBYE_ORBITAL_VALUE,   /* map += weight · f */
  DEBYE_ORBITAL_SQUARE,  /* map += weight · f² */
  DEBYE_ORBITAL_KEEP,    /* f is kept for the next function … */
  DEBYE_ORBITAL_PRODUCT, /* … whose values are: map += weight · f · the one kept */
} DebyeOrbitalUse;

typedef enum {
  DEBYE_ORBITAL_ITSELF,
  DEBYE_ORBITAL_DX,
  DEBYE_ORBITAL_DY,
  DEBYE_ORBITAL_DZ,
  DEBYE_ORBITAL_LAPLACIAN,
} DebyeOrbitalOperator;

/* A polynomial of degree d has (d+1)(d+2)(d+3)/6 coefficients: c the power of z slowest, then b of y, a of x
 * fastest, a + b + c ≤ d. Read by devices. */
typedef struct {
  size_t n_centres, n_primitives, n_coefficients, n_functions;
  double *x, *y, *z;
  uint32_t *first; /* n_centres + 1: the primitives of each centre */
  double *exponents;
  uint8_t *degrees;
  uint32_t *first_coefficient; /* n_primitives + 1 */
  /* A row per function. Beyond its reach a primitive is below the set's tolerance; 0: it is everywhere. */
  float *coefficients; /* n_coefficients each */
  float *reach;        /* n_primitives each */
  float *centre_reach; /* n_centres each: the largest of its primitives */
  DebyeOrbitalUse *uses;
  float *weights;
  size_t max_functions;
  uint32_t *of_primitive; /* the basis's primitives in the set's; private from here */
  double *sums;           /* n_coefficients */
  double tolerance;
  const DebyeOrbitalBasis *basis;
} DebyeOrbitalSet;

/* An empty set for at most max_functions; the basis must live as long. Of derivatives polynomials are one degree
 * higher, of Laplacians two. INVALID: a degree or an exponent that there can't be. */
DebyeStatusCode debye_orbital_set_new(const DebyeOrbitalBasis *basis, size_t max_functions,
                                      bool has_derivatives, double tolerance, DebyeOrbitalSet **set,
                                      DebyeStatus *status);
/* Nothing happens to NULL. */
void debye_orbital_set_free(DebyeOrbitalSet *set);
/* Adds an operator's result on Σ coefficient · Cartesian Gaussian of the basis, a coefficient per Gaussian in the
 * shells' order. A set that is full stays as it is. */
void debye_orbital_set_add(DebyeOrbitalSet *set, const double *coefficients, DebyeOrbitalOperator operation,
                           DebyeOrbitalUse use, double weight);
/* Takes all functions out. */
void debye_orbital_set_empty(DebyeOrbitalSet *set);

/* Whether shells and exponents can be, and all numbers are finite. */
bool debye_orbital_basis_is_valid(const DebyeOrbitalBasis *basis);
size_t debye_orbital_basis_n_functions(const DebyeOrbitalBasis *basis); /* Cartesian Gaussians */
/* An operator's result on each Cartesian Gaussian of the basis at a point, in double. */
void debye_orbital_basis_evaluate(const DebyeOrbitalBasis *basis, const double point[3],
                                  DebyeOrbitalOperator operation, double *values);

DEBYE_END_DECLS

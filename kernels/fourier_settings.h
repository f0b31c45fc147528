/* SPDX-License-Identifier: MIT */
/* Fourier transforms, as every back end does them: what is transformed. The doors themselves are
 * cpu/common/fourier.h (FFTW) and cuda/common/fourier.cuh (cuFFT).
 *
 *   forward   F(k) = Σ_n f(n) exp(−2πi k·n/N)        backward   f(n) = Σ_k F(k) exp(+2πi k·n/N)
 *
 * Neither divides: forward and then backward multiplies by the number of points. Lengths are any, primes
 * too; products of 2, 3, 5 and 7 are fastest. Arrays have x fastest, as a map has, and the transforms of a
 * batch one after the other without gaps. Complex values are pairs (real, imaginary).
 *
 * complex   in place, shape[0] × shape[1] × shape[2] complex values each.
 * real      from one array into another: shape[0] × … real values ↔ (shape[0]/2 + 1) × … complex ones, the
 *           half with k₀ ≥ 0; the others are their conjugates, F(−k) = F(k)*. The backward transform uses up
 *           its input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

DEBYE_BEGIN_DECLS

typedef struct {
  bool real; /* real ↔ half of the complex, else complex ↔ complex in place */
  bool double_precision;
  size_t shape[3]; /* axes that aren't used have one point: {2000, 1, 1} is one-dimensional */
  size_t batch;    /* transforms of one call */
} DebyeFourierSettings;

/* Longest axis beside the first one. */
#define DEBYE_FOURIER_LONGEST_COLUMN 16384

/* INVALID with the reason where there is nothing to transform or too much. */
DebyeStatusCode debye_fourier_check(const DebyeFourierSettings *settings, DebyeStatus *status);
/* Numbers of values in the arrays of one call, over the whole batch; real ones only where settings->real. */
size_t debye_fourier_n_real(const DebyeFourierSettings *settings);
size_t debye_fourier_n_complex(const DebyeFourierSettings *settings);
/* The least even length of at least `length` with no prime factor above 7. */
size_t debye_fourier_good_length(size_t length);

DEBYE_END_DECLS

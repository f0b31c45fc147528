/* SPDX-License-Identifier: MIT */
/* The door to Fourier transforms on the CPU, through FFTW; its twin is cuda/common/fourier.cuh. What is
 * transformed is said in kernels/fourier_settings.h.
 *
 * The work is cut into rows and strips of columns that the pool's threads share, and each piece is done by
 * the same plan whoever does it: the result is the same to the last bit for any number of threads and in
 * every run (plans are estimated, not measured). A batch of rows, or a transform in space, uses all threads;
 * a single row uses one. Planning takes well below a millisecond for lengths of small factors. */
#pragma once

#include "kernels/fourier_settings.h"
#include "parallel.h"

typedef struct DebyeFourier DebyeFourier;

/* `pool` is borrowed as long as the plan lives; NULL: the calling thread alone. Plans may be made and used
 * from any threads side by side, and one plan from many at once on different arrays. Arrays aligned to 16
 * bytes, as malloc gives them, are faster than others. */
DebyeStatusCode debye_fourier_create(const DebyeFourierSettings *settings, DebyePool *pool,
                                     DebyeFourier **fourier, DebyeStatus *status);
void debye_fourier_destroy(DebyeFourier *fourier);

/* Plans for complex values. `data` holds float or double, as planned. */
void debye_fourier_forward(const DebyeFourier *fourier, void *data);
void debye_fourier_backward(const DebyeFourier *fourier, void *data);
/* Plans for real values. */
void debye_fourier_real_forward(const DebyeFourier *fourier, const void *real, void *complex_values);
/* The same where only |k₀| ≤ highest[0] and |k₁| ≤ highest[1] are wanted: the others mean nothing. */
void debye_fourier_real_forward_low(const DebyeFourier *fourier, const void *real, void *complex_values,
                                    const unsigned highest[2]);
void debye_fourier_real_backward(const DebyeFourier *fourier, void *complex_values, void *real);

/* SPDX-License-Identifier: MIT */
/* Transforms of a source's series between its functions, as kernels/cpu/common/fourier.h does them for the shipped variants. */
#pragma once

#include <stdbool.h>

/* Plans transforms of so many complex values, before calls are locked. FALSE: no memory. */
bool debye_runner_fourier_plan(int length);
/* In place, of one series; by many threads at once on different ones. */
void debye_runner_transform(float *series, bool is_back);

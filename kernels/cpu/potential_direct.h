/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/backend.h"

extern const DebyePotentialKernel debye_cpu_direct;

/* Threads of plans made from now on; 0: all processors. */
void debye_cpu_set_threads(unsigned threads);
unsigned debye_cpu_get_threads(void);
/* What a new plan is to use, where other devices' host threads need so many. */
unsigned debye_cpu_threads_beside(unsigned spare_processors);

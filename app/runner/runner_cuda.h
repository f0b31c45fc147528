/* SPDX-License-Identifier: MIT */
/* Runs a compiled CUDA source of a case on a GPU, as the ladder's drivers do (kernels/cuda/ladder/direct.cuh has the
 * signatures). */
#pragma once

#include "runner_gpu.h"

/* Before anything of the class is loaded and before files and calls are locked: the driver opens devices and starts a
 * program of its own, which the locks would forbid. Returns where there is a GPU. */
void debye_runner_cuda_open(const DebyeRunnerHost *host, int ordinal);
/* Loads kernel.cubin, and checks it or times it. Doesn't return but by `end`. */
void debye_runner_cuda_run(void);

/* SPDX-License-Identifier: MIT */
/* Runs a compiled CUDA source of a case on a GPU, as the ladder's drivers do (kernels/cuda/ladder/direct.cuh has the
 * signatures). */
#pragma once

#include "runner_calls.h"

/* What the runner does for it: `end` writes the report with a state, and returns only from LOADING and RUNNING. */
typedef struct {
  DebyeRunnerRun *run;
  DebyeRunnerReport *report;
  void (*end)(DebyeRunnerState state);
  void (*fill)(bool is_poisoned);
  void (*write_output)(size_t number);
} DebyeRunnerHost;

/* Names of what the source's unit ends with: how it is launched (DebyeRunnerGeometry). */
#define DEBYE_RUNNER_GEOMETRY "debye_geometry"

typedef enum {
  DEBYE_RUNNER_BLOCK_X,
  DEBYE_RUNNER_BLOCK_Y,
  DEBYE_RUNNER_BLOCK_Z,
  DEBYE_RUNNER_POINTS,
  DEBYE_RUNNER_POINTS_Y,
  DEBYE_RUNNER_CHUNK,  /* of the constant array "bank"; 0: there is none */
  DEBYE_RUNNER_GRID_X, /* blocks over pairs; 0: a thread is an atom */
  DEBYE_RUNNER_GRID_Y,
  DEBYE_RUNNER_SQUARES,    /* the bank has dz² of the slice in z's place */
  DEBYE_RUNNER_OVER_ATOMS, /* a thread is an atom, not some points */
  DEBYE_RUNNER_FLOATS,     /* counts are floats side by side */
  DEBYE_RUNNER_N_GEOMETRY,
} DebyeRunnerGeometry;

/* Before anything of the class is loaded and before files and calls are locked: the driver opens devices and starts a
 * program of its own, which the locks would forbid. Returns where there is a GPU. */
void debye_runner_cuda_open(const DebyeRunnerHost *host, int ordinal);
/* Loads kernel.cubin, and checks it or times it. Doesn't return but by `end`. */
void debye_runner_cuda_run(void);

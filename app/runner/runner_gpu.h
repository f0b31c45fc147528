/* SPDX-License-Identifier: MIT */
/* What runner_cuda.c, which loads a source and moves its arrays, and runner_gpu.c, which launches it, share. */
#pragma once

#include "runner_calls.h"
#include "runner_driver.h"

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

/* The same of families that are in the table of families from orbitals on. */
#define DEBYE_RUNNER_BATCHES "debye_batches"

typedef enum {
  DEBYE_RUNNER_ATOMS,        /* of a block, of scattering; 0: all are one series */
  DEBYE_RUNNER_FRAMES,       /* of a launch, of a density; 0: as many as there are */
  DEBYE_RUNNER_VOXELS,       /* of a block; 0: a thread is an atom */
  DEBYE_RUNNER_BLOCK_FRAMES, /* and frames of it */
  DEBYE_RUNNER_POINTS_Z,     /* planes of a thread, of an orbital */
  DEBYE_RUNNER_ACROSS,       /* of scattering: x is over vectors, not frames */
  DEBYE_RUNNER_APART,        /* each atom of a block is added by threads of its own */
  DEBYE_RUNNER_N_BATCHES,
} DebyeRunnerBatches;

#define DEBYE_RUNNER_MAX_BANK 4096 /* float4 of constant memory, 64 KiB */

typedef struct {
  const DebyeRunnerHost *host;
  DebyeRunnerRun *run;
  DebyeCudaDriver driver;
  int device;
  DebyeCudaHandle module, begin, end;
  DebyeCudaHandle functions[DEBYE_RUNNER_MAX_FUNCTIONS]; /* of its family; NULL: not there */
  DebyeCudaPointer bank;
  size_t bank_bytes;
  DebyeCudaFourier fourier; /* of scattering with transforms */
  int plans[2];             /* of a whole block, of one atom of it */
  int geometry[DEBYE_RUNNER_N_GEOMETRY], batches[DEBYE_RUNNER_N_BATCHES];
  /* Pages between others that are unmapped, and the array in them. */
  DebyeCudaPointer pages[DEBYE_RUNNER_MAX_INPUTS + 2], data[DEBYE_RUNNER_MAX_INPUTS + 2];
  size_t n_paged[DEBYE_RUNNER_MAX_INPUTS + 2];
} DebyeRunnerGpu;

/* Ends the process where the driver answers with an error. */
void debye_runner_expect(DebyeRunnerGpu *gpu, int result, DebyeRunnerState otherwise);
/* The one that does the work. */
DebyeCudaHandle debye_runner_gpu_get_kernel(const DebyeRunnerGpu *gpu);
/* Takes from the batches what the run has to know; ends where they make no sense. */
void debye_runner_check_batches(DebyeRunnerGpu *gpu);
/* Plans transforms, where the source has a function between them. */
void debye_runner_gpu_plan(DebyeRunnerGpu *gpu);
/* The whole case; seconds as the GPU measures them. */
double debye_runner_gpu_call(DebyeRunnerGpu *gpu);

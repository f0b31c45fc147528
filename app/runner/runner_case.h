/* SPDX-License-Identifier: MIT */
/* What app/bench hands to debye-kernel-runner and gets back, as files of the folder that it runs in: `case` and
 * `kernel.so` or `kernel.cubin` in, `report` out. Both programs are of the same
 * build, so that structs are written as they are. */
#pragma once

#include <stdint.h>

#define DEBYE_RUNNER_MAGIC "debye-k2"
#define DEBYE_RUNNER_MAX_INPUTS 8
/* Outputs of a check: from zeros; from a poison, with all arrays at the other end of their pages; shared among
 * DEBYE_RUNNER_SHARES threads, which are called one after the other; the share of the first of them alone. */
#define DEBYE_RUNNER_CHECKS 4
#define DEBYE_RUNNER_SHARES 3
/* What the second output begins with. */
#define DEBYE_RUNNER_POISON 3.0f
#define DEBYE_RUNNER_POISON_COUNT 1000003ull
/* What a source of scattering may ask for: atoms of a block whose series wait at the same time. */
#define DEBYE_RUNNER_MOST_ATOMS 256

typedef enum {
  DEBYE_RUNNER_DIRECT, /* atoms; shape nx, ny, nz, n_atoms; steps x, y, z, core² */
  DEBYE_RUNNER_CUTOFF, /* atoms, bins, head, next, reach, offsets, overflow; shape nx, ny, nz, n_atoms, bins_x,
                           * bins_y, n_offsets, n_regions, n_overflowing; steps x, y, z, core², cutoff² */
  DEBYE_RUNNER_HISTOGRAM, /* x, y, z; n_bins, n_atoms; bins per Å and the three edges */
  DEBYE_RUNNER_ORBITAL, /* atoms, first_shell, shells, primitives, coefficients; shape nx, ny, nz, n_atoms; steps */
  DEBYE_RUNNER_LIGAND, /* atoms, pairs, start; shape nx, ny, nz, samples, n_atoms, bins_x, bins_y; steps, margin, edge,
                           * cutoff² */
  DEBYE_RUNNER_DENSITY,    /* x, y, z; shape nx, ny, nz, n_atoms, n_frames; corner x, y, z, voxels per Å */
  DEBYE_RUNNER_SCATTERING, /* x, y, z, q; n_atoms, n_frames, n_vectors, length of a series that is padded */
  DEBYE_RUNNER_N_FAMILIES,
} DebyeRunnerFamily;

/* The inputs follow it in the file, one after the other. */
typedef struct {
  char magic[8];
  int32_t family, n_repeats; /* 0: a check; else timed runs */
  int32_t n_threads;
  int32_t counts[9];
  float reals[6];
  double doubles[4];
  uint64_t n_inputs, input_bytes[DEBYE_RUNNER_MAX_INPUTS];
  uint64_t output_bytes, scratch_bytes; /* of a scratch that the source makes smaller: at most */
} DebyeRunnerCase;

typedef enum {
  DEBYE_RUNNER_NOTHING, /* it ended before it wrote a report */
  DEBYE_RUNNER_LOADING,
  DEBYE_RUNNER_RUNNING,
  DEBYE_RUNNER_NOT_LOADED,
  DEBYE_RUNNER_DONE,
  DEBYE_RUNNER_OUTSIDE,    /* `place` names the array, `where` counts bytes beyond it, negative: before it */
  DEBYE_RUNNER_CHANGED,    /* an input, which `place` names */
  DEBYE_RUNNER_SIGNAL,     /* `what` */
  DEBYE_RUNNER_FORBIDDEN,  /* system call `what` */
  DEBYE_RUNNER_NO_THREADS, /* the machine let it start only `what` */
  /* Of CUDA sources; `what` is a CUresult: */
  DEBYE_RUNNER_NO_GPU,       /* or none that can be used */
  DEBYE_RUNNER_NOT_LAUNCHED, /* with its block, grid and memory; 0: what its macros say is not possible */
  DEBYE_RUNNER_GPU_FAULT,    /* the kernel ended with an error */
  DEBYE_RUNNER_LATE,         /* the small piece took too long */
  DEBYE_RUNNER_NO_CUFFT,     /* which its transforms need, or it can't plan them */
} DebyeRunnerState;

/* What a thread, a block and a multiprocessor of the GPU have of it; all 0: it ran on the CPU. */
typedef struct {
  int32_t block, registers, shared_bytes, local_bytes, blocks;
  float occupancy; /* threads of a multiprocessor, of the most */
} DebyeRunnerResources;

#define DEBYE_RUNNER_MAX_TIMES 15

/* The outputs follow it in the file: DEBYE_RUNNER_CHECKS, or one. */
typedef struct {
  int32_t state, what;
  int64_t where;
  int32_t has_landlock, has_seccomp;
  char place[20];
  DebyeRunnerResources resources;
  int32_t n_times;
  double seconds;                       /* the shortest of the timed runs */
  double times[DEBYE_RUNNER_MAX_TIMES]; /* the first n_times of them */
} DebyeRunnerReport;

static inline void
debye_runner_note_time(DebyeRunnerReport *report, double seconds)
{
  if (report->n_times == 0 || seconds < report->seconds)
    report->seconds = seconds;
  if (report->n_times < DEBYE_RUNNER_MAX_TIMES)
    report->times[report->n_times++] = seconds;
}

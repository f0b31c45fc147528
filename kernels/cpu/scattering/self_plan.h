/* SPDX-License-Identifier: MIT */
/* What the files of self scattering on the CPU share: the plan (scattering_self.c) and its sums
 * (self_sums.c). */
#pragma once

#include "kernels/scattering/scattering_self.h"

#include "kernels/cpu/common/fourier.h"
#include "kernels/cpu/common/scratch.h"
#include "self_block.h"

/* Atoms whose series are turned at once: a line of the cache of each frame. */
#define DEBYE_CPU_SELF_SLICE 16

/* Atoms that one thread sums. */
typedef struct {
  size_t first, count; /* of `order` */
  size_t group;
} DebyeCpuSelfPart;

typedef struct {
  DebyeSelfSettings settings;
  const DebyeSelfBlockLoops *loops;
  double (*quarter)[3]; /* vectors in quarter turns an Å */
  size_t length;        /* padded; of autocorrelations, else 0 */
  size_t n_values;      /* doubles of a sum: spectra, or complex series */
  size_t row;           /* floats from one turned series to the next */
  unsigned n_threads;
  DebyePool *pool;
  DebyeFourier *forward, *backward;
  DebyeScratch scratch;
  void *mean[2]; /* W, real and imaginary, where fq2 is wanted */

  DebyeSelfBlock block;
  uint32_t *order; /* atoms sorted by group */
  size_t *group_end;
  DebyeCpuSelfPart *parts;
  size_t max_parts, n_parts, batch;
  double *sums;    /* [part][vector of the batch][n_values] */
  double *elastic; /* [part][vector of the batch] */
} DebyeCpuSelfPlan;

typedef struct {
  DebyeCpuSelfPlan *plan;
  size_t first, count; /* vectors of the batch */
  double *f, *fq2;     /* of the batch's first */
} DebyeCpuSelfExecution;

static inline bool
debye_cpu_self_correlates(const DebyeSelfSettings *settings)
{
  return settings->signal == DEBYE_SIGNAL_AUTOCORRELATE;
}

static inline size_t
debye_cpu_self_value_bytes(const DebyeSelfSettings *settings)
{
  return settings->double_precision ? sizeof(double) : sizeof(float);
}

/* Of a thread: the series of a slice, one padded transform, and a sum in float or the spectrum that is
 * transformed back. */
size_t debye_cpu_self_scratch_bytes(const DebyeSelfSettings *settings);
/* Floats from one turned series to the next. */
size_t debye_cpu_self_row(size_t n_frames);

/* Loops of debye_parallel_for over a DebyeCpuSelfExecution: its parts of the atoms, then its vectors. */
void debye_cpu_self_sum_part(void *execution, size_t part);
void debye_cpu_self_finish_vector(void *execution, size_t vector);

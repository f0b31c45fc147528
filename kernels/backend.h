/* SPDX-License-Identifier: MIT */
/* A back end is one table of functions. The CPU's is built in (cpu/backend_cpu.c); others are modules that
 * export one symbol, debye_backend_module, returning a table with the same ABI number.
 *
 * Kernels are planned once and executed for many frames: create / set / execute / destroy. Nothing is
 * allocated between create and destroy, but where a frame outgrows what was planned (a larger cell). A plan
 * belongs to one device and is used by one thread at a time; plans of different devices run side by side. No
 * function ends the program: each returns a status code and, where `status` is not NULL, a sentence. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#define DEBYE_BACKEND_ABI 6
#define DEBYE_BACKEND_SYMBOL "debye_backend_module"
/* The name of the back end that is built in. */
#define DEBYE_BACKEND_CPU "cpu"

#define DEBYE_BACKEND_POTENTIALS 4

typedef struct {
  char name[96];         /* "NVIDIA H200", "AMD EPYC 9575F" */
  char id[24];           /* "cuda:0", "cpu" */
  uint64_t memory_total; /* bytes */
  uint64_t memory_free;  /* bytes, now */
  unsigned units;        /* multiprocessors or cores */
  double score;          /* rough Coulomb pairs a second: orders devices and seeds the estimate of the time */
} DebyeDeviceInfo;

/* Each is described in the header of its family. */
typedef struct DebyePotentialKernel DebyePotentialKernel;         /* potential_kernel.h */
typedef struct DebyePairHistogramKernel DebyePairHistogramKernel; /* pair_histogram.h */
typedef struct DebyeAmplitudeKernel DebyeAmplitudeKernel;         /* scattering_amplitude.h */
typedef struct DebyeSelfKernel DebyeSelfKernel;                   /* scattering_self.h */
typedef struct DebyeDisplacementKernel DebyeDisplacementKernel;   /* displacement_histogram.h */
typedef struct DebyeLatticeKernel DebyeLatticeKernel;             /* scattering_lattice.h */
typedef struct DebyeCorrelationKernel DebyeCorrelationKernel;     /* correlation.h */
typedef struct DebyeIonFieldKernel DebyeIonFieldKernel;           /* ion_field.h */
typedef struct DebyeLadderKernel DebyeLadderKernel;               /* ladder.h: the teaching variants */

typedef struct {
  uint32_t abi;      /* DEBYE_BACKEND_ABI; first, so that it can be read whatever else changed */
  const char *name;  /* "cpu", "cuda" */
  const char *title; /* "Processor", "CUDA" */
  /* How many devices there are; 0 with the reason in status where there are none. */
  int (*device_count)(DebyeStatus *status);
  DebyeStatusCode (*device_info)(int device, DebyeDeviceInfo *info, DebyeStatus *status);
  /* Threads of the host that the back end uses at most, those of lanes aside, which wait for it; 0: one
   * per core. NULL in back ends that have none. */
  void (*set_threads)(unsigned threads);
  /* NULL where this back end can't; those of potentials by DebyePotentialMethod. */
  const DebyePotentialKernel *potential[DEBYE_BACKEND_POTENTIALS];
  const DebyePairHistogramKernel *pair_histogram;
  const DebyeAmplitudeKernel *amplitude;
  const DebyeSelfKernel *self;
  const DebyeDisplacementKernel *displacement;
  const DebyeLatticeKernel *lattice;
  const DebyeCorrelationKernel *correlation;
  const DebyeLadderKernel *ladder;
  const DebyeIonFieldKernel *ion_field;
} DebyeBackend;

/* The exported function of a module. */
typedef const DebyeBackend *(*DebyeBackendModule)(void);

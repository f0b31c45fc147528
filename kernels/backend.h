/* SPDX-License-Identifier: MIT */
/* A back end is one table of functions. The CPU's is built in (cpu/backend_cpu.c); others are modules that
 * export one symbol, debye_backend_module, returning a table with the same ABI number.
 *
 * Kernels are planned once and executed for many frames: create / set / execute / destroy. Nothing is
 * allocated between create and destroy. A plan belongs to one device and is used by one thread at a time;
 * plans of different devices run side by side. No function ends the program: each returns a status code and,
 * where `status` is not NULL, a sentence. */
#pragma once

#include "potential.h"
#include "status.h"

#define DEBYE_BACKEND_ABI 1
#define DEBYE_BACKEND_SYMBOL "debye_backend_module"

typedef struct {
  char name[96];         /* "NVIDIA H200", "AMD EPYC 9575F" */
  char id[24];           /* "cuda:0", "cpu" */
  uint64_t memory_total; /* bytes */
  uint64_t memory_free;  /* bytes, now */
  unsigned units;        /* multiprocessors or cores */
  double score;          /* rough Coulomb pairs a second: orders devices and seeds the estimate of the time */
} DebyeDeviceInfo;

typedef struct DebyeDirectPlan DebyeDirectPlan;

/* The direct sum on one device. */
typedef struct {
  /* Device memory that create would take; SIZE_MAX where the problem can't be done at all. */
  uint64_t (*bytes_needed)(int device, const DebyePotentialSettings *settings);
  DebyeStatusCode (*create)(int device, const DebyePotentialSettings *settings, DebyeDirectPlan **plan,
                            DebyeStatus *status);
  DebyeStatusCode (*set_charges)(DebyeDirectPlan *plan, const DebyeCharges *charges, DebyeStatus *status);
  /* The slab's values, x fastest, slab.count × shape[1] × shape[0] of them, written (not added). Give `out`
   * for a plan in float and `out_double` for one in double. `cancel`, where not NULL, is looked at now and
   * then: true ends the call with DEBYE_STATUS_CANCELLED. */
  DebyeStatusCode (*execute)(DebyeDirectPlan *plan, DebyeSlab slab, float *out, double *out_double,
                             const volatile bool *cancel, DebyeStatus *status);
  void (*destroy)(DebyeDirectPlan *plan);
} DebyeDirectKernel;

typedef struct {
  uint32_t abi;      /* DEBYE_BACKEND_ABI; first, so that it can be read whatever else changed */
  const char *name;  /* "cpu", "cuda" */
  const char *title; /* "Processor", "CUDA" */
  /* How many devices there are; 0 with the reason in status where there are none. */
  int (*device_count)(DebyeStatus *status);
  DebyeStatusCode (*device_info)(int device, DebyeDeviceInfo *info, DebyeStatus *status);
  /* Threads that the CPU back end uses; 0: all. NULL in back ends where it has no meaning. */
  void (*set_threads)(unsigned threads);
  const DebyeDirectKernel *direct;
} DebyeBackend;

/* The exported function of a module. */
typedef const DebyeBackend *(*DebyeBackendModule)(void);

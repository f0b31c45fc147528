/* SPDX-License-Identifier: MIT */
/* A back end is one table of functions. The CPU's is built in (cpu/backend_cpu.c); others are modules that
 * export one symbol, debye_backend_module, returning a table with the same ABI number.
 *
 * Kernels are planned once and executed for many frames: create / set / execute / destroy. Nothing is
 * allocated between create and destroy, but where a frame outgrows what was planned (a larger cell). A plan
 * belongs to one device and is used by one thread at a time; plans of different devices run side by side. No
 * function ends the program: each returns a status code and, where `status` is not NULL, a sentence. */
#pragma once

#include "potential.h"
#include "status.h"

#define DEBYE_BACKEND_ABI 4
#define DEBYE_BACKEND_SYMBOL "debye_backend_module"

typedef struct {
  char name[96];         /* "NVIDIA H200", "AMD EPYC 9575F" */
  char id[24];           /* "cuda:0", "cpu" */
  uint64_t memory_total; /* bytes */
  uint64_t memory_free;  /* bytes, now */
  unsigned units;        /* multiprocessors or cores */
  double score;          /* rough Coulomb pairs a second: orders devices and seeds the estimate of the time */
} DebyeDeviceInfo;

/* A planned potential: opaque, each kernel casts it to its own. */
typedef struct DebyePotentialPlan DebyePotentialPlan;

/* What the host does while a device works: for each part of the slab, when the device has done it, writes
 * `values` (the device's, in the plan's precision) and its own share of them together into the caller's
 * array, while the device goes on with the next parts. */
typedef struct {
  void (*work)(void *context, DebyeSlab part, const void *values);
  void *context;
} DebyeMeanwhile;

/* One method of the potential on one kind of device. */
typedef struct {
  /* Device memory that create would take; SIZE_MAX where the problem can't be done at all. */
  uint64_t (*bytes_needed)(int device, const DebyePotentialSettings *settings);
  DebyeStatusCode (*create)(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan,
                            DebyeStatus *status);
  /* A frame: its charges and its cell (NULL where nothing is periodic). Everything that does not depend on
   * the slab is done here: bins, lattices, transforms. */
  DebyeStatusCode (*set_charges)(DebyePotentialPlan *plan, const DebyeCharges *charges, const DebyeCell *cell,
                                 DebyeStatus *status);
  /* The atoms that set_charges had no room for in its bins, valid until the next set_charges: the caller adds
   * their sum. NULL: there are never any. */
  void (*get_overflow)(const DebyePotentialPlan *plan, DebyeCharges *overflow);
  /* The slab's values, x fastest, slab.count × shape[1] × shape[0] of them, written (not added). Give `out`
   * for a plan in float and `out_double` for one in double. `meanwhile`, given only where there is a
   * get_overflow and not NULL then, is called part after part, on the calling thread.
   * `cancel`, where not NULL, is looked at now and then: true ends the call with DEBYE_STATUS_CANCELLED. */
  DebyeStatusCode (*execute)(DebyePotentialPlan *plan, DebyeSlab slab, float *out, double *out_double,
                             const DebyeMeanwhile *meanwhile, const volatile bool *cancel,
                             DebyeStatus *status);
  void (*destroy)(DebyePotentialPlan *plan);
} DebyePotentialKernel;

/* Each is described in the header of its family. */
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
  /* Threads of the host that the back end uses at most, those of lanes aside, which wait for it; 0: one a
   * processor. NULL in back ends that have none. */
  void (*set_threads)(unsigned threads);
  /* By method; NULL: this back end can't. */
  const DebyePotentialKernel *potential[DEBYE_POTENTIAL_N_METHODS];
  /* NULL, likewise, where this back end can't. */
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

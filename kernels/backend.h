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

#define DEBYE_BACKEND_ABI 16
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

/* The kernels of a back end beside potentials: its name in the table, where a back end has debye_cpu_NAME,
 * debye_cuda_NAME, …, and its type, which the header of its family describes. */
#define DEBYE_KERNELS(X)                      \
  X(pair_histogram, DebyePairHistogramKernel) \
  X(amplitude, DebyeAmplitudeKernel)          \
  X(self, DebyeSelfKernel)                    \
  X(displacement, DebyeDisplacementKernel)    \
  X(lattice, DebyeLatticeKernel)              \
  X(correlation, DebyeCorrelationKernel)      \
  X(multipole, DebyeMultipoleKernel)          \
  X(poisson, DebyePoissonKernel)              \
  X(ion_field, DebyeIonFieldKernel)           \
  X(density, DebyeDensityKernel)              \
  X(orbital, DebyeOrbitalKernel)              \
  X(ligand, DebyeLigandKernel)                \
  X(isosurface, DebyeIsosurfaceKernel)        \
  X(surface_mesh, DebyeSurfaceMeshKernel)     \
  X(ladder, DebyeLadderKernel) /* the teaching variants */

#define DEBYE_KERNEL_TYPE(name, Type) typedef struct Type Type;
#define DEBYE_KERNEL_MEMBER(name, Type) const Type *name;

typedef struct DebyePotentialKernel DebyePotentialKernel; /* potential_kernel.h */
DEBYE_KERNELS(DEBYE_KERNEL_TYPE)

typedef struct {
  uint32_t abi;      /* DEBYE_BACKEND_ABI; first, so that it can be read whatever else changed */
  const char *name;  /* "cpu", "cuda" */
  const char *title; /* "Processor", "CUDA" */
  /* How many devices there are; 0 with the reason in status where there are none. */
  int (*device_count)(DebyeStatus *status);
  DebyeStatusCode (*device_info)(int device, DebyeDeviceInfo *info, DebyeStatus *status);
  /* Does once what the first work on a device would wait for, as the driver's context is (0.1 s and more). From any thread,
   * while others use it. NULL where there is nothing to do. */
  void (*wake)(int device);
  /* Gives back what wake() and work since then hold of the driver, as it does by itself when the process ends, which takes as
   * long (0.1 s): when all plans are gone, from any thread. Later work waits as the first did. NULL where there is nothing. */
  void (*rest)(int device);
  /* Threads of the host that the back end uses at most, those of lanes aside, which wait for it; 0: one
   * per core. NULL in back ends that have none. */
  void (*set_threads)(unsigned threads);
  /* NULL where this back end can't; those of potentials by DebyePotentialMethod. */
  const DebyePotentialKernel *potential[DEBYE_BACKEND_POTENTIALS];
  DEBYE_KERNELS(DEBYE_KERNEL_MEMBER)
} DebyeBackend;

/* The exported function of a module. */
typedef const DebyeBackend *(*DebyeBackendModule)(void);

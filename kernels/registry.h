/* SPDX-License-Identifier: MIT */
/* Which back ends and devices there are, and for what is not used: why.
 *
 * The CPU is built in. Modules are every *.so in ONE absolute folder: DEBYE_BACKEND_DIR where set (tests,
 * packs), else the installed libdir/debye. A module of another ABI, one that can't be loaded, or one with no
 * device is kept in the list with its reason. */
#pragma once

#include "backend.h"

typedef struct DebyeRegistry DebyeRegistry;

typedef struct {
  const DebyeBackend *backend;        /* NULL where the module could not be used at all */
  int device;                         /* −1 where there is none */
  DebyeDeviceInfo info;               /* valid where device ≥ 0 */
  char reason[248];                   /* empty where usable; else why not */
  char message[DEBYE_STATUS_MESSAGE]; /* the same as data */
  const DebyeBackend *cpu;            /* the built-in back end, which takes what a device leaves over */
} DebyeDeviceEntry;

bool debye_device_is_cpu(const DebyeDeviceEntry *device);

/* `cpu`: the back end that is built in, whose device is always there: debye_backend_cpu of
 * cpu/backend_cpu.h. `folder` NULL: no modules. NULL on exhausted memory. */
DebyeRegistry *debye_registry_new(const DebyeBackend *cpu, const char *folder);
void debye_registry_free(DebyeRegistry *registry); /* modules stay loaded: drivers dislike to go */
size_t debye_registry_get_count(const DebyeRegistry *registry);
const DebyeDeviceEntry *debye_registry_get(const DebyeRegistry *registry, size_t index);
/* For tests: a back end that is no module (a fake). */
void debye_registry_add(DebyeRegistry *registry, const DebyeBackend *backend);

/* Before anything is chosen: of `n_processes` on this machine, that of number `process` keeps its part of the accelerators
 * (or shares one, where there are fewer) and of the processor's threads. */
void debye_registry_share(DebyeRegistry *registry, unsigned process, unsigned n_processes);
/* Of the processor, where nobody asks for another number; 0: one a core. */
unsigned debye_registry_get_threads(const DebyeRegistry *registry);

/* "auto", "cpu", "cuda", "cuda:1,cuda:3,cpu" → the usable entries, fastest first, at most `max`. Returns
 * their number; 0 with a status where the text names something that is not there (with the registry's
 * reason), or a device twice. "auto": every usable device. */
size_t debye_registry_choose(const DebyeRegistry *registry, const char *text,
                             const DebyeDeviceEntry **entries, size_t max, DebyeStatus *status);

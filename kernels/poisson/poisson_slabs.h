/* SPDX-License-Identifier: MIT */
/* Which devices solve an equation together that none of them has the memory for. */
#pragma once

#include "kernels/registry.h"
#include "poisson.h"

/* Bytes that an equation of the settings may take of a device: `part` of what is usable, and at most `limit`; 0: no limit. */
typedef struct {
  double part;
  uint64_t limit;
} DebyePoissonRoom;

/* Bytes of a device that equations may take, all together. */
double debye_poisson_usable_memory(const DebyeDeviceEntry *device);
/* Of the devices those that can share an equation, fastest first, at most DEBYE_POISSON_MAX_SLABS: accelerators of one back
 * end. Returns their number; fewer than two can't. */
size_t debye_poisson_slabs_find(const DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices,
                                size_t n_devices, const DebyeDeviceEntry **found);
/* Sets slabs on as few of them as have the room for it, one after the other but for those with too little for any slab; none
 * where an accelerator has it alone. False where neither is so: none of the accelerators can solve it, alone or together. */
bool debye_poisson_slabs_choose(const DebyePoissonSettings *settings, const DebyeDeviceEntry *const *devices,
                                size_t n_devices, DebyePoissonRoom room, DebyePoissonSlabs *slabs);
/* Of the devices of a back end that have the settings' slabs, all together; and of as many as can share it. */
uint64_t debye_poisson_slabs_sum_bytes(const DebyePoissonSettings *settings, const DebyeBackend *backend);
uint64_t debye_poisson_slabs_bytes(const DebyePoissonSettings *settings,
                                   const DebyeDeviceEntry *const *devices, size_t n_devices);
/* What a run says of the slabs' devices: the first, with the name and id of all. To be freed; NULL on exhausted memory. */
DebyeDeviceEntry *debye_poisson_slabs_join(const DebyePoissonSlabs *slabs,
                                           const DebyeDeviceEntry *const *devices, size_t n_devices);
/* Whether a device has one of the slabs of that back end. */
bool debye_poisson_slabs_has(const DebyePoissonSlabs *slabs, const DebyeBackend *backend,
                             const DebyeDeviceEntry *device);

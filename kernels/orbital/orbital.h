/* SPDX-License-Identifier: MIT */
/* Maps of functions that are made of Gaussians: orbitals, densities, their Laplacians (orbital_set.h).
 *
 * On a grid along the axes exp(−αr²) is the product of three factors of one coordinate each, so a tile of points needs
 * a few exponentials per primitive and none per point; primitives out of reach of a tile are left out. Values are
 * float, sums over functions too: 1e-5 of the map's largest value is what is promised. */
#pragma once

#include "data/geometry.h"
#include "kernels/kernel_head.h"
#include "kernels/registry.h"
#include "orbital_set.h"

DEBYE_BEGIN_DECLS

typedef struct {
  DebyeGrid grid; /* steps along x, y and z; in the set's lengths */
  /* The most that a set may have. */
  size_t max_centres, max_primitives, max_coefficients, max_functions;
} DebyeOrbitalSettings;

/* A back end's part. A plan is used by one thread at a time. */
struct DebyeOrbitalKernel {
  DebyeKernelHead head;
  /* Copies the set; the map stays. */
  DebyeStatusCode (*set)(DebyeKernelPlan *plan, const DebyeOrbitalSet *set, DebyeStatus *status);
  /* The map of functions [first, first + count); with `adds` on top of what it is. A device may go on with it after
   * the call: errors may come with the next one. */
  DebyeStatusCode (*compute)(DebyeKernelPlan *plan, size_t first, size_t count, bool adds,
                             const volatile bool *cancel, DebyeStatus *status);
  /* The grid's values, x fastest. */
  DebyeStatusCode (*get_map)(DebyeKernelPlan *plan, float *map, DebyeStatus *status);
};

/* For back ends. */
DebyeStatusCode debye_orbital_settings_check(const DebyeOrbitalSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_orbital_set_check(const DebyeOrbitalSettings *settings, const DebyeOrbitalSet *set,
                                        DebyeStatus *status);
DebyeStatusCode debye_orbital_range_check(size_t n_functions, size_t first, size_t count,
                                          DebyeStatus *status);

/* Room for any functions of the set, on this grid. */
DebyeOrbitalSettings debye_orbital_settings_of(const DebyeGrid *grid, const DebyeOrbitalSet *set);

/* Gives the next functions of a map in a set that was emptied before; false: there are no more. */
typedef bool (*DebyeOrbitalNext)(void *data, DebyeOrbitalSet *set);

typedef struct {
  DebyeOrbitalSet *set; /* on which `begin` starts anew, and which `next` fills */
  void (*begin)(void *data);
  DebyeOrbitalNext next;
  void (*failed)(void *data, const DebyeDeviceEntry *device, const char *reason); /* at the end */
  void *data;
} DebyeOrbitalSource;

/* The sum of all functions that `next` gives, on the first device that can, within `memory_limit` bytes (0: what it
 * has); *used becomes that device. */
DebyeStatusCode debye_orbital_map(const DebyeOrbitalSettings *settings, uint64_t memory_limit,
                                  const DebyeDeviceEntry *const *devices, size_t n_devices,
                                  const DebyeOrbitalSource *use, const volatile bool *cancel, float *map,
                                  const DebyeDeviceEntry **used, DebyeStatus *status);

DEBYE_END_DECLS

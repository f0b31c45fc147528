/* SPDX-License-Identifier: MIT */
/* The potential of a molecule in an electrolyte, frame by frame, on the first device that can, the next where it fails, or on
 * several together where none has the memory (poisson_slabs.h). The solution of a frame is the first guess of the next, so
 * that one that moves little is soon solved. */
#pragma once

#include "kernels/sharing.h"
#include "poisson_medium.h"
#include "poisson_slabs.h"

typedef struct {
  DebyePoissonMedium medium; /* points of the grid as debye_poisson_round likes them */
  DebyePoissonGoal goal;     /* its salt is borrowed as long as the plan lives */
  uint64_t memory_limit;     /* bytes that a device may take; 0: what it has */
  /* Of what a device has: other equations have the rest at the same time. 0: all. An equation that no accelerator has
   * the memory for is solved by several together where they have it. */
  double memory_part;
  const DebyePoissonSlabs *slabs; /* these of the first device's back end; NULL: as memory asks for */
  DebyePoissonBoundary boundary;
  /* Of a focused plan: the larger one, executed before, which lives longer. Its grid has all atoms, this one what it has
   * of them: the charges of others are on the boundary. */
  DebyeSharing *outer;
  DebyePoissonMaps maps; /* borrowed as long as the plan lives; with charges the atoms' aren't looked at */
  /* The equation that is got has its right-hand side, which else is in the map's memory
   * while it is solved: needed where no map is wanted. */
  bool keeps_source;
  /* Of the equation only maps and energies of ions will be wanted, so that which points are within isn't kept: no field, and
   * debye_poisson_lanes_get_inner() gets NULL. */
  bool wants_map_only;
} DebyePoissonLanesSettings;

DebyeStatusCode debye_poisson_lanes_create(const DebyePoissonLanesSettings *settings,
                                           const DebyeDeviceEntry *const *devices, size_t n_devices,
                                           DebyeSharing **share, DebyeStatus *status);
/* The map, kT/e, x fastest, into out; NULL: not wanted, of a plan that keeps its source. field, where not NULL, gets the
 * reaction field at each charge. INVALID where an atom is less than two steps within the grid (a focused one's without a
 * field may be anywhere), or has no position or radius, or where the potential isn't finite. A grid that repeats takes
 * atoms anywhere, with their images, and has no field; on its other outer points the potential is 0, or the voltage's.
 * Along all axes and without ions a uniform background neutralises the charges, and the mean is 0. Where the goal isn't
 * reached the report says how far it came. Nothing in `out` is to be used unless it returns OK. */
DebyeStatusCode debye_poisson_lanes_execute(DebyeSharing *share, const DebyeSpheres *spheres,
                                            const float *charges, float *out, double *field,
                                            DebyePoissonReport *report, const volatile bool *cancel,
                                            DebyeStatus *status);
/* The reaction field of the last execution that returned OK at atoms of its molecule that are two steps and more within
 * the grid, all that have a charge among them. */
DebyeStatusCode debye_poisson_lanes_reaction(DebyeSharing *share, const DebyeSpheres *spheres,
                                             const float *charges, double *field, DebyeStatus *status);
/* The executions to come have their grid, of the shape that it has, at another place, or another molecule on it. */
void debye_poisson_lanes_move(DebyeSharing *share, DebyeVec3 origin);
/* The next frame is of another molecule: the last solution is no guess for it. */
void debye_poisson_lanes_forget(DebyeSharing *share);
/* The next executions are in the medium of the last one that returned OK, with other charges: its surface isn't made
 * again. false, as at first: each makes its own. */
void debye_poisson_lanes_keep_medium(DebyeSharing *share, bool keeps);
/* The surface of the atoms of the executions to come, of the medium's kind and probe, for several equations of one
 * molecule on grids that don't repeat. Borrowed until it is set again; NULL: each execution finds its own. */
void debye_poisson_lanes_set_surface(DebyeSharing *share, const DebyeSurface *surface);
/* The same for the next execution alone, which clears it as soon as it needs it no more: the equation is solved without it
 * in memory. NULL: there is none, and one that no execution has cleared stays its owner's. */
void debye_poisson_lanes_lend_surface(DebyeSharing *share, DebyeSurface *surface);
/* What several equations of one molecule on the same grid have in common of their fields: the first computes it. Borrowed
 * until it is set again; NULL: each computes it. */
void debye_poisson_lanes_set_uniform(DebyeSharing *share, DebyePoissonUniform *uniform);
/* Whether executions find the surface on the first device: none is to be set for them. */
bool debye_poisson_lanes_makes_surface(const DebyeSharing *share);
/* Of the last execution: whether points are within the molecule's surface, as many as the grid has.
 * Valid until the next. NULL where a device has it and fails. */
const bool *debye_poisson_lanes_get_inner(DebyeSharing *share, DebyeStatus *status);
/* Likewise the equation, of which the source is NULL in a plan that doesn't keep it. */
const DebyePoissonEquation *debye_poisson_lanes_get_equation(DebyeSharing *share, DebyeStatus *status);
/* debye_poisson_ions_energy() of the last execution that returned OK, of a plan with a salt; kT. */
DebyeStatusCode debye_poisson_lanes_ions_energy(DebyeSharing *share, double *energy, DebyeStatus *status);
/* Whether a device makes the equation itself, and the host has nothing to do but for reaction fields. */
bool debye_poisson_lanes_leaves_equation(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                         const DebyeDeviceEntry *device);
/* Whether an accelerator has `part` of its memory for the plan, or several together: slabs, else none. */
bool debye_poisson_lanes_find_slabs(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                    bool nonlinear, double part, const DebyeDeviceEntry *const *devices,
                                    size_t n_devices, DebyePoissonSlabs *slabs);
/* Bytes of all devices together that have these slabs of the plan, at least one. */
uint64_t debye_poisson_lanes_slabs_bytes(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                         bool nonlinear, const DebyePoissonSlabs *slabs,
                                         const DebyeDeviceEntry *const *devices, size_t n_devices);
/* Bytes of all devices together that can share the plan; UINT64_MAX: there aren't several. */
uint64_t debye_poisson_lanes_together_bytes(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                            bool nonlinear, const DebyeDeviceEntry *const *devices,
                                            size_t n_devices);
/* Bytes of a device that the plan has. */
uint64_t debye_poisson_lanes_device_bytes(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                          bool nonlinear, const DebyeDeviceEntry *device);
/* The devices that can share the plan, at most DEBYE_POISSON_MAX_SLABS. Returns their number. */
size_t debye_poisson_lanes_find_together(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                         bool nonlinear, const DebyeDeviceEntry *const *devices,
                                         size_t n_devices, const DebyeDeviceEntry **found);

/* SPDX-License-Identifier: MIT */
/* What poisson_lanes.c and poisson_posed.c share: an equation on its way through a device. */
#pragma once

#include "poisson_lanes.h"

/* What an execution is of. */
typedef struct {
  const DebyeSpheres *spheres;
  const float *charges;
  bool may_cut; /* atoms may be anywhere */
  float *out;
} Task;

/* Arrays of an equation that the host has. */
enum { HAS_POTENTIAL = 1, HAS_INNER = 2, HAS_OPERATOR = 4, HAS_SOURCE = 8, HAS_ALL = 15 };

typedef struct {
  DebyeSharing share; /* its settings are the kernel's */
  DebyePoissonMedium medium;
  DebyePoissonGoal goal;
  DebyePoissonBoundary boundary;
  DebyeSharing *outer;
  DebyePoissonMaps maps;
  size_t n_points;
  bool keeps_source, wants_map_only;
  DebyePoissonEquation equation; /* its source is lent where it isn't kept: NULL between executions */
  unsigned on_host;              /* HAS_… of the last equation, */
  /* which else is this plan's; NULL: the host's own. */
  const DebyePoissonKernel *maker;
  DebyeKernelPlan *maker_plan;
  DebyeDeviceEntry *together; /* what several devices are that share the equation; NULL: one has it */
  bool makes_surface;         /* the first device does */
  bool has_guess;
  const DebyeSurface *surface;   /* of the atoms to come; NULL: to be found */
  DebyeSurface *lent;            /* the same, where it is to be cleared once the medium is set; else NULL */
  bool has_medium, keeps_medium; /* whether the equation has one, and is to keep it */
  DebyePoissonUniform *uniform;  /* of the atoms to come; NULL: not kept */
  Task task;                     /* of the execution under way */
  DebyePoissonReport report;
} PoissonShare;

static inline bool
debye_poisson_is_periodic(const DebyePoissonMedium *medium)
{
  return medium->periodic[0] || medium->periodic[1] || medium->periodic[2];
}

/* Brings what the host doesn't have of the last equation from the device that made it. */
DebyeStatusCode debye_poisson_share_bring(PoissonShare *poisson, unsigned what, DebyeStatus *status);
/* Makes the equation of the task on the host and has the lane's device solve it. What
 * the potential is where an execution failed: no guess. */
DebyeStatusCode debye_poisson_share_solve_posed(PoissonShare *poisson, const DebyeSharingLane *lane,
                                                const volatile bool *cancel, DebyeStatus *status);

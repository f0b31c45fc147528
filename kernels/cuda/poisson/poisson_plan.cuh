/* SPDX-License-Identifier: MIT */
/* The plan of poisson.cu, which poisson_molecule.cu has, too. */
#pragma once

#include "poisson_medium.cuh"

/* Iterations that are put into the stream before the first of them has ended. */
#define DEBYE_POISSON_IN_FLIGHT 2

/* Of a plan with settings.slabs the finest grid is in plans of its slabs, on their devices, and the rest on the first: coarser
 * levels, and what is known of the whole in `sums.scalars`. A slab's grid has a plane more at each end than
 * its own: the whole grid's outer plane, or a copy of another slab's (poisson_slabs.cu). Its second level is
 * what its points are to the whole's. */
struct DebyeCudaPoissonPlan {
  DebyePoissonSettings settings; /* a slab's have the whole's shape, and no slabs */
  int device;
  DebyeStream stream;
  DebyeCudaPoissonLevels levels;
  DebyeCudaPoissonSums sums;
  DebyeCudaPoissonScalars *host_scalars; /* DEBYE_POISSON_IN_FLIGHT, pinned */
  /* While an equation is made or the potential is on its way, a number of 64 bits for each point; then the finest
   * grid's `values` and `left` and, from the next multiple of four values on, the direction. */
  unsigned long long *keys;
  float *direction;
  DebyeCudaPoissonPotential potential;
  /* Of an equation that the host makes: its source, then its screening. That of a molecule has its source where the residual
   * comes, made anew of the spread charges for each residual, and a byte for the screening. A plan for molecules has this
   * room or those of the molecule, never both. */
  DebyeRoom posed;
  cudaGraphExec_t iteration;     /* its arguments are the plan's arrays, */
  DebyeCudaPoissonIons recorded; /* and these */
  cudaEvent_t iterated[DEBYE_POISSON_IN_FLIGHT];
  DebyeCudaPoissonMolecule molecule;
  DebyeCudaPoissonPlan *slabs[DEBYE_POISSON_MAX_SLABS];
  bool is_slab;
  int begin;                      /* of a slab: its grid's first plane in the whole */
  cudaEvent_t passed;             /* of a plan with slabs, and of each: where others wait for it */
  float *coarser;                 /* of a plan with slabs: conductances and screening of coarser grids, */
  DebyeCudaPoissonScalars *parts; /* and what each slab has of a sum */
  bool has_operator;
  /* What is left of the equation, and so the potential but for outer points without neighbors within. */
  bool is_finite;
};

/* What has points of the finest grid: the plan, or each of its slabs, of which there is one at least. */
static inline unsigned
debye_cuda_poisson_count_parts(const DebyeCudaPoissonPlan *plan)
{
  return plan->settings.slabs.n > 0 ? plan->settings.slabs.n : 1;
}

/* One of them, whose device is the calling thread's then. */
static inline DebyeCudaPoissonPlan *
debye_cuda_poisson_get_part(DebyeCudaPoissonPlan *plan, unsigned number)
{
  DebyeCudaPoissonPlan *part = plan->settings.slabs.n > 0 ? plan->slabs[number] : plan;
  debye_stream_note(&part->stream, cudaSetDevice(part->device));
  return part;
}

/* Calls function(part) for all, one after the other. */
template <typename Function>
static inline void
debye_cuda_poisson_over_parts(DebyeCudaPoissonPlan *plan, Function function)
{
  for (unsigned i = 0; i < debye_cuda_poisson_count_parts(plan); i++)
    function(debye_cuda_poisson_get_part(plan, i));
}

/* A part's own planes, of which no other part has the first copy: values from the first of its grid's, and of the whole's. */
struct DebyeCudaPoissonOwn {
  size_t from, to, n;
};

/* poisson.cu: an iteration for the graph, of the finest grid's screening. */
void debye_cuda_poisson_record(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonIons ions);
/* poisson.cu: solves the equation of the plan's operator, source and potential, which is 0 within where there is no guess.
 * An error of the stream is still to be reported. */
DebyeStatusCode debye_cuda_poisson_run(DebyeCudaPoissonPlan *plan, const DebyePoissonGoal *goal,
                                       bool has_guess, DebyePoissonReport *report,
                                       const volatile bool *cancel, DebyeStatus *status);

/* poisson_slabs.cu, of a plan with slabs, but where it says so. */
/* What a slab's plan is set up with; the kind is poisson.cu's. */
struct DebyeCudaPoissonSlab {
  const DebyePoissonSettings *settings; /* of the whole */
  unsigned number;
};
extern const DebyePlanKind debye_cuda_poisson_slab_kind;
void debye_cuda_poisson_slabs_list(DebyeCudaPoissonPlan *plan, DebyePlanMemory *memory);
DebyeStatusCode debye_cuda_poisson_slabs_open(DebyeCudaPoissonPlan *plan, DebyeStatus *status);
void debye_cuda_poisson_slabs_close(DebyeCudaPoissonPlan *plan);
/* Of any plan. */
DebyeCudaPoissonOwn debye_cuda_poisson_find_own(const DebyeCudaPoissonPlan *plan, unsigned number);
/* Of any plan: planes that are copies of others are as those, of an array of `size` bytes a point. */
typedef void *(*DebyeCudaPoissonArray)(const DebyeCudaPoissonPlan *slab);
void debye_cuda_poisson_refresh(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonArray array, size_t size);
/* Of any plan: the potential's are as those, or 0 where they aren't outer points. */
void debye_cuda_poisson_refresh_potential(DebyeCudaPoissonPlan *plan);
void debye_cuda_poisson_forget_copies(DebyeCudaPoissonPlan *plan);
/* Of any plan: where it has slabs, sums of all from those of each, which then have them, too. */
void debye_cuda_poisson_add_slabs(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonTotal total);
/* Of any plan: coarser operators, or their screening alone. */
void debye_cuda_poisson_coarsen_parts(DebyeCudaPoissonPlan *plan, bool has_new_along);
/* An iteration, which else is a graph. */
void debye_cuda_poisson_iterate_slabs(DebyeCudaPoissonPlan *plan);
/* Of any plan: waits for slabs, whose errors become the plan's. */
void debye_cuda_poisson_wait_for_slabs(DebyeCudaPoissonPlan *plan);

/* poisson_molecule.cu: what the plan's list has for molecules, and entries of its table. */
void debye_cuda_poisson_molecule_list(DebyeCudaPoissonPlan *plan, DebyePlanMemory *memory);
void debye_cuda_poisson_molecule_open(DebyeCudaPoissonPlan *plan);
void debye_cuda_poisson_molecule_close(DebyeCudaPoissonPlan *plan);
/* Gives back the device's rooms that only a molecule needs; the next molecule takes them again. */
void debye_cuda_poisson_molecule_release(DebyeCudaPoissonPlan *plan);
DebyeStatusCode debye_cuda_poisson_solve_molecule(DebyeKernelPlan *handle,
                                                  const DebyePoissonMolecule *molecule, float *map,
                                                  const DebyePoissonGoal *goal, DebyePoissonReport *report,
                                                  const volatile bool *cancel, DebyeStatus *status);
/* poisson_map.cu: a part of the map, to the host. */
void debye_cuda_poisson_map_list(DebyeCudaPoissonTransfer *transfer, size_t n, DebyePlanMemory *memory);
void debye_cuda_poisson_fetch_map(DebyeCudaPoissonPlan *part, DebyeCudaPoissonOwn own, float *map);
DebyeStatusCode debye_cuda_poisson_fetch(DebyeKernelPlan *handle, const DebyePoissonEquation *equation,
                                         DebyeStatus *status);

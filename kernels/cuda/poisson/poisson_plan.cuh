/* SPDX-License-Identifier: MIT */
/* The plan of poisson.cu, which poisson_molecule.cu has, too. */
#pragma once

#include "poisson_medium.cuh"

/* Iterations that are put into the stream before the first of them has ended. */
#define DEBYE_POISSON_IN_FLIGHT 2

struct DebyeCudaPoissonPlan {
  DebyePoissonSettings settings;
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
  bool has_operator;
  /* What is left of the equation, and so the potential but for outer points without neighbors within. */
  bool is_finite;
};

/* poisson.cu: an iteration for the graph, of the finest grid's screening. */
void debye_cuda_poisson_record(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonIons ions);
/* poisson.cu: solves the equation of the plan's operator, source and potential, which is 0 within where there is no guess.
 * An error of the stream is still to be reported. */
DebyeStatusCode debye_cuda_poisson_run(DebyeCudaPoissonPlan *plan, const DebyePoissonGoal *goal,
                                       bool has_guess, DebyePoissonReport *report,
                                       const volatile bool *cancel, DebyeStatus *status);

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
/* poisson_map.cu: the map, to the host. */
void debye_cuda_poisson_map_list(DebyeCudaPoissonTransfer *transfer, size_t n, DebyePlanMemory *memory);
void debye_cuda_poisson_fetch_map(DebyeCudaPoissonPlan *plan, float *map);
DebyeStatusCode debye_cuda_poisson_fetch(DebyeKernelPlan *handle, const DebyePoissonEquation *equation,
                                         DebyeStatus *status);

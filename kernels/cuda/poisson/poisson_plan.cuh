/* SPDX-License-Identifier: MIT */
/* The plan of poisson.cu, which poisson_molecule.cu has, too. */
#pragma once

#include "poisson_medium.cuh"

struct DebyeCudaPoissonPlan {
  DebyePoissonSettings settings;
  int device;
  DebyeStream stream;
  DebyeCudaPoissonLevels levels;
  DebyeCudaPoissonSums sums;
  DebyeCudaPoissonScalars *host_scalars; /* pinned */
  /* While an equation is made, a number of 64 bits for each point; then the finest grid's `left` and, from the
   * next multiple of four values on, the direction. */
  unsigned long long *keys;
  float *source, *direction;
  double *potential;
  float *correction;         /* that iterations find; the potential has those before it */
  float *given;              /* of the nonlinear equation: k, which else is the finest grid's own screening */
  cudaGraphExec_t iteration; /* its arguments are the plan's arrays and stay the same */
  DebyeCudaPoissonMolecule molecule;
  bool has_operator;
};

/* poisson.cu: solves the equation of the plan's operator, source and potential.
 * An error of the stream is still to be reported. */
DebyeStatusCode debye_cuda_poisson_run(DebyeCudaPoissonPlan *plan, const DebyePoissonGoal *goal,
                                       DebyePoissonReport *report, const volatile bool *cancel,
                                       DebyeStatus *status);

/* poisson_molecule.cu: what the plan's list has for molecules, and entries of its table. */
void debye_cuda_poisson_molecule_list(DebyeCudaPoissonPlan *plan, DebyePlanMemory *memory);
void debye_cuda_poisson_molecule_open(DebyeCudaPoissonPlan *plan);
void debye_cuda_poisson_molecule_close(DebyeCudaPoissonPlan *plan);
DebyeStatusCode debye_cuda_poisson_solve_molecule(DebyeKernelPlan *handle,
                                                  const DebyePoissonMolecule *molecule, float *map,
                                                  const DebyePoissonGoal *goal, DebyePoissonReport *report,
                                                  const volatile bool *cancel, DebyeStatus *status);
DebyeStatusCode debye_cuda_poisson_fetch(DebyeKernelPlan *handle, const DebyePoissonEquation *equation,
                                         DebyeStatus *status);

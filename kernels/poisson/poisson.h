/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation on a grid, as finite volumes give it:
 *
 *   Σ_f w_f (φ_i − φ_f) + k_i g(φ_i) = s_i
 *
 * at each point i within the grid, f its six neighbors. w is what lies between two points: permittivity times the area of
 * the face between their volumes over their distance, Å; k is screening, κ̄² times the volume, Å; s is 4πl₀ times the
 * charge. g(φ) = φ in the linear equation, else −Σ_j s_j exp(−z_j φ)/z_j over the ions of the salt,
 * s_j = z_j² c_j/Σ z² c: sinh φ for ions ±1. On the grid's outer points φ is given.
 *
 * Along a periodic axis everything repeats after shape − 2 points: the first plane of each array is a copy of the last but one,
 * the last a copy of the second, and φ is given nowhere. Where all axes are periodic and k is 0
 * everywhere, Σ s has to be 0, and φ is known but for a constant.
 *
 * Solved by conjugate gradients with one V-cycle of multigrid as preconditioner: one sweep of red-black Gauss-Seidel before
 * and after, full weighting, trilinear interpolation, and on coarser grids the conductances of the finer in series
 * along an edge and side by side across it (Alcouffe, Brandt, Dendy & Painter, SIAM J. Sci. Stat. Comput. 2 (1981) 430). The
 * cycle is in float; the solution and the residual that is told are in double. The nonlinear equation by Newton's method,
 * each step solved to a fiftieth and halved until the residual falls (Holst & Saied, J. Comput. Chem. 16 (1995) 337). */
#pragma once

#include "kernels/kernel_head.h"

DEBYE_BEGIN_DECLS

#define DEBYE_POISSON_MAX_LEVELS 12
#define DEBYE_POISSON_LEAST_POINTS 5
#define DEBYE_POISSON_MAX_SLABS 8

/* Devices of one back end that solve an equation together, each some of the inner planes along z, the first the lowest and
 * coarser grids, too. Each has an even number of
 * planes but the last. */
typedef struct {
  unsigned n; /* 0: one device has all */
  int device[DEBYE_POISSON_MAX_SLABS];
  size_t planes[DEBYE_POISSON_MAX_SLABS];
} DebyePoissonSlabs;

typedef struct {
  /* Points along each axis, the outer ones with them; at least DEBYE_POISSON_LEAST_POINTS. Halved and halved again while
   * what is left is odd: few odd factors of (points − 1) make good grids (debye_poisson_round). */
  size_t shape[3];
  bool periodic[3];
  bool nonlinear; /* whether it will be solved with a salt */
  size_t n_atoms; /* about so many have molecules that solve_molecule gets; 0: it isn't called */
  /* Of a back end that knows them. The plan is the first device's; bytes_needed says what it needs on any of them. Equations
   * that repeat or that the host makes have none. */
  DebyePoissonSlabs slabs;
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyePoissonSettings;

/* x fastest, as many as the grid has points. along[a][i] is w between point i and its next neighbor along axis a: above 0
 * where there is one. screening: k, at least 0. */
typedef struct {
  const float *along[3];
  const float *screening;
} DebyePoissonOperator;

#define DEBYE_POISSON_MAX_IONS 8

/* Of a solution that is neutral: Σ s_j/z_j = 0, Σ s_j = 1. */
typedef struct {
  unsigned n_ions;
  double valence[DEBYE_POISSON_MAX_IONS];
  double share[DEBYE_POISSON_MAX_IONS];
} DebyePoissonSalt;

/* tolerance is of the residual's 2-norm, relative to that of the right-hand side: s and the boundary. */
typedef struct {
  const DebyePoissonSalt *salt; /* NULL: the linear equation */
  double tolerance;
  unsigned max_cycles;
} DebyePoissonGoal;

/* What solve_molecule does on a device. */
typedef enum {
  DEBYE_POISSON_STAGE_SURFACE,  /* found from the atoms */
  DEBYE_POISSON_STAGE_EQUATION, /* conductances, screening, charges, boundary */
  DEBYE_POISSON_STAGE_SOLVE,
  DEBYE_POISSON_STAGE_MAP, /* to the host */
  DEBYE_POISSON_N_STAGES,
} DebyePoissonStage;

typedef struct {
  double residual;                        /* as the goal's; reached, computed anew in double */
  unsigned cycles;                        /* that it took, */
  unsigned steps;                         /* in so many of Newton's; 0: linear */
  float stage_ms[DEBYE_POISSON_N_STAGES]; /* by the device's clock; 0: not by solve_molecule */
} DebyePoissonReport;

/* poisson_medium.h */
typedef struct DebyePoissonMolecule DebyePoissonMolecule;
typedef struct DebyePoissonEquation DebyePoissonEquation;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyePoissonKernel {
  DebyeKernelHead head;
  unsigned max_slabs; /* at most DEBYE_POISSON_MAX_SLABS; 0: an equation is one device's */
  /* Of all that follows, until it is set again. Borrowed. */
  DebyeStatusCode (*set_operator)(DebyeKernelPlan *plan, const DebyePoissonOperator *operator_,
                                  DebyeStatus *status);
  /* source: s of each point, of which the outer ones' is not looked at. potential: φ, given on the outer points, and
   * within a first guess; where the goal isn't reached it is as far as it came. */
  DebyeStatusCode (*solve)(DebyeKernelPlan *plan, const float *source, double *potential,
                           const DebyePoissonGoal *goal, DebyePoissonReport *report,
                           const volatile bool *cancel, DebyeStatus *status);
  /* All at once, where the device makes the equation itself: only atoms go there, and the map comes back, unless it is NULL.
   * The function is NULL in back ends that leave it to the host; UNSUPPORTED of molecules that are left to it, NO_MEMORY where
   * the plan's own isn't enough: the operator is to be set then. INVALID where the potential isn't finite.
   *
   * A plan for molecules may need up to 10 bytes per point for an operator, which bytes_needed doesn't count. set_operator
   * first gives back what only molecules need, and solve_molecule gives those bytes back. If the device still lacks them,
   * set_operator returns NO_MEMORY, and the plan stays good for the next molecule. */
  DebyeStatusCode (*solve_molecule)(DebyeKernelPlan *plan, const DebyePoissonMolecule *molecule, float *map,
                                    const DebyePoissonGoal *goal, DebyePoissonReport *report,
                                    const volatile bool *cancel, DebyeStatus *status);
  /* The equation of the last solve_molecule, those of its arrays that aren't NULL. */
  DebyeStatusCode (*fetch)(DebyeKernelPlan *plan, const DebyePoissonEquation *equation, DebyeStatus *status);
};

/* INVALID with the reason. */
DebyeStatusCode debye_poisson_goal_check(const DebyePoissonSettings *settings, const DebyePoissonGoal *goal,
                                         DebyeStatus *status);
DebyeStatusCode debye_poisson_settings_check(const DebyePoissonSettings *settings, DebyeStatus *status);
/* Levels of multigrid, and the shape of each. Periodic points are halved while their number is even. */
size_t debye_poisson_levels(const size_t shape[3], const bool periodic[3], size_t (*shapes)[3]);
/* At least `wanted` points along an axis, and a number that multigrid likes: c·2ⁿ + 1 with c at most 17; at most a ninth
 * more than asked for. */
size_t debye_poisson_round(size_t wanted);
/* Likewise of the points of a period, an even number. */
size_t debye_poisson_round_period(size_t wanted);
/* Copies values of `size` bytes each to the first and last planes of periodic axes. */
void debye_poisson_wrap(void *values, size_t size, const size_t shape[3], const bool periodic[3]);

DEBYE_END_DECLS

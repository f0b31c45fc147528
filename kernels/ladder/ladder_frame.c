/* SPDX-License-Identifier: MIT */
/* Charges in the grid's own axes, as the steps of direct sums and cutoffs take them; called by the steps, ladder_bins.c and the
 * class's own kernels. */
#include <stdlib.h>

#include "kernels/potential/potential_math.h"
#include "ladder.h"

/* Turned in double, then rounded: in float the grid's first corner is the origin of everything. */
static DebyeStatusCode
turn_atoms(DebyeLadderFrame *frame, const DebyeTurnedGrid *grid, const DebyeCharges *charges, double *exact,
           DebyeStatus *status)
{
  const DebyeTurnedAtoms turned = {
      .exact = {exact, exact + 1, exact + 2}, .exact_charge = exact + 3, .stride = 4};
  if (debye_turned_atoms_set(grid, charges, charges->n, &turned, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  for (size_t i = 0; i < charges->n; i++)
    frame->atoms[i] = (DebyeLadderAtom){(float)exact[4 * i], (float)exact[4 * i + 1], (float)exact[4 * i + 2],
                                        (float)exact[4 * i + 3]};
  frame->n_atoms = charges->n;
  return debye_status_ok(status);
}

DebyeStatusCode
debye_ladder_frame_init(DebyeLadderFrame *frame, const DebyeLadderProblem *problem, DebyeStatus *status)
{
  const DebyeTurnedGrid grid = debye_turned_grid(&problem->grid);
  const size_t n = problem->charges.n > 0 ? problem->charges.n : 1;
  *frame = (DebyeLadderFrame){
      .shape = {grid.shape[0], grid.shape[1], grid.shape[2]},
      .step = {(float)grid.step_x, (float)grid.row_y, (float)grid.plane_z},
      .core2 = (float)(problem->core_radius * problem->core_radius),
      .atoms = calloc(n, sizeof *frame->atoms),
  };
  double *exact = calloc(n, 4 * sizeof *exact);
  DebyeStatusCode code = DEBYE_STATUS_NO_MEMORY;
  if (frame->atoms != NULL && exact != NULL)
    code = turn_atoms(frame, &grid, &problem->charges, exact, status);
  else
    debye_status_set(status, code, "There is no memory for the charges of %zu atoms.", problem->charges.n);
  free(exact);
  return code;
}

void
debye_ladder_frame_clear(DebyeLadderFrame *frame)
{
  free(frame->atoms);
  *frame = (DebyeLadderFrame){.n_atoms = 0};
}

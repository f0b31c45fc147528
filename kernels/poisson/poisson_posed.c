/* SPDX-License-Identifier: MIT */
/* Surface, boundary, charges and voltage of an equation that the host makes and a device solves; called by poisson_lanes.c. */
#include <math.h>
#include <string.h>

#include "poisson_images.h"
#include "poisson_lanes_private.h"
#include "poisson_voltage.h"

/* Of a guess, too. */
static void
clear_outer(const DebyePoissonMedium *medium, double *potential)
{
  const size_t *shape = medium->grid.shape;
  for (size_t z = 0; z < shape[2]; z++)
    for (size_t y = 0; y < shape[1]; y++) {
      const bool is_outer = z == 0 || z + 1 == shape[2] || y == 0 || y + 1 == shape[1];
      for (size_t x = 0; x < shape[0]; x += is_outer ? 1 : shape[0] - 1)
        potential[x + shape[0] * (y + shape[1] * z)] = 0.0;
    }
}

DebyeStatusCode
debye_poisson_share_bring(PoissonShare *poisson, unsigned what, DebyeStatus *status)
{
  DebyePoissonEquation wanted = {.screening = NULL};
  what &= ~poisson->on_host;
  if (what == 0 || poisson->maker == NULL)
    return debye_status_ok(status);
  if ((what & HAS_POTENTIAL) != 0)
    wanted.potential = poisson->equation.potential;
  if ((what & HAS_INNER) != 0)
    wanted.is_inner = poisson->equation.is_inner;
  if ((what & HAS_OPERATOR) != 0) {
    memcpy(wanted.along, poisson->equation.along, sizeof wanted.along);
    wanted.screening = poisson->equation.screening;
  }
  if ((what & HAS_SOURCE) != 0)
    wanted.source = poisson->equation.source;
  const DebyeStatusCode code = poisson->maker->fetch(poisson->maker_plan, &wanted, status);
  poisson->on_host |= code == DEBYE_STATUS_OK ? what : 0;
  return code;
}

/* What the charges and other solutions say of the grid's outer points. */
static DebyeStatusCode
set_boundary(PoissonShare *poisson, const DebyeSpheres *spheres, const float *charges, DebyeStatus *status)
{
  const DebyePoissonMedium *medium = &poisson->medium;
  double *potential = poisson->equation.potential;
  if (poisson->boundary == DEBYE_POISSON_ZERO || debye_poisson_is_periodic(medium)) {
    clear_outer(medium, potential);
    return debye_status_ok(status);
  }
  if (poisson->boundary == DEBYE_POISSON_FOCUS) {
    PoissonShare *outer = (PoissonShare *)poisson->outer;
    const DebyeStatusCode code = debye_poisson_share_bring(outer, HAS_POTENTIAL, status);
    if (code == DEBYE_STATUS_OK)
      debye_poisson_medium_focus(medium, &outer->medium.grid, outer->equation.potential, potential);
    return code;
  }
  return poisson->maps.charge != NULL
             ? debye_poisson_medium_set_map_boundary(medium, poisson->maps.charge, potential, status)
             : debye_poisson_medium_set_boundary(medium, spheres, charges, potential, status);
}

/* Permittivities and where ions are, unless maps give both. */
static DebyeStatusCode
set_medium(PoissonShare *poisson, const DebyeSpheres *spheres, DebyeStatus *status)
{
  const DebyePoissonMaps *maps = &poisson->maps;
  DebyeStatusCode code = debye_status_ok(status);
  if (maps->permittivity[0] == NULL || maps->ions == NULL)
    code =
        poisson->surface != NULL
            ? debye_poisson_medium_set_surface(&poisson->medium, poisson->surface, &poisson->equation, status)
            : debye_poisson_medium_set(&poisson->medium, spheres, &poisson->equation, status);
  if (code == DEBYE_STATUS_OK && poisson->medium.smoothed && maps->permittivity[0] == NULL)
    code = debye_poisson_medium_smooth(&poisson->medium, spheres, &poisson->equation, status);
  if (poisson->lent != NULL) {
    debye_surface_clear(poisson->lent);
    poisson->surface = poisson->lent = NULL;
  }
  return code;
}

static bool
has_voltage(const PoissonShare *poisson)
{
  return poisson->medium.membrane.is_there && poisson->medium.membrane.voltage != 0.0;
}

/* Whether only a background makes the equation solvable: nothing else takes up what a cell's charges send out. */
static bool
needs_background(const PoissonShare *poisson)
{
  const bool *periodic = poisson->medium.periodic;
  bool has_ions = false;
  for (size_t i = 0; i < poisson->n_points && !has_ions; i++)
    has_ions = poisson->equation.screening[i] > 0.0f;
  return periodic[0] && periodic[1] && periodic[2] && !has_ions;
}

/* Periodic copies, to the last bit: the operator is symmetric then. */
static void
repeat(PoissonShare *poisson)
{
  DebyePoissonEquation *equation = &poisson->equation;
  float *const arrays[4] = {equation->along[0], equation->along[1], equation->along[2], equation->screening};
  for (int i = 0; i < 4; i++)
    debye_poisson_wrap(arrays[i], sizeof(float), poisson->medium.grid.shape, poisson->medium.periodic);
  if (needs_background(poisson))
    debye_poisson_remove_mean(&poisson->medium.grid, equation->source, NULL);
}

/* Everything of the equation but its solution. The boundary is written over the last solution's. */
static DebyeStatusCode
pose(PoissonShare *poisson, DebyeStatus *status)
{
  const DebyeSpheres *spheres = poisson->task.spheres;
  const float *charges = poisson->task.charges;
  const bool has_charges = poisson->maps.charge != NULL;
  if (poisson->maker != NULL)
    poisson->has_guess = poisson->has_medium = false;
  poisson->maker = NULL;
  poisson->on_host = HAS_ALL;
  if (!poisson->has_guess)
    memset(poisson->equation.potential, 0, poisson->n_points * sizeof *poisson->equation.potential);
  memset(poisson->equation.source, 0, poisson->n_points * sizeof *poisson->equation.source);
  if (!has_charges)
    debye_poisson_medium_add_charges(&poisson->medium, spheres, charges, poisson->equation.source);
  DebyeStatusCode code = set_boundary(poisson, spheres, charges, status);
  if (code == DEBYE_STATUS_OK && !(poisson->keeps_medium && poisson->has_medium)) {
    code = set_medium(poisson, spheres, status);
    poisson->has_medium = code == DEBYE_STATUS_OK;
  }
  if (code != DEBYE_STATUS_OK)
    return code;
  /* Each time: charges of a map are written over the source, which is new. */
  debye_poisson_medium_take_maps(&poisson->medium, &poisson->maps, &poisson->equation);
  repeat(poisson);
  if (has_voltage(poisson) && poisson->boundary != DEBYE_POISSON_FOCUS)
    debye_poisson_voltage_add_profile(&poisson->medium, poisson->equation.potential);
  if (has_voltage(poisson))
    debye_poisson_voltage_add_source(&poisson->medium, &poisson->equation);
  return code;
}

static DebyeStatusCode
copy_potential(const PoissonShare *poisson, float *out, DebyeStatus *status)
{
  for (size_t i = 0; i < poisson->n_points; i++) {
    const float value = (float)poisson->equation.potential[i];
    if (out != NULL)
      out[i] = value;
    if (!isfinite(value))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "The potential isn't finite: the equation isn't solved.");
  }
  return debye_status_ok(status);
}

/* The equation that is posed. */
static DebyeStatusCode
solve_posed(PoissonShare *poisson, const DebyeSharingLane *lane, const volatile bool *cancel,
            DebyeStatus *status)
{
  const DebyePoissonKernel *kernel = (const DebyePoissonKernel *)lane->kernel;
  DebyePoissonEquation *equation = &poisson->equation;
  const DebyePoissonOperator operator_ = {{equation->along[0], equation->along[1], equation->along[2]},
                                          equation->screening};
  if (has_voltage(poisson))
    debye_poisson_voltage_shift(&poisson->medium, -1.0, equation->potential);
  DebyeStatusCode code = kernel->set_operator(lane->plan, &operator_, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->solve(lane->plan, equation->source, equation->potential, &poisson->goal, &poisson->report,
                         cancel, status);
  if (has_voltage(poisson))
    debye_poisson_voltage_shift(&poisson->medium, 1.0, equation->potential);
  if (code == DEBYE_STATUS_OK)
    debye_poisson_wrap(equation->potential, sizeof(double), poisson->medium.grid.shape,
                       poisson->medium.periodic);
  if (code == DEBYE_STATUS_OK && needs_background(poisson))
    debye_poisson_remove_mean(&poisson->medium.grid, NULL, equation->potential);
  return code == DEBYE_STATUS_OK ? copy_potential(poisson, poisson->task.out, status) : code;
}

DebyeStatusCode
debye_poisson_share_solve_posed(PoissonShare *poisson, const DebyeSharingLane *lane,
                                const volatile bool *cancel, DebyeStatus *status)
{
  if (!poisson->keeps_source)
    poisson->equation.source = poisson->task.out;
  DebyeStatusCode code = pose(poisson, status);
  if (code == DEBYE_STATUS_OK)
    code = solve_posed(poisson, lane, cancel, status);
  if (!poisson->keeps_source)
    poisson->equation.source = NULL;
  return code;
}

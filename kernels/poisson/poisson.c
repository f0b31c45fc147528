/* SPDX-License-Identifier: MIT */
/* What solvers of the Poisson-Boltzmann equation of all back ends have in common: settings and their grids. */
#include "poisson.h"

#include <math.h>
#include <string.h>

/* Coarser than that nothing is gained. */
#define COARSEST 9
/* Of c·2ⁿ cells: c is from 9 on, so that one more is at most a ninth more. */
#define MOST_CELLS 17

/* A coarser grid is needed, and that all have planes of it but the last, whose number is odd. */
static bool
are_slabs_good(const DebyePoissonSettings *settings)
{
  const DebyePoissonSlabs *slabs = &settings->slabs;
  size_t shapes[DEBYE_POISSON_MAX_LEVELS][3], planes = 2;
  if (slabs->n == 0)
    return true;
  if (slabs->n > DEBYE_POISSON_MAX_SLABS || settings->n_atoms == 0 || settings->periodic[0] ||
      settings->periodic[1] || settings->periodic[2] ||
      debye_poisson_levels(settings->shape, settings->periodic, shapes) < 2)
    return false;
  for (unsigned i = 0; i < slabs->n; i++) {
    planes += slabs->planes[i];
    if (slabs->planes[i] < 2 || slabs->planes[i] % 2 != (i + 1 == slabs->n ? 1 : 0))
      return false;
  }
  return planes == settings->shape[2];
}

DebyeStatusCode
debye_poisson_settings_check(const DebyePoissonSettings *settings, DebyeStatus *status)
{
  double points = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    points *= (double)settings->shape[axis];
    if (settings->shape[axis] < DEBYE_POISSON_LEAST_POINTS)
      return debye_status_set(
          status, DEBYE_STATUS_INVALID,
          "A Poisson-Boltzmann grid needs at least %d points along each axis, this one has %zu.",
          DEBYE_POISSON_LEAST_POINTS, settings->shape[axis]);
  }
  if (points > 0x1p40)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A grid of %zu × %zu × %zu points is too large.",
                            settings->shape[0], settings->shape[1], settings->shape[2]);
  if (!are_slabs_good(settings))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A grid of %zu × %zu × %zu points can't be cut into these slabs.",
                            settings->shape[0], settings->shape[1], settings->shape[2]);
  return debye_status_ok(status);
}

/* Rounding of what a caller computed. */
#define NEUTRAL 1e-9

DebyeStatusCode
debye_poisson_goal_check(const DebyePoissonSettings *settings, const DebyePoissonGoal *goal,
                         DebyeStatus *status)
{
  double whole = 0.0, charge = 0.0;
  if (goal->salt == NULL)
    return debye_status_ok(status);
  if (!settings->nonlinear)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "This plan is for the linear equation, and there is a salt.");
  if (goal->salt->n_ions > DEBYE_POISSON_MAX_IONS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A salt may have %d kinds of ions, this one has %u.", DEBYE_POISSON_MAX_IONS,
                            goal->salt->n_ions);
  for (unsigned i = 0; i < goal->salt->n_ions; i++) {
    whole += goal->salt->share[i];
    charge += goal->salt->share[i] / goal->salt->valence[i];
  }
  if (!(fabs(whole - 1.0) < NEUTRAL && fabs(charge) < NEUTRAL))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The salt isn't neutral.");
  return debye_status_ok(status);
}

static size_t
halve(size_t points, bool periodic)
{
  return periodic ? points / 2 + 1 : (points + 1) / 2;
}

static bool
can_halve(const size_t shape[3], const bool periodic[3])
{
  size_t largest = 0;
  for (int axis = 0; axis < 3; axis++) {
    if (shape[axis] % 2 != (periodic[axis] ? 0 : 1) ||
        halve(shape[axis], periodic[axis]) < DEBYE_POISSON_LEAST_POINTS)
      return false;
    largest = shape[axis] > largest ? shape[axis] : largest;
  }
  return largest > COARSEST;
}

size_t
debye_poisson_levels(const size_t shape[3], const bool periodic[3], size_t (*shapes)[3])
{
  size_t n = 1;
  for (int axis = 0; axis < 3; axis++)
    shapes[0][axis] = shape[axis];
  for (; n < DEBYE_POISSON_MAX_LEVELS && can_halve(shapes[n - 1], periodic); n++)
    for (int axis = 0; axis < 3; axis++)
      shapes[n][axis] = halve(shapes[n - 1][axis], periodic[axis]);
  return n;
}

size_t
debye_poisson_round(size_t wanted)
{
  size_t unit = 1, cells = wanted > DEBYE_POISSON_LEAST_POINTS ? wanted - 1 : DEBYE_POISSON_LEAST_POINTS - 1;
  while ((cells + unit - 1) / unit > MOST_CELLS)
    unit *= 2;
  cells = (cells + unit - 1) / unit * unit;
  return cells + 1;
}

size_t
debye_poisson_round_period(size_t wanted)
{
  const size_t points = debye_poisson_round(wanted + 1) - 1;
  return points + points % 2;
}

/* Planes across an axis, as `outer` blocks of `inner` bytes, of which the axis has `points` in a row. */
static void
wrap_axis(char *values, size_t outer, size_t points, size_t inner)
{
  for (size_t i = 0; i < outer; i++) {
    char *block = values + i * points * inner;
    memcpy(block, block + (points - 2) * inner, inner);
    memcpy(block + (points - 1) * inner, block + inner, inner);
  }
}

void
debye_poisson_wrap(void *values, size_t size, const size_t shape[3], const bool periodic[3])
{
  if (periodic[0])
    wrap_axis(values, shape[1] * shape[2], shape[0], size);
  if (periodic[1])
    wrap_axis(values, shape[2], shape[1], shape[0] * size);
  if (periodic[2])
    wrap_axis(values, 1, shape[2], shape[0] * shape[1] * size);
}

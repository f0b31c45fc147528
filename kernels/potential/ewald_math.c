/* SPDX-License-Identifier: MIT */
/* Computes, once per frame, the factors and the pair function that Ewald's kernels need; called by both back
 * ends. */
#include "ewald_math.h"

#define PI 3.14159265358979323846

/* The B-spline of order 2p at the integers is what a spline of order p does to itself: S is its transform, a
 * sum of 2p − 1 cosines. */
static double
alias_sum(const double *at_integers, unsigned order, double turns)
{
  double sum = at_integers[order - 1];
  for (unsigned j = 1; j < order; j++)
    sum += 2.0 * at_integers[order - 1 + j] * cos(2.0 * PI * (double)j * turns);
  return sum;
}

void
debye_ewald_factors(unsigned order, size_t n, double *factor)
{
  const double zero = 0.0;
  double at_integers[2 * DEBYE_EWALD_LARGEST_ORDER];
  debye_ewald_spline_double((int)(2 * order), 1, &zero, at_integers);
  for (size_t i = 0; i < n; i++) {
    double half_angle = PI * (double)debye_ewald_mode((int)i, (int)n) / (double)n;
    double spread = i == 0 ? 1.0 : pow(sin(half_angle) / half_angle, (double)order);
    double sum = alias_sum(at_integers, order, (double)i / (double)n);
    factor[i] = 2 * i == n ? 0.0 : spread * spread / (sum * sum);
  }
}

/* −(4π/V)∫₀^rc erfc(βr) r dr: what the mean of the cutoff sum of a charge is, taken away. */
static double
background(const DebyeEwald *ewald, double volume)
{
  const double beta = ewald->beta, z = beta * ewald->cutoff;
  double integral = 0.5 * ewald->cutoff * ewald->cutoff * erfc(z) +
                    (0.25 * erf(z) - 0.5 * z * exp(-z * z) / sqrt(PI)) / (beta * beta);
  return -4.0 * PI * integral / volume;
}

void
debye_ewald_frame_set(const DebyeEwald *ewald, const DebyeCell *cell, DebyeEwaldFrame *frame)
{
  const double signed_volume = debye_cell_volume(cell), volume = fabs(signed_volume);
  frame->inverse[0] = debye_vec3_scale(debye_vec3_cross(cell->b, cell->c), 1.0 / signed_volume);
  frame->inverse[1] = debye_vec3_scale(debye_vec3_cross(cell->c, cell->a), 1.0 / signed_volume);
  frame->inverse[2] = debye_vec3_scale(debye_vec3_cross(cell->a, cell->b), 1.0 / signed_volume);
  frame->scale = 1.0 / (PI * volume);
  frame->decay = PI * PI / (ewald->beta * ewald->beta);
  frame->zero = background(ewald, volume);
  frame->order = ewald->order;
  for (int axis = 0; axis < 3; axis++)
    frame->mesh[axis] = (int)ewald->mesh[axis];
}

DebyeStatusCode
debye_ewald_pair_function(const DebyeEwald *ewald, const DebyePotentialSettings *settings,
                          DebyePairFunction *function, DebyeStatus *status)
{
  if (settings->double_precision) {
    *function = debye_pair_function_exact_erfc(ewald->beta, ewald->cutoff);
    return debye_status_ok(status);
  }
  /* An error everywhere in the sphere, against the map that errors are relative to: δ²·4π/3·rc³ to 2π. */
  double volume = ewald->cutoff * ewald->cutoff * ewald->cutoff;
  double error = 0.1 * debye_ewald_tolerance(settings) * sqrt(1.5 / volume);
  return debye_pair_function_erfc(ewald->beta, ewald->cutoff, error, function, status);
}

DebyeStatusCode
debye_ewald_cell_check(const DebyeCell *cell, DebyeStatus *status)
{
  if (cell == NULL || !debye_cell_is_valid(cell))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The Ewald method needs a cell with a volume; this frame has none.");
  return debye_status_ok(status);
}

DebyeEwaldGrid
debye_ewald_grid(const DebyeEwaldFrame *frame, const DebyeGrid *grid)
{
  /* Less than this part of the cell over a whole row is a rounding error. */
  const double nothing = 1e-13;
  DebyeEwaldGrid turned;
  debye_ewald_fraction(frame, grid->origin.x, grid->origin.y, grid->origin.z, turned.start);
  for (int axis = 0; axis < 3; axis++)
    debye_ewald_fraction(frame, grid->step[axis].x, grid->step[axis].y, grid->step[axis].z,
                         turned.step[axis]);
  const double n = (double)(grid->shape[0] - 1);
  turned.straight = fabs(n * turned.step[0][1]) < nothing && fabs(n * turned.step[0][2]) < nothing;
  return turned;
}

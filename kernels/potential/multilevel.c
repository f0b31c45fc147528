/* SPDX-License-Identifier: MIT */
/* Chooses the parameters of multilevel summation and gives Kaiser's window; called by the kernels of both
 * back ends. */
#include "multilevel.h"

#include "multilevel_frame.h"

#define DEFAULT_TOLERANCE 1e-4
#define PI 3.14159265358979323846
/* κ of the reference that errors are relative to, 1/Å, as for Ewald's method. */
#define SCREENING 2.0
/* Part of the tolerance that the lattices may use up; what is left is for charges that are not as the
 * estimate takes them and for rounding. */
#define SHARE 0.5
/* The error of a crystal, relative to its map: so much of what ordered_error() has is the most that was measured, of water
 * on the points of a cubic lattice, with 7 molecules along an edge that a level has 8 points along. */
#define ORDERED_PART 0.4
/* Costs in pairs of a point and an atom: a product of a stencil's weight and a lattice value, one of splines
 * at a lattice point. Of the two cores and the GPU that were measured (tests/bench/RESULTS.md). */
#define STENCIL_COST 0.12
#define SPLINE_COST 0.25

/* What the finest level's error is for charges of 1 e² to the lattice cell, in e/spacing: the root mean
 * square over all positions of charges and points, by the integral in multilevel_stencil.h over 48³ waves
 * with their aliases up to ±2, with the stencil as it is computed here. Of the windows in steps of β/2 the
 * best. Ratio: cutoff over spacing. */
typedef struct {
  unsigned order;
  double ratio, window, error;
} Entry;

static const Entry entries[] = {
    {4, 2.0, 5.0, 1.56e-2},  {4, 2.5, 6.0, 8.07e-3},  {4, 3.0, 6.5, 4.01e-3},  {4, 4.0, 7.5, 1.37e-3},
    {4, 5.0, 8.5, 6.27e-4},  {6, 2.5, 6.5, 4.31e-3},  {6, 3.0, 7.5, 1.45e-3},  {6, 4.0, 9.5, 2.47e-4},
    {6, 5.0, 10.5, 8.75e-5}, {6, 6.0, 11.0, 3.59e-5}, {8, 3.0, 8.5, 1.00e-3},  {8, 4.0, 10.0, 1.64e-4},
    {8, 5.0, 11.5, 5.78e-5}, {8, 6.0, 12.0, 2.54e-5}, {8, 7.0, 12.0, 1.43e-5},
};
static const double cutoff_candidates[] = {2.5, 3.0,  3.5,  4.0,  4.5,  5.0,  5.5,  6.0,  7.0, 8.0,
                                           9.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 24.0, 30.0};
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Rounds after which half as many more gain less than a tenth. */
static unsigned
rounds_for(unsigned order)
{
  return order == 4 ? 20 : order == 6 ? 24 : 40;
}

/* The one that the settings ask for, or the default. */
static double
tolerance_of(const DebyePotentialSettings *settings)
{
  return settings->tolerance > 0.0 ? settings->tolerance : DEFAULT_TOLERANCE;
}

/* The window. */

/* Kaiser's transform, ∫₀¹ I₀(β√(1 − x²)) cos kx dx = sinh √(β² − k²)/√(β² − k²). */
double
debye_multilevel_window(double beta, double x)
{
  const double square = beta * beta - x * x, root = sqrt(fabs(square));
  const double value = root < 1e-8 ? 1.0 : square > 0.0 ? sinh(root) / root : sin(root) / root;
  return value * beta / sinh(beta);
}

double
debye_multilevel_window_square(double beta)
{
  return (1.0 / tanh(beta) - 1.0 / beta) / beta;
}

/* Coefficients of the window in powers of x², from I₀'s series in 1 − x². */
static void
window_powers(double beta, double power[DEBYE_PAIR_COEFFICIENTS])
{
  double term = 1.0;
  for (int i = 0; i < DEBYE_PAIR_COEFFICIENTS; i++)
    power[i] = 0.0;
  for (int j = 0; j < DEBYE_PAIR_COEFFICIENTS; j++) {
    /* term·(1 − x²)ʲ. */
    double binomial = term;
    for (int i = 0; i <= j; i++) {
      power[i] += binomial;
      binomial *= -(double)(j - i) / (double)(i + 1);
    }
    term *= 0.25 * beta * beta / ((double)(j + 1) * (double)(j + 1));
  }
}

/* ∫₀¹ψ of the polynomial: so that F(1) is 1 to the last digit. */
static double
window_integral(const double power[DEBYE_PAIR_COEFFICIENTS])
{
  double sum = 0.0;
  for (int i = 0; i < DEBYE_PAIR_COEFFICIENTS; i++)
    sum += power[i] / (2.0 * i + 1.0);
  return sum;
}

DebyePairFunction
debye_multilevel_pair_function(const DebyeMultilevel *multilevel)
{
  DebyePairFunction function = {.cutoff = multilevel->cutoff, .n_coefficients = DEBYE_PAIR_COEFFICIENTS};
  double power[DEBYE_PAIR_COEFFICIENTS];
  window_powers(multilevel->window, power);
  const double integral = window_integral(power);
  for (int i = 0; i < DEBYE_PAIR_COEFFICIENTS; i++)
    function.coefficient[i] = power[i] / ((2.0 * i + 1.0) * integral * multilevel->cutoff);
  return function;
}

/* Choosing. */

/* Root mean square over the map's 4π/κ·Σq²/V. */
static double
lattice_error(const Entry *entry, double spacing)
{
  return sqrt(2.0 * spacing * SCREENING / (4.0 * PI)) * entry->error;
}

/* Charges that repeat with about the spacing of a level's lattice, h(1 ± x): their wave is on that lattice one of length h/x,
 * with x^order of its strength, and a long wave makes 1/x² as much potential, as far as the window lets it through. Where
 * charges have no order that is one wave among many, which the table has. Largest over x: it doesn't depend on the spacing. */
static double
ordered_error(const Entry *entry)
{
  double largest = 0.0;
  for (int i = 1; i <= 50; i++) {
    const double x = 0.01 * i;
    largest = fmax(largest, pow(x, (double)entry->order - 2.0) *
                                debye_multilevel_window(entry->window, 2.0 * PI * x * entry->ratio));
  }
  return ORDERED_PART * largest;
}

/* Å³ that the atoms fill, as far as it is known before a frame is read. */
static double
atoms_volume(const DebyePotentialSettings *settings)
{
  const DebyeGrid *grid = &settings->grid;
  if (settings->periodic == DEBYE_PERIODIC_ALL)
    return fabs(debye_cell_volume(&settings->cell));
  const DebyeCell steps = {grid->step[0], grid->step[1], grid->step[2]};
  return fmax(fabs(debye_cell_volume(&steps)) * (double)debye_grid_n_points(grid), 1.0);
}

static double
cost_of(const DebyePotentialSettings *settings, const Entry *entry, const DebyeMultilevel *multilevel)
{
  const double points = (double)debye_grid_n_points(&settings->grid), atoms = (double)settings->max_charges;
  const double a = multilevel->cutoff, spline = pow((double)entry->order, 3.0);
  const double reach = 2.0 * entry->ratio - 1.0, sphere = 4.0 / 3.0 * PI;
  const double density = fmin(atoms / atoms_volume(settings), 0.2);
  return points * density * sphere * a * a * a +
         STENCIL_COST * 8.0 / 7.0 * sphere * reach * reach * reach *
             debye_multilevel_typical_points(multilevel, settings) +
         SPLINE_COST * spline * (points + atoms);
}

static void
try_parameters(const DebyePotentialSettings *settings, const Entry *entry, double cutoff,
               DebyeMultilevel *best, double *best_cost, double *least_error)
{
  DebyeMultilevel multilevel = {.order = entry->order,
                                .cutoff = cutoff,
                                .spacing = cutoff / entry->ratio,
                                .window = entry->window,
                                .rounds = rounds_for(entry->order)};
  const double tolerance = tolerance_of(settings);
  multilevel.error = lattice_error(entry, multilevel.spacing);
  const double reached = fmax(multilevel.error / SHARE, ordered_error(entry));
  *least_error = fmin(*least_error, reached);
  if (reached > tolerance)
    return;
  const double cost = cost_of(settings, entry, &multilevel);
  if (cost < *best_cost) {
    *best = multilevel;
    best->cost = cost;
    *best_cost = cost;
  }
}

static bool
is_positive_or_none(double value)
{
  return isfinite(value) && value >= 0.0;
}

/* A usable cell: its edges along what is not periodic don't matter. */
static bool
has_cell(const DebyePotentialSettings *settings)
{
  DebyeMultilevelFrame frame;
  const DebyeMultilevel any = {.order = 4, .cutoff = 8.0, .spacing = 4.0, .window = 4.0};
  return debye_multilevel_frame_set(&any, settings, &settings->cell, &(DebyeCharges){0}, NULL, &frame,
                                    NULL) != DEBYE_STATUS_INVALID;
}

static DebyeStatusCode
check(const DebyePotentialSettings *settings, DebyeStatus *status)
{
  if (!is_positive_or_none(settings->tolerance) || !is_positive_or_none(settings->cutoff))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The tolerance and the cutoff must be positive numbers.");
  if (settings->periodic > DEBYE_PERIODIC_ALL || !has_cell(settings))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "Multilevel summation needs a cell with an edge along each periodic direction; this cell lacks one.");
  if (tolerance_of(settings) < DEBYE_MULTILEVEL_LEAST_TOLERANCE)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Multilevel summation reaches an error of %g, not %g.",
                            DEBYE_MULTILEVEL_LEAST_TOLERANCE, settings->tolerance);
  if (settings->order != 0 && settings->order != 4 && settings->order != 6 && settings->order != 8)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Splines of order %u were asked for; multilevel summation has 4, 6 and 8.",
                            settings->order);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_multilevel_choose(const DebyePotentialSettings *settings, DebyeMultilevel *multilevel,
                        DebyeStatus *status)
{
  double cost = INFINITY, least_error = INFINITY;
  if (check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  for (size_t i = 0; i < LENGTH(entries); i++) {
    if (settings->order != 0 && settings->order != entries[i].order)
      continue;
    if (settings->cutoff > 0.0)
      try_parameters(settings, &entries[i], settings->cutoff, multilevel, &cost, &least_error);
    for (size_t j = 0; j < LENGTH(cutoff_candidates) && settings->cutoff == 0.0; j++)
      try_parameters(settings, &entries[i], cutoff_candidates[j], multilevel, &cost, &least_error);
  }
  if (isfinite(cost))
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_INVALID,
                          "A tolerance of %g can't be met with this cutoff and order; %.2g can.",
                          tolerance_of(settings), least_error);
}

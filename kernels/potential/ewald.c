/* SPDX-License-Identifier: MIT */
/* Chooses Ewald's parameters for a tolerance by the cost of what they ask for; called by the Ewald kernels of
 * both back ends. */
#include "ewald.h"

#include <math.h>

#include "kernels/fourier_settings.h"

#define DEFAULT_TOLERANCE 1e-4
#define PI 3.14159265358979323846
/* κ of the reference that errors are relative to, 1/Å. */
#define SCREENING 2.0
/* Part of the tolerance that each of the two sums may use up; what is left is for rounding and for charges
 * that are not as the estimate takes them. */
#define SHARE 0.5
/* Cells that breathe under pressure stay within this. */
#define ROOM_TO_GROW 1.02
/* Costs against that of one pair, in pairs: a mesh point's two transforms and its factor, a spline's product
 * on one mesh point. Of the two cores and the GPU that were measured (tests/bench/RESULTS.md). */
#define MESH_POINT_COST 100.0
#define SPLINE_COST 2.0

static const double cutoff_candidates[] = {0.5,  0.75, 1.0,  1.5,  2.0,  2.5,  3.0, 3.5,  4.0,
                                           4.5,  5.0,  5.5,  6.0,  7.0,  8.0,  9.0, 10.0, 12.0,
                                           14.0, 16.0, 18.0, 20.0, 24.0, 30.0, 40.0};
static const unsigned order_candidates[] = {4, 6, 8, 10, 12, 14, 16};
/* Wider splines than this gain nothing in single precision. */
#define LARGEST_FLOAT_ORDER 8
/* βr at which erfc(βr) is 4e-8. */
#define FLOAT_REACH 3.9
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* exp(x²)·erfc(x). */
static double
scaled_erfc(double x)
{
  if (x < 5.0)
    return exp(x * x) * erfc(x);
  return (1.0 - 0.5 / (x * x)) / (x * sqrt(PI));
}

/* Square of the map over Σq²/V, in Å: 8∫ exp(−k²/2β²)/(k² + κ²) dk for the reciprocal part, and the same
 * without the Gaussian for the whole. */
static double
reference_square(double beta, bool reciprocal_only)
{
  const double whole = 4.0 * PI / SCREENING;
  return reciprocal_only ? whole * scaled_erfc(SCREENING / (sqrt(2.0) * beta)) : whole;
}

/* 4π∫ erfc²(βr) dr beyond the cutoff, by erfc(x) < exp(−x²)/(x√π). */
static double
cutoff_error(double beta, double cutoff)
{
  double z = beta * cutoff;
  double square = exp(-2.0 * z * z) / (beta * fmax(z * z * z, 1e-300));
  return sqrt(square / reference_square(beta, false));
}

/* What aliasing brings to a mode θ = k·spacing, relative to the mode: Σ_{m≠0} (θ/(θ + 2πm))^2p, of which m =
 * ±1 is all that counts; at most 1/2, because the best factors drop a mode rather than double its error. */
static double
alias_part(double theta, unsigned order)
{
  double below = pow(theta / (2.0 * PI - theta), 2.0 * order);
  double above = pow(theta / (2.0 * PI + theta), 2.0 * order);
  return fmin(below + above, 0.5);
}

/* Square of the potential of all modes with component k along the axis, Σq²/V·2·E₂(k²/2β²)/k² dk, by
 * E₂(x) < exp(−x)/(1 + x). */
static double
mode_square(double k, double beta)
{
  double x = k * k / (2.0 * beta * beta);
  return 2.0 * exp(-x) / (1.0 + x) / (k * k);
}

/* In as many steps the modes of any mesh are gone through. */
#define MODE_STEPS 48

/* What aliasing brings at each step, whatever the spacing. */
static void
find_alias_parts(unsigned order, double parts[MODE_STEPS])
{
  for (int i = 0; i < MODE_STEPS; i++)
    parts[i] = alias_part(((double)i + 0.5) * PI / MODE_STEPS, order);
}

/* Modes on the mesh are wrong by their aliases, those beyond it are missing. Because U depends on a mode's
 * component along the edge alone, this holds in skew cells too, with the spacing along the edge. */
static double
mesh_error(double beta, double spacing, const double alias_parts[MODE_STEPS], bool reciprocal_only)
{
  const double width = PI / spacing / MODE_STEPS;
  double square = 0.0;
  for (int i = 0; i < MODE_STEPS; i++)
    square += 2.0 * width * mode_square(((double)i + 0.5) * width, beta) * 2.0 * alias_parts[i];
  for (int i = MODE_STEPS; i < 2 * MODE_STEPS; i++)
    square += 2.0 * width * mode_square(((double)i + 0.5) * width, beta);
  return sqrt(square / reference_square(beta, reciprocal_only));
}

static void
get_edges(const DebyeCell *cell, double edges[3])
{
  edges[0] = debye_vec3_length(cell->a);
  edges[1] = debye_vec3_length(cell->b);
  edges[2] = debye_vec3_length(cell->c);
}

/* Relative error of the parameters in this cell: of the cutoff and of the mesh along its three axes. */
static double
ewald_error(const DebyeEwald *ewald, const DebyeCell *cell)
{
  const bool reciprocal_only = ewald->cutoff == 0.0;
  double edges[3], alias_parts[MODE_STEPS], square = 0.0;
  get_edges(cell, edges);
  find_alias_parts(ewald->order, alias_parts);
  for (int axis = 0; axis < 3; axis++) {
    double error =
        mesh_error(ewald->beta, edges[axis] / (double)ewald->mesh[axis], alias_parts, reciprocal_only);
    square += error * error;
  }
  double cut = reciprocal_only ? 0.0 : cutoff_error(ewald->beta, ewald->cutoff);
  return sqrt(square + cut * cut);
}

/* Choosing. */

double
debye_ewald_tolerance(const DebyePotentialSettings *settings)
{
  return settings->tolerance > 0.0 ? settings->tolerance : DEFAULT_TOLERANCE;
}

/* The β whose sum may be cut at the cutoff: as small as the tolerance lets it be, since that suits the mesh. */
static double
beta_for_cutoff(double cutoff, double error)
{
  double low = 0.5 / cutoff, high = 8.0 / cutoff;
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (low + high);
    if (cutoff_error(middle, cutoff) > error)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static double
cutoff_for_beta(double beta, double error)
{
  double low = 0.5 / beta, high = 8.0 / beta;
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (low + high);
    if (cutoff_error(beta, middle) > error)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* The widest spacing for the error along one axis. */
static double
spacing_for_error(double beta, unsigned order, bool reciprocal_only, double error)
{
  double low = 0.01 / beta, high = 3.0 / beta, alias_parts[MODE_STEPS];
  find_alias_parts(order, alias_parts);
  for (int i = 0; i < 24; i++) {
    double middle = sqrt(low * high);
    if (mesh_error(beta, middle, alias_parts, reciprocal_only) > error)
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* Fills what the settings leave open; a mesh beyond the largest is that one, and its error tells. */
static void
choose_mesh(const DebyePotentialSettings *settings, const DebyeCell *cell, DebyeEwald *ewald)
{
  const double error = SHARE * debye_ewald_tolerance(settings) / sqrt(3.0);
  double edges[3], spacing = 0.0;
  get_edges(cell, edges);
  for (int axis = 0; axis < 3; axis++) {
    ewald->mesh[axis] = settings->mesh[axis];
    if (settings->mesh[axis] > 0)
      continue;
    if (spacing == 0.0)
      spacing = spacing_for_error(ewald->beta, ewald->order, settings->reciprocal_only, error);
    double points = ceil(ROOM_TO_GROW * edges[axis] / spacing);
    points = fmin(fmax(points, ewald->order), DEBYE_EWALD_LARGEST_MESH);
    size_t good = debye_fourier_good_length((size_t)points);
    ewald->mesh[axis] = good <= DEBYE_EWALD_LARGEST_MESH ? good : DEBYE_EWALD_LARGEST_MESH;
  }
}

static double
cost_of(const DebyePotentialSettings *settings, const DebyeEwald *ewald)
{
  const double points = (double)debye_grid_n_points(&settings->grid), atoms = (double)settings->max_charges;
  const double sphere = 4.0 / 3.0 * PI * ewald->cutoff * ewald->cutoff * ewald->cutoff;
  const double mesh = (double)ewald->mesh[0] * (double)ewald->mesh[1] * (double)ewald->mesh[2];
  const double spline = (double)ewald->order * (double)ewald->order;
  return points * atoms / fabs(debye_cell_volume(&settings->cell)) * sphere + MESH_POINT_COST * mesh +
         SPLINE_COST * spline * ((double)ewald->order * atoms + points);
}

typedef struct {
  DebyeEwald cheapest;
  double cost;        /* INFINITY: none meets the tolerance */
  double least_error; /* of all that were tried */
} Choice;

static void
try_parameters(const DebyePotentialSettings *settings, unsigned order, double beta, double cutoff,
               Choice *choice)
{
  DebyeEwald ewald = {.beta = beta, .cutoff = cutoff, .order = order};
  choose_mesh(settings, &settings->cell, &ewald);
  ewald.error = ewald_error(&ewald, &settings->cell);
  /* The sum within the cutoff is the one that knows of cores. */
  if (cutoff > 0.0 && cutoff < 1.01 * settings->core_radius)
    return;
  choice->least_error = fmin(choice->least_error, ewald.error);
  double cost = cost_of(settings, &ewald);
  if (ewald.error <= debye_ewald_tolerance(settings) && cost < choice->cost) {
    choice->cheapest = ewald;
    choice->cheapest.cost = cost;
    choice->cost = cost;
  }
}

static void
try_order(const DebyePotentialSettings *settings, unsigned order, Choice *choice)
{
  const double error = SHARE * debye_ewald_tolerance(settings);
  const double beta = settings->ewald_width > 0.0 ? 1.0 / (sqrt(2.0) * settings->ewald_width) : 0.0;
  if (settings->reciprocal_only) {
    try_parameters(settings, order, beta, 0.0, choice);
  } else if (beta > 0.0) {
    double cutoff = settings->cutoff > 0.0 ? settings->cutoff : cutoff_for_beta(beta, error);
    /* Beyond this distance terms are below the resolution of a float. */
    if (!settings->double_precision)
      cutoff = fmin(cutoff, FLOAT_REACH / beta);
    try_parameters(settings, order, beta, cutoff, choice);
  } else if (settings->cutoff > 0.0) {
    try_parameters(settings, order, beta_for_cutoff(settings->cutoff, error), settings->cutoff, choice);
  } else {
    for (size_t i = 0; i < LENGTH(cutoff_candidates); i++)
      try_parameters(settings, order, beta_for_cutoff(cutoff_candidates[i], error), cutoff_candidates[i],
                     choice);
  }
}

static bool
is_positive_or_none(double value)
{
  return isfinite(value) && value >= 0.0;
}

static DebyeStatusCode
check(const DebyePotentialSettings *settings, DebyeStatus *status)
{
  const double least =
      settings->double_precision ? DEBYE_EWALD_LEAST_TOLERANCE_DOUBLE : DEBYE_EWALD_LEAST_TOLERANCE_FLOAT;
  if (settings->periodic != DEBYE_PERIODIC_ALL)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The Ewald method needs a system that is periodic along all three axes.");
  if (!debye_cell_is_valid(&settings->cell))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The Ewald method needs a cell with a volume; this one has none.");
  if (!is_positive_or_none(settings->tolerance) || !is_positive_or_none(settings->cutoff) ||
      !is_positive_or_none(settings->ewald_width))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The tolerance, the cutoff and the Gaussians' width must be positive numbers.");
  if (debye_ewald_tolerance(settings) < least)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The Ewald method reaches an error of %g in %s precision, not %g.", least,
                            settings->double_precision ? "double" : "single", settings->tolerance);
  if (settings->order != 0 &&
      (settings->order < DEBYE_EWALD_LEAST_ORDER || settings->order > DEBYE_EWALD_LARGEST_ORDER))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Splines of order %u were asked for; it must be from %d to %d.", settings->order,
                            DEBYE_EWALD_LEAST_ORDER, DEBYE_EWALD_LARGEST_ORDER);
  for (int axis = 0; axis < 3; axis++)
    if (settings->mesh[axis] != 0 &&
        (settings->mesh[axis] < DEBYE_EWALD_LEAST_ORDER || settings->mesh[axis] > DEBYE_EWALD_LARGEST_MESH))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "A mesh of %zu points along axis %d was asked for; %d to %d are possible.",
                              settings->mesh[axis], axis + 1, DEBYE_EWALD_LEAST_ORDER,
                              DEBYE_EWALD_LARGEST_MESH);
  if (settings->reciprocal_only && settings->ewald_width == 0.0)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The smooth part of Ewald's potential needs the width of its Gaussians.");
  return debye_status_ok(status);
}

/* No wider than the mesh. */
static bool
order_fits(const DebyePotentialSettings *settings, unsigned order)
{
  for (int axis = 0; axis < 3; axis++)
    if (settings->mesh[axis] != 0 && settings->mesh[axis] < order)
      return false;
  return true;
}

DebyeStatusCode
debye_ewald_choose(const DebyePotentialSettings *settings, DebyeEwald *ewald, DebyeStatus *status)
{
  if (check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  Choice choice = {.cost = INFINITY, .least_error = INFINITY};
  if (settings->order != 0 && order_fits(settings, settings->order))
    try_order(settings, settings->order, &choice);
  for (size_t i = 0; settings->order == 0 && i < LENGTH(order_candidates); i++) {
    unsigned order = order_candidates[i];
    if ((settings->double_precision || order <= LARGEST_FLOAT_ORDER) && order_fits(settings, order))
      try_order(settings, order, &choice);
  }
  if (choice.cost == INFINITY && choice.least_error == INFINITY)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A mesh of %zu × %zu × %zu points is too small for the splines.",
                            settings->mesh[0], settings->mesh[1], settings->mesh[2]);
  if (choice.cost == INFINITY)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "An error of %g can't be reached with these settings: they give about %.2g.",
                            debye_ewald_tolerance(settings), choice.least_error);
  *ewald = choice.cheapest;
  return debye_status_ok(status);
}

bool
debye_ewald_follow(const DebyePotentialSettings *settings, const DebyeCell *cell, DebyeEwald *ewald)
{
  if (ewald_error(ewald, cell) <= debye_ewald_tolerance(settings))
    return false;
  DebyeEwald larger = *ewald;
  choose_mesh(settings, cell, &larger);
  larger.error = ewald_error(&larger, cell);
  bool grown = larger.mesh[0] != ewald->mesh[0] || larger.mesh[1] != ewald->mesh[1] ||
               larger.mesh[2] != ewald->mesh[2];
  *ewald = larger;
  return grown;
}

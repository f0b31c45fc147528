/* SPDX-License-Identifier: MIT */
/* Chooses method, boundary and accuracy of a map and describes them; called by map_plan.c and the notes. */
#include "map_method.h"

#include <math.h>

#include "app/analysis/driver/potential_unit.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "kernels/potential/ewald.h"
#include "kernels/potential/multilevel.h"
#include "map_solvent.h"
#include "map_variant.h"

#define SUM_TOLERANCE 5e-6         /* of the map's root mean square: what sums over atoms keep in float */
#define METHOD_TOLERANCE 1e-4      /* what is asked of multilevel summation and Ewald where nothing is said */
#define LEAST_FLOAT_TOLERANCE 1e-5 /* of those two in float: transforms and lattices round more often */
#define USUAL_CUTOFF 12.0          /* Å */

static double
number_or(double number, double otherwise)
{
  return isnan(number) ? otherwise : number;
}

static gboolean
is_sum(const DebyePotentialSettings *potential)
{
  return potential->method == DEBYE_POTENTIAL_DIRECT || potential->method == DEBYE_POTENTIAL_CUTOFF;
}

static unsigned
find_axes(DebyeMapPeriodic periodic)
{
  static const unsigned axes[] = {
      [DEBYE_MAP_PERIODIC_NONE] = DEBYE_PERIODIC_NONE,
      [DEBYE_MAP_PERIODIC_X] = DEBYE_PERIODIC_A,
      [DEBYE_MAP_PERIODIC_Y] = DEBYE_PERIODIC_B,
      [DEBYE_MAP_PERIODIC_Z] = DEBYE_PERIODIC_C,
      [DEBYE_MAP_PERIODIC_XY] = DEBYE_PERIODIC_A | DEBYE_PERIODIC_B,
      [DEBYE_MAP_PERIODIC_XZ] = DEBYE_PERIODIC_A | DEBYE_PERIODIC_C,
      [DEBYE_MAP_PERIODIC_YZ] = DEBYE_PERIODIC_B | DEBYE_PERIODIC_C,
      [DEBYE_MAP_PERIODIC_XYZ] = DEBYE_PERIODIC_ALL,
  };
  return axes[periodic];
}

static gboolean
choose_boundary(const DebyeMapSettings *settings, const DebyeFrame *first, DebyePotentialSettings *potential,
                const char **key, GError **error)
{
  gboolean is_ewald = potential->method == DEBYE_POTENTIAL_EWALD;
  const DebyeMapPeriodic usual = is_ewald ? DEBYE_MAP_PERIODIC_XYZ : DEBYE_MAP_PERIODIC_NONE;
  const DebyeMapPeriodic periodic = settings->has_periodic ? settings->periodic : usual;
  potential->periodic = find_axes(periodic);
  *key = "periodic";
  if (is_ewald && potential->periodic != DEBYE_PERIODIC_ALL)
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Periodic along",
        "the Ewald sum needs a system that is periodic along a, b and c (xyz), found “%s”",
        debye_map_periodic_name(periodic));
  if (potential->periodic == DEBYE_PERIODIC_NONE)
    return TRUE;
  if (!first->has_cell || !debye_cell_is_valid(&first->cell))
    return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Periodic along",
                                 "frame %" G_GSIZE_FORMAT
                                 " has no cell with a volume, expected one for periodic images along %s",
                                 first->index, debye_map_periodic_vectors(periodic));
  potential->cell = first->cell;
  return TRUE;
}

/* What multilevel summation and Ewald can't reach in any precision. */
static gboolean
check_tolerance(const DebyePotentialSettings *potential, const char **key, GError **error)
{
  gboolean is_multilevel = potential->method == DEBYE_POTENTIAL_MULTILEVEL;
  double least = is_multilevel ? DEBYE_MULTILEVEL_LEAST_TOLERANCE : DEBYE_EWALD_LEAST_TOLERANCE_DOUBLE;
  if (is_sum(potential) || potential->tolerance >= least)
    return TRUE;
  char number[G_ASCII_DTOSTR_BUF_SIZE], found[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, "%g", least);
  g_ascii_formatd(found, sizeof found, "%.15g", potential->tolerance);
  *key = "tolerance";
  if (is_multilevel)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Tolerance",
                                 "multilevel summation reaches %s at best, found %s; the Ewald sum and "
                                 "direct summation in double precision are more accurate",
                                 number, found);
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Tolerance",
                               "the Ewald sum reaches %s at best, found %s", number, found);
}

static gboolean
choose_accuracy(const DebyeMapSettings *settings, DebyePotentialSettings *potential, const char **key,
                GError **error)
{
  double least = is_sum(potential) ? SUM_TOLERANCE : LEAST_FLOAT_TOLERANCE;
  potential->tolerance = number_or(settings->tolerance, is_sum(potential) ? SUM_TOLERANCE : METHOD_TOLERANCE);
  if (!check_tolerance(potential, key, error))
    return FALSE;
  potential->double_precision = settings->precision == DEBYE_PRECISION_DOUBLE ||
                                (settings->precision == DEBYE_PRECISION_AUTO && potential->tolerance < least);
  if (potential->double_precision || potential->tolerance >= least)
    return TRUE;
  char found[G_ASCII_DTOSTR_BUF_SIZE];
  *key = "precision";
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Precision",
      "single precision keeps a tolerance of %s here, expected double for the stated %s",
      is_sum(potential) ? "5e-6" : "1e-5",
      g_ascii_formatd(found, sizeof found, "%.15g", potential->tolerance));
}

static void
choose_range(const DebyeMapSettings *settings, DebyePotentialSettings *potential)
{
  gboolean is_cutoff = potential->method == DEBYE_POTENTIAL_CUTOFF;
  potential->core_radius = settings->core_radius;
  if (potential->method != DEBYE_POTENTIAL_DIRECT)
    potential->cutoff = number_or(settings->cutoff, is_cutoff ? USUAL_CUTOFF : 0.0);
  if (is_cutoff) {
    potential->smoothing = settings->smoothing;
    potential->bin_size = number_or(settings->bin_size, 0.0);
    potential->bin_capacity = (unsigned)settings->bin_capacity;
  }
  if (potential->method == DEBYE_POTENTIAL_EWALD) {
    potential->ewald_width = number_or(settings->ewald_width, 0.0);
    potential->reciprocal_only = potential->ewald_width > 0.0;
  }
}

gboolean
debye_map_method_choose(const DebyeMapSettings *settings, const DebyeFrame *first,
                        DebyePotentialSettings *potential, const char **key, GError **error)
{
  /* The grid of Poisson-Boltzmann's equation is laid as the direct sum's. */
  potential->method =
      debye_map_is_poisson(settings) ? DEBYE_POTENTIAL_DIRECT : (DebyePotentialMethod)settings->method;
  if (!choose_boundary(settings, first, potential, key, error) ||
      !choose_accuracy(settings, potential, key, error) ||
      !debye_map_variant_check(settings, potential, key, error))
    return FALSE;
  choose_range(settings, potential);
  *key = NULL;
  return TRUE;
}

/* --- In words --- */

static char *
describe_method(const DebyePotentialSettings *potential)
{
  static const char *const smoothings[] = {N_("not smoothed"), N_("smoothed by (1 − r²/rc²)²"),
                                           N_("shifted by 1/rc")};
  char first[G_ASCII_DTOSTR_BUF_SIZE], second[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(first, sizeof first, "%g", potential->tolerance);
  switch (potential->method) {
  case DEBYE_POTENTIAL_CUTOFF:
    return debye_message_new("cutoff sum within %s Å, %s",
                             g_ascii_formatd(first, sizeof first, "%g", potential->cutoff),
                             smoothings[potential->smoothing]);
  case DEBYE_POTENTIAL_MULTILEVEL:
    return debye_message_new("multilevel summation to a tolerance of %s", first);
  case DEBYE_POTENTIAL_EWALD:
    if (potential->reciprocal_only)
      return debye_message_new(
          "reciprocal part of the Ewald sum for Gaussians of σ = %s Å, to a tolerance of %s",
          g_ascii_formatd(second, sizeof second, "%g", potential->ewald_width), first);
    return debye_message_new("particle mesh Ewald, to a tolerance of %s", first);
  case DEBYE_POTENTIAL_DIRECT:
  case DEBYE_POTENTIAL_N_METHODS:
    break;
  }
  return g_strdup(N_("direct sum"));
}

static char *
describe_boundary(const DebyePotentialSettings *potential)
{
  static const char *const axes[] = {" a", " b", " c"};
  if (potential->periodic == DEBYE_PERIODIC_NONE)
    return g_strdup(N_("open boundary"));
  g_autoptr(GString) along = g_string_new(NULL);
  for (unsigned axis = 0; axis < 3; axis++)
    if ((potential->periodic & (1u << axis)) != 0)
      g_string_append(along, axes[axis]);
  return potential->method == DEBYE_POTENTIAL_DIRECT
             ? debye_message_new("periodic along %s (the nearest image of each atom)", along->str + 1)
             : debye_message_new("periodic along %s", along->str + 1);
}

char *
debye_map_method_describe(const DebyePotentialSettings *potential)
{
  g_autofree char *method = describe_method(potential), *boundary = describe_boundary(potential);
  return potential->double_precision ? debye_message_new("%s in double precision, %s", method, boundary)
                                     : debye_message_new("%s in single precision, %s", method, boundary);
}

char *
debye_map_method_describe_medium(const DebyeMapSettings *settings)
{
  return debye_map_is_poisson(settings) ? debye_map_poisson_describe_medium(settings)
                                        : debye_medium_describe(settings->permittivity);
}

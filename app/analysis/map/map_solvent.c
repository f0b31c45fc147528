/* SPDX-License-Identifier: MIT */
/* Implementation of map_solvent.h. */
#include "map_solvent.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/messages/decimal_text.h"
#include "data/tables/elements.h"
#include "map_energies.h"
#include "map_given.h"
#include "map_grid.h"
#include "map_membrane.h"
#include "map_salt.h"

/* 1/Å³ of 1 mol/l. */
#define NUMBER_DENSITY 6.02214076e-4
#define USUAL_TEMPERATURE 298.15
/* Far enough for the boundary's sum to be a good guess of what is beyond. */
#define USUAL_PADDING 10.0
#define USUAL_SPACING 0.5
#define MAX_POINTS 7.2e6 /* of a suggested grid: 193³ */

gboolean
debye_map_is_poisson(const DebyeMapSettings *settings)
{
  return settings->method == DEBYE_MAP_METHOD_PB;
}

/* From the atoms: beyond, a solvent's ions leave nothing of their potential. */
#define FARTHEST 200.0

/* Of an edge of the cell, by which it may lean; points of a period: far beyond, and no overflow. */
#define STRAIGHT 1e-9
#define MOST_PERIOD 1e9

/* Settings. */

/* Of water at 1 atm, C. G. Malmberg & A. A. Maryott, J. Res. Natl. Bur. Stand. 56 (1956) 1. */
static double
water_permittivity(double temperature)
{
  const double t = temperature - 298.15;
  return 78.54 * (1.0 + t * (-4.579e-3 + t * (1.19e-5 - t * 2.8e-8)));
}

void
debye_map_poisson_list_periodic(const DebyeMapSettings *settings, bool periodic[3])
{
  static const guint axes[] = {
      [DEBYE_MAP_PERIODIC_NONE] = 0, [DEBYE_MAP_PERIODIC_X] = 1,   [DEBYE_MAP_PERIODIC_Y] = 2,
      [DEBYE_MAP_PERIODIC_Z] = 4,    [DEBYE_MAP_PERIODIC_XY] = 3,  [DEBYE_MAP_PERIODIC_XZ] = 5,
      [DEBYE_MAP_PERIODIC_YZ] = 6,   [DEBYE_MAP_PERIODIC_XYZ] = 7,
  };
  for (guint axis = 0; axis < 3; axis++)
    periodic[axis] = settings->has_periodic && (axes[settings->periodic] & (1u << axis)) != 0;
}

/* A larger grid has no given maps, APBS's own boundary is the charges', and a grid that repeats has none of theirs. */
static DebyeMapBoundary
choose_boundary(const DebyeMapSettings *settings)
{
  if (settings->has_periodic && settings->periodic != DEBYE_MAP_PERIODIC_NONE)
    return DEBYE_MAP_BOUNDARY_ZERO;
  return settings->as_apbs || debye_map_is_given(settings->dielectric_maps) ||
                 debye_map_is_given(settings->ion_map) || debye_map_is_given(settings->charge_map)
             ? DEBYE_MAP_BOUNDARY_DEBYE_HUECKEL
             : DEBYE_MAP_BOUNDARY_FOCUS;
}

void
debye_map_poisson_settle(DebyeMapSettings *settings)
{
  if (!debye_map_is_poisson(settings))
    return;
  if (!settings->has_select)
    settings->select = "solute";
  if (!settings->has_temperature)
    settings->temperature = USUAL_TEMPERATURE;
  if (!settings->has_permittivity)
    settings->permittivity = water_permittivity(settings->temperature);
  if (!settings->has_padding)
    settings->padding = USUAL_PADDING;
  if (!settings->has_boundary)
    settings->boundary = choose_boundary(settings);
  char *first, *second;
  if (settings->binding != NULL && strchr(settings->binding, '\n') == NULL && !settings->has_select &&
      debye_setting_split_pair(settings->binding, &first, &second)) {
    g_autofree char *both = g_strdup_printf("(%s) or (%s)", first, second);
    settings->select = g_intern_string(both);
    g_free(first);
    g_free(second);
  }
}

/* Checks the names of files that will be written. */
static gboolean
check_names(const DebyeMapSettings *settings, const char **key, GError **error)
{
  *key = "residues";
  if (debye_map_is_given(settings->residues) && !debye_map_written_check_table(settings->residues, error))
    return FALSE;
  *key = "write-maps";
  return !debye_map_is_given(settings->write_maps) || debye_map_written_check(settings->write_maps, error);
}

gboolean
debye_map_poisson_settle_texts(DebyeMapSettings *settings, const char **key, GError **error)
{
  DebyeMapSalt salt;
  DebyeMapNonpolar nonpolar;
  *key = "salt";
  if (!debye_map_salt_read(settings->salt, &salt, error))
    return FALSE;
  *key = "nonpolar";
  if (settings->nonpolar != NULL && !debye_map_nonpolar_read(settings->nonpolar, &nonpolar, error))
    return FALSE;
  if (!check_names(settings, key, error) || !debye_map_membrane_settle(settings, key, error))
    return FALSE;
  *key = NULL;
  if (salt.n_ions > 0) {
    settings->ionic_strength = debye_map_salt_strength(&salt);
    settings->ion_radius = salt.radius;
  }
  return TRUE;
}

/* Radii. */

static gboolean
has_any_radius(const float *radii, const GArray *atoms)
{
  for (guint i = 0; radii != NULL && i < atoms->len; i++)
    if (radii[g_array_index(atoms, guint32, i)] > 0.0f)
      return TRUE;
  return FALSE;
}

static GArray *
list_radii(DebyeTopology *topology, const float *of_file)
{
  const gsize n = debye_topology_get_n_atoms(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  GArray *radii = g_array_sized_new(FALSE, FALSE, sizeof(float), (guint)n);
  for (gsize i = 0; i < n; i++) {
    float radius = of_file != NULL    ? of_file[i]
                   : elements[i] == 0 ? 0.0f
                                      : debye_element_get_radius(elements[i], DEBYE_RADII_BONDI);
    radius = isfinite(radius) && radius > 0.0f ? radius : 0.0f;
    g_array_append_val(radii, radius);
  }
  return radii;
}

/* An atom without a radius has to lie within another, as hydroxyl hydrogens of AMBER and the charges of water models do. */
static gboolean
is_covered(const DebyeMapSolute *solute, const GArray *radii, guint32 atom)
{
  const DebyeFrame *frame = solute->frame;
  for (guint i = 0; i < solute->atoms->len; i++) {
    const guint32 other = g_array_index(solute->atoms, guint32, i);
    const double radius = (double)g_array_index(radii, float, other);
    const double x = (double)frame->x[other] - (double)frame->x[atom];
    const double y = (double)frame->y[other] - (double)frame->y[atom];
    const double z = (double)frame->z[other] - (double)frame->z[atom];
    if (radius > 0.0 && x * x + y * y + z * z < radius * radius)
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_radii(const DebyeMapSolute *solute, const GArray *radii, GError **error)
{
  const float *charges = debye_topology_get_charges(solute->topology);
  for (guint i = 0; i < solute->atoms->len; i++) {
    const guint32 atom = g_array_index(solute->atoms, guint32, i);
    if (g_array_index(radii, float, atom) > 0.0f || charges[atom] == 0.0f || is_covered(solute, radii, atom))
      continue;
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Radii",
                                 "atom %u has a charge and no radius, and lies within no other atom; "
                                 "expected a radius in the file, or --radii bondi",
                                 atom + 1);
  }
  return TRUE;
}

GArray *
debye_map_poisson_choose_radii(const DebyeMapSolute *solute, DebyeMapRadii source, gboolean *are_of_file,
                               GError **error)
{
  const float *of_file = debye_topology_get_radii(solute->topology);
  if (source == DEBYE_MAP_RADII_FILE && !has_any_radius(of_file, solute->atoms)) {
    debye_error_set_about(error, DEBYE_ERROR_MISSING, "Radii",
                          "the files have none; expected a PQR file, or --radii bondi");
    return NULL;
  }
  *are_of_file = source != DEBYE_MAP_RADII_BONDI && has_any_radius(of_file, solute->atoms);
  g_autoptr(GArray) radii = list_radii(solute->topology, *are_of_file ? of_file : NULL);
  return check_radii(solute, radii, error) ? g_steal_pointer(&radii) : NULL;
}

/* The grid. */

double
debye_map_poisson_suggest_spacing(const DebyeMapSolute *solute, double padding)
{
  return MAX(USUAL_SPACING, debye_map_grid_spacing_for(solute->low, solute->high, padding, MAX_POINTS));
}

/* Whether each atom may lie outside: only the map is wanted there. */
static gboolean
may_cut(const DebyeMapSettings *settings)
{
  return debye_map_is_given(settings->charge_map) ||
         (settings->has_boundary && settings->boundary == DEBYE_MAP_BOUNDARY_FOCUS && !settings->energies &&
          settings->binding == NULL && settings->residues == NULL && settings->follow == NULL);
}

/* Whether the grid is near enough to the atoms; far away their potential is zero. */
static gboolean
is_near(const DebyeMapSolute *solute, const DebyeGrid *grid, GError **error)
{
  const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z},
               step[3] = {grid->step[0].x, grid->step[1].y, grid->step[2].z};
  const double low[3] = {solute->low.x, solute->low.y, solute->low.z},
               high[3] = {solute->high.x, solute->high.y, solute->high.z};
  for (int axis = 0; axis < 3; axis++) {
    const double end = origin[axis] + step[axis] * (double)(grid->shape[axis] - 1);
    const double apart = MAX(origin[axis] - high[axis], low[axis] - end);
    if (apart <= FARTHEST)
      continue;
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Grid",
                                 "it lies %g Å from the atoms along %c; expected at most %g Å", apart,
                                 'x' + axis, FARTHEST);
  }
  return TRUE;
}

gboolean
debye_map_poisson_check_grid(const DebyeMapSolute *solute, const DebyeMapSettings *settings,
                             const DebyeGrid *grid, const char **key, GError **error)
{
  const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z},
               step[3] = {grid->step[0].x, grid->step[1].y, grid->step[2].z};
  const double low[3] = {solute->low.x, solute->low.y, solute->low.z},
               high[3] = {solute->high.x, solute->high.y, solute->high.z};
  if (settings->boundary == DEBYE_MAP_BOUNDARY_FOCUS && !is_near(solute, grid, error)) {
    *key = settings->has_origin ? "origin" : "shape";
    return FALSE;
  }
  bool periodic[3];
  debye_map_poisson_list_periodic(settings, periodic);
  for (int axis = 0; axis < 3 && !may_cut(settings); axis++) {
    const double end = origin[axis] + step[axis] * (double)(grid->shape[axis] - 1);
    if (periodic[axis])
      continue;
    if (low[axis] - origin[axis] >= 2.5 * step[axis] && end - high[axis] >= 2.5 * step[axis])
      continue;
    *key = settings->has_shape || settings->has_origin ? "shape" : "padding";
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Grid",
        "it cuts the molecule along %c; expected three grid points around the atoms, or better %g Å",
        'x' + axis, USUAL_PADDING);
  }
  return TRUE;
}

/* A period of points, and one more at each end. */
static gboolean
fit_period(const DebyeMapSolute *solute, const DebyeMapSettings *settings, int axis, DebyeGrid *grid,
           GError **error)
{
  const DebyeCell *cell = &solute->frame->cell;
  const DebyeVec3 edges[3] = {cell->a, cell->b, cell->c}, edge = edges[axis];
  const double along[3] = {edge.x, edge.y, edge.z}, length = along[axis];
  const double low[3] = {solute->low.x, solute->low.y, solute->low.z},
               high[3] = {solute->high.x, solute->high.y, solute->high.z};
  if (!(length > 0.0) || debye_vec3_length(edge) - length > STRAIGHT * length)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Periodic along",
                                 "the Poisson-Boltzmann equation is periodic along x, y and z; expected a "
                                 "cell whose edges are along them");
  const gsize points =
      debye_poisson_round_period((gsize)MIN(ceil(length / settings->spacing - 1e-9), MOST_PERIOD));
  const double step = length / (double)points;
  double *const origin[3] = {&grid->origin.x, &grid->origin.y, &grid->origin.z};
  if (!settings->has_origin)
    *origin[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * length - step;
  grid->shape[axis] = points + 2;
  grid->step[axis] = debye_vec3(axis == 0 ? step : 0.0, axis == 1 ? step : 0.0, axis == 2 ? step : 0.0);
  return TRUE;
}

/* Points are added on both sides, unless a person placed the origin. */
gboolean
debye_map_poisson_fit_grid(const DebyeMapSolute *solute, const DebyeMapSettings *settings, DebyeGrid *grid,
                           const char **key, GError **error)
{
  double *origin[3] = {&grid->origin.x, &grid->origin.y, &grid->origin.z};
  bool periodic[3];
  debye_map_poisson_list_periodic(settings, periodic);
  for (int axis = 0; axis < 3; axis++) {
    *key = "periodic";
    if (periodic[axis] && !fit_period(solute, settings, axis, grid, error))
      return FALSE;
    if (periodic[axis])
      continue;
    const gsize wanted = grid->shape[axis], rounded = debye_poisson_round(wanted);
    if (!settings->has_origin)
      *origin[axis] -= settings->spacing * (double)((rounded - wanted) / 2);
    grid->shape[axis] = rounded;
  }
  return debye_map_membrane_check_cell(settings, periodic, grid, key, error) &&
         debye_map_poisson_check_grid(solute, settings, grid, key, error);
}

static double
screening_of(const DebyeMapSettings *settings, double length)
{
  return 8.0 * G_PI * length * NUMBER_DENSITY * settings->ionic_strength;
}

DebyePoissonMedium
debye_map_poisson_medium(const DebyeMapSettings *settings, const DebyeGrid *grid)
{
  const double length = DEBYE_BJERRUM_VACUUM(settings->temperature);
  bool periodic[3];
  debye_map_poisson_list_periodic(settings, periodic);
  return (DebyePoissonMedium){.periodic = {periodic[0], periodic[1], periodic[2]},
                              .membrane = settings->slab,
                              .grid = {grid->origin,
                                       {grid->step[0].x, grid->step[1].y, grid->step[2].z},
                                       {grid->shape[0], grid->shape[1], grid->shape[2]}},
                              .surface = settings->surface,
                              .probe = settings->probe,
                              .solute = settings->solute_permittivity,
                              .solvent = settings->permittivity,
                              .length = length,
                              .screening = screening_of(settings, length),
                              .ion_radius = settings->ion_radius,
                              .smoothed = settings->as_apbs};
}

/* Sentences that describe the solvent, for notes and legends. */

static char *
describe_solvent(const DebyeMapSettings *settings)
{
  DebyeDecimalText solute, solvent, strength;
  debye_decimal_text_format(&solvent, "%.6g", settings->permittivity);
  debye_decimal_text_format(&strength, "%.6g", settings->ionic_strength);
  debye_decimal_text_format(&solute, "%.6g", settings->solute_permittivity);
  if (settings->salt != NULL)
    return debye_message_new("solvent with ε = %s and ions of %s mol/l ionic strength, solute with ε = %s",
                             solvent.text, strength.text, solute.text);
  return debye_message_new("solvent with ε = %s and %s mol/l salt, solute with ε = %s", solvent.text,
                           strength.text, solute.text);
}

/* Short: it stands in legends. */
char *
debye_map_poisson_describe_medium(const DebyeMapSettings *settings)
{
  DebyePoissonMembrane slab;
  g_autofree char *solvent = describe_solvent(settings);
  DebyeDecimalText permittivity, voltage;
  if (!debye_map_is_given(settings->membrane) || !debye_map_membrane_read(settings->membrane, &slab))
    return g_steal_pointer(&solvent);
  debye_decimal_text_format(&permittivity, "%.6g", slab.permittivity);
  if (isnan(settings->voltage) || settings->voltage == 0.0)
    return debye_message_new("%s, membrane with ε = %s", solvent, permittivity.text);
  return debye_message_new("%s, membrane with ε = %s under %s V", solvent, permittivity.text,
                           debye_decimal_text_format(&voltage, "%.6g", settings->voltage));
}

char *
debye_map_poisson_describe_method(const DebyeMapSettings *settings)
{
  static const char *const surfaces[] = {N_("solvent-excluded"), N_("van der Waals"),
                                         N_("solvent-accessible")};
  DebyeDecimalText residual, probe, ion, temperature;
  return debye_message_new(
      "%s Poisson-Boltzmann equation at %s K to a residual of %s, %s surface, probe %s Å, ion radius %s Å",
      settings->equation == DEBYE_MAP_EQUATION_NONLINEAR ? N_("nonlinear") : N_("linear"),
      debye_decimal_text_format(&temperature, "%.6g", settings->temperature),
      debye_decimal_text_format(&residual, "%g", settings->residual), surfaces[settings->surface],
      debye_decimal_text_format(&probe, "%g", settings->probe),
      debye_decimal_text_format(&ion, "%g", settings->ion_radius));
}

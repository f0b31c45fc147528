/* SPDX-License-Identifier: MIT */
/* Implementation of map_given.h: what is read. What is written is in map_written.c. */
#include "map_given.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/results/field.h"
#include "data/settings/setting.h"

/* Of a step: what headers round. */
#define GRID_TOLERANCE 2e-3
/* Points along an axis of the coarsest grid of multigrid. */
#define COARSEST 40

struct DebyeMapGiven {
  DebyeField *permittivity[3], *ions, *charge; /* permittivity[0] alone: on the grid's points */
  float *along[3];                             /* of one map */
  DebyeGrid grid;
};

typedef struct {
  const char *label, *unit;
  double least;
  gboolean may_be_least;
} Kind;

static const Kind permittivities = {"Map of permittivity", "", 0.0, FALSE};
static const Kind ions = {"Map of ions", "Å⁻²", 0.0, TRUE};
static const Kind charges = {"Map of charges", "e/Å³", -INFINITY, FALSE};

void
debye_map_given_free(DebyeMapGiven *self)
{
  if (self == NULL)
    return;
  for (int axis = 0; axis < 3; axis++) {
    g_clear_object(&self->permittivity[axis]);
    g_free(self->along[axis]);
  }
  g_clear_object(&self->ions);
  g_clear_object(&self->charge);
  g_free(self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMapGiven, debye_map_given_free)

/* --- One file --- */

static gboolean
check_values(DebyeField *field, const Kind *kind, const char *name, GError **error)
{
  const float *values = debye_field_get_values(field);
  const gsize n = debye_grid_n_points(debye_field_get_grid(field));
  for (gsize i = 0; i < n; i++) {
    const double value = (double)values[i];
    if (isfinite(value) && (value > kind->least || (kind->may_be_least && value == kind->least)))
      continue;
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, kind->label,
                                 kind->may_be_least      ? "%s: expected no value below 0, found %g"
                                 : isfinite(kind->least) ? "%s: expected values above 0, found %g"
                                                         : "%s: expected finite values, found %g",
                                 name, value);
  }
  return TRUE;
}

static DebyeField *
read_map(const char *path, const Kind *kind, GError **error)
{
  g_autofree char *name = debye_error_name_file(path);
  g_autoptr(DebyeField) field = debye_field_load(path, error);
  if (field == NULL)
    return NULL;
  const char *unit = debye_field_get_unit(field);
  if (*unit != '\0' && strcmp(unit, kind->unit) != 0) {
    debye_error_set_about(error, DEBYE_ERROR_MISMATCH, kind->label, "%s: expected values in %s, found %s",
                          name, *kind->unit != '\0' ? kind->unit : "1", unit);
    return NULL;
  }
  if (!debye_grid_is_aligned(debye_field_get_grid(field))) {
    debye_error_set_about(error, DEBYE_ERROR_VALUE, kind->label, "%s: expected a grid along x, y and z",
                          name);
    return NULL;
  }
  return check_values(field, kind, name, error) ? g_steal_pointer(&field) : NULL;
}

/* --- Grids --- */

static DebyeVec3
half_step(const DebyeGrid *grid, int axis, double sign)
{
  return debye_vec3_add(grid->origin, debye_vec3_scale(grid->step[axis], 0.5 * sign));
}

static double
step_of(const DebyeGrid *grid, int axis)
{
  return debye_vec3_length(grid->step[axis]);
}

/* `origin` is where the map's grid is to begin. */
static gboolean
fits(const DebyeMapGiven *self, DebyeField *field, DebyeVec3 origin, const Kind *kind, GError **error)
{
  const DebyeGrid *grid = debye_field_get_grid(field), *all = &self->grid;
  const double apart = debye_vec3_length(debye_vec3_subtract(grid->origin, origin));
  gboolean good = apart <= GRID_TOLERANCE * step_of(all, 0);
  for (int axis = 0; axis < 3; axis++)
    good = good && grid->shape[axis] == all->shape[axis] &&
           fabs(step_of(grid, axis) - step_of(all, axis)) * (double)all->shape[axis] <=
               GRID_TOLERANCE * step_of(all, axis);
  return good || debye_error_set_about(error, DEBYE_ERROR_MISMATCH, kind->label,
                                       "found %zu×%zu×%zu points from (%g, %g, %g) Å, expected %zu×%zu×%zu "
                                       "from (%g, %g, %g) Å, as the other maps have them",
                                       grid->shape[0], grid->shape[1], grid->shape[2], grid->origin.x,
                                       grid->origin.y, grid->origin.z, all->shape[0], all->shape[1],
                                       all->shape[2], origin.x, origin.y, origin.z);
}

static gboolean
fit_each_other(DebyeMapGiven *self, const char **key, GError **error)
{
  const gboolean is_shifted = self->permittivity[1] != NULL;
  DebyeField *first = self->permittivity[0] != NULL ? self->permittivity[0]
                      : self->ions != NULL          ? self->ions
                                                    : self->charge;
  self->grid = *debye_field_get_grid(first);
  if (is_shifted)
    self->grid.origin = half_step(&self->grid, 0, -1.0);
  *key = "dielectric-map";
  for (int axis = 0; axis < 3 && is_shifted; axis++)
    if (!fits(self, self->permittivity[axis], half_step(&self->grid, axis, 1.0), &permittivities, error))
      return FALSE;
  *key = "ion-map";
  if (self->ions != NULL && !fits(self, self->ions, self->grid.origin, &ions, error))
    return FALSE;
  *key = "charge-map";
  return self->charge == NULL || fits(self, self->charge, self->grid.origin, &charges, error);
}

/* Counts that can't be halved take very long. */
static gboolean
check_shape(const DebyeMapGiven *self, GError **error)
{
  size_t shapes[DEBYE_POISSON_MAX_LEVELS][3];
  const gsize *shape = self->grid.shape;
  const bool periodic[3] = {false, false, false};
  const size_t n = debye_poisson_levels(shape, periodic, shapes);
  for (int axis = 0; axis < 3; axis++) {
    if (shape[axis] >= DEBYE_POISSON_LEAST_POINTS && shapes[n - 1][axis] <= COARSEST)
      continue;
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Grid",
        "the maps have %zu×%zu×%zu points; expected numbers that multigrid can halve, such as 65, 97 or 129",
        shape[0], shape[1], shape[2]);
  }
  return TRUE;
}

/* On outer points the potential is given: a charge there is none, and its own potential infinite. */
static gboolean
check_outer_charges(const DebyeMapGiven *self, const DebyeMapSettings *settings, GError **error)
{
  const gsize *shape = self->grid.shape;
  const gboolean is_summed = settings->boundary != DEBYE_MAP_BOUNDARY_ZERO || settings->reaction;
  for (gsize i = 0; is_summed && self->charge != NULL && i < debye_grid_n_points(&self->grid); i++) {
    const gsize at[3] = {i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]};
    gboolean is_outer = FALSE;
    for (int axis = 0; axis < 3; axis++)
      is_outer = is_outer || at[axis] == 0 || at[axis] + 1 == shape[axis];
    if (!is_outer || debye_field_get_values(self->charge)[i] == 0.0f)
      continue;
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, charges.label,
        "a charge lies on the grid's outer points, where the boundary is the charges' own potential; "
        "expected a larger map, or --boundary zero without --reaction");
  }
  return TRUE;
}

/* What a person set beside the maps. */
static gboolean
check_settings(const DebyeMapGiven *self, const DebyeMapSettings *settings, const char **key, GError **error)
{
  const DebyeGrid *grid = &self->grid;
  const double tolerance = GRID_TOLERANCE * step_of(grid, 0);
  *key = "boundary";
  if (settings->boundary == DEBYE_MAP_BOUNDARY_FOCUS)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Boundary",
                                 "a larger grid has no such maps; expected debye-huckel or zero");
  *key = "spacing";
  gboolean good = isnan(settings->spacing) || fabs(settings->spacing - step_of(grid, 0)) <= tolerance;
  if (good && settings->has_origin) {
    *key = "origin";
    good = debye_vec3_length(debye_vec3_subtract(settings->origin, grid->origin)) <= tolerance;
  }
  for (int axis = 0; axis < 3 && good && settings->has_shape; axis++) {
    *key = "shape";
    good = settings->shape[axis] == grid->shape[axis];
  }
  return good || debye_error_set_about(
                     error, DEBYE_ERROR_MISMATCH, "Grid",
                     "the maps have %zu×%zu×%zu points, %g Å apart, from (%g, %g, %g) Å; leave out spacing, "
                     "origin and shape to take theirs",
                     grid->shape[0], grid->shape[1], grid->shape[2], step_of(grid, 0), grid->origin.x,
                     grid->origin.y, grid->origin.z);
}

/* --- All of them --- */

static gboolean
average_edges(DebyeMapGiven *self, GError **error)
{
  const float *values = debye_field_get_values(self->permittivity[0]);
  const gsize *shape = self->grid.shape;
  const gsize n = debye_grid_n_points(&self->grid);
  const gsize steps[3] = {1, shape[0], shape[0] * shape[1]};
  for (int axis = 0; axis < 3; axis++) {
    self->along[axis] = g_try_new(float, n);
    if (self->along[axis] == NULL)
      return debye_error_set_memory(error, NULL, n, "points of a map");
    for (gsize i = 0; i < n; i++) {
      const gboolean is_last = i / steps[axis] % shape[axis] + 1 == shape[axis];
      const double here = (double)values[i], next = (double)values[is_last ? i : i + steps[axis]];
      self->along[axis][i] = (float)(2.0 * here * next / (here + next));
    }
  }
  return TRUE;
}

static gboolean
read_permittivities(DebyeMapGiven *self, const char *texts, GError **error)
{
  g_auto(GStrv) paths = debye_setting_split_values(texts);
  const guint n = paths != NULL ? g_strv_length(paths) : 0;
  if (n != 0 && n != 1 && n != 3)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, permittivities.label,
                                 "expected one map, or three that are shifted along x, y and z, found %u", n);
  for (guint i = 0; i < n; i++) {
    self->permittivity[i] = read_map(paths[i], &permittivities, error);
    if (self->permittivity[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_one(const char *path, const Kind *kind, DebyeField **field, GError **error)
{
  if (path == NULL || *path == '\0')
    return TRUE;
  *field = read_map(path, kind, error);
  return *field != NULL;
}

gboolean
debye_map_given_read(const DebyeMapSettings *settings, DebyeMapGiven **given, const char **key,
                     GError **error)
{
  g_autoptr(DebyeMapGiven) self = g_new0(DebyeMapGiven, 1);
  *given = NULL;
  *key = "dielectric-map";
  if (!read_permittivities(self, settings->dielectric_maps, error))
    return FALSE;
  *key = "ion-map";
  if (!read_one(settings->ion_map, &ions, &self->ions, error))
    return FALSE;
  *key = "charge-map";
  if (!read_one(settings->charge_map, &charges, &self->charge, error))
    return FALSE;
  *key = NULL;
  if (self->permittivity[0] == NULL && self->ions == NULL && self->charge == NULL)
    return TRUE;
  if (!fit_each_other(self, key, error) || !check_settings(self, settings, key, error))
    return FALSE;
  *key = "charge-map";
  if (!check_outer_charges(self, settings, error))
    return FALSE;
  *key = "shape";
  if (!check_shape(self, error) ||
      (self->permittivity[0] != NULL && self->permittivity[1] == NULL && !average_edges(self, error)))
    return FALSE;
  *key = NULL;
  *given = g_steal_pointer(&self);
  return TRUE;
}

const DebyeGrid *
debye_map_given_get_grid(const DebyeMapGiven *self)
{
  return &self->grid;
}

DebyePoissonMaps
debye_map_given_get_maps(const DebyeMapGiven *self)
{
  DebyePoissonMaps maps = {.ions = NULL};
  if (self == NULL)
    return maps;
  for (int axis = 0; axis < 3; axis++)
    maps.permittivity[axis] = self->permittivity[axis] != NULL && self->permittivity[1] != NULL
                                  ? debye_field_get_values(self->permittivity[axis])
                                  : self->along[axis];
  maps.ions = self->ions != NULL ? debye_field_get_values(self->ions) : NULL;
  maps.charge = self->charge != NULL ? debye_field_get_values(self->charge) : NULL;
  return maps;
}

/* SPDX-License-Identifier: MIT */
/* Writes the maps of map_given.h of an equation that was posed; called by map_poisson.c. */
#include <glib/gstdio.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "data/results/field.h"
#include "map_given.h"

static DebyeGrid
grid_of(const DebyePoissonMedium *medium)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  return (DebyeGrid){
      .origin = grid->origin,
      .step = {{grid->step[0], 0.0, 0.0}, {0.0, grid->step[1], 0.0}, {0.0, 0.0, grid->step[2]}},
      .shape = {grid->shape[0], grid->shape[1], grid->shape[2]}};
}

/* Takes the values. */
static gboolean
save(const DebyeGrid *grid, float *values, const char *field_name, const char *unit, const char *name,
     const char *ending, GError **error)
{
  g_autofree char *path = g_strdup_printf("%s-%s.dx", name, ending);
  g_autoptr(DebyeField) field = debye_field_new_take(field_name, grid, values, unit);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  if (!debye_field_save_dx(field, debye_replace_file_get_stream(file), error)) {
    debye_error_name_output(path, error);
    return FALSE;
  }
  return debye_replace_file_commit(g_steal_pointer(&file), error);
}

/* `values` times `scale`; NULL with an error. */
static float *
scale_values(const DebyeGrid *grid, const float *values, double scale, GError **error)
{
  const gsize n = debye_grid_n_points(grid);
  float *out = g_try_new(float, n);
  if (out == NULL)
    debye_error_set_memory(error, NULL, n, "points of a map");
  for (gsize i = 0; out != NULL && i < n; i++)
    out[i] = (float)((double)values[i] * scale);
  return out;
}

/* Edges that lead out of the grid have the permittivity of the one before. */
static void
fill_last(const DebyeGrid *grid, int axis, float *values)
{
  const gsize steps[3] = {1, grid->shape[0], grid->shape[0] * grid->shape[1]};
  for (gsize i = 0; i < debye_grid_n_points(grid); i++)
    if (i / steps[axis] % grid->shape[axis] + 1 == grid->shape[axis])
      values[i] = values[i - steps[axis]];
}

static gboolean
save_permittivity(const DebyePoissonMedium *medium, const DebyePoissonEquation *equation, int axis,
                  const char *name, GError **error)
{
  static const char *const endings[] = {"dielx", "diely", "dielz"};
  DebyeGrid grid = grid_of(medium);
  const double *step = medium->grid.step;
  float *values = scale_values(&grid, equation->along[axis],
                               step[axis] * step[axis] / (step[0] * step[1] * step[2]), error);
  if (values == NULL)
    return FALSE;
  fill_last(&grid, axis, values);
  grid.origin = debye_vec3_add(grid.origin, debye_vec3_scale(grid.step[axis], 0.5));
  return save(&grid, values, "permittivity", "", name, endings[axis], error);
}

static gboolean
check_folder(const char *label, const char *folder, GError **error)
{
  if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
    return debye_error_set_about(error, DEBYE_ERROR_WRITE, label, "there is no folder %s", folder);
  if (g_access(folder, W_OK) != 0)
    return debye_error_set_about(error, DEBYE_ERROR_WRITE, label, "the folder %s may not be written", folder);
  return TRUE;
}

gboolean
debye_map_written_check(const char *name, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(name);
  return check_folder("Write maps", folder, error);
}

gboolean
debye_map_written_check_table(const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(path), *lower = g_ascii_strdown(path, -1);
  if (!g_str_has_suffix(lower, ".csv"))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Table of residues",
                                 "expected a name that ends in .csv, found “%s”", path);
  if (g_file_test(path, G_FILE_TEST_IS_DIR))
    return debye_error_set_about(error, DEBYE_ERROR_WRITE, "Table of residues", "%s is a folder", path);
  return check_folder("Table of residues", folder, error);
}

char **
debye_map_written_list(const char *name)
{
  static const char *const endings[] = {"dielx", "diely", "dielz", "ions", "charge"};
  char **paths = g_new0(char *, G_N_ELEMENTS(endings) + 1);
  for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
    paths[i] = g_strdup_printf("%s-%s.dx", name, endings[i]);
  return paths;
}

gboolean
debye_map_written_save(const DebyePoissonMedium *medium, const DebyePoissonEquation *equation,
                       const char *name, GError **error)
{
  const DebyeGrid grid = grid_of(medium);
  const double *step = medium->grid.step, volume = step[0] * step[1] * step[2];
  for (int axis = 0; axis < 3; axis++)
    if (!save_permittivity(medium, equation, axis, name, error))
      return FALSE;
  float *ions = scale_values(&grid, equation->screening, 1.0 / volume, error);
  if (ions == NULL || !save(&grid, ions, "ions", "Å⁻²", name, "ions", error))
    return FALSE;
  float *charge = scale_values(&grid, equation->source, 1.0 / (4.0 * G_PI * medium->length * volume), error);
  return charge != NULL && save(&grid, charge, "charge", "e/Å³", name, "charge", error);
}

/* SPDX-License-Identifier: MIT */
#include "map_support.h"

#include <locale.h>
#include <string.h>

#include <glib/gstdio.h>

char *
map_support_make_folder(void)
{
  GError *error = NULL;
  char *folder = g_dir_make_tmp("debye-test-XXXXXX", &error);
  g_assert_no_error(error);
  return folder;
}

void
map_support_remove_folder(char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    char *path = g_build_filename(folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
      map_support_remove_folder(path);
    else {
      g_unlink(path);
      g_free(path);
    }
  }
  g_rmdir(folder);
  g_free(folder);
}

char *
map_support_write(const char *folder, const char *name, const char *text, gssize length)
{
  GError *error = NULL;
  char *path = g_build_filename(folder, name, NULL);
  g_file_set_contents(path, text, length, &error);
  g_assert_no_error(error);
  return path;
}

DebyeField *
map_support_make_field(gboolean skew)
{
  DebyeGrid grid = {
      .origin = {-3.25, 1.0 / 3.0, 12.5},
      .step = {{0.5, 0.0, 0.0}, {0.0, 0.7, 0.0}, {0.0, 0.0, 1.1}},
      .shape = {20, 18, 7},
  };
  if (skew) {
    grid.step[1].x = -0.28;
    grid.step[2].x = 0.31;
    grid.step[2].y = -0.4;
  }
  gsize n = debye_grid_n_points(&grid);
  float *values = g_new(float, n);
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  for (gsize i = 0; i < n; i++)
    values[i] = (float)(g_rand_double_range(random, -1.0, 1.0) * pow(10.0, g_rand_int_range(random, -12, 9)));
  values[5] = 0.0f;
  values[6] = 0.1f;
  return debye_field_new_take("potential", &grid, values, "kT/e");
}

void
map_support_assert_same_values(DebyeField *field, DebyeField *expected)
{
  const DebyeGrid *grid = debye_field_get_grid(field), *other = debye_field_get_grid(expected);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpuint(grid->shape[axis], ==, other->shape[axis]);
  gsize bytes = debye_grid_n_points(grid) * sizeof(float);
  g_assert_cmpmem(debye_field_get_values(field), bytes, debye_field_get_values(expected), bytes);
}

static void
assert_near(DebyeVec3 u, DebyeVec3 v, double tolerance)
{
  g_assert_cmpfloat(fabs(u.x - v.x), <=, tolerance);
  g_assert_cmpfloat(fabs(u.y - v.y), <=, tolerance);
  g_assert_cmpfloat(fabs(u.z - v.z), <=, tolerance);
}

void
map_support_assert_same_grid(DebyeField *field, DebyeField *expected, double tolerance)
{
  const DebyeGrid *grid = debye_field_get_grid(field), *other = debye_field_get_grid(expected);
  assert_near(grid->origin, other->origin, tolerance);
  for (int axis = 0; axis < 3; axis++)
    assert_near(grid->step[axis], other->step[axis], tolerance);
}

static const DebyeChoice methods[] = {{"direct", "Direct", ""}, {"cutoff", "Cutoff", ""}, {NULL, NULL, NULL}};
static const char *const needs_cutoff[] = {"method", "cutoff", NULL};

static const DebyeSetting settings[] = {
    {.key = "method",
     .label = "Method",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = methods},
    {.key = "spacing",
     .label = "Grid spacing",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.05,
     .maximum = 5.0,
     .initial = "0.5"},
    {.key = "cutoff",
     .label = "Cutoff",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1.0,
     .maximum = 100.0,
     .initial = "12",
     .needs = needs_cutoff},
    {.key = "origin", .label = "Grid origin", .unit = "Å", .kind = DEBYE_SETTING_VECTOR},
    {.key = "shape", .label = "Grid points", .kind = DEBYE_SETTING_SHAPE},
    {.key = "threads",
     .label = "Threads",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1.0,
     .maximum = INFINITY,
     .initial = "1"},
    {.key = "periodic", .label = "Periodic", .kind = DEBYE_SETTING_BOOLEAN, .initial = "false"},
    {.key = "frames", .label = "Frames", .kind = DEBYE_SETTING_FRAMES, .initial = "0:-1:1"},
    {.key = "select", .label = "Atoms", .kind = DEBYE_SETTING_SELECTION, .initial = "all"},
    {.key = "remark", .label = "Remark", .kind = DEBYE_SETTING_TEXT},
};

const DebyeSettingTable map_support_table = {"map", "Electrostatic potential", "", settings,
                                             G_N_ELEMENTS(settings)};

const DebyeSettingTable *
map_support_find_table(const char *id)
{
  return strcmp(id, map_support_table.id) == 0 ? &map_support_table : NULL;
}

gboolean
map_support_set_german(const char *folder)
{
  if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL)
    return TRUE;
  g_autofree char *target = g_build_filename(folder, "de_DE.UTF-8", NULL);
  const char *command[] = {"localedef", "-i", "de_DE", "-f", "UTF-8", target, NULL};
  g_spawn_sync(NULL, (char **)command, NULL,
               G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
               NULL, NULL, NULL, NULL);
  g_setenv("LOCPATH", folder, TRUE);
  return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

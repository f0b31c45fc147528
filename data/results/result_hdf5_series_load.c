/* SPDX-License-Identifier: MIT */
/* Maps, curves, matrices and tables back from HDF5, ours or another program's NXdata. What the file claims is held
 * against its size in h5_read.c. */
#include "result_hdf5_series.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "field_file.h"

/* How unevenly an axis may be spaced, as a part of its step: what float coordinates leave. */
#define UNEVEN 1e-3

typedef struct {
  hid_t group;
  const char *file_name;
  guint64 size; /* of the file */
} Source;

static gboolean
fail(const Source *source, GError **error, const char *expected, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid(name != NULL ? name : "", -1);
  return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected %s in “%s”, found none", source->file_name,
                         expected, valid);
}

/* --- What a group is --- */

static int
signal_rank(hid_t group, guint64 size)
{
  hsize_t shape[H5S_MAX_RANK];
  g_autofree char *signal = debye_h5_read_string(group, "signal");
  g_auto(DebyeH5Dataset) dataset = signal != NULL ? debye_h5_open_dataset(group, signal) : H5I_INVALID_HID;
  return dataset >= 0 ? debye_h5_get_shape(dataset, size, shape) : 0;
}

char *
debye_result_hdf5_get_kind(hid_t group, guint64 size)
{
  char *kind = debye_h5_read_string(group, "debye_kind");
  if (kind != NULL)
    return kind;
  g_autofree char *class = debye_h5_read_string(group, "NX_class");
  if (g_strcmp0(class, "NXdata") != 0)
    return NULL;
  int rank = signal_rank(group, size);
  return g_strdup(debye_result_hdf5_kinds[rank >= 1 && rank <= DEBYE_ARRAY_AXES ? rank : DEBYE_ARRAY_AXES]);
}

/* --- Values with what they measure --- */

static void
read_quantity(hid_t group, const char *name, DebyeQuantity *quantity)
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, name);
  g_autofree char *own_name = debye_h5_read_string(dataset, "name");
  g_autofree char *label = debye_h5_read_string(dataset, "label");
  g_autofree char *unit = debye_h5_read_string(dataset, "units");
  debye_quantity_copy(&(DebyeQuantity){own_name != NULL ? own_name : name, label, unit}, quantity);
}

static double *
read_numbers(const Source *source, const char *name, gsize *n)
{
  return debye_h5_get_numbers(source->group, name, H5T_NATIVE_DOUBLE, sizeof(double), source->size, n);
}

/* Like debye_h5_get_block(); maps hold floats, other data doubles. */
static GBytes *
read_block(const Source *source, const char *name, int rank, hsize_t *shape, gboolean is_map, GError **error)
{
  const gsize size = is_map ? sizeof(float) : sizeof(double);
  gpointer values = debye_h5_get_block(source->group, name, is_map ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE,
                                       size, source->size, rank, shape, error);
  gsize n = 1;
  for (int i = 0; i < rank; i++)
    n *= shape[i];
  return values != NULL ? g_bytes_new_take(values, n * size) : NULL;
}

/* NULL where none is known: an intensity's stand in the file all the same. */
static GBytes *
read_errors(const Source *source, const char *signal, int rank, hsize_t *shape)
{
  gsize size;
  g_autofree char *name = g_strconcat(signal, "_errors", NULL);
  g_autoptr(GBytes) bytes = read_block(source, name, rank, shape, FALSE, NULL);
  const double *errors = bytes != NULL ? g_bytes_get_data(bytes, &size) : NULL;
  for (gsize i = 0; errors != NULL && i < size / sizeof *errors; i++)
    if (!isnan(errors[i]))
      return g_steal_pointer(&bytes);
  return NULL;
}

static char *
read_title(const Source *source, const char *otherwise)
{
  char *title = debye_h5_get_string(source->group, "title", source->size);
  return title != NULL ? title : g_strdup(otherwise);
}

/* --- Arrays --- */

static gboolean
fail_axes(const Source *source, const DebyeArrayContent *content, GError **error)
{
  if (content->n_axes == 1)
    return fail(source, error, "the name of one axis", content->quantity.name);
  return fail(source, error, "the names of two axes", content->quantity.name);
}

/* The axes that our strings name, or one string as other programs have it. */
static gboolean
read_axes(const Source *source, const hsize_t *shape, DebyeArrayContent *content, GError **error)
{
  g_auto(GStrv) names = debye_h5_read_strings(source->group, "axes");
  if (names == NULL || g_strv_length(names) != content->n_axes)
    return fail_axes(source, content, error);
  for (guint i = 0; i < content->n_axes; i++) {
    hsize_t n = shape[i];
    content->axes[i].values = read_block(source, names[i], 1, &n, FALSE, NULL);
    if (content->axes[i].values == NULL || n != shape[i])
      return fail(source, error, "as many numbers as the signal has", names[i]);
    read_quantity(source->group, names[i], &content->axes[i].quantity);
  }
  return TRUE;
}

static gboolean
fail_values(const Source *source, guint n_axes, const char *signal, GError **error)
{
  if (n_axes == 1)
    return fail(source, error, "a row of numbers that the file can hold", signal);
  if (n_axes == 2)
    return fail(source, error, "numbers in two dimensions that the file can hold", signal);
  return fail(source, error, "numbers in three dimensions that the file can hold", signal);
}

/* Reads the values and their attributes, but not the axes. */
static gboolean
read_signal(const Source *source, hsize_t *shape, DebyeArrayContent *content, GError **error)
{
  const gboolean is_map = content->n_axes == DEBYE_ARRAY_AXES;
  g_autoptr(GError) problem = NULL;
  g_autofree char *signal = debye_h5_read_string(source->group, "signal");
  if (signal != NULL)
    content->values = read_block(source, signal, (int)content->n_axes, shape, is_map, &problem);
  if (problem != NULL) {
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: the values: ", source->file_name);
    return FALSE;
  }
  if (content->values == NULL)
    return fail_values(source, content->n_axes, signal, error);
  if (!is_map)
    content->errors = read_errors(source, signal, (int)content->n_axes, shape);
  read_quantity(source->group, signal, &content->quantity);
  content->name = read_title(source, signal);
  for (guint i = 0; i < DEBYE_ARRAY_N_ATTRIBUTES; i++)
    content->attributes[i] = debye_h5_read_string(source->group, debye_array_attributes[i]);
  return TRUE;
}

static DebyeArray *
load_array(const Source *source, guint n_axes, GError **error)
{
  hsize_t shape[DEBYE_ARRAY_AXES] = {0};
  g_auto(DebyeArrayContent) content = {.n_axes = n_axes};
  return read_signal(source, shape, &content, error) && read_axes(source, shape, &content, error)
             ? debye_array_new(&content)
             : NULL;
}

/* --- Maps --- */

/* Steps and origin from the axes' coordinates. */
static gboolean
read_even_axis(const Source *source, const char *name, gsize n, double *start, double *step)
{
  gsize n_read = 0;
  g_autofree double *values = read_numbers(source, name, &n_read);
  if (values == NULL || n_read != n)
    return FALSE;
  *start = values[0];
  *step = n > 1 ? (values[n - 1] - values[0]) / (double)(n - 1) : 1.0;
  for (gsize i = 0; i < n; i++)
    if (!(fabs(values[i] - (*start + (double)i * *step)) <= UNEVEN * fabs(*step)))
      return FALSE;
  return TRUE;
}

static gboolean
read_grid(const Source *source, DebyeGrid *grid)
{
  double origin[3], steps[9];
  if (debye_h5_read_doubles(source->group, "origin", origin, 3) &&
      debye_h5_read_doubles(source->group, "steps", steps, 9)) {
    grid->origin = debye_vec3(origin[0], origin[1], origin[2]);
    for (int i = 0; i < 3; i++)
      grid->step[i] = debye_vec3(steps[3 * i], steps[3 * i + 1], steps[3 * i + 2]);
    return debye_field_grid_is_valid(grid);
  }
  double step[3];
  if (!read_even_axis(source, "x", grid->shape[0], &grid->origin.x, &step[0]) ||
      !read_even_axis(source, "y", grid->shape[1], &grid->origin.y, &step[1]) ||
      !read_even_axis(source, "z", grid->shape[2], &grid->origin.z, &step[2]))
    return FALSE;
  grid->step[0] = debye_vec3(step[0], 0.0, 0.0);
  grid->step[1] = debye_vec3(0.0, step[1], 0.0);
  grid->step[2] = debye_vec3(0.0, 0.0, step[2]);
  return debye_field_grid_is_valid(grid);
}

DebyeField *
debye_result_hdf5_load_map(hid_t group, const char *file_name, guint64 file_size, GError **error)
{
  DebyeGrid grid = {0};
  hsize_t shape[DEBYE_ARRAY_AXES] = {0};
  const Source source = {group, file_name, file_size};
  g_auto(DebyeArrayContent) content = {.n_axes = DEBYE_ARRAY_AXES};
  if (!read_signal(&source, shape, &content, error))
    return NULL;
  for (int axis = 0; axis < 3; axis++)
    grid.shape[axis] = shape[2 - axis];
  if (!read_grid(&source, &grid)) {
    fail(&source, error, "an origin and three independent steps, or evenly spaced axes x, y and z",
         content.quantity.name);
    return NULL;
  }
  DebyeField *field = debye_field_new(content.name, &grid, content.values, content.quantity.unit);
  g_auto(DebyeH5Dataset) axis = debye_h5_open_dataset(group, "x");
  g_autofree char *length_unit = axis >= 0 ? debye_h5_read_string(axis, "units") : NULL;
  if (length_unit != NULL && length_unit[0] != '\0')
    debye_field_set_length_unit(field, length_unit);
  const char *kind = content.attributes[DEBYE_ARRAY_KIND];
  debye_field_set_kind(field, kind != NULL ? debye_field_kind_from_word(kind)
                                           : debye_field_kind_guess(content.name, content.quantity.unit));
  debye_field_set_medium(field, content.attributes[DEBYE_ARRAY_MEDIUM]);
  debye_field_warn_of_gaps(field, file_name);
  return field;
}

/* --- Tables --- */

/* The first column sets the number of rows. */
static gboolean
load_column(const Source *source, DebyeTable *table, const char *name, GError **error)
{
  gsize n = 0;
  DebyeQuantity quantity;
  gboolean is_first = debye_table_get_n_columns(table) == 0;
  g_autofree double *numbers = read_numbers(source, name, &n);
  g_auto(GStrv) texts = numbers == NULL ? debye_h5_get_strings(source->group, name, source->size) : NULL;
  if (texts != NULL)
    n = g_strv_length(texts);
  if ((numbers == NULL && texts == NULL) || (!is_first && n != debye_table_get_n_rows(table)))
    return fail(source, error, "a column as long as the others", name);
  read_quantity(source->group, name, &quantity);
  if (numbers != NULL)
    debye_table_add_numbers(table, &quantity, n, numbers);
  else
    debye_table_add_texts(table, &quantity, (const char *const *)texts);
  debye_quantity_clear(&quantity);
  return TRUE;
}

static gboolean
load_table(const Source *source, DebyeResult *result, GError **error)
{
  g_auto(GStrv) names = debye_h5_get_strings(source->group, "column_names", source->size);
  g_autofree char *title = read_title(source, "table");
  if (names == NULL)
    return fail(source, error, "the names of columns", "column_names");
  g_autoptr(DebyeTable) table = debye_table_new(title);
  for (char **name = names; *name != NULL; name++)
    if (!load_column(source, table, *name, error))
      return FALSE;
  debye_result_add_table(result, table);
  return TRUE;
}

gboolean
debye_result_hdf5_load_series(hid_t group, const char *kind, const char *file_name, guint64 file_size,
                              DebyeResult *result, GError **error)
{
  const Source source = {group, file_name, file_size};
  for (guint n_axes = 1; n_axes <= DEBYE_ARRAY_AXES; n_axes++)
    if (strcmp(kind, debye_result_hdf5_kinds[n_axes]) == 0) {
      g_autoptr(DebyeArray) array =
          n_axes < DEBYE_ARRAY_AXES
              ? load_array(&source, n_axes, error)
              : (DebyeArray *)debye_result_hdf5_load_map(group, file_name, file_size, error);
      if (array != NULL)
        debye_result_add_array(result, array);
      return array != NULL;
    }
  if (strcmp(kind, debye_result_hdf5_kinds[0]) == 0)
    return load_table(&source, result, error);
  g_autofree char *valid = g_utf8_make_valid(kind, -1);
  debye_result_add_note(result, "not understood by this version: %s", valid);
  return TRUE;
}

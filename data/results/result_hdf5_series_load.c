/* SPDX-License-Identifier: MIT */
/* Maps, curves, matrices and tables back from HDF5, ours or another program's NXdata. What the file claims is held
 * against its size in h5_read.c. */
#include "result_hdf5_series.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/h5/h5_rows.h"
#include "field_file.h"

/* How unevenly an axis may be spaced, as a part of its step: what float coordinates leave. */
#define UNEVEN 1e-3

typedef struct {
  hid_t group;
  guint64 size; /* of the file */
} Source;

static gboolean
fail(GError **error, const char *expected, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid(name != NULL ? name : "", -1);
  debye_error_set(error, DEBYE_ERROR_VALUE, "expected %s in “%s”, found none", expected, valid);
  return FALSE;
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
  return g_strdup(rank == 1 ? "curve" : rank == 2 ? "matrix" : "field");
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

/* NULL where there are none, or not as many. */
static double *
read_as_many(const Source *source, const char *name, gsize n)
{
  gsize n_read = 0;
  g_autofree double *values = read_numbers(source, name, &n_read);
  return values != NULL && n_read == n ? g_steal_pointer(&values) : NULL;
}

/* Numbers of as many dimensions as `rank`, of the given shape, or of any if that begins with 0. NULL without an
 * error: the dataset isn't that, or the file can't hold it. */
static void *
read_block(hid_t dataset, guint64 size, hid_t as, gsize element, int rank, gsize *shape, GError **error)
{
  hsize_t found[H5S_MAX_RANK];
  gsize n = 1, bytes;
  g_auto(DebyeH5Type) type = dataset >= 0 ? H5Dget_type(dataset) : H5I_INVALID_HID;
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  const gboolean is_given = shape[0] > 0;
  if ((class != H5T_FLOAT && class != H5T_INTEGER) || debye_h5_get_shape(dataset, size, found) != rank)
    return NULL;
  for (int i = 0; i < rank; i++)
    if (found[i] == 0 || (is_given && found[i] != shape[i]) || !g_size_checked_mul(&n, n, found[i]))
      return NULL;
  if (!g_size_checked_mul(&bytes, n, element))
    return NULL;
  g_autofree void *values = g_try_malloc(bytes);
  if (values == NULL) {
    debye_error_set_memory(error, NULL, n, "values");
    return NULL;
  }
  if (!debye_h5_read_values(dataset, as, values, n, error))
    return NULL;
  for (int i = 0; i < rank; i++)
    shape[i] = found[i];
  return g_steal_pointer(&values);
}

static double *
read_plane(const Source *source, const char *name, gsize shape[2])
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(source->group, name);
  return read_block(dataset, source->size, H5T_NATIVE_DOUBLE, sizeof(double), 2, shape, NULL);
}

/* The axes' names: our strings, or one string with brackets as older NeXus files have it. */
static gboolean
read_axes(hid_t group, gsize n, char **names)
{
  g_auto(GStrv) axes = debye_h5_read_strings(group, "axes");
  if (axes == NULL || g_strv_length(axes) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    names[i] = g_strdup(axes[i]);
  return TRUE;
}

/* NULL also where none is known: an intensity's stand in the file all the same. */
static double *
read_errors(const Source *source, const char *signal, gsize n)
{
  g_autofree char *name = g_strconcat(signal, "_errors", NULL);
  g_autofree double *errors = read_as_many(source, name, n);
  for (gsize i = 0; errors != NULL && i < n; i++)
    if (!isnan(errors[i]))
      return g_steal_pointer(&errors);
  return NULL;
}

static char *
read_title(const Source *source, const char *otherwise)
{
  char *title = debye_h5_get_string(source->group, "title", source->size);
  return title != NULL ? title : g_strdup(otherwise);
}

static DebyeCurveStyle
read_style(hid_t group)
{
  static const char *const styles[] = {"line", "steps", "markers", "band"};
  g_autofree char *style = debye_h5_read_string(group, "style");
  for (guint i = 0; style != NULL && i < G_N_ELEMENTS(styles); i++)
    if (strcmp(style, styles[i]) == 0)
      return (DebyeCurveStyle)i;
  return DEBYE_CURVE_LINE;
}

/* --- The parts --- */

static gboolean
load_curve(const Source *source, DebyeResult *result, GError **error)
{
  gsize n = 0;
  g_autofree char *signal = debye_h5_read_string(source->group, "signal"), *axis = NULL;
  g_autofree double *y = signal != NULL ? read_numbers(source, signal, &n) : NULL;
  if (y == NULL)
    return fail(error, "a row of numbers that the file can hold", signal);
  if (!read_axes(source->group, 1, &axis))
    return fail(error, "the name of one axis", signal);
  g_autofree double *x = read_as_many(source, axis, n);
  if (x == NULL)
    return fail(error, "as many numbers as the signal has", axis);
  g_autofree char *title = read_title(source, signal);
  g_autofree double *errors = read_errors(source, signal, n);
  DebyeQuantity x_quantity, y_quantity;
  read_quantity(source->group, axis, &x_quantity);
  read_quantity(source->group, signal, &y_quantity);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(title, &x_quantity, &y_quantity, read_style(source->group), n, x, y, errors);
  debye_quantity_clear(&x_quantity);
  debye_quantity_clear(&y_quantity);
  debye_result_add_curve(result, curve);
  return TRUE;
}

static gboolean
load_matrix(const Source *source, DebyeResult *result, GError **error)
{
  gsize shape[2] = {0, 0};
  g_auto(GStrv) axes = g_new0(char *, 3);
  g_autofree char *signal = debye_h5_read_string(source->group, "signal");
  g_autofree double *values = signal != NULL ? read_plane(source, signal, shape) : NULL;
  if (values == NULL)
    return fail(error, "numbers in two dimensions that the file can hold", signal);
  if (!read_axes(source->group, 2, axes))
    return fail(error, "the names of two axes", signal);
  g_autofree double *rows = read_as_many(source, axes[0], shape[0]);
  g_autofree double *columns = read_as_many(source, axes[1], shape[1]);
  if (rows == NULL || columns == NULL)
    return fail(error, "as many numbers as the signal has", rows == NULL ? axes[0] : axes[1]);
  g_autofree char *errors_name = g_strconcat(signal, "_errors", NULL), *title = read_title(source, signal);
  g_autofree double *errors = read_plane(source, errors_name, shape);
  DebyeQuantity quantities[3];
  read_quantity(source->group, axes[0], &quantities[0]);
  read_quantity(source->group, axes[1], &quantities[1]);
  read_quantity(source->group, signal, &quantities[2]);
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new(title, &quantities[0], shape[0], rows, &quantities[1],
                                                   shape[1], columns, &quantities[2], values, errors);
  for (int i = 0; i < 3; i++)
    debye_quantity_clear(&quantities[i]);
  debye_result_add_matrix(result, matrix);
  return TRUE;
}

/* --- Maps --- */

static DebyeField *
map_fail(GError **error, const char *file_name, int code, const char *expected)
{
  debye_error_set(error, code, "%s: expected %s, found none", file_name, expected);
  return NULL;
}

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
  g_autoptr(GError) problem = NULL;
  const Source source = {group, file_size};
  g_autofree char *signal = group >= 0 ? debye_h5_read_string(group, "signal") : NULL;
  g_auto(DebyeH5Dataset) dataset = signal != NULL ? debye_h5_open_dataset(group, signal) : H5I_INVALID_HID;
  if (dataset < 0)
    return map_fail(error, file_name, DEBYE_ERROR_MISSING, "values (NXdata with a signal)");
  gsize shape[3] = {0};
  g_autofree float *values =
      read_block(dataset, file_size, H5T_NATIVE_FLOAT, sizeof(float), 3, shape, &problem);
  if (values == NULL && problem == NULL)
    return map_fail(error, file_name, DEBYE_ERROR_LIMIT,
                    "numbers in three dimensions that the file can hold");
  if (values == NULL) {
    g_propagate_error(error, g_steal_pointer(&problem));
    debye_error_prefix(error, "%s: the map's values: ", file_name);
    return NULL;
  }
  for (int axis = 0; axis < 3; axis++)
    grid.shape[axis] = shape[2 - axis];
  if (!read_grid(&source, &grid))
    return map_fail(error, file_name, DEBYE_ERROR_VALUE,
                    "an origin and three steps that span space, or even axes x, y and z");
  g_autofree char *unit = debye_h5_read_string(dataset, "units");
  g_autofree char *title = debye_h5_get_string(group, "title", file_size);
  DebyeField *field =
      debye_field_new_take(title != NULL ? title : signal, &grid, g_steal_pointer(&values), unit);
  g_auto(DebyeH5Dataset) axis = debye_h5_open_dataset(group, "x");
  g_autofree char *length_unit = axis >= 0 ? debye_h5_read_string(axis, "units") : NULL;
  if (length_unit != NULL && length_unit[0] != '\0')
    debye_field_set_length_unit(field, length_unit);
  g_autofree char *medium = debye_h5_read_string(group, "medium");
  debye_field_set_medium(field, medium);
  gsize n = debye_grid_n_points(&grid), n_finite = debye_field_get_n_finite(field);
  if (n_finite < n)
    debye_field_warn(field, "%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " values are not finite numbers",
                     file_name, n - n_finite, n);
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
    return fail(error, "a column as long as the others", name);
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
    return fail(error, "the names of columns", "column_names");
  g_autoptr(DebyeTable) table = debye_table_new(title);
  for (char **name = names; *name != NULL; name++)
    if (!load_column(source, table, *name, error))
      return FALSE;
  debye_result_add_table(result, table);
  return TRUE;
}

gboolean
debye_result_hdf5_load_series(hid_t group, const char *kind, guint64 file_size, DebyeResult *result,
                              GError **error)
{
  const Source source = {group, file_size};
  if (strcmp(kind, "curve") == 0)
    return load_curve(&source, result, error);
  if (strcmp(kind, "matrix") == 0)
    return load_matrix(&source, result, error);
  if (strcmp(kind, "table") == 0)
    return load_table(&source, result, error);
  g_autofree char *valid = g_utf8_make_valid(kind, -1);
  debye_result_add_note(result, "not understood by this version: %s", valid);
  return TRUE;
}

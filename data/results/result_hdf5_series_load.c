/* SPDX-License-Identifier: MIT */
/* Curves, matrices and tables back from HDF5, ours or another program's NXdata. What the file claims is held
 * against its size in h5_read.c. */
#include "result_hdf5_series.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/h5/h5_rows.h"

typedef struct {
  hid_t group;
  guint64 size; /* of the file */
} Source;

static gboolean
fail(GError **error, const char *expected, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid(name != NULL ? name : "", -1);
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE, "expected %s in “%s”, found none", expected, valid);
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

/* A matrix of numbers of the given shape, or of any where that is {0, 0}. */
static double *
read_plane(const Source *source, const char *name, gsize shape[2])
{
  hsize_t found[H5S_MAX_RANK];
  gsize bytes;
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(source->group, name);
  g_auto(DebyeH5Type) type = dataset >= 0 ? H5Dget_type(dataset) : H5I_INVALID_HID;
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  if ((class != H5T_FLOAT && class != H5T_INTEGER) || debye_h5_get_shape(dataset, source->size, found) != 2 ||
      found[0] == 0 || found[1] == 0 || (shape[0] > 0 && (found[0] != shape[0] || found[1] != shape[1])) ||
      !g_size_checked_mul(&bytes, found[0], found[1]) || !g_size_checked_mul(&bytes, bytes, sizeof(double)))
    return NULL;
  g_autofree double *values = g_try_malloc(bytes);
  if (values == NULL || !debye_h5_read_values(dataset, H5T_NATIVE_DOUBLE, values, found[0] * found[1], NULL))
    return NULL;
  shape[0] = found[0];
  shape[1] = found[1];
  return g_steal_pointer(&values);
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

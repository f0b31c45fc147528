/* SPDX-License-Identifier: MIT */
/* Writes maps, curves, matrices and tables into HDF5, each as an NXdata group; called by result_hdf5_save.c. */
#include "result_hdf5_series.h"

#include <math.h>
#include <string.h>

#include "curve_of.h"

#define CHUNK_BYTES (1 << 20)
#define DEFLATE_LIMIT (1 << 24) /* 161³ values: a quarter of a second */

const char *const debye_result_hdf5_kinds[] = {"table", "curve", "matrix", "field"};

/* One that no other child of the group has. */
static char *
free_name(hid_t group, const char *name)
{
  char *identifier = debye_result_hdf5_identifier(name);
  for (guint i = 2; H5Lexists(group, identifier, H5P_DEFAULT) > 0; i++) {
    g_autofree char *taken = identifier;
    g_autofree char *plain = debye_result_hdf5_identifier(name);
    identifier = g_strdup_printf("%s_%u", plain, i);
  }
  return identifier;
}

/* "data" for the first, which is the default one. */
static char *
make_group_name(hid_t entry, const char *name)
{
  return H5Lexists(entry, "data", H5P_DEFAULT) > 0 ? free_name(entry, name) : g_strdup("data");
}

/* A group with its title; its name is of no meaning to the reader. */
static hid_t
create_group(hid_t entry, const char *title, const char *class, const char *kind, guint index, GError **error)
{
  g_autofree char *name = make_group_name(entry, title);
  g_auto(DebyeH5Group) group = debye_h5_create_group(entry, name, class, error);
  if (group < 0 || !debye_result_hdf5_mark(group, kind, index, error) ||
      !debye_h5_put_string(group, "title", title, error))
    return H5I_INVALID_HID;
  hid_t created = group;
  group = H5I_INVALID_HID;
  return created;
}

/* Of maps readers know x, y, z and the name of the map. */
static gboolean
write_quantity(hid_t dataset, const DebyeQuantity *quantity, gboolean is_map, GError **error)
{
  g_autofree char *title = is_map ? g_strdup_printf("%s (%s)", quantity->label, quantity->unit)
                                  : debye_quantity_get_title(quantity);
  return debye_h5_write_string(dataset, "units", quantity->unit, error) &&
         debye_h5_write_string(dataset, "long_name", title, error) &&
         (is_map || (debye_h5_write_string(dataset, "name", quantity->name, error) &&
                     debye_h5_write_string(dataset, "label", quantity->label, error)));
}

/* Values of a map are floats, all others doubles. */
typedef struct {
  gboolean is_map;
  int rank;
  hsize_t lengths[DEBYE_ARRAY_AXES];
} Shape;

/* Whole z planes, about a megabyte together: the library's cache of one chunk. Larger maps stay as they are
 * in memory: deflating a potential takes off a third, but at some 100 MB/s. */
static void
choose_layout(hid_t properties, const Shape *shape)
{
  guint64 plane = shape->lengths[1] * shape->lengths[2] * sizeof(float), bytes = plane * shape->lengths[0];
  const hsize_t chunk[] = {CLAMP(CHUNK_BYTES / plane, 1, shape->lengths[0]), shape->lengths[1],
                           shape->lengths[2]};
  if (bytes > DEFLATE_LIMIT || H5Pset_chunk(properties, 3, chunk) < 0)
    return;
  H5Pset_shuffle(properties);
  H5Pset_deflate(properties, 1);
}

static gboolean
put_values(hid_t group, const char *name, const DebyeQuantity *quantity, const Shape *shape,
           gconstpointer values, GError **error)
{
  const gboolean is_float = shape->is_map && shape->rank == DEBYE_ARRAY_AXES;
  g_auto(DebyeH5Properties) properties = H5Pcreate(H5P_DATASET_CREATE);
  if (is_float)
    choose_layout(properties, shape);
  g_auto(DebyeH5Space) space = H5Screate_simple(shape->rank, shape->lengths, NULL);
  g_auto(DebyeH5Dataset) dataset = H5Dcreate2(group, name, is_float ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, space,
                                              H5P_DEFAULT, properties, H5P_DEFAULT);
  if (dataset < 0 || H5Dwrite(dataset, is_float ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                              H5P_DEFAULT, values) < 0)
    return debye_h5_set_write_error(error, "the values");
  return write_quantity(dataset, quantity, shape->is_map, error);
}

/* What scripts find under a short name, beside the one that the columns of a CSV file have. */
static const struct {
  const char *quantity, *dataset;
} short_names[] = {{"intensity", "I"}, {"b_coherent", "b"}, {"f_forward", "f"}};

static const char *
find_short_name(const char *quantity)
{
  for (gsize i = 0; i < G_N_ELEMENTS(short_names); i++)
    if (strcmp(short_names[i].quantity, quantity) == 0)
      return short_names[i].dataset;
  return NULL;
}

/* Where that name is taken, it stays. */
static gboolean
link_free(hid_t group, const char *as, const char *name, GError **error)
{
  return H5Lexists(group, as, H5P_DEFAULT) > 0 || debye_h5_link(group, as, group, name, error);
}

/* The values and, as NeXus names them, their standard errors. An intensity is I, as formulas name it, and has
 * the name of its column, too. */
static gboolean
put_signal(hid_t group, const DebyeQuantity *quantity, const Shape *shape, gconstpointer values,
           const double *errors, GError **error)
{
  g_autofree char *long_name = free_name(group, quantity->name);
  const char *short_name = shape->is_map ? NULL : find_short_name(quantity->name),
             *name = short_name != NULL ? short_name : long_name;
  g_autofree char *errors_name = g_strconcat(name, "_errors", NULL);
  g_autofree char *long_errors_name = g_strconcat(long_name, "_errors", NULL);
  g_autofree char *label = g_strconcat("standard error of ", quantity->label, NULL);
  const DebyeQuantity error_quantity = {errors_name, label, quantity->unit};
  return debye_h5_write_string(group, "signal", name, error) &&
         debye_h5_write_string(group, "units", quantity->unit, error) &&
         put_values(group, name, quantity, shape, values, error) &&
         (errors == NULL || put_values(group, errors_name, &error_quantity, shape, errors, error)) &&
         (short_name == NULL || link_free(group, long_name, name, error)) &&
         (short_name == NULL || errors == NULL || link_free(group, long_errors_name, errors_name, error));
}

/* Of the plot that a file opens with, an intensity has its errors at their place also where they aren't
 * known: scripts find them, as in the columns of a CSV file. Free with g_free. */
static double *
copy_errors(DebyeArray *array, gboolean is_first)
{
  const double *errors = debye_array_get_errors(array);
  const DebyeArrayContent *content = debye_array_get_content(array);
  gsize n = debye_array_get_n_values(array);
  if (errors != NULL)
    return g_memdup2(errors, n * sizeof *errors);
  if (!is_first || content->n_axes != 1 || strcmp(content->quantity.name, "intensity") != 0)
    return NULL;
  double *unknown = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    unknown[i] = NAN;
  return unknown;
}

/* One axis for each dimension; `axes` names them in their order. */
static gboolean
put_axes(hid_t group, DebyeArray *array, const Shape *shape, GError **error)
{
  g_auto(GStrv) names = g_new0(char *, DEBYE_ARRAY_AXES + 1);
  for (int i = 0; i < shape->rank; i++) {
    const DebyeQuantity *quantity = &debye_array_get_content(array)->axes[i].quantity;
    const Shape row = {shape->is_map, 1, {shape->lengths[i]}};
    names[i] = free_name(group, quantity->name);
    if (!put_values(group, names[i], quantity, &row, debye_array_get_axis(array, (guint)i), error))
      return FALSE;
  }
  return debye_h5_write_strings(group, "axes", (const char *const *)names, (gsize)shape->rank, error);
}

static gboolean
write_grid(hid_t group, const DebyeGrid *grid, GError **error)
{
  const hsize_t origin_shape[] = {3}, step_shape[] = {3, 3};
  const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
  double steps[9];
  for (int i = 0; i < 3; i++) {
    steps[3 * i] = grid->step[i].x;
    steps[3 * i + 1] = grid->step[i].y;
    steps[3 * i + 2] = grid->step[i].z;
  }
  if (!debye_grid_is_aligned(grid) &&
      !debye_h5_write_string(group, "note",
                             "the grid is skew: the axes are distances along its steps; points stand at "
                             "origin + i·steps[0] + j·steps[1] + k·steps[2]",
                             error))
    return FALSE;
  return debye_h5_write_doubles(group, "origin", origin, 1, origin_shape, error) &&
         debye_h5_write_doubles(group, "steps", steps, 2, step_shape, error);
}

/* What its name says isn't written. */
static const char *
get_attribute(GListModel *arrays, DebyeArray *array, DebyeArrayAttribute attribute)
{
  if (!DEBYE_IS_CURVE(array) || (attribute != DEBYE_ARRAY_OF && attribute != DEBYE_ARRAY_NAMING))
    return debye_array_get_content(array)->attributes[attribute];
  return attribute == DEBYE_ARRAY_OF ? debye_curve_of_write(arrays, array)
                                     : debye_curve_of_write_naming(array);
}

static gboolean
write_attributes(hid_t group, GListModel *arrays, DebyeArray *array, GError **error)
{
  for (guint i = 0; i < DEBYE_ARRAY_N_ATTRIBUTES; i++) {
    const char *text = get_attribute(arrays, array, (DebyeArrayAttribute)i);
    if (text != NULL && !debye_h5_write_string(group, debye_array_attributes[i], text, error))
      return FALSE;
  }
  return !DEBYE_IS_FIELD(array) || write_grid(group, debye_field_get_grid(DEBYE_FIELD(array)), error);
}

static gboolean
write_array(hid_t entry, GListModel *arrays, DebyeArray *array, guint index, GError **error)
{
  const DebyeArrayContent *content = debye_array_get_content(array);
  const gboolean is_first = H5Lexists(entry, "data", H5P_DEFAULT) <= 0;
  Shape shape = {DEBYE_IS_FIELD(array), (int)content->n_axes, {0}};
  for (guint i = 0; i < content->n_axes; i++)
    shape.lengths[i] = debye_array_get_length(array, i);
  g_autofree double *errors = copy_errors(array, is_first);
  g_auto(DebyeH5Group) group =
      create_group(entry, content->name, "NXdata", debye_result_hdf5_kinds[content->n_axes], index, error);
  return group >= 0 && write_attributes(group, arrays, array, error) &&
         put_axes(group, array, &shape, error) &&
         put_signal(group, &content->quantity, &shape, g_bytes_get_data(content->values, NULL), errors,
                    error);
}

/* --- Tables --- */

static gboolean
put_column(hid_t group, DebyeTable *table, gsize column, const char *name, GError **error)
{
  const DebyeQuantity *quantity = debye_table_get_quantity(table, column);
  const double *numbers = debye_table_get_numbers(table, column);
  const Shape shape = {FALSE, 1, {debye_table_get_n_rows(table)}};
  if (numbers != NULL)
    return put_values(group, name, quantity, &shape, numbers, error);
  if (!debye_h5_put_strings(group, name, debye_table_get_texts(table, column), shape.lengths[0], error))
    return FALSE;
  g_auto(DebyeH5Dataset) dataset = H5Dopen2(group, name, H5P_DEFAULT);
  return write_quantity(dataset, quantity, FALSE, error);
}

static gboolean
find_column(DebyeTable *table, const char *name, gsize *column)
{
  for (*column = 0; *column < debye_table_get_n_columns(table); ++*column)
    if (strcmp(debye_table_get_quantity(table, *column)->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* What says where a row stands: the first of these that is there is what a table is plotted over. Components
 * of vectors don't count one after the other: such rows are plotted as they come. */
static const char *const axis_names[] = {"omega", "tau", "q", "r_low", "r", "index", NULL};
static const char *const component_names[] = {"h", "k", "l", "qx", "qy", "qz", "x", "y", "z", "r_high", NULL};

static gboolean
is_place(const char *name)
{
  return g_strv_contains(axis_names, name) || g_strv_contains(component_names, name);
}

/* The default plot of a table. */
typedef struct {
  gsize axis, signal, errors; /* columns; signal 0: nothing to plot, errors 0: none */
  gboolean has_axis;
} Plot;

static gboolean
is_known(DebyeTable *table, gsize column)
{
  const double *numbers = debye_table_get_numbers(table, column);
  for (gsize i = 0; numbers != NULL && i < debye_table_get_n_rows(table); i++)
    if (isfinite(numbers[i]))
      return TRUE;
  return FALSE;
}

/* The first values that have an error and are known, else the first that are. */
static void
choose_signal(DebyeTable *table, Plot *plot)
{
  gsize n = debye_table_get_n_columns(table), otherwise = 0, errors;
  for (gsize i = 1; i < n && plot->signal == 0; i++) {
    const char *name = debye_table_get_quantity(table, i)->name;
    g_autofree char *error_name = g_strconcat(name, "_error", NULL);
    if ((plot->has_axis && i == plot->axis) || is_place(name) || !is_known(table, i))
      continue;
    otherwise = otherwise == 0 ? i : otherwise;
    if (find_column(table, error_name, &errors)) {
      plot->signal = i;
      plot->errors = errors;
    }
  }
  plot->signal = plot->signal == 0 ? otherwise : plot->signal;
}

static Plot
choose_plot(DebyeTable *table)
{
  Plot plot = {0};
  if (debye_table_get_n_columns(table) < 2 || debye_table_get_numbers(table, 0) == NULL)
    return plot;
  for (gsize i = 0; axis_names[i] != NULL && !plot.has_axis; i++)
    plot.has_axis = find_column(table, axis_names[i], &plot.axis);
  if (!plot.has_axis) {
    plot.axis = 0;
    plot.has_axis = !is_place(debye_table_get_quantity(table, 0)->name);
  }
  choose_signal(table, &plot);
  return plot;
}

/* The other places are axes of the same dimension. */
static gboolean
write_plot(hid_t group, DebyeTable *table, const Plot *plot, char *const *names, GError **error)
{
  if (plot->signal == 0)
    return TRUE;
  const char *axis = plot->has_axis ? names[plot->axis] : ".";
  g_autofree char *errors_name = g_strconcat(names[plot->signal], "_errors", NULL);
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++) {
    g_autofree char *indices = g_strconcat(names[i], "_indices", NULL);
    if (is_place(debye_table_get_quantity(table, i)->name) && debye_table_get_numbers(table, i) != NULL &&
        !debye_h5_write_integer(group, indices, 0, error))
      return FALSE;
  }
  return debye_h5_write_strings(group, "axes", &axis, 1, error) &&
         debye_h5_write_string(group, "signal", names[plot->signal], error) &&
         debye_h5_write_string(group, "units", debye_table_get_quantity(table, plot->signal)->unit, error) &&
         (plot->errors == 0 || link_free(group, errors_name, names[plot->errors], error));
}

static gboolean
write_columns(hid_t group, DebyeTable *table, const Plot *plot, GError **error)
{
  gsize n = debye_table_get_n_columns(table);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (gsize i = 0; i < n; i++) {
    g_ptr_array_add(names, free_name(group, debye_table_get_quantity(table, i)->name));
    if (!put_column(group, table, i, names->pdata[i], error))
      return FALSE;
  }
  for (gsize i = 0; i < n; i++) {
    const char *short_name = find_short_name(debye_table_get_quantity(table, i)->name);
    if (short_name != NULL && !link_free(group, short_name, names->pdata[i], error))
      return FALSE;
  }
  return write_plot(group, table, plot, (char *const *)names->pdata, error) &&
         debye_h5_put_strings(group, "column_names", (const char *const *)names->pdata, n, error);
}

static gboolean
write_table(hid_t entry, DebyeTable *table, guint index, GError **error)
{
  const Plot plot = choose_plot(table);
  g_auto(DebyeH5Group) group =
      create_group(entry, debye_table_get_name(table), plot.signal > 0 ? "NXdata" : "NXcollection",
                   debye_result_hdf5_kinds[0], index, error);
  return group >= 0 && write_columns(group, table, &plot, error);
}

static gboolean
write_arrays(hid_t entry, GListModel *arrays, GError **error)
{
  for (guint i = 0; i < g_list_model_get_n_items(arrays); i++) {
    g_autoptr(DebyeArray) array = g_list_model_get_item(arrays, i);
    if (!write_array(entry, arrays, array, i, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_result_hdf5_save_series(hid_t entry, DebyeResult *result, GError **error)
{
  GListModel *tables = debye_result_get_tables(result);
  if (!write_arrays(entry, debye_result_get_fields(result), error) ||
      !write_arrays(entry, debye_result_get_curves(result), error) ||
      !write_arrays(entry, debye_result_get_matrices(result), error))
    return FALSE;
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (!write_table(entry, table, i, error))
      return FALSE;
  }
  return debye_result_hdf5_save_names(entry, result, error);
}

/* SPDX-License-Identifier: MIT */
/* Writes curves, matrices and tables into HDF5, each as an NXdata group; called by result_hdf5_save.c. */
#include "result_hdf5_series.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

/* Letters of formulas, which would be left out otherwise, as words. */
static void
spell_out(GString *name)
{
  static const struct {
    const char *letter, *word;
  } letters[] = {{"α", "alpha"}, {"β", "beta"},  {"θ", "theta"}, {"λ", "lambda"},  {"μ", "mu"},
                 {"π", "pi"},    {"ρ", "rho"},   {"σ", "sigma"}, {"τ", "tau"},     {"φ", "phi"},
                 {"χ", "chi"},   {"ω", "omega"}, {"Δ", "Delta"}, {"∞", "infinity"}};
  for (gsize i = 0; i < G_N_ELEMENTS(letters); i++)
    g_string_replace(name, letters[i].letter, letters[i].word, 0);
}

/* One underscore between words, whatever stood there, and none around them. */
static char *
join_words(const char *text)
{
  GString *joined = g_string_new(NULL);
  g_auto(GStrv) words = g_strsplit(text, "_", -1);
  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      g_string_append_printf(joined, "%s%s", joined->len > 0 ? "_" : "", *word);
  return g_string_free(joined, FALSE);
}

char *
debye_result_hdf5_identifier(const char *name)
{
  g_autoptr(GString) spelled = g_string_new(name);
  spell_out(spelled);
  g_autofree char *plain = g_str_to_ascii(spelled->str, "C");
  g_strcanon(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  char *identifier = join_words(plain);
  if (*identifier == '\0' || g_ascii_isdigit(*identifier)) {
    char *prefixed = g_strconcat("field_", identifier, NULL);
    g_free(identifier);
    identifier = prefixed;
  }
  return identifier;
}

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

char *
debye_result_hdf5_group_name(hid_t entry, const char *name)
{
  return H5Lexists(entry, "data", H5P_DEFAULT) > 0 ? free_name(entry, name) : g_strdup("data");
}

gboolean
debye_result_hdf5_mark(hid_t group, const char *kind, guint index, GError **error)
{
  const double number = index;
  return debye_h5_write_string(group, "debye_kind", kind, error) &&
         debye_h5_write_doubles(group, "debye_index", &number, 0, NULL, error);
}

/* A group with its title; its name is of no meaning to the reader. */
static hid_t
create_group(hid_t entry, const char *title, const char *class, const char *kind, guint index, GError **error)
{
  g_autofree char *name = debye_result_hdf5_group_name(entry, title);
  g_auto(DebyeH5Group) group = debye_h5_create_group(entry, name, class, error);
  if (group < 0 || !debye_result_hdf5_mark(group, kind, index, error) ||
      !debye_h5_put_string(group, "title", title, error))
    return H5I_INVALID_HID;
  hid_t created = group;
  group = H5I_INVALID_HID;
  return created;
}

static gboolean
write_quantity(hid_t dataset, const DebyeQuantity *quantity, GError **error)
{
  g_autofree char *title = debye_quantity_get_title(quantity);
  return debye_h5_write_string(dataset, "units", quantity->unit, error) &&
         debye_h5_write_string(dataset, "long_name", title, error) &&
         debye_h5_write_string(dataset, "name", quantity->name, error) &&
         debye_h5_write_string(dataset, "label", quantity->label, error);
}

static gboolean
put_values(hid_t group, const char *name, const DebyeQuantity *quantity, int rank, const hsize_t *shape,
           const double *values, GError **error)
{
  g_auto(DebyeH5Space) space = H5Screate_simple(rank, shape, NULL);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset < 0 || H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    return debye_h5_set_write_error(error, "the values");
  return write_quantity(dataset, quantity, error);
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
put_signal(hid_t group, const DebyeQuantity *quantity, int rank, const hsize_t *shape, const double *values,
           const double *errors, GError **error)
{
  g_autofree char *long_name = free_name(group, quantity->name);
  const char *short_name = find_short_name(quantity->name),
             *name = short_name != NULL ? short_name : long_name;
  g_autofree char *errors_name = g_strconcat(name, "_errors", NULL);
  g_autofree char *long_errors_name = g_strconcat(long_name, "_errors", NULL);
  g_autofree char *label = g_strconcat("standard error of ", quantity->label, NULL);
  const DebyeQuantity error_quantity = {errors_name, label, quantity->unit};
  return debye_h5_write_string(group, "signal", name, error) &&
         debye_h5_write_string(group, "units", quantity->unit, error) &&
         put_values(group, name, quantity, rank, shape, values, error) &&
         (errors == NULL || put_values(group, errors_name, &error_quantity, rank, shape, errors, error)) &&
         (short_name == NULL || link_free(group, long_name, name, error)) &&
         (short_name == NULL || errors == NULL || link_free(group, long_errors_name, errors_name, error));
}

/* Of the plot that a file opens with, an intensity has its errors at their place also where they aren't
 * known: scripts find them, as in the columns of a CSV file. */
static gboolean
put_curve_values(hid_t group, DebyeCurve *curve, gboolean is_first, GError **error)
{
  const DebyeQuantity *y = debye_curve_get_y_quantity(curve);
  const hsize_t n = debye_curve_get_n_points(curve);
  const double *errors = debye_curve_get_errors(curve);
  g_autofree double *unknown = NULL;
  if (errors == NULL && is_first && strcmp(y->name, "intensity") == 0) {
    unknown = g_new(double, n);
    for (gsize i = 0; i < n; i++)
      unknown[i] = NAN;
    errors = unknown;
  }
  return put_signal(group, y, 1, &n, debye_curve_get_y(curve), errors, error);
}

/* One axis for each dimension; `axes` names them in their order. */
static gboolean
put_axes(hid_t group, guint rank, const DebyeQuantity *const *quantities, const hsize_t *shape,
         const double *const *values, GError **error)
{
  g_auto(GStrv) names = g_new0(char *, rank + 1);
  for (guint i = 0; i < rank; i++) {
    names[i] = free_name(group, quantities[i]->name);
    if (!put_values(group, names[i], quantities[i], 1, &shape[i], values[i], error))
      return FALSE;
  }
  return debye_h5_write_strings(group, "axes", (const char *const *)names, rank, error);
}

static gboolean
write_curve(hid_t entry, DebyeCurve *curve, guint index, GError **error)
{
  static const char *const styles[] = {"line", "steps", "markers", "band"};
  const DebyeQuantity *x = debye_curve_get_x_quantity(curve);
  const double *x_values = debye_curve_get_x(curve);
  const hsize_t n = debye_curve_get_n_points(curve);
  const gboolean is_first = H5Lexists(entry, "data", H5P_DEFAULT) <= 0;
  g_auto(DebyeH5Group) group =
      create_group(entry, debye_curve_get_name(curve), "NXdata", "curve", index, error);
  return group >= 0 && debye_h5_write_string(group, "style", styles[debye_curve_get_style(curve)], error) &&
         put_axes(group, 1, &x, &n, &x_values, error) && put_curve_values(group, curve, is_first, error);
}

static gboolean
write_matrix(hid_t entry, DebyeMatrix *matrix, guint index, GError **error)
{
  const DebyeQuantity *const quantities[] = {debye_matrix_get_row_quantity(matrix),
                                             debye_matrix_get_column_quantity(matrix)};
  const double *const values[] = {debye_matrix_get_row_values(matrix),
                                  debye_matrix_get_column_values(matrix)};
  const hsize_t shape[] = {debye_matrix_get_n_rows(matrix), debye_matrix_get_n_columns(matrix)};
  g_auto(DebyeH5Group) group =
      create_group(entry, debye_matrix_get_name(matrix), "NXdata", "matrix", index, error);
  return group >= 0 && put_axes(group, 2, quantities, shape, values, error) &&
         put_signal(group, debye_matrix_get_quantity(matrix), 2, shape, debye_matrix_get_values(matrix),
                    debye_matrix_get_errors(matrix), error);
}

/* --- Tables --- */

static gboolean
put_column(hid_t group, DebyeTable *table, gsize column, const char *name, GError **error)
{
  const DebyeQuantity *quantity = debye_table_get_quantity(table, column);
  const double *numbers = debye_table_get_numbers(table, column);
  const hsize_t n = debye_table_get_n_rows(table);
  if (numbers != NULL)
    return put_values(group, name, quantity, 1, &n, numbers, error);
  if (!debye_h5_put_strings(group, name, debye_table_get_texts(table, column), n, error))
    return FALSE;
  g_auto(DebyeH5Dataset) dataset = H5Dopen2(group, name, H5P_DEFAULT);
  return write_quantity(dataset, quantity, error);
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
  g_auto(DebyeH5Group) group = create_group(
      entry, debye_table_get_name(table), plot.signal > 0 ? "NXdata" : "NXcollection", "table", index, error);
  return group >= 0 && write_columns(group, table, &plot, error);
}

gboolean
debye_result_hdf5_save_series(hid_t entry, DebyeResult *result, GError **error)
{
  GListModel *curves = debye_result_get_curves(result), *matrices = debye_result_get_matrices(result),
             *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (!write_curve(entry, curve, i, error))
      return FALSE;
  }
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    if (!write_matrix(entry, matrix, i, error))
      return FALSE;
  }
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (!write_table(entry, table, i, error))
      return FALSE;
  }
  return debye_result_hdf5_save_names(entry, result, error);
}

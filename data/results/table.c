/* SPDX-License-Identifier: MIT */
/* A table in memory: columns of numbers or texts; also makes tables from curves and matrices for CSV
 * files. */
#include "table.h"

#include <math.h>
#include <string.h>

typedef struct {
  DebyeQuantity quantity;
  double *numbers;
  char **texts;
} Column;

struct _DebyeTable {
  GObject parent_instance;
  char *name;
  gsize n_rows;
  GPtrArray *columns; /* Column */
};

G_DEFINE_FINAL_TYPE(DebyeTable, debye_table, G_TYPE_OBJECT)

static void
column_free(gpointer data)
{
  Column *column = data;
  debye_quantity_clear(&column->quantity);
  g_free(column->numbers);
  g_strfreev(column->texts);
  g_free(column);
}

static void
debye_table_finalize(GObject *object)
{
  DebyeTable *self = DEBYE_TABLE(object);
  g_free(self->name);
  g_ptr_array_unref(self->columns);
  G_OBJECT_CLASS(debye_table_parent_class)->finalize(object);
}

static void
debye_table_class_init(DebyeTableClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_table_finalize;
}

static void
debye_table_init(DebyeTable *self)
{
  self->columns = g_ptr_array_new_with_free_func(column_free);
}

DebyeTable *
debye_table_new(const char *name)
{
  DebyeTable *self = g_object_new(DEBYE_TYPE_TABLE, NULL);
  self->name = g_utf8_make_valid(name != NULL ? name : "", -1);
  return self;
}

static Column *
add_column(DebyeTable *self, const DebyeQuantity *quantity, gsize n_rows)
{
  g_return_val_if_fail(self->columns->len == 0 || n_rows == self->n_rows, NULL);
  Column *column = g_new0(Column, 1);
  debye_quantity_copy(quantity, &column->quantity);
  self->n_rows = n_rows;
  g_ptr_array_add(self->columns, column);
  return column;
}

void
debye_table_add_numbers(DebyeTable *self, const DebyeQuantity *quantity, gsize n_rows, const double *values)
{
  g_return_if_fail(DEBYE_IS_TABLE(self));
  Column *column = add_column(self, quantity, n_rows);
  if (column == NULL)
    return;
  column->numbers = g_new(double, n_rows + 1);
  if (n_rows > 0)
    memcpy(column->numbers, values, n_rows * sizeof(double));
}

void
debye_table_add_texts(DebyeTable *self, const DebyeQuantity *quantity, const char *const *texts)
{
  g_return_if_fail(DEBYE_IS_TABLE(self) && texts != NULL);
  Column *column = add_column(self, quantity, g_strv_length((char **)texts));
  if (column == NULL)
    return;
  column->texts = g_new0(char *, self->n_rows + 1);
  for (gsize i = 0; i < self->n_rows; i++)
    column->texts[i] = g_utf8_make_valid(texts[i], -1);
}

const char *
debye_table_get_name(DebyeTable *self)
{
  g_return_val_if_fail(DEBYE_IS_TABLE(self), NULL);
  return self->name;
}

gsize
debye_table_get_n_rows(DebyeTable *self)
{
  g_return_val_if_fail(DEBYE_IS_TABLE(self), 0);
  return self->n_rows;
}

gsize
debye_table_get_n_columns(DebyeTable *self)
{
  g_return_val_if_fail(DEBYE_IS_TABLE(self), 0);
  return self->columns->len;
}

static const Column *
get_column(DebyeTable *self, gsize column)
{
  g_return_val_if_fail(DEBYE_IS_TABLE(self) && column < self->columns->len, NULL);
  return self->columns->pdata[column];
}

const DebyeQuantity *
debye_table_get_quantity(DebyeTable *self, gsize column)
{
  const Column *found = get_column(self, column);
  return found != NULL ? &found->quantity : NULL;
}

const double *
debye_table_get_numbers(DebyeTable *self, gsize column)
{
  const Column *found = get_column(self, column);
  return found != NULL ? found->numbers : NULL;
}

const char *const *
debye_table_get_texts(DebyeTable *self, gsize column)
{
  const Column *found = get_column(self, column);
  return found != NULL ? (const char *const *)found->texts : NULL;
}

/* --- From curves --- */

static gboolean
have_same_x(DebyeCurve *one, DebyeCurve *other)
{
  gsize n = debye_curve_get_n_points(one);
  return debye_curve_get_n_points(other) == n &&
         strcmp(debye_curve_get_x_quantity(one)->unit, debye_curve_get_x_quantity(other)->unit) == 0 &&
         memcmp(debye_curve_get_x(one), debye_curve_get_x(other), n * sizeof(double)) == 0;
}

static gboolean
all_have_same_x(GListModel *curves)
{
  g_autoptr(DebyeCurve) first = g_list_model_get_item(curves, 0);
  for (guint i = 1; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (!have_same_x(first, curve))
      return FALSE;
  }
  return TRUE;
}

static void
add_y(DebyeTable *table, DebyeCurve *curve, gboolean is_only)
{
  const DebyeQuantity *y = debye_curve_get_y_quantity(curve);
  const double *errors = debye_curve_get_errors(curve);
  gsize n = debye_curve_get_n_points(curve);
  g_autofree char *name =
      is_only ? g_strdup(y->name) : g_strconcat(debye_curve_get_name(curve), ".", y->name, NULL);
  g_autofree char *error_name = g_strconcat(name, "_error", NULL);
  debye_table_add_numbers(table, &(DebyeQuantity){name, y->label, y->unit}, n, debye_curve_get_y(curve));
  if (errors != NULL)
    debye_table_add_numbers(table, &(DebyeQuantity){error_name, NULL, y->unit}, n, errors);
}

static DebyeTable *
make_wide(GListModel *curves)
{
  DebyeTable *table = debye_table_new("curves");
  guint n_curves = g_list_model_get_n_items(curves);
  for (guint i = 0; i < n_curves; i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (i == 0)
      debye_table_add_numbers(table, debye_curve_get_x_quantity(curve), debye_curve_get_n_points(curve),
                              debye_curve_get_x(curve));
    add_y(table, curve, n_curves == 1);
  }
  return table;
}

typedef struct {
  char **curves, **quantities;
  double *x, *y, *errors;
  gsize n;
} LongRows;

static void
long_rows_clear(LongRows *rows)
{
  g_strfreev(rows->curves);
  g_strfreev(rows->quantities);
  g_free(rows->x);
  g_free(rows->y);
  g_free(rows->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LongRows, long_rows_clear)

static void
append_rows(LongRows *rows, DebyeCurve *curve)
{
  const double *errors = debye_curve_get_errors(curve);
  for (gsize i = 0; i < debye_curve_get_n_points(curve); i++, rows->n++) {
    rows->curves[rows->n] = g_strdup(debye_curve_get_name(curve));
    rows->quantities[rows->n] = g_strdup(debye_curve_get_y_quantity(curve)->name);
    rows->x[rows->n] = debye_curve_get_x(curve)[i];
    rows->y[rows->n] = debye_curve_get_y(curve)[i];
    rows->errors[rows->n] = errors != NULL ? errors[i] : (double)NAN;
  }
}

/* The curves one below the other: each row says which it belongs to and what its value is. */
static DebyeTable *
make_long(GListModel *curves)
{
  g_auto(LongRows) rows = {0};
  g_autoptr(DebyeCurve) first = g_list_model_get_item(curves, 0);
  gsize n = 0;
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    n += debye_curve_get_n_points(curve);
  }
  rows = (LongRows){g_new0(char *, n + 1), g_new0(char *, n + 1), g_new(double, n + 1),
                    g_new(double, n + 1),  g_new(double, n + 1),  0};
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    append_rows(&rows, curve);
  }
  DebyeTable *table = debye_table_new("curves");
  debye_table_add_texts(table, &(DebyeQuantity){.name = "curve"}, (const char *const *)rows.curves);
  debye_table_add_texts(table, &(DebyeQuantity){.name = "quantity"}, (const char *const *)rows.quantities);
  debye_table_add_numbers(table, debye_curve_get_x_quantity(first), n, rows.x);
  debye_table_add_numbers(table, &(DebyeQuantity){.name = "value"}, n, rows.y);
  debye_table_add_numbers(table, &(DebyeQuantity){.name = "error"}, n, rows.errors);
  return table;
}

DebyeTable *
debye_table_new_for_curves(GListModel *curves)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(curves) && g_list_model_get_n_items(curves) > 0, NULL);
  return all_have_same_x(curves) ? make_wide(curves) : make_long(curves);
}

DebyeTable *
debye_table_new_for_matrix(DebyeMatrix *matrix)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(matrix), NULL);
  gsize n_columns = debye_matrix_get_n_columns(matrix), n = debye_matrix_get_n_rows(matrix) * n_columns;
  const DebyeQuantity *quantity = debye_matrix_get_quantity(matrix);
  g_autofree double *rows = g_new(double, n), *columns = g_new(double, n);
  for (gsize i = 0; i < n; i++) {
    rows[i] = debye_matrix_get_row_values(matrix)[i / n_columns];
    columns[i] = debye_matrix_get_column_values(matrix)[i % n_columns];
  }
  DebyeTable *table = debye_table_new(debye_matrix_get_name(matrix));
  debye_table_add_numbers(table, debye_matrix_get_row_quantity(matrix), n, rows);
  debye_table_add_numbers(table, debye_matrix_get_column_quantity(matrix), n, columns);
  debye_table_add_numbers(table, quantity, n, debye_matrix_get_values(matrix));
  if (debye_matrix_get_errors(matrix) != NULL) {
    g_autofree char *name = g_strconcat(quantity->name, "_error", NULL);
    debye_table_add_numbers(table, &(DebyeQuantity){name, NULL, quantity->unit}, n,
                            debye_matrix_get_errors(matrix));
  }
  return table;
}

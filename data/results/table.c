/* SPDX-License-Identifier: MIT */
/* A table in memory: columns of numbers or texts; also makes tables from curves and matrices for CSV files. */
#include "table.h"

#include <math.h>
#include <string.h>

#include "curve.h"

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

gboolean
debye_table_find_column(DebyeTable *self, const char *name, gsize *column)
{
  for (*column = 0; self != NULL && *column < debye_table_get_n_columns(self); (*column)++)
    if (g_str_equal(debye_table_get_quantity(self, *column)->name, name))
      return TRUE;
  return FALSE;
}

const double *
debye_table_find_numbers(DebyeTable *self, const char *name)
{
  gsize column;
  return debye_table_find_column(self, name, &column) ? debye_table_get_numbers(self, column) : NULL;
}

const char *const *
debye_table_find_texts(DebyeTable *self, const char *name)
{
  gsize column;
  return debye_table_find_column(self, name, &column) ? debye_table_get_texts(self, column) : NULL;
}

/* --- From arrays --- */

static gboolean
have_same_x(DebyeArray *one, DebyeArray *other)
{
  gsize n = debye_array_get_length(one, 0);
  return debye_array_get_length(other, 0) == n &&
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

/* Each axis in a column, with its places as often as there are values at them. */
static void
add_axes(DebyeTable *table, DebyeArray *array)
{
  const DebyeArrayContent *content = debye_array_get_content(array);
  gsize n = debye_array_get_n_values(array), n_repeats = n;
  for (guint axis = 0; axis < content->n_axes; axis++) {
    gsize length = debye_array_get_length(array, axis);
    const double *places = debye_array_get_axis(array, axis);
    g_autofree double *column = g_new(double, n + 1);
    n_repeats /= MAX(length, 1);
    for (gsize i = 0; i < n; i++)
      column[i] = places[i / n_repeats % length];
    debye_table_add_numbers(table, &content->axes[axis].quantity, n, column);
  }
}

static void
add_values(DebyeTable *table, DebyeArray *array, gboolean is_only)
{
  const DebyeArrayContent *content = debye_array_get_content(array);
  const DebyeQuantity *quantity = &content->quantity;
  const double *errors = debye_array_get_errors(array);
  gsize n = debye_array_get_n_values(array);
  g_autofree char *name =
      is_only ? g_strdup(quantity->name) : g_strconcat(content->name, ".", quantity->name, NULL);
  g_autofree char *error_name = g_strconcat(name, "_error", NULL);
  debye_table_add_numbers(table, &(DebyeQuantity){name, quantity->label, quantity->unit}, n,
                          debye_array_get_values(array));
  if (errors != NULL)
    debye_table_add_numbers(table, &(DebyeQuantity){error_name, NULL, quantity->unit}, n, errors);
}

static DebyeTable *
make_wide(GListModel *curves)
{
  DebyeTable *table = debye_table_new("curves");
  guint n_curves = g_list_model_get_n_items(curves);
  for (guint i = 0; i < n_curves; i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (i == 0)
      add_axes(table, curve);
    add_values(table, curve, n_curves == 1);
  }
  return table;
}

DebyeTable *
debye_table_new_for_array(DebyeArray *array)
{
  DebyeTable *table = debye_table_new(debye_array_get_content(array)->name);
  add_axes(table, array);
  add_values(table, array, TRUE);
  return table;
}

/* The curves one below the other: each row says which it belongs to and what its value is. */
static DebyeTable *
make_long(GListModel *curves)
{
  const double unknown = NAN;
  g_autoptr(DebyeCurve) first = g_list_model_get_item(curves, 0);
  g_autoptr(GPtrArray) names = g_ptr_array_new(), quantities = g_ptr_array_new(); /* texts of the curves */
  g_autoptr(GArray) x = g_array_new(FALSE, FALSE, sizeof(double)),
                    y = g_array_new(FALSE, FALSE, sizeof(double)),
                    errors = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const double *known = debye_curve_get_errors(curve);
    for (gsize k = 0; k < debye_curve_get_n_points(curve); k++) {
      g_ptr_array_add(names, (gpointer)debye_curve_get_name(curve));
      g_ptr_array_add(quantities, (gpointer)debye_curve_get_y_quantity(curve)->name);
      g_array_append_vals(x, debye_curve_get_x(curve) + k, 1);
      g_array_append_vals(y, debye_curve_get_y(curve) + k, 1);
      g_array_append_vals(errors, known != NULL ? known + k : &unknown, 1);
    }
  }
  g_ptr_array_add(names, NULL);
  g_ptr_array_add(quantities, NULL);
  DebyeTable *table = debye_table_new("curves");
  debye_table_add_texts(table, &(DebyeQuantity){.name = "curve"}, (const char *const *)names->pdata);
  debye_table_add_texts(table, &(DebyeQuantity){.name = "quantity"}, (const char *const *)quantities->pdata);
  debye_table_add_numbers(table, debye_curve_get_x_quantity(first), x->len, (double *)x->data);
  debye_table_add_numbers(table, &(DebyeQuantity){.name = "value"}, y->len, (double *)y->data);
  debye_table_add_numbers(table, &(DebyeQuantity){.name = "error"}, errors->len, (double *)errors->data);
  return table;
}

DebyeTable *
debye_table_new_for_curves(GListModel *curves)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(curves) && g_list_model_get_n_items(curves) > 0, NULL);
  return all_have_same_x(curves) ? make_wide(curves) : make_long(curves);
}

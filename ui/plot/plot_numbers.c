/* SPDX-License-Identifier: MIT */
/* Implementation of plot_numbers.h. */
#include "plot_numbers.h"

#include "ui/widgets/number_table.h"

struct _DebyePlotNumbers {
  GtkBox parent_instance;
  DebyeNumberTable *table;
  GArray *atoms; /* guint32: the first one of the residue in each row; empty: rows are no residues */
};

enum { SIGNAL_RESIDUE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyePlotNumbers, debye_plot_numbers, GTK_TYPE_BOX)

/* --- Tables of residues --- */

static gboolean
find_column(DebyeTable *table, const char *name, gsize *column)
{
  for (*column = 0; *column < debye_table_get_n_columns(table); (*column)++)
    if (g_str_equal(debye_table_get_quantity(table, *column)->name, name))
      return TRUE;
  return FALSE;
}

DebyeTable *
debye_plot_numbers_find_table(DebyeResultPlot *plot, DebyeResult *newest)
{
  const DebyeQuantity *shown = debye_result_plot_get_quantity(plot);
  gsize column;
  if (shown == NULL || newest == NULL || !debye_result_plot_is_over(plot, DEBYE_RESIDUE_NUMBER))
    return NULL;
  GListModel *tables = debye_result_get_tables(newest);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (g_str_equal(debye_table_get_name(table), DEBYE_TABLE_OF_RESIDUES) &&
        find_column(table, shown->name, &column) && debye_table_get_numbers(table, column) != NULL)
      return table; /* the result keeps it */
  }
  return NULL;
}

/* Rows of the table that are residues; others are atoms. */
static GArray *
list_rows(DebyeTable *table)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
  gsize level;
  const char *const *levels =
      find_column(table, "level", &level) ? debye_table_get_texts(table, level) : NULL;
  for (guint row = 0; levels != NULL && row < debye_table_get_n_rows(table); row++)
    if (g_str_equal(levels[row], "residue"))
      g_array_append_val(rows, row);
  return rows;
}

/* A column of empty texts says nothing. */
static void
add_texts(DebyeTable *shown, const DebyeQuantity *quantity, const char *const *texts, const GArray *rows)
{
  g_autofree const char **chosen = g_new0(const char *, rows->len + 1);
  gboolean is_empty = TRUE;
  for (guint i = 0; i < rows->len; i++) {
    chosen[i] = texts[g_array_index(rows, guint, i)];
    is_empty &= *chosen[i] == '\0';
  }
  if (!is_empty)
    debye_table_add_texts(shown, quantity, chosen);
}

static void
add_numbers(DebyeTable *shown, const DebyeQuantity *quantity, const double *numbers, const GArray *rows)
{
  g_autofree double *chosen = g_new(double, rows->len + 1);
  for (guint i = 0; i < rows->len; i++)
    chosen[i] = numbers[g_array_index(rows, guint, i)];
  debye_table_add_numbers(shown, quantity, rows->len, chosen);
}

/* Of atoms alone, or the same in all rows. */
static gboolean
is_of_atoms(const char *name)
{
  static const char *const names[] = {"level", "name", "atom", "radius", NULL};
  return g_strv_contains(names, name);
}

/* What is plotted stands behind what tells the residues apart. */
static DebyeTable *
create_shown(DebyeTable *table, const GArray *rows, const char *plotted)
{
  DebyeTable *shown = debye_table_new(DEBYE_TABLE_OF_RESIDUES);
  gsize first;
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++) {
    const DebyeQuantity *quantity = debye_table_get_quantity(table, i);
    const double *numbers = debye_table_get_numbers(table, i);
    if (numbers == NULL && !is_of_atoms(quantity->name))
      add_texts(shown, quantity, debye_table_get_texts(table, i), rows);
    else if (!is_of_atoms(quantity->name) && !g_str_equal(quantity->name, plotted))
      add_numbers(shown, quantity, numbers, rows);
    if (g_str_equal(quantity->name, "charge") && find_column(table, plotted, &first))
      add_numbers(shown, debye_table_get_quantity(table, first), debye_table_get_numbers(table, first), rows);
  }
  return shown;
}

static void
list_atoms(DebyePlotNumbers *self, DebyeTable *table, const GArray *rows)
{
  gsize column;
  const double *atoms = find_column(table, "atom", &column) ? debye_table_get_numbers(table, column) : NULL;
  for (guint i = 0; atoms != NULL && i < rows->len; i++) {
    /* A damaged file may have any number, which is no atom. */
    const double number = atoms[g_array_index(rows, guint, i)];
    const guint32 atom = number >= 1.0 && number < G_MAXUINT32 ? (guint32)(number - 1.0) : G_MAXUINT32;
    g_array_append_val(self->atoms, atom);
  }
}

/* --- Showing --- */

void
debye_plot_numbers_show(DebyePlotNumbers *self, DebyeResultPlot *plot, DebyeResult *newest)
{
  g_return_if_fail(DEBYE_IS_PLOT_NUMBERS(self));
  g_array_set_size(self->atoms, 0);
  if (plot == NULL) {
    debye_number_table_set_table(self->table, NULL);
    return;
  }
  DebyeTable *residues = debye_plot_numbers_find_table(plot, newest);
  g_autoptr(GArray) rows = residues != NULL ? list_rows(residues) : NULL;
  g_autoptr(DebyeTable) table = residues != NULL
                                    ? create_shown(residues, rows, debye_result_plot_get_quantity(plot)->name)
                                    : debye_plot_create_table(debye_result_plot_get_plot(plot));
  if (residues != NULL)
    list_atoms(self, residues, rows);
  debye_number_table_set_table(self->table, table);
}

char *
debye_plot_numbers_copy_text(DebyePlotNumbers *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_NUMBERS(self), NULL);
  return debye_number_table_copy_text(self->table);
}

static void
on_row_chosen(DebyePlotNumbers *self, guint row)
{
  if (row < self->atoms->len)
    g_signal_emit(self, signals[SIGNAL_RESIDUE], 0, g_array_index(self->atoms, guint32, row));
}

/* --- The object --- */

static void
debye_plot_numbers_finalize(GObject *object)
{
  g_array_unref(DEBYE_PLOT_NUMBERS(object)->atoms);
  G_OBJECT_CLASS(debye_plot_numbers_parent_class)->finalize(object);
}

static void
debye_plot_numbers_class_init(DebyePlotNumbersClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_plot_numbers_finalize;
  signals[SIGNAL_RESIDUE] = g_signal_new("residue-chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
debye_plot_numbers_init(DebyePlotNumbers *self)
{
  self->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->table = g_object_new(DEBYE_TYPE_NUMBER_TABLE, NULL);
  g_signal_connect_object(self->table, "row-chosen", G_CALLBACK(on_row_chosen), self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->table));
}

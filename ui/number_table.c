/* SPDX-License-Identifier: MIT */
/* Numbers in rows and columns, see number_table.h. A row is one text, its cells between tabs: rows can be
 * many, and a text is the least that a list holds. */
#include "number_table.h"

#include <glib/gi18n.h>

struct _DebyeNumberTable {
  GtkBox parent_instance;
  GtkColumnView *view;
  GtkMultiSelection *selection;
  DebyeTable *table;
};

G_DEFINE_FINAL_TYPE(DebyeNumberTable, debye_number_table, GTK_TYPE_BOX)

/* --- Rows --- */

static void
append_cell(GString *row, DebyeTable *table, gsize column, gsize index)
{
  const double *numbers = debye_table_get_numbers(table, column);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (column > 0)
    g_string_append_c(row, '\t');
  g_string_append(row, numbers != NULL ? g_ascii_formatd(number, sizeof number, "%.7g", numbers[index])
                                       : debye_table_get_texts(table, column)[index]);
}

static GListModel *
create_rows(DebyeTable *table)
{
  GtkStringList *rows = gtk_string_list_new(NULL);
  g_autoptr(GString) row = g_string_new(NULL);
  for (gsize i = 0; table != NULL && i < debye_table_get_n_rows(table); i++) {
    g_string_truncate(row, 0);
    for (gsize column = 0; column < debye_table_get_n_columns(table); column++)
      append_cell(row, table, column, i);
    gtk_string_list_append(rows, row->str);
  }
  return G_LIST_MODEL(rows);
}

/* --- Columns --- */

static void
on_cell_setup(GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 1.0f);
  gtk_widget_add_css_class(label, "numeric");
  gtk_list_item_set_child(item, label);
}

static void
on_cell_bind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
  guint column = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(factory), "column"));
  GtkStringObject *row = gtk_list_item_get_item(item);
  g_auto(GStrv) cells = g_strsplit(gtk_string_object_get_string(row), "\t", -1);
  gboolean is_there = column < g_strv_length(cells);
  gtk_label_set_label(GTK_LABEL(gtk_list_item_get_child(item)), is_there ? cells[column] : "");
}

static char *
create_title(DebyeTable *table, guint column)
{
  const DebyeQuantity *quantity = debye_table_get_quantity(table, column);
  const char *unit = quantity->unit;
  return unit != NULL && *unit != '\0' ? g_strdup_printf("%s (%s)", quantity->name, unit)
                                       : g_strdup(quantity->name);
}

static void
append_column(DebyeNumberTable *self, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_autofree char *title = create_title(self->table, column);
  g_object_set_data(G_OBJECT(factory), "column", GUINT_TO_POINTER(column));
  g_signal_connect(factory, "setup", G_CALLBACK(on_cell_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_cell_bind), NULL);
  g_autoptr(GtkColumnViewColumn) view_column = gtk_column_view_column_new(title, factory);
  gtk_column_view_column_set_resizable(view_column, TRUE);
  gtk_column_view_append_column(self->view, view_column);
}

static GtkColumnViewColumn *
get_column(DebyeNumberTable *self, guint i)
{
  g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(gtk_column_view_get_columns(self->view), i);
  return column; /* the view keeps it */
}

/* New values under the same headings leave the columns, whose widths a hand may have set. */
static void
show_columns(DebyeNumberTable *self)
{
  guint n_old = g_list_model_get_n_items(gtk_column_view_get_columns(self->view));
  guint n = self->table != NULL ? (guint)debye_table_get_n_columns(self->table) : 0;
  for (guint i = n_old; i > n; i--)
    gtk_column_view_remove_column(self->view, get_column(self, i - 1));
  for (guint i = 0; i < n; i++) {
    if (i >= n_old) {
      append_column(self, i);
      continue;
    }
    g_autofree char *title = create_title(self->table, i);
    gtk_column_view_column_set_title(get_column(self, i), title);
  }
}

void
debye_number_table_set_table(DebyeNumberTable *self, DebyeTable *table)
{
  g_return_if_fail(DEBYE_IS_NUMBER_TABLE(self));
  g_set_object(&self->table, table);
  show_columns(self);
  g_autoptr(GListModel) rows = create_rows(table);
  gtk_multi_selection_set_model(self->selection, rows);
}

/* --- Copying --- */

static void
append_headings(GString *text, DebyeTable *table)
{
  for (guint i = 0; i < debye_table_get_n_columns(table); i++) {
    g_autofree char *title = create_title(table, i);
    g_string_append_printf(text, "%s%s", i > 0 ? "\t" : "", title);
  }
  g_string_append_c(text, '\n');
}

char *
debye_number_table_copy_text(DebyeNumberTable *self)
{
  g_return_val_if_fail(DEBYE_IS_NUMBER_TABLE(self), NULL);
  if (self->table == NULL)
    return NULL;
  g_autoptr(GtkBitset) chosen = gtk_selection_model_get_selection(GTK_SELECTION_MODEL(self->selection));
  gboolean all = gtk_bitset_is_empty(chosen);
  GString *text = g_string_new(NULL);
  append_headings(text, self->table);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->selection)); i++) {
    if (!all && !gtk_bitset_contains(chosen, i))
      continue;
    g_autoptr(GtkStringObject) row = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    g_string_append_printf(text, "%s\n", gtk_string_object_get_string(row));
  }
  return g_string_free(text, FALSE);
}

static gboolean
on_copy(GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = debye_number_table_copy_text(DEBYE_NUMBER_TABLE(widget));
  if (text != NULL)
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), text);
  return text != NULL;
}

/* --- The object --- */

static void
debye_number_table_dispose(GObject *object)
{
  DebyeNumberTable *self = DEBYE_NUMBER_TABLE(object);
  g_clear_object(&self->table);
  g_clear_object(&self->selection);
  G_OBJECT_CLASS(debye_number_table_parent_class)->dispose(object);
}

static void
debye_number_table_class_init(DebyeNumberTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_number_table_dispose;
  gtk_widget_class_add_binding(GTK_WIDGET_CLASS(class), GDK_KEY_c, GDK_CONTROL_MASK, on_copy, NULL);
}

static void
debye_number_table_init(DebyeNumberTable *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new();
  self->selection = gtk_multi_selection_new(NULL);
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(GTK_SELECTION_MODEL(g_object_ref(self->selection))));
  gtk_column_view_set_show_column_separators(self->view, TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Numbers of the plot"), -1);
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(self->view));
  gtk_widget_set_hexpand(scrolled, TRUE);
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(self), scrolled);
}

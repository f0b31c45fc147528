/* SPDX-License-Identifier: MIT */
/* The widget that shows a table of numbers in plot_numbers.c. The list holds no more than the rows' places in the table, and
 * cells look their content up: values that come with each frame change the cells' texts, where new rows would be new
 * widgets. */
#include "number_table.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "data/messages/message.h"
#include "render/plot/plot_text.h"

/* Letters: a name that says which file and which settings would push the numbers out of a narrow table. */
#define WIDEST_WORDS 18
/* What tells the rows apart: "A ASP 103". */
#define NARROWEST_NAMES 9

struct _DebyeNumberTable {
  GtkBox parent_instance;
  GtkColumnView *view;
  GtkStringList *rows; /* "0", "1" …: the table's rows, which the view may have in another order */
  GtkMultiSelection *selection;
  DebyeTable *table;
  GHashTable *cells;    /* GtkListItem that shows something: its column */
  gboolean is_updating; /* new values, not a hand, change the order */
  guint chosen;         /* the row that is selected alone; NO_ROW: none is, or several are */
};

#define NO_ROW G_MAXUINT

G_DEFINE_FINAL_TYPE(DebyeNumberTable, debye_number_table, GTK_TYPE_BOX)

/* The row of the table that an item of the list stands for. */
static guint
find_row(gpointer item)
{
  return (guint)g_ascii_strtoull(gtk_string_object_get_string(GTK_STRING_OBJECT(item)), NULL, 10);
}

/* --- Cells --- */

static const char *
get_text(DebyeTable *table, gsize column, gsize row, char number[G_ASCII_DTOSTR_BUF_SIZE])
{
  const double *numbers = debye_table_get_numbers(table, column);
  return numbers != NULL ? g_ascii_formatd(number, G_ASCII_DTOSTR_BUF_SIZE, "%.7g", numbers[row])
                         : debye_table_get_texts(table, column)[row];
}

static void
show_cell(DebyeNumberTable *self, GtkListItem *item, guint column)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  guint row = find_row(gtk_list_item_get_item(item));
  gboolean is_there = self->table != NULL && column < debye_table_get_n_columns(self->table) &&
                      row < debye_table_get_n_rows(self->table);
  gtk_label_set_label(GTK_LABEL(gtk_list_item_get_child(item)),
                      is_there ? get_text(self->table, column, row, number) : "");
}

static void
show_cells(DebyeNumberTable *self)
{
  GHashTableIter iter;
  gpointer item, column;
  g_hash_table_iter_init(&iter, self->cells);
  while (g_hash_table_iter_next(&iter, &item, &column))
    show_cell(self, item, GPOINTER_TO_UINT(column));
}

static gboolean
is_of_numbers(DebyeTable *table, guint column)
{
  return debye_table_get_numbers(table, column) != NULL;
}

/* Words begin on the same line, numbers end there. */
static void
on_cell_setup(GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new(NULL);
  gboolean of_numbers = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(factory), "of-numbers"));
  gtk_label_set_xalign(GTK_LABEL(label), of_numbers ? 1.0f : 0.0f);
  if (!of_numbers) {
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars(GTK_LABEL(label), WIDEST_WORDS);
    if (GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(factory), "column")) == 0)
      gtk_label_set_width_chars(GTK_LABEL(label), NARROWEST_NAMES);
  }
  gtk_widget_add_css_class(label, "numeric");
  gtk_list_item_set_child(item, label);
}

static void
on_cell_bind(GtkSignalListItemFactory *factory, GtkListItem *item, DebyeNumberTable *self)
{
  guint column = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(factory), "column"));
  g_hash_table_insert(self->cells, item, GUINT_TO_POINTER(column));
  show_cell(self, item, column);
}

static void
on_cell_unbind(GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item, DebyeNumberTable *self)
{
  g_hash_table_remove(self->cells, item);
}

/* --- Rows --- */

static void
show_rows(DebyeNumberTable *self)
{
  guint n_old = g_list_model_get_n_items(G_LIST_MODEL(self->rows));
  guint n = self->table != NULL ? (guint)debye_table_get_n_rows(self->table) : 0;
  guint n_new = n > n_old ? n - n_old : 0;
  g_auto(GStrv) rows = g_new0(char *, n_new + 1);
  for (guint i = 0; i < n_new; i++)
    rows[i] = g_strdup_printf("%u", n_old + i);
  gtk_string_list_splice(self->rows, MIN(n, n_old), n_old > n ? n_old - n : 0, (const char *const *)rows);
}

/* --- Order --- */

typedef struct {
  DebyeNumberTable *table;
  guint column;
} Order;

/* Gaps come after all numbers. */
static int
compare_numbers(double a, double b)
{
  if (isnan(a) || isnan(b))
    return isnan(a) - isnan(b);
  return (a > b) - (a < b);
}

static int
compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  DebyeTable *table = order->table->table;
  const guint first = find_row((gpointer)a), second = find_row((gpointer)b);
  if (table == NULL || order->column >= debye_table_get_n_columns(table) ||
      MAX(first, second) >= debye_table_get_n_rows(table))
    return 0;
  const double *numbers = debye_table_get_numbers(table, order->column);
  if (numbers != NULL)
    return compare_numbers(numbers[first], numbers[second]);
  const char *const *texts = debye_table_get_texts(table, order->column);
  return g_utf8_collate(texts[first], texts[second]);
}

static GtkSorter *
create_sorter(DebyeNumberTable *self, guint column)
{
  Order *order = g_new(Order, 1);
  *order = (Order){self, column};
  return GTK_SORTER(gtk_custom_sorter_new(compare_rows, order, g_free));
}

/* New values under the same headings have an order of their own. */
static void
sort_again(DebyeNumberTable *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter(self->view);
  if (gtk_sorter_get_order(sorter) == GTK_SORTER_ORDER_NONE)
    return;
  self->is_updating = TRUE;
  gtk_sorter_changed(sorter, GTK_SORTER_CHANGE_DIFFERENT);
  self->is_updating = FALSE;
}

/* Who sorts wants to see what comes first; the list, which is the view's last child, would stay at the row that it shows. */
static void
on_sorted(DebyeNumberTable *self)
{
  GtkWidget *list = gtk_widget_get_last_child(GTK_WIDGET(self->view));
  if (self->selection != NULL && !self->is_updating &&
      g_list_model_get_n_items(G_LIST_MODEL(self->selection)) > 0)
    gtk_widget_activate_action(list, "list.scroll-to-item", "u", 0u);
}

/* --- Columns --- */

/* As the plot says it, where files name columns "element Na-element O.g" and "element Na-element O.g_error":
 * "Na–O: g(r)" and "Na–O: standard error". */
static char *
create_title(DebyeTable *table, guint column)
{
  const DebyeQuantity *quantity = debye_table_get_quantity(table, column);
  gboolean is_error =
      g_str_has_suffix(quantity->name, "_error") && g_str_equal(quantity->label, quantity->name);
  const char *of_curve = strrchr(quantity->name, '.');
  g_autofree char *label = debye_message_translate(quantity->label);
  GString *title = g_string_new(NULL);
  if (of_curve != NULL) {
    g_autofree char *curve = g_strndup(quantity->name, (gsize)(of_curve - quantity->name));
    g_autofree char *written = debye_plot_text_from_name(curve);
    g_string_append_printf(title, "%s: ", written);
  }
  g_string_append(title, is_error ? _("standard error") : label);
  g_autofree char *unit = debye_message_translate(quantity->unit);
  if (*unit != '\0')
    g_string_append_printf(title, " (%s)", unit);
  return g_string_free(title, FALSE);
}

static void
append_column(DebyeNumberTable *self, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_autofree char *title = create_title(self->table, column);
  g_object_set_data(G_OBJECT(factory), "column", GUINT_TO_POINTER(column));
  g_object_set_data(G_OBJECT(factory), "of-numbers", GINT_TO_POINTER(is_of_numbers(self->table, column)));
  g_signal_connect(factory, "setup", G_CALLBACK(on_cell_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_cell_bind), self);
  g_signal_connect(factory, "unbind", G_CALLBACK(on_cell_unbind), self);
  g_autoptr(GtkColumnViewColumn) view_column = gtk_column_view_column_new(title, factory);
  g_object_set_data(G_OBJECT(view_column), "of-numbers", GINT_TO_POINTER(is_of_numbers(self->table, column)));
  gtk_column_view_column_set_resizable(view_column, TRUE);
  g_autoptr(GtkSorter) sorter = create_sorter(self, column);
  gtk_column_view_column_set_sorter(view_column, sorter);
  /* Room that is left is that of the first words: a whole name. */
  gtk_column_view_column_set_expand(view_column, column == 0 && !is_of_numbers(self->table, column));
  gtk_column_view_append_column(self->view, view_column);
}

static GtkColumnViewColumn *
get_column(DebyeNumberTable *self, guint i)
{
  g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(gtk_column_view_get_columns(self->view), i);
  return column; /* the view keeps it */
}

/* The arrow of a column that is sorted stands before a heading that ends where its numbers do. */
static void
align_heading(GtkWidget *content, gboolean of_numbers)
{
  GtkWidget *label = gtk_widget_get_first_child(content);
  while (label != NULL && !GTK_IS_LABEL(label))
    label = gtk_widget_get_next_sibling(label);
  gtk_widget_set_halign(content, of_numbers ? GTK_ALIGN_END : GTK_ALIGN_START);
  GtkWidget *before = of_numbers ? gtk_widget_get_last_child(content) : NULL;
  if (GTK_IS_BOX(content) && label != NULL && label != before)
    gtk_box_reorder_child_after(GTK_BOX(content), label, before);
}

/* A heading stands above its column's end where its numbers do. GTK 4.8 has no property for that: the view's
 * first child is the row of headings, and what a heading holds is its child. */
static void
align_headings(DebyeNumberTable *self)
{
  GtkWidget *heading = gtk_widget_get_first_child(gtk_widget_get_first_child(GTK_WIDGET(self->view)));
  for (guint i = 0; heading != NULL && self->table != NULL && i < debye_table_get_n_columns(self->table);
       i++) {
    GtkWidget *content = gtk_widget_get_first_child(heading);
    if (content != NULL)
      align_heading(content, is_of_numbers(self->table, i));
    heading = gtk_widget_get_next_sibling(heading);
  }
}

/* Cells are made for words or for numbers. */
static void
remove_other_kinds(DebyeNumberTable *self)
{
  guint n_old = g_list_model_get_n_items(gtk_column_view_get_columns(self->view)), n_alike = 0;
  guint n = self->table != NULL ? MIN((guint)debye_table_get_n_columns(self->table), n_old) : 0;
  while (n_alike < n &&
         GPOINTER_TO_INT(g_object_get_data(G_OBJECT(get_column(self, n_alike)), "of-numbers")) ==
             is_of_numbers(self->table, n_alike))
    n_alike++;
  for (guint i = n_old; i > n_alike; i--)
    gtk_column_view_remove_column(self->view, get_column(self, i - 1));
}

/* New values under the same headings leave the columns, whose widths a hand may have set. */
static void
show_columns(DebyeNumberTable *self)
{
  guint n_old = g_list_model_get_n_items(gtk_column_view_get_columns(self->view));
  guint n = self->table != NULL ? (guint)debye_table_get_n_columns(self->table) : 0;
  remove_other_kinds(self);
  n_old = g_list_model_get_n_items(gtk_column_view_get_columns(self->view));
  for (guint i = 0; i < n; i++) {
    if (i >= n_old) {
      append_column(self, i);
      continue;
    }
    g_autofree char *title = create_title(self->table, i);
    gtk_column_view_column_set_title(get_column(self, i), title);
  }
  align_headings(self);
}

/* Of the same quantities, though the words of a heading may have changed: "charge at pH 5". */
static gboolean
is_alike(DebyeTable *table, DebyeTable *other)
{
  if (table == NULL || other == NULL || debye_table_get_n_columns(table) != debye_table_get_n_columns(other))
    return FALSE;
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++)
    if (!g_str_equal(debye_table_get_quantity(table, i)->name, debye_table_get_quantity(other, i)->name))
      return FALSE;
  return TRUE;
}

void
debye_number_table_set_table(DebyeNumberTable *self, DebyeTable *table)
{
  g_return_if_fail(DEBYE_IS_NUMBER_TABLE(self));
  const gboolean was_alike = is_alike(self->table, table);
  g_set_object(&self->table, table);
  show_columns(self);
  if (!was_alike)
    gtk_selection_model_unselect_all(GTK_SELECTION_MODEL(self->selection));
  show_rows(self);
  sort_again(self);
  show_cells(self);
}

/* --- Choosing --- */

static void
on_selection_changed(DebyeNumberTable *self)
{
  g_autoptr(GtkBitset) chosen = gtk_selection_model_get_selection(GTK_SELECTION_MODEL(self->selection));
  g_autoptr(GObject) item =
      gtk_bitset_get_size(chosen) == 1
          ? g_list_model_get_item(G_LIST_MODEL(self->selection), gtk_bitset_get_minimum(chosen))
          : NULL;
  const guint row = item != NULL ? find_row(item) : NO_ROW;
  if (row == self->chosen)
    return;
  self->chosen = row;
  g_signal_emit_by_name(self, "row-chosen", row);
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

static void
append_row(GString *text, DebyeTable *table, guint row)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  for (guint i = 0; i < debye_table_get_n_columns(table); i++)
    g_string_append_printf(text, "%s%s", i > 0 ? "\t" : "", get_text(table, i, row, number));
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
    g_autoptr(GObject) item = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    if (all || gtk_bitset_contains(chosen, i))
      append_row(text, self->table, find_row(item));
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
  g_clear_object(&self->rows);
  G_OBJECT_CLASS(debye_number_table_parent_class)->dispose(object);
}

/* Not before: the cells are told to go when the last of the widgets does. */
static void
debye_number_table_finalize(GObject *object)
{
  g_hash_table_unref(DEBYE_NUMBER_TABLE(object)->cells);
  G_OBJECT_CLASS(debye_number_table_parent_class)->finalize(object);
}

static void
debye_number_table_class_init(DebyeNumberTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_number_table_dispose;
  G_OBJECT_CLASS(class)->finalize = debye_number_table_finalize;
  g_signal_new("row-chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_UINT);
  gtk_widget_class_add_binding(GTK_WIDGET_CLASS(class), GDK_KEY_c, GDK_CONTROL_MASK, on_copy, NULL);
}

static void
debye_number_table_init(DebyeNumberTable *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new();
  self->cells = g_hash_table_new(NULL, NULL);
  self->rows = gtk_string_list_new(NULL);
  self->chosen = NO_ROW;
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
  GtkSortListModel *sorted = gtk_sort_list_model_new(G_LIST_MODEL(g_object_ref(self->rows)),
                                                     g_object_ref(gtk_column_view_get_sorter(self->view)));
  self->selection = gtk_multi_selection_new(G_LIST_MODEL(sorted));
  gtk_column_view_set_model(self->view, GTK_SELECTION_MODEL(self->selection));
  g_signal_connect_object(self->selection, "selection-changed", G_CALLBACK(on_selection_changed), self,
                          G_CONNECT_SWAPPED);
  gtk_column_view_set_show_column_separators(self->view, TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Numbers of the plot"), -1);
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(self->view));
  g_signal_connect_object(gtk_column_view_get_sorter(self->view), "changed", G_CALLBACK(on_sorted), self,
                          G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand(scrolled, TRUE);
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(self), scrolled);
}

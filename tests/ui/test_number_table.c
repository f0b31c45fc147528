/* SPDX-License-Identifier: MIT */
/* The numbers beside a plot: new values come with each frame and each turn of a slider. */
#include <adwaita.h>
#include <math.h>

#include "data/results/curve.h"
#include "ui/widgets/number_table.h"

#define N_ROWS 60

typedef struct {
  DebyeNumberTable *view;
  GtkWindow *window;
} Fixture;

/* Row i: its number, and `factor` times it under this heading. */
static DebyeTable *
create_table(gsize n_rows, double factor, const char *heading)
{
  static const DebyeQuantity x = {.name = "x", .unit = "Å"};
  const DebyeQuantity y = {.name = heading};
  g_autofree double *values = g_new(double, n_rows);
  DebyeTable *table = debye_table_new("table");
  for (gsize i = 0; i < n_rows; i++)
    values[i] = (double)i;
  debye_table_add_numbers(table, &x, n_rows, values);
  for (gsize i = 0; i < n_rows; i++)
    values[i] *= factor;
  debye_table_add_numbers(table, &y, n_rows, values);
  return table;
}

/* The first label with this text; NULL: none. */
static GtkWidget *
find_label(GtkWidget *widget, const char *text)
{
  GtkWidget *found =
      GTK_IS_LABEL(widget) && g_str_equal(gtk_label_get_label(GTK_LABEL(widget)), text) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_label(child, text);
  return found;
}

/* Until it stands there, and what was there before has gone. */
static void
wait_for_label(GtkWidget *widget, const char *text)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while (find_label(widget, text) == NULL && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_nonnull(find_label(widget, text));
  const gint64 quiet = g_get_monotonic_time() + G_USEC_PER_SEC / 5;
  while (g_get_monotonic_time() < quiet)
    g_main_context_iteration(NULL, FALSE);
}

static void
show_under(Fixture *fixture, gsize n_rows, double factor, const char *heading)
{
  g_autoptr(DebyeTable) table = create_table(n_rows, factor, heading);
  g_autofree char *second = g_strdup_printf("%g", factor);
  debye_number_table_set_table(fixture->view, table);
  wait_for_label(GTK_WIDGET(fixture->view), second);
}

static void
show(Fixture *fixture, gsize n_rows, double factor)
{
  show_under(fixture, n_rows, factor, "y");
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->view = g_object_new(DEBYE_TYPE_NUMBER_TABLE, NULL);
  fixture->window = GTK_WINDOW(gtk_window_new());
  gtk_window_set_default_size(fixture->window, 300, 300);
  gtk_window_set_child(fixture->window, GTK_WIDGET(fixture->view));
  gtk_window_present(fixture->window);
  show(fixture, N_ROWS, 0.5);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy(fixture->window);
}

/* A long name leaves the numbers their room, and headings stand where what is under them does. */
static void
test_words(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char name[] = "Pair distribution, salt.xtc, R = 12 Å: element O-element O";
  const DebyeQuantity x = {.name = "r", .unit = "Å"};
  const double values[] = {1.0, 2.0};
  g_autoptr(DebyeTable) table = debye_table_new("table");
  debye_table_add_texts(table, &(DebyeQuantity){.name = "curve"}, (const char *[]){name, name, NULL});
  debye_table_add_numbers(table, &x, 2, values);
  debye_number_table_set_table(fixture->view, table);
  wait_for_label(GTK_WIDGET(fixture->view), "r (Å)");
  GtkWidget *words = find_label(GTK_WIDGET(fixture->view), name),
            *number = find_label(GTK_WIDGET(fixture->view), "1");
  GtkWidget *heading = find_label(GTK_WIDGET(fixture->view), "r (Å)");
  g_assert_nonnull(words);
  g_assert_nonnull(number);
  g_assert_nonnull(heading);
  graphene_rect_t box, above;
  g_assert_true(gtk_widget_compute_bounds(number, GTK_WIDGET(fixture->view), &box));
  g_assert_cmpfloat(box.origin.x + box.size.width, <=,
                    (float)gtk_widget_get_width(GTK_WIDGET(fixture->view)));
  g_assert_true(gtk_widget_compute_bounds(heading, GTK_WIDGET(fixture->view), &above));
  g_assert_cmpfloat_with_epsilon(above.origin.x + above.size.width, box.origin.x + box.size.width, 12.0f);
}

static GtkSelectionModel *
get_selection(GtkWidget *widget)
{
  GtkSelectionModel *found =
      GTK_IS_COLUMN_VIEW(widget) ? gtk_column_view_get_model(GTK_COLUMN_VIEW(widget)) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = get_selection(child);
  return found;
}

/* Hundreds of rows were made anew each time, which took the main thread a second. */
static void
test_new_values(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *label = find_label(GTK_WIDGET(fixture->view), "2.5");
  g_assert_nonnull(label);
  g_object_ref(label);
  show(fixture, N_ROWS, 0.75);
  g_assert_true(gtk_widget_get_root(label) == GTK_ROOT(fixture->window));
  g_assert_cmpstr(gtk_label_get_label(GTK_LABEL(label)), ==, "3.75");
  g_assert_null(find_label(GTK_WIDGET(fixture->view), "2.5"));
  g_object_unref(label);
}

static void
test_other_size(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  show(fixture, 3, 0.25);
  g_assert_nonnull(find_label(GTK_WIDGET(fixture->view), "0.5"));
  g_assert_null(find_label(GTK_WIDGET(fixture->view), "0.75"));
  show(fixture, 5, 0.25);
  g_assert_nonnull(find_label(GTK_WIDGET(fixture->view), "0.75"));
  debye_number_table_set_table(fixture->view, NULL);
  g_assert_null(find_label(GTK_WIDGET(fixture->view), "0.75"));
  g_assert_null(debye_number_table_copy_text(fixture->view));
}

static void
test_copied(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  show(fixture, 3, 0.5);
  g_autofree char *all = debye_number_table_copy_text(fixture->view);
  g_assert_cmpstr(all, ==, "x (Å)\ty\n0\t0\n1\t0.5\n2\t1\n");
  gtk_selection_model_select_item(get_selection(GTK_WIDGET(fixture->view)), 1, TRUE);
  show(fixture, 3, 4.0);
  g_autofree char *chosen = debye_number_table_copy_text(fixture->view);
  g_assert_cmpstr(chosen, ==, "x (Å)\ty\n1\t4\n");
}

/* Rows of one quantity were copied of the next that was shown. */
static void
test_other_headings(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkSelectionModel *selection = get_selection(GTK_WIDGET(fixture->view));
  gtk_selection_model_select_item(selection, 1, TRUE);
  show_under(fixture, 2, 0.5, "z");
  g_assert_false(gtk_selection_model_is_selected(selection, 1));
  g_autofree char *all = debye_number_table_copy_text(fixture->view);
  g_assert_cmpstr(all, ==, "x (Å)\tz\n0\t0\n1\t0.5\n");
  gtk_selection_model_select_item(selection, 1, TRUE);
  debye_number_table_set_table(fixture->view, NULL);
  show_under(fixture, 2, 0.5, "z");
  g_assert_false(gtk_selection_model_is_selected(selection, 1));
}

static void
on_row_chosen(guint *chosen, guint row)
{
  *chosen = row;
}

/* By a heading, both ways; rows keep what they are: those copied, and the one that is told. */
static void
test_sorted(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const DebyeQuantity energy = {.name = "energy"};
  const double values[] = {2.0, (double)NAN, -1.0};
  GtkSelectionModel *selection = get_selection(GTK_WIDGET(fixture->view));
  GtkColumnView *view = NULL;
  guint chosen = G_MAXUINT;
  g_autoptr(DebyeTable) table = debye_table_new("table");
  debye_table_add_texts(table, &(DebyeQuantity){.name = "residue"},
                        (const char *[]){"GLU", "ALA", "LYS", NULL});
  debye_table_add_numbers(table, &energy, 3, values);
  debye_number_table_set_table(fixture->view, table);
  wait_for_label(GTK_WIDGET(fixture->view), "energy");
  for (GtkWidget *widget = find_label(GTK_WIDGET(fixture->view), "GLU"); view == NULL;
       widget = gtk_widget_get_parent(widget))
    view = GTK_IS_COLUMN_VIEW(widget) ? GTK_COLUMN_VIEW(widget) : NULL;
  g_signal_connect_swapped(fixture->view, "row-chosen", G_CALLBACK(on_row_chosen), &chosen);
  g_autoptr(GtkColumnViewColumn) words = g_list_model_get_item(gtk_column_view_get_columns(view), 0);
  g_autoptr(GtkColumnViewColumn) numbers = g_list_model_get_item(gtk_column_view_get_columns(view), 1);
  gtk_column_view_sort_by_column(view, numbers, GTK_SORT_ASCENDING);
  g_autofree char *by_number = debye_number_table_copy_text(fixture->view);
  g_assert_cmpstr(by_number, ==, "residue\tenergy\nLYS\t-1\nGLU\t2\nALA\tnan\n");
  gtk_selection_model_select_item(selection, 0, TRUE);
  g_assert_cmpuint(chosen, ==, 2);
  gtk_column_view_sort_by_column(view, words, GTK_SORT_DESCENDING);
  gtk_selection_model_select_item(selection, 1, TRUE);
  g_assert_cmpuint(chosen, ==, 0);
  g_autofree char *one = debye_number_table_copy_text(fixture->view);
  g_assert_cmpstr(one, ==, "residue\tenergy\nGLU\t2\n");
}

static void
add_test(const char *path, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

/* Headings are the plot's words, not those of files. */
static void
test_headings(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const double values[] = {1.0, 2.0};
  const DebyeQuantity tau = {"tau", "τ", "ps"}, g = {"g", "g(r)", NULL};
  g_autoptr(GListStore) curves = g_list_store_new(DEBYE_TYPE_CURVE);
  g_autoptr(DebyeCurve) first =
      debye_curve_new("element Na-element O", &tau, &g, DEBYE_CURVE_LINE, 2, values, values, values);
  g_autoptr(DebyeCurve) second =
      debye_curve_new("q = 0.4 Å⁻¹", &tau, &g, DEBYE_CURVE_LINE, 2, values, values, NULL);
  g_list_store_append(curves, first);
  g_autoptr(DebyeTable) one = debye_table_new_for_curves(G_LIST_MODEL(curves));
  debye_number_table_set_table(fixture->view, one);
  g_autofree char *of_one = debye_number_table_copy_text(fixture->view);
  g_assert_true(g_str_has_prefix(of_one, "τ (ps)\tg(r)\tstandard error\n"));
  g_list_store_append(curves, second);
  g_autoptr(DebyeTable) both = debye_table_new_for_curves(G_LIST_MODEL(curves));
  debye_number_table_set_table(fixture->view, both);
  g_autofree char *of_both = debye_number_table_copy_text(fixture->view);
  g_assert_true(g_str_has_prefix(of_both, "τ (ps)\tNa–O: g(r)\tNa–O: standard error\tq = 0.4 Å⁻¹: g(r)\n"));
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  add_test("/number-table/new-values", test_new_values);
  add_test("/number-table/other-size", test_other_size);
  add_test("/number-table/copied", test_copied);
  add_test("/number-table/other-headings", test_other_headings);
  add_test("/number-table/headings", test_headings);
  add_test("/number-table/sorted", test_sorted);
  add_test("/number-table/words", test_words);
  return g_test_run();
}

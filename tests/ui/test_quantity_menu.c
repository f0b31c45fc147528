/* SPDX-License-Identifier: MIT */
/* The quantities of several analyses stand together, symbols beside their names. */
#include "ui/plot/quantity_menu.h"

#include <adwaita.h>

static const DebyeQuantity axis = {"q", "q", "Å⁻¹"};
static const double numbers[] = {1.0, 2.0, 3.0, 4.0};
static const DebyeSettingTable pairs = {.id = "rdf", .title = "Pairs", .question = "?"},
                               waves = {.id = "scattering", .title = "Waves", .question = "?"};

static DebyeResult *
create_result(const DebyeSettingTable *table, const DebyeQuantity *quantities, guint n)
{
  g_autoptr(DebyeRequest) request = debye_request_new(table);
  DebyeResult *result = debye_result_new(request, table->title);
  for (guint i = 0; i < n; i++) {
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(quantities[i].label, &axis, &quantities[i], DEBYE_CURVE_LINE, G_N_ELEMENTS(numbers),
                        numbers, numbers, NULL);
    debye_result_add_curve(result, curve);
  }
  return result;
}

static DebyeResultPlot *
create_plot(void)
{
  static const DebyeQuantity of_pairs[] = {{"g", "g(r)", NULL}, {"coordination", "n(r)", NULL}},
                             of_waves[] = {{"intensity", "I(q)", NULL}, {"F", "F(q, τ)", NULL}};
  DebyeResultPlot *plot = debye_result_plot_new();
  g_autoptr(DebyeResult) first = create_result(&waves, of_waves, 1),
                         second = create_result(&pairs, of_pairs, 2),
                         third = create_result(&waves, of_waves + 1, 1);
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new("fqt", &axis, 2, numbers, &axis, 2, numbers, &of_waves[1], numbers, NULL);
  debye_result_add_matrix(third, matrix);
  debye_result_plot_set_result(plot, 1, first, "one");
  debye_result_plot_set_result(plot, 2, second, "two");
  debye_result_plot_set_result(plot, 3, third, "three");
  return plot;
}

/* The plot lists I(q), g(r), n(r), F(q, τ) and its map; the menu has the first analysis whole before the next. */
static void
test_groups(void)
{
  static const char *const expected[] = {"intensity", "F", "F-map", "g", "coordination"};
  g_autoptr(DebyeResultPlot) plot = create_plot();
  g_autoptr(GPtrArray) quantities = debye_quantity_menu_list(plot);
  g_assert_cmpuint(quantities->len, ==, G_N_ELEMENTS(expected));
  for (guint i = 0; i < quantities->len; i++)
    g_assert_cmpstr(((const DebyeQuantity *)quantities->pdata[i])->name, ==, expected[i]);
}

static void
test_words(void)
{
  static const DebyeQuantity map = {"F-map", "F(q, τ), map", NULL}, partial = {"F H-O", "F(q, τ) H-O", NULL},
                             distance = {"distance", "distance", "Å"};
  g_assert_cmpstr(debye_quantity_menu_get_words(&map), ==, "Intermediate scattering function");
  g_assert_cmpstr(debye_quantity_menu_get_words(&partial), ==, "Intermediate scattering, partial");
  g_assert_null(debye_quantity_menu_get_words(&distance));
}

/* Whether a label that is shown has this text. */
static gboolean
has_label(GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL(widget) && gtk_widget_get_mapped(widget) &&
      g_str_equal(gtk_label_get_label(GTK_LABEL(widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (has_label(child, text))
      return TRUE;
  return FALSE;
}

/* Each analysis stands above its first quantity. */
static void
test_rows(void)
{
  g_autoptr(DebyeResultPlot) plot = create_plot();
  const char *const labels[] = {"I(q)", "F(q, τ)", "F(q, τ), map", "g(r)", "n(r)", NULL};
  GtkWidget *window = gtk_window_new(), *drop_down = gtk_drop_down_new_from_strings(labels);
  debye_quantity_menu_attach(GTK_DROP_DOWN(drop_down), plot);
  gtk_window_set_child(GTK_WINDOW(window), drop_down);
  gtk_window_present(GTK_WINDOW(window));
  while (!gtk_widget_get_mapped(drop_down))
    g_main_context_iteration(NULL, TRUE);
  gtk_widget_activate(drop_down);
  while (!has_label(drop_down, "Coordination number"))
    g_main_context_iteration(NULL, TRUE);
  g_assert_true(has_label(drop_down, "Waves"));
  g_assert_true(has_label(drop_down, "Pairs"));
  gtk_window_destroy(GTK_WINDOW(window));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/quantity-menu/groups", test_groups);
  g_test_add_func("/quantity-menu/words", test_words);
  g_test_add_func("/quantity-menu/rows", test_rows);
  return g_test_run();
}

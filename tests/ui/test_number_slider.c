/* SPDX-License-Identifier: MIT */
/* A slider whose value is corrected by what it sets. */
#include <adwaita.h>

#include "ui/widgets/number_slider.h"

/* As a slice that keeps its place as a share of the map: each time another last digit. */
static void
on_value(DebyeNumberSlider *slider, GParamSpec *spec G_GNUC_UNUSED, guint *n_told)
{
  g_assert_cmpuint(++*n_told, <, 10);
  debye_number_slider_set_value(slider, *n_told % 2 == 0 ? 31.6 : 31.600000000000005);
}

static void
test_corrected(void)
{
  guint n_told = 0;
  g_autoptr(GtkWidget) widget = g_object_ref_sink(debye_number_slider_new("Position", 0.0, 100.0, NULL));
  DebyeNumberSlider *slider = DEBYE_NUMBER_SLIDER(widget);
  g_signal_connect(slider, "notify::value", G_CALLBACK(on_value), &n_told);
  debye_number_slider_set_value(slider, 31.6);
  g_assert_cmpuint(n_told, ==, 1);
  g_assert_cmpfloat(debye_number_slider_get_value(slider), ==, 31.600000000000005);
  debye_number_slider_set_value(slider, 40.0);
  g_assert_cmpuint(n_told, ==, 2);
}

/* As a slice's place, which says anew how far the slider reaches, too. */
static void
on_value_and_range(DebyeNumberSlider *slider, GParamSpec *spec G_GNUC_UNUSED, guint *n_told)
{
  g_assert_cmpuint(++*n_told, <, 10);
  debye_number_slider_set_range(slider, 0.0, 100.0);
  debye_number_slider_set_value(slider, 31.2345);
}

static GtkRange *
find_scale(GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child(widget);
  while (!GTK_IS_RANGE(child))
    child = gtk_widget_get_next_sibling(child);
  return GTK_RANGE(child);
}

static void
test_corrected_under_the_hand(void)
{
  guint n_told = 0;
  g_autoptr(GtkWidget) widget = g_object_ref_sink(debye_number_slider_new("Position", 0.0, 100.0, NULL));
  g_signal_connect(widget, "notify::value", G_CALLBACK(on_value_and_range), &n_told);
  gtk_range_set_value(find_scale(widget), 40.0);
  g_assert_cmpuint(n_told, ==, 1);
  g_assert_cmpfloat(debye_number_slider_get_value(DEBYE_NUMBER_SLIDER(widget)), ==, 31.2345);
  gtk_range_set_value(find_scale(widget), 50.0);
  g_assert_cmpuint(n_told, ==, 2);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/number-slider/corrected", test_corrected);
  g_test_add_func("/number-slider/corrected-under-the-hand", test_corrected_under_the_hand);
  return g_test_run();
}

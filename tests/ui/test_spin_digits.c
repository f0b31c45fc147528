/* SPDX-License-Identifier: MIT */
/* A spin button whose digits are grouped, and what can be typed into it. */
#include <adwaita.h>
#include <locale.h>

#include "ui/widgets/spin_digits.h"

static char decimal_sign[] = ".";

/* In place of the C library's: the machine of a test may have no locale but C. */
struct lconv *
localeconv(void)
{
  static char none[] = "";
  static struct lconv values;
  values = (struct lconv){.decimal_point = decimal_sign, .thousands_sep = none, .grouping = none};
  return &values;
}

static void
test_typed(void)
{
  static const struct {
    const char *typed, *shown;
    double value;
  } cases[] = {{"1540000", "1,540,000", 1540000.0},
               {"2,345,678", "2,345,678", 2345678.0},
               {"12 345", "12,345", 12345.0},
               {"12\u2009345", "12,345", 12345.0},
               {"3.456.789", "3,456,789", 3456789.0},
               {"4.096", "4,096", 4096.0},
               {"-65.536", "-65,536", -65536.0},
               {"0.600", "1", 0.6},
               {"999", "999", 999.0},
               {"-4321", "-4,321", -4321.0},
               {"\u22124321", "-4,321", -4321.0},
               {"1,2,3", "-4,321", -4321.0},
               {"many", "-4,321", -4321.0}};
  g_autoptr(GtkWidget) widget = g_object_ref_sink(gtk_spin_button_new_with_range(-1e9, 1e9, 1.0));
  GtkSpinButton *button = GTK_SPIN_BUTTON(widget);
  gtk_spin_button_set_value(button, 10000.0);
  debye_spin_digits_group(button);
  g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(button)), ==, "10,000");
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    gtk_editable_set_text(GTK_EDITABLE(button), cases[i].typed);
    gtk_spin_button_update(button);
    g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(button)), ==, cases[i].shown);
    g_assert_cmpfloat(gtk_spin_button_get_value(button), ==, cases[i].value);
  }
}

static void
test_decimals(void)
{
  g_autoptr(GtkWidget) widget = g_object_ref_sink(gtk_spin_button_new_with_range(0.0, 1e6, 0.5));
  GtkSpinButton *button = GTK_SPIN_BUTTON(widget);
  gtk_spin_button_set_digits(button, 2);
  debye_spin_digits_group(button);
  gtk_spin_button_set_value(button, 43210.25);
  g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(button)), ==, "43,210.25");
  gtk_editable_set_text(GTK_EDITABLE(button), "0.5");
  gtk_spin_button_update(button);
  g_assert_cmpfloat(gtk_spin_button_get_value(button), ==, 0.5);
  /* No number of thousands begins so, and a comma is no decimal sign here: what was there stays. */
  gtk_editable_set_text(GTK_EDITABLE(button), "0,750");
  gtk_spin_button_update(button);
  g_assert_cmpfloat(gtk_spin_button_get_value(button), ==, 0.5);
}

/* The interface is English, and the locale has a decimal comma. */
static void
test_decimal_comma(void)
{
  static const struct {
    const char *typed, *shown;
    double value;
  } cases[] = {{"0,500", "0.50", 0.5},
               {"2,125", "2.12", 2.12},
               {"2,5", "2.50", 2.5},
               {"1,234,567", "1\u202f234\u202f567.00", 1234567.0},
               {"43210.25", "43\u202f210.25", 43210.25},
               {"43\u202f210.25", "43\u202f210.25", 43210.25}};
  g_autoptr(GtkWidget) widget = g_object_ref_sink(gtk_spin_button_new_with_range(0.0, 1e7, 0.5));
  GtkSpinButton *button = GTK_SPIN_BUTTON(widget);
  gtk_spin_button_set_digits(button, 2);
  debye_spin_digits_group(button);
  decimal_sign[0] = ',';
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    gtk_editable_set_text(GTK_EDITABLE(button), cases[i].typed);
    gtk_spin_button_update(button);
    g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(button)), ==, cases[i].shown);
    g_assert_cmpfloat_with_epsilon(gtk_spin_button_get_value(button), cases[i].value, 0.006);
  }
  decimal_sign[0] = '.';
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  g_test_add_func("/spin-digits/typed", test_typed);
  g_test_add_func("/spin-digits/decimals", test_decimals);
  g_test_add_func("/spin-digits/decimal-comma", test_decimal_comma);
  return g_test_run();
}

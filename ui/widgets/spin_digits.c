/* SPDX-License-Identifier: MIT */
/* Implementation of spin_digits.h; called for the numbers of the class room. */
#include "spin_digits.h"

#include <glib/gi18n.h>
#include <string.h>

#include "number_text.h"

static const char *
get_mark(void)
{
  return C_("thousands", ",");
}

/* With the language of one country and the locale of another a comma may be either: then it isn't written, and one that is
 * typed alone is the decimal sign. */
static gboolean
is_mark_decimal(void)
{
  return g_str_equal(get_mark(), ",") && debye_number_has_decimal_comma();
}

/* The whole part of a number, grouped. */
static char *
group(const char *number)
{
  g_autofree char *grouped = debye_group_digits(number);
  GString *text = g_string_new(grouped);
  if (is_mark_decimal())
    g_string_replace(text, get_mark(), "\u202f", 0); /* a narrow blank */
  return g_string_free(text, FALSE);
}

static gboolean
on_output(GtkSpinButton *button)
{
  char format[8], number[G_ASCII_DTOSTR_BUF_SIZE];
  g_snprintf(format, sizeof format, "%%.%uf", MIN(gtk_spin_button_get_digits(button), 20));
  g_ascii_formatd(number, sizeof number, format, gtk_spin_button_get_value(button));
  char *dot = strchr(number, '.');
  g_autofree char *decimals = g_strdup(dot != NULL ? dot : "");
  if (dot != NULL)
    *dot = '\0';
  g_autofree char *whole = group(number), *text = g_strconcat(whole, decimals, NULL);
  if (strcmp(text, gtk_editable_get_text(GTK_EDITABLE(button))) != 0)
    gtk_editable_set_text(GTK_EDITABLE(button), text);
  return TRUE;
}

/* Of a whole number a point or comma can only stand between thousands, whatever the language. */
static gboolean
is_grouped_whole(GtkSpinButton *button, const char *text)
{
  return gtk_spin_button_get_digits(button) == 0 &&
         g_regex_match_simple("^\\s*[+-]?[1-9]\\d{0,2}(?:\\.\\d{3}(?:\\.\\d{3})*|,\\d{3}(?:,\\d{3})*)\\s*$",
                              text, 0, 0);
}

/* All blanks, and the language's mark where it stands between thousands: not behind a leading 0. */
static char *
leave_out_marks(GtkSpinButton *button, const char *text)
{
  if (is_grouped_whole(button, text)) {
    g_autoptr(GRegex) both = g_regex_new("[\\s.,]", 0, 0, NULL);
    return g_regex_replace_literal(both, text, -1, 0, "", 0, NULL);
  }
  const char *mark = get_mark(), *first = strstr(text, mark);
  const gboolean is_decimal = is_mark_decimal() && first != NULL && strstr(first + 1, mark) == NULL;
  g_autofree char *quoted = g_regex_escape_string(mark, -1),
                  *pattern =
                      is_decimal
                          ? g_strdup("\\s")
                          : g_strdup_printf("\\s|(?<=\\d)(?<!^0)(?<!\\D0)%s(?=(?:\\d{3})+(?!\\d))", quoted);
  g_autoptr(GRegex) marks = g_regex_new(pattern, 0, 0, NULL);
  return g_regex_replace_literal(marks, text, -1, 0, "", 0, NULL);
}

static int
on_input(GtkSpinButton *button, double *value)
{
  g_autofree char *plain = leave_out_marks(button, gtk_editable_get_text(GTK_EDITABLE(button)));
  return debye_number_parse(plain, value) ? TRUE : GTK_INPUT_ERROR;
}

void
debye_spin_digits_group(GtkSpinButton *button)
{
  gtk_spin_button_set_numeric(button, FALSE); /* else it takes no marks */
  gtk_spin_button_set_update_policy(button, GTK_UPDATE_IF_VALID);
  g_signal_connect(button, "output", G_CALLBACK(on_output), NULL);
  g_signal_connect(button, "input", G_CALLBACK(on_input), NULL);
  gtk_spin_button_update(button);
}

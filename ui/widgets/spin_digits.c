/* SPDX-License-Identifier: MIT */
/* Implementation of spin_digits.h; called for the numbers of the class room. */
#include "spin_digits.h"

#include <glib/gi18n.h>
#include <string.h>

#include "number_text.h"

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
  g_autofree char *whole = debye_group_digits(number), *text = g_strconcat(whole, decimals, NULL);
  if (strcmp(text, gtk_editable_get_text(GTK_EDITABLE(button))) != 0)
    gtk_editable_set_text(GTK_EDITABLE(button), text);
  return TRUE;
}

/* The language's mark where it stands between thousands, and all blanks. */
static char *
leave_out_marks(const char *text)
{
  const char *mark = C_("thousands", ",");
  g_autofree char *quoted = g_regex_escape_string(mark, -1),
                  *pattern = g_strdup_printf("\\s|(?<=\\d)%s(?=(?:\\d{3})+(?!\\d))", quoted);
  g_autoptr(GRegex) marks = g_regex_new(pattern, 0, 0, NULL);
  return g_regex_replace_literal(marks, text, -1, 0, "", 0, NULL);
}

static int
on_input(GtkSpinButton *button, double *value)
{
  g_autofree char *plain = leave_out_marks(gtk_editable_get_text(GTK_EDITABLE(button)));
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

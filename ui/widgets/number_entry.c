/* SPDX-License-Identifier: MIT */
/* Implementation of number_entry.h: an entry for a number, for setting rows, sliders and colour limits. */
#include "number_entry.h"

/* A direction is each widget's own: that of the text within, and of the label that holds the place. */
static void
keep_direction(GtkEntry *entry)
{
  GtkWidget *text = GTK_WIDGET(gtk_editable_get_delegate(GTK_EDITABLE(entry)));
  gtk_widget_set_direction(text, GTK_TEXT_DIR_LTR);
  for (GtkWidget *child = gtk_widget_get_first_child(text); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    gtk_widget_set_direction(child, GTK_TEXT_DIR_LTR);
}

GtkWidget *
debye_number_entry_new(int width_chars)
{
  GtkWidget *entry = gtk_entry_new();
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), width_chars);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), width_chars);
  gtk_entry_set_alignment(GTK_ENTRY(entry), 1.0f);
  gtk_widget_add_css_class(entry, "numeric");
  keep_direction(GTK_ENTRY(entry));
  return entry;
}

void
debye_number_entry_set_placeholder(GtkEntry *entry, const char *text)
{
  g_return_if_fail(GTK_IS_ENTRY(entry));
  gtk_entry_set_placeholder_text(entry, text);
  keep_direction(entry);
}

/* SPDX-License-Identifier: MIT */
/* A row of the dialog for movies; made by film_dialog.c. */
#include "film_caption_row.h"

#include <glib/gi18n.h>

#define USUAL_SECONDS 3.0
#define LONGEST 3600.0

struct _DebyeFilmCaptionRow {
  GtkListBoxRow parent_instance;
  GtkSpinButton *from, *to;
  GtkEntry *text;
};

G_DEFINE_FINAL_TYPE(DebyeFilmCaptionRow, debye_film_caption_row, GTK_TYPE_LIST_BOX_ROW)

double
debye_film_caption_row_get_end(DebyeFilmCaptionRow *self)
{
  return gtk_spin_button_get_value(self->to);
}

char *
debye_film_caption_row_get_line(DebyeFilmCaptionRow *self)
{
  char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->text))));
  g_ascii_formatd(from, sizeof from, "%.6g", gtk_spin_button_get_value(self->from));
  g_ascii_formatd(to, sizeof to, "%.6g", gtk_spin_button_get_value(self->to));
  return *text != '\0' ? g_strdup_printf("%s-%s: %s", from, to, text) : NULL;
}

static void
on_remove_clicked(DebyeFilmCaptionRow *self)
{
  g_signal_emit_by_name(self, "remove");
}

static void
set_name(GtkWidget *widget, const char *name)
{
  gtk_widget_set_tooltip_text(widget, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkSpinButton *
add_seconds(GtkBox *box, const char *name)
{
  GtkWidget *seconds = gtk_spin_button_new_with_range(0.0, LONGEST, 0.5);
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(seconds), 1);
  gtk_editable_set_width_chars(GTK_EDITABLE(seconds), 4);
  set_name(seconds, name);
  gtk_box_append(box, seconds);
  return GTK_SPIN_BUTTON(seconds);
}

static void
add_label(GtkBox *box, const char *text)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_widget_add_css_class(label, "dim-label");
  gtk_box_append(box, label);
}

static void
add_button(DebyeFilmCaptionRow *self, GtkBox *box)
{
  GtkWidget *button = gtk_button_new_from_icon_name("user-trash-symbolic");
  gtk_widget_add_css_class(button, "flat");
  set_name(button, _("Remove caption"));
  g_signal_connect_object(button, "clicked", G_CALLBACK(on_remove_clicked), self, G_CONNECT_SWAPPED);
  gtk_box_append(box, button);
}

GtkWidget *
debye_film_caption_row_new(double from)
{
  DebyeFilmCaptionRow *self = g_object_new(DEBYE_TYPE_FILM_CAPTION_ROW, NULL);
  gtk_spin_button_set_value(self->from, from);
  gtk_spin_button_set_value(self->to, from + USUAL_SECONDS);
  return GTK_WIDGET(self);
}

static void
debye_film_caption_row_class_init(DebyeFilmCaptionRowClass *class)
{
  g_signal_new("remove", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_film_caption_row_init(DebyeFilmCaptionRow *self)
{
  GtkBox *box = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6));
  gtk_widget_set_margin_start(GTK_WIDGET(box), 12);
  gtk_widget_set_margin_end(GTK_WIDGET(box), 6);
  gtk_widget_set_margin_top(GTK_WIDGET(box), 8);
  gtk_widget_set_margin_bottom(GTK_WIDGET(box), 8);
  self->from = add_seconds(box, _("Caption from, in seconds"));
  add_label(box, "–");
  self->to = add_seconds(box, _("Caption to, in seconds"));
  add_label(box, "s");
  self->text = GTK_ENTRY(gtk_entry_new());
  gtk_entry_set_placeholder_text(self->text, _("Text of the caption"));
  set_name(GTK_WIDGET(self->text), _("Text of the caption"));
  gtk_widget_set_hexpand(GTK_WIDGET(self->text), TRUE);
  gtk_box_append(box, GTK_WIDGET(self->text));
  add_button(self, box);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(self), FALSE);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self), GTK_WIDGET(box));
}

/* SPDX-License-Identifier: MIT */
/* The numbers that a lesson depends on and the one that is guessed, as spin buttons; declared in classroom_lesson.h. */
#include "classroom_lesson_private.h"

#include <glib/gi18n.h>

#include "ui/widgets/spin_digits.h"

#define MAX_GUESS 1e9
#define NUMBER_CHARS 9 /* of all, whatever may be entered, so that they stand below each other */

static void
on_number_changed(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "number");
}

/* Units are as wide as the longest, so that the numbers before them stand below each other. */
static void
add_unit(DebyeClassroomLesson *self, GtkWidget *row, const char *unit)
{
  static const char key[] = "debye-unit-column";
  GtkWidget *label = gtk_label_new(unit);
  GtkSizeGroup *column = g_object_get_data(G_OBJECT(self->numbers), key);
  if (column == NULL) {
    column = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL);
    g_object_set_data_full(G_OBJECT(self->numbers), key, column, g_object_unref);
  }
  gtk_label_set_width_chars(GTK_LABEL(label), 2);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_widget_add_css_class(label, "dim-label");
  gtk_size_group_add_widget(column, label);
  gtk_box_append(GTK_BOX(row), label);
}

static GtkWidget *
add_spin_button(DebyeClassroomLesson *self, const char *label, const char *unit, double low, double high,
                double step, double initial)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *name = gtk_label_new(label),
            *button = gtk_spin_button_new_with_range(low, high, step);
  gtk_label_set_xalign(GTK_LABEL(name), 0.0f);
  gtk_widget_set_hexpand(name, TRUE);
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(button), step < 1.0 ? 2 : 0);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(button), initial);
  debye_spin_digits_group(GTK_SPIN_BUTTON(button));
  gtk_editable_set_width_chars(GTK_EDITABLE(button), NUMBER_CHARS);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(button), NUMBER_CHARS);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_box_append(GTK_BOX(row), name);
  gtk_box_append(GTK_BOX(row), button);
  add_unit(self, row, unit);
  gtk_box_append(GTK_BOX(self->numbers), row);
  gtk_widget_set_visible(self->numbers, TRUE);
  return button;
}

void
debye_classroom_lesson_add_number(DebyeClassroomLesson *self, const char *label, const char *unit, double low,
                                  double high, double step, double initial)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkWidget *button = add_spin_button(self, label, unit, low, high, step, initial);
  g_ptr_array_add(self->buttons, button);
  g_signal_connect_object(button, "value-changed", G_CALLBACK(on_number_changed), self, G_CONNECT_SWAPPED);
}

guint
debye_classroom_lesson_get_n_numbers(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), 0);
  return self->buttons->len;
}

double
debye_classroom_lesson_get_number(DebyeClassroomLesson *self, guint index)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self) && index < self->buttons->len, 0.0);
  return gtk_spin_button_get_value(g_ptr_array_index(self->buttons, index));
}

void
debye_classroom_lesson_set_number(DebyeClassroomLesson *self, guint index, double value)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self) && index < self->buttons->len);
  gtk_spin_button_set_value(g_ptr_array_index(self->buttons, index), value);
}

void
debye_classroom_lesson_add_guess(DebyeClassroomLesson *self, const char *label, double low)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  self->guess = add_spin_button(self, label, "", low, MAX_GUESS, 0.5, 0.0);
  gtk_widget_set_visible(GTK_WIDGET(self->next), TRUE);
}

void
debye_classroom_lesson_ask_guess(DebyeClassroomLesson *self, const char *subject, const char *unit)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self) && self->guess != NULL);
  g_autofree char *label = subject != NULL ? g_strdup_printf(_("Guess: %s"), subject) : g_strdup(_("Guess"));
  GtkLabel *name = GTK_LABEL(gtk_widget_get_prev_sibling(self->guess));
  gtk_label_set_wrap(name, TRUE);
  gtk_label_set_label(name, label);
  gtk_label_set_label(GTK_LABEL(gtk_widget_get_next_sibling(self->guess)), unit != NULL ? unit : "");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->guess), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, unit != NULL ? unit : "", -1);
  gtk_widget_set_sensitive(gtk_widget_get_parent(self->guess), subject != NULL);
}

double
debye_classroom_lesson_take_guess(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self) && self->guess != NULL, 0.0);
  const double guess = gtk_spin_button_get_value(GTK_SPIN_BUTTON(self->guess));
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->guess), 0.0);
  return guess;
}

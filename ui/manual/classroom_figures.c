/* SPDX-License-Identifier: MIT */
/* The figures of a lesson: several of one measurement, of which linked buttons choose one, and all that there are; declared in
 * classroom_lesson.h. */
#include "classroom_lesson_private.h"

#include <glib/gi18n.h>

#define FIGURE_KEY "debye-classroom-figure" /* of a button: its figure, if there is one */

/* --- To choose from --- */

static GtkWidget *
find_button(DebyeClassroomLesson *self, guint index)
{
  GtkWidget *button = gtk_widget_get_first_child(GTK_WIDGET(self->choices));
  while (button != NULL && index-- > 0)
    button = gtk_widget_get_next_sibling(button);
  return button;
}

static DebyePlot *
get_plot(GtkWidget *button)
{
  return button != NULL ? g_object_get_data(G_OBJECT(button), FIGURE_KEY) : NULL;
}

/* What was chosen may not be there yet. */
static void
show_chosen(DebyeClassroomLesson *self)
{
  DebyePlot *plot = get_plot(find_button(self, self->figure_number));
  for (guint i = 0; plot == NULL && find_button(self, i) != NULL; i++)
    plot = get_plot(find_button(self, i));
  gtk_widget_set_visible(GTK_WIDGET(self->choices), plot != NULL);
  if (plot != debye_plot_view_get_plot(self->view))
    debye_classroom_lesson_set_plot(self, plot);
}

static void
on_toggled(DebyeClassroomLesson *self, GtkToggleButton *button)
{
  if (!gtk_toggle_button_get_active(button))
    return;
  self->figure_number = 0;
  for (GtkWidget *before = gtk_widget_get_prev_sibling(GTK_WIDGET(button)); before != NULL;
       before = gtk_widget_get_prev_sibling(before))
    self->figure_number++;
  show_chosen(self);
}

void
debye_classroom_lesson_add_figure(DebyeClassroomLesson *self, const char *title)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkWidget *button = gtk_toggle_button_new_with_label(title), *first = find_button(self, 0);
  gtk_widget_set_sensitive(button, FALSE);
  gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), first != NULL ? GTK_TOGGLE_BUTTON(first) : NULL);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), first == NULL);
  g_signal_connect_object(button, "toggled", G_CALLBACK(on_toggled), self, G_CONNECT_SWAPPED);
  gtk_box_append(self->choices, button);
}

gboolean
debye_classroom_lesson_has_figures(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), FALSE);
  return find_button(self, 0) != NULL;
}

void
debye_classroom_lesson_set_figure(DebyeClassroomLesson *self, guint index, DebyePlot *plot)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkWidget *button = find_button(self, index);
  g_return_if_fail(button != NULL);
  g_object_set_data_full(G_OBJECT(button), FIGURE_KEY, plot != NULL ? g_object_ref(plot) : NULL,
                         plot != NULL ? g_object_unref : NULL);
  gtk_widget_set_sensitive(button, plot != NULL);
  show_chosen(self);
}

guint
debye_classroom_lesson_get_figure(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), 0);
  return self->figure_number;
}

void
debye_classroom_lesson_choose_figure(DebyeClassroomLesson *self, guint index)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkWidget *button = find_button(self, index);
  if (button != NULL)
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
}

/* --- All --- */

static gboolean
visit_choices(DebyeClassroomLesson *self, DebyeClassroomFigureFunc visit, gpointer data)
{
  gboolean has_any = FALSE;
  GtkWidget *button;
  for (guint i = 0; (button = find_button(self, i)) != NULL; i++) {
    DebyePlot *plot = get_plot(button);
    g_autofree char *title = g_strdup_printf("%s: %s", self->title, gtk_button_get_label(GTK_BUTTON(button)));
    has_any |= plot != NULL;
    if (plot != NULL)
      visit(title, plot, data);
  }
  return has_any;
}

void
debye_classroom_lesson_visit_figures(DebyeClassroomLesson *self, DebyeClassroomFigureFunc visit,
                                     gpointer data)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  gboolean has_any = visit_choices(self, visit, data);
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++) {
    DebyePlot *plot = g_object_get_data(G_OBJECT(row), DEBYE_CLASSROOM_PLOT_KEY);
    g_autofree char *title = g_strdup_printf(
        "%s: %s", self->title, (const char *)g_object_get_data(G_OBJECT(row), DEBYE_CLASSROOM_TITLE_KEY));
    has_any |= plot != NULL;
    if (plot != NULL)
      visit(title, plot, data);
  }
  DebyePlot *shown = debye_plot_view_get_plot(self->view),
            *swept = debye_plot_view_get_plot(debye_classroom_sweep_get_view(self->sweep));
  if (!has_any && shown != NULL)
    visit(self->title, shown, data);
  if (swept != NULL) {
    g_autofree char *title = g_strdup_printf("%s: %s", self->title, _("Sweep"));
    visit(title, swept, data);
  }
}

/* SPDX-License-Identifier: MIT */
/* The classroom, a page of the window with its lessons side by side; filled by window_classroom.c. */
#include "classroom_page.h"

struct _DebyeClassroomPage {
  GtkBox parent_instance;
  GtkStack *lessons;
};

G_DEFINE_FINAL_TYPE(DebyeClassroomPage, debye_classroom_page, GTK_TYPE_BOX)

DebyeClassroomLesson *
debye_classroom_page_add_lesson(DebyeClassroomPage *self, const char *id, const char *title, const char *text)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_PAGE(self), NULL);
  DebyeClassroomLesson *lesson = g_object_new(DEBYE_TYPE_CLASSROOM_LESSON, NULL);
  debye_classroom_lesson_set_title(lesson, title);
  debye_classroom_lesson_set_text(lesson, text);
  gtk_stack_add_titled(self->lessons, GTK_WIDGET(lesson), id, title);
  return lesson;
}

void
debye_classroom_page_show_lesson(DebyeClassroomPage *self, const char *id)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  if (gtk_stack_get_child_by_name(self->lessons, id) != NULL)
    gtk_stack_set_visible_child_name(self->lessons, id);
}

void
debye_classroom_page_visit_figures(DebyeClassroomPage *self, DebyeClassroomFigureFunc visit, gpointer data)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  for (GtkWidget *lesson = gtk_widget_get_first_child(GTK_WIDGET(self->lessons)); lesson != NULL;
       lesson = gtk_widget_get_next_sibling(lesson))
    debye_classroom_lesson_visit_figures(DEBYE_CLASSROOM_LESSON(lesson), visit, data);
}

static void
debye_classroom_page_class_init(DebyeClassroomPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/classroom_page.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeClassroomPage, lessons);
}

static void
debye_classroom_page_init(DebyeClassroomPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}

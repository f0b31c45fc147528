/* SPDX-License-Identifier: MIT */
/* The class room, a page of the window: its lessons side by side, and the way back. It asks the actions
 * win.classroom (leave) and win.projector. Page Down takes a step of the lesson that is shown; Ctrl +, Ctrl − and Ctrl 0 change
 * the size of all type. */
#pragma once

#include "classroom_lesson.h"

#define DEBYE_TYPE_CLASSROOM_PAGE (debye_classroom_page_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomPage, debye_classroom_page, DEBYE, CLASSROOM_PAGE, GtkBox)

DebyeClassroomLesson *debye_classroom_page_add_lesson(DebyeClassroomPage *self, const char *id,
                                                      const char *title, const char *text);
/* Large type and strong contrast in the whole window, and pages of lessons that have room for it. FALSE: it was so. */
gboolean debye_classroom_page_set_projected(DebyeClassroomPage *self, gboolean is_projected);
/* Of the lesson that is shown. */
void debye_classroom_page_take_step(DebyeClassroomPage *self);
/* The lesson that is shown, as its button does. */
void debye_classroom_page_measure(DebyeClassroomPage *self);
/* The figure of a row that is there, which stays when it is measured again. */
void debye_classroom_page_show_row(DebyeClassroomPage *self, guint index);
/* The figures of all lessons. */
void debye_classroom_page_visit_figures(DebyeClassroomPage *self, DebyeClassroomFigureFunc visit,
                                        gpointer data);
void debye_classroom_page_show_lesson(DebyeClassroomPage *self, const char *id);

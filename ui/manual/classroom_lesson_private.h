/* SPDX-License-Identifier: MIT */
/* The parts of a lesson of the class room, for classroom_lesson.c, classroom_pages.c, classroom_figures.c and
 * classroom_numbers.c. */
#pragma once

#include "classroom_lesson.h"

/* Of a row: its figure, and its title. */
#define DEBYE_CLASSROOM_PLOT_KEY "debye-classroom-plot"
#define DEBYE_CLASSROOM_TITLE_KEY "debye-classroom-title"

struct _DebyeClassroomLesson {
  GtkBox parent_instance;
  GtkLabel *text, *message, *subject;
  GtkButton *measure, *next, *stop, *export, *copy, *exercise;
  GtkScrolledWindow *scroll;
  GtkSpinner *spinner;
  GtkListBox *rows;
  GtkWidget *own_row;  /* of the class's own code; NULL: none */
  GtkWidget *switcher; /* between the pages, if there are listings */
  GtkStack *pages, *figure;
  GtkBox *choices;     /* GtkToggleButton, one a figure; none: there is only one */
  guint figure_number; /* the one that is chosen */
  DebyePlotView *view;
  DebyeClassroomCode *code;
  DebyeClassroomSweep *sweep;
  GtkStackPage *sweep_page;
  gboolean has_command;
  GtkWidget *numbers, *guess;  /* guess: NULL: its rows come all at once */
  guint shown_row, wanted_row; /* wanted: may be one that isn't measured yet */
  gboolean is_projected;
  GPtrArray *buttons; /* GtkSpinButton, of the numbers */
  char *title;
  GObject *job; /* NULL: none yet */
  gulong on_notify;
  char *hindrance;
};

/* In classroom_lesson.c, for classroom_pages.c: the rows and the buttons that go with the page that is turned to. */
void debye_classroom_lesson_show_panel(DebyeClassroomLesson *self);

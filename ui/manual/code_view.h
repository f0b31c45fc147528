/* SPDX-License-Identifier: MIT */
/* Code to read, with the lines marked that differ from another code: what a step of a ladder of programs changes
 * against the one before. Shown by classroom_lesson.c. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DEBYE_TYPE_CODE_VIEW (debye_code_view_get_type())
G_DECLARE_FINAL_TYPE(DebyeCodeView, debye_code_view, DEBYE, CODE_VIEW, GtkBox)

/* `name` stands above it. `before` NULL: no line is marked. */
void debye_code_view_set_code(DebyeCodeView *self, const char *name, const char *code, const char *before);
/* The code as it is shown, and how many of its lines are marked. */
char *debye_code_view_get_code(DebyeCodeView *self);
guint debye_code_view_get_n_marked(DebyeCodeView *self);

G_END_DECLS

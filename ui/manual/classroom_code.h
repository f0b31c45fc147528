/* SPDX-License-Identifier: MIT */
/* The listings of a lesson, one at a time, to be read: lines that the one before doesn't have are marked. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DEBYE_TYPE_CLASSROOM_CODE (debye_classroom_code_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomCode, debye_classroom_code, DEBYE, CLASSROOM_CODE, GtkBox)

/* Adds a listing to the choice. `id` is what debye_classroom_code_show() finds it by, `text` is copied.
 * `follows`: it is compared with the one that was added before it. */
void debye_classroom_code_add(DebyeClassroomCode *self, const char *id, const char *title, const char *text,
                              gboolean follows);
/* FALSE: there is none of this id. */
gboolean debye_classroom_code_show(DebyeClassroomCode *self, const char *id);

G_END_DECLS

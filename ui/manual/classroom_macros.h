/* SPDX-License-Identifier: MIT */
/* Numbers for the macros of a listing that it has a default for: threads of a block, points of a thread. Signal "changed":
 * somebody chose another one; nothing is compiled by that. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_CLASSROOM_MACROS (debye_classroom_macros_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomMacros, debye_classroom_macros, DEBYE, CLASSROOM_MACROS, GtkBox)

GtkWidget *debye_classroom_macros_new(void);
/* Those of this text: lines “#ifndef TILE”, “#define TILE 256” and “#endif”. Of another listing (`id`) all have their
 * defaults; of the same one, which is being edited, those that are still there keep what was chosen. */
void debye_classroom_macros_set_code(DebyeClassroomMacros *self, const char *id, const char *text);
/* "TILE=128" for each that isn't what the text has; to be freed with g_strfreev(). */
char **debye_classroom_macros_list(DebyeClassroomMacros *self);
/* The same for each of them, with the value of the text. */
char **debye_classroom_macros_list_all(DebyeClassroomMacros *self);
/* Sets macros to the values of such a list; macros that the text doesn't have are ignored. */
void debye_classroom_macros_choose(DebyeClassroomMacros *self, const char *const *list);

/* SPDX-License-Identifier: MIT */
/* The listings of a lesson, one at a time: lines that the one before doesn't have are marked. Beside the shipped ones
 * there can be one that the class edits. Macros with a default have numbers beside them. Signal "run": somebody wants it compiled and run; nothing else ever does that.
 * Signal "edited": the class's own has changed, and what is shown of its last run is outdated. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_CLASSROOM_CODE (debye_classroom_code_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomCode, debye_classroom_code, DEBYE, CLASSROOM_CODE, GtkBox)

/* Adds a listing to the choice. `id` is what debye_classroom_code_show() finds it by, `text` is copied.
 * `follows`: it is compared with the one that was added before it. All are added before anything is edited. */
void debye_classroom_code_add(DebyeClassroomCode *self, const char *id, const char *title, const char *text,
                              gboolean follows);
/* FALSE: there is none of this id. */
gboolean debye_classroom_code_show(DebyeClassroomCode *self, const char *id);

/* The class's own: what was edited, and the id of the listing that it was made from. NULL: there is none. */
char *debye_classroom_code_get_draft(DebyeClassroomCode *self, const char **base);
/* What Run is to run: the class's own or the listing that is shown, the id of the listing that it was made from or is, and
 * macros that were chosen, as "TILE=128". To be freed, with g_strfreev(). */
char *debye_classroom_code_get_shown(DebyeClassroomCode *self, const char **base, char ***macros);
/* All macros that what is shown has a default for, as "TILE=256"; to be freed with g_strfreev(). */
char **debye_classroom_code_list_macros(DebyeClassroomCode *self);
/* Chooses macros of what is shown, as "TILE=128". */
void debye_classroom_code_choose_macros(DebyeClassroomCode *self, const char *const *macros);
/* What is shown, as the choice calls it; to be freed. */
char *debye_classroom_code_get_title(DebyeClassroomCode *self);
/* Whether that is the class's own. */
gboolean debye_classroom_code_is_draft(DebyeClassroomCode *self);
/* FALSE: there is no listing of this id. */
gboolean debye_classroom_code_set_draft(DebyeClassroomCode *self, const char *base, const char *text);
/* While it runs it isn't run again; what it is when that begins is what ran. */
void debye_classroom_code_set_running(DebyeClassroomCode *self, gboolean running);
/* Where something has run, the id of the listing that ran last; NULL: the class's own code did. */
const char *debye_classroom_code_get_ran(DebyeClassroomCode *self);
/* As if that had run as it is now, without a verdict; NULL: the class's own code. FALSE: there is no such code. */
gboolean debye_classroom_code_set_ran(DebyeClassroomCode *self, const char *id);
/* Whether what ran last is still as it was then; a shipped listing always is. */
gboolean debye_classroom_code_is_current(DebyeClassroomCode *self);
/* What came of running it, grey if it has changed since; else `line` from 1 is marked and shown, 0: none is. */
void debye_classroom_code_set_verdict(DebyeClassroomCode *self, const char *verdict, guint line,
                                      gboolean is_right);

/* SPDX-License-Identifier: MIT */
/* The window's actions. A new one is a row of the table in window_actions.c. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

/* Their keys, once for all windows. */
void debye_window_actions_set_keys(GtkApplication *application);
/* Adds all to the window, with this controller as their target. Which are possible follows its forms, jobs and
 * results from then on. */
void debye_window_actions_add(DebyeWindowController *self);
/* Follows the history and the maps of a scene that the window shows from now on, too. */
void debye_window_actions_follow(DebyeWindowController *self, DebyeWindowScene *scene);
/* Which are possible now: for who changes what has no signal, the document. */
void debye_window_actions_update(DebyeWindowController *self);
/* The state of one, for buttons and menus, when what it is about has changed. */
void debye_window_actions_set_state(DebyeWindowController *self, const char *name, GVariant *state);
void debye_window_actions_turned(DebyeWindowController *self, const char *name, gboolean on);

/* --- window_actions_files.c: what some rows call --- */

void debye_window_actions_open(DebyeWindowController *self);
void debye_window_actions_open_files(DebyeWindowController *self, GVariant *names);
void debye_window_actions_ask_elements(DebyeWindowController *self);
void debye_window_actions_ask_counting(DebyeWindowController *self);

/* --- window_actions_exports.c: the same --- */

void debye_window_actions_export_picture(DebyeWindowController *self);
/* Path, width, height, whether it is transparent. */
void debye_window_actions_save_picture(DebyeWindowController *self, GVariant *values);
/* Path, frames or not, degrees, pictures, pictures a second, width, height. */
void debye_window_actions_save_film(DebyeWindowController *self, GVariant *values);
/* The same without degrees, along the views that were kept. */
void debye_window_actions_save_film_of_views(DebyeWindowController *self, GVariant *values);
void debye_window_actions_keep_view(DebyeWindowController *self);
/* The newest result; those at a place of the list. */
void debye_window_actions_export_newest(DebyeWindowController *self);
void debye_window_actions_save_newest(DebyeWindowController *self, const char *path);
void debye_window_actions_copy_command(DebyeWindowController *self);
void debye_window_actions_run_result_again(DebyeWindowController *self, guint position);
void debye_window_actions_copy_result_command(DebyeWindowController *self, guint position);
void debye_window_actions_export_result(DebyeWindowController *self, guint position);
void debye_window_actions_remove_result(DebyeWindowController *self, guint position);

G_END_DECLS

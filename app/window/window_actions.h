/* SPDX-License-Identifier: MIT */
/* The window's actions. A new one is a row of the table in window_actions.c. */
#pragma once

#include "window_opening.h"
#include "window_prepare.h"
#include "window_session.h"

/* What the actions of one window are about. All is borrowed: the window keeps it. */
typedef struct {
  DebyeWindow *window;
  DebyeView3d *view;
  DebyePlaybackBar *bar;
  DebyePlotPanel *plot;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeWindowFrames *frames;
  DebyeWindowOpening *opening;
  DebyeWindowSession *session;
  DebyeWindowPrepare *prepare;
} DebyeWindowParts;

/* Their keys, once for all windows. */
void debye_window_actions_set_keys(GtkApplication *application);
/* Adds all to the window. Which are possible follows its document, scene, forms, jobs and results from then on. */
void debye_window_actions_add(const DebyeWindowParts *parts);

/* --- window_actions_exports.c: what some rows call --- */

void debye_window_actions_export_picture(DebyeWindowDocument *self);
/* Path, width, height, whether it is transparent. */
void debye_window_actions_save_picture(DebyeWindowDocument *self, GVariant *values);
/* Path, frames or not, degrees, pictures, pictures a second, width, height. */
void debye_window_actions_save_film(DebyeWindowFrames *frames, GVariant *values);
/* The same without degrees, along the views that were kept. */
void debye_window_actions_save_film_of_views(DebyeWindowFrames *frames, GVariant *values);
void debye_window_actions_keep_view(DebyeWindowFrames *frames);
/* The newest result; those at a place of the list. */
void debye_window_actions_export_newest(DebyeWindowDocument *self);
void debye_window_actions_save_newest(DebyeWindowDocument *self, const char *path);
void debye_window_actions_copy_command(DebyeWindowComputing *computing);
void debye_window_actions_run_result_again(DebyeWindowComputing *computing, guint position);
void debye_window_actions_copy_result_command(DebyeWindowDocument *self, guint position);
void debye_window_actions_export_result(DebyeWindowDocument *self, guint position);
void debye_window_actions_show_result(DebyeWindowDocument *self, guint position);
void debye_window_actions_remove_result(DebyeWindowDocument *self, guint position);

/* --- window_actions_view.c: playing and looking --- */

void debye_window_actions_go_to_frame(DebyePlaybackBar *bar, int frame);
/* 0, 1, 2: along x, y, z. */
void debye_window_actions_look_along(DebyeView3d *view, int number);
void debye_window_actions_zoom_in(DebyeView3d *view);
void debye_window_actions_zoom_out(DebyeView3d *view);
void debye_window_actions_choose_orbital(DebyeWindow *window, int number);
void debye_window_actions_choose_vibration(DebyeWindow *window, int number);

/* SPDX-License-Identifier: MIT */
/* Quitting with several windows: one question for all of them, and one file question after the other. */
#pragma once

#include <adwaita.h>

#include "ui/window/window.h"

G_BEGIN_DECLS

/* Closes all windows. Where several are open and some would lose results, changes or what is running, asks
 * first; a window that is alone asks itself. */
void debye_window_quit_ask(GtkApplication *application);
/* This window closes now: where the program is quitting, the next one is saved. */
void debye_window_quit_go_on(DebyeWindow *window);
/* This window stays, as a hand or what went wrong wants it: the program doesn't quit. */
void debye_window_quit_give_up(DebyeWindow *window);

G_END_DECLS

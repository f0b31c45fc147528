/* SPDX-License-Identifier: MIT */
/* Quitting with several windows, called by application.c: one question for all
 * of them, and one file question after the other. */
#pragma once

#include <adwaita.h>

#include "window_controller.h"

/* Closes all windows. Where several are open and some would lose results, changes or what is running, asks
 * first; a window that is alone asks itself. */
void debye_window_quit_ask(GtkApplication *application);
/* Where the program is quitting, the next window is saved when this one closes; when it stays the program doesn't
 * quit. */
void debye_window_quit_follow(GtkApplication *application, DebyeWindowController *controller);

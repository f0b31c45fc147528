/* SPDX-License-Identifier: MIT */
/* What a window said in toasts, which go by: kept with the time, and shown in a window of their own. Used by window.c. */
#pragma once

#include <adwaita.h>

/* To a list of GtkStringObject, newest first: all of the text, of which a toast may show the first line. The oldest goes where
 * there are very many. */
void debye_message_list_add(GListStore *messages, const char *text);
/* Follows the list for as long as it is open. */
GtkWidget *debye_message_list_create_window(GtkWindow *parent, GListStore *messages);

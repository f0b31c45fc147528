/* SPDX-License-Identifier: MIT */
/* An entry of a number, or of what is written like one ("0:-1"): flush right, with digits of one width, and
 * from left to right where the language isn't, which would put the minus behind. */
#pragma once

#include <gtk/gtk.h>

GtkWidget *debye_number_entry_new(int width_chars);
/* What stands in the empty entry; NULL: nothing. */
void debye_number_entry_set_placeholder(GtkEntry *entry, const char *text);

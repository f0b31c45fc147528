/* SPDX-License-Identifier: MIT */
/* A question for a file that goes with its window. GTK leaves a GtkFileChooserNative standing when the window
 * that it was shown over goes: nobody lets go of it, and its answer would reach what is gone. */
#pragma once

#include <gtk/gtk.h>

/* A file or files were chosen. */
typedef void (*DebyeFileChosen)(GtkFileChooser *chooser, gpointer data);

/* Shows `chooser`, whose reference it takes, over the window that it is transient for. `chosen` is called
 * when a file is chosen, never after that window has gone; `free_data` (or NULL) is called with `data` when
 * the question is over, whatever ended it. Where the desktop's portal should ask and does not answer, that is
 * said. */
void debye_file_question_ask(GtkFileChooserNative *chooser, DebyeFileChosen chosen, gpointer data,
                             GDestroyNotify free_data);
/* The path of the one file that was chosen; NULL where it lies on no disk that can be reached by a path. */
char *debye_file_question_get_path(GtkFileChooser *chooser);

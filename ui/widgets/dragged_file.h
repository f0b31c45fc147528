/* SPDX-License-Identifier: MIT */
/* A file that is dragged out of the window and written once something takes it; used by what exports pictures and plots. */
#pragma once

#include <gtk/gtk.h>

/* Writes the file at the path, on a thread. */
typedef gboolean (*DebyeDraggedFileWrite)(gpointer data, const char *path, GError **error);

/* As a list of one URI, of a file of that name in a folder of its own, which is kept for a day, and as what is in the
 * file, whose type is "image/png" for example. `data` is used by one thread at a time and freed on any. Emits "failed"
 * with a sentence, on the main thread, where the file can't be written. */
GdkContentProvider *debye_dragged_file_new(const char *name, const char *type, DebyeDraggedFileWrite write,
                                           gpointer data, GDestroyNotify free_data);

/* What is dragged; NULL: there is nothing now. */
typedef GdkContentProvider *(*DebyeDraggedFilePrepare)(gpointer data);

/* It can be dragged out by this button, which `data` outlives. */
void debye_dragged_file_add_source(GtkWidget *button, DebyeDraggedFilePrepare prepare, gpointer data);

/* For signal GtkDropTarget::accept: files from elsewhere, since what was dragged out of a window is nothing to open. */
gboolean debye_dragged_file_is_foreign(GtkDropTarget *target, GdkDrop *drop, gpointer data);

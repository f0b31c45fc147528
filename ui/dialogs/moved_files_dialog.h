/* SPDX-License-Identifier: MIT */
/* What a session's files are that are not where or what they were, with Locate… for each. Signals: "located"
 * (guint index, string path), after which the dialog is closed, as the program looks again; "open": as it is.
 */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_MOVED_FILES_DIALOG (debye_moved_files_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeMovedFilesDialog, debye_moved_files_dialog, DEBYE, MOVED_FILES_DIALOG, AdwWindow)

GtkWidget *debye_moved_files_dialog_new(GtkWindow *parent, const char *session);
/* `difference`: one sentence. */
void debye_moved_files_dialog_add(DebyeMovedFilesDialog *self, guint index, const char *name,
                                  const char *difference);
/* Whether the session can be opened with what there is. */
void debye_moved_files_dialog_set_possible(DebyeMovedFilesDialog *self, gboolean possible);

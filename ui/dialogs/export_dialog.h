/* SPDX-License-Identifier: MIT */
/* How large a picture shall be, and with or without its background. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DEBYE_TYPE_EXPORT_DIALOG (debye_export_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeExportDialog, debye_export_dialog, DEBYE, EXPORT_DIALOG, AdwWindow)

/* `width` × `height`: the view's own size in pixels. Emits "export" (int width, int height, gboolean
 * transparent). */
GtkWidget *debye_export_dialog_new(GtkWindow *parent, int width, int height);

G_END_DECLS

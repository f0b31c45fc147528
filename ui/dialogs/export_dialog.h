/* SPDX-License-Identifier: MIT */
/* How large a picture shall be, in pixels or in millimetres, how large its text, and with or without its background. */
#pragma once

#include <adwaita.h>

#include "render/scene/picture_size.h"

#define DEBYE_TYPE_EXPORT_DIALOG (debye_export_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeExportDialog, debye_export_dialog, DEBYE, EXPORT_DIALOG, AdwWindow)

/* `width` × `height`: the view's own size in logical pixels, `scale_factor` pixels each. `presets`: names that may be
 * chosen beside the sizes in pixels. Emits "preset" with such a name, or NULL for a size in pixels; and "export". */
GtkWidget *debye_export_dialog_new(GtkWindow *parent, int width, int height, int scale_factor,
                                   const char *const *presets);
/* The scale is left open. */
void debye_export_dialog_get_size(DebyeExportDialog *self, DebyePictureSize *size);
void debye_export_dialog_set_size(DebyeExportDialog *self, const DebyePictureSize *size);
gboolean debye_export_dialog_get_transparent(DebyeExportDialog *self);
void debye_export_dialog_set_transparent(DebyeExportDialog *self, gboolean transparent);
/* The preset that was chosen is none: what is set has no name. */
void debye_export_dialog_refuse_preset(DebyeExportDialog *self);

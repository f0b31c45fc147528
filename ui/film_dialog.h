/* SPDX-License-Identifier: MIT */
/* What a film shall show, how long and how large. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DEBYE_TYPE_FILM_DIALOG (debye_film_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeFilmDialog, debye_film_dialog, DEBYE, FILM_DIALOG, AdwWindow)

/* `width` × `height`: the view's own size in pixels. Emits "export" (gboolean frames, double degrees of a
 * turn, int pictures, int pictures a second, int width, int height; both even). */
GtkWidget *debye_film_dialog_new(GtkWindow *parent, guint n_frames, int width, int height);

G_END_DECLS

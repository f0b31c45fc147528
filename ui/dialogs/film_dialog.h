/* SPDX-License-Identifier: MIT */
/* What a film shall show, how long and how large. It stands beside its window and does not block it, so that
 * views can be found and kept. */
#pragma once

#include <adwaita.h>

#include "render/scene/camera_path.h"

typedef enum { DEBYE_FILM_STANDS, DEBYE_FILM_TURNS, DEBYE_FILM_GOES } DebyeFilmCamera;

typedef struct {
  gboolean frames; /* the trajectory's, spread evenly, or periods of a vibration; FALSE: the one shown */
  DebyeFilmCamera camera;
  double degrees; /* of a turn */
  DebyeTurnAxis axis;
  int n_pictures, width, height; /* both even */
  double rate;                   /* pictures per second */
  guint codec;                   /* as the dialog lists them: automatic, H.264, VP8, VP9, AV1 */
} DebyeFilmWish;

#define DEBYE_TYPE_FILM_DIALOG (debye_film_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeFilmDialog, debye_film_dialog, DEBYE, FILM_DIALOG, AdwWindow)

/* `width` × `height`: the view's own size in pixels. Emits "export"; "play" (gboolean: begin or end);
 * "keep-view"; "show-view" and "forget-view" (guint number). */
GtkWidget *debye_film_dialog_new(GtkWindow *parent, guint n_frames, int width, int height);
void debye_film_dialog_get_wish(DebyeFilmDialog *self, DebyeFilmWish *wish);
/* Its frames are a period of a vibration, which no plot is over: a movie of some periods is suggested. */
void debye_film_dialog_set_vibrates(DebyeFilmDialog *self);
/* Lines of the title card, and captions as “FROM-TO: TEXT”, both without empty ones. Free with g_strfreev. */
char **debye_film_dialog_list_titles(DebyeFilmDialog *self);
char **debye_film_dialog_list_captions(DebyeFilmDialog *self);
/* Names of the plots that may stand beside the view, and which was chosen, from 0; −1: none, or no frames. */
void debye_film_dialog_set_plots(DebyeFilmDialog *self, const char *const *names);
int debye_film_dialog_get_plot(DebyeFilmDialog *self);
/* While it handles "export": the movie can't be made, and the dialog stays open with the reason. */
void debye_film_dialog_refuse(DebyeFilmDialog *self, const char *reason);
/* How many views are kept. */
void debye_film_dialog_set_n_views(DebyeFilmDialog *self, guint n_views);
/* Below the settings: what is missing for some format. NULL: nothing. */
void debye_film_dialog_set_remark(DebyeFilmDialog *self, const char *remark);
/* The encodings that are offered, one bit each in the order of DebyeFilmWish's codec; the automatic one always is. */
void debye_film_dialog_set_codecs(DebyeFilmDialog *self, guint codecs);
/* The film that was shown in the window is over. */
void debye_film_dialog_set_playing(DebyeFilmDialog *self, gboolean playing);

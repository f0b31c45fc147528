/* SPDX-License-Identifier: MIT */
/* Films of what a window shows: the frames of its trajectory, a turn, or both. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

typedef struct {
  gboolean frames; /* the trajectory's, spread evenly; FALSE: the one shown */
  double degrees;  /* of a turn about the upright; 0: none */
  int n_pictures, rate, width, height;
} DebyeFilmWish;

/* Into .webm, .mp4 or numbered .png, as a job. The view shows the film in the making and is afterwards as it
 * was. */
void debye_window_film_write(DebyeWindowController *self, const char *path, const DebyeFilmWish *wish);
/* Asks for the wish and the path, then writes. */
void debye_window_film_ask(DebyeWindowController *self);

G_END_DECLS

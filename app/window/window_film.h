/* SPDX-License-Identifier: MIT */
/* Films of what a window shows: the frames of its trajectory, a turn, a path along views that were kept. */
#pragma once

#include "ui/dialogs/film_dialog.h"
#include "window_film_page.h"
#include "window_frames.h"

/* Into .webm, .mp4 or numbered .png, as a job of a copy of the scene; the window stays as it is. Takes `page`, which is around
 * the view; NULL: nothing is. */
void debye_window_film_write(DebyeWindowFrames *self, const char *path, const DebyeFilmWish *wish,
                             DebyeFilmPage *page);
/* Keeps what the camera sees, for a film that goes from view to view. */
void debye_window_film_keep_view(DebyeWindowFrames *self);
/* Asks for the wish and the path, then writes. */
void debye_window_film_ask(DebyeWindowFrames *self);

/* The job that writes; not yet started. Takes `path` and `page`. */
DebyeJob *debye_window_film_create_job(DebyeWindowFrames *self, const char *file, const DebyeFilmWish *wish,
                                       DebyeCameraPath *path, DebyeFilmPage *page);

void debye_window_film_stop_playing(DebyeWindowFrames *self);

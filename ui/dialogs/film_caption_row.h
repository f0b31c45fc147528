/* SPDX-License-Identifier: MIT */
/* A caption in the dialog for movies: from when to when it is shown, and its text. Emits "remove". */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_FILM_CAPTION_ROW (debye_film_caption_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeFilmCaptionRow, debye_film_caption_row, DEBYE, FILM_CAPTION_ROW, GtkListBoxRow)

/* `from`: in seconds; it lasts 3 s until a person changes that. */
GtkWidget *debye_film_caption_row_new(double from);
/* In seconds. */
double debye_film_caption_row_get_end(DebyeFilmCaptionRow *self);
/* “FROM-TO: TEXT”; NULL: it has no text. Free with g_free. */
char *debye_film_caption_row_get_line(DebyeFilmCaptionRow *self);

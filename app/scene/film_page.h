/* SPDX-License-Identifier: MIT */
/* What stands around the view in a movie: a title card before it, captions over it and a plot beside it. */
#pragma once

#include "film_captions.h"
#include "film_plot.h"
#include "render/scene/capture.h"

typedef struct _DebyeFilmPage DebyeFilmPage;

/* Of pictures of that size in pixels; `scale`: pixels of a logical pixel. */
DebyeFilmPage *debye_film_page_new(int width, int height, double scale);
void debye_film_page_free(DebyeFilmPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFilmPage, debye_film_page_free)

/* The first line is the title, the others are smaller below it; marks as in captions. */
void debye_film_page_set_title(DebyeFilmPage *page, const char *const *lines);
gboolean debye_film_page_has_title(const DebyeFilmPage *page);
/* (transfer full) (element-type DebyeFilmCaption) */
void debye_film_page_take_captions(DebyeFilmPage *page, GPtrArray *captions);
GPtrArray *debye_film_page_get_captions(const DebyeFilmPage *page); /* NULL: none */
/* (transfer full) At the right of the view, or below it if the picture is about as high as wide. */
void debye_film_page_take_plot(DebyeFilmPage *page, DebyeFilmPlot *plot);
DebyeFilmPlot *debye_film_page_get_plot(const DebyeFilmPage *page); /* NULL: none */

/* What is left for the view, in pixels. */
void debye_film_page_get_view_size(const DebyeFilmPage *page, int *width, int *height);

/* The picture with captions of a time in seconds and with the plot as it was last sought. `view` and what is returned are
 * RGBA rows from the top, straight alpha, as debye_capture() gives them. NULL: out of memory. */
GBytes *debye_film_page_compose(DebyeFilmPage *page, GBytes *view, const DebyeLook *look, double seconds,
                                GError **error);
/* Picture `number` of `n_pictures` of the title card, which keeps the look of the first that is drawn; the last ones fade into
 * `first`, the first picture after them. */
GBytes *debye_film_page_draw_title(DebyeFilmPage *page, const DebyeLook *look, GBytes *first, gsize number,
                                   gsize n_pictures, double rate, GError **error);

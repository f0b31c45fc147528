/* SPDX-License-Identifier: MIT */
/* What the dialog for movies asks for around the view: title, captions, a plot of a result. */
#pragma once

#include "app/scene/film_page.h"
#include "ui/dialogs/film_dialog.h"
#include "window_document.h"

/* The results over time or frames may stand beside the view. */
void debye_window_film_page_offer_plots(DebyeWindowDocument *document, DebyeFilmDialog *dialog);
/* NULL without an error: the movie is the view alone. A plot that was offered goes over to the page. */
DebyeFilmPage *debye_window_film_page_new(DebyeFilmDialog *dialog, const DebyeFilmWish *wish, double scale,
                                          GError **error);
/* Pictures of the title card; 0: there is none. */
gsize debye_window_film_page_count_title(const DebyeFilmPage *page, double rate);

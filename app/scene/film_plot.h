/* SPDX-License-Identifier: MIT */
/* A plot that runs beside the view: curves over time or frames, with a mark at the frame that is shown. */
#pragma once

#include <cairo.h>

#include "render/plot/plot.h"
#include "render/scene/look.h"

typedef struct _DebyeFilmPlot DebyeFilmPlot;

/* A copy of the plot as it is; `name` begins errors. NULL with DEBYE_ERROR_VALUE unless all its curves go over time or over
 * numbers of frames. */
DebyeFilmPlot *debye_film_plot_new(DebyePlot *plot, const char *name, GError **error);
void debye_film_plot_free(DebyeFilmPlot *plot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFilmPlot, debye_film_plot_free)

/* Moves the mark to a frame by its number in the trajectory, and its time in ps (NAN: unknown, an error if the curves go
 * over time). Outside the curves there is no mark. */
gboolean debye_film_plot_seek(DebyeFilmPlot *plot, gsize frame, double time, GError **error);
/* Whether some frame had a mark. */
gboolean debye_film_plot_was_marked(const DebyeFilmPlot *plot);
/* At the context's origin, in pixels; `scale`: pixels of a logical pixel. */
void debye_film_plot_draw(DebyeFilmPlot *plot, cairo_t *cr, const DebyeLook *look, double width,
                          double height, double scale);

/* SPDX-License-Identifier: MIT */
/* Captions of a movie: texts that are shown over the view for some seconds. */
#pragma once

#include <glib.h>

typedef struct {
  double from, to; /* seconds from the first picture after the title; `to` INFINITY: until the end */
  char *text;      /* markup */
  char *line;      /* as it was given, for errors */
} DebyeFilmCaption;

/* Of lines “FROM-TO: TEXT”, FROM and TO in seconds; either may be left out. TEXT may have marks (“*r*”, “H_{2}O”, see
 * render/plot/plot_text.h). NULL with DEBYE_ERROR_VALUE if a line has another form, or ends before it begins.
 * (element-type DebyeFilmCaption) */
GPtrArray *debye_film_captions_parse(const char *const *lines, GError **error);
/* Whether each is seen within a movie of so many seconds; DEBYE_ERROR_VALUE. `picture`: duration of one picture in
 * seconds, by which the last may end late, and in the middle of which a caption counts. */
gboolean debye_film_captions_check(GPtrArray *captions, double seconds, double picture, GError **error);
/* 0 … 1 at a time in seconds: captions fade in and out within their time. */
double debye_film_caption_get_opacity(const DebyeFilmCaption *caption, double seconds);

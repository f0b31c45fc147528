/* SPDX-License-Identifier: MIT */
/* Colours of words and marks on the background of a movie; used by film_page.c and film_plot.c. */
#pragma once

#include <cairo.h>

#include "render/scene/look.h"

/* Whether words have to be light. */
static inline gboolean
debye_film_ink_is_dark(const DebyeLook *look)
{
  const float *color = look->background;
  return 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2] < 0.5f;
}

/* Near white or near black, whichever is read on the background. */
static inline void
debye_film_ink_set(cairo_t *cr, const DebyeLook *look, double opacity)
{
  const double level = debye_film_ink_is_dark(look) ? 0.95 : 0.11;
  cairo_set_source_rgba(cr, level, level, level, opacity);
}

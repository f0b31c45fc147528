/* SPDX-License-Identifier: MIT */
/* What the line of debye-cli render says that its settings table can't check. */
#pragma once

#include "app/scene/film_file.h"
#include "app/scene/layer_texts.h"
#include "render/scene/picture_size.h"
#include "arguments.h"
#include "app/cli/render/render_settings.h"

typedef struct {
  DebyePictureSize size;
  int width, height; /* pixels */
  double limits[2];  /* low and high, of the colours of surfaces, in the unit of what colours them */
  gboolean has_limits;
  DebyeFilmRate rate;    /* of a movie */
  const char *output;    /* owned by the arguments */
  DebyeCameraPath *path; /* NULL: the camera stands still, or goes along views */
  gboolean along_views;  /* those that the window kept in the session */
  GPtrArray *layers;     /* DebyeLayerText, of --layer */
  gboolean is_session;   /* the one operand is a session (.debye) */
} DebyeRenderLine;

/* FALSE with DEBYE_USAGE_ERROR. `line` is to be cleared in any case; it lives as long as the arguments. */
gboolean debye_render_line_parse(DebyeRenderLine *line, DebyeArguments *arguments,
                                 const DebyeRenderSettings *settings, GError **error);
void debye_render_line_clear(DebyeRenderLine *line);

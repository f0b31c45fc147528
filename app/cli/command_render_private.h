/* SPDX-License-Identifier: MIT */
/* What command_render.c, render_series.c and render_output.c share: the pictures in the making. */
#pragma once

#include "app/cli/render/picture.h"
#include "app/document/document.h"
#include "app/scene/film_file.h"
#include "arguments.h"
#include "data/trajectory/placing.h"
#include "render/scene/capture.h"
#include "render_line.h"
#include "render_map.h"

G_BEGIN_DECLS

typedef struct {
  DebyeArguments *arguments;
  DebyeRequest *request;
  DebyeRenderSettings settings;
  DebyeRenderLine line;
  DebyeDataset *dataset;   /* NULL: a map alone */
  DebyeDocument *document; /* of a session; NULL: files are drawn */
  DebyePlacer *placer;     /* NULL without a dataset */
  gboolean draws_whole;    /* molecules, if there is a cell */
  DebyeFrameEdit *edit;    /* superposes frames as those of the map were; NULL: they weren't */
  DebyeRenderMap map;
  DebyeOffscreen *offscreen;
  DebyePicture picture;
  DebyeCamera start; /* of the first picture, before the path moves it */
  gsize n_pictures;
  DebyeFilmFile *film;        /* NULL: PNG */
  GPtrArray *written;         /* char * */
  gsize frame;                /* that is shown */
  DebyePictureOrigin *origin; /* how the pictures are made; NULL: forgotten, or not known yet */
  GBytes **captured;          /* gets the picture instead of a file; NULL: a file it is */
} DebyeRender;

/* The first frame (NULL: a map alone) decides layers, camera and colours. */
gboolean debye_render_build(DebyeRender *render, DebyeFrame *frame, GError **error);
/* Size of text and camera, when layers and the look are there. */
gboolean debye_render_set_view(DebyeRender *render, GError **error);
/* Pictures of the frames that are asked for, spread evenly over the pictures. */
gboolean debye_render_draw_series(DebyeRender *render, GError **error);
/* Pictures of the scene as it is, in which only the camera moves. */
gboolean debye_render_draw_standing(DebyeRender *render, GError **error);

/* Starts the movie, if the output is one. */
gboolean debye_render_open_film(DebyeRender *render, GError **error);
/* Draws the scene as it is and writes it. What was drawn of it when Ctrl-C came is given up. */
gboolean debye_render_capture_picture(DebyeRender *render, gsize number, GError **error);
/* A movie of what was drawn until Ctrl-C is a movie. */
gboolean debye_render_finish_film(DebyeRender *render, GError **error);

G_END_DECLS

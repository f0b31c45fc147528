/* SPDX-License-Identifier: MIT */
/* What command_render.c, render_series.c and render_output.c share: the pictures in the making. */
#pragma once

#include "app/cli/render/picture.h"
#include "app/document/document.h"
#include "app/scene/film_file.h"
#include "app/scene/film_page.h"
#include "data/files/hashing.h"
#include "data/formats/quantum/vibrations.h"
#include "data/trajectory/placing.h"
#include "render/scene/capture.h"
#include "render_line.h"
#include "render_map.h"

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
  GThread *opening; /* makes the context below while files are read; NULL: it is there */
  DebyeOffscreen *offscreen;
  GError *offscreen_error;
  DebyePicture picture;
  DebyeCamera start; /* of the first picture, before the path moves it */
  gsize n_pictures;
  DebyeVibrationMotion motion; /* of a session's mode */
  DebyeFilmPage *page;         /* titles, captions and a plot; NULL: the picture is the view */
  DebyeFilmFile *film;         /* NULL: PNG */
  GPtrArray *written;          /* char * */
  gsize frame;                 /* that is shown */
  double time;                 /* its time in ps; NAN: unknown */
  DebyeHashing *hashing;       /* of the files, for that; NULL: nobody asks */
  DebyePictureOrigin *origin;  /* how the pictures are made; NULL: forgotten, or not known yet */
  GBytes **captured;           /* gets the picture instead of a file; NULL: a file it is */
} DebyeRender;

/* The first frame (NULL: a map alone) decides layers, camera and colours. */
gboolean debye_render_build(DebyeRender *render, DebyeFrame *frame, GError **error);
/* Size of text and camera, when layers and the look are there. */
gboolean debye_render_set_view(DebyeRender *render, GError **error);
/* Pictures of the frames that are asked for, spread evenly over the pictures. */
gboolean debye_render_draw_series(DebyeRender *render, GError **error);
/* Pictures of the scene as it is, in which only the camera moves. */
gboolean debye_render_draw_standing(DebyeRender *render, GError **error);
/* A session that plays a normal mode, and an output of several pictures: finds the mode, which draw_standing() then shows. */
gboolean debye_render_find_vibration(DebyeRender *render, GError **error);

/* Starts the movie, if the output is one. */
gboolean debye_render_open_film(DebyeRender *render, GError **error);
/* Draws the scene as it is and writes it. What was drawn of it when Ctrl-C came is given up. */
gboolean debye_render_capture_picture(DebyeRender *render, gsize number, GError **error);
/* A movie of what was drawn until Ctrl-C is a movie. */
gboolean debye_render_finish_film(DebyeRender *render, GError **error);

/* What stands around the view, if the line asks for that. */
gboolean debye_render_open_page(DebyeRender *render, GError **error);
/* When the number of pictures is known; `has_frames`: they show frames of a trajectory. */
gboolean debye_render_check_page(DebyeRender *render, gboolean has_frames, GError **error);
/* Pixels of the view, as large as the picture without a page. */
void debye_render_get_view_size(const DebyeRender *render, int *width, int *height);
/* The view with what stands around it. */
GBytes *debye_render_compose_page(DebyeRender *render, GBytes *view, gsize number, GError **error);
/* How many pictures the title has. */
gsize debye_render_count_title(const DebyeRender *render);
/* Whether pictures belong to a moment: a title's or a caption's. */
gboolean debye_render_has_times(const DebyeRender *render);
/* When all is drawn: a plot that never had a mark is told. */
gboolean debye_render_warn_of_page(DebyeRender *render, GError **error);

/* SPDX-License-Identifier: MIT */
/* Pictures of a scene into PNG, in the GL context that is current, or in one of our own without any display
 * (EGL). */
#pragma once

#include "data/files/picture_origin.h"
#include "scene.h"

/* A context without a window or display, current on this thread. NULL with the reason in words. */
typedef struct _DebyeOffscreen DebyeOffscreen;
DebyeOffscreen *debye_offscreen_new(GError **error);
void debye_offscreen_free(DebyeOffscreen *offscreen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeOffscreen, debye_offscreen_free)
const char *debye_offscreen_get_renderer(DebyeOffscreen *offscreen);
/* From this thread to another one, which takes it: making it costs a driver 0.1 s, in which files can be read. FALSE with the
 * reason in words. */
void debye_offscreen_let_go(DebyeOffscreen *offscreen);
gboolean debye_offscreen_take(DebyeOffscreen *offscreen, GError **error);

typedef struct {
  int width, height;    /* pixels */
  double scale;         /* pixels a logical pixel */
  gboolean transparent; /* no background */
  int samples;          /* of each pixel; 0: enough */
} DebyeCaptureSize;

/* Has the layers make what a picture of that size shows: meshes whose triangles are as fine as its pixels ask for.
 * Blocks; needs no context. A picture that begins does it itself. */
void debye_capture_settle(DebyeScene *scene, const DebyeCaptureSize *size);

/* A picture in the making, a tile a step. Between the steps the scene may be drawn elsewhere in the same
 * context, but not change. */
typedef struct _DebyeCapture DebyeCapture;
DebyeCapture *debye_capture_begin(DebyeScene *scene, const DebyeCaptureSize *size, GError **error);
/* With the context current. FALSE with an error; then only free. */
gboolean debye_capture_step(DebyeCapture *capture, GError **error);
/* 0 … 1; 1: all tiles are drawn. */
double debye_capture_get_fraction(const DebyeCapture *capture);
/* RGBA rows from the top, straight alpha, 4·width bytes each; legend, axes and scale bar as the look says.
 * Frees. */
GBytes *debye_capture_finish(DebyeCapture *capture);
/* With the context current. */
void debye_capture_free(DebyeCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCapture, debye_capture_free)

/* All steps at once. */
GBytes *debye_capture(DebyeScene *scene, int width, int height, double scale, gboolean transparent,
                      int samples, GError **error);

/* Of a logical pixel: what a picture states whose size on paper nobody chose is this times its scale. */
#define DEBYE_SCREEN_DPI 96.0

/* `dpi`: the density that the file states, in pixels an inch. A path that ends in .tiff or .tif gets a TIFF. */
gboolean debye_capture_save_png(GBytes *rgba, int width, int height, double dpi, const char *path,
                                GError **error);
/* The same with how it was made (NULL: forgotten) and progress (0 … 1); if `progress` returns
 * FALSE, writing stops without an error and without a file. */
typedef gboolean (*DebyePngProgress)(double fraction, gpointer data);
gboolean debye_capture_save_large_png(GBytes *rgba, int width, int height, double dpi,
                                      const DebyePictureOrigin *origin, const char *path,
                                      DebyePngProgress progress, gpointer data, GError **error);

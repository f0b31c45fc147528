/* SPDX-License-Identifier: MIT */
/* Draws a copy of a scene off the main thread, in a GL context without a window (render/scene/offscreen.c);
 * the window's exports, movies, figures and session previews use it. If the system has no such context, a
 * fallback draws on the main thread in the window's context. */
#pragma once

#include "render/scene/capture.h"
#include "scene_copy.h"

/* On the main thread: draws the scene and releases what it made in the context for it. */
typedef struct {
  GBytes *(*draw)(DebyeScene *scene, const DebyeCaptureSize *size, gpointer data, GError **error);
  gpointer data; /* lives as long as the renderer */
} DebyeFallbackRenderer;

typedef struct _DebyeOffscreenRenderer DebyeOffscreenRenderer;

/* Must be created, used and freed on one thread. Returns NULL with an error if there is no context and
 * `fallback` is NULL. */
DebyeOffscreenRenderer *debye_offscreen_renderer_new(const DebyeSceneCopy *copy,
                                                     const DebyeFallbackRenderer *fallback, GError **error);
void debye_offscreen_renderer_free(DebyeOffscreenRenderer *renderer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeOffscreenRenderer, debye_offscreen_renderer_free)

/* The scene may be changed between two pictures. */
DebyeScene *debye_offscreen_renderer_get_scene(DebyeOffscreenRenderer *renderer);
/* RGBA as debye_capture() gives it. `progress` receives the fraction done (0 … 1), above 0 from the start, and returns FALSE to
 * stop.
 * Returns NULL with an error, or NULL without one if it was stopped. */
typedef gboolean (*DebyeDrawingProgress)(double fraction, gpointer data);
GBytes *debye_offscreen_renderer_draw(DebyeOffscreenRenderer *renderer, const DebyeCaptureSize *size,
                                      DebyeDrawingProgress progress, gpointer data, GError **error);

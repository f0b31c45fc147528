/* SPDX-License-Identifier: MIT */
/* Where a copy of a scene is drawn off the main thread: in a GL context without a window. Where this system
 * gives none, a host draws it in the window's context, on the main thread. */
#pragma once

#include "render/scene/capture.h"
#include "scene_copy.h"

G_BEGIN_DECLS

/* On the main thread: draws the scene and forgets what it made in the context for it. */
typedef struct {
  GBytes *(*draw)(DebyeScene *scene, const DebyeCaptureSize *size, gpointer data, GError **error);
  gpointer data; /* lives as long as the studio */
} DebyeStudioHost;

typedef struct _DebyeStudio DebyeStudio;

/* On the thread that draws, and frees. `host` NULL: none; then NULL with the reason where there is no GL. */
DebyeStudio *debye_studio_new(const DebyeSceneCopy *copy, const DebyeStudioHost *host, GError **error);
void debye_studio_free(DebyeStudio *studio);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeStudio, debye_studio_free)

/* To be changed between two pictures. */
DebyeScene *debye_studio_get_scene(DebyeStudio *studio);
/* RGBA as debye_capture() gives it. `told`: how far it is (0 … 1); FALSE stops. NULL with an error; NULL
 * without one: stopped. */
typedef gboolean (*DebyeStudioTold)(double fraction, gpointer data);
GBytes *debye_studio_draw(DebyeStudio *studio, const DebyeCaptureSize *size, DebyeStudioTold told,
                          gpointer data, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* The view of the molecule: draws a scene, turns pointer and keys into camera moves, reads out what is under
 * the pointer. Where there is no OpenGL it says why, and the rest of the window goes on. */
#pragma once

#include <adwaita.h>

#include "data/molecule/topology.h"
#include "render/scene/capture.h"

#define DEBYE_TYPE_VIEW_3D (debye_view_3d_get_type())
G_DECLARE_FINAL_TYPE(DebyeView3d, debye_view_3d, DEBYE, VIEW_3D, AdwBin)

/* NULL: nothing to draw. */
void debye_view_3d_set_scene(DebyeView3d *self, DebyeScene *scene);
/* For the read-out of atoms. */
void debye_view_3d_set_topology(DebyeView3d *self, DebyeTopology *topology);
/* While frames play: layers may lower their resolution. */
void debye_view_3d_set_playing(DebyeView3d *self, gboolean playing);

/* A click on an atom emits "atom-clicked" (guint), while measuring "atom-picked" instead; one on another layer, but not while
 * measuring, "surface-clicked" (DebyeLayer, and where: double x, y, z in Å); there or where nothing is "space-clicked" (double x, y
 * in a view of double width, height, logical pixels). */
void debye_view_3d_set_measuring(DebyeView3d *self, gboolean measuring);

/* What drags do is property "mouse": a name of mouse_habit.h. */

void debye_view_3d_view_all(DebyeView3d *self);
/* FALSE: it has had no size yet, and looks from wherever. */
gboolean debye_view_3d_has_viewed(DebyeView3d *self);
/* The same for what came since, where nobody has turned, moved or zoomed what debye_view_3d_view_all showed. */
void debye_view_3d_view_new(DebyeView3d *self);
/* Moves to a place, with so many Å around it in sight. */
void debye_view_3d_look_at(DebyeView3d *self, DebyeVec3 place, double extent);
/* Looks along a coordinate axis, 0…2. */
void debye_view_3d_look_along(DebyeView3d *self, int axis);
void debye_view_3d_zoom(DebyeView3d *self, double factor);

/* The picture of another scene in RGBA as debye_capture() gives it, drawn in this view's GL context, in which
 * nothing of it is kept, or where there is none in one off screen. */
GBytes *debye_view_3d_capture_scene(DebyeView3d *self, DebyeScene *scene, const DebyeCaptureSize *size,
                                    GError **error);

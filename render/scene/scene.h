/* SPDX-License-Identifier: MIT */
/* The layers, the camera and the look, drawn into whatever framebuffer is bound in the current GL context.
 * The same call draws in a GtkGLArea and off screen. */
#pragma once

#include <gio/gio.h>

#include "look.h"
#include "render/layers/layer.h"

#define DEBYE_TYPE_SCENE (debye_scene_get_type())
G_DECLARE_FINAL_TYPE(DebyeScene, debye_scene, DEBYE, SCENE, GObject)

DebyeScene *debye_scene_new(void);
/* For pictures alone: its layers make nothing for a view that moves. */
DebyeScene *debye_scene_new_still(void);
GListModel *debye_scene_get_layers(DebyeScene *self); /* of DebyeLayer, back to front */
GListStore *debye_scene_get_maps(DebyeScene *self);   /* of DebyeSceneMap: those that can colour layers */
void debye_scene_add(DebyeScene *self, DebyeLayer *layer);
void debye_scene_remove(DebyeScene *self, DebyeLayer *layer);
void debye_scene_move(DebyeScene *self, DebyeLayer *layer, guint position);
DebyeCamera *debye_scene_get_camera(DebyeScene *self); /* change it, then debye_scene_changed */
/* Views that a person keeps, for films along them. (element-type DebyeCamera) */
GArray *debye_scene_get_views(DebyeScene *self);
DebyeLook *debye_scene_get_look(DebyeScene *self);
void debye_scene_changed(DebyeScene *self); /* emits "changed"; layers' changes arrive here too */
gboolean debye_scene_get_bounds(DebyeScene *self, DebyeVec3 *low, DebyeVec3 *high);
void debye_scene_view_all(DebyeScene *self, double aspect);
/* The same in a picture of this size, pixels, as large as fits beside the legend where that would cover it. Returns by how
 * much of the width the camera is to be panned to the right, below 0 to the left, so that it stands there. */
double debye_scene_view_all_beside_legend(DebyeScene *self, double width, double height);

/* Of words in a view, logical pixels: the size that the desktop is set to; the look's own counts where it is
 * larger, and alone in pictures that are kept. */
void debye_scene_set_least_font_size(DebyeScene *self, double pixels);
/* Of each pixel of a view that stands still, where the look says nothing else; −1: as many as the GL has time for; 0: its sketch
 * stays. */
void debye_scene_set_still_samples(DebyeScene *self, int n_samples);
/* For a view: draws into the framebuffer that is bound now, of width × height pixels, `scale` pixels a
 * logical one. What has just changed is a sketch, as fine as fits into a frame's time; what
 * debye_scene_refine() has made is shown instead as soon as there is any. FALSE with a reason where this GL
 * can't (shader, version): shown in words, never fatal. */
gboolean debye_scene_draw(DebyeScene *self, int width, int height, double scale, GError **error);
/* Whether the view that was drawn last is as good as it gets. */
gboolean debye_scene_is_smooth(DebyeScene *self);
/* Between two draws of a view that stands still, with the context current: the next piece of its picture,
 * some 12 ms. *better: draw again, there is more to show. FALSE with a reason as above. */
gboolean debye_scene_refine(DebyeScene *self, gboolean *better, GError **error);
/* GL objects are forgotten: before the context goes (context_lost FALSE: deleted; TRUE: only forgotten). */
void debye_scene_release(DebyeScene *self, gboolean context_lost);
/* Blocks until all layers have settled. */
void debye_scene_settle(DebyeScene *self);
/* Whether any letter would be drawn over the picture; of layers that have settled. */
gboolean debye_scene_has_texts(DebyeScene *self);
/* x, y in logical pixels of a view of width × height. The ray begins where a clipping plane lets it see something; how much of
 * it that skips. */
double debye_scene_find_ray(DebyeScene *self, double x, double y, double width, double height,
                            DebyeVec3 *origin, DebyeVec3 *direction);
gboolean debye_scene_pick(DebyeScene *self, double x, double y, double width, double height, DebyePick *pick);

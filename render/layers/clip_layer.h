/* SPDX-License-Identifier: MIT */
/* A plane that cuts away what lies before it. It draws nothing itself: while it is visible, the renderer asks
 * it for its plane. The first of several counts. */
#pragma once

#include <gio/gio.h>

#include "layer.h"

#define DEBYE_TYPE_CLIP_LAYER (debye_clip_layer_get_type())
extern const DebyeLayerKind debye_clip_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeClipLayer, debye_clip_layer, DEBYE, CLIP_LAYER, DebyeLayer)

/* What the plane lies across. */
typedef enum { DEBYE_CLIP_X, DEBYE_CLIP_Y, DEBYE_CLIP_Z, DEBYE_CLIP_VIEW } DebyeClipDirection;

/* Properties: "direction" int (DebyeClipDirection; of the view: it turns with the eye), "position" double 0 …
 * 1 through the scene, "flipped" boolean: what lies behind is cut away. */
DebyeClipLayer *debye_clip_layer_new(void);

/* The plane of the first visible clip layer: kept is where x·plane[0] + y·plane[1] + z·plane[2] + plane[3] ≥ 0.
 * `low`, `high`: the scene's bounds. FALSE: there is none. */
gboolean debye_clip_layer_find_plane(GListModel *layers, const DebyeCamera *camera, DebyeVec3 low,
                                     DebyeVec3 high, double plane[4]);

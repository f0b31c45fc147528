/* SPDX-License-Identifier: MIT */
/* What window_scene.c and window_scene_maps.c share: the parts of a window's scene. */
#pragma once

#include "render/slice_layer.h"
#include "window_scene.h"

G_BEGIN_DECLS

struct _DebyeWindowScene {
  GObject parent_instance;
  DebyeScene *scene;
  DebyeSceneHistory *history;
  DebyeDocument *document;
  DebyePreferences *preferences;
  DebyeFrame *frame;

  DebyeField *map;            /* the newest: new surfaces and slices are of it */
  char *map_source;           /* its file, or that it was computed */
  DebyeField *computed;       /* the newest that was computed here */
  gboolean surfaces_due;      /* of the map that grows */
  DebyeSliceLayer *own_slice; /* came by itself: its limits follow the map until they are touched */
  double own_low, own_high;
  gboolean has_view; /* the camera came with the document */
  DebyeLayer *ions;  /* that were placed last; NULL: none */
};

/* Lists a map for layers to take their colours from, without layers of its own; it is the newest then. */
void debye_window_scene_list_map(DebyeWindowScene *self, DebyeField *field, const char *name);
/* FALSE of layers whose structure is not that of the files. */
gboolean debye_window_scene_follows_frames(DebyeLayer *layer);

G_END_DECLS

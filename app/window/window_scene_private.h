/* SPDX-License-Identifier: MIT */
/* What the sources of window_scene.h share: the parts of a window's scene. */
#pragma once

#include "render/layers/isosurface_layer.h"
#include "render/layers/slice_layer.h"
#include "window_scene.h"

struct _DebyeWindowScene {
  GObject parent_instance;
  DebyeScene *scene;
  DebyeSceneHistory *history;
  DebyeDocument *document;
  DebyePreferences *preferences;
  DebyeFrame *frame, *file_frame; /* as it is drawn, as the file has it */

  DebyeField *map;            /* the newest: new surfaces and slices are of it */
  char *map_source;           /* its file, or that it was computed */
  DebyeField *computed;       /* the newest that was computed here */
  gboolean surfaces_due;      /* of the map that grows */
  gboolean surfaces_chosen;   /* of the same, which has yet to be whole */
  DebyeSliceLayer *own_slice; /* came by itself: its limits follow the map until they are touched */
  double own_low, own_high;
  DebyeIsosurfaceLayer *own_surfaces[2]; /* negative, positive; came by themselves; NULL: none, or settled */
  double own_levels[2]; /* what they came with, to know whether they were touched; 0: had not that sign */
  DebyeIsosurfaceLayer
      *orbital_surfaces[2];       /* negative, positive: of the orbital that is shown; NULL: none */
  DebyeResult *orbital;           /* that they show; NULL: none */
  guint orbital_share;            /* that they enclose, in percent */
  DebyeIsosurfaceLayer *pathways; /* that were found last; NULL: none */
  gboolean has_view;              /* the camera came with the document */
  guint32 edited_look;            /* a bit for each of debye_look_settings() that was set by hand here */
  guint look_timer;
  DebyeLayer *ions; /* that were placed last; NULL: none */
};

/* Lists a map for layers to take their colours from, without layers of its own; it is the newest then. */
void debye_window_scene_list_map(DebyeWindowScene *self, DebyeField *field, const char *name);
/* Everything that shows the map computed before shows this one; how many layers do. */
guint debye_window_scene_replace_computed(DebyeWindowScene *self, DebyeField *field);
/* The surfaces of the map computed here at the levels that suit what there is of it. */
void debye_window_scene_add_own_surfaces(DebyeWindowScene *self, const char *source);
/* No more of the map will come: levels that nobody has touched are chosen again, from all of it; a surface
 * goes whose sign it turned out not to have, and one comes of a sign that only the whole has. */
void debye_window_scene_settle_own_surfaces(DebyeWindowScene *self, const char *source);
void debye_window_scene_forget_own_surfaces(DebyeWindowScene *self);
/* FALSE of layers whose structure is not that of the files. */
gboolean debye_window_scene_follows_frames(DebyeLayer *layer);

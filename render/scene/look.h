/* SPDX-License-Identifier: MIT */
/* How a scene is drawn, apart from what is in it. */
#pragma once

#include <glib.h>

/* A corner of the picture. */
typedef enum {
  DEBYE_PLACE_USUAL, /* legends top right, the others bottom left */
  DEBYE_PLACE_TOP_LEFT,
  DEBYE_PLACE_TOP_RIGHT,
  DEBYE_PLACE_BOTTOM_LEFT,
  DEBYE_PLACE_BOTTOM_RIGHT,
} DebyeLookPlace;

typedef enum { DEBYE_BAR_UPRIGHT, DEBYE_BAR_HORIZONTAL } DebyeLookBar;

typedef struct {
  float background[4];     /* alpha 0: transparent pictures */
  float depth_cue;         /* 0 … 1 */
  float outline;           /* 0: none … 1: drawn edges at depth steps */
  float ambient_occlusion; /* 0 … 1 */
  float shadow;            /* 0 … 1: of the light's share that a shadow takes */
  float light_turn;        /* where the light comes from, degrees: 0 from the viewer, 90 from the right … */
  float light_tilt;        /* … and 90 from above */
  float brightness;        /* of all light; 1: as usual */
  gboolean legend, axes, scale_bar;
  gboolean legend_notes; /* what the values hold for stands under the legend */
  gboolean
      color_legend; /* colours that are known by heart (elements, types of residues, structure) have one, too */
  DebyeLookPlace legend_place, axes_place, scale_bar_place;
  DebyeLookBar color_bar;
  guint32 own;        /* a bit for each row of look_settings.h that a person set */
  double font_size;   /* logical pixels */
  int samples;        /* multisampling: 0 picks (off on software GL) */
  const char *preset; /* that it began with, and whether dark; NULL: none */
  gboolean is_dark;
} DebyeLook;

/* "screen", "figure", "projector"; and light or dark for "screen". */
void debye_look_preset(DebyeLook *look, const char *preset, gboolean dark);

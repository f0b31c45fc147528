/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli render; used by command_render.c. */
#pragma once

#include "data/settings/setting.h"
#include "data/trajectory/placing.h"
#include "render/scene/camera_path.h"

typedef enum {
  DEBYE_WATER_AUTO,
  DEBYE_WATER_SHOW,
  DEBYE_WATER_HIDE,
} DebyeWater;

typedef enum {
  DEBYE_VIEW_FRONT,
  DEBYE_VIEW_BACK,
  DEBYE_VIEW_LEFT,
  DEBYE_VIEW_RIGHT,
  DEBYE_VIEW_TOP,
  DEBYE_VIEW_BOTTOM,
} DebyeRenderView;

/* Of the picture; options of layers are read by their kinds (app/scene/layer_options.h), those of the look by
 * render/scene/look_settings.h. Texts are the request's. */
typedef struct {
  const char *select;
  gboolean has_select;
  DebyeWater water;
  DebyePlacing molecules;
  gboolean electrostatic, has_molecules;
  const char *size, *frames, *orbit;
  const char *map, *plot;               /* files; NULL: none */
  const char *layers, *title, *caption; /* a line each; NULL: none */
  gboolean has_frames;
  double scale, dpi, text_size; /* text in points */
  gboolean has_dpi, has_text_size;
  gint64 samples, pictures;
  const char *rate;
  int codec; /* of debye_film_codecs */
  gboolean has_scale, has_pictures;
  gboolean transparent;
  int preset; /* of debye_render_presets */
  gboolean has_preset;
  DebyeRenderView view;
  gboolean has_view;
  double zoom, turn; /* turn in degrees */
  DebyeTurnAxis turn_axis;
  const char *cameras; /* NULL: none */
  double title_time;   /* seconds */
  gboolean has_title_time;
  gboolean has_turn;
} DebyeRenderSettings;

extern const DebyeChoice debye_render_presets[];

/* The settings of the picture, those of all kinds of layers and those of the look. */
const DebyeSettingTable *debye_render_settings_get(void);

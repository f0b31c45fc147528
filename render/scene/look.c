/* SPDX-License-Identifier: MIT */
/* The presets of a picture's look (background, outlines, occlusion, overlay), for both programs. */
#include "look.h"

/* Over the left shoulder of the viewer. */
#define USUAL_LIGHT .light_turn = -25.66f, .light_tilt = 28.42f, .brightness = 1.0f

static const DebyeLook screen_dark = {
    .background = {0.078f, 0.086f, 0.102f, 1.0f},
    .depth_cue = 0.55f,
    .outline = 0.25f,
    .ambient_occlusion = 0.75f,
    USUAL_LIGHT,
    .legend = TRUE,
    .legend_notes = TRUE,
    .axes = TRUE,
    .scale_bar = TRUE,
    .font_size = 11.0,
};
static const DebyeLook screen_light = {
    .background = {0.965f, 0.965f, 0.96f, 1.0f},
    .depth_cue = 0.45f,
    .outline = 0.3f,
    .ambient_occlusion = 0.75f,
    USUAL_LIGHT,
    .legend = TRUE,
    .legend_notes = TRUE,
    .axes = TRUE,
    .scale_bar = TRUE,
    .font_size = 11.0,
};
static const DebyeLook figure = {
    .background = {1.0f, 1.0f, 1.0f, 1.0f},
    .depth_cue = 0.2f,
    .outline = 0.85f,
    .ambient_occlusion = 0.6f,
    USUAL_LIGHT,
    .legend = TRUE,
    .legend_notes = TRUE,
    .axes = FALSE,
    .scale_bar = TRUE,
    .font_size = 12.0,
};
static const DebyeLook projector = {
    .background = {0.0f, 0.0f, 0.0f, 1.0f},
    .depth_cue = 0.35f,
    .outline = 0.5f,
    .ambient_occlusion = 0.6f,
    USUAL_LIGHT,
    .legend = TRUE,
    .legend_notes = TRUE,
    .axes = TRUE,
    .scale_bar = TRUE,
    .font_size = 20.0,
};

void
debye_look_preset(DebyeLook *look, const char *preset, gboolean dark)
{
  static const struct {
    const char *name;
    const DebyeLook *light, *dark;
  } presets[] = {{"screen", &screen_light, &screen_dark},
                 {"figure", &figure, &figure},
                 {"projector", &projector, &projector}};
  gsize i = 0;
  for (gsize k = 1; k < G_N_ELEMENTS(presets); k++)
    i = g_strcmp0(preset, presets[k].name) == 0 ? k : i;
  *look = dark ? *presets[i].dark : *presets[i].light;
  look->preset = presets[i].name;
  look->is_dark = dark;
}

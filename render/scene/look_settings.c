/* SPDX-License-Identifier: MIT */
/* The table of looks; called by debye-cli render, sessions and the window's controls of the look. */
#include "look_settings.h"

#include <string.h>

#include "color_words.h"
#include "data/files/error.h"

/* Each with the number of its DebyeLookPlace. */
static const DebyeChoice places[] = {
    {"auto", "Automatic", "the usual corner"},
    {"top-left", "Top left", "upper left corner"},
    {"top-right", "Top right", "upper right corner"},
    {"bottom-left", "Bottom left", "lower left corner"},
    {"bottom-right", "Bottom right", "lower right corner"},
    {NULL, NULL, NULL},
};
static const int place_numbers[] = {DEBYE_PLACE_USUAL, DEBYE_PLACE_TOP_LEFT, DEBYE_PLACE_TOP_RIGHT,
                                    DEBYE_PLACE_BOTTOM_LEFT, DEBYE_PLACE_BOTTOM_RIGHT};

/* Each with the number of the camera's `perspective`. */
static const DebyeChoice projections[] = {
    {"orthographic", "Orthographic", "the same scale at every depth"},
    {"perspective", "Perspective", "near objects are larger"},
    {NULL, NULL, NULL},
};

static const DebyeChoice bars[] = {
    {"upright", "Upright", "the largest value at the top"},
    {"horizontal", "Horizontal", "the largest value at the right"},
    {NULL, NULL, NULL},
};

#define NUMBER .kind = DEBYE_SETTING_NUMBER
#define OF_LOOK(name) .member = G_STRUCT_OFFSET(DebyeLook, name)
#define OF_CAMERA(name) .member = G_STRUCT_OFFSET(DebyeCamera, name), .of_camera = TRUE

static const DebyeLookSetting settings[] = {
    {{.key = "background",
      .label = "Background",
      .kind = DEBYE_SETTING_TEXT,
      .help = "colour of the background, white or #14161a; default: by preset"},
     OF_LOOK(background)},
    {{.key = "projection",
      .label = "Projection",
      .kind = DEBYE_SETTING_CHOICE,
      .choices = projections,
      .help = "projection; default: orthographic in figures, else perspective"},
     OF_CAMERA(perspective)},
    {{.key = "field-of-view",
      .label = "Field of view",
      NUMBER,
      .minimum = 1.0,
      .maximum = 120.0,
      .unit = "degrees",
      .help = "vertical angle of a perspective view"},
     OF_CAMERA(field_of_view)},
    {{.key = "ambient-occlusion",
      .label = "Ambient occlusion",
      NUMBER,
      .minimum = 0.0,
      .maximum = 1.0,
      .help = "darkening of pockets and gaps, from 0 to 1; default: by preset"},
     OF_LOOK(ambient_occlusion)},
    {{.key = "outline",
      .label = "Outline",
      NUMBER,
      .minimum = 0.0,
      .maximum = 1.0,
      .help = "strength of the lines around shapes, from 0 to 1; default: by preset"},
     OF_LOOK(outline)},
    {{.key = "shadow",
      .label = "Shadow",
      NUMBER,
      .minimum = 0.0,
      .maximum = 1.0,
      .help = "strength of the shadows that opaque layers cast, from 0 to 1; default: 0"},
     OF_LOOK(shadow)},
    {{.key = "depth-cue",
      .label = "Depth cue",
      NUMBER,
      .minimum = 0.0,
      .maximum = 1.0,
      .help = "fading of distant objects into the background, from 0 to 1; default: by preset"},
     OF_LOOK(depth_cue)},
    {{.key = "light-turn",
      .label = "Light from the side",
      NUMBER,
      .minimum = -180.0,
      .maximum = 180.0,
      .unit = "degrees",
      .help = "direction of the light: 0 from the viewer, 90 from the right; default: -25.66"},
     OF_LOOK(light_turn)},
    {{.key = "light-tilt",
      .label = "Light from above",
      NUMBER,
      .minimum = -90.0,
      .maximum = 90.0,
      .unit = "degrees",
      .help = "elevation of the light: 90 from above; default: 28.42"},
     OF_LOOK(light_tilt)},
    {{.key = "brightness",
      .label = "Brightness",
      NUMBER,
      .minimum = 0.0,
      .maximum = 3.0,
      .help = "brightness of the light and its surroundings; default: 1"},
     OF_LOOK(brightness)},
    {{.key = "legend",
      .label = "Legend",
      .kind = DEBYE_SETTING_BOOLEAN,
      .help = "legend and colour bar; default: by preset"},
     OF_LOOK(legend)},
    {{.key = "color-legend",
      .label = "Legend of colours",
      .kind = DEBYE_SETTING_BOOLEAN,
      .help = "add a legend of the colours of elements, residue types and secondary structure"},
     OF_LOOK(color_legend)},
    {{.key = "legend-place",
      .label = "Place of the legend",
      .kind = DEBYE_SETTING_CHOICE,
      .choices = places,
      .choice_numbers = place_numbers,
      .help = "corner of the legend and colour bar; default: top-right"},
     OF_LOOK(legend_place)},
    {{.key = "color-bar",
      .label = "Colour bars",
      .kind = DEBYE_SETTING_CHOICE,
      .choices = bars,
      .help = "direction of colour bars; default: upright"},
     OF_LOOK(color_bar)},
    {{.key = "axes",
      .label = "Axes",
      .kind = DEBYE_SETTING_BOOLEAN,
      .help = "axes cross; default: by preset"},
     OF_LOOK(axes)},
    {{.key = "axes-place",
      .label = "Place of the axes",
      .kind = DEBYE_SETTING_CHOICE,
      .choices = places,
      .choice_numbers = place_numbers,
      .help = "corner of the axes; default: bottom-left"},
     OF_LOOK(axes_place)},
    {{.key = "scale-bar",
      .label = "Scale bar",
      .kind = DEBYE_SETTING_BOOLEAN,
      .help = "scale bar, a length in Å; default: by preset"},
     OF_LOOK(scale_bar)},
    {{.key = "scale-bar-place",
      .label = "Place of the scale bar",
      .kind = DEBYE_SETTING_CHOICE,
      .choices = places,
      .choice_numbers = place_numbers,
      .help = "corner of the scale bar; default: bottom-left"},
     OF_LOOK(scale_bar_place)},
    {{.key = "legend-notes",
      .label = "Notes under the legend",
      .kind = DEBYE_SETTING_BOOLEAN,
      .help =
          "conditions of the values, such as the solvent, under the colour bar; default: yes, but not with "
          "a size in mm"},
     OF_LOOK(legend_notes)},
};
G_STATIC_ASSERT(G_N_ELEMENTS(settings) <= 32); /* a bit of `own` each */

const DebyeLookSetting *
debye_look_settings(gsize *n_settings)
{
  *n_settings = G_N_ELEMENTS(settings);
  return settings;
}

const DebyeLookSetting *
debye_look_setting_find_key(const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    if (g_str_equal(settings[i].option.key, key))
      return &settings[i];
  return NULL;
}

void
debye_look_settings_append(GArray *options)
{
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    g_array_append_val(options, settings[i].option);
}

gpointer
debye_look_setting_find(const DebyeLookSetting *setting, DebyeScene *scene)
{
  return setting->of_camera ? G_STRUCT_MEMBER_P(debye_scene_get_camera(scene), setting->member)
                            : G_STRUCT_MEMBER_P(debye_scene_get_look(scene), setting->member);
}

/* --- Setting --- */

static guint32
get_bit(const DebyeLookSetting *setting)
{
  return 1u << (setting - settings);
}

static gboolean
set_color(float color[4], const char *text, GError **error)
{
  guint32 rgb;
  if (!debye_color_parse(text, &rgb))
    return debye_error_set(error, DEBYE_ERROR_SETTING,
                           "expected a colour, #rrggbb or a name such as white, found “%s”", text);
  for (int i = 0; i < 3; i++)
    color[i] = (float)(rgb >> (16 - 8 * i) & 0xff) / 255.0f;
  color[3] = 1.0f;
  return TRUE;
}

static int
find_choice(const DebyeSetting *option, const char *text)
{
  int i = 0;
  while (option->choices[i].value != NULL && !g_str_equal(option->choices[i].value, text))
    i++;
  return option->choice_numbers != NULL && option->choices[i].value != NULL ? option->choice_numbers[i] : i;
}

gboolean
debye_look_setting_set(const DebyeLookSetting *setting, DebyeScene *scene, const char *text, GError **error)
{
  gpointer value = debye_look_setting_find(setting, scene);
  if (!debye_setting_check(&setting->option, text, error))
    return FALSE;
  switch (setting->option.kind) {
  case DEBYE_SETTING_NUMBER:
    *(float *)value = (float)g_ascii_strtod(text, NULL);
    break;
  case DEBYE_SETTING_BOOLEAN:
    debye_setting_parse_boolean(text, value);
    break;
  case DEBYE_SETTING_CHOICE:
    *(int *)value = find_choice(&setting->option, text);
    break;
  default:
    if (!set_color(value, text, error))
      return FALSE;
  }
  debye_scene_get_look(scene)->own |= get_bit(setting);
  debye_scene_changed(scene);
  return TRUE;
}

/* --- Keeping --- */

static gsize
get_size(const DebyeSetting *option)
{
  return option->kind == DEBYE_SETTING_TEXT ? 4 * sizeof(float) : sizeof(int);
}

void
debye_look_setting_edit(const DebyeLookSetting *setting, DebyeScene *scene)
{
  g_signal_emit_by_name(scene, "edit-look", setting);
}

void
debye_look_settings_reset(DebyeScene *scene)
{
  gsize n_settings;
  const DebyeLookSetting *list = debye_look_settings(&n_settings);
  const guint32 own = debye_scene_get_look(scene)->own;
  g_signal_emit_by_name(scene, "reset-look", TRUE);
  for (gsize i = 0; i < n_settings; i++)
    if ((own >> i & 1) != 0 && !list[i].of_camera) {
      debye_look_setting_edit(&list[i], scene);
      debye_look_setting_reset(&list[i], scene);
    }
  g_signal_emit_by_name(scene, "reset-look", FALSE);
}

void
debye_look_setting_keep(const DebyeLookSetting *setting, DebyeScene *scene, DebyeLookValue *value)
{
  const DebyeLook *look = debye_scene_get_look(scene);
  *value = (DebyeLookValue){
      .is_own = (look->own & get_bit(setting)) != 0, .preset = look->preset, .is_dark = look->is_dark};
  memcpy(value->bytes, debye_look_setting_find(setting, scene), get_size(&setting->option));
}

void
debye_look_setting_bring_back(const DebyeLookSetting *setting, DebyeScene *scene, const DebyeLookValue *value)
{
  DebyeLook *look = debye_scene_get_look(scene), fresh;
  const gsize size = get_size(&setting->option);
  const gboolean is_other = g_strcmp0(look->preset, value->preset) != 0 || look->is_dark != value->is_dark;
  memcpy(debye_look_setting_find(setting, scene), value->bytes, size);
  if (!value->is_own && is_other && !setting->of_camera) {
    debye_look_preset(&fresh, look->preset, look->is_dark);
    memcpy(debye_look_setting_find(setting, scene), G_STRUCT_MEMBER_P(&fresh, setting->member), size);
  }
  look->own = value->is_own ? look->own | get_bit(setting) : look->own & ~get_bit(setting);
  debye_scene_changed(scene);
}

void
debye_look_setting_reset(const DebyeLookSetting *setting, DebyeScene *scene)
{
  /* Of no preset, so that the scene's is asked. */
  const DebyeLookValue none = {.preset = NULL};
  if (!setting->of_camera)
    debye_look_setting_bring_back(setting, scene, &none);
}

/* --- Presets --- */

void
debye_look_settings_change_preset(DebyeScene *scene, const char *preset, gboolean dark)
{
  DebyeLook *look = debye_scene_get_look(scene), before = *look;
  debye_look_preset(look, preset, dark);
  look->own = before.own;
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    if ((look->own >> i & 1) != 0 && !settings[i].of_camera)
      memcpy(G_STRUCT_MEMBER_P(look, settings[i].member), G_STRUCT_MEMBER_P(&before, settings[i].member),
             get_size(&settings[i].option));
  debye_scene_changed(scene);
}

void
debye_look_settings_change_paper(DebyeScene *scene, const char *preset, gboolean dark)
{
  static const char *const of_paper[] = {"background", "outline"};
  for (gsize i = 0; i < G_N_ELEMENTS(of_paper); i++)
    debye_scene_get_look(scene)->own &= ~(1u << (debye_look_setting_find_key(of_paper[i]) - settings));
  debye_look_settings_change_preset(scene, preset, dark);
}

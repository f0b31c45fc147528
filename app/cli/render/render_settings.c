/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli render, used by command_render.c; a scene file has the same keys. */
#include "render_settings.h"

#include "app/analysis/driver/common_settings.h"
#include "app/scene/film_file.h"
#include "app/scene/layer_options.h"
#include "render/scene/look_settings.h"
#include "render/scene/picture_size.h"

static const DebyeChoice waters[] = {
    {"auto", "Automatic", "thin, hidden if there is a lot of it"},
    {"show", "Shown", "thin, whatever the amount"},
    {"hide", "Hidden", "not drawn"},
    {NULL, NULL, NULL},
};

const DebyeChoice debye_render_presets[] = {
    {"figure", "Figure", "white, outlined, orthographic: for print"},
    {"screen", "Screen", "dark, depth-cued"},
    {"projector", "Projector", "large type, strong contrast"},
    {NULL, NULL, NULL},
};

static const DebyeChoice views[] = {
    {"front", "Front", "against the z axis, y up"},
    {"back", "Back", "along the z axis"},
    {"left", "Left", "along the x axis"},
    {"right", "Right", "against the x axis"},
    {"top", "Top", "against the y axis"},
    {"bottom", "Bottom", "along the y axis"},
    {NULL, NULL, NULL},
};

static const DebyeChoice turn_axes[] = {
    {"upright", "Upright", "about the vertical, as on a turntable"},
    {"level", "Level", "about the horizontal: tumbling"},
    {"sight", "Line of sight", "about the line of sight: rolling"},
    {NULL, NULL, NULL},
};

/* What of a molecule is drawn. The options of layers follow. */
static const DebyeSetting molecule_settings[] = {
    {DEBYE_SETTING_SELECT_ROW("atoms to draw"), DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, select)},
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    {.key = "water",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, water),
     .label = "Water",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "auto",
     .choices = waters,
     .help = "display of the water around a solute"},
    {.key = "electrostatic",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, electrostatic),
     .label = "Electrostatic surface",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "solvent-excluded surface of the solute in the colours of the potential 1.4 Å outside it, from "
             "−5 to 5 kT/e, by Poisson-Boltzmann unless --method or --map is given"},
    {.key = "layer",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, layers),
     .label = "Layer",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help =
         "layer in place of the usual ones: ATOMS: STYLE, PROPERTY VALUE, …, as in 'protein: cartoon, chain, "
         "opacity 0.5'"},
    {.key = "molecules",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, molecules),
     .label = "Molecules",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "file",
     .choices = debye_placing_choices,
     .help = "display of molecules that the cell cuts; without the option, chains are drawn whole unless a "
             "map is drawn; maps use the frame as the file has it"},
};

static const DebyeSetting picture_settings[] = {
    {.key = "map",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, map),
     .label = "Map",
     .kind = DEBYE_SETTING_TEXT,
     .help = "map file (.dx, .cube, .ccp4, .h5); default: computed, if a surface or slice needs one"},
    {.key = "size",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, size),
     .label = "Size",
     .kind = DEBYE_SETTING_TEXT,
     .unit = "pixels",
     .initial = "1280x800",
     .help = "size of the picture: WIDTHxHEIGHT in pixels, or in mm, 89x66mm"},
    {.key = "dpi",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, dpi),
     .label = "Resolution",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = DEBYE_PICTURE_MIN_DPI,
     .maximum = DEBYE_PICTURE_MAX_DPI,
     .unit = "dots per inch",
     .help =
         "resolution for a size in mm, also stated in the file; default: 300 for a size in mm, else by the "
         "scale"},
    {.key = "text-size",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, text_size),
     .label = "Size of text",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = DEBYE_PICTURE_MIN_TEXT,
     .maximum = DEBYE_PICTURE_MAX_TEXT,
     .unit = "points",
     .help = "size of text in the finished picture, independent of the width of lines; default: 7 for a size "
             "in mm, else by preset"},
    {.key = "scale",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, scale),
     .label = "Scale",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.25,
     .maximum = 16.0,
     .help = "size of text and lines, in pixels per logical pixel; default: the width in pixels over 1280, "
             "at least 1; for a size in mm, 96 logical pixels per inch"},
    {.key = "frames",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, frames),
     .label = "Frames",
     .kind = DEBYE_SETTING_FRAMES,
     .initial = "0",
     .help = "frames to draw; several make a series of numbered pictures"},
    {.key = "transparent",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, transparent),
     .label = "Transparent",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "transparent background"},
    {.key = "samples",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, samples),
     .label = "Samples",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 0,
     .maximum = 32,
     .initial = "4",
     .help = "samples per pixel, for smooth edges; 0: chosen by the renderer"},
    {.key = "preset",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, preset),
     .label = "Preset",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "figure",
     .choices = debye_render_presets,
     .help = "style of the picture; also nature, acs, aps, poster, slide-dark, one of your own or a file, "
             "for its size and texts"},
    {.key = "view",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, view),
     .label = "View",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "front",
     .choices = views,
     .help = "direction of view; default if all slices are edge-on from the front: right or top"},
    {.key = "orbit",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, orbit),
     .label = "Orbit",
     .kind = DEBYE_SETTING_TEXT,
     .unit = "degrees",
     .help = "rotation about the vertical and tilt, starting from the direction of view: TURN,TILT"},
    {.key = "camera",
     .label = "Camera",
     .kind = DEBYE_SETTING_TEXT,
     .help = "file with the camera: read if it exists, else written; --view replaces its direction, --orbit "
             "and --zoom start from it"},
    {.key = "zoom",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, zoom),
     .label = "Zoom",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.01,
     .maximum = 100.0,
     .initial = "1",
     .help = "1: the scene fills the picture"},
    {.key = "turn",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, turn),
     .label = "Turn",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = -36000.0,
     .maximum = 36000.0,
     .unit = "degrees",
     .help = "total rotation over a series; 360 loops seamlessly"},
    {.key = "turn-axis",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, turn_axis),
     .label = "Axis of the turn",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "upright",
     .choices = turn_axes,
     .help = "axis of the rotation"},
    {.key = "cameras",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, cameras),
     .label = "Cameras",
     .kind = DEBYE_SETTING_TEXT,
     .help = "path of the camera in a series: TURN,TILT,ZOOM; TURN,TILT,ZOOM; … from the view; views: "
             "through the views that a session keeps"},
    {.key = "pictures",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, pictures),
     .label = "Pictures",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 100000,
     .help =
         "number of pictures in the series; default: one per frame, or 120 if a turn, a path or a session's "
         "vibration shows one frame"},
    {.key = "rate",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, rate),
     .label = "Rate",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "25",
     .help = "frames per second of a movie (.webm, .mp4, .gif), exactly: 25, 29.97 or 30000/1001"},
    {.key = "codec",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, codec),
     .label = "Codec",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "auto",
     .choices = debye_film_codecs,
     .help = "encoding of a movie, if GStreamer supports it"},
    {.key = "title",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, title),
     .label = "Title",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "title on a card before a movie; further ones are smaller lines below it, such as authors; *t*, "
             "**t**, H_{2}O and Å^{−1} are set as such"},
    {.key = "title-time",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeRenderSettings, title_time),
     .label = "Duration of the title",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 60.0,
     .unit = "s",
     .initial = "3",
     .help = "duration of the title, which fades into the first picture"},
    {.key = "caption",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, caption),
     .label = "Caption",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "caption of a movie: FROM-TO: TEXT, in seconds from the first picture after the title, such as "
             "'2-5.5: The pocket opens'; FROM and TO may be left out"},
    {.key = "plot",
     DEBYE_SETTING_MEMBER(DebyeRenderSettings, plot),
     .label = "Plot",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "plot beside the view with a mark at the frame that is shown: a result (.h5) over time or frames, "
         "with its quantity after a colon, or a file of curves (.csv, .dat)"},
    {.key = "scene",
     .label = "Scene",
     .kind = DEBYE_SETTING_TEXT,
     .help = "scene file: these settings, and operands under “files”"},
};

/* Made once, as the kinds of layers are known when the program runs. */
const DebyeSettingTable *
debye_render_settings_get(void)
{
  static DebyeSettingTable table = {
      .id = "render", .title = "Picture", .question = "What does it look like?"};
  static GArray *settings;
  if (settings == NULL) {
    settings = g_array_new(FALSE, FALSE, sizeof(DebyeSetting));
    g_array_append_vals(settings, molecule_settings, G_N_ELEMENTS(molecule_settings));
    debye_layer_options_append(settings);
    debye_look_settings_append(settings);
    g_array_append_vals(settings, picture_settings, G_N_ELEMENTS(picture_settings));
    table.settings = (const DebyeSetting *)(gpointer)settings->data;
    table.n_settings = settings->len;
  }
  return &table;
}

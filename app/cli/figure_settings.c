/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli figure; used by command_figure.c. */
#include "figure_settings.h"

#include "plot_output.h"
#include "render/look/plot_look.h"

#define POINTS_PER_MILLIMETRE (72.0 / 25.4)

static const DebyeChoice letters[] = {
    {"small", "a, b, c", "small letters, bold"},
    {"large", "A, B, C", "capital letters, bold"},
    {"none", "None", "no letters"},
    {NULL, NULL, NULL},
};

typedef struct {
  gint64 columns;
  double width, gap; /* mm */
  double ratio, dpi, scale;
  DebyeFigureLetters letters;
  gboolean has_letters, caption, dark, outlines, has_text_size, has_line_width;
  double text_size, line_width;
  const char *size;
} Settings;

static const DebyeSetting settings[] = {
    {.key = "preset",
     .label = "Preset",
     .kind = DEBYE_SETTING_TEXT,
     .help = "sizes, texts and lines by a preset: nature, acs, aps, poster, slide-dark, one of your own or a "
             "file; the command line takes precedence"},
    {.key = "columns",
     DEBYE_SETTING_MEMBER(Settings, columns),
     .label = "Columns",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = DEBYE_MAX_PANELS,
     .initial = "2",
     .help = "panels per row"},
    {.key = "width",
     DEBYE_SETTING_MEMBER(Settings, width),
     .label = "Width",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 20,
     .maximum = 2000,
     .unit = "mm",
     .initial = "183",
     .help = "width of the page; two columns of a journal are 183 wide, one is 89"},
    {.key = "size",
     DEBYE_SETTING_MEMBER(Settings, size),
     .label = "Size of the page",
     .kind = DEBYE_SETTING_TEXT,
     .help = "WIDTHxHEIGHT of the page in mm (183x120mm), or in pixels (1920x1080), in place of width and "
             "ratio; default: none"},
    {.key = "ratio",
     DEBYE_SETTING_MEMBER(Settings, ratio),
     .label = "Height by width",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 10,
     .initial = "0.75",
     .help = "height of each panel divided by its width"},
    {.key = "gap",
     DEBYE_SETTING_MEMBER(Settings, gap),
     .label = "Gap",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0,
     .maximum = 100,
     .unit = "mm",
     .initial = "3.5",
     .help = "space between panels"},
    {.key = "dpi",
     DEBYE_SETTING_MEMBER(Settings, dpi),
     .label = "Resolution",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 36,
     .maximum = 2400,
     .unit = "dots per inch",
     .initial = "300",
     .help = "resolution of rendered scenes, and of the whole page as .png; plots in a .pdf have no pixels"},
    {.key = "letters",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, letters),
     .label = "Letters",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "small",
     .choices = letters,
     .help = "letters at the corners of the panels; by default small ones, and none on a single panel"},
    {.key = "caption",
     DEBYE_SETTING_MEMBER(Settings, caption),
     .label = "Captions",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "captions below plots: normalisation and frames"},
    {.key = "dark",
     DEBYE_SETTING_MEMBER(Settings, dark),
     .label = "Dark page",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "light texts and lines on a dark page"},
    {.key = "outlines",
     DEBYE_SETTING_MEMBER(Settings, outlines),
     .label = "Texts as outlines",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "texts of .svg and .pdf as shapes, for programs without the font"},
    {.key = "scale",
     DEBYE_SETTING_MEMBER(Settings, scale),
     .label = "Scale",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.25,
     .maximum = 8,
     .initial = "1",
     .help = "size of texts and lines"},
    {.key = "text-size",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, text_size),
     .label = "Size of text",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1,
     .maximum = 200,
     .unit = "points",
     .help = "size of the largest text of plots and views on the page, independent of the width of lines; "
             "default: 9.5 times the scale, less in panels of under 76 mm"},
    {.key = "line-width",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, line_width),
     .label = "Width of lines",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 20,
     .unit = "points",
     .help = "width of the axes' lines; those of curves in proportion; default: 0.6 times the scale"},
    DEBYE_PLOT_LOOK_ENTRIES,
    DEBYE_PLOT_LOOK_SECOND_ENTRIES,
};

const DebyeSettingTable debye_figure_settings = {
    .id = "figure",
    .title = "Figure",
    .question = "How do the panels stand on the page?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

gboolean
debye_figure_style_from_request(DebyeFigureStyle *style, DebyeRequest *request, GError **error)
{
  Settings found;
  debye_request_fill(request, &found);
  *style = (DebyeFigureStyle){
      .width = POINTS_PER_MILLIMETRE * found.width,
      .ratio = found.ratio,
      .gap = POINTS_PER_MILLIMETRE * found.gap,
      .dpi = found.dpi,
      .scale = found.scale,
      .columns = (int)found.columns,
      .letters = found.letters,
      .letter_alone = found.has_letters,
      .captions = found.caption,
      .dark = found.dark,
      .outlines = found.outlines,
      .line_width = found.has_line_width ? found.line_width : 0.0,
      .text_size = found.has_text_size ? found.text_size : 0.0,
  };
  return found.size == NULL ||
         debye_plot_size_parse(found.size, style->dpi, &style->width, &style->height, error);
}

/* --- Panels --- */

const char *
debye_figure_split_quantity(char *path)
{
  char *colon = g_file_test(path, G_FILE_TEST_EXISTS) ? NULL : strrchr(path, ':');
  if (colon == NULL)
    return NULL;
  *colon = '\0';
  return colon + 1;
}

/* Whether it is a file, or a quantity of one. */
static gboolean
names_file(const char *part)
{
  g_autofree char *path = g_strdup(part);
  debye_figure_split_quantity(path);
  return g_file_test(path, G_FILE_TEST_EXISTS);
}

char **
debye_figure_split_files(const char *operand)
{
  g_auto(GStrv) words = g_strsplit(operand, "+", -1);
  g_autoptr(GStrvBuilder) files = g_strv_builder_new();
  g_autofree char *part = NULL;
  if (*words == NULL)
    g_strv_builder_add(files, operand);
  for (char **word = words; *word != NULL; word++) {
    char *longer = part != NULL ? g_strconcat(part, "+", *word, NULL) : g_strdup(*word);
    g_free(part);
    part = longer;
    if (!names_file(part) && word[1] != NULL)
      continue;
    g_strv_builder_add(files, part);
    g_clear_pointer(&part, g_free);
  }
  return g_strv_builder_end(files);
}

const char *
debye_figure_split_style(char *operand)
{
  char *at = g_file_test(operand, G_FILE_TEST_EXISTS) ? NULL : strrchr(operand, '@');
  if (at == NULL || !g_file_test(at + 1, G_FILE_TEST_IS_REGULAR))
    return NULL;
  *at = '\0';
  return at + 1;
}

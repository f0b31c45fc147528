/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli figure; used by command_figure.c. */
#include "figure_settings.h"

#include <string.h>

#define POINTS_PER_MILLIMETRE (72.0 / 25.4)

static const DebyeChoice letters[] = {
    {"small", "a, b, c", "small letters, bold"},
    {"large", "A, B, C", "capital letters, bold"},
    {"none", "None", "no letters"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "columns",
     .label = "Columns",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = DEBYE_MAX_PANELS,
     .initial = "2",
     .help = "panels beside one another"},
    {.key = "width",
     .label = "Width",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 20,
     .maximum = 2000,
     .unit = "mm",
     .initial = "183",
     .help = "of the page; two columns of a journal are 183 wide, one is 89"},
    {.key = "ratio",
     .label = "Height by width",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 10,
     .initial = "0.75",
     .help = "of each panel"},
    {.key = "gap",
     .label = "Gap",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0,
     .maximum = 100,
     .unit = "mm",
     .initial = "3.5",
     .help = "between panels"},
    {.key = "dpi",
     .label = "Resolution",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 36,
     .maximum = 2400,
     .unit = "dots per inch",
     .initial = "300",
     .help = "of pictures of scenes, and of the whole where it is a .png; plots in a .pdf have no pixels"},
    {.key = "letters",
     .label = "Letters",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "small",
     .choices = letters,
     .help = "at the panels' corners"},
    {.key = "scale",
     .label = "Scale",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.25,
     .maximum = 8,
     .initial = "1",
     .help = "size of texts and lines"},
};

const DebyeSettingTable debye_figure_settings = {
    .id = "figure",
    .title = "Figure",
    .question = "How do the panels stand on the page?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

static DebyeFigureLetters
parse_letters(const char *text)
{
  for (int i = 0; letters[i].value != NULL; i++)
    if (strcmp(letters[i].value, text) == 0)
      return (DebyeFigureLetters)i;
  return DEBYE_LETTERS_SMALL;
}

void
debye_figure_style_from_request(DebyeFigureStyle *style, DebyeRequest *request)
{
  *style = (DebyeFigureStyle){
      .width = POINTS_PER_MILLIMETRE * debye_request_get_number(request, "width"),
      .ratio = debye_request_get_number(request, "ratio"),
      .gap = POINTS_PER_MILLIMETRE * debye_request_get_number(request, "gap"),
      .dpi = debye_request_get_number(request, "dpi"),
      .scale = debye_request_get_number(request, "scale"),
      .columns = (int)debye_request_get_integer(request, "columns"),
      .letters = parse_letters(debye_request_get(request, "letters")),
  };
}

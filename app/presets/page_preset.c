/* SPDX-License-Identifier: MIT */
/* Implementation of page_preset.h; called by the figure dialog's window. */
#include "page_preset.h"

#include <string.h>

#include "presets.h"

#define POINTS_PER_MILLIMETRE (72.0 / 25.4)

static double
get_number(GKeyFile *file, const char *key, double unset)
{
  return g_key_file_has_key(file, "preset", key, NULL) ? g_key_file_get_double(file, "preset", key, NULL)
                                                       : unset;
}

/* Of the options that a preset has, those of a page; what it hasn't is as usual. */
static void
style_from_preset(DebyeFigureStyle *style, GKeyFile *file)
{
  g_autofree char *letters = g_key_file_get_string(file, "preset", "letters", NULL);
  g_autofree char *curve = g_key_file_get_string(file, "preset", "curve", NULL);
  style->width = POINTS_PER_MILLIMETRE * get_number(file, "width", style->width / POINTS_PER_MILLIMETRE);
  style->dpi = get_number(file, "dpi", style->dpi);
  style->text_size = get_number(file, "text-size", 0.0);
  style->line_width = get_number(file, "line-width", 0.6);
  style->curve_width =
      curve != NULL && g_str_has_prefix(curve, "*: ") ? g_ascii_strtod(curve + 3, NULL) : 0.0;
  style->dark = g_key_file_get_boolean(file, "preset", "dark", NULL);
  style->captions = g_key_file_get_boolean(file, "preset", "caption", NULL);
  style->letters = g_strcmp0(letters, "none") == 0    ? DEBYE_LETTERS_NONE
                   : g_strcmp0(letters, "large") == 0 ? DEBYE_LETTERS_LARGE
                                                      : DEBYE_LETTERS_SMALL;
}

void
debye_presets_apply_to_page(const char *name, DebyeFigureStyle *style)
{
  DebyeFigureStyle usual;
  g_autoptr(GKeyFile) file = g_key_file_new();
  g_autofree char *lines = name != NULL ? debye_presets_read(name, NULL) : NULL;
  g_autofree char *text = g_strconcat("[preset]\n", lines != NULL ? lines : "", NULL);
  g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, NULL);
  debye_figure_style_init(&usual);
  style->width = usual.width;
  style->dpi = usual.dpi;
  style_from_preset(style, file);
}

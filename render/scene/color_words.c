/* SPDX-License-Identifier: MIT */
/* Colours as people type them; called by layer_text_apply.c and look_settings.c. */
#include "color_words.h"

#include <string.h>

/* CSS Color Module Level 4, §6.1: the basic names, and two that are missed among them. */
static const struct {
  const char *name;
  guint32 color;
} names[] = {
    {"black", 0x000000},   {"silver", 0xc0c0c0}, {"gray", 0x808080}, {"grey", 0x808080},
    {"white", 0xffffff},   {"maroon", 0x800000}, {"red", 0xff0000},  {"purple", 0x800080},
    {"fuchsia", 0xff00ff}, {"green", 0x008000},  {"lime", 0x00ff00}, {"olive", 0x808000},
    {"yellow", 0xffff00},  {"navy", 0x000080},   {"blue", 0x0000ff}, {"teal", 0x008080},
    {"aqua", 0x00ffff},    {"orange", 0xffa500},
};

/* Each digit of the short form stands for two. */
static guint32
widen(guint32 color)
{
  const guint32 red = color >> 8 & 15, green = color >> 4 & 15, blue = color & 15;
  return 17 * (red << 16 | green << 8 | blue);
}

gboolean
debye_color_parse(const char *text, guint32 *color)
{
  guint64 number;
  const gsize n = strlen(text);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i].name, text)) {
      *color = names[i].color;
      return TRUE;
    }
  if (text[0] != '#' || (n != 4 && n != 7) || strspn(text + 1, "0123456789abcdefABCDEF") != n - 1 ||
      !g_ascii_string_to_unsigned(text + 1, 16, 0, 0xffffff, &number, NULL))
    return FALSE;
  *color = n == 4 ? widen((guint32)number) : (guint32)number;
  return TRUE;
}

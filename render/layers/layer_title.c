/* SPDX-License-Identifier: MIT */
/* Implementation of layer_title.h: a layer's name in the user's language, for legends and the side bar. */
#include "layer_title.h"

#include <string.h>

#include <glib/gi18n.h>

#include "data/tables/unit_text.h"
#include "overlay_text.h"

/* Names that end with what a layer was made for. */
static const char *const beginnings[] = {N_("Surface at %s"), N_("Pairs %s")};

/* "Slice 2" in the user's language; NULL: the name ends with no number, or there is no translation. */
static char *
translate_numbered(const char *name)
{
  const char *const space = strrchr(name, ' ');
  if (space == NULL || space == name || space[1] == '\0' ||
      space[1 + strspn(space + 1, "0123456789")] != '\0')
    return NULL;
  g_autofree char *beginning = g_strndup(name, (gsize)(space - name));
  const char *const translated = _(beginning);
  return translated != beginning ? g_strconcat(translated, space, NULL) : NULL;
}

char *
debye_layer_title(DebyeLayer *layer)
{
  g_return_val_if_fail(DEBYE_IS_LAYER(layer), NULL);
  const char *name = debye_layer_get_name(layer);
  for (gsize i = 0; i < G_N_ELEMENTS(beginnings); i++) {
    g_autofree char *beginning = g_strndup(beginnings[i], strlen(beginnings[i]) - strlen("%s"));
    if (g_str_has_prefix(name, beginning)) {
      g_autofree char *written = debye_unit_to_text(name + strlen(beginning));
      g_autofree char *rest = debye_overlay_text_raise_power(written);
      /* Names of files have a hyphen for the minus. */
      g_autofree char *shown =
          rest[0] == '-' && g_ascii_isdigit(rest[1]) ? g_strconcat("−", rest + 1, NULL) : g_strdup(rest);
      return g_strdup_printf(_(beginnings[i]), shown);
    }
  }
  char *numbered = translate_numbered(name);
  if (numbered != NULL)
    return numbered;
  /* The empty sentence is a catalogue's head. */
  return g_strdup(*name != '\0' ? _(name) : "");
}

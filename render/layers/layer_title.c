/* SPDX-License-Identifier: MIT */
/* Implementation of layer_title.h: a layer's name in the user's language, for legends and the side bar. */
#include "layer_title.h"

#include <string.h>

#include <glib/gi18n.h>

#include "layer_kind.h"

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
  const DebyeLayerKind *kind = DEBYE_LAYER_GET_CLASS(layer)->kind;
  char *made = kind != NULL && kind->get_title != NULL ? kind->get_title(layer) : NULL;
  if (made != NULL)
    return made;
  char *numbered = translate_numbered(name);
  if (numbered != NULL)
    return numbered;
  /* The empty sentence is a catalogue's head. */
  return g_strdup(*name != '\0' ? _(name) : "");
}

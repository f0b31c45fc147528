/* SPDX-License-Identifier: MIT */
/* Implementation of layer_title.h: a layer's name in the user's language, for legends and the side bar. */
#include "layer_title.h"

#include <glib/gi18n.h>

#include "layer_kind.h"

char *
debye_layer_title(DebyeLayer *layer)
{
  g_return_val_if_fail(DEBYE_IS_LAYER(layer), NULL);
  const char *name = debye_layer_get_name(layer);
  const DebyeLayerKind *kind = DEBYE_LAYER_GET_CLASS(layer)->kind;
  char *made = kind != NULL && kind->get_title != NULL ? kind->get_title(layer) : NULL;
  if (made != NULL)
    return made;
  const guint number = debye_layer_get_name_number(layer);
  if (kind != NULL && number > 1)
    return g_strdup_printf("%s %u", _(kind->title), number);
  /* The empty sentence is a catalogue's head. */
  return g_strdup(*name != '\0' ? _(name) : "");
}

/* SPDX-License-Identifier: MIT */
/* Implementation of layer_title.h: a layer's name in the user's language, for legends and the side bar. */
#include "layer_title.h"

#include <string.h>

#include <glib/gi18n.h>

#include "data/tables/unit_text.h"
#include "layer_kinds.h"

/* Names that end with what a layer was made for. */
static const char *const beginnings[] = {N_("Surface at %s"), N_("Pairs %s")};

/* "Slice 2" in the user's language; NULL: the name is not that of a kind with a number. */
static char *
translate_numbered(const char *name)
{
  const char *const space = strrchr(name, ' ');
  if (space == NULL || space[1] == '\0' || space[1 + strspn(space + 1, "0123456789")] != '\0')
    return NULL;
  g_autofree char *beginning = g_strndup(name, (gsize)(space - name));
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++)
    if (g_strcmp0((*kind)->title, beginning) == 0)
      return g_strconcat(_((*kind)->title), space, NULL);
  return NULL;
}

char *
debye_layer_title(DebyeLayer *layer)
{
  g_return_val_if_fail(DEBYE_IS_LAYER(layer), NULL);
  const char *name = debye_layer_get_name(layer);
  for (gsize i = 0; i < G_N_ELEMENTS(beginnings); i++) {
    g_autofree char *beginning = g_strndup(beginnings[i], strlen(beginnings[i]) - strlen("%s"));
    if (g_str_has_prefix(name, beginning)) {
      g_autofree char *rest = debye_unit_to_text(name + strlen(beginning));
      return g_strdup_printf(_(beginnings[i]), rest);
    }
  }
  char *numbered = translate_numbered(name);
  if (numbered != NULL)
    return numbered;
  /* The empty sentence is a catalogue's head. */
  return g_strdup(*name != '\0' ? _(name) : "");
}

static gboolean
is_taken(GListModel *others, DebyeLayer *layer, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items(others); i++) {
    g_autoptr(DebyeLayer) other = g_list_model_get_item(others, i);
    if (other != layer && g_strcmp0(debye_layer_get_name(other), name) == 0 &&
        g_strcmp0(debye_layer_get_source(other), debye_layer_get_source(layer)) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Names with a level or a distance change with it. */
void
debye_layer_tell_apart(DebyeLayer *layer, GListModel *others)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  if (kind == NULL || kind->get_name != NULL || g_strcmp0(debye_layer_get_name(layer), kind->title) != 0 ||
      !is_taken(others, layer, kind->title))
    return;
  for (guint number = 2;; number++) {
    g_autofree char *name = g_strdup_printf("%s %u", kind->title, number);
    if (is_taken(others, layer, name))
      continue;
    debye_layer_set_name(layer, name);
    return;
  }
}

/* SPDX-License-Identifier: MIT */
/* The layers of a picture that are given as lines; called by debye-cli's command_render.c and picture.c. */
#include "layer_texts.h"

#include "data/selection/selection.h"
#include "render/layers/shown_atoms.h"

GPtrArray *
debye_layer_texts_parse(const char *const *lines, GError **error)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func((GDestroyNotify)debye_layer_text_free);
  for (; *lines != NULL; lines++) {
    DebyeLayerText *text = debye_layer_text_parse(*lines, error);
    if (text == NULL)
      return NULL;
    g_ptr_array_add(texts, text);
  }
  return g_steal_pointer(&texts);
}

gboolean
debye_layer_texts_need_map(GPtrArray *texts)
{
  for (guint i = 0; i < texts->len; i++) {
    const DebyeLayerKind *kind = debye_layer_text_find_kind(texts->pdata[i]);
    if (kind != NULL && kind->needs == DEBYE_LAYER_NEEDS_MAP)
      return TRUE;
  }
  return FALSE;
}

/* Of the first layers of the scene, by name: lines don't change what other lines add. (element-type DebyeLayer) */
static GPtrArray *
find_named(DebyeScene *scene, guint n_layers, const char *name)
{
  GPtrArray *found = g_ptr_array_new_with_free_func(g_object_unref);
  GListModel *layers = debye_scene_get_layers(scene);
  for (guint i = 0; i < n_layers; i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (g_strcmp0(debye_layer_get_name(layer), name) == 0)
      g_ptr_array_add(found, g_steal_pointer(&layer));
  }
  return found;
}

static gboolean
change_layers(const DebyeLayerText *text, GPtrArray *layers, const DebyeLayerTextContext *context,
              GError **error)
{
  for (guint i = 0; i < layers->len; i++)
    if (!debye_layer_text_apply(text, layers->pdata[i], context, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_new(const DebyeLayerText *text, DebyeScene *scene, const DebyeLayerTextContext *context, GError **error)
{
  g_autoptr(GPtrArray) layers = debye_layer_text_build(text, context, error);
  for (guint i = 0; layers != NULL && i < layers->len; i++)
    debye_scene_add(scene, layers->pdata[i]);
  return layers != NULL;
}

gboolean
debye_layer_texts_add(GPtrArray *texts, DebyeScene *scene, const DebyeLayerTextContext *context,
                      GError **error)
{
  const guint n_before = g_list_model_get_n_items(debye_scene_get_layers(scene));
  for (guint i = 0; i < texts->len; i++) {
    const char *subject = debye_layer_text_get_subject(texts->pdata[i]);
    g_autoptr(GPtrArray) named = subject != NULL ? find_named(scene, n_before, subject) : NULL;
    if (named != NULL && named->len > 0 ? !change_layers(texts->pdata[i], named, context, error)
                                        : !add_new(texts->pdata[i], scene, context, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
follow(DebyeLayer *layer, DebyeTopology *topology, DebyeFrame *frame, GError **error)
{
  static const guint32 none[1];
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  g_autofree char *text = shown != NULL ? g_strdup(shown->selection) : NULL;
  g_autoptr(DebyeSelection) selection = text != NULL ? debye_selection_parse(text, NULL, NULL) : NULL;
  if (selection == NULL || !debye_selection_is_dynamic(selection))
    return TRUE;
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, frame, error);
  if (atoms == NULL)
    return FALSE;
  debye_layer_choose(layer, text, atoms->len > 0 ? (const guint32 *)(gpointer)atoms->data : none, atoms->len);
  return TRUE;
}

gboolean
debye_layer_texts_follow(DebyeScene *scene, DebyeTopology *topology, DebyeFrame *frame, GError **error)
{
  GListModel *layers = debye_scene_get_layers(scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!follow(layer, topology, frame, error))
      return FALSE;
  }
  return TRUE;
}

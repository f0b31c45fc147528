/* SPDX-License-Identifier: MIT */
/* The window's actions that add layers, undo and redo; added by window_actions.c. */
#include "window_controller_private.h"

#include <glib/gi18n.h>

#include "ui/scene/layer_menu.h"

static void
show_added(DebyeWindowController *self, DebyeLayer *layer)
{
  if (layer == NULL) {
    debye_window_toast(self->window, _("There is nothing to make this layer of"));
    return;
  }
  debye_layers_panel_expand(debye_window_get_layers_panel(self->window), layer);
  /* A surface is larger than a cartoon, a cell than what it holds. */
  debye_view_3d_view_new(debye_window_get_view(self->window));
}

/* The action add-KEY of a kind. */
static void
on_add(GSimpleAction *action, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  const char *name = g_action_get_name(G_ACTION(action));
  const DebyeLayerKind *kind = debye_layer_kind_find(name + strlen(DEBYE_ADD_ACTION));
  show_added(self, debye_window_scene_add(self->scene, kind));
}

static void
on_show_slice(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_show_slice(self->scene));
}

/* What changes may be out of sight. */
static void
show_taken(DebyeWindowController *self, const char *pattern, const char *name)
{
  g_autofree char *text = name != NULL ? g_strdup_printf(pattern, name) : NULL;
  if (text != NULL)
    debye_window_toast_news(self->window, text);
}

static void
on_undo(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeSceneHistory *history = debye_window_scene_get_history(self->scene);
  show_taken(self, _("Undone: %s"), debye_scene_history_get_undo_name(history));
  debye_scene_history_undo(history);
}

static void
on_redo(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeSceneHistory *history = debye_window_scene_get_history(self->scene);
  show_taken(self, _("Redone: %s"), debye_scene_history_get_redo_name(history));
  debye_scene_history_redo(history);
}

static const GActionEntry entries[] = {
    {.name = "show-slice", .activate = on_show_slice},
    {.name = "undo", .activate = on_undo},
    {.name = "redo", .activate = on_redo},
};

void
debye_window_layer_actions_add(DebyeWindowController *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self->window), entries, G_N_ELEMENTS(entries), self);
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *name = g_strconcat(DEBYE_ADD_ACTION, (*kind)->key, NULL);
    const GActionEntry entry = {.name = name, .activate = on_add};
    if ((*kind)->section > 0)
      g_action_map_add_action_entries(G_ACTION_MAP(self->window), &entry, 1, self);
  }
}

static gboolean
can_add(DebyeWindowController *self, DebyeLayerNeeds needs)
{
  switch (needs) {
  case DEBYE_LAYER_NEEDS_NOTHING:
    return self->scene != NULL;
  case DEBYE_LAYER_NEEDS_MAP:
    return self->scene != NULL && debye_window_scene_get_map(self->scene) != NULL;
  case DEBYE_LAYER_NEEDS_FRAMES:
    return debye_window_controller_count_frames(self) >= 2;
  default:
    return self->document != NULL && debye_document_get_first_frame(self->document) != NULL;
  }
}

void
debye_window_layer_actions_update(DebyeWindowController *self)
{
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *name = g_strconcat(DEBYE_ADD_ACTION, (*kind)->key, NULL);
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), name);
    if (action != NULL)
      g_simple_action_set_enabled(G_SIMPLE_ACTION(action), can_add(self, (*kind)->needs));
  }
}

/* SPDX-License-Identifier: MIT */
/* The window's actions that add layers, undo and redo; added by window_actions.c. */
#include "window_controller_private.h"

#include <glib/gi18n.h>

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

static void
on_add_atoms(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_atoms(self->scene));
}

static void
on_add_cartoon(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_cartoon(self->scene));
}

static void
on_add_molecular_surface(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED,
                         gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_molecular_surface(self->scene));
}

static void
on_add_hydrogen_bonds(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_hydrogen_bonds(self->scene));
}

static void
on_add_bins(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_bins(self->scene));
}

static void
on_add_labels(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_labels(self->scene));
}

static void
on_add_clipping_plane(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_clipping_plane(self->scene));
}

static void
on_add_alignment(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_alignment(self->scene));
}

static void
on_add_surface(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_surface(self->scene));
}

static void
on_add_slice(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_slice(self->scene));
}

static void
on_show_slice(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_show_slice(self->scene));
}

static void
on_add_box(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_box(self->scene));
}

static void
on_undo(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  debye_scene_history_undo(debye_window_scene_get_history(self->scene));
}

static void
on_redo(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  debye_scene_history_redo(debye_window_scene_get_history(self->scene));
}

static const GActionEntry entries[] = {
    {.name = "add-atoms", .activate = on_add_atoms},
    {.name = "add-cartoon", .activate = on_add_cartoon},
    {.name = "add-molecular-surface", .activate = on_add_molecular_surface},
    {.name = "add-surface", .activate = on_add_surface},
    {.name = "add-hydrogen-bonds", .activate = on_add_hydrogen_bonds},
    {.name = "add-bins", .activate = on_add_bins},
    {.name = "add-labels", .activate = on_add_labels},
    {.name = "add-clipping-plane", .activate = on_add_clipping_plane},
    {.name = "add-alignment", .activate = on_add_alignment},
    {.name = "add-slice", .activate = on_add_slice},
    {.name = "show-slice", .activate = on_show_slice},
    {.name = "add-box", .activate = on_add_box},
    {.name = "undo", .activate = on_undo},
    {.name = "redo", .activate = on_redo},
};

void
debye_window_layer_actions_add(DebyeWindowController *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self->window), entries, G_N_ELEMENTS(entries), self);
}

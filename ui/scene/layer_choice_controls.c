/* SPDX-License-Identifier: MIT */
/* The entry for the atoms that a layer shows; used by layer_settings.c. */
#include "layer_choice_controls.h"

#include "render/layers/shown_atoms.h"
#include "ui/widgets/selection_entry.h"

/* No selection and an empty one are the same, all atoms, and spaces around it choose nothing. */
static gboolean
is_same(const char *text, const char *other)
{
  g_autofree char *bare = g_strstrip(g_strdup(text != NULL ? text : ""));
  g_autofree char *other_bare = g_strstrip(g_strdup(other != NULL ? other : ""));
  return g_strcmp0(bare, other_bare) == 0;
}

static GVariant *
get_choice(DebyeLayer *layer)
{
  GVariant *choice = NULL;
  g_object_get(layer, "choice", &choice, NULL);
  return choice;
}

/* The same text again (of another frame, or brought back) is nothing that a person did. */
static void
on_selected(DebyeLayer *layer, GArray *atoms, DebyeSelectionEntry *entry)
{
  /* An empty array may have no memory, and NULL would mean all. */
  static const guint32 none[1];
  g_autoptr(GVariant) before = get_choice(layer);
  const char *text = debye_selection_entry_get_text(entry);
  const guint32 *chosen = atoms->len > 0 ? (const guint32 *)(gpointer)atoms->data : none;
  if (!is_same(text, debye_atom_choice_get_selection(before)))
    debye_layer_edit(layer, "choice");
  debye_layer_choose(layer, text, chosen, atoms->len);
}

static void
show_selection(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  g_autoptr(GVariant) choice = get_choice(layer);
  const char *text = debye_atom_choice_get_selection(choice);
  debye_selection_entry_set_text(entry, text != NULL ? text : "");
}

/* What the layer doesn't have, or doesn't have yet, only stands in the entry. */
static gboolean
undo(GtkWidget *entry, GVariant *arguments G_GNUC_UNUSED, gpointer layer)
{
  g_autoptr(GVariant) choice = get_choice(layer);
  const char *text = debye_selection_entry_get_text(DEBYE_SELECTION_ENTRY(entry));
  if (!is_same(text, debye_atom_choice_get_selection(choice)))
    show_selection(DEBYE_SELECTION_ENTRY(entry), NULL, layer);
  else
    gtk_widget_activate_action(entry, "win.undo", NULL);
  return GDK_EVENT_STOP;
}

static gboolean
redo(GtkWidget *entry, GVariant *arguments G_GNUC_UNUSED, gpointer layer G_GNUC_UNUSED)
{
  gtk_widget_activate_action(entry, "win.redo", NULL);
  return GDK_EVENT_STOP;
}

static void
add_shortcut(GtkShortcutController *keys, GdkModifierType modifiers, GtkShortcutFunc function,
             DebyeLayer *layer)
{
  GtkShortcutAction *action = gtk_callback_action_new(function, g_object_ref(layer), g_object_unref);
  gtk_shortcut_controller_add_shortcut(
      keys, gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_z, modifiers), action));
}

/* Before the text's own keys, which take these even where it has nothing to undo. */
static void
add_undo(GtkWidget *entry, DebyeLayer *layer)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  add_shortcut(GTK_SHORTCUT_CONTROLLER(keys), GDK_CONTROL_MASK, undo, layer);
  add_shortcut(GTK_SHORTCUT_CONTROLLER(keys), GDK_CONTROL_MASK | GDK_SHIFT_MASK, redo, layer);
  gtk_widget_add_controller(entry, keys);
}

static void
show_frame(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  g_autoptr(DebyeFrame) frame = NULL;
  g_object_get(layer, "frame", &frame, NULL);
  debye_selection_entry_set_frame(entry, frame);
}

static void
show_count(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  guint n_shown = 0;
  g_object_get(layer, "n-shown", &n_shown, NULL);
  debye_selection_entry_set_count(entry, n_shown);
}

/* Of layers that show more or fewer atoms with each frame. */
static void
follow_layer(DebyeSelectionEntry *entry, DebyeLayer *layer)
{
  if (debye_layer_has(layer, "frame"))
    g_signal_connect_object(layer, "notify::frame", G_CALLBACK(show_frame), entry, G_CONNECT_SWAPPED);
  if (debye_layer_has(layer, "n-shown"))
    g_signal_connect_object(layer, "notify::n-shown", G_CALLBACK(show_count), entry, G_CONNECT_SWAPPED);
}

GtkWidget *
debye_layer_choice_controls_new(DebyeLayer *layer, const char *name, DebyeTopology *topology)
{
  g_return_val_if_fail(DEBYE_IS_LAYER(layer), NULL);
  GtkWidget *entry = debye_selection_entry_new(name);
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  show_selection(DEBYE_SELECTION_ENTRY(entry), NULL, layer);
  debye_selection_entry_set_system(DEBYE_SELECTION_ENTRY(entry), topology,
                                   shown != NULL ? shown->frame : NULL);
  add_undo(entry, layer);
  g_signal_connect_object(entry, "selected", G_CALLBACK(on_selected), layer, G_CONNECT_SWAPPED);
  g_signal_connect_object(layer, "notify::choice", G_CALLBACK(show_selection), entry, G_CONNECT_SWAPPED);
  follow_layer(DEBYE_SELECTION_ENTRY(entry), layer);
  return entry;
}

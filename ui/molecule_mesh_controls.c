/* SPDX-License-Identifier: MIT */
/* The atoms of a cartoon or a molecular surface, as a selection. */
#include "molecule_mesh_controls.h"

#include <glib/gi18n.h>

#include "layer_controls.h"
#include "selection_entry.h"

static void
on_selected(DebyeMoleculeMeshLayer *layer, GArray *atoms, DebyeSelectionEntry *entry)
{
  debye_molecule_mesh_layer_set_selection(layer, debye_selection_entry_get_text(entry));
  /* An empty array may have no memory, and NULL would mean all. */
  static const guint32 none[1];
  debye_molecule_mesh_layer_set_atoms(layer, atoms->len > 0 ? (const guint32 *)atoms->data : none,
                                      atoms->len);
}

static void
on_frame(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeMoleculeMeshLayer *layer)
{
  debye_selection_entry_set_frame(entry, debye_molecule_mesh_layer_get_frame(layer));
}

static void
on_shown(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeMoleculeMeshLayer *layer)
{
  debye_selection_entry_set_count(entry, debye_molecule_mesh_layer_get_n_shown(layer));
}

void
debye_molecule_mesh_controls_add_atoms(AdwExpanderRow *row, DebyeMoleculeMeshLayer *layer,
                                       DebyeTopology *topology)
{
  GtkWidget *entry = debye_selection_entry_new(_("Atoms of this layer"));
  debye_selection_entry_set_text(DEBYE_SELECTION_ENTRY(entry),
                                 debye_molecule_mesh_layer_get_selection(layer));
  debye_selection_entry_set_system(DEBYE_SELECTION_ENTRY(entry), topology,
                                   debye_molecule_mesh_layer_get_frame(layer));
  g_signal_connect_object(entry, "selected", G_CALLBACK(on_selected), layer, G_CONNECT_SWAPPED);
  g_signal_connect_object(layer, "notify::frame", G_CALLBACK(on_frame), entry, G_CONNECT_SWAPPED);
  g_signal_connect_object(layer, "notify::n-shown", G_CALLBACK(on_shown), entry, G_CONNECT_SWAPPED);
  debye_layer_controls_add_line(row, _("Atoms"), entry);
}

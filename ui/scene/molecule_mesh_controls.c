/* SPDX-License-Identifier: MIT */
/* The entry for the atoms of a cartoon, surface or other layer made of them; used by those layers'
 * controls. */
#include "molecule_mesh_controls.h"

#include <glib/gi18n.h>

#include "layer_choice_controls.h"
#include "layer_controls.h"
#include "ui/widgets/selection_entry.h"

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
  GtkWidget *entry = debye_layer_choice_controls_new(DEBYE_LAYER(layer), _("Atoms of this layer"), topology,
                                                     debye_molecule_mesh_layer_get_frame(layer));
  g_signal_connect_object(layer, "notify::frame", G_CALLBACK(on_frame), entry, G_CONNECT_SWAPPED);
  g_signal_connect_object(layer, "notify::n-shown", G_CALLBACK(on_shown), entry, G_CONNECT_SWAPPED);
  debye_layer_controls_add_line(row, _("Atoms"), entry);
}

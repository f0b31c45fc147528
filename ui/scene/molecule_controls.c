/* SPDX-License-Identifier: MIT */
/* The controls of a layer of atoms, called by layer_controls.c: how they are drawn, by what they are
 * coloured, which they are. */
#include "layer_controls.h"

#include <glib/gi18n.h>

#include "layer_choice_controls.h"
#include "ui/widgets/selection_entry.h"

static void
on_frame(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeMoleculeLayer *layer)
{
  debye_selection_entry_set_frame(entry, debye_molecule_layer_get_frame(layer));
}

static void
on_shown(DebyeSelectionEntry *entry, GParamSpec *spec G_GNUC_UNUSED, DebyeMoleculeLayer *layer)
{
  debye_selection_entry_set_count(entry, debye_molecule_layer_get_n_shown(layer));
}

static GtkWidget *
create_selection(DebyeMoleculeLayer *layer, DebyeTopology *topology)
{
  GtkWidget *entry = debye_layer_choice_controls_new(DEBYE_LAYER(layer), _("Atoms of this layer"), topology,
                                                     debye_molecule_layer_get_frame(layer));
  g_signal_connect_object(layer, "notify::frame", G_CALLBACK(on_frame), entry, G_CONNECT_SWAPPED);
  g_signal_connect_object(layer, "notify::n-shown", G_CALLBACK(on_shown), entry, G_CONNECT_SWAPPED);
  return entry;
}

void
debye_molecule_controls_fill(AdwExpanderRow *row, DebyeMoleculeLayer *layer, DebyeTopology *topology)
{
  static const char *const styles[] = {N_("Spheres"), N_("Ball and stick"), N_("Sticks"), N_("Lines"), NULL};
  static const char *const colorings[] = {N_("Element"),  N_("Residue type"), N_("Chain"), N_("Charge"),
                                          N_("B factor"), N_("One colour"),   NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  GtkWidget *coloring = debye_layer_controls_choice(base, "coloring", _("Colour by"), colorings);
  debye_layer_controls_grey_out(coloring, base, g_strv_length((char **)colorings));
  debye_layer_controls_add_line(row, _("Style"),
                                debye_layer_controls_choice(base, "style", _("Style"), styles));
  debye_layer_controls_add_line(row, _("Colour by"), coloring);
  debye_layer_controls_add_line(row, _("Atoms"), create_selection(layer, topology));
  debye_layer_controls_add_line(row, _("Size"),
                                debye_layer_controls_slider(base, "scale", _("Size"), 0.1, 2.0, NULL));
}

/* SPDX-License-Identifier: MIT */
/* The controls of the layer of bins, called by layer_controls.c: a bin's capacity and size, and how many
 * atoms found no room. */
#include "layer_controls.h"

#include <glib/gi18n.h>

#include "molecule_mesh_controls.h"

static void
show_overflow(GtkLabel *label, GParamSpec *spec G_GNUC_UNUSED, DebyeBinLayer *layer)
{
  const guint n_atoms = debye_bin_layer_get_n_overflow(layer);
  g_autofree char *text = g_strdup_printf(ngettext("%u atom", "%u atoms", n_atoms), n_atoms);
  gtk_label_set_label(label, text);
}

void
debye_bin_controls_fill(AdwExpanderRow *row, DebyeBinLayer *layer, DebyeTopology *topology)
{
  DebyeLayer *base = DEBYE_LAYER(layer);
  GtkWidget *overflow = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(overflow), 0.0f);
  debye_layer_controls_add_line(row, _("Capacity"),
                                debye_layer_controls_slider(base, "capacity", _("Capacity in atoms"), 1.0,
                                                            DEBYE_MAX_BIN_CAPACITY, NULL));
  debye_layer_controls_add_line(
      row, _("Edge"), debye_layer_controls_slider(base, "edge", _("Edge in ångström"), 2.0, 12.0, "Å"));
  g_signal_connect_object(layer, "notify::n-overflow", G_CALLBACK(show_overflow), overflow,
                          G_CONNECT_SWAPPED);
  show_overflow(GTK_LABEL(overflow), NULL, layer);
  debye_layer_controls_add_line(row, _("Left over"), overflow);
  debye_molecule_mesh_controls_add_atoms(row, DEBYE_MOLECULE_MESH_LAYER(layer), topology);
}

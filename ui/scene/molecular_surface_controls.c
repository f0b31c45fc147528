/* SPDX-License-Identifier: MIT */
/* The controls of a molecular surface, called by layer_controls.c: by what it is coloured, of which atoms,
 * how fine, how transparent. */
#include "color_controls.h"

#include <glib/gi18n.h>
#include "layer_controls.h"
#include "molecule_mesh_controls.h"

void
debye_molecular_surface_controls_fill(AdwExpanderRow *row, DebyeMolecularSurfaceLayer *layer,
                                      DebyeTopology *topology, GListModel *maps)
{
  static const char *const own[] = {N_("Element"),  N_("Residue type"), N_("Chain"), N_("Charge"),
                                    N_("B factor"), N_("One colour"),   NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  DebyeMeshLayer *mesh = DEBYE_MESH_LAYER(layer);
  static const char *const kinds[] = {N_("Gaussian"), N_("Solvent-excluded"), NULL};
  debye_layer_controls_add_line(row, _("Kind"),
                                debye_layer_controls_choice(base, "kind", _("Kind of surface"), kinds));
  debye_layer_controls_add_line(row, _("Colour by"), debye_color_choice_new(mesh, own, maps));
  debye_color_controls_add_limits(row, mesh);
  debye_molecule_mesh_controls_add_atoms(row, DEBYE_MOLECULE_MESH_LAYER(layer), topology);
  debye_layer_controls_add_line(
      row, _("Resolution"),
      debye_layer_controls_slider(base, "resolution", _("Resolution in ångström"), 0.5, 4.0, "Å"));
  GtkWidget *probe =
      debye_layer_controls_slider(base, "probe", _("Radius of the probe in ångström"), 0.5, 3.0, "Å");
  g_object_bind_property(layer, "kind", probe, "sensitive", G_BINDING_SYNC_CREATE);
  debye_layer_controls_add_line(row, _("Probe radius"), probe);
  debye_layer_controls_add_line(row, _("Opacity"),
                                debye_layer_controls_slider(base, "opacity", _("Opacity"), 0.0, 1.0, NULL));
}

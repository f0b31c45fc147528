/* SPDX-License-Identifier: MIT */
/* The controls of a cartoon, called by layer_controls.c: by what it is coloured, which residues, how wide,
 * how transparent. */
#include "color_controls.h"

#include <glib/gi18n.h>
#include "layer_controls.h"
#include "molecule_mesh_controls.h"

void
debye_cartoon_controls_fill(AdwExpanderRow *row, DebyeCartoonLayer *layer, DebyeTopology *topology,
                            GListModel *maps)
{
  static const char *const own[] = {N_("Structure"), N_("Residue type"), N_("Chain"), N_("Sequence"),
                                    N_("B factor"),  N_("One colour"),   NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  DebyeMeshLayer *mesh = DEBYE_MESH_LAYER(layer);
  debye_layer_controls_add_line(row, _("Colour by"), debye_color_choice_new(mesh, own, maps));
  debye_color_controls_add_limits(row, mesh);
  debye_molecule_mesh_controls_add_atoms(row, DEBYE_MOLECULE_MESH_LAYER(layer), topology);
  debye_layer_controls_add_line(row, _("Size"),
                                debye_layer_controls_slider(base, "scale", _("Size"), 0.3, 2.0, NULL));
  debye_layer_controls_add_line(row, _("Opacity"),
                                debye_layer_controls_slider(base, "opacity", _("Opacity"), 0.0, 1.0, NULL));
}

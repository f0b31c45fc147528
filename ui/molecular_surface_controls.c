/* SPDX-License-Identifier: MIT */
/* What can be set of a molecular surface: by what it is coloured, of which atoms, how fine, how transparent.
 */
#include "color_controls.h"
#include "layer_controls.h"
#include "molecule_mesh_controls.h"

void
debye_molecular_surface_controls_fill(AdwExpanderRow *row, DebyeMolecularSurfaceLayer *layer,
                                      DebyeTopology *topology, GListModel *maps)
{
  static const char *const own[] = {"Element",  "Residue type", "Chain", "Charge",
                                    "B factor", "One colour",   NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  DebyeMeshLayer *mesh = DEBYE_MESH_LAYER(layer);
  debye_layer_controls_add_line(row, "Colour by", debye_color_choice_new(mesh, own, maps));
  debye_color_controls_add_limits(row, mesh);
  debye_molecule_mesh_controls_add_atoms(row, DEBYE_MOLECULE_MESH_LAYER(layer), topology);
  debye_layer_controls_add_line(
      row, "Resolution",
      debye_layer_controls_slider(base, "detail", "Resolution in ångström", 0.5, 4.0, "Å"));
  debye_layer_controls_add_line(row, "Opacity",
                                debye_layer_controls_slider(base, "opacity", "Opacity", 0.0, 1.0, NULL));
}

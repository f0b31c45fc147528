/* SPDX-License-Identifier: MIT */
/* The drop down of a layer's colourings: what the atoms lack can't be chosen, by whatever way. */
#include <adwaita.h>

#include "render/layers/molecular_surface_layer.h"
#include "ui/scene/color_controls.h"
#include "ui/scene/layer_controls.h"

/* One atom with an element and a residue, and nothing else. */
static DebyeTopology *
build(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = "CA";
  atom.element = "C";
  debye_topology_builder_set_residue(builder, "ALA", -1, 1, 0, "", -1, "", -1);
  debye_topology_builder_add_atom(builder, &atom);
  return debye_topology_builder_finish(builder);
}

static void
check(GtkWidget *choice, DebyeLayer *layer, guint wanted, guint expected)
{
  int coloring = -1;
  gtk_drop_down_set_selected(GTK_DROP_DOWN(choice), wanted);
  g_object_get(layer, "coloring", &coloring, NULL);
  g_assert_cmpuint(gtk_drop_down_get_selected(GTK_DROP_DOWN(choice)), ==, expected);
  g_assert_cmpint(coloring, ==, expected);
}

static void
test_atoms(void)
{
  g_autoptr(DebyeTopology) topology = build();
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(topology);
  DebyeLayer *base = DEBYE_LAYER(layer);
  g_autoptr(GtkWidget) choice =
      g_object_ref_sink(debye_layer_controls_choice(base, "coloring", "Colour by", debye_molecule_colorings));
  check(choice, base, DEBYE_COLOR_BY_RESIDUE, DEBYE_COLOR_BY_RESIDUE);
  check(choice, base, DEBYE_COLOR_BY_CHARGE, DEBYE_COLOR_BY_RESIDUE);
  check(choice, base, DEBYE_COLOR_BY_CHAIN, DEBYE_COLOR_BY_RESIDUE);
  check(choice, base, DEBYE_COLOR_UNIFORM, DEBYE_COLOR_UNIFORM);
}

static void
test_surface(void)
{
  g_autoptr(DebyeTopology) topology = build();
  g_autoptr(DebyeMolecularSurfaceLayer) layer = debye_molecular_surface_layer_new(topology);
  DebyeLayer *base = DEBYE_LAYER(layer);
  g_autoptr(GtkWidget) choice = g_object_ref_sink(debye_color_choice_new(DEBYE_MESH_LAYER(layer), NULL));
  check(choice, base, DEBYE_COLOR_BY_CHARGE, DEBYE_COLOR_BY_ELEMENT);
  check(choice, base, DEBYE_COLOR_UNIFORM, DEBYE_COLOR_UNIFORM);
  check(choice, base, DEBYE_COLOR_BY_B_FACTOR, DEBYE_COLOR_UNIFORM);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/coloring-choice/atoms", test_atoms);
  g_test_add_func("/coloring-choice/surface", test_surface);
  return g_test_run();
}

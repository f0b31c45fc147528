/* SPDX-License-Identifier: MIT */
/* Layers aren't coloured by what their atoms lack: they would keep the colours of elements under another
 * name. */
#include <string.h>

#include "render/layers/cartoon_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/molecule_colors.h"
#include "render/layers/molecule_layer.h"

/* Two atoms of two residues. */
typedef struct {
  const char *element, *residue, *chain, *segment;
  double charges[2], b_factors[2]; /* NAN: not given */
} Sample;

static const Sample bare = {NULL, "", "", "", {NAN, NAN}, {NAN, NAN}};
static const Sample whole = {"C", "ALA", "A", "", {0.5, -0.5}, {10.0, 20.0}};

static DebyeTopology *
build(const Sample *sample)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 2; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = sample->element != NULL ? "C1" : "";
    atom.element = sample->element;
    atom.atomic_number = sample->element != NULL ? 6 : 0;
    atom.charge = sample->charges[i];
    atom.b_factor = sample->b_factors[i];
    debye_topology_builder_set_residue(builder, sample->residue, -1, i + 1, 0, sample->chain, -1,
                                       sample->segment, -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static const char *
find_lack(const Sample *sample, DebyeMoleculeColoring coloring)
{
  g_autoptr(DebyeTopology) topology = build(sample);
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(topology);
  const char *lack = debye_layer_find_coloring_lack(DEBYE_LAYER(layer), (int)coloring);
  debye_molecule_layer_set_coloring(layer, coloring);
  g_assert_cmpint(debye_molecule_layer_get_coloring(layer), ==,
                  lack == NULL ? coloring : DEBYE_COLOR_BY_ELEMENT);
  return lack;
}

static void
test_lacks(void)
{
  for (DebyeMoleculeColoring coloring = DEBYE_COLOR_BY_ELEMENT; coloring <= DEBYE_COLOR_UNIFORM; coloring++) {
    g_assert_null(find_lack(&whole, coloring));
    g_assert_true((find_lack(&bare, coloring) == NULL) == (coloring == DEBYE_COLOR_UNIFORM));
  }
  g_assert_cmpstr(find_lack(&bare, DEBYE_COLOR_BY_CHARGE), ==, "These files have no charges");
  g_assert_cmpstr(find_lack(&bare, DEBYE_COLOR_BY_B_FACTOR), ==, "These files have no B factors");
}

/* Values that are there and all the same have no scale; a segment stands for a chain. */
static void
test_same_values(void)
{
  const Sample same = {"C", "ALA", "", "PROA", {0.0, 0.0}, {1.0, 1.0}};
  g_assert_cmpstr(find_lack(&same, DEBYE_COLOR_BY_CHARGE), ==, "All charges are zero");
  g_assert_cmpstr(find_lack(&same, DEBYE_COLOR_BY_B_FACTOR), ==, "All B factors are the same");
  g_assert_null(find_lack(&same, DEBYE_COLOR_BY_CHAIN));
}

/* Cartoons and surfaces name the same colourings by numbers of their own. */
static void
test_meshes(void)
{
  g_autoptr(DebyeTopology) topology = build(&bare);
  g_autoptr(DebyeCartoonLayer) cartoon = debye_cartoon_layer_new(topology);
  g_autoptr(DebyeMolecularSurfaceLayer) surface = debye_molecular_surface_layer_new(topology);
  g_assert_null(debye_layer_find_coloring_lack(DEBYE_LAYER(cartoon), DEBYE_CARTOON_BY_STRUCTURE));
  g_assert_null(debye_layer_find_coloring_lack(DEBYE_LAYER(cartoon), DEBYE_CARTOON_BY_SEQUENCE));
  g_assert_nonnull(debye_layer_find_coloring_lack(DEBYE_LAYER(cartoon), DEBYE_CARTOON_BY_B_FACTOR));
  debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(cartoon), DEBYE_CARTOON_BY_CHAIN);
  g_assert_cmpint(debye_molecule_mesh_layer_get_coloring(DEBYE_MOLECULE_MESH_LAYER(cartoon)), ==,
                  DEBYE_CARTOON_BY_STRUCTURE);
  debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(surface), DEBYE_COLOR_BY_CHARGE);
  g_assert_cmpint(debye_molecule_mesh_layer_get_coloring(DEBYE_MOLECULE_MESH_LAYER(surface)), ==,
                  DEBYE_COLOR_BY_ELEMENT);
  debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(surface), DEBYE_COLOR_UNIFORM);
  g_assert_cmpint(debye_molecule_mesh_layer_get_coloring(DEBYE_MOLECULE_MESH_LAYER(surface)), ==,
                  DEBYE_COLOR_UNIFORM);
}

/* Beads of three types, "10" before "2" in the file: colours in the order of the numbers. With one element known, types have no
 * colours. */
static void
test_types(void)
{
  static const char *const types[] = {"10", "2", "1", "2"};
  for (int known = 0; known < 2; known++) {
    g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
      DebyeAtom atom = DEBYE_ATOM_INIT;
      atom.name = atom.type = types[i];
      atom.atomic_number = known && i == 0 ? 6 : 0;
      atom.element = known && i == 0 ? "C" : NULL;
      debye_topology_builder_add_atom(builder, &atom);
    }
    g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
    g_autofree guint *numbers = debye_molecule_number_types(topology);
    if (known) {
      g_assert_null(numbers);
      continue;
    }
    static const guint expected[] = {2, 1, 0, 1};
    g_assert_cmpmem(numbers, sizeof expected, expected, sizeof expected);
    g_autofree guint8 *styles = debye_molecule_styles(topology, DEBYE_COLOR_BY_ELEMENT, 0, NULL);
    g_assert_cmpmem(styles + 4, 4, styles + 12, 4);
    g_assert_true(memcmp(styles, styles + 4, 3) != 0);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/coloring/lacks", test_lacks);
  g_test_add_func("/coloring/same-values", test_same_values);
  g_test_add_func("/coloring/meshes", test_meshes);
  g_test_add_func("/coloring/types", test_types);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Layers aren't coloured by what their atoms lack: they would keep the colours of elements under another
 * name. */
#include <string.h>

#include "data/tables/elements.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/molecule_legend.h"

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

static DebyeTopology *
build_names(const char *const *names)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  debye_topology_builder_set_residue(builder, "", -1, 1, 0, "", -1, "", -1);
  for (; *names != NULL; names++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = *names;
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static guint32
get_color(DebyeTopology *topology, gsize atom)
{
  g_autofree guint8 *styles = debye_molecule_styles(topology, DEBYE_COLOR_BY_ELEMENT, 0, NULL);
  return (guint32)styles[4 * atom] << 16 | (guint32)styles[4 * atom + 1] << 8 | styles[4 * atom + 2];
}

/* A salt of LAMMPS without masses: types are told apart, in the order of their numbers, not of their atoms; atoms of a known
 * element beside them keep its colour. */
static void
test_types(void)
{
  g_autoptr(DebyeTopology) salt = build_names((const char *const[]){"10", "2", "10", "C1", NULL});
  g_autoptr(DebyeTopology) one = build_names((const char *const[]){"1", "1", NULL});
  g_assert_cmphex(get_color(salt, 1), ==, debye_molecule_chain_color(0));
  g_assert_cmphex(get_color(salt, 0), ==, debye_molecule_chain_color(1));
  g_assert_cmphex(get_color(salt, 2), ==, get_color(salt, 0));
  g_assert_cmphex(get_color(salt, 3), ==, debye_element_get(6)->color);
  g_assert_null(debye_molecule_find_coloring_lack(salt, DEBYE_COLOR_BY_ELEMENT));
  g_assert_cmphex(get_color(one, 0), ==, debye_element_get(0)->color);
  g_assert_nonnull(debye_molecule_find_coloring_lack(one, DEBYE_COLOR_BY_ELEMENT));
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(salt);
  g_autofree char *key = debye_molecule_legend_get_key(DEBYE_LAYER(layer), DEBYE_COLOR_BY_ELEMENT, NULL);
  g_assert_nonnull(strstr(key, "type 2"));
  g_assert_nonnull(strstr(key, "type 10"));
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

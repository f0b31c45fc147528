/* SPDX-License-Identifier: MIT */
/* Which legends stand over a picture, and when they are headed by their layers. */
#include "render/layers/atom_choice.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/clip_layer.h"
#include "render/layers/layer_kinds.h"
#include "render/layers/layer_title.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/overlay_text.h"
#include "render/layers/isosurface_layer.h"
#include "render/scene/legend.h"
#include "render/scene/scene.h"
#include "render/layers/slice_layer.h"

#define LAYOUT 1e-9 /* sums of a few heights of text */

typedef struct {
  double width, height;
} Size;

static DebyeField *
make_field(const char *unit)
{
  const DebyeGrid grid = {.origin = {0.0, 0.0, 0.0},
                          .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                          .shape = {2, 2, 2}};
  float *values = g_new(float, 8);
  for (int i = 0; i < 8; i++)
    values[i] = (float)i - 3.5f;
  return debye_field_new_take("ramp", &grid, values, unit);
}

static DebyeLayer *
add_slice(GListStore *layers, const char *name, const char *unit)
{
  g_autoptr(DebyeField) field = make_field(unit);
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  debye_layer_set_name(DEBYE_LAYER(slice), name);
  g_list_store_append(layers, slice);
  return DEBYE_LAYER(slice);
}

static Size
measure_with(GListStore *layers, gboolean with_notes)
{
  static const double text_color[4] = {0.0, 0.0, 0.0, 1.0};
  const DebyeLook look = {.legend_notes = with_notes};
  Size size;
  debye_legend_draw(G_LIST_MODEL(layers), &look, NULL, text_color, &size.width, &size.height);
  return size;
}

static Size
measure(GListStore *layers)
{
  return measure_with(layers, TRUE);
}

static double
line_height(void)
{
  double width, height;
  debye_overlay_text_measure("0", &width, &height);
  return height;
}

/* A scale alone belongs to the only layer that has one: no heading. */
static void
test_alone(void)
{
  g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
  g_assert_cmpfloat(measure(layers).height, ==, 0.0);
  DebyeLayer *slice = add_slice(layers, "A name that is much wider than the scale below it", "kT/e");
  const Size alone = measure(layers);
  double width, height;
  debye_overlay_text_measure(debye_layer_get_name(slice), &width, &height);
  g_assert_cmpfloat(alone.height, >, 0.0);
  g_assert_cmpfloat(alone.width, <, width);
  debye_layer_set_visible(slice, FALSE);
  g_assert_cmpfloat(measure(layers).height, ==, 0.0);
}

/* Each of two scales has a line more than it has alone. */
static void
test_two_scales(void)
{
  g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
  add_slice(layers, "Slice", "kT/e");
  const double one = measure(layers).height;
  DebyeLayer *density = add_slice(layers, "A density of electrons from elsewhere", "e/Å³");
  const Size two = measure(layers);
  g_assert_cmpfloat(two.height, >, 2.0 * (one + line_height()));
  double width, height;
  debye_overlay_text_measure(debye_layer_get_name(density), &width, &height);
  g_assert_cmpfloat(two.width, >=, width);
  debye_layer_set_visible(density, FALSE);
  g_assert_cmpfloat_with_epsilon(measure(layers).height, one, LAYOUT);
}

/* Two layers of one kind have a number, which its kind's name keeps in any language; those of another file do without. */
static void
test_numbers(void)
{
  static const struct {
    const char *source, *name;
  } added[] = {{"a.dx", "Slice"}, {"a.dx", "Slice 2"}, {"b.dx", "Slice"}, {"a.dx", "Slice 3"}};
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(DebyeField) field = make_field("kT/e");
  for (gsize i = 0; i < G_N_ELEMENTS(added); i++) {
    g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
    debye_layer_set_kind_name(DEBYE_LAYER(slice), "Slice", 1);
    debye_layer_set_source(DEBYE_LAYER(slice), added[i].source);
    debye_scene_add(scene, DEBYE_LAYER(slice));
    g_assert_cmpstr(debye_layer_get_name(DEBYE_LAYER(slice)), ==, added[i].name);
    g_autofree char *title = debye_layer_title(DEBYE_LAYER(slice));
    g_assert_cmpstr(title, ==, added[i].name);
  }
  /* One of its own isn't told apart, whatever it is. */
  g_autoptr(DebyeSliceLayer) own = debye_slice_layer_new(field);
  debye_layer_set_name(DEBYE_LAYER(own), "Slice");
  debye_layer_set_source(DEBYE_LAYER(own), "a.dx");
  debye_scene_add(scene, DEBYE_LAYER(own));
  g_assert_cmpstr(debye_layer_get_name(DEBYE_LAYER(own)), ==, "Slice");
}

/* A surface's name follows its level and its map, in the forms that sessions have, until a person gives another. */
static void
test_named_by_level(void)
{
  static const struct {
    const char *name, *next, *title;
  } cases[] = {{"Surface at 0.25 kT/e", "Surface at +0.5 kT/e", "Surface at +0.5 kT/e"},
               {"Surface at +0.25 kT/e", "Surface at +0.5 kT/e", "Surface at +0.5 kT/e"},
               {"Surface at 1 kT/e", "Surface at 1 kT/e", "Surface at 1 kT/e"},
               {"Surface at the membrane", "Surface at the membrane", "Surface at the membrane"}};
  g_autoptr(DebyeField) field = make_field("kT/e"), other = make_field("bohr^-3/2");
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeIsosurfaceLayer) surface = debye_isosurface_layer_new(field, 0.25);
    debye_layer_set_name(DEBYE_LAYER(surface), cases[i].name);
    debye_layer_kind_recognise_name(DEBYE_LAYER(surface));
    debye_isosurface_layer_set_level(surface, 0.5);
    g_autofree char *title = debye_layer_title(DEBYE_LAYER(surface));
    g_assert_cmpstr(debye_layer_get_name(DEBYE_LAYER(surface)), ==, cases[i].next);
    g_assert_cmpstr(title, ==, cases[i].title);
  }
  g_autoptr(DebyeIsosurfaceLayer) surface = debye_isosurface_layer_new(field, -0.123456);
  debye_layer_set_name(DEBYE_LAYER(surface), "Surface at −0.123456 kT/e");
  debye_layer_kind_recognise_name(DEBYE_LAYER(surface));
  debye_layer_set_field(DEBYE_LAYER(surface), other);
  g_assert_cmpstr(debye_layer_get_name(DEBYE_LAYER(surface)), ==, "Surface at -0.1235 bohr^-3/2");
  g_autofree char *title = debye_layer_title(DEBYE_LAYER(surface));
  g_assert_cmpstr(title, ==, "Surface at −0.1235 bohr⁻³ᐟ²");
}

/* Equal scales are one; a surface's line names itself and asks for no heading. */
static void
test_shared(void)
{
  g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
  add_slice(layers, "Slice", "kT/e");
  const double one = measure(layers).height;
  add_slice(layers, "Another", "kT/e");
  g_assert_cmpfloat_with_epsilon(measure(layers).height, one, LAYOUT);
  g_autoptr(DebyeField) field = make_field("kT/e");
  g_autoptr(DebyeIsosurfaceLayer) surface = debye_isosurface_layer_new(field, 1.0);
  g_list_store_append(layers, surface);
  g_assert_cmpfloat(measure(layers).height, <, one + 2.0 * line_height());
}

/* The medium of potentials stands once below all legends, however many layers show such maps. */
static void
test_medium(void)
{
  g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
  add_slice(layers, "Slice", "kT/e");
  const Size bare = measure(layers);
  for (int i = 0; i < 2; i++) {
    g_autoptr(DebyeField) field = make_field("kT/e");
    debye_field_set_medium(field, "no continuum solvent, ε = 1");
    g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
    g_autoptr(DebyeIsosurfaceLayer) surface = debye_isosurface_layer_new(field, 1.0);
    g_list_store_append(layers, slice);
    g_list_store_append(layers, surface);
  }
  double width, height;
  const Size noted = measure(layers);
  debye_overlay_text_measure("no continuum solvent, ε = 1", &width, &height);
  g_assert_cmpfloat(noted.width, >=, width);
  /* The line of the surfaces, which are alike, and the note. */
  g_assert_cmpfloat(noted.height, >, bare.height + height);
  g_assert_cmpfloat(noted.height, <, bare.height + 4.0 * height);
  g_assert_cmpfloat(measure_with(layers, FALSE).height, <, noted.height - height);
  g_assert_cmpfloat(measure_with(layers, FALSE).width, <, width);
  for (guint i = 1; i < 5; i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(G_LIST_MODEL(layers), i);
    debye_layer_set_visible(layer, FALSE);
  }
  g_assert_cmpfloat_with_epsilon(measure(layers).height, bare.height, LAYOUT);
}

/* A wide note has a line for each of its parts. */
static void
test_wide_note(void)
{
  static const char *const media[] = {"solvent with ε = 78.54 and 0.15 mol/l salt",
                                      "solvent with ε = 78.54 and 0.15 mol/l salt, solute with ε = 2"};
  Size sizes[2];
  double width, height;
  for (int i = 0; i < 2; i++) {
    g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
    g_autoptr(DebyeField) field = make_field("kT/e");
    debye_field_set_medium(field, media[i]);
    g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
    g_list_store_append(layers, slice);
    sizes[i] = measure(layers);
  }
  debye_overlay_text_measure(media[1], &width, &height);
  g_assert_cmpfloat(sizes[1].width, <, 0.8 * width);
  g_assert_cmpfloat(sizes[1].height, >, sizes[0].height + 0.5 * height);
}

/* An arrow takes room at its end; the quantity is named with its unit. */
static void
test_bar(void)
{
  const double color[4] = {0.0, 0.0, 0.0, 1.0};
  double width, plain, above, both;
  DebyeColorBar bar = {
      .map = debye_color_map_find("viridis"), .opacity = 1.0, .maximum = 10.0, .title = "kT/e"};
  debye_overlay_text_color_bar(NULL, &bar, color, &width, &plain);
  bar.is_cut_above = TRUE;
  debye_overlay_text_color_bar(NULL, &bar, color, &width, &above);
  bar.is_cut_below = TRUE;
  debye_overlay_text_color_bar(NULL, &bar, color, &width, &both);
  g_assert_cmpfloat(above, >, plain);
  g_assert_cmpfloat(both, >, above);
  /* On its side a bar is as long as it was high, and hardly higher than its title and numbers. */
  double level_width, level;
  bar.is_level = TRUE;
  debye_overlay_text_color_bar(NULL, &bar, color, &level_width, &level);
  g_assert_cmpfloat(level_width, >, 160.0);
  g_assert_cmpfloat(level, <, 0.4 * plain);
  const DebyeGrid grid = {.step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, .shape = {2, 2, 2}};
  static const struct {
    const char *name, *unit, *title;
  } fields[] = {
      {"potential", "kT/e", "φ (kT/e)"},
      {"density", "Å⁻³", "ρ (Å⁻³)"},
      {"density_error", "Å⁻³", "s(ρ) (Å⁻³)"},
      {"occupancy", "", "occupancy"},
      {"relative_density", "", "ρ/ρ(bulk)"},
      {"orbital 4", "bohr^-3/2", "ψ (bohr^-3/2)"},
      {"free_energy", "kcal/mol", "ΔG (kcal/mol)"},
      {"S(hkl)", "b²", "b²"},
      {"blobs", "", "blobs"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
    g_autoptr(DebyeField) field =
        debye_field_new_take(fields[i].name, &grid, g_new0(float, 8), fields[i].unit);
    debye_field_set_kind(field, debye_field_kind_guess(fields[i].name, fields[i].unit));
    g_autofree char *title = debye_overlay_text_bar_title(field, NULL);
    g_assert_cmpstr(title, ==, fields[i].title);
  }
}

/* As plots write them: in bars, legends and names of layers. */
static void
test_powers(void)
{
  static const struct {
    const char *number, *raised;
  } cases[] = {{"5e-07 Å⁻³", "5·10⁻⁷ Å⁻³"}, {"−1.5e−10", "−1.5·10⁻¹⁰"}, {"1e+05 electrons", "10⁵ electrons"},
               {"0.05 e/Å³", "0.05 e/Å³"},  {"helix", "helix"},         {"2 electrons", "2 electrons"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *raised = debye_overlay_text_raise_power(cases[i].number);
    g_assert_cmpstr(raised, ==, cases[i].raised);
  }
  g_autofree char *tick = debye_overlay_text_format_number(-2e-7, 1e-7);
  g_assert_cmpstr(tick, ==, "−2·10⁻⁷");
}

/* Four residues in two chains. */
static DebyeTopology *
make_chains(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 4; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = "CA";
    atom.element = "C";
    debye_topology_builder_set_residue(builder, "ALA", -1, i + 1, 0, i < 2 ? "A" : "B", -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

/* Two chains' colours are listed, but not under an opaque surface, unless that is cut open or the legend is asked for. */
static void
test_covered(void)
{
  g_autoptr(DebyeTopology) topology = make_chains();
  g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
  g_autoptr(DebyeLayer) cartoon = DEBYE_LAYER(debye_cartoon_layer_new(topology));
  g_autoptr(DebyeLayer) surface = DEBYE_LAYER(debye_molecular_surface_layer_new(topology));
  g_autoptr(DebyeLayer) plane = g_object_new(DEBYE_TYPE_CLIP_LAYER, NULL);
  debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(cartoon), DEBYE_CARTOON_BY_CHAIN);
  g_list_store_append(layers, cartoon);
  const double alone = measure(layers).height;
  g_assert_cmpfloat(alone, >, 1.5 * line_height());
  g_list_store_append(layers, surface);
  g_object_set(surface, "legend", DEBYE_LEGEND_HIDDEN, NULL);
  debye_layer_set_opacity(surface, 0.5);
  g_assert_cmpfloat_with_epsilon(measure(layers).height, alone, LAYOUT);
  debye_layer_set_opacity(surface, 1.0);
  g_assert_cmpfloat(measure(layers).height, ==, 0.0);
  g_object_set(cartoon, "legend", DEBYE_LEGEND_SHOWN, NULL);
  g_assert_cmpfloat_with_epsilon(measure(layers).height, alone, LAYOUT);
  g_object_set(cartoon, "legend", DEBYE_LEGEND_USUAL, NULL);
  g_list_store_append(layers, plane);
  g_assert_cmpfloat_with_epsilon(measure(layers).height, alone, LAYOUT);
}

static void
choose(DebyeLayer *layer, const guint32 *atoms, gsize n_atoms)
{
  g_autoptr(GVariant) choice = g_variant_ref_sink(debye_atom_choice_new(NULL, atoms, n_atoms));
  g_object_set(layer, "choice", choice, NULL);
}

/* An opaque surface of other atoms hides no cartoon, however many they are. */
static void
test_beside(void)
{
  static const guint32 ends[] = {0, 3}, others[] = {0, 1, 2}, all[] = {0, 1, 3};
  g_autoptr(DebyeTopology) topology = make_chains();
  g_autoptr(GListStore) layers = g_list_store_new(DEBYE_TYPE_LAYER);
  g_autoptr(DebyeLayer) cartoon = DEBYE_LAYER(debye_cartoon_layer_new(topology));
  g_autoptr(DebyeLayer) surface = DEBYE_LAYER(debye_molecular_surface_layer_new(topology));
  debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(cartoon), DEBYE_CARTOON_BY_CHAIN);
  choose(cartoon, ends, G_N_ELEMENTS(ends));
  g_list_store_append(layers, cartoon);
  const double alone = measure(layers).height;
  g_assert_cmpfloat(alone, >, 0.0);
  g_list_store_append(layers, surface);
  g_object_set(surface, "legend", DEBYE_LEGEND_HIDDEN, NULL);
  g_assert_cmpfloat(measure(layers).height, ==, 0.0);
  choose(surface, others, G_N_ELEMENTS(others));
  g_assert_cmpfloat_with_epsilon(measure(layers).height, alone, LAYOUT);
  choose(surface, all, G_N_ELEMENTS(all));
  g_assert_cmpfloat(measure(layers).height, ==, 0.0);
  choose(cartoon, NULL, 0);
  g_assert_cmpfloat(measure(layers).height, >, 0.0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/legend/alone", test_alone);
  g_test_add_func("/legend/two-scales", test_two_scales);
  g_test_add_func("/legend/numbers", test_numbers);
  g_test_add_func("/legend/named-by-level", test_named_by_level);
  g_test_add_func("/legend/powers", test_powers);
  g_test_add_func("/legend/shared", test_shared);
  g_test_add_func("/legend/medium", test_medium);
  g_test_add_func("/legend/wide-note", test_wide_note);
  g_test_add_func("/legend/bar", test_bar);
  g_test_add_func("/legend/covered", test_covered);
  g_test_add_func("/legend/beside", test_beside);
  return g_test_run();
}

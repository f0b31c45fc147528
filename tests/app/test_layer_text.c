/* SPDX-License-Identifier: MIT */
/* Layers as lines of text: what is understood, what is refused and with which words, and that every property has its name. */
#include "app/scene/layer_text.h"
#include "app/scene/surface_depths.h"
#include "data/files/error.h"
#include "render/layers/clip_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/shown_atoms.h"
#include "render/scene/color_words.h"

/* Two residues of two chains, each a carbon and an oxygen 2 Å apart. */
static DebyeTopology *
make_topology(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 4; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = i % 2 == 0 ? "CA" : "O";
    atom.atomic_number = i % 2 == 0 ? 6 : 8;
    debye_topology_builder_set_residue(builder, i < 2 ? "GLY" : "SER", -1, 1 + i / 2, '\0', i < 2 ? "A" : "B",
                                       -1, NULL, 0);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static DebyeFrame *
make_frame(void)
{
  DebyeFrame *frame = debye_frame_new(4);
  for (int i = 0; i < 4; i++) {
    frame->x[i] = 2.0f * (float)i;
    frame->y[i] = frame->z[i] = 0.0f;
  }
  return frame;
}

static DebyeField *
make_field(void)
{
  const DebyeGrid grid = {.shape = {3, 3, 3}, .step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  float *values = g_new0(float, 27);
  for (int i = 0; i < 27; i++)
    values[i] = (float)(i - 13);
  return debye_field_new_take("potential", &grid, values, "kT/e");
}

typedef struct {
  DebyeLayerTextContext context;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->context = (DebyeLayerTextContext){
      .source = {.topology = make_topology(), .frame = make_frame(), .map = make_field()}};
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref(fixture->context.source.topology);
  debye_frame_unref(fixture->context.source.frame);
  g_object_unref(fixture->context.source.map);
}

/* NULL with an error. */
static GPtrArray *
build(Fixture *fixture, const char *line, GError **error)
{
  g_autoptr(DebyeLayerText) text = debye_layer_text_parse(line, error);
  return text != NULL ? debye_layer_text_build(text, &fixture->context, error) : NULL;
}

static GPtrArray *
build_well(Fixture *fixture, const char *line)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *layers = build(fixture, line, &error);
  g_assert_no_error(error);
  return layers;
}

static int
get_int(DebyeLayer *layer, const char *property)
{
  int value = -1;
  g_object_get(layer, property, &value, NULL);
  return value;
}

static guint
count_atoms(DebyeLayer *layer)
{
  return (guint)debye_shown_atoms_get(debye_layer_get_shown(layer)).n_atoms;
}

static void
test_atoms(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GPtrArray) layers = build_well(fixture, "element O: spheres, chain, opacity 0.5, scale=0.3");
  DebyeLayer *layer = layers->pdata[0];
  double scale = 0.0;
  g_object_get(layer, "scale", &scale, NULL);
  g_assert_cmpuint(layers->len, ==, 1);
  g_assert_cmpuint(count_atoms(layer), ==, 2);
  g_assert_cmpint(get_int(layer, "style"), ==, DEBYE_STYLE_SPHERES);
  g_assert_cmpint(get_int(layer, "coloring"), ==, DEBYE_COLOR_BY_CHAIN);
  g_assert_cmpfloat(debye_layer_get_opacity(layer), ==, 0.5);
  g_assert_cmpfloat(scale, ==, 0.3);
  g_assert_cmpstr(debye_layer_get_name(layer), ==, "element O");
}

/* A number alone, a colour alone, a range with a colon, brackets with a comma. */
static void
test_short_forms(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GPtrArray) layers =
      build_well(fixture, "(resid 1:2 and (name CA)):sticks,#3366cc,0.25,hidden,name \"x, y\"");
  DebyeLayer *layer = layers->pdata[0];
  guint color = 0;
  g_object_get(layer, "color", &color, NULL);
  g_assert_cmpuint(count_atoms(layer), ==, 2);
  g_assert_cmphex(color, ==, 0x3366cc);
  g_assert_cmpint(get_int(layer, "coloring"), ==, DEBYE_COLOR_UNIFORM);
  g_assert_cmpfloat(debye_layer_get_opacity(layer), ==, 0.25);
  g_assert_false(debye_layer_get_visible(layer));
  g_assert_cmpstr(debye_layer_get_name(layer), ==, "x, y");
}

static void
test_labels(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GPtrArray) layers =
      build_well(fixture, "chain A: sticks, element, labels \"site: {number}\", leaders");
  gsize n_labels;
  g_assert_cmpuint(layers->len, ==, 2);
  g_assert_true(DEBYE_IS_MOLECULE_LAYER(layers->pdata[0]));
  g_assert_true(DEBYE_IS_LABEL_LAYER(layers->pdata[1]));
  const DebyeLabel *labels = DEBYE_LAYER_GET_CLASS(layers->pdata[1])->get_labels(layers->pdata[1], &n_labels);
  g_assert_cmpuint(n_labels, ==, 1);
  g_assert_cmpstr(labels[0].text, ==, "site: 1");
  g_assert_true(labels[0].has_leader);
  g_assert_cmpfloat(labels[0].place.x, ==, 0.0); /* of CA */
}

/* One text of one's own stands in the middle of what is chosen: (0 + 2 + 4 + 6) / 4 Å. */
static void
test_one_label(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GPtrArray) layers = build_well(fixture, "all: labels \"both\"");
  gsize n_labels;
  const DebyeLabel *labels = DEBYE_LAYER_GET_CLASS(layers->pdata[0])->get_labels(layers->pdata[0], &n_labels);
  g_assert_cmpuint(n_labels, ==, 1);
  g_assert_cmpstr(labels[0].text, ==, "both");
  g_assert_cmpfloat(labels[0].place.x, ==, 3.0);
  g_assert_false(labels[0].has_leader);
}

static void
test_maps_and_planes(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double level = 0.0, position = 0.0, distance = 0.0;
  g_autoptr(GPtrArray) surface = build_well(fixture, "isosurface -4.5, red, opacity 0.5, uncut");
  g_object_get(surface->pdata[0], "level", &level, NULL);
  g_assert_cmpfloat(level, ==, -4.5);
  g_assert_false(debye_layer_get_cut(surface->pdata[0]));
  g_autoptr(GPtrArray) slice = build_well(fixture, "slice z:0.5, minimum -2, maximum -1, contours 0.25");
  g_object_get(slice->pdata[0], "distance", &distance, NULL);
  g_assert_cmpfloat(distance, ==, 0.5);
  g_assert_cmpint(get_int(slice->pdata[0], "contours"), ==, DEBYE_CONTOURS_STEP);
  g_autoptr(GPtrArray) clip = build_well(fixture, "clipping-plane view:0.6, flipped");
  g_object_get(clip->pdata[0], "position", &position, NULL);
  g_assert_cmpfloat(position, ==, 0.6);
  g_assert_true(get_int(clip->pdata[0], "flipped"));
  g_autoptr(GPtrArray) excluded = build_well(fixture, "surface excluded, probe 1.2");
  g_assert_cmpint(get_int(excluded->pdata[0], "kind"), ==, DEBYE_MESH_SURFACE_EXCLUDED);
}

/* Hidden, uncut and the opacity are those of both layers of a line. */
static void
test_both_layers(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const lines[] = {"chain A: sticks, labels, hidden, uncut, 0.25",
                                      "chain A: labels, sticks, visible false, cut false, opacity 0.25"};
  for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
    g_autoptr(GPtrArray) layers = build_well(fixture, lines[i]);
    g_assert_cmpuint(layers->len, ==, 2);
    for (guint k = 0; k < 2; k++) {
      g_assert_false(debye_layer_get_visible(layers->pdata[k]));
      g_assert_false(debye_layer_get_cut(layers->pdata[k]));
      g_assert_cmpfloat(debye_layer_get_opacity(layers->pdata[k]), ==, 0.25);
    }
  }
  g_autoptr(GPtrArray) braces = build_well(fixture, "all: labels \"{1, 2} {}\""); /* no words */
  g_assert_cmpuint(braces->len, ==, 1);
}

/* What is set of a layer that is there, whose kind stays. */
static void
test_change(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) layers = build_well(fixture, "all: sticks");
  g_autoptr(DebyeLayerText) text = debye_layer_text_parse("Protein: lines, opacity 0.75", &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_layer_text_get_subject(text), ==, "Protein");
  g_assert_true(debye_layer_text_apply(text, layers->pdata[0], &fixture->context, &error));
  g_assert_cmpint(get_int(layers->pdata[0], "style"), ==, DEBYE_STYLE_LINES);
  g_assert_cmpfloat(debye_layer_get_opacity(layers->pdata[0]), ==, 0.75);
}

static const struct {
  const char *line, *problem;
} refused[] = {
    {"", "expected a style or property as item 1"},
    {"protein:", "expected a style or property as item 1"},
    {"all: sticks,", "expected a style or property as item 2"},
    {"all: sticks, name \"x", "a double quote is not closed"},
    {"(all: sticks", "brackets do not match"},
    {"all: chain", "expected a style or a kind of layer, found none; possible: spheres, ball-and-stick"},
    {"all: sticks, chian", "“atoms” have no property or value “chian”; possible: visible, name, opacity"},
    {"all: sticks, foo 3", "“atoms” have no property “foo”"},
    {"all: sticks, opacity 2", "opacity: expected a number from 0 to 1, found “2”"},
    {"all: sticks, opacity x", "opacity: expected a number from 0 to 1, found “x”"},
    {"all: sticks, coloring rainbow", "coloring: expected one of element|residue|chain"},
    {"all: sticks, color #12", "coloring: expected one of element"},
    {"all: surface, kind best", "kind: expected one of gaussian|excluded"},
    {"all: sticks, visible perhaps", "visible: expected true or false, found “perhaps”"},
    {"resname ZZZ: sticks", "“resname ZZZ” selects no atoms"},
    {"resnme ZZZ: sticks", "column 1"},
    {"all: labels \"{foo} 1\"", "labels have no “{foo}”; possible: {residue}, {number}, {chain} and {atom}"},
    {"all: labels text, text \"{residue} {nr}\"", "labels have no “{nr}”"},
    {"all: slice z", "leave out what stands before the colon"},
    {"slice w", "expected x, y or z"},
    {"clipping-plane view:7", "expected x, y, z or view"},
    {"box", "has no cell"},
    {"measurement", "cannot be written as text"},
};

static void
test_refused(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) layers = build(fixture, refused[i].line, &error);
    g_assert_null(layers);
    g_assert_nonnull(error);
    if (strstr(error->message, refused[i].problem) == NULL)
      g_error("“%s”: expected “%s”, found “%s”", refused[i].line, refused[i].problem, error->message);
  }
}

/* What a session keeps can be set by its name. */
static void
test_by_name(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *line, *property, *value;
  } cases[] = {
      {"all: cartoon, coloring chain", "coloring", "2"},
      {"all: spheres, coloring chain", "coloring", "2"},
      {"all: sticks, cut false, color #3366cc", "cut", "FALSE"},
      {"all: sticks, legend no-legend, coloring uniform", "legend", "2"},
      {"chain A: surface, kind excluded, probe 1.2", "probe", "1.200000"},
      {"chain B: labels, content text, leaders true, text \"a, b: c\"", "text", "\"a, b: c\""},
      {"isosurface, level -4.5, color #ff0000", "level", "-4.500000"},
      {"clipping-plane, direction x, position 0.25, flipped true", "flipped", "TRUE"},
      {"slice, axis x, position 0.25, minimum -2, maximum 3", "position", "0.250000"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GPtrArray) layers = build_well(fixture, cases[i].line);
    g_auto(GValue) value = G_VALUE_INIT;
    g_object_get_property(layers->pdata[0], cases[i].property, &value);
    g_autofree char *found = g_strdup_value_contents(&value);
    g_assert_cmpstr(found, ==, cases[i].value);
  }
}

/* Of a number that a session writes no digit is lost. */
static void
test_digits(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double scale = 0.0;
  g_autoptr(GPtrArray) layers = build_well(fixture, "all: spheres, scale 0.30000000000000004");
  g_object_get(layers->pdata[0], "scale", &scale, NULL);
  g_assert_cmpfloat(scale, ==, 0.30000000000000004);
}

static void
test_colors(void)
{
  guint32 color = 0;
  g_assert_true(debye_color_parse("#36c", &color));
  g_assert_cmphex(color, ==, 0x3366cc);
  g_assert_true(debye_color_parse("navy", &color));
  g_assert_cmphex(color, ==, 0x000080);
  g_assert_false(debye_color_parse("#12", &color));
  g_assert_false(debye_color_parse("#1234567", &color));
  g_assert_false(debye_color_parse("#12345g", &color));
  g_assert_false(debye_color_parse("mauvish", &color));
  g_assert_false(debye_color_parse("", &color));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  debye_surface_depths_lend();
#define ADD(path, function) g_test_add(path, Fixture, NULL, set_up, function, tear_down)
  ADD("/layer-text/atoms", test_atoms);
  ADD("/layer-text/short-forms", test_short_forms);
  ADD("/layer-text/labels", test_labels);
  ADD("/layer-text/one-label", test_one_label);
  ADD("/layer-text/maps-and-planes", test_maps_and_planes);
  ADD("/layer-text/both-layers", test_both_layers);
  ADD("/layer-text/change", test_change);
  ADD("/layer-text/refused", test_refused);
  ADD("/layer-text/by-name", test_by_name);
  ADD("/layer-text/digits", test_digits);
  g_test_add_func("/layer-text/colors", test_colors);
  return g_test_run();
}

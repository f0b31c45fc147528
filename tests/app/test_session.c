/* SPDX-License-Identifier: MIT */
/* Session files: what is read is what was written, nothing that a file can say does harm, and what moved or
 * changed is told. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/document/json_reader.h"
#include "app/document/json_writer.h"
#include "app/scene/layer_aside.h"
#include "app/scene/layer_role.h"
#include "app/scene/scene_builder.h"
#include "app/scene/surface_depths.h"
#include "app/document/session.h"
#include "app/document/session_scene.h"
#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "render/layers/alignment_layer.h"
#include "render/layers/box_layer.h"
#include "render/layers/layer_kinds.h"
#include "render/layers/measurement_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/shown_atoms.h"
#include "render/scene/look_settings.h"

/* --- JSON --- */

static GVariant *
parse(const char *text)
{
  g_autoptr(GError) error = NULL;
  GVariant *value = debye_json_parse(text, strlen(text), "t", &error);
  g_assert_no_error(error);
  return value;
}

static void
test_json_round_trip(void)
{
  static const char text[] =
      "{\"a\": [1, -2.5, 1e300, true, false, null, \"\\u00e4\\n\\ud83d\\ude00\", {}, []]}";
  g_autoptr(GVariant) value = parse(text);
  g_autofree char *written = debye_json_from_value(value);
  g_autoptr(GVariant) again = parse(written);
  g_assert_true(g_variant_equal(value, again));
  g_autoptr(GVariant) list = debye_json_get(value, "a", G_VARIANT_TYPE("av"));
  g_assert_cmpuint(g_variant_n_children(list), ==, 9);
}

static void
test_json_refuses(void)
{
  static const char *const texts[] = {
      "",
      "{",
      "[1,]",
      "{\"a\":1,}",
      "{\"a\":1 \"b\":2}",
      "{\"a\":1,\"a\":2}",
      "01",
      "1.",
      "-",
      "1e",
      "1e999",
      "nul",
      "'a'",
      "\"\\u0000\"",
      "\"a",
      "\"\\ud800\"",
      "\"\x01\"",
      "\"\xff\"",
      "[1] 2",
      "{1:2}",
      "+1",
      "NaN",
      "\\",
      "/* */ 1",
  };
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_json_parse(texts[i], strlen(texts[i]), "t", &error));
    g_assert_nonnull(error);
    g_assert_cmpint(error->domain, ==, DEBYE_ERROR);
    g_assert_true(g_str_has_prefix(error->message, "t: line "));
  }
}

static void
test_json_depth(void)
{
  g_autofree char *deep = g_strnfill(100000, '[');
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_json_parse(deep, 100000, "t", &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX);
}

/* --- A folder with a molecule and a map --- */

typedef struct {
  char *folder, *structure, *path;
  DebyeDataset *dataset;
  DebyeFrame *frame;
  DebyeField *field;
} Fixture;

static DebyeField *
make_field(void)
{
  DebyeGrid grid = {.shape = {4, 4, 4}, .origin = {-3.0, -3.0, -3.0}};
  for (int axis = 0; axis < 3; axis++)
    grid.step[axis] = (DebyeVec3){axis == 0 ? 2.0 : 0.0, axis == 1 ? 2.0 : 0.0, axis == 2 ? 2.0 : 0.0};
  float *values = g_new(float, 64);
  for (int i = 0; i < 64; i++)
    values[i] = (float)(i - 32);
  return debye_field_new_take("Potential", &grid, values, "kT/e");
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char text[] =
      "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1\n"
      "ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00  0.00           N\n"
      "ATOM      2  CA  ALA A   1       1.450   0.000   0.000  1.00  0.00           C\n"
      "ATOM      3  C   ALA A   1       2.000   1.400   0.000  1.00  0.00           C\n"
      "ATOM      4  O   ALA A   1       1.300   2.400   0.000  1.00  0.00           O\n"
      "END\n";
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("debye-session-XXXXXX", &error);
  g_assert_no_error(error);
  fixture->structure = g_build_filename(fixture->folder, "a.pdb", NULL);
  fixture->path = g_build_filename(fixture->folder, "s.debye", NULL);
  g_assert_true(g_file_set_contents(fixture->structure, text, -1, NULL));
  fixture->dataset = debye_dataset_open((const char *const[]){fixture->structure, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(fixture->dataset), &error);
  fixture->frame = debye_frame_new(4);
  g_assert_true(debye_trajectory_reader_read(reader, 0, fixture->frame, &error));
  fixture->field = make_field();
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_remove(fixture->structure);
  g_remove(fixture->path);
  g_rmdir(fixture->folder);
  g_free(fixture->structure);
  g_free(fixture->path);
  g_free(fixture->folder);
  g_object_unref(fixture->dataset);
  debye_frame_unref(fixture->frame);
  g_object_unref(fixture->field);
}

/* --- Layers --- */

/* One of each kind that sessions keep, in the order of the kinds. */
static GPtrArray *
make_layers(Fixture *fixture)
{
  static const guint32 measured[] = {2, 0, 1};
  const DebyeSceneSource source = {.topology = debye_dataset_get_topology(fixture->dataset),
                                   .frame = fixture->frame,
                                   .map = fixture->field};
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    gboolean is_measurement = (*kind)->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS;
    if ((*kind)->key != NULL)
      g_ptr_array_add(layers, debye_scene_builder_layer(*kind, &source, is_measurement ? measured : NULL,
                                                        is_measurement ? G_N_ELEMENTS(measured) : 0));
  }
  debye_layer_set_selection(DEBYE_LAYER(layers->pdata[0]), "name CA N");
  return layers;
}

/* The layer of this kind. */
static gpointer
find_layer(GPtrArray *layers, const DebyeLayerKind *kind)
{
  for (guint i = 0; i < layers->len; i++)
    if (debye_layer_kind_of(layers->pdata[i]) == kind)
      return layers->pdata[i];
  g_assert_not_reached();
}

/* Every number at another place within its range, so that none is its default by chance. */
static void
change_all(DebyeLayer *layer)
{
  guint n_specs;
  g_autofree GParamSpec **specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(layer), &n_specs);
  for (guint i = 0; i < n_specs; i++) {
    if ((specs[i]->flags & G_PARAM_WRITABLE) == 0)
      continue;
    if (G_IS_PARAM_SPEC_BOOLEAN(specs[i]))
      g_object_set(layer, specs[i]->name, !G_PARAM_SPEC_BOOLEAN(specs[i])->default_value, NULL);
    else if (G_IS_PARAM_SPEC_INT(specs[i]))
      g_object_set(layer, specs[i]->name, MIN(G_PARAM_SPEC_INT(specs[i])->maximum, 1), NULL);
    else if (G_IS_PARAM_SPEC_UINT(specs[i]))
      g_object_set(layer, specs[i]->name, 0x123456u, NULL);
    else if (g_strcmp0(specs[i]->name, "opacity") == 0 || g_strcmp0(specs[i]->name, "position") == 0)
      g_object_set(layer, specs[i]->name, 0.375, NULL);
  }
  debye_layer_set_name(layer, "Größe “1”\n");
  debye_layer_set_source(layer, "from a test");
}

static GVariant *
through_text(GVariant *value)
{
  g_autofree char *text = debye_json_from_value(value);
  return parse(text);
}

static void
test_layers(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(maps, NULL);
  g_ptr_array_add(maps, fixture->field);
  const DebyeSessionSource source = {
      .topology = debye_dataset_get_topology(fixture->dataset), .frame = fixture->frame, .maps = maps};
  g_autoptr(GPtrArray) layers = make_layers(fixture);
  DebyeMeshLayer *surface = find_layer(layers, &debye_molecular_surface_layer_kind);
  debye_mesh_layer_set_color_field(surface, fixture->field);
  debye_layer_set_limits(DEBYE_LAYER(surface), 3.0, 4.0);
  for (guint i = 0; i < layers->len; i++)
    change_all(layers->pdata[i]);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_assert_cmpuint(g_variant_n_children(saved), ==, layers->len);
  g_autoptr(GVariant) read = through_text(saved);
  g_autoptr(GPtrArray) loaded = debye_session_layers_load(read, &source, warnings);
  g_assert_cmpuint(warnings->len, ==, 0);
  g_assert_cmpuint(loaded->len, ==, layers->len);
  g_autoptr(GVariant) again = g_variant_ref_sink(debye_session_layers_save(loaded, maps));
  g_autofree char *before = debye_json_from_value(saved), *after = debye_json_from_value(again);
  g_assert_cmpstr(before, ==, after);
  for (guint i = 0; i < layers->len; i++) {
    g_assert_true(G_OBJECT_TYPE(layers->pdata[i]) == G_OBJECT_TYPE(loaded->pdata[i]));
    g_assert_cmpstr(debye_layer_get_name(loaded->pdata[i]), ==, "Größe “1”\n");
    g_assert_cmpstr(debye_layer_get_source(loaded->pdata[i]), ==, "from a test");
  }
  g_assert_cmpuint(debye_shown_atoms_get(debye_layer_get_shown(loaded->pdata[0])).n_atoms, ==, 2);
  g_assert_cmpfloat(debye_measurement_layer_get_value(find_layer(loaded, &debye_measurement_layer_kind)), ==,
                    debye_measurement_layer_get_value(find_layer(layers, &debye_measurement_layer_kind)));
}

/* What is hidden or thin for a while only is saved as it was before. */
static void
test_aside(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_ptr_array_add(maps, fixture->field);
  g_autoptr(GPtrArray) layers = make_layers(fixture);
  DebyeLayer *thin = layers->pdata[0], *hidden = layers->pdata[1];
  debye_layer_set_opacity(thin, 0.75);
  g_autoptr(GVariant) before = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  debye_layer_aside_thin(thin, 0.5);
  debye_layer_aside_hide(hidden);
  g_assert_cmpfloat(debye_layer_get_opacity(thin), ==, 0.5);
  g_assert_false(debye_layer_get_visible(hidden));
  g_autoptr(GVariant) meanwhile = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_autofree char *text_before = debye_json_from_value(before),
                  *text_meanwhile = debye_json_from_value(meanwhile);
  g_assert_cmpstr(text_before, ==, text_meanwhile);
  debye_layer_set_opacity(thin, 0.25);
  g_autoptr(GVariant) set = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_autofree char *text_set = debye_json_from_value(set);
  g_assert_cmpstr(text_before, !=, text_set);
  debye_layer_aside_end(thin);
  debye_layer_aside_end(hidden);
  g_assert_cmpfloat(debye_layer_get_opacity(thin), ==, 0.25);
  g_assert_true(debye_layer_get_visible(hidden));
}

/* A layer that was added for a purpose is known by it whatever it is called, and another one isn't taken for it. Sessions from
 * before have the names alone. */
static void
test_roles(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const old =
      "[{\"kind\": \"atoms\", \"properties\": {\"name\": \"Chosen residue\"}},"
      " {\"kind\": \"atoms\", \"properties\": {\"name\": \"Near the chosen residue\"}},"
      " {\"kind\": \"atoms\", \"properties\": {\"name\": \"Reference of the distribution\"}},"
      " {\"kind\": \"atoms\", \"properties\": {\"name\": \"Blob\"}},"
      " {\"kind\": \"atoms\", \"properties\": {\"name\": \"Atoms\"}},"
      " {\"kind\": \"atoms\", \"role\": \"of tomorrow\", \"properties\": {\"name\": \"Blob\"}}]";
  g_autoptr(GPtrArray) maps = g_ptr_array_new(), warnings = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(maps, fixture->field);
  const DebyeSessionSource source = {
      .topology = debye_dataset_get_topology(fixture->dataset), .frame = fixture->frame, .maps = maps};
  g_autoptr(GPtrArray) layers = make_layers(fixture);
  debye_layer_role_give(layers->pdata[0], DEBYE_LAYER_ROLE_BLOB);
  g_assert_cmpstr(debye_layer_get_name(layers->pdata[0]), ==, "Blob");
  debye_layer_set_name(layers->pdata[0], "Where sodium binds");
  debye_layer_set_name(layers->pdata[1], "Blob");
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_autoptr(GVariant) read = through_text(saved);
  g_autoptr(GPtrArray) loaded = debye_session_layers_load(read, &source, warnings);
  for (guint i = 0; i < loaded->len; i++)
    g_assert_cmpint(debye_layer_role_get(loaded->pdata[i]), ==,
                    i == 0 ? DEBYE_LAYER_ROLE_BLOB : DEBYE_LAYER_ROLE_NONE);
  g_autoptr(GVariant) earlier = parse(old);
  g_autoptr(GPtrArray) named = debye_session_layers_load(earlier, &source, warnings);
  const DebyeLayerRole expected[] = {DEBYE_LAYER_ROLE_RESIDUE,   DEBYE_LAYER_ROLE_NEAR,
                                     DEBYE_LAYER_ROLE_REFERENCE, DEBYE_LAYER_ROLE_BLOB,
                                     DEBYE_LAYER_ROLE_NONE,      DEBYE_LAYER_ROLE_NONE};
  g_assert_cmpuint(warnings->len, ==, 0);
  g_assert_cmpuint(named->len, ==, G_N_ELEMENTS(expected));
  for (guint i = 0; i < named->len; i++)
    g_assert_cmpint(debye_layer_role_get(named->pdata[i]), ==, expected[i]);
}

/* A session says which layers are called by what they show; of one from before their names do, as far as they can. */
static void
test_name_numbers(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const old =
      "[{\"kind\": \"slice\", \"field\": {\"map\": 0}, \"properties\": {\"name\": \"Slice\"}},"
      " {\"kind\": \"slice\", \"field\": {\"map\": 0}, \"properties\": {\"name\": \"Slice 2\"}},"
      " {\"kind\": \"slice\", \"field\": {\"map\": 0}, \"properties\": {\"name\": \"Slice through it\"}},"
      " {\"kind\": \"isosurface\", \"field\": {\"map\": 0}, \"properties\":"
      "  {\"name\": \"Surface at 0.25 kT/e\", \"level\": 0.25}},"
      " {\"kind\": \"isosurface\", \"field\": {\"map\": 0}, \"properties\":"
      "  {\"name\": \"Surface at 0.5 kT/e\", \"level\": 0.25}},"
      " {\"kind\": \"slice\", \"field\": {\"map\": 0}, \"name_number\": 0, \"properties\": {\"name\": "
      "\"Slice 3\"}}]";
  static const guint expected[] = {1, 2, 0, 1, 0, 0};
  g_autoptr(GPtrArray) maps = g_ptr_array_new(), warnings = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(maps, fixture->field);
  const DebyeSessionSource source = {
      .topology = debye_dataset_get_topology(fixture->dataset), .frame = fixture->frame, .maps = maps};
  g_autoptr(GVariant) earlier = parse(old);
  g_autoptr(GPtrArray) layers = debye_session_layers_load(earlier, &source, warnings);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_autoptr(GVariant) read = through_text(saved);
  g_autoptr(GPtrArray) again = debye_session_layers_load(read, &source, warnings);
  g_assert_cmpuint(warnings->len, ==, 0);
  g_assert_cmpuint(layers->len, ==, G_N_ELEMENTS(expected));
  g_assert_cmpuint(again->len, ==, G_N_ELEMENTS(expected));
  for (guint i = 0; i < again->len; i++) {
    g_assert_cmpuint(debye_layer_get_name_number(layers->pdata[i]), ==, expected[i]);
    g_assert_cmpuint(debye_layer_get_name_number(again->pdata[i]), ==, expected[i]);
    g_assert_cmpstr(debye_layer_get_name(again->pdata[i]), ==, debye_layer_get_name(layers->pdata[i]));
  }
}

/* Boxes say how molecules are placed; what earlier versions saved says nothing. */
static void
test_placing(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *scene;
    DebyePlacing expected;
  } cases[] = {
      {"{}", DEBYE_PLACING_FILE},
      {"{\"layers\": [{\"kind\": \"box\"}]}", DEBYE_PLACING_FILE},
      {"{\"layers\": [3, {\"kind\": \"box\", \"properties\": {\"images-a\": 1}}]}", DEBYE_PLACING_FILE},
      {"{\"layers\": [{\"kind\": \"box\", \"properties\": {\"molecules\": 3}}]}", DEBYE_PLACING_FILE},
      {"{\"layers\": [{\"kind\": \"box\", \"properties\": {\"molecules\": -1}}]}", DEBYE_PLACING_FILE},
      {"{\"layers\": [{\"kind\": \"atoms\", \"properties\": {\"molecules\": 1}},"
       " {\"kind\": \"box\", \"properties\": {\"molecules\": 2}}]}",
       DEBYE_PLACING_CELL},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GVariant) scene = parse(cases[i].scene);
    g_assert_cmpint(debye_session_scene_find_placing(scene), ==, cases[i].expected);
  }
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) layers = g_ptr_array_new_with_free_func(g_object_unref);
  const DebyeSceneSource source = {.frame = fixture->frame};
  g_ptr_array_add(layers, debye_scene_builder_layer(&debye_box_layer_kind, &source, NULL, 0));
  g_object_set(layers->pdata[0], "molecules", DEBYE_PLACING_WHOLE, NULL);
  debye_scene_add(scene, layers->pdata[0]);
  g_assert_cmpint(debye_box_layer_find_placing(debye_scene_get_layers(scene)), ==, DEBYE_PLACING_WHOLE);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_scene_save(scene, layers, maps));
  g_autoptr(GVariant) read = through_text(saved);
  g_assert_cmpint(debye_session_scene_find_placing(read), ==, DEBYE_PLACING_WHOLE);
}

/* The first alignment that is visible says how frames are superposed. */
static void
test_alignment(Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *scene, *atoms, *reference;
    gboolean by_mass;
  } cases[] = {
      {"{}", NULL, NULL, FALSE},
      {"{\"layers\": [{\"kind\": \"box\", \"properties\": {\"atoms\": \"all\"}}]}", NULL, NULL, FALSE},
      {"{\"layers\": [3, {\"kind\": \"alignment\", \"properties\": {}}]}", "solute", NULL, FALSE},
      {"{\"layers\": [{\"kind\": \"alignment\", \"properties\": {\"visible\": false}},"
       " {\"kind\": \"alignment\", \"properties\": {\"atoms\": \"backbone\", \"reference\": \"frame:3\","
       " \"by-mass\": true}}]}",
       "backbone", "frame:3", TRUE},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GVariant) scene = parse(cases[i].scene);
    g_auto(DebyeAlignment) alignment = {0};
    debye_session_scene_find_alignment(scene, &alignment);
    g_assert_cmpstr(alignment.atoms, ==, cases[i].atoms);
    g_assert_cmpstr(alignment.reference, ==, cases[i].reference);
    g_assert_cmpint(alignment.by_mass, ==, cases[i].by_mass);
  }
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) layers = g_ptr_array_new_with_free_func(g_object_unref);
  g_ptr_array_add(layers, debye_alignment_layer_new());
  g_object_set(layers->pdata[0], "atoms", "name CA", "reference", "file:a.pdb", NULL);
  debye_scene_add(scene, layers->pdata[0]);
  g_assert_true(debye_alignment_layer_find_visible(debye_scene_get_layers(scene)) == layers->pdata[0]);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_scene_save(scene, layers, maps));
  g_autoptr(GVariant) read = through_text(saved);
  g_auto(DebyeAlignment) alignment = {0};
  debye_session_scene_find_alignment(read, &alignment);
  g_assert_cmpstr(alignment.atoms, ==, "name CA");
  g_assert_cmpstr(alignment.reference, ==, "file:a.pdb");
  debye_layer_set_visible(layers->pdata[0], FALSE);
  g_assert_null(debye_alignment_layer_find_visible(debye_scene_get_layers(scene)));
  g_assert_true(debye_alignment_layer_find(debye_scene_get_layers(scene)) == layers->pdata[0]);
}

/* Any plane and its contours come back; a session of before, whose contours were a switch, opens without. */
static void
test_slices(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GVariant) list = parse(
      "[{\"kind\": \"slice\", \"field\": {\"map\": 0}, \"properties\": {\"axis\": 3, \"plane\": "
      "\"1,1,1:1,1,0\","
      " \"contours\": 2, \"contour-step\": 0.5, \"color-map\": \"mine: 000000 00ff00\"}},"
      " {\"kind\": \"slice\", \"field\": {\"map\": 0}, \"properties\": {\"axis\": 1, \"position\": 0.25,"
      " \"contours\": false}}]");
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  const DebyeSessionSource source = {.maps = maps};
  g_ptr_array_add(maps, fixture->field);
  g_autoptr(GPtrArray) layers = debye_session_layers_load(list, &source, warnings);
  g_assert_cmpuint(layers->len, ==, 2);
  g_autofree char *plane = NULL, *colors = NULL;
  int axis, contours, earlier;
  g_object_get(layers->pdata[0], "axis", &axis, "plane", &plane, "contours", &contours, "color-map", &colors,
               NULL);
  g_assert_cmpstr(colors, ==, "mine: 000000 00ff00");
  g_object_get(layers->pdata[1], "contours", &earlier, NULL);
  g_assert_cmpint(axis, ==, DEBYE_SLICE_ANY_PLANE);
  g_assert_cmpstr(plane, ==, "1,1,1:1,1,0");
  g_assert_cmpint(contours, ==, DEBYE_CONTOURS_STEP);
  g_assert_cmpfloat(debye_slice_layer_get_contour_step(layers->pdata[0]), ==, 0.5);
  g_assert_cmpint(earlier, ==, DEBYE_CONTOURS_OFF);
}

/* Layers without their map, of another kind, with atoms beyond the molecule: left out, and told. */
static void
test_bad_layers(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GVariant) list =
      parse("[{\"kind\": \"slice\", \"field\": {\"map\": 0, \"number\": 0}}, {\"kind\": \"hologram\"}, 3, {},"
            " {\"kind\": \"measurement\", \"atoms\": [0, 4]}, {\"kind\": \"measurement\", \"atoms\": [0]},"
            " {\"kind\": \"measurement\", \"atoms\": [0, -1, 1e99]}, {\"kind\": \"atoms\", \"selection\": "
            "\"nonsense of\"},"
            " {\"kind\": \"isosurface\", \"field\": {\"map\": -1, \"number\": 99999999999}}]");
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  const DebyeSessionSource source = {
      .topology = debye_dataset_get_topology(fixture->dataset), .frame = fixture->frame, .maps = maps};
  g_autoptr(GPtrArray) layers = debye_session_layers_load(list, &source, warnings);
  g_assert_cmpuint(layers->len, ==, 0);
  g_assert_cmpuint(warnings->len, ==, 9);
}

/* Members that this version doesn't know come back as they were. */
static void
test_unknown_members(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GVariant) list =
      parse("[{\"kind\": \"atoms\", \"later\": 7, \"properties\": {\"glitter\": \"much\", \"scale\": 0.5}}]");
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  const DebyeSessionSource source = {
      .topology = debye_dataset_get_topology(fixture->dataset), .frame = fixture->frame, .maps = maps};
  g_autoptr(GPtrArray) layers = debye_session_layers_load(list, &source, warnings);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_autoptr(GVariant) boxed = g_variant_get_child_value(saved, 0), entry = g_variant_get_variant(boxed);
  g_autoptr(GVariant) properties = debye_json_get(entry, "properties", G_VARIANT_TYPE_VARDICT);
  g_autofree char *glitter = debye_json_get_text(properties, "glitter");
  double scale = 0.0;
  g_assert_cmpint(debye_json_get_integer(entry, "later", 0), ==, 7);
  g_assert_cmpstr(glitter, ==, "much");
  g_assert_true(debye_json_get_number(properties, "scale", &scale));
  g_assert_cmpfloat(scale, ==, 0.5);
}

/* A session of the first versions, whose kinds of layers shared the names "detail" and "angle". */
static void
test_earlier_names(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *name;
    double value;
  } expected[][2] = {{{"capacity", 5.0}, {"edge", 6.5}},
                     {{"distance", 3.2}, {"angle", 25.0}},
                     {{"resolution", 1.5}, {"probe", 2.0}},
                     {{"scale", 0.7}, {"opacity", 0.5}}};
  g_autoptr(GVariant) list =
      parse("[{\"kind\": \"bins\", \"properties\": {\"detail\": 5.0, \"angle\": 6.5}},"
            " {\"kind\": \"hydrogen-bonds\", \"properties\": {\"detail\": 3.2, \"angle\": 25.0}},"
            " {\"kind\": \"molecular-surface\", \"properties\":"
            "  {\"detail\": 1.5, \"angle\": 2.0, \"kind\": 1, \"probe\": 2.0}},"
            " {\"kind\": \"cartoon\", \"properties\": {\"detail\": 0.7, \"angle\": 0, \"opacity\": 0.5}}]");
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  const DebyeSessionSource source = {
      .topology = debye_dataset_get_topology(fixture->dataset), .frame = fixture->frame, .maps = maps};
  g_autoptr(GPtrArray) layers = debye_session_layers_load(list, &source, warnings);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_assert_cmpuint(layers->len, ==, G_N_ELEMENTS(expected));
  for (guint i = 0; i < layers->len; i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(saved, i), entry = g_variant_get_variant(boxed);
    g_autoptr(GVariant) properties = debye_json_get(entry, "properties", G_VARIANT_TYPE_VARDICT);
    for (guint k = 0; k < 2; k++) {
      double value = 0.0, written = 0.0;
      g_object_get(layers->pdata[i], expected[i][k].name, &value, NULL);
      g_assert_cmpfloat(value, ==, expected[i][k].value);
      g_assert_true(debye_json_get_number(properties, expected[i][k].name, &written));
      g_assert_cmpfloat(written, ==, expected[i][k].value);
    }
    g_assert_false(g_variant_lookup(properties, "detail", "*", NULL));
  }
}

/* --- View --- */

static void
test_view(void)
{
  g_autoptr(DebyeScene) scene = debye_scene_new(), other = debye_scene_new();
  g_autoptr(GPtrArray) none = g_ptr_array_new();
  DebyeCamera *camera = debye_scene_get_camera(scene);
  debye_look_preset(debye_scene_get_look(scene), "projector", FALSE);
  DebyeLook *changed = debye_scene_get_look(scene);
  g_assert_true(debye_look_setting_set(debye_look_setting_find_key("background"), scene, "#123456", NULL));
  g_assert_true(debye_look_setting_set(debye_look_setting_find_key("legend"), scene, "false", NULL));
  changed->shadow = 0.5f;
  changed->light_turn = 90.0f;
  changed->brightness = 1.5f;
  changed->color_bar = DEBYE_BAR_HORIZONTAL;
  changed->legend_place = DEBYE_PLACE_BOTTOM_RIGHT;
  debye_camera_orbit(camera, 10, 20, 200, 130, 400, 300);
  camera->height = 12.5f;
  camera->target[1] = -3.25f;
  camera->perspective = !camera->perspective;
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_scene_save(scene, none, none));
  g_autoptr(GVariant) read = through_text(saved);
  g_assert_true(debye_session_scene_load_view(read, other));
  g_assert_cmpmem(debye_scene_get_camera(other), sizeof *camera, camera, sizeof *camera);
  const DebyeLook *look = debye_scene_get_look(scene), *loaded = debye_scene_get_look(other);
  g_assert_cmpmem(loaded->background, sizeof look->background, look->background, sizeof look->background);
  /* All that the table has, and the size of text; not the preset that it began with, which lies behind. */
  const gsize n_kept = G_STRUCT_OFFSET(DebyeLook, samples) + sizeof look->samples;
  g_assert_cmpmem(loaded, n_kept, look, n_kept);
  debye_look_settings_change_preset(other, "figure", FALSE);
  g_assert_cmpmem(loaded->background, sizeof look->background, look->background, sizeof look->background);
  g_assert_false(loaded->legend);
  g_assert_cmpfloat(loaded->shadow, ==, 0.0); /* nobody set it */
  *debye_scene_get_look(other) = *look;
  g_autoptr(GVariant) wild =
      parse("{\"camera\": {\"orientation\": [0, 0, 0, 0], \"target\": [0, 0, 0], \"height\": 1},"
            " \"look\": {\"background\": [9, 0, 0, 0], \"font-size\": -1, \"axes\": 3,"
            " \"shadow\": 7, \"light-turn\": \"east\", \"color-bar\": 5, \"legend-place\": -2, \"own\": [3, "
            "\"east\", null]}}");
  g_assert_false(debye_session_scene_load_view(wild, other));
  g_assert_cmpmem(debye_scene_get_camera(other), sizeof *camera, camera, sizeof *camera);
  g_assert_cmpmem(loaded, sizeof *look, look, sizeof *look);
}

/* --- Files --- */

static void
save(Fixture *fixture, const char *values)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) dict = parse(values);
  g_autoptr(DebyeSession) session = debye_session_new(dict, (const char *const[]){fixture->structure, NULL});
  g_assert_true(debye_session_save(session, fixture->path, NULL, NULL, &error));
  g_assert_no_error(error);
}

static DebyeSessionFileState
look(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSession) session = debye_session_load(fixture->path, &error);
  g_assert_no_error(error);
  gboolean same = debye_session_check(session, NULL);
  DebyeSessionFileState state = debye_session_get_file(session, 0)->state;
  g_autofree char *text = debye_session_file_describe(debye_session_get_file(session, 0));
  g_assert_true(same == (state == DEBYE_SESSION_FILE_THERE));
  g_assert_true(same == (text == NULL));
  return state;
}

static void
test_changed_files(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = NULL;
  gsize length;
  save(fixture, "{\"later\": [1, 2]}");
  g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_THERE);
  g_assert_true(g_file_get_contents(fixture->structure, &text, &length, NULL));
  text[length / 2] ^= 1;
  g_assert_true(g_file_set_contents(fixture->structure, text, (gssize)length, NULL));
  g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_OTHER_CONTENT);
  g_assert_true(g_file_set_contents(fixture->structure, text, (gssize)length / 2, NULL));
  g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_OTHER_SIZE);
  g_remove(fixture->structure);
  g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_MISSING);
  g_assert_cmpint(g_mkdir(fixture->structure, 0700), ==, 0); /* nothing that is no file is opened */
  g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_MISSING);
  g_rmdir(fixture->structure);
}

/* What has gone before the session is saved is noted, and is any file there once it is found again; of one
 * that an earlier saving has seen it is known what it was. */
static void
test_gone_files(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) values = parse("{\"later\": 1}");
  const char *const paths[] = {fixture->structure, NULL};
  g_autofree char *text = NULL;
  gsize length;
  g_autoptr(DebyeSession) before = debye_session_new(values, paths);
  g_assert_true(debye_session_save(before, fixture->path, NULL, NULL, &error));
  g_assert_true(g_file_get_contents(fixture->structure, &text, &length, NULL));
  for (int is_known = 0; is_known < 2; is_known++) {
    g_autoptr(DebyeSession) session = debye_session_new(values, paths);
    g_remove(fixture->structure);
    g_assert_true(debye_session_save(session, fixture->path, is_known ? before : NULL, NULL, &error));
    g_assert_no_error(error);
    g_assert_cmpint(debye_session_get_file(session, 0)->state, ==, DEBYE_SESSION_FILE_MISSING);
    g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_MISSING);
    g_assert_true(g_file_set_contents(fixture->structure, text, (gssize)length, NULL));
    g_assert_cmpint(look(fixture), ==, DEBYE_SESSION_FILE_THERE);
    g_assert_true(g_file_set_contents(fixture->structure, text, (gssize)length / 2, NULL));
    g_assert_cmpint(look(fixture), ==, is_known ? DEBYE_SESSION_FILE_OTHER_SIZE : DEBYE_SESSION_FILE_THERE);
  }
}

/* Another machine: the folder lies elsewhere, and the path beside the session counts. */
static void
test_moved_folder(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *elsewhere = g_strconcat(fixture->folder, "-moved", NULL);
  g_autofree char *path = g_build_filename(elsewhere, "s.debye", NULL);
  g_autofree char *expected = g_build_filename(elsewhere, "a.pdb", NULL);
  save(fixture, "{}");
  g_assert_cmpint(g_rename(fixture->folder, elsewhere), ==, 0);
  g_autoptr(DebyeSession) session = debye_session_load(path, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_session_get_file(session, 0)->path, ==, expected);
  g_assert_true(debye_session_check(session, NULL));
  g_assert_cmpint(g_rename(elsewhere, fixture->folder), ==, 0);
}

static void
test_relative_paths(void)
{
  static const char *const cases[][3] = {
      {"/a/b", "/a/b/c", "c"}, {"/a/b", "/a/c", "../c"},  {"/a", "/x/y", "../x/y"},
      {"/", "/x", "x"},        {"/a/bc", "/a/b", "../b"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *relative = debye_session_file_relate(cases[i][0], cases[i][1]);
    g_autofree char *back = g_canonicalize_filename(relative, cases[i][0]);
    g_assert_cmpstr(relative, ==, cases[i][2]);
    g_assert_cmpstr(back, ==, cases[i][1]);
  }
}

static void
test_refused_sessions(void)
{
  static const char *const texts[] = {
      "",
      "{}",
      "[]",
      "3",
      "{\"debye-session\": 2, \"files\": [{\"path\": \"a\"}]}",
      "{\"debye-session\": 1}",
      "{\"debye-session\": 1, \"files\": []}",
      "{\"debye-session\": 1, \"files\": [3]}",
      "{\"debye-session\": 1, \"files\": [{\"absolute\": \"not/absolute\"}]}",
      "{\"debye-session\": 1, \"files\": [{\"path\": \"a\"}]",
  };
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_session_parse(texts[i], strlen(texts[i]), "s.debye", "/", &error));
    g_assert_nonnull(error);
    g_assert_true(g_str_has_prefix(error->message, "s.debye: "));
  }
}

/* Every part of a session that ends too soon is refused: the last brace is missing. */
static void
test_truncated(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = NULL;
  gsize length;
  save(fixture, "{\"scene\": {\"layers\": [{\"kind\": \"slice\"}]}, \"frame\": 3}");
  g_assert_true(g_file_get_contents(fixture->path, &text, &length, NULL));
  for (gsize n = 0; n + 2 < length; n++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_session_parse(text, n, "s.debye", fixture->folder, &error));
    g_assert_nonnull(error);
  }
}

/* Killed at any moment, the saving program leaves one of the two sessions that it writes in turn. */
static void
test_killed_while_saving(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  enum { N_KILLS = 40 };
  save(fixture, "{\"n\": 0}");
  for (int i = 0; i < N_KILLS; i++) {
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0)
      for (;;) {
        save(fixture, "{\"n\": 1, \"padding\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}");
        save(fixture, "{\"n\": 2}");
      }
    g_usleep((gulong)(500 + 700 * i));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeSession) session = debye_session_load(fixture->path, &error);
    g_assert_no_error(error);
    gint64 n = debye_json_get_integer(debye_session_get_values(session), "n", -1);
    g_assert_true(n >= 0 && n <= 2);
  }
  /* What was being written beside it. */
  g_autoptr(GDir) folder = g_dir_open(fixture->folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name(folder)) != NULL;) {
    g_autofree char *path = g_build_filename(fixture->folder, name, NULL);
    if (g_str_has_prefix(name, "s.debye."))
      g_remove(path);
  }
}

#define ADD(path, test) g_test_add(path, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  debye_surface_depths_lend();
  g_test_add_func("/session/json/round-trip", test_json_round_trip);
  g_test_add_func("/session/json/refuses", test_json_refuses);
  g_test_add_func("/session/json/depth", test_json_depth);
  ADD("/session/layers", test_layers);
  ADD("/session/aside", test_aside);
  ADD("/session/roles", test_roles);
  ADD("/session/name-numbers", test_name_numbers);
  ADD("/session/slices", test_slices);
  ADD("/session/placing", test_placing);
  ADD("/session/alignment", test_alignment);
  ADD("/session/bad-layers", test_bad_layers);
  ADD("/session/unknown-members", test_unknown_members);
  ADD("/session/layers/earlier-names", test_earlier_names);
  g_test_add_func("/session/view", test_view);
  ADD("/session/changed-files", test_changed_files);
  ADD("/session/gone-files", test_gone_files);
  ADD("/session/moved-folder", test_moved_folder);
  g_test_add_func("/session/relative-paths", test_relative_paths);
  g_test_add_func("/session/refused", test_refused_sessions);
  ADD("/session/truncated", test_truncated);
  ADD("/session/killed-while-saving", test_killed_while_saving);
  return g_test_run();
}

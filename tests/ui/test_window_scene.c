/* SPDX-License-Identifier: MIT */
/* A window's scene: maps that grow keep the layers that show them, maps from files have their own, frames
 * reach every layer of atoms. */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>

#include "app/scene/scene_builder.h"
#include "app/window/window_scene.h"
#include "render/layers/box_layer.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/isosurface_levels.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/shown_atoms.h"
#include "render/layers/slice_layer.h"
#include "ui/scene/color_controls.h"

#define SIDE 12

typedef struct {
  char *folder, *path;
  DebyeDocument *document;
  DebyeWindowScene *scene;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char text[] = "3\nmolecule\nC 0 0 0\nO 1.2 0 0\nN -1.3 0 0\n"
                             "3\nmolecule\nC 0 0 1\nO 1.2 0 1\nN -1.3 0 1\n";
  GError *error = NULL;
  fixture->folder = g_dir_make_tmp("debye-scene-XXXXXX", &error);
  g_assert_no_error(error);
  fixture->path = g_build_filename(fixture->folder, "molecule.xyz", NULL);
  g_assert_true(g_file_set_contents(fixture->path, text, -1, NULL));
  fixture->document =
      debye_document_open((const char *const[]){fixture->path, NULL}, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyePreferences) preferences = debye_preferences_new();
  fixture->scene = debye_window_scene_new(fixture->document, preferences);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref(fixture->scene);
  g_object_unref(fixture->document);
  g_autoptr(GDir) dir = g_dir_open(fixture->folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(fixture->folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->path);
}

/* Of two opposite charges; the points from `n_planes` on have no value yet. */
static DebyeField *
make_map(int n_planes, const char *unit)
{
  const DebyeGrid grid = {.origin = {-5.5, -5.5, -5.5},
                          .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                          .shape = {SIDE, SIDE, SIDE}};
  float *values = g_new(float, SIDE *SIDE *SIDE);
  for (int k = 0; k < SIDE; k++)
    for (int j = 0; j < SIDE; j++)
      for (int i = 0; i < SIDE; i++) {
        double x = i - 5.5, y = j - 5.5, z = k - 5.5;
        double value = 1.0 / sqrt((x - 2.0) * (x - 2.0) + y * y + z * z) -
                       1.0 / sqrt((x + 2.0) * (x + 2.0) + y * y + z * z);
        values[i + SIDE * (j + SIDE * k)] = k < n_planes ? (float)value : NAN;
      }
  return debye_field_new_take("potential", &grid, values, unit);
}

static guint
count_layers(Fixture *fixture, GType type, DebyeField *map)
{
  guint n = 0;
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(fixture->scene));
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    n += G_TYPE_CHECK_INSTANCE_TYPE(layer, type) && debye_layer_get_field(layer) == map;
  }
  return n;
}

static DebyeIsosurfaceLayer *
find_surface(Fixture *fixture)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(fixture->scene));
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_ISOSURFACE_LAYER(layer))
      return DEBYE_ISOSURFACE_LAYER(layer);
  }
  return NULL;
}

static DebyeSliceLayer *
find_slice(Fixture *fixture)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(fixture->scene));
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_SLICE_LAYER(layer))
      return DEBYE_SLICE_LAYER(layer);
  }
  return NULL;
}

static void
test_growing(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) nothing = make_map(0, "kT/e"), third = make_map(4, "kT/e"),
                        most = make_map(9, "kT/e"), whole = make_map(SIDE, "kT/e");
  debye_window_scene_show_map(fixture->scene, nothing);
  g_assert_null(debye_window_scene_get_map(fixture->scene));

  debye_window_scene_show_map(fixture->scene, third);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, third), ==, 1);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, third), ==, 0);

  debye_window_scene_show_map(fixture->scene, most);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, most), ==, 1);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, most), ==, 2);

  debye_isosurface_layer_set_level(find_surface(fixture), 0.375);
  debye_window_scene_show_map(fixture->scene, whole);
  debye_window_scene_finish_map(fixture->scene);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, whole), ==, 1);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, whole), ==, 2);
  g_assert_cmpfloat(debye_isosurface_layer_get_level(find_surface(fixture)), ==, 0.375);
  g_assert_true(debye_window_scene_get_map(fixture->scene) == whole);
}

static DebyeField *
make_scaled_map(float factor)
{
  g_autoptr(DebyeField) map = make_map(SIDE, "kT/e");
  gsize n_points = debye_grid_n_points(debye_field_get_grid(map));
  float *values = g_memdup2(debye_field_get_values(map), n_points * sizeof *values);
  for (gsize i = 0; i < n_points; i++)
    values[i] *= factor;
  return debye_field_new_take("potential", debye_field_get_grid(map), values, "kT/e");
}

/* The first frames' average is larger than that of all: untouched levels are those of the whole in the end,
 * as if it had come at once; one that a hand has set stays. */
static void
test_levels_of_the_whole(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) early = make_scaled_map(10.0f), whole = make_scaled_map(1.0f);
  double early_negative, early_positive, negative, positive;
  debye_isosurface_suggest_levels(early, &early_negative, &early_positive);
  debye_isosurface_suggest_levels(whole, &negative, &positive);
  g_assert_cmpfloat(early_negative, <, negative);

  debye_window_scene_show_map(fixture->scene, early);
  g_autoptr(DebyeIsosurfaceLayer) surface = g_object_ref(find_surface(fixture));
  g_assert_cmpfloat(debye_isosurface_layer_get_level(surface), ==, early_negative);
  debye_window_scene_show_map(fixture->scene, whole);
  debye_window_scene_finish_map(fixture->scene);
  g_autofree char *name = g_strdup_printf("Surface at %g kT/e", negative);
  g_assert_cmpfloat(debye_isosurface_layer_get_level(surface), ==, negative);
  g_assert_cmpstr(debye_layer_get_name(DEBYE_LAYER(surface)), ==, name);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, whole), ==, 2);

  /* The job after: what it found here is a person's by now. */
  debye_window_scene_show_map(fixture->scene, early);
  debye_window_scene_finish_map(fixture->scene);
  g_assert_cmpfloat(debye_isosurface_layer_get_level(surface), ==, negative);
}

/* The map without its negative values. */
static DebyeField *
make_positive_map(void)
{
  g_autoptr(DebyeField) map = make_map(SIDE, "kT/e");
  gsize n_points = debye_grid_n_points(debye_field_get_grid(map));
  float *values = g_memdup2(debye_field_get_values(map), n_points * sizeof *values);
  for (gsize i = 0; i < n_points; i++)
    values[i] = fabsf(values[i]);
  return debye_field_new_take("potential", debye_field_get_grid(map), values, "kT/e");
}

/* A sign that the first frames had and the whole has not. */
static void
test_sign_that_goes(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) early = make_map(SIDE, "kT/e"), whole = make_positive_map();
  debye_window_scene_show_map(fixture->scene, early);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, early), ==, 2);
  debye_window_scene_show_map(fixture->scene, whole);
  debye_window_scene_finish_map(fixture->scene);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, whole), ==, 1);
  g_assert_cmpfloat(debye_isosurface_layer_get_level(find_surface(fixture)), >, 0.0);
}

/* A sign that only the whole has; it comes once. */
static void
test_sign_that_comes(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) early = make_positive_map(), whole = make_map(SIDE, "kT/e");
  debye_window_scene_show_map(fixture->scene, early);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, early), ==, 1);
  for (guint times = 0; times < 2; times++) {
    debye_window_scene_show_map(fixture->scene, whole);
    debye_window_scene_finish_map(fixture->scene);
    g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, whole), ==, 2);
  }
  debye_scene_remove(debye_window_scene_get_scene(fixture->scene), DEBYE_LAYER(find_surface(fixture)));
  debye_window_scene_show_map(fixture->scene, early);
  debye_window_scene_show_map(fixture->scene, whole);
  debye_window_scene_finish_map(fixture->scene);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, whole), ==, 1);
}

/* A run that was stopped early shows what there is, surfaces too. */
static void
test_stopped(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) third = make_map(4, "kT/e");
  debye_window_scene_show_map(fixture->scene, third);
  debye_window_scene_finish_map(fixture->scene);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, third), >, 0);
}

static void
test_other_unit(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) thermal = make_map(SIDE, "kT/e"), volts = make_map(SIDE, "V");
  debye_window_scene_show_map(fixture->scene, thermal);
  debye_window_scene_show_map(fixture->scene, volts);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, thermal), ==, 0);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, volts), ==, 3);
}

/* Map after map of the frames shown: layers follow, what a hand did to them stays. */
static void
test_following(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) first = make_map(SIDE, "kT/e"), second = make_map(SIDE - 1, "kT/e"),
                        third = make_map(SIDE, "kT/e");
  double low, high, later_low, later_high;
  debye_window_scene_follow_map(fixture->scene, first, TRUE);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, first), ==, 1);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_ISOSURFACE_LAYER, first), ==, 2);
  DebyeSliceLayer *slice = find_slice(fixture);
  debye_slice_layer_get_limits(slice, &low, &high);
  debye_isosurface_layer_set_level(find_surface(fixture), 0.375);

  debye_window_scene_follow_map(fixture->scene, second, FALSE);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, first), ==, 0);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, second), ==, 3);
  g_assert_cmpfloat(debye_isosurface_layer_get_level(find_surface(fixture)), ==, 0.375);
  debye_slice_layer_get_limits(slice, &later_low, &later_high);
  g_assert_cmpfloat(later_low, ==, low);
  g_assert_cmpfloat(later_high, ==, high);

  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(fixture->scene));
  while (find_surface(fixture) != NULL)
    debye_scene_remove(debye_window_scene_get_scene(fixture->scene), DEBYE_LAYER(find_surface(fixture)));
  debye_scene_remove(debye_window_scene_get_scene(fixture->scene), DEBYE_LAYER(slice));
  guint n_layers = g_list_model_get_n_items(layers);
  debye_window_scene_follow_map(fixture->scene, third, FALSE);
  g_assert_cmpuint(g_list_model_get_n_items(layers), ==, n_layers);
  g_assert_true(debye_window_scene_get_map(fixture->scene) == third);
}

/* Two files are two maps, and neither is touched by one that is computed. */
static void
test_from_files(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) one = make_map(SIDE, "kT/e"), other = make_map(SIDE, "kT/e"),
                        computed = make_map(SIDE, "kT/e");
  debye_window_scene_add_map(fixture->scene, one, "one.dx");
  debye_window_scene_add_map(fixture->scene, other, "other.dx");
  debye_window_scene_show_map(fixture->scene, computed);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, one), ==, 3);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, other), ==, 3);
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_LAYER, computed), ==, 3);
  g_assert_cmpstr(debye_layer_get_source(DEBYE_LAYER(find_surface(fixture))), ==, "one.dx");
}

/* A surface of one map in the colours of another that grows keeps them through its growth; the choice in its
 * row lists both maps, the growing one once. */
static void
test_colored_by_map(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) one = make_map(SIDE, "kT/e"), most = make_map(9, "V"), whole = make_map(SIDE, "V");
  debye_window_scene_add_map(fixture->scene, one, "one.dx");
  DebyeMeshLayer *surface = DEBYE_MESH_LAYER(find_surface(fixture));
  debye_window_scene_show_map(fixture->scene, most);
  GListModel *maps = G_LIST_MODEL(debye_scene_get_maps(debye_window_scene_get_scene(fixture->scene)));
  g_assert_cmpuint(g_list_model_get_n_items(maps), ==, 2);

  GtkDropDown *choice = GTK_DROP_DOWN(g_object_ref_sink(debye_color_choice_new(surface, maps)));
  g_assert_cmpuint(gtk_drop_down_get_selected(choice), ==, 0);
  gtk_drop_down_set_selected(choice, 2);
  g_assert_true(debye_mesh_layer_get_color_field(surface) == most);
  debye_layer_settle(DEBYE_LAYER(surface));
  double low, high;
  g_object_get(surface, "minimum", &low, "maximum", &high, NULL);
  g_assert_cmpfloat(low, ==, -high);

  debye_window_scene_show_map(fixture->scene, whole);
  g_assert_cmpuint(g_list_model_get_n_items(maps), ==, 2);
  g_assert_true(debye_mesh_layer_get_color_field(surface) == whole);
  g_assert_cmpuint(gtk_drop_down_get_selected(choice), ==, 2);
  gtk_drop_down_set_selected(choice, 0);
  g_assert_null(debye_mesh_layer_get_color_field(surface));
  g_object_unref(choice);
}

static void
test_by_hand(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_null(debye_window_scene_add(fixture->scene, &debye_slice_layer_kind));
  g_assert_null(debye_window_scene_add(fixture->scene, &debye_isosurface_layer_kind));
  g_assert_null(debye_window_scene_add(fixture->scene, &debye_box_layer_kind)); /* there is no cell */
  g_autoptr(DebyeField) map = make_map(SIDE, "kT/e");
  debye_window_scene_add_map(fixture->scene, map, "one.dx");
  /* Across z, along which the camera looks at first. */
  DebyeLayer *slice = debye_window_scene_add(fixture->scene, &debye_slice_layer_kind);
  int axis;
  g_object_get(slice, "axis", &axis, NULL);
  g_assert_cmpint(axis, ==, 2);
  g_assert_cmpstr(debye_layer_get_source(slice), ==, "one.dx");
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, map), ==, 2);
  g_assert_true(debye_scene_history_undo(debye_window_scene_get_history(fixture->scene)));
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, map), ==, 1);
  /* What is there already is shown, none is added. */
  DebyeLayer *own = debye_window_scene_show_slice(fixture->scene);
  g_assert_true(debye_layer_get_visible(own));
  g_assert_true(DEBYE_IS_SLICE_LAYER(own));
  g_assert_cmpuint(count_layers(fixture, DEBYE_TYPE_SLICE_LAYER, map), ==, 1);
}

static void
test_frames(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(fixture->scene));
  g_autoptr(DebyeMoleculeLayer) atoms = g_list_model_get_item(layers, 0);
  g_autoptr(DebyeFrame) frame = debye_frame_new(3), file_frame = debye_frame_new(3);
  frame->x[1] = 42.0f;
  debye_window_scene_set_frame(fixture->scene, file_frame, frame);
  g_assert_true(debye_window_scene_get_frame(fixture->scene) == frame);
  g_assert_true(debye_window_scene_get_file_frame(fixture->scene) == file_frame);
  g_assert_true(debye_layer_get_shown(DEBYE_LAYER(atoms))->frame == frame);
  DebyeLayer *added = debye_window_scene_add(fixture->scene, &debye_molecule_layer_kind);
  g_assert_true(debye_layer_get_shown(added)->frame == frame);
  /* Bonds are not looked for again. */
  g_assert_true(debye_layer_get_shown(added)->topology ==
                debye_layer_get_shown(DEBYE_LAYER(atoms))->topology);
}

static char *
save_map(Fixture *fixture, const char *name)
{
  g_autoptr(DebyeField) map = make_map(SIDE, "kT/e");
  char *path = g_build_filename(fixture->folder, name, NULL);
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL);
  g_assert_true(debye_field_save_dx(map, G_OUTPUT_STREAM(stream), NULL));
  g_assert_true(g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, NULL));
  return path;
}

/* What files add to a window: a map joins the molecule, and the molecule stays the same object. */
static void
test_document(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GError *error = NULL;
  g_autofree char *path = save_map(fixture, "map.dx");
  const char *const paths[] = {path, NULL};
  g_autoptr(DebyeDocument) joined = debye_document_open(paths, fixture->document, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_document_adds_only_maps(joined));
  g_assert_true(debye_document_get_dataset(joined) == debye_document_get_dataset(fixture->document));
  g_assert_cmpuint(debye_document_get_maps(joined)->len, ==, 1);
  g_assert_cmpuint(g_strv_length((char **)debye_document_get_paths(joined)), ==, 2);

  g_autoptr(DebyeDocument) alone = debye_document_open(paths, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_null(debye_document_get_dataset(alone));
  g_autofree char *description = debye_document_describe(alone);
  g_assert_cmpstr(description, ==, "12 × 12 × 12 points · 11.0 × 11.0 × 11.0 Å · kT/e");

  const char *const molecule[] = {fixture->path, NULL};
  g_autoptr(DebyeDocument) completed = debye_document_open(molecule, alone, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_document_is_continuation(completed));
  g_assert_false(debye_document_adds_only_maps(completed));
  g_assert_cmpuint(debye_document_get_maps(completed)->len, ==, 1);
}

typedef struct {
  double last;
  guint n_left;
} Watch;

static gboolean
on_progress(double fraction, gpointer data)
{
  Watch *watch = data;
  g_assert_cmpfloat(fraction, >=, watch->last);
  g_assert_cmpfloat(fraction, <=, 1.0);
  watch->last = fraction;
  return watch->n_left > 0 && watch->n_left-- > 0;
}

/* A molecule and two maps: the progress of all runs one way, and wherever it is stopped, nothing is opened.
 */
static void
test_watched(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *first = save_map(fixture, "first.dx"), *second = save_map(fixture, "second.dx");
  const char *const paths[] = {fixture->path, first, second, NULL};
  g_autoptr(DebyeDocument) document = NULL;
  for (guint n = 0; document == NULL; n++) {
    g_autoptr(GError) error = NULL;
    Watch watch = {.n_left = n};
    document = debye_document_open(paths, NULL, on_progress, &watch, &error);
    g_assert_true((document == NULL) == g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
    /* The second map, the last third, is watched too. */
    g_assert_true(document == NULL || watch.last > 2.0 / 3.0);
  }
  g_assert_cmpuint(debye_document_get_maps(document)->len, ==, 2);
}

static void
add(const char *path, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  add("/window-scene/growing", test_growing);
  add("/window-scene/levels-of-the-whole", test_levels_of_the_whole);
  add("/window-scene/sign-that-goes", test_sign_that_goes);
  add("/window-scene/sign-that-comes", test_sign_that_comes);
  add("/window-scene/stopped", test_stopped);
  add("/window-scene/other-unit", test_other_unit);
  add("/window-scene/following", test_following);
  add("/window-scene/from-files", test_from_files);
  add("/window-scene/colored-by-map", test_colored_by_map);
  add("/window-scene/by-hand", test_by_hand);
  add("/window-scene/frames", test_frames);
  add("/window-scene/document", test_document);
  add("/window-scene/watched", test_watched);
  return g_test_run();
}

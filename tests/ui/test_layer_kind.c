/* SPDX-License-Identifier: MIT */
/* A kind of layer that only this test knows comes to the menu, the rows, undo, the options of debye-cli render,
 * scene files and sessions by its table alone. */
#include <adwaita.h>
#include <glib/gstdio.h>

#include "app/cli/arguments.h"
#include "app/cli/render/picture.h"
#include "app/document/session_layers.h"
#include "render/layers/layer_kinds.h"
#include "ui/scene/layer_menu.h"
#include "ui/scene/layer_settings.h"
#include "ui/scene/scene_history.h"
#include "ui/widgets/number_slider.h"

/* --- The kind --- */

#define TEST_TYPE_LATTICE_LAYER (test_lattice_layer_get_type())
G_DECLARE_FINAL_TYPE(TestLatticeLayer, test_lattice_layer, TEST, LATTICE_LAYER, DebyeLayer)

struct _TestLatticeLayer {
  DebyeLayer parent;
  double spacing;
  int shape;
};

G_DEFINE_FINAL_TYPE(TestLatticeLayer, test_lattice_layer, DEBYE_TYPE_LAYER)

static const DebyeChoice shapes[] = {
    {"square", "Squares", "as on graph paper"}, {"hexagon", "Hexagons", "as bees do"}, {NULL, NULL, NULL}};
static const DebyeLayerSetting settings[] = {
    {.option = {.key = "lattice", .kind = DEBYE_SETTING_BOOLEAN, .initial = "false", .help = "a lattice"},
     .adds = TRUE},
    {.property = "spacing",
     .label = "Spacing",
     .unit = "Å",
     .low = 1.0,
     .high = 10.0,
     .type = G_TYPE_DOUBLE,
     .member = G_STRUCT_OFFSET(TestLatticeLayer, spacing),
     .range = {0.5, 50.0, 2.0},
     .option = {.key = "lattice-spacing", .minimum = 0.5, .maximum = 50.0, .initial = "2", .help = "of it"}},
    {.property = "shape",
     .label = "Shape",
     .choices = shapes,
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(TestLatticeLayer, shape),
     .range = {0, 1, 0},
     .option = {.key = "lattice-shape", .help = "of its cells"}},
};

static gpointer
create(const DebyeLayerContents *contents G_GNUC_UNUSED)
{
  return g_object_new(TEST_TYPE_LATTICE_LAYER, NULL);
}

static const DebyeLayerKind lattice_kind = {
    .key = "lattice",
    .title = "Lattice of the test",
    .section = 2,
    .needs = DEBYE_LAYER_NEEDS_NOTHING,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};

static void
test_lattice_layer_class_init(TestLatticeLayerClass *class)
{
  debye_layer_class_install(DEBYE_LAYER_CLASS(class), &lattice_kind);
}

static void
test_lattice_layer_init(TestLatticeLayer *self G_GNUC_UNUSED)
{
}

/* --- Where it comes --- */

static DebyeLayer *
make_layer(void)
{
  const DebyeSceneSource nothing = {0};
  DebyeLayer *layer = debye_scene_builder_new_layer(&lattice_kind, &nothing, NULL);
  g_assert_cmpstr(debye_layer_get_name(layer), ==, "Lattice of the test");
  return layer;
}

static void
test_menu(void)
{
  /* The electrostatic surface stands before the sections of kinds. */
  g_autoptr(GMenuModel) section =
      g_menu_model_get_item_link(debye_layer_menu_get(), (int)lattice_kind.section, G_MENU_LINK_SECTION);
  g_autofree char *label = NULL, *action = NULL;
  const int last = g_menu_model_get_n_items(section) - 1;
  g_menu_model_get_item_attribute(section, last, G_MENU_ATTRIBUTE_LABEL, "s", &label);
  g_menu_model_get_item_attribute(section, last, G_MENU_ATTRIBUTE_ACTION, "s", &action);
  g_assert_cmpstr(label, ==, "Lattice of the test");
  g_assert_cmpstr(action, ==, "win.add-lattice");
}

/* The first widget of a type below another. */
static GtkWidget *
find_widget(GtkWidget *widget, GType type)
{
  GtkWidget *found = g_type_is_a(G_OBJECT_TYPE(widget), type) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_widget(child, type);
  return found;
}

static void
test_rows_and_undo(void)
{
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(DebyeSceneHistory) history = debye_scene_history_new(scene);
  g_autoptr(DebyeLayer) layer = make_layer();
  g_autoptr(GtkWidget) row = g_object_ref_sink(adw_expander_row_new());
  double spacing = 0.0;
  int shape = -1;
  debye_scene_history_add(history, layer);
  g_assert_cmpstr(debye_scene_history_get_undo_name(history), ==, "Lattice of the test added");
  debye_layer_settings_fill(ADW_EXPANDER_ROW(row), layer, NULL, NULL);

  GtkWidget *slider = find_widget(row, DEBYE_TYPE_NUMBER_SLIDER);
  debye_number_slider_set_value(DEBYE_NUMBER_SLIDER(slider), 7.0);
  g_object_get(layer, "spacing", &spacing, NULL);
  g_assert_cmpfloat(spacing, ==, 7.0);
  g_assert_cmpstr(debye_scene_history_get_undo_name(history), ==, "Lattice of the test · Spacing");
  g_assert_true(debye_scene_history_undo(history));
  g_object_get(layer, "spacing", &spacing, NULL);
  g_assert_cmpfloat(spacing, ==, 2.0);
  g_assert_cmpstr(debye_scene_history_get_redo_name(history), ==, "Lattice of the test · Spacing");

  GtkDropDown *choice = GTK_DROP_DOWN(find_widget(row, GTK_TYPE_DROP_DOWN));
  GtkStringList *words = GTK_STRING_LIST(gtk_drop_down_get_model(choice));
  g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(words)), ==, 2);
  g_assert_cmpstr(gtk_string_list_get_string(words, 1), ==, "Hexagons");
  gtk_drop_down_set_selected(choice, 1);
  g_object_get(layer, "shape", &shape, NULL);
  g_assert_cmpint(shape, ==, 1);
}

/* The one layer of a picture that these words ask for. */
static void
check_picture(const char *const *words, double spacing, int shape)
{
  g_autoptr(GError) error = NULL;
  g_auto(DebyePicture) picture = {0};
  const DebyeSceneSource nothing = {0};
  double shown_spacing = 0.0;
  int shown_shape = -1;
  DebyeArguments *arguments = debye_arguments_parse(&debye_command_render, words, &error);
  g_assert_no_error(error);
  debye_picture_init(&picture);
  g_assert_true(debye_picture_add_layers(&picture, debye_arguments_get_request(arguments), &nothing, &error));
  g_assert_no_error(error);
  GListModel *layers = debye_scene_get_layers(picture.scene);
  g_assert_cmpuint(g_list_model_get_n_items(layers), ==, 1);
  g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, 0);
  g_object_get(layer, "spacing", &shown_spacing, "shape", &shown_shape, NULL);
  g_assert_cmpfloat(shown_spacing, ==, spacing);
  g_assert_cmpint(shown_shape, ==, shape);
  debye_arguments_free(arguments);
}

static void
test_options(void)
{
  g_autoptr(GError) error = NULL;
  check_picture((const char *const[]){"--lattice", "-o", "a.png", "a.pdb", NULL}, 2.0, 0);
  check_picture((const char *const[]){"--lattice", "--lattice-spacing", "3.5", "--lattice-shape", "hexagon",
                                      "-o", "a.png", "a.pdb", NULL},
                3.5, 1);
  const char *const wrong[] = {"--lattice", "--lattice-spacing", "99", "-o", "a.png", "a.pdb", NULL};
  g_assert_null(debye_arguments_parse(&debye_command_render, wrong, &error));
  g_assert_nonnull(strstr(error->message, "expected a number from 0.5 to 50 Å, found “99”"));
}

static void
test_scene_file(void)
{
  static const char text[] =
      "[scene]\nlattice = true\nlattice-spacing = 4\nlattice-shape = hexagon\nfiles = a.pdb\n";
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp("debye-kind-XXXXXX", &error);
  g_autofree char *path = g_build_filename(folder, "a.scene", NULL);
  g_assert_true(g_file_set_contents(path, text, -1, &error));
  check_picture((const char *const[]){"--scene", path, "-o", "a.png", NULL}, 4.0, 1);
  g_remove(path);
  g_rmdir(folder);
}

static void
test_session(void)
{
  g_autoptr(GPtrArray) layers = g_ptr_array_new_with_free_func(g_object_unref);
  g_autoptr(GPtrArray) maps = g_ptr_array_new(), warnings = g_ptr_array_new_with_free_func(g_free);
  const DebyeSessionSource source = {.maps = maps};
  double spacing = 0.0;
  int shape = -1;
  g_ptr_array_add(layers, make_layer());
  g_object_set(layers->pdata[0], "spacing", 6.0, "shape", 1, NULL);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_session_layers_save(layers, maps));
  g_autoptr(GPtrArray) loaded = debye_session_layers_load(saved, &source, warnings);
  g_assert_cmpuint(warnings->len, ==, 0);
  g_assert_cmpuint(loaded->len, ==, 1);
  g_assert_true(TEST_IS_LATTICE_LAYER(loaded->pdata[0]));
  g_object_get(loaded->pdata[0], "spacing", &spacing, "shape", &shape, NULL);
  g_assert_cmpfloat(spacing, ==, 6.0);
  g_assert_cmpint(shape, ==, 1);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  debye_layer_kind_register(&lattice_kind);
  g_test_add_func("/layer-kind/menu", test_menu);
  g_test_add_func("/layer-kind/rows-and-undo", test_rows_and_undo);
  g_test_add_func("/layer-kind/options", test_options);
  g_test_add_func("/layer-kind/scene-file", test_scene_file);
  g_test_add_func("/layer-kind/session", test_session);
  return g_test_run();
}

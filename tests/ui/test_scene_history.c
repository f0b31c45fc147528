/* SPDX-License-Identifier: MIT */
/* Undo of what is done to the list of layers and set of them: each step back gives just what was there
 * before. */
#include <adwaita.h>

#include "render/layers/box_layer.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/shown_atoms.h"
#include "render/scene/look_settings.h"
#include "ui/scene/layer_choice_controls.h"
#include "ui/scene/scene_history.h"
#include "ui/widgets/selection_entry.h"

#define N_LAYERS 4
#define REMEMBERED 50 /* steps at most */

typedef struct {
  DebyeScene *scene;
  DebyeSceneHistory *history;
  DebyeLayer *layers[N_LAYERS];
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->scene = debye_scene_new();
  fixture->history = debye_scene_history_new(fixture->scene);
  for (int i = 0; i < N_LAYERS; i++) {
    fixture->layers[i] = DEBYE_LAYER(debye_box_layer_new());
    debye_layer_set_name(fixture->layers[i], (const char *const[]){"a", "b", "c", "d"}[i]);
  }
  for (int i = 0; i < N_LAYERS - 1; i++)
    debye_scene_add(fixture->scene, fixture->layers[i]);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref(fixture->history);
  g_object_unref(fixture->scene);
  for (int i = 0; i < N_LAYERS; i++) {
    g_object_add_weak_pointer(G_OBJECT(fixture->layers[i]), (gpointer *)&fixture->layers[i]);
    g_object_unref(fixture->layers[i]);
    g_assert_null(fixture->layers[i]);
  }
}

static void
assert_order(Fixture *fixture, const char *expected)
{
  GListModel *layers = debye_scene_get_layers(fixture->scene);
  g_autoptr(GString) order = g_string_new(NULL);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    g_string_append(order, debye_layer_get_name(layer));
  }
  g_assert_cmpstr(order->str, ==, expected);
}

static void
test_each_kind(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeSceneHistory *history = fixture->history;
  assert_order(fixture, "abc");
  debye_scene_history_add(history, fixture->layers[3]);
  assert_order(fixture, "abcd");
  debye_scene_history_remove(history, fixture->layers[1]);
  assert_order(fixture, "acd");
  debye_scene_history_move(history, fixture->layers[3], 0);
  assert_order(fixture, "dac");
  g_assert_true(debye_scene_history_undo(history));
  assert_order(fixture, "acd");
  g_assert_true(debye_scene_history_undo(history));
  assert_order(fixture, "abcd");
  g_assert_true(debye_scene_history_undo(history));
  assert_order(fixture, "abc");
  g_assert_false(debye_scene_history_undo(history));
  assert_order(fixture, "abc");
}

/* Layers that belong together come and go as one, and are forgotten as one. */
static void
test_together(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeSceneHistory *history = fixture->history;
  g_autoptr(GPtrArray) both = g_ptr_array_new();
  debye_scene_remove(fixture->scene, fixture->layers[2]);
  g_ptr_array_add(both, fixture->layers[2]);
  g_ptr_array_add(both, fixture->layers[3]);
  debye_scene_history_add_all(history, both);
  assert_order(fixture, "abcd");
  g_assert_cmpstr(debye_scene_history_get_undo_name(history), ==, "d added");
  g_assert_true(debye_scene_history_undo(history));
  assert_order(fixture, "ab");
  g_assert_false(debye_scene_history_can_undo(history));
  g_assert_cmpstr(debye_scene_history_get_redo_name(history), ==, "d added");
  g_assert_true(debye_scene_history_redo(history));
  assert_order(fixture, "abcd");
  g_assert_false(debye_scene_history_can_redo(history));
  for (int i = 0; i < REMEMBERED - 1; i++)
    debye_scene_history_move(history, fixture->layers[0], i % 2 == 0 ? 1 : 0);
  while (debye_scene_history_undo(history))
    continue;
  assert_order(fixture, "abcd");
}

/* What changes nothing is no step. */
static void
test_no_steps(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeSceneHistory *history = fixture->history;
  debye_scene_history_move(history, fixture->layers[0], 0);
  debye_scene_history_move(history, fixture->layers[2], 1000);
  debye_scene_history_remove(history, fixture->layers[3]);
  debye_scene_history_move(history, fixture->layers[3], 0);
  g_assert_false(debye_scene_history_can_undo(history));
  assert_order(fixture, "abc");
}

/* --- What is set of a layer --- */

static int
get_images(DebyeLayer *layer, const char *property)
{
  int n_images = -1;
  g_object_get(layer, property, &n_images, NULL);
  return n_images;
}

static void
set_by_hand(DebyeLayer *layer, const char *property, int n_images)
{
  debye_layer_edit(layer, property);
  g_object_set(layer, property, n_images, NULL);
}

/* Longer than what counts as one deed. */
static void
wait_a_little(void)
{
  g_usleep(30 * 1000);
}

static void
test_settings(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeSceneHistory *history = fixture->history;
  DebyeLayer *layer = fixture->layers[1];
  set_by_hand(layer, "images-a", 1);
  wait_a_little();
  set_by_hand(layer, "images-a", 2);
  debye_scene_history_remove(history, layer);
  assert_order(fixture, "ac");
  g_assert_true(debye_scene_history_undo(history));
  assert_order(fixture, "abc");
  g_assert_cmpint(get_images(layer, "images-a"), ==, 2);
  g_assert_true(debye_scene_history_undo(history));
  g_assert_cmpint(get_images(layer, "images-a"), ==, 1);
  g_assert_true(debye_scene_history_undo(history));
  g_assert_cmpint(get_images(layer, "images-a"), ==, 0);
  g_assert_false(debye_scene_history_can_undo(history));
}

/* A layer that was added, or moved, is heard as well, and only once. */
static void
test_settings_of_new_layers(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLayer *layer = fixture->layers[3];
  debye_scene_history_add(fixture->history, layer);
  debye_scene_history_move(fixture->history, layer, 0);
  set_by_hand(layer, "images-b", 1);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpint(get_images(layer, "images-b"), ==, 0);
  assert_order(fixture, "dabc");
  g_assert_true(debye_scene_history_undo(fixture->history));
  assert_order(fixture, "abcd");
}

/* What the program sets by itself is no step. */
static void
test_settings_of_program(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_set(fixture->layers[0], "images-a", 2, "visible", FALSE, NULL);
  g_assert_false(debye_scene_history_can_undo(fixture->history));
}

/* All places that a slider passes are one step, and what a choice sets at once is one, too. */
static void
test_settings_together(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLayer *layer = fixture->layers[0];
  for (int i = 9; i > 2; i--) {
    debye_layer_edit(layer, "opacity");
    debye_layer_set_opacity(layer, 0.1 * i);
  }
  wait_a_little();
  set_by_hand(layer, "images-a", 1);
  set_by_hand(layer, "images-b", 2);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpint(get_images(layer, "images-a"), ==, 0);
  g_assert_cmpint(get_images(layer, "images-b"), ==, 0);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpfloat(debye_layer_get_opacity(layer), ==, 1.0);
  g_assert_false(debye_scene_history_can_undo(fixture->history));
}

/* --- Forth again --- */

static void
test_redo_each_kind(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const orders[] = {"abc", "abcd", "acd", "dac"};
  DebyeSceneHistory *history = fixture->history;
  debye_scene_history_add(history, fixture->layers[3]);
  debye_scene_history_remove(history, fixture->layers[1]);
  debye_scene_history_move(history, fixture->layers[3], 0);
  g_assert_false(debye_scene_history_redo(history));
  for (int round = 0; round < 2; round++) {
    for (int i = 2; i >= 0; i--) {
      g_assert_true(debye_scene_history_undo(history));
      assert_order(fixture, orders[i]);
    }
    for (int i = 1; i <= 3; i++) {
      g_assert_true(debye_scene_history_redo(history));
      assert_order(fixture, orders[i]);
    }
    g_assert_false(debye_scene_history_can_redo(history));
  }
}

static void
test_redo_settings(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLayer *layer = fixture->layers[0];
  set_by_hand(layer, "images-a", 1);
  set_by_hand(layer, "images-b", 2);
  wait_a_little();
  set_by_hand(layer, "images-a", 2);
  debye_scene_history_undo(fixture->history);
  debye_scene_history_undo(fixture->history);
  g_assert_cmpint(get_images(layer, "images-a") + get_images(layer, "images-b"), ==, 0);
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_cmpint(get_images(layer, "images-a"), ==, 1);
  g_assert_cmpint(get_images(layer, "images-b"), ==, 2);
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_cmpint(get_images(layer, "images-a"), ==, 2);
  g_assert_false(debye_scene_history_redo(fixture->history));
}

/* After a new change there is no way to what was undone, and a slider doesn't go on where undo came between.
 */
static void
test_redo_forgotten(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLayer *layer = fixture->layers[0];
  debye_layer_edit(layer, "opacity");
  debye_layer_set_opacity(layer, 0.5);
  debye_scene_history_move(fixture->history, layer, 2);
  debye_scene_history_undo(fixture->history);
  g_assert_true(debye_scene_history_can_redo(fixture->history));
  wait_a_little();
  debye_layer_edit(layer, "opacity");
  debye_layer_set_opacity(layer, 0.25);
  g_assert_false(debye_scene_history_redo(fixture->history));
  assert_order(fixture, "abc");
  debye_scene_history_undo(fixture->history);
  g_assert_cmpfloat(debye_layer_get_opacity(layer), ==, 0.5);
}

/* What the program took away meanwhile stays away. */
static void
test_layer_gone(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_scene_history_add(fixture->history, fixture->layers[3]);
  debye_scene_history_move(fixture->history, fixture->layers[3], 0);
  debye_scene_remove(fixture->scene, fixture->layers[3]);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_true(debye_scene_history_undo(fixture->history));
  assert_order(fixture, "abc");
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_true(debye_scene_history_redo(fixture->history));
  assert_order(fixture, "abc");
}

/* --- The look --- */

static void
set_look(Fixture *fixture, const char *key, const char *value)
{
  const DebyeLookSetting *setting = debye_look_setting_find_key(key);
  debye_look_setting_edit(setting, fixture->scene);
  g_assert_true(debye_look_setting_set(setting, fixture->scene, value, NULL));
}

static void
test_look(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  const DebyeLook before = *look;
  set_look(fixture, "ambient-occlusion", "0.2");
  set_look(fixture, "ambient-occlusion", "0.1");
  set_look(fixture, "background", "#ffffff");
  set_look(fixture, "color-legend", "true");
  g_assert_true(g_str_has_suffix(debye_scene_history_get_undo_name(fixture->history), "Legend of colours"));
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_false(look->color_legend);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpmem(look->background, sizeof look->background, before.background, sizeof before.background);
  g_assert_cmpfloat(look->ambient_occlusion, ==, 0.1f);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpfloat(look->ambient_occlusion, ==, before.ambient_occlusion);
  g_assert_cmpuint(look->own, ==, before.own);
  g_assert_false(debye_scene_history_can_undo(fixture->history));
  for (int i = 0; i < 3; i++)
    g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_cmpfloat(look->ambient_occlusion, ==, 0.1f);
  g_assert_cmpfloat(look->background[0], ==, 1.0f);
  g_assert_true(look->color_legend);
}

/* What wasn't set before belongs to the preset of now, not to that of then. */
static void
test_look_of_preset(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLook *look = debye_scene_get_look(fixture->scene), light;
  debye_look_preset(&light, "screen", FALSE);
  debye_look_settings_change_preset(fixture->scene, "screen", TRUE);
  set_look(fixture, "background", "red");
  debye_look_settings_change_preset(fixture->scene, "screen", FALSE);
  g_assert_cmpfloat(look->background[1], ==, 0.0f);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpmem(look->background, sizeof look->background, light.background, sizeof light.background);
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_cmpfloat(look->background[1], ==, 0.0f);
}

static void
count_ends(gpointer scene G_GNUC_UNUSED, gboolean begins, guint *n)
{
  *n += begins ? 0 : 1;
}

/* All of the look at once is one step, and is announced even if this scene has nothing of its own. */
static void
test_reset_look(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  const DebyeLook before = *look;
  guint n_resets = 0;
  g_signal_connect(fixture->scene, "reset-look", G_CALLBACK(count_ends), &n_resets);
  set_look(fixture, "ambient-occlusion", "0.1");
  set_look(fixture, "background", "#ffffff");
  debye_look_settings_reset(fixture->scene);
  g_assert_cmpfloat(look->ambient_occlusion, ==, before.ambient_occlusion);
  g_assert_cmpmem(look->background, sizeof look->background, before.background, sizeof before.background);
  g_assert_true(g_str_has_suffix(debye_scene_history_get_undo_name(fixture->history), "Reset to defaults"));
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpfloat(look->ambient_occlusion, ==, 0.1f);
  g_assert_cmpfloat(look->background[0], ==, 1.0f);
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_cmpuint(look->own, ==, before.own);
  debye_look_settings_reset(fixture->scene);
  g_assert_cmpuint(n_resets, ==, 2);
}

/* --- Selections --- */

#define N_ATOMS 6

static DebyeTopology *
create_topology(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  debye_topology_builder_set_residue(builder, "LYS", -1, 13, 0, "A", -1, "", -1);
  for (int i = 0; i < N_ATOMS; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = i < 2 ? "CA" : "N";
    atom.element = i < 2 ? "C" : "N";
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

/* The three kinds of layers whose atoms a person chooses. */
static DebyeLayer *
create_layer(const char *kind, DebyeTopology *topology)
{
  if (g_str_equal(kind, "molecule"))
    return DEBYE_LAYER(debye_molecule_layer_new(topology));
  if (g_str_equal(kind, "mesh"))
    return DEBYE_LAYER(debye_cartoon_layer_new(topology));
  return DEBYE_LAYER(debye_label_layer_new(topology));
}

static guint
count_atoms(DebyeLayer *layer)
{
  return (guint)debye_shown_atoms_get(debye_layer_get_shown(layer)).n_atoms;
}

/* Until the text was evaluated on its thread, and a little longer. */
static void
type(DebyeSelectionEntry *entry, const char *text)
{
  const gint64 end = g_get_monotonic_time() + 400 * 1000;
  debye_selection_entry_set_text(entry, text);
  while (g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
}

/* However long its thread takes. */
static void
wait_for_atoms(DebyeLayer *layer, guint n_atoms)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while (count_atoms(layer) != n_atoms && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_cmpuint(count_atoms(layer), ==, n_atoms);
}

static gboolean
shows_error(GtkWidget *widget)
{
  if (GTK_IS_ENTRY(widget))
    return gtk_widget_has_css_class(widget, "error");
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (shows_error(child))
      return TRUE;
  return FALSE;
}

static void
wait_for_refusal(DebyeSelectionEntry *entry)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while (!shows_error(GTK_WIDGET(entry)) && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_true(shows_error(GTK_WIDGET(entry)));
}

/* Not the same edit any more. */
static void
rest(void)
{
  g_usleep(1100 * 1000);
}

/* Text and atoms come back together, and the entry shows them; what was typed in one go is one step. */
static void
test_selection(Fixture *fixture, gconstpointer kind)
{
  g_autoptr(DebyeTopology) topology = create_topology();
  g_autoptr(DebyeLayer) layer = create_layer(kind, topology);
  debye_scene_add(fixture->scene, layer);
  GtkWidget *widget = debye_layer_choice_controls_new(layer, "Atoms", topology);
  g_autoptr(DebyeSelectionEntry) entry = DEBYE_SELECTION_ENTRY(g_object_ref_sink(widget));
  type(entry, "");
  g_assert_false(debye_scene_history_can_undo(fixture->history));
  type(entry, "index 0");
  type(entry, "name CA");
  wait_for_atoms(layer, 2);
  rest();
  type(entry, "name N");
  wait_for_atoms(layer, 4);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpuint(count_atoms(layer), ==, 2);
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "name CA");
  /* Evaluated once more, it is no new step. */
  type(entry, "name CA");
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpuint(count_atoms(layer), ==, N_ATOMS);
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "");
  g_assert_false(debye_scene_history_can_undo(fixture->history));
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_true(debye_scene_history_redo(fixture->history));
  g_assert_cmpuint(count_atoms(layer), ==, 4);
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "name N");
  debye_scene_remove(fixture->scene, layer);
}

/* A text that chooses nothing, or is no selection, leaves no wrong way back. */
static void
test_selection_of_nothing(Fixture *fixture, gconstpointer kind)
{
  g_autoptr(DebyeTopology) topology = create_topology();
  g_autoptr(DebyeLayer) layer = create_layer(kind, topology);
  debye_scene_add(fixture->scene, layer);
  GtkWidget *widget = debye_layer_choice_controls_new(layer, "Atoms", topology);
  g_autoptr(DebyeSelectionEntry) entry = DEBYE_SELECTION_ENTRY(g_object_ref_sink(widget));
  type(entry, "name ZZ");
  wait_for_atoms(layer, 0);
  rest();
  type(entry, "name (");
  wait_for_refusal(entry);
  g_assert_cmpuint(count_atoms(layer), ==, 0);
  type(entry, "name CA");
  wait_for_atoms(layer, 2);
  g_assert_true(debye_scene_history_undo(fixture->history));
  g_assert_cmpuint(count_atoms(layer), ==, 0);
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "name ZZ");
  debye_scene_remove(fixture->scene, layer);
}

/* --- Telling, limits --- */

static void
count(guint *n)
{
  (*n)++;
}

static void
test_notified(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint n = 0;
  g_signal_connect_swapped(fixture->history, "changed", G_CALLBACK(count), &n);
  debye_scene_history_remove(fixture->history, fixture->layers[0]);
  g_assert_cmpuint(n, ==, 1);
  g_assert_true(debye_scene_history_can_undo(fixture->history));
  debye_scene_history_undo(fixture->history);
  g_assert_cmpuint(n, ==, 2);
  g_assert_true(debye_scene_history_can_redo(fixture->history));
  g_assert_false(debye_scene_history_can_undo(fixture->history));
}

/* The oldest steps are forgotten, and with them the layers that only they held. */
static void
test_limit(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (int i = 0; i < REMEMBERED + 7; i++)
    debye_scene_history_move(fixture->history, fixture->layers[0], i % 2 == 0 ? 2 : 0);
  int n = 0;
  while (debye_scene_history_undo(fixture->history))
    n++;
  g_assert_cmpint(n, ==, REMEMBERED);
  assert_order(fixture, "bca");
}

static void
test_find(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpuint(debye_scene_history_find(fixture->history, fixture->layers[2]), ==, 2);
  g_assert_cmpuint(debye_scene_history_find(fixture->history, fixture->layers[3]), ==, G_MAXUINT);
}

static void
add_of(const char *path, gconstpointer data, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, data, set_up, test, tear_down);
}

static void
add(const char *path, void (*test)(Fixture *, gconstpointer))
{
  add_of(path, NULL, test);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  add("/scene-history/each-kind", test_each_kind);
  add("/scene-history/together", test_together);
  add("/scene-history/no-steps", test_no_steps);
  add("/scene-history/settings", test_settings);
  add("/scene-history/settings-of-new-layers", test_settings_of_new_layers);
  add("/scene-history/settings-of-program", test_settings_of_program);
  add("/scene-history/settings-together", test_settings_together);
  add("/scene-history/look", test_look);
  add("/scene-history/look-of-preset", test_look_of_preset);
  add("/scene-history/reset-look", test_reset_look);
  add("/scene-history/redo-each-kind", test_redo_each_kind);
  add("/scene-history/redo-settings", test_redo_settings);
  add("/scene-history/redo-forgotten", test_redo_forgotten);
  add("/scene-history/layer-gone", test_layer_gone);
  add_of("/scene-history/selection/molecule", "molecule", test_selection);
  add_of("/scene-history/selection/mesh", "mesh", test_selection);
  add_of("/scene-history/selection/label", "label", test_selection);
  add_of("/scene-history/selection-of-nothing/molecule", "molecule", test_selection_of_nothing);
  add_of("/scene-history/selection-of-nothing/mesh", "mesh", test_selection_of_nothing);
  add_of("/scene-history/selection-of-nothing/label", "label", test_selection_of_nothing);
  add("/scene-history/notified", test_notified);
  add("/scene-history/limit", test_limit);
  add("/scene-history/find", test_find);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Undo of what is done to the list of layers and set of them: each step back gives just what was there
 * before. */
#include "render/box_layer.h"
#include "ui/scene_history.h"

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
  g_signal_connect_swapped(fixture->history, "notify::can-undo", G_CALLBACK(count), &n);
  debye_scene_history_remove(fixture->history, fixture->layers[0]);
  g_assert_cmpuint(n, ==, 1);
  g_assert_true(debye_scene_history_can_undo(fixture->history));
  debye_scene_history_undo(fixture->history);
  g_assert_cmpuint(n, ==, 2);
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
add(const char *path, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  add("/scene-history/each-kind", test_each_kind);
  add("/scene-history/no-steps", test_no_steps);
  add("/scene-history/settings", test_settings);
  add("/scene-history/settings-of-new-layers", test_settings_of_new_layers);
  add("/scene-history/settings-of-program", test_settings_of_program);
  add("/scene-history/settings-together", test_settings_together);
  add("/scene-history/notified", test_notified);
  add("/scene-history/limit", test_limit);
  add("/scene-history/find", test_find);
  return g_test_run();
}

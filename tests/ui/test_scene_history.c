/* SPDX-License-Identifier: MIT */
/* Undo of what is done to the list of layers: each step back gives just the list that was there before. */
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
  add("/scene-history/notified", test_notified);
  add("/scene-history/limit", test_limit);
  add("/scene-history/find", test_find);
  return g_test_run();
}

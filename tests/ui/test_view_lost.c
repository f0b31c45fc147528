/* SPDX-License-Identifier: MIT */
/* The view loses what it draws with, as when the window's surface goes and comes again or moves to another
 * window: everything is made anew in the new context, and the picture is the same. */
#include <adwaita.h>

#include "render/scene/capture.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/slice_layer.h"
#include "tests/render/sample_scene.h"
#include "ui/scene/view_3d.h"

#define SIDE 200

typedef struct {
  SampleMolecule molecule;
  DebyeScene *scene;
  GtkWindow *window;
  GtkWidget *view; /* a reference: it outlives its window */
} Fixture;

static void
wait_until_drawn(GtkWidget *view)
{
  const gint64 end = g_get_monotonic_time() + 10 * G_USEC_PER_SEC;
  while ((!gtk_widget_get_mapped(view) || gtk_widget_get_width(view) == 0) && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  const gint64 quiet = g_get_monotonic_time() + G_USEC_PER_SEC / 2;
  while (g_get_monotonic_time() < quiet)
    g_main_context_iteration(NULL, FALSE);
  g_assert_true(gtk_widget_get_mapped(view));
}

static GtkWindow *
show_in_window(GtkWidget *view)
{
  GtkWindow *window = GTK_WINDOW(gtk_window_new());
  gtk_window_set_default_size(window, 400, 300);
  gtk_window_set_child(window, view);
  gtk_window_present(window);
  wait_until_drawn(view);
  return window;
}

static void
add(Fixture *fixture, gpointer layer)
{
  debye_scene_add(fixture->scene, layer);
  g_object_unref(layer);
}

static void
add_layers(Fixture *fixture)
{
  DebyeTopology *topology = fixture->molecule.topology;
  DebyeFrame *frame = fixture->molecule.frame;
  g_autoptr(DebyeField) field = sample_potential(24, 30.0);
  DebyeMoleculeLayer *atoms = debye_molecule_layer_new(topology);
  DebyeCartoonLayer *cartoon = debye_cartoon_layer_new(topology);
  DebyeLabelLayer *labels = debye_label_layer_new(topology);
  debye_layer_show_frame(DEBYE_LAYER(atoms), frame);
  debye_layer_show_frame(DEBYE_LAYER(cartoon), frame);
  debye_layer_choose(DEBYE_LAYER(labels), NULL, (const guint32[]){0, 9}, 2);
  debye_layer_show_frame(DEBYE_LAYER(labels), frame);
  add(fixture, atoms);
  add(fixture, cartoon);
  add(fixture, labels);
  add(fixture, debye_isosurface_layer_new(field, 1.0));
  add(fixture, debye_slice_layer_new(field));
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->molecule = sample_helix(8);
  fixture->scene = debye_scene_new();
  add_layers(fixture);
  debye_scene_view_all(fixture->scene, 1.0);
  fixture->view = g_object_ref_sink(g_object_new(DEBYE_TYPE_VIEW_3D, NULL));
  debye_view_3d_set_scene(DEBYE_VIEW_3D(fixture->view), fixture->scene);
  fixture->window = show_in_window(fixture->view);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy(fixture->window);
  g_object_unref(fixture->view);
  g_object_unref(fixture->scene);
  sample_molecule_clear(&fixture->molecule);
}

static GtkWidget *
find_area(GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_GL_AREA(widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_area(child);
  return found;
}

/* In the view's context, with all that the scene has in it; while there is none, in one off screen. */
static GBytes *
capture(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeOffscreen) offscreen = NULL;
  if (gtk_widget_get_realized(fixture->view))
    gtk_gl_area_make_current(GTK_GL_AREA(find_area(fixture->view)));
  else
    offscreen = debye_offscreen_new(&error);
  g_assert_no_error(error);
  GBytes *pixels = debye_capture(fixture->scene, SIDE, SIDE, 1.0, FALSE, 0, &error);
  g_assert_no_error(error);
  if (offscreen != NULL)
    debye_scene_release(fixture->scene, FALSE);
  return pixels;
}

/* Not the background alone: the layers are there. */
static void
assert_drawn(GBytes *pixels)
{
  gsize size, n_other = 0;
  const guint32 *data = g_bytes_get_data(pixels, &size);
  for (gsize i = 1; i < size / sizeof *data; i++)
    n_other += data[i] != data[0];
  g_assert_cmpuint(n_other, >, SIDE * SIDE / 20);
}

/* The surface goes with its context, and others come. */
static void
test_unrealized(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GBytes) before = capture(fixture);
  assert_drawn(before);
  for (int i = 0; i < 3; i++) {
    gtk_widget_set_visible(GTK_WIDGET(fixture->window), FALSE);
    gtk_widget_unrealize(GTK_WIDGET(fixture->window));
    g_assert_false(gtk_widget_get_realized(fixture->view));
    gtk_window_present(fixture->window);
    wait_until_drawn(fixture->view);
    g_autoptr(GBytes) after = capture(fixture);
    g_assert_true(g_bytes_equal(before, after));
  }
}

static void
test_other_window(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GBytes) before = capture(fixture);
  gtk_window_set_child(fixture->window, NULL);
  gtk_window_destroy(fixture->window);
  fixture->window = show_in_window(fixture->view);
  g_autoptr(GBytes) after = capture(fixture);
  g_assert_true(g_bytes_equal(before, after));
}

/* What is set while there is no context is in the next one's picture, and a picture can be had meanwhile. */
static void
test_changed_meanwhile(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GListModel *layers = debye_scene_get_layers(fixture->scene);
  g_autoptr(DebyeLayer) atoms = g_list_model_get_item(layers, 0);
  g_autoptr(GBytes) before = capture(fixture);
  gtk_widget_set_visible(GTK_WIDGET(fixture->window), FALSE);
  gtk_widget_unrealize(GTK_WIDGET(fixture->window));
  debye_molecule_layer_set_style(DEBYE_MOLECULE_LAYER(atoms), DEBYE_STYLE_SPHERES);
  g_autoptr(GBytes) meanwhile = capture(fixture);
  gtk_window_present(fixture->window);
  wait_until_drawn(fixture->view);
  g_autoptr(GBytes) after = capture(fixture);
  assert_drawn(meanwhile);
  g_assert_false(g_bytes_equal(before, after));
  debye_molecule_layer_set_style(DEBYE_MOLECULE_LAYER(atoms), DEBYE_STYLE_BALL_AND_STICK);
  g_autoptr(GBytes) again = capture(fixture);
  g_assert_true(g_bytes_equal(before, again));
}

/* Until the view is as wide as its margin leaves it, and a little longer. */
static void
wait_for_margin(const Fixture *fixture, int margin)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  const int before = gtk_widget_get_width(fixture->view);
  gtk_widget_set_margin_end(fixture->view, margin);
  while (gtk_widget_get_width(fixture->view) == before && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_cmpint(gtk_widget_get_width(fixture->view), !=, before);
  wait_until_drawn(fixture->view);
}

static void
wait_for_height(const DebyeCamera *camera, float low, float high)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while ((camera->height < low || camera->height > high) && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_cmpfloat(camera->height, >=, low);
  g_assert_cmpfloat(camera->height, <=, high);
}

/* What was framed is framed again in a narrower view; where a person looks stays. */
static void
test_narrower(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const DebyeCamera *camera = debye_scene_get_camera(fixture->scene);
  debye_view_3d_view_all(DEBYE_VIEW_3D(fixture->view));
  const float framed = camera->height;
  wait_for_margin(fixture, 280);
  wait_for_height(camera, 1.2f * framed, G_MAXFLOAT);
  wait_for_margin(fixture, 0);
  wait_for_height(camera, 0.999f * framed, 1.001f * framed);
  debye_view_3d_zoom(DEBYE_VIEW_3D(fixture->view), 2.0);
  const float chosen = camera->height;
  wait_for_margin(fixture, 280);
  g_assert_cmpfloat(camera->height, ==, chosen);
}

static void
add_test(const char *path, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  add_test("/view-lost/unrealized", test_unrealized);
  add_test("/view-lost/other-window", test_other_window);
  add_test("/view-lost/changed-meanwhile", test_changed_meanwhile);
  add_test("/view-lost/narrower", test_narrower);
  return g_test_run();
}

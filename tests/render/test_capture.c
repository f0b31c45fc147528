/* SPDX-License-Identifier: MIT */
/* Pictures to keep: tiles fit together, steps make the whole, and what is given up leaves no file. */
#include <string.h>

#include <glib/gstdio.h>
#include <png.h>

#include "golden.h"
#include "render/scene/capture_private.h"
#include "render/scene/picture_size.h"
#include "render/layers/clip_layer.h"
#include "render/gl/gl_target.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/slice_layer.h"
#include "sample_scene.h"

typedef struct {
  DebyeOffscreen *offscreen;
  DebyeScene *scene;
  SampleMolecule molecule;
  DebyeField *field;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  fixture->offscreen = debye_offscreen_new(&error);
  g_assert_no_error(error);
  fixture->scene = debye_scene_new();
  fixture->molecule = sample_helix(12);
  fixture->field = sample_potential(48, 30.0);
  debye_camera_orbit(debye_scene_get_camera(fixture->scene), 100.0, 120.0, 190.0, 105.0, 320, 240);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_scene_release(fixture->scene, FALSE);
  g_object_unref(fixture->scene);
  g_object_unref(fixture->field);
  sample_molecule_clear(&fixture->molecule);
  debye_offscreen_free(fixture->offscreen);
}

static void
add_molecule(Fixture *fixture, DebyeMoleculeStyle style)
{
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(fixture->molecule.topology);
  debye_layer_show_frame(DEBYE_LAYER(layer), fixture->molecule.frame);
  debye_molecule_layer_set_style(layer, style);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
}

static void
add_isosurface(Fixture *fixture, double level, double opacity)
{
  g_autoptr(DebyeIsosurfaceLayer) layer = debye_isosurface_layer_new(fixture->field, level);
  debye_layer_set_opacity(DEBYE_LAYER(layer), opacity);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
}

static void
add_slice(Fixture *fixture, int axis)
{
  g_autoptr(DebyeSliceLayer) layer = debye_slice_layer_new(fixture->field);
  debye_slice_layer_set_axis(layer, axis);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
}

static void
add_labels(Fixture *fixture)
{
  static const guint32 atoms[] = {1, 11, 21, 31};
  g_autoptr(DebyeLabelLayer) layer = debye_label_layer_new(fixture->molecule.topology);
  g_object_set(layer, "content", DEBYE_LABEL_INDEX, NULL);
  debye_layer_choose(DEBYE_LAYER(layer), NULL, atoms, G_N_ELEMENTS(atoms));
  debye_layer_show_frame(DEBYE_LAYER(layer), fixture->molecule.frame);
  debye_scene_add(fixture->scene, DEBYE_LAYER(layer));
}

static void
add_cut(Fixture *fixture)
{
  g_autoptr(DebyeClipLayer) clip = debye_clip_layer_new();
  g_object_set(clip, "position", 0.7, NULL);
  debye_scene_add(fixture->scene, DEBYE_LAYER(clip));
}

static void
view_all(Fixture *fixture)
{
  debye_scene_settle(fixture->scene);
  debye_scene_view_all(fixture->scene, 4.0 / 3.0);
}

/* Tiles of a picture are the picture. */
static void
test_tiles(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  add_molecule(fixture, DEBYE_STYLE_BALL_AND_STICK);
  add_isosurface(fixture, 6.0, 0.5);
  add_slice(fixture, 0);
  debye_scene_settle(fixture->scene);
  debye_scene_view_all(fixture->scene, 3.0);
  g_autoptr(GBytes) whole = debye_capture_tiled(fixture->scene, 1500, 500, 1.0, FALSE, 1, 1500, &error);
  g_assert_no_error(error);
  g_autoptr(GBytes) tiled = debye_capture_tiled(fixture->scene, 1500, 500, 1.0, FALSE, 1, 400, &error);
  g_assert_no_error(error);
  /* The same rays to a few bits of single precision: single pixels at silhouettes may differ. */
  g_assert_cmpfloat(golden_difference(whole, tiled, 8), <, 0.002);
  g_autoptr(GBytes) wide = debye_capture(fixture->scene, 9000, 200, 1.0, FALSE, 1, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(g_bytes_get_size(wide), ==, 4u * 9000u * 200u);
}

/* Occlusion, outlines, labels, legend and a cut as well: no seam where two tiles meet. */
static void
test_seams(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  add_molecule(fixture, DEBYE_STYLE_SPHERES);
  add_isosurface(fixture, 6.0, 0.5);
  add_cut(fixture);
  add_labels(fixture);
  debye_look_preset(debye_scene_get_look(fixture->scene), "figure", FALSE);
  DebyeLook *look = debye_scene_get_look(fixture->scene);
  look->ambient_occlusion = look->outline = 1.0f;
  look->legend = look->axes = look->scale_bar = TRUE;
  view_all(fixture);
  g_autoptr(GBytes) whole = debye_capture_tiled(fixture->scene, 1200, 900, 2.0, FALSE, 1, 1200, &error);
  g_assert_no_error(error);
  g_autoptr(GBytes) tiled = debye_capture_tiled(fixture->scene, 1200, 900, 2.0, FALSE, 1, 250, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(golden_difference(whole, tiled, 8), <, 0.002);
}

/* Pixels of the right quarter that differ from the top left corner's, from one row to another. */
static guint
count_right(GBytes *picture, guint width, guint from, guint to)
{
  const guint8 *pixels = g_bytes_get_data(picture, NULL);
  guint n = 0;
  for (guint y = from; y < to; y++)
    for (guint x = 3 * width / 4; x < width; x++)
      n += memcmp(pixels + 4 * (gsize)(y * width + x), pixels, 4) != 0;
  return n;
}

/* A scale that is higher than the picture is drawn smaller, and not cut. */
static void
test_low_picture(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  enum { WIDE = 600, LOW = 140, RIM = 8 };
  g_autoptr(GError) error = NULL;
  add_slice(fixture, 2);
  debye_scene_get_look(fixture->scene)->legend = TRUE;
  view_all(fixture);
  g_autoptr(GBytes) picture = debye_capture(fixture->scene, WIDE, LOW, 1.0, FALSE, 1, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(count_right(picture, WIDE, RIM, LOW - RIM), >, 300);
  g_assert_cmpuint(count_right(picture, WIDE, LOW - RIM, LOW), ==, 0);
}

/* A step draws a tile; the fraction grows to 1; what is drawn in between does not disturb. */
static void
test_capture_steps(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  const DebyeCaptureSize size = {.width = 2500, .height = 1100, .scale = 1.0, .samples = 1};
  double before = 0.0;
  guint n_steps = 0;
  add_molecule(fixture, DEBYE_STYLE_BALL_AND_STICK);
  view_all(fixture);
  g_autoptr(GBytes) at_once = debye_capture(fixture->scene, 2500, 1100, 1.0, FALSE, 1, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeCapture) capture = debye_capture_begin(fixture->scene, &size, &error);
  g_assert_no_error(error);
  while (debye_capture_get_fraction(capture) < 1.0) {
    g_assert_true(debye_capture_step(capture, &error));
    g_assert_cmpfloat(debye_capture_get_fraction(capture), >, before);
    before = debye_capture_get_fraction(capture);
    g_assert_true(debye_scene_draw(fixture->scene, 100, 80, 1.0, &error));
    n_steps++;
  }
  /* Three tiles by two, on the software GL of the tests. */
  g_assert_cmpuint(n_steps, ==, 6);
  g_autoptr(GBytes) stepped = debye_capture_finish(g_steal_pointer(&capture));
  g_assert_true(g_bytes_equal(at_once, stepped));
}

/* A gradient with noise in one corner, so that rows of one picture want different filters. */
static guint8 *
make_pixels(int width, int height, GRand *random)
{
  guint8 *pixels = g_new(guint8, 4 * (gsize)width * (gsize)height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const gboolean is_noisy = 2 * x > width && 2 * y > height;
      for (int c = 0; c < 4; c++)
        pixels[4 * ((gsize)y * (gsize)width + (gsize)x) + (gsize)c] =
            (guint8)(is_noisy ? g_rand_int_range(random, 0, 256) : (c + 1) * (x + 2 * y));
    }
  return pixels;
}

static void
check_read_back(const char *path, int width, int height, const guint8 *expected)
{
  const gsize n = 4 * (gsize)width * (gsize)height;
  g_autofree guint8 *found = g_malloc0(n);
  png_image image = {.version = PNG_IMAGE_VERSION};
  g_assert_true(png_image_begin_read_from_file(&image, path));
  image.format = PNG_FORMAT_RGBA;
  g_assert_cmpuint(image.width, ==, (guint)width);
  g_assert_cmpuint(image.height, ==, (guint)height);
  g_assert_true(png_image_finish_read(&image, NULL, found, 0, NULL));
  g_assert_cmpmem(found, n, expected, n);
}

/* Strips and what each knows of the one before: pictures of one row and one column, of one strip, of rows longer than what deflate
 * looks back, of many strips. libpng reads the same pixels. */
static void
test_png_pixels(void)
{
  static const int sizes[][2] = {{1, 1}, {1, 700}, {700, 1}, {300, 100}, {9000, 40}, {640, 480}, {60000, 3}};
  g_autofree char *folder = g_dir_make_tmp("debye-png-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "a.png", NULL);
  g_autoptr(GRand) random = g_rand_new_with_seed(17);
  for (gsize k = 0; k < G_N_ELEMENTS(sizes); k++) {
    const int width = sizes[k][0], height = sizes[k][1];
    g_autoptr(GError) error = NULL;
    g_autofree guint8 *pixels = make_pixels(width, height, random);
    g_autoptr(GBytes) bytes = g_bytes_new(pixels, 4 * (gsize)width * (gsize)height);
    g_assert_true(debye_capture_save_png(bytes, width, height, 300.0, path, &error));
    g_assert_no_error(error);
    check_read_back(path, width, height, pixels);
  }
  g_assert_cmpint(g_remove(path) + g_rmdir(folder), ==, 0);
}

static gboolean
stop_halfway(double fraction, gpointer data)
{
  guint *n_told = data;
  (*n_told)++;
  return fraction < 0.5;
}

/* A picture that is given up leaves the file that was there. */
static void
test_png_stopped(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp("debye-png-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "a.png", NULL);
  g_autofree char *text = NULL;
  guint n_told = 0;
  gsize length = 0;
  g_autoptr(GBytes) pixels = g_bytes_new_take(g_malloc0(4 * 1200 * 1600), 4 * 1200 * 1600);
  g_assert_true(g_file_set_contents(path, "before", -1, NULL));
  g_assert_true(
      debye_capture_save_large_png(pixels, 1200, 1600, 300.0, NULL, path, stop_halfway, &n_told, &error));
  g_assert_no_error(error);
  /* Half of some forty strips. */
  g_assert_cmpuint(n_told, >, 15);
  g_assert_cmpuint(n_told, <, 25);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  g_assert_cmpstr(text, ==, "before");
  g_assert_true(debye_capture_save_png(pixels, 1200, 1600, 300.0, path, &error));
  g_clear_pointer(&text, g_free);
  g_assert_true(g_file_get_contents(path, &text, &length, NULL));
  g_assert_cmpuint(length, >, 8);
  g_assert_cmpint(memcmp(text, "\x89PNG", 4), ==, 0);
  g_assert_cmpint(g_remove(path) + g_rmdir(folder), ==, 0);
}

/* What can't be drawn into is refused each time. */
static void
test_target_refused(Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  DebyeTarget target = {0};
  const int too_large = 1 << 24;
  g_assert_false(debye_target_ensure(&target, too_large, too_large, GL_RGBA8, FALSE));
  g_assert_false(debye_target_ensure(&target, too_large, too_large, GL_RGBA8, FALSE));
  g_assert_true(debye_target_ensure(&target, 8, 8, GL_RGBA8, FALSE));
  debye_target_clear(&target, FALSE);
}

/* 89 mm are 1051.18 pixels at 300 dots per inch; 7 points of them are 9.33 logical pixels, 96 to the inch. */
static void
test_printed_size(void)
{
  int width, height;
  DebyeLook look = {.font_size = 11.0, .legend_notes = TRUE};
  DebyePictureSize size = {0};
  g_assert_true(debye_picture_size_parse(&size, "89x66mm", NULL));
  g_assert_true(debye_picture_size_get_pixels(&size, &width, &height));
  g_assert_cmpint(width, ==, 1051);
  g_assert_cmpint(height, ==, 780);
  g_assert_cmpfloat(debye_picture_size_get_dpi(&size), ==, 300.0);
  debye_picture_size_set_words(&size, &look);
  g_assert_cmpfloat_with_epsilon(look.font_size, 7.0 * 96.0 / 72.0, 1e-9);
  g_assert_false(look.legend_notes);
  size.dpi = 2400.0;
  g_assert_false(debye_picture_size_parse(&size, "400x66mm", NULL));
  g_assert_cmpfloat(size.width, ==, 89.0);
  g_assert_false(debye_picture_size_parse(&size, "89x66cm", NULL));
}

/* Text has its points by the density, lines their share of the picture. */
static void
test_size_in_pixels(void)
{
  int width, height;
  DebyeLook look = {.font_size = 11.0, .legend_notes = TRUE};
  DebyePictureSize size = {0};
  g_assert_true(debye_picture_size_parse(&size, "2560x1600", NULL));
  g_assert_true(debye_picture_size_get_pixels(&size, &width, &height));
  g_assert_cmpint(width, ==, 2560);
  g_assert_cmpint(height, ==, 1600);
  g_assert_cmpfloat(debye_picture_size_get_scale(&size), ==, 2.0);
  g_assert_cmpfloat(debye_picture_size_get_dpi(&size), ==, 192.0);
  debye_picture_size_set_words(&size, &look);
  g_assert_cmpfloat(look.font_size, ==, 11.0);
  size.dpi = 300.0;
  size.text_size = 12.0;
  debye_picture_size_set_words(&size, &look);
  g_assert_cmpfloat_with_epsilon(look.font_size, 25.0, 1e-9);
  g_assert_true(look.legend_notes);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/capture/tiles", Fixture, NULL, set_up, test_tiles, tear_down);
  g_test_add("/capture/seams", Fixture, NULL, set_up, test_seams, tear_down);
  g_test_add("/capture/low-picture", Fixture, NULL, set_up, test_low_picture, tear_down);
  g_test_add("/capture/steps", Fixture, NULL, set_up, test_capture_steps, tear_down);
  g_test_add("/capture/target-refused", Fixture, NULL, set_up, test_target_refused, tear_down);
  g_test_add_func("/capture/printed-size", test_printed_size);
  g_test_add_func("/capture/size-in-pixels", test_size_in_pixels);
  g_test_add_func("/capture/png-stopped", test_png_stopped);
  g_test_add_func("/capture/png-pixels", test_png_pixels);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Drawings of the guides: each that a step names is there, and draws something within its box in both colors of its threads. */
#include "ui/manual/guide_drawing.h"

#define WIDTH 500
#define HEIGHT ((int)(WIDTH / DEBYE_GUIDE_DRAWING_ASPECT))

/* Pixels that are neither paper nor ink. */
static guint
count_colored(const char *name)
{
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create(surface);
  guint n = 0;
  cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
  cairo_paint(cr);
  cairo_set_source_rgb(cr, 0.0, 0.0, 0.0);
  debye_guide_drawing_draw(name, cr, WIDTH);
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  for (int y = 0; y < HEIGHT; y++) {
    const guint32 *row = (const guint32 *)(const void *)(cairo_image_surface_get_data(surface) +
                                                         y * cairo_image_surface_get_stride(surface));
    for (int x = 0; x < WIDTH; x++) {
      const int red = (int)(row[x] >> 16 & 0xff), blue = (int)(row[x] & 0xff);
      n += ABS(red - blue) > 40;
    }
  }
  const char *folder = g_getenv("OUTPUT");
  if (folder != NULL) {
    g_autofree char *file = g_strdup_printf("%s/drawing-%s.png", folder, name);
    cairo_surface_write_to_png(surface, file);
  }
  cairo_surface_destroy(surface);
  return n;
}

static void
test_all(void)
{
  static const char *const names[] = {"scatter", "gather", "tiles", "half-warps", "bins", "pairs", "dealt"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_assert_nonnull(debye_guide_drawing_describe(names[i]));
    g_assert_cmpuint(count_colored(names[i]), >, 100);
  }
  g_assert_cmpuint(count_colored("tasks"), ==, 0); /* boxes alone */
  g_assert_cmpuint(count_colored("none"), ==, 0);
  g_assert_null(debye_guide_drawing_describe("none"));
  g_assert_false(debye_guide_drawing_exists(NULL));
}

static void
test_samples(void)
{
  g_autoptr(GKeyFile) index = g_key_file_new();
  g_autofree char *path = g_build_filename(g_getenv("DEBYE_SAMPLES_DIR"), "index.ini", NULL);
  guint n = 0;
  g_assert_true(g_key_file_load_from_file(index, path, G_KEY_FILE_NONE, NULL));
  g_auto(GStrv) groups = g_key_file_get_groups(index, NULL);
  for (char **group = groups; *group != NULL; group++) {
    g_auto(GStrv) keys = g_key_file_get_keys(index, *group, NULL, NULL);
    for (char **key = keys; *key != NULL; key++) {
      g_autofree char *value =
          g_str_has_suffix(*key, "-drawing") ? g_key_file_get_string(index, *group, *key, NULL) : NULL;
      g_assert_true(value == NULL || debye_guide_drawing_exists(value));
      n += value != NULL;
    }
  }
  g_assert_cmpuint(n, >=, 8);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/guide-drawing/all", test_all);
  g_test_add_func("/guide-drawing/samples", test_samples);
  return g_test_run();
}

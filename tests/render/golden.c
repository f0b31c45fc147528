/* SPDX-License-Identifier: MIT */
/* A picture that differs is left beside the build as NAME-found.png, to be looked at. */
#include "golden.h"

#include <stdlib.h>

#include <png.h>

#include "render/scene/capture.h"

/* The largest share of pixels that may differ by more than a shade: fonts and drivers differ, pictures don't.
 */
#define LARGEST_SHARE 0.02

double
golden_difference(GBytes *picture, GBytes *other, int shade)
{
  gsize n, m;
  const guint8 *a = g_bytes_get_data(picture, &n), *b = g_bytes_get_data(other, &m);
  g_assert_cmpuint(n, ==, m);
  gsize different = 0;
  for (gsize i = 0; i < n; i += 4) {
    int worst = 0;
    for (int c = 0; c < 4; c++)
      worst = MAX(worst, abs(a[i + (gsize)c] - b[i + (gsize)c]));
    different += worst > shade;
  }
  return (double)different / (double)(n / 4);
}

static GBytes *
load(const char *path, int width, int height)
{
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path))
    g_error("%s: %s", path, image.message);
  g_assert_cmpuint(image.width, ==, (guint)width);
  g_assert_cmpuint(image.height, ==, (guint)height);
  image.format = PNG_FORMAT_RGBA;
  guint8 *bytes = g_malloc(PNG_IMAGE_SIZE(image));
  g_assert_true(png_image_finish_read(&image, NULL, bytes, 0, NULL));
  return g_bytes_new_take(bytes, PNG_IMAGE_SIZE(image));
}

void
golden_check(GBytes *rgba, int width, int height, const char *name)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *file = g_strconcat(name, ".png", NULL);
  g_autofree char *path = g_test_build_filename(G_TEST_DIST, "golden", file, NULL);
  if (g_getenv("DEBYE_UPDATE_GOLDEN")) {
    debye_capture_save_png(rgba, width, height, DEBYE_SCREEN_DPI, path, &error);
    g_assert_no_error(error);
  }
  g_autoptr(GBytes) expected = load(path, width, height);
  double share = golden_difference(rgba, expected, 24);
  if (share > LARGEST_SHARE) {
    g_autofree char *found = g_strconcat(name, "-found.png", NULL);
    debye_capture_save_png(rgba, width, height, DEBYE_SCREEN_DPI, found, NULL);
    g_test_message("%s differs in %.2f %% of its pixels: see %s", file, 100.0 * share, found);
  }
  g_assert_cmpfloat(share, <=, LARGEST_SHARE);
}

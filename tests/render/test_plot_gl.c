/* SPDX-License-Identifier: MIT */
/* Plots drawn by OpenGL, held against cairo's drawing of the same page and against pictures that were looked
 * at. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "golden.h"
#include "render/scene/capture_private.h"
#include "render/gl/gl_target.h"
#include "render/plot/plot_cairo.h"
#include "render/gl/plot_gl.h"
#include "sample_plots.h"

/* Points of a page of 480 × 340 logical pixels. */
#define WIDTH 360.0
#define HEIGHT 255.0

typedef struct {
  const char *path;
  void (*body)(void);
  gboolean embedded; /* OpenGL ES */
} Test;

/* RGBA rows from the top. */
static GBytes *
render_gl(DebyePlot *plot, const DebyePlotPage *page, int *width, int *height)
{
  GError *error = NULL;
  DebyePlotStyle style;
  DebyeTarget target = {0};
  double scale = page->dpi / 72.0;
  *width = (int)(page->width * scale + 0.5);
  *height = (int)(page->height * scale + 0.5);
  debye_plot_style_init(&style, page->dark, page->scale);
  g_autoptr(DebyePlotLayout) layout =
      debye_plot_layout_new(plot, &style, page->width, page->height, scale, NULL);
  DebyePlotGl *gl = debye_plot_gl_new();
  g_assert_true(debye_target_ensure(&target, *width, *height, GL_RGBA8, FALSE));
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  debye_plot_gl_draw(gl, debye_plot_layout_get_drawing(layout), *width, *height, &error);
  g_assert_no_error(error);
  g_assert_cmpint(glGetError(), ==, GL_NO_ERROR);
  gsize row = 4 * (gsize)*width, n = row * (gsize)*height;
  g_autofree guint8 *upside_down = g_malloc(n);
  guint8 *rgba = g_malloc(n);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, *width, *height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down);
  for (int y = 0; y < *height; y++)
    memcpy(rgba + (gsize)y * row, upside_down + (gsize)(*height - 1 - y) * row, row);
  debye_plot_gl_free(gl, FALSE);
  debye_target_clear(&target, FALSE);
  return g_bytes_new_take(rgba, n);
}

/* The same of the PNG that is exported. */
static GBytes *
render_cairo(DebyePlot *plot, const DebyePlotPage *page, int *width, int *height)
{
  GError *error = NULL;
  g_autofree char *path = g_strdup_printf("plot-gl-%d.png", (int)getpid());
  debye_plot_save(plot, page, path, &error);
  g_assert_no_error(error);
  cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
  g_assert_cmpint(cairo_surface_status(surface), ==, CAIRO_STATUS_SUCCESS);
  g_unlink(path);
  *width = cairo_image_surface_get_width(surface);
  *height = cairo_image_surface_get_height(surface);
  gsize n = (gsize)*width * (gsize)*height;
  guint8 *rgba = g_malloc(4 * n);
  /* Rows of 32-bit pixels have no padding, and the paper is opaque. */
  const guint32 *pixels = (const guint32 *)(const void *)cairo_image_surface_get_data(surface);
  for (gsize i = 0; i < n; i++) {
    rgba[4 * i] = (guint8)(pixels[i] >> 16);
    rgba[4 * i + 1] = (guint8)(pixels[i] >> 8);
    rgba[4 * i + 2] = (guint8)pixels[i];
    rgba[4 * i + 3] = (guint8)(pixels[i] >> 24);
  }
  cairo_surface_destroy(surface);
  return g_bytes_new_take(rgba, 4 * n);
}

static DebyePlotPage
make_page(gboolean dark, double dpi)
{
  DebyePlotPage page;
  debye_plot_page_init(&page);
  page.width = WIDTH;
  page.height = HEIGHT;
  page.dark = dark;
  page.dpi = dpi;
  return page;
}

/* Ten curves: every dash there is. */
static DebyePlot *
make_dashes(void)
{
  enum { N_CURVES = 10, N_POINTS = 120 };
  DebyePlot *plot = debye_plot_new();
  const DebyeQuantity x_quantity = {"x", NULL, NULL}, y_quantity = {"y", NULL, NULL};
  for (int k = 0; k < N_CURVES; k++) {
    double x[N_POINTS], y[N_POINTS];
    for (int i = 0; i < N_POINTS; i++) {
      x[i] = 0.1 * i;
      y[i] = 0.6 * k + sin(x[i] + 0.3 * k);
    }
    g_autofree char *name = g_strdup_printf("%d", k);
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &x_quantity, &y_quantity, DEBYE_CURVE_LINE, N_POINTS, x, y, NULL);
    debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  }
  return plot;
}

typedef struct {
  const char *name;
  DebyePlot *(*make)(void);
} Sample;

static const Sample samples[] = {
    {"plot-pair-distribution", sample_plot_pair_distribution},
    {"plot-scattering", sample_plot_scattering},
    {"plot-heat-map", sample_plot_heat_map},
    {"plot-dashes", make_dashes},
};

/* What is seen equals what is exported. Both draw what covers a pixel in part by how much it covers, but cut
 * corners otherwise: a shade of 40 is what the ends and joins of a line may differ by. */
static void
test_like_cairo(void)
{
  static const double resolutions[] = {96.0, 192.0};
  for (gsize i = 0; i < G_N_ELEMENTS(samples); i++)
    for (gsize k = 0; k < G_N_ELEMENTS(resolutions); k++) {
      int width, height, cairo_width, cairo_height;
      g_autoptr(DebyePlot) plot = samples[i].make();
      DebyePlotPage page = make_page(k == 1, resolutions[k]);
      g_autoptr(GBytes) seen = render_gl(plot, &page, &width, &height);
      g_autoptr(GBytes) exported = render_cairo(plot, &page, &cairo_width, &cairo_height);
      g_assert_cmpint(width, ==, cairo_width);
      g_assert_cmpint(height, ==, cairo_height);
      double share = golden_difference(seen, exported, 40);
      g_test_message("%s at %g dpi: %.3f %% differ", samples[i].name, resolutions[k], 100.0 * share);
      if (share > 0.004) {
        debye_capture_save_png(seen, width, height, DEBYE_SCREEN_DPI, "plot-gl-found.png", NULL);
        debye_capture_save_png(exported, width, height, DEBYE_SCREEN_DPI, "plot-cairo-found.png", NULL);
      }
      g_assert_cmpfloat(share, <=, 0.004);
    }
}

static void
test_golden(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
    int width, height;
    g_autoptr(DebyePlot) plot = samples[i].make();
    DebyePlotPage page = make_page(FALSE, 96.0);
    g_autoptr(GBytes) seen = render_gl(plot, &page, &width, &height);
    golden_check(seen, width, height, samples[i].name);
  }
}

/* A million points end as few vertices, and look like all of them. */
static void
test_many_points(void)
{
  int width, height;
  g_autoptr(DebyePlot) plot = debye_plot_new();
  g_autoptr(DebyeCurve) curve = sample_curve_long(1000000);
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  DebyePlotPage page = make_page(FALSE, 96.0);
  g_autoptr(GBytes) seen = render_gl(plot, &page, &width, &height);
  g_autoptr(GBytes) exported = render_cairo(plot, &page, &width, &height);
  /* Dense vertical strokes: edges that turn back upon themselves are drawn twice. */
  g_assert_cmpfloat(golden_difference(seen, exported, 64), <=, 0.01);
}

/* Each test in an OpenGL context and in one of OpenGL ES. */
static void
run(gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  const Test *test = data;
  g_autoptr(DebyeOffscreen) offscreen = debye_offscreen_new_for_api(test->embedded, &error);
  g_assert_no_error(error);
  test->body();
}

int
main(int argc, char **argv)
{
  static const Test tests[] = {
      {"/plot-gl/like-cairo", test_like_cairo, FALSE},     {"/plot-gl/golden", test_golden, FALSE},
      {"/plot-gl/many-points", test_many_points, FALSE},   {"/plot-gl/like-cairo-es", test_like_cairo, TRUE},
      {"/plot-gl/many-points-es", test_many_points, TRUE},
  };
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
    g_test_add_data_func(tests[i].path, &tests[i], run);
  return g_test_run();
}

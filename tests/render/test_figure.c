/* SPDX-License-Identifier: MIT */
/* Panels on a page: where they stand, what is in them, and what a file of them holds. */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "render/plot/figure.h"
#include "sample_plots.h"

/* One colour all over. */
static GBytes *
make_picture(int width, int height, guint8 red, guint8 green, guint8 blue, guint8 alpha)
{
  gsize n = (gsize)width * (gsize)height;
  guint8 *rgba = g_malloc(4 * n);
  for (gsize i = 0; i < n; i++) {
    const guint8 pixel[] = {red, green, blue, alpha};
    memcpy(rgba + 4 * i, pixel, sizeof pixel);
  }
  return g_bytes_new_take(rgba, 4 * n);
}

static void
test_places(void)
{
  DebyeFigureStyle style;
  double width, height, w, h;
  int columns, rows;
  debye_figure_style_init(&style);
  style.width = 210.0;
  style.gap = 10.0;
  style.ratio = 0.5;
  style.dpi = 144.0;
  style.letters = DEBYE_LETTERS_NONE;
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 3);
  debye_figure_get_panel_size(figure, &w, &h);
  debye_figure_get_panel_pixels(figure, &columns, &rows);
  debye_figure_get_size(figure, &width, &height);
  g_assert_cmpfloat_with_epsilon(w, 100.0, 1e-9);
  g_assert_cmpfloat_with_epsilon(h, 50.0, 1e-9);
  g_assert_cmpint(columns, ==, 200);
  g_assert_cmpint(rows, ==, 100);
  g_assert_cmpfloat_with_epsilon(width, 210.0, 1e-9);
  g_assert_cmpfloat_with_epsilon(height, 110.0, 1e-9); /* two rows and a gap */
  /* One panel alone has the whole width, however many columns are asked for. */
  g_autoptr(DebyeFigure) lone = debye_figure_new(&style, 1);
  debye_figure_get_panel_size(lone, &w, &h);
  g_assert_cmpfloat_with_epsilon(w, 210.0, 1e-9);
}

static cairo_surface_t *
draw(DebyeFigure *figure)
{
  double width, height;
  debye_figure_get_size(figure, &width, &height);
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width), (int)ceil(height));
  cairo_t *cr = cairo_create(surface);
  cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
  cairo_paint(cr);
  debye_figure_draw(figure, cr);
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  return surface;
}

static guint32
pixel(cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data(surface);
  guint32 value;
  memcpy(&value, data + y * cairo_image_surface_get_stride(surface) + 4 * x, sizeof value);
  return value & 0xffffffu;
}

/* Dark pixels of a rectangle. */
static guint
count_ink(cairo_surface_t *surface, int left, int top, int right, int bottom)
{
  guint n = 0;
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++)
      n += (pixel(surface, x, y) & 0xffu) < 0x80u;
  return n;
}

/* Each panel has its own, in their order; a picture of other proportions stands in the middle;
 * half-transparent red over paper is pink; letters stand above the corners. */
static void
test_panels(void)
{
  DebyeFigureStyle style;
  double w, h;
  debye_figure_style_init(&style);
  style.width = 410.0;
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 3);
  g_autoptr(GBytes) blue = make_picture(20, 20, 0, 0, 255, 255), red = make_picture(8, 6, 255, 0, 0, 128);
  g_autoptr(DebyePlot) plot = sample_plot_pair_distribution();
  debye_figure_add_picture(figure, NULL, 0, 0);
  debye_figure_add_plot(figure, plot);
  debye_figure_add_picture(figure, red, 8, 6);
  debye_figure_set_picture(figure, 0, blue, 20, 20);
  debye_figure_get_panel_size(figure, &w, &h);
  g_assert_cmpfloat_with_epsilon(w, 200.0, 1e-9);
  cairo_surface_t *page = draw(figure);
  int letter = cairo_image_surface_get_height(page) / 2 - (int)h; /* its room and half a gap */
  g_assert_cmphex(pixel(page, 100, 80), ==, 0x0000ff);
  g_assert_cmphex(pixel(page, 5, 80), ==, 0xffffff); /* beside the square */
  g_assert_cmphex(pixel(page, 100, 14 + 150 + 10 + 14 + 75), ==, 0xff7f7f);
  g_assert_cmpuint(count_ink(page, 210, 14, 410, 164), >, 200); /* the plot */
  g_assert_cmpuint(count_ink(page, 0, 0, 10, letter), >, 5);
  g_assert_cmpuint(count_ink(page, 210, 0, 220, 14), >, 5);
  g_assert_cmpuint(count_ink(page, 30, 0, 200, 14), ==, 0);
  cairo_surface_destroy(page);
}

static gboolean
is_white_somewhere(cairo_surface_t *surface, int left, int right, int y)
{
  for (int x = left; x < right; x++)
    if (pixel(surface, x, y) == 0xffffff)
      return TRUE;
  return FALSE;
}

/* Above a frame, whose upper edge is a whole line. */
static guint
count_ink_above(cairo_surface_t *surface, int left, int right, int top)
{
  int edge = top;
  while (edge < top + 100 && is_white_somewhere(surface, left, right, edge))
    edge++;
  g_assert_cmpint(edge, <, top + 100);
  return count_ink(surface, left, top, right, edge);
}

/* Of a row all legends are above as soon as one has to be; the next row's, whose curves leave room, is within. */
static void
test_legends(void)
{
  DebyeFigureStyle style;
  debye_figure_style_init(&style);
  style.width = 410.0;
  style.letters = DEBYE_LETTERS_NONE;
  g_autoptr(DebyePlot) plot = sample_plot_pair_distribution(), above = debye_plot_copy(plot);
  debye_plot_set_legend_side(plot, DEBYE_PLOT_LEGEND_AUTO);
  debye_plot_set_legend_side(above, DEBYE_PLOT_LEGEND_ABOVE);
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 3);
  debye_figure_add_plot(figure, above);
  debye_figure_add_plot(figure, plot);
  debye_figure_add_plot(figure, plot);
  double w, h;
  debye_figure_get_panel_size(figure, &w, &h);
  cairo_surface_t *page = draw(figure);
  g_assert_cmpuint(count_ink_above(page, 60, 190, 0), >, 20);
  g_assert_cmpuint(count_ink_above(page, 270, 400, 0), >, 20);
  g_assert_cmpuint(count_ink_above(page, 60, 190, (int)ceil(h + style.gap)), ==, 0);
  cairo_surface_destroy(page);
}

/* From its left edge, a whole line, to its right one. */
static int
measure_frame(cairo_surface_t *page, int left, int right, int height)
{
  int edges[2] = {-1, -1};
  for (int x = left; x < right; x++) {
    int n = 0;
    for (int y = 0; y < height; y++)
      n += pixel(page, x, y) != 0xffffff;
    if (n < height / 2)
      continue;
    edges[0] = edges[0] < 0 ? x : edges[0];
    edges[1] = x;
  }
  g_assert_cmpint(edges[1], >, edges[0]);
  return edges[1] - edges[0];
}

/* Frames side by side are as wide, though one has a second axis. */
static void
test_widths(void)
{
  DebyeFigureStyle style;
  debye_figure_style_init(&style);
  style.width = 410.0;
  style.letters = DEBYE_LETTERS_NONE;
  g_autoptr(DebyePlot) plot = sample_plot_pair_distribution(), two = debye_plot_copy(plot);
  const guint first = debye_plot_get_series(two, 0);
  debye_plot_add_curve(two, debye_plot_get_curve(two, first), DEBYE_PLOT_Y2);
  debye_plot_set_label(two, DEBYE_PLOT_Y2, "<i>n</i>(<i>r</i>)");
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 2);
  debye_figure_add_plot(figure, plot);
  debye_figure_add_plot(figure, two);
  cairo_surface_t *page = draw(figure);
  const int height = cairo_image_surface_get_height(page);
  g_assert_cmpint(ABS(measure_frame(page, 0, 200, height) - measure_frame(page, 210, 410, height)), <=, 1);
  cairo_surface_destroy(page);
}

/* A picture of fewer bytes than its sides say isn't read. */
static void
test_short_picture(void)
{
  DebyeFigureStyle style;
  debye_figure_style_init(&style);
  style.width = 200.0;
  style.letters = DEBYE_LETTERS_NONE;
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 1);
  g_autoptr(GBytes) blue = make_picture(20, 15, 0, 0, 255, 255), red = make_picture(20, 15, 255, 0, 0, 255);
  debye_figure_add_picture(figure, blue, 20, 15);
  g_test_expect_message(G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*g_bytes_get_size*");
  debye_figure_set_picture(figure, 0, red, 20, 16);
  g_test_assert_expected_messages();
  cairo_surface_t *page = draw(figure);
  g_assert_cmphex(pixel(page, 100, 75), ==, 0x0000ff);
  cairo_surface_destroy(page);
}

/* A page of so many pixels has as many, though its sides in points are rounded. */
static void
check_pixels(int width, int height, double dpi, const char *path)
{
  DebyeFigureStyle style;
  g_autoptr(GBytes) blue = make_picture(2, 2, 0, 0, 255, 255);
  debye_figure_style_init(&style);
  style.dpi = dpi;
  style.width = width * (72.0 / dpi);
  style.height = height * (72.0 / dpi);
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 3);
  for (guint i = 0; i < 3; i++)
    debye_figure_add_picture(figure, blue, 2, 2);
  g_assert_true(debye_figure_save(figure, path, NULL));
  cairo_surface_t *saved = cairo_image_surface_create_from_png(path);
  g_assert_cmpint(cairo_image_surface_get_width(saved), ==, width);
  g_assert_cmpint(cairo_image_surface_get_height(saved), ==, height);
  cairo_surface_destroy(saved);
}

static void
test_pixels(void)
{
  static const double resolutions[] = {36.0, 72.0, 96.0, 127.3, 300.0};
  g_autofree char *folder = g_dir_make_tmp("debye-figure-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "a.png", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(resolutions); i++)
    for (int side = 100; side < 600; side += 41)
      check_pixels(side, 903 - side, resolutions[i], path);
  check_pixels(1205, 903, 300.0, path);
  g_assert_cmpint(g_remove(path) + g_rmdir(folder), ==, 0);
}

static void
test_files(void)
{
  DebyeFigureStyle style;
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp("debye-figure-XXXXXX", NULL), *text = NULL;
  g_autofree char *pdf = g_build_filename(folder, "a.pdf", NULL),
                  *png = g_build_filename(folder, "a.png", NULL);
  g_autofree char *other = g_build_filename(folder, "a.jpg", NULL);
  gsize length;
  debye_figure_style_init(&style);
  style.dpi = 72.0;
  g_autoptr(DebyeFigure) figure = debye_figure_new(&style, 2);
  g_autoptr(DebyePlot) plot = sample_plot_pair_distribution();
  debye_figure_add_plot(figure, plot);
  g_assert_true(debye_figure_save(figure, png, &error));
  g_assert_no_error(error);
  /* A figure is a panel, too. */
  g_assert_true(debye_figure_add_file(figure, png, &error));
  g_assert_true(debye_figure_save(figure, pdf, &error));
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(pdf, &text, &length, NULL));
  g_assert_true(g_str_has_prefix(text, "%PDF"));
  g_assert_false(debye_figure_save(figure, other, &error));
  g_assert_nonnull(error);
  g_clear_error(&error);
  g_assert_false(debye_figure_add_file(figure, other, &error));
  g_assert_nonnull(error);
  g_assert_cmpint(g_remove(pdf) + g_remove(png) + g_rmdir(folder), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/figure/places", test_places);
  g_test_add_func("/figure/panels", test_panels);
  g_test_add_func("/figure/legends", test_legends);
  g_test_add_func("/figure/widths", test_widths);
  g_test_add_func("/figure/short-picture", test_short_picture);
  g_test_add_func("/figure/pixels", test_pixels);
  g_test_add_func("/figure/files", test_files);
  return g_test_run();
}

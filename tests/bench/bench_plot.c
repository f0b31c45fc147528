/* SPDX-License-Identifier: MIT */
/* How fast plots are set and drawn, off screen at 1280×800: bench_plot [FRAMES]. For each sample the median
 * milliseconds of the layout and of drawing, while the view zooms in and out; the first time, in which a
 * curve is looked through, is a column of its own. Timed with glFinish and a monotonic clock. */
#include <stdio.h>
#include <stdlib.h>

#include "render/scene/capture.h"
#include "render/gl/gl_target.h"
#include "render/gl/plot_gl.h"
#include "render/plot/plot_navigation.h"
#include "tests/render/sample_plots.h"

#define WIDTH 1280
#define HEIGHT 800
#define PIXELS_PER_POINT (96.0 / 72.0)

typedef struct {
  DebyePlotGl *gl;
  int n_frames;
} Bench;

static int
compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double
median(double *times, int n)
{
  qsort(times, (size_t)n, sizeof *times, compare);
  return times[n / 2];
}

/* One picture; FALSE where it can't be drawn. */
static void
draw(const Bench *bench, DebyePlot *plot, int frame, double *layout_time, double *draw_time)
{
  DebyePlotStyle style;
  g_autoptr(GError) error = NULL;
  debye_plot_style_init(&style, FALSE, 1.0);
  gint64 start = g_get_monotonic_time();
  g_autoptr(DebyePlotLayout) layout = debye_plot_layout_new(
      plot, &style, WIDTH / PIXELS_PER_POINT, HEIGHT / PIXELS_PER_POINT, PIXELS_PER_POINT, NULL);
  gint64 set = g_get_monotonic_time();
  if (!debye_plot_gl_draw(bench->gl, debye_plot_layout_get_drawing(layout), WIDTH, HEIGHT, &error))
    g_error("%s", error->message);
  glFinish();
  *layout_time = (double)(set - start) / 1e3;
  *draw_time = (double)(g_get_monotonic_time() - set) / 1e3;
  /* Twenty steps in, twenty out. */
  debye_plot_zoom(plot, layout, DEBYE_PLOT_ONLY(DEBYE_PLOT_X), 400.0, 250.0, frame % 40 < 20 ? 1.25 : 0.8);
}

static void
report(const Bench *bench, const char *what, DebyePlot *plot)
{
  double first_layout, first_draw;
  g_autofree double *layouts = g_new(double, bench->n_frames), *draws = g_new(double, bench->n_frames);
  draw(bench, plot, 0, &first_layout, &first_draw);
  for (int i = 0; i < bench->n_frames; i++)
    draw(bench, plot, i + 1, &layouts[i], &draws[i]);
  printf("%-36s %10.2f %10.2f %10.2f\n", what, first_layout, median(layouts, bench->n_frames),
         median(draws, bench->n_frames));
  g_object_unref(plot);
}

static DebyePlot *
make_long(gsize n, DebyeCurveStyle style)
{
  g_autoptr(DebyeCurve) line = sample_curve_long(n);
  g_autoptr(DebyeCurve) curve = debye_curve_with_style(line, style);
  DebyePlot *plot = debye_plot_new();
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  return plot;
}

int
main(int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  Bench bench = {.n_frames = argc > 1 ? MAX(atoi(argv[1]), 1) : 40};
  DebyeTarget target = {0};
  g_autoptr(DebyeOffscreen) offscreen = debye_offscreen_new(&error);
  if (offscreen == NULL)
    g_error("%s", error->message);
  debye_target_ensure(&target, WIDTH, HEIGHT, GL_RGBA8, FALSE);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  bench.gl = debye_plot_gl_new();
  printf("%s\n%-36s %10s %10s %10s\n", debye_offscreen_get_renderer(offscreen), "ms", "first", "layout",
         "drawing");
  report(&bench, "g(r), three curves", sample_plot_pair_distribution());
  report(&bench, "I(q), measured points", sample_plot_scattering());
  report(&bench, "F(q, tau), heat map", sample_plot_heat_map());
  report(&bench, "line, 100,000 points", make_long(100000, DEBYE_CURVE_LINE));
  report(&bench, "line, 10,000,000 points", make_long(10000000, DEBYE_CURVE_LINE));
  report(&bench, "markers, 10,000,000 points", make_long(10000000, DEBYE_CURVE_MARKERS));
  debye_plot_gl_free(bench.gl, FALSE);
  debye_target_clear(&target, FALSE);
  return 0;
}

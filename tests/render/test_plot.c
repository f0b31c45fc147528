/* SPDX-License-Identifier: MIT */
/* Plots without any screen: ticks, ranges, the page, text. */
#include <math.h>
#include <string.h>

#include "render/plot/plot_layout.h"
#include "render/plot/plot_navigation.h"
#include "render/plot/plot_reduction.h"
#include "render/plot/plot_text.h"
#include "render/plot/plot_ticks.h"
#include "sample_plots.h"

/* --- Ticks --- */

static char *
labels_of(const DebyePlotTicks *ticks)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < ticks->ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks->ticks, DebyePlotTick, i);
    if (tick->label != NULL)
      g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", tick->label);
  }
  return g_strdup(text->str);
}

static void
test_ticks(void)
{
  static const struct {
    DebyePlotScale scale;
    double minimum, maximum;
    int most, exponent;
    const char *labels;
  } cases[] = {
      {DEBYE_PLOT_LINEAR, 0.0, 10.0, 6, 0, "0 2 4 6 8 10"},
      {DEBYE_PLOT_LINEAR, 0.0, 10.0, 11, 0, "0 1 2 3 4 5 6 7 8 9 10"},
      {DEBYE_PLOT_LINEAR, 0.0, 12.0, 4, 0, "0 5 10"},
      {DEBYE_PLOT_LINEAR, -1.0, 1.0, 5, 0, "−1.0 −0.5 0.0 0.5 1.0"},
      {DEBYE_PLOT_LINEAR, 0.3, 0.7, 5, 0, "0.3 0.4 0.5 0.6 0.7"},
      {DEBYE_PLOT_LINEAR, 2.71, 2.74, 4, 0, "2.71 2.72 2.73 2.74"},
      {DEBYE_PLOT_LINEAR, 1000.0, 5000.0, 5, 0, "1000 2000 3000 4000 5000"},
      {DEBYE_PLOT_LINEAR, 0.0, 4e6, 5, 6, "0 1 2 3 4"},
      {DEBYE_PLOT_LINEAR, -3e5, 3e5, 7, 3, "−300 −200 −100 0 100 200 300"},
      {DEBYE_PLOT_LINEAR, 0.0, 5e-5, 6, -6, "0 10 20 30 40 50"},
      {DEBYE_PLOT_LINEAR, 1e6, 1e6 + 2.0, 3, 6, "1.000000 1.000001 1.000002"},
      {DEBYE_PLOT_LOG, 0.01, 100.0, 8, 0, "0.01 0.1 1 10 100"},
      {DEBYE_PLOT_LOG, 1e-8, 1e2, 6, 0,
       "10<sup>−8</sup> 10<sup>−6</sup> 10<sup>−4</sup> 10<sup>−2</sup> 10<sup>0</sup> 10<sup>2</sup>"},
      {DEBYE_PLOT_LOG, 1e3, 1e6, 5, 0, "10<sup>3</sup> 10<sup>4</sup> 10<sup>5</sup> 10<sup>6</sup>"},
      {DEBYE_PLOT_LOG, 0.005, 0.5, 7, 0, "0.005 0.01 0.02 0.05 0.1 0.2 0.5"},
      {DEBYE_PLOT_LOG, 2e-7, 9e-7, 5, -9, "200 400 600 800"},
      {DEBYE_PLOT_LOG, 3.0, 4.0, 6, 0, "3.0 3.2 3.4 3.6 3.8 4.0"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_auto(DebyePlotTicks) ticks;
    debye_plot_ticks_init(&ticks, cases[i].scale, cases[i].minimum, cases[i].maximum, cases[i].most);
    g_autofree char *labels = labels_of(&ticks);
    g_assert_cmpstr(labels, ==, cases[i].labels);
    g_assert_cmpint(ticks.exponent, ==, cases[i].exponent);
  }
}

/* Any range: ascending, inside, no label twice, not too many. */
static void
test_any_ticks(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(17);
  for (int i = 0; i < 4000; i++) {
    g_auto(DebyePlotTicks) ticks;
    DebyePlotScale scale = i % 2 == 0 ? DEBYE_PLOT_LINEAR : DEBYE_PLOT_LOG;
    int most = g_rand_int_range(random, 2, 12), n_labels = 0;
    double low = pow(10.0, g_rand_double_range(random, -30.0, 30.0));
    double high = low * pow(10.0, g_rand_double_range(random, 1e-3, 20.0));
    if (scale == DEBYE_PLOT_LINEAR && i % 4 == 0)
      low = -low * g_rand_double(random);
    debye_plot_ticks_init(&ticks, scale, low, high, most);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    double last = -HUGE_VAL, slack = 1e-8 * (high - low);
    for (guint k = 0; k < ticks.ticks->len; k++) {
      const DebyePlotTick *tick = &g_array_index(ticks.ticks, DebyePlotTick, k);
      g_assert_cmpfloat(tick->value, >, last);
      g_assert_cmpfloat(tick->value, >=, low - slack);
      g_assert_cmpfloat(tick->value, <=, high * (1.0 + 1e-8) + slack);
      last = tick->value;
      if (tick->label == NULL)
        continue;
      g_assert_true(g_hash_table_add(seen, tick->label));
      n_labels++;
    }
    g_assert_cmpint(n_labels, <=, most);
    g_assert_cmpint(n_labels, >=, 1);
  }
}

static void
test_values(void)
{
  static const struct {
    double value, resolution;
    const char *text;
  } cases[] = {
      {2.78512, 0.01, "2.79"},   {-0.004, 0.01, "0.00"}, {-3.25, 0.1, "−3.2"}, {1234567.0, 1.0, "1.235e+06"},
      {1.5e-7, 1e-9, "1.5e-07"}, {12.0, 5.0, "12"},      {NAN, 1.0, "–"},      {0.0, 0.1, "0.0"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text = debye_plot_value_text(cases[i].value, cases[i].resolution);
    g_assert_cmpstr(text, ==, cases[i].text);
  }
}

/* --- Reduction --- */

static void
test_reduction(void)
{
  const gsize n = 5000;
  g_autoptr(GRand) random = g_rand_new_with_seed(29);
  g_autofree double *x = g_new(double, n), *y = g_new(double, n), *errors = g_new(double, n);
  for (gsize i = 0; i < n; i++) {
    x[i] = (double)i;
    y[i] = i % 97 == 0 ? (double)NAN : g_rand_double_range(random, -1.0, 1.0);
    errors[i] = g_rand_double(random);
  }
  g_autoptr(DebyeCurve) curve = debye_curve_new(
      "", &(DebyeQuantity){.name = "x"}, &(DebyeQuantity){.name = "y"}, DEBYE_CURVE_LINE, n, x, y, errors);
  DebyePlotReduction *reduction = debye_plot_reduction_new(curve);
  for (int i = 0; i < 3000; i++) {
    gsize first = (gsize)g_rand_int_range(random, 0, (int)n),
          last = (gsize)g_rand_int_range(random, (int)first, (int)n + 1);
    double minimum = HUGE_VAL, maximum = -HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    for (gsize k = first; k < last; k++) {
      if (!isfinite(y[k]))
        continue;
      minimum = fmin(minimum, y[k]);
      maximum = fmax(maximum, y[k]);
      low = fmin(low, y[k] - errors[k]);
      high = fmax(high, y[k] + errors[k]);
    }
    DebyePlotExtremes found = debye_plot_reduction_get(reduction, first, last);
    g_assert_cmpfloat(found.minimum, ==, minimum);
    g_assert_cmpfloat(found.maximum, ==, maximum);
    g_assert_cmpfloat(found.low, ==, low);
    g_assert_cmpfloat(found.high, ==, high);
  }
  debye_plot_reduction_free(reduction);
}

/* --- The page --- */

typedef struct {
  double left, top, right, bottom;
} Box;

/* What the letters cover: a little less high than the font, whose ascent has room for accents. */
static Box
box_of_text(const DebyeDrawItem *item)
{
  double before = (double)(item->align * item->text_width), after = (double)item->text_width - before;
  double above = 0.72 * (double)item->size, below = 0.2 * (double)item->size, x = (double)item->x,
         y = (double)item->y;
  return item->upwards ? (Box){x - above, y - after, x + below, y + before}
                       : (Box){x - before, y - above, x + after, y + below};
}

static gboolean
overlap(const Box *a, const Box *b)
{
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static void
check_page(DebyePlot *plot, double width, double height, double scale)
{
  DebyePlotStyle style;
  debye_plot_style_init(&style, FALSE, scale);
  g_autoptr(DebyePlotLayout) layout = debye_plot_layout_new(plot, &style, width, height, 4.0 / 3.0, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box));
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  /* So little only on the smallest page, where long labels, a title and a caption want their room. */
  g_assert_cmpfloat(frame.width, >, 0.3 * width);
  g_assert_cmpfloat(frame.height, >, 0.3 * height);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind != DEBYE_DRAW_TEXT)
      continue;
    Box box = box_of_text(item);
    if (box.left < 0.0 || box.top < 0.0 || box.right > width || box.bottom > height)
      g_error("“%s” leaves the page of %g × %g", item->markup, width, height);
    for (guint k = 0; k < boxes->len; k++)
      if (overlap(&box, &g_array_index(boxes, Box, k)))
        g_error("“%s” lies on another text on a page of %g × %g", item->markup, width, height);
    g_array_append_val(boxes, box);
  }
  g_assert_cmpuint(boxes->len, >=, 4);
}

/* Two axes of large and of tiny numbers. */
static DebyePlot *
make_two_axes(void)
{
  const double x[] = {-2e6, 0.0, 3e6}, y[] = {-1.25e-5, 2e-5, 4e-5}, z[] = {1e5, 3e5, 2e5};
  const DebyeQuantity time = {"t", NULL, "ps"}, first = {"E", "E", "kJ mol⁻¹"}, second = {"n", "n(r)", NULL};
  g_autoptr(DebyeCurve) one = debye_curve_new("first", &time, &first, DEBYE_CURVE_LINE, 3, x, y, NULL);
  g_autoptr(DebyeCurve) two = debye_curve_new("second", &time, &second, DEBYE_CURVE_STEPS, 3, x, z, NULL);
  DebyePlot *plot = debye_plot_new();
  debye_plot_add_curve(plot, one, DEBYE_PLOT_Y);
  debye_plot_add_curve(plot, two, DEBYE_PLOT_Y2);
  debye_plot_set_caption(plot,
                         "A caption that is too long for one line, and is broken at its blanks, so that it "
                         "can be read whole below the plot");
  return plot;
}

static void
test_page(void)
{
  static DebyePlot *(*const makers[])(void) = {sample_plot_pair_distribution, sample_plot_scattering,
                                               sample_plot_heat_map, make_two_axes};
  static const double sizes[][2] = {
      {200.0, 150.0}, {252.0, 187.0}, {360.0, 255.0}, {500.0, 500.0}, {900.0, 400.0}};
  for (gsize i = 0; i < G_N_ELEMENTS(makers); i++)
    for (gsize k = 0; k < G_N_ELEMENTS(sizes); k++) {
      g_autoptr(DebyePlot) plot = makers[i]();
      check_page(plot, sizes[k][0], sizes[k][1], 1.0);
      check_page(plot, 2.0 * sizes[k][0], 2.0 * sizes[k][1], 2.0);
      debye_plot_set_view(plot, DEBYE_PLOT_X, 0.11234, 0.11236);
      debye_plot_set_view(plot, DEBYE_PLOT_Y, 1.0001, 1.0002);
      check_page(plot, sizes[k][0], sizes[k][1], 1.0);
    }
}

static void
test_places(void)
{
  DebyePlotStyle style;
  g_autoptr(DebyePlot) plot = sample_plot_scattering();
  debye_plot_style_init(&style, FALSE, 1.0);
  g_autoptr(DebyePlotLayout) layout = debye_plot_layout_new(plot, &style, 360.0, 255.0, 2.0, NULL);
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  double low, high;
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &low, &high);
  g_assert_cmpfloat_with_epsilon(debye_plot_layout_get_place(layout, DEBYE_PLOT_X, low), frame.x, 1e-9);
  g_assert_cmpfloat_with_epsilon(debye_plot_layout_get_place(layout, DEBYE_PLOT_X, high),
                                 frame.x + frame.width, 1e-9);
  g_assert_cmpfloat_with_epsilon(debye_plot_layout_get_place(layout, DEBYE_PLOT_X, sqrt(low * high)),
                                 frame.x + 0.5 * frame.width, 1e-9);
  for (double value = 0.006; value < 0.5; value *= 1.3)
    g_assert_cmpfloat_with_epsilon(
        debye_plot_layout_get_value(layout, DEBYE_PLOT_X,
                                    debye_plot_layout_get_place(layout, DEBYE_PLOT_X, value)),
        value, 1e-12);
  /* Not positive: below the frame, not at infinity. */
  double place = debye_plot_layout_get_place(layout, DEBYE_PLOT_Y, -1.0);
  g_assert_true(isfinite(place) && place > 255.0);
}

/* What stood under the pointer still stands there. */
static void
test_navigation(void)
{
  DebyePlotStyle style;
  g_autoptr(DebyePlot) plot = sample_plot_scattering();
  debye_plot_style_init(&style, FALSE, 1.0);
  g_autoptr(DebyePlotLayout) layout = debye_plot_layout_new(plot, &style, 360.0, 255.0, 2.0, NULL);
  double x = 150.0, y = 100.0, at_x = debye_plot_layout_get_value(layout, DEBYE_PLOT_X, x),
         at_y = debye_plot_layout_get_value(layout, DEBYE_PLOT_Y, y);
  debye_plot_zoom(plot, layout, DEBYE_PLOT_ALL_AXES, x, y, 2.0);
  g_autoptr(DebyePlotLayout) zoomed = debye_plot_layout_new(plot, &style, 360.0, 255.0, 2.0, NULL);
  /* The frame may be narrower by a digit of its labels. */
  DebyePlotRectangle before = debye_plot_layout_get_frame(layout),
                     after = debye_plot_layout_get_frame(zoomed);
  double part_x = (x - before.x) / before.width, part_y = (y - before.y) / before.height;
  g_assert_cmpfloat_with_epsilon(
      debye_plot_layout_get_value(zoomed, DEBYE_PLOT_X, after.x + part_x * after.width), at_x, 1e-9 * at_x);
  g_assert_cmpfloat_with_epsilon(
      debye_plot_layout_get_value(zoomed, DEBYE_PLOT_Y, after.y + part_y * after.height), at_y, 1e-9 * at_y);
  /* However long one turns the wheel, the view stays one that can be drawn. */
  for (int i = 0; i < 400; i++) {
    g_autoptr(DebyePlotLayout) now = debye_plot_layout_new(plot, &style, 360.0, 255.0, 2.0, NULL);
    debye_plot_zoom(plot, now, DEBYE_PLOT_ALL_AXES, x, y, i < 200 ? 1.5 : 0.6);
    double low, high;
    debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
    g_assert_true(low > 0.0 && low < high && isfinite(high));
  }
}

static void
test_ranges(void)
{
  const double x[] = {0.05, 6.0, 11.95}, y[] = {0.0, 2.0, 1.0}, errors[] = {0.1, 0.1, 0.1},
               far[] = {-1.0, 1e-30, 10.0};
  const DebyeQuantity q = {"x", NULL, NULL};
  double low, high;
  g_autoptr(DebyePlot) plot = debye_plot_new();
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &low, &high);
  g_assert_true(low < high); /* nothing to show yet */
  g_autoptr(DebyeCurve) curve = debye_curve_new("", &q, &q, DEBYE_CURVE_LINE, 3, x, y, errors);
  g_autoptr(DebyeCurve) wide = debye_curve_new("", &q, &q, DEBYE_CURVE_LINE, 3, x, far, NULL);
  guint series = debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &low, &high);
  g_assert_cmpfloat(low, ==, 0.0);
  g_assert_cmpfloat_with_epsilon(high, 12.0, 1e-9);
  debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
  g_assert_cmpfloat(low, ==, 0.0);
  g_assert_cmpfloat(high, >, 2.1);
  debye_plot_replace_curve(plot, series, wide);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
  g_assert_cmpfloat(low, >, 1e-13); /* not down to what is rounding noise */
  g_assert_cmpfloat(high, >=, 10.0);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 5.0, 5.0);
  debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
  g_assert_true(low < high);
}

static DebyePlot *
make_line(const double *x, const double *y, gsize n)
{
  DebyePlot *plot = debye_plot_new();
  const DebyeQuantity x_quantity = {"x", NULL, NULL}, y_quantity = {"y", NULL, NULL};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("line", &x_quantity, &y_quantity, DEBYE_CURVE_LINE, n, x, y, NULL);
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  return plot;
}

/* A logarithmic axis leaves its first and last point whole; values that only rounding or noise brings below zero
 * don't move the axis, and what is clearly below does. */
static void
test_ends(void)
{
  const double x[] = {1.0, 10.0, 100.0}, noisy[] = {1.0, 0.3, -0.002}, negative[] = {1.0, 0.3, -0.1};
  double low, high;
  g_autoptr(DebyePlot) plot = make_line(x, noisy, G_N_ELEMENTS(x));
  debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
  g_assert_cmpfloat(low, ==, 0.0);
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &low, &high);
  g_assert_cmpfloat(low, <, 0.9);
  g_assert_cmpfloat(high, >, 110.0);
  g_autoptr(DebyePlot) other = make_line(x, negative, G_N_ELEMENTS(x));
  debye_plot_get_limits(other, DEBYE_PLOT_Y, &low, &high);
  g_assert_cmpfloat(low, <, -0.1);
}

/* A pixel that some point falls on has a marker, or the one beside it has, and none has many. */
/* Its markers are drawn where somebody chose one, and not before. */
static void
test_markers_on_line(void)
{
  static const double x[] = {1.0, 2.0, 3.0}, y[] = {1.0, 4.0, 9.0};
  DebyePlotStyle style;
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("square", &(DebyeQuantity){"x", NULL, NULL}, &(DebyeQuantity){"y", NULL, NULL},
                      DEBYE_CURVE_LINE, G_N_ELEMENTS(x), x, y, NULL);
  g_autoptr(DebyePlot) plot = debye_plot_new();
  const guint series = debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_set_legend_visible(plot, FALSE);
  debye_plot_style_init(&style, FALSE, 1.0);
  for (int i = 0; i < 2; i++) {
    gsize n_markers = 0, n_lines = 0;
    g_autoptr(DebyePlotLayout) layout = debye_plot_layout_new(plot, &style, 360.0, 255.0, 2.0, NULL);
    const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
    for (guint k = 0; k < drawing->items->len; k++) {
      const DebyeDrawItem *item = debye_plot_drawing_get(drawing, k);
      n_markers += item->kind == DEBYE_DRAW_MARKERS ? item->n_values / 2 : 0;
      n_lines += item->kind == DEBYE_DRAW_LINE && item->clipped;
    }
    g_assert_cmpuint(n_markers, ==, i == 0 ? 0 : G_N_ELEMENTS(x));
    g_assert_cmpuint(n_lines, ==, 1);
    debye_plot_set_series_marker(plot, series, DEBYE_PLOT_SQUARE);
  }
}

static void
test_many_markers(void)
{
  const gsize n = 200000;
  DebyePlotStyle style;
  g_autofree double *x = g_new(double, n), *y = g_new(double, n);
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  for (gsize i = 0; i < n; i++) {
    x[i] = (double)i;
    y[i] = i % 1000 == 0 ? (double)NAN : sin(1e-4 * x[i]) + pow(g_rand_double(random), 9.0);
  }
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("noise", &(DebyeQuantity){"x", NULL, NULL}, &(DebyeQuantity){"y", NULL, NULL},
                      DEBYE_CURVE_MARKERS, n, x, y, NULL);
  g_autoptr(DebyePlot) plot = debye_plot_new();
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, -0.5, 1.0);
  debye_plot_style_init(&style, FALSE, 1.0);
  g_autoptr(DebyePlotLayout) layout = debye_plot_layout_new(plot, &style, 360.0, 255.0, 2.0, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  const gsize columns = (gsize)(2.0 * frame.width) + 3, rows = (gsize)(2.0 * frame.height) + 2;
  g_autofree guint8 *marked = g_malloc0(columns * rows);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    const float *values = debye_plot_drawing_values(drawing, item);
    for (gsize k = 0; item->kind == DEBYE_DRAW_MARKERS && k < item->n_values; k += 2) {
      guint8 *pixel = &marked[(gsize)(2.0 * ((double)values[k] - frame.x)) + 1 +
                              columns * (gsize)(2.0 * ((double)values[k + 1] - frame.y))];
      /* Rounded to a float, a place at a pixel's edge may fall into the next one. */
      g_assert_cmpuint(++*pixel, <=, 2);
    }
  }
  for (gsize i = 0; i < n; i++) {
    double page_x = debye_plot_layout_get_place(layout, DEBYE_PLOT_X, x[i]);
    double page_y = debye_plot_layout_get_place(layout, DEBYE_PLOT_Y, y[i]);
    if (!isfinite(y[i]) || y[i] <= -0.499 || y[i] >= 0.999)
      continue;
    gsize column = (gsize)(2.0 * (page_x - frame.x)) + 1, row = (gsize)(2.0 * (page_y - frame.y));
    guint n_near = 0;
    for (gsize k = 0; k < 9; k++)
      n_near += marked[column + k % 3 - 1 + columns * MIN(MAX(row + k / 3, 1) - 1, rows - 1)];
    g_assert_cmpuint(n_near, >, 0);
  }
}

/* Curves in nm⁻¹ and Å⁻¹ on one axis. */
static void
test_units_meet(void)
{
  g_autoptr(DebyePlot) plot = sample_plot_scattering();
  DebyeCurve *measured = debye_plot_get_curve(plot, debye_plot_get_series(plot, 1));
  g_assert_cmpstr(debye_curve_get_x_quantity(measured)->unit, ==, "Å⁻¹");
  g_assert_cmpfloat_with_epsilon(debye_curve_get_x(measured)[0], 0.008, 1e-15);
}

/* --- Text --- */

/* Symbols, and what selections call a name, are atoms; other hyphens are those of words. */
static void
test_names(void)
{
  static const struct {
    const char *name, *written;
  } cases[] = {
      {"element Na-element O", "Na–O"},
      {"O-H self", "O–H self"},
      {"Run 2: name OW-name HW1", "Run 2: name OW–name HW1"},
      {"Na1+-Cl1-", "Na1+–Cl1-"},
      {"O2--O2-", "O2-–O2-"},
      {"O-Na1+", "O–Na1+"},
      {"H (50 % D)-13C#2", "H (50 % D)–13C#2"},
      {"element O-water", "element O-water"},
      {"X-Ray", "X-Ray"},
      {"SPC-E", "SPC-E"},
      {"NMR-Data", "NMR-Data"},
      {"Run-B", "Run-B"},
      {"small-angle X-ray, HIV-1.dat", "small-angle X-ray, HIV-1.dat"},
      {"A-B-C", "A-B-C"},
      {"GLY12 CA - ASP34 OD1", "GLY12 CA – ASP34 OD1"},
      {"", ""},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *written = debye_plot_text_from_name(cases[i].name);
    g_assert_cmpstr(written, ==, cases[i].written);
  }
}

static void
test_text(void)
{
  static const struct {
    const char *plain, *markup;
  } cases[] = {
      {"Å⁻¹", "Å<sup>−1</sup>"},
      {"H₂O", "H<sub>2</sub>O"},
      {"4πr²ρg(r)", "4πr<sup>2</sup>ρg(r)"},
      {"a < b & c", "a &lt; b &amp; c"},
      {"", ""},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *markup = debye_plot_text_from_plain(cases[i].plain);
    g_autofree char *plain = debye_plot_text_to_plain(markup);
    g_assert_cmpstr(markup, ==, cases[i].markup);
    g_assert_cmpstr(plain, ==, cases[i].plain);
  }
  g_autofree char *curve = debye_plot_text_from_quantity(&(DebyeQuantity){"g", "4πr²ρg(r)", "Å⁻¹"});
  g_autofree char *word = debye_plot_text_from_quantity(&(DebyeQuantity){"i", "intensity", ""});
  g_assert_cmpstr(curve, ==, "4<i>πr</i><sup>2</sup><i>ρg</i>(<i>r</i>) (Å<sup>−1</sup>)");
  g_assert_cmpstr(word, ==, "intensity");
  g_autofree char *words = debye_plot_text_from_quantity(&(DebyeQuantity){"i", "mean of I(q)", ""});
  g_autofree char *ph = debye_plot_text_from_quantity(&(DebyeQuantity){"ph", "pH", ""});
  g_autofree char *potential = debye_plot_text_from_quantity(&(DebyeQuantity){"phi", "φ(z)", "kT/e"});
  g_autofree char *molar = debye_plot_text_from_quantity(&(DebyeQuantity){"phi", "φ(z)", "kcal/mol/e"});
  g_autofree char *article =
      debye_plot_text_from_quantity(&(DebyeQuantity){"v", "Potential of a unit charge", "e/Å"});
  g_autofree char *edge = debye_plot_text_from_quantity(&(DebyeQuantity){"a", "edge a", "Å"});
  g_assert_cmpstr(article, ==, "Potential of a unit charge (<i>e</i>/Å)");
  g_assert_cmpstr(edge, ==, "edge <i>a</i> (Å)");
  g_autofree char *rays = debye_plot_text_from_quantity(&(DebyeQuantity){"f", "F(q), X-rays", ""});
  g_assert_cmpstr(rays, ==, "<i>F</i>(<i>q</i>), X-rays");
  g_assert_cmpstr(words, ==, "mean of <i>I</i>(<i>q</i>)");
  g_assert_cmpstr(potential, ==, "<i>φ</i>(<i>z</i>) (<i>kT</i>/<i>e</i>)");
  g_assert_cmpstr(molar, ==, "<i>φ</i>(<i>z</i>) (kcal/mol/<i>e</i>)");
  g_assert_cmpstr(ph, ==, "pH");
  g_autoptr(GPtrArray) runs = debye_plot_text_parse("<i>q</i> (Å<sup>−1</sup>)");
  const DebyePlotRun *first = runs->pdata[0], *third = runs->pdata[2];
  g_assert_cmpuint(runs->len, ==, 4);
  g_assert_true(first->italic && first->script == 0);
  g_assert_cmpint(third->script, ==, 1);
  g_autoptr(GPtrArray) broken = debye_plot_text_parse("a < b");
  g_assert_cmpuint(broken->len, ==, 1);
  g_assert_cmpstr(((DebyePlotRun *)broken->pdata[0])->text, ==, "a < b");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/plot/ticks", test_ticks);
  g_test_add_func("/plot/any-ticks", test_any_ticks);
  g_test_add_func("/plot/values", test_values);
  g_test_add_func("/plot/reduction", test_reduction);
  g_test_add_func("/plot/page", test_page);
  g_test_add_func("/plot/places", test_places);
  g_test_add_func("/plot/navigation", test_navigation);
  g_test_add_func("/plot/ranges", test_ranges);
  g_test_add_func("/plot/ends", test_ends);
  g_test_add_func("/plot/markers-on-line", test_markers_on_line);
  g_test_add_func("/plot/many-markers", test_many_markers);
  g_test_add_func("/plot/units-meet", test_units_meet);
  g_test_add_func("/plot/text", test_text);
  g_test_add_func("/plot/names", test_names);
  return g_test_run();
}

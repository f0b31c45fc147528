/* SPDX-License-Identifier: MIT */
/* How a plot looks: default colours and dashes, what is set of curves, axes and the legend, and the words that options have
 * for it. */
#include <math.h>
#include <string.h>

#include "render/look/curve_look.h"
#include "render/look/curve_values.h"
#include "render/look/look_words.h"
#include "render/plot/plot_layout.h"
#include "render/plot/plot_text.h"
#include "render/plot/plot_ticks.h"

#define N_POINTS 21

/* --- Default colours --- */

static double
linear(float value)
{
  return value <= 0.04045f ? (double)value / 12.92 : pow(((double)value + 0.055) / 1.055, 2.4);
}

/* CIE L* of an sRGB colour: what a grey print keeps of it. */
static double
lightness(DebyePlotColor color)
{
  const double y = 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
  return y > 0.008856 ? 116.0 * cbrt(y) - 16.0 : 903.3 * y;
}

static void
test_palette(void)
{
  for (int dark = 0; dark < 2; dark++) {
    DebyePlotStyle style;
    debye_plot_style_init(&style, dark, 1.0);
    const double page = lightness(style.background);
    for (guint i = 0; i < DEBYE_PLOT_N_COLORS; i++) {
      const double own = lightness(debye_plot_style_get_color(&style, i));
      g_assert_cmpfloat(fabs(own - page), >, 20.0);
      for (guint k = 0; k < i; k++) {
        const double apart = fabs(own - lightness(debye_plot_style_get_color(&style, k)));
        /* Those that no dash tells apart differ by twice as much. */
        g_assert_cmpfloat(apart, >, i < 3 ? 15.0 : 7.5);
      }
    }
  }
}

/* Neither colour nor dash alone, but both together, differ between any two of the first forty. */
static void
test_dashes(void)
{
  for (guint i = 0; i < 40; i++) {
    g_assert_true((debye_plot_style_get_dash(i) == DEBYE_PLOT_SOLID) == (i < 3));
    for (guint k = 0; k < i; k++)
      g_assert_true(i % DEBYE_PLOT_N_COLORS != k % DEBYE_PLOT_N_COLORS ||
                    debye_plot_style_get_dash(i) != debye_plot_style_get_dash(k));
  }
}

/* --- A plot --- */

static DebyePlot *
make_plot(guint n_curves)
{
  DebyePlot *plot = debye_plot_new();
  const DebyeQuantity x_quantity = {"x", NULL, NULL}, y_quantity = {"y", NULL, NULL};
  for (guint i = 0; i < n_curves; i++) {
    double x[N_POINTS], y[N_POINTS], errors[N_POINTS];
    for (int k = 0; k < N_POINTS; k++) {
      x[k] = 0.5 * k;
      y[k] = 1.0 + 0.1 * i + 0.05 * k;
      errors[k] = 0.2;
    }
    g_autofree char *name = g_strdup_printf("curve %c", 'a' + (char)i);
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &x_quantity, &y_quantity, DEBYE_CURVE_LINE, N_POINTS, x, y, errors);
    debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  }
  return plot;
}

static DebyePlotLayout *
set_page(DebyePlot *plot)
{
  DebyePlotStyle style;
  debye_plot_style_init(&style, FALSE, 1.0);
  return debye_plot_layout_new(plot, &style, 250.0, 190.0, 4.0, NULL);
}

/* The first item of that kind of a series; NULL: none. */
static const DebyeDrawItem *
find_item(const DebyePlotLayout *layout, DebyeDrawKind kind, guint series)
{
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind == kind && item->series == series)
      return item;
  }
  return NULL;
}

static const DebyeDrawItem *
find_text(const DebyePlotLayout *layout, const char *markup)
{
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind == DEBYE_DRAW_TEXT && strcmp(item->markup, markup) == 0)
      return item;
  }
  return NULL;
}

static void
test_curves(void)
{
  g_autoptr(DebyePlot) plot = make_plot(4);
  const char *const specs[] = {"curve a: #ff8000, dashed, 2.5, square, \"*a*, b\"", "2: hidden",
                               "curve c:,,,none", "curve d: solid"};
  for (gsize i = 0; i < G_N_ELEMENTS(specs); i++)
    g_assert_cmpint(debye_curve_look_apply(specs[i], plot, NULL), ==, 1);
  debye_plot_set_series_errors(plot, debye_plot_get_series(plot, 2), DEBYE_PLOT_ERRORS_BARS);
  debye_plot_set_series_errors(plot, debye_plot_get_series(plot, 3), DEBYE_PLOT_ERRORS_NONE);
  /* A copy, for another thread or a figure, keeps all of it after the first has gone. */
  g_autoptr(DebyePlot) copy = debye_plot_copy(plot);
  g_clear_object(&plot);
  g_autoptr(DebyePlotLayout) layout = set_page(copy);
  const guint a = debye_plot_get_series(copy, 0), c = debye_plot_get_series(copy, 2),
              d = debye_plot_get_series(copy, 3);
  const DebyeDrawItem *line = find_item(layout, DEBYE_DRAW_LINE, a);
  g_assert_cmpfloat_with_epsilon(line->width, 2.5f, 1e-6);
  g_assert_cmpfloat(line->dash, >, 0.0);
  g_assert_cmpfloat_with_epsilon(line->ink.red, 1.0f, 1e-6);
  g_assert_cmpfloat_with_epsilon(line->ink.green, 128.0f / 255.0f, 1e-6);
  g_assert_cmpint(find_item(layout, DEBYE_DRAW_MARKERS, a)->marker, ==, DEBYE_PLOT_SQUARE);
  g_assert_nonnull(find_text(layout, "<i>a</i>, b"));
  g_assert_nonnull(find_item(layout, DEBYE_DRAW_BAND, a));
  g_assert_null(find_item(layout, DEBYE_DRAW_LINE, debye_plot_get_series(copy, 1)));
  g_assert_null(find_item(layout, DEBYE_DRAW_BAND, c));
  g_assert_nonnull(find_item(layout, DEBYE_DRAW_SEGMENTS, c));
  g_assert_null(find_item(layout, DEBYE_DRAW_BAND, d));
  /* The fourth is dashed unless it is told not to be. */
  g_assert_cmpfloat(find_item(layout, DEBYE_DRAW_LINE, d)->dash, ==, 0.0);
}

/* One that was fitted is known by its own name, too, in whatever language its new one says to what. */
static void
test_fitted_curve(void)
{
  g_autoptr(DebyePlot) plot = make_plot(2);
  DebyeCurve *curve = debye_plot_get_curve(plot, debye_plot_get_series(plot, 0));
  g_autoptr(DebyeCurve) fitted = debye_curve_with_fit(curve, "curve a, angepasst an curve b (× 2)");
  debye_plot_add_curve(plot, fitted, DEBYE_PLOT_Y);
  g_assert_cmpint(debye_curve_look_apply("curve a: blue", plot, NULL), ==, 1);
  g_assert_cmpint(debye_curve_look_apply("curve a, angepasst an: blue", plot, NULL), ==, 0);
  debye_plot_remove_curve(plot, debye_plot_get_series(plot, 0));
  g_assert_cmpint(debye_curve_look_apply("curve a: blue", plot, NULL), ==, 1);
  g_assert_cmpint(debye_curve_look_apply("curve a, angepasst an curve b: blue", plot, NULL), ==, 1);
  g_assert_cmpint(debye_curve_look_apply("curve: blue", plot, NULL), ==, 0);
}

static void
test_curve_words(void)
{
  static const char *const wrong[][2] = {
      {"curve a", "found “curve a”"},        {": blue", "found “: blue”"},
      {"curve a: dahsed", "found “dahsed”"}, {"curve a: #12345", "found “#12345”"},
      {"curve a: 0", "found “0”"},           {"curve a: 21", "from 0.1 to 20 points"},
      {"curve a: \"open", "quotation mark"}, {"curve a: \"a\" b", "found “b”"},
  };
  g_autoptr(DebyePlot) plot = make_plot(2);
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_curve_look_check(wrong[i][0], &error));
    g_assert_nonnull(strstr(error->message, wrong[i][1]));
    g_assert_cmpint(debye_curve_look_apply(wrong[i][0], plot, NULL), ==, -1);
  }
  g_assert_cmpint(debye_curve_look_apply("*: blue", plot, NULL), ==, 2);
  g_assert_cmpint(debye_curve_look_apply("curve x: blue", plot, NULL), ==, 0);
  /* All five in their order: the label needs no marks. */
  g_assert_cmpint(debye_curve_look_apply("curve b: red, dotted, 1, none, O–H", plot, NULL), ==, 1);
  g_autoptr(DebyePlotLayout) layout = set_page(plot);
  g_assert_nonnull(find_text(layout, "O–H"));
}

/* --- Axes and legend --- */

static void
test_ticks(void)
{
  static const double values[] = {0.001, 0.02, 3.0, 5e6};
  static const struct {
    DebyePlotTickChoice choice;
    DebyePlotScale scale;
    double minimum, maximum;
    const char *labels;
    guint n_minor;
  } cases[] = {
      {{.step = 2.5}, DEBYE_PLOT_LINEAR, 0.0, 10.0, "0.0 2.5 5.0 7.5 10.0", 16},
      {{.step = 2.0, .n_minor = 2}, DEBYE_PLOT_LINEAR, 1.0, 7.0, "2 4 6", 4},
      {{.values = values, .n_values = 4}, DEBYE_PLOT_LOG, 1e-3, 1e7, "0.001 0.02 3 5·10<sup>6</sup>", 0},
      {{.values = values, .n_values = 4}, DEBYE_PLOT_LINEAR, 0.01, 4.0, "0.02 3", 0},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_auto(DebyePlotTicks) ticks;
    g_autoptr(GString) labels = g_string_new(NULL);
    guint n_minor = 0;
    debye_plot_ticks_init_chosen(&ticks, &cases[i].choice, cases[i].scale, cases[i].minimum, cases[i].maximum,
                                 6);
    for (guint k = 0; k < ticks.ticks->len; k++) {
      const DebyePlotTick *tick = &g_array_index(ticks.ticks, DebyePlotTick, k);
      n_minor += !tick->is_major;
      if (tick->label != NULL)
        g_string_append_printf(labels, "%s%s", labels->len > 0 ? " " : "", tick->label);
    }
    g_assert_cmpstr(labels->str, ==, cases[i].labels);
    g_assert_cmpuint(n_minor, ==, cases[i].n_minor);
  }
}

/* Of what a part of the x axis has the y axis shows all, and not what is beyond it. */
static void
test_fitted_view(void)
{
  static const double x[] = {0.0, 1.0, 2.0, 3.0, 4.0}, y[] = {50.0, 8.0, 9.0, 10.0, -70.0};
  double low, high;
  g_autoptr(DebyePlot) plot = debye_plot_new();
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("a", &(DebyeQuantity){"x", NULL, NULL}, &(DebyeQuantity){"y", NULL, NULL},
                      DEBYE_CURVE_LINE, 5, x, y, NULL);
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 1.0, 3.0);
  debye_plot_fit_view(plot, DEBYE_PLOT_Y);
  debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
  g_assert_cmpfloat_with_epsilon(low, 7.9, 1e-9); /* with a twentieth of the span around */
  g_assert_cmpfloat_with_epsilon(high, 10.1, 1e-9);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 0.0, 4.0);
  debye_plot_fit_view(plot, DEBYE_PLOT_Y);
  debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
  g_assert_true(low > 7.0 && low < 8.0 && high > 50.0 && high < 56.0);
}

static void
test_legend_sides(void)
{
  g_autoptr(DebyePlot) plot = make_plot(2);
  for (int side = DEBYE_PLOT_LEGEND_TOP_LEFT; side <= DEBYE_PLOT_LEGEND_BOTTOM_RIGHT; side++) {
    DebyePlotRectangle box;
    debye_plot_set_legend_side(plot, (DebyePlotLegendSide)side);
    g_autoptr(DebyePlotLayout) layout = set_page(plot);
    g_assert_true(debye_plot_layout_get_legend(layout, &box));
    const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
    const double across = (box.x + 0.5 * box.width - frame.x) / frame.width,
                 down = (box.y + 0.5 * box.height - frame.y) / frame.height;
    const int column = (side - DEBYE_PLOT_LEGEND_TOP_LEFT) % 3, row = (side - DEBYE_PLOT_LEGEND_TOP_LEFT) / 3;
    g_assert_true(column == 0 ? across < 0.45 : column == 1 ? fabs(across - 0.5) < 1e-6 : across > 0.55);
    g_assert_true(row == 0 ? down < 0.45 : row == 1 ? fabs(down - 0.5) < 1e-6 : down > 0.55);
  }
  debye_plot_set_legend_side(plot, DEBYE_PLOT_LEGEND_ABOVE);
  g_autoptr(DebyePlotLayout) above = set_page(plot);
  DebyePlotRectangle box;
  g_assert_true(debye_plot_layout_get_legend(above, &box));
  g_assert_cmpfloat(box.y + box.height, <=, debye_plot_layout_get_frame(above).y);
}

/* Names beside the frame, each at the height of its curve's end and apart from the others. */
static void
test_ends(void)
{
  g_autoptr(DebyePlot) plot = make_plot(3);
  debye_plot_set_legend_side(plot, DEBYE_PLOT_LEGEND_ENDS);
  g_autoptr(DebyePlotLayout) layout = set_page(plot);
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  double last = HUGE_VAL;
  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf("curve %c", 'a' + (char)i);
    const DebyeDrawItem *text = find_text(layout, name);
    const double end = debye_plot_layout_get_place(layout, DEBYE_PLOT_Y, 2.0 + 0.1 * i);
    g_assert_cmpfloat(text->x, >, frame.x + frame.width);
    g_assert_cmpfloat(text->x + text->text_width, <=, 250.0);
    g_assert_cmpfloat(fabs(text->y - end), <, 2.0 * 8.5);
    g_assert_cmpfloat(last - text->y, >, 8.5);
    last = text->y;
  }
  DebyePlotRectangle box;
  g_assert_false(debye_plot_layout_get_legend(layout, &box));
}

/* Where all curves end at one point before the edge of a logarithmic axis, lines from the edge lead to their names. Those of
 * a curve that leaves the frame start at its height there: 1 + 0.05·7.5 between its points 7 and 8. */
static void
test_leaders_of_ends(void)
{
  g_autoptr(DebyePlot) plot = debye_plot_new();
  const DebyeQuantity x_quantity = {"x", NULL, NULL}, y_quantity = {"y", NULL, NULL};
  for (int i = 0; i < 3; i++) {
    static const double x[] = {1.0, 10.0, 50.0}, y[] = {1.0, 0.5, 0.0};
    const char *const names[] = {"a", "b", "c"};
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(names[i], &x_quantity, &y_quantity, DEBYE_CURVE_LINE, 3, x, y, NULL);
    debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  }
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 1.0, 100.0);
  debye_plot_set_legend_side(plot, DEBYE_PLOT_LEGEND_ENDS);
  g_autoptr(DebyePlotLayout) layout = set_page(plot);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  const double right = frame.x + frame.width, end = debye_plot_layout_get_place(layout, DEBYE_PLOT_Y, 0.0);
  guint n_leaders = 0;
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    const float *values = debye_plot_drawing_values(drawing, item);
    if (item->kind != DEBYE_DRAW_SEGMENTS || item->n_values != 4 || (double)values[2] < right + 1.0)
      continue;
    g_assert_cmpfloat_with_epsilon((double)values[0], right, 1e-3);
    g_assert_cmpfloat_with_epsilon((double)values[1], end, 1e-3);
    n_leaders++;
  }
  g_assert_cmpuint(n_leaders, >=, 2);
  g_autoptr(DebyePlot) cut = make_plot(1);
  debye_plot_set_legend_side(cut, DEBYE_PLOT_LEGEND_ENDS);
  debye_plot_set_view(cut, DEBYE_PLOT_X, 0.0, 3.75);
  g_autoptr(DebyePlotLayout) cut_layout = set_page(cut);
  const double expected = debye_plot_layout_get_place(cut_layout, DEBYE_PLOT_Y, 1.0 + 0.05 * 7.5);
  const DebyeDrawItem *name = find_text(cut_layout, "curve a");
  g_assert_nonnull(name);
  g_assert_cmpfloat_with_epsilon(name->y, expected + 0.35 * 8.5, 0.5);
}

static void
test_words(void)
{
  g_autoptr(DebyePlot) plot = make_plot(1);
  debye_plot_add_peak(plot, 5.0, 1.5, "5.00");
  debye_plot_add_text(plot, 2.0, 1.5, 0.5, "<i>here</i>");
  debye_plot_add_text(plot, 99.0, 1.5, 0.5, "outside");
  debye_plot_clear_peaks(plot);
  g_autoptr(DebyePlot) copy = debye_plot_copy(plot);
  g_autoptr(DebyePlotLayout) layout = set_page(copy);
  const DebyeDrawItem *text = find_text(layout, "<i>here</i>");
  g_assert_cmpfloat_with_epsilon(text->x, debye_plot_layout_get_place(layout, DEBYE_PLOT_X, 2.0), 1e-3);
  g_assert_null(find_text(layout, "outside"));
  g_assert_null(find_text(layout, "5.00"));
}

/* --- Values --- */

static DebyeCurve *
make_curve(const char *name, const char *label, DebyeCurveStyle style, const double *y, const double *errors)
{
  static const double x[] = {0.0, 1.0, 2.0, 4.0};
  return debye_curve_new(name, &(DebyeQuantity){"tau", "τ", "ps"}, &(DebyeQuantity){"F", label, "fm²"}, style,
                         4, x, y, errors);
}

/* A curve's whole name stands for it alone, also where a shorter name ends at a colon before it. */
static void
test_whole_names(void)
{
  static const char *const names[] = {"a", "a: b", "a: b: c"};
  static const double y[] = {1.0, 2.0, 3.0, 4.0};
  g_autoptr(DebyePlot) plot = debye_plot_new();
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autoptr(DebyeCurve) curve = make_curve(names[i], "F", DEBYE_CURVE_LINE, y, NULL);
    debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  }
  g_assert_cmpint(debye_curve_look_apply("a: b: red", plot, NULL), ==, 1);
  g_assert_cmpint(debye_curve_look_apply("a: b: c: red", plot, NULL), ==, 1);
}

static void
test_division(void)
{
  static const double one[] = {4.0, 2.0, 1.0, 0.0}, other[] = {5.0, 10.0, 2.5, 1.0},
                      errors[] = {0.4, 0.4, 0.2, 0.1};
  static const double zero[] = {0.0, 1.0, 2.0, 3.0};
  for (int by = DEBYE_LOOK_BY_FIRST; by <= DEBYE_LOOK_BY_LARGEST; by++) {
    g_autoptr(DebyePlot) plot = debye_plot_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeCurve) first = make_curve("one", "F(q, τ)/N", DEBYE_CURVE_LINE, one, errors);
    g_autoptr(DebyeCurve) second = make_curve("other", "F(q, τ)/N", DEBYE_CURVE_LINE, other, NULL);
    g_autoptr(DebyeCurve) third = make_curve("zero", "F(q, τ)/N", DEBYE_CURVE_LINE, zero, NULL);
    debye_plot_add_curve(plot, first, DEBYE_PLOT_Y);
    debye_plot_add_curve(plot, second, DEBYE_PLOT_Y);
    g_assert_true(debye_look_divide(plot, (DebyeLookDivisor)by, &error));
    DebyeCurve *divided = debye_plot_get_curve(plot, debye_plot_get_series(plot, 0));
    g_assert_cmpfloat(debye_curve_get_y(divided)[1], ==, 0.5);
    g_assert_cmpfloat(debye_curve_get_errors(divided)[0], ==, 0.1);
    divided = debye_plot_get_curve(plot, debye_plot_get_series(plot, 1));
    g_assert_cmpfloat(debye_curve_get_y(divided)[1], ==, by == DEBYE_LOOK_BY_FIRST ? 2.0 : 1.0);
    g_autofree char *label = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_Y));
    g_assert_cmpstr(label, ==, by == DEBYE_LOOK_BY_FIRST ? "F(q, τ)/F(q, 0)" : "F(q, τ)/max F(q, τ)");
    debye_plot_add_curve(plot, third, DEBYE_PLOT_Y);
    g_assert_true(debye_look_divide(plot, (DebyeLookDivisor)by, &error) == (by == DEBYE_LOOK_BY_LARGEST));
    g_assert_true(error == NULL || strstr(error->message, "the first value of zero is 0") != NULL);
  }
}

/* The first value is the first that is a number, and the label says where that is; a curve without one stays as it is. */
static void
test_division_of_gaps(void)
{
  static const double gap[] = {NAN, 4.0, 2.0, -6.0}, none[] = {NAN, NAN, NAN, NAN};
  static const char *const labels[][3] = {
      {"F(q, τ)/N", "F(q, τ)/F(q, 1)", "F(q, τ)/max F(q, τ)"},
      {"size, F(q)", "size, F(q)/size, F(1)", "size, F(q)/max size, F(q)"}};
  for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
    for (int by = DEBYE_LOOK_BY_FIRST; by <= DEBYE_LOOK_BY_LARGEST; by++) {
      g_autoptr(DebyePlot) plot = debye_plot_new();
      g_autoptr(GError) error = NULL;
      g_autoptr(DebyeCurve) empty = make_curve("none", labels[i][0], DEBYE_CURVE_LINE, none, NULL);
      g_autoptr(DebyeCurve) curve = make_curve("gap", labels[i][0], DEBYE_CURVE_LINE, gap, NULL);
      debye_plot_add_curve(plot, empty, DEBYE_PLOT_Y);
      debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
      g_assert_true(debye_look_divide(plot, (DebyeLookDivisor)by, &error));
      g_assert_no_error(error);
      DebyeCurve *divided = debye_plot_get_curve(plot, debye_plot_get_series(plot, 1));
      g_assert_cmpfloat(debye_curve_get_y(divided)[3], ==, -1.5);
      g_autofree char *label = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_Y));
      g_assert_cmpstr(label, ==, labels[i][by == DEBYE_LOOK_BY_FIRST ? 1 : 2]);
    }
}

/* (y − f(x))/σ, f linear between its points; in the frame under the plot, as wide and over the same axis. */
static void
test_residuals(void)
{
  static const double model[] = {0.0, 2.0, 4.0, 8.0}, y[] = {0.5, 1.0, 4.0, 9.0},
                      errors[] = {0.5, 0.5, 1.0, 0.25};
  static const double expected[] = {1.0, -2.0, 0.0, 4.0};
  g_autoptr(DebyePlot) plot = debye_plot_new();
  g_autoptr(DebyeCurve) computed = make_curve("computed", "I(q)", DEBYE_CURVE_LINE, model, NULL);
  g_autoptr(DebyeCurve) measured = make_curve("measured", "I(q)", DEBYE_CURVE_MARKERS, y, errors);
  debye_plot_add_curve(plot, computed, DEBYE_PLOT_Y);
  g_assert_false(debye_look_add_residuals(plot));
  const guint points = debye_plot_add_curve(plot, measured, DEBYE_PLOT_Y);
  g_assert_true(debye_look_add_residuals(plot));
  g_autoptr(DebyePlot) copy = debye_plot_copy(plot);
  g_autoptr(DebyePlotLayout) layout = set_page(copy);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout), *below = drawing->below;
  g_assert_nonnull(below);
  g_assert_cmpfloat(drawing->clip_x, ==, below->clip_x);
  g_assert_cmpfloat(drawing->clip_width, ==, below->clip_width);
  g_assert_cmpfloat(drawing->clip_y + drawing->clip_height, <, drawing->below_y + below->clip_y);
  g_assert_cmpfloat(drawing->below_y + below->height, ==, 190.0);
  const DebyeDrawItem *above = find_item(layout, DEBYE_DRAW_MARKERS, points);
  for (guint i = 0; i < below->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(below, i);
    if (item->kind != DEBYE_DRAW_MARKERS)
      continue;
    const float *places = debye_plot_drawing_values(below, item);
    const double unit = (double)(places[1] - places[7]) / 3.0; /* of what differs by three errors */
    g_assert_cmpuint(item->n_values, ==, 8);
    for (guint k = 0; k < 4; k++) {
      g_assert_cmpfloat_with_epsilon(places[2 * k], debye_plot_drawing_values(drawing, above)[2 * k], 1e-3);
      g_assert_cmpfloat_with_epsilon((double)(places[5] - places[2 * k + 1]) / unit, expected[k], 1e-3);
    }
    g_assert_cmpfloat_with_epsilon(item->ink.red, above->ink.red, 1e-6);
    /* The outermost marker doesn't touch the frame. */
    g_assert_cmpfloat((double)places[7] - below->clip_y, >, 0.1 * below->clip_height);
  }
  g_assert_null(find_text(layout, "<i>τ</i> (ps)")); /* the axis is named under the lower frame alone */
}

/* Of two results the curves of one name, as lines; of one result the others to the first. */
static void
test_differences(void)
{
  static const double y[] = {0.0, 2.0, 4.0, 8.0}, other[] = {1.0, 2.0, 3.0, 6.0};
  static const char *const names[][3] = {{"warm: a", "warm: b", "cold: b"}, {"a", "b", "c: b"}};
  static const char *const of[][3] = {{"a", "b", "b"}, {NULL, NULL, NULL}};
  static const guint n_expected[] = {1, 2};
  for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autoptr(DebyePlot) plot = debye_plot_new();
    for (int i = 0; i < 3; i++) {
      g_autoptr(DebyeCurve) curve =
          make_curve(names[k][i], "g(r)", DEBYE_CURVE_LINE, i == 2 ? other : y, NULL);
      debye_curve_set_of(curve, of[k][i]);
      debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
    }
    g_assert_true(debye_look_add_residuals(plot));
    g_autoptr(DebyePlotLayout) layout = set_page(plot);
    const DebyePlotDrawing *below = debye_plot_layout_get_drawing(layout)->below;
    guint n_lines = 0;
    for (guint i = 0; i < below->items->len; i++) {
      const DebyeDrawItem *item = debye_plot_drawing_get(below, i);
      n_lines += item->kind == DEBYE_DRAW_LINE && item->series > 0;
    }
    g_assert_cmpuint(n_lines, ==, n_expected[k]);
  }
}

/* The part of the curves in the range, over their own values, within the frame and, of three, in the free place. */
static void
test_inset(void)
{
  g_autoptr(DebyePlot) plot = make_plot(2);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, 9.0);
  debye_plot_set_inset(plot, 2.0, 4.0);
  g_autoptr(DebyePlot) copy = debye_plot_copy(plot);
  g_autoptr(DebyePlotLayout) layout = set_page(copy);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout), *inset = drawing->inset;
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  g_assert_nonnull(inset);
  g_assert_cmpfloat(drawing->inset_x, >, frame.x);
  g_assert_cmpfloat(drawing->inset_x + inset->width, <, frame.x + frame.width);
  g_assert_cmpfloat(drawing->inset_y + inset->height, <,
                    debye_plot_layout_get_place(layout, DEBYE_PLOT_Y, 2.3)); /* above the curves */
  gboolean has_edge = FALSE;
  for (guint i = 0; i < inset->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(inset, i);
    has_edge = has_edge || (item->kind == DEBYE_DRAW_TEXT && strcmp(item->markup, "4") == 0);
    g_assert_true(item->kind != DEBYE_DRAW_TEXT || strstr(item->markup, "curve") == NULL);
  }
  g_assert_true(has_edge);
  debye_plot_set_inset_place(copy, DEBYE_PLOT_LEGEND_BOTTOM_RIGHT, NAN, NAN);
  g_autoptr(DebyePlotLayout) low = set_page(copy);
  const DebyePlotDrawing *at_foot = debye_plot_layout_get_drawing(low);
  g_assert_cmpfloat(at_foot->inset_x, >, frame.x + 0.4 * frame.width);
  g_assert_cmpfloat(at_foot->inset_y, >, frame.y + 0.4 * frame.height);
  g_assert_cmpfloat(at_foot->inset_y + at_foot->inset->height, <, frame.y + frame.height);
  debye_plot_set_inset_place(copy, DEBYE_PLOT_LEGEND_AUTO, 0.25, 0.125);
  g_autoptr(DebyePlotLayout) typed = set_page(copy);
  const DebyePlotRectangle typed_frame = debye_plot_layout_get_frame(typed);
  g_assert_cmpfloat_with_epsilon(debye_plot_layout_get_drawing(typed)->inset_x,
                                 typed_frame.x + 0.25 * typed_frame.width, 1.0);
  g_assert_cmpfloat_with_epsilon(debye_plot_layout_get_drawing(typed)->inset_y,
                                 typed_frame.y + 0.125 * typed_frame.height, 1.0);
  debye_plot_set_inset(copy, 20.0, 30.0); /* where there is nothing */
  g_autoptr(DebyePlotLayout) without = set_page(copy);
  g_assert_null(debye_plot_layout_get_drawing(without)->inset);
}

/* --- Words of options --- */

static void
test_marked_text(void)
{
  static const char *const cases[][2] = {
      {"*g*(*r*)", "<i>g</i>(<i>r</i>)"},
      {"*q* (Å⁻¹)", "<i>q</i> (Å<sup>−1</sup>)"},
      {"**bold** & *D*_{eff}", "<b>bold</b> &amp; <i>D</i><sub>eff</sub>"},
      {"10^{*n*}", "10<sup><i>n</i></sup>"},
      {"a* < b", "a* &lt; b"},
      {"2 ** 3, _{", "2 ** 3, _{"},
      {"", ""},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *markup = debye_plot_text_from_marked(cases[i][0]);
    g_assert_cmpstr(markup, ==, cases[i][1]);
    /* And back: the marks of what is drawn say the same. */
    g_autofree char *marked = debye_plot_text_to_marked(markup);
    g_autofree char *again = debye_plot_text_from_marked(marked);
    g_assert_cmpstr(again, ==, markup);
  }
  g_autofree char *hint = debye_plot_text_to_marked("<i>q</i> (Å<sup>−1</sup>) &lt; <span>5</span>");
  g_assert_cmpstr(hint, ==, "*q* (Å^{−1}) < 5");
}

static void
test_ranges(void)
{
  static const char *const wrong[] = {"5:2", "2:2", "1", "a:b", "1:2:3", "nan:1", "", "1:2x"};
  double limits[2];
  g_assert_true(debye_look_parse_range(" -1 : 2.5", limits, NULL));
  g_assert_cmpfloat(limits[0], ==, -1.0);
  g_assert_cmpfloat(limits[1], ==, 2.5);
  g_assert_true(debye_look_parse_range(":3", limits, NULL));
  g_assert_true(isnan(limits[0]));
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_look_parse_range(wrong[i], limits, &error));
    g_assert_nonnull(strstr(error->message, "FIRST below LAST"));
  }
}

static void
test_inset_words(void)
{
  static const char *const wrong[] = {"5:2",       ":3",          "",          "1:2,",  "1:2, moon",
                                      "1:2, ends", "1:2, 0.5",    "1:2, none", "1:2:3", "1,5:2",
                                      "1:2, 2,0",  "1:2, top, 1", "1:2,above", ", top", "3:4,5"};
  DebyeLookInset inset;
  g_assert_true(debye_look_parse_inset("2:4", &inset, NULL));
  g_assert_true(inset.place.side == DEBYE_PLOT_LEGEND_AUTO && isnan(inset.place.x));
  g_assert_true(debye_look_parse_inset(" 2 : 4 , top-right ", &inset, NULL));
  g_assert_cmpfloat(inset.limits[1], ==, 4.0);
  g_assert_true(inset.place.side == DEBYE_PLOT_LEGEND_TOP_RIGHT);
  g_assert_true(debye_look_parse_inset("2:4,0.4,0.1", &inset, NULL));
  g_assert_cmpfloat(inset.place.y, ==, 0.1);
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_look_parse_inset(wrong[i], &inset, &error));
    g_assert_nonnull(strstr(error->message, "FIRST below LAST"));
  }
}

static void
test_other_words(void)
{
  static const char *const ticks[] = {"0", "-1", "2/0", "2/1.5", "1,1", "2,1", "a", "1,", ""};
  static const char *const legends[] = {"nowhere", "0.5", "2,0", "-1,0", ""};
  static const char *const lines[] = {"3", "z=3", "x=", "x=a", "x 3: a"};
  static const char *const texts[] = {"1,2", "1: a", "1,2:", "1,2,up: a", "a,b: c"};
  DebyeLookLegend legend;
  DebyeLookMark mark;
  for (gsize i = 0; i < G_N_ELEMENTS(ticks); i++) {
    DebyeLookTicks found;
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_look_parse_ticks(ticks[i], &found, &error));
    g_assert_nonnull(strstr(error->message, "step above 0"));
  }
  for (gsize i = 0; i < G_N_ELEMENTS(legends); i++)
    g_assert_false(debye_look_parse_legend(legends[i], &legend, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
    g_assert_false(debye_look_parse_line(lines[i], &mark, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_assert_false(debye_look_parse_text(texts[i], &mark, NULL));
  g_assert_true(debye_look_parse_legend("0.25,0.5", &legend, NULL));
  g_assert_cmpfloat(legend.y, ==, 0.5);
  g_assert_true(debye_look_parse_text("1, -2.5, right: a: b", &mark, NULL));
  g_assert_cmpfloat(mark.align, ==, 1.0);
  g_assert_cmpfloat(mark.y, ==, -2.5);
  g_assert_cmpstr(mark.words, ==, "a: b");
  g_free(mark.words);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/plot-look/palette", test_palette);
  g_test_add_func("/plot-look/dashes", test_dashes);
  g_test_add_func("/plot-look/curves", test_curves);
  g_test_add_func("/plot-look/fitted-curve", test_fitted_curve);
  g_test_add_func("/plot-look/curve-words", test_curve_words);
  g_test_add_func("/plot-look/ticks", test_ticks);
  g_test_add_func("/plot-look/fitted-view", test_fitted_view);
  g_test_add_func("/plot-look/legend-sides", test_legend_sides);
  g_test_add_func("/plot-look/leaders-of-ends", test_leaders_of_ends);
  g_test_add_func("/plot-look/ends", test_ends);
  g_test_add_func("/plot-look/words", test_words);
  g_test_add_func("/plot-look/whole-names", test_whole_names);
  g_test_add_func("/plot-look/division", test_division);
  g_test_add_func("/plot-look/division-of-gaps", test_division_of_gaps);
  g_test_add_func("/plot-look/residuals", test_residuals);
  g_test_add_func("/plot-look/differences", test_differences);
  g_test_add_func("/plot-look/inset", test_inset);
  g_test_add_func("/plot-look/marked-text", test_marked_text);
  g_test_add_func("/plot-look/ranges", test_ranges);
  g_test_add_func("/plot-look/inset-words", test_inset_words);
  g_test_add_func("/plot-look/other-words", test_other_words);
  return g_test_run();
}

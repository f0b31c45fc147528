/* SPDX-License-Identifier: MIT */
/* Where the legend of a plot stands: over nothing, in the frame or above it, and where it was as long as that
 * is so; words at peaks, over one another nowhere. */
#include <math.h>

#include "render/plot/plot_cover.h"
#include "render/plot/plot_layout.h"
#include "render/plot/plot_text.h"

#define N_POINTS 400
#define WIDTH 360.0
#define HEIGHT 255.0

typedef double (*Shape)(double x);

static double
falls(double x)
{
  return exp(-5.0 * x);
}

static double
rises(double x)
{
  return 1.0 - exp(-5.0 * x);
}

/* High everywhere but in the middle of the lower edge. */
static double
arch(double x)
{
  return fabs(x - 0.5) < 0.2 ? 1.0 - 0.02 * sin(40.0 * x) : 0.5 + 0.5 * cos(300.0 * x);
}

/* Everywhere. */
static double
fills(double x)
{
  return 0.5 + 0.5 * cos(900.0 * x);
}

static DebyePlot *
make_plot(Shape shape, guint n_curves)
{
  DebyePlot *plot = debye_plot_new();
  const DebyeQuantity x_quantity = {"x", NULL, NULL}, y_quantity = {"y", NULL, NULL};
  for (guint i = 0; i < n_curves; i++) {
    double x[N_POINTS], y[N_POINTS];
    for (int k = 0; k < N_POINTS; k++) {
      x[k] = (double)k / (N_POINTS - 1);
      y[k] = shape(x[k]) + 0.002 * i;
    }
    g_autofree char *name = g_strdup_printf("curve %u", i);
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &x_quantity, &y_quantity, DEBYE_CURVE_LINE, N_POINTS, x, y, NULL);
    debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  }
  return plot;
}

static DebyePlotLayout *
set_page(DebyePlot *plot, const DebyePlotLegendPlace *legend)
{
  DebyePlotStyle style;
  debye_plot_style_init(&style, FALSE, 1.0);
  return debye_plot_layout_new(plot, &style, WIDTH, HEIGHT, 2.0, legend);
}

static DebyePlotRectangle
legend_of(const DebyePlotLayout *layout)
{
  DebyePlotRectangle box;
  g_assert_true(debye_plot_layout_get_legend(layout, &box));
  return box;
}

/* How many points of the curves it lies on. */
static guint
count_hidden(DebyePlot *plot, const DebyePlotLayout *layout)
{
  DebyePlotRectangle box = legend_of(layout);
  guint n = 0;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    DebyeCurve *curve = debye_plot_get_curve(plot, debye_plot_get_series(plot, i));
    for (gsize k = 0; k < debye_curve_get_n_points(curve); k++) {
      double x = debye_plot_layout_get_place(layout, DEBYE_PLOT_X, debye_curve_get_x(curve)[k]);
      double y = debye_plot_layout_get_place(layout, DEBYE_PLOT_Y, debye_curve_get_y(curve)[k]);
      n += x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    }
  }
  return n;
}

static void
test_free_places(void)
{
  static const Shape shapes[] = {falls, rises, arch};
  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    for (guint n = 2; n <= 5; n++) {
      g_autoptr(DebyePlot) plot = make_plot(shapes[i], n);
      g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
      DebyePlotRectangle box = legend_of(layout), frame = debye_plot_layout_get_frame(layout);
      g_assert_cmpuint(count_hidden(plot, layout), ==, 0);
      g_assert_true(box.x > frame.x && box.x + box.width < frame.x + frame.width);
      g_assert_true(box.y > frame.y && box.y + box.height < frame.y + frame.height);
    }
}

/* A corner where one is free: that of the upper right of a curve that falls. */
static void
test_corner(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 3);
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  DebyePlotLegendPlace place = debye_plot_layout_get_legend_place(layout);
  g_assert_cmpint(place.n_columns, ==, 1);
  g_assert_cmpfloat(place.across, ==, 1.0);
  g_assert_cmpfloat(place.down, ==, 0.0);
}

/* Where one column has no place, several side by side may have one. */
static void
test_columns(void)
{
  g_autoptr(DebyePlot) plot = make_plot(fills, 6);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, 1.25);
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  g_assert_cmpint(debye_plot_layout_get_legend_place(layout).n_columns, >, 1);
  g_assert_cmpuint(count_hidden(plot, layout), ==, 0);
}

/* It stays while it hides nothing, moves when it would, and under a hand not even then. */
static void
test_stays(void)
{
  g_autoptr(DebyePlot) first = make_plot(falls, 2), second = make_plot(rises, 2);
  g_autoptr(DebyePlotLayout) layout = set_page(first, NULL);
  DebyePlotLegendPlace place = debye_plot_layout_get_legend_place(layout), middle = place;
  middle.down = 0.3;
  g_autoptr(DebyePlotLayout) kept = set_page(first, &middle);
  g_assert_cmpfloat(debye_plot_layout_get_legend_place(kept).down, ==, 0.3);
  g_autoptr(DebyePlotLayout) moved = set_page(second, &place);
  g_assert_cmpuint(count_hidden(second, moved), ==, 0);
  place.is_held = TRUE;
  g_autoptr(DebyePlotLayout) held = set_page(second, &place);
  g_assert_cmpfloat(debye_plot_layout_get_legend_place(held).down, ==, place.down);
  g_assert_cmpuint(count_hidden(second, held), >, 0);
}

static void
test_hand(void)
{
  g_autoptr(DebyePlot) plot = make_plot(rises, 2);
  debye_plot_set_legend_place(plot, 0.5, 0.0);
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  DebyePlotRectangle box = legend_of(layout), frame = debye_plot_layout_get_frame(layout);
  g_assert_cmpfloat_with_epsilon(box.x, frame.x + 0.5 * frame.width, 1e-9);
  g_assert_cmpfloat_with_epsilon(box.y, frame.y, 1e-9);
}

/* Where a plot is full, the frame leaves the legend its room; it comes back when there is a place again. */
static void
test_full(void)
{
  g_autoptr(DebyePlot) full = make_plot(fills, 6), free_one = make_plot(falls, 6);
  debye_plot_set_view(full, DEBYE_PLOT_Y, 0.2, 0.8);
  g_autoptr(DebyePlotLayout) layout = set_page(full, NULL);
  DebyePlotLegendPlace place = debye_plot_layout_get_legend_place(layout), held = place;
  DebyePlotRectangle box = legend_of(layout), frame = debye_plot_layout_get_frame(layout);
  g_assert_true(place.is_above);
  g_assert_true(box.y >= 0.0 && box.y + box.height <= frame.y);
  g_assert_true(box.x >= 0.0 && box.x + box.width <= WIDTH);
  g_autoptr(DebyePlotLayout) again = set_page(full, &place);
  g_assert_true(debye_plot_layout_get_legend_place(again).is_above);
  g_autoptr(DebyePlotLayout) back = set_page(free_one, &place);
  g_assert_false(debye_plot_layout_get_legend_place(back).is_above);
  g_assert_cmpuint(count_hidden(free_one, back), ==, 0);
  held.is_held = TRUE;
  g_autoptr(DebyePlotLayout) under_hand = set_page(free_one, &held);
  g_assert_true(debye_plot_layout_get_legend_place(under_hand).is_above);
}

/* Names that no page is wide enough for lose their middle. */
static void
test_long_names(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  g_autofree char *name = g_strnfill(300, 'w');
  const double x[] = {0.0, 1.0}, y[] = {0.0, 0.1};
  const DebyeQuantity x_quantity = {"x", NULL, NULL}, y_quantity = {"y", NULL, NULL};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &x_quantity, &y_quantity, DEBYE_CURVE_LINE, 2, x, y, NULL);
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  DebyePlotRectangle box = legend_of(layout);
  g_assert_true(box.x >= 0.0 && box.x + box.width <= WIDTH);
}

static void
test_hidden_takes_no_room(void)
{
  g_autoptr(DebyePlot) plot = make_plot(fills, 6);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.2, 0.8);
  g_autoptr(DebyePlotLayout) with = set_page(plot, NULL);
  DebyePlotLegendPlace place = debye_plot_layout_get_legend_place(with);
  debye_plot_set_legend_visible(plot, FALSE);
  g_autoptr(DebyePlotLayout) without = set_page(plot, &place);
  g_assert_cmpfloat(debye_plot_layout_get_frame(without).height, >, debye_plot_layout_get_frame(with).height);
}

/* Peaks that stand close: no word lies on another, and the highest has one. */
static void
test_peak_words(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  for (int i = 0; i < 12; i++) {
    g_autofree char *word = g_strdup_printf("%.2f", 2.0 + 0.01 * i);
    debye_plot_add_peak(plot, 0.5 + 0.012 * i, 0.4 + 0.01 * (i % 5), word);
  }
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  g_autoptr(GPtrArray) words = g_ptr_array_new();
  gboolean has_highest = FALSE;
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind != DEBYE_DRAW_TEXT || !g_str_has_prefix(item->markup, "2."))
      continue;
    has_highest |= g_str_equal(item->markup, "2.04");
    for (guint k = 0; k < words->len; k++) {
      const DebyeDrawItem *other = words->pdata[k];
      gboolean apart = item->x >= other->x + other->text_width || other->x >= item->x + item->text_width ||
                       fabsf(item->y - other->y) >= 0.8f * item->size;
      g_assert_true(apart);
    }
    g_ptr_array_add(words, (gpointer)item);
  }
  g_assert_true(has_highest);
  g_assert_cmpuint(words->len, >=, 2);
}

static guint
count_words(const DebyePlotDrawing *drawing, const char *words)
{
  guint n = 0;
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    n += item->kind == DEBYE_DRAW_TEXT && g_str_equal(item->markup, words);
  }
  return n;
}

/* Points in a crowd: each has its name, none has a mark beside the series' own, and no name lies on another. */
static void
test_point_names(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  guint n_words = 0, n_marks = 0;
  for (int i = 0; i < 6; i++) {
    g_autofree char *word = g_strdup_printf("%d", 31 + i);
    debye_plot_add_point_name(plot, 0.5 + 0.01 * (i % 2), 0.75 + 0.02 * i, word);
  }
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  for (int i = 0; i < 6; i++) {
    g_autofree char *word = g_strdup_printf("%d", 31 + i);
    n_words += count_words(drawing, word);
  }
  for (guint i = 0; i < drawing->items->len; i++)
    n_marks += debye_plot_drawing_get(drawing, i)->kind == DEBYE_DRAW_MARKERS;
  g_assert_cmpuint(n_words, ==, 6);
  g_assert_cmpuint(n_marks, ==, 0);
}

static DebyePlot *
make_map(const char *unit)
{
  enum { N_ROWS = 4, N_COLUMNS = 3 };
  static const double rows[N_ROWS] = {0.0, 10.0, 20.0, 30.0}, columns[N_COLUMNS] = {0.0, 1.0, 2.0};
  const double values[N_ROWS * N_COLUMNS] = {0.0};
  const DebyeQuantity y = {"y", "y", unit}, x = {"x", "x", unit}, value = {"potential", NULL, "kT/e"};
  DebyePlot *plot = debye_plot_new();
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new("map", &y, N_ROWS, rows, &x, N_COLUMNS, columns, &value, values, NULL);
  debye_plot_set_matrix(plot, matrix);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 0.0, 20.0);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, 30.0);
  debye_plot_set_view(plot, DEBYE_PLOT_COLOR, -5.0, 5.0);
  return plot;
}

/* From the frame's left to the name of the axis that is read from below. */
static double
find_title_distance(DebyePlotLayout *layout)
{
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  const double left = debye_plot_layout_get_frame(layout).x;
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind == DEBYE_DRAW_TEXT && item->upwards && (double)item->x < left)
      return left - (double)item->x;
  }
  g_assert_not_reached();
}

/* A map over two lengths isn't stretched, one over times is; zero is white where colours are centred on it. Its axes have their
 * names beside them. */
static void
test_plane(void)
{
  g_autoptr(DebyePlot) plane = make_map("Å"), times = make_map("ps");
  g_autoptr(DebyePlotLayout) layout = set_page(plane, NULL), wide = set_page(times, NULL);
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(layout),
                           whole = debye_plot_layout_get_frame(wide);
  g_assert_cmpfloat_with_epsilon(frame.width * 30.0, frame.height * 20.0, 30.0);
  g_assert_cmpfloat(whole.width, >, 1.2 * frame.width);
  g_assert_cmpfloat_with_epsilon(find_title_distance(layout), find_title_distance(wide), 1.0);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  gboolean has_map = FALSE;
  for (guint i = 0; i < drawing->items->len && !has_map; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind != DEBYE_DRAW_IMAGE)
      continue;
    const guint32 *pixels = g_bytes_get_data(item->pixels, NULL);
    for (int byte = 0; byte < 3; byte++)
      g_assert_cmpuint(pixels[0] >> (8 * byte) & 0xff, >=, 0xf0);
    has_map = TRUE;
  }
  g_assert_true(has_map);
}

/* A peak that reaches the frame's top has its mark under that, and its number beside the mark. */
static void
test_peak_at_top(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, 0.5);
  debye_plot_add_peak(plot, 0.5, 0.5, "2.75");
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  g_assert_cmpuint(count_words(debye_plot_layout_get_drawing(layout), "2.75"), ==, 1);
}

/* Where curves coincide their peaks' number stands once; a peak of the same number far above has its own. */
static void
test_peak_of_coinciding(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  debye_plot_add_peak(plot, 0.6, 0.50, "4.47");
  debye_plot_add_peak(plot, 0.6, 0.51, "4.47");
  debye_plot_add_peak(plot, 0.6, 0.9, "4.47");
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  g_assert_cmpuint(count_words(debye_plot_layout_get_drawing(layout), "4.47"), ==, 2);
}

/* A line of 100 points and a marker of 6, each counted where it is and nowhere else. */
static void
test_cover(void)
{
  const DebyePlotColor ink = {0.0f, 0.0f, 0.0f, 1.0f};
  const float line[] = {50.0f, 20.0f, 0.0f, 150.0f, 20.0f, 100.0f}, marker[] = {30.0f, 150.0f};
  const DebyePlotRectangle frame = {0.0, 0.0, 200.0, 200.0};
  g_autoptr(DebyePlotDrawing) drawing = debye_plot_drawing_new(200.0, 200.0);
  debye_plot_drawing_add(drawing, DEBYE_DRAW_LINE, ink);
  debye_plot_drawing_put(drawing, line, G_N_ELEMENTS(line));
  debye_plot_drawing_add(drawing, DEBYE_DRAW_MARKERS, ink)->size = 6.0f;
  debye_plot_drawing_put(drawing, marker, G_N_ELEMENTS(marker));
  debye_plot_drawing_add_rectangle(drawing, ink, 0.0, 0.0, 200.0, 200.0);
  g_autoptr(DebyePlotCover) cover = debye_plot_cover_new(drawing, &frame, TRUE);
  g_assert_cmpfloat_with_epsilon(debye_plot_cover_get(cover, &frame), 119.0, 1e-6);
  g_assert_cmpfloat_with_epsilon(debye_plot_cover_get(cover, &(DebyePlotRectangle){10.0, 10.0, 90.0, 20.0}),
                                 50.5, 3.0);
  g_assert_cmpfloat_with_epsilon(debye_plot_cover_get(cover, &(DebyePlotRectangle){20.0, 140.0, 20.0, 20.0}),
                                 18.0, 1e-6); /* it tells as much as three times the line */
  g_assert_cmpfloat(debye_plot_cover_get(cover, &(DebyePlotRectangle){60.0, 60.0, 100.0, 100.0}), ==, 0.0);
}

/* Whether something of the drawing's lines crosses a box. */
static gboolean
is_crossed(const DebyePlotDrawing *drawing, double left, double top, double right, double bottom)
{
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    const float *values = debye_plot_drawing_values(drawing, item);
    for (gsize k = 0; item->kind == DEBYE_DRAW_LINE && k + 3 <= item->n_values; k += 3)
      if ((double)values[k] > left && (double)values[k] < right && (double)values[k + 1] > top &&
          (double)values[k + 1] < bottom)
        return TRUE;
  }
  return FALSE;
}

static double
hill(double x)
{
  return exp(-40.0 * (x - 0.5) * (x - 0.5));
}

/* The number of a peak stands on no curve, not its own nor one that runs closely above it, and off the ticks; no paper
 * is laid under it. */
static void
test_peak_number_is_free(void)
{
  for (guint n = 1; n <= 12; n++) {
    g_autoptr(DebyePlot) plot = make_plot(hill, n);
    debye_plot_set_legend_visible(plot, FALSE);
    debye_plot_add_peak(plot, 0.5, 1.0, "0.50");
    g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
    const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
    DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
    guint n_rectangles = 0;
    for (guint i = 0; i < drawing->items->len; i++) {
      const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
      n_rectangles += item->kind == DEBYE_DRAW_RECTANGLE;
      if (item->kind != DEBYE_DRAW_TEXT || !g_str_equal(item->markup, "0.50"))
        continue;
      const double left = (double)item->x, top = (double)(item->y - 0.7f * item->size);
      g_assert_false(is_crossed(drawing, left, top, left + (double)item->text_width, (double)item->y));
      g_assert_cmpfloat(top, >, frame.y + 3.6);
    }
    g_assert_cmpuint(n_rectangles, ==, 1); /* the page */
  }
}

/* A caption ends with a sentence, or says that it goes on. */
static void
test_caption_ends(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  debye_plot_set_caption(
      plot, "One sentence that is rather short; another one, which goes on and on about how all of "
            "this was computed from which frames; a third one, which does the same at the same "
            "length as the other; a fourth one, for which there may be room on a page that is "
            "as narrow as this one is, of the other; and a fifth one, for which there is none, "
            "whatever else it says and however short the first of all may be");
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  const char *last = debye_plot_drawing_get(drawing, drawing->items->len - 1)->markup;
  g_assert_true(g_str_has_suffix(last, "the other") || g_str_has_suffix(last, "frames"));
  debye_plot_set_caption(
      plot, "One sentence without an end that goes on and on about how all of this was computed, from "
            "which frames, by which method and which computer, at which time of which day, while "
            "which weather was outside, and in which mood all of those were who took part in it, who were "
            "many, and none of whom could say any more how it "
            "had come to pass that this was one sentence, of all the many sentences that somebody wrote "
            "about it on all of those days, and on the days before them as well");
  g_autoptr(DebyePlotLayout) other = set_page(plot, NULL);
  drawing = debye_plot_layout_get_drawing(other);
  g_assert_true(g_str_has_suffix(debye_plot_drawing_get(drawing, drawing->items->len - 1)->markup, " …"));
}

/* A unit stands behind its number, wherever the line breaks. */
static void
test_caption_units(void)
{
  g_autoptr(GString) caption = g_string_new("i");
  for (int n = 0; n < 60; n++) {
    g_autoptr(DebyePlot) plot = make_plot(falls, 1);
    g_string_prepend(caption, n % 9 == 8 ? "i " : "i");
    g_autofree char *text = g_strconcat(
        caption->str, ": 4.46 neighbours up to 3.33 Å, 24.6 up to 5.68 Å in 100 ps; at 300 K", NULL);
    debye_plot_set_caption(plot, text);
    g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
    const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
    for (guint i = 0; i < drawing->items->len; i++) {
      const char *markup = debye_plot_drawing_get(drawing, i)->markup;
      g_assert_false(markup != NULL && (g_str_has_prefix(markup, "Å") || g_str_has_prefix(markup, "ps") ||
                                        g_str_equal(markup, "K")));
    }
  }
}

/* A name that is longer than its axis stays on the page. */
static void
test_long_label(void)
{
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  debye_plot_set_label(plot, DEBYE_PLOT_Y,
                       "a quantity whose name is longer than the height of the page (arbitrary units)");
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->kind != DEBYE_DRAW_TEXT || !item->upwards)
      continue;
    double width = debye_plot_text_width(item->markup, (double)item->size);
    g_assert_cmpfloat((double)item->y - 0.5 * width, >, 0.0);
    g_assert_cmpfloat((double)item->y + 0.5 * width, <, HEIGHT);
  }
}

/* Ticks that were chosen closer than their numbers are wide. */
static void
test_crowded_ticks(void)
{
  static const double values[] = {0.12801, 0.12901, 0.13001, 0.2, 0.9};
  g_autoptr(DebyePlot) plot = make_plot(falls, 1);
  debye_plot_set_ticks(plot, DEBYE_PLOT_X, &(DebyePlotTickChoice){.values = values, .n_values = 5});
  g_autoptr(DebyePlotLayout) layout = set_page(plot, NULL);
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  g_assert_cmpuint(count_words(drawing, "0.12801"), ==, 1);
  g_assert_cmpuint(count_words(drawing, "0.12901") + count_words(drawing, "0.13001"), ==, 0);
  g_assert_cmpuint(count_words(drawing, "0.2"), ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/plot-legend/cover", test_cover);
  g_test_add_func("/plot-legend/crowded-ticks", test_crowded_ticks);
  g_test_add_func("/plot-legend/free-places", test_free_places);
  g_test_add_func("/plot-legend/corner", test_corner);
  g_test_add_func("/plot-legend/columns", test_columns);
  g_test_add_func("/plot-legend/stays", test_stays);
  g_test_add_func("/plot-legend/hand", test_hand);
  g_test_add_func("/plot-legend/full", test_full);
  g_test_add_func("/plot-legend/long-names", test_long_names);
  g_test_add_func("/plot-legend/hidden", test_hidden_takes_no_room);
  g_test_add_func("/plot-legend/peak-words", test_peak_words);
  g_test_add_func("/plot-legend/peak-at-top", test_peak_at_top);
  g_test_add_func("/plot-legend/point-names", test_point_names);
  g_test_add_func("/plot-legend/plane", test_plane);
  g_test_add_func("/plot-legend/peak-of-coinciding", test_peak_of_coinciding);
  g_test_add_func("/plot-legend/peak-number-is-free", test_peak_number_is_free);
  g_test_add_func("/plot-legend/caption-ends", test_caption_ends);
  g_test_add_func("/plot-legend/caption-units", test_caption_units);
  g_test_add_func("/plot-legend/long-label", test_long_label);
  return g_test_run();
}

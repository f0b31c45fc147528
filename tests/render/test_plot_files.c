/* SPDX-License-Identifier: MIT */
/* Plots in files: what is in them, what is refused, and that a plot can be written while another goes on. */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "render/plot/plot_cairo.h"
#include "sample_plots.h"

static char *folder;

static char *
save(DebyePlot *plot, const char *name)
{
  GError *error = NULL;
  DebyePlotPage page;
  gsize length;
  g_autofree char *path = g_build_filename(folder, name, NULL);
  char *bytes;
  debye_plot_page_init(&page);
  debye_plot_save(plot, &page, path, &error);
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  g_assert_cmpuint(length, >, 1000);
  g_unlink(path);
  return bytes;
}

static void
assert_has(const char *text, const char *part)
{
  if (strstr(text, part) == NULL)
    g_error("“%s” is not in the file", part);
}

static void
on_svg_text(GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  (void)error;
  const GSList *stack = g_markup_parse_context_get_element_stack(context);
  for (; stack != NULL; stack = stack->next)
    if (strcmp(stack->data, "text") == 0)
      g_string_append_len(data, text, (gssize)length);
}

static void
on_svg_end(GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  (void)context, (void)error;
  if (strcmp(name, "text") == 0)
    g_string_append_c(data, '\n');
}

/* The place of the text that begins with these letters: y in points, downwards. */
static double
find_text_y(const char *svg, const char *letters)
{
  const char *text = strstr(svg, letters), *begin;
  g_assert_nonnull(text);
  for (begin = text; strncmp(begin, "<text", 5) != 0; begin--)
    g_assert_true(begin > svg);
  const char *y = strstr(begin, " y=\"");
  g_assert_true(y != NULL && y < text);
  return g_ascii_strtod(y + strlen(" y=\""), NULL);
}

/* Of a level line at this height of a curve from 0 to 1; NAN: out of view. */
static double
find_name_y(double height)
{
  static const double xs[] = {0.0, 1.0}, ys[] = {0.0, 1.0};
  static const DebyeQuantity x = {"x", "x", NULL}, y = {"y", "y", NULL};
  g_autoptr(DebyePlot) plot = debye_plot_new();
  g_autoptr(DebyeCurve) curve = debye_curve_new("curve", &x, &y, DEBYE_CURVE_LINE, 2, xs, ys, NULL);
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_add_reference(plot, DEBYE_PLOT_Y, height, "roof");
  g_autofree char *svg = save(plot, "reference.svg");
  return strstr(svg, "roof") != NULL ? find_text_y(svg, "roof") : (double)NAN;
}

/* A level line's name rises with it, until the frame's edge would cut it: then it stands below the line. */
static void
test_reference_name(void)
{
  guint n_falls = 0;
  double before = find_name_y(0.8);
  for (int percent = 81; percent < 120; percent++) {
    double y = find_name_y(0.01 * percent);
    if (isnan(y))
      break;
    n_falls += y > before;
    before = y;
  }
  g_assert_cmpuint(n_falls, ==, 1);
}

static void
test_svg(void)
{
  static const GMarkupParser parser = {.text = on_svg_text, .end_element = on_svg_end};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyePlot) plot = sample_plot_scattering();
  debye_plot_set_caption(plot, "5 < 6 & “quoted”");
  g_autofree char *svg = save(plot, "plot.svg");
  g_autoptr(GString) texts = g_string_new("\n");
  GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, texts, NULL);
  g_assert_true(g_markup_parse_context_parse(context, svg, -1, &error));
  g_assert_true(g_markup_parse_context_end_parse(context, &error));
  g_assert_no_error(error);
  g_markup_parse_context_free(context);
  static const char *const expected[] = {"\nq (Å−1)\n",  "\nI(q) (cm−1)\n", "\ncomputed\n",
                                         "\nmeasured\n", "\n0.1\n",         "\n5 < 6 & “quoted”\n"};
  for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
    assert_has(texts->str, expected[i]);
  assert_has(svg, "<title>I(q) (cm⁻¹) over q (Å⁻¹)</title>");
  assert_has(svg, "font-style=\"italic\">q</tspan>");
  assert_has(svg, "width=\"252pt\" height=\"187.2pt\"");
  g_assert_null(strstr(svg, "<use"));
  g_assert_null(strstr(svg, "nan"));
  g_assert_null(strstr(svg, "inf"));
}

static void
test_pdf_and_png(void)
{
  g_autoptr(DebyePlot) plot = sample_plot_pair_distribution(), map = sample_plot_heat_map();
  g_autofree char *pdf = save(plot, "plot.pdf"), *png = save(map, "map.png"), *svg = save(map, "map.svg");
  g_assert_true(g_str_has_prefix(pdf, "%PDF-"));
  g_assert_true(g_str_has_prefix(png, "\x89PNG"));
  assert_has(svg, "data:image/png;base64,");
}

/* On a thread, while the plot itself turns into another one. */
static gpointer
save_copy(gpointer data)
{
  g_autoptr(DebyePlot) copy = data;
  return save(copy, "copy.svg");
}

static void
test_copy(void)
{
  static DebyePlot *(*const makers[])(void) = {sample_plot_pair_distribution, sample_plot_scattering,
                                               sample_plot_heat_map};
  for (gsize i = 0; i < G_N_ELEMENTS(makers); i++) {
    g_autoptr(DebyePlot) plot = makers[i]();
    debye_plot_set_caption(plot, "before");
    debye_plot_set_highlight(plot, 0.1, 0.2);
    debye_plot_set_view(plot, DEBYE_PLOT_X, 0.01, 4.0);
    debye_plot_set_legend_place(plot, 0.3, 0.4);
    g_autofree char *expected = save(plot, "plot.svg");
    GThread *thread = g_thread_new("writing", save_copy, debye_plot_copy(plot));
    while (debye_plot_get_n_series(plot) > 0)
      debye_plot_remove_curve(plot, debye_plot_get_series(plot, 0));
    debye_plot_set_matrix(plot, NULL);
    debye_plot_set_caption(plot, "after");
    debye_plot_reset_view(plot);
    g_autofree char *found = g_thread_join(thread);
    g_assert_cmpstr(found, ==, expected);
    g_autofree char *other = save(plot, "plot.svg");
    g_assert_cmpstr(other, !=, expected);
  }
}

static void
test_not_saved(void)
{
  static const struct {
    const char *path, *part;
    double dpi;
  } cases[] = {{"/tmp/plot.doc", "plot.doc: expected a name that ends in .svg, .pdf, .png or .tiff", 300.0},
               {"/no/such/folder/plot.png", "folder", 300.0},
               {"plot.png", "plot.png: a plot has 1 to 32000 pixels per side", 1e9}};
  g_autoptr(DebyePlot) plot = sample_plot_scattering();
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    DebyePlotPage page;
    debye_plot_page_init(&page);
    page.dpi = cases[i].dpi;
    g_assert_false(debye_plot_save(plot, &page, cases[i].path, &error));
    assert_has(error->message, cases[i].part);
  }
}

/* Gaps, infinities and nothing at all are drawn as far as they can be. */
static void
test_odd_curves(void)
{
  const double x[] = {0.0, 1.0, 2.0, 3.0, 4.0}, gaps[] = {NAN, 1.0, NAN, INFINITY, 1e300},
               loop[] = {3.0, 1.0, 2.0, NAN, 0.0};
  const DebyeQuantity q = {"x", NULL, NULL};
  for (int style = DEBYE_CURVE_LINE; style <= DEBYE_CURVE_BAND; style++)
    for (gsize n = 0; n <= 5; n++)
      for (int scale = 0; scale < 4; scale++) {
        g_autoptr(DebyePlot) plot = debye_plot_new();
        g_autoptr(DebyeCurve) one = debye_curve_new("a", &q, &q, (DebyeCurveStyle)style, n, x, gaps, gaps);
        g_autoptr(DebyeCurve) two = debye_curve_new("b", &q, &q, (DebyeCurveStyle)style, n, loop, x, NULL);
        debye_plot_add_curve(plot, one, DEBYE_PLOT_Y);
        debye_plot_add_curve(plot, two, DEBYE_PLOT_Y2);
        debye_plot_set_scale(plot, DEBYE_PLOT_X, scale & 1 ? DEBYE_PLOT_LOG : DEBYE_PLOT_LINEAR);
        debye_plot_set_scale(plot, DEBYE_PLOT_Y, scale & 2 ? DEBYE_PLOT_LOG : DEBYE_PLOT_LINEAR);
        g_autofree char *svg = save(plot, "odd.svg");
        g_assert_null(strstr(svg, "\"nan"));
      }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = g_dir_make_tmp("debye-plot-XXXXXX", NULL);
  g_test_add_func("/plot-files/svg", test_svg);
  g_test_add_func("/plot-files/reference-name", test_reference_name);
  g_test_add_func("/plot-files/pdf-and-png", test_pdf_and_png);
  g_test_add_func("/plot-files/copy", test_copy);
  g_test_add_func("/plot-files/not-saved", test_not_saved);
  g_test_add_func("/plot-files/odd-curves", test_odd_curves);
  int status = g_test_run();
  g_rmdir(folder);
  g_free(folder);
  return status;
}

/* SPDX-License-Identifier: MIT */
/* The view of a plot, driven as a person does: true pointer and keys by xdotool, in a window of its own.
 * Pictures of what was seen are left in the folder OUTPUT. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/render/sample_plots.h"
#include "ui/plot/plot_view.h"

#define WIDTH 640
#define HEIGHT 440

typedef struct {
  GtkWindow *window;
  DebyePlotView *view;
  DebyePlot *plot;
  guint n_peaks, n_points;
  double x, y;
} Fixture;

typedef struct {
  const char *path;
  DebyePlot *(*make)(void);
  void (*test)(Fixture *fixture, gconstpointer data);
} Case;

/* --- Waiting --- */

static gboolean
on_time(gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_for(guint milliseconds)
{
  gboolean over = FALSE;
  g_timeout_add(milliseconds, on_time, &over);
  while (!over)
    g_main_context_iteration(NULL, TRUE);
}

#define QUIET_MILLISECONDS 120
#define MAX_MILLISECONDS 5000

/* Until nothing has happened for a while: what was sent has come and was drawn, however slow the machine is.
 */
static void
settle(void)
{
  gint64 start = g_get_monotonic_time(), last = start, now = start;
  while (now - last < QUIET_MILLISECONDS * 1000 && now - start < MAX_MILLISECONDS * 1000) {
    gdk_display_sync(gdk_display_get_default());
    if (g_main_context_iteration(NULL, FALSE))
      last = g_get_monotonic_time();
    else
      g_usleep(2000);
    now = g_get_monotonic_time();
  }
}

/* Runs a command while the main loop turns, as another person's hand would. */
static void
on_child_exit(GPid pid G_GNUC_UNUSED, int status, gpointer data)
{
  g_assert_true(g_spawn_check_wait_status(status, NULL));
  *(gboolean *)data = TRUE;
}

static void
run(const char *format, ...)
{
  GPid pid;
  gboolean over = FALSE;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) arguments = NULL;
  va_list list;
  va_start(list, format);
  g_autofree char *command = g_strdup_vprintf(format, list);
  va_end(list);
  g_assert_true(g_shell_parse_argv(command, NULL, &arguments, &error));
  g_spawn_async(NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                &error);
  g_assert_no_error(error);
  g_child_watch_add(pid, on_child_exit, &over);
  while (!over)
    g_main_context_iteration(NULL, TRUE);
  settle();
}

static void
take_picture(const char *name)
{
  run("import -window root -quality 11 %s/%s.png", g_getenv("OUTPUT"), name);
}

/* --- Places --- */

/* Of the frame in the view, in logical pixels of the window: the layout of the same page gives the same. */
static void
place_of(Fixture *fixture, double part_x, double part_y, int *x, int *y)
{
  DebyePlotStyle style;
  debye_plot_style_init(&style, FALSE, 1.0);
  int width = gtk_widget_get_width(GTK_WIDGET(fixture->view)),
      height = gtk_widget_get_height(GTK_WIDGET(fixture->view));
  g_autoptr(DebyePlotLayout) layout =
      debye_plot_layout_new(fixture->plot, &style, 0.75 * width, 0.75 * height, 4.0 / 3.0, NULL);
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  double view_x, view_y;
  gtk_widget_translate_coordinates(GTK_WIDGET(fixture->view), GTK_WIDGET(fixture->window), 0.0, 0.0, &view_x,
                                   &view_y);
  double surface_x, surface_y;
  gtk_native_get_surface_transform(GTK_NATIVE(fixture->window), &surface_x, &surface_y);
  *x = (int)(view_x + surface_x + (frame.x + part_x * frame.width) / 0.75);
  *y = (int)(view_y + surface_y + (frame.y + part_y * frame.height) / 0.75);
}

static void
move_to(Fixture *fixture, double part_x, double part_y)
{
  int x, y;
  place_of(fixture, part_x, part_y, &x, &y);
  run("xdotool mousemove %d %d", x, y);
}

static void
drag(Fixture *fixture, int button, double from_x, double from_y, double to_x, double to_y)
{
  int x0, y0, x1, y1;
  place_of(fixture, from_x, from_y, &x0, &y0);
  place_of(fixture, to_x, to_y, &x1, &y1);
  run("xdotool mousemove %d %d mousedown %d sleep 0.05 mousemove %d %d sleep 0.05 mousemove %d %d sleep 0.05 "
      "mouseup %d",
      x0, y0, button, (x0 + x1) / 2, (y0 + y1) / 2, x1, y1, button);
}

typedef struct {
  double low, high;
} Limits;

static Limits
limits(Fixture *fixture, DebyePlotAxis axis)
{
  Limits found;
  debye_plot_get_limits(fixture->plot, axis, &found.low, &found.high);
  return found;
}

/* Whether an axis shows something else than what the data need. */
static gboolean
is_zoomed(Fixture *fixture)
{
  g_autoptr(DebyePlot) whole = debye_plot_copy(fixture->plot);
  debye_plot_reset_view(whole);
  for (DebyePlotAxis axis = DEBYE_PLOT_X; axis <= DEBYE_PLOT_Y; axis++) {
    Limits shown = limits(fixture, axis), all;
    debye_plot_get_limits(whole, axis, &all.low, &all.high);
    if (shown.low != all.low || shown.high != all.high)
      return TRUE;
  }
  return FALSE;
}

/* Pixels are whole: what a drag of this many pixels does is known to one or two of them. */
static void
assert_near(double found, double expected, Limits span)
{
  g_assert_cmpfloat_with_epsilon(found, expected, 0.012 * (span.high - span.low));
}

/* --- The window --- */

static void
on_peak(Fixture *fixture, double x, double y)
{
  fixture->n_peaks++;
  fixture->x = x;
  fixture->y = y;
}

static void
on_point(Fixture *fixture, guint series, double x, double y)
{
  g_assert_cmpuint(series, >, 0);
  fixture->n_points++;
  fixture->x = x;
  fixture->y = y;
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  const Case *self = data;
  *fixture = (Fixture){.plot = self->make(), .window = GTK_WINDOW(gtk_window_new())};
  fixture->view = g_object_new(DEBYE_TYPE_PLOT_VIEW, NULL);
  debye_plot_view_set_plot(fixture->view, fixture->plot);
  g_signal_connect_swapped(fixture->view, "peak-activated", G_CALLBACK(on_peak), fixture);
  g_signal_connect_swapped(fixture->view, "point-activated", G_CALLBACK(on_point), fixture);
  gtk_window_set_decorated(fixture->window, FALSE);
  gtk_window_set_default_size(fixture->window, WIDTH, HEIGHT);
  gtk_window_set_child(fixture->window, GTK_WIDGET(fixture->view));
  run("xdotool mousemove 1270 790");
  gtk_window_present(fixture->window);
  while (gtk_widget_get_width(GTK_WIDGET(fixture->view)) == 0)
    g_main_context_iteration(NULL, TRUE);
  settle();
  gtk_widget_grab_focus(GTK_WIDGET(fixture->view));
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy(fixture->window);
  g_object_unref(fixture->plot);
  wait_for(50);
}

/* --- Tests --- */

static void
test_wheel(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Limits x = limits(fixture, DEBYE_PLOT_X), y = limits(fixture, DEBYE_PLOT_Y);
  move_to(fixture, 0.25, 0.5);
  run("xdotool click 4");
  Limits zoomed = limits(fixture, DEBYE_PLOT_X), zoomed_y = limits(fixture, DEBYE_PLOT_Y);
  double factor = 1.15, at = x.low + 0.25 * (x.high - x.low), at_y = 0.5 * (y.low + y.high);
  assert_near(zoomed.low, at + (x.low - at) / factor, x);
  assert_near(zoomed.high, at + (x.high - at) / factor, x);
  assert_near(zoomed_y.low, at_y + (y.low - at_y) / factor, y);
  run("xdotool click 5");
  assert_near(limits(fixture, DEBYE_PLOT_X).low, x.low, x);
  assert_near(limits(fixture, DEBYE_PLOT_X).high, x.high, x);
}

/* Under the frame only x. */
static void
test_wheel_on_axis(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Limits x = limits(fixture, DEBYE_PLOT_X), y = limits(fixture, DEBYE_PLOT_Y);
  move_to(fixture, 0.5, 1.04);
  run("xdotool click 4");
  g_assert_cmpfloat(limits(fixture, DEBYE_PLOT_X).high, <, x.high);
  g_assert_cmpfloat(limits(fixture, DEBYE_PLOT_Y).high, ==, y.high);
  g_assert_cmpfloat(limits(fixture, DEBYE_PLOT_Y).low, ==, y.low);
}

static void
test_rectangle_and_reset(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Limits x = limits(fixture, DEBYE_PLOT_X), y = limits(fixture, DEBYE_PLOT_Y);
  drag(fixture, 1, 0.1, 0.2, 0.5, 0.9);
  Limits zoomed = limits(fixture, DEBYE_PLOT_X), zoomed_y = limits(fixture, DEBYE_PLOT_Y);
  assert_near(zoomed.low, x.low + 0.1 * (x.high - x.low), x);
  assert_near(zoomed.high, x.low + 0.5 * (x.high - x.low), x);
  assert_near(zoomed_y.low, y.low + 0.1 * (y.high - y.low), y);
  assert_near(zoomed_y.high, y.low + 0.8 * (y.high - y.low), y);
  take_picture("zoomed");
  move_to(fixture, 0.6, 0.6);
  run("xdotool click --repeat 2 --delay 60 1");
  g_assert_false(is_zoomed(fixture));
}

static void
test_pan(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Limits x = limits(fixture, DEBYE_PLOT_X);
  drag(fixture, 2, 0.5, 0.5, 0.3, 0.5);
  assert_near(limits(fixture, DEBYE_PLOT_X).low, x.low + 0.2 * (x.high - x.low), x);
  debye_plot_reset_view(fixture->plot);
  run("xdotool keydown shift");
  drag(fixture, 1, 0.5, 0.5, 0.6, 0.5);
  run("xdotool keyup shift");
  assert_near(limits(fixture, DEBYE_PLOT_X).low, x.low - 0.1 * (x.high - x.low), x);
}

/* The legend stands in the top right corner: it follows the hand, and a click on an entry hides its curve. */
static void
test_legend(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double x, y;
  drag(fixture, 1, 0.93, 0.08, 0.63, 0.48);
  debye_plot_get_legend_place(fixture->plot, &x, &y);
  g_assert_cmpfloat_with_epsilon(y, 0.43, 0.05);
  g_assert_false(is_zoomed(fixture));
  take_picture("legend-moved");
  debye_plot_set_legend_place(fixture->plot, NAN, NAN);
  wait_for(50);
  guint first = debye_plot_get_series(fixture->plot, 0);
  move_to(fixture, 0.93, 0.055);
  run("xdotool click 1");
  g_assert_false(debye_plot_get_series_visible(fixture->plot, first));
  wait_for(500); /* not a double click */
  run("xdotool click 1");
  g_assert_true(debye_plot_get_series_visible(fixture->plot, first));
}

static void
test_read_out(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  move_to(fixture, 0.6, 0.32);
  g_assert_null(debye_plot_view_get_readout(fixture->view));
  Limits y = limits(fixture, DEBYE_PLOT_Y);
  move_to(fixture, 0.5, 1.0 - (1.0 - y.low) / (y.high - y.low));
  wait_for(100);
  g_autofree char *readout = debye_plot_view_get_readout(fixture->view);
  g_assert_nonnull(readout);
  g_test_message("%s", readout);
  g_assert_nonnull(strstr(readout, "r = "));
  g_assert_nonnull(strstr(readout, "Å, g(r) = 1.0"));
  take_picture("read-out");
}

static void
test_peak_and_point(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Limits x = limits(fixture, DEBYE_PLOT_X), y = limits(fixture, DEBYE_PLOT_Y);
  double peak_x, peak_y;
  g_assert_true(debye_plot_get_peak(fixture->plot, 0, &peak_x, &peak_y));
  move_to(fixture, (peak_x - x.low) / (x.high - x.low), 1.0 - (peak_y - y.low) / (y.high - y.low) - 0.02);
  run("xdotool click 1");
  g_assert_cmpuint(fixture->n_peaks, ==, 1);
  g_assert_cmpfloat(fixture->x, ==, peak_x);
  move_to(fixture, 0.7, 1.0 - (1.0 - y.low) / (y.high - y.low));
  wait_for(500);
  run("xdotool click 1");
  g_assert_cmpuint(fixture->n_points, ==, 1);
  g_assert_cmpfloat_with_epsilon(fixture->x, x.low + 0.7 * (x.high - x.low), 0.1);
  g_assert_cmpfloat_with_epsilon(fixture->y, 1.0, 0.05);
}

static void
test_keys(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Limits x = limits(fixture, DEBYE_PLOT_X);
  double span = x.high - x.low;
  run("xdotool key Right");
  assert_near(limits(fixture, DEBYE_PLOT_X).low, x.low + 0.1 * span, x);
  run("xdotool key Left");
  assert_near(limits(fixture, DEBYE_PLOT_X).low, x.low, x);
  run("xdotool key plus");
  assert_near(limits(fixture, DEBYE_PLOT_X).high, 0.5 * (x.low + x.high) + 0.4 * span, x);
  run("xdotool key 0");
  g_assert_false(is_zoomed(fixture));
  run("xdotool key ctrl+Right");
  g_autofree char *first = debye_plot_view_get_readout(fixture->view);
  run("xdotool key ctrl+Right");
  g_autofree char *second = debye_plot_view_get_readout(fixture->view);
  g_assert_nonnull(first);
  g_assert_cmpstr(first, !=, second);
  run("xdotool key Return");
  g_assert_cmpuint(fixture->n_points, ==, 1);
  run("xdotool key Escape");
  g_assert_null(debye_plot_view_get_readout(fixture->view));
}

static void
on_text(GObject *clipboard, GAsyncResult *result, gpointer data)
{
  *(char **)data = gdk_clipboard_read_text_finish(GDK_CLIPBOARD(clipboard), result, NULL);
}

static void
on_written(GObject *provider, GAsyncResult *result, gpointer data)
{
  g_autoptr(GError) error = NULL;
  g_assert_true(gdk_content_provider_write_mime_type_finish(GDK_CONTENT_PROVIDER(provider), result, &error));
  g_assert_no_error(error);
  *(gboolean *)data = TRUE;
}

/* What another program gets that asks the clipboard for pictures of this type. */
static GBytes *
read_picture(GdkClipboard *clipboard, const char *type)
{
  gboolean is_written = FALSE;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  gdk_content_provider_write_mime_type_async(gdk_clipboard_get_content(clipboard), type, stream,
                                             G_PRIORITY_DEFAULT, NULL, on_written, &is_written);
  while (!is_written)
    g_main_context_iteration(NULL, TRUE);
  g_assert_true(g_output_stream_close(stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(stream));
}

/* Beside the numbers, and as the plot was: what is changed afterwards is not in it. */
static void
test_copy_picture(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_widget_grab_focus(GTK_WIDGET(fixture->view));
  debye_plot_view_copy(fixture->view);
  debye_plot_set_label(fixture->plot, DEBYE_PLOT_X, "changed afterwards");
  GdkClipboard *clipboard = gtk_widget_get_clipboard(GTK_WIDGET(fixture->view));
  GdkContentFormats *formats = gdk_clipboard_get_formats(clipboard);
  g_assert_true(gdk_content_formats_contain_gtype(formats, G_TYPE_STRING));
  g_autoptr(GBytes) svg = read_picture(clipboard, "image/svg+xml");
  g_autofree char *text = g_strndup(g_bytes_get_data(svg, NULL), g_bytes_get_size(svg));
  g_assert_nonnull(strstr(text, "<svg"));
  g_assert_null(strstr(text, "changed afterwards"));
  g_autoptr(GBytes) png = read_picture(clipboard, "image/png");
  g_autoptr(GdkTexture) picture = gdk_texture_new_from_bytes(png, NULL);
  g_assert_nonnull(picture);
  /* 300 dots per inch of a page as large as the view, at 96. */
  g_assert_cmpint(gdk_texture_get_width(picture), ==,
                  (int)round(gtk_widget_get_width(GTK_WIDGET(fixture->view)) / 96.0 * 300.0));
}

static void
test_copy(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = NULL;
  run("xdotool key ctrl+c");
  gdk_clipboard_read_text_async(gtk_widget_get_clipboard(GTK_WIDGET(fixture->view)), NULL, on_text, &text);
  for (int i = 0; i < 20 && text == NULL; i++)
    wait_for(50);
  g_assert_nonnull(text);
  g_assert_true(g_str_has_prefix(text, "# unit of r: Å\nr\tO–O.g\tO–O.g_error\tO–H.g\tH–H.g\n0.025\t"));
}

static void
test_actions(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *widget = GTK_WIDGET(fixture->view);
  gboolean legend;
  g_assert_true(gtk_widget_activate_action(widget, "plot.log-y", NULL));
  g_assert_cmpint(debye_plot_get_scale(fixture->plot, DEBYE_PLOT_Y), ==, DEBYE_PLOT_LOG);
  g_assert_true(gtk_widget_activate_action(widget, "plot.log-y", NULL));
  g_assert_cmpint(debye_plot_get_scale(fixture->plot, DEBYE_PLOT_Y), ==, DEBYE_PLOT_LINEAR);
  g_assert_true(gtk_widget_activate_action(widget, "plot.legend", NULL));
  g_object_get(fixture->view, "legend", &legend, NULL);
  g_assert_false(legend);
  g_assert_true(gtk_widget_activate_action(widget, "plot.zoom-in", NULL));
  g_assert_true(is_zoomed(fixture));
  g_assert_true(gtk_widget_activate_action(widget, "plot.reset", NULL));
  g_assert_false(is_zoomed(fixture));
}

static void
test_menu(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  move_to(fixture, 0.5, 0.3);
  run("xdotool click 3");
  wait_for(300);
  take_picture("menu");
  run("xdotool key Escape");
  g_assert_false(is_zoomed(fixture));
}

static void
test_accessible(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkAccessible *view = GTK_ACCESSIBLE(fixture->view);
  g_assert_cmpint(gtk_accessible_get_accessible_role(view), ==, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property(view, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      "Plot of g(r) over r (Å): O–O, O–H, H–H");
}

/* A curve that grows while it is looked at, and one that goes away under the pointer. */
static void
test_streaming(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const double x[] = {0.0, 5.0, 10.0}, y[] = {0.0, 2.0, 1.0};
  guint first = debye_plot_get_series(fixture->plot, 0);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("O–O", &(DebyeQuantity){"r", NULL, "Å"}, &(DebyeQuantity){"g", "g(r)", NULL},
                      DEBYE_CURVE_LINE, 3, x, y, NULL);
  run("xdotool key ctrl+Right");
  debye_plot_replace_curve(fixture->plot, first, curve);
  wait_for(50);
  while (debye_plot_get_n_series(fixture->plot) > 0) {
    debye_plot_remove_curve(fixture->plot, debye_plot_get_series(fixture->plot, 0));
    wait_for(50);
  }
  g_assert_null(debye_plot_view_get_readout(fixture->view));
  debye_plot_view_set_plot(fixture->view, NULL);
  wait_for(50);
  take_picture("empty");
}

/* Dark, and another page of it at the same time. */
static void
test_dark(Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  AdwStyleManager *manager = adw_style_manager_get_default();
  adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_DARK);
  wait_for(200);
  take_picture("dark");
  adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  wait_for(100);
}

static void
test_heat_map(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  move_to(fixture, 0.4, 0.5);
  wait_for(100);
  g_autofree char *readout = debye_plot_view_get_readout(fixture->view);
  g_assert_nonnull(readout);
  g_assert_nonnull(strstr(readout, "F(q, τ) = "));
  take_picture("heat-map");
  Limits color = limits(fixture, DEBYE_PLOT_COLOR);
  move_to(fixture, 1.07, 0.5);
  run("xdotool click 4");
  g_assert_cmpfloat(limits(fixture, DEBYE_PLOT_COLOR).high, <, color.high);
}

int
main(int argc, char **argv)
{
  static const Case cases[] = {
      {"/plot-view/wheel", sample_plot_pair_distribution, test_wheel},
      {"/plot-view/wheel-on-axis", sample_plot_pair_distribution, test_wheel_on_axis},
      {"/plot-view/rectangle-and-reset", sample_plot_pair_distribution, test_rectangle_and_reset},
      {"/plot-view/pan", sample_plot_pair_distribution, test_pan},
      {"/plot-view/legend", sample_plot_pair_distribution, test_legend},
      {"/plot-view/read-out", sample_plot_pair_distribution, test_read_out},
      {"/plot-view/peak-and-point", sample_plot_pair_distribution, test_peak_and_point},
      {"/plot-view/keys", sample_plot_pair_distribution, test_keys},
      {"/plot-view/copy", sample_plot_pair_distribution, test_copy},
      {"/plot-view/copy-picture", sample_plot_pair_distribution, test_copy_picture},
      {"/plot-view/actions", sample_plot_pair_distribution, test_actions},
      {"/plot-view/menu", sample_plot_pair_distribution, test_menu},
      {"/plot-view/accessible", sample_plot_pair_distribution, test_accessible},
      {"/plot-view/streaming", sample_plot_pair_distribution, test_streaming},
      {"/plot-view/dark", sample_plot_scattering, test_dark},
      {"/plot-view/heat-map", sample_plot_heat_map, test_heat_map},
  };
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(), ADW_COLOR_SCHEME_FORCE_LIGHT);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    g_test_add(cases[i].path, Fixture, &cases[i], set_up, cases[i].test, tear_down);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Whether the window answers: how long the main thread is busy in one turn while a level is dragged over a
 * large map, while a molecule is turned and its picture sharpens again, with its map computed and then shown,
 * and while a film plays with the map of each frame; and how long it takes from the start to the first
 * picture of a molecule. Needs a display:
 *
 *     bench_window start FILE...
 *     bench_window drag [POINTS A SIDE]      bench_window job MOLECULE SPACING
 *     bench_window live STRUCTURE TRAJECTORY SPACING */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "app/window/application.h"
#include "app/window/window_controller.h"
#include "main_loop_meter.h"
#include "render/layers/isosurface_layer.h"
#include "ui/widgets/number_slider.h"

#define REST_SECONDS 3
#define TURN_SECONDS 5
#define DRAG_SECONDS 8
#define DRAG_MILLISECONDS 16 /* a hand's moves come at the display's rate */
#define N_CHARGES 24
#define LIVE_SECONDS 10

typedef struct {
  DebyeApplication *application;
  DebyeWindow *window;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeWindowFrames *frames;
  DebyeWindowOpening *opening;
  MainLoopMeter *meter;
  DebyeNumberSlider *slider;
  double largest_level;
  guint turn;
} Bench;

static void
report(Bench *bench, const char *what)
{
  MeterSummary wall = main_loop_meter_get_wall(bench->meter),
               processor = main_loop_meter_get_processor(bench->meter),
               frames = main_loop_meter_get_frames(bench->meter),
               turns = main_loop_meter_get_turns(bench->meter);
  double seconds = main_loop_meter_get_seconds(bench->meter);
  double all = main_loop_meter_get_all_processor(bench->meter) / MAX(frames.n, 1);
  g_print("| %s | %.1f | %.1f / %.1f / %.1f | %.1f | %.1f / %.1f | %.1f / %.1f | %.1f / %.1f | %.1f |\n",
          what, frames.n / seconds, frames.median, frames.p99, frames.largest, all, turns.p99, turns.largest,
          wall.p99, wall.largest, processor.p99, processor.largest,
          main_loop_meter_get_longest_wait(bench->meter));
  main_loop_meter_reset(bench->meter);
}

static void
report_head(void)
{
  g_print("| while | frames/s | a frame, ms: median / 99 %% / longest | all threads' processor time a frame, "
          "ms | a turn with it, ms: 99 %% / longest | "
          "busy besides, ms: 99 %% / longest | of it processor time | longest with a wait in it |\n"
          "|---|---|---|---|---|---|---|---|\n");
}

static gboolean
on_over(gpointer over)
{
  *(gboolean *)over = TRUE;
  return G_SOURCE_REMOVE;
}

static void
iterate_for(guint seconds)
{
  gboolean over = FALSE;
  g_timeout_add(1000 * seconds, on_over, &over);
  while (!over)
    g_main_context_iteration(NULL, TRUE);
}

/* --- A level dragged --- */

/* Charges at places that are the same in each run. */
static DebyeField *
make_map(gsize n)
{
  double length = 64.0, step = length / (double)(n - 1);
  const DebyeGrid grid = {.step = {{step, 0, 0}, {0, step, 0}, {0, 0, step}}, .shape = {n, n, n}};
  float *values = g_new0(float, n *n *n);
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  for (int c = 0; c < N_CHARGES; c++) {
    float q = c % 2 == 0 ? 560.0f : -560.0f;
    float at[3];
    for (int axis = 0; axis < 3; axis++)
      at[axis] = (float)g_rand_double_range(random, 0.2 * length, 0.8 * length);
    for (gsize k = 0; k < n; k++)
      for (gsize j = 0; j < n; j++)
        for (gsize i = 0; i < n; i++) {
          float x = (float)i * (float)step - at[0], y = (float)j * (float)step - at[1],
                z = (float)k * (float)step - at[2];
          values[i + n * (j + n * k)] += q / sqrtf(x * x + y * y + z * z + 0.01f);
        }
  }
  return debye_field_new_take("potential", &grid, values, "kT/e");
}

static char *
write_map(gsize n)
{
  g_autoptr(DebyeField) map = make_map(n);
  g_autoptr(GFileIOStream) stream = NULL;
  g_autoptr(GFile) file = g_file_new_tmp("debye-XXXXXX.ccp4", &stream, NULL);
  if (file == NULL || !debye_field_save_ccp4(map, g_io_stream_get_output_stream(G_IO_STREAM(stream)), NULL) ||
      !g_io_stream_close(G_IO_STREAM(stream), NULL, NULL))
    g_error("the map can't be written");
  return g_file_get_path(file);
}

static DebyeNumberSlider *
find_slider(GtkWidget *widget)
{
  if (DEBYE_IS_NUMBER_SLIDER(widget))
    return DEBYE_NUMBER_SLIDER(widget);
  DebyeNumberSlider *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_slider(child);
  return found;
}

/* The level's slider: the first in the controls of the last surface. */
static void
open_surface(Bench *bench)
{
  GListModel *layers =
      debye_scene_get_layers(debye_window_scene_get_scene(debye_window_document_get_scene(bench->document)));
  g_autoptr(DebyeLayer) surface = g_list_model_get_item(layers, g_list_model_get_n_items(layers) - 1);
  DebyeLayersPanel *panel = debye_window_get_layers_panel(bench->window);
  debye_layers_panel_expand(panel, surface);
  iterate_for(REST_SECONDS);
  bench->slider = find_slider(GTK_WIDGET(panel));
  bench->largest_level = debye_isosurface_layer_get_level(DEBYE_ISOSURFACE_LAYER(surface));
}

static gboolean
on_drag_tick(gpointer data)
{
  Bench *bench = data;
  double phase = 0.02 * bench->turn++;
  debye_number_slider_set_value(bench->slider, bench->largest_level * (0.6 + 0.4 * sin(phase)));
  return G_SOURCE_CONTINUE;
}

static void
wait_for_document(Bench *bench)
{
  while (debye_window_get_content(bench->window) != DEBYE_WINDOW_OPEN)
    g_main_context_iteration(NULL, TRUE);
  iterate_for(REST_SECONDS);
}

static void
measure_drag(Bench *bench, gsize n)
{
  g_autofree char *path = write_map(n);
  debye_window_opening_open(bench->opening, (const char *const[]){path, NULL});
  wait_for_document(bench);
  open_surface(bench);
  g_autofree char *what = g_strdup_printf("a level of a %zu³ map is dragged", n);
  main_loop_meter_reset(bench->meter);
  iterate_for(REST_SECONDS);
  report(bench, "at rest");
  guint ticks = g_timeout_add(DRAG_MILLISECONDS, on_drag_tick, bench);
  iterate_for(DRAG_SECONDS);
  report(bench, what);
  g_source_remove(ticks);
  g_unlink(path);
}

/* --- A map computed --- */

static gboolean
turn_view(GtkWidget *widget G_GNUC_UNUSED, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data)
{
  Bench *bench = data;
  DebyeScene *scene = debye_window_scene_get_scene(debye_window_document_get_scene(bench->document));
  debye_camera_orbit(debye_scene_get_camera(scene), 400.0, 300.0, 404.0, 300.0, 800.0, 600.0);
  debye_scene_changed(scene);
  return G_SOURCE_CONTINUE;
}

/* The view is turned, and then let rest until its picture is sharp. */
static void
measure_view(Bench *bench, const char *turned, const char *rests)
{
  guint ticks = gtk_widget_add_tick_callback(GTK_WIDGET(bench->window), turn_view, bench, NULL);
  iterate_for(REST_SECONDS);
  main_loop_meter_reset(bench->meter);
  iterate_for(TURN_SECONDS);
  report(bench, turned);
  gtk_widget_remove_tick_callback(GTK_WIDGET(bench->window), ticks);
  main_loop_meter_reset(bench->meter);
  iterate_for(REST_SECONDS);
  report(bench, rests);
}

static DebyeAnalysisForm *
find_map_form(Bench *bench)
{
  return debye_window_analyses_find_form(debye_window_computing_get_analyses(bench->computing), "map");
}

static void
measure_job(Bench *bench, const char *molecule, const char *spacing)
{
  debye_window_opening_open(bench->opening, (const char *const[]){molecule, NULL});
  wait_for_document(bench);
  DebyeAnalysisForm *form = find_map_form(bench);
  debye_request_set(debye_analysis_form_get_request(form), "spacing", spacing, NULL);
  measure_view(bench, "the molecule is turned", "it rests, and its picture sharpens");
  guint ticks = gtk_widget_add_tick_callback(GTK_WIDGET(bench->window), turn_view, bench, NULL);
  debye_window_computing_run_form(bench->computing, form);
  main_loop_meter_reset(bench->meter);
  while (debye_window_document_is_computing(bench->document))
    g_main_context_iteration(NULL, TRUE);
  report(bench, "the molecule is turned and its map computed");
  gtk_widget_remove_tick_callback(GTK_WIDGET(bench->window), ticks);
  measure_view(bench, "the molecule is turned, with its map's surfaces",
               "they rest, and their picture sharpens");
}

/* --- A film --- */

static void
measure_live(Bench *bench, const char *structure, const char *trajectory, const char *spacing)
{
  debye_window_opening_open(bench->opening, (const char *const[]){structure, trajectory, NULL});
  wait_for_document(bench);
  DebyeAnalysisForm *form = find_map_form(bench);
  debye_request_set(debye_analysis_form_get_request(form), "method", "cutoff", NULL);
  debye_request_set(debye_analysis_form_get_request(form), "spacing", spacing, NULL);
  debye_playback_bar_set_playing(debye_window_get_playback_bar(bench->window), TRUE);
  iterate_for(REST_SECONDS);
  main_loop_meter_reset(bench->meter);
  iterate_for(LIVE_SECONDS);
  report(bench, "a film plays");
  debye_window_frames_set_live(bench->frames, TRUE);
  iterate_for(REST_SECONDS);
  main_loop_meter_reset(bench->meter);
  guint n_before = debye_window_frames_get_n_live_maps(bench->frames);
  iterate_for(LIVE_SECONDS);
  double shown = (double)(debye_window_frames_get_n_live_maps(bench->frames) - n_before) / LIVE_SECONDS;
  double computed = debye_window_live_get_rate(debye_window_frames_get_live(bench->frames));
  report(bench, "the same with the map of each frame");
  g_print("%.1f maps/s shown, one computed in %.1f ms\n", shown, 1e3 / computed);
}

/* --- Start --- */

typedef struct {
  DebyeWindow *window;
  gint64 first_picture; /* 0: not yet */
} Start;

static GtkWidget *
find_gl_area(GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_GL_AREA(widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_gl_area(child);
  return found;
}

static void
on_painted(GdkFrameClock *clock G_GNUC_UNUSED, Start *start)
{
  GtkWidget *area = find_gl_area(GTK_WIDGET(debye_window_get_view(start->window)));
  if (start->first_picture == 0 && debye_window_get_content(start->window) == DEBYE_WINDOW_OPEN &&
      gtk_widget_get_mapped(area))
    start->first_picture = g_get_monotonic_time();
}

/* As debye does with files on its command line: no rest between the window and the files. */
static void
measure_start(Bench *bench, const char *const *paths, gint64 began)
{
  Start start = {.window = bench->window};
  gint64 window = g_get_monotonic_time();
  debye_window_opening_open(bench->opening, paths);
  g_signal_connect(gtk_widget_get_frame_clock(GTK_WIDGET(bench->window)), "after-paint",
                   G_CALLBACK(on_painted), &start);
  while (start.first_picture == 0)
    g_main_context_iteration(NULL, TRUE);
  g_print("window made %.2f s, first picture of %s %.2f s after the start, %.2f s of the processor\n",
          1e-6 * (double)(window - began), paths[0], 1e-6 * (double)(start.first_picture - began),
          (double)clock() / CLOCKS_PER_SEC);
  g_signal_handlers_disconnect_by_data(gtk_widget_get_frame_clock(GTK_WIDGET(bench->window)), &start);
}

/* --- The program --- */

static int
usage(void)
{
  g_printerr("usage: bench_window start FILE... | drag [POINTS] | job MOLECULE SPACING | "
             "live STRUCTURE TRAJECTORY SPACING\n");
  return 2;
}

int
main(int argc, char **argv)
{
  Bench bench = {0};
  gboolean drag = argc >= 2 && g_str_equal(argv[1], "drag"), job = argc == 4 && g_str_equal(argv[1], "job"),
           live = argc == 5 && g_str_equal(argv[1], "live"),
           start = argc >= 3 && g_str_equal(argv[1], "start");
  gint64 began = g_get_monotonic_time();
  if (!drag && !job && !live && !start)
    return usage();
  bench.application = debye_application_new();
  g_application_set_flags(G_APPLICATION(bench.application), G_APPLICATION_NON_UNIQUE);
  if (!g_application_register(G_APPLICATION(bench.application), NULL, NULL))
    return EXIT_FAILURE;
  DebyeWindowController *controller = debye_application_create_window(bench.application);
  bench.document = debye_window_controller_get_parts(controller)->document;
  bench.computing = debye_window_controller_get_parts(controller)->computing;
  bench.frames = debye_window_controller_get_parts(controller)->frames;
  bench.opening = debye_window_controller_get_parts(controller)->opening;
  bench.window = debye_window_document_get_window(bench.document);
  if (!start) {
    iterate_for(REST_SECONDS);
    report_head();
  }
  bench.meter = main_loop_meter_new(GTK_WIDGET(bench.window));
  if (start)
    measure_start(&bench, (const char *const *)argv + 2, began);
  else if (drag)
    measure_drag(&bench, argc > 2 ? (gsize)g_ascii_strtoull(argv[2], NULL, 10) : 256);
  else if (live)
    measure_live(&bench, argv[2], argv[3], argv[4]);
  else
    measure_job(&bench, argv[2], argv[3]);
  main_loop_meter_free(bench.meter);
  gtk_window_destroy(GTK_WINDOW(bench.window));
  g_object_unref(bench.application);
  return EXIT_SUCCESS;
}

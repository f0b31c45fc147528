/* SPDX-License-Identifier: MIT */
/* A source that is asked in each turn of the main loop, before it waits and after. */
#include "main_loop_meter.h"

#include <sys/resource.h>
#include <time.h>

typedef struct {
  double wall, processor; /* ms */
  long n_waits;           /* times that the thread gave the processor up by itself: for a lock, a file … */
} Moment;

struct _MainLoopMeter {
  GSource *source;
  GdkFrameClock *clock; /* borrowed: the window's */
  gint64 started;
  clock_t process_started;
  gboolean awake, painting;
  Moment woken, paint_begun, painted;        /* `painted`: in this turn */
  double longest_wait;                       /* ms */
  GArray *wall, *processor, *frames, *turns; /* double, ms */
};

typedef struct {
  GSource parent;
  MainLoopMeter *meter;
} MeterSource;

static Moment
now(void)
{
  struct timespec time;
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (Moment){.wall = (double)g_get_monotonic_time() / 1e3,
                  .processor = (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6,
                  .n_waits = usage.ru_nvcsw};
}

static Moment
since(Moment start)
{
  Moment end = now();
  return (Moment){.wall = end.wall - start.wall,
                  .processor = end.processor - start.processor,
                  .n_waits = end.n_waits - start.n_waits};
}

/* The loop is about to wait: the turn is over. */
static gboolean
prepare(GSource *source, int *timeout)
{
  MainLoopMeter *meter = ((MeterSource *)source)->meter;
  *timeout = -1;
  if (!meter->awake)
    return FALSE;
  Moment busy = since(meter->woken);
  double wall = MAX(0.0, busy.wall - meter->painted.wall);
  double processor = MAX(0.0, busy.processor - meter->painted.processor);
  g_array_append_val(meter->wall, wall);
  g_array_append_val(meter->turns, busy.wall);
  if (busy.n_waits > meter->painted.n_waits)
    meter->longest_wait = MAX(meter->longest_wait, wall);
  g_array_append_val(meter->processor, processor);
  meter->awake = FALSE;
  return FALSE;
}

static gboolean
check(GSource *source)
{
  MainLoopMeter *meter = ((MeterSource *)source)->meter;
  meter->awake = TRUE;
  meter->painted = (Moment){0};
  meter->woken = now();
  return FALSE;
}

static gboolean
dispatch(GSource *source G_GNUC_UNUSED, GSourceFunc callback G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return G_SOURCE_CONTINUE;
}

static void
on_before_paint(GdkFrameClock *clock G_GNUC_UNUSED, MainLoopMeter *meter)
{
  meter->painting = TRUE;
  meter->paint_begun = now();
}

static void
on_after_paint(GdkFrameClock *clock G_GNUC_UNUSED, MainLoopMeter *meter)
{
  if (!meter->painting)
    return;
  Moment took = since(meter->paint_begun);
  meter->painting = FALSE;
  meter->painted.wall += took.wall;
  meter->painted.processor += took.processor;
  meter->painted.n_waits += took.n_waits;
  g_array_append_val(meter->frames, took.wall);
}

MainLoopMeter *
main_loop_meter_new(GtkWidget *window)
{
  static GSourceFuncs functions = {.prepare = prepare, .check = check, .dispatch = dispatch};
  MainLoopMeter *meter = g_new0(MainLoopMeter, 1);
  meter->wall = g_array_new(FALSE, FALSE, sizeof(double));
  meter->processor = g_array_new(FALSE, FALSE, sizeof(double));
  meter->frames = g_array_new(FALSE, FALSE, sizeof(double));
  meter->turns = g_array_new(FALSE, FALSE, sizeof(double));
  meter->source = g_source_new(&functions, sizeof(MeterSource));
  ((MeterSource *)meter->source)->meter = meter;
  g_source_set_priority(meter->source, G_MININT); /* asked before all others, in each turn */
  g_source_attach(meter->source, NULL);
  meter->clock = gtk_widget_get_frame_clock(window);
  g_signal_connect(meter->clock, "before-paint", G_CALLBACK(on_before_paint), meter);
  g_signal_connect(meter->clock, "after-paint", G_CALLBACK(on_after_paint), meter);
  main_loop_meter_reset(meter);
  return meter;
}

void
main_loop_meter_free(MainLoopMeter *meter)
{
  g_signal_handlers_disconnect_by_data(meter->clock, meter);
  g_source_destroy(meter->source);
  g_source_unref(meter->source);
  g_array_unref(meter->wall);
  g_array_unref(meter->processor);
  g_array_unref(meter->frames);
  g_array_unref(meter->turns);
  g_free(meter);
}

void
main_loop_meter_reset(MainLoopMeter *meter)
{
  g_array_set_size(meter->wall, 0);
  g_array_set_size(meter->processor, 0);
  g_array_set_size(meter->frames, 0);
  g_array_set_size(meter->turns, 0);
  meter->awake = FALSE;
  meter->longest_wait = 0.0;
  meter->started = g_get_monotonic_time();
  meter->process_started = clock();
}

static int
compare(gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static MeterSummary
summarise(GArray *times)
{
  MeterSummary summary = {.n = times->len};
  if (times->len == 0)
    return summary;
  g_array_sort(times, compare);
  summary.median = g_array_index(times, double, times->len / 2);
  summary.p99 = g_array_index(times, double, (guint)(0.99 * (times->len - 1)));
  summary.largest = g_array_index(times, double, times->len - 1);
  return summary;
}

MeterSummary
main_loop_meter_get_wall(MainLoopMeter *meter)
{
  return summarise(meter->wall);
}

MeterSummary
main_loop_meter_get_processor(MainLoopMeter *meter)
{
  return summarise(meter->processor);
}

MeterSummary
main_loop_meter_get_frames(MainLoopMeter *meter)
{
  return summarise(meter->frames);
}

MeterSummary
main_loop_meter_get_turns(MainLoopMeter *meter)
{
  return summarise(meter->turns);
}

double
main_loop_meter_get_longest_wait(MainLoopMeter *meter)
{
  return meter->longest_wait;
}

double
main_loop_meter_get_all_processor(MainLoopMeter *meter)
{
  return 1e3 * (double)(clock() - meter->process_started) / CLOCKS_PER_SEC;
}

double
main_loop_meter_get_seconds(MainLoopMeter *meter)
{
  return (double)(g_get_monotonic_time() - meter->started) / G_USEC_PER_SEC;
}

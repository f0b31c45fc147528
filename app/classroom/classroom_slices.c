/* SPDX-License-Identifier: MIT */
/* The lesson on several devices, among which a map's slices are dealt: its job and its figures; declared in classroom.h,
 * called by window_classroom.c, lesson_slices.c and debye-cli bench --slices. */
#include <glib/gi18n.h>
#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "classroom_problem.h"
#include "classroom_record.h"
#include "data/messages/count_text.h"

#define PUBLISHED_AFTER 100000 /* µs */
#define HOUR 3600.0
#define BILLION 1e9
/* Widths of a slice's line, in points, as many as there are in a frame of usual height. */
#define FRAME_POINTS 320.0
#define LEAST_WIDTH 1.5
#define MOST_WIDTH 8.0
#define LEAST_ATOMS 1e3 /* of the figure of ions */
#define MOST_ATOMS 1e8

static const DebyeQuantity passed = {"time", N_("Time since the start"), "s"};
static const DebyeQuantity slices = {"slice", N_("Slice of the map"), NULL};
static const DebyeQuantity n_devices_of = {"devices", N_("Devices"), NULL};
static const DebyeQuantity n_threads_of = {"threads", N_("CPU threads"), NULL};
static const DebyeQuantity rate = {"rate", N_("Evaluations"), "10⁹/s"};
static const DebyeQuantity atoms = {"atoms", N_("Atoms"), NULL};
static const DebyeQuantity hours = {"time", N_("Time for all ions"), "h"};

/* --- Measuring --- */

typedef struct {
  DebyeClassroomRecord *record;
  DebyeJob *progress; /* NULL: nobody looks */
  gint64 published;
} Dealing;

static void
publish(Dealing *dealing)
{
  if (dealing->progress == NULL)
    return;
  g_autoptr(DebyeClassroomRecord) copy = debye_classroom_record_copy(dealing->record);
  debye_job_publish(dealing->progress, copy);
  dealing->published = g_get_monotonic_time();
}

static void
on_slice(const DebyeBenchDealSlice *slice, gpointer data)
{
  Dealing *dealing = data;
  g_array_append_val(dealing->record->slices, *slice);
  if (g_get_monotonic_time() - dealing->published > PUBLISHED_AFTER)
    publish(dealing);
}

static void
note_devices(DebyeClassroomRecord *record, const DebyeBenchDeal *deal, const DebyeDeviceEntry *const *devices,
             gsize n_devices)
{
  for (guint i = 0; i < debye_bench_deal_get_n_devices(deal); i++) {
    DebyeClassroomDevice device = {.id = g_intern_string(debye_bench_deal_get_id(deal, i))};
    g_autofree char *thread = g_strdup_printf(_("CPU thread %u"), i + 1);
    for (gsize k = 0; k < n_devices; k++)
      if (g_str_equal(devices[k]->info.id, device.id))
        device.name = g_intern_string(devices[k]->info.name);
    if (device.name == NULL)
      device.name = g_intern_string(thread);
    g_array_append_val(record->devices, device);
  }
}

static gboolean
run_all(DebyeBenchDeal *deal, Dealing *dealing, GError **error)
{
  DebyeClassroomRecord *record = dealing->record;
  guint counts[DEBYE_BENCH_DEAL_MAX];
  const guint n = debye_bench_deal_list(deal, counts);
  record->thread_rate = debye_bench_deal_get_thread_rate(deal);
  for (guint i = 0; i < n; i++) {
    DebyeBenchDealRun run;
    if (dealing->progress != NULL) {
      debye_job_set_message(
          dealing->progress,
          counts[i] == 1 ? _("Dealing slices to one device") : _("Dealing slices to %u devices"), counts[i]);
      debye_job_set_progress(dealing->progress, (double)i / n);
    }
    if (!debye_bench_deal_run(deal, i, counts[i], &run, on_slice, dealing, error))
      return FALSE;
    /* The first run of threads is a longer measurement of one. */
    if (i == 0 && record->is_threads)
      record->thread_rate = run.rate;
    g_array_append_val(record->dealings, run);
    publish(dealing);
  }
  return TRUE;
}

DebyeClassroomRecord *
debye_classroom_deal_slices(const DebyeDeviceEntry *const *devices, gsize n_devices, guint n_threads,
                            const DebyeCharges *charges, const char *subject, const volatile bool *cancel,
                            DebyeJob *progress, GError **error)
{
  g_autoptr(DebyeBenchDeal) deal =
      debye_bench_deal_new(devices, n_devices, n_threads, charges, cancel, error);
  if (deal == NULL)
    return NULL;
  const DebyeBenchProblem *problem = debye_bench_deal_get_problem(deal);
  const gsize *shape = problem->grid.shape;
  g_autofree char *made_up =
      g_strdup_printf(_("%zu made-up charges at a protein's density"), (gsize)problem->n_atoms);
  g_autofree char *whole = g_strdup_printf(_("%s; %zu slices of %zu × %zu points"),
                                           subject != NULL ? subject : made_up, shape[2], shape[0], shape[1]);
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(whole);
  Dealing dealing = {.record = record, .progress = progress};
  record->is_threads = debye_bench_deal_is_threads(deal);
  record->n_slices = (guint)shape[2];
  note_devices(record, deal, devices, n_devices);
  return run_all(deal, &dealing, error) ? g_steal_pointer(&record) : NULL;
}

/* --- The job --- */

typedef struct {
  DebyeDevices *devices;
  DebyeDataset *dataset;
  DebyeFrame *frame;
} SliceWork;

static void
slice_work_free(gpointer data)
{
  SliceWork *work = data;
  debye_devices_unref(work->devices);
  g_clear_object(&work->dataset);
  g_clear_pointer(&work->frame, debye_frame_unref);
  g_free(work);
}

static gpointer
run_slices(DebyeJob *job, gpointer data, GError **error)
{
  const SliceWork *work = data;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeStatus status = {0};
  const volatile bool *cancel = debye_job_get_cancel_flag(job);
  g_autofree char *subject = NULL;
  g_autoptr(DebyeBenchProblem) molecule = NULL;
  debye_job_set_message(job, _("Starting the devices"));
  const DebyeRegistry *registry = debye_devices_wait(work->devices);
  const gsize n = debye_registry_choose(registry, "auto", devices, DEBYE_MAX_DEVICES, &status);
  if (n == 0) {
    debye_device_set_error(error, &status);
    return NULL;
  }
  if (work->frame != NULL) {
    molecule =
        debye_classroom_problem_new(work->dataset, work->frame, DEBYE_LADDER_MAP, cancel, &subject, error);
    if (molecule == NULL)
      return NULL;
  }
  const unsigned chosen = debye_registry_get_threads(registry);
  g_autoptr(GError) problem = NULL;
  DebyeClassroomRecord *record = debye_classroom_deal_slices(
      devices, n, chosen > 0 ? chosen : g_get_num_processors(), molecule != NULL ? &molecule->charges : NULL,
      subject, cancel, job, &problem);
  if (record == NULL && !*cancel)
    g_propagate_error(error, g_steal_pointer(&problem));
  return record;
}

DebyeJob *
debye_classroom_slice_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame)
{
  SliceWork *work = g_new0(SliceWork, 1);
  work->devices = debye_devices_ref(devices);
  if (dataset != NULL && frame != NULL) {
    work->dataset = g_object_ref(dataset);
    work->frame = debye_frame_ref(frame);
  }
  return debye_job_new(_("Slices dealt to devices"), run_slices, work, slice_work_free);
}

/* --- Figures --- */

static guint
add_curve(DebyePlot *plot, const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
          DebyeCurveStyle style, const GArray *points)
{
  const DebyeQuantity across = {x->name, _(x->label), x->unit}, up = {y->name, _(y->label), y->unit};
  g_autoptr(DebyeCurve) curve = debye_classroom_record_new_curve(name, &across, &up, style, points, 1.0);
  const guint series = debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_set_series_dash(plot, series, DEBYE_PLOT_SOLID);
  return series;
}

static void
add_point(GArray *points, double x, double y)
{
  const DebyeClassroomPoint point = {x, y};
  g_array_append_val(points, point);
}

/* `note`: a sentence behind the subject. */
static void
set_caption(DebyePlot *plot, const DebyeClassroomRecord *record, const char *note)
{
  g_autofree char *subject = debye_group_digits(record->subject),
                  *caption = note != NULL ? g_strdup_printf("%s. %s", subject, note) : g_strdup(subject);
  debye_plot_set_caption(plot, caption);
}

/* A slice's line from its begin to its end, and a gap. */
static void
add_device(DebyePlot *plot, DebyeClassroomRecord *record, guint number, guint device, double width)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  const char *id = g_array_index(record->devices, DebyeClassroomDevice, device).id;
  g_autofree char *name = debye_classroom_record_name_device(record, id);
  for (guint i = 0; i < record->slices->len; i++) {
    const DebyeBenchDealSlice *slice = &g_array_index(record->slices, DebyeBenchDealSlice, i);
    if (slice->run != number || slice->device != device)
      continue;
    add_point(points, slice->begin, slice->slice + 1.0);
    add_point(points, slice->end, slice->slice + 1.0);
    add_point(points, slice->end, NAN);
  }
  if (points->len == 0)
    return;
  const guint series = add_curve(plot, name, &passed, &slices, DEBYE_CURVE_LINE, points);
  debye_plot_set_series_width(plot, series, width);
}

/* The first device's color stays the same, whatever others there are. */
DebyePlot *
debye_classroom_plot_slices(DebyeClassroomRecord *record, guint number)
{
  DebyePlot *plot = debye_plot_new();
  const guint n = MAX(record->n_slices, 1);
  for (guint device = 0; device < record->devices->len; device++)
    add_device(plot, record, number, device, CLAMP(FRAME_POINTS / n, LEAST_WIDTH, MOST_WIDTH));
  debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, n + 1.0);
  set_caption(plot, record,
              _("Each line lasts from a slice's start to its end; its colour is that of its device."));
  return plot;
}

/* Lines across the frame, whose numbers of devices are known of one alone. */
static void
add_lecture(DebyePlot *plot, const DebyeQuantity *across, double first, double last)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  g_autoptr(GString) name = g_string_new(_("the lecture:"));
  for (gsize i = 0; i < G_N_ELEMENTS(debye_bench_deal_lecture); i++) {
    const double found = debye_bench_deal_lecture[i].rate / BILLION;
    add_point(points, first, found);
    add_point(points, last, found);
    add_point(points, last, NAN);
    g_string_append_printf(name, "%s %.0f", i > 0 ? "," : "", found);
  }
  const guint series = add_curve(plot, name->str, across, &rate, DEBYE_CURVE_LINE, points);
  debye_plot_set_series_dash(plot, series, DEBYE_PLOT_DOTTED);
}

/* Ours, and what as many devices as fast as the first would do. */
DebyePlot *
debye_classroom_plot_dealings(DebyeClassroomRecord *record)
{
  DebyePlot *plot = debye_plot_new();
  const DebyeQuantity *across = record->is_threads ? &n_threads_of : &n_devices_of;
  g_autoptr(GArray) ours = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  g_autoptr(GArray) ideal = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  for (guint i = 0; i < record->dealings->len; i++) {
    const DebyeBenchDealRun *run = &g_array_index(record->dealings, DebyeBenchDealRun, i);
    add_point(ours, run->n_devices, run->rate / BILLION);
    add_point(ideal, run->n_devices,
              run->n_devices * g_array_index(record->dealings, DebyeBenchDealRun, 0).rate / BILLION);
  }
  if (ours->len > 0) {
    const guint series = add_curve(plot, _("here"), across, &rate, DEBYE_CURVE_LINE, ours);
    debye_plot_set_series_marker(plot, series, DEBYE_PLOT_CIRCLE);
  }
  if (ours->len > 1)
    debye_plot_set_series_dash(
        plot, add_curve(plot, _("n times the first"), across, &rate, DEBYE_CURVE_LINE, ideal),
        DEBYE_PLOT_DASHED);
  const double last = (double)MAX(record->devices->len, 1) + 0.5;
  add_lecture(plot, across, 0.5, last);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 0.5, last);
  debye_plot_set_ticks(plot, DEBYE_PLOT_X, &(DebyePlotTickChoice){.step = 1.0, .n_minor = 1});
  g_autofree char *note =
      g_strdup_printf(_("The lecture's first figure: %s; of the others it doesn't state the device."),
                      debye_bench_deal_lecture[0].device);
  set_caption(plot, record, note);
  return plot;
}

static void
add_rate(DebyePlot *plot, const char *name, double evaluations, double spacing)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  if (!(evaluations > 0.0))
    return;
  for (double n = LEAST_ATOMS; n <= MOST_ATOMS * 1.001; n *= 10.0)
    add_point(points, n, debye_bench_deal_count_ions(n, spacing) / evaluations / HOUR);
  add_curve(plot, name, &atoms, &hours, DEBYE_CURVE_LINE, points);
}

DebyePlot *
debye_classroom_plot_ions(DebyeClassroomRecord *record, double spacing, double n_atoms)
{
  DebyePlot *plot = debye_plot_new();
  const DebyeBenchDealRun *runs = (const DebyeBenchDealRun *)(const void *)record->dealings->data;
  const guint n = record->dealings->len;
  const double lecture[] = {DEBYE_BENCH_DEAL_VIRUS_CPU, DEBYE_BENCH_DEAL_VIRUS_GPU,
                            DEBYE_BENCH_DEAL_VIRUS_THREE};
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  if (n > 0 && !record->is_threads) {
    g_autofree char *first = debye_classroom_record_name_device(
        record, g_array_index(record->devices, DebyeClassroomDevice, 0).id);
    add_rate(plot, _("1 CPU thread"), record->thread_rate, spacing);
    add_rate(plot, first, runs[0].rate, spacing);
  } else if (n > 0) {
    add_rate(plot, _("1 CPU thread"), runs[0].rate, spacing);
  }
  if (n > 1) {
    g_autofree char *all = g_strdup_printf(
        record->is_threads ? _("%u CPU threads") : _("%u devices together"), runs[n - 1].n_devices);
    add_rate(plot, all, runs[n - 1].rate, spacing);
  }
  /* As many atoms as make its evaluations at this spacing. */
  const double virus = sqrt(DEBYE_BENCH_DEAL_VIRUS / debye_bench_deal_count_ions(1.0, spacing));
  for (gsize i = 0; i < G_N_ELEMENTS(lecture); i++)
    add_point(points, virus, lecture[i] / HOUR);
  add_curve(plot, _("the lecture: CPU, GPU, three GPUs"), &atoms, &hours, DEBYE_CURVE_MARKERS, points);
  if (n_atoms > 0.0)
    debye_plot_add_reference(plot, DEBYE_PLOT_X, n_atoms, NULL);
  set_caption(plot, record, NULL);
  return plot;
}

/* SPDX-License-Identifier: MIT */
/* Distances, angles and dihedrals over time: their analysis, listed in analysis_list.c. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "app/analysis/driver/frame_choice.h"
#include "app/analysis/driver/frame_run.h"
#include "measure_names.h"
#include "measure_settings.h"

#define FRAMES_A_SECOND 2000.0 /* reading them is what takes the time */

static const DebyeQuantity time_quantity = {"time", "t", "ps"}, frame_quantity = {"frame", "frame", NULL};

/* By the number of atoms. */
static const DebyeQuantity quantities[] = {
    [2] = {"distance", "d", "Å"}, [3] = {"angle", "θ", "°"}, [4] = {"dihedral", "φ", "°"}};

typedef struct {
  DebyeMeasureSettings settings;
  DebyeFrameChoice frames;
  GArray *measurements; /* DebyeMeasurement */
} Plan;

typedef struct {
  const Plan *plan;
  const DebyeRunInput *input;
  GArray *times, *numbers; /* double, one a frame */
  GPtrArray *values;       /* GArray of double, one a measurement */
} Run;

static void
run_clear(Run *run)
{
  g_clear_pointer(&run->times, g_array_unref);
  g_clear_pointer(&run->numbers, g_array_unref);
  g_clear_pointer(&run->values, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

/* --- Planning --- */

static gboolean
plan_measurements(gpointer own, DebyePlan *of, GError **error)
{
  Plan *plan = own;
  debye_request_fill(of->request, &plan->settings);
  of->key = "atoms";
  plan->measurements = debye_measure_parse(
      plan->settings.atoms, debye_topology_get_n_atoms(debye_dataset_get_topology(of->dataset)), error);
  return plan->measurements != NULL &&
         debye_frame_choice_init(&plan->frames, of->dataset, plan->settings.frames, &of->key, error);
}

static void
clear(gpointer own)
{
  Plan *plan = own;
  debye_frame_choice_clear(&plan->frames);
  g_clear_pointer(&plan->measurements, g_array_unref);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry G_GNUC_UNUSED,
         DebyeEstimate *result, GError **error G_GNUC_UNUSED)
{
  const Plan *plan = own;
  result->seconds = (double)plan->frames.n_frames / FRAMES_A_SECOND;
  result->host_bytes = plan->frames.n_frames * (plan->measurements->len + 2) * sizeof(double);
  result->devices = g_strdup(N_("1 core"));
  return TRUE;
}

/* --- Running --- */

/* Atoms that stand nowhere are gaps in the curve, and the frame's other atoms don't matter. */
static gboolean
any_frame(const DebyeFrame *frame G_GNUC_UNUSED, gpointer own G_GNUC_UNUSED)
{
  return TRUE;
}

static void
measure_frame(Run *run, const DebyeFrame *frame)
{
  double number = (double)frame->index;
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  g_array_append_val(run->times, frame->time);
  g_array_append_val(run->numbers, number);
  for (guint i = 0; i < run->plan->measurements->len; i++) {
    const DebyeMeasurement *measurement = &g_array_index(run->plan->measurements, DebyeMeasurement, i);
    double value = debye_measure(&periodic, frame, measurement->atoms, measurement->n_atoms);
    g_array_append_val(g_ptr_array_index(run->values, i), value);
  }
}

static gboolean
measure_batch(DebyeFrameRun *frames, gpointer own, GError **error G_GNUC_UNUSED)
{
  for (guint i = 0; i < frames->batch->len; i++, frames->n_done++)
    measure_frame(own, g_ptr_array_index(frames->batch, i));
  debye_frame_run_report(frames, (double)frames->n_done);
  return TRUE;
}

/* Over time where every frame has one, else over the frames' numbers. */
static gboolean
has_times(const Run *run)
{
  for (guint i = 0; i < run->times->len; i++)
    if (!isfinite(g_array_index(run->times, double, i)))
      return FALSE;
  return TRUE;
}

static void
add_curve(const Run *run, guint index, const char *name, DebyeResult *result)
{
  const DebyeMeasurement *measurement = &g_array_index(run->plan->measurements, DebyeMeasurement, index);
  const GArray *values = g_ptr_array_index(run->values, index);
  const DebyeQuantity *quantity = &quantities[measurement->n_atoms];
  const GArray *over = has_times(run) ? run->times : run->numbers;
  g_autoptr(DebyeCurve) curve = debye_curve_new(
      name, has_times(run) ? &time_quantity : &frame_quantity, quantity, DEBYE_CURVE_LINE, values->len,
      (const double *)(gconstpointer)over->data, (const double *)(gconstpointer)values->data, NULL);
  debye_result_add_curve(result, curve);
}

static guint
count_alike(const Run *run, gsize n_atoms)
{
  guint n = 0;
  for (guint i = 0; i < run->plan->measurements->len; i++)
    n += g_array_index(run->plan->measurements, DebyeMeasurement, i).n_atoms == n_atoms;
  return n;
}

/* A curve that is alone in its plot has no legend: the caption says what it is of. */
static void
add_note(const Run *run, guint index, const char *name, DebyeResult *result)
{
  gsize n_atoms = g_array_index(run->plan->measurements, DebyeMeasurement, index).n_atoms;
  g_autoptr(GString) said = g_string_new(name);
  g_string_replace(said, " - ", " – ", 0);
  if (count_alike(run, n_atoms) == 1)
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, quantities[n_atoms].label, "%s: %s",
                             quantities[n_atoms].label, said->str);
}

static DebyeResult *
make_result(DebyeFrameRun *frames G_GNUC_UNUSED, gpointer own)
{
  const Run *run = own;
  if (run->times->len == 0)
    return NULL;
  DebyeResult *result = debye_result_new(run->input->request, debye_measure_settings.title);
  g_auto(GStrv) names =
      debye_measure_names(debye_dataset_get_topology(run->input->dataset), run->plan->measurements);
  for (guint i = 0; i < run->plan->measurements->len; i++)
    add_curve(run, i, names[i], result);
  for (guint i = 0; i < run->plan->measurements->len; i++)
    add_note(run, i, names[i], result);
  return result;
}

static const DebyeFrameRunClass frames_class = {
    .usable = any_frame,
    .compute = measure_batch,
    .make_result = make_result,
};

static DebyeResult *
run_measure(gpointer own, const DebyeRunInput *input, GError **error)
{
  const Plan *plan = own;
  g_auto(Run) run = {.plan = plan, .input = input};
  g_auto(DebyeFrameRun)
      frames = {.class = &frames_class, .own = &run, .input = input, .frames = &plan->frames, .max_batch = 1};
  run.times = g_array_new(FALSE, FALSE, sizeof(double));
  run.numbers = g_array_new(FALSE, FALSE, sizeof(double));
  run.values = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  for (guint i = 0; i < plan->measurements->len; i++)
    g_ptr_array_add(run.values, g_array_new(FALSE, FALSE, sizeof(double)));
  return debye_frame_run_execute(&frames, error);
}

const DebyeAnalysis debye_analysis_measure = {
    .table = &debye_measure_settings,
    .plan_size = sizeof(Plan),
    .plan = plan_measurements,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run_measure,
};

/* SPDX-License-Identifier: MIT */
/* Scattering in time as a run, see scattering_dynamic.h. */
#include "scattering_dynamic.h"

#include <math.h>
#include <string.h>

#include "data/error.h"
#include "scattering_dynamic_result.h"
#include "scattering_spectrum_result.h"

typedef struct {
  const DebyeRunInput *input;
  DebyeScatteringPlan plan;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeLaneTotals lanes;
  gsize *group_first;
  guint32 *group_atoms;
  double *q;
  DebyeScatteringCourse course;
  DebyeScatteringCourseFound found;
  DebyeSpectrumSettings spectrum;
  gint64 start;
} DynamicRun;

static void
dynamic_run_clear(DynamicRun *run)
{
  debye_spectrum_settings_clear(&run->spectrum);
  debye_scattering_signals_clear(&run->found.signals);
  debye_displacement_counts_destroy(run->found.counts);
  g_clear_pointer(&run->course.frames, debye_scattering_frames_free);
  g_free(run->group_first);
  g_free(run->group_atoms);
  g_free(run->q);
  debye_scattering_plan_clear(&run->plan);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DynamicRun, dynamic_run_clear)

gboolean
debye_scattering_is_dynamic(DebyeRequest *request)
{
  return debye_request_get_boolean(request, "dynamic") || debye_request_get_boolean(request, "spectrum") ||
         debye_request_is_set(request, "q-vectors");
}

static void
find_rows(DynamicRun *run)
{
  const GArray *shells = run->plan.vectors.shells;
  gsize n = shells != NULL ? shells->len : run->plan.q->len;
  run->q = g_new(double, n);
  for (gsize k = 0; k < n; k++)
    run->q[k] = shells != NULL ? g_array_index(shells, DebyeScatteringShell, k).q
                               : g_array_index(run->plan.q, double, k);
  run->course.q = run->q;
  run->course.n_rows = n;
}

/* Times of the result: up to the longest that is asked for. */
static gboolean
find_times(DynamicRun *run, GError **error)
{
  double first, last, step;
  gsize n_frames = run->plan.frames.n_frames;
  DebyeRequest *request = run->input->request;
  if (debye_trajectory_get_times(run->plan.frames.trajectory, &first, &last, &step))
    run->course.step = step * (double)run->plan.frames.range.step;
  run->found.n_times = n_frames;
  if (!debye_request_is_set(request, "lags") || run->course.signal != DEBYE_SIGNAL_AUTOCORRELATE)
    return TRUE;
  double longest = debye_request_get_number(request, "lags");
  double lags = longest / (run->course.step > 0.0 ? run->course.step : 1.0);
  if (lags < (double)n_frames - 0.5) {
    run->found.n_times = (gsize)floor(lags + 1e-6) + 1;
    return TRUE;
  }
  char asked[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
              "Longest time: %" G_GSIZE_FORMAT " frames last %s ps, expected no more than that, found %s ps",
              n_frames, g_ascii_formatd(most, sizeof most, "%g", run->course.step * (double)(n_frames - 1)),
              g_ascii_formatd(asked, sizeof asked, "%g", longest));
  return FALSE;
}

static void
make_groups(DynamicRun *run)
{
  const DebyeScatterers *scatterers = &run->plan.scatterers;
  guint n = scatterers->species->len;
  gsize at = 0;
  run->group_first = g_new(gsize, n + 1);
  run->group_atoms = g_new(guint32, scatterers->n_atoms);
  for (guint s = 0; s < n; s++) {
    const GArray *atoms = debye_scatterers_get(scatterers, s)->atoms;
    run->group_first[s] = at;
    memcpy(run->group_atoms + at, atoms->data, atoms->len * sizeof(guint32));
    at += atoms->len;
  }
  run->group_first[n] = at;
  run->course.groups =
      (DebyeScatteringGroups){.n_groups = n, .first = run->group_first, .atoms = run->group_atoms};
}

/* What can't be done in time is said, not left out. */
static gboolean
check_orientation(const DebyeScatteringPlan *plan, DebyeSignal signal, GError **error)
{
  if (plan->with_coherent && plan->vectors.vectors == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_SETTING,
                        "Orientation: in time coherent scattering needs vectors: expected lattice, sphere:N, "
                        "random:N, cylinder:N or vectors:FILE, found exact or multipole");
    return FALSE;
  }
  if (plan->orientation.kind == DEBYE_ORIENTATION_MULTIPOLE) {
    g_set_error_literal(
        error, DEBYE_ERROR, DEBYE_ERROR_SETTING,
        "Orientation: multipoles are of coherent scattering, expected exact or vectors for the "
        "incoherent part");
    return FALSE;
  }
  if (plan->vectors.vectors == NULL && signal != DEBYE_SIGNAL_AUTOCORRELATE) {
    g_set_error_literal(
        error, DEBYE_ERROR, DEBYE_ERROR_SETTING,
        "Signal: the exact average is of correlations in time; square and plain need vectors");
    return FALSE;
  }
  return TRUE;
}

static gboolean
prepare_spectrum(DynamicRun *run, GError **error)
{
  if (!debye_request_get_boolean(run->input->request, "spectrum"))
    return TRUE;
  run->found.spectrum = &run->spectrum;
  return debye_spectrum_settings_init(&run->spectrum, run->input->request, error) &&
         debye_scattering_spectrum_check(&run->course, run->found.n_times, error);
}

/* All that can be refused without a device. */
static gboolean
lay_out(DynamicRun *run, const char **key, GError **error)
{
  const DebyeScatteringPlan *plan = &run->plan;
  DebyeRequest *request = run->input->request;
  if (!debye_scattering_plan_init(&run->plan, run->input->dataset, request, key, error))
    return FALSE;
  run->course =
      (DebyeScatteringCourse){.input = run->input,
                              .plan = plan,
                              .devices = run->devices,
                              .lanes = &run->lanes,
                              .signal = debye_scattering_parse_signal(debye_request_get(request, "signal"))};
  *key = "orientation";
  if (!check_orientation(plan, run->course.signal, error))
    return FALSE;
  *key = "lags";
  if (!find_times(run, error))
    return FALSE;
  *key = "spectrum";
  if (!prepare_spectrum(run, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

gboolean
debye_scattering_dynamic_check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  const DebyeRunInput input = {.dataset = dataset, .request = request};
  g_auto(DynamicRun) run = {.input = &input};
  const char *ignored;
  return lay_out(&run, key != NULL ? key : &ignored, error);
}

static gboolean
prepare(DynamicRun *run, GError **error)
{
  const DebyeScatteringPlan *plan = &run->plan;
  DebyeRequest *request = run->input->request;
  const char *ignored;
  if (!lay_out(run, &ignored, error))
    return FALSE;
  run->course.n_devices = debye_device_choose(run->input->registry, request, run->devices, error);
  if (run->course.n_devices == 0)
    return FALSE;
  find_rows(run);
  make_groups(run);
  run->found.as_rows = plan->rows_are_vectors && !debye_request_get_boolean(request, "dynamic");
  run->found.volume = plan->volume > 0.0  ? plan->volume
                      : plan->is_periodic ? fabs(debye_cell_volume(&plan->frames.first->cell))
                                          : 0.0;
  run->course.frames =
      debye_scattering_frames_new(plan, request, plan->with_incoherent && !plan->rows_are_vectors, error);
  return run->course.frames != NULL &&
         debye_scattering_signals_init(&run->found.signals, run->course.n_rows, plan->frames.n_frames, error);
}

/* The incoherent part: averaged exactly where the coherent one has the lattice's vectors or there are none; a
 * lattice of one cell says nothing of single atoms. */
static gboolean
add_incoherent(DynamicRun *run, GError **error)
{
  g_auto(DebyeScatteringSignals) signals = {0};
  gboolean exactly =
      run->plan.vectors.vectors == NULL || (run->plan.orientation.kind == DEBYE_ORIENTATION_LATTICE &&
                                            run->course.signal == DEBYE_SIGNAL_AUTOCORRELATE);
  if (!debye_scattering_signals_init(&signals, run->course.n_rows, run->plan.frames.n_frames, error))
    return FALSE;
  if (exactly ? !debye_scattering_course_displacements(&run->course, &signals, &run->found.counts,
                                                       &run->found.bin_width, error)
              : !debye_scattering_course_self(&run->course, &signals, error))
    return FALSE;
  debye_scattering_signals_join(&run->found.signals, &signals);
  return TRUE;
}

DebyeResult *
debye_scattering_dynamic_run(const DebyeRunInput *input, GError **error)
{
  g_auto(DynamicRun) run = {.input = input, .start = g_get_monotonic_time()};
  if (!prepare(&run, error))
    return NULL;
  if (run.plan.with_coherent)
    run.course.n_passes += debye_scattering_course_count_coherent(&run.course);
  if (run.plan.with_incoherent)
    run.course.n_passes++;
  if (run.plan.with_coherent && !debye_scattering_course_coherent(&run.course, &run.found.signals, error))
    return NULL;
  if (run.plan.with_incoherent && !add_incoherent(&run, error))
    return NULL;
  run.found.seconds = (double)(g_get_monotonic_time() - run.start) / G_USEC_PER_SEC;
  DebyeResult *result = debye_scattering_dynamic_result_new(&run.course, &run.found, error);
  if (result != NULL)
    debye_lane_totals_add_notes(&run.lanes, input->registry, "pieces", result);
  return result;
}

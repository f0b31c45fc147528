/* SPDX-License-Identifier: MIT */
/* Runs scattering in time from its plan to its result; called by scattering_analysis.c. */
#include "scattering_dynamic.h"

#include <math.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "app/analysis/driver/job_file.h"
#include "app/analysis/scattering/system/scatterer_groups.h"
#include "scattering_counting.h"
#include "scattering_dynamic_restart.h"
#include "scattering_dynamic_result.h"
#include "scattering_pass.h"
#include "scattering_spectrum_result.h"
#include "app/analysis/scattering/intensity/scattering_method.h"
#include "app/analysis/scattering/intensity/scattering_rounding.h"

typedef struct {
  DebyeRunInput input;       /* with a request of its own */
  DebyeScatteringPlan *plan; /* borrowed; the precision is settled with the devices */
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeLaneTotals lanes;
  DebyeScattererGroups groups;
  double *q;
  DebyeIntermediateScattering scattering; /* of all rows */
  DebyeIntermediateScatteringData found;
  DebyeSpectrumSettings spectrum;
  DebyeResult *earlier; /* that is continued, or NULL */
  DebyeResult *begun;   /* the file of a job that was not finished, or NULL */
  GArray *left;         /* guint: numbers of the rows that are not there yet */
  DebyeJobBlocks blocks;
  DebyeScatteringCounting counting;
  gint64 start;
} DynamicRun;

static void
dynamic_run_clear(DynamicRun *run)
{
  debye_spectrum_settings_clear(&run->spectrum);
  debye_scattering_signals_clear(&run->found.signals);
  debye_scattering_displacements_clear(&run->found.displacements);
  g_clear_pointer(&run->scattering.frames, debye_scattering_frames_free);
  debye_scatterer_groups_clear(&run->groups);
  g_clear_pointer(&run->left, g_array_unref);
  g_clear_object(&run->earlier);
  g_clear_object(&run->begun);
  debye_job_blocks_clear(&run->blocks);
  debye_scattering_counting_clear(&run->counting);
  g_free(run->q);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DynamicRun, dynamic_run_clear)

/* --- What is refused --- */

/* If the files state no times, τ counts frames. */
static void
set_too_long(const DynamicRun *run, double longest, GError **error)
{
  char asked[G_ASCII_DTOSTR_BUF_SIZE], capacity[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_timed = run->scattering.step > 0.0;
  gsize n_frames = run->plan->frames.n_frames;
  const char *unit = is_timed ? "ps" : "frames";
  debye_error_set_about(error, DEBYE_ERROR_VALUE, "Longest time",
                        "%" G_GSIZE_FORMAT " frames last %s %s, expected no more than that, found %s %s",
                        n_frames,
                        g_ascii_formatd(capacity, sizeof capacity, "%g",
                                        (is_timed ? run->scattering.step : 1.0) * (double)(n_frames - 1)),
                        unit, g_ascii_formatd(asked, sizeof asked, "%g", longest), unit);
}

gsize
debye_scattering_count_lags(const DebyeScatteringPlan *plan, double step)
{
  if (isnan(plan->settings.lags) || plan->settings.signal != DEBYE_SIGNAL_AUTOCORRELATE)
    return plan->frames.n_frames;
  const double lags = plan->settings.lags / (step > 0.0 ? step : 1.0);
  return lags < (double)plan->frames.n_frames - 0.5 ? (gsize)floor(lags + 1e-6) + 1 : 0;
}

/* Times of the result: up to the longest that is asked for. */
static gboolean
find_times(DynamicRun *run, GError **error)
{
  run->scattering.step = debye_frame_choice_get_time_step(&run->plan->frames);
  run->scattering.n_lags = debye_scattering_count_lags(run->plan, run->scattering.step);
  run->found.n_times = run->scattering.n_lags;
  if (run->found.n_times == 0)
    set_too_long(run, run->plan->settings.lags, error);
  return run->found.n_times > 0;
}

/* What can't be done in time is said, not left out. */
static gboolean
check_orientation(const DebyeScatteringPlan *plan, DebyeSignal signal, GError **error)
{
  if (plan->with_coherent && plan->vectors.vectors == NULL)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Orientation",
                                 "in time coherent scattering needs vectors: expected lattice, sphere:N, "
                                 "random:N, cylinder:N or vectors:FILE, found exact or multipole");
  if (plan->orientation.kind == DEBYE_ORIENTATION_MULTIPOLE)
    return debye_error_set_about(
        error, DEBYE_ERROR_SETTING, "Orientation",
        "multipoles are for coherent scattering, expected exact or vectors for the incoherent part");
  if (plan->vectors.vectors == NULL && signal != DEBYE_SIGNAL_AUTOCORRELATE)
    return debye_error_set_about(
        error, DEBYE_ERROR_SETTING, "Signal",
        "the exact average is for correlations in time; square and plain need vectors");
  return TRUE;
}

static gboolean
check_volume(const DebyeScatteringPlan *plan, GError **error)
{
  return !plan->settings.volume_map ||
         debye_error_set_about(error, DEBYE_ERROR_SETTING, "S(hkl) as a volume",
                               "applies to I(q), not to scattering in time or to rows of vectors");
}

/* S → 1 at large q by what is added for each atom with itself, which in time decays. */
static gboolean
check_norm(const DebyeScatteringPlan *plan, GError **error)
{
  return plan->settings.normalise != DEBYE_NORMALISE_FABER_ZIMAN ||
         debye_error_set_about(
             error, DEBYE_ERROR_SETTING, "Normalise",
             "Faber–Ziman partials apply to I(q), not to scattering in time or to rows of vectors");
}

static gboolean
prepare_spectrum(DynamicRun *run, GError **error)
{
  if (!run->plan->settings.spectrum)
    return TRUE;
  run->found.spectrum = &run->spectrum;
  return debye_spectrum_settings_init(&run->spectrum, &run->plan->settings, error) &&
         debye_scattering_spectrum_check(&run->scattering, run->found.n_times, error);
}

/* Checks everything that can be refused without a device. */
static gboolean
lay_out(DynamicRun *run, const char **key, GError **error)
{
  const DebyeScatteringPlan *plan = run->plan;
  run->scattering = (DebyeIntermediateScattering){.input = &run->input,
                                                  .plan = plan,
                                                  .devices = run->devices,
                                                  .lanes = &run->lanes,
                                                  .callbacks = &run->blocks.callbacks,
                                                  .signal = plan->settings.signal};
  *key = "orientation";
  if (!check_orientation(plan, run->scattering.signal, error))
    return FALSE;
  *key = "volume-map";
  if (!check_volume(plan, error))
    return FALSE;
  *key = "normalise";
  if (!check_norm(plan, error))
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
debye_scattering_dynamic_check(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  g_auto(DynamicRun) run = {.plan = plan};
  return lay_out(&run, key, error);
}

/* --- Preparing --- */

/* Where rows cost work of their own: neither a transform of all hkl nor counts of displacements do. */
static gboolean
is_divisible(const DynamicRun *run)
{
  return run->plan->vectors.vectors != NULL && !run->scattering.by_transform;
}

static gboolean
open_earlier(DynamicRun *run, const DebyeRunInput *input, GError **error)
{
  if (!debye_scattering_restart_open(run->plan, input, &run->earlier, &run->begun, error))
    return FALSE;
  run->left = debye_scattering_dynamic_find_left(run->earlier, &run->scattering, error);
  if (run->left == NULL)
    return FALSE;
  debye_job_blocks_begin(&run->blocks, input, &run->plan->settings.job, N_("rows of q"),
                         run->scattering.n_rows, run->scattering.n_rows - run->left->len, is_divisible(run));
  return TRUE;
}

static gboolean
prepare(DynamicRun *run, const DebyeRunInput *input, GError **error)
{
  const DebyeScatteringPlan *plan = run->plan;
  const char *ignored;
  if (!lay_out(run, &ignored, error))
    return FALSE;
  run->scattering.n_devices =
      debye_device_choose(run->input.registry, &plan->settings.lanes, run->devices, error);
  if (run->scattering.n_devices == 0)
    return FALSE;
  run->scattering.q = run->q = debye_scattering_plan_list_q(plan, &run->scattering.n_rows);
  run->scattering.by_transform = plan->with_coherent && plan->orientation.kind == DEBYE_ORIENTATION_LATTICE &&
                                 debye_scattering_suits_transform(plan);
  if (!run->scattering.by_transform)
    debye_scattering_rounding_settle(run->plan, run->devices, run->scattering.n_devices);
  debye_scatterer_groups_init(&run->groups, &plan->scatterers);
  run->scattering.groups = run->groups.groups;
  run->found.as_rows = plan->rows_are_vectors && !plan->settings.dynamic;
  run->found.volume = plan->volume;
  run->scattering.frames = debye_scattering_frames_new(plan, run->input.dataset, error);
  return run->scattering.frames != NULL && open_earlier(run, input, error) &&
         debye_scattering_counting_begin(&run->counting, input, &run->scattering, run->begun, run->earlier,
                                         error) &&
         debye_scattering_signals_init(&run->found.signals, run->scattering.n_rows, plan->frames.n_frames,
                                       debye_scattering_count_partials(plan, run->scattering.signal), error);
}

/* --- Blocks of rows --- */

static gboolean
averages_exactly(const DynamicRun *run)
{
  return debye_scattering_averages_exactly(run->plan, run->scattering.signal);
}

static gboolean
init_signals(const DynamicRun *run, gsize n_rows, DebyeScatteringSignals *signals, GError **error)
{
  return debye_scattering_signals_init(signals, n_rows, run->plan->frames.n_frames,
                                       run->found.signals.n_partials, error);
}

static gboolean
add_displacements(DynamicRun *run, GError **error)
{
  g_auto(DebyeScatteringSignals) signals = {0};
  if (!init_signals(run, run->scattering.n_rows, &signals, error) ||
      !debye_intermediate_scattering_compute_displacements(&run->scattering, &run->counting.count, &signals,
                                                           &run->found.displacements, error))
    return FALSE;
  debye_scattering_signals_join(&run->found.signals, &signals, NULL);
  return TRUE;
}

static gboolean
add_vectors(DynamicRun *run, DebyeIntermediateScattering *some, GError **error)
{
  g_auto(DebyeScatteringSignals) signals = {0};
  g_auto(DebyeScatteringSignals) own = {0};
  const guint *rows = (const guint *)run->left->data;
  if (!init_signals(run, some->n_rows, &signals, error) || !init_signals(run, some->n_rows, &own, error) ||
      (run->plan->with_coherent && !debye_intermediate_scattering_compute_coherent(some, &signals, error)) ||
      (run->plan->with_incoherent && !averages_exactly(run) &&
       !debye_intermediate_scattering_compute_self(some, &own, error)))
    return FALSE;
  debye_scattering_signals_join(&run->found.signals, &signals, rows);
  debye_scattering_signals_join(&run->found.signals, &own, rows);
  return TRUE;
}

static gsize
count_coherent(const DynamicRun *run, const DebyeIntermediateScattering *scattering)
{
  return run->plan->with_coherent ? debye_intermediate_scattering_count_coherent_passes(scattering) : 0;
}

/* The first n rows that are left. */
static gboolean
compute(DynamicRun *run, gsize n, GError **error)
{
  DebyeScatteringPlan plan;
  DebyeIntermediateScattering some = run->scattering;
  gboolean by_vectors = run->plan->vectors.vectors != NULL, good;
  debye_scattering_plan_pick(&plan, run->plan, (const guint *)run->left->data, (guint)n);
  g_autofree double *q = debye_scattering_plan_list_q(&plan, &some.n_rows);
  some.plan = &plan;
  some.q = q;
  some.n_passes = some.n_passes_done + count_coherent(run, &some) +
                  (run->plan->with_incoherent && !averages_exactly(run) ? 1 : 0);
  good = !by_vectors || add_vectors(run, &some, error);
  run->found.n_passes += some.n_passes_done;
  run->scattering.n_passes_done = 0; /* those over displacements came once, before the first block */
  debye_scattering_plan_drop(&plan);
  return good;
}

static gboolean
find_volume(DynamicRun *run, GError **error)
{
  if (!debye_scattering_reads_cells(run->plan))
    return TRUE;
  run->found.n_passes++;
  return debye_scattering_mean_volume(run->plan, &run->blocks.callbacks, 0.0, &run->found.volume, error);
}

/* Before the first block: what serves all rows, and those that an earlier result has. */
static gboolean
begin_rows(DynamicRun *run, GError **error)
{
  if (!find_volume(run, error))
    return FALSE;
  if (averages_exactly(run)) {
    run->scattering.n_passes = 1 + count_coherent(run, &run->scattering);
    if (!add_displacements(run, error))
      return FALSE;
  }
  return run->earlier == NULL ||
         debye_scattering_dynamic_restore(run->earlier, &run->scattering, &run->found, error);
}

/* --- Results --- */

/* The rows that are done: those not in `left`. */
static GArray *
list_done(const DynamicRun *run)
{
  GArray *done = g_array_new(FALSE, FALSE, sizeof(guint));
  guint at = 0;
  for (guint row = 0; row < run->scattering.n_rows; row++) {
    if (at < run->left->len && g_array_index(run->left, guint, at) == row)
      at++;
    else
      g_array_append_val(done, row);
  }
  return done;
}

static DebyeResult *
make_result_of(DynamicRun *run, const DebyeIntermediateScattering *scattering,
               const DebyeScatteringSignals *signals, GError **error)
{
  DebyeIntermediateScatteringData found = run->found;
  found.signals = *signals;
  found.seconds = (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC;
  DebyeResult *result = debye_scattering_dynamic_result_new(scattering, &found, error);
  if (result == NULL)
    return NULL;
  debye_scattering_rounding_add_note(run->plan, result);
  debye_lane_totals_add_notes(&run->lanes, run->input.registry, "pieces", result);
  return result;
}

static DebyeResult *
make_result(DynamicRun *run, GError **error)
{
  g_autoptr(GArray) rows = list_done(run);
  g_auto(DebyeScatteringSignals) signals = {0};
  DebyeScatteringPlan plan;
  DebyeIntermediateScattering scattering = run->scattering;
  if (rows->len == run->scattering.n_rows)
    return make_result_of(run, &scattering, &run->found.signals, error);
  if (!init_signals(run, rows->len, &signals, error))
    return NULL;
  debye_scattering_signals_pick(&signals, &run->found.signals, (const guint *)rows->data);
  debye_scattering_plan_pick(&plan, run->plan, (const guint *)rows->data, rows->len);
  g_autofree double *q = debye_scattering_plan_list_q(&plan, &scattering.n_rows);
  scattering.plan = &plan;
  scattering.q = q;
  DebyeResult *result = make_result_of(run, &scattering, &signals, error);
  debye_scattering_plan_drop(&plan);
  return result;
}

/* The result with the n rows that were computed last. */
static DebyeResult *
finish_block(DynamicRun *run, gsize n, GError **error)
{
  g_array_remove_range(run->left, 0, (guint)n);
  g_autoptr(DebyeResult) result = make_result(run, error);
  if (result == NULL)
    return NULL;
  /* Rows that are left need the counts, too. */
  if (run->blocks.path != NULL && run->left->len > 0 && averages_exactly(run))
    debye_scattering_counting_add_tables(result, &run->found.displacements, run->counting.count.n_all);
  if (!debye_job_blocks_save(&run->blocks, result, error))
    return NULL;
  return g_steal_pointer(&result);
}

static DebyeResult *
run_blocks(DynamicRun *run, GError **error)
{
  g_autoptr(DebyeResult) result = NULL;
  gboolean has_begun = FALSE;
  for (gsize n; (n = debye_job_blocks_next(&run->blocks)) > 0; has_begun = TRUE) {
    if ((!has_begun && !begin_rows(run, error)) || !compute(run, n, error))
      return NULL;
    g_clear_object(&result);
    result = finish_block(run, n, error);
    if (result == NULL)
      return NULL;
  }
  return g_steal_pointer(&result);
}

DebyeResult *
debye_scattering_dynamic_run(DebyeScatteringPlan *plan, const DebyeRunInput *input, GError **error)
{
  g_auto(DynamicRun) run = {.input = *input, .plan = plan, .start = g_get_monotonic_time()};
  GError *problem = NULL;
  if (!prepare(&run, input, error))
    return NULL;
  gsize n_earlier = run.blocks.n_done;
  DebyeResult *result = run.left->len > 0 ? run_blocks(&run, &problem) : g_object_ref(run.earlier);
  if (result != NULL && n_earlier > 0)
    debye_result_add_note(result, "Continued: %" G_GSIZE_FORMAT " rows of q are from an earlier result",
                          n_earlier);
  if (result != NULL && run.counting.n_earlier > 0)
    debye_result_add_note(result,
                          "Continued: displacements of %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " atoms are from an earlier run",
                          run.counting.n_earlier, run.counting.count.n_all);
  if (debye_error_is_stop(problem) && run.blocks.path != NULL) {
    gboolean counts = run.blocks.n_done == n_earlier && run.counting.blocks.n_done > 0;
    g_clear_error(&problem);
    debye_job_blocks_set_stopped(counts ? &run.counting.blocks : &run.blocks, &problem);
  }
  if (problem != NULL)
    g_propagate_error(error, problem);
  return result;
}

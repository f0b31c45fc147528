/* SPDX-License-Identifier: MIT */
/* Runs I(q) from its plan to its result, resuming an earlier file; called by scattering_analysis.c. */
#include "scattering_job.h"

#include <math.h>

#include "app/analysis/driver/job_blocks.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/results/curve_fit.h"
#include "data/results/result.h"
#include "scattering_method.h"
#include "scattering_restart.h"
#include "scattering_run.h"

/* --- A measured curve --- */

static void
add_table(DebyeResult *result, const DebyeCurveFit *fit, const char *path)
{
  const char *const paths[] = {path, NULL};
  const double numbers[] = {fit->scale, fit->background, fit->chi_square, (double)fit->n_points};
  static const char *const names[] = {"scale", "background", "chi_square", "n_points"};
  g_autoptr(DebyeTable) table = debye_table_new("fit");
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    debye_table_add_numbers(table, &(DebyeQuantity){names[i], names[i], NULL}, 1, &numbers[i]);
  debye_table_add_texts(table, &(DebyeQuantity){"measured", "measured", NULL}, paths);
  debye_result_add_table(result, table);
}

static void
add_note(DebyeResult *result, const DebyeCurveFit *fit, gboolean has_errors, const char *name,
         const char *quantity)
{
  char scale[G_ASCII_DTOSTR_BUF_SIZE], background[G_ASCII_DTOSTR_BUF_SIZE], chi[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(scale, sizeof scale, "%.4g", fit->scale);
  g_ascii_formatd(background, sizeof background, "%.4g", fit->background);
  if (!isfinite(fit->chi_square) && has_errors) {
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, quantity,
                             "Measured: %s is %s times I(q) and a background of %s, %" G_GSIZE_FORMAT
                             " points that weigh alike: not all have errors",
                             name, scale, background, fit->n_points);
    return;
  }
  if (!isfinite(fit->chi_square)) {
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, quantity,
                             "Measured: %s is %s times I(q) and a background of %s, %" G_GSIZE_FORMAT
                             " points without errors",
                             name, scale, background, fit->n_points);
    return;
  }
  debye_result_add_note_of(
      result, DEBYE_NOTE_CAPTION, quantity,
      "Measured: %s is %s times I(q) and a background of %s, χ² per degree of freedom %s, %" G_GSIZE_FORMAT
      " points",
      name, scale, background, g_ascii_formatd(chi, sizeof chi, "%.4g", fit->chi_square), fit->n_points);
}

/* The file that the setting “measured” names, rows of q, intensity and error, against the result's first
 * curve: a curve on that one's scale, the table “fit” and a note. Nothing where none is named. FALSE with an
 * error where it can't be read or fitted. */
static gboolean
add_measured(DebyeResult *result, const char *path, GError **error)
{
  DebyeCurveFit fit;
  if (path == NULL || path[0] == '\0')
    return TRUE;
  g_autoptr(DebyeCurve) model = g_list_model_get_item(debye_result_get_curves(result), 0);
  g_autoptr(DebyeCurve) measured = debye_curve_load(path, error);
  if (measured == NULL)
    return FALSE;
  g_autofree char *name = debye_error_name_file(path);
  if (!debye_curve_fit_line(measured, model, &fit))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Measured curve",
                                 "%s can't be fitted to I(q): expected three or more of its points in the "
                                 "computed range of q, and a positive scale",
                                 name);
  g_autoptr(DebyeCurve) applied = debye_curve_apply_fit(measured, &fit);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, debye_curve_get_x_quantity(model), debye_curve_get_y_quantity(model),
                      DEBYE_CURVE_MARKERS, debye_curve_get_n_points(applied), debye_curve_get_x(applied),
                      debye_curve_get_y(applied), debye_curve_get_errors(applied));
  debye_result_add_curve(result, curve);
  add_table(result, &fit, path);
  add_note(result, &fit, debye_curve_get_errors(measured) != NULL, name,
           debye_curve_get_y_quantity(model)->label);
  return TRUE;
}

/* --- The job --- */

typedef struct {
  const DebyeScatteringPlan *plan; /* of all rows */
  DebyeResult *done;               /* the rows so far; NULL: none */
  DebyeResult *begun;              /* sums of the frames so far; NULL: none */
  GArray *left;                    /* guint: numbers of the rows that are not there */
  DebyeJobBlocks blocks;
} Job;

static void
job_clear(Job *job)
{
  g_clear_object(&job->done);
  g_clear_object(&job->begun);
  debye_job_blocks_clear(&job->blocks);
  g_clear_pointer(&job->left, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

/* Whether a row has work of its own: the whole lattice, and all pairs of atoms, serve every q at once. */
static gboolean
is_divisible(const DebyeScatteringPlan *plan)
{
  const DebyeScatteringMethod *method = plan->with_coherent ? debye_scattering_choose_method(plan) : NULL;
  return method == &debye_scattering_by_vectors || method == &debye_scattering_by_multipoles;
}

static gboolean
job_begin(Job *job, const DebyeRunInput *input, GError **error)
{
  gsize n_all;
  if (!debye_scattering_restart_open(job->plan, input, &job->done, &job->begun, error))
    return FALSE;
  job->left = debye_scattering_restart_find_left(job->done, job->plan, error);
  if (job->left == NULL)
    return FALSE;
  g_free(debye_scattering_plan_list_q(job->plan, &n_all));
  debye_job_blocks_begin(&job->blocks, input, &job->plan->settings.job, N_("rows of q"), n_all,
                         n_all - job->left->len, is_divisible(job->plan));
  return TRUE;
}

/* The first n rows that are left. */
static DebyeResult *
compute(Job *job, const DebyeRunInput *input, gsize n, GError **error)
{
  gboolean by_frames = !job->blocks.divisible || job->begun != NULL;
  const DebyeScatteringFile file = {.done = job->done, .begun = job->begun};
  g_autoptr(GError) problem = NULL;
  DebyeRunInput own = *input;
  DebyeScatteringPlan some;
  own.callbacks = &job->blocks.callbacks;
  debye_scattering_plan_pick(&some, job->plan, (const guint *)job->left->data, (guint)n);
  DebyeResult *result = debye_scattering_run_rows(&own, &some, by_frames ? &file : NULL, &problem);
  debye_scattering_plan_drop(&some);
  /* In a block that has nothing yet: the file has those before it. */
  if (!by_frames && debye_error_is_stop(problem)) {
    g_clear_error(&problem);
    debye_job_blocks_set_stopped(&job->blocks, &problem);
  }
  if (problem != NULL)
    g_propagate_error(error, g_steal_pointer(&problem));
  return result;
}

/* Takes the block's rows to those that are done. */
static gboolean
add(Job *job, DebyeResult *fresh, gsize n, GError **error)
{
  if (debye_result_is_partial(fresh)) {
    debye_job_blocks_set_stopped(&job->blocks, error);
    return FALSE;
  }
  DebyeResult *joined =
      job->done != NULL ? debye_scattering_restart_join(job->done, fresh, error) : g_object_ref(fresh);
  if (joined == NULL)
    return FALSE;
  g_clear_object(&job->done);
  job->done = joined;
  g_array_remove_range(job->left, 0, (guint)n);
  return debye_job_blocks_save(&job->blocks, joined, error);
}

/* The fit is of a whole curve, and rows that are continued have none. */
static gboolean
check_measured(const DebyeScatteringSettings *settings, GError **error)
{
  if (settings->measured == NULL || settings->job.continued == NULL)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Measured curve",
                               "needs a job that runs in one part, expected no continue");
}

DebyeResult *
debye_scattering_job_run(const DebyeScatteringPlan *plan, const DebyeRunInput *input, GError **error)
{
  g_auto(Job) job = {.plan = plan};
  gint64 start = g_get_monotonic_time();
  if (!check_measured(&plan->settings, error) || !job_begin(&job, input, error))
    return NULL;
  gsize n_earlier = job.blocks.n_done;
  for (gsize n; (n = debye_job_blocks_next(&job.blocks)) > 0;) {
    g_autoptr(DebyeResult) fresh = compute(&job, input, n, error);
    if (fresh == NULL)
      return NULL;
    if (job.blocks.path == NULL)
      return add_measured(fresh, plan->settings.measured, error) ? g_steal_pointer(&fresh) : NULL;
    if (!add(&job, fresh, n, error))
      return NULL;
  }
  if (n_earlier > 0)
    debye_result_add_note(job.done, "Continued: %" G_GSIZE_FORMAT " rows of q are from an earlier result",
                          n_earlier);
  if (n_earlier < job.blocks.n_all)
    debye_result_set_wall_time(job.done, (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC);
  return g_steal_pointer(&job.done);
}

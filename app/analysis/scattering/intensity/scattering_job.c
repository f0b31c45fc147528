/* SPDX-License-Identifier: MIT */
/* Runs I(q) from its plan to its result, resuming an earlier file; called by scattering_analysis.c. */
#include "scattering_job.h"

#include "data/files/error.h"
#include "data/messages/message.h"
#include "app/analysis/driver/job_blocks.h"
#include "app/analysis/scattering/system/scattering_measured.h"
#include "scattering_restart.h"
#include "scattering_run.h"
#include "scattering_method.h"

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
      return debye_scattering_measured_add(fresh, plan->settings.measured, error) ? g_steal_pointer(&fresh)
                                                                                  : NULL;
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

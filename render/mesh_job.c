/* SPDX-License-Identifier: MIT */
/* The thread keeps only what it was started with; whoever started it owns the job and joins the thread before
 * freeing it. */
#include "mesh_job.h"

struct _DebyeMeshJob {
  DebyeField *field;
  double level;
  gsize stride;
  GCancellable *cancellable;
  GSource *tell; /* becomes ready when the thread has finished */
  GThread *thread;
  DebyeMesh *mesh;
  gint done; /* atomic */
};

/* Every `stride`th point of a grid, the last plane kept so that nothing is cut off by much. */
static float *
thin_out(const DebyeGrid *grid, const float *values, gsize stride, DebyeGrid *thin)
{
  *thin = *grid;
  for (int axis = 0; axis < 3; axis++) {
    thin->shape[axis] = (grid->shape[axis] - 1) / stride + 1;
    thin->step[axis] = debye_vec3_scale(grid->step[axis], (double)stride);
  }
  float *kept = g_try_new(float, debye_grid_n_points(thin));
  gsize index = 0;
  for (gsize k = 0; kept && k < thin->shape[2]; k++)
    for (gsize j = 0; j < thin->shape[1]; j++) {
      const float *row = values + grid->shape[0] * stride * (j + grid->shape[1] * k);
      for (gsize i = 0; i < thin->shape[0]; i++)
        kept[index++] = row[i * stride];
    }
  return kept;
}

static gpointer
run(gpointer data)
{
  DebyeMeshJob *job = data;
  const DebyeGrid *grid = debye_field_get_grid(job->field);
  const float *values = debye_field_get_values(job->field);
  DebyeGrid thin = *grid;
  g_autofree float *kept = NULL;
  if (job->stride > 1) {
    kept = thin_out(grid, values, job->stride, &thin);
    values = kept;
  }
  if (values)
    job->mesh = debye_marching_cubes(&thin, values, job->level, job->cancellable);
  g_atomic_int_set(&job->done, 1);
  g_source_set_ready_time(job->tell, 0);
  return NULL;
}

static gboolean
dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_ready_time(source, -1);
  return callback(data);
}

DebyeMeshJob *
debye_mesh_job_start(DebyeField *field, double level, gsize stride, GSourceFunc done, gpointer data)
{
  static GSourceFuncs functions = {.dispatch = dispatch};
  DebyeMeshJob *job = g_new0(DebyeMeshJob, 1);
  job->field = g_object_ref(field);
  job->level = level;
  job->stride = stride;
  job->cancellable = g_cancellable_new();
  job->tell = g_source_new(&functions, sizeof(GSource));
  g_source_set_callback(job->tell, done, data, NULL);
  g_source_attach(job->tell, g_main_context_get_thread_default());
  job->thread = g_thread_new("debye-mesh", run, job);
  return job;
}

void
debye_mesh_job_cancel(DebyeMeshJob *job)
{
  if (!job)
    return;
  g_cancellable_cancel(job->cancellable);
  debye_mesh_job_wait(job);
  g_source_destroy(job->tell);
  g_source_unref(job->tell);
  g_object_unref(job->cancellable);
  g_object_unref(job->field);
  debye_mesh_free(job->mesh);
  g_free(job);
}

void
debye_mesh_job_wait(DebyeMeshJob *job)
{
  if (job->thread)
    g_thread_join(g_steal_pointer(&job->thread));
}

gboolean
debye_mesh_job_is_done(DebyeMeshJob *job)
{
  return g_atomic_int_get(&job->done) != 0;
}

DebyeMesh *
debye_mesh_job_take(DebyeMeshJob *job)
{
  debye_mesh_job_wait(job);
  return g_steal_pointer(&job->mesh);
}

/* SPDX-License-Identifier: MIT */
/* One thread, one request that waits, one mesh that is done. */
#include "mesher.h"

#include <sys/resource.h>

/* Behind the main thread where both want the processor, or being woken would take it from the one who wakes.
 * On Linux this is of the thread alone. */
#define NICENESS 5

typedef struct {
  DebyeField *field; /* NULL: no request */
  double level;
  gsize stride;
} Request;

struct _DebyeMesher {
  GSource *tell; /* becomes ready when a mesh is done */
  GThread *thread;

  GMutex lock;
  GCond changed;
  gboolean stopped;
  Request waiting;
  gboolean working;
  gsize working_stride;
  GCancellable *cancellable; /* of what is being made */
  DebyeMesh *mesh;           /* done, to be taken */
  gsize mesh_stride;
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

static DebyeMesh *
make_mesh(const Request *request, GCancellable *cancellable)
{
  const DebyeGrid *grid = debye_field_get_grid(request->field);
  const float *values = debye_field_get_values(request->field);
  DebyeGrid thin = *grid;
  g_autofree float *kept = NULL;
  if (request->stride > 1)
    values = kept = thin_out(grid, values, request->stride, &thin);
  return values ? debye_marching_cubes(&thin, values, request->level, cancellable) : NULL;
}

/* The next request, which is the caller's then; FALSE: it is time to go. */
static gboolean
next_request(DebyeMesher *mesher, Request *request)
{
  g_mutex_lock(&mesher->lock);
  mesher->working = FALSE;
  g_cond_broadcast(&mesher->changed);
  while (!mesher->waiting.field && !mesher->stopped)
    g_cond_wait(&mesher->changed, &mesher->lock);
  gboolean go_on = !mesher->stopped;
  if (go_on) {
    *request = mesher->waiting;
    mesher->waiting = (Request){0};
    mesher->working = TRUE;
    mesher->working_stride = request->stride;
    g_cancellable_reset(mesher->cancellable);
  }
  g_mutex_unlock(&mesher->lock);
  return go_on;
}

/* What was given up is no mesh. */
static void
hand_over(DebyeMesher *mesher, DebyeMesh *mesh, gsize stride)
{
  DebyeMesh *old = mesh;
  g_mutex_lock(&mesher->lock);
  if (!g_cancellable_is_cancelled(mesher->cancellable)) {
    old = mesher->mesh;
    mesher->mesh = mesh;
    mesher->mesh_stride = stride;
    g_source_set_ready_time(mesher->tell, 0);
  }
  g_mutex_unlock(&mesher->lock);
  debye_mesh_free(old);
}

static gpointer
run(gpointer data)
{
  DebyeMesher *mesher = data;
  Request request;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS);
  while (next_request(mesher, &request)) {
    hand_over(mesher, make_mesh(&request, mesher->cancellable), request.stride);
    g_object_unref(request.field);
  }
  return NULL;
}

static gboolean
dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_ready_time(source, -1);
  return callback(data);
}

DebyeMesher *
debye_mesher_new(GSourceFunc done, gpointer data)
{
  static GSourceFuncs functions = {.dispatch = dispatch};
  DebyeMesher *mesher = g_new0(DebyeMesher, 1);
  g_mutex_init(&mesher->lock);
  g_cond_init(&mesher->changed);
  mesher->cancellable = g_cancellable_new();
  mesher->tell = g_source_new(&functions, sizeof(GSource));
  g_source_set_callback(mesher->tell, done, data, NULL);
  g_source_attach(mesher->tell, g_main_context_get_thread_default());
  mesher->thread = g_thread_new("debye-mesh", run, mesher);
  return mesher;
}

void
debye_mesher_free(DebyeMesher *mesher)
{
  if (!mesher)
    return;
  g_mutex_lock(&mesher->lock);
  mesher->stopped = TRUE;
  g_cancellable_cancel(mesher->cancellable);
  g_cond_broadcast(&mesher->changed);
  g_mutex_unlock(&mesher->lock);
  g_thread_join(mesher->thread);
  g_source_destroy(mesher->tell);
  g_source_unref(mesher->tell);
  g_object_unref(mesher->cancellable);
  g_clear_object(&mesher->waiting.field);
  debye_mesh_free(mesher->mesh);
  g_mutex_clear(&mesher->lock);
  g_cond_clear(&mesher->changed);
  g_free(mesher);
}

void
debye_mesher_request(DebyeMesher *mesher, DebyeField *field, double level, gsize stride)
{
  g_object_ref(field);
  g_mutex_lock(&mesher->lock);
  DebyeField *old = mesher->waiting.field;
  mesher->waiting = (Request){.field = field, .level = level, .stride = stride};
  if (mesher->working && mesher->working_stride == 1 && stride > 1)
    g_cancellable_cancel(mesher->cancellable);
  g_cond_broadcast(&mesher->changed);
  g_mutex_unlock(&mesher->lock);
  g_clear_object(&old);
}

gboolean
debye_mesher_is_busy(DebyeMesher *mesher)
{
  g_mutex_lock(&mesher->lock);
  gboolean busy = mesher->working || mesher->waiting.field;
  g_mutex_unlock(&mesher->lock);
  return busy;
}

DebyeMesh *
debye_mesher_take(DebyeMesher *mesher, gsize *stride)
{
  g_mutex_lock(&mesher->lock);
  DebyeMesh *mesh = g_steal_pointer(&mesher->mesh);
  *stride = mesher->mesh_stride;
  g_mutex_unlock(&mesher->lock);
  return mesh;
}

void
debye_mesher_wait(DebyeMesher *mesher)
{
  g_mutex_lock(&mesher->lock);
  while (mesher->working || mesher->waiting.field)
    g_cond_wait(&mesher->changed, &mesher->lock);
  g_mutex_unlock(&mesher->lock);
}

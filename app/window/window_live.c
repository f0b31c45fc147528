/* SPDX-License-Identifier: MIT */
/* Computes maps of shown frames on a thread; made by window_live_mode.c. */
#include "window_live.h"

#include "app/analysis/map/map_live.h"
#include "data/work/worker.h"
#include "app/document/map_file.h"

#define NICENESS 10
/* Of a map, in the mean over the last ones. */
#define NEWEST_WEIGHT 0.1

struct _DebyeWindowLive {
  GObject parent_instance;
  DebyeDevices *devices;
  DebyeWorker *worker; /* NULL: not needed yet, or stopped */
  gboolean is_on, is_stopped;
  guint start; /* counts starts and ends: what was computed for an earlier one is dropped */
  DebyeDataset *dataset;
  DebyeRequest *request;
  double seconds; /* a map takes; 0: none yet */
};

G_DEFINE_FINAL_TYPE(DebyeWindowLive, debye_window_live, G_TYPE_OBJECT)

/* --- On the thread --- */

typedef struct {
  guint start;
  DebyeDevices *devices;
  DebyeFrame *frame; /* NULL, as the rest is then: the plan is to be freed */
  DebyeDataset *dataset;
  DebyeRequest *request;
} Wish;

static void
wish_free(gpointer data)
{
  Wish *wish = data;
  debye_devices_unref(wish->devices);
  g_clear_pointer(&wish->frame, debye_frame_unref);
  g_clear_object(&wish->dataset);
  g_clear_object(&wish->request);
  g_free(wish);
}

/* What the thread computes with, and for which start it was made. */
typedef struct {
  guint start;
  DebyeMapLive *live;
  volatile bool give_up;
} Plan;

static void
plan_free(gpointer data)
{
  Plan *plan = data;
  g_clear_pointer(&plan->live, debye_map_live_free);
  g_free(plan);
}

typedef struct {
  guint start;
  DebyeField *field; /* or else the error */
  GError *error;
  double seconds;
} Made;

static void
made_free(gpointer data)
{
  Made *made = data;
  g_clear_object(&made->field);
  g_clear_error(&made->error);
  g_free(made);
}

static void
on_cancelled(GCancellable *cancellable G_GNUC_UNUSED, Plan *plan)
{
  __atomic_store_n(&plan->give_up, true, __ATOMIC_RELAXED);
}

/* The time is that of the map: starting the devices, before the first, is not part of it. */
static void
compute(const Wish *wish, Plan *plan, GCancellable *cancellable, Made *made)
{
  if (plan->live == NULL)
    plan->live =
        debye_map_live_new(wish->dataset, wish->request, debye_devices_wait(wish->devices), &made->error);
  if (plan->live == NULL)
    return;
  gint64 start = g_get_monotonic_time();
  plan->give_up = false;
  gulong handler = g_cancellable_connect(cancellable, G_CALLBACK(on_cancelled), plan, NULL);
  made->field = debye_map_live_compute(plan->live, wish->frame, &plan->give_up, &made->error);
  g_cancellable_disconnect(cancellable, handler);
  if (made->field != NULL)
    debye_map_file_prepare_field(made->field);
  made->seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}

static gpointer
work(gpointer request, gpointer *state, GCancellable *cancellable)
{
  const Wish *wish = request;
  Plan *plan = *state != NULL ? *state : (*state = g_new0(Plan, 1));
  if (plan->start != wish->start)
    g_clear_pointer(&plan->live, debye_map_live_free);
  plan->start = wish->start;
  if (wish->frame == NULL)
    return NULL;
  Made *made = g_new0(Made, 1);
  made->start = wish->start;
  compute(wish, plan, cancellable, made);
  if (made->field == NULL && made->error == NULL)
    g_clear_pointer(&made, made_free);
  return made;
}

static gboolean
gives_up(gconstpointer working, gconstpointer next)
{
  return ((const Wish *)working)->start != ((const Wish *)next)->start;
}

static const DebyeWork mapping = {.name = "debye-live",
                                  .niceness = NICENESS,
                                  .work = work,
                                  .gives_up = gives_up,
                                  .free_request = wish_free,
                                  .free_result = made_free,
                                  .free_state = plan_free};

/* --- On the main thread --- */

/* Takes the frame. */
static void
ask(DebyeWindowLive *self, DebyeFrame *frame)
{
  Wish *wish = g_new0(Wish, 1);
  *wish = (Wish){.start = self->start, .devices = debye_devices_ref(self->devices), .frame = frame};
  g_set_object(&wish->dataset, self->dataset);
  g_set_object(&wish->request, self->request);
  debye_worker_request(self->worker, wish);
}

void
debye_window_live_end(DebyeWindowLive *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self));
  self->start++;
  self->is_on = FALSE;
  self->seconds = 0.0;
  g_clear_object(&self->dataset);
  g_clear_object(&self->request);
  if (self->worker != NULL)
    ask(self, NULL);
}

static void
tell(DebyeWindowLive *self, Made *made)
{
  if (made->field != NULL) {
    self->seconds =
        self->seconds > 0.0 ? self->seconds + NEWEST_WEIGHT * (made->seconds - self->seconds) : made->seconds;
    g_signal_emit_by_name(self, "computed", made->field);
  } else {
    debye_window_live_end(self);
    g_signal_emit_by_name(self, "failed", made->error->message);
  }
}

static gboolean
on_made(gpointer data)
{
  g_autoptr(DebyeWindowLive) self = g_object_ref(data);
  Made *made = debye_worker_take(self->worker);
  if (made != NULL && made->start == self->start)
    tell(self, made);
  g_clear_pointer(&made, made_free);
  return G_SOURCE_CONTINUE;
}

/* --- The public face --- */

DebyeWindowLive *
debye_window_live_new(DebyeDevices *devices)
{
  DebyeWindowLive *self = g_object_new(DEBYE_TYPE_WINDOW_LIVE, NULL);
  self->devices = debye_devices_ref(devices);
  return self;
}

void
debye_window_live_start(DebyeWindowLive *self, DebyeDataset *dataset, DebyeRequest *request)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self));
  debye_window_live_end(self);
  if (self->is_stopped)
    return;
  self->is_on = TRUE;
  self->dataset = g_object_ref(dataset);
  self->request = debye_request_copy(request);
  if (self->worker != NULL)
    return;
  self->worker = debye_worker_new(&mapping, on_made, self);
  debye_worker_listen(self->worker);
}

void
debye_window_live_show(DebyeWindowLive *self, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self) && frame != NULL);
  if (self->is_on)
    ask(self, debye_frame_ref(frame));
}

gboolean
debye_window_live_is_on(DebyeWindowLive *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_LIVE(self), FALSE);
  return self->is_on;
}

double
debye_window_live_get_rate(DebyeWindowLive *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_LIVE(self), 0.0);
  return self->seconds > 0.0 ? 1.0 / self->seconds : 0.0;
}

void
debye_window_live_stop(DebyeWindowLive *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self));
  debye_window_live_end(self);
  self->is_stopped = TRUE;
  g_clear_pointer(&self->worker, debye_worker_leave);
}

static void
debye_window_live_finalize(GObject *object)
{
  DebyeWindowLive *self = DEBYE_WINDOW_LIVE(object);
  debye_window_live_stop(self);
  g_clear_pointer(&self->devices, debye_devices_unref);
  G_OBJECT_CLASS(debye_window_live_parent_class)->finalize(object);
}

static void
debye_window_live_class_init(DebyeWindowLiveClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_live_finalize;
  const GType type = DEBYE_TYPE_WINDOW_LIVE;
  g_signal_new("computed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_FIELD);
  g_signal_new("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_window_live_init(DebyeWindowLive *self)
{
  self->start = 1; /* the thread's plan is of none yet */
}

/* SPDX-License-Identifier: MIT */
/* GLib isn't built with ThreadSanitizer, which therefore sees neither its locks nor what they order and takes all that they
 * guard for races. In a build with it the tests have these functions in place of GLib's: each calls GLib's and tells the
 * sanitizer what comes before what. Only what Debye's threads use is here; a task of GLib's pool orders more than it must. */
#include <dlfcn.h>
#include <gio/gio.h>
#include <sanitizer/tsan_interface.h>

/* GLib's own, found once. */
#define REAL(name)                                                               \
  static __typeof__(&(name)) real;                                               \
  if (__atomic_load_n(&real, __ATOMIC_RELAXED) == NULL) {                        \
    void *found = dlsym(RTLD_NEXT, #name);                                       \
    __atomic_store(&real, (__typeof__(real) *)(void *)&found, __ATOMIC_RELAXED); \
  }

/* Without a thing of its own to tell of: what ended threads, sources and tasks have done. */
static char threads, sources, tasks;

/* --- Locks --- */

#define LOCK(Type, name)  \
  void name(Type *lock)   \
  {                       \
    REAL(name)            \
    real(lock);           \
    __tsan_acquire(lock); \
  }
#define UNLOCK(Type, name) \
  void name(Type *lock)    \
  {                        \
    REAL(name)             \
    __tsan_release(lock);  \
    real(lock);            \
  }

LOCK(GMutex, g_mutex_lock)
UNLOCK(GMutex, g_mutex_unlock)
LOCK(GRecMutex, g_rec_mutex_lock)
UNLOCK(GRecMutex, g_rec_mutex_unlock)

void
g_cond_wait(GCond *condition, GMutex *mutex)
{
  REAL(g_cond_wait)
  __tsan_release(mutex);
  real(condition, mutex);
  __tsan_acquire(mutex);
}

gboolean
g_cond_wait_until(GCond *condition, GMutex *mutex, gint64 end)
{
  REAL(g_cond_wait_until)
  __tsan_release(mutex);
  const gboolean came = real(condition, mutex, end);
  __tsan_acquire(mutex);
  return came;
}

/* --- References: who lets go has used it before who frees it --- */

void
g_object_unref(gpointer object)
{
  REAL(g_object_unref)
  __tsan_release(object);
  __tsan_acquire(object);
  real(object);
}

void
g_atomic_rc_box_release_full(gpointer box, GDestroyNotify clear)
{
  REAL(g_atomic_rc_box_release_full)
  __tsan_release(box);
  __tsan_acquire(box);
  real(box, clear);
}

/* --- Threads --- */

typedef struct {
  GThreadFunc function;
  gpointer data;
} Start;

static gpointer
run_thread(gpointer data)
{
  g_autofree Start *start = data;
  __tsan_acquire(start);
  gpointer result = start->function(start->data);
  __tsan_release(&threads);
  return result;
}

GThread *
g_thread_new(const char *name, GThreadFunc function, gpointer data)
{
  REAL(g_thread_new)
  Start *start = g_new(Start, 1);
  *start = (Start){function, data};
  __tsan_release(start);
  return real(name, run_thread, start);
}

gpointer
g_thread_join(GThread *thread)
{
  REAL(g_thread_join)
  gpointer result = real(thread);
  __tsan_acquire(&threads);
  return result;
}

/* --- What a main loop is handed --- */

typedef struct {
  GSourceFunc function;
  gpointer data;
  GDestroyNotify free_data;
} Source;

static gboolean
run_source(gpointer data)
{
  const Source *source = data;
  __tsan_acquire(&sources);
  return source->function(source->data);
}

static void
free_source(gpointer data)
{
  g_autofree Source *source = data;
  if (source->free_data != NULL)
    source->free_data(source->data);
}

static Source *
hand_over(GSourceFunc function, gpointer data, GDestroyNotify free_data)
{
  Source *source = g_new(Source, 1);
  *source = (Source){function, data, free_data};
  __tsan_release(&sources);
  return source;
}

guint
g_idle_add_full(int priority, GSourceFunc function, gpointer data, GDestroyNotify free_data)
{
  REAL(g_idle_add_full)
  return real(priority, run_source, hand_over(function, data, free_data), free_source);
}

void
g_source_set_callback(GSource *self, GSourceFunc function, gpointer data, GDestroyNotify free_data)
{
  REAL(g_source_set_callback)
  real(self, run_source, hand_over(function, data, free_data), free_source);
}

void
g_source_set_ready_time(GSource *self, gint64 time)
{
  REAL(g_source_set_ready_time)
  __tsan_release(&sources);
  real(self, time);
}

/* --- Tasks of GLib's pool --- */

static GQuark
get_function_quark(void)
{
  return g_quark_from_static_string("task-function");
}

static void
run_task(GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  __tsan_acquire(&tasks);
  GTaskThreadFunc *function = g_object_get_qdata(G_OBJECT(task), get_function_quark());
  (*function)(task, object, data, cancellable);
  __tsan_release(&tasks);
}

void
g_task_run_in_thread(GTask *task, GTaskThreadFunc function)
{
  REAL(g_task_run_in_thread)
  GTaskThreadFunc *kept = g_new(GTaskThreadFunc, 1);
  *kept = function;
  g_object_set_qdata_full(G_OBJECT(task), get_function_quark(), kept, g_free);
  __tsan_release(&tasks);
  real(task, run_task);
}

gpointer
g_task_propagate_pointer(GTask *task, GError **error)
{
  REAL(g_task_propagate_pointer)
  __tsan_acquire(&tasks);
  return real(task, error);
}

gboolean
g_task_propagate_boolean(GTask *task, GError **error)
{
  REAL(g_task_propagate_boolean)
  __tsan_acquire(&tasks);
  return real(task, error);
}

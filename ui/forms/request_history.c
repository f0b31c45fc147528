/* SPDX-License-Identifier: MIT */
/* Implementation of request_history.h: undo and redo of one form's settings; used by form_page.c. */
#include "request_history.h"

/* More than anybody goes back. */
#define MAXIMUM_STEPS 50
/* Changes of one setting that follow each other faster are one: a text that is typed. */
#define ONE_EDIT_MICROSECONDS 1000000

typedef struct {
  const char *key; /* the table's */
  char *value;     /* to be set; NULL: to be unset */
} Change;

/* The way back from an edit. Taken, it becomes the way forth again. */
typedef struct {
  GArray *changes; /* of Change */
  gint64 edited;   /* last, by the monotonic clock, µs */
} Step;

struct _DebyeRequestHistory {
  GObject parent_instance;
  DebyeRequest *request;
  GPtrArray *steps, *undone; /* of Step, the next to be taken at the end */
};

G_DEFINE_FINAL_TYPE(DebyeRequestHistory, debye_request_history, G_TYPE_OBJECT)

static void
change_clear(gpointer data)
{
  g_free(((Change *)data)->value);
}

static void
step_free(gpointer data)
{
  Step *step = data;
  g_array_unref(step->changes);
  g_free(step);
}

/* NULL: not set. */
static const char *
get_set_value(DebyeRequest *request, const char *key)
{
  return debye_request_is_set(request, key) ? debye_request_get(request, key) : NULL;
}

static void
add_change(DebyeRequestHistory *self, Step *step, const char *key)
{
  const Change change = {.key = key, .value = g_strdup(get_set_value(self->request, key))};
  g_array_append_val(step->changes, change);
}

static Step *
remember(DebyeRequestHistory *self)
{
  Step *step = g_new(Step, 1);
  *step = (Step){.changes = g_array_new(FALSE, FALSE, sizeof(Change)), .edited = g_get_monotonic_time()};
  g_array_set_clear_func(step->changes, change_clear);
  g_ptr_array_add(self->steps, step);
  if (self->steps->len > MAXIMUM_STEPS)
    g_ptr_array_remove_index(self->steps, 0);
  g_ptr_array_set_size(self->undone, 0);
  return step;
}

/* The last step, where this edit goes on with it. */
static Step *
find_same_edit(DebyeRequestHistory *self, const char *key)
{
  if (self->steps->len == 0 || self->undone->len > 0)
    return NULL;
  Step *last = g_ptr_array_index(self->steps, self->steps->len - 1);
  gboolean same = last->changes->len == 1 && g_array_index(last->changes, Change, 0).key == key &&
                  g_get_monotonic_time() - last->edited < ONE_EDIT_MICROSECONDS;
  return same ? last : NULL;
}

void
debye_request_history_edit(DebyeRequestHistory *self, const char *key)
{
  g_return_if_fail(DEBYE_IS_REQUEST_HISTORY(self));
  const DebyeSetting *setting = debye_setting_table_find(debye_request_get_table(self->request), key);
  g_return_if_fail(setting != NULL);
  Step *same = find_same_edit(self, setting->key);
  if (same != NULL)
    same->edited = g_get_monotonic_time();
  else
    add_change(self, remember(self), setting->key);
}

void
debye_request_history_edit_all(DebyeRequestHistory *self)
{
  g_return_if_fail(DEBYE_IS_REQUEST_HISTORY(self));
  const DebyeSettingTable *table = debye_request_get_table(self->request);
  Step *step = remember(self);
  for (gsize i = 0; i < table->n_settings; i++)
    add_change(self, step, table->settings[i].key);
}

/* --- Back and forth --- */

static gboolean
take_change(DebyeRequest *request, Change *change)
{
  char *now = g_strdup(get_set_value(request, change->key));
  gboolean differs = g_strcmp0(now, change->value) != 0;
  if (differs)
    debye_request_set(request, change->key, change->value, NULL);
  g_free(change->value);
  change->value = now;
  return differs;
}

static gboolean
take_last(DebyeRequestHistory *self, GPtrArray *from, GPtrArray *to)
{
  gboolean changed = FALSE;
  while (!changed && from->len > 0) {
    Step *step = g_ptr_array_steal_index(from, from->len - 1);
    for (guint i = 0; i < step->changes->len; i++)
      changed = take_change(self->request, &g_array_index(step->changes, Change, i)) || changed;
    g_ptr_array_add(to, step);
  }
  return changed;
}

gboolean
debye_request_history_undo(DebyeRequestHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST_HISTORY(self), FALSE);
  return take_last(self, self->steps, self->undone);
}

gboolean
debye_request_history_redo(DebyeRequestHistory *self)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST_HISTORY(self), FALSE);
  return take_last(self, self->undone, self->steps);
}

/* --- The object --- */

DebyeRequestHistory *
debye_request_history_new(DebyeRequest *request)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(request), NULL);
  DebyeRequestHistory *self = g_object_new(DEBYE_TYPE_REQUEST_HISTORY, NULL);
  self->request = g_object_ref(request);
  return self;
}

static void
debye_request_history_finalize(GObject *object)
{
  DebyeRequestHistory *self = DEBYE_REQUEST_HISTORY(object);
  g_ptr_array_unref(self->steps);
  g_ptr_array_unref(self->undone);
  g_clear_object(&self->request);
  G_OBJECT_CLASS(debye_request_history_parent_class)->finalize(object);
}

static void
debye_request_history_class_init(DebyeRequestHistoryClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_request_history_finalize;
}

static void
debye_request_history_init(DebyeRequestHistory *self)
{
  self->steps = g_ptr_array_new_with_free_func(step_free);
  self->undone = g_ptr_array_new_with_free_func(step_free);
}

/* SPDX-License-Identifier: MIT */
/* Implementation of result_look.h; used by the window's plot panel. */
#include "result_look.h"

#include <math.h>
#include <string.h>

#include "look_state.h"
#include "look_views.h"
#include "shown_style.h"

/* Changes of the same value within this time, while a person types or drags, are one. */
#define ONE_CHANGE (2 * G_USEC_PER_SEC)
#define MAX_CHANGES 100

/* A state of a quantity's look, to come back to. */
typedef struct {
  const char *quantity; /* interned */
  DebyeLookState *state;
} Change;

struct _DebyeResultLook {
  GObject parent_instance;
  DebyeResultPlot *plot;
  GHashTable *states; /* interned name of a quantity → DebyeLookState */
  const char *quantity;
  DebyeLookViews views;
  char *also, *second; /* of further quantities, as they are in the plot */
  GArray *hidden;      /* guint: series that the look hides */
  char *problem;
  gboolean is_updating;
  GPtrArray *done, *undone; /* Change, the last one last */
  char *last_key;
  gint64 last_time;
};

G_DEFINE_FINAL_TYPE(DebyeResultLook, debye_result_look, G_TYPE_OBJECT)

static void
change_free(gpointer data)
{
  Change *change = data;
  debye_look_state_free(change->state);
  g_free(change);
}

static DebyeLookState *
get_state_of(DebyeResultLook *self, const char *quantity)
{
  DebyeLookState *state = g_hash_table_lookup(self->states, quantity);
  if (state == NULL)
    g_hash_table_insert(self->states, (gpointer)quantity, state = debye_look_state_new(NULL));
  return state;
}

static DebyeLookState *
get_state(DebyeResultLook *self)
{
  return get_state_of(self, self->quantity);
}

/* --- Onto the plot --- */

static void
clear(DebyePlot *plot)
{
  static const DebyePlotTickChoice usual = {.values = NULL};
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    /* Those of the second axis are new whenever the plot changes. */
    if (debye_plot_get_series_axis(plot, series) == DEBYE_PLOT_Y)
      debye_plot_clear_series_look(plot, series);
  }
  for (int axis = DEBYE_PLOT_X; axis <= DEBYE_PLOT_Y2; axis++)
    debye_plot_set_ticks(plot, (DebyePlotAxis)axis, &usual);
  debye_plot_clear_texts(plot);
  debye_plot_set_inset(plot, NAN, NAN);
  debye_plot_set_below(plot, NULL);
}

static void
show_hidden(DebyeResultLook *self)
{
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  for (guint i = 0; i < self->hidden->len; i++) {
    const guint series = g_array_index(self->hidden, guint, i);
    if (debye_plot_get_curve(plot, series) != NULL)
      debye_plot_set_series_visible(plot, series, TRUE);
  }
  g_array_set_size(self->hidden, 0);
}

/* So that what the look hides can be told from what a hand has hidden. */
static void
note_hidden(DebyeResultLook *self, GArray *visible)
{
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  for (guint i = 0; i < visible->len; i++) {
    const guint series = g_array_index(visible, guint, i);
    if (!debye_plot_get_series_visible(plot, series))
      g_array_append_val(self->hidden, series);
  }
}

static GArray *
list_visible(DebyePlot *plot)
{
  GArray *visible = g_array_new(FALSE, FALSE, sizeof(guint));
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    if (debye_plot_get_series_visible(plot, series))
      g_array_append_val(visible, series);
  }
  return visible;
}

static void
apply(DebyeResultLook *self)
{
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_look_state_to_request(get_state(self), FALSE);
  g_autoptr(GArray) visible = list_visible(plot);
  clear(plot);
  debye_look_views_choose(&self->views, self->plot, request);
  g_autoptr(DebyePlotLook) look = debye_plot_look_new(request);
  g_clear_pointer(&self->problem, g_free);
  if (!debye_plot_look_apply(look, plot, &error))
    self->problem = g_strdup(error->message);
  else
    debye_look_views_record(&self->views, get_state(self)->request);
  note_hidden(self, visible);
}

static const char *
get_also(DebyeRequest *request)
{
  return debye_request_get(request, "also");
}

static const char *
get_second(DebyeRequest *request)
{
  return debye_request_get(request, "second");
}

/* Makes the plot anew, which then gets its look. */
static void
refresh(DebyeResultLook *self)
{
  DebyeRequest *request = get_state(self)->request;
  show_hidden(self);
  g_free(self->also);
  g_free(self->second);
  self->also = g_strdup(get_also(request));
  self->second = g_strdup(get_second(request));
  debye_result_plot_set_also(self->plot, self->also);
  debye_result_plot_set_second(self->plot, self->second);
}

/* Views of another quantity's plot are its own. */
static void
turn_to(DebyeResultLook *self, const char *quantity)
{
  self->quantity = quantity;
  g_clear_pointer(&self->last_key, g_free);
  DebyeRequest *request = get_state(self)->request;
  debye_look_views_turn_to(&self->views, request);
  if (g_strcmp0(self->also, get_also(request)) == 0 && g_strcmp0(self->second, get_second(request)) == 0)
    return;
  self->is_updating = TRUE;
  refresh(self);
  self->is_updating = FALSE;
}

static void
on_plot_changed(DebyeResultLook *self)
{
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self->plot);
  if (self->is_updating)
    return;
  if (shown != NULL && g_strcmp0(shown->name, self->quantity) != 0)
    turn_to(self, g_intern_string(shown->name));
  debye_look_state_name_curves(get_state(self), self->plot);
  apply(self);
  g_signal_emit_by_name(self, "changed");
}

/* --- Changes --- */

static void
push(GPtrArray *changes, const char *quantity, const DebyeLookState *state)
{
  Change *change = g_new(Change, 1);
  *change = (Change){quantity, debye_look_state_copy(state)};
  g_ptr_array_add(changes, change);
  if (changes->len > MAX_CHANGES)
    g_ptr_array_remove_index(changes, 0);
}

/* Before a value is changed. `key` NULL: a change of its own. */
static void
keep(DebyeResultLook *self, const char *key)
{
  const gint64 now = g_get_monotonic_time();
  const gboolean goes_on =
      key != NULL && g_strcmp0(key, self->last_key) == 0 && now - self->last_time < ONE_CHANGE;
  if (!goes_on)
    push(self->done, self->quantity, get_state(self));
  g_ptr_array_set_size(self->undone, 0);
  g_free(self->last_key);
  self->last_key = g_strdup(key);
  self->last_time = now;
}

const char *
debye_result_look_get_quantity(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  return self->quantity;
}

const char *
debye_result_look_get(DebyeResultLook *self, const char *key)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  DebyeRequest *request = get_state(self)->request;
  return debye_request_is_set(request, key) ? debye_request_get(request, key) : NULL;
}

gboolean
debye_result_look_set(DebyeResultLook *self, const char *key, const char *value, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), FALSE);
  const DebyeSetting *setting = debye_setting_table_find(&debye_style_table, key);
  g_return_val_if_fail(setting != NULL, FALSE);
  const char *wanted = value != NULL && *value != '\0' ? value : NULL;
  if (g_strcmp0(wanted, debye_result_look_get(self, key)) == 0)
    return TRUE;
  if (wanted != NULL &&
      (!debye_setting_check(setting, wanted, error) || !debye_plot_look_check(key, wanted, error)))
    return FALSE;
  keep(self, key);
  debye_request_set(get_state(self)->request, key, wanted, NULL);
  refresh(self);
  return TRUE;
}

void
debye_result_look_get_curve(DebyeResultLook *self, guint series, DebyeCurveLook *look)
{
  g_return_if_fail(DEBYE_IS_RESULT_LOOK(self) && look != NULL);
  DebyePlot *plot = debye_result_plot_get_plot(self->plot);
  *look = (DebyeCurveLook){.label = NULL};
  if (debye_plot_get_curve(plot, series) == NULL)
    return;
  g_autoptr(DebyeRequest) request = debye_look_state_to_request(get_state(self), FALSE);
  g_auto(GStrv) specs = debye_style_list_curves(request);
  for (char **spec = specs; *spec != NULL; spec++)
    debye_curve_look_read(*spec, plot, series, look);
}

void
debye_result_look_set_curve(DebyeResultLook *self, guint series, const DebyeCurveLook *look)
{
  g_return_if_fail(DEBYE_IS_RESULT_LOOK(self) && look != NULL);
  g_autofree char *words = debye_curve_look_to_words(look);
  g_autofree char *key = g_strdup_printf("curve %u", series);
  if (debye_plot_get_curve(debye_result_plot_get_plot(self->plot), series) == NULL)
    return;
  keep(self, *words != '\0' ? key : NULL);
  debye_look_state_take_lines(get_state(self), self->plot, series);
  debye_look_state_set_words(get_state(self), self->plot, series, words);
  refresh(self);
}

const char *
debye_result_look_get_problem(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  return self->problem;
}

/* --- The whole --- */

DebyeRequest *
debye_result_look_create_style(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  return debye_look_state_to_request(get_state(self), FALSE);
}

DebyeRequest *
debye_result_look_create_style_of_shown(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  g_autoptr(DebyeRequest) style = debye_result_look_create_style(self);
  return debye_shown_style_new(style, self->plot);
}

GPtrArray *
debye_result_look_list_results(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  return debye_result_plot_list_results(self->plot);
}

static void
replace(DebyeResultLook *self, const char *quantity, DebyeLookState *state)
{
  g_hash_table_insert(self->states, (gpointer)quantity, state);
  if (quantity != self->quantity)
    debye_result_plot_set_quantity(self->plot, quantity);
  refresh(self);
}

void
debye_result_look_use(DebyeResultLook *self, DebyeRequest *style)
{
  g_return_if_fail(DEBYE_IS_RESULT_LOOK(self) && (style == NULL || DEBYE_IS_REQUEST(style)));
  keep(self, NULL);
  replace(self, self->quantity, debye_look_state_new(style));
}

void
debye_result_look_reset(DebyeResultLook *self)
{
  debye_result_look_use(self, NULL);
}

gboolean
debye_result_look_is_set(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), FALSE);
  return !debye_look_state_is_empty(get_state(self));
}

static gboolean
step(DebyeResultLook *self, GPtrArray *from, GPtrArray *to)
{
  if (from->len == 0)
    return FALSE;
  Change *change = g_ptr_array_steal_index(from, from->len - 1);
  push(to, change->quantity, get_state_of(self, change->quantity));
  g_clear_pointer(&self->last_key, g_free);
  replace(self, change->quantity, g_steal_pointer(&change->state));
  change_free(change);
  return TRUE;
}

gboolean
debye_result_look_undo(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), FALSE);
  return step(self, self->done, self->undone);
}

gboolean
debye_result_look_redo(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), FALSE);
  return step(self, self->undone, self->done);
}

gboolean
debye_result_look_can_undo(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), FALSE);
  return self->done->len > 0;
}

gboolean
debye_result_look_can_redo(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), FALSE);
  return self->undone->len > 0;
}

/* --- Sessions --- */

static GVariant *
save_state(const DebyeLookState *state)
{
  g_autoptr(DebyeRequest) request = debye_look_state_to_request(state, TRUE);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < debye_style_table.n_settings; i++) {
    const char *key = debye_style_table.settings[i].key;
    if (debye_request_is_set(request, key))
      g_variant_dict_insert(&dict, key, "s", debye_request_get(request, key));
  }
  return g_variant_dict_end(&dict);
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(a, b);
}

GVariant *
debye_result_look_save(DebyeResultLook *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_LOOK(self), NULL);
  GVariantDict dict;
  g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(self->states), compare_names);
  g_variant_dict_init(&dict, NULL);
  for (const GList *name = names; name != NULL; name = name->next) {
    const DebyeLookState *state = g_hash_table_lookup(self->states, name->data);
    if (!debye_look_state_is_empty(state))
      g_variant_dict_insert_value(&dict, name->data, save_state(state));
  }
  return g_variant_dict_end(&dict);
}

static DebyeLookState *
load_state(GVariant *saved)
{
  DebyeLookState *state = debye_look_state_new(NULL);
  for (gsize i = 0; i < debye_style_table.n_settings; i++) {
    const char *key = debye_style_table.settings[i].key;
    g_autoptr(GVariant) value = g_variant_lookup_value(saved, key, G_VARIANT_TYPE_STRING);
    const char *text = value != NULL ? g_variant_get_string(value, NULL) : NULL;
    if (text != NULL && debye_plot_look_check(key, text, NULL))
      debye_request_set(state->request, key, text, NULL);
  }
  state->is_of_session = TRUE;
  return state;
}

static void
clear_states(DebyeResultLook *self)
{
  g_hash_table_remove_all(self->states);
  g_ptr_array_set_size(self->done, 0);
  g_ptr_array_set_size(self->undone, 0);
  g_clear_pointer(&self->last_key, g_free);
}

void
debye_result_look_forget(DebyeResultLook *self)
{
  g_return_if_fail(DEBYE_IS_RESULT_LOOK(self));
  clear_states(self);
  refresh(self);
}

void
debye_result_look_load(DebyeResultLook *self, GVariant *saved)
{
  g_return_if_fail(DEBYE_IS_RESULT_LOOK(self) && saved != NULL);
  GVariantIter iter;
  const char *quantity;
  GVariant *value;
  clear_states(self);
  g_variant_iter_init(&iter, saved);
  while (g_variant_iter_loop(&iter, "{&sv}", &quantity, &value))
    if (g_variant_is_of_type(value, G_VARIANT_TYPE_VARDICT))
      g_hash_table_insert(self->states, (gpointer)g_intern_string(quantity), load_state(value));
  refresh(self);
}

/* --- The object --- */

static void
debye_result_look_dispose(GObject *object)
{
  DebyeResultLook *self = DEBYE_RESULT_LOOK(object);
  if (self->plot != NULL)
    g_signal_handlers_disconnect_by_data(self->plot, self);
  g_clear_object(&self->plot);
  g_clear_pointer(&self->states, g_hash_table_unref);
  g_clear_pointer(&self->done, g_ptr_array_unref);
  g_clear_pointer(&self->undone, g_ptr_array_unref);
  g_clear_pointer(&self->hidden, g_array_unref);
  debye_look_views_clear(&self->views);
  g_clear_pointer(&self->also, g_free);
  g_clear_pointer(&self->second, g_free);
  g_clear_pointer(&self->problem, g_free);
  g_clear_pointer(&self->last_key, g_free);
  G_OBJECT_CLASS(debye_result_look_parent_class)->dispose(object);
}

static void
debye_result_look_class_init(DebyeResultLookClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_result_look_dispose;
  g_signal_new("changed", DEBYE_TYPE_RESULT_LOOK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_result_look_init(DebyeResultLook *self)
{
  self->states = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)debye_look_state_free);
  self->quantity = g_intern_static_string("");
  self->hidden = g_array_new(FALSE, FALSE, sizeof(guint));
  self->done = g_ptr_array_new_with_free_func(change_free);
  self->undone = g_ptr_array_new_with_free_func(change_free);
}

DebyeResultLook *
debye_result_look_new(DebyeResultPlot *plot)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(plot), NULL);
  DebyeResultLook *self = g_object_new(DEBYE_TYPE_RESULT_LOOK, NULL);
  self->plot = g_object_ref(plot);
  g_signal_connect_swapped(plot, "changed", G_CALLBACK(on_plot_changed), self);
  on_plot_changed(self);
  return self;
}

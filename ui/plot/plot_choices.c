/* SPDX-License-Identifier: MIT */
/* Implementation of plot_choices.h: which results a plot shows; measured curves are in plot_choices_measured.c. */
#include "plot_choices_private.h"

#include <glib/gi18n.h>

#include "data/results/contrast.h"
#include "ui/widgets/result_labels.h"

G_DEFINE_FINAL_TYPE(DebyePlotChoices, debye_plot_choices, G_TYPE_OBJECT)

static void
choice_free(gpointer data)
{
  DebyePlotChoice *choice = data;
  g_clear_object(&choice->result);
  g_clear_object(&choice->mixed);
  g_clear_object(&choice->measured);
  g_free(choice->label);
  g_free(choice->legend);
  g_free(choice);
}

void
debye_plot_choices_tell(DebyePlotChoices *self)
{
  g_signal_emit_by_name(self, "changed");
}

/* --- Into the plot --- */

/* As it is shown. */
static DebyeResult *
get_shown(const DebyePlotChoice *choice)
{
  return choice->mixed != NULL ? choice->mixed : choice->result;
}

void
debye_plot_choices_put(DebyePlotChoices *self, const DebyePlotChoice *choice)
{
  if (choice->result != NULL)
    debye_result_plot_set_result(self->plot, choice->key, choice->is_shown ? get_shown(choice) : NULL,
                                 choice->legend);
  else
    debye_result_plot_set_measured(self->plot, choice->key, choice->is_shown ? choice->measured : NULL,
                                   self->fit);
}

static GPtrArray *
list_shown(DebyePlotChoices *self)
{
  GPtrArray *shown = g_ptr_array_new();
  for (guint i = 0; i < self->choices->len; i++) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result != NULL && choice->is_shown)
      g_ptr_array_add(shown, choice);
    else
      g_clear_pointer(&choice->legend, g_free);
  }
  return shown;
}

/* Whether curves of both may stand on the same axes. */
static gboolean
are_alike(DebyeResult *a, DebyeResult *b)
{
  const char *id = debye_request_get_table(debye_result_get_request(a))->id;
  if (g_str_equal(id, debye_request_get_table(debye_result_get_request(b))->id))
    return TRUE;
  GListModel *curves = debye_result_get_curves(a);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (debye_result_plot_has_curves(b, debye_curve_get_y_quantity(curve)->name))
      return TRUE;
  }
  return FALSE;
}

/* Choices that are told from one another; a g(r) that is shown, too, is on other axes than an I(q), whose
 * legend needs no word about it. (element-type GPtrArray of DebyePlotChoice) */
static GPtrArray *
group_shown(DebyePlotChoices *self)
{
  g_autoptr(GPtrArray) shown = list_shown(self);
  GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  for (guint i = 0; i < shown->len; i++) {
    GPtrArray *group = NULL;
    for (guint k = 0; k < groups->len && group == NULL; k++) {
      const DebyePlotChoice *first = g_ptr_array_index((GPtrArray *)groups->pdata[k], 0);
      if (are_alike(first->result, ((const DebyePlotChoice *)shown->pdata[i])->result))
        group = groups->pdata[k];
    }
    if (group == NULL)
      g_ptr_array_add(groups, group = g_ptr_array_new());
    g_ptr_array_add(group, shown->pdata[i]);
  }
  return groups;
}

static void
put_legends_of(DebyePlotChoices *self, GPtrArray *group)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new();
  for (guint i = 0; i < group->len; i++)
    g_ptr_array_add(results, get_shown(group->pdata[i]));
  g_auto(GStrv) legends = debye_result_labels(results);
  for (guint i = 0; i < group->len; i++) {
    DebyePlotChoice *choice = group->pdata[i];
    if (g_strcmp0(choice->legend, legends[i]) == 0)
      continue;
    g_free(choice->legend);
    choice->legend = g_strdup(legends[i]);
    debye_plot_choices_put(self, choice);
  }
}

/* Those that are new, and those that others now tell apart by something else. */
static void
put_legends(DebyePlotChoices *self)
{
  g_autoptr(GPtrArray) groups = group_shown(self);
  for (guint i = 0; i < groups->len; i++)
    put_legends_of(self, groups->pdata[i]);
}

static void
set_labels(DebyePlotChoices *self)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new();
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result != NULL)
      g_ptr_array_add(results, choice->result);
  }
  /* Measured ones stand behind. */
  g_auto(GStrv) labels = debye_result_labels(results);
  for (guint i = 0; i < results->len; i++) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    g_free(choice->label);
    choice->label = g_strdup(labels[i]);
  }
}

void
debye_plot_choices_choose(DebyePlotChoices *self, guint key, gboolean shown)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self));
  for (guint i = 0; i < self->choices->len; i++) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->key != key)
      continue;
    choice->is_shown = choice->by_hand = shown;
    debye_plot_choices_put(self, choice);
  }
  put_legends(self);
}

void
debye_plot_choices_keep(DebyePlotChoices *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self) && DEBYE_IS_RESULT(result));
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result == result)
      debye_plot_choices_choose(self, choice->key, TRUE);
  }
  debye_plot_choices_tell(self);
}

void
debye_plot_choices_mix(DebyePlotChoices *self, double fraction, gboolean series)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self));
  for (guint i = 0; i < self->choices->len; i++) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result == NULL || !choice->is_shown || !debye_contrast_is_known(choice->result))
      continue;
    g_clear_object(&choice->mixed);
    choice->mixed = debye_contrast_mix(choice->result, fraction, series);
    debye_plot_choices_put(self, choice);
  }
  put_legends(self);
}

/* --- Results --- */

static gboolean
is_choice(DebyePlotChoices *self, DebyeResult *result)
{
  for (guint i = 0; i < self->choices->len; i++)
    if (((const DebyePlotChoice *)self->choices->pdata[i])->result == result)
      return TRUE;
  return FALSE;
}

static gboolean
is_listed(DebyePlotChoices *self, DebyeResult *wanted)
{
  for (guint i = 0; i < g_list_model_get_n_items(self->results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(self->results, i);
    if (result == wanted)
      return TRUE;
  }
  return FALSE;
}

/* The key of a new result: that of the one whose place it takes, so that the same curves go on in the same
 * colours and the same view. */
static guint
take_place(DebyePlotChoices *self)
{
  guint key = 0;
  for (guint i = 0; i < self->choices->len; i++) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result == NULL || choice->by_hand || !choice->is_shown)
      continue;
    choice->is_shown = FALSE;
    if (key == 0) {
      key = choice->key;
      choice->key = ++self->last_key;
    } else {
      debye_plot_choices_put(self, choice);
    }
  }
  return key != 0 ? key : ++self->last_key;
}

static void
on_renamed(DebyePlotChoices *self)
{
  set_labels(self);
  put_legends(self);
  debye_plot_choices_tell(self);
}

static void
add_result(DebyePlotChoices *self, DebyeResult *result)
{
  g_signal_connect_object(result, "renamed", G_CALLBACK(on_renamed), self, G_CONNECT_SWAPPED);
  DebyePlotChoice *choice = g_new0(DebyePlotChoice, 1);
  choice->key = self->growing_key != 0 ? self->growing_key : take_place(self);
  choice->result = g_object_ref(result);
  choice->is_shown = TRUE;
  self->growing_key = 0;
  g_ptr_array_insert(self->choices, 0, choice);
  g_signal_emit_by_name(self, "added", result);
}

static void
remove_lost(DebyePlotChoices *self)
{
  for (guint i = self->choices->len; i-- > 0;) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result == NULL || is_listed(self, choice->result))
      continue;
    debye_result_plot_forget(self->plot, choice->key);
    g_ptr_array_remove_index(self->choices, i);
  }
}

static void
on_results_changed(DebyePlotChoices *self)
{
  remove_lost(self);
  for (guint i = g_list_model_get_n_items(self->results); i-- > 0;) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(self->results, i);
    if (g_list_model_get_n_items(debye_result_get_curves(result)) > 0 && !is_choice(self, result))
      add_result(self, result);
  }
  set_labels(self);
  put_legends(self);
  debye_plot_choices_tell(self);
}

void
debye_plot_choices_set_results(DebyePlotChoices *self, GListModel *results)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self) && G_IS_LIST_MODEL(results));
  g_set_object(&self->results, results);
  g_signal_connect_object(results, "items-changed", G_CALLBACK(on_results_changed), self, G_CONNECT_SWAPPED);
  on_results_changed(self);
}

/* What grew came to nothing: the result that stood there before stands there again. */
static void
show_newest(DebyePlotChoices *self)
{
  DebyePlotChoice *newest = self->choices->len > 0 ? self->choices->pdata[0] : NULL;
  if (newest == NULL || newest->result == NULL || debye_plot_choices_get_newest_shown(self) != NULL)
    return;
  newest->is_shown = TRUE;
  put_legends(self);
}

void
debye_plot_choices_set_growing(DebyePlotChoices *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self));
  if (result == NULL && self->growing_key == 0)
    return;
  gboolean begins = self->growing_key == 0;
  if (begins)
    self->growing_key = take_place(self);
  debye_result_plot_set_growing(self->plot, self->growing_key, result, _("Running"));
  if (result == NULL) {
    self->growing_key = 0;
    show_newest(self);
  }
  if (begins || result == NULL)
    debye_plot_choices_tell(self);
}

/* --- What there is --- */

gboolean
debye_plot_choices_is_empty(DebyePlotChoices *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), TRUE);
  return self->choices->len == 0 && self->growing_key == 0;
}

/* Those that are shown as their legend has them, by keys, and the others behind, newest first. */
static int
compare_choices(gconstpointer a, gconstpointer b, gpointer data)
{
  const guint i = *(const guint *)a, k = *(const guint *)b;
  const DebyePlotChoices *self = data;
  const DebyePlotChoice *first = self->choices->pdata[i], *second = self->choices->pdata[k];
  if (first->is_shown != second->is_shown)
    return first->is_shown ? -1 : 1;
  return first->is_shown ? (first->key > second->key) - (first->key < second->key) : (i > k) - (i < k);
}

GArray *
debye_plot_choices_list_in_order(DebyePlotChoices *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), NULL);
  GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < self->choices->len; i++)
    g_array_append_val(order, i);
  g_array_sort_with_data(order, compare_choices, self);
  return order;
}

guint
debye_plot_choices_get_key(DebyePlotChoices *self, guint index)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self) && index < self->choices->len, 0);
  return ((const DebyePlotChoice *)self->choices->pdata[index])->key;
}

const char *
debye_plot_choices_get_label(DebyePlotChoices *self, guint index)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self) && index < self->choices->len, NULL);
  return ((const DebyePlotChoice *)self->choices->pdata[index])->label;
}

gboolean
debye_plot_choices_get_shown(DebyePlotChoices *self, guint index)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self) && index < self->choices->len, FALSE);
  return ((const DebyePlotChoice *)self->choices->pdata[index])->is_shown;
}

gboolean
debye_plot_choices_is_shown(DebyePlotChoices *self, DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), FALSE);
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result == result && choice->is_shown)
      return result != NULL;
  }
  return FALSE;
}

DebyeResult *
debye_plot_choices_find_result(DebyePlotChoices *self, guint key)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), NULL);
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->key == key)
      return choice->result;
  }
  return NULL;
}

GPtrArray *
debye_plot_choices_list_results(DebyePlotChoices *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), NULL);
  GPtrArray *results = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result != NULL && choice->is_shown)
      g_ptr_array_add(results, g_object_ref(get_shown(choice)));
  }
  return results;
}

DebyeResult *
debye_plot_choices_get_newest_shown(DebyePlotChoices *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), NULL);
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->result != NULL && choice->is_shown)
      return get_shown(choice);
  }
  return NULL;
}

/* --- The object --- */

DebyePlotChoices *
debye_plot_choices_new(DebyeResultPlot *plot)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(plot), NULL);
  DebyePlotChoices *self = g_object_new(DEBYE_TYPE_PLOT_CHOICES, NULL);
  self->plot = g_object_ref(plot);
  return self;
}

static void
debye_plot_choices_finalize(GObject *object)
{
  DebyePlotChoices *self = DEBYE_PLOT_CHOICES(object);
  g_ptr_array_unref(self->choices);
  g_clear_object(&self->results);
  g_clear_object(&self->plot);
  G_OBJECT_CLASS(debye_plot_choices_parent_class)->finalize(object);
}

static void
debye_plot_choices_class_init(DebyePlotChoicesClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_plot_choices_finalize;
  g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("added", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_RESULT);
}

static void
debye_plot_choices_init(DebyePlotChoices *self)
{
  self->choices = g_ptr_array_new_with_free_func(choice_free);
}

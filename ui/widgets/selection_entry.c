/* SPDX-License-Identifier: MIT */
/* An entry for a selection with a live count of atoms; used by forms and layer controls. */
#include "selection_entry.h"

#include <glib/gi18n.h>
#include <string.h>

#include "number_text.h"
#include "setting_text.h"
#include "template.h"

/* Typing is not interrupted by half words being looked up. */
#define PAUSE_MILLISECONDS 120
/* Nor is a half selection called wrong. */
#define ERROR_PAUSE_MILLISECONDS 900

struct _DebyeSelectionEntry {
  GtkWidget parent_instance;
  GtkEntry *entry;
  GtkLabel *message;
  GtkListStore *words;

  DebyeTopology *topology;
  DebyeFrame *frame;
  guint pause_source;
  GCancellable *evaluation; /* of the text shown now: an older one is dropped */
  gboolean has_hint;        /* an empty text chooses nothing */
  char *spelt_out;          /* what bare names in it are taken as; NULL: there are none */
  guint error_source;
  char *error; /* that is shown when the typing ends */
};

G_DEFINE_FINAL_TYPE(DebyeSelectionEntry, debye_selection_entry, GTK_TYPE_WIDGET)

/* --- Evaluation, on a thread --- */

typedef struct {
  char *text;
  DebyeTopology *topology;
  DebyeFrame *frame;
} Evaluation;

static void
evaluation_free(gpointer data)
{
  Evaluation *evaluation = data;
  g_free(evaluation->text);
  g_clear_object(&evaluation->topology);
  g_clear_pointer(&evaluation->frame, debye_frame_unref);
  g_free(evaluation);
}

/* "selection: column 7: expected …": the entry has no room for a caret line. */
static void
leave_out_caret(GError *error)
{
  char *line_end = strchr(error->message, '\n');
  if (line_end != NULL)
    *line_end = '\0';
}

typedef struct {
  GArray *atoms;
  char *spelt_out;
} Found;

static void
found_free(gpointer data)
{
  Found *found = data;
  g_array_unref(found->atoms);
  g_free(found->spelt_out);
  g_free(found);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Found, found_free)

static void
evaluate_thread(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data,
                GCancellable *cancellable G_GNUC_UNUSED)
{
  Evaluation *evaluation = data;
  GError *error = NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(evaluation->text, NULL, &error);
  GArray *atoms = NULL;
  if (selection == NULL)
    leave_out_caret(error);
  else
    atoms = debye_selection_evaluate(selection, evaluation->topology, evaluation->frame, &error);
  if (atoms == NULL) {
    g_task_return_error(task, error);
    return;
  }
  Found *found = g_new(Found, 1);
  *found = (Found){atoms, debye_selection_spell_out(selection, evaluation->topology)};
  g_task_return_pointer(task, found, found_free);
}

static void
show_message(DebyeSelectionEntry *self, const char *text, gboolean is_error)
{
  g_autofree char *said = is_error ? debye_setting_text_of_problem(text) : g_strdup(text);
  gtk_label_set_label(self->message, said);
  if (is_error) {
    gtk_widget_add_css_class(GTK_WIDGET(self->entry), "error");
    gtk_widget_add_css_class(GTK_WIDGET(self->message), "error");
    gtk_widget_remove_css_class(GTK_WIDGET(self->message), "dim-label");
  } else {
    gtk_widget_remove_css_class(GTK_WIDGET(self->entry), "error");
    gtk_widget_remove_css_class(GTK_WIDGET(self->message), "error");
    gtk_widget_add_css_class(GTK_WIDGET(self->message), "dim-label");
  }
}

static gboolean
is_empty(DebyeSelectionEntry *self)
{
  g_autofree char *text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->entry)));
  return *g_strstrip(text) == '\0';
}

static void
show_count(DebyeSelectionEntry *self, guint n_atoms)
{
  if (self->has_hint && is_empty(self)) {
    show_message(self, "", FALSE);
    return;
  }
  g_autofree char *count = debye_count_text(n_atoms);
  g_autofree char *total = debye_count_text(debye_topology_get_n_counted(self->topology));
  g_autofree char *text = self->spelt_out != NULL
                              ? g_strdup_printf(_("%s of %s atoms: %s"), count, total, self->spelt_out)
                              : g_strdup_printf(_("%s of %s atoms"), count, total);
  show_message(self, text, FALSE);
}

static gboolean
on_error_pause(gpointer data)
{
  DebyeSelectionEntry *self = data;
  self->error_source = 0;
  show_message(self, self->error, TRUE);
  return G_SOURCE_REMOVE;
}

/* What the text was refused for; NULL: nothing. Told even if it's what it was: who waits for it has to hear. */
static void
set_error(DebyeSelectionEntry *self, const char *text)
{
  g_autofree char *former = self->error;
  self->error = g_strdup(text);
  g_signal_emit_by_name(self, "error");
}

/* At once if nobody types. */
static void
show_error(DebyeSelectionEntry *self, const char *text)
{
  const gboolean is_typing =
      (gtk_widget_get_state_flags(GTK_WIDGET(self->entry)) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
  set_error(self, text);
  g_clear_handle_id(&self->error_source, g_source_remove);
  if (is_typing)
    self->error_source = g_timeout_add(ERROR_PAUSE_MILLISECONDS, on_error_pause, self);
  else
    show_message(self, text, TRUE);
}

static void
on_evaluated(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeSelectionEntry) self = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(Found) found = g_task_propagate_pointer(G_TASK(result), &error);
  if (self->entry == NULL || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object(&self->evaluation);
  if (error != NULL) {
    show_error(self, error->message);
    return;
  }
  set_error(self, NULL);
  g_free(self->spelt_out);
  self->spelt_out = g_steal_pointer(&found->spelt_out);
  show_count(self, found->atoms->len);
  g_signal_emit_by_name(self, "selected", found->atoms);
}

static void
evaluate(DebyeSelectionEntry *self)
{
  g_clear_handle_id(&self->error_source, g_source_remove);
  g_cancellable_cancel(self->evaluation);
  g_clear_object(&self->evaluation);
  if (self->topology == NULL)
    return;
  self->evaluation = g_cancellable_new();
  Evaluation *evaluation = g_new0(Evaluation, 1);
  evaluation->text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->entry)));
  evaluation->topology = g_object_ref(self->topology);
  evaluation->frame = self->frame != NULL ? debye_frame_ref(self->frame) : NULL;
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, self->evaluation, on_evaluated, g_object_ref(self));
  g_task_set_task_data(task, evaluation, evaluation_free);
  g_task_run_in_thread(task, evaluate_thread);
}

static gboolean
on_pause(gpointer data)
{
  DebyeSelectionEntry *self = data;
  self->pause_source = 0;
  evaluate(self);
  return G_SOURCE_REMOVE;
}

/* --- Completion of the last word --- */

static gsize
last_word_start(const char *text)
{
  gsize start = strlen(text);
  while (start > 0 && strchr(" ()", text[start - 1]) == NULL)
    start--;
  return start;
}

static void
offer_words(DebyeSelectionEntry *self)
{
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->entry));
  gtk_list_store_clear(self->words);
  if (self->topology == NULL || text[last_word_start(text)] == '\0')
    return;
  g_auto(GStrv) words = debye_selection_complete(text, self->topology);
  for (guint i = 0; words != NULL && words[i] != NULL && i < 12; i++)
    gtk_list_store_insert_with_values(self->words, NULL, -1, 0, words[i], -1);
}

static gboolean
accept_all(GtkEntryCompletion *completion G_GNUC_UNUSED, const char *key G_GNUC_UNUSED,
           GtkTreeIter *iter G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return TRUE;
}

static gboolean
on_word_chosen(GtkEntryCompletion *completion G_GNUC_UNUSED, GtkTreeModel *model, GtkTreeIter *iter,
               DebyeSelectionEntry *self)
{
  g_autofree char *word = NULL;
  gtk_tree_model_get(model, iter, 0, &word, -1);
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->entry));
  g_autofree char *head = g_strndup(text, last_word_start(text));
  g_autofree char *whole = g_strconcat(head, word, " ", NULL);
  gtk_editable_set_text(GTK_EDITABLE(self->entry), whole);
  gtk_editable_set_position(GTK_EDITABLE(self->entry), -1);
  return TRUE;
}

static void
add_completion(DebyeSelectionEntry *self)
{
  g_autoptr(GtkEntryCompletion) completion = gtk_entry_completion_new();
  gtk_entry_completion_set_model(completion, GTK_TREE_MODEL(self->words));
  gtk_entry_completion_set_text_column(completion, 0);
  gtk_entry_completion_set_match_func(completion, accept_all, NULL, NULL);
  gtk_entry_completion_set_minimum_key_length(completion, 1);
  g_signal_connect_object(completion, "match-selected", G_CALLBACK(on_word_chosen), self, G_CONNECT_DEFAULT);
  gtk_entry_set_completion(self->entry, completion);
}

static void
on_changed(DebyeSelectionEntry *self)
{
  offer_words(self);
  /* Atoms of the text before must not be taken for those of this one. */
  g_cancellable_cancel(self->evaluation);
  g_clear_handle_id(&self->error_source, g_source_remove);
  g_clear_handle_id(&self->pause_source, g_source_remove);
  self->pause_source = g_timeout_add(PAUSE_MILLISECONDS, on_pause, self);
  g_signal_emit_by_name(self, "changed");
}

/* --- The object --- */

GtkWidget *
debye_selection_entry_new(const char *accessible_name)
{
  DebyeSelectionEntry *self = g_object_new(DEBYE_TYPE_SELECTION_ENTRY, NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, accessible_name,
                                 -1);
  return GTK_WIDGET(self);
}

void
debye_selection_entry_set_system(DebyeSelectionEntry *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_SELECTION_ENTRY(self));
  g_set_object(&self->topology, topology);
  debye_selection_entry_set_frame(self, frame);
  evaluate(self);
}

void
debye_selection_entry_set_frame(DebyeSelectionEntry *self, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_SELECTION_ENTRY(self));
  DebyeFrame *held = frame != NULL ? debye_frame_ref(frame) : NULL;
  g_clear_pointer(&self->frame, debye_frame_unref);
  self->frame = held;
}

void
debye_selection_entry_set_count(DebyeSelectionEntry *self, guint n_atoms)
{
  g_return_if_fail(DEBYE_IS_SELECTION_ENTRY(self));
  gboolean says_count = !gtk_widget_has_css_class(GTK_WIDGET(self->entry), "error");
  if (self->topology != NULL && says_count)
    show_count(self, n_atoms);
}

gboolean
debye_selection_entry_is_pending(DebyeSelectionEntry *self)
{
  g_return_val_if_fail(DEBYE_IS_SELECTION_ENTRY(self), FALSE);
  return self->topology != NULL && (self->pause_source != 0 || self->evaluation != NULL);
}

gboolean
debye_selection_entry_shows(DebyeSelectionEntry *self, const char *problem)
{
  g_return_val_if_fail(DEBYE_IS_SELECTION_ENTRY(self), FALSE);
  if (self->error == NULL || problem == NULL)
    return FALSE;
  /* Below the first line a caret points at the mistake, for which the entry has no room. */
  g_autofree char *first = g_strndup(problem, strcspn(problem, "\n"));
  return strcmp(self->error, first) == 0;
}

void
debye_selection_entry_set_hint(DebyeSelectionEntry *self, const char *hint)
{
  g_return_if_fail(DEBYE_IS_SELECTION_ENTRY(self));
  const char *said = hint != NULL ? hint : "all";
  if (g_strcmp0(said, debye_selection_entry_get_hint(self)) == 0)
    return;
  self->has_hint = hint != NULL;
  gtk_entry_set_placeholder_text(self->entry, said);
  evaluate(self);
}

const char *
debye_selection_entry_get_hint(DebyeSelectionEntry *self)
{
  g_return_val_if_fail(DEBYE_IS_SELECTION_ENTRY(self), NULL);
  return gtk_entry_get_placeholder_text(self->entry);
}

void
debye_selection_entry_set_text(DebyeSelectionEntry *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_SELECTION_ENTRY(self));
  if (g_strcmp0(debye_selection_entry_get_text(self), text) != 0)
    gtk_editable_set_text(GTK_EDITABLE(self->entry), text != NULL ? text : "");
}

const char *
debye_selection_entry_get_text(DebyeSelectionEntry *self)
{
  g_return_val_if_fail(DEBYE_IS_SELECTION_ENTRY(self), NULL);
  return gtk_editable_get_text(GTK_EDITABLE(self->entry));
}

static void
debye_selection_entry_dispose(GObject *object)
{
  DebyeSelectionEntry *self = DEBYE_SELECTION_ENTRY(object);
  g_clear_handle_id(&self->pause_source, g_source_remove);
  g_clear_handle_id(&self->error_source, g_source_remove);
  g_clear_pointer(&self->error, g_free);
  g_clear_pointer(&self->spelt_out, g_free);
  g_cancellable_cancel(self->evaluation);
  g_clear_object(&self->evaluation);
  g_clear_object(&self->words);
  g_clear_object(&self->topology);
  g_clear_pointer(&self->frame, debye_frame_unref);
  gtk_widget_dispose_template(GTK_WIDGET(self), DEBYE_TYPE_SELECTION_ENTRY);
  G_OBJECT_CLASS(debye_selection_entry_parent_class)->dispose(object);
}

static void
debye_selection_entry_class_init(DebyeSelectionEntryClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_selection_entry_dispose;
  g_signal_new("changed", DEBYE_TYPE_SELECTION_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("selected", DEBYE_TYPE_SELECTION_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_ARRAY);
  g_signal_new("error", DEBYE_TYPE_SELECTION_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/selection_entry.ui");
  DEBYE_BIND_CHILDREN(class, DebyeSelectionEntry, entry, message);
  gtk_widget_class_bind_template_callback(widget_class, on_changed);
}

static void
debye_selection_entry_init(DebyeSelectionEntry *self)
{
  self->words = gtk_list_store_new(1, G_TYPE_STRING);
  gtk_widget_init_template(GTK_WIDGET(self));
  add_completion(self);
}

/* SPDX-License-Identifier: MIT */
/* The row of one setting in the form of an analysis; made by form_page.c and map_line_dialog.c. */
#include "setting_row.h"

#include <glib/gi18n.h>

#include "number_entry.h"
#include "number_text.h"
#include "pair_list.h"
#include "selection_entry.h"
#include "setting_text.h"
#include "template.h"

struct _DebyeSettingRow {
  AdwPreferencesRow parent_instance;
  GtkBox *column, *line;
  GtkLabel *label, *help, *unit, *advice, *problem;

  GtkWidget *control;
  const DebyeSetting *setting;
  DebyeRequest *request;
  char *own_problem;   /* the value itself is refused */
  char *given_problem; /* the analysis can't run with it */
  gboolean updating;   /* the row follows the request, not the other way round */
  gboolean storing;    /* the request follows the row */
};

G_DEFINE_FINAL_TYPE(DebyeSettingRow, debye_setting_row, ADW_TYPE_PREFERENCES_ROW)

/* --- Text --- */

static void
show_help(DebyeSettingRow *self, const char *help)
{
  gtk_widget_set_visible(GTK_WIDGET(self->help), help != NULL && *help != '\0');
  if (help == NULL || *help == '\0')
    return;
  g_autofree char *text = debye_sentence_case(help);
  gtk_label_set_label(self->help, text);
}

/* An entry for atoms marks itself, and says what is wrong right below. */
static gboolean
control_shows(DebyeSettingRow *self, const char *problem)
{
  if (DEBYE_IS_PAIR_LIST(self->control))
    return debye_pair_list_shows(DEBYE_PAIR_LIST(self->control), problem);
  return DEBYE_IS_SELECTION_ENTRY(self->control) &&
         debye_selection_entry_shows(DEBYE_SELECTION_ENTRY(self->control), problem);
}

/* Half a word is no mistake yet. */
static gboolean
is_typed(DebyeSettingRow *self)
{
  if (DEBYE_IS_PAIR_LIST(self->control))
    return debye_pair_list_is_pending(DEBYE_PAIR_LIST(self->control));
  return DEBYE_IS_SELECTION_ENTRY(self->control) &&
         debye_selection_entry_is_pending(DEBYE_SELECTION_ENTRY(self->control));
}

static void
show_problem(DebyeSettingRow *self)
{
  const char *found = debye_setting_row_get_problem(self);
  const gboolean waits = found != NULL && is_typed(self);
  const char *problem = waits || control_shows(self, found) ? NULL : found;
  gtk_widget_set_visible(GTK_WIDGET(self->problem), problem != NULL);
  g_autofree char *text = problem != NULL ? debye_setting_text_of_problem(problem) : g_strdup("");
  gtk_label_set_label(self->problem, text);
  if (problem != NULL)
    gtk_widget_add_css_class(self->control, "error");
  else
    gtk_widget_remove_css_class(self->control, "error");
}

/* --- From the row into the request --- */

static void
store(DebyeSettingRow *self, const char *value)
{
  g_autoptr(GError) error = NULL;
  const char *stored = value != NULL && *value != '\0' ? value : NULL;
  g_signal_emit_by_name(self, "edit");
  g_clear_pointer(&self->own_problem, g_free);
  self->storing = TRUE;
  if (!debye_request_set(self->request, self->setting->key, stored, &error))
    self->own_problem = g_strdup(error->message);
  self->storing = FALSE;
  show_problem(self);
  g_signal_emit_by_name(self, "problem");
}

/* What is typed with decimal commas, with dots. In words commas part values. */
static char *
read_numbers(const DebyeSetting *setting, const char *text)
{
  if (setting->kind == DEBYE_SETTING_NUMBER)
    return debye_number_with_dot(text);
  const gboolean is_list =
      setting->kind == DEBYE_SETTING_VECTOR || setting->kind == DEBYE_SETTING_SHAPE || setting->numbers;
  return is_list ? debye_numbers_with_dots(text) : g_strdup(text);
}

static void
on_text_changed(DebyeSettingRow *self)
{
  if (self->updating)
    return;
  g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->control))));
  g_autofree char *value = read_numbers(self->setting, text);
  store(self, value);
}

static void
on_selection_changed(DebyeSettingRow *self)
{
  if (!self->updating)
    store(self, debye_selection_entry_get_text(DEBYE_SELECTION_ENTRY(self->control)));
}

static void
on_pairs_changed(DebyeSettingRow *self)
{
  g_autofree char *text = debye_pair_list_get_text(DEBYE_PAIR_LIST(self->control));
  if (!self->updating)
    store(self, text);
}

static void
on_switched(DebyeSettingRow *self)
{
  if (!self->updating)
    store(self, gtk_switch_get_active(GTK_SWITCH(self->control)) ? "true" : "false");
}

static void
on_chosen(DebyeSettingRow *self)
{
  const DebyeChoice *choice =
      &self->setting->choices[gtk_drop_down_get_selected(GTK_DROP_DOWN(self->control))];
  show_help(self, _(choice->help != NULL ? choice->help : self->setting->help));
  if (!self->updating)
    store(self, choice->value);
}

/* --- From the request into the row --- */

static void
show_choice(DebyeSettingRow *self, const char *value)
{
  for (guint i = 0; self->setting->choices[i].value != NULL; i++)
    if (g_strcmp0(self->setting->choices[i].value, value) == 0)
      gtk_drop_down_set_selected(GTK_DROP_DOWN(self->control), i);
  on_chosen(self);
}

static void
show_text(DebyeSettingRow *self, const char *value)
{
  const char *text = debye_request_is_set(self->request, self->setting->key) && value != NULL ? value : "";
  if (g_strcmp0(gtk_editable_get_text(GTK_EDITABLE(self->control)), text) != 0)
    gtk_editable_set_text(GTK_EDITABLE(self->control), text);
}

static void
show_value(DebyeSettingRow *self)
{
  const char *value = debye_request_get(self->request, self->setting->key);
  self->updating = TRUE;
  switch (self->setting->kind) {
  case DEBYE_SETTING_CHOICE:
    show_choice(self, value);
    break;
  case DEBYE_SETTING_BOOLEAN:
    gtk_switch_set_active(GTK_SWITCH(self->control), g_strcmp0(value, "true") == 0);
    break;
  case DEBYE_SETTING_SELECTION:
    debye_selection_entry_set_text(DEBYE_SELECTION_ENTRY(self->control), value);
    break;
  case DEBYE_SETTING_SELECTION_PAIR:
    debye_pair_list_set_text(DEBYE_PAIR_LIST(self->control), value);
    break;
  default:
    show_text(self, value);
  }
  self->updating = FALSE;
}

void
debye_setting_row_take_back(DebyeSettingRow *self)
{
  g_return_if_fail(DEBYE_IS_SETTING_ROW(self));
  gboolean was_refused = self->own_problem != NULL;
  g_clear_pointer(&self->own_problem, g_free);
  show_value(self);
  show_problem(self);
  if (was_refused)
    g_signal_emit_by_name(self, "problem");
}

/* Another's value takes the place of one that was refused, too. */
static void
on_request_changed(DebyeSettingRow *self, const char *key)
{
  if (!self->storing && g_strcmp0(key, self->setting->key) == 0)
    debye_setting_row_take_back(self);
}

/* --- Making the control --- */

static GtkWidget *
create_drop_down(const DebyeSetting *setting)
{
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  for (const DebyeChoice *choice = setting->choices; choice->value != NULL; choice++)
    gtk_string_list_append(labels, _(choice->label));
  GtkWidget *control = gtk_drop_down_new(G_LIST_MODEL(g_steal_pointer(&labels)), NULL);
  return control;
}

static int
entry_width(DebyeSettingKind kind)
{
  return kind == DEBYE_SETTING_NUMBER || kind == DEBYE_SETTING_INTEGER ? 7 : 10;
}

/* What an empty entry stands for, in grey. Defaults that depend on the files are found when they are needed. */
static const char *
default_of(const DebyeSetting *setting)
{
  if (setting->initial != NULL && *setting->initial != '\0')
    return setting->initial;
  if (setting->constant != NULL)
    return setting->constant;
  return setting->derived ? _("automatic") : C_("no value", "none");
}

static GtkWidget *
create_entry(const DebyeSetting *setting)
{
  GtkWidget *entry = debye_number_entry_new(entry_width(setting->kind));
  /* The form undoes, see form_page.h. */
  gtk_editable_set_enable_undo(GTK_EDITABLE(entry), FALSE);
  debye_number_entry_set_placeholder(GTK_ENTRY(entry), default_of(setting));
  return entry;
}

/* What an unset selection stands for; NULL: all atoms. */
static const char *
hint_of(const DebyeSetting *setting)
{
  if (setting->initial == NULL)
    return _("no atoms");
  return g_str_equal(setting->initial, "all") ? NULL : setting->initial;
}

static void
create_control(DebyeSettingRow *self)
{
  switch (self->setting->kind) {
  case DEBYE_SETTING_CHOICE:
    self->control = create_drop_down(self->setting);
    g_signal_connect_swapped(self->control, "notify::selected", G_CALLBACK(on_chosen), self);
    break;
  case DEBYE_SETTING_BOOLEAN:
    self->control = gtk_switch_new();
    g_signal_connect_swapped(self->control, "notify::active", G_CALLBACK(on_switched), self);
    break;
  case DEBYE_SETTING_SELECTION:
    self->control = debye_selection_entry_new(_(self->setting->label));
    debye_selection_entry_set_hint(DEBYE_SELECTION_ENTRY(self->control), hint_of(self->setting));
    g_signal_connect_swapped(self->control, "changed", G_CALLBACK(on_selection_changed), self);
    g_signal_connect_swapped(self->control, "error", G_CALLBACK(show_problem), self);
    break;
  case DEBYE_SETTING_SELECTION_PAIR:
    self->control = debye_pair_list_new();
    g_signal_connect_swapped(self->control, "changed", G_CALLBACK(on_pairs_changed), self);
    g_signal_connect_swapped(self->control, "error", G_CALLBACK(show_problem), self);
    break;
  default:
    self->control = create_entry(self->setting);
    g_signal_connect_swapped(self->control, "changed", G_CALLBACK(on_text_changed), self);
  }
}

static void
place_control(DebyeSettingRow *self)
{
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _(self->setting->label), -1);
  if (self->setting->kind == DEBYE_SETTING_SELECTION || self->setting->kind == DEBYE_SETTING_SELECTION_PAIR) {
    gtk_box_insert_child_after(self->column, self->control, GTK_WIDGET(self->help));
    return;
  }
  gtk_widget_set_valign(self->control, GTK_ALIGN_CENTER);
  gtk_box_insert_child_after(self->line, self->control, gtk_widget_get_first_child(GTK_WIDGET(self->line)));
}

static void
show_setting(DebyeSettingRow *self)
{
  const DebyeSetting *setting = self->setting;
  /* The symbol stays with its word. */
  g_autofree char *label = setting->symbol != NULL
                               ? g_strdup_printf("%s\u00a0%s", _(setting->label), setting->symbol)
                               : g_strdup(_(setting->label));
  gtk_label_set_label(self->label, label);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self), _(setting->label));
  show_help(self, _(setting->help));
  gtk_widget_set_visible(GTK_WIDGET(self->unit), setting->unit != NULL);
  gtk_label_set_label(self->unit, setting->unit != NULL ? setting->unit : "");
}

GtkWidget *
debye_setting_row_new(const DebyeSetting *setting, DebyeRequest *request)
{
  g_return_val_if_fail(setting != NULL && DEBYE_IS_REQUEST(request), NULL);
  DebyeSettingRow *self = g_object_new(DEBYE_TYPE_SETTING_ROW, NULL);
  self->setting = setting;
  self->request = g_object_ref(request);
  show_setting(self);
  create_control(self);
  place_control(self);
  show_value(self);
  g_signal_connect_object(request, "changed", G_CALLBACK(on_request_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}

const DebyeSetting *
debye_setting_row_get_setting(DebyeSettingRow *self)
{
  g_return_val_if_fail(DEBYE_IS_SETTING_ROW(self), NULL);
  return self->setting;
}

/* What an unset selection stands for with these files, where that isn't always its default. Not in an entry
 * that was emptied to be typed in. */
static void
show_suggested_atoms(DebyeSettingRow *self, const char *value)
{
  DebyeSelectionEntry *entry = DEBYE_SELECTION_ENTRY(self->control);
  const char *shown = debye_selection_entry_get_text(entry);
  if (value == NULL || !self->setting->unset_differs || self->own_problem != NULL || *shown == '\0' ||
      debye_request_is_set(self->request, self->setting->key) || g_str_equal(shown, value))
    return;
  self->updating = TRUE;
  debye_selection_entry_set_text(entry, value);
  self->updating = FALSE;
}

/* Nobody has chosen, and no choice is the default of all files. */
static void
show_suggested_choice(DebyeSettingRow *self, const char *value)
{
  if (self->setting->initial != NULL || debye_request_is_set(self->request, self->setting->key))
    return;
  self->updating = TRUE;
  show_choice(self, value);
  self->updating = FALSE;
}

void
debye_setting_row_set_suggestion(DebyeSettingRow *self, const char *value)
{
  g_return_if_fail(DEBYE_IS_SETTING_ROW(self));
  if (DEBYE_IS_SELECTION_ENTRY(self->control))
    show_suggested_atoms(self, value);
  if (GTK_IS_DROP_DOWN(self->control) && value != NULL)
    show_suggested_choice(self, value);
  if (GTK_IS_ENTRY(self->control))
    debye_number_entry_set_placeholder(GTK_ENTRY(self->control),
                                       value != NULL ? value : default_of(self->setting));
}

void
debye_setting_row_set_advice(DebyeSettingRow *self, const char *reason)
{
  g_return_if_fail(DEBYE_IS_SETTING_ROW(self));
  gtk_widget_set_visible(GTK_WIDGET(self->advice), reason != NULL);
  gtk_label_set_label(self->advice, reason != NULL ? reason : "");
}

void
debye_setting_row_set_problem(DebyeSettingRow *self, const char *problem)
{
  g_return_if_fail(DEBYE_IS_SETTING_ROW(self));
  g_free(self->given_problem);
  self->given_problem = g_strdup(problem);
  show_problem(self);
}

gboolean
debye_setting_row_is_waiting(DebyeSettingRow *self)
{
  g_return_val_if_fail(DEBYE_IS_SETTING_ROW(self), FALSE);
  gboolean of_atoms =
      self->setting->kind == DEBYE_SETTING_SELECTION || self->setting->kind == DEBYE_SETTING_SELECTION_PAIR;
  return of_atoms && self->own_problem == NULL && self->setting->initial == NULL &&
         !debye_request_is_set(self->request, self->setting->key);
}

gboolean
debye_setting_row_is_refused(DebyeSettingRow *self)
{
  g_return_val_if_fail(DEBYE_IS_SETTING_ROW(self), FALSE);
  return self->own_problem != NULL;
}

const char *
debye_setting_row_get_problem(DebyeSettingRow *self)
{
  g_return_val_if_fail(DEBYE_IS_SETTING_ROW(self), NULL);
  return self->own_problem != NULL ? self->own_problem : self->given_problem;
}

void
debye_setting_row_set_system(DebyeSettingRow *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_SETTING_ROW(self));
  if (DEBYE_IS_SELECTION_ENTRY(self->control))
    debye_selection_entry_set_system(DEBYE_SELECTION_ENTRY(self->control), topology, frame);
  else if (DEBYE_IS_PAIR_LIST(self->control))
    debye_pair_list_set_system(DEBYE_PAIR_LIST(self->control), topology, frame);
}

GtkWidget *
debye_setting_row_get_control(DebyeSettingRow *self)
{
  g_return_val_if_fail(DEBYE_IS_SETTING_ROW(self), NULL);
  return self->control;
}

static void
debye_setting_row_dispose(GObject *object)
{
  DebyeSettingRow *self = DEBYE_SETTING_ROW(object);
  g_clear_object(&self->request);
  g_clear_pointer(&self->own_problem, g_free);
  g_clear_pointer(&self->given_problem, g_free);
  G_OBJECT_CLASS(debye_setting_row_parent_class)->dispose(object);
}

static void
debye_setting_row_class_init(DebyeSettingRowClass *class)
{
  g_signal_new("problem", DEBYE_TYPE_SETTING_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("edit", DEBYE_TYPE_SETTING_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  G_OBJECT_CLASS(class)->dispose = debye_setting_row_dispose;
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/setting_row.ui");
  DEBYE_BIND_CHILDREN(class, DebyeSettingRow, column, line, label, help, unit, advice, problem);
}

static void
debye_setting_row_init(DebyeSettingRow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}

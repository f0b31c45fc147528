/* SPDX-License-Identifier: MIT */
/* The widget of one analysis' form, made from its settings table; shown by analysis_panel.c. */
#include "form_page.h"

#include <glib/gi18n.h>

#include "request_history.h"
#include "setting_groups.h"
#include "ui/widgets/setting_row.h"
#include "ui/widgets/template.h"

struct _DebyeFormPage {
  GtkBox parent_instance;
  GtkBox *content;
  GtkLabel *title, *question, *remark;
  GtkListBox *basic, *advanced;
  GtkExpander *more;
  GtkLabel *estimate;
  GtkButton *run, *help;

  DebyeAnalysisForm *form;
  DebyeRequestHistory *history;
  GPtrArray *rows; /* of DebyeSettingRow, borrowed from the lists */
};

G_DEFINE_FINAL_TYPE(DebyeFormPage, debye_form_page, GTK_TYPE_BOX)

static DebyeSettingRow *
find_row(DebyeFormPage *self, const char *key)
{
  for (guint i = 0; i < self->rows->len; i++) {
    DebyeSettingRow *row = g_ptr_array_index(self->rows, i);
    if (g_strcmp0(debye_setting_row_get_setting(row)->key, key) == 0)
      return row;
  }
  return NULL;
}

/* A teaching variant that a lesson or a result brought can be taken off again. */
static gboolean
is_shown(DebyeRequest *request, const DebyeSetting *setting)
{
  return debye_request_is_relevant(request, setting) &&
         (debye_setting_groups_is_for_forms(setting) || debye_request_is_set(request, setting->key));
}

/* Settings that play no part with the others as they are, are not there. */
static void
show_relevant(DebyeFormPage *self)
{
  gboolean any_advanced = FALSE;
  for (guint i = 0; i < self->rows->len; i++) {
    DebyeSettingRow *row = g_ptr_array_index(self->rows, i);
    const DebyeSetting *setting = debye_setting_row_get_setting(row);
    gboolean relevant = is_shown(debye_analysis_form_get_request(self->form), setting);
    gtk_widget_set_visible(GTK_WIDGET(row), relevant);
    any_advanced = any_advanced || (relevant && !setting->basic);
  }
  gtk_list_box_invalidate_headers(self->advanced);
  gtk_widget_set_visible(GTK_WIDGET(self->more), any_advanced);
}

static void
show_advice(DebyeFormPage *self)
{
  for (guint i = 0; i < self->rows->len; i++) {
    DebyeSettingRow *row = g_ptr_array_index(self->rows, i);
    const char *key = debye_setting_row_get_setting(row)->key;
    debye_setting_row_set_advice(row, debye_analysis_form_get_advice(self->form, key));
  }
}

static void
on_request_changed(DebyeFormPage *self)
{
  show_relevant(self);
  show_advice(self);
}

static void
show_suggested(DebyeFormPage *self)
{
  DebyeRequest *suggested = debye_analysis_form_get_suggested(self->form);
  for (guint i = 0; suggested != NULL && i < self->rows->len; i++) {
    DebyeSettingRow *row = g_ptr_array_index(self->rows, i);
    const DebyeSetting *setting = debye_setting_row_get_setting(row);
    const char *effective = debye_request_get_effective(suggested, setting);
    debye_setting_row_set_suggestion(row, effective != NULL ? effective
                                                            : debye_request_get(suggested, setting->key));
  }
}

/* A row of the form gives the reason itself, but may be scrolled away: the foot names it. */
static char *
write_foot(DebyeFormPage *self, DebyeSettingRow *blamed)
{
  const char *problem = debye_analysis_form_get_problem(self->form);
  if (problem != NULL && blamed != NULL)
    return g_strdup_printf(_("Check the setting “%s”"), _(debye_setting_row_get_setting(blamed)->label));
  return g_strdup(problem != NULL ? problem : debye_analysis_form_get_estimate(self->form));
}

/* The reason stands beside the setting that is its cause. A row that waits for its first atoms isn't wrong: the foot
 * says what is needed, quietly. */
static void
show_problem(DebyeFormPage *self)
{
  const char *problem = debye_analysis_form_get_problem(self->form);
  DebyeSettingRow *culprit = find_row(self, debye_analysis_form_get_problem_key(self->form));
  gboolean waits = culprit != NULL && debye_setting_row_is_waiting(culprit);
  g_autofree char *foot = write_foot(self, waits ? NULL : culprit);
  for (guint i = 0; i < self->rows->len; i++) {
    DebyeSettingRow *row = g_ptr_array_index(self->rows, i);
    debye_setting_row_set_problem(row, row == culprit && !waits ? problem : NULL);
  }
  if (culprit != NULL && !debye_setting_row_get_setting(culprit)->basic)
    gtk_expander_set_expanded(self->more, TRUE);
  gtk_label_set_label(self->estimate, foot != NULL ? foot : "");
  if (problem != NULL && !waits)
    gtk_widget_add_css_class(GTK_WIDGET(self->estimate), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->estimate), "error");
}

static void
show_remark(DebyeFormPage *self)
{
  const char *remark = debye_analysis_form_get_remark(self->form);
  gtk_label_set_label(self->remark, remark != NULL ? remark : "");
  gtk_widget_set_visible(GTK_WIDGET(self->remark), remark != NULL);
}

static void
on_row_problem(DebyeFormPage *self)
{
  gboolean refused = FALSE;
  for (guint i = 0; i < self->rows->len; i++)
    refused = refused || debye_setting_row_is_refused(g_ptr_array_index(self->rows, i));
  debye_analysis_form_set_refused(self->form, refused);
}

/* --- Undo --- */

static void
on_row_edit(DebyeSettingRow *row, DebyeFormPage *self)
{
  debye_request_history_edit(self->history, debye_setting_row_get_setting(row)->key);
}

/* What was refused never got into the request. */
static gboolean
take_back_refused(DebyeFormPage *self)
{
  gboolean any = FALSE;
  for (guint i = 0; i < self->rows->len; i++) {
    DebyeSettingRow *row = g_ptr_array_index(self->rows, i);
    gboolean refused = debye_setting_row_is_refused(row);
    if (refused)
      debye_setting_row_take_back(row);
    any = any || refused;
  }
  return any;
}

static gboolean
undo(GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  DebyeFormPage *self = DEBYE_FORM_PAGE(widget);
  if (!take_back_refused(self))
    debye_request_history_undo(self->history);
  return GDK_EVENT_STOP;
}

static gboolean
redo(GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  debye_request_history_redo(DEBYE_FORM_PAGE(widget)->history);
  return GDK_EVENT_STOP;
}

static void
on_reset_clicked(DebyeFormPage *self)
{
  take_back_refused(self);
  debye_request_history_edit_all(self->history);
  debye_analysis_form_reset(self->form);
}

static void
add_shortcut(GtkShortcutController *keys, GdkModifierType modifiers, GtkShortcutFunc function)
{
  GtkShortcutAction *action = gtk_callback_action_new(function, NULL, NULL);
  gtk_shortcut_controller_add_shortcut(
      keys, gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_z, modifiers), action));
}

/* Before the entries' own keys, which take these even where they have nothing to undo. */
static void
add_undo(DebyeFormPage *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  add_shortcut(GTK_SHORTCUT_CONTROLLER(keys), GDK_CONTROL_MASK, undo);
  add_shortcut(GTK_SHORTCUT_CONTROLLER(keys), GDK_CONTROL_MASK | GDK_SHIFT_MASK, redo);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
}

/* --- Rows --- */

static void
add_row(DebyeFormPage *self, const DebyeSetting *setting)
{
  GtkWidget *row = debye_setting_row_new(setting, debye_analysis_form_get_request(self->form));
  gtk_list_box_append(setting->basic ? self->basic : self->advanced, row);
  g_ptr_array_add(self->rows, row);
  g_signal_connect_object(row, "problem", G_CALLBACK(on_row_problem), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(row, "edit", G_CALLBACK(on_row_edit), self, G_CONNECT_DEFAULT);
}

static guint
find_group(DebyeFormPage *self, GtkListBoxRow *row)
{
  return debye_setting_groups_find(debye_analysis_form_get_table(self->form),
                                   debye_setting_row_get_setting(DEBYE_SETTING_ROW(row)));
}

static void
add_group(DebyeFormPage *self, guint group)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(self->form);
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (!setting->of_files && !setting->basic && debye_setting_groups_find(table, setting) == group)
      add_row(self, setting);
  }
}

/* Above the first row of a group that is shown. */
static void
show_heading(GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  DebyeFormPage *self = data;
  const guint group = find_group(self, row);
  if (before != NULL && find_group(self, before) == group) {
    gtk_list_box_row_set_header(row, NULL);
    return;
  }
  GtkWidget *label = gtk_label_new(debye_setting_groups_get_title(group));
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_widget_add_css_class(label, "group-title");
  gtk_list_box_row_set_header(row, label);
}

static void
show_form(DebyeFormPage *self)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(self->form);
  gtk_label_set_label(self->title, _(table->title));
  gtk_label_set_label(self->question, _(table->question));
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->help), "s", table->id);
  for (gsize i = 0; i < table->n_settings; i++)
    if (!table->settings[i].of_files && table->settings[i].basic)
      add_row(self, &table->settings[i]);
  for (guint group = 0; group < debye_setting_groups_count(); group++)
    add_group(self, group);
  gtk_list_box_set_header_func(self->advanced, show_heading, self, NULL);
  show_relevant(self);
  show_suggested(self);
  show_advice(self);
  show_remark(self);
  show_problem(self);
}

static void
on_run_clicked(DebyeFormPage *self)
{
  g_signal_emit_by_name(self, "run");
}

GtkWidget *
debye_form_page_new(DebyeAnalysisForm *form)
{
  DebyeFormPage *self = g_object_new(DEBYE_TYPE_FORM_PAGE, NULL);
  self->form = g_object_ref(form);
  self->history = debye_request_history_new(debye_analysis_form_get_request(form));
  show_form(self);
  g_object_bind_property(form, "can-run", self->run, "sensitive", G_BINDING_SYNC_CREATE);
  g_signal_connect_object(form, "suggested", G_CALLBACK(show_suggested), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(form, "advised", G_CALLBACK(show_advice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(form, "remarked", G_CALLBACK(show_remark), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(form, "judged", G_CALLBACK(show_problem), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(debye_analysis_form_get_request(form), "changed", G_CALLBACK(on_request_changed),
                          self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}

DebyeAnalysisForm *
debye_form_page_get_form(DebyeFormPage *self)
{
  g_return_val_if_fail(DEBYE_IS_FORM_PAGE(self), NULL);
  return self->form;
}

void
debye_form_page_set_system(DebyeFormPage *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_FORM_PAGE(self));
  for (guint i = 0; i < self->rows->len; i++)
    debye_setting_row_set_system(g_ptr_array_index(self->rows, i), topology, frame);
}

void
debye_form_page_append(DebyeFormPage *self, GtkWidget *widget)
{
  g_return_if_fail(DEBYE_IS_FORM_PAGE(self));
  gtk_box_append(self->content, widget);
}

static void
debye_form_page_dispose(GObject *object)
{
  DebyeFormPage *self = DEBYE_FORM_PAGE(object);
  g_ptr_array_set_size(self->rows, 0);
  /* Headings are asked for while the rows go. */
  if (self->form != NULL)
    gtk_list_box_set_header_func(self->advanced, NULL, NULL, NULL);
  g_clear_object(&self->form);
  g_clear_object(&self->history);
  G_OBJECT_CLASS(debye_form_page_parent_class)->dispose(object);
}

static void
debye_form_page_finalize(GObject *object)
{
  g_ptr_array_unref(DEBYE_FORM_PAGE(object)->rows);
  G_OBJECT_CLASS(debye_form_page_parent_class)->finalize(object);
}

static void
debye_form_page_class_init(DebyeFormPageClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_form_page_dispose;
  G_OBJECT_CLASS(class)->finalize = debye_form_page_finalize;
  g_signal_new("run", DEBYE_TYPE_FORM_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/form_page.ui");
  DEBYE_BIND_CHILDREN(class, DebyeFormPage, content, title, question, remark, basic, more, advanced,
                      estimate);
  DEBYE_BIND_CHILDREN(class, DebyeFormPage, run, help);
  DEBYE_BIND_CALLBACKS(class, on_run_clicked, on_reset_clicked);
}

static void
debye_form_page_init(DebyeFormPage *self)
{
  self->rows = g_ptr_array_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  add_undo(self);
}

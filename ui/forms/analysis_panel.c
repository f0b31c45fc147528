/* SPDX-License-Identifier: MIT */
/* The Analyse side of the side bar: the list of analyses, the chosen form and the results; part of
 * window.c. */
#include "analysis_panel.h"

#include <glib/gi18n.h>

#include "form_page.h"
#include "results_panel.h"
#include "ui/widgets/template.h"

struct _DebyeAnalysisPanel {
  AdwBin parent_instance;
  GtkStack *stack;
  GtkBox *overview;
  GtkListBox *list;
  GtkButton *back;
  AdwBin *place;

  GListModel *forms, *results;
  DebyeTopology *topology;
  DebyeFrame *frame;
};

G_DEFINE_FINAL_TYPE(DebyeAnalysisPanel, debye_analysis_panel, ADW_TYPE_BIN)

static DebyeFormPage *
current_page(DebyeAnalysisPanel *self)
{
  GtkWidget *child = adw_bin_get_child(self->place);
  return child != NULL ? DEBYE_FORM_PAGE(child) : NULL;
}

static void
on_run(DebyeAnalysisPanel *self)
{
  g_signal_emit_by_name(self, "run", debye_analysis_panel_get_form(self));
}

static GtkWidget *
create_row(gpointer item, gpointer data G_GNUC_UNUSED)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(item);
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), _(table->title));
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), _(table->question));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), gtk_image_new_from_icon_name("go-next-symbolic"));
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
  return row;
}

static void
on_row_activated(GtkListBox *list G_GNUC_UNUSED, GtkListBoxRow *row, DebyeAnalysisPanel *self)
{
  g_autoptr(DebyeAnalysisForm) form =
      g_list_model_get_item(self->forms, (guint)gtk_list_box_row_get_index(row));
  debye_analysis_panel_show_form(self, form);
}

static void
on_back_clicked(DebyeAnalysisPanel *self)
{
  gtk_stack_set_visible_child_name(self->stack, "list");
  g_signal_emit_by_name(self, "turned");
}

void
debye_analysis_panel_show_form(DebyeAnalysisPanel *self, DebyeAnalysisForm *form)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_PANEL(self) && DEBYE_IS_ANALYSIS_FORM(form));
  DebyeFormPage *shown = current_page(self);
  if (shown == NULL || debye_form_page_get_form(shown) != form) {
    GtkWidget *page = debye_form_page_new(form);
    g_signal_connect_object(page, "run", G_CALLBACK(on_run), self, G_CONNECT_SWAPPED);
    debye_form_page_set_system(DEBYE_FORM_PAGE(page), self->topology, self->frame);
    if (self->results != NULL)
      debye_form_page_append(DEBYE_FORM_PAGE(page), debye_results_panel_new(self->results));
    adw_bin_set_child(self->place, page);
  }
  gtk_stack_set_visible_child_name(self->stack, "form");
  g_signal_emit_by_name(self, "turned");
}

void
debye_analysis_panel_set_forms(DebyeAnalysisPanel *self, GListModel *forms)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_PANEL(self) && G_IS_LIST_MODEL(forms));
  g_set_object(&self->forms, forms);
  gtk_list_box_bind_model(self->list, forms, create_row, self, NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->back), g_list_model_get_n_items(forms) > 1);
  if (g_list_model_get_n_items(forms) == 1) {
    g_autoptr(DebyeAnalysisForm) only = g_list_model_get_item(forms, 0);
    debye_analysis_panel_show_form(self, only);
  }
}

void
debye_analysis_panel_set_system(DebyeAnalysisPanel *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_PANEL(self));
  g_set_object(&self->topology, topology);
  g_clear_pointer(&self->frame, debye_frame_unref);
  self->frame = frame != NULL ? debye_frame_ref(frame) : NULL;
  if (current_page(self) != NULL)
    debye_form_page_set_system(current_page(self), topology, frame);
}

void
debye_analysis_panel_set_results(DebyeAnalysisPanel *self, GListModel *results)
{
  g_return_if_fail(DEBYE_IS_ANALYSIS_PANEL(self) && G_IS_LIST_MODEL(results));
  g_set_object(&self->results, results);
  gtk_box_append(self->overview, debye_results_panel_new(results));
}

DebyeAnalysisForm *
debye_analysis_panel_get_form(DebyeAnalysisPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_ANALYSIS_PANEL(self), NULL);
  DebyeFormPage *page = current_page(self);
  gboolean shown = g_strcmp0(gtk_stack_get_visible_child_name(self->stack), "form") == 0;
  return page != NULL && shown ? debye_form_page_get_form(page) : NULL;
}

static void
debye_analysis_panel_dispose(GObject *object)
{
  DebyeAnalysisPanel *self = DEBYE_ANALYSIS_PANEL(object);
  g_clear_object(&self->forms);
  g_clear_object(&self->results);
  g_clear_object(&self->topology);
  g_clear_pointer(&self->frame, debye_frame_unref);
  G_OBJECT_CLASS(debye_analysis_panel_parent_class)->dispose(object);
}

static void
debye_analysis_panel_class_init(DebyeAnalysisPanelClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_analysis_panel_dispose;
  g_signal_new("run", DEBYE_TYPE_ANALYSIS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               DEBYE_TYPE_ANALYSIS_FORM);
  g_signal_new("turned", DEBYE_TYPE_ANALYSIS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/analysis_panel.ui");
  DEBYE_BIND_CHILDREN(class, DebyeAnalysisPanel, stack, overview, list, back, place);
  DEBYE_BIND_CALLBACKS(class, on_row_activated, on_back_clicked);
}

static void
debye_analysis_panel_init(DebyeAnalysisPanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}

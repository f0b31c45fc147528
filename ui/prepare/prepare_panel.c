/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_panel.h; filled by app/preparing. */
#include "prepare_panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "decision_row.h"
#include "ui/widgets/setting_row.h"
#include "ui/widgets/template.h"

struct _DebyePreparePanel {
  AdwBin parent_instance;
  GtkLabel *facts, *plan, *problem, *origin, *ph_value;
  GtkScrolledWindow *top;
  GtkToggleButton *settings;
  GtkListBox *rows;
  AdwActionRow *ligands;
  GtkButton *no_ligands;
  GtkButton *run;
  GtkBox *decided, *ph_box;
  GtkScale *ph;
  GtkSearchEntry *search;
  GtkToggleButton *all;
  GtkStack *lists;
  GtkListView *list;

  GListStore *items;
  GPtrArray *touched; /* DebyeDecisionItem whose row shows another state than it has */
  GtkFilterListModel *filtered;
  GtkSingleSelection *selection;
  gboolean is_filling, is_ready;
};

G_DEFINE_FINAL_TYPE(DebyePreparePanel, debye_prepare_panel, ADW_TYPE_BIN)

static void
show_text(GtkLabel *label, const char *text)
{
  gtk_label_set_label(label, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(label), text != NULL && *text != '\0');
}

/* --- What a person does --- */

static void
on_run_clicked(DebyePreparePanel *self)
{
  g_signal_emit_by_name(self, "run");
}

/* Beside the list of decisions it comes with the settings. */
static void
show_run(DebyePreparePanel *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self->run), gtk_toggle_button_get_active(self->settings) ||
                                                    !gtk_widget_get_visible(GTK_WIDGET(self->decided)));
}

static void
on_undo_clicked(DebyePreparePanel *self)
{
  g_signal_emit_by_name(self, "undo");
}

static void
on_save_clicked(DebyePreparePanel *self)
{
  g_signal_emit_by_name(self, "save");
}

static void
on_ph_moved(DebyePreparePanel *self)
{
  const double ph = gtk_range_get_value(GTK_RANGE(self->ph));
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gtk_label_set_text(self->ph_value, g_ascii_formatd(text, sizeof text, "%.1f", ph));
  if (!self->is_filling)
    g_signal_emit_by_name(self, "ph-moved", ph);
}

static void
on_ligand_clicked(DebyePreparePanel *self)
{
  g_signal_emit_by_name(self, "ligand-wanted");
}

static void
on_no_ligands_clicked(DebyePreparePanel *self)
{
  g_signal_emit_by_name(self, "ligands-cleared");
}

static void
on_selected(DebyePreparePanel *self)
{
  DebyeDecisionItem *item = gtk_single_selection_get_selected_item(self->selection);
  if (item != NULL && !self->is_filling)
    g_signal_emit_by_name(self, "shown", item);
}

static void
on_state_chosen(DebyePreparePanel *self, DebyeDecisionItem *item, const char *state)
{
  g_ptr_array_add(self->touched, g_object_ref(item));
  g_signal_emit_by_name(self, "state-chosen", item, state);
}

/* --- The list --- */

static gboolean
is_listed(gpointer item, gpointer data)
{
  DebyePreparePanel *self = data;
  const gboolean is_shown =
      gtk_toggle_button_get_active(self->all) || debye_decision_item_get(item)->is_decision;
  return is_shown && debye_decision_item_matches(item, gtk_editable_get_text(GTK_EDITABLE(self->search)));
}

static void
show_list(DebyePreparePanel *self)
{
  const gboolean is_empty = g_list_model_get_n_items(G_LIST_MODEL(self->filtered)) == 0;
  gtk_stack_set_visible_child_name(self->lists, is_empty ? "none" : "some");
}

static void
on_filter_changed(DebyePreparePanel *self)
{
  gtk_filter_changed(gtk_filter_list_model_get_filter(self->filtered), GTK_FILTER_CHANGE_DIFFERENT);
  show_list(self);
}

static void
on_setup(GtkListItemFactory *factory G_GNUC_UNUSED, GtkListItem *row, DebyePreparePanel *self)
{
  GtkWidget *child = debye_decision_row_new();
  g_signal_connect_object(child, "state-chosen", G_CALLBACK(on_state_chosen), self, G_CONNECT_SWAPPED);
  gtk_list_item_set_child(row, child);
}

static void
on_bind(GtkListItemFactory *factory G_GNUC_UNUSED, GtkListItem *row, DebyePreparePanel *self G_GNUC_UNUSED)
{
  debye_decision_row_set_item(DEBYE_DECISION_ROW(gtk_list_item_get_child(row)), gtk_list_item_get_item(row));
}

static void
on_unbind(GtkListItemFactory *factory G_GNUC_UNUSED, GtkListItem *row, DebyePreparePanel *self G_GNUC_UNUSED)
{
  debye_decision_row_set_item(DEBYE_DECISION_ROW(gtk_list_item_get_child(row)), NULL);
}

static void
add_list(DebyePreparePanel *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  GtkFilter *filter = GTK_FILTER(gtk_custom_filter_new(is_listed, self, NULL));
  self->items = g_list_store_new(DEBYE_TYPE_DECISION_ITEM);
  self->filtered = gtk_filter_list_model_new(G_LIST_MODEL(g_object_ref(self->items)), filter);
  self->selection = g_object_new(GTK_TYPE_SINGLE_SELECTION, "autoselect", FALSE, "can-unselect", TRUE,
                                 "model", self->filtered, NULL);
  g_signal_connect_object(factory, "setup", G_CALLBACK(on_setup), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(factory, "bind", G_CALLBACK(on_bind), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(factory, "unbind", G_CALLBACK(on_unbind), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(self->selection, "notify::selected-item", G_CALLBACK(on_selected), self,
                          G_CONNECT_SWAPPED);
  gtk_list_view_set_factory(self->list, factory);
  gtk_list_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
  g_object_unref(factory);
}

/* Rows that say the same as before stay, so that the list does not jump under the pointer. */
static void
take_items(DebyePreparePanel *self, GPtrArray *decisions)
{
  GListModel *model = G_LIST_MODEL(self->items);
  const gboolean is_same_length = g_list_model_get_n_items(model) == decisions->len;
  if (!is_same_length) {
    g_list_store_splice(self->items, 0, g_list_model_get_n_items(model), decisions->pdata, decisions->len);
    return;
  }
  for (guint i = 0; i < decisions->len; i++) {
    g_autoptr(DebyeDecisionItem) old = g_list_model_get_item(model, i);
    if (!debye_decision_item_equals(old, decisions->pdata[i]))
      g_list_store_splice(self->items, i, 1, &decisions->pdata[i], 1);
  }
}

static void
choose_again(DebyePreparePanel *self, DebyeDecisionItem *chosen)
{
  for (guint i = 0; chosen != NULL && i < g_list_model_get_n_items(G_LIST_MODEL(self->filtered)); i++) {
    g_autoptr(DebyeDecisionItem) item = g_list_model_get_item(G_LIST_MODEL(self->filtered), i);
    if (debye_decision_item_is_of(item, chosen)) {
      gtk_single_selection_set_selected(self->selection, i);
      return;
    }
  }
  gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
}

/* --- From above --- */

void
debye_prepare_panel_set_decisions(DebyePreparePanel *self, GPtrArray *decisions, const char *summary,
                                  const char *origin)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  const gboolean was_decided = gtk_widget_get_visible(GTK_WIDGET(self->decided));
  g_autoptr(DebyeDecisionItem) chosen = NULL;
  g_set_object(&chosen, gtk_single_selection_get_selected_item(self->selection));
  debye_prepare_panel_take_back(self);
  self->is_filling = TRUE;
  if (decisions != NULL)
    take_items(self, decisions);
  else
    g_list_store_remove_all(self->items);
  choose_again(self, chosen);
  self->is_filling = FALSE;
  show_list(self);
  show_text(self->origin, origin);
  if (summary != NULL)
    debye_prepare_panel_set_facts(self, summary, NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->decided), decisions != NULL);
  gtk_button_set_label(self->run, decisions != NULL ? _("Prepare again") : _("Prepare"));
  /* What matters now is the list. */
  if (was_decided != (decisions != NULL))
    gtk_toggle_button_set_active(self->settings, decisions == NULL);
  gtk_widget_set_vexpand(GTK_WIDGET(self->top), decisions == NULL);
  show_run(self);
}

void
debye_prepare_panel_take_back(DebyePreparePanel *self)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  self->is_filling = TRUE;
  for (guint k = 0; k < self->touched->len; k++) {
    DebyeDecisionItem *item = self->touched->pdata[k];
    g_autoptr(DebyeDecisionItem) same = debye_decision_item_new(debye_decision_item_get(item));
    gpointer added[] = {same};
    guint place;
    if (g_list_store_find(self->items, item, &place))
      g_list_store_splice(self->items, place, 1, added, 1);
  }
  g_ptr_array_set_size(self->touched, 0);
  self->is_filling = FALSE;
}

void
debye_prepare_panel_set_facts(DebyePreparePanel *self, const char *facts, const char *plan)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  show_text(self->facts, facts);
  show_text(self->plan, plan);
}

void
debye_prepare_panel_set_problem(DebyePreparePanel *self, const char *problem)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  show_text(self->problem, problem);
}

static void
update_run(DebyePreparePanel *self)
{
  gboolean is_ready = self->is_ready;
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++)
    is_ready = is_ready &&
               (!DEBYE_IS_SETTING_ROW(row) || debye_setting_row_get_problem(DEBYE_SETTING_ROW(row)) == NULL);
  gtk_widget_set_sensitive(GTK_WIDGET(self->run), is_ready);
}

void
debye_prepare_panel_set_ready(DebyePreparePanel *self, gboolean is_ready)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  self->is_ready = is_ready;
  update_run(self);
}

/* Some settings are of one titration alone. */
static void
show_rows(DebyePreparePanel *self, DebyeRequest *request)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++)
    if (DEBYE_IS_SETTING_ROW(row))
      gtk_widget_set_visible(
          GTK_WIDGET(row),
          debye_request_is_relevant(request, debye_setting_row_get_setting(DEBYE_SETTING_ROW(row))));
}

/* `key`: of the setting. */
static void
on_setting_changed(DebyePreparePanel *self, const char *key G_GNUC_UNUSED, DebyeRequest *request)
{
  show_rows(self, request);
  g_signal_emit_by_name(self, "settings-changed");
}

void
debye_prepare_panel_set_request(DebyePreparePanel *self, DebyeRequest *request, const char *const *keys)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self) && DEBYE_IS_REQUEST(request));
  for (; *keys != NULL; keys++) {
    const DebyeSetting *setting = debye_setting_table_find(debye_request_get_table(request), *keys);
    GtkWidget *row = debye_setting_row_new(setting, request);
    g_signal_connect_object(row, "problem", G_CALLBACK(update_run), self, G_CONNECT_SWAPPED);
    gtk_list_box_append(self->rows, row);
  }
  gtk_list_box_append(self->rows, GTK_WIDGET(self->ligands));
  show_rows(self, request);
  g_signal_connect_object(request, "changed", G_CALLBACK(on_setting_changed), self, G_CONNECT_SWAPPED);
}

void
debye_prepare_panel_set_system(DebyePreparePanel *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++)
    if (DEBYE_IS_SETTING_ROW(row))
      debye_setting_row_set_system(DEBYE_SETTING_ROW(row), topology, frame);
}

void
debye_prepare_panel_set_ph(DebyePreparePanel *self, double ph)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self));
  gtk_widget_set_visible(GTK_WIDGET(self->ph_box), !isnan(ph));
  self->is_filling = TRUE;
  if (!isnan(ph))
    gtk_range_set_value(GTK_RANGE(self->ph), ph);
  self->is_filling = FALSE;
}

void
debye_prepare_panel_set_ligands(DebyePreparePanel *self, const char *const *paths)
{
  g_return_if_fail(DEBYE_IS_PREPARE_PANEL(self) && paths != NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (const char *const *path = paths; *path != NULL; path++)
    g_ptr_array_add(names, g_filename_display_basename(*path));
  g_ptr_array_add(names, NULL);
  g_autofree char *text = g_strjoinv(", ", (char **)names->pdata);
  g_autofree char *escaped = g_markup_escape_text(text, -1);
  adw_action_row_set_subtitle(self->ligands,
                              *paths != NULL ? escaped : _("Mol2, SDF or mmCIF component, with bond orders"));
  gtk_widget_set_visible(GTK_WIDGET(self->no_ligands), *paths != NULL);
}

/* --- The object --- */

static void
debye_prepare_panel_dispose(GObject *object)
{
  DebyePreparePanel *self = DEBYE_PREPARE_PANEL(object);
  if (self->list != NULL)
    gtk_list_view_set_model(self->list, NULL);
  g_clear_object(&self->selection);
  g_clear_object(&self->filtered);
  g_clear_object(&self->items);
  g_clear_pointer(&self->touched, g_ptr_array_unref);
  G_OBJECT_CLASS(debye_prepare_panel_parent_class)->dispose(object);
}

static void
add_signal(GType type, const char *name, guint n_parameters, GType first, GType second)
{
  g_signal_new(name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, n_parameters, first, second);
}

static void
debye_prepare_panel_class_init(DebyePreparePanelClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class), item = DEBYE_TYPE_DECISION_ITEM, none = G_TYPE_NONE;
  G_OBJECT_CLASS(class)->dispose = debye_prepare_panel_dispose;
  add_signal(type, "run", 0, none, none);
  add_signal(type, "undo", 0, none, none);
  add_signal(type, "save", 0, none, none);
  add_signal(type, "shown", 1, item, none);
  add_signal(type, "state-chosen", 2, item, G_TYPE_STRING);
  add_signal(type, "settings-changed", 0, none, none);
  add_signal(type, "ph-moved", 1, G_TYPE_DOUBLE, none);
  add_signal(type, "ligand-wanted", 0, none, none);
  add_signal(type, "ligands-cleared", 0, none, none);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/prepare_panel.ui");
  DEBYE_BIND_CHILDREN(class, DebyePreparePanel, facts, plan, problem, origin, top, settings, rows, ligands);
  DEBYE_BIND_CHILDREN(class, DebyePreparePanel, no_ligands, run, decided, ph_box, ph, ph_value, search, all);
  DEBYE_BIND_CHILDREN(class, DebyePreparePanel, lists, list);
  DEBYE_BIND_CALLBACKS(class, on_run_clicked, on_undo_clicked, on_save_clicked, on_ph_moved,
                       on_ligand_clicked, on_no_ligands_clicked, on_filter_changed, show_run);
}

static void
debye_prepare_panel_init(DebyePreparePanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->touched = g_ptr_array_new_with_free_func(g_object_unref);
  add_list(self);
  for (int ph = 0; ph <= 14; ph += 7)
    gtk_scale_add_mark(self->ph, ph, GTK_POS_BOTTOM, ph == 0 ? "0" : ph == 7 ? "7" : "14");
  debye_prepare_panel_set_ligands(self, (const char *const[]){NULL});
}

/* SPDX-License-Identifier: MIT */
/* The list of results, one row per result, newest first as in the model; shown by analysis_panel.c. */
#include "results_panel.h"

#include <glib/gi18n.h>
#include <adwaita.h>

#include "data/results/result.h"
#include "data/messages/message.h"
#include "data/tables/unit_text.h"
#include "ui/widgets/map_menu.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/result_labels.h"
#include "result_description.h"

/* Of a row's button: the result's place in the list. */
#define POSITION "debye-position"

struct _DebyeResultsPanel {
  GtkBox parent_instance;
  GtkListBox *list;
  GListModel *results;
};

G_DEFINE_FINAL_TYPE(DebyeResultsPanel, debye_results_panel, GTK_TYPE_BOX)

/* "kT/e · 64 × 60 × 71 · 0.8 s · partial" */
static char *
summarise(DebyeResult *result)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  g_autofree char *duration = debye_duration_text(debye_result_get_wall_time(result));
  GString *text = g_string_new(NULL);
  if (field != NULL) {
    const DebyeGrid *grid = debye_field_get_grid(field);
    g_autofree char *unit = debye_unit_to_text(debye_field_get_unit(field));
    g_string_append_printf(text, "%s%s%zu × %zu × %zu · ", unit, *unit != '\0' ? " · " : "", grid->shape[0],
                           grid->shape[1], grid->shape[2]);
  }
  g_string_append(text, duration);
  if (debye_result_is_partial(result))
    g_string_append(text, _(" · stopped early, partial"));
  return g_string_free(text, FALSE);
}

/* Of a result that is a map: what a layer's row offers, too, since a person who looks for it may look here. */
static void
add_map_menu(GMenu *menu, DebyeResult *result, guint position)
{
  if (g_list_model_get_n_items(debye_result_get_fields(result)) == 0)
    return;
  g_autoptr(GMenuModel) of_map = debye_map_menu_create(DEBYE_MAP_MENU_RESULT, position);
  g_menu_append_submenu(menu, _("Plot or compare"), of_map);
}

/* One that is alone in the plot stays there beside those that come. */
static void
add_curves_item(GMenu *menu, DebyeResult *result, guint position)
{
  if (g_list_model_get_n_items(debye_result_get_curves(result)) == 0)
    return;
  g_autoptr(GMenuItem) item = g_menu_item_new(_("Compare in the plot"), NULL);
  g_menu_item_set_action_and_target(item, "win.result-compare", "u", position);
  g_menu_append_item(menu, item);
}

static GMenuModel *
create_menu(DebyeResult *result, guint position)
{
  static const struct {
    const char *label, *action;
  } entries[] = {
      {N_("Details"), "win.result-details"},
      {N_("Run again"), "win.result-run-again"},
      {N_("Copy as command"), "win.result-copy-command"},
      {N_("Export…"), "win.result-export"},
      {N_("Remove"), "win.result-remove"},
  };
  GMenu *menu = g_menu_new();
  add_map_menu(menu, result, position);
  add_curves_item(menu, result, position);
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++) {
    g_autoptr(GMenuItem) item = g_menu_item_new(_(entries[i].label), NULL);
    g_menu_item_set_action_and_target(item, entries[i].action, "u", position);
    g_menu_append_item(menu, item);
  }
  return G_MENU_MODEL(menu);
}

/* When the menu is opened, and not before: GTK 4.8 keeps something of each that a button has. */
static void
show_menu(GtkMenuButton *button, gpointer result)
{
  guint position = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), POSITION));
  g_autoptr(GMenuModel) menu = create_menu(result, position);
  gtk_menu_button_set_menu_model(button, menu);
}

static void
on_secondary_click(GtkMenuButton *button)
{
  gtk_menu_button_popup(button);
}

/* A right click anywhere on the row opens the menu of its button. */
static void
add_secondary_click(GtkWidget *row, GtkWidget *button)
{
  GtkGesture *click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped(click, "pressed", G_CALLBACK(on_secondary_click), button);
  gtk_widget_add_controller(row, GTK_EVENT_CONTROLLER(click));
}

static char *
get_title(DebyeResult *result)
{
  g_autofree char *words = debye_message_translate(debye_result_get_title_message(result));
  return debye_sentence_case(words);
}

/* "14:05" today, else "27 Nov, 14:05". */
static char *
tell_when(DebyeResult *result)
{
  GDateTime *created = debye_result_get_created(result);
  g_autoptr(GDateTime) here = created != NULL ? g_date_time_to_local(created) : NULL;
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  if (here == NULL)
    return NULL;
  const gboolean is_today = g_date_time_get_year(here) == g_date_time_get_year(now) &&
                            g_date_time_get_day_of_year(here) == g_date_time_get_day_of_year(now);
  /* Translators: a day and a time as g_date_time_format() writes them. */
  return g_date_time_format(here, is_today ? "%H:%M" : C_("short day and time", "%-e %b, %H:%M"));
}

/* What the row says below its title: of what, told from the others of its analysis, and when. */
static char *
write_subtitle(DebyeResult *result, const char *label, gboolean is_named)
{
  g_autofree char *summary = summarise(result);
  g_autofree char *when = tell_when(result);
  g_autofree char *title = is_named ? get_title(result) : NULL;
  return g_strdup_printf("%s\n%s%s%s", title != NULL ? title : label, summary, when != NULL ? " · " : "",
                         when != NULL ? when : "");
}

static GtkWidget *
create_row(DebyeResult *result, guint position, const char *label)
{
  g_autofree char *description = debye_result_describe(result);
  g_autofree char *name = debye_result_dup_name(result);
  g_autofree char *title = name != NULL ? g_strdup(name) : get_title(result);
  g_autofree char *subtitle = write_subtitle(result, label, name != NULL);
  GtkWidget *row = adw_action_row_new();
  GtkWidget *button = gtk_menu_button_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(row), "win.result-details");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "u", position);
  gtk_widget_set_tooltip_text(row, description);
  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "view-more-symbolic");
  g_object_set_data(G_OBJECT(button), POSITION, GUINT_TO_POINTER(position));
  gtk_menu_button_set_create_popup_func(GTK_MENU_BUTTON(button), show_menu, g_object_ref(result),
                                        g_object_unref);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Actions for this result"), -1);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), button);
  add_secondary_click(row, button);
  return row;
}

/* Of its file, and of what else differs from the other results of its analysis. */
static char *
tell_apart(DebyeResultsPanel *self, DebyeResult *result)
{
  const DebyeSettingTable *table = debye_request_get_table(debye_result_get_request(result));
  g_autoptr(GPtrArray) alike = g_ptr_array_new_with_free_func(g_object_unref);
  guint own = 0;
  for (guint i = 0; i < g_list_model_get_n_items(self->results); i++) {
    g_autoptr(DebyeResult) other = g_list_model_get_item(self->results, i);
    if (debye_request_get_table(debye_result_get_request(other)) != table)
      continue;
    own = other == result ? alike->len : own;
    g_ptr_array_add(alike, g_steal_pointer(&other));
  }
  g_auto(GStrv) labels = debye_result_labels(alike);
  return g_strdup(labels[own]);
}

/* All rows anew: they carry their place in the list. */
static void
show_results(DebyeResultsPanel *self)
{
  GtkWidget *row;
  while ((row = GTK_WIDGET(gtk_list_box_get_row_at_index(self->list, 0))) != NULL)
    gtk_list_box_remove(self->list, row);
  guint n_results = g_list_model_get_n_items(self->results);
  for (guint i = 0; i < n_results; i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(self->results, i);
    g_autofree char *label = tell_apart(self, result);
    gtk_list_box_append(self->list, create_row(result, i, label));
    g_signal_handlers_disconnect_matched(result, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
    g_signal_connect_object(result, "renamed", G_CALLBACK(show_results), self, G_CONNECT_SWAPPED);
  }
  gtk_widget_set_visible(GTK_WIDGET(self), n_results > 0);
}

GtkWidget *
debye_results_panel_new(GListModel *results)
{
  DebyeResultsPanel *self = g_object_new(DEBYE_TYPE_RESULTS_PANEL, NULL);
  self->results = g_object_ref(results);
  g_signal_connect_object(results, "items-changed", G_CALLBACK(show_results), self, G_CONNECT_SWAPPED);
  show_results(self);
  return GTK_WIDGET(self);
}

static void
debye_results_panel_dispose(GObject *object)
{
  DebyeResultsPanel *self = DEBYE_RESULTS_PANEL(object);
  g_clear_object(&self->results);
  G_OBJECT_CLASS(debye_results_panel_parent_class)->dispose(object);
}

static void
debye_results_panel_class_init(DebyeResultsPanelClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_results_panel_dispose;
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/results_panel.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeResultsPanel, list);
}

static void
debye_results_panel_init(DebyeResultsPanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}

/* SPDX-License-Identifier: MIT */
/* Implementation of message_list.h. */
#include "message_list.h"

#include <glib/gi18n.h>

#define MAX_MESSAGES 200
#define WIDTH 520
#define HEIGHT 480
#define TIME "debye-time"

void
debye_message_list_add(GListStore *messages, const char *text)
{
  g_return_if_fail(G_IS_LIST_STORE(messages) && text != NULL);
  g_autoptr(GtkStringObject) message = gtk_string_object_new(text);
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_object_set_data_full(G_OBJECT(message), TIME, g_date_time_format(now, "%H:%M:%S"), g_free);
  g_list_store_insert(messages, 0, message);
  if (g_list_model_get_n_items(G_LIST_MODEL(messages)) > MAX_MESSAGES)
    g_list_store_remove(messages, MAX_MESSAGES);
  /* For tests of the window: a toast may have gone before a busy machine looks. */
  g_log("debye-toast", G_LOG_LEVEL_DEBUG, "%s", text);
}

static GtkWidget *
create_row(gpointer message, gpointer data G_GNUC_UNUSED)
{
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), gtk_string_object_get_string(message));
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 0);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), g_object_get_data(message, TIME));
  return row;
}

static GtkWidget *
create_list(GListStore *messages)
{
  GtkWidget *list = gtk_list_box_new(), *nothing = gtk_label_new(_("No messages yet"));
  gtk_widget_set_margin_top(nothing, 24);
  gtk_widget_set_margin_bottom(nothing, 24);
  gtk_widget_add_css_class(nothing, "dim-label");
  gtk_list_box_set_placeholder(GTK_LIST_BOX(list), nothing);
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list, "boxed-list");
  gtk_widget_set_valign(list, GTK_ALIGN_START);
  gtk_widget_set_margin_top(list, 12);
  gtk_widget_set_margin_bottom(list, 12);
  gtk_widget_set_margin_start(list, 12);
  gtk_widget_set_margin_end(list, 12);
  gtk_accessible_update_property(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Messages"), -1);
  gtk_list_box_bind_model(GTK_LIST_BOX(list), G_LIST_MODEL(messages), create_row, NULL, NULL);
  return list;
}

GtkWidget *
debye_message_list_create_window(GtkWindow *parent, GListStore *messages)
{
  GtkWidget *window = adw_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new();
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(keys),
      gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0), gtk_named_action_new("window.close")));
  gtk_widget_add_controller(window, keys);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), create_list(messages));
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(box), adw_header_bar_new());
  gtk_box_append(GTK_BOX(box), scrolled);
  adw_window_set_content(ADW_WINDOW(window), box);
  gtk_window_set_title(GTK_WINDOW(window), _("Messages"));
  gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
  gtk_window_set_transient_for(GTK_WINDOW(window), parent);
  gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
  return window;
}

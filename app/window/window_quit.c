/* SPDX-License-Identifier: MIT */
/* Asks once for all windows before the program ends; called by application.c. */
#include "window_quit.h"

#include <glib/gi18n.h>

/* Of the application: all are being saved; the question that is asked. */
#define QUITTING_KEY "debye-quitting"
#define QUESTION_KEY "debye-quit-question"

static GtkWindow *
get_window(DebyeWindowController *controller)
{
  return GTK_WINDOW(debye_window_controller_get_parts(controller)->window);
}

/* One that was closed may still wait, out of sight, for its workers. (element-type DebyeWindowController) */
static GPtrArray *
list_controllers(GtkApplication *application)
{
  GPtrArray *controllers = g_ptr_array_new_with_free_func(g_object_unref);
  for (GList *link = gtk_application_get_windows(application); link != NULL; link = link->next)
    if (DEBYE_IS_WINDOW(link->data) && gtk_widget_get_visible(link->data))
      g_ptr_array_add(controllers, g_object_ref(debye_window_controller_of(link->data)));
  return controllers;
}

static void
close_all(GtkApplication *application)
{
  g_autoptr(GList) windows = g_list_copy(gtk_application_get_windows(application));
  for (GList *link = windows; link != NULL; link = link->next)
    gtk_window_close(GTK_WINDOW(link->data));
}

static void
discard_all(GtkApplication *application)
{
  g_autoptr(GPtrArray) controllers = list_controllers(application);
  for (guint i = 0; i < controllers->len; i++)
    debye_window_controller_discard(controllers->pdata[i]);
  close_all(application);
}

/* --- Saving, one window after the other --- */

static void
set_quitting(GtkApplication *application, gboolean quitting)
{
  g_object_set_data(G_OBJECT(application), QUITTING_KEY, quitting ? application : NULL);
}

static void
save_next(GtkApplication *application)
{
  g_autoptr(GPtrArray) controllers = list_controllers(application);
  for (guint i = 0; i < controllers->len; i++) {
    DebyeWindowController *controller = controllers->pdata[i];
    if (!debye_window_session_has_unsaved(debye_window_controller_get_parts(controller)->session))
      continue;
    gtk_window_present(get_window(controller));
    debye_window_controller_save_and_close(controller);
    return;
  }
  set_quitting(application, FALSE);
  discard_all(application); /* nothing is left to lose but what is running */
}

static gboolean
on_idle(gpointer application)
{
  if (g_object_get_data(G_OBJECT(application), QUITTING_KEY) != NULL)
    save_next(application);
  return G_SOURCE_REMOVE;
}

static void
on_leaving(GtkApplication *application)
{
  if (g_object_get_data(G_OBJECT(application), QUITTING_KEY) != NULL)
    g_idle_add_full(G_PRIORITY_DEFAULT, on_idle, g_object_ref(application), g_object_unref);
}

static void
on_staying(GtkApplication *application)
{
  set_quitting(application, FALSE);
}

void
debye_window_quit_follow(GtkApplication *application, DebyeWindowController *controller)
{
  g_return_if_fail(GTK_IS_APPLICATION(application) && DEBYE_IS_WINDOW_CONTROLLER(controller));
  g_signal_connect_object(controller, "leaving", G_CALLBACK(on_leaving), application, G_CONNECT_SWAPPED);
  g_signal_connect_object(controller, "staying", G_CALLBACK(on_staying), application, G_CONNECT_SWAPPED);
}

/* --- Asking --- */

static char *
name_window(DebyeWindowController *controller)
{
  const char *path = debye_window_session_get_path(debye_window_controller_get_parts(controller)->session);
  if (path != NULL)
    return g_filename_display_basename(path);
  DebyeDocument *document =
      debye_window_document_get_document(debye_window_controller_get_parts(controller)->document);
  return document != NULL ? debye_document_get_title(document) : g_strdup("Debye");
}

/* "helix.psf + helix.xtc" and what is lost of it, a line each; nothing where nothing is. TRUE: some of it can
 * be saved. */
static gboolean
describe_window(DebyeWindowController *controller, GString *text)
{
  g_auto(DebyeUnsaved) unsaved = {0};
  debye_window_session_find_unsaved(debye_window_controller_get_parts(controller)->session, &unsaved);
  gboolean is_computing =
      debye_window_document_is_computing(debye_window_controller_get_parts(controller)->document);
  gboolean can_save = !debye_unsaved_is_nothing(&unsaved);
  if (!can_save && !is_computing)
    return FALSE;
  g_autofree char *name = name_window(controller);
  g_autofree char *story = can_save ? debye_unsaved_describe(&unsaved) : g_strdup("");
  g_string_append_printf(text, "%s%s", text->len > 0 ? "\n\n" : "", name);
  if (can_save)
    g_string_append_printf(text, "\n%s", story);
  if (is_computing)
    g_string_append_printf(text, "\n%s", _("Running jobs will be stopped."));
  return can_save;
}

static void
on_response(AdwMessageDialog *dialog, const char *response, GtkApplication *application)
{
  /* GTK still has it in hand when the window has gone, and would reach for its parent. */
  gtk_window_set_transient_for(GTK_WINDOW(dialog), NULL);
  g_object_set_data(G_OBJECT(application), QUESTION_KEY, NULL);
  if (g_strcmp0(response, "discard") == 0)
    discard_all(application);
  if (g_strcmp0(response, "save") != 0)
    return;
  set_quitting(application, TRUE);
  save_next(application);
}

/* Also with the window that it stands over. */
static void
on_question_gone(GtkApplication *application)
{
  g_object_set_data(G_OBJECT(application), QUESTION_KEY, NULL);
}

static GtkWidget *
create_question(GtkWindow *parent, const char *text, gboolean can_save)
{
  GtkWidget *widget =
      adw_message_dialog_new(parent, can_save ? _("Save before quitting?") : _("Stop running jobs?"), text);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(widget);
  adw_message_dialog_add_responses(dialog, "cancel", can_save ? _("Cancel") : _("Keep running"), "discard",
                                   can_save ? _("Discard all") : _("Stop and quit"), NULL);
  adw_message_dialog_set_response_appearance(dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  if (can_save) {
    adw_message_dialog_add_response(dialog, "save", _("Save all"));
    adw_message_dialog_set_response_appearance(dialog, "save", ADW_RESPONSE_SUGGESTED);
  }
  return widget;
}

static void
ask(GtkApplication *application, GPtrArray *controllers, const char *text, gboolean can_save)
{
  DebyeWindowController *first = controllers->pdata[0];
  GtkWidget *dialog = create_question(get_window(first), text, can_save);
  g_object_set_data(G_OBJECT(application), QUESTION_KEY, dialog);
  g_signal_connect_object(dialog, "destroy", G_CALLBACK(on_question_gone), application, G_CONNECT_SWAPPED);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_response), application, G_CONNECT_DEFAULT);
  gtk_window_set_title(GTK_WINDOW(dialog), adw_message_dialog_get_heading(ADW_MESSAGE_DIALOG(dialog)));
  gtk_window_present(GTK_WINDOW(dialog));
}

void
debye_window_quit_ask(GtkApplication *application)
{
  g_return_if_fail(GTK_IS_APPLICATION(application));
  GtkWindow *asked = g_object_get_data(G_OBJECT(application), QUESTION_KEY);
  if (asked != NULL) {
    gtk_window_present(asked);
    return;
  }
  g_autoptr(GPtrArray) controllers = list_controllers(application);
  g_autoptr(GString) text = g_string_new(NULL);
  gboolean can_save = FALSE;
  for (guint i = 0; i < controllers->len; i++)
    can_save = describe_window(controllers->pdata[i], text) || can_save;
  if (controllers->len > 1 && text->len > 0)
    ask(application, controllers, text->str, can_save);
  else
    close_all(application);
}

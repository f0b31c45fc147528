/* SPDX-License-Identifier: MIT */
/* Questions for files, see file_question.h. */
#include "file_question.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define KEY "debye-file-question"

/* Kept with the chooser. */
typedef struct {
  DebyeFileChosen chosen;
  gpointer data;
  GDestroyNotify free_data;
  gulong window_handler;
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  if (question->free_data != NULL)
    question->free_data(question->data);
  g_free(question);
}

static GtkTreeView *
find_list(GtkWidget *widget)
{
  if (widget == NULL || GTK_IS_TREE_VIEW(widget))
    return (GtkTreeView *)widget;
  GtkTreeView *list = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && list == NULL;
       child = gtk_widget_get_next_sibling(child))
    list = find_list(child);
  return list;
}

/* --- After the answer --- */

/* GTK 4.8's chooser hands itself to its list of the folder's files, unprotected: the list calls it for each
 * file that it learns of, and lives on while a row of it is dragged. So the chooser goes when nobody else has
 * the list. (A row's menu is put off to an idle that has no hold on the chooser, either; the list comes half
 * a second after its chooser where the folder is long.) */
#define LOOK_EVERY 250 /* ms */
#define FIRST_LOOK 4   /* by then the list is there and the menu over */
#define OWN_HOLDS 2    /* the chooser's on a list that is shown: as the folder's, and as what is searched */
#define MOST_LOOKS 240 /* what still has the list then, has it for good: the chooser stays */

typedef struct {
  GtkNativeDialog *chooser;
  GtkTreeModel *files; /* weak */
  int n_looks;
} Leaving;

static void
leaving_free(gpointer data)
{
  Leaving *leaving = data;
  g_clear_weak_pointer(&leaving->files);
  g_free(leaving);
}

static void
take_files(Leaving *leaving)
{
  GtkTreeView *list = find_list(g_object_get_data(G_OBJECT(leaving->chooser), "gtk-file-chooser-delegate"));
  GtkTreeModel *files = list != NULL ? gtk_tree_view_get_model(list) : NULL;
  if (files == NULL)
    return;
  g_set_weak_pointer(&leaving->files, files);
  gtk_tree_view_unset_rows_drag_source(list);
  gtk_tree_view_set_model(list, NULL);
}

static gboolean
on_look(gpointer data)
{
  Leaving *leaving = data;
  if (++leaving->n_looks < FIRST_LOOK)
    return G_SOURCE_CONTINUE;
  take_files(leaving);
  if (leaving->n_looks == MOST_LOOKS)
    return G_SOURCE_REMOVE;
  if (leaving->files != NULL && G_OBJECT(leaving->files)->ref_count > OWN_HOLDS)
    return G_SOURCE_CONTINUE;
  g_clear_weak_pointer(&leaving->files);
  g_object_unref(leaving->chooser);
  return G_SOURCE_REMOVE;
}

static void
let_go(GtkNativeDialog *chooser)
{
  Leaving *leaving = g_new0(Leaving, 1);
  g_signal_handlers_disconnect_by_data(chooser, g_object_get_data(G_OBJECT(chooser), KEY));
  g_object_set_data(G_OBJECT(chooser), KEY, NULL);
  leaving->chooser = chooser;
  g_timeout_add_full(G_PRIORITY_LOW, LOOK_EVERY, on_look, leaving, leaving_free);
}

static void
on_window_destroyed(GtkNativeDialog *chooser)
{
  gtk_native_dialog_hide(chooser);
  let_go(chooser);
}

/* The answer may close the window, which must not let go of the chooser a second time. GTK's own handler of
 * that signal stays: it has the same data, so this one goes by its number. */
static void
let_go_of_window(GtkNativeDialog *chooser, const Question *question)
{
  g_signal_handler_disconnect(gtk_native_dialog_get_transient_for(chooser), question->window_handler);
}

static void
on_response(GtkNativeDialog *chooser, int response, const Question *question)
{
  let_go_of_window(chooser, question);
  if (response == GTK_RESPONSE_ACCEPT)
    question->chosen(GTK_FILE_CHOOSER(chooser), question->data);
  let_go(chooser);
}

/* --- The desktop's portal --- */

/* As GTK decides. */
static gboolean
asks_portal(void)
{
  static const GDebugKey portals = {.key = "portals", .value = 1};
  return g_file_test("/.flatpak-info", G_FILE_TEST_EXISTS) ||
         g_parse_debug_string(g_getenv("GDK_DEBUG"), &portals, 1) != 0;
}

static void
tell_of_silence(GtkWindow *window)
{
  GtkWidget *dialog =
      adw_message_dialog_new(window, _("No file can be chosen"),
                             _("The desktop's portal for files (xdg-desktop-portal) does not answer."));
  adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "close", _("Close"));
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_version_known(GObject *bus, GAsyncResult *result, gpointer data)
{
  g_autoptr(GtkNativeDialog) chooser = data;
  g_autoptr(GVariant) version = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
  GtkWindow *window = gtk_native_dialog_get_transient_for(chooser);
  if (window == NULL)
    return;
  if (version != NULL) {
    gtk_native_dialog_show(chooser);
    return;
  }
  let_go_of_window(chooser, g_object_get_data(G_OBJECT(chooser), KEY));
  tell_of_silence(window);
  let_go(chooser);
}

static void
show_by_portal(GDBusConnection *bus, GtkNativeDialog *chooser)
{
  g_dbus_connection_call(bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                         "org.freedesktop.DBus.Properties", "Get",
                         g_variant_new("(ss)", "org.freedesktop.portal.FileChooser", "version"),
                         G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_version_known,
                         g_object_ref(chooser));
}

/* Where a portal is to show the chooser and there is none, GTK says nothing, and no response ever comes. */
static void
show(GtkNativeDialog *chooser)
{
  g_autoptr(GDBusConnection) bus = asks_portal() ? g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL) : NULL;
  if (bus != NULL)
    show_by_portal(bus, chooser);
  else
    gtk_native_dialog_show(chooser);
}

void
debye_file_question_ask(GtkFileChooserNative *chooser, DebyeFileChosen chosen, gpointer data,
                        GDestroyNotify free_data)
{
  GtkNativeDialog *dialog = GTK_NATIVE_DIALOG(chooser);
  g_return_if_fail(gtk_native_dialog_get_transient_for(dialog) != NULL);
  Question *question = g_new(Question, 1);
  *question = (Question){.chosen = chosen, .data = data, .free_data = free_data};
  g_object_set_data_full(G_OBJECT(chooser), KEY, question, question_free);
  g_signal_connect(chooser, "response", G_CALLBACK(on_response), question);
  question->window_handler =
      g_signal_connect_object(gtk_native_dialog_get_transient_for(dialog), "destroy",
                              G_CALLBACK(on_window_destroyed), chooser, G_CONNECT_SWAPPED);
  gtk_native_dialog_set_modal(dialog, TRUE);
  show(dialog);
}

char *
debye_file_question_get_path(GtkFileChooser *chooser)
{
  g_autoptr(GFile) file = gtk_file_chooser_get_file(chooser);
  return file != NULL ? g_file_get_path(file) : NULL;
}

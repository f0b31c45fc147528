/* SPDX-License-Identifier: MIT */
/* Implementation of file_question.h: asks for a file to open or save; called by the window's actions. */
#include "file_question.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define KEY "debye-file-question"
#define LISTS "debye-file-question-lists"

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

/* --- The chooser's end --- */

/* GTK 4.8's chooser hands itself to each list that it makes of a folder's files, unprotected: the list calls
 * it for each file that it learns of, and lives on while a row of it is dragged, also when the chooser shows
 * another folder by then. So the chooser goes when nobody else has one of its lists. (A row's menu is put off
 * to an idle that has no hold on the chooser, either; a list comes half a second after its chooser where the
 * folder is long.) */
#define LOOK_EVERY 250 /* ms */
#define FIRST_LOOK 4   /* by then the list is there and the menu over */
#define OWN_HOLDS 2    /* the chooser's on the list that it shows: as the folder's, and as what is searched */
/* What still has a list then has it for good, be it the chooser's own search: the chooser stays. */
#define MAX_LOOKS 240

/* From the question on. */
typedef struct {
  GtkNativeDialog *chooser;
  GtkTreeView *view;    /* weak; NULL where the desktop's portal asks, or GTK has another chooser */
  GtkTreeModel *newest; /* weak: the list that was shown last */
  GPtrArray *lists;     /* weak: those that were shown and are still there */
  int n_looks;
} Lists;

/* Of the folder's files; the suggestions for a name are in a popover. */
static GtkTreeView *
find_view(GtkWidget *widget)
{
  if (widget == NULL || GTK_IS_TREE_VIEW(widget))
    return (GtkTreeView *)widget;
  if (GTK_IS_POPOVER(widget))
    return NULL;
  GtkTreeView *view = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && view == NULL;
       child = gtk_widget_get_next_sibling(child))
    view = find_view(child);
  return view;
}

static void
lists_clear(gpointer data)
{
  g_ptr_array_unref(((Lists *)data)->lists);
}

static void
lists_unref(Lists *self)
{
  g_atomic_rc_box_release_full(self, lists_clear);
}

static void
lists_release(Lists *self)
{
  g_clear_weak_pointer(&self->view);
  g_clear_weak_pointer(&self->newest);
  lists_unref(self);
}

static void
on_list_gone(gpointer data, GObject *list)
{
  Lists *self = data;
  g_ptr_array_remove_fast(self->lists, list);
  lists_unref(self);
}

static void
on_list_shown(Lists *self)
{
  GtkTreeModel *list = gtk_tree_view_get_model(self->view);
  if (list == NULL || g_object_get_data(G_OBJECT(list), KEY) != NULL)
    return;
  g_object_set_data(G_OBJECT(list), KEY, self);
  g_set_weak_pointer(&self->newest, list);
  g_ptr_array_add(self->lists, list);
  g_object_weak_ref(G_OBJECT(list), on_list_gone, g_atomic_rc_box_acquire(self));
}

static Lists *
lists_new(GtkNativeDialog *chooser)
{
  Lists *self = g_atomic_rc_box_new0(Lists);
  self->chooser = chooser;
  self->lists = g_ptr_array_new();
  g_set_weak_pointer(&self->view,
                     find_view(g_object_get_data(G_OBJECT(chooser), "gtk-file-chooser-delegate")));
  if (self->view != NULL)
    g_signal_connect_swapped(self->view, "notify::model", G_CALLBACK(on_list_shown), self);
  return self;
}

/* Nobody has a list but the chooser and what it shows it with. */
static gboolean
are_its_own(const Lists *self)
{
  if (self->lists->len > (self->newest != NULL ? 1 : 0))
    return FALSE;
  return self->newest == NULL || G_OBJECT(self->newest)->ref_count <= OWN_HOLDS;
}

/* Nothing is shown any more, and no list tells of what it learns. */
static void
take_lists(Lists *self)
{
  GtkWidget *told = gtk_widget_get_ancestor(GTK_WIDGET(self->view), GTK_TYPE_FILE_CHOOSER_WIDGET);
  gtk_tree_view_unset_rows_drag_source(self->view);
  gtk_tree_view_set_model(self->view, NULL);
  for (guint i = 0; told != NULL && i < self->lists->len; i++)
    g_signal_handlers_disconnect_by_data(self->lists->pdata[i], told);
}

static gboolean
on_look(gpointer data)
{
  Lists *self = data;
  if (++self->n_looks < FIRST_LOOK)
    return G_SOURCE_CONTINUE;
  if (self->view != NULL)
    take_lists(self);
  if (self->n_looks < MAX_LOOKS && !are_its_own(self))
    return G_SOURCE_CONTINUE;
  if (self->view != NULL)
    g_signal_handlers_disconnect_by_data(self->view, self);
  if (are_its_own(self))
    g_object_unref(self->chooser);
  return G_SOURCE_REMOVE;
}

static void
let_go(GtkNativeDialog *chooser)
{
  Lists *lists = g_object_get_data(G_OBJECT(chooser), LISTS);
  g_signal_handlers_disconnect_by_data(chooser, g_object_get_data(G_OBJECT(chooser), KEY));
  g_object_set_data(G_OBJECT(chooser), KEY, NULL);
  g_timeout_add_full(G_PRIORITY_LOW, LOOK_EVERY, on_look, lists, (GDestroyNotify)lists_release);
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
      adw_message_dialog_new(window, _("The file dialog is unavailable"),
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
  g_object_set_data(G_OBJECT(chooser), LISTS, lists_new(dialog));
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

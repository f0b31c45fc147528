/* SPDX-License-Identifier: MIT */
/* Questions for files that the desktop's portal should ask: one that does not answer is told of, one that was
 * closed is not. The session bus is the test's own, with no portal but the one that is made here. */
#include <adwaita.h>

#include "ui/widgets/file_question.h"

#define PORTAL "org.freedesktop.portal.Desktop"

static const char portal_interface[] =
    "<node><interface name='org.freedesktop.portal.FileChooser'>"
    "<method name='OpenFile'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"
    "<property name='version' type='u' access='read'/></interface></node>";

static void
on_chosen(GtkFileChooser *chooser G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  g_assert_not_reached();
}

static void
set_over(gpointer data)
{
  *(gboolean *)data = TRUE;
}

static void
wait_for(const gboolean *condition)
{
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while (!*condition && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  g_assert_true(*condition);
}

static GtkWindow *
find_window(GType type)
{
  GListModel *windows = gtk_window_get_toplevels();
  for (guint i = 0; i < g_list_model_get_n_items(windows); i++) {
    g_autoptr(GtkWindow) window = g_list_model_get_item(windows, i);
    if (g_type_is_a(G_OBJECT_TYPE(window), type))
      return window;
  }
  return NULL;
}

/* The windows' events, and what they ask for on the bus. */
static GtkWindow *
wait_for_dialog(double seconds)
{
  const gint64 end = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC);
  GtkWindow *dialog = NULL;
  while ((dialog = find_window(ADW_TYPE_MESSAGE_DIALOG)) == NULL && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, FALSE);
  return dialog;
}

static void
on_gone(gpointer gone, GObject *chooser G_GNUC_UNUSED)
{
  set_over(gone);
}

static GtkWindow *
ask_until(GtkFileChooserAction action, gboolean *over, gboolean *gone)
{
  GtkWindow *window = GTK_WINDOW(gtk_window_new());
  gtk_window_present(window);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new("Which file", window, action, NULL, NULL);
  g_autoptr(GFile) folder = g_file_new_for_path(g_get_tmp_dir());
  gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), folder, NULL);
  g_object_weak_ref(G_OBJECT(chooser), on_gone, gone);
  debye_file_question_ask(chooser, on_chosen, over, set_over);
  return window;
}

/* The chooser goes later than its question. */
static gboolean some_gone;

static GtkWindow *
ask(gboolean *over)
{
  return ask_until(GTK_FILE_CHOOSER_ACTION_OPEN, over, &some_gone);
}

static void
test_silent(void)
{
  gboolean over = FALSE;
  GtkWindow *window = ask(&over);
  wait_for(&over);
  GtkWindow *dialog = wait_for_dialog(20.0);
  g_assert_nonnull(dialog);
  g_assert_true(gtk_window_get_transient_for(dialog) == window);
  const char *body = adw_message_dialog_get_body(ADW_MESSAGE_DIALOG(dialog));
  g_assert_cmpstr(body, ==, "The desktop's portal for files (xdg-desktop-portal) does not answer.");
  gtk_window_destroy(dialog);
  gtk_window_destroy(window);
}

/* The window is closed before it is known that there is no portal. */
static void
test_silent_to_nobody(void)
{
  gboolean over = FALSE;
  GtkWindow *window = ask(&over);
  gtk_window_destroy(window);
  g_assert_null(wait_for_dialog(0.5));
  g_assert_true(over);
}

/* --- A portal whose question is closed --- */

typedef struct {
  GDBusConnection *bus;
  char *asker;
  char *handle;
} Request;

static void
request_free(gpointer data)
{
  Request *request = data;
  g_free(request->asker);
  g_free(request->handle);
  g_free(request);
}

static gboolean
close_question(gpointer data)
{
  const Request *request = data;
  GVariantDict results;
  g_variant_dict_init(&results, NULL);
  g_variant_dict_insert_value(&results, "uris", g_variant_new_strv(NULL, 0));
  g_dbus_connection_emit_signal(request->bus, request->asker, request->handle,
                                "org.freedesktop.portal.Request", "Response",
                                g_variant_new("(u@a{sv})", 2, g_variant_dict_end(&results)), NULL);
  return G_SOURCE_REMOVE;
}

/* A person answers later than GTK has learnt what the question is called. */
static void
on_called(GDBusConnection *bus, const char *sender, const char *path G_GNUC_UNUSED,
          const char *interface G_GNUC_UNUSED, const char *method G_GNUC_UNUSED, GVariant *parameters,
          GDBusMethodInvocation *invocation, gpointer data G_GNUC_UNUSED)
{
  g_autoptr(GVariant) options = g_variant_get_child_value(parameters, 2);
  const char *token = NULL;
  g_assert_true(g_variant_lookup(options, "handle_token", "&s", &token));
  g_autofree char *name = g_strdelimit(g_strdup(sender + 1), ".", '_');
  Request *request = g_new(Request, 1);
  *request = (Request){.bus = bus, .asker = g_strdup(sender)};
  request->handle = g_strdup_printf("/org/freedesktop/portal/desktop/request/%s/%s", name, token);
  g_dbus_method_invocation_return_value(invocation, g_variant_new("(o)", request->handle));
  g_timeout_add_full(G_PRIORITY_DEFAULT, 200, close_question, request, request_free);
}

static GVariant *
on_version_asked(GDBusConnection *bus G_GNUC_UNUSED, const char *sender G_GNUC_UNUSED,
                 const char *path G_GNUC_UNUSED, const char *interface G_GNUC_UNUSED,
                 const char *property G_GNUC_UNUSED, GError **error G_GNUC_UNUSED, gpointer data)
{
  *(gboolean *)data = TRUE;
  return g_variant_new_uint32(4);
}

static void
on_owned(GDBusConnection *bus G_GNUC_UNUSED, const char *name G_GNUC_UNUSED, gpointer data)
{
  *(gboolean *)data = TRUE;
}

static void
test_closed(void)
{
  static const GDBusInterfaceVTable portal = {.method_call = on_called, .get_property = on_version_asked};
  g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(portal_interface, NULL);
  gboolean owned = FALSE, asked = FALSE, over = FALSE;
  const guint object = g_dbus_connection_register_object(bus, "/org/freedesktop/portal/desktop",
                                                         node->interfaces[0], &portal, &asked, NULL, NULL);
  const guint name =
      g_bus_own_name_on_connection(bus, PORTAL, G_BUS_NAME_OWNER_FLAGS_NONE, on_owned, NULL, &owned, NULL);
  wait_for(&owned);
  GtkWindow *window = ask(&over);
  wait_for(&over);
  wait_for(&asked);
  g_assert_null(wait_for_dialog(0.5));
  gtk_window_destroy(window);
  g_bus_unown_name(name);
  g_dbus_connection_unregister_object(bus, object);
}

/* --- Without a portal --- */

/* Of the folder, not the entry's suggestions. */
static GtkTreeModel *
find_files(GtkWidget *widget)
{
  GtkTreeModel *files = GTK_IS_TREE_VIEW(widget) ? gtk_tree_view_get_model(GTK_TREE_VIEW(widget)) : NULL;
  if (files != NULL && strcmp(G_OBJECT_TYPE_NAME(files), "GtkFileSystemModel") != 0)
    files = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && files == NULL;
       child = gtk_widget_get_next_sibling(child))
    files = find_files(child);
  return files;
}

/* That aren't `others`. */
static GtkTreeModel *
wait_for_files(const GtkTreeModel *others)
{
  GtkTreeModel *files = NULL;
  while ((files = find_files(GTK_WIDGET(find_window(GTK_TYPE_FILE_CHOOSER)))) == NULL || files == others)
    g_main_context_iteration(NULL, TRUE);
  return files;
}

/* GTK's own window was closed: nothing is asked of the desktop. Its list of files calls the chooser as long
 * as anyone has the list, as a row that is dragged has, and so does that of the folder before. */
static void
test_own_window(gconstpointer action)
{
  if (g_test_subprocess()) {
    gboolean over = FALSE, gone = FALSE;
    GtkWindow *window = ask_until((GtkFileChooserAction)GPOINTER_TO_INT(action), &over, &gone);
    g_autoptr(GFile) root = g_file_new_for_path("/");
    GtkTreeModel *files = wait_for_files(NULL);
    g_object_ref(files);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(find_window(GTK_TYPE_FILE_CHOOSER)), root, NULL);
    wait_for_files(files);
    gtk_window_close(find_window(GTK_TYPE_FILE_CHOOSER));
    wait_for(&over);
    g_assert_null(wait_for_dialog(2.0));
    g_assert_false(gone);
    g_object_unref(files);
    wait_for(&gone);
    gtk_window_destroy(window);
    return;
  }
  g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed();
}

/* GLib takes the display away together with the session's bus. */
static GTestDBus *
start_bus(void)
{
  g_autofree char *display = g_strdup(g_getenv("DISPLAY"));
  GTestDBus *bus = g_test_dbus_new(G_TEST_DBUS_NONE);
  g_test_dbus_up(bus);
  g_setenv("DISPLAY", display, TRUE);
  return bus;
}

int
main(int argc, char **argv)
{
  static GTestDBus *bus = NULL; /* to the end: GTK keeps its connection */
  g_test_init(&argc, &argv, NULL);
  if (!g_test_subprocess())
    bus = start_bus();
  g_setenv("GDK_DEBUG", g_test_subprocess() ? "" : "portals", TRUE);
  adw_init();
  g_test_add_func("/file-question/silent", test_silent);
  g_test_add_func("/file-question/silent-to-nobody", test_silent_to_nobody);
  g_test_add_func("/file-question/closed", test_closed);
  g_test_add_data_func("/file-question/own-window/open", GINT_TO_POINTER(GTK_FILE_CHOOSER_ACTION_OPEN),
                       test_own_window);
  g_test_add_data_func("/file-question/own-window/save", GINT_TO_POINTER(GTK_FILE_CHOOSER_ACTION_SAVE),
                       test_own_window);
  const int status = g_test_run();
  if (bus != NULL)
    g_test_dbus_stop(bus);
  return status;
}

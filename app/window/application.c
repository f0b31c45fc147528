/* SPDX-License-Identifier: MIT */
/* The window program: its command line, its windows and what all of them share; made by main.c. */
#include "application.h"

#include <glib/gi18n.h>
#include <malloc.h>

#include "data/messages/message.h"
#include "app/installation/devices.h"
#include "app/scene/mesh_device.h"
#include "app/scene/surface_depths.h"
#include "data/work/threads.h"
#include "ui/widgets/gl_context.h"
#include "ui/manual/manual_window.h"
#include "ui/widgets/number_text.h"
#include "ui/dialogs/preferences_window.h"
#include "ui/widgets/gtk_workarounds.h"
#include "window_actions.h"
#include "window_quit.h"

struct _DebyeApplication {
  AdwApplication parent_instance;
  DebyePreferences *preferences;
  DebyeDevices *devices;
  GtkWidget *manual;       /* NULL: not open */
  DebyeRecovery *recovery; /* NULL: no place to write */
  GStrv lost;              /* sessions of runs that crashed */
  gboolean recovery_offered;
};

G_DEFINE_FINAL_TYPE(DebyeApplication, debye_application, ADW_TYPE_APPLICATION)

/* --- Windows --- */

/* Once, in the first window. */
static void
offer_recovery(DebyeApplication *self, DebyeWindow *window)
{
  if (self->lost == NULL || self->lost[0] == NULL)
    return;
  guint n_lost = g_strv_length(self->lost);
  g_autofree char *text =
      g_strdup_printf(ngettext("Debye ended unexpectedly. Its window can be restored",
                               "Debye ended unexpectedly. Its %u windows can be restored", n_lost),
                      n_lost);
  debye_window_toast_offer(window, text, _("Recover"), "app.recover");
}

static DebyeWindowOpening *
on_window_wanted(DebyeApplication *self)
{
  return g_object_ref(debye_window_controller_get_parts(debye_application_create_window(self))->opening);
}

DebyeWindowController *
debye_application_create_window(DebyeApplication *self)
{
  DebyeWindow *window = debye_window_new(GTK_APPLICATION(self), self->preferences);
  DebyeWindowController *controller =
      debye_window_controller_new(window, self->preferences, self->devices, self->recovery);
  debye_window_quit_follow(GTK_APPLICATION(self), controller);
  g_signal_connect_object(debye_window_controller_get_parts(controller)->opening, "window-wanted",
                          G_CALLBACK(on_window_wanted), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(window));
  if (!self->recovery_offered)
    offer_recovery(self, window);
  self->recovery_offered = TRUE;
  return controller;
}

static DebyeWindowOpening *
create_window(DebyeApplication *self)
{
  return debye_window_controller_get_parts(debye_application_create_window(self))->opening;
}

/* NULL: there is none. One that was closed may still wait, out of sight, for its workers. */
static GtkWindow *
get_window_in_front(DebyeApplication *self)
{
  GList *link = gtk_application_get_windows(GTK_APPLICATION(self));
  while (link != NULL && !gtk_widget_get_visible(link->data))
    link = link->next;
  return link != NULL ? link->data : NULL;
}

/* The window in front, where it is empty; else a new one. */
static DebyeWindowOpening *
find_empty_window(DebyeApplication *self)
{
  GtkWindow *active = get_window_in_front(self);
  if (DEBYE_IS_WINDOW(active) && debye_window_get_content(DEBYE_WINDOW(active)) == DEBYE_WINDOW_EMPTY) {
    gtk_window_present(active);
    return debye_window_controller_get_parts(debye_window_controller_of(DEBYE_WINDOW(active)))->opening;
  }
  return create_window(self);
}

static void
debye_application_activate(GApplication *application)
{
  GtkWindow *active = get_window_in_front(DEBYE_APPLICATION(application));
  if (active != NULL)
    gtk_window_present(active);
  else
    debye_application_create_window(DEBYE_APPLICATION(application));
}

/* All files of one call are one document. */
static void
debye_application_open(GApplication *application, GFile **files, int n_files, const char *hint G_GNUC_UNUSED)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (int i = 0; i < n_files; i++) {
    g_autofree char *path = g_file_get_path(files[i]);
    if (path != NULL)
      g_strv_builder_add(builder, path);
  }
  g_auto(GStrv) paths = g_strv_builder_end(builder);
  if (paths[0] != NULL)
    debye_window_opening_open(find_empty_window(DEBYE_APPLICATION(application)), (const char *const *)paths);
}

/* --- Command line --- */

static int
debye_application_command_line(GApplication *application, GApplicationCommandLine *line)
{
  DebyeApplication *self = DEBYE_APPLICATION(application);
  GVariantDict *options = g_application_command_line_get_options_dict(line);
  const char *sample = NULL;
  g_autofree const char **arguments = NULL;
  g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_object_unref);
  /* In front from now on, so what follows comes into it. */
  if (g_variant_dict_contains(options, "new-window"))
    debye_application_create_window(self);
  if (g_variant_dict_lookup(options, "sample", "&s", &sample))
    debye_window_opening_open_sample(find_empty_window(self), sample);
  g_variant_dict_lookup(options, G_OPTION_REMAINING, "^a&ay", &arguments);
  for (gsize i = 0; arguments != NULL && arguments[i] != NULL; i++)
    g_ptr_array_add(files, g_application_command_line_create_file_for_arg(line, arguments[i]));
  if (files->len > 0)
    debye_application_open(application, (GFile **)files->pdata, (int)files->len, "");
  else if (sample == NULL)
    g_application_activate(application);
  return 0;
}

/* Before any display is asked for. */
static int
debye_application_handle_local_options(GApplication *application G_GNUC_UNUSED, GVariantDict *options)
{
  if (!g_variant_dict_contains(options, "version"))
    return -1;
  g_print("debye %s\n", DEBYE_VERSION);
  return 0;
}

static void
add_options(DebyeApplication *self)
{
  const GOptionEntry options[] = {
      {"sample", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, NULL, _("Open a sample and run its analysis"),
       "NAME"},
      {"new-window", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, _("Open a new window"), NULL},
      {"version", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, _("Show the version"), NULL},
      {G_OPTION_REMAINING, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, "FILE…"},
      {0},
  };
  g_application_add_main_option_entries(G_APPLICATION(self), options);
  g_application_set_option_context_parameter_string(G_APPLICATION(self), NULL);
  g_application_set_option_context_summary(G_APPLICATION(self),
                                           _("Opens a structure (PDB, PQR, GRO, PSF, AMBER, LAMMPS, Mol2, "
                                             "XYZ) with its trajectory (DCD, XTC, TRR, NetCDF, dumps)."));
}

/* --- Actions --- */

static void
on_new_window(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_application_create_window(data);
}

static void
on_recover(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeApplication *self = data;
  g_auto(GStrv) lost = g_steal_pointer(&self->lost);
  for (gsize i = 0; lost != NULL && lost[i] != NULL; i++)
    debye_window_opening_open_session(i == 0 ? find_empty_window(self) : create_window(self), lost[i]);
}

static void
on_open(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  g_autofree const char **paths = g_variant_get_strv(parameter, NULL);
  if (paths[0] != NULL)
    debye_window_opening_open(find_empty_window(data), paths);
}

/* --- Devices --- */

static void
wait_for_devices(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data,
                 GCancellable *cancellable G_GNUC_UNUSED)
{
  debye_devices_wait(data);
  g_task_return_boolean(task, TRUE);
}

/* On a thread, since drivers take seconds to start. `known` (NULL: nobody) has `devices` as the task's data. */
static void
look_for_devices(DebyeApplication *self, GAsyncReadyCallback known, gpointer data)
{
  g_autoptr(GTask) task = g_task_new(NULL, NULL, known, data);
  g_task_set_task_data(task, debye_devices_ref(self->devices), (GDestroyNotify)debye_devices_unref);
  g_task_run_in_thread(task, wait_for_devices);
}

static void
add_devices(const DebyeRegistry *registry, DebyePreferencesWindow *window)
{
  for (size_t i = 0; registry != NULL && i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    gboolean usable = entry->reason[0] == '\0';
    const char *name = entry->device >= 0       ? entry->info.name
                       : entry->backend != NULL ? entry->backend->title
                                                : _("Module");
    g_autofree char *memory = debye_size_text(entry->info.memory_total);
    g_autofree char *reason = debye_message_translate(entry->message);
    g_autofree char *description = g_strdup_printf(
        ngettext("%u unit · %s", "%u units · %s", entry->info.units), entry->info.units, memory);
    debye_preferences_window_add_device(window, name, usable ? description : reason, usable);
  }
}

static void
on_devices_known(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyePreferencesWindow) window = data;
  add_devices(debye_devices_wait(g_task_get_task_data(G_TASK(result))), window);
}

static void
on_preferences(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeApplication *self = data;
  GtkWidget *window = debye_preferences_window_new(self->preferences, get_window_in_front(self));
  look_for_devices(self, on_devices_known, g_object_ref(window));
  gtk_window_present(GTK_WINDOW(window));
}

/* One manual for all windows: it stays until the last of them is closed. */
static void
on_help(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeApplication *self = data;
  if (self->manual == NULL) {
    self->manual = debye_manual_window_new("/org/debye/Debye/manual");
    g_object_add_weak_pointer(G_OBJECT(self->manual), (gpointer *)&self->manual);
  }
  debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(self->manual), g_variant_get_string(parameter, NULL));
  gtk_window_present(GTK_WINDOW(self->manual));
}

static void
on_about(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  adw_show_about_window(get_window_in_front(data), "application-name", "Debye", "application-icon",
                        "org.debye.Debye", "version", DEBYE_VERSION, "comments",
                        _("Potentials, pair distributions and scattering of molecules in motion"),
                        "developer-name", _("The Debye project"), "license-type", GTK_LICENSE_MIT_X11, NULL);
}

static void
on_quit(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_window_quit_ask(data);
}

static const GActionEntry entries[] = {
    {.name = "new-window", .activate = on_new_window},
    {.name = "open", .activate = on_open, .parameter_type = "as"},
    {.name = "recover", .activate = on_recover},
    {.name = "preferences", .activate = on_preferences},
    {.name = "help", .activate = on_help, .parameter_type = "s"},
    {.name = "about", .activate = on_about},
    {.name = "quit", .activate = on_quit},
};

static void
set_accelerators(GtkApplication *application)
{
  static const struct {
    const char *action;
    const char *keys[2];
  } accelerators[] = {
      {"win.show-help-overlay", {"<Control>question"}},
      {"app.help::start", {"F1"}},
      {"window.close", {"<Control>w"}},
      {"app.new-window", {"<Control>n"}},
      {"app.preferences", {"<Control>comma"}},
      {"app.quit", {"<Control>q"}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(accelerators); i++)
    gtk_application_set_accels_for_action(application, accelerators[i].action, accelerators[i].keys);
  debye_window_actions_set_keys(application);
}

/* --- Light and dark --- */

static void
update_color_scheme(DebyeApplication *self)
{
  g_autofree char *scheme = NULL;
  g_object_get(self->preferences, "color-scheme", &scheme, NULL);
  AdwColorScheme wanted = g_strcmp0(scheme, "light") == 0  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                          : g_strcmp0(scheme, "dark") == 0 ? ADW_COLOR_SCHEME_FORCE_DARK
                                                           : ADW_COLOR_SCHEME_DEFAULT;
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(), wanted);
}

/* --- The device for isosurfaces --- */

static const DebyeRegistry *
find_devices(gpointer devices)
{
  return debye_devices_wait(devices);
}

static void
lend_mesh_device(DebyeApplication *self)
{
  g_autofree char *device = NULL;
  g_object_get(self->preferences, "device", &device, NULL);
  debye_mesh_device_lend(find_devices, self->devices, device);
}

/* --- The object --- */

static void
debye_application_startup(GApplication *application)
{
  DebyeApplication *self = DEBYE_APPLICATION(application);
  G_APPLICATION_CLASS(debye_application_parent_class)->startup(application);
  debye_surface_depths_lend();
  debye_gl_context_choose_renderer(gdk_display_get_default());
  debye_gtk_work_around_moved_windows(gdk_display_get_default());
  self->preferences = debye_preferences_new();
  self->recovery = debye_recovery_new();
  self->lost = self->recovery != NULL ? debye_recovery_list_lost(self->recovery) : NULL;
  g_signal_connect_object(self->preferences, "notify::color-scheme", G_CALLBACK(update_color_scheme), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->preferences, "notify::device", G_CALLBACK(lend_mesh_device), self,
                          G_CONNECT_SWAPPED);
  update_color_scheme(self);
  lend_mesh_device(self);
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  set_accelerators(GTK_APPLICATION(self));
  gtk_window_set_default_icon_name("org.debye.Debye");
  /* Drivers start while the first file is being read. */
  look_for_devices(self, NULL, NULL);
}

DebyeApplication *
debye_application_new(void)
{
  return g_object_new(DEBYE_TYPE_APPLICATION, "application-id", "org.debye.Debye", "resource-base-path",
                      "/org/debye/Debye", "flags",
                      G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE, NULL);
}

static void
debye_application_shutdown(GApplication *application)
{
  DebyeApplication *self = DEBYE_APPLICATION(application);
  if (self->manual != NULL)
    gtk_window_destroy(GTK_WINDOW(self->manual));
  G_APPLICATION_CLASS(debye_application_parent_class)->shutdown(application);
  debye_threads_wait_for_all();
  debye_mesh_device_end();
}

static void
debye_application_finalize(GObject *object)
{
  DebyeApplication *self = DEBYE_APPLICATION(object);
  g_clear_weak_pointer(&self->manual);
  g_clear_object(&self->preferences);
  g_clear_pointer(&self->devices, debye_devices_unref);
  g_clear_pointer(&self->recovery, debye_recovery_free);
  g_strfreev(self->lost);
  G_OBJECT_CLASS(debye_application_parent_class)->finalize(object);
}

static void
debye_application_class_init(DebyeApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_application_finalize;
  application_class->startup = debye_application_startup;
  application_class->shutdown = debye_application_shutdown;
  application_class->activate = debye_application_activate;
  application_class->open = debye_application_open;
  application_class->handle_local_options = debye_application_handle_local_options;
  application_class->command_line = debye_application_command_line;
}

/* From glibc's heaps large buffers go back to the system only when nothing above them is left, and after the
 * first such buffer it would take them from there: closed windows left three times what is in use. */
#define SMALLEST_MAPPED (256 << 10)

static void
debye_application_init(DebyeApplication *self)
{
  mallopt(M_MMAP_THRESHOLD, SMALLEST_MAPPED);
  self->devices = debye_devices_new();
  add_options(self);
}

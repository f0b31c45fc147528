/* SPDX-License-Identifier: MIT */
/* The preferences window: units, appearance, mouse, devices, limits and the cache; opened by the program's
 * action. */
#include "preferences_window.h"

#include <glib/gi18n.h>

#include "data/files/frame_cache_folder.h"
#include "data/files/prepared_folder.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

struct _DebyePreferencesWindow {
  AdwPreferencesWindow parent_instance;
  AdwComboRow *unit, *appearance, *color_scheme, *mouse, *device, *memory;
  GtkSpinButton *temperature, *threads;
  AdwActionRow *cache;
  GtkButton *clear;
  AdwPreferencesGroup *devices;
};

/* The values stored for the choices of preferences_window.ui, in their order. */
static const char *const units[] = {"kT/e", "V", "mV", "kcal/mol/e", "e/A", NULL};
static const char *const appearances[] = {"screen", "figure", "projector", NULL};
static const char *const color_schemes[] = {"system", "light", "dark", NULL};
static const char *const mice[] = {"debye", "vmd", "pymol", "chimerax", NULL};
static const char *const memories[] = {"", "1G", "2G", "4G", "8G", "16G", "32G", "64G", NULL};
static const char *const devices[] = {"auto", "cpu", "cuda", NULL};

G_DEFINE_FINAL_TYPE(DebyePreferencesWindow, debye_preferences_window, ADW_TYPE_PREFERENCES_WINDOW)

static gboolean
value_to_position(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer values)
{
  const char *const *words = values;
  for (guint i = 0; words[i] != NULL; i++)
    if (g_strcmp0(words[i], g_value_get_string(from)) == 0)
      g_value_set_uint(to, i);
  return TRUE;
}

static gboolean
position_to_value(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer values)
{
  const char *const *words = values;
  guint position = g_value_get_uint(from);
  if (position >= g_strv_length((char **)values))
    return FALSE;
  g_value_set_string(to, words[position]);
  return TRUE;
}

static void
bind_choice(DebyePreferences *preferences, const char *property, AdwComboRow *row, const char *const *values)
{
  g_object_bind_property_full(preferences, property, row, "selected",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, value_to_position,
                              position_to_value, (gpointer)values, NULL);
}

/* --- Cache --- */

/* A folder is read, and emptied, on a thread. */
static void
look_at_cache(GTask *task, gpointer source G_GNUC_UNUSED, gpointer clears,
              GCancellable *cancellable G_GNUC_UNUSED)
{
  if (GPOINTER_TO_INT(clears)) {
    debye_frame_cache_folder_clear();
    debye_prepared_folder_clear();
  }
  guint64 *size = g_new(guint64, 1);
  *size = debye_frame_cache_folder_get_size() + debye_prepared_folder_get_size();
  g_task_return_pointer(task, size, g_free);
}

static void
on_cache_seen(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyePreferencesWindow) self = data;
  g_autofree guint64 *size = g_task_propagate_pointer(G_TASK(result), NULL);
  g_autofree char *text = debye_size_text(*size);
  if (self->cache == NULL)
    return; /* closed meanwhile */
  adw_action_row_set_subtitle(self->cache, text);
  gtk_widget_set_sensitive(GTK_WIDGET(self->clear), *size > 0);
}

static void
start_look_at_cache(DebyePreferencesWindow *self, gboolean clears)
{
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, NULL, on_cache_seen, g_object_ref(self));
  g_task_set_task_data(task, GINT_TO_POINTER(clears), NULL);
  g_task_run_in_thread(task, look_at_cache);
}

static void
on_clear_clicked(DebyePreferencesWindow *self)
{
  start_look_at_cache(self, TRUE);
}

/* --- The object --- */

GtkWidget *
debye_preferences_window_new(DebyePreferences *preferences, GtkWindow *parent)
{
  DebyePreferencesWindow *self =
      g_object_new(DEBYE_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "modal", FALSE, NULL);
  bind_choice(preferences, "unit", self->unit, units);
  bind_choice(preferences, "appearance", self->appearance, appearances);
  bind_choice(preferences, "color-scheme", self->color_scheme, color_schemes);
  bind_choice(preferences, "mouse", self->mouse, mice);
  bind_choice(preferences, "device", self->device, devices);
  bind_choice(preferences, "memory", self->memory, memories);
  g_object_bind_property(preferences, "threads", self->threads, "value",
                         G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property(preferences, "temperature", self->temperature, "value",
                         G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  return GTK_WIDGET(self);
}

void
debye_preferences_window_add_device(DebyePreferencesWindow *self, const char *name, const char *description,
                                    gboolean usable)
{
  g_return_if_fail(DEBYE_IS_PREFERENCES_WINDOW(self));
  if (self->devices == NULL)
    return; /* closed meanwhile */
  GtkWidget *row = adw_action_row_new();
  GtkWidget *icon =
      gtk_image_new_from_icon_name(usable ? "object-select-symbolic" : "dialog-warning-symbolic");
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), name);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), description);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), icon);
  gtk_widget_set_tooltip_text(icon, usable ? _("In use") : _("Not used"));
  adw_preferences_group_add(self->devices, row);
}

static void
debye_preferences_window_class_init(DebyePreferencesWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/preferences_window.ui");
  DEBYE_BIND_CHILDREN(class, DebyePreferencesWindow, unit, appearance, color_scheme, device, temperature,
                      mouse, memory, threads);
  DEBYE_BIND_CHILDREN(class, DebyePreferencesWindow, cache, clear, devices);
  gtk_widget_class_bind_template_callback(widget_class, on_clear_clicked);
}

static void
debye_preferences_window_init(DebyePreferencesWindow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  start_look_at_cache(self, FALSE);
}

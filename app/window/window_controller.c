/* SPDX-License-Identifier: MIT */
/* Makes and connects the parts of one window; made by application.c. */
#include "window_controller.h"

#include <glib/gi18n.h>

#include "app/installation/installation.h"
#include "app/document/session_save.h"
#include "app/orbitals/orbital_page.h"
#include "window_classroom.h"
#include "window_exports.h"
#include "window_film.h"
#include "window_guide.h"
#include "window_maps.h"
#include "window_measure.h"
#include "window_plots.h"
#include "window_prepare.h"
#include "window_state.h"

#define KEY "debye-window-controller"

struct _DebyeWindowController {
  GObject parent_instance;
  DebyeWindowParts parts; /* owned, but the window, which owns this, and its widgets */
  DebyePreferences *preferences;
  DebyeOrbitalPage *orbitals;
  DebyeVibrationPage *vibrations;
  gboolean close_confirmed; /* closing may lose what was changed, too */
  gboolean is_leaving;      /* closed, out of sight, until its last job has ended */
  GtkWidget *question;      /* before it closes; NULL: none is asked */
};

G_DEFINE_FINAL_TYPE(DebyeWindowController, debye_window_controller, G_TYPE_OBJECT)

const DebyeWindowParts *
debye_window_controller_get_parts(DebyeWindowController *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_CONTROLLER(self), NULL);
  return &self->parts;
}

/* --- What the window tells --- */

static void
on_stop_requested(DebyeWindowController *self G_GNUC_UNUSED, GObject *job)
{
  debye_job_stop(DEBYE_JOB(job));
}

static void
on_layer_removed(DebyeWindowController *self, const char *name)
{
  g_autofree char *text = g_strdup_printf(_("%s removed"), name);
  debye_window_toast_with_action(self->parts.window, text, _("Undo"), "win.undo");
}

/* --- Orbitals --- */

static void
on_document_changed(DebyeWindowController *self)
{
  DebyeOrbitalShown shown = {0};
  DebyeResult *orbital = debye_window_state_adopt_orbital(self->parts.document, &shown.number, &shown.share);
  g_autoptr(DebyeField) field =
      orbital != NULL ? g_list_model_get_item(debye_result_get_fields(orbital), 0) : NULL;
  shown.field = field;
  debye_orbital_page_set_dataset(self->orbitals, debye_window_document_get_dataset(self->parts.document),
                                 field != NULL ? &shown : NULL);
  debye_vibration_page_set_dataset(self->vibrations, debye_window_document_get_dataset(self->parts.document));
}

static void
on_orbitals_found(DebyeWindowController *self, gboolean found)
{
  debye_window_set_has_page(self->parts.window, "orbitals", found);
}

static guint
get_orbital_share(DebyeWindowController *self)
{
  return debye_orbital_panel_get_share(debye_window_get_orbital_panel(self->parts.window));
}

static void
on_orbital_shown(DebyeWindowController *self, DebyeResult *orbital, double level, gboolean is_first)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->parts.document);
  if (scene == NULL)
    return;
  debye_window_scene_show_orbital(scene, orbital, level, get_orbital_share(self));
  if (is_first)
    debye_view_3d_view_new(debye_window_get_view(self->parts.window));
}

static void
on_orbital_level_changed(DebyeWindowController *self, double level)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->parts.document);
  if (scene != NULL)
    debye_window_scene_set_orbital_level(scene, level, get_orbital_share(self));
}

static void
on_orbital_settings(DebyeWindowController *self, const char *command)
{
  if (debye_window_computing_fill_form(self->parts.computing, command) != NULL)
    debye_window_show_page(self->parts.window, "analyse");
}

static void
add_orbitals(DebyeWindowController *self, DebyeDevices *devices)
{
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  self->orbitals = debye_orbital_page_new(debye_window_get_orbital_panel(self->parts.window), devices);
  g_signal_connect_object(self->parts.document, "changed", G_CALLBACK(on_document_changed), self, swapped);
  g_signal_connect_object(self->orbitals, "job", G_CALLBACK(debye_window_document_add_job),
                          self->parts.document, swapped);
  g_signal_connect_object(self->orbitals, "found", G_CALLBACK(on_orbitals_found), self, swapped);
  g_signal_connect_object(self->orbitals, "shown", G_CALLBACK(on_orbital_shown), self, swapped);
  g_signal_connect_object(self->orbitals, "level-changed", G_CALLBACK(on_orbital_level_changed), self,
                          swapped);
  g_signal_connect_object(self->orbitals, "failed", G_CALLBACK(debye_window_toast_error), self->parts.window,
                          swapped);
  g_signal_connect_object(self->orbitals, "settings", G_CALLBACK(on_orbital_settings), self, swapped);
}

/* --- Vibrations --- */

static void
on_vibrations_found(DebyeWindowController *self, gboolean found)
{
  debye_window_set_has_page(self->parts.window, "vibrations", found);
}

static void
on_mode_changed(DebyeWindowController *self, gboolean plays)
{
  debye_window_frames_vibrate(self->parts.frames, plays ? self->vibrations : NULL);
}

static void
add_vibrations(DebyeWindowController *self)
{
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  self->vibrations = debye_vibration_page_new(debye_window_get_vibration_panel(self->parts.window));
  g_signal_connect_object(self->vibrations, "job", G_CALLBACK(debye_window_document_add_job),
                          self->parts.document, swapped);
  g_signal_connect_object(self->vibrations, "found", G_CALLBACK(on_vibrations_found), self, swapped);
  g_signal_connect_object(self->vibrations, "failed", G_CALLBACK(debye_window_toast_error),
                          self->parts.window, swapped);
  g_signal_connect_object(self->vibrations, "mode-changed", G_CALLBACK(on_mode_changed), self, swapped);
  g_signal_connect_object(self->vibrations, "amplitude-changed",
                          G_CALLBACK(debye_window_frames_update_vibration), self->parts.frames, swapped);
}

/* --- Closing --- */

/* Before the window closes; until it is answered closing again only shows it. */
static void
ask(DebyeWindowController *self, GtkWidget *dialog)
{
  /* Named for lists of windows, and for those who can't see it. */
  gtk_window_set_title(GTK_WINDOW(dialog), adw_message_dialog_get_heading(ADW_MESSAGE_DIALOG(dialog)));
  g_set_weak_pointer(&self->question, dialog);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_close_response(AdwMessageDialog *dialog, const char *response, gpointer data)
{
  DebyeWindowController *self = data;
  if (g_strcmp0(response, "stop") != 0) {
    g_signal_emit_by_name(self, "staying");
    return;
  }
  /* GTK still has it in hand when the window has gone, and would reach for its parent. */
  gtk_window_set_transient_for(GTK_WINDOW(dialog), NULL);
  /* Closing again asks about unsaved results. */
  g_clear_weak_pointer(&self->question);
  debye_window_document_stop_to_close(self->parts.document);
  gtk_window_close(GTK_WINDOW(self->parts.window));
}

static void
ask_to_stop(DebyeWindowController *self)
{
  GtkWidget *dialog =
      adw_message_dialog_new(GTK_WINDOW(self->parts.window), _("Stop running jobs?"),
                             _("Closing the window stops its jobs and discards their unfinished results."));
  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "cancel", _("Keep running"), "stop",
                                   _("Stop and close"), NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "stop", ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_close_response), self, G_CONNECT_DEFAULT);
  ask(self, dialog);
}

static void
stop_everything(DebyeWindowController *self)
{
  debye_window_session_close(self->parts.session);
  debye_window_film_stop_playing(self->parts.frames);
  debye_window_frames_stop(self->parts.frames);
  debye_job_queue_end(debye_window_document_get_jobs(self->parts.document));
}

static gboolean
on_gone(gpointer window)
{
  gtk_window_destroy(GTK_WINDOW(window));
  return G_SOURCE_REMOVE;
}

/* Not from within the signal: others hear it after this one, and of the window's parts. */
static void
on_job_ended(DebyeWindowController *self)
{
  if (!debye_job_queue_is_busy(debye_window_document_get_jobs(self->parts.document)))
    g_idle_add_full(G_PRIORITY_DEFAULT, on_gone, g_object_ref(self->parts.window), g_object_unref);
}

/* Workers read from slow drives and draw into this window's views, so it stays, out of sight, until the last
 * has heard that it is to stop. TRUE: there are such. */
static gboolean
wait_out_of_sight(DebyeWindowController *self)
{
  DebyeJobQueue *jobs = debye_window_document_get_jobs(self->parts.document);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(jobs)); i++) {
    g_autoptr(DebyeJob) job = g_list_model_get_item(G_LIST_MODEL(jobs), i);
    if (debye_job_get_state(job) == DEBYE_JOB_RUNNING)
      g_signal_connect_object(job, "finished", G_CALLBACK(on_job_ended), self,
                              G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  }
  self->is_leaving = debye_job_queue_is_busy(jobs);
  gtk_widget_set_visible(GTK_WIDGET(self->parts.window), !self->is_leaving);
  return self->is_leaving;
}

static gboolean
on_close_request(DebyeWindowController *self)
{
  if (self->is_leaving)
    return TRUE;
  if (!self->close_confirmed && self->question != NULL) {
    gtk_window_present(GTK_WINDOW(self->question));
    return TRUE;
  }
  if (!self->close_confirmed && debye_window_document_keeps_window(self->parts.document)) {
    ask_to_stop(self);
    return TRUE;
  }
  if (!self->close_confirmed && debye_window_session_has_unsaved(self->parts.session)) {
    ask(self, debye_window_session_create_question(self->parts.session));
    return TRUE;
  }
  stop_everything(self);
  gboolean waits = wait_out_of_sight(self);
  g_signal_emit_by_name(self, "leaving");
  return waits;
}

void
debye_window_controller_discard(DebyeWindowController *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_CONTROLLER(self));
  self->close_confirmed = TRUE;
  gtk_window_close(GTK_WINDOW(self->parts.window));
}

void
debye_window_controller_save_and_close(DebyeWindowController *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_CONTROLLER(self));
  debye_window_document_stop_to_close(self->parts.document);
  debye_window_session_save_and_close(self->parts.session);
}

static void
on_staying(DebyeWindowController *self)
{
  g_signal_emit_by_name(self, "staying");
}

/* --- The object --- */

static void
show_recent_sessions(DebyeWindowController *self)
{
  DebyeWelcomePage *page = debye_window_get_welcome_page(self->parts.window);
  GVariant *recent = debye_preferences_get_recent(self->preferences);
  guint n_shown = 0;
  debye_welcome_page_clear_sessions(page);
  for (gsize i = 0; i < g_variant_n_children(recent) && n_shown < DEBYE_WELCOME_SESSIONS; i++) {
    g_autoptr(GVariant) paths = g_variant_get_child_value(recent, i);
    g_autofree const char **words = g_variant_get_strv(paths, NULL);
    if (words[0] == NULL || words[1] != NULL || !debye_session_is_one(words[0]))
      continue;
    g_autofree char *picture = debye_session_thumbnail_path(words[0]);
    gboolean has_picture = g_file_test(picture, G_FILE_TEST_IS_REGULAR);
    debye_welcome_page_add_session(page, words[0], has_picture ? picture : NULL);
    n_shown++;
  }
}

static void
show_recent(DebyeWindowController *self)
{
  GVariant *recent = debye_preferences_get_recent(self->preferences);
  g_autoptr(GMenu) menu = g_menu_new();
  for (gsize i = 0; i < g_variant_n_children(recent); i++) {
    g_autoptr(GVariant) paths = g_variant_get_child_value(recent, i);
    g_autofree const char **words = g_variant_get_strv(paths, NULL);
    GString *label = g_string_new(NULL);
    for (gsize k = 0; words[k] != NULL; k++) {
      g_autofree char *name = g_filename_display_basename(words[k]);
      g_string_append_printf(label, "%s%s", k > 0 ? ", " : "", name);
    }
    g_string_replace(label, "_", "__", 0); /* one alone would mark a key */
    g_autoptr(GMenuItem) item = g_menu_item_new(label->str, NULL);
    g_menu_item_set_action_and_target_value(item, "win.open-files", paths);
    g_menu_append_item(menu, item);
    g_string_free(label, TRUE);
  }
  debye_window_set_recent_menu(self->parts.window, G_MENU_MODEL(menu));
  show_recent_sessions(self);
}

static void
show_samples(DebyeWindowController *self)
{
  g_autoptr(GPtrArray) samples = debye_installation_list_samples(NULL);
  for (guint i = 0; samples != NULL && i < samples->len; i++) {
    const DebyeSample *sample = g_ptr_array_index(samples, i);
    g_autofree char *folder = g_path_get_dirname(sample->paths[0]);
    g_autofree char *file = g_strconcat(sample->name, ".png", NULL);
    g_autofree char *picture = g_build_filename(folder, file, NULL);
    gboolean has_picture = sample->is_first && g_file_test(picture, G_FILE_TEST_IS_REGULAR);
    debye_welcome_page_add_sample(debye_window_get_welcome_page(self->parts.window), sample->name,
                                  sample->title != NULL ? sample->title : sample->name,
                                  sample->description != NULL ? sample->description : "",
                                  has_picture ? picture : NULL);
  }
}

static void
connect_window(DebyeWindowController *self)
{
  DebyeWindow *window = self->parts.window;
  DebyeJobsButton *button = debye_window_get_jobs_button(window);
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  g_signal_connect_object(window, "close-request", G_CALLBACK(on_close_request), self, swapped);
  g_signal_connect_object(window, "open-files", G_CALLBACK(debye_window_opening_open), self->parts.opening,
                          swapped);
  g_signal_connect_object(debye_window_get_layers_panel(window), "removed", G_CALLBACK(on_layer_removed),
                          self, swapped);
  g_signal_connect_object(button, "stop", G_CALLBACK(on_stop_requested), self, swapped);
  g_signal_connect_object(self->parts.session, "discard", G_CALLBACK(debye_window_controller_discard), self,
                          swapped);
  g_signal_connect_object(self->parts.session, "staying", G_CALLBACK(on_staying), self, swapped);
  g_signal_connect_object(self->preferences, "recent-changed", G_CALLBACK(show_recent), self, swapped);
  debye_jobs_button_set_jobs(button, G_LIST_MODEL(debye_window_document_get_jobs(self->parts.document)));
}

/* Actions before those who set their state. */
static void
add_parts(DebyeWindowController *self, DebyeDevices *devices, DebyeRecovery *recovery)
{
  self->parts.document = debye_window_document_new(self->parts.window);
  self->parts.computing = debye_window_computing_new(self->parts.document, self->preferences, devices);
  self->parts.frames = debye_window_frames_new(self->parts.computing, devices);
  self->parts.opening =
      debye_window_opening_new(self->parts.computing, self->parts.frames, self->preferences);
  self->parts.session =
      debye_window_session_new(self->parts.computing, self->parts.frames, self->preferences, recovery);
  self->parts.prepare =
      debye_window_prepare_new(self->parts.opening, self->parts.computing, self->parts.frames);
  debye_window_actions_add(&self->parts);
  debye_window_plots_add(self->parts.document, self->parts.frames);
  debye_window_exports_let_drag(self->parts.document);
  debye_window_measure_add(self->parts.document);
  debye_window_bins_add(self->parts.document);
  debye_window_blobs_add(self->parts.computing, self->parts.frames);
  debye_window_classroom_add(self->parts.document, self->preferences, devices);
  debye_window_guide_add(self->parts.computing);
  add_orbitals(self, devices);
  add_vibrations(self);
}

DebyeWindowController *
debye_window_controller_new(DebyeWindow *window, DebyePreferences *preferences, DebyeDevices *devices,
                            DebyeRecovery *recovery)
{
  DebyeWindowController *self = g_object_new(DEBYE_TYPE_WINDOW_CONTROLLER, NULL);
  self->parts.window = window;
  self->parts.view = debye_window_get_view(window);
  self->parts.bar = debye_window_get_playback_bar(window);
  self->parts.plot = debye_window_get_plot_panel(window);
  self->preferences = g_object_ref(preferences);
  add_parts(self, devices, recovery);
  connect_window(self);
  show_recent(self);
  show_samples(self);
  g_object_set_data_full(G_OBJECT(window), KEY, self, g_object_unref);
  return self;
}

DebyeWindowController *
debye_window_controller_of(DebyeWindow *window)
{
  return g_object_get_data(G_OBJECT(window), KEY);
}

static void
debye_window_controller_finalize(GObject *object)
{
  DebyeWindowController *self = DEBYE_WINDOW_CONTROLLER(object);
  debye_window_session_close(self->parts.session);
  g_clear_object(&self->orbitals);
  g_clear_object(&self->vibrations);
  g_clear_object(&self->parts.prepare);
  g_clear_object(&self->parts.session);
  g_clear_object(&self->parts.opening);
  g_clear_object(&self->parts.frames);
  g_clear_object(&self->parts.computing);
  g_clear_object(&self->parts.document);
  g_clear_object(&self->preferences);
  g_clear_weak_pointer(&self->question);
  G_OBJECT_CLASS(debye_window_controller_parent_class)->finalize(object);
}

static void
debye_window_controller_class_init(DebyeWindowControllerClass *class)
{
  static const char *const names[] = {"leaving", "staying"};
  G_OBJECT_CLASS(class)->finalize = debye_window_controller_finalize;
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    g_signal_new(names[i], G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_window_controller_init(DebyeWindowController *self)
{
  self->is_leaving = FALSE;
}

/* SPDX-License-Identifier: MIT */
/* Live mode of a window: its toggle and state, and the maps that enter the scene; called by the window's
 * actions. */
#include "window_frames_private.h"

#include <glib/gi18n.h>
#include <string.h>

/* A number that changes oftener can't be read. */
#define STATE_INTERVAL (G_USEC_PER_SEC / 4)

/* Of the newest map there is, else of the form; NULL where that can't run. (transfer none) */
static DebyeRequest *
find_request(DebyeWindowFrames *self)
{
  GListModel *results = debye_window_document_get_results(self->document);
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    DebyeRequest *request = debye_result_get_request(result);
    if (strcmp(debye_request_get_table(request)->id, "map") == 0)
      return request;
  }
  DebyeAnalysisForm *form =
      debye_window_analyses_find_form(debye_window_computing_get_analyses(self->computing), "map");
  return form != NULL && debye_analysis_form_can_run(form) ? debye_analysis_form_get_suggested(form) : NULL;
}

gboolean
debye_window_frames_can_be_live(DebyeWindowFrames *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), FALSE);
  return debye_window_live_is_on(self->live) ||
         (debye_window_document_count_frames(self->document) >= 2 && find_request(self) != NULL);
}

DebyeWindowLive *
debye_window_frames_get_live(DebyeWindowFrames *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), NULL);
  return self->live;
}

guint
debye_window_frames_get_n_live_maps(DebyeWindowFrames *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), 0);
  return self->n_live_maps;
}

/* --- Telling --- */

static void
set_state(DebyeWindowFrames *self, const char *text)
{
  DebyeWindow *window = debye_window_document_get_window(self->document);
  debye_window_turn_action(window, "live", text != NULL);
  debye_playback_bar_set_live_state(debye_window_get_playback_bar(window), text);
}

static void
tell_rate(DebyeWindowFrames *self)
{
  double rate = debye_window_live_get_rate(self->live);
  gint64 now = g_get_monotonic_time();
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (!(rate > 0.0) || now - self->live_state_time < STATE_INTERVAL)
    return;
  self->live_state_time = now;
  g_autofree char *text = g_strdup_printf(
      _("%s maps/s computed"), g_ascii_formatd(number, sizeof number, rate < 10.0 ? "%.1f" : "%.0f", rate));
  set_state(self, text);
}

/* --- What comes --- */

static void
on_computed(DebyeWindowFrames *self, DebyeField *field)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->document);
  if (scene == NULL || !debye_window_live_is_on(self->live))
    return;
  debye_window_scene_follow_map(scene, field, self->n_live_maps == 0);
  self->n_live_maps++;
  tell_rate(self);
}

static void
on_failed(DebyeWindowFrames *self, const char *reason)
{
  g_autofree char *text = g_strdup_printf(_("No live map: %s"), reason);
  set_state(self, NULL);
  debye_window_frames_place_molecules(self);
  debye_window_toast_error(debye_window_document_get_window(self->document), text);
}

/* --- On and off --- */

/* The last live map is of a frame as the file has it: the molecule stays beside it. */
static void
leave_in_place(DebyeWindowFrames *self)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->document);
  if (self->n_live_maps > 0 && scene != NULL)
    debye_window_scene_align(scene, NULL, NULL, FALSE);
}

static void
turn_on(DebyeWindowFrames *self)
{
  DebyeRequest *request = find_request(self);
  DebyeFrame *frame = debye_window_document_get_file_frame(self->document);
  if (request == NULL || frame == NULL)
    return;
  self->n_live_maps = 0;
  self->live_state_time = 0;
  debye_window_live_start(self->live, debye_window_document_get_dataset(self->document), request);
  debye_window_live_show(self->live, frame);
  set_state(self, _("Starting"));
}

void
debye_window_frames_set_live(DebyeWindowFrames *self, gboolean live)
{
  g_return_if_fail(DEBYE_IS_WINDOW_FRAMES(self));
  if (live == debye_window_live_is_on(self->live))
    return;
  if (live) {
    turn_on(self);
  } else {
    debye_window_live_end(self->live);
    set_state(self, NULL);
    leave_in_place(self);
  }
  debye_window_frames_place_molecules(self);
}

void
debye_window_frames_add_live(DebyeWindowFrames *self, DebyeDevices *devices)
{
  self->live = debye_window_live_new(devices);
  g_signal_connect_object(self->live, "computed", G_CALLBACK(on_computed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->live, "failed", G_CALLBACK(on_failed), self, G_CONNECT_SWAPPED);
}

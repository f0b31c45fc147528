/* SPDX-License-Identifier: MIT */
/* Frames of the trajectory on their way to the screen. */
#include "window_controller_private.h"
#include "window_plots.h"

static void
set_frame_state(DebyeWindowController *self, guint frame)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "frame");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_int32((gint32)frame));
}

static void
on_frame_loaded(DebyeWindowController *self, DebyeFrame *frame)
{
  debye_window_scene_set_frame(self->scene, frame);
  debye_window_plots_follow(self);
  debye_playback_bar_set_shown(debye_window_get_playback_bar(self->window), (guint)frame->index, frame->time);
  set_frame_state(self, (guint)frame->index);
}

static void
on_frame_failed(DebyeWindowController *self, const char *reason)
{
  debye_playback_bar_set_failed(debye_window_get_playback_bar(self->window));
  debye_window_toast_error(self->window, reason);
}

void
debye_window_controller_seek(DebyeWindowController *self, guint frame)
{
  if (self->loader != NULL)
    debye_frame_loader_request(self->loader, frame);
}

void
debye_window_controller_show_playing(DebyeWindowController *self)
{
  gboolean playing = debye_playback_bar_get_playing(debye_window_get_playback_bar(self->window));
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "play");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_boolean(playing));
  debye_view_3d_set_playing(debye_window_get_view(self->window), playing);
}

void
debye_window_controller_show_trajectory(DebyeWindowController *self)
{
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  gsize n_frames = trajectory != NULL ? debye_trajectory_get_n_frames(trajectory) : 0;
  DebyeFrame *first = debye_document_get_first_frame(self->document);
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  if (self->loader != NULL)
    debye_frame_loader_stop(self->loader);
  g_clear_object(&self->loader);
  debye_playback_bar_set_n_frames(bar, (guint)MIN(n_frames, G_MAXINT));
  if (first != NULL)
    debye_playback_bar_set_shown(bar, 0, first->time);
  if (n_frames < 2)
    return;
  self->loader = debye_frame_loader_new(trajectory);
  g_signal_connect_object(self->loader, "loaded", G_CALLBACK(on_frame_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->loader, "failed", G_CALLBACK(on_frame_failed), self, G_CONNECT_SWAPPED);
}

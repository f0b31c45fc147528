/* SPDX-License-Identifier: MIT */
/* Brings frames of the trajectory to the screen: seeking, playing, following; called by
 * window_controller.c. */
#include "window_actions.h"

#include <glib/gi18n.h>
#include "render/layers/alignment_layer.h"
#include "render/layers/box_layer.h"
#include "window_plots.h"

static void
on_frame_loaded(DebyeWindowController *self, DebyeFrame *frame, DebyeFrame *placed)
{
  debye_window_scene_set_frame(self->scene, frame, placed);
  debye_window_plots_follow(self);
  debye_playback_bar_set_shown(debye_window_get_playback_bar(self->window), (guint)frame->index, frame->time);
  debye_window_actions_set_state(self, "frame", g_variant_new_int32((gint32)frame->index));
  debye_window_live_show(self->live, frame);
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
  debye_window_actions_turned(self, "play", playing);
  debye_view_3d_set_playing(debye_window_get_view(self->window), playing);
}

void
debye_window_controller_show_following(DebyeWindowController *self)
{
  gboolean following = debye_playback_bar_get_following(debye_window_get_playback_bar(self->window));
  debye_window_actions_turned(self, "follow", following);
}

static guint
count_frames(DebyeTrajectory *trajectory)
{
  return trajectory != NULL ? (guint)MIN(debye_trajectory_get_n_frames(trajectory), G_MAXINT) : 0;
}

guint
debye_window_controller_count_frames(DebyeWindowController *self)
{
  DebyeDataset *dataset = self->document != NULL ? debye_document_get_dataset(self->document) : NULL;
  return dataset != NULL ? count_frames(debye_dataset_get_trajectory(dataset)) : 0;
}

/* A live map is computed from the frame as the file has it. Where it isn't periodic, molecules that are
 * placed elsewhere would stand beside their potential: in live mode the picture, too, is as in the file. */
static DebyePlacing
choose_placing(DebyeWindowController *self)
{
  DebyeScene *scene = debye_window_scene_get_scene(self->scene);
  return debye_window_live_is_on(self->live) ? DEBYE_PLACING_FILE
                                             : debye_box_layer_find_placing(debye_scene_get_layers(scene));
}

/* In live mode the map goes with the frame, which stays as in the file. */
static void
choose_alignment(DebyeWindowController *self, DebyeAlignment *alignment)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(self->scene));
  DebyeAlignmentLayer *layer =
      debye_window_live_is_on(self->live) ? NULL : debye_alignment_layer_find_visible(layers);
  *alignment = (DebyeAlignment){0};
  if (layer != NULL)
    *alignment = (DebyeAlignment){g_strdup(debye_alignment_layer_get_atoms(layer)),
                                  g_strdup(debye_alignment_layer_get_reference(layer)),
                                  debye_alignment_layer_get_by_mass(layer)};
}

static void
align_frames(DebyeWindowController *self, const DebyeFrame *frame)
{
  g_auto(DebyeAlignment) alignment = {0};
  choose_alignment(self, &alignment);
  if (debye_alignment_equal(&alignment, &self->alignment))
    return;
  debye_alignment_clear(&self->alignment);
  debye_alignment_copy(&self->alignment, &alignment);
  debye_frame_loader_set_alignment(self->loader, debye_document_get_dataset(self->document), &alignment,
                                   frame->index);
}

void
debye_window_controller_place_molecules(DebyeWindowController *self)
{
  DebyeFrame *frame = self->scene != NULL ? debye_window_scene_get_frame(self->scene) : NULL;
  if (self->loader == NULL || frame == NULL)
    return;
  align_frames(self, frame);
  if (choose_placing(self) == self->placing)
    return;
  self->placing = choose_placing(self);
  debye_frame_loader_set_placing(self->loader, debye_document_get_topology(self->document), self->placing,
                                 frame->index);
}

void
debye_window_controller_align_with(DebyeWindowController *self, DebyeResult *result)
{
  const char *id = debye_request_get_table(debye_result_get_request(result))->id;
  if (self->scene == NULL || !g_str_equal(id, "map"))
    return;
  g_auto(DebyeAlignment) alignment = {0};
  debye_alignment_init_of_request(&alignment, debye_result_get_request(result),
                                  debye_window_controller_count_frames(self));
  debye_window_scene_align(self->scene, alignment.atoms, alignment.reference, alignment.by_mass);
}

static void
start_loader(DebyeWindowController *self, DebyeTrajectory *trajectory)
{
  self->loader = debye_frame_loader_new(trajectory);
  self->placing = DEBYE_PLACING_FILE;
  debye_alignment_clear(&self->alignment);
  g_signal_connect_object(self->loader, "loaded", G_CALLBACK(on_frame_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->loader, "failed", G_CALLBACK(on_frame_failed), self, G_CONNECT_SWAPPED);
  debye_window_controller_place_molecules(self);
}

/* --- Frames that come while the window is open --- */

static void
on_grown(DebyeWindowController *self, DebyeDataset *dataset)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  DebyeTrajectory *before = debye_dataset_get_trajectory(debye_document_get_dataset(self->document));
  const guint n_frames = count_frames(trajectory), n_new = n_frames - count_frames(before);
  g_autoptr(DebyeDocument) document = debye_document_with_dataset(self->document, dataset);
  g_set_object(&self->document, document);
  if (self->loader != NULL)
    debye_frame_loader_set_trajectory(self->loader, trajectory);
  else
    start_loader(self, trajectory);
  debye_playback_bar_extend(debye_window_get_playback_bar(self->window), n_frames);
  debye_window_analyses_set_dataset(self->analyses, dataset);
  g_autofree char *news = g_strdup_printf(
      ngettext("%u new frame: %u in all", "%u new frames: %u in all", n_new), n_new, n_frames);
  debye_window_session_show_heading(self->session);
  debye_window_toast_news(self->window, news);
}

static void
on_watch_failed(DebyeWindowController *self, const char *reason)
{
  debye_window_toast_error(self->window, reason);
}

static void
watch(DebyeWindowController *self, DebyeDataset *dataset)
{
  if (self->watcher != NULL)
    debye_trajectory_watcher_stop(self->watcher);
  g_clear_object(&self->watcher);
  if (dataset == NULL || debye_dataset_get_trajectory(dataset) == NULL)
    return;
  self->watcher = debye_trajectory_watcher_new(dataset);
  g_signal_connect_object(self->watcher, "grown", G_CALLBACK(on_grown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->watcher, "failed", G_CALLBACK(on_watch_failed), self, G_CONNECT_SWAPPED);
}

void
debye_window_controller_show_trajectory(DebyeWindowController *self)
{
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  DebyeFrame *first = debye_document_get_first_frame(self->document);
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  debye_window_controller_set_live(self, FALSE);
  if (self->loader != NULL)
    debye_frame_loader_stop(self->loader);
  g_clear_object(&self->loader);
  debye_playback_bar_set_n_frames(bar, count_frames(trajectory));
  if (first != NULL)
    debye_playback_bar_set_shown(bar, 0, first->time);
  /* A single frame can be placed. */
  if (count_frames(trajectory) >= 2 || (count_frames(trajectory) == 1 && first != NULL && first->has_cell))
    start_loader(self, trajectory);
  watch(self, dataset);
}

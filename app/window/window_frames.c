/* SPDX-License-Identifier: MIT */
/* Brings frames of the trajectory to the screen: seeking, playing, following; made by
 * window_controller.c. */
#include "window_frames_private.h"

#include <glib/gi18n.h>

#include "app/analysis/density/density_settings.h"
#include "app/scene/electrostatic_surface.h"
#include "data/messages/count_text.h"
#include "data/selection/selection.h"
#include "data/trajectory/frame_stream.h"
#include "render/layers/alignment_layer.h"
#include "render/layers/box_layer.h"

G_DEFINE_FINAL_TYPE(DebyeWindowFrames, debye_window_frames, G_TYPE_OBJECT)

DebyeWindowDocument *
debye_window_frames_get_document(DebyeWindowFrames *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), NULL);
  return self->document;
}

DebyePlacing
debye_window_frames_get_placing(DebyeWindowFrames *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), DEBYE_PLACING_FILE);
  return self->placing;
}

const DebyeAlignment *
debye_window_frames_get_alignment(DebyeWindowFrames *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), NULL);
  return &self->alignment;
}

static DebyeWindow *
get_window(DebyeWindowFrames *self)
{
  return debye_window_document_get_window(self->document);
}

static DebyePlaybackBar *
get_bar(DebyeWindowFrames *self)
{
  return debye_window_get_playback_bar(get_window(self));
}

/* --- Seeking, playing, following --- */

/* `number`: on the playback bar. */
static void
show_frame(DebyeWindowFrames *self, DebyeFrame *frame, DebyeFrame *placed, guint number)
{
  debye_window_scene_set_frame(debye_window_document_get_scene(self->document), frame, placed);
  g_signal_emit_by_name(self, "shown");
  debye_playback_bar_set_shown(get_bar(self), number, frame->time);
  debye_window_set_action_state(get_window(self), "frame", g_variant_new_int32((gint32)number));
}

static void
on_frame_loaded(DebyeWindowFrames *self, DebyeFrame *frame, DebyeFrame *placed)
{
  if (self->vibration != NULL)
    return;
  show_frame(self, frame, placed, (guint)frame->index);
  debye_window_live_show(self->live, frame);
}

static void
on_frame_failed(DebyeWindowFrames *self, const char *reason)
{
  debye_playback_bar_set_failed(get_bar(self));
  debye_window_toast_error(get_window(self), reason);
}

void
debye_window_frames_seek(DebyeWindowFrames *self, guint frame)
{
  if (self->vibration != NULL) {
    self->vibration_frame = frame;
    g_autoptr(DebyeFrame) moved = debye_vibration_page_make_frame(self->vibration, frame);
    if (moved != NULL)
      show_frame(self, moved, moved, frame);
  } else if (self->loader != NULL) {
    debye_frame_loader_request(self->loader, frame);
  }
}

void
debye_window_frames_update_vibration(DebyeWindowFrames *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_FRAMES(self));
  if (self->vibration != NULL)
    debye_window_frames_seek(self, self->vibration_frame);
}

DebyeVibrationMotion
debye_window_frames_get_motion(DebyeWindowFrames *self)
{
  const DebyeVibrationMotion none = {NULL, 0, 0.0};
  g_return_val_if_fail(DEBYE_IS_WINDOW_FRAMES(self), none);
  return self->vibration != NULL ? debye_vibration_page_get_motion(self->vibration) : none;
}

static void
end_vibration(DebyeWindowFrames *self)
{
  DebyeFrame *first = debye_document_get_first_frame(debye_window_document_get_document(self->document));
  g_clear_object(&self->vibration);
  debye_playback_bar_set_n_frames(get_bar(self), debye_window_document_count_frames(self->document));
  if (self->loader != NULL)
    debye_frame_loader_request(self->loader, 0);
  else if (first != NULL)
    show_frame(self, first, first, 0);
}

void
debye_window_frames_vibrate(DebyeWindowFrames *self, DebyeVibrationPage *page)
{
  g_return_if_fail(DEBYE_IS_WINDOW_FRAMES(self));
  if (page == NULL && self->vibration != NULL)
    end_vibration(self);
  if (page == NULL)
    return;
  debye_window_frames_set_live(self, FALSE);
  g_set_object(&self->vibration, page);
  debye_playback_bar_set_n_frames(get_bar(self), DEBYE_VIBRATION_FRAMES);
  debye_window_frames_seek(self, 0);
  debye_playback_bar_set_playing(get_bar(self), TRUE);
}

static void
show_playing(DebyeWindowFrames *self)
{
  gboolean playing = debye_playback_bar_get_playing(get_bar(self));
  debye_window_turn_action(get_window(self), "play", playing);
  debye_view_3d_set_playing(debye_window_get_view(get_window(self)), playing);
}

static void
show_following(DebyeWindowFrames *self)
{
  gboolean following = debye_playback_bar_get_following(get_bar(self));
  debye_window_turn_action(get_window(self), "follow", following);
}

void
debye_window_frames_go_to(DebyeWindowFrames *self, guint frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_FRAMES(self));
  if (self->loader != NULL || self->vibration != NULL)
    debye_playback_bar_seek(get_bar(self), frame);
}

/* --- Placing, superposing --- */

static DebyeScene *
get_scene(DebyeWindowFrames *self)
{
  return debye_window_scene_get_scene(debye_window_document_get_scene(self->document));
}

/* A live map is computed from the frame as the file has it. Where it isn't periodic, molecules that are
 * placed elsewhere would stand beside their potential: in live mode the picture, too, is as in the file. */
static DebyePlacing
choose_placing(DebyeWindowFrames *self)
{
  GListModel *layers = debye_scene_get_layers(get_scene(self));
  const DebyePlacing placing =
      debye_window_live_is_on(self->live) ? DEBYE_PLACING_FILE : debye_box_layer_find_placing(layers);
  /* Its map is of whole molecules. */
  return MAX(placing, debye_electrostatic_surface_find(layers, NULL) != NULL ? DEBYE_PLACING_WHOLE
                                                                             : DEBYE_PLACING_FILE);
}

/* In live mode the map goes with the frame, which stays as in the file. */
static void
choose_alignment(DebyeWindowFrames *self, DebyeAlignment *alignment)
{
  GListModel *layers = debye_scene_get_layers(get_scene(self));
  DebyeAlignmentLayer *layer =
      debye_window_live_is_on(self->live) ? NULL : debye_alignment_layer_find_visible(layers);
  *alignment = (DebyeAlignment){0};
  if (layer != NULL)
    *alignment = (DebyeAlignment){g_strdup(debye_alignment_layer_get_atoms(layer)),
                                  g_strdup(debye_alignment_layer_get_reference(layer)),
                                  debye_alignment_layer_get_by_mass(layer)};
}

static void
align_frames(DebyeWindowFrames *self, const DebyeFrame *frame)
{
  g_auto(DebyeAlignment) alignment = {0};
  choose_alignment(self, &alignment);
  if (debye_alignment_equal(&alignment, &self->alignment))
    return;
  debye_alignment_clear(&self->alignment);
  debye_alignment_copy(&self->alignment, &alignment);
  debye_frame_loader_set_alignment(self->loader, debye_window_document_get_dataset(self->document),
                                   &alignment, frame->index);
}

void
debye_window_frames_place_molecules(DebyeWindowFrames *self)
{
  DebyeFrame *frame = debye_window_document_get_frame(self->document);
  if (self->loader == NULL || frame == NULL)
    return;
  align_frames(self, frame);
  if (choose_placing(self) == self->placing)
    return;
  self->placing = choose_placing(self);
  DebyeDocument *document = debye_window_document_get_document(self->document);
  debye_frame_loader_set_placing(self->loader, debye_document_get_topology(document), self->placing,
                                 frame->index);
}

/* Of a spatial distribution the first residue of its reference, on which the others were laid. */
static gboolean
find_copied(DebyeWindowFrames *self, const DebyeDensityOptions *options, guint32 *residue)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(self->document);
  if (dataset == NULL || !options->copies)
    return FALSE;
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(options->about, NULL, NULL);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, NULL, NULL) : NULL;
  if (atoms == NULL || atoms->len == 0)
    return FALSE;
  *residue = debye_topology_get_residues(topology)[g_array_index(atoms, guint32, 0)];
  return TRUE;
}

static gboolean
show_copied(DebyeWindowFrames *self, DebyeWindowScene *scene, DebyeRequest *request)
{
  const guint n_frames = debye_window_document_count_frames(self->document);
  DebyeFrameRange range;
  DebyeDensityOptions options;
  guint32 residue;
  if (debye_request_get_table(request) != &debye_density_settings)
    return FALSE;
  debye_request_fill(request, &options);
  if (!find_copied(self, &options, &residue) ||
      !debye_frame_range_parse(options.frames, n_frames, &range, NULL))
    return FALSE;
  debye_window_scene_show_reference(scene, residue, range.first);
  return TRUE;
}

void
debye_window_frames_align_with(DebyeWindowFrames *self, DebyeResult *result)
{
  const char *id = debye_request_get_table(debye_result_get_request(result))->id;
  DebyeWindowScene *scene = debye_window_document_get_scene(self->document);
  const gboolean is_density =
      g_str_equal(id, "density") && g_list_model_get_n_items(debye_result_get_fields(result)) > 0;
  if (scene == NULL || !(is_density || g_str_equal(id, "map")) ||
      show_copied(self, scene, debye_result_get_request(result)))
    return;
  g_auto(DebyeAlignment) alignment = {0};
  debye_alignment_init_of_request(&alignment, debye_result_get_request(result),
                                  debye_window_document_count_frames(self->document));
  debye_window_scene_align(scene, alignment.atoms, alignment.reference, alignment.by_mass);
}

static void
start_loader(DebyeWindowFrames *self, DebyeTrajectory *trajectory)
{
  self->loader = debye_frame_loader_new(trajectory);
  self->placing = DEBYE_PLACING_FILE;
  debye_alignment_clear(&self->alignment);
  g_signal_connect_object(self->loader, "loaded", G_CALLBACK(on_frame_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->loader, "failed", G_CALLBACK(on_frame_failed), self, G_CONNECT_SWAPPED);
  debye_window_frames_place_molecules(self);
}

/* --- Frames that come while the window is open --- */

static void
on_grown(DebyeWindowFrames *self, DebyeDataset *dataset)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  const guint n_before = debye_window_document_count_frames(self->document);
  debye_window_document_grow(self->document, dataset);
  const guint n_frames = debye_window_document_count_frames(self->document), n_new = n_frames - n_before;
  if (self->loader != NULL)
    debye_frame_loader_set_trajectory(self->loader, trajectory);
  else
    start_loader(self, trajectory);
  if (self->vibration == NULL)
    debye_playback_bar_extend(get_bar(self), n_frames);
  debye_window_analyses_set_dataset(debye_window_computing_get_analyses(self->computing), dataset);
  g_autofree char *more = debye_count_text(n_new), *all = debye_count_text(n_frames);
  g_autofree char *news =
      g_strdup_printf(ngettext("%s new frame: %s in all", "%s new frames: %s in all", n_new), more, all);
  debye_window_toast_news(get_window(self), news);
}

static void
on_watch_failed(DebyeWindowFrames *self, const char *reason)
{
  debye_window_toast_error(get_window(self), reason);
}

static void
stop_watching(DebyeWindowFrames *self)
{
  if (self->watcher != NULL)
    debye_trajectory_watcher_stop(self->watcher);
  g_clear_object(&self->watcher);
}

static void
watch(DebyeWindowFrames *self, DebyeDataset *dataset)
{
  stop_watching(self);
  if (dataset == NULL || debye_dataset_get_trajectory(dataset) == NULL)
    return;
  self->watcher = debye_trajectory_watcher_new(dataset);
  g_signal_connect_object(self->watcher, "grown", G_CALLBACK(on_grown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->watcher, "failed", G_CALLBACK(on_watch_failed), self, G_CONNECT_SWAPPED);
}

void
debye_window_frames_show_trajectory(DebyeWindowFrames *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_FRAMES(self));
  DebyeDocument *document = debye_window_document_get_document(self->document);
  DebyeDataset *dataset = debye_document_get_dataset(document);
  DebyeFrame *first = debye_document_get_first_frame(document);
  const guint n_frames = debye_window_document_count_frames(self->document);
  debye_window_frames_set_live(self, FALSE);
  g_clear_object(&self->vibration);
  if (self->loader != NULL)
    debye_frame_loader_stop(self->loader);
  g_clear_object(&self->loader);
  debye_playback_bar_set_n_frames(get_bar(self), n_frames);
  if (first != NULL)
    debye_playback_bar_set_shown(get_bar(self), 0, first->time);
  /* A single frame can be placed. */
  if (n_frames >= 2 || (n_frames == 1 && first != NULL && first->has_cell))
    start_loader(self, debye_dataset_get_trajectory(dataset));
  watch(self, dataset);
}

/* --- The object --- */

void
debye_window_frames_stop(DebyeWindowFrames *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_FRAMES(self));
  if (self->loader != NULL)
    debye_frame_loader_stop(self->loader);
  debye_window_live_stop(self->live);
  stop_watching(self);
}

static void
on_scene_changed(DebyeWindowFrames *self)
{
  g_signal_connect_object(get_scene(self), "changed", G_CALLBACK(debye_window_frames_place_molecules), self,
                          G_CONNECT_SWAPPED);
}

static void
on_map_wanted(DebyeWindowFrames *self)
{
  debye_window_frames_set_live(self, FALSE);
}

DebyeWindowFrames *
debye_window_frames_new(DebyeWindowComputing *computing, DebyeDevices *devices)
{
  DebyeWindowFrames *self = g_object_new(DEBYE_TYPE_WINDOW_FRAMES, NULL);
  self->computing = g_object_ref(computing);
  self->document = g_object_ref(debye_window_computing_get_document(computing));
  debye_window_frames_add_live(self, devices);
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  g_signal_connect_object(get_bar(self), "seek", G_CALLBACK(debye_window_frames_seek), self, swapped);
  g_signal_connect_object(get_bar(self), "playing", G_CALLBACK(show_playing), self, swapped);
  g_signal_connect_object(get_bar(self), "following", G_CALLBACK(show_following), self, swapped);
  g_signal_connect_object(self->document, "scene-changed", G_CALLBACK(on_scene_changed), self, swapped);
  g_signal_connect_object(computing, "map-wanted", G_CALLBACK(on_map_wanted), self, swapped);
  g_signal_connect_object(computing, "map-shown", G_CALLBACK(debye_window_frames_align_with), self, swapped);
  return self;
}

static void
debye_window_frames_finalize(GObject *object)
{
  DebyeWindowFrames *self = DEBYE_WINDOW_FRAMES(object);
  g_clear_object(&self->loader);
  g_clear_object(&self->vibration);
  stop_watching(self);
  debye_window_live_stop(self->live);
  g_clear_object(&self->live);
  g_clear_object(&self->computing);
  g_clear_object(&self->document);
  debye_alignment_clear(&self->alignment);
  G_OBJECT_CLASS(debye_window_frames_parent_class)->finalize(object);
}

static void
debye_window_frames_class_init(DebyeWindowFramesClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_frames_finalize;
  g_signal_new("shown", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_window_frames_init(DebyeWindowFrames *self)
{
  self->placing = DEBYE_PLACING_FILE;
}

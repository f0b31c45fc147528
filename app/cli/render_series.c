/* SPDX-License-Identifier: MIT */
/* Builds the scene of debye-cli render from the first frame and shows the others in it; called by command_render.c. */
#include <math.h>
#include <string.h>

#include "cli_field.h"
#include "cli_work.h"
#include "command_render_private.h"
#include "app/document/camera_file.h"
#include "app/document/session_picture.h"
#include "app/document/session_vibration.h"
#include "data/files/error.h"
#include "data/molecule/backbone.h"
#include "data/trajectory/frame_stream.h"
#include "data/trajectory/kept_frames.h"
#include "interrupt.h"
#include "render/layers/slice_layer.h"

#define USUAL_PICTURES 120 /* of a turn or path around one frame, of a vibration */

static gboolean
add_map(DebyeRender *render, const DebyeSceneSource *source, GError **error)
{
  DebyeRequest *further = debye_arguments_get_further(render->arguments);
  const char *selection = debye_request_find_set(further, "select");
  if (render->settings.electrostatic &&
      !debye_picture_add_electrostatic(&render->picture, render->request, source, selection,
                                       render->line.has_limits ? render->line.limits : NULL, error))
    return FALSE;
  const gboolean has_own = render->settings.electrostatic || render->line.layers->len > 0;
  return (has_own && !debye_render_map_has_layers(&render->map)) ||
         debye_picture_add_map(&render->picture, render->request, source, error);
}

/* Layers that are given as lines stand in place of the usual ones, unless those are asked for. */
static gboolean
draws_molecules(const DebyeRender *render)
{
  return render->line.layers->len == 0 || render->settings.has_select ||
         debye_request_is_set(render->request, "style");
}

static gboolean
add_lines(DebyeRender *render, const DebyeSceneSource *source, GError **error)
{
  const DebyeLayerTextContext context = {
      .source = *source, .load = debye_cli_load_field, .data = render->arguments};
  if (debye_layer_texts_add(render->line.layers, render->picture.scene, &context, error))
    return TRUE;
  debye_error_prefix(error, "--layer: ");
  return FALSE;
}

/* A camera that is kept in a file is that of the next pictures, too. */
static gboolean
use_camera(DebyeRender *render, GError **error)
{
  const char *path = debye_arguments_get_path(render->arguments, "camera");
  DebyeCamera *camera = debye_scene_get_camera(render->picture.scene);
  DebyeCamera written = *camera;
  if (path == NULL)
    return TRUE;
  if (g_file_test(path, G_FILE_TEST_EXISTS) || debye_camera_parse(&written, path))
    return debye_picture_look_through(&render->picture, &render->settings, path, error);
  if (debye_camera_has_form(path))
    return debye_usage_refuse(
        error,
        "render: --camera: “%s” is no camera. Give finite numbers, ORIENTATION (4):TARGET (3):HEIGHT, with a "
        "height above 0, and an angle from 1 to 120 for perspective.",
        path);
  if (!debye_camera_file_write(camera, path, error)) {
    debye_error_name_output(path, error);
    return FALSE;
  }
  debye_cli_say(render->arguments, "written: %s", path);
  return TRUE;
}

static void
set_words(DebyeRender *render)
{
  DebyeLook *look = debye_scene_get_look(render->picture.scene);
  const gboolean notes = look->legend_notes;
  debye_picture_size_set_words(&render->line.size, look);
  if (debye_request_is_set(render->request, "legend-notes"))
    look->legend_notes = notes;
}

/* When layers and the look are there. */
gboolean
debye_render_set_view(DebyeRender *render, GError **error)
{
  set_words(render);
  if (!use_camera(render, error))
    return FALSE;
  render->start = *debye_scene_get_camera(render->picture.scene);
  return TRUE;
}

/* Slices have the limits too, unless these are of another map in another unit. */
static void
limit_slices(DebyeRender *render)
{
  GListModel *layers = debye_scene_get_layers(render->picture.scene);
  DebyeField *coloring = render->map.coloring;
  for (guint i = 0; render->line.has_limits && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_SLICE_LAYER(layer) &&
        (coloring == NULL ||
         g_str_equal(debye_field_get_unit(coloring), debye_field_get_unit(debye_layer_get_field(layer)))))
      debye_layer_set_limits(layer, render->line.limits[0], render->line.limits[1]);
  }
}

/* The first frame decides layers, camera and colours. */
gboolean
debye_render_build(DebyeRender *render, DebyeFrame *frame, GError **error)
{
  DebyeSceneSource source = {.topology =
                                 render->dataset != NULL ? debye_dataset_get_topology(render->dataset) : NULL,
                             .frame = frame};
  if (frame != NULL && draws_molecules(render) &&
      !debye_picture_add_molecules(&render->picture, render->request, render->settings.water, &source, error))
    return FALSE;
  if (!debye_picture_add_layers(&render->picture, render->request, &source, error))
    return FALSE;
  if (!debye_render_map_begin(&render->map, render->dataset, frame != NULL ? frame->index : 0, error))
    return FALSE;
  source.map = render->map.field;
  if (source.map != NULL && !add_map(render, &source, error))
    return FALSE;
  if (!add_lines(render, &source, error))
    return FALSE;
  if (render->map.coloring != NULL)
    debye_picture_color_surfaces(&render->picture, render->request, render->map.coloring,
                                 render->line.has_limits ? render->line.limits : NULL);
  limit_slices(render);
  debye_picture_set_preset(&render->picture, &render->settings);
  if (!debye_picture_set_look(&render->picture, render->request, error))
    return FALSE;
  set_words(render);
  const double scale = debye_picture_size_get_scale(&render->line.size);
  int width, height;
  debye_render_get_view_size(render, &width, &height);
  if (!debye_picture_frame(&render->picture, &render->settings, (double)width / scale, (double)height / scale,
                           error))
    return FALSE;
  return debye_render_set_view(render, error);
}

static gboolean
show_frame(DebyeRender *render, DebyeFrame *frame, GError **error)
{
  debye_picture_set_frame(&render->picture, frame);
  if (!debye_layer_texts_follow(render->picture.scene, debye_dataset_get_topology(render->dataset), frame,
                                error))
    return FALSE;
  if (!debye_render_map_follows(&render->map))
    return TRUE;
  g_autoptr(DebyeField) before = g_object_ref(render->map.field);
  if (!debye_render_map_compute(&render->map, render->dataset, frame->index, error))
    return FALSE;
  debye_picture_set_map(&render->picture, before, render->map.field);
  return TRUE;
}

static gsize
count_pictures(const DebyeRender *render, gsize n_frames)
{
  if (render->settings.has_pictures)
    return (gsize)render->settings.pictures;
  const gboolean moves = render->line.path != NULL || render->motion.vibrations != NULL;
  return n_frames > 1 || !moves ? n_frames : USUAL_PICTURES;
}

static gboolean
choose_frames(DebyeRender *render, DebyeFrameRange *range, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(render->dataset);
  if (trajectory == NULL || debye_trajectory_get_n_frames(trajectory) == 0)
    return debye_error_set(error, DEBYE_ERROR_MISSING, "%s: no coordinates: there is nothing to draw",
                           debye_dataset_get_name(render->dataset));
  return debye_frame_range_parse(render->settings.frames, debye_trajectory_get_n_frames(trajectory), range,
                                 error);
}

/* What a person asks for and doesn't get is told. */
static DebyeFrame *
place(DebyeRender *render, DebyeFrame *frame, GError **error)
{
  const gboolean has_cell = frame->has_cell && debye_cell_is_valid(&frame->cell);
  if (render->draws_whole)
    return debye_placer_place(render->placer, has_cell ? DEBYE_PLACING_WHOLE : DEBYE_PLACING_FILE, frame,
                              error);
  if (render->settings.molecules != DEBYE_PLACING_FILE && !has_cell) {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "%s: frame %" G_GSIZE_FORMAT
                    ": expected a cell to place molecules by (--molecules), found none",
                    debye_dataset_get_name(render->dataset), frame->index);
    return NULL;
  }
  return debye_placer_place(render->placer, render->settings.molecules, frame, error);
}

static gboolean
has_moved(const DebyeFrame *read, const DebyeFrame *placed)
{
  const gsize n_bytes = read->n_atoms * sizeof *read->x;
  return memcmp(read->x, placed->x, n_bytes) != 0 || memcmp(read->y, placed->y, n_bytes) != 0 ||
         memcmp(read->z, placed->z, n_bytes) != 0;
}

/* Of the first frame, as for what else a whole series has. */
static gboolean
warn_of_map(DebyeRender *render, const DebyeFrame *read, const DebyeFrame *placed, GError **error)
{
  static const char *const warnings[] = {
      "the map is of the frame as the file has it, and molecules are drawn in other places (--molecules): "
      "not all that lies side by side belongs together",
      NULL};
  const gboolean shows_map =
      !render->draws_whole && (render->map.field != NULL || render->map.coloring != NULL);
  return !shows_map || !has_moved(read, placed) || debye_cli_warn(render->arguments, warnings, error);
}

/* The molecule stays in the map of its superposed frames. */
static gboolean
align_and_show(DebyeRender *render, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) aligned = debye_alignment_apply(render->edit, frame, error);
  return aligned != NULL && show_frame(render, aligned, error);
}

/* How frames are superposed is known with the map. */
static gboolean
begin_alignment(DebyeRender *render, const DebyeFrame *frame, GError **error)
{
  g_autoptr(GError) reason = NULL;
  if (render->map.alignment.atoms == NULL)
    return TRUE;
  render->edit = debye_alignment_new_edit(&render->map.alignment, render->dataset, &reason);
  if (reason == NULL)
    return render->edit == NULL || align_and_show(render, frame, error);
  g_autofree char *text =
      g_strdup_printf("frames are not superposed as those of the map were: %s", reason->message);
  const char *const warnings[] = {text, NULL};
  return debye_cli_warn(render->arguments, warnings, error);
}

/* A chain that the cell cuts is drawn whole, unless its places are asked for, or a map shows what is there. */
static gboolean
choose_whole(DebyeRender *render, const DebyeFrame *frame, GError **error)
{
  static const char *const warnings[] = {
      "the cell cuts chains, which are drawn whole (--molecules file draws them as in the file)", NULL};
  if (render->draws_whole || render->settings.has_molecules || render->map.field != NULL ||
      render->map.coloring != NULL ||
      !debye_backbone_is_cut(debye_dataset_get_topology(render->dataset), frame))
    return TRUE;
  render->draws_whole = TRUE;
  return debye_cli_warn(render->arguments, warnings, error);
}

static gboolean
read_and_show(DebyeRender *render, gsize number, gboolean is_first, GError **error)
{
  DebyeStages *stages = debye_arguments_get_stages(render->arguments);
  debye_stages_enter(stages, DEBYE_STAGE_READ);
  g_autoptr(DebyeFrame) read =
      debye_trajectory_get_frame(debye_dataset_get_trajectory(render->dataset), number, error);
  debye_stages_enter(stages, DEBYE_STAGE_PREPARE);
  render->time = read != NULL ? read->time : NAN;
  if (read != NULL && render->document != NULL)
    return debye_session_picture_show_frame(render->picture.scene, render->document, number,
                                            render->line.layers, error);
  if (read != NULL && is_first && !choose_whole(render, read, error))
    return FALSE;
  g_autoptr(DebyeFrame) frame = read != NULL ? place(render, read, error) : NULL;
  if (frame == NULL)
    return FALSE;
  if (is_first)
    return debye_render_build(render, frame, error) && warn_of_map(render, read, frame, error) &&
           begin_alignment(render, frame, error);
  return render->edit != NULL ? align_and_show(render, frame, error) : show_frame(render, frame, error);
}

/* The frames are spread evenly over the pictures. */
gboolean
debye_render_draw_series(DebyeRender *render, GError **error)
{
  DebyeFrameRange range;
  if (!choose_frames(render, &range, error))
    return FALSE;
  gsize n_frames = debye_frame_range_count(&range), shown = n_frames;
  render->n_pictures = count_pictures(render, n_frames);
  if (!debye_render_check_page(render, TRUE, error))
    return FALSE;
  for (gsize i = 0; i < render->n_pictures && !debye_interrupt_came(); i++) {
    gsize wanted = i * n_frames / render->n_pictures;
    render->frame = range.first + wanted * range.step;
    if (wanted != shown && !read_and_show(render, render->frame, i == 0, error))
      return FALSE;
    shown = wanted;
    if (!debye_render_capture_picture(render, i, error))
      return FALSE;
  }
  return debye_render_warn_of_page(render, error);
}

gboolean
debye_render_find_vibration(DebyeRender *render, GError **error)
{
  g_autoptr(GError) problem = NULL;
  const gboolean is_series =
      render->film != NULL || render->line.path != NULL || render->settings.has_pictures;
  if (is_series)
    debye_session_vibration_find(render->document, &render->motion, &problem);
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

/* Layers keep their frame, so each has one of its own. */
static gboolean
show_motion(DebyeRender *render, gsize number, GError **error)
{
  if (render->motion.vibrations == NULL)
    return TRUE;
  g_autoptr(DebyeFrame) frame =
      debye_vibration_motion_make_frame(&render->motion, number, render->n_pictures);
  if (frame == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "Not enough memory for one more frame");
  debye_picture_set_frame(&render->picture, frame);
  return debye_layer_texts_follow(render->picture.scene, debye_document_get_topology(render->document), frame,
                                  error);
}

/* Only the camera moves, and the atoms of a session's mode. */
gboolean
debye_render_draw_standing(DebyeRender *render, GError **error)
{
  render->n_pictures = count_pictures(render, 1);
  if (!debye_render_check_page(render, FALSE, error))
    return FALSE;
  for (gsize i = 0; i < render->n_pictures && !debye_interrupt_came(); i++)
    if (!show_motion(render, i, error) || !debye_render_capture_picture(render, i, error))
      return FALSE;
  return TRUE;
}

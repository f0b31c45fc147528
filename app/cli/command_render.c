/* SPDX-License-Identifier: MIT */
/* debye-cli render: writes pictures and movies without a display; listed by command_list.c. */
#include <string.h>

#include "app/analysis/map/map_electrostatic.h"
#include "app/analysis/map/map_settings.h"
#include "app/document/camera_file.h"
#include "cli_field.h"
#include "cli_work.h"
#include "arguments.h"
#include "command_render.h"
#include "data/files/error.h"
#include "data/molecule/backbone.h"
#include "data/trajectory/frame_stream.h"
#include "data/trajectory/kept_frames.h"
#include "data/trajectory/placing.h"
#include "app/scene/film_file.h"
#include "interrupt.h"
#include "app/document/json_writer.h"
#include "app/document/map_file.h"
#include "picture.h"
#include "render/scene/capture.h"
#include "render_line.h"
#include "render_map.h"
#include "render_settings.h"
#include "app/document/session_picture.h"

#define USUAL_PICTURES 120 /* of a turn or path around one frame */

/* Pictures in the making. */
typedef struct {
  DebyeArguments *arguments;
  DebyeRequest *request;
  DebyeRenderSettings settings;
  DebyeRenderLine line;
  DebyeDataset *dataset;   /* NULL: a map alone */
  DebyeDocument *document; /* of a session; NULL: files are drawn */
  DebyePlacer *placer;     /* NULL without a dataset */
  gboolean draws_whole;    /* molecules, if there is a cell */
  DebyeFrameEdit *edit;    /* superposes frames as those of the map were; NULL: they weren't */
  DebyeRenderMap map;
  DebyeOffscreen *offscreen;
  DebyePicture picture;
  DebyeCamera start; /* of the first picture, before the path moves it */
  gsize n_pictures;
  DebyeFilmFile *film;        /* NULL: PNG */
  GPtrArray *written;         /* char * */
  gsize frame;                /* that is shown */
  DebyePictureOrigin *origin; /* how the pictures are made; NULL: forgotten, or not known yet */
  GBytes **captured;          /* gets the picture instead of a file; NULL: a file it is */
} Render;

static void
render_clear(Render *render)
{
  debye_picture_clear(&render->picture);
  g_clear_object(&render->dataset);
  g_clear_object(&render->document);
  g_clear_pointer(&render->placer, debye_placer_free);
  g_clear_pointer(&render->edit, debye_frame_edit_free);
  debye_render_map_clear(&render->map);
  debye_render_line_clear(&render->line);
  g_clear_pointer(&render->offscreen, debye_offscreen_free);
  g_clear_pointer(&render->film, debye_film_file_abandon);
  g_clear_pointer(&render->written, g_ptr_array_unref);
  g_clear_pointer(&render->origin, debye_picture_origin_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Render, render_clear)

/* --- Pictures --- */

/* What only shows when the first picture is ready would come late. */
static gboolean
open_film(Render *render, GError **error)
{
  if (!debye_film_file_is_film(render->line.output))
    return TRUE;
  if (render->settings.transparent) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "render: --transparent: films have a background; expected .png");
    return FALSE;
  }
  render->film = debye_film_file_new(render->line.output, (int)render->line.width, (int)render->line.height,
                                     (int)render->settings.rate, error);
  return render->film != NULL;
}

static void
say_written(Render *render, const char *path)
{
  debye_cli_say(render->arguments, "written: %s", path);
  g_ptr_array_add(render->written, g_strdup(path));
}

/* Of this picture alone: its frame and the camera as it is. Colour limits and atoms that a series keeps from its first frame are not
 * in it. */
static gboolean
find_origin(Render *render, GError **error)
{
  static const char *const of_series[] = {"frames", "camera",    "orbit",   "zoom",     "view",
                                          "turn",   "turn-axis", "cameras", "pictures", NULL};
  g_autofree char *frame = g_strdup_printf("%" G_GSIZE_FORMAT, render->frame);
  g_autofree char *camera = debye_camera_to_text(debye_scene_get_camera(render->picture.scene));
  g_autofree char *camera_word = g_strconcat("--camera=", camera, NULL);
  const char *const instead[] = {camera_word, render->dataset != NULL ? "--frames" : NULL, frame, NULL};
  if (render->origin == NULL)
    return debye_cli_find_origin(render->arguments, of_series, instead, &render->origin, error);
  g_autofree char *command = debye_cli_origin_command(render->arguments, of_series, instead);
  debye_picture_origin_set_command(render->origin, command);
  return TRUE;
}

static gboolean
write_pixels(Render *render, GBytes *pixels, gsize number, GError **error)
{
  if (render->captured != NULL) {
    g_clear_pointer(render->captured, g_bytes_unref);
    *render->captured = g_bytes_ref(pixels);
    return TRUE;
  }
  if (render->film != NULL)
    return debye_film_file_add(render->film, pixels, error);
  g_autofree char *path = render->n_pictures == 1 ? g_strdup(render->line.output)
                                                  : debye_film_file_name_picture(render->line.output, number);
  if (!find_origin(render, error))
    return FALSE;
  if (!debye_capture_save_large_png(pixels, (int)render->line.width, (int)render->line.height,
                                    debye_render_line_get_dpi(&render->line, &render->settings),
                                    render->origin, path, NULL, NULL, error)) {
    debye_error_name_output(path, error);
    return FALSE;
  }
  say_written(render, path);
  return TRUE;
}

static void
place_camera(Render *render, gsize number)
{
  if (render->line.path == NULL)
    return;
  debye_camera_path_place(render->line.path, &render->start, number, render->n_pictures,
                          debye_scene_get_camera(render->picture.scene));
  debye_scene_changed(render->picture.scene);
}

/* A large picture has many tiles: NULL without an error where Ctrl-C came between two of them. */
static GBytes *
draw_pixels(Render *render, GError **error)
{
  const DebyeCaptureSize size = {.width = (int)render->line.width,
                                 .height = (int)render->line.height,
                                 .scale = debye_render_line_get_scale(&render->line, &render->settings),
                                 .transparent = render->settings.transparent,
                                 .samples = (int)render->settings.samples};
  g_autoptr(DebyeCapture) picture = debye_capture_begin(render->picture.scene, &size, error);
  if (picture == NULL)
    return NULL;
  for (double done = 0.0; done < 1.0; done = debye_capture_get_fraction(picture))
    if (debye_interrupt_came() || !debye_capture_step(picture, error))
      return NULL;
  return debye_capture_finish(g_steal_pointer(&picture));
}

/* What was drawn of a picture when Ctrl-C came is given up; a film keeps the pictures before. */
static gboolean
capture(Render *render, gsize number, GError **error)
{
  g_autoptr(GError) problem = NULL;
  place_camera(render, number);
  debye_scene_settle(render->picture.scene);
  g_autoptr(GBytes) pixels = draw_pixels(render, &problem);
  if (pixels != NULL)
    return write_pixels(render, pixels, number, error);
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

/* A film of what was drawn until Ctrl-C is a film. */
static gboolean
finish_film(Render *render, GError **error)
{
  if (render->film == NULL)
    return TRUE;
  if (!debye_film_file_finish(g_steal_pointer(&render->film), error))
    return FALSE;
  say_written(render, render->line.output);
  return TRUE;
}

static gboolean
add_map(Render *render, const DebyeSceneSource *source, GError **error)
{
  DebyeRequest *further = debye_arguments_get_further(render->arguments);
  const char *selection =
      debye_request_is_set(further, "select") ? debye_request_get(further, "select") : NULL;
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
draws_molecules(const Render *render)
{
  return render->line.layers->len == 0 || debye_request_is_set(render->request, "select") ||
         debye_request_is_set(render->request, "style");
}

static DebyeField *
load_map(const char *path, gpointer data, GError **error)
{
  return debye_cli_load_field(data, path, error);
}

static gboolean
add_lines(Render *render, const DebyeSceneSource *source, GError **error)
{
  const DebyeLayerTextContext context = {.source = *source, .load = load_map, .data = render->arguments};
  if (debye_layer_texts_add(render->line.layers, render->picture.scene, &context, error))
    return TRUE;
  debye_error_prefix(error, "--layer: ");
  return FALSE;
}

/* A camera that is kept in a file is that of the next pictures, too. */
static gboolean
use_camera(Render *render, GError **error)
{
  const char *path = debye_arguments_get_path(render->arguments, "camera");
  DebyeCamera *camera = debye_scene_get_camera(render->picture.scene);
  DebyeCamera written = *camera;
  if (path == NULL)
    return TRUE;
  if (g_file_test(path, G_FILE_TEST_EXISTS) || debye_camera_parse(&written, path))
    return debye_picture_look_through(&render->picture, &render->settings, path, error);
  if (debye_camera_has_form(path)) {
    g_set_error(
        error, DEBYE_USAGE_ERROR, 0,
        "render: --camera: “%s” is no camera. Give finite numbers, ORIENTATION (4):TARGET (3):HEIGHT, with a "
        "height above 0, and an angle from 1 to 120 for perspective.",
        path);
    return FALSE;
  }
  if (!debye_camera_file_write(camera, path, error)) {
    debye_error_name_output(path, error);
    return FALSE;
  }
  debye_cli_say(render->arguments, "written: %s", path);
  return TRUE;
}

/* When layers and the look are there. */
static gboolean
set_view(Render *render, GError **error)
{
  DebyeLook *look = debye_scene_get_look(render->picture.scene);
  look->font_size = debye_render_line_get_font_size(&render->line, &render->settings, look->font_size);
  if (!use_camera(render, error))
    return FALSE;
  render->start = *debye_scene_get_camera(render->picture.scene);
  return TRUE;
}

/* The first frame decides layers, camera and colours. */
static gboolean
build(Render *render, DebyeFrame *frame, GError **error)
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
  debye_picture_set_look(&render->picture, &render->settings);
  if (!debye_picture_frame(&render->picture, &render->settings,
                           (double)render->line.width / (double)render->line.height, error))
    return FALSE;
  return set_view(render, error);
}

static gboolean
show_frame(Render *render, DebyeFrame *frame, GError **error)
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
count_pictures(const Render *render, gsize n_frames)
{
  if (render->settings.has_pictures)
    return (gsize)render->settings.pictures;
  return n_frames > 1 || render->line.path == NULL ? n_frames : USUAL_PICTURES;
}

static gboolean
choose_frames(Render *render, DebyeFrameRange *range, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(render->dataset);
  if (trajectory == NULL || debye_trajectory_get_n_frames(trajectory) == 0) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "%s: no coordinates: there is nothing to draw",
                    debye_dataset_get_name(render->dataset));
    return FALSE;
  }
  return debye_frame_range_parse(render->settings.frames, debye_trajectory_get_n_frames(trajectory), range,
                                 error);
}

/* What a person asks for and doesn't get is told. */
static DebyeFrame *
place(Render *render, DebyeFrame *frame, GError **error)
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
warn_of_map(Render *render, const DebyeFrame *read, const DebyeFrame *placed, GError **error)
{
  static const char *const warnings[] = {"the map is of the frame as the file has it, and molecules are "
                                         "drawn in other places (--molecules): not "
                                         "all that lies side by side belongs together",
                                         NULL};
  const gboolean shows_map =
      !render->draws_whole && (render->map.field != NULL || render->map.coloring != NULL);
  return !shows_map || !has_moved(read, placed) || debye_cli_warn(render->arguments, warnings, error);
}

/* The molecule stays in the map of its superposed frames. */
static gboolean
align_and_show(Render *render, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) aligned = debye_alignment_apply(render->edit, frame, error);
  return aligned != NULL && show_frame(render, aligned, error);
}

/* How frames are superposed is known with the map. */
static gboolean
begin_alignment(Render *render, const DebyeFrame *frame, GError **error)
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
choose_whole(Render *render, const DebyeFrame *frame, GError **error)
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

/* Layers keep their frame, so each has one of its own. */
static gboolean
read_and_show(Render *render, gsize number, gboolean is_first, GError **error)
{
  g_autoptr(DebyeFrame) read =
      debye_trajectory_get_frame(debye_dataset_get_trajectory(render->dataset), number, error);
  if (read != NULL && render->document != NULL)
    return debye_session_picture_show_frame(render->picture.scene, render->document, number,
                                            render->line.layers, error);
  if (read != NULL && is_first && !choose_whole(render, read, error))
    return FALSE;
  g_autoptr(DebyeFrame) frame = read != NULL ? place(render, read, error) : NULL;
  if (frame == NULL)
    return FALSE;
  if (is_first)
    return build(render, frame, error) && warn_of_map(render, read, frame, error) &&
           begin_alignment(render, frame, error);
  return render->edit != NULL ? align_and_show(render, frame, error) : show_frame(render, frame, error);
}

/* The frames are spread evenly over the pictures. */
static gboolean
draw_series(Render *render, GError **error)
{
  DebyeFrameRange range;
  if (!choose_frames(render, &range, error))
    return FALSE;
  gsize n_frames = debye_frame_range_count(&range), shown = n_frames;
  render->n_pictures = count_pictures(render, n_frames);
  for (gsize i = 0; i < render->n_pictures && !debye_interrupt_came(); i++) {
    gsize wanted = i * n_frames / render->n_pictures;
    render->frame = range.first + wanted * range.step;
    if (wanted != shown && !read_and_show(render, render->frame, i == 0, error))
      return FALSE;
    shown = wanted;
    if (!capture(render, i, error))
      return FALSE;
  }
  return TRUE;
}

/* Only the camera moves. */
static gboolean
draw_standing(Render *render, GError **error)
{
  render->n_pictures = count_pictures(render, 1);
  for (gsize i = 0; i < render->n_pictures && !debye_interrupt_came(); i++)
    if (!capture(render, i, error))
      return FALSE;
  return TRUE;
}

/* Its atoms are placed, superposed and chosen as the window would at each frame. */
static gboolean
draw_session_frames(Render *render, GError **error)
{
  DebyeDataset *dataset = debye_document_get_dataset(render->document);
  if (dataset == NULL) {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "--frames: the session has no molecule, only maps or results");
    return FALSE;
  }
  g_set_object(&render->dataset, dataset);
  return draw_series(render, error);
}

/* What a window showed when the session was saved, or that of other frames; of the line only these, layers, size,
 * scale, samples, background, preset, legends and what moves the camera count. */
static gboolean
draw_session(Render *render, const char *path, GError **error)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(DebyeScene) scene =
      debye_session_picture_new(path, render->line.layers, &render->document, warnings, error);
  if (scene == NULL)
    return FALSE;
  g_ptr_array_add(warnings, NULL);
  g_set_object(&render->picture.scene, scene);
  if (render->settings.has_preset)
    debye_look_preset(debye_scene_get_look(scene), debye_render_presets[render->settings.preset].value, TRUE);
  debye_picture_set_words(&render->picture, &render->settings);
  if (!debye_picture_turn(&render->picture, &render->settings, error) || !set_view(render, error))
    return FALSE;
  if (render->line.along_views) {
    GArray *views = debye_scene_get_views(scene);
    render->line.path =
        debye_camera_path_new_views((const DebyeCamera *)(gpointer)views->data, views->len, error);
    if (render->line.path == NULL)
      return FALSE;
  }
  if (!debye_cli_warn(render->arguments, (const char *const *)warnings->pdata, error))
    return FALSE;
  return debye_request_is_set(render->request, "frames") ? draw_session_frames(render, error)
                                                         : draw_standing(render, error);
}

static void
print_json(const Render *render)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  g_ptr_array_add(render->written, NULL);
  debye_json_open(&json, NULL, '{');
  debye_json_strings(&json, "outputs", (const char *const *)render->written->pdata);
  debye_json_integer(&json, "width", (gint64)render->line.width);
  debye_json_integer(&json, "height", (gint64)render->line.height);
  debye_json_string(&json, "renderer", debye_offscreen_get_renderer(render->offscreen));
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

/* What Poisson-Boltzmann makes whole is drawn whole. */
static gboolean
ask_for_electrostatic(Render *render, GError **error)
{
  DebyeRequest *further = debye_arguments_get_further(render->arguments);
  render->map.is_needed = TRUE;
  render->draws_whole = !render->settings.has_molecules;
  if (render->dataset != NULL && !debye_request_is_set(further, "select") &&
      !debye_request_set(further, "select",
                         debye_map_suggest_solute(debye_dataset_get_topology(render->dataset)), error))
    return FALSE;
  return debye_request_is_set(further, "method") || debye_request_set(further, "method", "pb", error);
}

/* The map of a cube file comes with its molecule, and the other way round: naming it once is enough. */
static const char *const *
find_files(Render *render, const char *map[2])
{
  const char *const *files = debye_arguments_get_files(render->arguments);
  map[0] = debye_arguments_get_path(render->arguments, "map");
  map[1] = NULL;
  if (files[0] == NULL)
    return debye_map_file_has_molecule(map[0]) ? map : files;
  if (files[1] == NULL && map[0] == NULL && debye_map_file_has_molecule(files[0]))
    render->map.path = files[0];
  return files;
}

static gboolean
draw(Render *render, GError **error)
{
  DebyeArguments *arguments = render->arguments;
  render->written = g_ptr_array_new_with_free_func(g_free);
  render->map.arguments = arguments;
  debye_request_fill(render->request, &render->settings);
  if (!debye_render_line_parse(&render->line, arguments, &render->settings, error) ||
      !open_film(render, error) || (render->offscreen = debye_offscreen_new(error)) == NULL)
    return FALSE;
  debye_picture_init(&render->picture);
  if (render->line.is_session)
    return draw_session(render, debye_arguments_get_files(arguments)[0], error);
  const char *map[2];
  const char *const *files = find_files(render, map);
  render->map.is_needed = debye_layer_texts_need_map(render->line.layers);
  const gboolean has_files = files[0] != NULL;
  if (has_files)
    render->dataset = debye_cli_open(arguments, files, error);
  if (has_files && render->dataset == NULL)
    return FALSE;
  if (render->settings.electrostatic && !ask_for_electrostatic(render, error))
    return FALSE;
  if (!has_files)
    return build(render, NULL, error) && draw_standing(render, error);
  render->placer = debye_placer_new(debye_dataset_get_topology(render->dataset));
  return draw_series(render, error);
}

GBytes *
debye_render_capture(DebyeArguments *arguments, GError **error)
{
  GBytes *captured = NULL;
  g_auto(Render) render = {
      .arguments = arguments, .request = debye_arguments_get_request(arguments), .captured = &captured};
  if (draw(&render, error))
    return captured;
  g_clear_pointer(&captured, g_bytes_unref);
  return NULL;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_auto(Render) render = {.arguments = arguments, .request = debye_arguments_get_request(arguments)};
  if (!draw(&render, error) || !finish_film(&render, error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    print_json(&render);
  return !debye_interrupt_came();
}

static const char *const examples[] = {
    "debye-cli render -o protein.png protein.pqr",
    "debye-cli render --electrostatic --surface 1 --surface -1 -o surface.png protein.pqr",
    "debye-cli render --surface 4 --surface -4 --slice z --map-select protein -o potential.png system.psf "
    "run.xtc",
    "debye-cli render --map potential.dx --surface 1 --style sticks --transparent --size 3000x2000 -o "
    "figure.png a.pdb",
    "debye-cli render -o figure.png lysozyme.debye",
    "debye-cli render --frames 0:-1:5 --scene film.scene -o film.png system.psf run.xtc",
    "debye-cli render --turn 360 -o turn.webm protein.pqr",
    "debye-cli render --molecular-surface --surface-kind excluded --surface-color potential.h5 --clip "
    "view:0.6 "
    "--labels residue --label-select 'resname LYS' -o pocket.png protein.pqr",
    "debye-cli render --layer 'protein: cartoon, chain' --layer 'resname HEM: sticks, labels, leaders' -o "
    "heme.png "
    "4hhb.cif",
    "debye-cli render --frames : --cameras '0,0,1; 90,20,3' --pictures 250 -o film.mp4 system.psf run.xtc",
    NULL,
};

const DebyeCommand debye_command_render = {
    .name = "render",
    .operands = "FILE...",
    .summary = "Makes pictures, without a display",
    .description =
        "Atoms, isosurfaces and slices of a map, into PNG. The map comes from --map, or is computed as by "
        "debye-cli map: for the drawn frame, or averaged over --map-frames. Several --frames make a series, "
        "NAME-0000.png and on, with the camera and colours of the first picture. --turn and --cameras move "
        "the camera during the series. If the output ends in .webm or .mp4, the series becomes a movie, "
        "which GStreamer encodes.\n\nA scene file holds the same settings, one “key = value” per line under "
        "the group [scene] (surface = 4;-4), and the molecule's files as “files = a.psf;a.xtc”, relative to "
        "it. The command line takes precedence.\n\nA session of the window (.debye), as the only operand, is "
        "drawn as the window showed it, or with other --frames. --layer changes its layers by name, or adds "
        "one.",
    .examples = examples,
    .get_table = debye_render_settings_get,
    .further = &debye_map_settings,
    .further_prefix = "map-",
    .least_operands = 0,
    .max_operands = G_MAXUINT,
    .run = run,
};

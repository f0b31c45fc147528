/* SPDX-License-Identifier: MIT */
/* debye-cli render: writes pictures and movies without a display; listed by command_list.c. */
#include "command_render.h"

#include "app/analysis/map/map_electrostatic.h"
#include "app/analysis/map/map_settings.h"
#include "app/document/json_writer.h"
#include "app/document/map_file.h"
#include "app/document/session_picture.h"
#include "cli_work.h"
#include "command_render_private.h"
#include "data/files/error.h"
#include "interrupt.h"
#include "render/scene/look_settings.h"

static void
render_clear(DebyeRender *render)
{
  debye_picture_clear(&render->picture);
  g_clear_object(&render->dataset);
  g_clear_object(&render->document);
  g_clear_pointer(&render->placer, debye_placer_free);
  g_clear_pointer(&render->edit, debye_frame_edit_free);
  debye_render_map_clear(&render->map);
  debye_render_line_clear(&render->line);
  g_clear_pointer(&render->opening, g_thread_join);
  g_clear_pointer(&render->offscreen, debye_offscreen_free);
  g_clear_error(&render->offscreen_error);
  g_clear_pointer(&render->film, debye_film_file_abandon);
  g_clear_pointer(&render->page, debye_film_page_free);
  debye_vibration_motion_clear(&render->motion);
  g_clear_pointer(&render->written, g_ptr_array_unref);
  g_clear_pointer(&render->origin, debye_picture_origin_free);
  g_clear_pointer(&render->hashing, debye_hashing_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeRender, render_clear)

static gpointer
open_offscreen(gpointer data)
{
  DebyeRender *render = data;
  render->offscreen = debye_offscreen_new(&render->offscreen_error);
  if (render->offscreen != NULL)
    debye_offscreen_let_go(render->offscreen);
  return NULL;
}

/* Reports missing OpenGL before anything is computed. */
static gboolean
wait_for_offscreen(DebyeRender *render, GError **error)
{
  g_thread_join(g_steal_pointer(&render->opening));
  if (render->offscreen_error != NULL)
    g_propagate_error(error, g_steal_pointer(&render->offscreen_error));
  return render->offscreen != NULL;
}

/* Its atoms are placed, superposed and chosen as the window would at each frame. */
static gboolean
draw_session_frames(DebyeRender *render, GError **error)
{
  DebyeDataset *dataset = debye_document_get_dataset(render->document);
  if (dataset == NULL)
    return debye_error_set(error, DEBYE_ERROR_MISSING,
                           "--frames: the session has no molecule, only maps or results");
  g_set_object(&render->dataset, dataset);
  return debye_render_draw_series(render, error);
}

/* What a window showed when the session was saved, or that of other frames; of the line only these, layers, size,
 * scale, samples, background, preset, legends and what moves the camera count. */
static gboolean
draw_session(DebyeRender *render, const char *path, GError **error)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(DebyeScene) scene =
      debye_session_picture_new(path, render->line.layers, &render->document, warnings, error);
  if (scene == NULL)
    return FALSE;
  g_ptr_array_add(warnings, NULL);
  g_set_object(&render->picture.scene, scene);
  if (render->settings.has_preset)
    debye_look_settings_change_paper(scene, debye_render_presets[render->settings.preset].value, TRUE);
  if (!debye_picture_set_look(&render->picture, render->request, error) ||
      !debye_picture_turn(&render->picture, &render->settings, error) ||
      !debye_render_set_view(render, error))
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
  if (render->settings.has_frames)
    return draw_session_frames(render, error);
  return debye_render_find_vibration(render, error) && debye_render_draw_standing(render, error);
}

static void
print_json(const DebyeRender *render)
{
  g_auto(DebyeJson) json = debye_json_begin();
  g_ptr_array_add(render->written, NULL);
  debye_json_strings(&json, "outputs", (const char *const *)render->written->pdata);
  debye_json_integer(&json, "width", render->line.width);
  debye_json_integer(&json, "height", render->line.height);
  debye_json_string(&json, "renderer", debye_offscreen_get_renderer(render->offscreen));
  debye_json_print(&json);
}

/* What Poisson-Boltzmann makes whole is drawn whole. */
static gboolean
ask_for_electrostatic(DebyeRender *render, GError **error)
{
  DebyeRequest *further = debye_arguments_get_further(render->arguments);
  render->draws_whole = !render->settings.has_molecules;
  if (render->dataset != NULL && !debye_request_is_set(further, "select") &&
      !debye_request_set(further, "select",
                         debye_map_suggest_solute(debye_dataset_get_topology(render->dataset)), error))
    return FALSE;
  return debye_request_is_set(further, "method") || debye_request_set(further, "method", "pb", error);
}

/* The map of a cube file comes with its molecule, and the other way round: naming it once is enough. */
static const char *const *
find_files(DebyeRender *render, const char *map[2])
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
draw(DebyeRender *render, GError **error)
{
  DebyeArguments *arguments = render->arguments;
  render->written = g_ptr_array_new_with_free_func(g_free);
  render->map.arguments = arguments;
  debye_request_fill(render->request, &render->settings);
  if (!debye_render_line_parse(&render->line, arguments, &render->settings, error) ||
      !debye_render_open_page(render, error) || !debye_render_open_film(render, error))
    return FALSE;
  /* Beside the files, on a thread that a GL context may be opened on and handed over from; waited for once. */
  render->opening = g_thread_new("debye-gl", open_offscreen, render);
  debye_picture_init(&render->picture);
  if (debye_arguments_get_options(arguments).provenance && render->film == NULL && render->captured == NULL)
    render->hashing = debye_hashing_begin(debye_arguments_get_files(arguments));
  debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_PREPARE);
  if (render->line.is_session)
    return wait_for_offscreen(render, error) &&
           draw_session(render, debye_arguments_get_files(arguments)[0], error);
  const char *map[2];
  const char *const *files = find_files(render, map);
  render->map.is_needed = render->settings.electrostatic || debye_layer_texts_need_map(render->line.layers);
  debye_render_map_expect(&render->map);
  const gboolean has_files = files[0] != NULL;
  if (has_files)
    render->dataset = debye_cli_open(arguments, files, error);
  if ((has_files && render->dataset == NULL) || !wait_for_offscreen(render, error))
    return FALSE;
  if (render->settings.electrostatic && !ask_for_electrostatic(render, error))
    return FALSE;
  if (!has_files)
    return debye_render_build(render, NULL, error) && debye_render_draw_standing(render, error);
  render->placer = debye_placer_new(debye_dataset_get_topology(render->dataset));
  return debye_render_draw_series(render, error);
}

GBytes *
debye_render_capture(DebyeArguments *arguments, GError **error)
{
  GBytes *captured = NULL;
  g_auto(DebyeRender) render = {
      .arguments = arguments, .request = debye_arguments_get_request(arguments), .captured = &captured};
  if (draw(&render, error))
    return captured;
  g_clear_pointer(&captured, g_bytes_unref);
  return NULL;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_auto(DebyeRender) render = {.arguments = arguments, .request = debye_arguments_get_request(arguments)};
  if (!draw(&render, error) || !debye_render_finish_film(&render, error))
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
    "view:0.6 --labels residue --label-select 'resname LYS' -o pocket.png protein.pqr",
    "debye-cli render --layer 'protein: cartoon, chain' --layer 'resname HEM: sticks, labels, leaders' -o "
    "heme.png 4hhb.cif",
    "debye-cli render --frames : --plot distance.h5 --title 'Two states' --caption '2-5: The pocket opens' "
    "-o states.mp4 protein.psf run.xtc",
    "debye-cli render --frames : --cameras '0,0,1; 90,20,3' --pictures 250 -o film.mp4 system.psf run.xtc",
    NULL,
};

const DebyeCommand debye_command_render = {
    .name = "render",
    .operands = "FILE...",
    .summary = "Makes pictures, without a display",
    .description =
        "Draws atoms, and isosurfaces and slices of a map, as PNG. The map comes from --map, or is computed "
        "as by debye-cli map: for the drawn frame, or averaged over --map-frames. Several --frames make a "
        "series, NAME-0000.png and so on, with the camera and colours of the first picture. --turn and "
        "--cameras move the camera during the series. If the output ends in .webm or .mp4, the series "
        "becomes a movie, which GStreamer encodes; .gif needs no GStreamer.\n\nA scene file holds the same "
        "settings, one “key = value” per line under the group [scene] (surface = 4;-4), and the molecule's "
        "files as “files = a.psf;a.xtc”, relative to it. The command line takes precedence.\n\nA session of "
        "the window (.debye), as the only operand, is drawn as the window showed it, or with other --frames. "
        "--layer changes its layers by name, or adds one.",
    .examples = examples,
    .get_table = debye_render_settings_get,
    .further = &debye_map_settings,
    .further_prefix = "map-",
    .draws = TRUE,
    .least_operands = 0,
    .max_operands = G_MAXUINT,
    .run = run,
};

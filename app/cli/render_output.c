/* SPDX-License-Identifier: MIT */
/* Draws the pictures of debye-cli render and writes them as files or as a movie; called by command_render.c and
 * render_series.c. */
#include "cli_work.h"
#include "command_render_private.h"
#include "app/document/camera_file.h"
#include "data/files/error.h"
#include "interrupt.h"

/* What only shows when the first picture is ready would come late. */
gboolean
debye_render_open_film(DebyeRender *render, GError **error)
{
  if (!debye_film_file_is_film(render->line.output))
    return TRUE;
  if (render->settings.transparent)
    return debye_usage_refuse(error, "render: --transparent: films have a background; expected .png");
  const DebyeFilmFormat format = {.width = render->line.width,
                                  .height = render->line.height,
                                  .rate = render->line.rate,
                                  .codec = debye_film_codecs[render->settings.codec].value};
  render->film = debye_film_file_new(render->line.output, &format, error);
  return render->film != NULL;
}

static void
say_written(DebyeRender *render, const char *path)
{
  debye_cli_say(render->arguments, "written: %s", path);
  g_ptr_array_add(render->written, g_strdup(path));
}

/* Of this picture alone: its frame and the camera as it is. Colour limits and atoms
 * that a series keeps from its first frame are not in it. */
static gboolean
find_origin(DebyeRender *render, GError **error)
{
  static const char *const of_series[] = {"frames", "camera",    "orbit",   "zoom",     "view",
                                          "turn",   "turn-axis", "cameras", "pictures", NULL};
  static const char *const nothing[] = {NULL};
  g_autofree char *frame = g_strdup_printf("%" G_GSIZE_FORMAT, render->frame);
  g_autofree char *camera = debye_camera_to_text(debye_scene_get_camera(render->picture.scene));
  g_autofree char *camera_word = g_strconcat("--camera=", camera, NULL);
  /* No option names one picture of a vibration, nor a moment of a title or a caption: the command is that of the series. Times
   * need the rate, which is left out of other pictures' commands. */
  if (debye_render_has_times(render)) {
    g_autofree char *rate = g_strconcat("--rate=", render->settings.rate, NULL);
    const char *const of_times[] = {rate, NULL};
    return render->origin != NULL ||
           debye_cli_find_origin(render->arguments, nothing, of_times, &render->origin, error);
  }
  if (render->motion.vibrations != NULL)
    return render->origin != NULL ||
           debye_cli_find_origin(render->arguments, nothing, nothing, &render->origin, error);
  const char *const instead[] = {camera_word, render->dataset != NULL ? "--frames" : NULL, frame, NULL};
  if (render->origin == NULL)
    return debye_cli_find_origin(render->arguments, of_series, instead, &render->origin, error);
  g_autofree char *command = debye_cli_origin_command(render->arguments, of_series, instead);
  debye_picture_origin_set_command(render->origin, command);
  return TRUE;
}

/* Into the movie, or into the file of that number. */
static gboolean
write_picture(DebyeRender *render, GBytes *pixels, gsize number, GError **error)
{
  if (render->film != NULL)
    return debye_film_file_add(render->film, pixels, error);
  g_autofree char *path = render->n_pictures == 1 ? g_strdup(render->line.output)
                                                  : debye_film_file_name_picture(render->line.output, number);
  if (!find_origin(render, error))
    return FALSE;
  debye_stages_enter(debye_arguments_get_stages(render->arguments), DEBYE_STAGE_WRITE);
  if (!debye_capture_save_large_png(pixels, render->line.width, render->line.height,
                                    debye_picture_size_get_dpi(&render->line.size), render->origin, path,
                                    NULL, NULL, error)) {
    debye_error_name_output(path, error);
    return FALSE;
  }
  say_written(render, path);
  return TRUE;
}

/* Its pictures fade into the first one. */
static gboolean
write_title(DebyeRender *render, GBytes *first, GError **error)
{
  const double rate = debye_film_rate_get(&render->line.rate);
  const DebyeLook *look = debye_scene_get_look(render->picture.scene);
  const gsize n_pictures = debye_render_count_title(render);
  for (gsize i = 0; i < n_pictures && !debye_interrupt_came(); i++) {
    g_autoptr(GBytes) pixels =
        debye_film_page_draw_title(render->page, look, first, i, n_pictures, rate, error);
    if (pixels == NULL || !write_picture(render, pixels, i, error))
      return FALSE;
  }
  return TRUE;
}

/* Pictures of the title have the first numbers. */
static gboolean
write_pixels(DebyeRender *render, GBytes *pixels, gsize number, GError **error)
{
  if (render->captured != NULL) {
    g_clear_pointer(render->captured, g_bytes_unref);
    *render->captured = g_bytes_ref(pixels);
    return TRUE;
  }
  return (number > 0 || write_title(render, pixels, error)) &&
         write_picture(render, pixels, debye_render_count_title(render) + number, error);
}

static void
place_camera(DebyeRender *render, gsize number)
{
  if (render->line.path == NULL)
    return;
  debye_camera_path_place(render->line.path, &render->start, number, render->n_pictures,
                          debye_scene_get_camera(render->picture.scene));
  debye_scene_changed(render->picture.scene);
}

/* A large picture has many tiles: NULL without an error where Ctrl-C came between two of them. Frees the picture. */
static GBytes *
draw_tiles(DebyeRender *render, DebyeCapture *picture, gsize number, GError **error)
{
  DebyeCliProgress progress;
  gboolean goes_on = TRUE;
  g_autofree char *which =
      render->n_pictures > 1
          ? g_strdup_printf("picture %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, number + 1, render->n_pictures)
          : NULL;
  debye_cli_progress_init(&progress, render->arguments, "render");
  for (double done = 0.0; goes_on && done < 1.0; done = debye_capture_get_fraction(picture)) {
    debye_cli_progress_update(done, which, &progress);
    goes_on = !debye_interrupt_came() && debye_capture_step(picture, error);
  }
  debye_cli_progress_end(&progress);
  if (goes_on)
    return debye_capture_finish(picture);
  debye_capture_free(picture);
  return NULL;
}

static GBytes *
draw_pixels(DebyeRender *render, gsize number, GError **error)
{
  int width, height;
  debye_render_get_view_size(render, &width, &height);
  const DebyeCaptureSize size = {.width = width,
                                 .height = height,
                                 .scale = debye_picture_size_get_scale(&render->line.size),
                                 .transparent = render->settings.transparent,
                                 .samples = (int)render->settings.samples};
  DebyeCapture *picture = debye_capture_begin(render->picture.scene, &size, error);
  if (number + 1 == render->n_pictures)
    debye_render_map_rest(&render->map);
  return picture != NULL ? draw_tiles(render, picture, number, error) : NULL;
}

static gboolean
has_texts(const DebyeRender *render)
{
  return render->page != NULL || debye_scene_has_texts(render->picture.scene);
}

/* What was drawn of a picture when Ctrl-C came is given up; a film keeps the pictures before. */
gboolean
debye_render_capture_picture(DebyeRender *render, gsize number, GError **error)
{
  g_autoptr(GError) problem = NULL;
  debye_stages_enter(debye_arguments_get_stages(render->arguments), DEBYE_STAGE_DRAW);
  /* Not before: a driver that opens devices at the same time would make this wait. */
  if (number == 0 && !debye_offscreen_take(render->offscreen, error))
    return FALSE;
  place_camera(render, number);
  debye_scene_settle(render->picture.scene);
  if (number == 0 && has_texts(render) && !debye_cli_warn_of_fonts(render->arguments, error))
    return FALSE;
  g_autoptr(GBytes) view = draw_pixels(render, number, &problem);
  if (view != NULL) {
    g_autoptr(GBytes) pixels = debye_render_compose_page(render, view, number, error);
    return pixels != NULL && write_pixels(render, pixels, number, error);
  }
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

/* A film of what was drawn until Ctrl-C is a film, unless that is nothing: an older file then stays. */
gboolean
debye_render_finish_film(DebyeRender *render, GError **error)
{
  if (render->film == NULL || debye_film_file_is_empty(render->film))
    return TRUE;
  debye_stages_enter(debye_arguments_get_stages(render->arguments), DEBYE_STAGE_WRITE);
  if (!debye_film_file_finish(g_steal_pointer(&render->film), error))
    return FALSE;
  say_written(render, render->line.output);
  return TRUE;
}

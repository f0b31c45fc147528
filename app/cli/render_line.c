/* SPDX-License-Identifier: MIT */
/* Checks what the settings table of debye-cli render can't; called by command_render.c. */
#include "render_line.h"

#include <math.h>
#include <string.h>

#include "cli_work.h"
#include "render/scene/look_settings.h"
#include "arguments.h"
#include "app/document/session.h"
#include "data/files/error.h"

static gboolean
parse_size(DebyeRenderLine *line, const DebyeRenderSettings *settings, GError **error)
{
  g_autoptr(GError) problem = NULL;
  line->size = (DebyePictureSize){.dpi = settings->has_dpi ? settings->dpi : 0.0,
                                  .text_size = settings->has_text_size ? settings->text_size : 0.0,
                                  .scale = settings->has_scale ? settings->scale : 0.0};
  if (debye_picture_size_parse(&line->size, settings->size, &problem) &&
      debye_picture_size_get_pixels(&line->size, &line->width, &line->height))
    return TRUE;
  return debye_usage_refuse(error, "render: --size: %s", problem->message);
}

static gboolean
parse_limits(DebyeRenderLine *line, DebyeRequest *request, GError **error)
{
  const char *text = debye_request_find_set(request, "surface-limits");
  line->has_limits = text != NULL;
  if (!line->has_limits)
    return TRUE;
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  gboolean understood = g_strv_length(parts) == 2;
  for (int i = 0; understood && i < 2; i++) {
    char *end;
    line->limits[i] = g_ascii_strtod(parts[i], &end);
    understood = end != parts[i] && *end == '\0' && isfinite(line->limits[i]);
  }
  if (understood && line->limits[0] < line->limits[1])
    return TRUE;
  return debye_usage_refuse(
      error, "render: --surface-limits: expected LOW,HIGH, the smaller number first, found “%s”", text);
}

/* --- The camera's path --- */

static gboolean
parse_cameras(DebyeRenderLine *line, const char *text, GError **error)
{
  line->along_views = strcmp(text, "views") == 0;
  if (!line->along_views)
    return (line->path = debye_camera_path_parse(text, error)) != NULL;
  return line->is_session ||
         debye_usage_refuse(error,
                            "render: --cameras views: expected one session (.debye), whose views these are");
}

static gboolean
parse_path(DebyeRenderLine *line, const DebyeRenderSettings *settings, GError **error)
{
  if (settings->has_turn && settings->cameras != NULL)
    return debye_usage_refuse(error, "render: expected --turn or --cameras, found both");
  if (settings->has_turn)
    line->path = debye_camera_path_new_turn(settings->turn, settings->turn_axis);
  return settings->cameras == NULL || parse_cameras(line, settings->cameras, error);
}

/* --- Sessions --- */

/* All else is as the window showed it: what would count for nothing is refused. */
static gboolean
counts_for_session(DebyeArguments *arguments, const DebyeOption *option)
{
  static const char *const own[] = {"size",     "dpi",    "text-size",  "scale",   "transparent", "samples",
                                    "frames",   "preset", "scene",      "turn",    "turn-axis",   "cameras",
                                    "pictures", "rate",   "codec",      "layer",   "camera",      "orbit",
                                    "zoom",     "title",  "title-time", "caption", "plot",        NULL};
  if (option->table == debye_request_get_table(debye_arguments_get_request(arguments)))
    return g_strv_contains(own, option->name) || debye_look_setting_find_key(option->name) != NULL;
  return option->table != debye_request_get_table(debye_arguments_get_further(arguments)) ||
         debye_setting_table_find(&debye_common_settings, option->name) != NULL;
}

static gboolean
check_session(DebyeArguments *arguments, GError **error)
{
  g_autoptr(GPtrArray) options = debye_options_of(debye_arguments_get_command(arguments));
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = options->pdata[i];
    if (counts_for_session(arguments, option) || !debye_arguments_is_given(arguments, option))
      continue;
    return debye_usage_refuse(error,
                              "render: --%s: a session (.debye) is drawn as the window showed it, expected "
                              "no such option, nor a file that sets it",
                              option->name);
  }
  return TRUE;
}

/* --- Layers --- */

static gboolean
parse_layers(DebyeRenderLine *line, const DebyeRenderSettings *settings, GError **error)
{
  g_auto(GStrv) lines = debye_setting_split_values(settings->layers);
  line->layers = debye_layer_texts_parse((const char *const *)lines, error);
  if (line->layers == NULL)
    debye_error_prefix(error, "render: --layer: ");
  return line->layers != NULL;
}

/* --- The whole --- */

static gboolean
find_output(DebyeRenderLine *line, DebyeArguments *arguments, GError **error)
{
  static const char *const endings[] = {".png", ".tiff", ".tif", ".webm", ".mp4", ".gif", NULL};
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  if (g_strv_length((char **)outputs) != 1)
    return debye_usage_refuse(error, "render: expected one --output FILE.png, .tiff, .webm, .mp4 or .gif");
  line->output = outputs[0];
  return debye_cli_check_outputs(outputs, endings, error);
}

static gboolean
check_film(const DebyeRenderLine *line, const DebyeRenderSettings *settings, GError **error)
{
  g_autoptr(GError) reason = NULL;
  const char *codec = debye_film_codecs[settings->codec].value;
  if (!debye_film_file_is_film(line->output)) {
    if (g_str_equal(codec, "auto"))
      return TRUE;
    return debye_usage_refuse(
        error, "render: --codec: only a movie has one, expected --output FILE.webm or .mp4, found %s",
        line->output);
  }
  return debye_film_file_check(line->output, codec, &line->rate, &reason) ||
         debye_usage_refuse(error, "render: %s", reason->message);
}

gboolean
debye_render_line_parse(DebyeRenderLine *line, DebyeArguments *arguments, const DebyeRenderSettings *settings,
                        GError **error)
{
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *const *files = debye_arguments_get_files(arguments);
  guint n_files = debye_arguments_get_n_files(arguments);
  *line = (DebyeRenderLine){.is_session = n_files == 1 && debye_session_is_one(files[0])};
  if (!find_output(line, arguments, error))
    return FALSE;
  if (line->is_session && !check_session(arguments, error))
    return FALSE;
  if (n_files == 0 && settings->map == NULL)
    return debye_usage_refuse(error, "render: expected FILE... or --map FILE, found neither");
  if (!debye_film_rate_parse(settings->rate, &line->rate))
    return debye_usage_refuse(
        error,
        "render: --rate: expected frames per second from 0.001 to 240, 25, 29.97 or 30000/1001, found “%s”",
        settings->rate);
  return check_film(line, settings, error) && parse_layers(line, settings, error) &&
         parse_limits(line, request, error) && parse_size(line, settings, error) &&
         parse_path(line, settings, error);
}

void
debye_render_line_clear(DebyeRenderLine *line)
{
  g_clear_pointer(&line->path, debye_camera_path_free);
  g_clear_pointer(&line->layers, g_ptr_array_unref);
}

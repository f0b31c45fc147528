/* SPDX-License-Identifier: MIT */
/* Saves and loads the camera of a scene; called by session_scene.c and debye-cli render. */
#include "camera_file.h"

#include <math.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "json_reader.h"
#include "json_writer.h"
#include "scene_values.h"

#define FAR 1e6 /* Å: further than anything */
#define LARGEST_FILE (1 << 16)

GVariant *
debye_camera_save(const DebyeCamera *camera)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert_value(&dict, "orientation", debye_scene_values_save(camera->orientation, 4));
  g_variant_dict_insert_value(&dict, "target", debye_scene_values_save(camera->target, 3));
  g_variant_dict_insert(&dict, "height", "d", (double)camera->height);
  g_variant_dict_insert(&dict, "perspective", "b", camera->perspective);
  g_variant_dict_insert(&dict, "field-of-view", "d", (double)camera->field_of_view);
  return g_variant_dict_end(&dict);
}

gboolean
debye_camera_load(GVariant *saved, DebyeCamera *camera)
{
  DebyeCamera loaded = *camera;
  double height, angle;
  if (!debye_scene_values_load(saved, "orientation", -1.0, 1.0, loaded.orientation, 4) ||
      glm_quat_norm(loaded.orientation) < 0.5f ||
      !debye_scene_values_load(saved, "target", -FAR, FAR, loaded.target, 3) ||
      !debye_json_get_number(saved, "height", &height) || !(height > 0.0 && height < FAR))
    return FALSE;
  g_autoptr(GVariant) perspective = debye_json_get(saved, "perspective", G_VARIANT_TYPE_BOOLEAN);
  if (fabs((double)glm_quat_norm(loaded.orientation) - 1.0) > 1e-5)
    glm_quat_normalize(loaded.orientation);
  loaded.height = (float)height;
  loaded.perspective = perspective != NULL ? g_variant_get_boolean(perspective) : loaded.perspective;
  if (debye_json_get_number(saved, "field-of-view", &angle) && angle >= 1.0 && angle <= 120.0)
    loaded.field_of_view = (float)angle;
  *camera = loaded;
  return TRUE;
}

/* --- A word --- */

static void
append_numbers(GString *text, const float *numbers, gsize n)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  for (gsize i = 0; i < n; i++)
    g_string_append_printf(text, "%s%s",
                           i > 0           ? ","
                           : text->len > 0 ? ":"
                                           : "",
                           g_ascii_formatd(digits, sizeof digits, "%.9g", (double)numbers[i]));
}

char *
debye_camera_to_text(const DebyeCamera *camera)
{
  GString *text = g_string_new(NULL);
  append_numbers(text, camera->orientation, 4);
  append_numbers(text, camera->target, 3);
  append_numbers(text, &camera->height, 1);
  if (camera->perspective)
    append_numbers(text, &camera->field_of_view, 1);
  return g_string_free(text, FALSE);
}

/* Exactly so many, separated by commas. */
static gboolean
parse_numbers(const char *text, float *numbers, gsize n)
{
  char *end = (char *)text;
  for (gsize i = 0; i < n; i++) {
    const char *begin = i > 0 ? end + 1 : text;
    if (i > 0 && *end != ',')
      return FALSE;
    const double number = g_ascii_strtod(begin, &end);
    if (end == begin || !(fabs(number) < FAR))
      return FALSE;
    numbers[i] = (float)number;
  }
  return *end == '\0';
}

static guint
count_numbers(const char *text)
{
  g_auto(GStrv) numbers = g_strsplit(text, ",", -1);
  return g_strv_length(numbers);
}

gboolean
debye_camera_has_form(const char *text)
{
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  const guint n = g_strv_length(parts);
  return (n == 3 || n == 4) && count_numbers(parts[0]) == 4 && count_numbers(parts[1]) == 3;
}

gboolean
debye_camera_parse(DebyeCamera *camera, const char *text)
{
  DebyeCamera read = *camera;
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  const guint n = g_strv_length(parts);
  if ((n != 3 && n != 4) || !parse_numbers(parts[0], read.orientation, 4) ||
      !parse_numbers(parts[1], read.target, 3) || !parse_numbers(parts[2], &read.height, 1) ||
      (n == 4 && !parse_numbers(parts[3], &read.field_of_view, 1)))
    return FALSE;
  read.perspective = n == 4;
  if (!(glm_quat_norm(read.orientation) > 0.5f && read.height > 0.0f && read.field_of_view >= 1.0f &&
        read.field_of_view <= 120.0f))
    return FALSE;
  if (fabs((double)glm_quat_norm(read.orientation) - 1.0) > 1e-5)
    glm_quat_normalize(read.orientation);
  *camera = read;
  return TRUE;
}

/* --- A file --- */

gboolean
debye_camera_file_write(const DebyeCamera *camera, const char *path, GError **error)
{
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_camera_save(camera));
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_value(&json, "camera", saved);
  debye_json_close(&json, '}');
  g_string_append_c(json.text, '\n');
  return g_output_stream_write_all(debye_replace_file_get_stream(file), json.text->str, json.text->len, NULL,
                                   NULL, error) &&
         debye_replace_file_commit(g_steal_pointer(&file), error);
}

/* A file that is no camera may be of any length. */
static char *
read_text(const char *path, gsize *length, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) stream = g_file_read(file, NULL, error);
  g_autofree char *text = g_malloc(LARGEST_FILE);
  if (stream == NULL ||
      !g_input_stream_read_all(G_INPUT_STREAM(stream), text, LARGEST_FILE, length, NULL, error))
    return NULL;
  return g_steal_pointer(&text);
}

gboolean
debye_camera_file_read(DebyeCamera *camera, const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = read_text(path, &length, error);
  g_autoptr(GVariant) values = text != NULL ? debye_json_parse(text, length, path, error) : NULL;
  if (values == NULL)
    return FALSE;
  g_autoptr(GVariant) saved = g_variant_is_of_type(values, G_VARIANT_TYPE_VARDICT)
                                  ? debye_json_get(values, "camera", G_VARIANT_TYPE_VARDICT)
                                  : NULL;
  if (saved != NULL && debye_camera_load(saved, camera))
    return TRUE;
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "%s: expected a camera with orientation, target and height, as --camera writes it, found none", path);
}

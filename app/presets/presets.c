/* SPDX-License-Identifier: MIT */
/* Implementation of presets.h; called by the command line. */
#include "presets.h"

#include <gio/gio.h>
#include <string.h>

#include "data/files/error.h"
#include "app/presets/preset-resources.h"

#define PREFIX "/org/debye/presets/"
#define ENDING ".ini"
/* A preset is some lines; this bounds what a wrong file costs. */
#define MAX_BYTES (1024 * 1024)

static char *
get_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "debye", "presets", NULL);
}

/* --- Names --- */

static void
add_name(GPtrArray *names, const char *file)
{
  if (!g_str_has_suffix(file, ENDING))
    return;
  g_autofree char *name = g_strndup(file, strlen(file) - strlen(ENDING));
  if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
    g_ptr_array_add(names, g_steal_pointer(&name));
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **
debye_presets_list(void)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  g_autofree char *folder = get_folder();
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  g_auto(GStrv) own =
      g_resource_enumerate_children(debye_preset_get_resource(), PREFIX, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  for (char **file = own; file != NULL && *file != NULL; file++)
    add_name(names, *file);
  for (const char *file = NULL; dir != NULL && (file = g_dir_read_name(dir)) != NULL;)
    add_name(names, file);
  g_ptr_array_sort(names, compare_names);
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

/* --- Text --- */

static char *
read_file(const char *path, GError **error)
{
  g_autoptr(GError) problem = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GInputStream) stream = G_INPUT_STREAM(g_file_read(file, NULL, &problem));
  g_autofree char *text = g_malloc(MAX_BYTES + 1);
  g_autofree char *name = debye_error_name_file(path);
  gsize length = 0;
  if (stream == NULL || !g_input_stream_read_all(stream, text, MAX_BYTES + 1, &length, NULL, &problem)) {
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", name);
    return NULL;
  }
  if (length > MAX_BYTES || memchr(text, '\0', length) != NULL) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected lines “key = value” of a preset, found %s", name,
                    length > MAX_BYTES ? "more than 1 MiB" : "a zero byte");
    return NULL;
  }
  text[length] = '\0';
  return g_steal_pointer(&text);
}

static char *
read_own(const char *name, GError **error)
{
  g_autofree char *folder = get_folder();
  g_autofree char *file = g_strconcat(name, ENDING, NULL);
  g_autofree char *path = g_build_filename(folder, file, NULL);
  return g_file_test(path, G_FILE_TEST_EXISTS) ? read_file(path, error) : NULL;
}

static char *
read_shipped(const char *name)
{
  g_autofree char *path = g_strconcat(PREFIX, name, ENDING, NULL);
  g_autoptr(GBytes) bytes =
      g_resource_lookup_data(debye_preset_get_resource(), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  return bytes != NULL ? g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes)) : NULL;
}

char *
debye_presets_read(const char *name, GError **error)
{
  g_autoptr(GError) problem = NULL;
  if (strchr(name, G_DIR_SEPARATOR) != NULL || g_str_has_suffix(name, ENDING))
    return read_file(name, error);
  char *text = read_own(name, &problem);
  if (problem != NULL) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
  }
  if (text == NULL)
    text = read_shipped(name);
  if (text != NULL || g_file_test(name, G_FILE_TEST_EXISTS))
    return text != NULL ? text : read_file(name, error);
  g_auto(GStrv) names = debye_presets_list();
  g_autofree char *known = g_strjoinv(", ", names);
  debye_error_set(error, DEBYE_ERROR_MISSING, "expected a preset (%s) or a file, found “%s”", known, name);
  return NULL;
}

/* SPDX-License-Identifier: MIT */
/* The facts are turned into lines by a script, because a JSON parser would be a dependency for tests alone.
 */
#include "shared.h"

#include <stdlib.h>
#include <string.h>

struct _DebyeFacts {
  GHashTable *values; /* "FILE\tKEY" to VALUE */
  GPtrArray *files;
};

char *
debye_shared_build_path(const char *first, ...)
{
  va_list parts;
  va_start(parts, first);
  g_autofree char *inside = g_build_filename_valist(first, &parts);
  va_end(parts);
  return g_build_filename(debye_shared_get_folder(), inside, NULL);
}

static char *
run_script(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *facts = debye_shared_build_path("data", "facts.json", NULL);
  const char *command[] = {DEBYE_TEST_PYTHON, DEBYE_TEST_FACTS_SCRIPT, facts, NULL};
  char *output = NULL;
  int status = 0;
  gboolean good =
      g_spawn_sync(NULL, (char **)command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status, &error);
  if (!good || !g_spawn_check_wait_status(status, &error))
    g_error("the facts can't be read: %s", error->message);
  return output;
}

DebyeFacts *
debye_facts_load(void)
{
  g_autofree char *output = run_script();
  DebyeFacts *facts = g_new0(DebyeFacts, 1);
  facts->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  facts->files = g_ptr_array_new_with_free_func(g_free);
  g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
  for (char **line = lines; *line; line++) {
    char *file_end = strchr(*line, '\t');
    char *key_end = file_end ? strchr(file_end + 1, '\t') : NULL;
    if (!key_end)
      continue;
    g_autofree char *file = g_strndup(*line, (gsize)(file_end - *line));
    if (facts->files->len == 0 || strcmp(g_ptr_array_index(facts->files, facts->files->len - 1), file) != 0)
      g_ptr_array_add(facts->files, g_steal_pointer(&file));
    g_hash_table_insert(facts->values, g_strndup(*line, (gsize)(key_end - *line)), g_strdup(key_end + 1));
  }
  return facts;
}

void
debye_facts_free(DebyeFacts *facts)
{
  if (!facts)
    return;
  g_hash_table_unref(facts->values);
  g_ptr_array_unref(facts->files);
  g_free(facts);
}

GPtrArray *
debye_facts_list_files(const DebyeFacts *facts, const char *prefix)
{
  GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < facts->files->len; i++) {
    const char *file = g_ptr_array_index(facts->files, i);
    if (g_str_has_prefix(file, prefix))
      g_ptr_array_add(files, g_strdup(file));
  }
  return files;
}

const char *
debye_facts_get(const DebyeFacts *facts, const char *file, const char *key)
{
  g_autofree char *both = g_strconcat(file, "\t", key, NULL);
  return g_hash_table_lookup(facts->values, both);
}

gsize
debye_facts_get_numbers(const DebyeFacts *facts, const char *file, const char *key, double *numbers, gsize n)
{
  const char *text = debye_facts_get(facts, file, key);
  gsize count = 0;
  while (text && count < n) {
    char *end;
    double value = g_ascii_strtod(text, &end);
    if (end == text)
      break;
    numbers[count++] = value;
    text = end;
  }
  return count;
}

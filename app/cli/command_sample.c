/* SPDX-License-Identifier: MIT */
/* debye-cli sample: copies a sample that comes with the program, or lists them. */
#include <stdio.h>

#include "cli_work.h"
#include "arguments.h"
#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "app/aggregates/aggregate_file.h"
#include "app/installation/installation.h"
#include "app/document/json_writer.h"
#include "data/settings/request.h"

typedef struct {
  gboolean list;
} Settings;

static const DebyeSetting settings[] = {
    {.key = "list",
     DEBYE_SETTING_MEMBER(Settings, list),
     .label = "List",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "list the samples"},
};

static const DebyeSettingTable table = {
    .id = "sample",
    .title = "Samples",
    .question = "What is there to try?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

static void
print_json(const DebyeSample *const *samples, gsize n_samples)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_open(&json, "samples", '[');
  for (gsize i = 0; i < n_samples; i++) {
    const DebyeSample *sample = samples[i];
    debye_json_open(&json, NULL, '{');
    debye_json_string(&json, "name", sample->name);
    debye_json_string(&json, "title", sample->title);
    debye_json_string(&json, "description", sample->description);
    debye_json_string(&json, "command", sample->command);
    debye_json_strings(&json, "files", (const char *const *)sample->paths);
    debye_json_close(&json, '}');
  }
  debye_json_close(&json, ']');
  debye_json_print(&json);
}

static void
print_list(GPtrArray *samples)
{
  for (guint i = 0; i < samples->len; i++) {
    const DebyeSample *sample = g_ptr_array_index(samples, i);
    printf("%-18s %s\n", sample->name, sample->title != NULL ? sample->title : "");
    if (sample->description != NULL)
      printf("%-18s %s\n", "", sample->description);
  }
}

static const DebyeSample *
find_sample(GPtrArray *samples, const char *name, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (guint i = 0; i < samples->len; i++) {
    const DebyeSample *sample = g_ptr_array_index(samples, i);
    if (g_strcmp0(sample->name, name) == 0)
      return sample;
    g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", sample->name);
  }
  debye_usage_refuse(error, "sample: expected one of %s, found “%s”", names->str, name);
  return NULL;
}

static gboolean
copy_file(const char *source, const char *target, GError **error)
{
  g_autofree char *content = NULL;
  gsize length = 0;
  if (!g_file_get_contents(source, &content, &length, error))
    return FALSE;
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(target, error);
  if (file == NULL)
    return FALSE;
  if (!g_output_stream_write_all(debye_replace_file_get_stream(file), content, length, NULL, NULL, error))
    return FALSE;
  return debye_replace_file_commit(g_steal_pointer(&file), error);
}

/* The copies; NULL with an error. */
static char **
copy_files(char **sources, const char *folder, GError **error)
{
  g_autoptr(GStrvBuilder) targets = g_strv_builder_new();
  if (g_mkdir_with_parents(folder, 0777) != 0) {
    debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the folder can't be made", folder);
    return NULL;
  }
  for (; *sources != NULL; sources++) {
    g_autofree char *name = g_path_get_basename(*sources);
    g_autofree char *target = g_build_filename(folder, name, NULL);
    if (!copy_file(*sources, target, error))
      return NULL;
    g_strv_builder_add(targets, target);
  }
  return g_strv_builder_end(targets);
}

/* The same of a sample that is grown. */
static char **
grow_file(DebyeArguments *arguments, const DebyeSample *sample, const char *folder, GError **error)
{
  g_autofree char *name = g_path_get_basename(sample->paths[0]);
  g_autofree char *target = g_build_filename(folder, name, NULL);
  g_auto(DebyeAggregates) grown = {0};
  DebyeAggregateRule rule;
  if (!debye_aggregate_rule_parse(&rule, sample->grow, error) ||
      !debye_aggregate_write(&rule, target, NULL, NULL, &grown, error))
    return NULL;
  g_autofree char *dimension = debye_aggregate_dimension_text(&grown);
  debye_cli_say(arguments, "Dimension of mass and radius: %s", dimension);
  char **targets = g_new0(char *, 2);
  targets[0] = g_steal_pointer(&target);
  return targets;
}

static gboolean
wants_json(DebyeArguments *arguments)
{
  return debye_arguments_get_options(arguments).json;
}

/* The sample's command with its files, and the one that it leaves. */
static char *
write_line(const DebyeSample *sample, const char *folder)
{
  g_autofree char *name = g_strconcat(sample->name, ".h5", NULL),
                  *output = g_build_filename(folder, name, NULL);
  GString *line = g_string_new(sample->command);
  g_string_append(line, " -o ");
  debye_command_append_word(line, output);
  for (char **path = sample->paths; *path != NULL; path++) {
    g_string_append_c(line, ' ');
    debye_command_append_word(line, *path);
  }
  return g_string_free(line, FALSE);
}

static gboolean
copy_sample(DebyeArguments *arguments, const DebyeSample *sample, GError **error)
{
  const char *folder = debye_arguments_get_path(arguments, "output");
  DebyeSample copy = *sample;
  if (folder == NULL)
    folder = sample->name;
  g_auto(GStrv) paths = sample->grow != NULL ? grow_file(arguments, sample, folder, error)
                                             : copy_files(sample->paths, folder, error);
  if (paths == NULL)
    return FALSE;
  copy.paths = paths;
  if (wants_json(arguments))
    print_json((const DebyeSample *const[]){&copy}, 1);
  else if (!debye_arguments_get_options(arguments).quiet)
    for (char **path = paths; *path != NULL; path++)
      printf("%s\n", *path);
  if (sample->command != NULL) {
    g_autofree char *line = write_line(&copy, folder);
    debye_cli_say(arguments, "Try: debye-cli %s", line);
  }
  return TRUE;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_autoptr(GPtrArray) samples = debye_installation_list_samples(error);
  const char *name = debye_arguments_get_files(arguments)[0];
  if (samples == NULL)
    return FALSE;
  Settings asked;
  debye_request_fill(debye_arguments_get_request(arguments), &asked);
  if (name == NULL && !asked.list)
    return debye_usage_refuse(error, "sample: expected a NAME or --list, found none");
  if (name != NULL) {
    const DebyeSample *sample = find_sample(samples, name, error);
    return sample != NULL && copy_sample(arguments, sample, error);
  }
  if (wants_json(arguments))
    print_json((const DebyeSample *const *)samples->pdata, samples->len);
  else
    print_list(samples);
  return TRUE;
}

static const char *const examples[] = {"debye-cli sample --list", "debye-cli sample helix -o helix", NULL};

const DebyeCommand debye_command_sample = {
    .name = "sample",
    .operands = "[NAME]",
    .summary = "Copies the samples that come with the program",
    .description = "The sample's files are copied into the folder of --output (created if missing), or one "
                   "of the sample's name. Their paths go to standard output, unless --quiet; with --json as "
                   "the \"files\" of {\"samples\": [{\"name\", \"title\", \"description\", \"command\", "
                   "\"files\"}]}, which --list also prints.",
    .examples = examples,
    .table = &table,
    .least_operands = 0,
    .max_operands = 1,
    .run = run,
};

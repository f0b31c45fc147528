/* SPDX-License-Identifier: MIT */
/* Which options a command has: its settings tables under the names of the command line. */
#include <string.h>

#include "app/analysis/driver/common_settings.h"
#include "arguments_private.h"
#include "plot_output.h"

/* Rows that analyses have, too, are read by those. */
typedef struct {
  DebyeCommonOptions options;
  DebyeLaneSettings lanes;
  double tolerance;
} CommonSettings;

static const DebyeSetting common[] = {
    {.key = "output",
     .label = "Output",
     .kind = DEBYE_SETTING_TEXT,
     .help = "output file; its extension selects the format"},
    {.key = "json",
     DEBYE_SETTING_MEMBER(CommonSettings, options.json),
     .label = "JSON",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "write the report to standard output as JSON"},
    {.key = "progress",
     DEBYE_SETTING_MEMBER(CommonSettings, options.progress),
     .was_set = offsetof(CommonSettings, options.has_progress),
     .has_was_set = TRUE,
     .label = "Progress",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help = "show progress; default: on a terminal only"},
    {.key = "quiet",
     DEBYE_SETTING_MEMBER(CommonSettings, options.quiet),
     .label = "Quiet",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "no progress, no warnings, no notes: errors only"},
    {.key = "strict",
     DEBYE_SETTING_MEMBER(CommonSettings, options.strict),
     .label = "Strict",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "treat warnings as errors"},
    {.key = "timing",
     DEBYE_SETTING_MEMBER(CommonSettings, options.timing),
     .label = "Timing",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "wall time per stage: starting, opening files, planning, reading, computing, writing"},
    {.key = "provenance",
     DEBYE_SETTING_MEMBER(CommonSettings, options.provenance),
     .label = "Provenance",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "true",
     .help = "keep in pictures how they were made: command, version and SHA-256 of the inputs, for rerun"},
    {.key = "config",
     .label = "Settings file",
     .kind = DEBYE_SETTING_TEXT,
     .help = "settings from a file; the command line takes precedence"},
    DEBYE_SETTING_LANES_ENTRIES(CommonSettings),
    DEBYE_SETTING_TOLERANCE_ENTRY(CommonSettings),
    {.key = "help",
     DEBYE_SETTING_MEMBER(CommonSettings, options.help),
     .label = "Help",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "show help for this command"},
};

const DebyeSettingTable debye_common_settings = {
    .id = "common",
    .title = "Common options",
    .question = "Options that every command takes",
    .settings = common,
    .n_settings = G_N_ELEMENTS(common),
};

const DebyeCommand *
debye_command_find(const DebyeCommand *const *all, const char *name)
{
  for (; *all != NULL; all++)
    if (g_strcmp0((*all)->name, name) == 0)
      return *all;
  return NULL;
}

DebyeCommonOptions
debye_common_options_of(DebyeRequest *request)
{
  CommonSettings settings;
  debye_request_fill(request, &settings);
  return settings.options;
}

typedef struct {
  const char *key;
  char letter;
  const char *placeholder; /* of a text */
} Spelling;

static const Spelling spellings[] = {
    {"output", 'o', "FILE"},       {"json", 'j', NULL},
    {"quiet", 'q', NULL},          {"help", 'h', NULL},
    {"config", 'c', "FILE"},       {"frames", 'f', NULL},
    {"select", 's', NULL},         {"device", 'd', "LIST"},
    {"threads", 't', NULL},        {"memory", 'm', "SIZE"},
    {"size", 0, "SIZE"},           {"scene", 0, "FILE"},
    {"subtract", 0, "FILE"},       {"map", 0, "FILE"},
    {"slice", 0, "PLANE"},         {"orbit", 0, "TURN,TILT"},
    {"surface", 0, "LEVEL"},       {"surface-color", 0, "FILE"},
    {"against", 0, "LIST"},        {"surface-limits", 0, "LOW,HIGH"},
    {"plot-size", 0, "SIZE"},      {"element", 'e', "ATOMS=SYMBOL"},
    {"data", 0, "FILE"},           {"measured", 0, "FILE"},
    {"q-vectors", 0, "FILE"},      {"continue", 0, "FILE"},
    {"altloc", 0, "LABEL"},        {"cell", 0, "A,B,C"},
    {"length-unit", 0, "UNIT"},    {"sweep", 0, "NAME=LIST"},
    {"data-unit", 0, "UNIT"},      {"curve-unit", 0, "UNIT"},
    {"intensity-unit", 0, "UNIT"}, {"data-columns", 0, "LIST"},
    {"q-range", 0, "QMIN:QMAX"},   {"mask", 0, "QMIN:QMAX"},
    {"guinier", 0, "QMIN:QMAX"},   {"power-law", 0, "QMIN:QMAX"},
    {"porod", 0, "QMIN:QMAX"},     {"pr", 0, "DMAX"},
    {"report", 0, "FILE"},         {"states", 0, "FILE"},
    {"ligand", 0, "FILE"},         {"contours", 0, "STEP"},
    {"color-map", 0, "MAP"},       {"layer", 0, "LAYER"},
    {"titration", 0, "FILE"},      {"camera", 0, "FILE"},
    {"label-text", 0, "TEXT"},
};

/* Files that the analysis opens, by its request. */
static const char *const files_of_analyses[] = {"data", "measured", "q-vectors", "continue", NULL};

static const Spelling *
find_spelling(const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS(spellings); i++)
    if (strcmp(spellings[i].key, key) == 0)
      return &spellings[i];
  return NULL;
}

static void
option_free(gpointer data)
{
  DebyeOption *option = data;
  g_free(option->name);
  g_free(option);
}

static const DebyeOption *
find_name(GPtrArray *options, const char *name)
{
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(options, i);
    if (strcmp(option->name, name) == 0)
      return option;
  }
  return NULL;
}

static gboolean
is_repeatable(const DebyeSettingTable *table, const DebyeSetting *setting)
{
  return setting->repeated || (table == &debye_common_settings && strcmp(setting->key, "output") == 0);
}

/* Views, figures, or plots of its curves. */
static gboolean
makes_pictures(const DebyeCommand *command)
{
  return command->draws || (command->plot != NULL && command->plot != &debye_bench_plot_settings);
}

static gboolean
has_setting(const DebyeCommand *command, const DebyeSettingTable *table, const char *key)
{
  if (table != &debye_common_settings)
    return TRUE;
  return !(command->writes_no_file && strcmp(key, "output") == 0) &&
         !(command->says_nothing_as_json && strcmp(key, "json") == 0) &&
         (makes_pictures(command) || strcmp(key, "provenance") != 0);
}

static void
add_table(GPtrArray *options, const DebyeCommand *command, const DebyeSettingTable *table, const char *prefix)
{
  for (gsize i = 0; table != NULL && i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    gboolean is_taken = find_name(options, setting->key) != NULL;
    if ((is_taken && prefix == NULL) || !has_setting(command, table, setting->key))
      continue;
    DebyeOption *option = g_new0(DebyeOption, 1);
    option->name = g_strconcat(is_taken ? prefix : "", setting->key, NULL);
    const Spelling *spelling = find_spelling(option->name);
    option->letter = spelling != NULL ? spelling->letter : 0;
    option->setting = setting;
    option->table = table;
    option->repeatable = is_repeatable(table, setting);
    g_ptr_array_add(options, option);
  }
}

const DebyeSettingTable *
debye_command_get_table(const DebyeCommand *command)
{
  return command->get_table != NULL ? command->get_table() : command->table;
}

GPtrArray *
debye_options_of(const DebyeCommand *command)
{
  GPtrArray *options = g_ptr_array_new_with_free_func(option_free);
  add_table(options, command, debye_command_get_table(command), NULL);
  add_table(options, command, command->further, command->further_prefix);
  add_table(options, command, command->plot, NULL);
  add_table(options, command, &debye_common_settings, NULL);
  return options;
}

gboolean
debye_option_is_flag(const DebyeOption *option)
{
  return option->setting->kind == DEBYE_SETTING_BOOLEAN;
}

gboolean
debye_option_takes_file(const DebyeOption *option)
{
  return g_strcmp0(debye_option_get_placeholder(option), "FILE") == 0 &&
         !g_strv_contains(files_of_analyses, option->setting->key);
}

/* The quantities of a plot are choices elsewhere. */
gboolean
debye_option_takes_curves(const DebyeOption *option)
{
  return option->setting->kind == DEBYE_SETTING_TEXT && strcmp(option->setting->key, "plot") == 0;
}

char *
debye_option_describe_value(const DebyeOption *option, const char *begin, const char *end)
{
  const char *placeholder = debye_option_get_placeholder(option);
  const gboolean may_lack = option->setting->alone != NULL;
  return placeholder == NULL
             ? g_strdup("")
             : g_strconcat(may_lack ? "[=" : " ", begin, placeholder, end, may_lack ? "]" : "", NULL);
}

const char *
debye_option_get_placeholder(const DebyeOption *option)
{
  const Spelling *spelling = find_spelling(option->setting->key);
  if (spelling != NULL && spelling->placeholder != NULL)
    return spelling->placeholder;
  if (debye_option_takes_curves(option))
    return "FILE:QUANTITY";
  switch (option->setting->kind) {
  case DEBYE_SETTING_BOOLEAN:
    return NULL;
  case DEBYE_SETTING_NUMBER:
    return "X";
  case DEBYE_SETTING_INTEGER:
    return "N";
  case DEBYE_SETTING_VECTOR:
    return "X,Y,Z";
  case DEBYE_SETTING_SHAPE:
    return "NX,NY,NZ";
  case DEBYE_SETTING_FRAMES:
    return "FIRST:LAST:STEP";
  case DEBYE_SETTING_CHOICE:
    return "WORD";
  case DEBYE_SETTING_SELECTION_PAIR:
    return "SELECTION SELECTION";
  case DEBYE_SETTING_SELECTION:
  case DEBYE_SETTING_TEXT:
    break;
  }
  return "TEXT";
}

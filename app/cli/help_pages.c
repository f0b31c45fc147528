/* SPDX-License-Identifier: MIT */
/* The manual's page about the command line, in Markdown: made from the tables that options are read by, so
 * that it can't say anything else than they do. */
#include <glib/gi18n.h>

#include "help.h"

/* A bar would end a table's cell. */
static void
append_cell(GString *page, const char *text)
{
  g_autofree char *plain = g_strdup(text);
  g_string_append(page, g_strdelimit(plain, "|", '/'));
}

static void
append_choices(GString *page, const DebyeSetting *setting)
{
  for (const DebyeChoice *choice = setting->choices; choice != NULL && choice->value != NULL; choice++) {
    g_string_append_printf(page, "%s`%s` ", choice == setting->choices ? ". " : "; ", choice->value);
    append_cell(page, _(choice->help));
  }
}

static void
append_option(GString *page, const DebyeOption *option)
{
  g_autofree char *placeholder = debye_option_describe_value(option, "", "");
  g_autofree char *value = debye_help_describe_value(option);
  g_string_append_printf(page, "| `--%s%s`", option->name, placeholder);
  if (option->letter != 0)
    g_string_append_printf(page, " `-%c`", option->letter);
  g_string_append(page, " | ");
  append_cell(page, _(option->setting->help));
  append_choices(page, option->setting);
  if (*value != '\0' && option->setting->kind != DEBYE_SETTING_CHOICE) {
    g_string_append(page, " (");
    append_cell(page, value);
    g_string_append_c(page, ')');
  }
  g_string_append(page, " |\n");
}

static void
append_options(GString *page, GPtrArray *options, const DebyeSettingTable *table)
{
  gboolean first = TRUE;
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(options, i);
    if (option->table != table)
      continue;
    if (first)
      g_string_append(page, _("\n| option | description |\n|---|---|\n"));
    first = FALSE;
    append_option(page, option);
  }
}

static void
append_examples(GString *page, const DebyeCommand *command)
{
  if (command->examples == NULL)
    return;
  g_string_append(page, "\n```\n");
  for (gsize i = 0; command->examples[i] != NULL; i++)
    g_string_append_printf(page, "%s\n", command->examples[i]);
  g_string_append(page, "```\n");
}

static void
append_command(GString *page, const DebyeCommand *command)
{
  g_autoptr(GPtrArray) options = debye_options_of(command);
  g_string_append_printf(page, "\n## %s\n\n%s. `debye-cli %s [OPTIONS] %s`\n\n%s\n", command->name,
                         _(command->summary), command->name, command->operands, _(command->description));
  append_examples(page, command);
  append_options(page, options, debye_command_get_table(command));
  if (command->plot != NULL)
    append_options(page, options, command->plot);
  if (command->further != NULL)
    g_string_append_printf(page, _("\nAlso the settings of `%s`; names already in use begin with `--%s`.\n"),
                           command->further->id, command->further_prefix);
}

char *
debye_help_pages(const DebyeCommand *const *all)
{
  GString *page = g_string_new(_("# All commands and options\n\nGenerated from the tables of options in the "
                                 "program. How to use them: [the command line](command-line.md).\n"));
  for (const DebyeCommand *const *command = all; *command != NULL; command++)
    append_command(page, *command);
  g_autoptr(GPtrArray) options = debye_options_of(&debye_command_figure);
  g_string_append(page, _("\n## Options of every command\n"));
  append_options(page, options, &debye_common_settings);
  return g_string_free(page, FALSE);
}

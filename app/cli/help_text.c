/* SPDX-License-Identifier: MIT */
/* Writes --help in columns for a terminal; called by command_help.c and main_cli.c. */
#include <locale.h>
#include <string.h>

#include <glib/gi18n.h>

#include "help.h"
#include "app/installation/installation.h"

#define TEXT_COLUMN 30
#define WIDTH 100

static void
append_number(GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%g", value));
}

static void
append_part(GString *text, const char *part)
{
  g_string_append_printf(text, "%s%s", text->len > 0 ? "; " : "", part);
}

void
debye_help_speak(void)
{
  setlocale(LC_MESSAGES, "");
  bindtextdomain("debye", debye_installation_get_locale_dir());
  bind_textdomain_codeset("debye", "UTF-8");
  textdomain("debye");
}

char *
debye_help_describe_value(const DebyeOption *option)
{
  const DebyeSetting *setting = option->setting;
  GString *text = g_string_new(NULL);
  if (setting->kind == DEBYE_SETTING_CHOICE) {
    for (const DebyeChoice *choice = setting->choices; choice->value != NULL; choice++)
      g_string_append_printf(text, "%s%s", choice == setting->choices ? "" : ", ", choice->value);
  } else if (setting->minimum != 0.0 || setting->maximum != 0.0) {
    append_number(text, setting->minimum);
    g_string_append(text, _(" to "));
    append_number(text, setting->maximum);
  }
  if (setting->unit != NULL)
    g_string_append_printf(text, "%s%s", text->len > 0 ? " " : _("in "), _(setting->unit));
  if (setting->initial != NULL && !debye_option_is_flag(option)) {
    g_autofree char *initial = g_strdup_printf(_("default %s"), setting->initial);
    append_part(text, initial);
  }
  if (option->repeatable)
    append_part(text, _("may be repeated"));
  return g_string_free(text, FALSE);
}

/* Words of `paragraph` in lines from `column` on; the cursor stands at `column`. */
static void
append_wrapped(GString *text, const char *paragraph, guint column)
{
  g_auto(GStrv) words = g_strsplit(paragraph, " ", -1);
  glong used = column;
  for (gsize i = 0; words[i] != NULL; i++) {
    glong length = g_utf8_strlen(words[i], -1);
    if (i > 0 && used + 1 + length > WIDTH) {
      g_string_append_printf(text, "\n%*s", (int)column, "");
      used = column;
    } else if (i > 0) {
      g_string_append_c(text, ' ');
      used++;
    }
    g_string_append(text, words[i]);
    used += length;
  }
  g_string_append_c(text, '\n');
}

static void
append_choices(GString *text, const DebyeSetting *setting)
{
  for (const DebyeChoice *choice = setting->choices; choice != NULL && choice->value != NULL; choice++) {
    g_string_append_printf(text, "%*s%-14s ", TEXT_COLUMN + 2, "", choice->value);
    append_wrapped(text, _(choice->help), TEXT_COLUMN + 17);
  }
}

static void
append_option(GString *text, const DebyeOption *option)
{
  g_autofree char *placeholder = debye_option_describe_value(option, "", "");
  g_autofree char *letter = option->letter != 0 ? g_strdup_printf("-%c, ", option->letter) : g_strdup("    ");
  g_autofree char *head = g_strdup_printf("  %s--%s%s", letter, option->name, placeholder);
  g_autofree char *value = debye_help_describe_value(option);
  g_autofree char *body = *value != '\0' ? g_strdup_printf("%s (%s)", _(option->setting->help), value)
                                         : g_strdup(_(option->setting->help));
  if (strlen(head) + 2 > TEXT_COLUMN)
    g_string_append_printf(text, "%s\n%*s", head, TEXT_COLUMN, "");
  else
    g_string_append_printf(text, "%-*s", TEXT_COLUMN, head);
  append_wrapped(text, body, TEXT_COLUMN);
  append_choices(text, option->setting);
}

static void
append_options(GString *text, GPtrArray *options, const DebyeSettingTable *table, const char *title)
{
  gboolean first = TRUE;
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(options, i);
    if (option->table != table)
      continue;
    if (first)
      g_string_append_printf(text, "\n%s:\n", title);
    first = FALSE;
    append_option(text, option);
  }
}

static void
append_paragraphs(GString *text, const char *description)
{
  g_auto(GStrv) paragraphs = g_strsplit(description, "\n\n", -1);
  for (gsize i = 0; paragraphs[i] != NULL; i++) {
    g_string_append_c(text, '\n');
    append_wrapped(text, paragraphs[i], 0);
  }
}

char *
debye_help_command(const DebyeCommand *command)
{
  GString *text = g_string_new(NULL);
  g_autoptr(GPtrArray) options = debye_options_of(command);
  g_string_append_printf(text, _("Usage: debye-cli %s [OPTIONS] %s\n\n%s.\n"), command->name,
                         command->operands, _(command->summary));
  append_paragraphs(text, _(command->description));
  if (debye_command_get_table(command) != NULL)
    append_options(text, options, debye_command_get_table(command), _("Settings"));
  if (command->further != NULL) {
    g_autofree char *title = g_strdup_printf(_("Settings of “debye-cli %s”"), command->further->id);
    append_options(text, options, command->further, title);
  }
  if (command->plot != NULL)
    append_options(text, options, command->plot, _(command->plot->title));
  append_options(text, options, &debye_common_settings, _(debye_common_settings.title));
  if (command->examples != NULL)
    g_string_append(text, _("\nExamples:\n"));
  for (gsize i = 0; command->examples != NULL && command->examples[i] != NULL; i++)
    g_string_append_printf(text, "  %s\n", command->examples[i]);
  return g_string_free(text, FALSE);
}

char *
debye_help_overview(void)
{
  GString *text = g_string_new(
      _("Usage: debye-cli COMMAND [OPTIONS] FILE...\n\n"
        "Potentials, pair distributions, scattering and pictures of molecules, without a display.\n"
        "FILE...: a structure or topology, then trajectories, in any order.\n\nCommands:\n"));
  for (const DebyeCommand *const *command = debye_command_list(); *command != NULL; command++)
    g_string_append_printf(text, "  %-10s %s\n", (*command)->name, _((*command)->summary));
  g_string_append(text, _("\nHelp for each command: debye-cli COMMAND --help. Version: debye-cli "
                          "--version.\nExit status: 0 done, 1 failed, 2 usage, 130 stopped by Ctrl-C.\n"));
  return g_string_free(text, FALSE);
}

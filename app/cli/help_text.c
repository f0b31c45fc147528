/* SPDX-License-Identifier: MIT */
/* Writes --help in columns for a terminal; called by command_help.c and main_cli.c. */
#include <locale.h>
#include <string.h>

#include <glib/gi18n.h>

#include "help.h"
#include "app/installation/installation.h"

/* A terminal's usual width. */
#define WIDTH 80
#define TEXT_COLUMN 26
#define CHOICE_COLUMN (TEXT_COLUMN + 14)
/* A limit from here on only keeps numbers within their type. */
#define NO_LIMIT 1e9

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

static void
append_range(GString *text, const DebyeSetting *setting)
{
  const gboolean is_limited = setting->maximum < NO_LIMIT;
  if (!is_limited)
    g_string_append(text, _("at least "));
  append_number(text, setting->minimum);
  if (is_limited) {
    g_string_append(text, _(" to "));
    append_number(text, setting->maximum);
  }
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
    append_range(text, setting);
  }
  if (setting->unit != NULL)
    g_string_append_printf(text, "%s%s", text->len > 0 ? " " : _("in "), _(setting->unit));
  if (setting->initial != NULL && !setting->derived && !debye_option_is_flag(option)) {
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
    const int width = CHOICE_COLUMN - TEXT_COLUMN - 2;
    g_string_append_printf(text, "%*s%-*s", TEXT_COLUMN + 2, "", width, choice->value);
    if (strlen(choice->value) >= (gsize)width)
      g_string_append_printf(text, "\n%*s", CHOICE_COLUMN, "");
    append_wrapped(text, _(choice->help), CHOICE_COLUMN);
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

/* The first blank outside quotes, from `from` on; NULL: none. */
static const char *
find_blank(const char *from)
{
  char quote = '\0';
  for (; *from != '\0'; from++) {
    if (quote == '\0' && *from == ' ')
      return from;
    if (*from == quote)
      quote = '\0';
    else if (quote == '\0' && (*from == '\'' || *from == '"'))
      quote = *from;
  }
  return NULL;
}

/* Where a line may break: not between an option and its value. */
static const char *
find_break(const char *example)
{
  const char *blank = find_blank(example);
  return example[0] == '-' && blank != NULL && blank[1] != '-' ? find_blank(blank + 1) : blank;
}

/* A command in lines that a shell joins again. */
static void
append_example(GString *text, const char *example)
{
  enum { INDENT = 2, FURTHER_INDENT = 6 };
  glong used = INDENT;
  g_string_append_printf(text, "%*s", INDENT, "");
  while (example != NULL) {
    const char *blank = find_break(example);
    const gsize n_bytes = blank != NULL ? (gsize)(blank - example) : strlen(example);
    const glong length = g_utf8_strlen(example, (gssize)n_bytes);
    if (used > INDENT && used + 1 + length + 2 > WIDTH) {
      g_string_append_printf(text, " \\\n%*s", FURTHER_INDENT, "");
      used = FURTHER_INDENT;
    } else if (used > INDENT) {
      g_string_append_c(text, ' ');
      used++;
    }
    g_string_append_len(text, example, (gssize)n_bytes);
    used += length;
    example = blank != NULL ? blank + 1 : NULL;
  }
  g_string_append_c(text, '\n');
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
    append_example(text, command->examples[i]);
  return g_string_free(text, FALSE);
}

char *
debye_help_overview(const DebyeCommand *const *all)
{
  GString *text = g_string_new(
      _("Usage: debye-cli COMMAND [OPTIONS] FILE...\n\n"
        "Potentials, pair distributions, scattering and pictures of molecules, without\na display.\n"
        "FILE...: a structure or topology, then trajectories, in any order.\n\nCommands:\n"));
  for (const DebyeCommand *const *command = all; *command != NULL; command++)
    g_string_append_printf(text, "  %-10s %s\n", (*command)->name, _((*command)->summary));
  g_string_append(text, _("\nHelp for each command: debye-cli COMMAND --help. Version: debye-cli "
                          "--version.\nExit status: 0 done, 1 failed, 2 usage, 130 stopped by Ctrl-C.\n"));
  return g_string_free(text, FALSE);
}

/* SPDX-License-Identifier: MIT */
/* debye-cli help: about all commands or one; also the manual page and the shells' completion. */
#include <stdio.h>

#include "help.h"

static const DebyeChoice shells[] = {
    {"bash", "bash", "for bash-completion/completions/debye-cli"},
    {"zsh", "zsh", "for zsh/site-functions/_debye-cli"},
    {"fish", "fish", "for fish/vendor_completions.d/debye-cli.fish"},
    {NULL, NULL, NULL},
};

typedef struct {
  gboolean man, pages;
  int shell; /* of the choices */
  gboolean has_shell;
} Settings;

static const DebyeSetting settings[] = {
    {.key = "man",
     DEBYE_SETTING_MEMBER(Settings, man),
     .label = "Manual page",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "print the manual page debye-cli(1)"},
    {.key = "pages",
     DEBYE_SETTING_MEMBER(Settings, pages),
     .label = "Page of the commands",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "print the manual's page about all commands and options, in Markdown"},
    {.key = "completion",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, shell),
     .label = "Completion",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = shells,
     .help = "print a shell's completion script, for a file in /usr/share"},
};

static const DebyeSettingTable table = {
    .id = "help",
    .title = "Help",
    .question = "How is debye-cli used?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

static char *
make_text(const DebyeCommand *const *all, DebyeArguments *arguments, const Settings *asked, GError **error)
{
  const char *name = debye_arguments_get_files(arguments)[0];
  if (asked->man)
    return debye_help_manual(all);
  if (asked->pages)
    return debye_help_pages(all);
  if (asked->has_shell)
    return debye_help_completion(all, shells[asked->shell].value);
  if (name == NULL)
    return debye_help_overview(all);
  const DebyeCommand *command = debye_command_find(all, name);
  if (command != NULL)
    return debye_help_command(command);
  debye_usage_refuse(error, "help: there is no command “%s”", name);
  return NULL;
}

static gboolean
run(const DebyeCommand *const *all, DebyeArguments *arguments, GError **error)
{
  Settings asked;
  debye_request_fill(debye_arguments_get_request(arguments), &asked);
  /* What a shell reads is no text to read. */
  if (!asked.has_shell)
    debye_help_speak();
  g_autofree char *text = make_text(all, arguments, &asked, error);
  if (text == NULL)
    return FALSE;
  fputs(text, stdout);
  return TRUE;
}

const DebyeCommand debye_command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "Explains the commands",
    .description = "Without COMMAND: the list of commands. The manual page and the shells' completion come "
                   "from the same tables as the options.",
    .table = &table,
    .least_operands = 0,
    .max_operands = 1,
    .writes_no_file = TRUE,
    .says_nothing_as_json = TRUE,
    .run_among = run,
};

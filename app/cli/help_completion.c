/* SPDX-License-Identifier: MIT */
/* Writes shell completions: commands, options and the words of choices; called by command_help.c. */
#include <string.h>

#include "help.h"

static void
for_each_option(const DebyeCommand *command, GString *script,
                void (*append)(GString *script, const DebyeCommand *command, const DebyeOption *option))
{
  g_autoptr(GPtrArray) options = debye_options_of(command);
  for (guint i = 0; i < options->len; i++)
    append(script, command, g_ptr_array_index(options, i));
}

static void
append_values(GString *script, const DebyeSetting *setting, const char *separator)
{
  for (const DebyeChoice *choice = setting->choices; choice != NULL && choice->value != NULL; choice++)
    g_string_append_printf(script, "%s%s", choice == setting->choices ? "" : separator, choice->value);
}

/* Inside single quotes of a shell. */
static void
append_quoted(GString *script, const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == '\'')
      g_string_append(script, "'\\''");
    else
      g_string_append_c(script, *text);
}

static void
append_command_names(GString *script, const DebyeCommand *const *all)
{
  for (const DebyeCommand *const *command = all; *command != NULL; command++)
    g_string_append_printf(script, "%s%s", command == all ? "" : " ", (*command)->name);
}

/* Names of samples stand at the beginning of a line, their descriptions are indented. */
#define SAMPLE_NAMES "debye-cli sample --list | sed -n 's/^\\([a-z][a-z0-9-]*\\) .*/\\1/p'"

/* --- bash --- */

static void
append_bash_word(GString *script, const DebyeCommand *command, const DebyeOption *option)
{
  (void)command;
  g_string_append_printf(script, " --%s", option->name);
  if (option->letter != 0)
    g_string_append_printf(script, " -%c", option->letter);
}

static void
append_bash_choice(GString *script, const DebyeCommand *command, const DebyeOption *option)
{
  if (option->setting->kind != DEBYE_SETTING_CHOICE)
    return;
  g_string_append_printf(script, "    %s:--%s) words='", command->name, option->name);
  append_values(script, option->setting, " ");
  g_string_append(script, "' ;;\n");
}

/* What follows a command that takes words rather than files. */
static void
append_bash_first_word(GString *script, const DebyeCommand *const *all)
{
  g_string_append(
      script, "  if [ -z \"$words\" ]; then\n    case \"$command:$COMP_CWORD\" in\n      help:2) words='");
  append_command_names(script, all);
  g_string_append(script, "' ;;\n      sample:2) words=$(" SAMPLE_NAMES ") ;;\n    esac\n  fi\n");
}

/* Options, or what a choice among them may be. */
static void
append_bash_options(GString *script, const DebyeCommand *const *all)
{
  g_string_append(script, "  case \"$command:$previous\" in\n");
  for (const DebyeCommand *const *command = all; *command != NULL; command++)
    for_each_option(*command, script, append_bash_choice);
  g_string_append(script, "  esac\n  if [ -z \"$words\" ] && [ \"${current:0:1}\" = - ]; then\n    case "
                          "\"$command\" in\n");
  for (const DebyeCommand *const *command = all; *command != NULL; command++) {
    g_string_append_printf(script, "      %s) words='", (*command)->name);
    for_each_option(*command, script, append_bash_word);
    g_string_append(script, "' ;;\n");
  }
  g_string_append(script, "    esac\n  fi\n");
}

/* To the shell, the equals sign of --unit=V is a word of its own. */
static char *
make_bash(const DebyeCommand *const *all)
{
  GString *script =
      g_string_new("# bash completion for debye-cli, made by: debye-cli help --completion bash\n"
                   "_debye_cli()\n{\n  local current=${COMP_WORDS[COMP_CWORD]} "
                   "previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=''\n"
                   "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "    mapfile -t COMPREPLY < <(compgen -W '");
  append_command_names(script, all);
  g_string_append(script,
                  "' -- \"$current\")\n    return\n"
                  "  elif [ \"$current\" = = ]; then\n    current=''\n"
                  "  elif [ \"$previous\" = = ]; then\n    previous=${COMP_WORDS[COMP_CWORD-2]}\n  fi\n");
  append_bash_options(script, all);
  append_bash_first_word(script, all);
  g_string_append(script, "  if [ -n \"$words\" ]; then\n"
                          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                          "  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n  fi\n}\n"
                          "complete -o filenames -F _debye_cli debye-cli\n");
  return g_string_free(script, FALSE);
}

/* --- zsh --- */

/* Brackets and colons would end a description. */
static void
append_zsh_help(GString *script, const char *help)
{
  g_autofree char *plain = g_strdup(help);
  append_quoted(script, g_strdelimit(plain, "[]:", ' '));
}

/* `form` is what is typed: "--output=", "-o". */
static void
append_zsh_form(GString *script, const DebyeOption *option, const char *form)
{
  const char *placeholder = debye_option_get_placeholder(option);
  g_string_append_printf(script, " \\\n        '%s%s[", option->repeatable ? "*" : "", form);
  append_zsh_help(script, option->setting->help);
  g_string_append_c(script, ']');
  if (option->setting->kind == DEBYE_SETTING_CHOICE) {
    g_string_append_printf(script, ":%s:(", option->name);
    append_values(script, option->setting, " ");
    g_string_append_c(script, ')');
  } else if (placeholder != NULL) {
    g_string_append_printf(script, "%s:%s:%s", option->setting->alone != NULL ? ":" : "", option->name,
                           strcmp(placeholder, "FILE") == 0 ? "_files" : "");
  }
  g_string_append_c(script, '\'');
}

static void
append_zsh_option(GString *script, const DebyeCommand *command, const DebyeOption *option)
{
  (void)command;
  /* "=-": the value, where there is one, stands in the same word. */
  const char *equals = option->setting->alone != NULL ? "=-" : "=";
  g_autofree char *whole =
      g_strconcat("--", option->name, debye_option_get_placeholder(option) != NULL ? equals : "", NULL);
  append_zsh_form(script, option, whole);
  if (option->letter == 0)
    return;
  const char letter[] = {'-', option->letter, '\0'};
  append_zsh_form(script, option, letter);
}

/* A command's own words, in place of files. */
static void
append_zsh_arguments(GString *script, const DebyeCommand *const *all, const DebyeCommand *command)
{
  g_string_append(script, " \\\n        '");
  if (strcmp(command->name, "sample") == 0) {
    g_string_append(script, "1:sample:_debye_cli_samples");
  } else if (strcmp(command->name, "help") == 0) {
    g_string_append(script, "1:command:(");
    append_command_names(script, all);
    g_string_append_c(script, ')');
  } else {
    g_string_append(script, "*:file:_files");
  }
  g_string_append(script, "'\n      ;;\n");
}

static char *
make_zsh(const DebyeCommand *const *all)
{
  GString *script =
      g_string_new("#compdef debye-cli\n# zsh completion, made by: debye-cli help --completion zsh\n"
                   "_debye_cli_samples() {\n  local -a samples=(${(f)\"$(" SAMPLE_NAMES ")\"})\n"
                   "  _describe sample samples\n}\n"
                   "_debye_cli() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(");
  for (const DebyeCommand *const *command = all; *command != NULL; command++) {
    g_string_append_printf(script, "\n      '%s:", (*command)->name);
    append_zsh_help(script, (*command)->summary);
    g_string_append_c(script, '\'');
  }
  g_string_append(script,
                  "\n    )\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n"
                  "  shift words\n  (( CURRENT-- ))\n  case $command in\n");
  for (const DebyeCommand *const *command = all; *command != NULL; command++) {
    g_string_append_printf(script, "    %s)\n      _arguments", (*command)->name);
    for_each_option(*command, script, append_zsh_option);
    append_zsh_arguments(script, all, *command);
  }
  g_string_append(script, "  esac\n}\n_debye_cli \"$@\"\n");
  return g_string_free(script, FALSE);
}

/* --- fish --- */

/* Inside single quotes, which here have an escape. */
static void
append_fish_quoted(GString *script, const char *text)
{
  for (; *text != '\0'; text++) {
    if (*text == '\'' || *text == '\\')
      g_string_append_c(script, '\\');
    g_string_append_c(script, *text);
  }
}

static void
append_fish_option(GString *script, const DebyeCommand *command, const DebyeOption *option)
{
  g_string_append_printf(script, "complete -c debye-cli -n '__fish_seen_subcommand_from %s' -l %s",
                         command->name, option->name);
  if (option->letter != 0)
    g_string_append_printf(script, " -s %c", option->letter);
  if (option->setting->kind == DEBYE_SETTING_CHOICE) {
    g_string_append(script, " -x -a '");
    append_values(script, option->setting, " ");
    g_string_append_c(script, '\'');
  } else if (!debye_option_is_flag(option) && option->setting->alone == NULL) {
    g_string_append(script, " -r -F");
  }
  g_string_append(script, " -d '");
  append_fish_quoted(script, option->setting->help);
  g_string_append(script, "'\n");
}

static void
append_fish_arguments(GString *script, const DebyeCommand *const *all)
{
  g_string_append(
      script, "complete -c debye-cli -n '__fish_seen_subcommand_from sample' -f -a \"(" SAMPLE_NAMES ")\"\n"
              "complete -c debye-cli -n '__fish_seen_subcommand_from help' -f -a '");
  append_command_names(script, all);
  g_string_append(script, "'\n");
}

static char *
make_fish(const DebyeCommand *const *all)
{
  GString *script =
      g_string_new("# fish completion for debye-cli, made by: debye-cli help --completion fish\n");
  for (const DebyeCommand *const *command = all; *command != NULL; command++) {
    g_string_append_printf(script, "complete -c debye-cli -f -n __fish_use_subcommand -a %s -d '",
                           (*command)->name);
    append_fish_quoted(script, (*command)->summary);
    g_string_append(script, "'\n");
    for_each_option(*command, script, append_fish_option);
  }
  append_fish_arguments(script, all);
  return g_string_free(script, FALSE);
}

char *
debye_help_completion(const DebyeCommand *const *all, const char *shell)
{
  if (strcmp(shell, "zsh") == 0)
    return make_zsh(all);
  return strcmp(shell, "fish") == 0 ? make_fish(all) : make_bash(all);
}

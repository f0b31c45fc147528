/* SPDX-License-Identifier: MIT */
/* Writes the manual page in man(7); called by command_help.c. */

#include <glib/gi18n.h>

#include "data/files/provenance.h"
#include "help.h"

/* Text that troff shows as it stands: hyphens are hyphens, a dot or quote at a line's start is no request. */
static void
append_escaped(GString *page, const char *text)
{
  for (const char *c = text; *c != '\0'; c++) {
    if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
      g_string_append(page, "\\&");
    if (*c == '\\')
      g_string_append(page, "\\e");
    else if (*c == '-')
      g_string_append(page, "\\-");
    else
      g_string_append_c(page, *c);
  }
}

static void
append_paragraphs(GString *page, const char *description)
{
  g_auto(GStrv) paragraphs = g_strsplit(description, "\n\n", -1);
  for (gsize i = 0; paragraphs[i] != NULL; i++) {
    g_string_append(page, ".PP\n");
    append_escaped(page, paragraphs[i]);
    g_string_append_c(page, '\n');
  }
}

static void
append_option(GString *page, const DebyeOption *option)
{
  g_autofree char *placeholder = debye_option_describe_value(option, "\\fI", "\\fR");
  g_autofree char *value = debye_help_describe_value(option);
  g_string_append(page, ".TP\n");
  if (option->letter != 0)
    g_string_append_printf(page, "\\fB\\-%c\\fR, ", option->letter);
  g_string_append(page, "\\fB\\-\\-");
  append_escaped(page, option->name);
  g_string_append(page, "\\fR");
  g_string_append(page, placeholder);
  g_string_append_c(page, '\n');
  append_escaped(page, _(option->setting->help));
  if (*value != '\0') {
    g_string_append(page, " (");
    append_escaped(page, value);
    g_string_append_c(page, ')');
  }
  g_string_append(page, ".\n");
}

static void
append_command(GString *page, const DebyeCommand *command)
{
  g_autoptr(GPtrArray) options = debye_options_of(command);
  g_string_append(page, ".SS \"");
  append_escaped(page, command->name);
  g_string_append_c(page, ' ');
  append_escaped(page, command->operands);
  g_string_append(page, "\"\n");
  append_escaped(page, _(command->summary));
  g_string_append(page, ".\n");
  append_paragraphs(page, _(command->description));
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(options, i);
    if (option->table == debye_command_get_table(command) || option->table == command->plot)
      append_option(page, option);
  }
  if (command->further == NULL)
    return;
  g_string_append_printf(
      page, _(".PP\nAlso the settings of \\fB%s\\fR; names already in use begin with \\fB\\-\\-%s\\fR.\n"),
      command->further->id, command->further_prefix);
}

static void
append_examples(GString *page, const DebyeCommand *const *all)
{
  g_string_append(page, _(".SH EXAMPLES\n"));
  for (const DebyeCommand *const *command = all; *command != NULL; command++)
    for (const char *const *example = (*command)->examples; example != NULL && *example != NULL; example++) {
      g_string_append(page, ".PP\n.nf\n");
      append_escaped(page, *example);
      g_string_append(page, "\n.fi\n");
    }
}

static void
append_common(GString *page)
{
  /* A command that has them all: it writes files, and none of them means something else there. */
  g_autoptr(GPtrArray) options = debye_options_of(&debye_command_figure);
  g_string_append(page, _(".SH \"COMMON OPTIONS\"\n"));
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(options, i);
    if (option->table == &debye_common_settings)
      append_option(page, option);
  }
}

char *
debye_help_manual(const DebyeCommand *const *all)
{
  GString *page = g_string_new(NULL);
  g_string_append_printf(page, ".TH DEBYE\\-CLI 1 \"\" \"Debye %s\" \"%s\"\n", debye_provenance_get_version(),
                         _("User Commands"));
  g_string_append(
      page,
      _(".SH NAME\ndebye\\-cli \\- potentials, pair distributions and scattering of molecules, without a "
        "display\n"
        ".SH SYNOPSIS\n.B debye\\-cli\n.I COMMAND\n[\\fIOPTIONS\\fR] \\fIFILE\\fR...\n.SH DESCRIPTION\n"));
  append_escaped(
      page, _("Computes every result and draws every picture of Debye without a display. The files are a "
              "structure or topology and trajectories, in any order, recognised by their content. Outputs "
              "are written under a temporary name and renamed when complete. Numbers are read and written "
              "with a dot in every locale. Long options may be shortened to a unique prefix.\n"));
  g_string_append(page, _(".SH COMMANDS\n"));
  for (const DebyeCommand *const *command = all; *command != NULL; command++)
    append_command(page, *command);
  append_common(page);
  g_string_append(page, _(".SH \"FILES OF SETTINGS\"\n"));
  append_escaped(
      page, _("A file for --config (and --scene of render) has lines “option = value” with the option's name "
              "without dashes, flags as true or false, several values of a repeatable option separated by "
              "semicolons, and “files = a;b” for operands, relative to that file. Lines before the first "
              "group header, or in the group named after the command ([map], [scene] for --scene), count; "
              "other groups belong to their commands. The command line takes precedence over the file.\n"));
  append_examples(page, all);
  g_string_append(page, _(".SH \"EXIT STATUS\"\n0 done; 1 failed, with one line on standard error; 2 the "
                          "command line is wrong; 130 stopped by Ctrl\\-C, with what was finished written "
                          "and marked partial.\n.SH \"SEE ALSO\"\n.BR debye (1)\n"));
  return g_string_free(page, FALSE);
}

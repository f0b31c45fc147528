/* SPDX-License-Identifier: MIT */
/* The command line of one command, read by GNU custom: --long VALUE, --long=VALUE, -s VALUE, -sVALUE, flags
 * together (-qj), --no-FLAG, -- ends the options, options and files in any order. What options there are
 * comes from settings tables. */
#pragma once

#include "app/cli/render/usage_error.h"
#include "command.h"
#include "data/results/stages.h"
#include "data/settings/request.h"

/* The options that every command has. */
typedef struct {
  gboolean json, quiet, strict, help, progress, timing, provenance;
  gboolean has_progress; /* else it depends on the terminal */
} DebyeCommonOptions;
extern const DebyeSettingTable debye_common_settings;

/* An option of one command: a setting under the name it has there. */
typedef struct {
  char *name;  /* without the dashes */
  char letter; /* 0: none */
  const DebyeSetting *setting;
  const DebyeSettingTable *table;
  gboolean repeatable;
} DebyeOption;

/* The command's own options, then those it passes on, then the common ones it does not define itself. */
GPtrArray *debye_options_of(const DebyeCommand *command); /* (element-type DebyeOption) */
/* What stands for the value in help: "FILE", "X,Y,Z"; NULL for a flag. */
const char *debye_option_get_placeholder(const DebyeOption *option);
/* The same behind the option's name, with marks about it: " FILE", and "[=FILE]" where it may be left out; "" for a flag. */
char *debye_option_describe_value(const DebyeOption *option, const char *begin, const char *end);
gboolean debye_option_is_flag(const DebyeOption *option);
/* Its value is the name of a file that the command opens: debye_arguments_get_path(). A file that the
 * analysis opens is named by the request alone. */
gboolean debye_option_takes_file(const DebyeOption *option);
/* Its value is the name of a file with curves, and maybe a colon and a quantity. */
gboolean debye_option_takes_curves(const DebyeOption *option);

typedef struct _DebyeArguments DebyeArguments;

/* `words` without the program and the command. NULL with DEBYE_USAGE_ERROR, or the error of a file of
 * settings. */
DebyeArguments *debye_arguments_parse(const DebyeCommand *command, const char *const *words, GError **error);
void debye_arguments_free(DebyeArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeArguments, debye_arguments_free)

const DebyeCommand *debye_arguments_get_command(DebyeArguments *arguments);
const char *const *debye_arguments_get_files(DebyeArguments *arguments);
guint debye_arguments_get_n_files(DebyeArguments *arguments);
/* The values of the command's own settings, of the passed-on ones, of its plots, of the common ones. NULL: it
 * has no such table. */
DebyeRequest *debye_arguments_get_request(DebyeArguments *arguments);
DebyeRequest *debye_arguments_get_further(DebyeArguments *arguments);
DebyeRequest *debye_arguments_get_plot(DebyeArguments *arguments);
DebyeRequest *debye_arguments_get_common(DebyeArguments *arguments);
DebyeCommonOptions debye_arguments_get_options(DebyeArguments *arguments);
/* The command's clock, which began with the process. */
DebyeStages *debye_arguments_get_stages(DebyeArguments *arguments);
/* All values of a repeatable option, in order; never NULL. */
const char *const *debye_arguments_get_list(DebyeArguments *arguments, const char *name);
/* The file that an option names, as the file system's bytes: the last where it was given more than once.
 * NULL: not given. */
const char *debye_arguments_get_path(DebyeArguments *arguments, const char *name);
/* A slip of the hand that would cost a trajectory: FALSE with an error where the file that is read is one of
 * those to be written. */
gboolean debye_arguments_check_read(DebyeArguments *arguments, const char *file, GError **error);
/* Whether the command makes pictures, which keep how they were made: it has the option --provenance. */
gboolean debye_arguments_makes_pictures(DebyeArguments *arguments);
/* The option has a value. */
gboolean debye_arguments_is_given(const DebyeArguments *arguments, const DebyeOption *option);
/* As its request has it, several of a repeatable option as lines; NULL: none. */
const char *debye_arguments_get_value(const DebyeArguments *arguments, const DebyeOption *option);
gboolean debye_arguments_wants_help(DebyeArguments *arguments);

/* Warnings that wait until the command has done its work: where standard error is read by a program, a
 * failure is one line and nothing else. NULL-terminated. */
void debye_arguments_hold_warning(DebyeArguments *arguments, const char *warning);
const char *const *debye_arguments_get_held_warnings(DebyeArguments *arguments);

/* The line once more, “debye-cli render --style sticks a.pdb”: all options that differ from their defaults, wherever they were
 * given, and the files. `without`: names of options that are left out; `instead`: words that stand in their place, or NULL. */
char *debye_arguments_to_command(DebyeArguments *arguments, const char *const *without,
                                 const char *const *instead);

/* Checks the number of files: after all files of settings were read. */
gboolean debye_arguments_check_files(DebyeArguments *arguments, GError **error);

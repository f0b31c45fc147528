/* SPDX-License-Identifier: MIT */
/* What the readers of a command line share: its words (arguments_words.c) and files of settings
 * (arguments_file.c) both set options by name. */
#pragma once

#include "arguments.h"

struct _DebyeArguments {
  const DebyeCommand *command;
  GPtrArray *options; /* DebyeOption */
  DebyeRequest *request, *further, *plot, *common;
  /* name → GPtrArray of char *, NULL-terminated: values of repeatable options and of files */
  GHashTable *lists;
  GPtrArray *files;    /* char *, NULL-terminated */
  GPtrArray *warnings; /* the same: held */
  DebyeStages stages;
  char *preset; /* sizes and texts for what is left open; NULL: none */
};

/* Says where there is help. Always FALSE, to be returned. */
gboolean debye_arguments_set_usage_error(const DebyeArguments *arguments, GError **error, const char *format,
                                         ...) G_GNUC_PRINTF(3, 4);
/* With nothing given. */
DebyeArguments *debye_arguments_new(const DebyeCommand *command);
/* NULL: there is none of this name. The size of plots has its former one, "plot-size", too. */
const DebyeOption *debye_arguments_find_option(const DebyeArguments *arguments, const char *name);
/* A value given under the name `given` as the option `name` takes it: "plot-size" was in mm where "size" has pixels without a
 * unit. Free with g_free. */
char *debye_arguments_modernise(const char *name, const char *given, const char *value);
/* Checked, and kept beside earlier ones where the option may be repeated. */
gboolean debye_arguments_set_value(DebyeArguments *arguments, const DebyeOption *option, const char *value,
                                   GError **error);
/* Those of a request of the table debye_common_settings. */
DebyeCommonOptions debye_common_options_of(DebyeRequest *request);
/* Before the NULL at the end. */
void debye_arguments_append_string(GPtrArray *strings, const char *text);

/* The values that an option of the command is one of. */
DebyeRequest *debye_arguments_request_of(const DebyeArguments *arguments, const DebyeOption *option);
/* Settings from a file (see the manual's section FILES OF SETTINGS) where the command line gave none. Paths
 * under the key "files" are relative to that file and are used where the command line names none. */
gboolean debye_arguments_load(DebyeArguments *arguments, const char *path, const char *group, GError **error);
/* The same from a preset, where a value may be of a setting that other commands have that draw. Values of options that may be
 * repeated go before those that are given. */
gboolean debye_arguments_load_preset(DebyeArguments *arguments, GError **error);

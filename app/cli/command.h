/* SPDX-License-Identifier: MIT */
/* A command of debye-cli: its name, its settings tables and its function. Parsing, --help, the manual page
 * and the shells' completion are all made from this. */
#pragma once

#include "data/settings/setting.h"

typedef struct _DebyeArguments DebyeArguments; /* arguments.h */

typedef enum {
  DEBYE_EXIT_DONE = 0,
  DEBYE_EXIT_FAILED = 1,
  DEBYE_EXIT_USAGE = 2,
  DEBYE_EXIT_INTERRUPTED = 130,
} DebyeExit;

typedef struct _DebyeCommand DebyeCommand;

struct _DebyeCommand {
  const char *name;
  const char *operands;                        /* "FILE...", "NAME" … */
  const char *summary;                         /* one line, no full stop */
  const char *description;                     /* paragraphs, separated by empty lines */
  const char *const *examples;                 /* command lines, NULL-terminated */
  const DebyeSettingTable *table;              /* its own settings; NULL: none */
  const DebyeSettingTable *(*get_table)(void); /* the same where they are known at run time only; or NULL */
  const DebyeSettingTable *further;            /* another analysis' settings it passes on; NULL: none */
  const char *further_prefix;                  /* of those whose name is taken already: "map-" */
  const DebyeSettingTable *plot;               /* of pictures of its curves; NULL: it makes none */
  guint least_operands, max_operands;
  /* Has no --output, no --json, which it could only pass over in silence. */
  gboolean writes_no_file, says_nothing_as_json;
  gboolean draws;     /* views or figures, beside plots of its curves */
  gboolean can_share; /* its work with other processes that mpirun started */
  /* TRUE where it is done. FALSE with an error; or without one when everything was said on stderr already,
   * which is a stop by Ctrl-C. */
  gboolean (*run)(DebyeArguments *arguments, GError **error);
  /* In its place, of a command that runs or explains others: with all of them. */
  gboolean (*run_among)(const DebyeCommand *const *all, DebyeArguments *arguments, GError **error);
};

/* All, NULL-terminated, in the order of the help. */
const DebyeCommand *const *debye_command_list(void);
/* Of all, the one of that name; NULL: there is none. */
const DebyeCommand *debye_command_find(const DebyeCommand *const *all, const char *name);
/* Its own settings; NULL: it has none. */
const DebyeSettingTable *debye_command_get_table(const DebyeCommand *command);

/* Those of analyses are made in command_analyses.c. */
extern const DebyeCommand debye_command_info, debye_command_export, debye_command_field, debye_command_fit,
    debye_command_figure, debye_command_render, debye_command_devices, debye_command_bench,
    debye_command_rerun, debye_command_sample, debye_command_prepare, debye_command_help;

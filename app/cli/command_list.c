/* SPDX-License-Identifier: MIT */
/* The list of debye-cli's commands; used by main_cli.c and the help. */
#include "command.h"

static const DebyeCommand *const commands[] = {
    &debye_command_info,       &debye_command_export,
    &debye_command_prepare,    &debye_command_map,
    &debye_command_ions,       &debye_command_density,
    &debye_command_field,      &debye_command_orbital,
    &debye_command_ligands,    &debye_command_rdf,
    &debye_command_scattering, &debye_command_msd,
    &debye_command_measure,    &debye_command_fit,
    &debye_command_render,     &debye_command_figure,
    &debye_command_devices,    &debye_command_bench,
    &debye_command_rerun,      &debye_command_sample,
    &debye_command_help,       NULL,
};

const DebyeCommand *const *
debye_command_list(void)
{
  return commands;
}

const DebyeCommand *
debye_command_find(const char *name)
{
  for (gsize i = 0; commands[i] != NULL; i++)
    if (g_strcmp0(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

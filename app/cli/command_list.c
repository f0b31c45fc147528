/* SPDX-License-Identifier: MIT */
/* The list of debye-cli's commands; used by main_cli.c, which hands it to those that run or explain others. */
#include "command.h"

#include "command_analyses.h"

static const DebyeCommand *const before_analyses[] = {&debye_command_info, &debye_command_export,
                                                      &debye_command_prepare};
static const DebyeCommand *const after_analyses[] = {
    &debye_command_field,  &debye_command_fit,     &debye_command_render,
    &debye_command_figure, &debye_command_devices, &debye_command_bench,
    &debye_command_rerun,  &debye_command_sample,  &debye_command_help,
};

static void
add(GPtrArray *commands, const DebyeCommand *const *added, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_ptr_array_add(commands, (gpointer)added[i]);
}

const DebyeCommand *const *
debye_command_list(void)
{
  static gsize list = 0;
  if (g_once_init_enter(&list)) {
    GPtrArray *commands = g_ptr_array_new();
    add(commands, before_analyses, G_N_ELEMENTS(before_analyses));
    debye_command_add_analyses(commands);
    add(commands, after_analyses, G_N_ELEMENTS(after_analyses));
    g_ptr_array_add(commands, NULL);
    g_once_init_leave(&list, (gsize)g_ptr_array_free(commands, FALSE));
  }
  return (const DebyeCommand *const *)list;
}

/* SPDX-License-Identifier: MIT */
/* What the program says about itself, all made from the commands' tables. Texts to free. */
#pragma once

#include "arguments.h"

/* From here on in the user's language: help alone is, for what a command says is read by scripts. */
void debye_help_speak(void);
char *debye_help_overview(const DebyeCommand *const *all);
char *debye_help_command(const DebyeCommand *command);
char *debye_help_manual(const DebyeCommand *const *all);                        /* debye-cli.1 */
char *debye_help_pages(const DebyeCommand *const *all);                         /* the manual's commands.md */
char *debye_help_completion(const DebyeCommand *const *all, const char *shell); /* "bash", "zsh", "fish" */

/* "0.01 to 100 Å; default 6": range, unit and default of an option. Empty where there is nothing to say. */
char *debye_help_describe_value(const DebyeOption *option);

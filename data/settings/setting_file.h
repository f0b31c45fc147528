/* SPDX-License-Identifier: MIT */
/* Settings whose value names a file that is read, besides those that are nothing but a FILE of the command
 * line. */
#pragma once

#include "setting.h"

/* Where in one value the file's name begins, which ends it; NULL: it names none. */
const char *debye_setting_find_file(const char *key, const char *value);
/* The files that a setting's value names, one a line where the setting is repeated, in their order. Free with g_strfreev; NULL:
 * none. */
char **debye_setting_list_files(const DebyeSetting *setting, const char *value);
/* The value with other names for these files: what `rename` gives for each, which is freed. */
char *debye_setting_rename_files(const DebyeSetting *setting, const char *value,
                                 char *(*rename)(const char *file, gpointer data), gpointer data);

/* SPDX-License-Identifier: MIT */
/* debye_field_load and debye_result_load for whoever waits: with progress, which also stops them, see
 * debye_input_open_watched. */
#pragma once

#include "data/files/input.h"
#include "result.h"

DebyeField *debye_field_load_watched(const char *path, DebyeProgressFunc progress, gpointer data,
                                     GError **error);
DebyeResult *debye_result_load_watched(const char *path,
                                       const DebyeSettingTable *(*find_table)(const char *id),
                                       DebyeProgressFunc progress, gpointer data, GError **error);

/* SPDX-License-Identifier: MIT */
/* Maps that come from files, made ready for a window on the thread that reads them. */
#pragma once

#include "data/files/input.h"
#include "data/results/result.h"

/* Whether this file is opened as a map: a grid of values, or a result with its story. */
gboolean debye_map_file_is_one(const char *path);
/* Whether it is a map whose file also holds the molecule that it is of. */
gboolean debye_map_file_has_molecule(const char *path);
/* A DebyeField; of a result of ours a DebyeResult, whose fields are ready too. `progress` may be NULL, see
 * debye_input_open_watched. */
GObject *debye_map_file_load(const char *path, DebyeProgressFunc progress, gpointer data, GError **error);
/* Of what was loaded: the map to show; NULL where a result has none. (transfer none) */
DebyeField *debye_map_file_get_field(GObject *loaded);

/* The name of the file that it was loaded from, and its path as it was given; NULL of what was not loaded. */
const char *debye_map_file_get_name(GObject *loaded);
const char *debye_map_file_get_path(GObject *loaded);

/* A field finds its statistics once and keeps them. Asked for on a worker, the main thread, which chooses
 * levels and limits by them, finds them ready. */
void debye_map_file_prepare_field(DebyeField *field);
void debye_map_file_prepare_result(DebyeResult *result);

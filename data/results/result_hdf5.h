/* SPDX-License-Identifier: MIT */
/* A result as NeXus in HDF5: what is where is written down at the top of result_hdf5_save.c. Private to this
 * folder. */
#pragma once

#include "data/files/input.h"
#include "result.h"

/* Version of the layout below: a reader refuses a newer one. */
#define DEBYE_RESULT_LAYOUT 1

gboolean debye_result_hdf5_probe(DebyeInput *input);
/* Of a file that is HDF5: trajectories are kept in it too. */
DebyeMapFileKind debye_result_hdf5_find_kind(const char *path);
gboolean debye_result_hdf5_save(DebyeResult *result, GOutputStream *stream, const char *command,
                                GError **error);
/* The default map, of a file of ours or of another program's NXdata with three evenly spaced axes. */
DebyeField *debye_result_hdf5_load_field(DebyeInput *input, GError **error);

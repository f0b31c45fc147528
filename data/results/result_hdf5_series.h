/* SPDX-License-Identifier: MIT */
/* The parts of a result in HDF5: what is where is written down at the top of
 * result_hdf5_save.c. All need the lock of h5.h. Private to this folder. */
#pragma once

#include "data/h5/h5.h"
#include "result.h"

/* A name that NeXus allows. */
char *debye_result_hdf5_identifier(const char *name);
/* Of arrays by the number of their axes; 0: a table. */
extern const char *const debye_result_hdf5_kinds[DEBYE_ARRAY_AXES + 1];
/* What the group is, and its place among the others of its kind. */
gboolean debye_result_hdf5_mark(hid_t group, const char *kind, guint index, GError **error);

/* Of /entry/request: the settings that the data decided, which are no part of what was asked for. */
#define DEBYE_RESULT_UNSET "unset_settings"
#define DEBYE_RESULT_MESSAGES "messages"

#define DEBYE_RESULT_SETTING_FILES "setting_files"

/* What a group is that has nothing of its own. */
#define DEBYE_RESULT_LINKS "links"

/* Arrays and tables, and those of them that scripts look for under fixed names. */
gboolean debye_result_hdf5_save_series(hid_t entry, DebyeResult *result, GError **error);

gboolean debye_result_hdf5_save_names(hid_t entry, DebyeResult *result, GError **error);

/* One of debye_result_hdf5_kinds, or of a later version; told by the signal's dimensions in a file of another
 * program; NULL where it is nothing of that. */
char *debye_result_hdf5_get_kind(hid_t group, guint64 file_size);
/* Adds what the group holds to the result. `file_name` stands before errors and warnings. */
gboolean debye_result_hdf5_load_series(hid_t group, const char *kind, const char *file_name,
                                       guint64 file_size, DebyeResult *result, GError **error);

/* The map of a group with a signal of three dimensions and a grid or evenly spaced axes. */
DebyeField *debye_result_hdf5_load_map(hid_t group, const char *file_name, guint64 file_size, GError **error);

/* SPDX-License-Identifier: MIT */
/* Between the readers of map files: each is told by content, and makes one field. Private to this folder. */
#pragma once

#include "array_private.h"
#include "field.h"
#include "data/files/input.h"

gboolean debye_field_probe_dx(const char *head, gsize n);
gboolean debye_field_probe_cube(const char *head, gsize n);
gboolean debye_field_probe_ccp4(const guint8 *head, gsize n, guint64 file_size);

DebyeField *debye_field_read_dx(DebyeInput *input, GError **error);
DebyeField *debye_field_read_cube(DebyeInput *input, GError **error);
DebyeField *debye_field_read_ccp4(DebyeInput *input, GError **error);
/* By content, of the formats above: HDF5 is read by result_hdf5.h. */
DebyeField *debye_field_read(DebyeInput *input, GError **error);

/* Memory for the values of a grid that a file describes, when that file can hold them: `n_values` of at least
 * `bytes_each` bytes each. NULL with an error that names the counts. */
float *debye_field_allocate(DebyeInput *input, const gint64 shape[3], gsize bytes_each, GError **error);
/* The field, with a warning when values are not finite; takes the values in any case. NULL when the steps lie
 * in one plane or aren't finite. */
DebyeField *debye_field_finish(DebyeInput *input, const char *name, const DebyeGrid *grid, float *values,
                               const char *unit, GError **error);
#define debye_field_warn(field, ...) debye_array_warn(DEBYE_ARRAY(field), __VA_ARGS__)
/* "expected …, found “…”" of the line that was read last. */
gboolean debye_field_expected(const DebyeLineReader *lines, GError **error, const char *what);
/* A warning where not all values are finite; `name` is the file's. */
void debye_field_warn_of_gaps(DebyeField *self, const char *name);

/* SPDX-License-Identifier: MIT */
/* HDF5 files that tests make for the readers, through HDF5 itself: well-formed, whatever they hold. */
#pragma once

#include "data/h5/h5.h"
#include "tests/support/temporary.h"

typedef enum {
  H5_BUILDER_OLDEST, /* headers of version 1 */
  H5_BUILDER_LATEST, /* headers of version 2, with checksums */
} H5BuilderVersion;

typedef struct {
  hid_t file;
  char *path;
} H5Builder;

H5Builder h5_builder_new(const DebyeTemporaryFolder *folder, const char *name, H5BuilderVersion version);
/* Ends the file; the path stays until the next call of it for this builder. */
void h5_builder_finish(H5Builder *builder);
void h5_builder_clear(H5Builder *builder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(H5Builder, h5_builder_clear)

/* `path` from the root, groups are made where they are missing. `rank` 0: a single value. */
void h5_builder_put(H5Builder *builder, const char *path, hid_t file_type, hid_t memory_type, int rank,
                    const hsize_t *shape, const void *values);
/* The same in chunks, packed. */
void h5_builder_put_packed(H5Builder *builder, const char *path, hid_t file_type, hid_t memory_type, int rank,
                           const hsize_t *shape, const hsize_t *chunk, const void *values);
void h5_builder_put_floats(H5Builder *builder, const char *path, int rank, const hsize_t *shape,
                           const float *values);
void h5_builder_put_text(H5Builder *builder, const char *path, const char *text);
void h5_builder_add_group(H5Builder *builder, const char *path);

/* Attributes of what is at `path`: texts of variable length as h5py writes them, or of fixed length. */
void h5_builder_mark(H5Builder *builder, const char *path, const char *name, const char *text);
void h5_builder_mark_fixed(H5Builder *builder, const char *path, const char *name, const char *text);
void h5_builder_mark_many(H5Builder *builder, const char *path, const char *name, const char *const *texts,
                          hsize_t n);
void h5_builder_mark_numbers(H5Builder *builder, const char *path, const char *name, const double *values,
                             hsize_t n);

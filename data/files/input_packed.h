/* SPDX-License-Identifier: MIT */
/* What a gzip file holds, in a temporary file without a name; all who have the same file open at a time share
 * it. Private to the data layer. */
#pragma once

#include "input.h"

G_BEGIN_DECLS

typedef struct {
  int fd;
  guint64 size;
  /* Private from here. */
  guint n_users;
  DebyeFileIdentity identity; /* of the packed file, with its size and time: all must be the same */
  guint64 packed_size;
  gint64 mtime;
} DebyeUnpacked;

/* NULL: nobody has it open. */
DebyeUnpacked *debye_unpacked_find(const DebyeInput *input);
/* Reads the packed file, bounded against decompression bombs. */
DebyeUnpacked *debye_unpacked_make(DebyeInput *input, GError **error);
void debye_unpacked_unref(DebyeUnpacked *self);

G_END_DECLS

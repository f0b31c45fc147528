/* SPDX-License-Identifier: MIT */
/* What a file packed by gzip, bzip2 or xz holds, in a temporary file without a name; all who have the same file
 * open at a time share it. Private to the data layer. */
#pragma once

#include "input.h"

typedef struct {
  int fd;
  guint64 size;
  /* Private from here. */
  guint n_users;
  DebyeFileIdentity identity; /* of the packed file, with its size and time: all must be the same */
  guint64 packed_size;
  gint64 mtime;
} DebyeUnpacked;

/* How a file is packed, told by its first bytes, of which DEBYE_PACKED_HEAD are enough. NULL: it isn't. */
#define DEBYE_PACKED_HEAD 10
typedef struct _DebyePacking DebyePacking;
const DebyePacking *debye_packing_find(const guint8 *head, gsize n);
/* A file's name without the ending of a packing: "run.xyz.gz" becomes "run.xyz". In place. */
void debye_packing_strip_ending(char *name);

/* NULL: nobody has it open. */
DebyeUnpacked *debye_unpacked_find(const DebyeInput *input);
/* Reads the packed file, bounded against decompression bombs. */
DebyeUnpacked *debye_unpacked_make(DebyeInput *input, const DebyePacking *packing, GError **error);
void debye_unpacked_unref(DebyeUnpacked *self);

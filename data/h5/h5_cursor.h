/* SPDX-License-Identifier: MIT */
/* A read position in some bytes of an HDF5 file, for h5_check.c. Reading beyond the end gives zeros and sets
 * `is_short`, so that a decoder reads what it needs and checks once, at its end. Private to the data layer. */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct {
  const guint8 *bytes;
  gsize n, at;
  gboolean is_short;
} DebyeH5Cursor;

/* How many bytes a number up to `largest` takes. */
static inline gsize
debye_h5_count_bytes(guint64 largest)
{
  gsize n = 1;
  while (n < 8 && largest >> (8 * n) != 0)
    n++;
  return n;
}

/* FALSE, and at the end, where `n` bytes aren't left. */
static inline gboolean
debye_h5_skip(DebyeH5Cursor *cursor, guint64 n)
{
  gboolean has = n <= cursor->n - cursor->at;
  cursor->at = has ? cursor->at + n : cursor->n;
  cursor->is_short |= !has;
  return has;
}

/* A little-endian number of at most eight bytes; the higher ones of a longer field are passed over. */
static inline guint64
debye_h5_take(DebyeH5Cursor *cursor, gsize n_bytes)
{
  guint64 value = 0;
  gsize begin = cursor->at;
  if (debye_h5_skip(cursor, n_bytes))
    for (gsize i = 0; i < MIN(n_bytes, 8); i++)
      value |= (guint64)cursor->bytes[begin + i] << (8 * i);
  return value;
}

/* The next `n` bytes by themselves; none where they aren't there. */
static inline DebyeH5Cursor
debye_h5_take_part(DebyeH5Cursor *cursor, guint64 n)
{
  const guint8 *begin = cursor->bytes + cursor->at;
  gboolean has = debye_h5_skip(cursor, n);
  return (DebyeH5Cursor){.bytes = begin, .n = has ? n : 0, .is_short = !has};
}

/* The same where it is padded to a multiple of so many bytes. */
static inline DebyeH5Cursor
debye_h5_take_padded_part(DebyeH5Cursor *cursor, guint64 n, guint64 multiple)
{
  DebyeH5Cursor part = debye_h5_take_part(cursor, (n + multiple - 1) / multiple * multiple);
  part.n = MIN(part.n, n);
  return part;
}

/* A text that ends with a NUL; `multiple`: with its NUL it is padded to so many bytes. The text, or NULL. */
static inline const char *
debye_h5_take_text(DebyeH5Cursor *cursor, gsize multiple)
{
  gsize begin = cursor->at, left = cursor->n - begin;
  const guint8 *end = left > 0 ? memchr(cursor->bytes + begin, 0, left) : NULL;
  if (end == NULL) {
    debye_h5_skip(cursor, left + 1);
    return NULL;
  }
  gsize n = (gsize)(end - (cursor->bytes + begin)) + 1;
  return debye_h5_skip(cursor, (n + multiple - 1) / multiple * multiple) ? (const char *)cursor->bytes + begin
                                                                         : NULL;
}

/* SPDX-License-Identifier: MIT */
/* Reads values of TPR files in either encoding, always big-endian; used by the other files of the TPR
 * reader. */
#include "tpr_cursor.h"

#include "data/files/error.h"
#include "data/files/xdr.h"
#include "data/messages/message.h"

void
debye_tpr_cursor_clear(DebyeTprCursor *cursor)
{
  g_clear_error(&cursor->error);
}

gboolean
debye_tpr_cursor_check(DebyeTprCursor *cursor, GError **error)
{
  if (cursor->error == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&cursor->error));
  return FALSE;
}

void
debye_tpr_cursor_fail(DebyeTprCursor *cursor, int code, const char *format, ...)
{
  if (cursor->error != NULL)
    return;
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = debye_message_new_valist(format, arguments);
  va_end(arguments);
  debye_input_set_error(cursor->input, &cursor->error, code, "byte %" G_GUINT64_FORMAT ": %s", cursor->at,
                        text);
}

/* Zeros after an error. */
static void
take(DebyeTprCursor *cursor, gpointer bytes, gsize n)
{
  memset(bytes, 0, n);
  if (cursor->error != NULL)
    return;
  if (n > cursor->end - cursor->at) {
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_TRUNCATED,
                          "expected %" G_GSIZE_FORMAT " bytes more, found %" G_GUINT64_FORMAT
                          ": the file may have been cut",
                          n, cursor->end - cursor->at);
    return;
  }
  if (debye_input_read(cursor->input, cursor->at, bytes, n, &cursor->error))
    cursor->at += n;
  else
    memset(bytes, 0, n);
}

gint32
debye_tpr_cursor_read_int(DebyeTprCursor *cursor)
{
  guint8 bytes[4];
  take(cursor, bytes, sizeof bytes);
  return debye_xdr_get_int32(bytes);
}

gint64
debye_tpr_cursor_read_int64(DebyeTprCursor *cursor)
{
  guint8 bytes[8];
  take(cursor, bytes, sizeof bytes);
  return (gint64)debye_xdr_get_uint64(bytes);
}

guint16
debye_tpr_cursor_read_uint16(DebyeTprCursor *cursor)
{
  guint8 bytes[2];
  if (!cursor->is_packed)
    return (guint16)debye_tpr_cursor_read_int(cursor);
  take(cursor, bytes, sizeof bytes);
  return (guint16)(bytes[0] << 8 | bytes[1]);
}

guint8
debye_tpr_cursor_read_byte(DebyeTprCursor *cursor)
{
  guint8 byte;
  if (!cursor->is_packed)
    return (guint8)debye_tpr_cursor_read_int(cursor);
  take(cursor, &byte, 1);
  return byte;
}

gboolean
debye_tpr_cursor_read_boolean(DebyeTprCursor *cursor)
{
  return cursor->is_packed ? debye_tpr_cursor_read_byte(cursor) != 0 : debye_tpr_cursor_read_int(cursor) != 0;
}

double
debye_tpr_cursor_read_real(DebyeTprCursor *cursor)
{
  guint8 bytes[8];
  take(cursor, bytes, cursor->real_bytes);
  return cursor->real_bytes == sizeof(double) ? debye_xdr_get_double(bytes)
                                              : (double)debye_xdr_get_float(bytes);
}

gsize
debye_tpr_cursor_read_count(DebyeTprCursor *cursor, gsize item_bytes, const char *what)
{
  gint32 count = debye_tpr_cursor_read_int(cursor);
  guint64 left = (cursor->end - cursor->at) / item_bytes;
  if (count >= 0 && (guint64)count <= left)
    return (gsize)count;
  debye_tpr_cursor_fail(cursor, DEBYE_ERROR_LIMIT,
                        "expected a number of %s for which the file has room, up to %" G_GUINT64_FORMAT
                        ", found %d",
                        what, left, count);
  return 0;
}

guint32
debye_tpr_cursor_read_index(DebyeTprCursor *cursor, gsize n, const char *what)
{
  gint32 index = debye_tpr_cursor_read_int(cursor);
  if (index >= 0 && (gsize)index < n)
    return (guint32)index;
  debye_tpr_cursor_fail(cursor, DEBYE_ERROR_SYNTAX,
                        "expected the number of a %s below %" G_GSIZE_FORMAT ", found %d", what, n, index);
  return 0;
}

/* In XDR the length stands twice, first with the NUL that isn't written, and the text is padded to four. */
char *
debye_tpr_cursor_read_string(DebyeTprCursor *cursor)
{
  guint64 length;
  if (cursor->is_packed) {
    length = (guint64)debye_tpr_cursor_read_int64(cursor);
  } else {
    debye_tpr_cursor_skip_ints(cursor, 1);
    length = (guint32)debye_tpr_cursor_read_int(cursor);
  }
  if (length > cursor->end - cursor->at)
    debye_tpr_cursor_fail(
        cursor, DEBYE_ERROR_LIMIT,
        "expected a text for which the file has room, found one of %" G_GUINT64_FORMAT " bytes", length);
  if (cursor->error != NULL)
    return NULL;
  g_autofree char *text = g_malloc0(length + 1);
  take(cursor, text, length);
  if (!cursor->is_packed)
    debye_tpr_cursor_skip(cursor, (4 - length % 4) % 4, 1);
  return cursor->error == NULL ? g_steal_pointer(&text) : NULL;
}

void
debye_tpr_cursor_skip(DebyeTprCursor *cursor, guint64 n, gsize item_bytes)
{
  if (cursor->error != NULL)
    return;
  if (n <= (cursor->end - cursor->at) / item_bytes)
    cursor->at += n * item_bytes;
  else
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_TRUNCATED,
                          "expected %" G_GUINT64_FORMAT " values of %" G_GSIZE_FORMAT
                          " bytes, found %" G_GUINT64_FORMAT " bytes: the file may have been cut",
                          n, item_bytes, cursor->end - cursor->at);
}

void
debye_tpr_cursor_skip_reals(DebyeTprCursor *cursor, guint64 n)
{
  debye_tpr_cursor_skip(cursor, n, cursor->real_bytes);
}

void
debye_tpr_cursor_skip_ints(DebyeTprCursor *cursor, guint64 n)
{
  debye_tpr_cursor_skip(cursor, n, 4);
}

void
debye_tpr_cursor_skip_uint16(DebyeTprCursor *cursor, guint64 n)
{
  debye_tpr_cursor_skip(cursor, n, cursor->is_packed ? 2 : 4);
}

void
debye_tpr_cursor_skip_bytes(DebyeTprCursor *cursor, guint64 n)
{
  debye_tpr_cursor_skip(cursor, n, cursor->is_packed ? 1 : 4);
}

/* SPDX-License-Identifier: MIT */
/* Reading GROMACS' run input files (TPR) value by value. There are two encodings: XDR, where everything takes
 * four bytes or more, and, since GROMACS 2020, a body in which bytes and 16-bit numbers take their own size;
 * both are big-endian. The first error sticks: after it everything reads as 0, so that a reader looks for it
 * once at the end of a section. */
#pragma once

#include "data/files/input.h"

typedef struct {
  DebyeInput *input;
  guint64 at, end;
  gint32 version;     /* of the file's layout, GROMACS' "tpx version" */
  gsize real_bytes;   /* 4 or 8 */
  gboolean is_packed; /* the encoding since GROMACS 2020 */
  GError *error;      /* the first; NULL: none */
} DebyeTprCursor;

void debye_tpr_cursor_clear(DebyeTprCursor *cursor);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeTprCursor, debye_tpr_cursor_clear)

/* TRUE without an error; otherwise hands it over. */
gboolean debye_tpr_cursor_check(DebyeTprCursor *cursor, GError **error);
/* An error at the current place: "NAME: byte N: " and the text. Without effect after another one. */
void debye_tpr_cursor_fail(DebyeTprCursor *cursor, int code, const char *format, ...) G_GNUC_PRINTF(3, 4);

gint32 debye_tpr_cursor_read_int(DebyeTprCursor *cursor);
gint64 debye_tpr_cursor_read_int64(DebyeTprCursor *cursor);
gboolean debye_tpr_cursor_read_boolean(DebyeTprCursor *cursor);
guint8 debye_tpr_cursor_read_byte(DebyeTprCursor *cursor);
guint16 debye_tpr_cursor_read_uint16(DebyeTprCursor *cursor);
double debye_tpr_cursor_read_real(DebyeTprCursor *cursor);
/* How many items follow, each of at least `item_bytes`: more than the file has left is an error, so that what
 * is allocated for them is bounded. `what` is the word for them: "atoms". */
gsize debye_tpr_cursor_read_count(DebyeTprCursor *cursor, gsize item_bytes, const char *what);
/* An index below n. */
guint32 debye_tpr_cursor_read_index(DebyeTprCursor *cursor, gsize n, const char *what);
/* NULL on an error. */
char *debye_tpr_cursor_read_string(DebyeTprCursor *cursor);

void debye_tpr_cursor_skip(DebyeTprCursor *cursor, guint64 n, gsize item_bytes);
void debye_tpr_cursor_skip_reals(DebyeTprCursor *cursor, guint64 n);
void debye_tpr_cursor_skip_ints(DebyeTprCursor *cursor, guint64 n);
/* A 16-bit number, and a byte, take four bytes in XDR. */
void debye_tpr_cursor_skip_uint16(DebyeTprCursor *cursor, guint64 n);
void debye_tpr_cursor_skip_bytes(DebyeTprCursor *cursor, guint64 n);

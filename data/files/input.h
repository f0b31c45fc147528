/* SPDX-License-Identifier: MIT */
/* A file that is read at any place, by one thread at a time. gzip, bzip2 and xz are undone on opening (into an
 * unlinked temporary file, bounded against decompression bombs, which all share who open the file while another has
 * it), so readers never see it. A file that shrinks while it is read gives an error, not a signal: nothing is
 * mapped but by input_view.h, which sees to that. */
#pragma once

#include <gio/gio.h>

typedef struct _DebyeInput DebyeInput;

/* TRUE to go on. `fraction` of the work, 0…1. */
typedef gboolean (*DebyeProgressFunc)(double fraction, gpointer data);

DebyeInput *debye_input_open(const char *path, GError **error);
/* The same for a disk that may be slow: whenever the system is asked for bytes, `progress` is told how far
 * into the file they are; where it must be unpacked, that is the first half of the way. Where it gives FALSE,
 * this read and all later ones are G_IO_ERROR_CANCELLED. */
DebyeInput *debye_input_open_watched(const char *path, DebyeProgressFunc progress, gpointer data,
                                     GError **error);
void debye_input_close(DebyeInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeInput, debye_input_close)

const char *debye_input_get_path(const DebyeInput *input);  /* as given: the file system's bytes */
const char *debye_input_get_name(const DebyeInput *input);  /* for messages, see debye_error_name_file */
char *debye_input_make_title(const DebyeInput *input);      /* its last part: what a person calls the file */
guint64 debye_input_get_size(const DebyeInput *input);      /* of the content, uncompressed */
guint64 debye_input_get_disk_size(const DebyeInput *input); /* of the file itself, for the index cache */
/* How much of the progress opening it was: 0, or where it had to be unpacked a half. */
double debye_input_get_unpacked_part(const DebyeInput *input);
gint64 debye_input_get_mtime(const DebyeInput *input); /* of the file itself, ns since the epoch */

/* Exactly n bytes at `offset`, or FALSE with DEBYE_ERROR_TRUNCATED / _OPEN. Small reads are served from a
 * window that is read ahead; reads of a megabyte and more go straight into `buffer`. */
gboolean debye_input_read(DebyeInput *input, guint64 offset, gpointer buffer, gsize n, GError **error);
/* Up to n bytes; -1 on error. 0: the end. */
gssize debye_input_read_some(DebyeInput *input, guint64 offset, gpointer buffer, gsize n, GError **error);

/* For input_view.h: of the content, uncompressed. */
int debye_input_get_descriptor(const DebyeInput *input);

/* Which file it is, whatever its name leads to by now. */
typedef struct {
  guint64 device, number;
} DebyeFileIdentity;
DebyeFileIdentity debye_input_get_identity(const DebyeInput *input);

/* `good`, unless the system has refused a read since the file was opened (a bad disk, a network drive that
 * went away): that is then the error, not what a reader took it for, which may be the file's end. */
gboolean debye_input_confirm(const DebyeInput *input, gboolean good, GError **error);

/* One stretch of the file into several buffers, in order: where it is long, in one call of the system and
 * without a copy between. */
typedef struct {
  gpointer buffer;
  gsize n;
} DebyeInputPart;
#define DEBYE_INPUT_PARTS 32 /* at most */
gboolean debye_input_read_parts(DebyeInput *input, guint64 offset, const DebyeInputPart *parts, gsize n_parts,
                                GError **error);

/* An error of this file: "NAME: " and the text. Always FALSE, to be returned. */
gboolean debye_input_set_error(const DebyeInput *input, GError **error, int code, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* What a reader says whose file no longer holds what its index was made of. Always FALSE, to be returned. */
gboolean debye_input_set_changed(const DebyeInput *input, GError **error);
/* G_IO_ERROR_CANCELLED, where whoever watches the progress wants no more. Always FALSE. */
gboolean debye_input_set_stopped(const DebyeInput *input, GError **error);

/* Text by lines. Any of LF, CRLF, CR ends one; a UTF-8 byte order mark is skipped; a line's bytes are
 * otherwise as in the file. A line longer than DEBYE_LINE_LIMIT is cut there (the rest is skipped). */
#define DEBYE_LINE_LIMIT 1048576

typedef struct {
  DebyeInput *input;
  guint64 next_offset; /* of the line that debye_line_reader_next gives next */
  guint64 next_number;
  char *text; /* the current line, NUL-terminated, without its end; valid until the next call */
  gsize length;
  guint64 number;      /* 1-based */
  guint64 offset;      /* of its first byte */
  gboolean has_failed; /* reading it, and not the end of the file, was why there was no next line */
  char *buffer;        /* private from here */
  gsize capacity, begin, end;
  guint64 buffer_offset;
} DebyeLineReader;

void debye_line_reader_init(DebyeLineReader *reader, DebyeInput *input, guint64 offset, guint64 first_number);
void debye_line_reader_clear(DebyeLineReader *reader);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeLineReader, debye_line_reader_clear)
/* FALSE at the end of the file (no error set) or on an error. */
gboolean debye_line_reader_next(DebyeLineReader *reader, GError **error);
/* An error at the current line: "NAME: line N: " and the text. Always FALSE. */
gboolean debye_line_reader_set_error(const DebyeLineReader *reader, GError **error, int code,
                                     const char *format, ...) G_GNUC_PRINTF(4, 5);

/* Numbers with a dot in every locale. The whole of text[0..length) must be one number, blanks at its ends
 * aside. */
gboolean debye_text_to_double(const char *text, gsize length, double *value);
gboolean debye_text_to_int(const char *text, gsize length, gint64 *value);
/* The next field of blanks-separated text from *cursor on; FALSE at the end. */
gboolean debye_text_next_field(const char **cursor, const char *end, const char **field, gsize *length);

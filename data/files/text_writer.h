/* SPDX-License-Identifier: MIT */
/* Text to a stream in large pieces. The first error stays, and later calls do nothing: ask once, at the end. */
#pragma once

#include <gio/gio.h>

typedef struct _DebyeTextWriter DebyeTextWriter;

DebyeTextWriter *debye_text_writer_new(GOutputStream *stream);
void debye_text_writer_free(DebyeTextWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTextWriter, debye_text_writer_free)

void debye_text_writer_put(DebyeTextWriter *writer, const char *text, gsize length);
void debye_text_writer_put_string(DebyeTextWriter *writer, const char *text);
/* One line's worth of text that came from elsewhere: control characters become blanks. */
void debye_text_writer_put_one_line(DebyeTextWriter *writer, const char *text);
/* Each as a line that begins with "# "; NULL: none. */
void debye_text_writer_put_comments(DebyeTextWriter *self, const char *const *lines);
void debye_text_writer_put_float(DebyeTextWriter *writer, float value);
void debye_text_writer_put_double(DebyeTextWriter *writer, double value);
void debye_text_writer_put_size(DebyeTextWriter *writer, gsize value);
/* What is put next may be written over at the end: by debye_text_writer_finish_over(), which after the rest
 * puts `text`, no longer than that, in its place, where the stream can seek. Of a stream that is written from
 * its beginning. */
void debye_text_writer_mark(DebyeTextWriter *writer);
gboolean debye_text_writer_finish_over(DebyeTextWriter *writer, const char *text, GError **error);
gboolean debye_text_writer_failed(const DebyeTextWriter *writer);
/* Writes what is left; FALSE with the first error. */
gboolean debye_text_writer_finish(DebyeTextWriter *writer, GError **error);

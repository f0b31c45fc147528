/* SPDX-License-Identifier: MIT */
/* Text to a stream in large pieces: a call of GIO for each number would cost more than making its digits. */
#include "text_writer.h"

#include <string.h>

#include "float_text.h"

#define BUFFER_SIZE (1 << 16)

struct _DebyeTextWriter {
  GOutputStream *stream;
  GError *error;
  guint64 n_flushed, mark;
  gsize used;
  char buffer[BUFFER_SIZE];
};

DebyeTextWriter *
debye_text_writer_new(GOutputStream *stream)
{
  DebyeTextWriter *writer = g_malloc(sizeof *writer);
  writer->stream = g_object_ref(stream);
  writer->error = NULL;
  writer->n_flushed = writer->mark = 0;
  writer->used = 0;
  return writer;
}

void
debye_text_writer_free(DebyeTextWriter *writer)
{
  if (writer == NULL)
    return;
  g_object_unref(writer->stream);
  g_clear_error(&writer->error);
  g_free(writer);
}

static void
flush(DebyeTextWriter *writer)
{
  if (writer->error == NULL)
    g_output_stream_write_all(writer->stream, writer->buffer, writer->used, NULL, NULL, &writer->error);
  writer->n_flushed += writer->used;
  writer->used = 0;
}

void
debye_text_writer_put(DebyeTextWriter *writer, const char *text, gsize length)
{
  while (length > 0) {
    if (writer->used == BUFFER_SIZE)
      flush(writer);
    gsize n = MIN(length, BUFFER_SIZE - writer->used);
    memcpy(writer->buffer + writer->used, text, n);
    writer->used += n;
    text += n;
    length -= n;
  }
}

void
debye_text_writer_put_string(DebyeTextWriter *writer, const char *text)
{
  debye_text_writer_put(writer, text, strlen(text));
}

void
debye_text_writer_put_one_line(DebyeTextWriter *writer, const char *text)
{
  for (; *text != '\0'; text++) {
    char c = g_ascii_iscntrl(*text) ? ' ' : *text;
    debye_text_writer_put(writer, &c, 1);
  }
}

void
debye_text_writer_put_float(DebyeTextWriter *writer, float value)
{
  char text[DEBYE_FLOAT_TEXT_SIZE];
  debye_text_writer_put(writer, text, debye_float_to_text(value, text));
}

void
debye_text_writer_put_double(DebyeTextWriter *writer, double value)
{
  char text[DEBYE_FLOAT_TEXT_SIZE];
  debye_text_writer_put(writer, text, debye_double_to_text(value, text));
}

void
debye_text_writer_put_size(DebyeTextWriter *writer, gsize value)
{
  char text[24];
  int n = g_snprintf(text, sizeof text, "%" G_GSIZE_FORMAT, value);
  debye_text_writer_put(writer, text, (gsize)n);
}

gboolean
debye_text_writer_failed(const DebyeTextWriter *writer)
{
  return writer->error != NULL;
}

void
debye_text_writer_put_comments(DebyeTextWriter *self, const char *const *lines)
{
  for (; lines != NULL && *lines != NULL; lines++) {
    debye_text_writer_put_string(self, "# ");
    debye_text_writer_put_one_line(self, *lines);
    debye_text_writer_put_string(self, "\n");
  }
}

gboolean
debye_text_writer_finish(DebyeTextWriter *writer, GError **error)
{
  flush(writer);
  if (writer->error == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&writer->error));
  return FALSE;
}

void
debye_text_writer_mark(DebyeTextWriter *writer)
{
  writer->mark = writer->n_flushed + writer->used;
}

gboolean
debye_text_writer_finish_over(DebyeTextWriter *writer, const char *text, GError **error)
{
  if (!debye_text_writer_finish(writer, error))
    return FALSE;
  GSeekable *seekable = G_IS_SEEKABLE(writer->stream) ? G_SEEKABLE(writer->stream) : NULL;
  if (seekable == NULL || !g_seekable_can_seek(seekable))
    return TRUE;
  return g_seekable_seek(seekable, (goffset)writer->mark, G_SEEK_SET, NULL, error) &&
         g_output_stream_write_all(writer->stream, text, strlen(text), NULL, NULL, error) &&
         g_seekable_seek(seekable, 0, G_SEEK_END, NULL, error);
}

/* SPDX-License-Identifier: MIT */
/* Reads text line by line from any offset, with the line ends of any system; used by all readers of text
 * formats. */
#include "input.h"
#include "data/messages/message.h"

#include <string.h>

#define FIRST_CAPACITY 65536
/* A line at the limit, the byte after it that says how it ends, and the NUL. */
#define LAST_CAPACITY (DEBYE_LINE_LIMIT + 3)

void
debye_line_reader_init(DebyeLineReader *reader, DebyeInput *input, guint64 offset, guint64 first_number)
{
  *reader = (DebyeLineReader){
      .input = input,
      .next_offset = offset,
      .next_number = first_number,
      .capacity = FIRST_CAPACITY,
      .buffer = g_malloc(FIRST_CAPACITY),
      .buffer_offset = offset,
  };
}

void
debye_line_reader_clear(DebyeLineReader *reader)
{
  g_clear_pointer(&reader->buffer, g_free);
  reader->text = NULL;
}

/* More bytes behind those that are there; the current line moves to the front of the buffer, which grows only
 * when the line fills it. Returns the number of bytes added: 0 at the end of the file or when the limit is
 * reached, -1 on an error. One byte stays free for the NUL. */
static gssize
fetch(DebyeLineReader *reader, GError **error)
{
  if (reader->begin > 0) {
    memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
    reader->buffer_offset += reader->begin;
    reader->end -= reader->begin;
    reader->begin = 0;
  }
  if (reader->end + 1 >= reader->capacity) {
    if (reader->capacity >= LAST_CAPACITY)
      return 0;
    reader->capacity = MIN(reader->capacity * 2, LAST_CAPACITY);
    reader->buffer = g_realloc(reader->buffer, reader->capacity);
  }
  gssize n = debye_input_read_some(reader->input, reader->buffer_offset + reader->end,
                                   reader->buffer + reader->end, reader->capacity - 1 - reader->end, error);
  if (n > 0)
    reader->end += (gsize)n;
  return n;
}

/* Eight bytes at once: a byte of the result is not zero where the word's is `byte`, up to the first such one
 * (a borrow may mark bytes behind it). */
static guint64
mark_bytes(guint64 word, guint8 byte)
{
  const guint64 ones = 0x0101010101010101u, tops = 0x8080808080808080u;
  guint64 difference = word ^ (ones * byte);
  return (difference - ones) & ~difference & tops;
}

static gsize
find_line_end(const char *buffer, gsize from, gsize end)
{
  for (; from + sizeof(guint64) <= end; from += sizeof(guint64)) {
    guint64 word;
    memcpy(&word, buffer + from, sizeof word);
    word = GUINT64_FROM_LE(word);
    guint64 marks = mark_bytes(word, '\n') | mark_bytes(word, '\r');
    if (marks != 0)
      return from + (gsize)__builtin_ctzll(marks) / 8;
  }
  while (from < end && buffer[from] != '\n' && buffer[from] != '\r')
    from++;
  return from;
}

/* The length of the current line, without its end; fetches until the end is in the buffer. -1 on an error. */
static gssize
measure_line(DebyeLineReader *reader, GError **error)
{
  gsize length = 0;
  for (;;) {
    length = find_line_end(reader->buffer, reader->begin + length, reader->end) - reader->begin;
    if (reader->begin + length < reader->end || length > DEBYE_LINE_LIMIT)
      return (gssize)length;
    gssize n = fetch(reader, error);
    if (n <= 0)
      return n < 0 ? -1 : (gssize)length;
  }
}

/* Of a line that was cut: the offset of the line after it, looked up without touching the buffer that holds
 * the text. */
static gboolean
find_next_line(DebyeLineReader *reader, guint64 offset, guint64 *next, GError **error)
{
  char block[4096];
  gboolean after_return = FALSE;
  for (;;) {
    gssize n = debye_input_read_some(reader->input, offset, block, sizeof block, error);
    if (n < 0)
      return FALSE;
    gsize at = after_return ? 0 : find_line_end(block, 0, (gsize)n);
    if (!after_return && at < (gsize)n)
      after_return = block[at++] == '\r';
    else if (!after_return && n > 0) {
      offset += (guint64)n;
      continue;
    }
    if (after_return && at == (gsize)n && n > 0) {
      offset += at;
      continue;
    }
    *next = offset + at + (after_return && at < (gsize)n && block[at] == '\n');
    return TRUE;
  }
}

/* How many bytes end the line (LF, CRLF, CR or the end of the file), which may need one byte more from the
 * file. -1 on an error. */
static gssize
measure_line_end(DebyeLineReader *reader, gsize length, GError **error)
{
  if (reader->begin + length == reader->end)
    return 0;
  if (reader->buffer[reader->begin + length] == '\n')
    return 1;
  if (reader->begin + length + 1 == reader->end && fetch(reader, error) < 0)
    return -1;
  gsize after = reader->begin + length + 1;
  return after < reader->end && reader->buffer[after] == '\n' ? 2 : 1;
}

static gboolean
skip_byte_order_mark(DebyeLineReader *reader, GError **error)
{
  while (reader->end < 3) {
    gssize n = fetch(reader, error);
    if (n <= 0)
      return n == 0;
  }
  if (memcmp(reader->buffer, "\xEF\xBB\xBF", 3) == 0)
    reader->begin = 3;
  return TRUE;
}

/* The line is too long: its first bytes are given out, and the buffer starts again behind it. */
static gboolean
cut_line(DebyeLineReader *reader, GError **error)
{
  guint64 next;
  reader->length = DEBYE_LINE_LIMIT;
  if (!find_next_line(reader, reader->offset + DEBYE_LINE_LIMIT, &next, error))
    return FALSE;
  reader->begin = reader->end = 0;
  reader->buffer_offset = next;
  return TRUE;
}

gboolean
debye_line_reader_next(DebyeLineReader *reader, GError **error)
{
  reader->has_failed = TRUE;
  if (reader->buffer_offset == 0 && reader->end == 0 && !skip_byte_order_mark(reader, error))
    return FALSE;
  gssize length = measure_line(reader, error);
  if (length < 0)
    return FALSE;
  gssize length_of_end = length > DEBYE_LINE_LIMIT ? 0 : measure_line_end(reader, (gsize)length, error);
  if (length_of_end < 0)
    return FALSE;
  reader->has_failed = FALSE;
  if (length + length_of_end == 0)
    return FALSE;
  reader->offset = reader->buffer_offset + reader->begin;
  reader->number = reader->next_number++;
  reader->length = (gsize)length;
  gsize start = reader->begin;
  reader->begin += (gsize)(length + length_of_end);
  reader->has_failed = length > DEBYE_LINE_LIMIT && !cut_line(reader, error);
  if (reader->has_failed)
    return FALSE;
  reader->text = reader->buffer + start;
  reader->text[reader->length] = '\0';
  reader->next_offset = reader->buffer_offset + reader->begin;
  return TRUE;
}

gboolean
debye_line_reader_set_error(const DebyeLineReader *reader, GError **error, int code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = debye_message_new_valist(format, arguments);
  va_end(arguments);
  /* A file that changed since its frames were found may end before the lines could be counted. */
  if (reader->number > 0)
    return debye_input_set_error(reader->input, error, code, "line %" G_GUINT64_FORMAT ": %s", reader->number,
                                 text);
  return debye_input_set_error(reader->input, error, code, "byte %" G_GUINT64_FORMAT ": %s", reader->offset,
                               text);
}

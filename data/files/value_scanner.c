/* SPDX-License-Identifier: MIT */
/* Reads the numbers of a text map word by word; used by field_cube.c and field_dx.c: a line reader would look
 * at each byte once more. */
#include "value_scanner.h"

#include <string.h>

#include "error.h"
#include "float_text.h"

#define BUFFER_BYTES 65536

void
debye_value_scanner_init(DebyeValueScanner *scanner, DebyeInput *input, guint64 offset, guint64 line)
{
  *scanner = (DebyeValueScanner){
      .input = input, .line = line, .buffer_offset = offset, .buffer = g_malloc(BUFFER_BYTES)};
}

void
debye_value_scanner_clear(DebyeValueScanner *scanner)
{
  g_clear_pointer(&scanner->buffer, g_free);
}

/* What is left moves to the front, and more follows; FALSE on an error. */
static gboolean
refill(DebyeValueScanner *scanner, GError **error)
{
  gsize kept = scanner->end - scanner->begin;
  memmove(scanner->buffer, scanner->buffer + scanner->begin, kept);
  scanner->buffer_offset += scanner->begin;
  scanner->begin = 0;
  scanner->end = kept;
  gssize n = debye_input_read_some(scanner->input, scanner->buffer_offset + kept, scanner->buffer + kept,
                                   BUFFER_BYTES - kept, error);
  if (n < 0)
    return FALSE;
  scanner->at_end = n == 0;
  scanner->end += (gsize)n;
  return TRUE;
}

/* To the first byte of the next word; the end of the file leaves begin == end. */
static gboolean
skip_blanks(DebyeValueScanner *scanner, GError **error)
{
  gboolean in_comment = FALSE;
  for (;;) {
    for (; scanner->begin < scanner->end; scanner->begin++) {
      char c = scanner->buffer[scanner->begin];
      if (c == '\n') {
        scanner->line++;
        in_comment = FALSE;
      } else if (c == '#')
        in_comment = TRUE;
      else if (!in_comment && !g_ascii_isspace(c))
        return TRUE;
    }
    if (scanner->at_end)
      return TRUE;
    if (!refill(scanner, error))
      return FALSE;
  }
}

gboolean
debye_value_scanner_next(DebyeValueScanner *scanner, const char **word, gsize *length, GError **error)
{
  if (!skip_blanks(scanner, error))
    return FALSE;
  gsize n = 0;
  for (;;) {
    while (scanner->begin + n < scanner->end && !g_ascii_isspace(scanner->buffer[scanner->begin + n]))
      n++;
    /* A word as long as the buffer is cut: it can't be a number anyway. */
    if (scanner->begin + n < scanner->end || scanner->at_end || n == BUFFER_BYTES)
      break;
    if (!refill(scanner, error))
      return FALSE;
  }
  *word = scanner->buffer + scanner->begin;
  *length = n;
  scanner->begin += n;
  return n > 0;
}

gboolean
debye_value_scanner_next_float(DebyeValueScanner *scanner, gsize index, gsize n, float *value, GError **error)
{
  g_autoptr(GError) cause = NULL;
  const char *word;
  gsize length;
  if (!debye_value_scanner_next(scanner, &word, &length, &cause)) {
    if (cause != NULL)
      g_propagate_error(error, g_steal_pointer(&cause));
    else
      debye_input_set_error(scanner->input, error, DEBYE_ERROR_TRUNCATED,
                            "the file ends after %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " values", index,
                            n);
    return FALSE;
  }
  if (debye_float_from_text(word, length, value))
    return TRUE;
  g_autofree char *found = g_utf8_make_valid(word, (gssize)MIN(length, 40));
  return debye_input_set_error(scanner->input, error, DEBYE_ERROR_SYNTAX,
                               "line %" G_GUINT64_FORMAT ": expected value %" G_GSIZE_FORMAT
                               " of %" G_GSIZE_FORMAT ", found “%s”",
                               scanner->line, index + 1, n, found);
}

guint64
debye_value_scanner_get_offset(const DebyeValueScanner *scanner)
{
  return scanner->buffer_offset + scanner->begin;
}

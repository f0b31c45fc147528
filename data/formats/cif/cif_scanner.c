/* SPDX-License-Identifier: MIT */
/* Splits a CIF into tokens for cif_table.c and format_cif.c. It works line by line, because a semicolon means
 * something at the beginning of a line only. */
#include "cif_scanner.h"

#include "data/files/error.h"

#include <string.h>

typedef enum {
  LINE_ERROR,
  LINE_END_OF_FILE,
  LINE_HERE,
} LineState;

void
debye_cif_scanner_init(DebyeCifScanner *scanner, DebyeLineReader *lines)
{
  *scanner = (DebyeCifScanner){.lines = lines, .field = g_string_new(NULL)};
}

void
debye_cif_scanner_clear(DebyeCifScanner *scanner)
{
  g_string_free(scanner->field, TRUE);
  scanner->field = NULL;
}

static LineState
fetch_line(DebyeCifScanner *scanner, GError **error)
{
  static const char version_2[] = "#\\#CIF_2";
  DebyeLineReader *lines = scanner->lines;
  scanner->at = 0;
  scanner->has_line = debye_line_reader_next(lines, error);
  if (lines->has_failed)
    return LINE_ERROR;
  if (!scanner->has_line)
    return LINE_END_OF_FILE;
  if (lines->length >= DEBYE_LINE_LIMIT) {
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                "expected a line of at most 2,048 characters, found one of more than %d",
                                DEBYE_LINE_LIMIT);
    return LINE_ERROR;
  }
  if (lines->number == 1 && strncmp(lines->text, version_2, sizeof version_2 - 1) == 0)
    scanner->is_version_2 = TRUE;
  return LINE_HERE;
}

static gboolean
is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/* To the next character that is neither blank nor comment. */
static LineState
skip_blanks(DebyeCifScanner *scanner, GError **error)
{
  for (;;) {
    if (!scanner->has_line) {
      LineState state = fetch_line(scanner, error);
      if (state != LINE_HERE)
        return state;
    }
    const DebyeLineReader *lines = scanner->lines;
    while (scanner->at < lines->length && is_blank(lines->text[scanner->at]))
      scanner->at++;
    if (scanner->at < lines->length && lines->text[scanner->at] != '#')
      return LINE_HERE;
    scanner->has_line = FALSE;
  }
}

static void
append_to_field(DebyeCifScanner *scanner, const char *text, gsize length)
{
  gsize room = DEBYE_CIF_FIELD_LIMIT - MIN(scanner->field->len, DEBYE_CIF_FIELD_LIMIT);
  g_string_append_len(scanner->field, text, (gssize)MIN(length, room));
}

static gboolean
set_open_end(const DebyeCifScanner *scanner, const char *what, const char *end, GError **error)
{
  return debye_line_reader_set_error(scanner->lines, error, DEBYE_ERROR_TRUNCATED,
                                     "expected %s to close the %s of line %" G_GUINT64_FORMAT
                                     ", found the end of the file",
                                     end, what, scanner->line);
}

static gboolean
take_field(DebyeCifScanner *scanner)
{
  scanner->token = DEBYE_CIF_VALUE;
  scanner->text = scanner->field->str;
  scanner->length = scanner->field->len;
  return TRUE;
}

/* From a semicolon at the beginning of a line to the next one there. */
static gboolean
read_text_field(DebyeCifScanner *scanner, GError **error)
{
  g_string_truncate(scanner->field, 0);
  append_to_field(scanner, scanner->lines->text + 1, scanner->lines->length - 1);
  for (;;) {
    LineState state = fetch_line(scanner, error);
    if (state == LINE_ERROR)
      return FALSE;
    if (state == LINE_END_OF_FILE)
      return set_open_end(scanner, "text", "a line that begins with “;”", error);
    if (scanner->lines->text[0] == ';')
      break;
    append_to_field(scanner, "\n", 1);
    append_to_field(scanner, scanner->lines->text, scanner->lines->length);
  }
  scanner->at = 1;
  return take_field(scanner);
}

/* CIF 2.0: three quotes, over any number of lines, to the next three. */
static gboolean
read_triple_quoted(DebyeCifScanner *scanner, GError **error)
{
  char quotes[4] = {0};
  memcpy(quotes, scanner->lines->text + scanner->at, 3);
  scanner->at += 3;
  g_string_truncate(scanner->field, 0);
  for (;;) {
    const char *text = scanner->lines->text + scanner->at;
    gsize length = scanner->lines->length - scanner->at;
    const char *end = g_strstr_len(text, (gssize)length, quotes);
    append_to_field(scanner, text, end != NULL ? (gsize)(end - text) : length);
    if (end != NULL) {
      scanner->at += (gsize)(end - text) + 3;
      return take_field(scanner);
    }
    append_to_field(scanner, "\n", 1);
    LineState state = fetch_line(scanner, error);
    if (state == LINE_ERROR)
      return FALSE;
    if (state == LINE_END_OF_FILE)
      return set_open_end(scanner, "text", quotes, error);
  }
}

/* In CIF 1 a quote inside ends the value only before a blank ('N5'' is N5'), in CIF 2 always. */
static gboolean
read_quoted(DebyeCifScanner *scanner, GError **error)
{
  const char *line = scanner->lines->text;
  gsize length = scanner->lines->length, begin = scanner->at + 1, end = begin;
  char quote = line[scanner->at];
  if (scanner->is_version_2 && begin + 1 < length && line[begin] == quote && line[begin + 1] == quote)
    return read_triple_quoted(scanner, error);
  while (end < length &&
         !(line[end] == quote && (scanner->is_version_2 || end + 1 == length || is_blank(line[end + 1]))))
    end++;
  if (end == length)
    return debye_line_reader_set_error(scanner->lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected a closing %c in the line, found none", quote);
  scanner->token = DEBYE_CIF_VALUE;
  scanner->text = line + begin;
  scanner->length = end - begin;
  scanner->at = end + 1;
  return TRUE;
}

static gboolean
is_bracket(char c)
{
  return c == '[' || c == ']' || c == '{' || c == '}';
}

/* Whether a line's first semicolon opens a text: not where scanning began inside the line. */
static gboolean
is_at_text_field(const DebyeCifScanner *scanner)
{
  if (scanner->at != 0 || scanner->lines->text[0] != ';')
    return FALSE;
  char before = '\n';
  if (scanner->lines->offset > 0 &&
      debye_input_read_some(scanner->lines->input, scanner->lines->offset - 1, &before, 1, NULL) != 1)
    return TRUE;
  return before == '\n' || before == '\r';
}

/* A list or table of CIF 2.0 holds nothing that is read here. */
static gboolean
skip_collection(DebyeCifScanner *scanner, GError **error)
{
  gsize depth = 0;
  do {
    LineState state = skip_blanks(scanner, error);
    if (state == LINE_ERROR)
      return FALSE;
    if (state == LINE_END_OF_FILE)
      return set_open_end(scanner, "list", "“]” or “}”", error);
    char c = scanner->lines->text[scanner->at];
    gboolean done = TRUE;
    if (is_at_text_field(scanner))
      done = read_text_field(scanner, error);
    else if (c == '\'' || c == '"')
      done = read_quoted(scanner, error);
    else
      scanner->at++;
    if (!done)
      return FALSE;
    depth += c == '[' || c == '{';
    depth -= c == ']' || c == '}';
  } while (depth > 0);
  g_string_truncate(scanner->field, 0);
  return take_field(scanner);
}

static gboolean
begins_with(const DebyeCifScanner *scanner, const char *word)
{
  gsize length = strlen(word);
  return scanner->length >= length && g_ascii_strncasecmp(scanner->text, word, length) == 0;
}

static void
take_name(DebyeCifScanner *scanner, DebyeCifToken token, gsize prefix)
{
  scanner->token = token;
  scanner->text += prefix;
  scanner->length -= prefix;
}

/* Few values begin like one of CIF's own words. */
static void
find_reserved_word(DebyeCifScanner *scanner)
{
  if (begins_with(scanner, "data_"))
    take_name(scanner, DEBYE_CIF_BLOCK, 5);
  else if (begins_with(scanner, "save_"))
    take_name(scanner, DEBYE_CIF_SAVE, 5);
  else if (scanner->length == 5 && begins_with(scanner, "loop_"))
    take_name(scanner, DEBYE_CIF_LOOP, 5);
  else if (scanner->length == 7 && begins_with(scanner, "global_"))
    take_name(scanner, DEBYE_CIF_BLOCK, 7);
}

static void
read_bare(DebyeCifScanner *scanner)
{
  const char *line = scanner->lines->text;
  gsize begin = scanner->at, end = begin;
  while (end < scanner->lines->length && !is_blank(line[end]) &&
         !(scanner->is_version_2 && is_bracket(line[end])))
    end++;
  scanner->token = DEBYE_CIF_VALUE;
  scanner->text = line + begin;
  scanner->length = end - begin;
  scanner->at = end;
  if (line[begin] == '_')
    scanner->token = DEBYE_CIF_TAG;
  else if (scanner->length == 1)
    scanner->is_null = line[begin] == '.' || line[begin] == '?';
  else if (scanner->length >= 5 &&
           (line[begin + 4] == '_' || (scanner->length == 7 && line[begin + 6] == '_')))
    find_reserved_word(scanner);
}

gboolean
debye_cif_scanner_next(DebyeCifScanner *scanner, GError **error)
{
  LineState state = skip_blanks(scanner, error);
  scanner->is_null = FALSE;
  scanner->token = DEBYE_CIF_END;
  scanner->text = "";
  scanner->length = 0;
  if (state != LINE_HERE)
    return state != LINE_ERROR;
  scanner->offset = scanner->lines->offset + scanner->at;
  scanner->line = scanner->lines->number;
  char c = scanner->lines->text[scanner->at];
  if (is_at_text_field(scanner))
    return read_text_field(scanner, error);
  if (c == '\'' || c == '"')
    return read_quoted(scanner, error);
  if (scanner->is_version_2 && (c == '[' || c == '{'))
    return skip_collection(scanner, error);
  if (scanner->is_version_2 && is_bracket(c))
    return debye_line_reader_set_error(scanner->lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected a value, found “%c” that closes nothing", c);
  read_bare(scanner);
  return TRUE;
}

gboolean
debye_cif_to_double(const char *text, gsize length, double *value)
{
  if (length > 2 && text[length - 1] == ')') {
    const char *open = memchr(text, '(', length);
    gint64 uncertainty;
    if (open != NULL && !debye_text_to_int(open + 1, (gsize)(text + length - 1 - (open + 1)), &uncertainty))
      return FALSE;
    length = open != NULL ? (gsize)(open - text) : length;
  }
  return debye_text_to_double(text, length, value);
}

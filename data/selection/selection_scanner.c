/* SPDX-License-Identifier: MIT */
/* Reading a selection text piece by piece, and saying where it went wrong. Values, words and arithmetic
 * follow different rules of spelling ("5-10" is one value, "x-10" is not), so the parser asks for what it
 * wants instead of getting a row of tokens. */
#include <string.h>

#include "data/files/error.h"
#include "selection_private.h"
#include "data/messages/message.h"

/* As much of the text as the lines of an error show. */
#define SHOWN_BEFORE 50
#define SHOWN_AFTER 25

void
debye_selection_skip_blanks(DebyeSelectionScanner *scanner)
{
  while (g_ascii_isspace(*scanner->cursor))
    scanner->cursor++;
}

/* The letters, digits and underscores at the cursor, blanks skipped; 0 where no letter is. */
static gsize
peek_word(DebyeSelectionScanner *scanner)
{
  debye_selection_skip_blanks(scanner);
  gsize length = 0;
  if (g_ascii_isalpha(*scanner->cursor))
    while (g_ascii_isalnum(scanner->cursor[length]) || scanner->cursor[length] == '_')
      length++;
  return length;
}

const DebyeSelectionWord *
debye_selection_peek_known_word(DebyeSelectionScanner *scanner, gsize *length)
{
  *length = peek_word(scanner);
  return *length > 0 ? debye_selection_find_word(scanner->cursor, *length) : NULL;
}

gboolean
debye_selection_accept_word(DebyeSelectionScanner *scanner, const char *word)
{
  gsize length = peek_word(scanner);
  if (length != strlen(word) || g_ascii_strncasecmp(scanner->cursor, word, length) != 0)
    return FALSE;
  scanner->cursor += length;
  return TRUE;
}

gboolean
debye_selection_accept_symbol(DebyeSelectionScanner *scanner, const char *symbol)
{
  debye_selection_skip_blanks(scanner);
  if (!g_str_has_prefix(scanner->cursor, symbol))
    return FALSE;
  scanner->cursor += strlen(symbol);
  return TRUE;
}

gboolean
debye_selection_accept_number(DebyeSelectionScanner *scanner, double *value)
{
  debye_selection_skip_blanks(scanner);
  const char *begin = scanner->cursor;
  /* g_ascii_strtod would also take signs, "inf", "nan" and hexadecimal numbers. */
  if (!g_ascii_isdigit(*begin) && !(*begin == '.' && g_ascii_isdigit(begin[1])))
    return FALSE;
  if (*begin == '0' && (begin[1] == 'x' || begin[1] == 'X')) {
    *value = 0.0;
    scanner->cursor++;
    return TRUE;
  }
  char *end;
  *value = g_ascii_strtod(begin, &end);
  scanner->cursor = end;
  return TRUE;
}

gpointer
debye_selection_fail_at(DebyeSelectionScanner *scanner, const char *place, const char *message)
{
  if (!scanner->error_at) {
    scanner->error_at = place;
    scanner->error_message = g_strdup(message);
  }
  return NULL;
}

/* The piece of text at the cursor as a person would name it: a word, a number, a sign. */
static char *
describe_found(const char *cursor)
{
  gsize length = 0;
  while (cursor[length] && !g_ascii_isspace(cursor[length]) && !strchr("()<>=!,", cursor[length]))
    length++;
  if (*cursor == '\0')
    return g_strdup(N_("the end"));
  if (length == 0)
    length = strspn(cursor, "<>=!");
  if (length == 0)
    length = 1;
  g_autofree char *piece = g_strndup(cursor, length);
  if (g_utf8_strlen(piece, -1) > 30) {
    g_autofree char *start = g_utf8_substring(piece, 0, 30);
    return debye_message_new("“%s…”", start);
  }
  return debye_message_new("“%s”", piece);
}

gpointer
debye_selection_expected(DebyeSelectionScanner *scanner, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *what = debye_message_new_valist(format, arguments);
  va_end(arguments);
  debye_selection_skip_blanks(scanner);
  g_autofree char *found = describe_found(scanner->cursor);
  g_autofree char *message = debye_message_new("expected %s, found %s", what, found);
  return debye_selection_fail_at(scanner, scanner->cursor, message);
}

gboolean
debye_selection_enter(DebyeSelectionScanner *scanner)
{
  if (++scanner->depth <= DEBYE_SELECTION_DEPTH)
    return TRUE;
  debye_selection_expected(scanner, "at most %d levels of nesting", DEBYE_SELECTION_DEPTH);
  return FALSE;
}

/* A window of the text around the place, blanks made plain, with the caret's column in it. */
static char *
show_place(const char *text, glong column, glong *caret)
{
  glong length = g_utf8_strlen(text, -1);
  glong begin = column > SHOWN_BEFORE ? column - SHOWN_BEFORE : 0;
  glong end = MIN(length, column + SHOWN_AFTER);
  g_autofree char *middle = g_utf8_substring(text, begin, end);
  g_strdelimit(middle, "\t\r\n\v\f", ' ');
  *caret = column - begin + (begin > 0);
  return g_strconcat(begin > 0 ? "…" : "", middle, end < length ? "…" : "", NULL);
}

void
debye_selection_report(const DebyeSelectionScanner *scanner, guint *column, GError **error)
{
  glong place = g_utf8_pointer_to_offset(scanner->text, scanner->error_at), caret;
  g_autofree char *shown = show_place(scanner->text, place, &caret);
  if (column)
    *column = (guint)place;
  debye_error_set(error, DEBYE_ERROR_SELECTION, "selection: column %ld: %s\n%s\n%*s^", place + 1,
                  scanner->error_message, shown, (int)caret, "");
}

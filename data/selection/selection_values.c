/* SPDX-License-Identifier: MIT */
/* The values behind a field: names with wild cards, quoted strings, regular expressions; numbers and ranges
 * of them. */
#include <math.h>
#include <string.h>

#include "selection_private.h"

#include "data/messages/message.h"

static gboolean
at_end_of_values(DebyeSelectionScanner *scanner)
{
  debye_selection_skip_blanks(scanner);
  return *scanner->cursor == '\0' || strchr("()<>=!&|", *scanner->cursor) != NULL;
}

static gboolean
at_operator(DebyeSelectionScanner *scanner)
{
  debye_selection_skip_blanks(scanner);
  const char *cursor = scanner->cursor;
  return *cursor != '\0' && strchr("<>=!+-*/%^", *cursor) != NULL && !(cursor[0] == '!' && cursor[1] != '=');
}

static gboolean
is_connective(const DebyeSelectionWord *word)
{
  return word->kind == DEBYE_WORD_AND || word->kind == DEBYE_WORD_OR || word->kind == DEBYE_WORD_NOT;
}

/* Whether the list of values goes on with this word, or a word of the language ends it. Words of the language
 * are taken as such only in small letters: WATER, X and ION may be segments, chains and residues. So may a
 * small x, y or z that nothing is compared with. */
static gboolean
is_value(DebyeSelectionScanner *scanner, gboolean is_first)
{
  gsize length;
  const DebyeSelectionWord *word = debye_selection_peek_known_word(scanner, &length);
  const char *behind = scanner->cursor + length;
  if (!word || (*behind && !g_ascii_isspace(*behind) && !strchr("()<>=!,&|", *behind)))
    return TRUE;
  if (is_connective(word))
    return FALSE;
  if (is_first || memcmp(scanner->cursor, word->text, length) != 0)
    return TRUE;
  if (length > 1)
    return FALSE;
  const char *cursor = scanner->cursor;
  scanner->cursor = behind;
  gboolean is_compared = at_operator(scanner);
  scanner->cursor = cursor;
  return !is_compared;
}

static void
clear_pattern(gpointer data)
{
  g_free(((DebyeSelectionPattern *)data)->text);
}

static gboolean
parse_quoted(DebyeSelectionScanner *scanner, char **text)
{
  const char *begin = scanner->cursor;
  const char *end = strchr(begin + 1, *begin);
  if (!end) {
    g_autofree char *message =
        debye_message_new("expected a closing %c for the quote that opens here, found the end", *begin);
    debye_selection_fail_at(scanner, begin, message);
    return FALSE;
  }
  *text = g_strndup(begin + 1, (gsize)(end - begin) - 1);
  scanner->cursor = end + 1;
  return TRUE;
}

static void
parse_bare(DebyeSelectionScanner *scanner, char **text)
{
  const char *begin = scanner->cursor;
  while (*scanner->cursor && !g_ascii_isspace(*scanner->cursor) && !strchr("(),", *scanner->cursor))
    scanner->cursor++;
  *text = g_strndup(begin, (gsize)(scanner->cursor - begin));
}

static gboolean
parse_pattern(DebyeSelectionScanner *scanner, DebyeSelectionPattern *pattern)
{
  *pattern = (DebyeSelectionPattern){0};
  if (*scanner->cursor == '"' || *scanner->cursor == '\'')
    return parse_quoted(scanner, &pattern->text);
  parse_bare(scanner, &pattern->text);
  pattern->is_glob = strpbrk(pattern->text, "*?[") != NULL;
  return TRUE;
}

GArray *
debye_selection_patterns_new(void)
{
  GArray *patterns = g_array_new(FALSE, FALSE, sizeof(DebyeSelectionPattern));
  g_array_set_clear_func(patterns, clear_pattern);
  return patterns;
}

static gboolean
parse_patterns(DebyeSelectionScanner *scanner, DebyeSelectionNode *node)
{
  node->patterns = debye_selection_patterns_new();
  while (!at_end_of_values(scanner) && is_value(scanner, node->patterns->len == 0)) {
    DebyeSelectionPattern pattern;
    if (*scanner->cursor == ',')
      break;
    if (!parse_pattern(scanner, &pattern))
      return FALSE;
    g_array_append_val(node->patterns, pattern);
    debye_selection_accept_symbol(scanner, ",");
  }
  return TRUE;
}

static DebyeSelectionNode *
parse_regex(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  if (at_end_of_values(scanner))
    return debye_selection_expected(scanner, "a regular expression after “=~”");
  const char *place = scanner->cursor;
  DebyeSelectionPattern pattern;
  if (!parse_pattern(scanner, &pattern))
    return NULL;
  /* The whole value has to match, as in VMD. */
  g_autofree char *text = pattern.text;
  g_autofree char *anchored = g_strdup_printf("^(?:%s)$", text);
  g_autoptr(GError) reason = NULL;
  GRegex *regex = g_regex_new(anchored, G_REGEX_DOLLAR_ENDONLY, 0, &reason);
  if (!regex) {
    g_autofree char *message = debye_message_new("expected a regular expression, found “%s”", text);
    return debye_selection_fail_at(scanner, place, message);
  }
  DebyeSelectionNode *node = debye_selection_node_new(DEBYE_NODE_TEXT, word->value);
  node->regex = regex;
  return node;
}

DebyeSelectionNode *
debye_selection_parse_text_field(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  if (debye_selection_accept_symbol(scanner, "=~"))
    return parse_regex(scanner, word);
  gboolean is_negated = debye_selection_accept_symbol(scanner, "!=");
  if (!is_negated && !debye_selection_accept_symbol(scanner, "=="))
    debye_selection_accept_symbol(scanner, "=");
  g_autoptr(DebyeSelectionNode) node = debye_selection_node_new(DEBYE_NODE_TEXT, word->value);
  if (!parse_patterns(scanner, node))
    return NULL;
  if (node->patterns->len == 0)
    return debye_selection_expected(scanner, "a value after “%s”", word->text);
  if (!is_negated)
    return g_steal_pointer(&node);
  DebyeSelectionNode *negation = debye_selection_node_new(DEBYE_NODE_NOT, 0);
  debye_selection_node_add_child(negation, g_steal_pointer(&node));
  return negation;
}

/* A sign belongs to the number only where the number follows it directly. */
static gboolean
at_signed_number(const char *cursor)
{
  if (*cursor == '-' || *cursor == '+')
    cursor++;
  return g_ascii_isdigit(*cursor) || (*cursor == '.' && g_ascii_isdigit(cursor[1]));
}

static gboolean
accept_signed_number(DebyeSelectionScanner *scanner, double *value)
{
  double sign = 1.0;
  if (!at_signed_number(scanner->cursor))
    return FALSE;
  if (*scanner->cursor == '-' || *scanner->cursor == '+')
    sign = *scanner->cursor++ == '-' ? -1.0 : 1.0;
  debye_selection_accept_number(scanner, value);
  *value *= sign;
  return TRUE;
}

/* One end of a range: a number, for residue numbers with an insertion code ("52A"). */
static gboolean
parse_bound(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word, double *value, int *code)
{
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  *code = -1;
  if (!accept_signed_number(scanner, value)) {
    debye_selection_expected(scanner, "a number after “%s”", word->text);
    return FALSE;
  }
  if (word->value < DEBYE_NUMBER_MASS && *value != floor(*value)) {
    scanner->cursor = place;
    debye_selection_expected(scanner, "a whole number after “%s”", word->text);
    return FALSE;
  }
  if (word->value == DEBYE_NUMBER_RESIDUE_NUMBER && g_ascii_isalpha(*scanner->cursor) &&
      !g_ascii_isalnum(scanner->cursor[1]))
    *code = *scanner->cursor++;
  return TRUE;
}

/* "5-10", "5:10" and "5 to 10". A dash with a blank before it is another value's sign. */
static gboolean
accept_range_sign(DebyeSelectionScanner *scanner)
{
  const char *cursor = scanner->cursor;
  if ((*cursor == '-' || *cursor == ':') && at_signed_number(cursor + 1)) {
    scanner->cursor++;
    return TRUE;
  }
  if (debye_selection_accept_word(scanner, "to"))
    return TRUE;
  scanner->cursor = cursor;
  return FALSE;
}

static gboolean
parse_range(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word, DebyeSelectionRange *range)
{
  const char *place = scanner->cursor;
  if (!parse_bound(scanner, word, &range->low, &range->low_code))
    return FALSE;
  range->high = range->low;
  range->high_code = range->low_code;
  if (!accept_range_sign(scanner))
    return TRUE;
  if (!parse_bound(scanner, word, &range->high, &range->high_code))
    return FALSE;
  if (range->low <= range->high)
    return TRUE;
  g_autofree char *found = g_strndup(place, (gsize)(scanner->cursor - place));
  g_autofree char *message = debye_message_new("expected a range from low to high, found “%s”", found);
  debye_selection_fail_at(scanner, place, message);
  return FALSE;
}

static gboolean
parse_ranges(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word, GArray *ranges)
{
  while (debye_selection_skip_blanks(scanner), at_signed_number(scanner->cursor)) {
    DebyeSelectionRange range;
    if (!parse_range(scanner, word, &range))
      return FALSE;
    g_array_append_val(ranges, range);
    debye_selection_accept_symbol(scanner, ",");
  }
  return TRUE;
}

/* A list of values, unless what follows shows that it was arithmetic: "x -5 < 3" is a comparison, "resid -5"
 * a value. */
DebyeSelectionNode *
debye_selection_parse_number_field(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  g_autoptr(DebyeSelectionNode) node = debye_selection_node_new(DEBYE_NODE_RANGES, word->value);
  if (word->value >= DEBYE_NUMBER_X)
    scanner->is_dynamic = TRUE;
  debye_selection_skip_blanks(scanner);
  const char *begin = scanner->cursor;
  node->ranges = g_array_new(FALSE, FALSE, sizeof(DebyeSelectionRange));
  if (!parse_ranges(scanner, word, node->ranges))
    return NULL;
  if (node->ranges->len > 0 && !at_operator(scanner))
    return g_steal_pointer(&node);
  scanner->cursor = begin;
  return debye_selection_node_new(DEBYE_NODE_FIELD, word->value);
}

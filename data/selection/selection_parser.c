/* SPDX-License-Identifier: MIT */
/* The grammar of selections, by recursive descent. As in VMD, "not", "within" and the like take the one
 * operand that follows them, "and" binds closer than "or", and two selections side by side mean "and".
 * Parentheses hold either a selection or a number; which of them is known when they close.
 *
 *   selection   = conjunction { ( "or" | "||" ) conjunction }
 *   conjunction = unary { [ "and" | "&&" ] unary }
 *   unary       = ( "not" | "!" ) unary | comparison
 *   comparison  = sum [ ( "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" ) sum ]
 *   sum         = product { ( "+" | "-" ) product }
 *   product     = power { ( "*" | "/" | "%" ) power }
 *   power       = sign [ ( "^" | "**" ) power ]
 *   sign        = { "+" | "-" } primary
 *   primary     = "(" selection ")" | NUMBER | FUNCTION primary | "prop" primary | CLASS
 *               | TEXT-FIELD [ "=" | "==" | "!=" | "=~" ] values | NUMBER-FIELD [ ranges ]
 *               | ( "within" | "exwithin" | "pbwithin" ) NUMBER "of" unary
 *               | "around" NUMBER [ "of" ] unary | ( "sphere" | "point" ) X Y Z RADIUS
 *               | "same" FIELD "as" unary | "byres" unary | "bonded" [ "to" ] unary
 *               | "withinbonds" COUNT "of" unary
 *
 * "within" takes in the atoms it is asked about, "exwithin" and "around" leave them out. "resid 52" is
 * every residue of that number whatever its insertion code, "resid 52A" one of them. What is quoted is
 * taken as it stands; without quotes * ? and [] are wild cards; behind "=~" stands a regular expression
 * that the whole value has to match. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "selection_private.h"

/* Far longer than the lists of atoms that programs write. */
#define MAXIMUM_LENGTH 1048576

static DebyeSelectionNode *parse_or(DebyeSelectionScanner *scanner);
static DebyeSelectionNode *parse_unary(DebyeSelectionScanner *scanner);

/* The node where it is a selection, else the error that it is only a number. */
static gboolean
require_selection(DebyeSelectionScanner *scanner, const DebyeSelectionNode *node)
{
  if (!debye_selection_node_is_number(node))
    return TRUE;
  if (node->kind == DEBYE_NODE_FIELD)
    debye_selection_expected(scanner, "a value or a comparison after “%s”",
                             debye_selection_field_word((DebyeNumberField)node->what));
  else
    debye_selection_expected(scanner, "a comparison (<, <=, =, !=, >=, >) after the number");
  return FALSE;
}

/* The operand that a word like "within" or "not" applies to, as the only child of `node`. Takes the node. */
static DebyeSelectionNode *
apply_to_operand(DebyeSelectionScanner *scanner, DebyeSelectionNode *taken)
{
  g_autoptr(DebyeSelectionNode) node = taken;
  if (!debye_selection_enter(scanner))
    return NULL;
  g_autoptr(DebyeSelectionNode) operand = parse_unary(scanner);
  scanner->depth--;
  if (!operand || !require_selection(scanner, operand))
    return NULL;
  debye_selection_node_add_child(node, g_steal_pointer(&operand));
  return g_steal_pointer(&node);
}

static gboolean
expect_word(DebyeSelectionScanner *scanner, const char *word)
{
  if (debye_selection_accept_word(scanner, word))
    return TRUE;
  debye_selection_expected(scanner, "“%s”", word);
  return FALSE;
}

static gboolean
expect_distance(DebyeSelectionScanner *scanner, const char *word, double *value)
{
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  if (debye_selection_accept_number(scanner, value) && isfinite(*value))
    return TRUE;
  scanner->cursor = place;
  debye_selection_expected(scanner, "a number after “%s”", word);
  return FALSE;
}

static DebyeSelectionNode *
parse_within(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  double radius;
  if (!expect_distance(scanner, word->text, &radius))
    return NULL;
  if (word->kind == DEBYE_WORD_AROUND)
    debye_selection_accept_word(scanner, "of");
  else if (!expect_word(scanner, "of"))
    return NULL;
  gboolean excludes = word->kind == DEBYE_WORD_AROUND || word->value;
  DebyeSelectionNode *node = debye_selection_node_new(DEBYE_NODE_WITHIN, excludes);
  node->number[0] = radius;
  scanner->is_dynamic = TRUE;
  return apply_to_operand(scanner, node);
}

static DebyeSelectionNode *
parse_sphere(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  g_autoptr(DebyeSelectionNode) node = debye_selection_node_new(DEBYE_NODE_SPHERE, 0);
  static const char *const names[] = {"x", "y", "z", "radius"};
  for (int k = 0; k < 4; k++) {
    debye_selection_skip_blanks(scanner);
    const char *place = scanner->cursor;
    double sign = k < 3 && debye_selection_accept_symbol(scanner, "-") ? -1.0 : 1.0;
    if (!debye_selection_accept_number(scanner, &node->number[k]) || !isfinite(node->number[k])) {
      scanner->cursor = place;
      return debye_selection_expected(scanner, "a number for %s after “%s”", names[k], word->text);
    }
    node->number[k] *= sign;
  }
  scanner->is_dynamic = TRUE;
  return g_steal_pointer(&node);
}

static DebyeSelectionNode *
parse_same(DebyeSelectionScanner *scanner)
{
  gsize length;
  const DebyeSelectionWord *key = debye_selection_peek_known_word(scanner, &length);
  gboolean is_text = key && key->kind == DEBYE_WORD_TEXT;
  gboolean is_number = key && key->kind == DEBYE_WORD_NUMBER &&
                       (key->value == DEBYE_NUMBER_RESIDUE || key->value == DEBYE_NUMBER_RESIDUE_NUMBER ||
                        key->value == DEBYE_NUMBER_MOLECULE);
  if (!is_text && !is_number)
    return debye_selection_expected(
        scanner, "residue, chain, segment, molecule, name, type, element, resname or resid after “same”");
  scanner->cursor += length;
  if (!expect_word(scanner, "as"))
    return NULL;
  DebyeNodeKind kind = is_text ? DEBYE_NODE_SAME_TEXT : DEBYE_NODE_SAME_NUMBER;
  return apply_to_operand(scanner, debye_selection_node_new(kind, key->value));
}

static DebyeSelectionNode *
parse_within_bonds(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  double count;
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  if (!debye_selection_accept_number(scanner, &count) || count != floor(count) || count > 1e9) {
    scanner->cursor = place;
    return debye_selection_expected(scanner, "a whole number after “%s”", word->text);
  }
  if (!expect_word(scanner, "of"))
    return NULL;
  DebyeSelectionNode *node = debye_selection_node_new(DEBYE_NODE_BONDS, 0);
  node->number[0] = count;
  return apply_to_operand(scanner, node);
}

static DebyeSelectionNode *
parse_word(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  switch (word->kind) {
  case DEBYE_WORD_TEXT:
    return debye_selection_parse_text_field(scanner, word);
  case DEBYE_WORD_NUMBER:
    return debye_selection_parse_number_field(scanner, word);
  case DEBYE_WORD_RESIDUES:
    return debye_selection_node_new(DEBYE_NODE_RESIDUES, word->value);
  case DEBYE_WORD_BACKBONE:
    return debye_selection_node_new(DEBYE_NODE_BACKBONE, word->value);
  case DEBYE_WORD_PLAIN:
    return debye_selection_node_new((DebyeNodeKind)word->value, 0);
  case DEBYE_WORD_FUNCTION:
    return debye_selection_parse_function(scanner, word);
  case DEBYE_WORD_PROP:
    return scanner->parse_primary(scanner);
  case DEBYE_WORD_WITHIN:
  case DEBYE_WORD_AROUND:
    return parse_within(scanner, word);
  case DEBYE_WORD_SPHERE:
    return parse_sphere(scanner, word);
  case DEBYE_WORD_SAME:
    return parse_same(scanner);
  case DEBYE_WORD_BYRES:
    return apply_to_operand(scanner, debye_selection_node_new(DEBYE_NODE_SAME_NUMBER, DEBYE_NUMBER_RESIDUE));
  case DEBYE_WORD_BONDED:
    debye_selection_accept_word(scanner, "to");
    return apply_to_operand(scanner, debye_selection_node_new(DEBYE_NODE_BONDED, 0));
  case DEBYE_WORD_WITHIN_BONDS:
    return parse_within_bonds(scanner, word);
  case DEBYE_WORD_NOT:
  case DEBYE_WORD_AND:
  case DEBYE_WORD_OR:
    break;
  }
  return NULL;
}

static DebyeSelectionNode *
parse_parentheses(DebyeSelectionScanner *scanner)
{
  g_autoptr(DebyeSelectionNode) node = parse_or(scanner);
  if (!node)
    return NULL;
  if (!debye_selection_accept_symbol(scanner, ")"))
    return debye_selection_expected(scanner, "“)”");
  return g_steal_pointer(&node);
}

static DebyeSelectionNode *
parse_operand(DebyeSelectionScanner *scanner)
{
  double value;
  gsize length;
  if (debye_selection_accept_symbol(scanner, "("))
    return parse_parentheses(scanner);
  if (debye_selection_accept_number(scanner, &value)) {
    DebyeSelectionNode *node = debye_selection_node_new(DEBYE_NODE_CONSTANT, 0);
    node->number[0] = value;
    return node;
  }
  const DebyeSelectionWord *word = debye_selection_peek_known_word(scanner, &length);
  DebyeSelectionNode *bare = word == NULL ? debye_selection_parse_bare(scanner) : NULL;
  if (bare != NULL)
    return bare;
  if (!word || word->kind == DEBYE_WORD_AND || word->kind == DEBYE_WORD_OR || word->kind == DEBYE_WORD_NOT)
    return debye_selection_expected(scanner, "a word such as “name”, “resid” or “protein”");
  scanner->cursor += length;
  return parse_word(scanner, word);
}

static DebyeSelectionNode *
parse_primary(DebyeSelectionScanner *scanner)
{
  if (!debye_selection_enter(scanner))
    return NULL;
  DebyeSelectionNode *node = parse_operand(scanner);
  scanner->depth--;
  return node;
}

static gboolean
accept_not(DebyeSelectionScanner *scanner)
{
  if (debye_selection_accept_word(scanner, "not"))
    return TRUE;
  debye_selection_skip_blanks(scanner);
  return scanner->cursor[0] == '!' && scanner->cursor[1] != '=' &&
         debye_selection_accept_symbol(scanner, "!");
}

static DebyeSelectionNode *
parse_unary(DebyeSelectionScanner *scanner)
{
  if (accept_not(scanner))
    return apply_to_operand(scanner, debye_selection_node_new(DEBYE_NODE_NOT, 0));
  return debye_selection_parse_comparison(scanner);
}

/* Another selection right behind the last one: an "and" that is not written. */
static gboolean
at_selection(DebyeSelectionScanner *scanner)
{
  gsize length;
  const DebyeSelectionWord *word = debye_selection_peek_known_word(scanner, &length);
  if (word)
    return word->kind != DEBYE_WORD_AND && word->kind != DEBYE_WORD_OR;
  return *scanner->cursor == '(';
}

static gboolean
accept_and(DebyeSelectionScanner *scanner)
{
  return debye_selection_accept_word(scanner, "and") || debye_selection_accept_symbol(scanner, "&&") ||
         at_selection(scanner);
}

static gboolean
accept_or(DebyeSelectionScanner *scanner)
{
  return debye_selection_accept_word(scanner, "or") || debye_selection_accept_symbol(scanner, "||");
}

/* One operand, or several under one flat node: long chains cost no depth. */
static DebyeSelectionNode *
parse_chain(DebyeSelectionScanner *scanner, DebyeNodeKind kind, gboolean (*accept)(DebyeSelectionScanner *),
            DebyeSelectionNode *(*parse)(DebyeSelectionScanner *))
{
  g_autoptr(DebyeSelectionNode) first = parse(scanner);
  g_autoptr(DebyeSelectionNode) chain = NULL;
  while ((first || chain) && accept(scanner)) {
    if (first) {
      if (!require_selection(scanner, first))
        return NULL;
      chain = debye_selection_node_new(kind, 0);
      debye_selection_node_add_child(chain, g_steal_pointer(&first));
    }
    g_autoptr(DebyeSelectionNode) next = parse(scanner);
    if (!next || !require_selection(scanner, next))
      return NULL;
    debye_selection_node_add_child(chain, g_steal_pointer(&next));
  }
  return chain ? g_steal_pointer(&chain) : g_steal_pointer(&first);
}

static DebyeSelectionNode *
parse_and(DebyeSelectionScanner *scanner)
{
  return parse_chain(scanner, DEBYE_NODE_AND, accept_and, parse_unary);
}

static DebyeSelectionNode *
parse_or(DebyeSelectionScanner *scanner)
{
  return parse_chain(scanner, DEBYE_NODE_OR, accept_or, parse_and);
}

static DebyeSelectionNode *
parse_text(DebyeSelectionScanner *scanner)
{
  if (strlen(scanner->text) > MAXIMUM_LENGTH)
    return debye_selection_fail_at(scanner, scanner->text,
                                   N_("expected at most 1,048,576 bytes, found more"));
  debye_selection_skip_blanks(scanner);
  if (*scanner->cursor == '\0')
    return debye_selection_node_new(DEBYE_NODE_ALL, 0);
  g_autoptr(DebyeSelectionNode) root = parse_or(scanner);
  if (!root || !require_selection(scanner, root))
    return NULL;
  debye_selection_skip_blanks(scanner);
  if (*scanner->cursor != '\0')
    return debye_selection_expected(scanner, "“and”, “or” or the end");
  return g_steal_pointer(&root);
}

DebyeSelection *
debye_selection_parse(const char *text, guint *column, GError **error)
{
  if (!g_utf8_validate(text, -1, NULL)) {
    if (column)
      *column = 0;
    debye_error_set(error, DEBYE_ERROR_SELECTION, "selection: expected UTF-8 text, found other bytes");
    return NULL;
  }
  DebyeSelectionScanner scanner = {.text = text, .cursor = text, .parse_primary = parse_primary};
  g_autoptr(DebyeSelectionNode) root = parse_text(&scanner);
  if (!root) {
    debye_selection_report(&scanner, column, error);
    g_free(scanner.error_message);
    return NULL;
  }
  DebyeSelection *selection = g_new0(DebyeSelection, 1);
  g_atomic_ref_count_init(&selection->references);
  selection->text = g_strdup(text);
  selection->root = g_steal_pointer(&root);
  selection->is_dynamic = scanner.is_dynamic;
  return selection;
}

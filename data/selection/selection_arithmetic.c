/* SPDX-License-Identifier: MIT */
/* The numeric half of the grammar: comparison, sum, product, power, sign and functions.
 * The whole grammar stands in selection_parser.c. */
#include "selection_private.h"

/* A node over two numbers; NULL where the tree becomes too deep to be walked. Takes both. */
static DebyeSelectionNode *
join(DebyeSelectionScanner *scanner, DebyeNodeKind kind, int what, DebyeSelectionNode *left,
     DebyeSelectionNode *right)
{
  g_autoptr(DebyeSelectionNode) node = debye_selection_node_new(kind, what);
  debye_selection_node_add_child(node, left);
  debye_selection_node_add_child(node, right);
  if (node->depth > 2 * DEBYE_SELECTION_DEPTH)
    return debye_selection_expected(scanner, "at most %d numbers in one sum or product",
                                    2 * DEBYE_SELECTION_DEPTH);
  return g_steal_pointer(&node);
}

static gboolean
require_number(DebyeSelectionScanner *scanner, const DebyeSelectionNode *node, const char *place)
{
  if (debye_selection_node_is_number(node))
    return TRUE;
  debye_selection_fail_at(scanner, place,
                          "expected a number on both sides of the operator, found a selection");
  return FALSE;
}

DebyeSelectionNode *
debye_selection_parse_function(DebyeSelectionScanner *scanner, const DebyeSelectionWord *word)
{
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  g_autoptr(DebyeSelectionNode) node = debye_selection_node_new(DEBYE_NODE_FUNCTION, word->value);
  g_autoptr(DebyeSelectionNode) argument = scanner->parse_primary(scanner);
  if (!argument || !require_number(scanner, argument, place))
    return NULL;
  debye_selection_node_add_child(node, g_steal_pointer(&argument));
  return g_steal_pointer(&node);
}

static DebyeSelectionNode *
parse_sign(DebyeSelectionScanner *scanner)
{
  gboolean negative = FALSE, has_sign = FALSE;
  for (;;) {
    if (debye_selection_accept_symbol(scanner, "-"))
      negative = !negative;
    else if (!debye_selection_accept_symbol(scanner, "+"))
      break;
    has_sign = TRUE;
  }
  const char *place = scanner->cursor;
  g_autoptr(DebyeSelectionNode) operand = scanner->parse_primary(scanner);
  if (!operand || (has_sign && !require_number(scanner, operand, place)))
    return NULL;
  if (!negative)
    return g_steal_pointer(&operand);
  DebyeSelectionNode *node = debye_selection_node_new(DEBYE_NODE_NEGATE, 0);
  debye_selection_node_add_child(node, g_steal_pointer(&operand));
  return node;
}

/* The right side of an operator, joined with the left one. Takes the left. */
static DebyeSelectionNode *
join_right(DebyeSelectionScanner *scanner, DebyeNodeKind kind, int what, DebyeSelectionNode *taken,
           const char *place, DebyeSelectionNode *(*parse)(DebyeSelectionScanner *))
{
  g_autoptr(DebyeSelectionNode) left = taken;
  if (!require_number(scanner, left, place))
    return NULL;
  debye_selection_skip_blanks(scanner);
  const char *right_place = scanner->cursor;
  g_autoptr(DebyeSelectionNode) right = parse(scanner);
  if (!right || !require_number(scanner, right, right_place))
    return NULL;
  return join(scanner, kind, what, g_steal_pointer(&left), g_steal_pointer(&right));
}

static DebyeSelectionNode *
parse_power(DebyeSelectionScanner *scanner)
{
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  DebyeSelectionNode *left = parse_sign(scanner);
  if (!left || !(debye_selection_accept_symbol(scanner, "^") || debye_selection_accept_symbol(scanner, "**")))
    return left;
  if (!debye_selection_enter(scanner)) {
    debye_selection_node_free(left);
    return NULL;
  }
  DebyeSelectionNode *node = join_right(scanner, DEBYE_NODE_POWER, 0, left, place, parse_power);
  scanner->depth--;
  return node;
}

typedef struct {
  const char *symbol;
  DebyeNodeKind kind;
} Operator;

/* From the left: what `parse` reads, and the operators between. */
static DebyeSelectionNode *
parse_chain(DebyeSelectionScanner *scanner, const Operator *operators, gsize n_operators,
            DebyeSelectionNode *(*parse)(DebyeSelectionScanner *))
{
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  DebyeSelectionNode *left = parse(scanner);
  for (gsize i = 0; left && i < n_operators;) {
    gboolean is_next = debye_selection_accept_symbol(scanner, operators[i].symbol);
    if (is_next)
      left = join_right(scanner, operators[i].kind, 0, left, place, parse);
    i = is_next ? 0 : i + 1;
  }
  return left;
}

static DebyeSelectionNode *
parse_product(DebyeSelectionScanner *scanner)
{
  static const Operator operators[] = {
      {"*", DEBYE_NODE_MULTIPLY}, {"/", DEBYE_NODE_DIVIDE}, {"%", DEBYE_NODE_REMAINDER}};
  return parse_chain(scanner, operators, G_N_ELEMENTS(operators), parse_power);
}

static DebyeSelectionNode *
parse_sum(DebyeSelectionScanner *scanner)
{
  static const Operator operators[] = {{"+", DEBYE_NODE_ADD}, {"-", DEBYE_NODE_SUBTRACT}};
  return parse_chain(scanner, operators, G_N_ELEMENTS(operators), parse_product);
}

static gboolean
accept_comparison(DebyeSelectionScanner *scanner, DebyeComparison *comparison)
{
  static const struct {
    const char *symbol;
    DebyeComparison comparison;
  } symbols[] = {
      {"<=", DEBYE_COMPARE_LESS_EQUAL}, {">=", DEBYE_COMPARE_GREATER_EQUAL}, {"==", DEBYE_COMPARE_EQUAL},
      {"!=", DEBYE_COMPARE_NOT_EQUAL},  {"<", DEBYE_COMPARE_LESS},           {">", DEBYE_COMPARE_GREATER},
      {"=", DEBYE_COMPARE_EQUAL},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(symbols); k++)
    if (debye_selection_accept_symbol(scanner, symbols[k].symbol)) {
      *comparison = symbols[k].comparison;
      return TRUE;
    }
  return FALSE;
}

DebyeSelectionNode *
debye_selection_parse_comparison(DebyeSelectionScanner *scanner)
{
  debye_selection_skip_blanks(scanner);
  const char *place = scanner->cursor;
  DebyeComparison comparison;
  DebyeSelectionNode *left = parse_sum(scanner);
  if (!left || !accept_comparison(scanner, &comparison))
    return left;
  return join_right(scanner, DEBYE_NODE_COMPARE, (int)comparison, left, place, parse_sum);
}

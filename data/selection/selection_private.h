/* SPDX-License-Identifier: MIT */
/* What the parts of the selection language share: its words, its scanner and the tree that the parser makes
 * and the evaluation walks. */
#pragma once

#include "selection.h"

typedef enum {
  DEBYE_TEXT_NAME,
  DEBYE_TEXT_TYPE,
  DEBYE_TEXT_RESIDUE_NAME,
  DEBYE_TEXT_CHAIN,
  DEBYE_TEXT_SEGMENT,
  DEBYE_TEXT_ELEMENT,
  DEBYE_TEXT_ALTLOC,
} DebyeTextField;

typedef enum {
  DEBYE_NUMBER_INDEX,
  DEBYE_NUMBER_SERIAL,   /* the file's own; where it has none, counted from 1 */
  DEBYE_NUMBER_POSITION, /* the index counted from 1 */
  DEBYE_NUMBER_RESIDUE_NUMBER,
  DEBYE_NUMBER_RESIDUE,
  DEBYE_NUMBER_MOLECULE,
  DEBYE_NUMBER_ATOMIC_NUMBER,
  DEBYE_NUMBER_BONDS,
  DEBYE_NUMBER_MASS, /* from here on floats */
  DEBYE_NUMBER_CHARGE,
  DEBYE_NUMBER_RADIUS,
  DEBYE_NUMBER_B_FACTOR,
  DEBYE_NUMBER_OCCUPANCY,
  DEBYE_NUMBER_X, /* from here on positions */
  DEBYE_NUMBER_Y,
  DEBYE_NUMBER_Z,
} DebyeNumberField;

typedef enum {
  DEBYE_FUNCTION_ABS,
  DEBYE_FUNCTION_SQR,
  DEBYE_FUNCTION_SQRT,
  DEBYE_FUNCTION_SIN,
  DEBYE_FUNCTION_COS,
  DEBYE_FUNCTION_TAN,
  DEBYE_FUNCTION_EXP,
  DEBYE_FUNCTION_LOG,
  DEBYE_FUNCTION_LOG10,
  DEBYE_FUNCTION_FLOOR,
  DEBYE_FUNCTION_CEIL,
} DebyeNumberFunction;

typedef enum {
  DEBYE_COMPARE_EQUAL,
  DEBYE_COMPARE_NOT_EQUAL,
  DEBYE_COMPARE_LESS,
  DEBYE_COMPARE_LESS_EQUAL,
  DEBYE_COMPARE_GREATER,
  DEBYE_COMPARE_GREATER_EQUAL,
} DebyeComparison;

/* What a node of the tree is; in brackets what `what`, `number` and the children mean. */
typedef enum {
  DEBYE_NODE_ALL,
  DEBYE_NODE_NONE,
  DEBYE_NODE_RESIDUES, /* [what: DebyeResidueClass flags] */
  DEBYE_NODE_BACKBONE, /* [what: DebyeResidueClass flags] */
  DEBYE_NODE_SIDECHAIN,
  DEBYE_NODE_HYDROGEN,
  DEBYE_NODE_HEAVY,
  DEBYE_NODE_SOLUTE,
  DEBYE_NODE_TEXT,    /* [what: DebyeTextField; patterns or regex] */
  DEBYE_NODE_BARE,    /* [one pattern; number: where it begins and ends in the text] */
  DEBYE_NODE_RANGES,  /* [what: DebyeNumberField; ranges] */
  DEBYE_NODE_COMPARE, /* [what: DebyeComparison; two numbers] */
  DEBYE_NODE_NOT,
  DEBYE_NODE_AND,
  DEBYE_NODE_OR,
  DEBYE_NODE_WITHIN,      /* [number[0]: radius; what: TRUE leaves the atoms themselves out] */
  DEBYE_NODE_SPHERE,      /* [number: x, y, z, radius] */
  DEBYE_NODE_SAME_TEXT,   /* [what: DebyeTextField] */
  DEBYE_NODE_SAME_NUMBER, /* [what: DebyeNumberField] */
  DEBYE_NODE_BONDED,
  DEBYE_NODE_BONDS,    /* within number[0] bonds of the child */
  DEBYE_NODE_CONSTANT, /* numbers from here on [number[0]] */
  DEBYE_NODE_FIELD,    /* [what: DebyeNumberField] */
  DEBYE_NODE_NEGATE,
  DEBYE_NODE_ADD,
  DEBYE_NODE_SUBTRACT,
  DEBYE_NODE_MULTIPLY,
  DEBYE_NODE_DIVIDE,
  DEBYE_NODE_REMAINDER,
  DEBYE_NODE_POWER,
  DEBYE_NODE_FUNCTION, /* [what: DebyeNumberFunction] */
} DebyeNodeKind;

typedef struct {
  char *text;
  gboolean is_glob; /* has * ? or [ outside quotes */
} DebyeSelectionPattern;

/* A residue number's bounds carry an insertion code: −1 any, else the character. */
typedef struct {
  double low, high;
  int low_code, high_code;
} DebyeSelectionRange;

typedef struct {
  DebyeNodeKind kind;
  int what;
  guint depth; /* of the tree below, this node included */
  double number[4];
  GPtrArray *children; /* of DebyeSelectionNode */
  GArray *patterns;    /* of DebyeSelectionPattern */
  GRegex *regex;
  GArray *ranges; /* of DebyeSelectionRange */
} DebyeSelectionNode;

struct _DebyeSelection {
  gatomicrefcount references;
  char *text;
  DebyeSelectionNode *root;
  gboolean is_dynamic;
};

DebyeSelectionNode *debye_selection_node_new(DebyeNodeKind kind, int what);
void debye_selection_node_free(DebyeSelectionNode *node);
/* (element-type DebyeSelectionPattern) */
GArray *debye_selection_patterns_new(void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeSelectionNode, debye_selection_node_free)
void debye_selection_node_add_child(DebyeSelectionNode *node,
                                    DebyeSelectionNode *child); /* takes the child */

static inline gboolean
debye_selection_node_is_number(const DebyeSelectionNode *node)
{
  return node->kind >= DEBYE_NODE_CONSTANT;
}

/* --- Words --- */

typedef enum {
  DEBYE_WORD_TEXT,     /* [value: DebyeTextField] */
  DEBYE_WORD_NUMBER,   /* [value: DebyeNumberField] */
  DEBYE_WORD_FUNCTION, /* [value: DebyeNumberFunction] */
  DEBYE_WORD_RESIDUES, /* [value: DebyeResidueClass flags] */
  DEBYE_WORD_BACKBONE, /* [value: DebyeResidueClass flags] */
  DEBYE_WORD_PLAIN,    /* [value: DebyeNodeKind] */
  DEBYE_WORD_NOT,
  DEBYE_WORD_AND,
  DEBYE_WORD_OR,
  DEBYE_WORD_WITHIN, /* [value: TRUE leaves the atoms themselves out] */
  DEBYE_WORD_AROUND,
  DEBYE_WORD_SPHERE,
  DEBYE_WORD_SAME,
  DEBYE_WORD_BYRES,
  DEBYE_WORD_BONDED,
  DEBYE_WORD_WITHIN_BONDS,
  DEBYE_WORD_PROP,
} DebyeWordKind;

typedef struct {
  const char *text;
  DebyeWordKind kind;
  int value;
} DebyeSelectionWord;

/* All words, ended by {NULL}; the first of several with the same meaning is the one offered for completion. */
const DebyeSelectionWord *debye_selection_words(void);
/* Case-insensitive; NULL: not a word of the language. */
const DebyeSelectionWord *debye_selection_find_word(const char *text, gsize length);
/* The word of a number field, for messages. */
const char *debye_selection_field_word(DebyeNumberField field);
gboolean debye_selection_glob_matches(const char *pattern, const char *text);

/* --- Scanner: a place in the text, and the first error --- */

typedef struct _DebyeSelectionScanner DebyeSelectionScanner;
struct _DebyeSelectionScanner {
  const char *text;
  const char *cursor;
  const char *error_at; /* NULL: none yet */
  char *error_message;
  guint depth;
  gboolean is_dynamic;
  /* What stands between the operators of a number: the whole grammar goes on there. */
  DebyeSelectionNode *(*parse_primary)(DebyeSelectionScanner *scanner);
};

void debye_selection_skip_blanks(DebyeSelectionScanner *scanner);
const DebyeSelectionWord *debye_selection_peek_known_word(DebyeSelectionScanner *scanner, gsize *length);
gboolean debye_selection_accept_word(DebyeSelectionScanner *scanner, const char *word);
gboolean debye_selection_accept_symbol(DebyeSelectionScanner *scanner, const char *symbol);
/* A number without a sign ("12", "0.5", "1e-3"). */
gboolean debye_selection_accept_number(DebyeSelectionScanner *scanner, double *value);
/* An error at the cursor: "expected …, found …". Always NULL, so that it can be returned. Only the first
 * counts. */
gpointer debye_selection_expected(DebyeSelectionScanner *scanner, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
gpointer debye_selection_fail_at(DebyeSelectionScanner *scanner, const char *place, const char *message);
/* One level deeper, to be left by depth--; FALSE with an error beyond DEBYE_SELECTION_DEPTH: deeper than any
 * person nests, and shallow enough for the stack of any thread. */
#define DEBYE_SELECTION_DEPTH 100
gboolean debye_selection_enter(DebyeSelectionScanner *scanner);
/* The error with its column, the text and the caret. */
void debye_selection_report(const DebyeSelectionScanner *scanner, guint *column, GError **error);

/* --- Parser --- */

/* A sum, or two that are compared. */
DebyeSelectionNode *debye_selection_parse_comparison(DebyeSelectionScanner *scanner);
/* What follows a function's name. */
DebyeSelectionNode *debye_selection_parse_function(DebyeSelectionScanner *scanner,
                                                   const DebyeSelectionWord *word);
/* What follows a text field: values, or an operator and values. */
DebyeSelectionNode *debye_selection_parse_text_field(DebyeSelectionScanner *scanner,
                                                     const DebyeSelectionWord *word);
/* A name without the word of its field: "OW". NULL without an error: there is none. */
DebyeSelectionNode *debye_selection_parse_bare(DebyeSelectionScanner *scanner);
/* What follows a number field: values and ranges, or, where an operator follows, nothing: the field itself. */
DebyeSelectionNode *debye_selection_parse_number_field(DebyeSelectionScanner *scanner,
                                                       const DebyeSelectionWord *word);

/* --- Evaluation: masks of one byte an atom --- */

typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame; /* may be NULL */
  gsize n_atoms;
} DebyeSelectionContext;

/* TEXT, and BARE with the field that it means. */
gboolean debye_selection_evaluate_text(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                                       DebyeTextField field, guint8 *mask, GError **error);
/* BARE: an error if no atom of the topology is called so. */
gboolean debye_selection_evaluate_bare(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                                       guint8 *mask, GError **error);
/* COMPARE and RANGES. */
gboolean debye_selection_evaluate_comparison(const DebyeSelectionContext *context,
                                             const DebyeSelectionNode *node, guint8 *mask, GError **error);
/* WITHIN, SPHERE, SAME_*, BONDED, BONDS: those that look at other atoms; `child` is the mask of the child,
 * where there is one. */
gboolean debye_selection_evaluate_relation(const DebyeSelectionContext *context,
                                           const DebyeSelectionNode *node, const guint8 *child, guint8 *mask,
                                           GError **error);
gboolean debye_selection_check_frame(const DebyeSelectionContext *context, GError **error);
/* The codes of a text field, one an atom; to be freed. Elements are their atomic numbers. */
guint32 *debye_selection_get_codes(DebyeTopology *topology, DebyeTextField field);

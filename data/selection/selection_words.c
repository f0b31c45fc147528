/* SPDX-License-Identifier: MIT */
/* The words of the selection language: one table for the parser and the completion. */
#include <string.h>

#include "data/tables/residue_class.h"
#include "selection_private.h"

static const DebyeSelectionWord words[] = {
    {"all", DEBYE_WORD_PLAIN, DEBYE_NODE_ALL},
    {"everything", DEBYE_WORD_PLAIN, DEBYE_NODE_ALL},
    {"none", DEBYE_WORD_PLAIN, DEBYE_NODE_NONE},
    {"nothing", DEBYE_WORD_PLAIN, DEBYE_NODE_NONE},
    {"protein", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_PROTEIN},
    {"nucleic", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_NUCLEIC},
    {"water", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_WATER},
    {"waters", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_WATER},
    {"ion", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_ION},
    {"ions", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_ION},
    {"lipid", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_LIPID},
    {"lipids", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_LIPID},
    {"sugar", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_SUGAR},
    {"sugars", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_SUGAR},
    {"solvent", DEBYE_WORD_RESIDUES, DEBYE_RESIDUE_WATER | DEBYE_RESIDUE_ION},
    {"solute", DEBYE_WORD_PLAIN, DEBYE_NODE_SOLUTE},
    {"backbone", DEBYE_WORD_BACKBONE, DEBYE_RESIDUE_PROTEIN | DEBYE_RESIDUE_NUCLEIC},
    {"nucleicbackbone", DEBYE_WORD_BACKBONE, DEBYE_RESIDUE_NUCLEIC},
    {"sidechain", DEBYE_WORD_PLAIN, DEBYE_NODE_SIDECHAIN},
    {"hydrogen", DEBYE_WORD_PLAIN, DEBYE_NODE_HYDROGEN},
    {"hydrogens", DEBYE_WORD_PLAIN, DEBYE_NODE_HYDROGEN},
    {"heavy", DEBYE_WORD_PLAIN, DEBYE_NODE_HEAVY},
    {"noh", DEBYE_WORD_PLAIN, DEBYE_NODE_HEAVY},
    {"name", DEBYE_WORD_TEXT, DEBYE_TEXT_NAME},
    {"type", DEBYE_WORD_TEXT, DEBYE_TEXT_TYPE},
    {"resname", DEBYE_WORD_TEXT, DEBYE_TEXT_RESIDUE_NAME},
    {"chain", DEBYE_WORD_TEXT, DEBYE_TEXT_CHAIN},
    {"chainid", DEBYE_WORD_TEXT, DEBYE_TEXT_CHAIN},
    {"segment", DEBYE_WORD_TEXT, DEBYE_TEXT_SEGMENT},
    {"segid", DEBYE_WORD_TEXT, DEBYE_TEXT_SEGMENT},
    {"segname", DEBYE_WORD_TEXT, DEBYE_TEXT_SEGMENT},
    {"element", DEBYE_WORD_TEXT, DEBYE_TEXT_ELEMENT},
    {"altloc", DEBYE_WORD_TEXT, DEBYE_TEXT_ALTLOC},
    {"index", DEBYE_WORD_NUMBER, DEBYE_NUMBER_INDEX},
    {"serial", DEBYE_WORD_NUMBER, DEBYE_NUMBER_SERIAL},
    {"bynum", DEBYE_WORD_NUMBER, DEBYE_NUMBER_POSITION},
    {"resid", DEBYE_WORD_NUMBER, DEBYE_NUMBER_RESIDUE_NUMBER},
    {"resnum", DEBYE_WORD_NUMBER, DEBYE_NUMBER_RESIDUE_NUMBER},
    {"residue", DEBYE_WORD_NUMBER, DEBYE_NUMBER_RESIDUE},
    {"molecule", DEBYE_WORD_NUMBER, DEBYE_NUMBER_MOLECULE},
    {"fragment", DEBYE_WORD_NUMBER, DEBYE_NUMBER_MOLECULE},
    {"atomicnumber", DEBYE_WORD_NUMBER, DEBYE_NUMBER_ATOMIC_NUMBER},
    {"numbonds", DEBYE_WORD_NUMBER, DEBYE_NUMBER_BONDS},
    {"mass", DEBYE_WORD_NUMBER, DEBYE_NUMBER_MASS},
    {"charge", DEBYE_WORD_NUMBER, DEBYE_NUMBER_CHARGE},
    {"radius", DEBYE_WORD_NUMBER, DEBYE_NUMBER_RADIUS},
    {"beta", DEBYE_WORD_NUMBER, DEBYE_NUMBER_B_FACTOR},
    {"bfactor", DEBYE_WORD_NUMBER, DEBYE_NUMBER_B_FACTOR},
    {"tempfactor", DEBYE_WORD_NUMBER, DEBYE_NUMBER_B_FACTOR},
    {"occupancy", DEBYE_WORD_NUMBER, DEBYE_NUMBER_OCCUPANCY},
    {"x", DEBYE_WORD_NUMBER, DEBYE_NUMBER_X},
    {"y", DEBYE_WORD_NUMBER, DEBYE_NUMBER_Y},
    {"z", DEBYE_WORD_NUMBER, DEBYE_NUMBER_Z},
    {"not", DEBYE_WORD_NOT, 0},
    {"and", DEBYE_WORD_AND, 0},
    {"or", DEBYE_WORD_OR, 0},
    {"within", DEBYE_WORD_WITHIN, FALSE},
    {"pbwithin", DEBYE_WORD_WITHIN, FALSE},
    {"exwithin", DEBYE_WORD_WITHIN, TRUE},
    {"around", DEBYE_WORD_AROUND, 0},
    {"sphere", DEBYE_WORD_SPHERE, 0},
    {"point", DEBYE_WORD_SPHERE, 0},
    {"same", DEBYE_WORD_SAME, 0},
    {"byres", DEBYE_WORD_BYRES, 0},
    {"bonded", DEBYE_WORD_BONDED, 0},
    {"withinbonds", DEBYE_WORD_WITHIN_BONDS, 0},
    {"prop", DEBYE_WORD_PROP, 0},
    {"abs", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_ABS},
    {"sqr", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_SQR},
    {"sqrt", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_SQRT},
    {"sin", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_SIN},
    {"cos", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_COS},
    {"tan", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_TAN},
    {"exp", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_EXP},
    {"log", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_LOG},
    {"log10", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_LOG10},
    {"floor", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_FLOOR},
    {"ceil", DEBYE_WORD_FUNCTION, DEBYE_FUNCTION_CEIL},
    {NULL, 0, 0},
};

const DebyeSelectionWord *
debye_selection_words(void)
{
  return words;
}

const DebyeSelectionWord *
debye_selection_find_word(const char *text, gsize length)
{
  for (const DebyeSelectionWord *word = words; word->text; word++)
    if (strlen(word->text) == length && g_ascii_strncasecmp(word->text, text, length) == 0)
      return word;
  return NULL;
}

const char *
debye_selection_field_word(DebyeNumberField field)
{
  const DebyeSelectionWord *word = words;
  while (word->text && !(word->kind == DEBYE_WORD_NUMBER && word->value == (int)field))
    word++;
  return word->text;
}

/* One bracket, "[abc]", "[a-z]" or "[!a]", against one character. `*pattern` stands on "[" and is moved
 * behind "]"; a bracket that is never closed stands for itself. */
static gboolean
bracket_matches(const char **pattern, gunichar character)
{
  const char *place = *pattern + 1;
  gboolean negated = *place == '!' || *place == '^', found = FALSE;
  const char *first = negated ? place + 1 : place;
  for (place = first; *place && (*place != ']' || place == first); place = g_utf8_next_char(place)) {
    gunichar low = g_utf8_get_char(place), high = low;
    const char *dash = g_utf8_next_char(place);
    if (*dash == '-' && dash[1] && dash[1] != ']') {
      place = dash + 1;
      high = g_utf8_get_char(place);
    }
    found |= character >= low && character <= high;
  }
  if (*place != ']') {
    *pattern += 1;
    return character == '[';
  }
  *pattern = place + 1;
  return found != negated;
}

/* Where a star doesn't fit, only the last one is tried again, one character further: no pattern takes
 * exponential time. */
gboolean
debye_selection_glob_matches(const char *pattern, const char *text)
{
  const char *star = NULL, *retry = NULL;
  while (*text) {
    const char *next = pattern;
    gboolean matches = FALSE;
    if (*pattern == '*') {
      star = ++pattern;
      retry = text;
      continue;
    }
    if (*pattern == '[')
      matches = bracket_matches(&next, g_utf8_get_char(text));
    else if (*pattern) {
      matches = *pattern == '?' || g_utf8_get_char(pattern) == g_utf8_get_char(text);
      next = g_utf8_next_char(pattern);
    }
    if (matches) {
      pattern = next;
      text = g_utf8_next_char(text);
    } else if (star) {
      pattern = star;
      text = retry = g_utf8_next_char(retry);
    } else {
      return FALSE;
    }
  }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

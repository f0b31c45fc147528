/* SPDX-License-Identifier: MIT */
/* What element an atom's name or force-field type means. Names are conventions, not data: "CA" is the alpha
 * carbon of an amino acid and the atom of a calcium ion, so the residue decides with it; where nothing
 * decides, the element stays unknown rather than guessed. */
#include "elements.h"
#include "residue_class.h"

#include <string.h>

#define WORD_SIZE 8

/* The letters at the beginning of a name, without digits and signs around them: "1HB2" is "HB", "Cl-" is
 * "Cl". */
static gsize
take_word(const char *text, char word[WORD_SIZE])
{
  gsize n = 0;
  while (*text != '\0' && !g_ascii_isalpha(*text))
    text++;
  for (; g_ascii_isalpha(*text) && n < WORD_SIZE - 1; text++)
    word[n++] = *text;
  word[n] = '\0';
  return n;
}

static void
make_upper(char *word)
{
  for (; *word != '\0'; word++)
    *word = g_ascii_toupper(*word);
}

static gboolean
is_one_of(const char *word, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strcmp(word, *list) == 0)
      return TRUE;
  return FALSE;
}

/* CHARMM's names of ions, which are no symbols. */
static guint8
ion_from_alias(const char *word)
{
  static const struct {
    const char *alias;
    const char *symbol;
  } ions[] = {
      {"SOD", "Na"}, {"POT", "K"},  {"CLA", "Cl"}, {"CAL", "Ca"}, {"CES", "Cs"},
      {"LIT", "Li"}, {"RUB", "Rb"}, {"BAR", "Ba"}, {"CAD", "Cd"}, {"IOD", "I"},
      {"BRO", "Br"}, {"CIO", "Cs"}, {"CLO", "Cl"}, {"CHL", "Cl"}, {"SOI", "Na"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(ions); i++)
    if (strcmp(word, ions[i].alias) == 0)
      return debye_element_from_symbol(ions[i].symbol, -1);
  return 0;
}

static guint8
ion_from_word(const char *word)
{
  guint8 alias = ion_from_alias(word);
  return alias != 0 ? alias : debye_element_from_symbol(word, -1);
}

static gboolean
is_water(const char *residue)
{
  return (debye_residue_class_of(residue) & DEBYE_RESIDUE_WATER) != 0;
}

/* Residues in which a name's first letter is its element. */
static gboolean
is_biopolymer(const char *residue)
{
  return (debye_residue_class_of(residue) & ~DEBYE_RESIDUE_ION) != 0;
}

gboolean
debye_element_residue_is_biopolymer(const char *residue_name)
{
  return residue_name != NULL && is_biopolymer(residue_name);
}

gboolean
debye_element_name_is_virtual(const char *name, const char *residue_name)
{
  static const char *const sites[] = {"EP", "EPW", "MW", "DUM", "VS", "VSITE", "LPH", "LPD", "DRUD", NULL};
  char word[WORD_SIZE];
  gsize n = take_word(name, word);
  make_upper(word);
  if (n == 0)
    return FALSE;
  if (strcmp(word, "M") == 0 || strcmp(word, "OM") == 0)
    return residue_name != NULL && is_water(residue_name);
  return is_one_of(word, sites) || strncmp(word, "LP", 2) == 0;
}

/* An atom named as its residue is an ion: NA in NA, Cl- in CL, SOD in SOD, CA in CA2, and any symbol in ION. */
static guint8
ion_from_residue(const char *word, const char *residue)
{
  char residue_word[WORD_SIZE];
  take_word(residue, residue_word);
  make_upper(residue_word);
  guint8 atom = ion_from_word(word);
  if (atom == 0)
    return 0;
  return strcmp(residue_word, "ION") == 0 || ion_from_word(residue_word) == atom ? atom : 0;
}

/* Beginnings that mean one element in any residue that isn't a biopolymer's; others with two letters that are
 * a symbol too (CD, HG, NB, OS …) mean the first letter far more often. */
static guint8
element_from_beginning(const char *word)
{
  static const char *const beginnings[] = {"CL", "BR", "FE", "ZN", "MG", "SI", NULL};
  static const char *const words[] = {"MN", "CU", "SE", "LI", "AL", "AS", "AG", "AU", "BE", "AR", "KR", "XE",
                                      "TI", "RB", "GA", "GE", "ZR", "MO", "RU", "RH", "TE", "BA", "BI", NULL};
  for (const char *const *beginning = beginnings; *beginning != NULL; beginning++)
    if (strncmp(word, *beginning, 2) == 0)
      return debye_element_from_symbol(*beginning, 2);
  return is_one_of(word, words) ? debye_element_from_symbol(word, -1) : 0;
}

static guint8
element_from_first_letter(const char *word)
{
  if (strchr("HCNOPS", word[0]) != NULL)
    return debye_element_from_symbol(word, 1);
  /* The other one-letter symbols begin words that mean something else (FOO, BB, VS): they have to stand
   * alone. */
  return word[1] == '\0' && strchr("FIBKVWUYD", word[0]) != NULL ? debye_element_from_symbol(word, 1) : 0;
}

static guint8
element_in_biopolymer(const char *word)
{
  const guint8 selenium = 34;
  if (strcmp(word, "SE") == 0)
    return selenium;
  /* Beads of the Martini force field: side chains, and water, which is no tungsten. */
  if (strcmp(word, "SC") == 0 || strcmp(word, "W") == 0)
    return 0;
  return element_from_first_letter(word);
}

guint8
debye_element_from_name(const char *name, const char *residue_name)
{
  const char *residue = residue_name != NULL ? residue_name : "";
  char word[WORD_SIZE];
  gsize n = take_word(name, word);
  if (n == 0 || debye_element_name_is_virtual(name, residue))
    return 0;

  gboolean is_symbol_case = n == 2 && g_ascii_isupper(word[0]) && g_ascii_islower(word[1]);
  make_upper(word);
  guint8 ion = is_water(residue) ? 0 : ion_from_residue(word, residue);
  if (ion != 0)
    return ion;
  if (is_biopolymer(residue))
    return element_in_biopolymer(word);
  /* Sodium is far more frequent than a nitrogen called NA where nothing says what the atom belongs to. */
  gboolean is_sodium = residue[0] == '\0' && strcmp(word, "NA") == 0;
  guint8 element = is_symbol_case || is_sodium ? debye_element_from_symbol(word, -1) : 0;
  if (element == 0)
    element = element_from_beginning(word);
  return element != 0 ? element : element_from_first_letter(word);
}

/* Numbers (CHARMM), opls_135 and amber99_11 (GROMACS) mean nothing without the force field's own table. */
guint8
debye_element_from_type(const char *type)
{
  char word[WORD_SIZE];
  if (!g_ascii_isalpha(type[0]) || strchr(type, '_') != NULL)
    return 0;
  gsize n = take_word(type, word);
  gboolean is_symbol_case = n == 2 && g_ascii_isupper(word[0]) && g_ascii_islower(word[1]);
  gboolean is_upper = g_ascii_isupper(word[0]);
  make_upper(word);
  if (debye_element_name_is_virtual(type, NULL))
    return 0;
  /* The Drude force field adds a D to the ions' types. */
  if (n == 4 && word[3] == 'D')
    word[3] = '\0';
  guint8 ion = ion_from_alias(word);
  if (ion != 0)
    return ion;
  /* GAFF's types are small: "na" is a nitrogen and "ca" a carbon, but "cl" and "br" are what they say. */
  gboolean is_halogen = strcmp(word, "CL") == 0 || strcmp(word, "BR") == 0;
  if (is_symbol_case || is_halogen)
    return debye_element_from_symbol(word, 2);
  guint8 element = is_upper ? element_from_beginning(word) : 0;
  return element != 0 ? element : element_from_first_letter(word);
}

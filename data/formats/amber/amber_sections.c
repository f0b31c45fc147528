/* SPDX-License-Identifier: MIT */
/* Locates and reads the sections of AMBER's topology files for format_amber_prmtop.c. Finding them first and
 * reading them afterwards lets them stand in any order, as AMBER itself does. */
#include "amber_sections.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

/* A name and a charge: no atom takes less. */
#define LEAST_BYTES_OF_ATOM 16
#define LEAST_BYTES_OF_BOND 18

static void
clear_section(gpointer data)
{
  DebyeAmberSection *section = data;
  g_free(section->name);
}

void
debye_amber_sections_clear(DebyeAmberSections *sections)
{
  g_clear_pointer(&sections->list, g_array_unref);
}

const DebyeAmberSection *
debye_amber_sections_find(const DebyeAmberSections *sections, const char *name)
{
  for (guint i = 0; i < sections->list->len; i++) {
    const DebyeAmberSection *section = &g_array_index(sections->list, DebyeAmberSection, i);
    if (strcmp(section->name, name) == 0)
      return section;
  }
  return NULL;
}

static void
add_section(DebyeAmberSections *sections, const char *name, gsize length, guint64 offset, guint64 line)
{
  DebyeAmberSection section = {.name = g_strndup(name, length), .offset = offset, .line = line};
  g_array_append_val(sections->list, section);
}

/* --- Named sections --- */

static gboolean
starts_with(const DebyeLineReader *lines, const char *word)
{
  return strncmp(lines->text, word, strlen(word)) == 0;
}

/* "(20a4)", "(5E16.8)", "8(F9.5)": one kind of values. "(i2,a78)" is a mixture. */
static void
parse_format(const DebyeLineReader *lines, DebyeAmberSection *section)
{
  const char *c = lines->text + strlen("%FORMAT");
  guint64 count = 0, width = 0;
  section->kind = 0;
  while (*c == '(' || *c == ' ')
    c++;
  for (; g_ascii_isdigit(*c) && count < 1000; c++)
    count = 10 * count + (guint64)(*c - '0');
  while (*c == '(')
    c++;
  char letter = g_ascii_tolower(*c);
  for (c += *c != '\0'; g_ascii_isdigit(*c) && width < 1000; c++)
    width = 10 * width + (guint64)(*c - '0');
  if (strchr(c, ',') != NULL || strchr("aief", letter) == NULL || letter == '\0' || width == 0)
    return;
  section->per_line = (gsize)MAX(count, 1);
  section->width = (gsize)width;
  section->kind = letter == 'f' ? 'e' : letter;
}

static gboolean
scan_named(DebyeAmberSections *sections, DebyeLineReader *lines, GError **error)
{
  gboolean is_in_head = FALSE;
  do {
    DebyeAmberSection *last = sections->list->len > 0
                                  ? &g_array_index(sections->list, DebyeAmberSection, sections->list->len - 1)
                                  : NULL;
    if (starts_with(lines, "%FLAG")) {
      DebyeTextField name = debye_text_columns(lines->text, lines->length, 5, lines->length);
      add_section(sections, name.text, name.length, lines->next_offset, lines->next_number);
      is_in_head = TRUE;
    } else if (is_in_head && lines->text[0] == '%') { /* comments stand between, too */
      if (starts_with(lines, "%FORMAT"))
        parse_format(lines, last);
      last->offset = lines->next_offset;
      last->line = lines->next_number;
    } else {
      is_in_head = FALSE;
    }
  } while (debye_line_reader_next(lines, error));
  return !lines->has_failed;
}

/* --- The fixed order --- */

typedef struct {
  const char *name;
  const char *format;
  gsize n; /* values; none at all take one empty line */
} Fixed;

static gboolean
skip_lines(DebyeLineReader *lines, gsize n, const char *name, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!debye_line_reader_next(lines, error)) {
      if (error == NULL || *error == NULL)
        debye_line_reader_set_error(lines, error, DEBYE_ERROR_TRUNCATED,
                                    "expected line %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                                    " in %s, found the end of the file",
                                    i + 1, n, name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
add_fixed(DebyeAmberSections *sections, DebyeLineReader *lines, const Fixed *fixed, GError **error)
{
  add_section(sections, fixed->name, strlen(fixed->name), lines->next_offset, lines->next_number);
  DebyeAmberSection *section = &g_array_index(sections->list, DebyeAmberSection, sections->list->len - 1);
  section->kind = fixed->format[0];
  section->per_line = section->kind == 'a' ? 20 : section->kind == 'i' ? 12 : 5;
  section->width = section->kind == 'a' ? 4 : section->kind == 'i' ? 6 : 16;
  gsize n_lines = fixed->n == 0 ? 1 : (fixed->n - 1) / section->per_line + 1;
  return skip_lines(lines, n_lines, fixed->name, error);
}

static gboolean
add_all_fixed(DebyeAmberSections *sections, DebyeLineReader *lines, const Fixed *fixed, gsize n,
              GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!add_fixed(sections, lines, &fixed[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
scan_fixed_solvent(DebyeAmberSections *sections, DebyeLineReader *lines, GError **error)
{
  gint32 solvent[3];
  const Fixed pointers = {"SOLVENT_POINTERS", "i6", 3};
  if (!add_fixed(sections, lines, &pointers, error) ||
      !debye_amber_sections_read_integers(sections, "SOLVENT_POINTERS", 3, solvent, error))
    return FALSE;
  const Fixed rest[] = {{"ATOMS_PER_MOLECULE", "i6", (gsize)MAX(solvent[1], 0)},
                        {"BOX_DIMENSIONS", "e16", 4}};
  return add_all_fixed(sections, lines, rest, G_N_ELEMENTS(rest), error);
}

/* The reader has just given the title. */
static gboolean
scan_fixed(DebyeAmberSections *sections, DebyeLineReader *lines, GError **error)
{
  gint32 pointers[DEBYE_AMBER_N_POINTERS];
  add_section(sections, "TITLE", 5, lines->offset, lines->number);
  const Fixed first = {"POINTERS", "i6", DEBYE_AMBER_N_POINTERS};
  if (!add_fixed(sections, lines, &first, error) ||
      !debye_amber_sections_read_pointers(sections, pointers, error))
    return FALSE;
#define COUNT(number) ((gsize)pointers[number])
  gsize n_atoms = COUNT(DEBYE_AMBER_NATOM), n_types = COUNT(DEBYE_AMBER_NTYPES);
  gsize n_pairs = n_types * (n_types + 1) / 2;
  const Fixed fixed[] = {
      {"ATOM_NAME", "a4", n_atoms},
      {"CHARGE", "e16", n_atoms},
      {"MASS", "e16", n_atoms},
      {"ATOM_TYPE_INDEX", "i6", n_atoms},
      {"NUMBER_EXCLUDED_ATOMS", "i6", n_atoms},
      {"NONBONDED_PARM_INDEX", "i6", n_types * n_types},
      {"RESIDUE_LABEL", "a4", COUNT(DEBYE_AMBER_NRES)},
      {"RESIDUE_POINTER", "i6", COUNT(DEBYE_AMBER_NRES)},
      {"BOND_FORCE_CONSTANT", "e16", COUNT(DEBYE_AMBER_NUMBND)},
      {"BOND_EQUIL_VALUE", "e16", COUNT(DEBYE_AMBER_NUMBND)},
      {"ANGLE_FORCE_CONSTANT", "e16", COUNT(DEBYE_AMBER_NUMANG)},
      {"ANGLE_EQUIL_VALUE", "e16", COUNT(DEBYE_AMBER_NUMANG)},
      {"DIHEDRAL_FORCE_CONSTANT", "e16", COUNT(DEBYE_AMBER_NPTRA)},
      {"DIHEDRAL_PERIODICITY", "e16", COUNT(DEBYE_AMBER_NPTRA)},
      {"DIHEDRAL_PHASE", "e16", COUNT(DEBYE_AMBER_NPTRA)},
      {"SOLTY", "e16", COUNT(DEBYE_AMBER_NATYP)},
      {"LENNARD_JONES_ACOEF", "e16", n_pairs},
      {"LENNARD_JONES_BCOEF", "e16", n_pairs},
      {"BONDS_INC_HYDROGEN", "i6", 3 * COUNT(DEBYE_AMBER_NBONH)},
      {"BONDS_WITHOUT_HYDROGEN", "i6", 3 * COUNT(DEBYE_AMBER_NBONA)},
      {"ANGLES_INC_HYDROGEN", "i6", 4 * COUNT(DEBYE_AMBER_NTHETH)},
      {"ANGLES_WITHOUT_HYDROGEN", "i6", 4 * COUNT(DEBYE_AMBER_NTHETA)},
      {"DIHEDRALS_INC_HYDROGEN", "i6", 5 * COUNT(DEBYE_AMBER_NPHIH)},
      {"DIHEDRALS_WITHOUT_HYDROGEN", "i6", 5 * COUNT(DEBYE_AMBER_NPHIA)},
      {"EXCLUDED_ATOMS_LIST", "i6", COUNT(DEBYE_AMBER_NNB)},
      {"HBOND_ACOEF", "e16", COUNT(DEBYE_AMBER_NPHB)},
      {"HBOND_BCOEF", "e16", COUNT(DEBYE_AMBER_NPHB)},
      {"HBCUT", "e16", COUNT(DEBYE_AMBER_NPHB)},
      {"AMBER_ATOM_TYPE", "a4", n_atoms},
      {"TREE_CHAIN_CLASSIFICATION", "a4", n_atoms},
      {"JOIN_ARRAY", "i6", n_atoms},
      {"IROTAT", "i6", n_atoms},
  };
#undef COUNT
  return add_all_fixed(sections, lines, fixed, G_N_ELEMENTS(fixed), error) &&
         (pointers[DEBYE_AMBER_IFBOX] <= 0 || scan_fixed_solvent(sections, lines, error));
}

gboolean
debye_amber_sections_scan(DebyeAmberSections *sections, DebyeInput *input, GError **error)
{
  g_auto(DebyeLineReader) lines;
  *sections =
      (DebyeAmberSections){.input = input, .list = g_array_new(FALSE, FALSE, sizeof(DebyeAmberSection))};
  g_array_set_clear_func(sections->list, clear_section);
  debye_line_reader_init(&lines, input, 0, 1);
  if (!skip_lines(&lines, 1, "TITLE", error))
    return FALSE;
  sections->is_named = lines.text[0] == '%';
  return sections->is_named ? scan_named(sections, &lines, error) : scan_fixed(sections, &lines, error);
}

/* --- Values --- */

typedef gboolean (*TakeFunc)(const DebyeLineReader *lines, const DebyeAmberSection *section, gsize i,
                             DebyeTextField field, gpointer data, GError **error);

static gboolean
set_value_error(const DebyeLineReader *lines, const DebyeAmberSection *section, gsize i, gsize n,
                const char *what, DebyeTextField field, GError **error)
{
  g_autofree char *quoted = field.length > 0 ? debye_text_quote(field) : g_strdup("nothing");
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected %s, value %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                                     " in %s, found %s",
                                     what, i + 1, n, section->name, quoted);
}

static const DebyeAmberSection *
require_section(const DebyeAmberSections *sections, const char *name, char kind, GError **error)
{
  const DebyeAmberSection *section = debye_amber_sections_find(sections, name);
  if (section == NULL) {
    debye_input_set_error(sections->input, error, DEBYE_ERROR_TRUNCATED,
                          "expected the section %%FLAG %s, found none: the file may have been cut", name);
    return NULL;
  }
  if (section->kind == kind)
    return section;
  debye_input_set_error(sections->input, error, DEBYE_ERROR_SYNTAX,
                        "line %" G_GUINT64_FORMAT ": expected a %%FORMAT of %s for %s, found another",
                        section->line,
                        kind == 'a'   ? "text"
                        : kind == 'i' ? "integers"
                                      : "reals",
                        name);
  return NULL;
}

/* Behind the last value only blanks may stand: more values than there are atoms would mean that one of both
 * is wrong. */
static gboolean
check_end(DebyeLineReader *lines, const DebyeAmberSections *sections, const DebyeAmberSection *section,
          gsize n, GError **error)
{
  if (!sections->is_named || !debye_line_reader_next(lines, NULL) || lines->text[0] == '%')
    return TRUE;
  DebyeTextField rest = debye_text_columns(lines->text, lines->length, 0, lines->length);
  if (rest.length == 0)
    return TRUE;
  g_autofree char *quoted = debye_text_quote(rest);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_MISMATCH,
                                     "expected the end of %s after %" G_GSIZE_FORMAT " values, found %s",
                                     section->name, n, quoted);
}

static gboolean
read_line_of_values(const DebyeLineReader *lines, const DebyeAmberSection *section, gsize first, gsize n,
                    gboolean may_go_on, TakeFunc take, gpointer data, GError **error)
{
  gsize count = MIN(section->per_line, n - first);
  for (gsize k = 0; k < count; k++) {
    DebyeTextField field =
        debye_text_columns(lines->text, lines->length, k * section->width, (k + 1) * section->width);
    if (!take(lines, section, first + k, field, data, error))
      return FALSE;
  }
  DebyeTextField rest = debye_text_columns(lines->text, lines->length, count * section->width,
                                           section->per_line * section->width);
  return rest.length == 0 || may_go_on ||
         set_value_error(lines, section, n, n, "no further value", rest, error);
}

/* `may_go_on`: that there are more values than `n` is no error. */
static gboolean
read_values(const DebyeAmberSections *sections, const char *name, char kind, gsize n, gboolean may_go_on,
            TakeFunc take, gpointer data, GError **error)
{
  const DebyeAmberSection *section = require_section(sections, name, kind, error);
  if (section == NULL)
    return FALSE;
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, sections->input, section->offset, section->line);
  for (gsize i = 0; i < n; i += section->per_line) {
    if (!debye_line_reader_next(&lines, error) || (sections->is_named && lines.text[0] == '%'))
      return !lines.has_failed &&
             debye_input_set_error(sections->input, error, DEBYE_ERROR_TRUNCATED,
                                   "line %" G_GUINT64_FORMAT ": expected value %" G_GSIZE_FORMAT
                                   " of %" G_GSIZE_FORMAT " in %s, found the end of the section",
                                   lines.number, i + 1, n, name);
    if (!read_line_of_values(&lines, section, i, n, may_go_on, take, data, error))
      return FALSE;
  }
  return may_go_on || check_end(&lines, sections, section, n, error);
}

typedef struct {
  char *texts;
  gsize stride, n;
  gint32 *integers;
  double *reals;
} Target;

static gboolean
take_text(const DebyeLineReader *lines, const DebyeAmberSection *section, gsize i, DebyeTextField field,
          gpointer data, GError **error)
{
  Target *target = data;
  char *text = target->texts + i * target->stride;
  gsize n = MIN(field.length, target->stride - 1);
  (void)lines, (void)section, (void)error;
  memcpy(text, field.text, n);
  text[n] = '\0';
  return TRUE;
}

static gboolean
take_integer(const DebyeLineReader *lines, const DebyeAmberSection *section, gsize i, DebyeTextField field,
             gpointer data, GError **error)
{
  Target *target = data;
  gint64 value;
  if (!debye_text_to_int(field.text, field.length, &value) || value > G_MAXINT32 || value < -G_MAXINT32)
    return set_value_error(lines, section, i, target->n, "an integer", field, error);
  target->integers[i] = (gint32)value;
  return TRUE;
}

static gboolean
take_real(const DebyeLineReader *lines, const DebyeAmberSection *section, gsize i, DebyeTextField field,
          gpointer data, GError **error)
{
  Target *target = data;
  if (!debye_text_to_double(field.text, field.length, &target->reals[i]) || !isfinite(target->reals[i]))
    return set_value_error(lines, section, i, target->n, "a number", field, error);
  return TRUE;
}

gboolean
debye_amber_sections_read_texts(const DebyeAmberSections *sections, const char *name, gsize n, char *texts,
                                gsize stride, GError **error)
{
  Target target = {.texts = texts, .stride = stride, .n = n};
  return read_values(sections, name, 'a', n, FALSE, take_text, &target, error);
}

gboolean
debye_amber_sections_read_integers(const DebyeAmberSections *sections, const char *name, gsize n,
                                   gint32 *values, GError **error)
{
  Target target = {.integers = values, .n = n};
  return read_values(sections, name, 'i', n, FALSE, take_integer, &target, error);
}

gboolean
debye_amber_sections_read_reals(const DebyeAmberSections *sections, const char *name, gsize n, double *values,
                                GError **error)
{
  Target target = {.reals = values, .n = n};
  return read_values(sections, name, 'e', n, FALSE, take_real, &target, error);
}

/* What memory is taken for must be in the file: atoms, no more residues than them, and bonds of three
 * integers. */
static gboolean
check_pointer(const DebyeAmberSections *sections, const gint32 *pointers, int number, GError **error)
{
  guint64 size = debye_input_get_size(sections->input), most = size;
  if (number == DEBYE_AMBER_NATOM)
    most = size / LEAST_BYTES_OF_ATOM;
  else if (number == DEBYE_AMBER_NRES)
    most = (guint64)pointers[DEBYE_AMBER_NATOM];
  else if (number == DEBYE_AMBER_NBONH || number == DEBYE_AMBER_NBONA)
    most = size / LEAST_BYTES_OF_BOND;
  gint32 least = number == DEBYE_AMBER_NATOM || number == DEBYE_AMBER_NRES ? 1 : 0;
  if (pointers[number] >= least && (guint64)pointers[number] <= most)
    return TRUE;
  return debye_input_set_error(sections->input, error, DEBYE_ERROR_LIMIT,
                               "expected number %d of POINTERS from %d to the %" G_GUINT64_FORMAT
                               " that the file can hold, found %d",
                               number + 1, least, most, pointers[number]);
}

gboolean
debye_amber_sections_read_pointers(const DebyeAmberSections *sections,
                                   gint32 pointers[DEBYE_AMBER_N_POINTERS], GError **error)
{
  Target target = {.integers = pointers, .n = DEBYE_AMBER_N_POINTERS};
  /* Newer files have one or two more. */
  if (!read_values(sections, "POINTERS", 'i', DEBYE_AMBER_N_POINTERS, TRUE, take_integer, &target, error))
    return FALSE;
  for (int k = 0; k < DEBYE_AMBER_N_POINTERS; k++)
    if (!check_pointer(sections, pointers, k, error))
      return FALSE;
  return TRUE;
}

char *
debye_amber_sections_read_line(const DebyeAmberSections *sections, const char *name)
{
  const DebyeAmberSection *section = debye_amber_sections_find(sections, name);
  if (section == NULL)
    return g_strdup("");
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, sections->input, section->offset, section->line);
  if (!debye_line_reader_next(&lines, NULL) || (sections->is_named && lines.text[0] == '%'))
    return g_strdup("");
  DebyeTextField field = debye_text_columns(lines.text, lines.length, 0, lines.length);
  return g_strndup(field.text, field.length);
}

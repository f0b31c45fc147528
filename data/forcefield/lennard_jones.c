/* SPDX-License-Identifier: MIT */
/* Reads Lennard-Jones parameters of atom types; called by analyses that need them. */
#include "lennard_jones.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "data/formats/amber/amber_sections.h"
#include "data/formats/gromacs/format_tpr.h"

#define MAX_FIELDS 32
#define KCAL_PER_KJ (1.0 / 4.184)
#define ANGSTROM_PER_NM 10.0
/* Names have four letters; newer programs may write eight. */
#define NAME_SIZE 9

struct _DebyeLennardJonesTable {
  GHashTable *types; /* DebyeLennardJones by name */
};

DebyeLennardJonesTable *
debye_lennard_jones_table_new(void)
{
  DebyeLennardJonesTable *table = g_new0(DebyeLennardJonesTable, 1);
  table->types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  return table;
}

void
debye_lennard_jones_table_free(DebyeLennardJonesTable *table)
{
  g_hash_table_unref(table->types);
  g_free(table);
}

gsize
debye_lennard_jones_table_get_n_types(const DebyeLennardJonesTable *table)
{
  return g_hash_table_size(table->types);
}

gboolean
debye_lennard_jones_table_find(const DebyeLennardJonesTable *table, const char *type,
                               DebyeLennardJones *parameters)
{
  const DebyeLennardJones *found = g_hash_table_lookup(table->types, type);
  if (found == NULL) {
    g_autofree char *upper = g_ascii_strup(type, -1);
    found = g_hash_table_lookup(table->types, upper);
  }
  if (found != NULL)
    *parameters = *found;
  return found != NULL;
}

static void
add(DebyeLennardJonesTable *table, const char *name, gsize length, double epsilon, double radius)
{
  const DebyeLennardJones parameters = {epsilon, radius};
  g_hash_table_replace(table->types, g_strndup(name, length), g_memdup2(&parameters, sizeof parameters));
}

/* Of E = c12/r¹² − c6/r⁶, in the units of these; 0 where it has no minimum. */
static void
convert_coefficients(double c6, double c12, double *epsilon, double *radius)
{
  const gboolean has_minimum = c6 > 0.0 && c12 > 0.0;
  *epsilon = has_minimum ? c6 * c6 / (4.0 * c12) : 0.0;
  *radius = has_minimum ? 0.5 * pow(2.0 * c12 / c6, 1.0 / 6.0) : 0.0;
}

/* --- CHARMM and GROMACS --- */

typedef enum {
  SECTION_OTHER,
  SECTION_NONBONDED, /* CHARMM's */
  SECTION_DEFAULTS,  /* GROMACS' … */
  SECTION_ATOMTYPES,
} Section;

typedef struct {
  DebyeLineReader lines;
  DebyeLennardJonesTable *table;
  Section section;
  gboolean is_continued;     /* CHARMM's line before ended with “-” */
  gboolean has_coefficients; /* GROMACS' combination rule 1: C6 and C12 */
  gsize n_found;
} Reading;

static gboolean
begins_with(DebyeTextField field, const char *word)
{
  const gsize n = strlen(word);
  return field.length >= n && g_ascii_strncasecmp(field.text, word, n) == 0;
}

/* Whether the line begins a section of CHARMM's. */
static gboolean
is_charmm_heading(Reading *reading, DebyeTextField first)
{
  static const char *const others[] = {"ATOM", "BOND", "ANGL", "THET", "DIHE", "PHI",    "IMPR", "IMPH",
                                       "CMAP", "NBFI", "HBON", "END",  "READ", "RETURN", "PRES", "RESI"};
  if (begins_with(first, "NONB") || begins_with(first, "NBON")) {
    reading->section = SECTION_NONBONDED;
    return TRUE;
  }
  /* Types may begin so, too; their numbers follow. */
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    if (begins_with(first, others[i])) {
      reading->section = SECTION_OTHER;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_charmm(Reading *reading, const DebyeTextField *fields, gsize n, GError **error)
{
  double epsilon, radius;
  if (n < 4 || !debye_text_is_number(fields[1])) {
    is_charmm_heading(reading, fields[0]);
    return TRUE;
  }
  if (reading->section != SECTION_NONBONDED)
    return TRUE;
  if (!debye_text_require_double(&reading->lines, fields[2], "the depth of the minimum", &epsilon, error) ||
      !debye_text_require_double(&reading->lines, fields[3], "half the distance of the minimum", &radius,
                                 error))
    return FALSE;
  if (!(epsilon <= 0.0 && radius >= 0.0 && isfinite(epsilon) && isfinite(radius)))
    return debye_line_reader_set_error(&reading->lines, error, DEBYE_ERROR_VALUE,
                                       "expected a depth of 0 or below and a distance of 0 or above");
  add(reading->table, fields[0].text, fields[0].length, fabs(epsilon), radius);
  reading->n_found++;
  return TRUE;
}

/* σ and ε, or with combination rule 1 C6 and C12, are the last two numbers of the line. */
static gboolean
read_atomtype(Reading *reading, const DebyeTextField *fields, gsize n, GError **error)
{
  double v, w, epsilon = 0.0, radius = 0.0;
  if (n < 5)
    return TRUE;
  if (!debye_text_require_double(&reading->lines, fields[n - 2], "σ in nm", &v, error) ||
      !debye_text_require_double(&reading->lines, fields[n - 1], "ε in kJ/mol", &w, error))
    return FALSE;
  if (!(v >= 0.0 && w >= 0.0))
    return debye_line_reader_set_error(&reading->lines, error, DEBYE_ERROR_VALUE,
                                       "expected σ and ε of 0 or above");
  if (!reading->has_coefficients) {
    epsilon = w * KCAL_PER_KJ;
    radius = 0.5 * pow(2.0, 1.0 / 6.0) * v * ANGSTROM_PER_NM;
  } else {
    convert_coefficients(v, w, &epsilon, &radius);
    epsilon *= KCAL_PER_KJ;
    radius *= ANGSTROM_PER_NM;
  }
  if (!isfinite(epsilon) || !isfinite(radius))
    return debye_line_reader_set_error(&reading->lines, error, DEBYE_ERROR_VALUE,
                                       "expected numbers that give a finite depth and distance");
  add(reading->table, fields[0].text, fields[0].length, epsilon, radius);
  reading->n_found++;
  return TRUE;
}

static gboolean
read_line(Reading *reading, GError **error)
{
  DebyeTextField fields[MAX_FIELDS], line = debye_text_line(&reading->lines);
  gsize length = 0;
  while (length < line.length && line.text[length] != '!' && line.text[length] != ';')
    length++;
  const gsize n = debye_text_split(line.text, length, fields, MAX_FIELDS);
  const gboolean was_continued = reading->is_continued;
  reading->is_continued = n > 0 && debye_text_field_is(fields[n - 1], "-");
  if (n == 0 || was_continued || fields[0].text[0] == '*' || fields[0].text[0] == '#')
    return TRUE;
  if (fields[0].text[0] == '[') {
    g_autofree char *name = g_strndup(line.text, length);
    reading->section = strstr(name, "atomtypes") != NULL  ? SECTION_ATOMTYPES
                       : strstr(name, "defaults") != NULL ? SECTION_DEFAULTS
                                                          : SECTION_OTHER;
    return TRUE;
  }
  if (reading->section == SECTION_ATOMTYPES)
    return read_atomtype(reading, fields, n, error);
  if (reading->section == SECTION_DEFAULTS) {
    reading->has_coefficients = n > 1 && debye_text_field_is(fields[1], "1");
    return TRUE;
  }
  return read_charmm(reading, fields, n, error);
}

static gboolean
read_text(DebyeLennardJonesTable *table, DebyeInput *input, GError **error)
{
  Reading reading = {.table = table};
  GError *failed = NULL;
  debye_line_reader_init(&reading.lines, input, 0, 1);
  while (failed == NULL && debye_line_reader_next(&reading.lines, &failed))
    read_line(&reading, &failed);
  debye_line_reader_clear(&reading.lines);
  if (failed != NULL) {
    g_propagate_error(error, failed);
    return FALSE;
  }
  if (reading.n_found > 0)
    return TRUE;
  return debye_input_set_error(
      input, error, DEBYE_ERROR_MISSING,
      "expected Lennard-Jones parameters (a section NONBONDED of CHARMM, atomtypes of GROMACS, or an AMBER "
      "prmtop), found none");
}

/* --- AMBER --- */

typedef struct {
  gsize n_atoms, n_types;
  char *names;
  gint32 *index, *pairs;
  double *a, *b;
} Amber;

static void
amber_clear(Amber *amber)
{
  g_free(amber->names);
  g_free(amber->index);
  g_free(amber->pairs);
  g_free(amber->a);
  g_free(amber->b);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Amber, amber_clear)

/* Each type with itself: A = ε·R¹², B = 2·ε·R⁶. */
static gboolean
add_amber_types(DebyeLennardJonesTable *table, const Amber *amber, DebyeInput *input, GError **error)
{
  const gsize n_pairs = amber->n_types * (amber->n_types + 1) / 2;
  for (gsize i = 0; i < amber->n_atoms; i++) {
    const gint32 type = amber->index[i];
    const char *name = amber->names + i * NAME_SIZE;
    if (type < 1 || (gsize)type > amber->n_types)
      return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                   "ATOM_TYPE_INDEX: expected 1 to %" G_GSIZE_FORMAT ", found %d",
                                   amber->n_types, type);
    const gint32 pair = amber->pairs[((gsize)type - 1) * (amber->n_types + 1)];
    double epsilon = 0.0, radius = 0.0;
    if (pair < 1 || (gsize)pair > n_pairs)
      continue;
    const double a = amber->a[pair - 1], b = amber->b[pair - 1];
    convert_coefficients(b, a, &epsilon, &radius);
    if (!isfinite(epsilon) || !isfinite(radius))
      return debye_input_set_error(
          input, error, DEBYE_ERROR_VALUE,
          "LENNARD_JONES_BCOEF: expected numbers that give a finite depth and distance");
    add(table, name, strlen(name), epsilon, radius);
  }
  return TRUE;
}

static gboolean
read_amber(DebyeLennardJonesTable *table, DebyeInput *input, GError **error)
{
  g_auto(DebyeAmberSections) sections = {0};
  g_auto(Amber) amber = {0};
  gint32 pointers[DEBYE_AMBER_N_POINTERS];
  if (!debye_amber_sections_scan(&sections, input, error) ||
      !debye_amber_sections_read_pointers(&sections, pointers, error))
    return FALSE;
  amber.n_atoms = (gsize)pointers[DEBYE_AMBER_NATOM];
  amber.n_types = (gsize)MAX(pointers[DEBYE_AMBER_NTYPES], 0);
  if (amber.n_types > amber.n_atoms || amber.n_types > 65535)
    return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                                 "expected no more types than atoms, found %" G_GSIZE_FORMAT
                                 " of %" G_GSIZE_FORMAT,
                                 amber.n_types, amber.n_atoms);
  const gsize n_pairs = amber.n_types * (amber.n_types + 1) / 2, n_square = amber.n_types * amber.n_types;
  if (n_square > debye_input_get_size(input))
    return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                                 "expected as many types as the file can hold, found %" G_GSIZE_FORMAT,
                                 amber.n_types);
  amber.names = g_malloc0_n(amber.n_atoms + 1, NAME_SIZE);
  amber.index = g_new0(gint32, amber.n_atoms + 1);
  amber.pairs = g_new0(gint32, n_square + 1);
  amber.a = g_new0(double, n_pairs + 1);
  amber.b = g_new0(double, n_pairs + 1);
  return debye_amber_sections_read_texts(&sections, "AMBER_ATOM_TYPE", amber.n_atoms, amber.names, NAME_SIZE,
                                         error) &&
         debye_amber_sections_read_integers(&sections, "ATOM_TYPE_INDEX", amber.n_atoms, amber.index,
                                            error) &&
         debye_amber_sections_read_integers(&sections, "NONBONDED_PARM_INDEX", n_square, amber.pairs,
                                            error) &&
         debye_amber_sections_read_reals(&sections, "LENNARD_JONES_ACOEF", n_pairs, amber.a, error) &&
         debye_amber_sections_read_reals(&sections, "LENNARD_JONES_BCOEF", n_pairs, amber.b, error) &&
         add_amber_types(table, &amber, input, error);
}

/* --- GROMACS' run input --- */

typedef struct {
  DebyeLennardJonesTable *table;
  char **wrong; /* a type without a finite depth and distance */
} RunInput;

static void
add_run_input_type(const char *name, const DebyeTprCoefficients *coefficients, gpointer data)
{
  RunInput *reading = data;
  double epsilon, radius;
  convert_coefficients(coefficients->c6, coefficients->c12, &epsilon, &radius);
  if (isfinite(epsilon) && isfinite(radius) && isfinite(coefficients->c6) && isfinite(coefficients->c12))
    add(reading->table, name, strlen(name), epsilon * KCAL_PER_KJ, radius * ANGSTROM_PER_NM);
  else if (*reading->wrong == NULL)
    *reading->wrong = g_strdup(name);
}

static gboolean
read_run_input(DebyeLennardJonesTable *table, DebyeInput *input, GError **error)
{
  g_autofree char *wrong = NULL;
  RunInput reading = {table, &wrong};
  if (!debye_tpr_read_types(input, add_run_input_type, &reading, error))
    return FALSE;
  if (wrong == NULL)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_VALUE,
                               "atom type “%s”: expected numbers that give a finite depth and distance",
                               wrong);
}

gboolean
debye_lennard_jones_table_read(DebyeLennardJonesTable *table, const char *path, GError **error)
{
  char head[DEBYE_TPR_HEAD_BYTES + 1] = {0};
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  if (input == NULL)
    return FALSE;
  const gsize n = (gsize)MIN(debye_input_get_size(input), sizeof head - 1);
  if (!debye_input_read(input, 0, head, n, error))
    return FALSE;
  if (debye_tpr_probe((const guint8 *)head, n))
    return read_run_input(table, input, error);
  return g_str_has_prefix(head, "%VERSION") || g_str_has_prefix(head, "%FLAG")
             ? read_amber(table, input, error)
             : read_text(table, input, error);
}

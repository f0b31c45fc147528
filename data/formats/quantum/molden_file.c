/* SPDX-License-Identifier: MIT */
/* Reads Molden files section by section; sections that aren't known are passed over. Called by wave_function.c and
 * format_molden.c. */
#include "molden_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/tables/elements.h"

#define MOST_FIELDS 8

typedef enum {
  SECTION_OTHER,
  SECTION_TITLE,
  SECTION_ATOMS,
  SECTION_VIBRATING_ATOMS,
  SECTION_GTO,
  SECTION_MO,
} Section;

typedef struct {
  DebyeLineReader lines;
  DebyeWaveFunction *wave;
  gboolean only_atoms, has_atoms; /* has_atoms: there is a section [Atoms] */
  double length_unit;             /* bohr */
  gboolean is_pure[DEBYE_WAVE_MAX_L + 1];
  /* [GTO] */
  guint32 atom; /* 1-based; 0: none yet */
  gsize n_primitives_left;
  gboolean is_sp; /* of the shell: each primitive has a weight for s and one for p */
  GArray *p_weights;
  /* [MO]: the orbital under way, and whether it has coefficients yet. */
  gboolean in_orbital;
  gboolean has_coefficients;
  DebyeWaveOrbital orbital;
} Molden;

static void
molden_clear(Molden *molden)
{
  debye_line_reader_clear(&molden->lines);
  g_clear_pointer(&molden->wave, debye_wave_function_free);
  g_clear_pointer(&molden->p_weights, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Molden, molden_clear)

static gboolean
expected(const Molden *molden, GError **error, const char *what)
{
  g_autofree char *found = debye_text_quote(debye_text_line(&molden->lines));
  return debye_line_reader_set_error(&molden->lines, error, DEBYE_ERROR_SYNTAX, "expected %s, found %s", what,
                                     found);
}

int
debye_molden_probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  while (debye_text_head_next(&head, &line, &length)) {
    const DebyeTextField content = debye_text_columns(line, length, 0, length);
    if (content.length > 0)
      return content.length >= 15 && g_ascii_strncasecmp(content.text, "[molden format]", 15) == 0 ? 95 : 0;
  }
  return 0;
}

/* --- Sections --- */

char *
debye_molden_get_section(const DebyeLineReader *lines, DebyeTextField *rest)
{
  const DebyeTextField line = debye_text_line(lines);
  const char *end = line.length > 0 && line.text[0] == '[' ? memchr(line.text, ']', line.length) : NULL;
  if (end == NULL)
    return NULL;
  rest->text = end + 1;
  rest->length = line.length - (gsize)(end + 1 - line.text);
  g_autofree char *name = g_ascii_strdown(line.text + 1, end - line.text - 1);
  return g_strdup(g_strstrip(name));
}

static void
set_pure(Molden *molden, const char *name)
{
  static const struct {
    const char *name;
    int l;
    gboolean is_pure;
  } marks[] = {{"5d", 2, TRUE},    {"5d", 3, TRUE},     {"5d7f", 2, TRUE}, {"5d7f", 3, TRUE},
               {"5d10f", 2, TRUE}, {"5d10f", 3, FALSE}, {"7f", 3, TRUE},   {"9g", 4, TRUE},
               {"9g", 5, TRUE},    {"9g", 6, TRUE},     {"11h", 5, TRUE},  {"13i", 6, TRUE}};
  for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
    if (g_str_equal(name, marks[i].name))
      molden->is_pure[marks[i].l] = marks[i].is_pure;
}

static gboolean
has_word(DebyeTextField field, const char *word)
{
  g_autofree char *text = g_ascii_strdown(field.text, (gssize)field.length);
  return strstr(text, word) != NULL;
}

static gboolean
begin_section(Molden *molden, const char *name, DebyeTextField rest, Section *section, GError **error)
{
  *section = SECTION_OTHER;
  if (g_str_equal(name, "title")) {
    *section = SECTION_TITLE;
  } else if (g_str_equal(name, "atoms")) {
    *section = SECTION_ATOMS;
    g_array_set_size(molden->wave->atoms, molden->has_atoms ? molden->wave->atoms->len : 0);
    molden->has_atoms = TRUE;
    molden->length_unit = has_word(rest, "ang") ? 1.0 / DEBYE_BOHR : 1.0;
  } else if (g_str_equal(name, "fr-coord") && !molden->has_atoms) {
    *section = SECTION_VIBRATING_ATOMS;
  } else if (g_str_equal(name, "gto")) {
    *section = SECTION_GTO;
  } else if (g_str_equal(name, "mo")) {
    *section = SECTION_MO;
  } else if (g_str_equal(name, "sto") && !molden->only_atoms) {
    return debye_line_reader_set_error(
        &molden->lines, error, DEBYE_ERROR_VALUE,
        "expected a basis of Gaussians, found Slater functions ([STO]), which are not "
        "read. Have the program write Gaussians ([GTO])");
  }
  set_pure(molden, name);
  return TRUE;
}

/* --- [Atoms]: symbol, number, atomic number, x, y, z; [FR-COORD]: symbol, x, y, z --- */

static gboolean
add_atom(Molden *molden, DebyeWaveAtom *atom, const DebyeTextField *places, double unit, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; axis++) {
    if (!debye_text_require_double(&molden->lines, places[axis], axes[axis], &atom->position[axis], error))
      return FALSE;
    if (!isfinite(atom->position[axis]))
      return expected(molden, error, "finite coordinates");
    atom->position[axis] *= unit;
  }
  g_array_append_val(molden->wave->atoms, *atom);
  return TRUE;
}

static gboolean
read_vibrating_atom(Molden *molden, GError **error)
{
  DebyeTextField fields[MOST_FIELDS];
  DebyeWaveAtom atom = {0};
  if (debye_text_split(molden->lines.text, molden->lines.length, fields, MOST_FIELDS) < 4)
    return expected(molden, error, "an atom (symbol, x, y, z)");
  atom.element = debye_element_from_symbol(fields[0].text, (gssize)fields[0].length);
  atom.nuclear_charge = (double)atom.element;
  return add_atom(molden, &atom, &fields[1], 1.0, error);
}

static gboolean
read_atom(Molden *molden, GError **error)
{
  const DebyeLineReader *lines = &molden->lines;
  DebyeTextField fields[MOST_FIELDS];
  DebyeWaveAtom atom = {0};
  gint64 number;
  if (debye_text_split(lines->text, lines->length, fields, MOST_FIELDS) < 6)
    return expected(molden, error, "an atom (symbol, number, atomic number, x, y, z)");
  if (!debye_text_require_int(lines, fields[2], "an atomic number", &number, error))
    return FALSE;
  if (number < 0 || number > 118)
    return expected(molden, error, "an atomic number from 0 to 118");
  atom.element = (guint8)number;
  atom.nuclear_charge = (double)number;
  return add_atom(molden, &atom, &fields[3], molden->length_unit, error);
}

/* --- [GTO]: an atom's number; then its shells, each a letter, how many primitives, and these --- */

static gboolean
begin_shell(Molden *molden, const DebyeTextField *fields, gsize n, GError **error)
{
  static const char letters[] = "spdfghi";
  const char letter = (char)g_ascii_tolower(fields[0].text[0]);
  const char *found = fields[0].length == 1 ? strchr(letters, letter) : NULL;
  gsize count;
  molden->is_sp = fields[0].length == 2 && g_ascii_strncasecmp(fields[0].text, "sp", 2) == 0;
  if (molden->atom == 0)
    return expected(molden, error, "an atom's number before its shells");
  if ((found == NULL && !molden->is_sp) || n < 2)
    return expected(molden, error, "a shell (s, p, sp, d, f, g, h or i) and its number of primitives");
  if (!debye_text_require_count(&molden->lines, fields[1], "primitives", 4, &count, error))
    return FALSE;
  if (count == 0)
    return expected(molden, error, "at least one primitive");
  molden->n_primitives_left = count;
  debye_wave_function_add_shell(molden->wave, molden->atom - 1, found != NULL ? (guint8)(found - letters) : 0,
                                FALSE);
  return TRUE;
}

/* The p shell of an sp shell follows the s shell. */
static void
end_sp_shell(Molden *molden)
{
  DebyeWaveFunction *wave = molden->wave;
  const DebyeWaveShell s = g_array_index(wave->shells, DebyeWaveShell, wave->shells->len - 1);
  debye_wave_function_add_shell(wave, s.atom, 1, FALSE);
  for (guint i = 0; i < molden->p_weights->len; i++)
    debye_wave_function_add_primitive(wave, g_array_index(wave->exponents, double, s.first_primitive + i),
                                      g_array_index(molden->p_weights, double, i));
  g_array_set_size(molden->p_weights, 0);
}

static gboolean
read_primitive(Molden *molden, const DebyeTextField *fields, gsize n, GError **error)
{
  double numbers[3] = {0.0, 0.0, 0.0};
  const gsize n_wanted = molden->is_sp ? 3 : 2;
  if (n < n_wanted)
    return expected(molden, error, "a primitive (its exponent and its coefficient)");
  for (gsize i = 0; i < n_wanted; i++)
    if (!debye_text_require_double(&molden->lines, fields[i], i == 0 ? "an exponent" : "a coefficient",
                                   &numbers[i], error))
      return FALSE;
  if (!(numbers[0] > 0.0) || !isfinite(numbers[0]) || !isfinite(numbers[1]) || !isfinite(numbers[2]))
    return expected(molden, error, "an exponent above 0 and a finite coefficient");
  debye_wave_function_add_primitive(molden->wave, numbers[0], numbers[1]);
  if (molden->is_sp)
    g_array_append_val(molden->p_weights, numbers[2]);
  if (--molden->n_primitives_left == 0 && molden->is_sp)
    end_sp_shell(molden);
  return TRUE;
}

static gboolean
read_basis(Molden *molden, GError **error)
{
  DebyeTextField fields[MOST_FIELDS];
  const gsize n = debye_text_split(molden->lines.text, molden->lines.length, fields, MOST_FIELDS);
  gint64 number;
  if (n == 0)
    return TRUE;
  if (molden->n_primitives_left > 0)
    return read_primitive(molden, fields, n, error);
  if (!debye_text_to_int(fields[0].text, fields[0].length, &number))
    return begin_shell(molden, fields, n, error);
  if (number < 1 || number > G_MAXUINT32)
    return expected(molden, error, "an atom's number from 1 on");
  molden->atom = (guint32)number;
  return TRUE;
}

/* --- [MO]: keys with =, then coefficients by the number of the function --- */

/* All shells are known when orbitals begin: which are pure may stand behind them, but not behind the orbitals, so
 * numbers of functions are only looked at in the end. */
static void
begin_orbital(Molden *molden)
{
  molden->in_orbital = TRUE;
  molden->has_coefficients = FALSE;
  molden->orbital = (DebyeWaveOrbital){.energy = NAN};
}

static gboolean
read_key(Molden *molden, const char *equals, GError **error)
{
  const DebyeTextField line = debye_text_line(&molden->lines);
  const DebyeTextField value = debye_text_columns(equals + 1, (gsize)(line.text + line.length - equals - 1),
                                                  0, (gsize)(line.text + line.length - equals - 1));
  if (!molden->in_orbital || molden->has_coefficients)
    begin_orbital(molden);
  if (g_ascii_strncasecmp(line.text, "ene", 3) == 0)
    return debye_text_require_double(&molden->lines, value, "an energy", &molden->orbital.energy, error);
  if (g_ascii_strncasecmp(line.text, "occ", 3) == 0) {
    if (!debye_text_require_double(&molden->lines, value, "an occupation", &molden->orbital.occupation,
                                   error))
      return FALSE;
    return isfinite(molden->orbital.occupation) || expected(molden, error, "a finite occupation");
  }
  if (g_ascii_strncasecmp(line.text, "spin", 4) == 0)
    molden->orbital.is_beta = has_word(value, "beta");
  else if (g_ascii_strncasecmp(line.text, "sym", 3) == 0) {
    g_autofree char *symmetry = g_utf8_make_valid(value.text, (gssize)value.length);
    g_strlcpy(molden->orbital.symmetry, symmetry, sizeof molden->orbital.symmetry);
  }
  return TRUE;
}

static gboolean
read_orbitals(Molden *molden, GError **error)
{
  const DebyeTextField line = debye_text_line(&molden->lines);
  const char *equals = line.length > 0 ? memchr(line.text, '=', line.length) : NULL;
  DebyeTextField fields[MOST_FIELDS];
  gint64 number;
  double value;
  if (line.length == 0)
    return TRUE;
  if (equals != NULL)
    return read_key(molden, equals, error);
  if (debye_text_split(line.text, line.length, fields, MOST_FIELDS) < 2 ||
      !debye_text_to_int(fields[0].text, fields[0].length, &number) ||
      !debye_text_to_double(fields[1].text, fields[1].length, &value) || !isfinite(value))
    return expected(molden, error, "an orbital's coefficient (the number of the function and a number)");
  if (number < 1 || number > G_MAXINT32)
    return expected(molden, error, "the number of a function, from 1 on");
  if (!molden->in_orbital)
    begin_orbital(molden);
  if (!molden->has_coefficients)
    debye_wave_function_add_orbital(molden->wave, &molden->orbital);
  molden->has_coefficients = TRUE;
  debye_wave_function_add_coefficient(molden->wave, (gsize)number - 1, value);
  return TRUE;
}

/* --- The file --- */

static gboolean
read_line(Molden *molden, Section section, GError **error)
{
  if (section == SECTION_TITLE && molden->wave->title == NULL && !debye_text_line_is_blank(&molden->lines)) {
    const DebyeTextField line = debye_text_line(&molden->lines);
    molden->wave->title = g_utf8_make_valid(line.text, (gssize)line.length);
  }
  if (section == SECTION_ATOMS && !debye_text_line_is_blank(&molden->lines))
    return read_atom(molden, error);
  if (section == SECTION_VIBRATING_ATOMS && !debye_text_line_is_blank(&molden->lines))
    return read_vibrating_atom(molden, error);
  if (molden->only_atoms || (section != SECTION_GTO && section != SECTION_MO))
    return TRUE;
  return section == SECTION_GTO ? read_basis(molden, error) : read_orbitals(molden, error);
}

static gboolean
read_sections(Molden *molden, GError **error)
{
  Section section = SECTION_OTHER;
  while (debye_line_reader_next(&molden->lines, error)) {
    DebyeTextField rest;
    g_autofree char *name = debye_molden_get_section(&molden->lines, &rest);
    if (name == NULL ? !read_line(molden, section, error)
                     : !begin_section(molden, name, rest, &section, error))
      return FALSE;
  }
  return !molden->lines.has_failed;
}

/* Cartesian h and i: nobody writes them in an order that is defined. */
static gboolean
finish_shells(Molden *molden, GError **error)
{
  DebyeWaveFunction *wave = molden->wave;
  const DebyeInput *input = molden->lines.input;
  if (molden->n_primitives_left > 0)
    return debye_input_set_error(input, error, DEBYE_ERROR_TRUNCATED,
                                 "expected %" G_GSIZE_FORMAT " more primitives of the last shell, found none",
                                 molden->n_primitives_left);
  for (guint i = 0; i < wave->shells->len; i++) {
    DebyeWaveShell *shell = &g_array_index(wave->shells, DebyeWaveShell, i);
    if (shell->atom >= wave->atoms->len)
      return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                                   "expected shells of the %u atoms in [Atoms], found some of atom %u",
                                   wave->atoms->len, shell->atom + 1);
    shell->is_pure = shell->l > 1 && molden->is_pure[shell->l];
    if (shell->l > 4 && !shell->is_pure)
      return debye_input_set_error(
          input, error, DEBYE_ERROR_VALUE,
          "expected Cartesian functions up to g, found %s. Have the program write pure ones, "
          "marked [9G] or [11H]",
          shell->l == 5 ? "h" : "i");
    wave->n_functions += debye_wave_shell_n_functions(shell);
  }
  return TRUE;
}

static gboolean
check_coefficients(const Molden *molden, GError **error)
{
  const DebyeWaveFunction *wave = molden->wave;
  for (guint i = 0; i < wave->coefficients->len; i++) {
    const guint32 function = g_array_index(wave->coefficients, DebyeWaveCoefficient, i).function;
    if (function < wave->n_functions)
      continue;
    return debye_input_set_error(molden->lines.input, error, DEBYE_ERROR_MISMATCH,
                                 "expected coefficients of the %" G_GSIZE_FORMAT " functions in [GTO], found "
                                 "one of function %u. Check the marks [5D], [7F], [9G] for spherical "
                                 "functions",
                                 wave->n_functions, function + 1);
  }
  return TRUE;
}

static void
molden_init(Molden *molden, DebyeInput *input, gboolean only_atoms)
{
  debye_line_reader_init(&molden->lines, input, 0, 1);
  molden->wave = debye_wave_function_new();
  molden->p_weights = g_array_new(FALSE, FALSE, sizeof(double));
  molden->only_atoms = only_atoms;
  molden->length_unit = 1.0;
}

DebyeWaveFunction *
debye_molden_read(DebyeInput *input, GError **error)
{
  g_auto(Molden) molden = {0};
  molden_init(&molden, input, FALSE);
  if (!read_sections(&molden, error) || !finish_shells(&molden, error) || !check_coefficients(&molden, error))
    return NULL;
  return g_steal_pointer(&molden.wave);
}

gboolean
debye_molden_read_atoms(DebyeInput *input, DebyeWaveFunction *wave, GError **error)
{
  g_auto(Molden) molden = {0};
  molden_init(&molden, input, TRUE);
  if (!read_sections(&molden, error))
    return FALSE;
  wave->title = g_steal_pointer(&molden.wave->title);
  g_array_append_vals(wave->atoms, molden.wave->atoms->data, molden.wave->atoms->len);
  return TRUE;
}

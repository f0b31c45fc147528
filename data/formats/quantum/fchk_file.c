/* SPDX-License-Identifier: MIT */
/* Reads formatted checkpoints: entries of a name in 40 columns, a type, and a value or an array. Called by wave_function.c
 * and format_fchk.c. */
#include "fchk_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

#define NAME_COLUMNS 40
#define LEAST_NUMBER_BYTES 2
#define MOST_FIELDS 16

typedef enum {
  ENTRY_CHARGE_ATOMS, /* nuclear charges */
  ENTRY_ATOMS,        /* atomic numbers */
  ENTRY_POSITIONS,
  ENTRY_SHELL_TYPES,
  ENTRY_SHELL_PRIMITIVES,
  ENTRY_SHELL_ATOMS,
  ENTRY_EXPONENTS,
  ENTRY_WEIGHTS,
  ENTRY_P_WEIGHTS,
  ENTRY_ALPHA_ENERGIES,
  ENTRY_BETA_ENERGIES,
  ENTRY_ALPHA,
  ENTRY_BETA,
  ENTRY_MODE_VALUES, /* frequencies, reduced masses, force constants, infrared intensities, more */
  ENTRY_MODES,
  N_ARRAYS,
} Entry;

static const char *const array_names[N_ARRAYS] = {
    [ENTRY_CHARGE_ATOMS] = "Nuclear charges",
    [ENTRY_ATOMS] = "Atomic numbers",
    [ENTRY_POSITIONS] = "Current cartesian coordinates",
    [ENTRY_SHELL_TYPES] = "Shell types",
    [ENTRY_SHELL_PRIMITIVES] = "Number of primitives per shell",
    [ENTRY_SHELL_ATOMS] = "Shell to atom map",
    [ENTRY_EXPONENTS] = "Primitive exponents",
    [ENTRY_WEIGHTS] = "Contraction coefficients",
    [ENTRY_P_WEIGHTS] = "P(S=P) Contraction coefficients",
    [ENTRY_ALPHA_ENERGIES] = "Alpha Orbital Energies",
    [ENTRY_BETA_ENERGIES] = "Beta Orbital Energies",
    [ENTRY_ALPHA] = "Alpha MO coefficients",
    [ENTRY_BETA] = "Beta MO coefficients",
    [ENTRY_MODE_VALUES] = "Vib-E2",
    [ENTRY_MODES] = "Vib-Modes",
};

typedef struct {
  DebyeLineReader lines;
  char *title;
  GArray *arrays[N_ARRAYS]; /* double; NULL: not in the file */
  double n_alpha, n_beta, n_modes;
} Fchk;

static void
fchk_clear(Fchk *fchk)
{
  debye_line_reader_clear(&fchk->lines);
  g_free(fchk->title);
  for (int i = 0; i < N_ARRAYS; i++)
    g_clear_pointer(&fchk->arrays[i], g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fchk, fchk_clear)

/* --- Entries --- */

/* "Number of atoms                            I                3": the type stands in column 44. */
static gboolean
is_entry(const char *line, gsize length)
{
  return length > 46 && line[0] != ' ' && line[NAME_COLUMNS] == ' ' && line[41] == ' ' && line[42] == ' ' &&
         strchr("IRCHL", line[43]) != NULL && line[44] == ' ';
}

int
debye_fchk_probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  for (int number = 0; number < 3; number++)
    if (!debye_text_head_next(&head, &line, &length))
      return 0;
  return is_entry(line, length) ? 90 : 0;
}

static int
find_array(DebyeTextField name)
{
  for (int i = 0; i < N_ARRAYS; i++)
    if (debye_text_field_is(name, array_names[i]))
      return i;
  return -1;
}

static gboolean
read_array(Fchk *fchk, int entry, DebyeTextField count, GError **error)
{
  DebyeLineReader *lines = &fchk->lines;
  gsize n;
  if (!debye_text_require_count(lines, count, array_names[entry], LEAST_NUMBER_BYTES, &n, error))
    return FALSE;
  g_clear_pointer(&fchk->arrays[entry], g_array_unref);
  fchk->arrays[entry] = g_array_new(FALSE, FALSE, sizeof(double));
  while (fchk->arrays[entry]->len < n) {
    DebyeTextField fields[MOST_FIELDS];
    if (!debye_text_require_line(lines, array_names[entry], error))
      return FALSE;
    const gsize n_fields = debye_text_split(lines->text, lines->length, fields, MOST_FIELDS);
    for (gsize i = 0; i < n_fields && fchk->arrays[entry]->len < n; i++) {
      double value;
      if (!debye_text_require_double(lines, fields[i], array_names[entry], &value, error))
        return FALSE;
      g_array_append_val(fchk->arrays[entry], value);
    }
  }
  return TRUE;
}

static gboolean
read_entry(Fchk *fchk, GError **error)
{
  DebyeLineReader *lines = &fchk->lines;
  const DebyeTextField name = debye_text_columns(lines->text, lines->length, 0, NAME_COLUMNS);
  const DebyeTextField value = debye_text_columns(lines->text, lines->length, 49, lines->length);
  const gboolean is_array = lines->length > 49 && lines->text[47] == 'N' && lines->text[48] == '=';
  const int array = find_array(name);
  if (array >= 0 && is_array)
    return read_array(fchk, array, value, error);
  if (debye_text_field_is(name, "Number of alpha electrons"))
    return debye_text_require_double(lines, value, "alpha electrons", &fchk->n_alpha, error);
  if (debye_text_field_is(name, "Number of beta electrons"))
    return debye_text_require_double(lines, value, "beta electrons", &fchk->n_beta, error);
  if (debye_text_field_is(name, "Number of Normal Modes"))
    return debye_text_require_double(lines, value, "normal modes", &fchk->n_modes, error);
  return TRUE;
}

static gboolean
read_entries(Fchk *fchk, GError **error)
{
  if (!debye_text_require_line(&fchk->lines, "a title", error))
    return FALSE;
  const DebyeTextField title = debye_text_line(&fchk->lines);
  fchk->title = g_utf8_make_valid(title.text, (gssize)title.length);
  while (debye_line_reader_next(&fchk->lines, error))
    if (is_entry(fchk->lines.text, fchk->lines.length) && !read_entry(fchk, error))
      return FALSE;
  return !fchk->lines.has_failed;
}

/* --- Atoms --- */

static gsize
length_of(const Fchk *fchk, Entry entry)
{
  return fchk->arrays[entry] != NULL ? fchk->arrays[entry]->len : 0;
}

static double
value_of(const Fchk *fchk, Entry entry, gsize i)
{
  return g_array_index(fchk->arrays[entry], double, i);
}

static gboolean
require_length(const Fchk *fchk, Entry entry, gsize n, GError **error)
{
  if (length_of(fchk, entry) == n)
    return TRUE;
  return debye_input_set_error(fchk->lines.input, error, DEBYE_ERROR_MISMATCH,
                               "expected %" G_GSIZE_FORMAT " numbers of “%s”, found %" G_GSIZE_FORMAT, n,
                               array_names[entry], length_of(fchk, entry));
}

static gboolean
set_wrong(const Fchk *fchk, Entry entry, gsize i, GError **error)
{
  return debye_input_set_error(fchk->lines.input, error, DEBYE_ERROR_VALUE,
                               "expected a value that “%s” can have, found %g as number %" G_GSIZE_FORMAT,
                               array_names[entry], value_of(fchk, entry, i), i + 1);
}

static gboolean
add_atoms(const Fchk *fchk, DebyeWaveFunction *wave, GError **error)
{
  const gsize n = length_of(fchk, ENTRY_ATOMS);
  const gboolean has_charges = length_of(fchk, ENTRY_CHARGE_ATOMS) == n;
  if (!require_length(fchk, ENTRY_POSITIONS, 3 * n, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const double number = value_of(fchk, ENTRY_ATOMS, i);
    DebyeWaveAtom atom = {0};
    if (!(number >= 0.0 && number <= 118.0))
      return set_wrong(fchk, ENTRY_ATOMS, i, error);
    atom.element = (guint8)number;
    atom.nuclear_charge = has_charges ? value_of(fchk, ENTRY_CHARGE_ATOMS, i) : number;
    for (gsize axis = 0; axis < 3; axis++) {
      atom.position[axis] = value_of(fchk, ENTRY_POSITIONS, 3 * i + axis);
      if (!isfinite(atom.position[axis]))
        return set_wrong(fchk, ENTRY_POSITIONS, 3 * i + axis, error);
    }
    g_array_append_val(wave->atoms, atom);
  }
  wave->title = g_strdup(fchk->title);
  return TRUE;
}

/* --- The basis: types are l, −1 for sp, −l for pure ones --- */

static gboolean
add_primitives(const Fchk *fchk, DebyeWaveFunction *wave, gsize first, gsize n, Entry weights, GError **error)
{
  for (gsize k = first; k < first + n; k++) {
    const double exponent = value_of(fchk, ENTRY_EXPONENTS, k), weight = value_of(fchk, weights, k);
    if (!(exponent > 0.0) || !isfinite(exponent))
      return set_wrong(fchk, ENTRY_EXPONENTS, k, error);
    if (!isfinite(weight))
      return set_wrong(fchk, weights, k, error);
    debye_wave_function_add_primitive(wave, exponent, weight);
  }
  return TRUE;
}

static gboolean
add_shell(const Fchk *fchk, DebyeWaveFunction *wave, gsize number, gsize first, gsize n, GError **error)
{
  const double type = value_of(fchk, ENTRY_SHELL_TYPES, number),
               atom = value_of(fchk, ENTRY_SHELL_ATOMS, number);
  const gboolean is_sp = type == -1.0;
  if (!(fabs(type) <= DEBYE_WAVE_MAX_L) || type != floor(type))
    return set_wrong(fchk, ENTRY_SHELL_TYPES, number, error);
  if (!(atom >= 1.0 && atom <= (double)wave->atoms->len))
    return set_wrong(fchk, ENTRY_SHELL_ATOMS, number, error);
  if (is_sp && !require_length(fchk, ENTRY_P_WEIGHTS, length_of(fchk, ENTRY_EXPONENTS), error))
    return FALSE;
  debye_wave_function_add_shell(wave, (guint32)atom - 1, is_sp ? 0 : (guint8)fabs(type), type < 0.0);
  if (!add_primitives(fchk, wave, first, n, ENTRY_WEIGHTS, error))
    return FALSE;
  if (!is_sp)
    return TRUE;
  debye_wave_function_add_shell(wave, (guint32)atom - 1, 1, FALSE);
  return add_primitives(fchk, wave, first, n, ENTRY_P_WEIGHTS, error);
}

static gboolean
add_basis(const Fchk *fchk, DebyeWaveFunction *wave, GError **error)
{
  const gsize n = length_of(fchk, ENTRY_SHELL_TYPES), n_exponents = length_of(fchk, ENTRY_EXPONENTS);
  gsize first = 0;
  if (!require_length(fchk, ENTRY_SHELL_PRIMITIVES, n, error) ||
      !require_length(fchk, ENTRY_SHELL_ATOMS, n, error) ||
      !require_length(fchk, ENTRY_WEIGHTS, n_exponents, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const double count = value_of(fchk, ENTRY_SHELL_PRIMITIVES, i);
    if (!(count >= 1.0 && count <= (double)(n_exponents - first)))
      return set_wrong(fchk, ENTRY_SHELL_PRIMITIVES, i, error);
    if (!add_shell(fchk, wave, i, first, (gsize)count, error))
      return FALSE;
    first += (gsize)count;
  }
  for (guint i = 0; i < wave->shells->len; i++)
    wave->n_functions += debye_wave_shell_n_functions(&g_array_index(wave->shells, DebyeWaveShell, i));
  wave->is_reversed = TRUE;
  return TRUE;
}

/* --- Orbitals --- */

static double
occupation_of(const Fchk *fchk, gsize number, gboolean is_beta)
{
  const double place = (double)number;
  if (is_beta)
    return place < fchk->n_beta ? 1.0 : 0.0;
  if (length_of(fchk, ENTRY_BETA) > 0)
    return place < fchk->n_alpha ? 1.0 : 0.0;
  return (place < fchk->n_alpha ? 1.0 : 0.0) + (place < fchk->n_beta ? 1.0 : 0.0);
}

static gboolean
add_orbitals(const Fchk *fchk, DebyeWaveFunction *wave, gboolean is_beta, GError **error)
{
  const Entry entry = is_beta ? ENTRY_BETA : ENTRY_ALPHA;
  const Entry energies = is_beta ? ENTRY_BETA_ENERGIES : ENTRY_ALPHA_ENERGIES;
  const gsize n = wave->n_functions > 0 ? length_of(fchk, entry) / wave->n_functions : 0;
  if (!require_length(fchk, entry, n * wave->n_functions, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const DebyeWaveOrbital orbital = {.energy = i < length_of(fchk, energies) ? value_of(fchk, energies, i)
                                                                              : (double)NAN,
                                      .occupation = occupation_of(fchk, i, is_beta),
                                      .is_beta = is_beta};
    debye_wave_function_add_orbital(wave, &orbital);
    for (gsize k = 0; k < wave->n_functions; k++) {
      const double value = value_of(fchk, entry, i * wave->n_functions + k);
      if (!isfinite(value))
        return set_wrong(fchk, entry, i * wave->n_functions + k, error);
      debye_wave_function_add_coefficient(wave, k, value);
    }
  }
  return TRUE;
}

DebyeWaveFunction *
debye_fchk_read(DebyeInput *input, GError **error)
{
  g_auto(Fchk) fchk = {0};
  g_autoptr(DebyeWaveFunction) wave = debye_wave_function_new();
  debye_line_reader_init(&fchk.lines, input, 0, 1);
  if (!read_entries(&fchk, error) || !add_atoms(&fchk, wave, error) || !add_basis(&fchk, wave, error) ||
      !add_orbitals(&fchk, wave, FALSE, error) || !add_orbitals(&fchk, wave, TRUE, error))
    return NULL;
  return g_steal_pointer(&wave);
}

gboolean
debye_fchk_read_atoms(DebyeInput *input, DebyeWaveFunction *wave, GError **error)
{
  g_auto(Fchk) fchk = {0};
  debye_line_reader_init(&fchk.lines, input, 0, 1);
  return read_entries(&fchk, error) && add_atoms(&fchk, wave, error);
}

/* --- Vibrations --- */

static gboolean
check_modes(const Fchk *fchk, gsize n, GError **error)
{
  const gboolean has_modes = length_of(fchk, ENTRY_MODES) > 0;
  if (has_modes != (length_of(fchk, ENTRY_MODE_VALUES) > 0) || n == 0)
    return debye_input_set_error(
        fchk->lines.input, error, DEBYE_ERROR_MISSING,
        "expected “Number of Normal Modes”, “Vib-E2” and “Vib-Modes” together, found only "
        "some of them. Have Gaussian write all of them with freq=SaveNormalModes");
  if (length_of(fchk, ENTRY_MODE_VALUES) < n) /* which says how many were found */
    return require_length(fchk, ENTRY_MODE_VALUES, n, error);
  for (gsize i = 0; i < length_of(fchk, ENTRY_MODES); i++)
    if (!isfinite(value_of(fchk, ENTRY_MODES, i)))
      return set_wrong(fchk, ENTRY_MODES, i, error);
  for (gsize i = 0; i < n; i++)
    if (!isfinite(value_of(fchk, ENTRY_MODE_VALUES, i)))
      return set_wrong(fchk, ENTRY_MODE_VALUES, i, error);
  return require_length(fchk, ENTRY_MODES, 3 * n * length_of(fchk, ENTRY_ATOMS), error);
}

/* The values of all modes stand together, one kind after the other. */
static double
mode_value(const Fchk *fchk, gsize kind, gsize mode, gsize n_modes)
{
  const gsize at = kind * n_modes + mode;
  return at < length_of(fchk, ENTRY_MODE_VALUES) ? value_of(fchk, ENTRY_MODE_VALUES, at) : (double)NAN;
}

DebyeVibrations *
debye_fchk_read_vibrations(DebyeInput *input, GError **error)
{
  g_auto(Fchk) fchk = {0};
  g_autoptr(DebyeWaveFunction) wave = debye_wave_function_new();
  debye_line_reader_init(&fchk.lines, input, 0, 1);
  if (!read_entries(&fchk, error) || !add_atoms(&fchk, wave, error) ||
      (fchk.arrays[ENTRY_MODES] == NULL && fchk.arrays[ENTRY_MODE_VALUES] == NULL))
    return NULL;
  const gsize n_atoms = wave->atoms->len;
  const gsize n = fchk.n_modes >= 1.0 && fchk.n_modes < G_MAXINT32 ? (gsize)fchk.n_modes : 0;
  if (!check_modes(&fchk, n, error))
    return NULL;
  DebyeVibrations *vibrations =
      debye_vibrations_new(n_atoms, (const double *)(gpointer)fchk.arrays[ENTRY_POSITIONS]->data);
  for (gsize i = 0; i < n; i++) {
    const DebyeVibration mode = {.number = (guint)i + 1,
                                 .frequency = mode_value(&fchk, 0, i, n),
                                 .reduced_mass = mode_value(&fchk, 1, i, n),
                                 .intensity = mode_value(&fchk, 3, i, n)};
    debye_vibrations_add(vibrations, &mode,
                         &g_array_index(fchk.arrays[ENTRY_MODES], double, 3 * n_atoms * i));
  }
  return vibrations;
}

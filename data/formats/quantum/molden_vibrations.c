/* SPDX-License-Identifier: MIT */
/* Reads [FREQ], [INT], [FR-COORD] and [FR-NORM-COORD] of Molden files, all in bohr and cm⁻¹; called by vibrations.c. */
#include "molden_vibrations.h"

#include <math.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "molden_file.h"

#define MOST_FIELDS 8

typedef enum {
  SECTION_OTHER,
  SECTION_FREQUENCIES,
  SECTION_INTENSITIES,
  SECTION_POSITIONS,
  SECTION_MODES,
} Section;

typedef struct {
  DebyeLineReader lines;
  Section section;
  /* double. Modes one after the other, as they stand in the file. */
  GArray *frequencies, *intensities, *positions, *displacements;
  GArray *ends; /* guint: how many displacements there are up to the end of each mode */
} Reading;

static void
reading_init(Reading *reading, DebyeInput *input)
{
  debye_line_reader_init(&reading->lines, input, 0, 1);
  reading->frequencies = g_array_new(FALSE, FALSE, sizeof(double));
  reading->intensities = g_array_new(FALSE, FALSE, sizeof(double));
  reading->positions = g_array_new(FALSE, FALSE, sizeof(double));
  reading->displacements = g_array_new(FALSE, FALSE, sizeof(double));
  reading->ends = g_array_new(FALSE, FALSE, sizeof(guint));
}

static void
reading_clear(Reading *reading)
{
  debye_line_reader_clear(&reading->lines);
  g_array_unref(reading->frequencies);
  g_array_unref(reading->intensities);
  g_array_unref(reading->positions);
  g_array_unref(reading->displacements);
  g_array_unref(reading->ends);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reading, reading_clear)

static Section
find_section(const char *name)
{
  static const char *const names[] = {[SECTION_FREQUENCIES] = "freq",
                                      [SECTION_INTENSITIES] = "int",
                                      [SECTION_POSITIONS] = "fr-coord",
                                      [SECTION_MODES] = "fr-norm-coord"};
  for (int i = SECTION_FREQUENCIES; i <= SECTION_MODES; i++)
    if (g_str_equal(name, names[i]))
      return (Section)i;
  return SECTION_OTHER;
}

/* `n` finite numbers from field `first` on. */
static gboolean
read_numbers(Reading *reading, const DebyeTextField *fields, gsize n_fields, gsize first, gsize n,
             const char *what, GArray *numbers, GError **error)
{
  for (gsize i = first; i < first + n; i++) {
    const DebyeTextField field = i < n_fields ? fields[i] : (DebyeTextField){"", 0};
    double value;
    if (!debye_text_require_double(&reading->lines, field, what, &value, error))
      return FALSE;
    if (!isfinite(value))
      return debye_line_reader_set_error(&reading->lines, error, DEBYE_ERROR_VALUE,
                                         "expected finite numbers");
    g_array_append_val(numbers, value);
  }
  return TRUE;
}

static gboolean
read_line(Reading *reading, GError **error)
{
  DebyeTextField fields[MOST_FIELDS];
  const gsize n = debye_text_split(reading->lines.text, reading->lines.length, fields, MOST_FIELDS);
  if (n == 0 || reading->section == SECTION_OTHER)
    return TRUE;
  switch (reading->section) {
  case SECTION_FREQUENCIES:
    return read_numbers(reading, fields, n, 0, 1, "a frequency", reading->frequencies, error);
  case SECTION_INTENSITIES:
    return read_numbers(reading, fields, n, 0, 1, "an intensity", reading->intensities, error);
  case SECTION_POSITIONS:
    return read_numbers(reading, fields, n, 1, 3, "coordinates", reading->positions, error);
  default:
    break;
  }
  if (fields[0].length >= 9 && g_ascii_strncasecmp(fields[0].text, "vibration", 9) == 0) {
    g_array_append_val(reading->ends, reading->displacements->len);
    return TRUE;
  }
  if (reading->ends->len > 0) {
    if (!read_numbers(reading, fields, n, 0, 3, "a displacement", reading->displacements, error))
      return FALSE;
    g_array_index(reading->ends, guint, reading->ends->len - 1) = reading->displacements->len;
    return TRUE;
  }
  return debye_line_reader_set_error(&reading->lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected “vibration” and its number before displacements");
}

static gboolean
read_sections(Reading *reading, GError **error)
{
  while (debye_line_reader_next(&reading->lines, error)) {
    DebyeTextField rest;
    g_autofree char *name = debye_molden_get_section(&reading->lines, &rest);
    if (name != NULL)
      reading->section = find_section(name);
    else if (!read_line(reading, error))
      return FALSE;
  }
  return !reading->lines.has_failed;
}

/* --- What belongs together --- */

static gboolean
check_modes(const Reading *reading, gsize n_atoms, GError **error)
{
  const DebyeInput *input = reading->lines.input;
  const guint n_frequencies = reading->frequencies->len, n_modes = reading->ends->len;
  if (n_modes == 0 || n_frequencies == 0)
    return debye_input_set_error(
        input, error, DEBYE_ERROR_MISSING, "expected modes in %s beside %s, found none",
        n_modes == 0 ? "[FR-NORM-COORD]" : "[FREQ]", n_modes == 0 ? "[FREQ]" : "[FR-NORM-COORD]");
  if (n_modes != n_frequencies) {
    return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                                 "expected a mode for each of the %u frequencies in [FREQ], found %u",
                                 n_frequencies, n_modes);
  }
  for (guint i = 0, begin = 0; i < n_modes; i++) {
    const guint end = g_array_index(reading->ends, guint, i);
    if (end - begin != 3 * n_atoms)
      return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                                   "mode %u: expected displacements of %" G_GSIZE_FORMAT " atoms, found %u",
                                   i + 1, n_atoms, (end - begin) / 3);
    begin = end;
  }
  return TRUE;
}

/* The modes' own coordinates count: those in [Atoms] may be turned. */
static DebyeVibrations *
create_vibrations(const Reading *reading, const DebyeWaveFunction *wave, GError **error)
{
  const gsize n_atoms = wave->atoms->len;
  g_autofree double *positions = g_new(double, 3 * n_atoms + 1);
  if (reading->positions->len > 0 && reading->positions->len != 3 * n_atoms) {
    debye_input_set_error(reading->lines.input, error, DEBYE_ERROR_MISMATCH,
                          "expected the %" G_GSIZE_FORMAT " atoms of [Atoms] in [FR-COORD], found %u",
                          n_atoms, reading->positions->len / 3);
    return NULL;
  }
  for (gsize i = 0; i < 3 * n_atoms; i++)
    positions[i] = reading->positions->len > 0
                       ? g_array_index(reading->positions, double, i)
                       : g_array_index(wave->atoms, DebyeWaveAtom, i / 3).position[i % 3];
  if (!check_modes(reading, n_atoms, error))
    return NULL;
  DebyeVibrations *vibrations = debye_vibrations_new(n_atoms, positions);
  for (guint i = 0; i < reading->frequencies->len; i++) {
    const gboolean has_intensity = reading->intensities->len == reading->frequencies->len;
    const DebyeVibration mode = {.number = i + 1,
                                 .frequency = g_array_index(reading->frequencies, double, i),
                                 .intensity = has_intensity ? g_array_index(reading->intensities, double, i)
                                                            : (double)NAN,
                                 .reduced_mass = NAN};
    debye_vibrations_add(vibrations, &mode, &g_array_index(reading->displacements, double, 3 * n_atoms * i));
  }
  return vibrations;
}

DebyeVibrations *
debye_molden_read_vibrations(DebyeInput *input, GError **error)
{
  g_auto(Reading) reading = {0};
  reading_init(&reading, input);
  if (!read_sections(&reading, error) || (reading.frequencies->len == 0 && reading.ends->len == 0))
    return NULL;
  g_autoptr(DebyeWaveFunction) wave = debye_wave_function_new();
  return debye_molden_read_atoms(input, wave, error) ? create_vibrations(&reading, wave, error) : NULL;
}

/* SPDX-License-Identifier: MIT */
/* Gaussian cube maps: lengths in bohr, or in Å where the first count is negative; values with z fastest.
 * Molecular orbitals (a negative number of atoms) and property cubes hold several values a point. The unit of
 * the values stands in the second comment line, where we write it. */
#include "field_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "field_order.h"
#include "data/files/float_text.h"
#include "data/files/provenance.h"
#include "data/files/text_writer.h"
#include "data/messages/message.h"

#define BOHR 0.529177210903 /* Å; CODATA 2018 */
#define UNIT_PREFIX "unit: "
#define ORBITAL_UNIT "bohr^-3/2" /* of molecular orbitals, which a negative number of atoms announces */
#define VALUES_A_LINE 6

typedef struct {
  DebyeLineReader lines;
  DebyeGrid grid;
  gint64 shape[3];
  gint64 n_atoms;
  gint64 n_sets;
  gboolean has_orbitals;
  char *name, *unit;
} CubeHeader;

static void
cube_header_clear(CubeHeader *header)
{
  debye_line_reader_clear(&header->lines);
  g_free(header->name);
  g_free(header->unit);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CubeHeader, cube_header_clear)

/* A whole number and three numbers, then perhaps another whole number. */
static gboolean
parse_row(const char *text, gsize length, gint64 *count, double numbers[3], gint64 *last)
{
  const char *cursor = text, *end = text + length, *field;
  gsize n;
  if (!debye_text_next_field(&cursor, end, &field, &n) || !debye_text_to_int(field, n, count))
    return FALSE;
  for (int i = 0; i < 3; i++)
    if (!debye_text_next_field(&cursor, end, &field, &n) || !debye_text_to_double(field, n, &numbers[i]) ||
        !isfinite(numbers[i]))
      return FALSE;
  if (last == NULL || !debye_text_next_field(&cursor, end, &field, &n))
    return TRUE;
  return debye_text_to_int(field, n, last) && *last >= 1;
}

static gboolean
is_lone_count(const char *line)
{
  g_autofree char *text = g_strstrip(g_strdup(line));
  gint64 count;
  return debye_text_to_int(text, strlen(text), &count);
}

gboolean
debye_field_probe_cube(const char *head, gsize n)
{
  g_autofree char *text = g_strndup(head, n);
  g_auto(GStrv) lines = g_strsplit(text, "\n", 7);
  gint64 count, sets = 1;
  double numbers[3];
  /* An XYZ with numbers for its elements looks the same, but for the number of atoms as its first line. */
  if (g_strv_length(lines) < 6 || is_lone_count(lines[0]))
    return FALSE;
  for (int i = 2; i < 6; i++)
    if (!parse_row(lines[i], strlen(lines[i]), &count, numbers, i == 2 ? &sets : NULL))
      return FALSE;
  return TRUE;
}

static gboolean
next_line(CubeHeader *header, const char *what, GError **error)
{
  return debye_line_reader_next(&header->lines, error) ||
         (!header->lines.has_failed &&
          debye_input_set_error(header->lines.input, error, DEBYE_ERROR_TRUNCATED,
                                "expected %s, found the end of the file", what));
}

static gboolean
read_comments(CubeHeader *header, GError **error)
{
  if (!next_line(header, "two comment lines", error))
    return FALSE;
  header->name = g_strstrip(g_utf8_make_valid(header->lines.text, (gssize)header->lines.length));
  if (!next_line(header, "two comment lines", error))
    return FALSE;
  if (g_str_has_prefix(header->lines.text, UNIT_PREFIX)) {
    const char *unit = header->lines.text + strlen(UNIT_PREFIX);
    header->unit = g_strstrip(g_utf8_make_valid(unit, (gssize)strcspn(unit, ";")));
  }
  return TRUE;
}

static gboolean
read_axis(CubeHeader *header, int axis, double numbers[3], GError **error)
{
  const char *const what = N_("a number of points and a step (four numbers)");
  if (!next_line(header, what, error))
    return FALSE;
  if (!parse_row(header->lines.text, header->lines.length, &header->shape[axis], numbers, NULL) ||
      header->shape[axis] == 0 || header->shape[axis] == G_MININT64)
    return debye_field_expected(&header->lines, error, what);
  /* Only the first count decides between bohr and Å; the others may follow its sign. */
  if (axis > 0 && header->shape[axis] < 0 && header->shape[0] > 0)
    return debye_field_expected(&header->lines, error, "a positive number of points, as on the first axis");
  return TRUE;
}

static gboolean
read_grid(CubeHeader *header, GError **error)
{
  const char *const what = N_("a number of atoms and the origin (four numbers)");
  double rows[4][3];
  if (!next_line(header, what, error))
    return FALSE;
  if (!parse_row(header->lines.text, header->lines.length, &header->n_atoms, rows[3], &header->n_sets) ||
      header->n_atoms == G_MININT64)
    return debye_field_expected(&header->lines, error, what);
  header->has_orbitals = header->n_atoms < 0;
  header->n_atoms = ABS(header->n_atoms);
  for (int axis = 0; axis < 3; axis++)
    if (!read_axis(header, axis, rows[axis], error))
      return FALSE;
  double unit = header->shape[0] < 0 ? 1.0 : BOHR;
  header->grid.origin = debye_vec3_scale(debye_vec3(rows[3][0], rows[3][1], rows[3][2]), unit);
  for (int axis = 0; axis < 3; axis++) {
    header->shape[axis] = ABS(header->shape[axis]);
    header->grid.step[axis] = debye_vec3_scale(debye_vec3(rows[axis][0], rows[axis][1], rows[axis][2]), unit);
  }
  return TRUE;
}

/* The map is all that is wanted here: atoms are looked at only to know that they are atoms. As a molecule they are read
 * by data/formats/quantum/format_cube.c. */
static gboolean
skip_atoms(CubeHeader *header, GError **error)
{
  const char *const what = N_("an atom (its number, charge and position)");
  for (gint64 i = 0; i < header->n_atoms; i++) {
    gint64 number;
    double ignored[3];
    if (!next_line(header, what, error))
      return FALSE;
    if (!parse_row(header->lines.text, header->lines.length, &number, ignored, NULL))
      return debye_field_expected(&header->lines, error, what);
  }
  return TRUE;
}

static gboolean
next_count(DebyeValueScanner *scanner, gint64 *count, GError **error)
{
  g_autoptr(GError) cause = NULL;
  const char *word;
  gsize length;
  if (debye_value_scanner_next(scanner, &word, &length, &cause) && debye_text_to_int(word, length, count))
    return TRUE;
  if (cause != NULL)
    g_propagate_error(error, g_steal_pointer(&cause));
  else
    debye_input_set_error(scanner->input, error, DEBYE_ERROR_SYNTAX,
                          "line %" G_GUINT64_FORMAT ": expected the number of orbitals, then their indices",
                          scanner->line);
  return FALSE;
}

static gboolean
read_orbitals(CubeHeader *header, DebyeValueScanner *scanner, GError **error)
{
  gint64 ignored;
  if (!next_count(scanner, &header->n_sets, error))
    return FALSE;
  if (header->n_sets < 1)
    return debye_input_set_error(scanner->input, error, DEBYE_ERROR_SYNTAX,
                                 "expected at least one orbital, found %" G_GINT64_FORMAT, header->n_sets);
  for (gint64 i = 0; i < header->n_sets; i++)
    if (!next_count(scanner, &ignored, error))
      return FALSE;
  if (header->unit == NULL)
    header->unit = g_strdup(ORBITAL_UNIT);
  return TRUE;
}

DebyeField *
debye_field_read_cube(DebyeInput *input, GError **error)
{
  g_auto(CubeHeader) header = {.n_sets = 1};
  g_auto(DebyeValueScanner) scanner = {0};
  gsize bytes_each;
  debye_line_reader_init(&header.lines, input, 0, 1);
  if (!read_comments(&header, error) || !read_grid(&header, error) || !skip_atoms(&header, error))
    return NULL;
  debye_value_scanner_init(&scanner, input, header.lines.next_offset, header.lines.next_number);
  if (header.has_orbitals && !read_orbitals(&header, &scanner, error))
    return NULL;
  if (!g_size_checked_mul(&bytes_each, 2, (gsize)header.n_sets) ||
      bytes_each > debye_input_get_size(input) + 1)
    return debye_null(debye_input_set_error(
        input, error, DEBYE_ERROR_LIMIT,
        "%" G_GINT64_FORMAT " values per point are more than the file can hold", header.n_sets));
  g_autofree float *values = debye_field_allocate(input, header.shape, bytes_each, error);
  if (values == NULL)
    return NULL;
  for (int axis = 0; axis < 3; axis++)
    header.grid.shape[axis] = (gsize)header.shape[axis];
  if (!debye_field_order_read(&scanner, header.grid.shape, (gsize)header.n_sets, values, error))
    return NULL;
  DebyeField *field =
      debye_field_finish(input, header.name, &header.grid, g_steal_pointer(&values), header.unit, error);
  if (field != NULL && header.n_sets > 1)
    debye_field_warn(field, "%s: %" G_GINT64_FORMAT " values per point: the first of them is used",
                     debye_input_get_name(input), header.n_sets);
  return field;
}

static void
put_fixed(DebyeTextWriter *writer, double value)
{
  char text[64];
  g_ascii_formatd(text, sizeof text, "%12.6f", value);
  debye_text_writer_put_string(writer, text);
}

static void
put_row(DebyeTextWriter *writer, gsize count, DebyeVec3 vector)
{
  char text[32];
  g_snprintf(text, sizeof text, "%5" G_GSIZE_FORMAT, count);
  debye_text_writer_put_string(writer, text);
  put_fixed(writer, vector.x / BOHR);
  put_fixed(writer, vector.y / BOHR);
  put_fixed(writer, vector.z / BOHR);
  debye_text_writer_put_string(writer, "\n");
}

static void
put_header(DebyeTextWriter *writer, DebyeField *field, gsize n_atoms)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  debye_text_writer_put_one_line(writer, debye_field_get_name(field));
  debye_text_writer_put_string(writer, "\n");
  if (*debye_field_get_unit(field) != '\0') {
    debye_text_writer_put_string(writer, UNIT_PREFIX);
    debye_text_writer_put_one_line(writer, debye_field_get_unit(field));
    debye_text_writer_put_string(writer, "; ");
  }
  debye_text_writer_put_string(writer, "Debye ");
  debye_text_writer_put_string(writer, debye_provenance_get_version());
  debye_text_writer_put_string(writer, "; lengths in bohr, z fastest\n");
  put_row(writer, n_atoms, grid->origin);
  for (int axis = 0; axis < 3; axis++)
    put_row(writer, grid->shape[axis], grid->step[axis]);
}

static void
put_atoms(DebyeTextWriter *writer, DebyeTopology *topology, const DebyeFrame *frame, gsize n_atoms)
{
  for (gsize i = 0; i < n_atoms; i++) {
    char text[32];
    guint8 element = debye_topology_get_elements(topology)[i];
    g_snprintf(text, sizeof text, "%5u", element);
    debye_text_writer_put_string(writer, text);
    put_fixed(writer, element);
    put_fixed(writer, frame->x[i] / BOHR);
    put_fixed(writer, frame->y[i] / BOHR);
    put_fixed(writer, frame->z[i] / BOHR);
    debye_text_writer_put_string(writer, "\n");
  }
}

static void
put_value(DebyeTextWriter *writer, float value)
{
  static const char blanks[] = "             ";
  char text[DEBYE_FLOAT_TEXT_SIZE];
  gsize length = debye_float_to_exponent_text(value, text);
  debye_text_writer_put(writer, blanks, 13 - length);
  debye_text_writer_put(writer, text, length);
}

gboolean
debye_field_save_cube(DebyeField *self, DebyeTopology *topology, const DebyeFrame *frame,
                      GOutputStream *stream, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  const char *length_unit = debye_field_get_length_unit(self);
  if (!g_str_equal(length_unit, "Å"))
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "a cube file's lengths are in bohr: expected a map over Å, found one over %s: OpenDX, CSV and "
        "HDF5 can hold this map",
        length_unit);
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(stream);
  const gsize *shape = debye_field_get_grid(self)->shape;
  gsize plane = shape[1] * shape[2];
  gsize n_atoms =
      topology != NULL && frame != NULL ? MIN(debye_topology_get_n_atoms(topology), frame->n_atoms) : 0;
  g_autofree float *slab = g_new(float, MIN(shape[0], DEBYE_SLAB_PLANES) * plane);
  put_header(writer, self, n_atoms);
  put_atoms(writer, topology, frame, n_atoms);
  for (gsize first = 0; first < shape[0] && !debye_text_writer_failed(writer); first += DEBYE_SLAB_PLANES) {
    gsize n_planes = MIN(shape[0] - first, DEBYE_SLAB_PLANES);
    debye_field_order_get_slab(debye_field_get_values(self), shape, first, n_planes, slab);
    /* A new line after six values and at the end of each row along z: readers of fixed columns count on it. */
    for (gsize i = 0; i < n_planes * plane; i++) {
      gsize k = i % shape[2] + 1;
      put_value(writer, slab[i]);
      if (k % VALUES_A_LINE == 0 || k == shape[2])
        debye_text_writer_put(writer, "\n", 1);
    }
  }
  return debye_text_writer_finish(writer, error);
}

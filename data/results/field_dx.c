/* SPDX-License-Identifier: MIT */
/* OpenDX maps in the form that APBS, VMD, PyMOL and cpptraj share: a header of three objects, then the values
 * with z fastest. The format has no place for a unit: ours stands in a comment, "# unit: kT/e". */
#include "field_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "field_order.h"
#include "data/files/provenance.h"
#include "data/files/text_writer.h"
#include "data/messages/message.h"

#define UNIT_COMMENT "# unit:"
#define MEDIUM_COMMENT "# medium:"
/* What APBS calls a map whose class it doesn't name otherwise. */
#define APBS_NAME "regular positions regular connections"

typedef struct {
  DebyeLineReader lines;
  DebyeGrid grid;
  gint64 shape[3];
  gint64 n_items; /* -1: not said */
  guint n_deltas;
  gboolean has_shape, has_origin, has_data;
  char *name, *unit, *medium;
} DxHeader;

static void
dx_header_clear(DxHeader *header)
{
  debye_line_reader_clear(&header->lines);
  g_free(header->name);
  g_free(header->unit);
  g_free(header->medium);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DxHeader, dx_header_clear)

gboolean
debye_field_probe_dx(const char *head, gsize n)
{
  g_autofree char *text = g_strndup(head, n);
  g_auto(GStrv) lines = g_strsplit_set(text, "\r\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    const char *start = g_str_has_prefix(*line, "\xEF\xBB\xBF") ? *line + 3 : *line;
    while (g_ascii_isspace(*start))
      start++;
    if (*start != '\0' && *start != '#')
      return g_str_has_prefix(start, "object") && strstr(start, "class") != NULL;
  }
  return FALSE;
}

/* Words of a line, a quoted text being one. */
static char **
split_words(const char *line)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  while (*line != '\0') {
    gsize n = strcspn(line, " \t\"");
    if (n > 0) {
      g_autofree char *word = g_strndup(line, n);
      g_strv_builder_add(builder, word);
    } else if (*line == '"') {
      n = strcspn(++line, "\"");
      g_autofree char *word = g_strndup(line, n);
      g_strv_builder_add(builder, word);
      n += line[n] == '"';
    } else
      n = 1;
    line += n;
  }
  return g_strv_builder_end(builder);
}

static const char *
word_after(char **words, const char *key)
{
  for (; *words != NULL; words++)
    if (strcmp(*words, key) == 0)
      return words[1];
  return NULL;
}

static gboolean
parse_vector(char **words, DebyeVec3 *vector)
{
  double numbers[3];
  for (int i = 0; i < 3; i++)
    if (words[i] == NULL || !debye_text_to_double(words[i], strlen(words[i]), &numbers[i]) ||
        !isfinite(numbers[i]))
      return FALSE;
  *vector = debye_vec3(numbers[0], numbers[1], numbers[2]);
  return TRUE;
}

static gboolean
parse_counts(DxHeader *header, char **words, GError **error)
{
  while (*words != NULL && strcmp(*words, "counts") != 0)
    words++;
  for (int i = 0; i < 3; i++)
    if (words[0] == NULL || words[i + 1] == NULL ||
        !debye_text_to_int(words[i + 1], strlen(words[i + 1]), &header->shape[i]) || header->shape[i] < 1)
      return debye_field_expected(&header->lines, error, "“counts” and three whole numbers of at least 1");
  header->has_shape = TRUE;
  return TRUE;
}

static gboolean
parse_array(DxHeader *header, char **words, GError **error)
{
  const char *rank = word_after(words, "rank"), *items = word_after(words, "items");
  const char *data = word_after(words, "data");
  if (g_strv_contains((const char *const *)words, "binary") ||
      g_strv_contains((const char *const *)words, "ieee"))
    return debye_field_expected(&header->lines, error, "values as text (binary OpenDX is not read)");
  if (rank != NULL && strcmp(rank, "0") != 0)
    return debye_field_expected(&header->lines, error, "one value per point (rank 0)");
  if (items != NULL && (!debye_text_to_int(items, strlen(items), &header->n_items) || header->n_items < 1))
    return debye_field_expected(&header->lines, error, "“items” and a whole number of at least 1");
  if (g_strcmp0(data, "follows") != 0)
    return debye_field_expected(&header->lines, error, "“data follows”");
  header->has_data = TRUE;
  return TRUE;
}

static gboolean
parse_object(DxHeader *header, char **words, GError **error)
{
  const char *class = word_after(words, "class");
  if (g_strcmp0(class, "gridpositions") == 0)
    return parse_counts(header, words, error);
  if (g_strcmp0(class, "array") == 0)
    return parse_array(header, words, error);
  return TRUE;
}

/* Ours, or APBS's, which states the unit of a potential in its title line. */
static void
parse_comment(DxHeader *header, const char *line)
{
  if (g_str_has_prefix(line, UNIT_COMMENT)) {
    g_free(header->unit);
    header->unit = g_strstrip(g_utf8_make_valid(line + strlen(UNIT_COMMENT), -1));
  } else if (g_str_has_prefix(line, MEDIUM_COMMENT)) {
    g_free(header->medium);
    header->medium = g_strstrip(g_utf8_make_valid(line + strlen(MEDIUM_COMMENT), -1));
  } else if (g_str_has_prefix(line, "# POTENTIAL (kT/e)")) {
    g_free(header->unit);
    g_free(header->name);
    header->unit = g_strdup("kT/e");
    header->name = g_strdup("potential");
  }
}

static gboolean
parse_header_line(DxHeader *header, GError **error)
{
  const char *line = header->lines.text;
  while (g_ascii_isspace(*line))
    line++;
  if (*line == '#') {
    parse_comment(header, line);
    return TRUE;
  }
  g_auto(GStrv) words = split_words(line);
  if (words[0] == NULL)
    return TRUE;
  if (strcmp(words[0], "object") == 0)
    return parse_object(header, words, error);
  if (strcmp(words[0], "origin") == 0) {
    header->has_origin = TRUE;
    return parse_vector(words + 1, &header->grid.origin) ||
           debye_field_expected(&header->lines, error, "“origin” and three numbers");
  }
  if (strcmp(words[0], "delta") == 0) {
    if (header->n_deltas == 3)
      return debye_field_expected(&header->lines, error, "three “delta” lines and not a fourth");
    return parse_vector(words + 1, &header->grid.step[header->n_deltas++]) ||
           debye_field_expected(&header->lines, error, "“delta” and three numbers");
  }
  return strcmp(words[0], "attribute") == 0 || strcmp(words[0], "component") == 0 ||
         debye_field_expected(&header->lines, error, "a line of an OpenDX header");
}

static gboolean
read_header(DxHeader *header, DebyeInput *input, GError **error)
{
  debye_line_reader_init(&header->lines, input, 0, 1);
  while (!header->has_data && debye_line_reader_next(&header->lines, error))
    if (!parse_header_line(header, error))
      return FALSE;
  if (header->lines.has_failed)
    return FALSE;
  const char *missing = !header->has_data      ? N_("an array whose “data follows”")
                        : !header->has_shape   ? N_("“gridpositions” with its counts before the data")
                        : !header->has_origin  ? N_("an “origin” before the data")
                        : header->n_deltas < 3 ? N_("three “delta” lines before the data")
                                               : NULL;
  if (missing == NULL)
    return TRUE;
  return debye_input_set_error(input, error, header->has_data ? DEBYE_ERROR_SYNTAX : DEBYE_ERROR_TRUNCATED,
                               "expected %s, found none", missing);
}

/* What follows the values: the name of the field; anything else is of no use here. */
static gboolean
read_trailer(DxHeader *header, DebyeValueScanner *scanner, gboolean *more_values, GError **error)
{
  double ignored;
  debye_line_reader_clear(&header->lines);
  debye_line_reader_init(&header->lines, scanner->input, debye_value_scanner_get_offset(scanner),
                         scanner->line);
  while (debye_line_reader_next(&header->lines, error)) {
    g_auto(GStrv) words = split_words(header->lines.text);
    if (words[0] == NULL)
      continue;
    *more_values |= debye_text_to_double(words[0], strlen(words[0]), &ignored);
    if (strcmp(words[0], "object") == 0 && words[1] != NULL &&
        g_strcmp0(word_after(words, "class"), "field") == 0 && strcmp(words[1], APBS_NAME) != 0) {
      g_free(header->name);
      header->name = g_utf8_make_valid(words[1], -1);
    }
  }
  return !header->lines.has_failed;
}

DebyeField *
debye_field_read_dx(DebyeInput *input, GError **error)
{
  g_auto(DxHeader) header = {.n_items = -1};
  g_auto(DebyeValueScanner) scanner = {0};
  gboolean more_values = FALSE;
  if (!read_header(&header, input, error))
    return NULL;
  /* A digit and a blank are the least that a value takes. */
  g_autofree float *values = debye_field_allocate(input, header.shape, 2, error);
  if (values == NULL)
    return NULL;
  for (int axis = 0; axis < 3; axis++)
    header.grid.shape[axis] = (gsize)header.shape[axis];
  gsize n = debye_grid_n_points(&header.grid);
  if (header.n_items >= 0 && (gsize)header.n_items != n)
    return debye_null(debye_line_reader_set_error(
        &header.lines, error, DEBYE_ERROR_MISMATCH,
        "expected %" G_GSIZE_FORMAT " items, one per point, found %" G_GINT64_FORMAT, n, header.n_items));
  debye_value_scanner_init(&scanner, input, header.lines.next_offset, header.lines.next_number);
  if (!debye_field_order_read(&scanner, header.grid.shape, 1, values, error) ||
      !read_trailer(&header, &scanner, &more_values, error))
    return NULL;
  DebyeField *field =
      debye_field_finish(input, header.name, &header.grid, g_steal_pointer(&values), header.unit, error);
  if (field != NULL)
    debye_field_set_medium(field, header.medium);
  if (field != NULL && more_values)
    debye_field_warn(field, "%s: more than the expected %" G_GSIZE_FORMAT " values: the others are not used",
                     debye_input_get_name(input), n);
  return field;
}

static void
put_vector(DebyeTextWriter *writer, const char *key, DebyeVec3 vector)
{
  const double numbers[3] = {vector.x, vector.y, vector.z};
  debye_text_writer_put_string(writer, key);
  for (int i = 0; i < 3; i++) {
    debye_text_writer_put_string(writer, " ");
    debye_text_writer_put_double(writer, numbers[i]);
  }
  debye_text_writer_put_string(writer, "\n");
}

static void
put_counts(DebyeTextWriter *writer, const char *line, const gsize shape[3])
{
  debye_text_writer_put_string(writer, line);
  for (int axis = 0; axis < 3; axis++) {
    debye_text_writer_put_string(writer, " ");
    debye_text_writer_put_size(writer, shape[axis]);
  }
  debye_text_writer_put_string(writer, "\n");
}

static void
put_header(DebyeTextWriter *writer, DebyeField *field)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  debye_text_writer_put_string(writer, "# Debye ");
  debye_text_writer_put_string(writer, debye_provenance_get_version());
  debye_text_writer_put_string(writer, "; lengths in Å, z fastest\n");
  if (*debye_field_get_unit(field) != '\0') {
    debye_text_writer_put_string(writer, UNIT_COMMENT " ");
    debye_text_writer_put_one_line(writer, debye_field_get_unit(field));
    debye_text_writer_put_string(writer, "\n");
  }
  if (debye_field_get_medium(field) != NULL) {
    debye_text_writer_put_string(writer, MEDIUM_COMMENT " ");
    debye_text_writer_put_one_line(writer, debye_field_get_medium(field));
    debye_text_writer_put_string(writer, "\n");
  }
  put_counts(writer, "object 1 class gridpositions counts", grid->shape);
  put_vector(writer, "origin", grid->origin);
  for (int axis = 0; axis < 3; axis++)
    put_vector(writer, "delta", grid->step[axis]);
  put_counts(writer, "object 2 class gridconnections counts", grid->shape);
  debye_text_writer_put_string(writer, "object 3 class array type double rank 0 items ");
  debye_text_writer_put_size(writer, debye_grid_n_points(grid));
  debye_text_writer_put_string(writer, " data follows\n");
}

static void
put_trailer(DebyeTextWriter *writer, DebyeField *field)
{
  g_autofree char *name = g_strdelimit(g_strdup(debye_field_get_name(field)), "\"", '\'');
  debye_text_writer_put_string(writer, "attribute \"dep\" string \"positions\"\nobject \"");
  debye_text_writer_put_one_line(writer, name);
  debye_text_writer_put_string(writer, "\" class field\ncomponent \"positions\" value 1\n"
                                       "component \"connections\" value 2\ncomponent \"data\" value 3\n");
}

gboolean
debye_field_save_dx(DebyeField *self, GOutputStream *stream, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(stream);
  const gsize *shape = debye_field_get_grid(self)->shape;
  gsize plane = shape[1] * shape[2], n = shape[0] * plane, done = 0;
  g_autofree float *slab = g_new(float, MIN(shape[0], DEBYE_SLAB_PLANES) * plane);
  put_header(writer, self);
  for (gsize first = 0; first < shape[0] && !debye_text_writer_failed(writer); first += DEBYE_SLAB_PLANES) {
    gsize n_planes = MIN(shape[0] - first, DEBYE_SLAB_PLANES);
    debye_field_order_get_slab(debye_field_get_values(self), shape, first, n_planes, slab);
    for (gsize i = 0; i < n_planes * plane; i++) {
      debye_text_writer_put_float(writer, slab[i]);
      done++;
      debye_text_writer_put(writer, done % 3 == 0 || done == n ? "\n" : " ", 1);
    }
  }
  put_trailer(writer, self);
  return debye_text_writer_finish(writer, error);
}

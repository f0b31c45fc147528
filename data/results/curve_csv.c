/* SPDX-License-Identifier: MIT */
/* A measured curve from a text file; called by curve_load.c. Instruments and programs agree on little: separators,
 * comments, headers and names of columns differ, so the first row of numbers decides how the rest is read. */
#include "curve_private.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/files/text_fields.h"

#define MAX_COLUMNS 64

typedef struct {
  DebyeTextField fields[MAX_COLUMNS];
  gsize n;
} Row;

/* Which columns are read; −1: none. Where x comes from two columns it is their mean: the edges of a bin. */
typedef struct {
  int x, x_high, y, error, resolution;
} Columns;

typedef struct {
  char separator; /* ',', ';' or ' ': any blanks */
  gboolean decimal_comma;
  gsize n_columns;
  Columns columns;
  GPtrArray *names;                /* char *, as many as columns; or NULL */
  GHashTable *units;               /* column's name → unit, from the comments of a file of this program */
  const DebyeCurveColumns *wanted; /* NULL: found */
  DebyeCurvePoints points;
  GRegex *unit_pattern;
  char *mentioned_unit; /* of q, in the text around the rows; "": several */
  gsize n_gaps;
  char decimal_sign; /* of the numbers so far; 0: none had one */
  gboolean is_decimal_comma_sure;
  char *doubtful; /* the first number that "1,234" may be a thousand of, quoted; or NULL */
  guint64 doubtful_line;
} CurveReader;

static void
curve_reader_clear(CurveReader *reader)
{
  g_clear_pointer(&reader->names, g_ptr_array_unref);
  g_clear_pointer(&reader->units, g_hash_table_unref);
  debye_curve_points_clear(&reader->points);
  g_free(reader->mentioned_unit);
  g_regex_unref(reader->unit_pattern);
  g_free(reader->doubtful);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CurveReader, curve_reader_clear)

/* --- Lines --- */

static DebyeTextField
trim(const char *text, gsize length)
{
  return debye_text_columns(text, length, 0, length);
}

static gboolean
is_comment(DebyeTextField line)
{
  return line.length > 0 && (strchr("#%!", line.text[0]) != NULL ||
                             (line.length > 1 && line.text[0] == '/' && line.text[1] == '/'));
}

static void
split(DebyeTextField line, char separator, Row *row)
{
  row->n = 0;
  if (separator == ' ') {
    row->n = debye_text_split(line.text, line.length, row->fields, MAX_COLUMNS);
    return;
  }
  const char *end = line.text + line.length, *at = line.text;
  while (at <= end && row->n < MAX_COLUMNS) {
    const char *stop = memchr(at, separator, (gsize)(end - at));
    stop = stop != NULL ? stop : end;
    row->fields[row->n++] = trim(at, (gsize)(stop - at));
    at = stop + 1;
  }
  /* A separator at the end of a line begins no column. */
  if (row->n > 1 && row->fields[row->n - 1].length == 0)
    row->n--;
}

static gboolean
to_number(const CurveReader *reader, DebyeTextField field, double *value)
{
  char copy[64];
  if (!reader->decimal_comma || field.length >= sizeof copy || memchr(field.text, ',', field.length) == NULL)
    return debye_text_to_double(field.text, field.length, value);
  memcpy(copy, field.text, field.length);
  *(char *)memchr(copy, ',', field.length) = '.';
  return debye_text_to_double(copy, field.length, value);
}

static gboolean
all_numbers(const CurveReader *reader, const Row *row)
{
  double value;
  for (gsize i = 0; i < row->n; i++)
    if (!to_number(reader, row->fields[i], &value))
      return FALSE;
  return row->n >= 2;
}

/* A comma between digits is a decimal one wherever it doesn't split the columns. */
static gboolean
recognise(CurveReader *reader, DebyeTextField line, Row *row)
{
  static const char separators[] = {';', ',', ' '};
  for (gsize i = 0; i < sizeof separators; i++) {
    if (separators[i] != ' ' && memchr(line.text, separators[i], line.length) == NULL)
      continue;
    reader->separator = separators[i];
    reader->decimal_comma = separators[i] != ',';
    split(line, separators[i], row);
    if (all_numbers(reader, row))
      return TRUE;
  }
  return FALSE;
}

/* --- Names of columns --- */

static char *
unquote(DebyeTextField field)
{
  char *text = g_utf8_make_valid(field.text, (gssize)field.length);
  gsize length = strlen(text);
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
    memmove(text, text + 1, length - 2);
    text[length - 2] = '\0';
  }
  return g_strstrip(text);
}

/* The header's last line, where it splits into as many words as there are columns. A unit in brackets may
 * stand apart from its name by a blank. */
static void
read_names(CurveReader *reader, const char *header)
{
  if (header == NULL)
    return;
  g_autoptr(GRegex) apart = g_regex_new("\\s+(?=[\\(\\[])", 0, 0, NULL);
  g_autofree char *joined = reader->separator == ' '
                                ? g_regex_replace_literal(apart, header, -1, 0, "", 0, NULL)
                                : g_strdup(header);
  Row row;
  split(trim(joined, strlen(joined)), reader->separator, &row);
  if (row.n != reader->n_columns)
    return;
  reader->names = g_ptr_array_new_with_free_func(g_free);
  for (gsize i = 0; i < row.n; i++)
    g_ptr_array_add(reader->names, unquote(row.fields[i]));
}

/* "# unit of q: Å⁻¹", as this program writes it. */
static void
read_unit_comment(CurveReader *reader, DebyeTextField line)
{
  g_autofree char *text = g_utf8_make_valid(line.text, (gssize)line.length);
  char *colon = strstr(text, ": ");
  if (!g_str_has_prefix(text, "# unit of ") || colon == NULL)
    return;
  *colon = '\0';
  g_hash_table_insert(reader->units, g_strdup(text + strlen("# unit of ")), g_strdup(colon + 2));
}

/* Programs that give their columns no units say somewhere above or below which they are: "q in nm^-1". */
static void
note_mentioned_unit(CurveReader *reader, DebyeTextField line)
{
  g_autoptr(GMatchInfo) match = NULL;
  g_autofree char *text = g_utf8_make_valid(line.text, (gssize)line.length);
  for (g_regex_match(reader->unit_pattern, text, 0, &match); g_match_info_matches(match);
       g_match_info_next(match, NULL)) {
    g_autofree char *found = g_match_info_fetch(match, 0);
    const char *unit = strcasestr(found, "nm") != NULL ? "nm⁻¹" : "Å⁻¹";
    if (reader->mentioned_unit != NULL && strcmp(reader->mentioned_unit, unit) != 0)
      unit = "";
    g_free(reader->mentioned_unit);
    reader->mentioned_unit = g_strdup(unit);
  }
}

static int
find_name(const CurveReader *reader, const char *name)
{
  for (guint i = 0; reader->names != NULL && i < reader->names->len; i++)
    if (strcmp(reader->names->pdata[i], name) == 0)
      return (int)i;
  return -1;
}

/* A column is called so by the instruments of neutrons and by NXcanSAS. */
static int
find_resolution(const CurveReader *reader)
{
  static const char *const known[] = {"dq",     "qdev",         "sigmaq",  "sigma_q", "sigq", "q_error",
                                      "qerror", "q_resolution", "q_sigma", "dqw",     NULL};
  for (guint i = 2; reader->names != NULL && i < reader->names->len; i++) {
    g_autofree char *name = g_ascii_strdown(reader->names->pdata[i], -1);
    name[strcspn(name, "([")] = '\0';
    if (g_strv_contains(known, g_strstrip(name)))
      return (int)i;
  }
  return -1;
}

/* A person counts from 1. */
static gboolean
take_wanted(CurveReader *reader, const DebyeLineReader *lines, GError **error)
{
  const DebyeCurveColumns *wanted = reader->wanted;
  const int last = MAX(MAX(wanted->x, wanted->y), MAX(wanted->error, wanted->resolution));
  reader->columns = (Columns){wanted->x - 1, -1, wanted->y - 1, wanted->error - 1, wanted->resolution - 1};
  if ((gsize)last <= reader->n_columns)
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_VALUE,
                                     "expected the requested column %d, found %" G_GSIZE_FORMAT, last,
                                     reader->n_columns);
}

/* By place; a file of this program by name: the first column that has a NAME_error, over x or the middle of
 * x_low and x_high. */
static void
choose_columns(CurveReader *reader)
{
  Columns *columns = &reader->columns;
  const int resolution = find_resolution(reader);
  *columns = (Columns){0, -1, 1, reader->n_columns > 2 && resolution != 2 ? 2 : -1, resolution};
  for (guint i = 0; reader->names != NULL && i < reader->names->len; i++) {
    g_autofree char *error_name = g_strconcat(reader->names->pdata[i], "_error", NULL);
    int error = find_name(reader, error_name);
    if (error < 0 || error == resolution)
      continue;
    *columns = (Columns){0, -1, (int)i, error, resolution};
    break;
  }
  const char *first = reader->names != NULL ? reader->names->pdata[0] : "";
  if (g_str_has_suffix(first, "_low")) {
    g_autofree char *stem = g_strndup(first, strlen(first) - strlen("_low"));
    g_autofree char *high = g_strconcat(stem, "_high", NULL);
    columns->x_high = find_name(reader, high);
  }
}

/* "q (1/nm)" and "q[1/nm]" into a name and a unit. */
static void
read_quantity(const CurveReader *reader, int column, const char *otherwise, DebyeQuantity *quantity)
{
  g_autofree char *name = g_strdup(reader->names != NULL ? reader->names->pdata[column] : otherwise);
  const char *known = g_hash_table_lookup(reader->units, name);
  g_autofree char *unit = g_strdup(known);
  char *open = strpbrk(name, "([");
  gsize length = strlen(name);
  /* "I(q)" is a name, "q(1/A)" one with a unit. */
  if (unit == NULL && open != NULL && open > name && strchr(")]", name[length - 1]) != NULL) {
    g_autofree char *inside = g_strndup(open + 1, length - (gsize)(open - name) - 2);
    g_autofree char *canonical = debye_unit_canonical(inside);
    if (*open == '[' || debye_unit_is_known(canonical)) {
      unit = g_steal_pointer(&canonical);
      *open = '\0';
      g_strstrip(name);
    }
  }
  if (g_str_has_suffix(name, "_low"))
    name[strlen(name) - strlen("_low")] = '\0';
  debye_quantity_copy(&(DebyeQuantity){name, NULL, unit}, quantity);
}

/* --- Rows --- */

static gboolean
begin(CurveReader *reader, const DebyeLineReader *lines, const Row *row, const char *header, GError **error)
{
  reader->n_columns = row->n;
  read_names(reader, header);
  if (reader->wanted != NULL)
    return take_wanted(reader, lines, error);
  choose_columns(reader);
  return TRUE;
}

/* "1,234", and not "0,234" or "1,23". */
static gboolean
looks_like_thousands(DebyeTextField field, const char *comma)
{
  const char *begin = field.text + (field.length > 0 && strchr("+-", *field.text) != NULL);
  gsize before = (gsize)(comma - begin), behind = (gsize)(field.text + field.length - comma) - 1;
  for (gsize i = 1; i <= behind; i++)
    if (!g_ascii_isdigit(comma[i]))
      return FALSE;
  return behind == 3 && before >= 1 && before <= 3 && *begin != '0';
}

/* Decimal signs are all the same: where some are points, a comma is none. */
static gboolean
check_decimal_sign(CurveReader *reader, const DebyeLineReader *lines, DebyeTextField field, GError **error)
{
  const char *comma = memchr(field.text, ',', field.length), *point = memchr(field.text, '.', field.length);
  char sign = comma != NULL ? ',' : point != NULL ? '.' : '\0';
  if (sign != '\0' && reader->decimal_sign != '\0' && sign != reader->decimal_sign) {
    g_autofree char *found = debye_text_quote(field);
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected the decimal sign “%c” as before, found %s",
                                       reader->decimal_sign, found);
  }
  reader->decimal_sign = sign != '\0' ? sign : reader->decimal_sign;
  if (comma == NULL)
    return TRUE;
  if (!looks_like_thousands(field, comma)) {
    reader->is_decimal_comma_sure = TRUE;
  } else if (reader->doubtful == NULL) {
    reader->doubtful = debye_text_quote(field);
    reader->doubtful_line = lines->number;
  }
  return TRUE;
}

static gboolean
require(CurveReader *reader, const DebyeLineReader *lines, DebyeTextField field, const char *what,
        double *value, GError **error)
{
  if (to_number(reader, field, value))
    return check_decimal_sign(reader, lines, field, error);
  g_autofree char *found = debye_text_quote(field);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected a number for %s, found %s",
                                     what, found);
}

static gboolean
add_row(CurveReader *reader, const DebyeLineReader *lines, const Row *row, GError **error)
{
  const Columns *columns = &reader->columns;
  double x, x_high, y, deviation = NAN, width = NAN;
  if (row->n != reader->n_columns)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected %" G_GSIZE_FORMAT
                                       " columns as in the first row, found %" G_GSIZE_FORMAT,
                                       reader->n_columns, row->n);
  if (!require(reader, lines, row->fields[columns->x], "x", &x, error) ||
      !require(reader, lines, row->fields[columns->y], "y", &y, error) ||
      (columns->x_high >= 0 &&
       !require(reader, lines, row->fields[columns->x_high], "the end of the bin", &x_high, error)) ||
      (columns->error >= 0 &&
       !require(reader, lines, row->fields[columns->error], "the error", &deviation, error)) ||
      (columns->resolution >= 0 &&
       !require(reader, lines, row->fields[columns->resolution], "the resolution", &width, error)))
    return FALSE;
  if (columns->x_high >= 0)
    x = 0.5 * (x + x_high);
  if (!isfinite(x))
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_VALUE, "expected a finite x, found %g", x);
  reader->n_gaps += !isfinite(y);
  debye_curve_points_add(&reader->points, x, y, deviation, width);
  return TRUE;
}

/* "creator: RAW", as programs add it below the rows. */
static gboolean
is_remark(DebyeTextField line)
{
  const char *colon = memchr(line.text, ':', line.length);
  return colon != NULL && (g_ascii_isalpha(*line.text) || *line.text == '"');
}

static gboolean
read_line(CurveReader *reader, const DebyeLineReader *lines, char **header, GError **error)
{
  Row row;
  DebyeTextField line = trim(lines->text, lines->length);
  if (line.length == 0)
    return TRUE;
  if (is_comment(line)) {
    read_unit_comment(reader, line);
    line = trim(line.text + 1, line.length - 1);
    note_mentioned_unit(reader, line);
  } else if (reader->n_columns > 0 && is_remark(line)) {
    note_mentioned_unit(reader, line);
  } else if (reader->n_columns > 0) {
    split(line, reader->separator, &row);
    return add_row(reader, lines, &row, error);
  } else if (recognise(reader, line, &row)) {
    return begin(reader, lines, &row, *header, error) && add_row(reader, lines, &row, error);
  } else {
    note_mentioned_unit(reader, line);
  }
  if (reader->n_columns == 0) {
    g_free(*header);
    *header = g_utf8_make_valid(line.text, (gssize)line.length);
  }
  return TRUE;
}

/* Whatever the comma means, some number of a whole file shows it; where none does, nobody is to guess. */
static gboolean
check_commas(const CurveReader *reader, const DebyeInput *input, GError **error)
{
  if (reader->doubtful == NULL || reader->is_decimal_comma_sure)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                               "line %" G_GUINT64_FORMAT ": expected commas that can only be decimal marks, "
                               "found %s, where the comma may also separate thousands",
                               reader->doubtful_line, reader->doubtful);
}

static gboolean
read_lines(CurveReader *reader, DebyeInput *input, GError **error)
{
  g_autofree char *header = NULL;
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  while (debye_line_reader_next(&lines, error))
    if (!read_line(reader, &lines, &header, error))
      return FALSE;
  if (lines.has_failed)
    return FALSE;
  if (reader->points.x->len > 0)
    return check_commas(reader, input, error);
  return debye_input_set_error(
      input, error, DEBYE_ERROR_UNKNOWN,
      "expected rows of two or more numbers (x, y and perhaps the error of y), found none");
}

static DebyeCurve *
make_curve(const CurveReader *reader, DebyeInput *input)
{
  DebyeQuantity x, y;
  const Columns *columns = &reader->columns;
  read_quantity(reader, columns->x, "x", &x);
  read_quantity(reader, columns->y, "y", &y);
  if (*x.unit == '\0' && reader->mentioned_unit != NULL) {
    g_free((char *)x.unit);
    x.unit = g_strdup(reader->mentioned_unit);
  }
  g_autofree char *name = debye_curve_make_name(input);
  const DebyeCurvePoints *points = &reader->points;
  DebyeCurve *curve =
      debye_curve_new(name, &x, &y, DEBYE_CURVE_MARKERS, points->x->len, (double *)points->x->data,
                      (double *)points->y->data, columns->error >= 0 ? (double *)points->errors->data : NULL);
  if (columns->resolution >= 0)
    debye_array_set_resolution(curve, (const double *)(gconstpointer)points->resolution->data);
  debye_quantity_clear(&x);
  debye_quantity_clear(&y);
  return curve;
}

static void
add_warnings(const CurveReader *reader, DebyeInput *input, DebyeCurve *curve)
{
  const Columns *columns = &reader->columns;
  gsize n_used = 2 + (columns->x_high >= 0) + (columns->error >= 0) + (columns->resolution >= 0);
  if (reader->n_columns > n_used)
    debye_array_warn(
        curve, "%s: column %d was read over column %d; %" G_GSIZE_FORMAT " further columns are left out",
        debye_input_get_name(input), columns->y + 1, columns->x + 1, reader->n_columns - n_used);
  if (reader->n_gaps > 0)
    debye_array_warn(curve, "%s: %" G_GSIZE_FORMAT " of %u values are not finite numbers",
                     debye_input_get_name(input), reader->n_gaps, reader->points.x->len);
}

DebyeCurve *
debye_curve_read_text(DebyeInput *input, const DebyeCurveColumns *columns, GError **error)
{
  g_auto(CurveReader) reader = {
      .wanted = columns,
      .unit_pattern =
          g_regex_new("\\b1/(nm|A|Å|[Aa]ng)|\\bnm(\\^?\\{?-1|⁻¹)|(\\bA|Å|\\b[Aa]ng(strom)?)(\\^\\{?-1|⁻¹)",
                      G_REGEX_OPTIMIZE, 0, NULL),
      .units = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
  };
  debye_curve_points_init(&reader.points);
  if (!read_lines(&reader, input, error))
    return NULL;
  DebyeCurve *curve = make_curve(&reader, input);
  add_warnings(&reader, input, curve);
  return curve;
}

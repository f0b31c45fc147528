/* SPDX-License-Identifier: MIT */
/* Implementation of color_map_file.h; called for the option --color-map. */
#include "color_map_file.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "data/files/error.h"

#define MAX_BYTES 262144
#define MAX_ROWS 4096
#define MAX_SHOWN 40 /* bytes of a line in a message */
/* Of what becomes of it: a screen shows no more. */
#define N_STOPS 256

typedef struct {
  double at, rgb[3];
} Row;

typedef struct {
  GArray *rows; /* Row */
  guint n_columns;
  gboolean is_wide; /* numbers up to 255 */
} Table;

/* TRUE with `row` filled; or FALSE, where the words are none. */
static gboolean
read_hexadecimal(const char *line, Row *row)
{
  const char *digits = *line == '#' ? line + 1 : line;
  if (strspn(digits, "0123456789abcdefABCDEF") != 6 || digits[6] != '\0')
    return FALSE;
  guint64 color = g_ascii_strtoull(digits, NULL, 16);
  for (int c = 0; c < 3; c++)
    row->rgb[c] = (double)(color >> (16 - 8 * c) & 0xff) / 255.0;
  return TRUE;
}

/* How many numbers the line has, of which the first four are kept; 0 where it has anything else. */
static guint
read_numbers(char *line, double numbers[4])
{
  guint n = 0;
  g_auto(GStrv) words = g_strsplit(g_strdelimit(line, ",;\t", ' '), " ", -1);
  for (guint i = 0; words[i] != NULL; i++) {
    char *end;
    if (*words[i] == '\0')
      continue;
    double value = g_ascii_strtod(words[i], &end);
    if (*end != '\0' || !isfinite(value))
      return 0;
    if (n < 4)
      numbers[n] = value;
    n++;
  }
  return n;
}

/* FALSE: it is no row of this table. */
static gboolean
read_row(Table *table, char *line)
{
  double numbers[4];
  Row row = {.at = table->rows->len};
  guint n_columns = read_hexadecimal(line, &row) ? 1 : read_numbers(line, numbers);
  if ((n_columns != 1 && n_columns != 3 && n_columns != 4) ||
      (table->rows->len > 0 && n_columns != table->n_columns))
    return FALSE;
  if (n_columns == 4)
    row.at = numbers[0];
  for (int c = 0; c < 3 && n_columns > 1; c++) {
    row.rgb[c] = numbers[n_columns - 3 + c];
    if (!(row.rgb[c] >= 0.0 && row.rgb[c] <= 255.0))
      return FALSE;
    table->is_wide |= row.rgb[c] > 1.0;
  }
  if (table->rows->len > 0 && !(row.at > g_array_index(table->rows, Row, table->rows->len - 1).at))
    return FALSE;
  table->n_columns = n_columns;
  g_array_append_val(table->rows, row);
  return TRUE;
}

static gboolean
is_comment(const char *line)
{
  Row row;
  return *line == '\0' || (*line == '#' && !read_hexadecimal(line, &row));
}

static gboolean
read_rows(Table *table, char **lines, GError **error)
{
  for (guint i = 0; lines[i] != NULL; i++) {
    char *line = g_strstrip(lines[i]);
    g_autofree char *shown = g_strndup(line, MAX_SHOWN);
    if (is_comment(line))
      continue;
    if (table->rows->len == MAX_ROWS || !read_row(table, line)) {
      debye_error_set(error, DEBYE_ERROR_VALUE,
                      "line %u: expected a row of red, green and blue as before, from 0 to 1 or to 255, at "
                      "most %d rows, found “%s”",
                      i + 1, MAX_ROWS, shown);
      return FALSE;
    }
  }
  if (table->rows->len < 2) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "expected two or more rows of red, green and blue, found %u",
                    table->rows->len);
    return FALSE;
  }
  return TRUE;
}

static void
append_color(GString *text, const Table *table, double at)
{
  guint below = 0;
  while (below + 2 < table->rows->len && g_array_index(table->rows, Row, below + 1).at <= at)
    below++;
  const Row *low = &g_array_index(table->rows, Row, below), *high = low + 1;
  double weight = CLAMP((at - low->at) / (high->at - low->at), 0.0, 1.0), most = table->is_wide ? 1.0 : 255.0;
  for (int c = 0; c < 3; c++) {
    double value = low->rgb[c] + weight * (high->rgb[c] - low->rgb[c]);
    g_string_append_printf(text, "%s%02x", c == 0 && text->len > 0 ? " " : "",
                           (guint)(CLAMP(value * most, 0.0, 255.0) + 0.5));
  }
}

/* Evenly spaced rows stay as they are. */
static char *
to_text(const Table *table)
{
  GString *text = g_string_new(NULL);
  const double first = g_array_index(table->rows, Row, 0).at,
               last = g_array_index(table->rows, Row, table->rows->len - 1).at;
  guint n = table->n_columns == 4 ? N_STOPS : MIN(table->rows->len, N_STOPS);
  for (guint i = 0; i < n; i++)
    append_color(text, table, first + (last - first) * i / (n - 1));
  return g_string_free(text, FALSE);
}

char *
debye_color_map_read(const char *path, GError **error)
{
  GStatBuf status;
  g_autofree char *content = NULL;
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
  Table table = {.rows = rows};
  if (g_stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MAX_BYTES) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected a file of colours of at most %d bytes", path,
                    MAX_BYTES);
    return NULL;
  }
  if (!g_file_get_contents(path, &content, NULL, error))
    return NULL;
  g_auto(GStrv) lines = g_strsplit(content, "\n", -1);
  if (!read_rows(&table, lines, error)) {
    debye_error_prefix(error, "%s: ", path);
    return NULL;
  }
  return to_text(&table);
}

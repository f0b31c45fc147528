/* SPDX-License-Identifier: MIT */
/* Reads a colour map from a text file, for --color-map and the rows of layers. */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "color_map.h"
#include "data/files/error.h"

#define MAX_BYTES (1 << 20)
#define MAX_ROWS 4096
#define MAX_COLUMNS 4

/* A row of the file. */
typedef struct {
  double position, rgb[3];
} Row;

typedef struct {
  const char *name; /* of the file */
  GArray *rows;     /* Row */
  gsize n_columns;  /* 3 or 4, as the first row has; 0: none yet */
  double largest;   /* of all colours */
} Table;

/* TRUE with all numbers of a line; an error says where it stands. */
static gboolean
parse_numbers(const Table *table, guint line, const char *text, double numbers[MAX_COLUMNS], gsize *n_numbers,
              GError **error)
{
  const char *at = text + strspn(text, " \t,");
  for (*n_numbers = 0; *at != '\0'; at += strspn(at, " \t,")) {
    char *end = NULL;
    const double number = g_ascii_strtod(at, &end);
    if (end == at || !isfinite(number) || *n_numbers == MAX_COLUMNS)
      return debye_error_set_of_file(
          error, DEBYE_ERROR_VALUE, table->name,
          "line %u: expected three colours r g b, or a position and three colours, found “%s”", line, text);
    numbers[(*n_numbers)++] = number;
    at = end;
  }
  return TRUE;
}

static gboolean
check_row(const Table *table, guint line, const Row *row, GError **error)
{
  const Row *before = table->rows->len > 0 ? &g_array_index(table->rows, Row, table->rows->len - 1) : NULL;
  for (int k = 0; k < 3; k++)
    if (!(row->rgb[k] >= 0.0 && row->rgb[k] <= 255.0))
      return debye_error_set_of_file(error, DEBYE_ERROR_VALUE, table->name,
                                     "line %u: expected colours from 0 to 1 or from 0 to 255, found %g", line,
                                     row->rgb[k]);
  if (before && !(row->position > before->position))
    return debye_error_set_of_file(error, DEBYE_ERROR_VALUE, table->name,
                                   "line %u: expected ascending positions, found %g after %g", line,
                                   row->position, before->position);
  return TRUE;
}

static gboolean
add_line(Table *table, guint line, char *text, GError **error)
{
  double numbers[MAX_COLUMNS];
  gsize n_numbers;
  text[strcspn(text, "#")] = '\0';
  g_strstrip(text);
  if (!parse_numbers(table, line, text, numbers, &n_numbers, error))
    return FALSE;
  if (n_numbers == 0)
    return TRUE;
  if (n_numbers < 3 || (table->n_columns > 0 && n_numbers != table->n_columns) ||
      table->rows->len == MAX_ROWS)
    return debye_error_set_of_file(error, DEBYE_ERROR_VALUE, table->name,
                                   "line %u: expected at most %d rows of 3 or of 4 numbers, found “%s”", line,
                                   MAX_ROWS, text);
  table->n_columns = n_numbers;
  Row row = {.position = n_numbers == 4 ? numbers[0] : (double)table->rows->len};
  memcpy(row.rgb, numbers + n_numbers - 3, sizeof row.rgb);
  if (!check_row(table, line, &row, error))
    return FALSE;
  for (int k = 0; k < 3; k++)
    table->largest = fmax(table->largest, row.rgb[k]);
  g_array_append_val(table->rows, row);
  return TRUE;
}

/* The colour at a position, 0xRRGGBB; `*below` is a row at or before it, and moves on. */
static guint32
color_at(const Table *table, double position, guint *below)
{
  const double scale = table->largest > 1.0 ? 1.0 : 255.0;
  while (*below + 2 < table->rows->len && g_array_index(table->rows, Row, *below + 1).position <= position)
    (*below)++;
  const Row *low = &g_array_index(table->rows, Row, *below), *high = low + 1;
  const double weight = CLAMP((position - low->position) / (high->position - low->position), 0.0, 1.0);
  guint32 color = 0;
  for (int k = 0; k < 3; k++)
    color = color << 8 | (guint32)lround(scale * (low->rgb[k] + weight * (high->rgb[k] - low->rgb[k])));
  return color;
}

/* Evenly spaced: rows without positions are kept as they are, as far as there is room. */
static char *
to_text(const Table *table, const char *path)
{
  const gboolean as_is = table->n_columns == 3 && table->rows->len <= DEBYE_COLOR_MAP_STOPS;
  const guint n_stops = as_is ? table->rows->len : DEBYE_COLOR_MAP_STOPS;
  const double first = g_array_index(table->rows, Row, 0).position,
               last = g_array_index(table->rows, Row, table->rows->len - 1).position;
  g_autofree char *base = g_path_get_basename(path);
  g_autofree char *name = g_utf8_make_valid(base, -1);
  GString *text = g_string_new(g_strdelimit(name, ":\n", '_'));
  guint below = 0;
  g_string_append_c(text, ':');
  for (guint i = 0; i < n_stops; i++)
    g_string_append_printf(text, " %06x",
                           color_at(table, first + (last - first) * i / (double)(n_stops - 1), &below));
  return g_string_free(text, FALSE);
}

static char *
read_bounded(const char *path, const char *name, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) stream = g_file_read(file, NULL, error);
  g_autofree char *content = g_malloc(MAX_BYTES + 1);
  gsize n_read = 0;
  if (!stream || !g_input_stream_read_all(G_INPUT_STREAM(stream), content, MAX_BYTES, &n_read, NULL, error))
    return NULL;
  content[n_read] = '\0';
  if (n_read < MAX_BYTES && memchr(content, '\0', n_read) == NULL && g_utf8_validate(content, -1, NULL))
    return g_steal_pointer(&content);
  debye_error_set_of_file(error, DEBYE_ERROR_VALUE, name,
                          "expected a colour map as a text of less than 1 MiB");
  return NULL;
}

const DebyeColorMap *
debye_color_map_load(const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *content = read_bounded(path, name, error);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
  Table table = {.name = name, .rows = rows};
  if (!content)
    return NULL;
  g_auto(GStrv) lines = g_strsplit(content, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (!add_line(&table, i + 1, lines[i], error))
      return NULL;
  if (rows->len < 2)
    return debye_null(debye_error_set_of_file(error, DEBYE_ERROR_VALUE, name,
                                              "expected at least two rows of colours, found %u", rows->len));
  g_autofree char *text = to_text(&table, path);
  return debye_color_map_parse(text);
}

/* SPDX-License-Identifier: MIT */
/* Tables and maps as CSV: comments that tell how it was made, the columns' names, full precision. */
#include "table.h"

#include <math.h>
#include <string.h>

#include "data/files/float_text.h"
#include "data/files/text_writer.h"
#include "field.h"

/* Coordinates of maps repeat from row to row: a number is made into text again only when it is another one. */
typedef struct {
  double value;
  gsize length; /* 0: nothing yet */
  char text[DEBYE_FLOAT_TEXT_SIZE];
} CachedNumber;

/* One of texts, numbers and floats, an element a row. */
typedef struct {
  const char *const *texts;
  const double *numbers;
  const float *floats;
  CachedNumber *cache;        /* of numbers: one a row, or one for all; NULL: none */
  gboolean has_one, has_gaps; /* a gap: NAN, an empty cell */
} Column;

/* Quoted only where the separator, a quote or a line's end stands in it. */
static void
put_cell(DebyeTextWriter *writer, const char *text, char separator)
{
  const char special[] = {separator, '"', '\n', '\r', '\0'};
  if (strpbrk(text, special) == NULL) {
    debye_text_writer_put_one_line(writer, text);
    return;
  }
  g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
  g_autofree char *doubled = g_strjoinv("\"\"", parts);
  debye_text_writer_put(writer, "\"", 1);
  debye_text_writer_put_one_line(writer, doubled);
  debye_text_writer_put(writer, "\"", 1);
}

static void
put_cached(DebyeTextWriter *writer, CachedNumber *cached, double value)
{
  if (cached->length == 0 || cached->value != value) {
    cached->length = debye_double_to_text(debye_double_to_decimal(value), cached->text);
    cached->value = value;
  }
  debye_text_writer_put(writer, cached->text, cached->length);
}

static void
put_value(DebyeTextWriter *writer, const Column *column, gsize row, char separator)
{
  if (column->texts != NULL)
    put_cell(writer, column->texts[row], separator);
  else if (column->cache != NULL)
    put_cached(writer, &column->cache[column->has_one ? 0 : row], column->numbers[row]);
  else if (column->numbers == NULL)
    debye_text_writer_put_float(writer, column->floats[row]);
  else if (!column->has_gaps || !isnan(column->numbers[row]))
    debye_text_writer_put_double(writer, column->numbers[row]);
}

static void
put_rows(DebyeTextWriter *writer, const Column *columns, gsize n_columns, gsize n_rows, char separator)
{
  for (gsize row = 0; row < n_rows && !debye_text_writer_failed(writer); row++)
    for (gsize i = 0; i < n_columns; i++) {
      put_value(writer, &columns[i], row, separator);
      debye_text_writer_put(writer, i + 1 < n_columns ? &separator : "\n", 1);
    }
}

/* "# unit of q: Å⁻¹" */
static void
put_comment(DebyeTextWriter *writer, const char *key, const char *of, const char *value)
{
  debye_text_writer_put_string(writer, key);
  debye_text_writer_put_one_line(writer, of);
  debye_text_writer_put_string(writer, ": ");
  debye_text_writer_put_one_line(writer, value);
  debye_text_writer_put_string(writer, "\n");
}

static void
put_names(DebyeTextWriter *writer, const char *const *names, char separator)
{
  for (; *names != NULL; names++) {
    put_cell(writer, *names, separator);
    debye_text_writer_put(writer, names[1] != NULL ? &separator : "\n", 1);
  }
}

gboolean
debye_table_save_csv(DebyeTable *self, const char *const *header, char separator, GOutputStream *stream,
                     GError **error)
{
  g_return_val_if_fail(DEBYE_IS_TABLE(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(stream);
  gsize n = debye_table_get_n_columns(self);
  g_autofree Column *columns = g_new0(Column, n + 1);
  g_autofree const char **names = g_new0(const char *, n + 1);
  const gboolean has_gaps = strcmp(debye_table_get_name(self), DEBYE_TABLE_OF_FITS) == 0;
  debye_text_writer_put_comments(writer, header);
  for (gsize i = 0; i < n; i++) {
    const DebyeQuantity *quantity = debye_table_get_quantity(self, i);
    columns[i].texts = debye_table_get_texts(self, i);
    columns[i].numbers = debye_table_get_numbers(self, i);
    columns[i].has_gaps = has_gaps;
    names[i] = quantity->name;
    if (*quantity->unit != '\0')
      put_comment(writer, "# unit of ", quantity->name, quantity->unit);
  }
  put_names(writer, names, separator);
  put_rows(writer, columns, n, debye_table_get_n_rows(self), separator);
  return debye_text_writer_finish(writer, error);
}

/* --- Maps --- */

/* A line of points along x. */
static void
put_line(DebyeTextWriter *writer, const DebyeGrid *grid, gsize j, gsize k, Column columns[4], double *places)
{
  gsize n = grid->shape[0];
  for (gsize i = 0; i < n; i++) {
    DebyeVec3 point = debye_grid_point(grid, (double)i, (double)j, (double)k);
    places[i] = point.x;
    places[n + i] = point.y;
    places[2 * n + i] = point.z;
  }
  put_rows(writer, columns, 4, n, ',');
  columns[3].floats += n;
}

gboolean
debye_field_save_csv(DebyeField *self, const char *const *header, GOutputStream *stream, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(stream);
  const DebyeGrid *grid = debye_field_get_grid(self);
  gsize n = grid->shape[0];
  /* A name that can head a column: no commas, quotes or blanks. */
  g_autofree char *name = g_strdelimit(g_strdup(debye_field_get_name(self)), ", \t\r\n\"", '_');
  const char *const names[] = {"x", "y", "z", *name != '\0' ? name : "value", NULL};
  g_autofree CachedNumber *cache = g_new0(CachedNumber, n + 2);
  g_autofree double *places = g_new(double, 3 * n);
  Column columns[] = {{.numbers = places, .cache = cache},
                      {.numbers = places + n, .cache = cache + n, .has_one = TRUE},
                      {.numbers = places + 2 * n, .cache = cache + n + 1, .has_one = TRUE},
                      {.floats = debye_field_get_values(self)}};
  debye_text_writer_put_comments(writer, header);
  put_comment(writer, "# ", "length_unit", debye_field_get_length_unit(self));
  put_comment(writer, "# ", "unit", debye_field_get_unit(self));
  put_names(writer, names, ',');
  for (gsize k = 0; k < grid->shape[2]; k++)
    for (gsize j = 0; j < grid->shape[1] && !debye_text_writer_failed(writer); j++)
      put_line(writer, grid, j, k, columns, places);
  return debye_text_writer_finish(writer, error);
}

/* SPDX-License-Identifier: MIT */
/* A table as CSV: comments that tell how it was made, the columns' names, full precision. */
#include "table.h"

#include <math.h>
#include <string.h>

#include "data/files/text_writer.h"

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
put_comments(DebyeTextWriter *writer, DebyeTable *table, const char *const *header)
{
  debye_text_writer_put_comments(writer, header);
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++) {
    const DebyeQuantity *quantity = debye_table_get_quantity(table, i);
    if (*quantity->unit == '\0')
      continue;
    debye_text_writer_put_string(writer, "# unit of ");
    debye_text_writer_put_one_line(writer, quantity->name);
    debye_text_writer_put_string(writer, ": ");
    debye_text_writer_put_one_line(writer, quantity->unit);
    debye_text_writer_put_string(writer, "\n");
  }
}

static void
put_row(DebyeTextWriter *writer, DebyeTable *table, gsize row, char separator)
{
  gsize n_columns = debye_table_get_n_columns(table);
  const gboolean has_gaps = strcmp(debye_table_get_name(table), DEBYE_TABLE_OF_FITS) == 0;
  for (gsize i = 0; i < n_columns; i++) {
    const double *numbers = debye_table_get_numbers(table, i);
    if (i > 0)
      debye_text_writer_put(writer, &separator, 1);
    if (numbers != NULL && isnan(numbers[row]) && has_gaps)
      continue;
    if (numbers != NULL)
      debye_text_writer_put_double(writer, numbers[row]);
    else
      put_cell(writer, debye_table_get_texts(table, i)[row], separator);
  }
  debye_text_writer_put_string(writer, "\n");
}

gboolean
debye_table_save_csv(DebyeTable *self, const char *const *header, char separator, GOutputStream *stream,
                     GError **error)
{
  g_return_val_if_fail(DEBYE_IS_TABLE(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(stream);
  put_comments(writer, self, header);
  for (gsize i = 0; i < debye_table_get_n_columns(self); i++) {
    if (i > 0)
      debye_text_writer_put(writer, &separator, 1);
    put_cell(writer, debye_table_get_quantity(self, i)->name, separator);
  }
  debye_text_writer_put_string(writer, "\n");
  for (gsize row = 0; row < debye_table_get_n_rows(self) && !debye_text_writer_failed(writer); row++)
    put_row(writer, self, row, separator);
  return debye_text_writer_finish(writer, error);
}

/* SPDX-License-Identifier: MIT */
/* Writes a map as a table of x, y, z and value, one row per point; called by result_file.c. */
#include "field.h"

#include "data/files/float_text.h"
#include "data/files/text_writer.h"

/* A name that can head a column: no commas, quotes or blanks. */
static char *
column_name(DebyeField *field)
{
  char *name = g_strdup(debye_field_get_name(field));
  return g_strdelimit(name, ", \t\r\n\"", '_');
}

static void
put_comments(DebyeTextWriter *writer, DebyeField *field, const char *const *header)
{
  debye_text_writer_put_comments(writer, header);
  debye_text_writer_put_string(writer, "# length_unit: ");
  debye_text_writer_put_one_line(writer, debye_field_get_length_unit(field));
  debye_text_writer_put_string(writer, "\n# unit: ");
  debye_text_writer_put_one_line(writer, debye_field_get_unit(field));
  debye_text_writer_put_string(writer, "\n");
}

/* Coordinates repeat from row to row: a number is made into text again only when it is another one. */
typedef struct {
  double value;
  gsize length; /* 0: nothing yet */
  char text[DEBYE_FLOAT_TEXT_SIZE];
} CachedNumber;

static void
put_cached(DebyeTextWriter *writer, CachedNumber *cached, double value)
{
  if (cached->length == 0 || cached->value != value) {
    cached->length = debye_double_to_text(debye_double_to_decimal(value), cached->text);
    cached->value = value;
  }
  debye_text_writer_put(writer, cached->text, cached->length);
  debye_text_writer_put(writer, ",", 1);
}

/* `cache`: one for each x, then one for y and one for z. */
static void
put_row(DebyeTextWriter *writer, const DebyeGrid *grid, gsize j, gsize k, const float *values,
        CachedNumber *cache)
{
  for (gsize i = 0; i < grid->shape[0]; i++) {
    DebyeVec3 point = debye_grid_point(grid, (double)i, (double)j, (double)k);
    put_cached(writer, &cache[i], point.x);
    put_cached(writer, &cache[grid->shape[0]], point.y);
    put_cached(writer, &cache[grid->shape[0] + 1], point.z);
    debye_text_writer_put_float(writer, values[i]);
    debye_text_writer_put(writer, "\n", 1);
  }
}

gboolean
debye_field_save_csv(DebyeField *self, const char *const *header, GOutputStream *stream, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && G_IS_OUTPUT_STREAM(stream), FALSE);
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(stream);
  g_autofree char *column = column_name(self);
  const DebyeGrid *grid = debye_field_get_grid(self);
  const float *values = debye_field_get_values(self);
  g_autofree CachedNumber *cache = g_new0(CachedNumber, grid->shape[0] + 2);
  put_comments(writer, self, header);
  debye_text_writer_put_string(writer, "x,y,z,");
  debye_text_writer_put_string(writer, *column != '\0' ? column : "value");
  debye_text_writer_put_string(writer, "\n");
  for (gsize k = 0; k < grid->shape[2]; k++)
    for (gsize j = 0; j < grid->shape[1] && !debye_text_writer_failed(writer); j++)
      put_row(writer, grid, j, k, values + grid->shape[0] * (j + grid->shape[1] * k), cache);
  return debye_text_writer_finish(writer, error);
}

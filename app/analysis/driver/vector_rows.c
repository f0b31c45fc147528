/* SPDX-License-Identifier: MIT */
/* Reads rows of three numbers; called by scattering for vectors of q and by orbitals for points. */
#include "vector_rows.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

static gboolean
parse_row(const DebyeLineReader *lines, const char *const names[3], DebyeVec3 *row, GError **error)
{
  DebyeTextField fields[4];
  double v[3];
  gsize n = debye_text_split(lines->text, lines->length, fields, G_N_ELEMENTS(fields));
  if (n != 3) {
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                "expected three numbers, %s %s %s, found %s%" G_GSIZE_FORMAT " fields",
                                names[0], names[1], names[2], n > 3 ? "more than " : "", MIN(n, 3));
    return FALSE;
  }
  for (guint k = 0; k < 3; k++)
    if (!debye_text_require_double(lines, fields[k], names[k], &v[k], error))
      return FALSE;
  *row = debye_vec3(v[0], v[1], v[2]);
  if (isfinite(debye_vec3_length(*row)))
    return TRUE;
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_VALUE, "expected finite numbers");
  return FALSE;
}

GArray *
debye_vector_rows_read(const char *path, const char *const names[3], GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  g_auto(DebyeLineReader) lines = {0};
  GError *problem = NULL;
  if (input == NULL)
    return NULL;
  debye_line_reader_init(&lines, input, 0, 1);
  while (debye_line_reader_next(&lines, &problem)) {
    DebyeVec3 row;
    char *comment = strchr(lines.text, '#');
    if (comment != NULL) {
      *comment = '\0';
      lines.length = (gsize)(comment - lines.text);
    }
    if (debye_text_line_is_blank(&lines))
      continue;
    if (!parse_row(&lines, names, &row, error))
      return NULL;
    g_array_append_val(rows, row);
  }
  if (problem == NULL && rows->len == 0)
    debye_input_set_error(input, &problem, DEBYE_ERROR_SYNTAX, "expected rows of three numbers, found none");
  if (problem != NULL) {
    g_propagate_error(error, problem);
    return NULL;
  }
  return g_steal_pointer(&rows);
}

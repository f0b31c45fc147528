/* SPDX-License-Identifier: MIT */
/* Functions that the readers of map files, field_*.c, share. */
#include "field_file.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/input_packed.h"

float *
debye_field_allocate(DebyeInput *input, const gint64 shape[3], gsize bytes_each, GError **error)
{
  guint64 size = debye_input_get_size(input);
  gsize n = 1, bytes;
  gboolean fits = TRUE;
  for (int axis = 0; axis < 3; axis++)
    fits = fits && shape[axis] >= 1 && g_size_checked_mul(&n, n, (gsize)shape[axis]);
  /* The last value needs no separator behind it. */
  fits = fits && g_size_checked_mul(&bytes, n, MAX(bytes_each, sizeof(float))) &&
         (guint64)n * bytes_each - 1 <= size;
  if (!fits) {
    debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                          "expected %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                          " values, found a file whose %" G_GUINT64_FORMAT " bytes can't hold them",
                          shape[0], shape[1], shape[2], size);
    return NULL;
  }
  float *values = g_try_malloc(n * sizeof(float));
  if (values == NULL)
    debye_error_set_memory(error, debye_input_get_name(input), n, "values");
  return values;
}

/* "density" of "density.dx.gz", for maps that don't tell a name. */
static char *
name_of_file(DebyeInput *input)
{
  char *name = debye_input_make_title(input);
  debye_packing_strip_ending(name);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

void
debye_field_warn_of_gaps(DebyeField *self, const char *name)
{
  gsize n = debye_grid_n_points(debye_field_get_grid(self)), n_finite = debye_field_get_n_finite(self);
  if (n_finite < n)
    debye_field_warn(self, "%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " values are not finite numbers",
                     name, n - n_finite, n);
}

/* These formats have room for a name and perhaps a unit: what else is known of a map stands in its name. */
static void
take_name(DebyeField *field, const char *name)
{
  g_autofree char *own = g_strdup(name != NULL ? name : "");
  if (g_str_has_suffix(own, DEBYE_FIELD_PARTIAL)) {
    own[strlen(own) - strlen(DEBYE_FIELD_PARTIAL)] = '\0';
    debye_field_set_partial(field);
  }
  debye_field_set_kind(field, debye_field_kind_guess(own, debye_field_get_unit(field)));
}

DebyeField *
debye_field_finish(DebyeInput *input, const char *name, const DebyeGrid *grid, float *values,
                   const char *unit, GError **error)
{
  g_autofree float *owned = values;
  g_autofree char *file_name = NULL;
  if (!debye_field_grid_is_valid(grid))
    return debye_null(debye_input_set_error(
        input, error, DEBYE_ERROR_VALUE, "expected three finite and independent grid steps, found others"));
  if (name == NULL || *name == '\0')
    file_name = name_of_file(input);
  DebyeField *field =
      debye_field_new_take(file_name != NULL ? file_name : name, grid, g_steal_pointer(&owned), unit);
  take_name(field, name);
  debye_field_warn_of_gaps(field, debye_input_get_name(input));
  return field;
}

gboolean
debye_field_expected(const DebyeLineReader *lines, GError **error, const char *what)
{
  g_autofree char *found = g_utf8_make_valid(lines->text, (gssize)MIN(lines->length, 60));
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected %s, found “%s”", what,
                                     found);
}

/* SPDX-License-Identifier: MIT */
/* Reorders the values of text maps for field_cube.c and field_dx.c. Text maps list their values with z
 * fastest, fields hold them with x fastest. */
#include "field_order.h"

#include "data/files/error.h"

void
debye_field_order_get_slab(const float *values, const gsize shape[3], gsize first, gsize n, float *slab)
{
  for (gsize k = 0; k < shape[2]; k++)
    for (gsize j = 0; j < shape[1]; j++) {
      const float *row = values + first + shape[0] * (j + shape[1] * k);
      for (gsize i = 0; i < n; i++)
        slab[(i * shape[1] + j) * shape[2] + k] = row[i];
    }
}

static void
put_slab(float *values, const gsize shape[3], gsize first, gsize n, const float *slab)
{
  for (gsize k = 0; k < shape[2]; k++)
    for (gsize j = 0; j < shape[1]; j++) {
      float *row = values + first + shape[0] * (j + shape[1] * k);
      for (gsize i = 0; i < n; i++)
        row[i] = slab[(i * shape[1] + j) * shape[2] + k];
    }
}

gboolean
debye_field_order_read(DebyeValueScanner *scanner, const gsize shape[3], gsize n_sets, float *values,
                       GError **error)
{
  gsize plane = shape[1] * shape[2], n_values = shape[0] * plane * n_sets, done = 0;
  g_autofree float *slab = g_try_new(float, MIN(shape[0], DEBYE_SLAB_PLANES) * plane);
  if (slab == NULL)
    return debye_error_set_memory(error, debye_input_get_name(scanner->input), n_values, "values");
  for (gsize first = 0; first < shape[0]; first += DEBYE_SLAB_PLANES) {
    gsize n = MIN(shape[0] - first, DEBYE_SLAB_PLANES);
    for (gsize i = 0; i < n * plane; i++)
      for (gsize set = 0; set < n_sets; set++) {
        float value;
        if (!debye_value_scanner_next_float(scanner, done++, n_values, &value, error))
          return FALSE;
        if (set == 0)
          slab[i] = value;
      }
    put_slab(values, shape, first, n, slab);
  }
  return TRUE;
}

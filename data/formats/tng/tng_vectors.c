/* SPDX-License-Identifier: MIT */
/* Reads the positions or the velocities of a TNG frame set; called by format_tng.c. */
#include "tng_vectors.h"

#include "data/files/error.h"

static gboolean
begin_decoding(DebyeTngVectors *vectors, DebyeInput *input, GError **error)
{
  char *fault;
  const DebyeTngData *data = &vectors->data;
  g_clear_pointer(&vectors->decoder, debye_tng_decoder_free);
  vectors->next = 0;
  vectors->decoder =
      debye_tng_decoder_new(vectors->kind, vectors->bytes, data->n_bytes, (gsize)data->n_atoms, &fault);
  if (vectors->decoder != NULL && debye_tng_decoder_get_n_frames(vectors->decoder) >= data->n_frames)
    return TRUE;
  debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "byte %" G_GUINT64_FORMAT ": %s", data->data_at,
                        fault != NULL ? fault : "the packed numbers have fewer frames than announced");
  g_free(fault);
  return FALSE;
}

DebyeTngVectors *
debye_tng_vectors_new(DebyeTngKind kind, DebyeInput *input, const DebyeTngLayout *layout,
                      const DebyeTngData *data, GError **error)
{
  g_autoptr(DebyeTngVectors) vectors = g_new0(DebyeTngVectors, 1);
  *vectors = (DebyeTngVectors){.kind = kind, .layout = *layout, .data = *data};
  vectors->bytes = debye_tng_read_data(input, data, error);
  if (vectors->bytes == NULL || (data->codec == DEBYE_TNG_AS_TNG && !begin_decoding(vectors, input, error)))
    return NULL;
  return g_steal_pointer(&vectors);
}

void
debye_tng_vectors_free(DebyeTngVectors *vectors)
{
  g_clear_pointer(&vectors->decoder, debye_tng_decoder_free);
  g_free(vectors->bytes);
  g_free(vectors);
}

static gboolean
decode(DebyeTngVectors *vectors, DebyeInput *input, gsize k, float *x, float *y, float *z, GError **error)
{
  if (k < vectors->next && !begin_decoding(vectors, input, error))
    return FALSE;
  for (; vectors->next <= k; vectors->next++) {
    const char *fault = debye_tng_decoder_next(vectors->decoder, (float)vectors->layout.unit, x, y, z);
    if (fault == NULL)
      continue;
    debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "byte %" G_GUINT64_FORMAT ": %s",
                          vectors->data.data_at, fault);
    return FALSE;
  }
  return TRUE;
}

static void
copy(const DebyeTngVectors *vectors, gsize k, float *x, float *y, float *z)
{
  float *axes[3] = {x, y, z};
  gsize n_atoms = (gsize)vectors->data.n_atoms;
  for (gsize i = 0; i < n_atoms; i++)
    for (gsize axis = 0; axis < 3; axis++)
      axes[axis][i] = (float)(debye_tng_get_value(&vectors->layout, &vectors->data, vectors->bytes,
                                                  3 * (k * n_atoms + i) + axis) *
                              vectors->layout.unit);
}

gboolean
debye_tng_vectors_read(DebyeTngVectors *vectors, DebyeInput *input, gsize k, float *x, float *y, float *z,
                       GError **error)
{
  if (vectors->decoder != NULL)
    return decode(vectors, input, k, x, y, z, error);
  copy(vectors, k, x, y, z);
  return TRUE;
}

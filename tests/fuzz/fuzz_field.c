/* SPDX-License-Identifier: MIT */
/* libFuzzer target for one kind of map file, whose reader READER names: whatever the bytes are, the reader
 * ends with a map that can be asked and written, or with an error. */
#include "data/results/field_file.h"
#include "memory_file.h"

#ifndef READER
#error "READER must be a reader of maps, for instance debye_field_read_dx"
#endif

static void
use(DebyeField *field)
{
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  debye_field_get_percentile(field, 0.5);
  debye_field_sample(field, debye_field_get_grid(field)->origin);
  g_assert_true(debye_field_save_dx(field, stream, NULL));
  g_assert_true(debye_field_save_cube(field, NULL, NULL, stream, NULL));
  debye_field_save_ccp4(field, stream, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL, other = NULL;
  if (is_compressed(bytes, n))
    return 0;
  g_autoptr(DebyeInput) input = open_bytes(bytes, n);
  g_autoptr(DebyeField) field = READER(input, &error);
  g_assert_true((field == NULL) == (error != NULL));
  if (field != NULL)
    use(field);
  g_autoptr(DebyeField) probed = debye_field_read(input, &other);
  g_assert_true((probed == NULL) == (other != NULL));
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* libFuzzer target for files packed by gzip, bzip2 and xz: whatever the bytes are, opening them ends with a file
 * that can be read to its end, or with an error. */
#include "memory_file.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  int file;
  g_autofree char *path = make_memory_file(bytes, n, &file);
  g_autoptr(DebyeInput) input = debye_input_open(path, &error);
  close(file);
  g_assert_true((input == NULL) == (error != NULL));
  if (input == NULL)
    return 0;
  guint64 size = debye_input_get_size(input);
  guint8 last;
  g_assert_true(is_compressed(bytes, n) || size == n);
  g_assert_true(size == 0 || debye_input_read(input, size - 1, &last, 1, NULL));
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* libFuzzer target for one kind of map file, whose reader READER names: whatever the bytes are, the reader
 * ends with a map that can be asked and written, or with an error. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/field_file.h"

#ifndef READER
#error "READER must be a reader of maps, for instance debye_field_read_dx"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A file without a disk behind it. */
static DebyeInput *
open_bytes(const uint8_t *bytes, size_t n)
{
  int fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
    g_error("no memory file");
  g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
  DebyeInput *input = debye_input_open(path, NULL);
  close(fd);
  return input;
}

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
  /* Compressed files are undone before a reader sees them. */
  if (n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
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

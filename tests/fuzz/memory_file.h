/* SPDX-License-Identifier: MIT */
/* What the targets of files share: the fuzzer's bytes as a file without a disk behind it. */
#pragma once

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/files/input_packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Compressed files are undone before a reader sees them. */
static inline gboolean
is_compressed(const uint8_t *bytes, size_t n)
{
  return debye_packing_find(bytes, n) != NULL;
}

/* Its path, as long as *file is open. */
static inline char *
make_memory_file(const uint8_t *bytes, size_t n, int *file)
{
  *file = memfd_create("fuzz", MFD_CLOEXEC);
  if (*file < 0 || write(*file, bytes, n) != (ssize_t)n)
    g_error("no memory file");
  return g_strdup_printf("/proc/self/fd/%d", *file);
}

static inline DebyeInput *
open_bytes(const uint8_t *bytes, size_t n)
{
  int file;
  g_autofree char *path = make_memory_file(bytes, n, &file);
  DebyeInput *input = debye_input_open(path, NULL);
  close(file);
  return input;
}

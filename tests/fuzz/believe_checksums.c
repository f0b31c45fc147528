/* SPDX-License-Identifier: MIT */
#include "believe_checksums.h"

#include <string.h>

#include "data/h5/h5.h"

static gboolean is_called;

uint32_t
H5_checksum_metadata(const void *bytes, size_t n, uint32_t first)
{
  (void)first;
  is_called = TRUE;
  const uint8_t *found = (const uint8_t *)bytes + n;
  return (uint32_t)found[0] | (uint32_t)found[1] << 8 | (uint32_t)found[2] << 16 | (uint32_t)found[3] << 24;
}

void
believe_heaps(uint8_t *bytes, size_t n)
{
  const size_t flags = 9;
  const uint8_t has_checksums = 2;
  for (size_t i = 0; i + flags < n; i++)
    if (memcmp(bytes + i, "FRHP", 4) == 0)
      bytes[i + flags] &= (uint8_t)~has_checksums;
}

/* A file of this version has a checksum in its first block. */
void
believe_checksums(void)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, FALSE);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  H5Fclose(H5Fcreate("checksum.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  if (!is_called)
    g_error("HDF5 calls a checksum of its own: nothing would be found behind one");
}

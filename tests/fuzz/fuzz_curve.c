/* SPDX-License-Identifier: MIT */
/* libFuzzer target for measured curves, which resolutions of instruments are read as, too: whatever the bytes
 * are, the reader ends with a curve that can be asked, or with an error. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/curve.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  /* Compressed files are undone before a reader sees them. */
  if (n >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
    return 0;
  /* A file without a disk behind it. */
  int fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
    g_error("no memory file");
  g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
  g_autoptr(DebyeCurve) curve = debye_curve_load_csv(path, &error);
  close(fd);
  g_assert_true((curve == NULL) == (error != NULL));
  if (curve == NULL)
    return 0;
  g_autoptr(DebyeCurve) converted = debye_curve_with_x_unit(curve, "meV");
  g_assert_cmpuint(debye_curve_get_n_points(curve), >, 0);
  g_assert_nonnull(debye_curve_get_warnings(curve));
  g_assert_true(converted == NULL || debye_curve_get_n_points(converted) == debye_curve_get_n_points(curve));
  return 0;
}

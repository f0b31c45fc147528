/* SPDX-License-Identifier: MIT */
/* libFuzzer target for measured curves, which resolutions of instruments are read as, too: whatever the bytes
 * are, the reader ends with a curve that can be asked, or with an error. */
#include "data/results/curve.h"
#include "memory_file.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  if (is_compressed(bytes, n))
    return 0;
  int file;
  g_autofree char *path = make_memory_file(bytes, n, &file);
  g_autoptr(DebyeCurve) curve = debye_curve_load(path, &error);
  close(file);
  g_assert_true((curve == NULL) == (error != NULL));
  if (curve == NULL)
    return 0;
  g_autoptr(DebyeCurve) converted = debye_curve_with_x_unit(curve, "meV");
  g_assert_cmpuint(debye_curve_get_n_points(curve), >, 0);
  g_assert_nonnull(debye_curve_get_warnings(curve));
  g_assert_true(converted == NULL || debye_curve_get_n_points(converted) == debye_curve_get_n_points(curve));
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* libFuzzer target for wave functions: whatever the bytes are, the readers end with orbitals that can be asked for, or with an
 * error. */
#include "data/formats/quantum/quantum_files.h"
#include "memory_file.h"

/* A large basis takes its time for the norms, and shows nothing new. */
#define LARGEST 20000

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  if (is_compressed(bytes, n) || n > LARGEST)
    return 0;
  int file;
  g_autofree char *path = make_memory_file(bytes, n, &file);
  g_autoptr(DebyeWaveFunction) wave = debye_wave_function_load(path, &error);
  close(file);
  g_assert_true((wave == NULL) == (error != NULL));
  if (wave == NULL)
    return 0;
  g_autofree double *row = g_new(double, wave->n_cartesian);
  debye_wave_function_get_cartesian(wave, wave->orbitals->len - 1, row);
  g_assert_cmpuint(wave->n_looked_at, >, 0);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* libFuzzer target for Lennard-Jones parameters of CHARMM, GROMACS and AMBER: whatever the bytes are, the reader ends
 * with a table that can be asked, or with an error. */
#include "data/forcefield/lennard_jones.h"
#include "memory_file.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  if (is_compressed(bytes, n))
    return 0;
  int file;
  g_autofree char *path = make_memory_file(bytes, n, &file);
  g_autoptr(DebyeLennardJonesTable) table = debye_lennard_jones_table_new();
  const gboolean is_read = debye_lennard_jones_table_read(table, path, &error);
  close(file);
  g_assert_true(is_read == (error == NULL));
  DebyeLennardJones parameters = {.epsilon = 0.0};
  if (debye_lennard_jones_table_find(table, "OT", &parameters))
    g_assert_true(parameters.epsilon >= 0.0 && parameters.radius >= 0.0);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* The pair histogram: one body for every device that there is, each instruction set of the processor and each
 * size of tiles. Crystals with known shells first, then the plain loops of the oracle, to the last count.
 *
 * There is no tolerance: a count may differ from the oracle's only by pairs that lie within 1e-9 Å of a bin's
 * edge, where two ways to round a double part. */
#include <stdlib.h>

#include "kernels/registry.h"
#include "bodies/pair_test_exact.h"
#include "bodies/pair_test_known.h"
#include "bodies/pair_test_packed.h"
#include "bodies/pair_test_refusals.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"

static const struct {
  const char *name;
  void (*body)(const DebyePairPath *path);
} bodies[] = {
    {"crystals", debye_pair_test_crystals},
    {"primitive cell", debye_pair_test_primitive_cell},
    {"edges", debye_pair_test_edges},
    {"ideal gas", debye_pair_test_ideal_gas},
    {"cells", debye_pair_test_cells},
    {"nearest", debye_pair_test_nearest},
    {"open", debye_pair_test_open},
    {"far from the origin", debye_pair_test_far_from_origin},
    {"bin widths", debye_pair_test_bin_widths},
    {"groups", debye_pair_test_groups},
    {"some pairs", debye_pair_test_some_pairs},
    {"few atoms", debye_pair_test_few_atoms},
    {"exclusions", debye_pair_test_exclusions},
    {"same counts", debye_pair_test_same_counts},
    {"frames", debye_pair_test_frames},
    {"packed", debye_pair_test_packed},
    {"packed refusals", debye_pair_test_packed_refusals},
    {"wrong settings", debye_pair_test_wrong_settings},
    {"wrong frames", debye_pair_test_wrong_frames},
    {"cancelled", debye_pair_test_cancelled},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *data)
{
  char **arguments = data;
  static const DebyePairPath shapes[] = {{.tile_atoms = 0, .n_slices = 1},
                                         {.tile_atoms = 32, .n_slices = 7},
                                         {.tile_atoms = 64, .n_slices = 3},
                                         {.tile_atoms = 128, .n_slices = 1},
                                         {.tile_atoms = 256, .n_slices = 2}};
  for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
    DebyePairPath path = shapes[shape];
    if (arguments[0] != NULL && strtoul(arguments[0], NULL, 10) != path.tile_atoms)
      continue;
    path.kernel = entry->backend->pair_histogram;
    path.device = entry->device;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
      if (arguments[0] != NULL && !debye_test_is_asked(bodies[i].name, arguments + 1))
        continue;
      debye_check_subject("%s%s, tiles of %u: %s", entry->info.id, how, path.tile_atoms, bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

/* The second argument chooses tiles of so many atoms (0: as the program chooses), the third a body. */
int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}

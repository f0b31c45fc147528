/* SPDX-License-Identifier: MIT */
/* Bonds where distances can't tell: standard residues have those of their names. */
#include "data/molecule/bonds.h"
#include "small_system.h"

static const SmallAtom alanine_glycine[] = {
    {"ALA", 1, 0, "A", "", "N", "", "N", 14.007, 0},   {"ALA", 1, 0, "A", "", "H1", "", "H", 1.008, 0},
    {"ALA", 1, 0, "A", "", "CA", "", "C", 12.011, 0},  {"ALA", 1, 0, "A", "", "HA", "", "H", 1.008, 0},
    {"ALA", 1, 0, "A", "", "CB", "", "C", 12.011, 0},  {"ALA", 1, 0, "A", "", "HB1", "", "H", 1.008, 0},
    {"ALA", 1, 0, "A", "", "C", "", "C", 12.011, 0},   {"ALA", 1, 0, "A", "", "O", "", "O", 15.999, 0},
    {"GLY", 2, 0, "A", "", "N", "", "N", 14.007, 0},   {"GLY", 2, 0, "A", "", "HN", "", "H", 1.008, 0},
    {"GLY", 2, 0, "A", "", "CA", "", "C", 12.011, 0},  {"GLY", 2, 0, "A", "", "C", "", "C", 12.011, 0},
    {"GLY", 2, 0, "A", "", "OXT", "", "O", 15.999, 0},
};

static char *
find_as_text(const SmallAtom *atoms, double (*positions)[3], gsize n_atoms, DebyeBondSources *sources)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, n_atoms, NULL);
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, n_atoms);
  g_autoptr(DebyeTopology) bonded = debye_topology_with_found_bonds(topology, frame, sources);
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(bonded, &n_bonds);
  GString *text = g_string_new(NULL);
  for (gsize k = 0; k < n_bonds; k++)
    g_string_append_printf(text, "%s%u-%u", k > 0 ? " " : "", bonds[k].i, bonds[k].j);
  return g_string_free(text, FALSE);
}

/* All atoms 10 Å apart from each other: nothing is near anything. */
static void
test_torn(void)
{
  double positions[G_N_ELEMENTS(alanine_glycine)][3] = {0};
  DebyeBondSources sources;
  for (gsize i = 0; i < G_N_ELEMENTS(alanine_glycine); i++)
    positions[i][0] = 10.0 * (double)i;
  g_autofree char *bonds = find_as_text(alanine_glycine, positions, G_N_ELEMENTS(alanine_glycine), &sources);
  g_assert_cmpstr(bonds, ==, "0-1 0-2 2-3 2-4 2-6 4-5 6-7 6-8 8-9 8-10 10-11 11-12");
  g_assert_cmpuint(sources.n_of_distances, ==, 0);
  g_assert_cmpuint(sources.n_of_templates, ==, 12);
  g_assert_cmpuint(sources.n_doubtful, ==, 2);
}

/* What no template knows keeps what distances say, and a residue with an atom that is not its own, too. */
static void
test_unknown(void)
{
  static const SmallAtom atoms[] = {
      {"LIG", 1, 0, "A", "", "C1", "", "C", 12.011, 0}, {"LIG", 1, 0, "A", "", "C2", "", "C", 12.011, 0},
      {"SER", 2, 0, "A", "", "CB", "", "C", 12.011, 0}, {"SER", 2, 0, "A", "", "OG", "", "O", 15.999, 0},
      {"SER", 2, 0, "A", "", "P", "", "P", 30.974, 0},
  };
  double positions[][3] = {{0, 0, 0}, {1.5, 0, 0}, {10, 0, 0}, {20, 0, 0}, {21.6, 0, 0}};
  DebyeBondSources sources;
  g_autofree char *bonds = find_as_text(atoms, positions, G_N_ELEMENTS(atoms), &sources);
  g_assert_cmpstr(bonds, ==, "0-1 3-4");
  g_assert_cmpuint(sources.n_of_templates, ==, 0);
}

/* A disulfide is between residues, and no overlap. */
static void
test_disulfide(void)
{
  static const SmallAtom atoms[] = {
      {"CYS", 1, 0, "A", "", "CB", "", "C", 12.011, 0},
      {"CYS", 1, 0, "A", "", "SG", "", "S", 32.06, 0},
      {"CYS", 9, 0, "A", "", "CB", "", "C", 12.011, 0},
      {"CYS", 9, 0, "A", "", "SG", "", "S", 32.06, 0},
  };
  double positions[][3] = {{0, 0, 0}, {1.81, 0, 0}, {1.0, 5, 0}, {1.81, 2.04, 0}};
  DebyeBondSources sources;
  g_autofree char *bonds = find_as_text(atoms, positions, G_N_ELEMENTS(atoms), &sources);
  g_assert_cmpstr(bonds, ==, "0-1 1-3 2-3");
  g_assert_cmpuint(sources.n_doubtful, ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bond-sources/torn", test_torn);
  g_test_add_func("/bond-sources/unknown", test_unknown);
  g_test_add_func("/bond-sources/disulfide", test_disulfide);
  return g_test_run();
}

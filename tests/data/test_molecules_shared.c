/* SPDX-License-Identifier: MIT */
/* Bonds, images and superposition on real files: bonds against those that force fields wrote into the files,
 * unwrapping against GROMACS' trjconv. */
#include "data/molecule/bonds.h"
#include "data/trajectory/frame_edit.h"
#include "data/molecule/molecules.h"
#include "data/molecule/superpose.h"
#include "shared_system.h"
#include "tests/support/shared.h"

static void
assert_bonds_of_file(const char *structure, const char *coordinates)
{
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, structure, coordinates, 0);
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(system.topology, &n_bonds);
  g_autoptr(GArray) guessed = debye_guess_bonds(system.topology, system.frame);
  g_assert_cmpmem(guessed->data, guessed->len * sizeof(DebyeBond), bonds, n_bonds * sizeof(DebyeBond));
}

/* Every bond of the file and no other: proteins with and without hydrogens in order, a ligand with halogens,
 * waters and ions in a cell, waters cut by the cell's faces. */
static void
test_bonds_of_files(void)
{
  assert_bonds_of_file("data/psf/ubq.psf", "data/psf/ubq.pdb");
  assert_bonds_of_file("data/psf/adk.psf", "data/dcd/adk_dims_first30.dcd");
  assert_bonds_of_file("data/psf/namd_cgenff.psf", "data/psf/namd_cgenff.pdb");
  assert_bonds_of_file("reference/pep/pep.psf", "reference/pep/pep.gro");
  assert_bonds_of_file("reference/pep/pep.psf", "reference/pep/pep_wrapped.xtc");
  assert_bonds_of_file("reference/w3k/w3k.psf", "reference/w3k/w3k_wrapped.xtc");
}

/* The one difference that is meant: CHARMM's PSF holds the H–H of rigid water, which is a constraint and no
 * bond. */
static void
test_bonds_of_rigid_water(void)
{
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, "data/psf/tip125_tric_C36.psf", "data/dcd/tip125_tric_C36.dcd", 0);
  gsize n_bonds, k = 0;
  const DebyeBond *bonds = debye_topology_get_bonds(system.topology, &n_bonds);
  const guint8 *elements = debye_topology_get_elements(system.topology);
  g_autoptr(GArray) guessed = debye_guess_bonds(system.topology, system.frame);
  for (gsize b = 0; b < n_bonds; b++) {
    if (elements[bonds[b].i] == 1 && elements[bonds[b].j] == 1)
      continue;
    g_assert_cmpuint(k, <, guessed->len);
    DebyeBond bond = g_array_index(guessed, DebyeBond, k++);
    g_assert_true(bond.i == bonds[b].i && bond.j == bonds[b].j);
  }
  g_assert_cmpuint(k, ==, 250);
  g_assert_cmpuint(guessed->len, ==, 250);
}

/* A crystal structure without hydrogens: its waters are alone, its chains in pieces where the file has gaps,
 * and no carbon has more than four bonds. Of alternate locations those that don't count have none. */
static void
test_bonds_of_crystal_structure(void)
{
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, "data/pdb/4E43.pdb", NULL, 0);
  gsize n_atoms = debye_topology_get_n_atoms(system.topology);
  const guint32 *residues = debye_topology_get_residues(system.topology);
  const DebyeResidue *table = debye_topology_get_residue_table(system.topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(system.topology);
  g_autoptr(GArray) guessed = debye_guess_bonds(system.topology, system.frame);
  const guint8 *counted = debye_topology_get_counted(system.topology);
  g_assert_nonnull(counted);
  g_autofree guint *count = g_new0(guint, n_atoms);
  for (guint k = 0; k < guessed->len; k++) {
    DebyeBond bond = g_array_index(guessed, DebyeBond, k);
    count[bond.i]++;
    count[bond.j]++;
  }
  for (gsize i = 0; i < n_atoms; i++) {
    gboolean is_water = g_str_equal(debye_string_pool_get(pool, table[residues[i]].name), "HOH");
    g_assert_cmpuint(count[i], <=, 4);
    g_assert_cmpint(count[i] == 0, ==, is_water || !counted[i]);
  }
}

/* The unwrapped trajectory of trjconv -pbc nojump (whole molecules) differs from ours by one lattice vector a
 * molecule, the same in all frames, because it starts from another image. XTC keeps 0.01 Å. */
static void
test_unwrap(void)
{
  g_auto(SharedSystem) wrapped = {0};
  g_auto(SharedSystem) expected = {0};
  shared_system_open(&wrapped, "reference/pep/pep.psf", "reference/pep/pep_wrapped.xtc", 0);
  shared_system_open(&expected, "reference/pep/pep.psf", "reference/pep/pep_nojump.xtc", 0);
  g_autoptr(DebyeFrameEdit) edit =
      debye_frame_edit_new(wrapped.topology, &(DebyeFrameEditOptions){.unwrap = TRUE}, NULL);
  gsize n_atoms = debye_topology_get_n_atoms(wrapped.topology);
  g_autofree DebyeVec3 *offsets = g_new(DebyeVec3, n_atoms);
  double largest = 0.0, edge = wrapped.frame->cell.a.x;
  for (gsize k = 0; k < 201; k++) {
    shared_system_read(&wrapped, k);
    shared_system_read(&expected, k);
    g_assert_true(debye_frame_edit_apply(edit, wrapped.frame, NULL));
    for (gsize i = 0; i < n_atoms; i++) {
      DebyeVec3 offset = debye_vec3_subtract(debye_frame_get_position(wrapped.frame, i),
                                             debye_frame_get_position(expected.frame, i));
      if (k == 0)
        offsets[i] = debye_vec3_scale(
            debye_vec3(rint(offset.x / edge), rint(offset.y / edge), rint(offset.z / edge)), edge);
      largest = fmax(largest, debye_vec3_length(debye_vec3_subtract(offset, offsets[i])));
    }
  }
  g_assert_cmpfloat(largest, <, 0.03);
}

/* C-alpha RMSD of the last of 30 frames against the first: MDAnalysis.analysis.rms.rmsd, superposed, equal
 * weights and masses. */
static void
test_rmsd(void)
{
  g_auto(SharedSystem) system = {0};
  shared_system_open(&system, "data/psf/adk.psf", "data/dcd/adk_dims_first30.dcd", 0);
  g_autoptr(DebyeFrame) first = debye_frame_copy(system.frame);
  g_autoptr(DebyeSelection) alpha = debye_selection_parse("name CA", NULL, NULL);
  g_autoptr(GArray) atoms = debye_selection_evaluate(alpha, system.topology, NULL, NULL);
  const guint32 *indices = (const guint32 *)(const void *)atoms->data;
  DebyeSuperposition found;
  double rmsd;
  shared_system_read(&system, 29);
  g_assert_true(debye_superpose(system.frame, first, indices, atoms->len, NULL, &found, &rmsd, NULL));
  g_assert_cmpfloat_with_epsilon(rmsd, 3.130333, 1e-5);
  g_assert_true(debye_superpose(system.frame, first, NULL, 0, debye_topology_get_masses(system.topology),
                                &found, &rmsd, NULL));
  g_assert_cmpfloat_with_epsilon(rmsd, 3.257004, 1e-5);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  g_test_add_func("/molecules-shared/bonds-of-files", test_bonds_of_files);
  g_test_add_func("/molecules-shared/bonds-of-rigid-water", test_bonds_of_rigid_water);
  g_test_add_func("/molecules-shared/bonds-of-crystal-structure", test_bonds_of_crystal_structure);
  g_test_add_func("/molecules-shared/unwrap", test_unwrap);
  g_test_add_func("/molecules-shared/rmsd", test_rmsd);
  return g_test_run();
}

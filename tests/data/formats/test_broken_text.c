/* SPDX-License-Identifier: MIT */
/* Every broken PDB, PQR, GRO, PSF, XYZ, LAMMPS, Mol2 and CRD file of the reference data does what its list of
 * expectations says: the same as the whole file, a warning, or one clear sentence; never a crash or silent
 * nonsense. */
#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "support/shared.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *file;
  const char *source; /* reads the same as this one; NULL: see below */
  int code;           /* -1: opens */
  const char
      *text; /* in the error's sentence, or in one of the warnings; NULL: no warning but the source's */
} Expectation;

static const Expectation expectations[] = {
    {"pdb_nan.pdb", NULL, -1, "frame 0: 1 coordinates are not numbers; the first belongs to atom 4"},
    {"pdb_stars.pdb", NULL, DEBYE_ERROR_SYNTAX, "line 9: expected a number for y, found “********”"},
    {"pdb_crlf.pdb", "pdb/ala_ala_ala.pdb", -1, NULL},
    {"pdb_cr_only.pdb", "pdb/ala_ala_ala.pdb", -1, NULL},
    {"pdb_latin1.pdb", "pdb/ala_ala_ala.pdb", -1, NULL},
    {"pdb_utf8bom.pdb", "pdb/ala_ala_ala.pdb", -1, NULL},
    {"pdb_tabs.pdb", NULL, DEBYE_ERROR_SYNTAX,
     "line 3: expected PDB's fixed columns, found a tab among them"},
    {"pdb_nul_bytes.pdb", NULL, DEBYE_ERROR_SYNTAX, "line "},
    {"pdb_long_line.pdb", "pdb/ala_ala_ala.pdb", -1, NULL},
    {"pdb_zero_cryst.pdb", NULL, -1, NULL},
    {"pdb_angle180_cryst.pdb", NULL, -1, "line 1: CRYST1 does not describe a cell and is ignored"},
    {"gro_zero_box.gro", NULL, -1, NULL},
    {"gro_natoms_many.gro", NULL, DEBYE_ERROR_SYNTAX, "line 8: expected a residue's number, found “8.”"},
    {"gro_natoms_few.gro", NULL, DEBYE_ERROR_SYNTAX, "line 6: expected a number for the box, found “4LYS”"},
    {"gro_natoms_huge.gro", NULL, DEBYE_ERROR_LIMIT,
     "line 2: expected a number of atoms that the file can hold"},
    {"gro_natoms_negative.gro", NULL, DEBYE_ERROR_SYNTAX, "line 2: expected the number of atoms, found “"},
    {"gro_comma_decimals.gro", NULL, DEBYE_ERROR_SYNTAX, "line 3: expected coordinates with decimal points"},
    {"gro_crlf.gro", "gro/test.gro", -1, NULL},
    {"gro_latin1_title.gro", "gro/test.gro", -1, NULL},
    {"gro_no_box.gro", NULL, -1, "the file ends before its last box: there is no cell"},
    {"gro_nan.gro", NULL, -1, "frame 0: 3 coordinates are not numbers; the first belongs to atom 1"},
    {"gro_overtilted_box.gro", NULL, -1, NULL},
    {"gro_named.pdb", "gro/test.gro", -1, NULL},
    {"psf_natom_many.psf", NULL, DEBYE_ERROR_SYNTAX, "line 41: expected an atom, found “”"},
    {"psf_natom_few.psf", NULL, DEBYE_ERROR_SYNTAX,
     "line 38: expected !NBOND after the atoms that !NATOM counts"},
    {"psf_natom_huge.psf", NULL, DEBYE_ERROR_LIMIT,
     "line 7: expected a number of atoms that the file can hold"},
    {"psf_cut.psf", NULL, DEBYE_ERROR_TRUNCATED, "expected an atom, found the end of the file"},
    {"psf_bond_out_of_range.psf", NULL, -1, "1 bonds refer to atoms that do not exist and are ignored"},
    {"psf_crlf.psf", "psf/parmed_ala3.psf", -1, NULL},
    {"psf_nan_charge.psf", NULL, DEBYE_ERROR_VALUE,
     "line 10: expected a finite number for the charge, found “nan”"},
    {"xyz_natoms_huge.xyz", NULL, DEBYE_ERROR_LIMIT,
     "line 1: expected a number of atoms that the file can hold"},
    {"xyz_natoms_zero.xyz", NULL, DEBYE_ERROR_SYNTAX, "line 3: expected atoms, found a count of 0"},
    {"xyz_count_comment.xyz", "xyz/methane.xyz", -1, NULL},
    {"xyz_comma_decimals.xyz", NULL, DEBYE_ERROR_SYNTAX, "line 3: expected a number for x, found “0,000000”"},
    {"xyz_crlf.xyz", "xyz/methane.xyz", -1, NULL},
    {"xyz_no_final_newline.xyz", "xyz/methane.xyz", -1, NULL},
    {"xyz_nan_overflow.xyz", NULL, -1, "frame 0: 2 coordinates are not numbers; the first belongs to atom 1"},
    {"xyz_fortran_D.xyz", NULL, -1, NULL},
    {"pqr_missing_radius.pqr", NULL, DEBYE_ERROR_SYNTAX,
     "line 1: expected serial, name, residue, number, x, y, z"},
    {"pqr_comma_decimals.pqr", NULL, DEBYE_ERROR_SYNTAX, "line 1: expected a number for x, found “0,000”"},
    {"dump_cut.lammpstrj", NULL, -1,
     "line 167: expected an atom, found the end of the file; the 5 frames before"},
    {"dump_natoms_huge.lammpstrj", NULL, -1,
     "line 35: expected a number of atoms that the file can hold, found 2147483647 with 4734 bytes left; the "
     "1 "
     "frames before it are used"},
    {"dump_box_inverted.lammpstrj", NULL, -1, "the box of 1 frames has no volume (frame 0 is the first)"},
    {"dump_nan.lammpstrj", NULL, -1, "frame 0: 1 coordinates are not numbers; the first belongs to atom 9"},
    {"data_natoms_huge.data", NULL, DEBYE_ERROR_LIMIT,
     "line 3: expected a number of atoms that the file can hold"},
    {"data_crlf.data", "lammps/chain_initial.data", -1, NULL},
    {"mol2_count_many.mol2", NULL, DEBYE_ERROR_LIMIT,
     "line 3: expected a number of atoms that the file can hold, found 900"},
    {"crd_natoms_huge.crd", NULL, DEBYE_ERROR_LIMIT,
     "line 5: expected a number of atoms that the file can hold"},
    {"empty.lammpstrj", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.mol2", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.crd", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.pdb", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.pqr", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.gro", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.psf", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    {"empty.xyz", NULL, DEBYE_ERROR_UNKNOWN, "the file is empty"},
    /* Broken by others, and not in the list of expectations. */
    {"incomplete.pdb", NULL, -1, NULL},
    {"truncated.gro", NULL, DEBYE_ERROR_LIMIT, "line 2: expected a number of atoms that the file can hold"},
    {"missing_atomname.gro", NULL, -1, "the elements of 1 atoms are unknown"},
    {"helium_badnatoms.xyz", NULL, DEBYE_ERROR_TRUNCATED, "expected an atom, found the end of the file"},
    {"extended-bad-properties.xyz", NULL, DEBYE_ERROR_SYNTAX, "line 3: expected a number for x, found “H”"},
    {"vmd_stretched.pdb", NULL, -1, NULL},
    {"atom-duplicated-id.lammpstrj", NULL, DEBYE_ERROR_SYNTAX,
     "frame 0: expected each atom once, found the id 2 twice"},
    {"atom-not-enough-lines.lammpstrj", NULL, DEBYE_ERROR_TRUNCATED,
     "line 11: expected an atom, found the end of the file"},
    {"box-not-numbers.lammpstrj", NULL, DEBYE_ERROR_SYNTAX,
     "line 6: expected a number for the box, found “DUMMY”"},
    {"BrokenMolecule.mol2", NULL, DEBYE_ERROR_LIMIT,
     "line 3: expected a number of atoms that the file can hold, found 49"},
};

static DebyeDataset *
open_shared(const char *folder, const char *file, GError **error)
{
  g_autofree char *path = folder != NULL ? debye_shared_build_path("data", folder, file, NULL)
                                         : debye_shared_build_path("data", file, NULL);
  const char *paths[] = {path, NULL};
  return debye_dataset_open(paths, NULL, NULL, error);
}

static gboolean
has_warning(DebyeDataset *dataset, const char *text)
{
  for (const char *const *warning = debye_dataset_get_warnings(dataset); *warning != NULL; warning++)
    if (strstr(*warning, text) != NULL)
      return TRUE;
  return FALSE;
}

static DebyeFrame *
read_first(DebyeDataset *dataset)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  if (trajectory == NULL)
    return NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  debye_trajectory_reader_read(reader, 0, frame, &error);
  g_assert_no_error(error);
  return g_steal_pointer(&frame);
}

static void
assert_same(DebyeDataset *dataset, const char *source)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) whole = open_shared(NULL, source, &error);
  g_assert_no_error(error);
  DebyeTopology *left = debye_dataset_get_topology(dataset), *right = debye_dataset_get_topology(whole);
  gsize n = debye_topology_get_n_atoms(right), n_left_bonds, n_right_bonds;
  g_assert_cmpuint(debye_topology_get_n_atoms(left), ==, n);
  g_assert_cmpuint(debye_topology_get_n_residues(left), ==, debye_topology_get_n_residues(right));
  g_assert_cmpmem(debye_topology_get_elements(left), n, debye_topology_get_elements(right), n);
  g_assert_cmpmem(debye_topology_get_masses(left), n * sizeof(float), debye_topology_get_masses(right),
                  n * sizeof(float));
  debye_topology_get_bonds(left, &n_left_bonds);
  debye_topology_get_bonds(right, &n_right_bonds);
  g_assert_cmpuint(n_left_bonds, ==, n_right_bonds);
  g_assert_cmpuint(g_strv_length((char **)debye_dataset_get_warnings(dataset)), ==,
                   g_strv_length((char **)debye_dataset_get_warnings(whole)));

  g_autoptr(DebyeFrame) left_frame = read_first(dataset);
  g_autoptr(DebyeFrame) right_frame = read_first(whole);
  g_assert_true((left_frame == NULL) == (right_frame == NULL));
  if (left_frame == NULL)
    return;
  g_assert_cmpmem(left_frame->x, n * sizeof(float), right_frame->x, n * sizeof(float));
  g_assert_cmpmem(left_frame->y, n * sizeof(float), right_frame->y, n * sizeof(float));
  g_assert_cmpmem(left_frame->z, n * sizeof(float), right_frame->z, n * sizeof(float));
  g_assert_cmpint(left_frame->has_cell, ==, right_frame->has_cell);
}

/* Checks the values that some files must give. */
static void
assert_values(const char *file, DebyeDataset *dataset)
{
  g_autoptr(DebyeFrame) frame = read_first(dataset);
  if (strstr(file, "zero") != NULL || strstr(file, "angle180") != NULL || strstr(file, "no_box") != NULL ||
      strstr(file, "box_inverted") != NULL)
    g_assert_false(frame->has_cell);
  if (strcmp(file, "gro_overtilted_box.gro") == 0)
    g_assert_true(frame->has_cell);
  if (strcmp(file, "xyz_fortran_D.xyz") == 0) {
    g_assert_cmpfloat(frame->x[1], ==, 1.5F);
    g_assert_cmpfloat(frame->y[1], ==, 2.5F);
    g_assert_cmpfloat(frame->z[1], ==, 3.0F);
  }
}

static void
test_file(gconstpointer data)
{
  const Expectation *expectation = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_shared("broken", expectation->file, &error);
  if (expectation->code >= 0) {
    g_assert_null(dataset);
    g_assert_error(error, DEBYE_ERROR, expectation->code);
    g_test_message("%s", error->message);
    g_assert_true(g_str_has_prefix(error->message, expectation->file));
    g_assert_nonnull(strstr(error->message, expectation->text));
    g_assert_true(g_utf8_validate(error->message, -1, NULL));
    return;
  }
  g_assert_no_error(error);
  for (const char *const *warning = debye_dataset_get_warnings(dataset); *warning != NULL; warning++)
    g_test_message("%s", *warning);
  if (expectation->text != NULL)
    g_assert_true(has_warning(dataset, expectation->text));
  if (expectation->source != NULL)
    assert_same(dataset, expectation->source);
  assert_values(expectation->file, dataset);
}

/* No broken file of these formats is left out above. */
static void
test_all_listed(void)
{
  static const char *const suffixes[] = {".pdb",  ".pqr",       ".gro",  ".psf", ".xyz",
                                         ".data", ".lammpstrj", ".mol2", ".crd"};
  g_autofree char *path = debye_shared_build_path("data", "broken", NULL);
  g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
  g_assert_nonnull(folder);
  const char *name;
  while ((name = g_dir_read_name(folder)) != NULL) {
    gboolean is_ours = FALSE, is_listed = FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++)
      is_ours = is_ours || g_str_has_suffix(name, suffixes[i]);
    for (gsize i = 0; i < G_N_ELEMENTS(expectations); i++)
      is_listed = is_listed || strcmp(name, expectations[i].file) == 0;
    if (is_ours && !is_listed) {
      g_test_message("%s is not in the list", name);
      g_test_fail();
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  g_test_add_func("/broken/all-listed", test_all_listed);
  for (gsize i = 0; i < G_N_ELEMENTS(expectations); i++) {
    g_autofree char *name = g_strdup_printf("/broken/%s", expectations[i].file);
    g_test_add_data_func(name, &expectations[i], test_file);
  }
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Reading GROMACS' run input files: every column, molecules that repeat, rigid water, virtual sites, bonds between
 * molecules; files that are cut short or contradict themselves. */
#include <math.h>
#include <string.h>

#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "data/files/xdr.h"
#include "data/forcefield/lennard_jones.h"
#include "tests/support/temporary.h"
#include "tpr_builder.h"

static DebyeDataset *
open_bytes(const guint8 *bytes, gsize n, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.tpr", bytes, n);
  DebyeDataset *dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, error);
  return dataset;
}

static void
assert_residue(DebyeTopology *topology, gsize atom, const char *name, gint32 number, char code,
               const char *chain, const char *segment)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  g_assert_cmpstr(debye_string_pool_get(pool, residue->name), ==, name);
  g_assert_cmpint(residue->number, ==, number);
  g_assert_cmpint(residue->insertion_code, ==, code);
  g_assert_cmpstr(debye_string_pool_get(pool, residue->chain), ==, chain);
  g_assert_cmpstr(debye_string_pool_get(pool, residue->segment), ==, segment);
}

static void
check_topology(DebyeTopology *topology, gboolean has_bond_between)
{
  static const DebyeBond expected[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4},  {4, 5},
                                       {4, 6}, {4, 7}, {8, 9}, {8, 10}, {8, 11}};
  gsize n_bonds, expected_at = 0;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, G_N_ELEMENTS(expected) - !has_bond_between);
  for (gsize b = 0; b < n_bonds; b++, expected_at++) {
    expected_at += !has_bond_between && expected_at == 3;
    g_assert_cmpmem(&bonds[b], sizeof *bonds, &expected[expected_at], sizeof *expected);
  }
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "The title");
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 4);
  assert_residue(topology, 0, "ALA", 41, 0, "B", "Protein_chain_B");
  assert_residue(topology, 3, "GLY", 41, 'A', "B", "Protein_chain_B");
  assert_residue(topology, 4, "SOL", 42, 0, "", "SOL");
  assert_residue(topology, 11, "SOL", 43, 0, "", "SOL");
  g_assert_cmpfloat(debye_topology_get_charges(topology)[7], ==, -1.0f);
  g_assert_cmpfloat(debye_topology_get_charges(topology)[1], ==, -0.25f);
  g_assert_cmpfloat(debye_topology_get_masses(topology)[8], ==, 16.0f);
  g_assert_cmpint(debye_topology_get_elements(topology)[4], ==, 8);
  g_assert_cmpint(debye_topology_get_elements(topology)[7], ==, 0);
  g_assert_cmpint(debye_topology_get_element_sources(topology)[7], ==, DEBYE_ELEMENT_FROM_FILE);
}

static void
check_frame(DebyeTrajectory *trajectory)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(TPR_N_ATOMS);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 1);
  debye_trajectory_reader_read(reader, 0, frame, &error);
  g_assert_no_error(error);
  for (int i = 0; i < TPR_N_ATOMS; i++) {
    g_assert_cmpfloat(frame->x[i], ==, (float)(10.0 * tpr_get_coordinate(3 * i)));
    g_assert_cmpfloat(frame->z[i], ==, (float)(10.0 * tpr_get_coordinate(3 * i + 2)));
    g_assert_cmpfloat(frame->vy[i], ==, (float)(2.5 * (3 * i + 1)));
  }
  g_assert_true(frame->has_cell);
  g_assert_cmpfloat(frame->cell.a.x, ==, 30.0);
  g_assert_cmpfloat(frame->cell.b.y, ==, 70.0);
  g_assert_cmpfloat(frame->cell.c.z, ==, 110.0);
  g_assert_true(isnan(frame->time));
}

static void
check_version(gint32 version, gboolean is_double)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) bytes = tpr_make_file(version, is_double, 2);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.tpr", bytes->data, bytes->len);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  check_topology(debye_dataset_get_topology(dataset), version >= 103);
  check_frame(debye_dataset_get_trajectory(dataset));
}

static void
test_encodings(void)
{
  check_version(83, FALSE);
  check_version(83, TRUE);
  check_version(127, FALSE);
  check_version(127, TRUE);
}

/* Wherever it ends: an error, and one that says where. */
static void
test_cut(void)
{
  g_autoptr(GByteArray) bytes = tpr_make_file(127, FALSE, 2);
  for (gsize n = 16; n < bytes->len; n += 7) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeDataset) dataset = open_bytes(bytes->data, n, &error);
    g_assert_null(dataset);
    g_assert_nonnull(error);
    g_assert_true(g_str_has_prefix(error->message, "run.tpr: byte "));
  }
}

static void
assert_refused(GByteArray *bytes, int code, const char *end)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_bytes(bytes->data, bytes->len, &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, code);
  if (!g_str_has_suffix(error->message, end))
    g_error("expected an end like “%s”, found “%s”", end, error->message);
}

static void
test_contradictions(void)
{
  g_autoptr(GByteArray) waters = tpr_make_file(127, FALSE, 3);
  assert_refused(waters, DEBYE_ERROR_SYNTAX,
                 "expected molecules with 12 atoms together as at the beginning, found 16");
  g_autoptr(GByteArray) many = tpr_make_file(127, FALSE, G_MAXINT32);
  assert_refused(many, DEBYE_ERROR_SYNTAX,
                 "expected molecules with 12 atoms together as at the beginning, found 8589934592");
  g_autoptr(GByteArray) old = tpr_make_file(83, FALSE, 2);
  debye_xdr_put_int32(old->data + 32, 58);
  assert_refused(old, DEBYE_ERROR_UNKNOWN,
                 "expected a run input file of GROMACS 4.5 or newer (version 73), found “VERSION of a test” "
                 "(version 58)");
  g_autoptr(GByteArray) new = tpr_make_file(127, FALSE, 2);
  debye_xdr_put_int32(new->data + 36, 31);
  assert_refused(
      new, DEBYE_ERROR_UNKNOWN,
      "expected generation 29 of run input files or older, found “VERSION of a test” with generation "
      "31, which is newer than what is known here");
}

/* The coordinates are the third of the six parts that the head says are there or not. */
static void
test_no_coordinates(void)
{
  static const guint8 parts[24] = {[3] = 1, [7] = 1, [11] = 1, [15] = 1, [23] = 1};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) bytes = tpr_make_file(83, FALSE, 2);
  guint at = 0;
  while (memcmp(bytes->data + at, parts, sizeof parts) != 0)
    at += 4;
  bytes->data[at + 11] = 0;
  g_autofree char *path = debye_temporary_write(folder, "run.tpr", bytes->data, bytes->len);
  g_assert_null(debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_assert_cmpstr(error->message, ==, "run.tpr: expected coordinates in the run input file, found none");
}

/* Beside a GRO file: what the atoms are comes from the run input, the frame from the other, in either order.
 */
static void
test_beside_structure(void)
{
  static const char gro[] = "A box\n"
                            "   12\n"
                            "    1XXX      X    1   0.100   0.200   0.300\n"
                            "    1XXX      X    2   0.100   0.200   0.300\n"
                            "    1XXX      X    3   0.100   0.200   0.300\n"
                            "    1XXX      X    4   0.100   0.200   0.300\n"
                            "    1XXX      X    5   0.100   0.200   0.300\n"
                            "    1XXX      X    6   0.100   0.200   0.300\n"
                            "    1XXX      X    7   0.100   0.200   0.300\n"
                            "    1XXX      X    8   0.100   0.200   0.300\n"
                            "    1XXX      X    9   0.100   0.200   0.300\n"
                            "    1XXX      X   10   0.100   0.200   0.300\n"
                            "    1XXX      X   11   0.100   0.200   0.300\n"
                            "    1XXX      X   12   0.100   0.200   0.300\n"
                            "   2.00000   2.00000   2.00000\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) bytes = tpr_make_file(127, FALSE, 2);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *tpr = debye_temporary_write(folder, "run.tpr", bytes->data, bytes->len);
  g_autofree char *other = debye_temporary_write(folder, "box.gro", gro, strlen(gro));
  for (int order = 0; order < 2; order++) {
    const char *paths[] = {order == 0 ? tpr : other, order == 0 ? other : tpr, NULL};
    g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
    g_assert_no_error(error);
    check_topology(debye_dataset_get_topology(dataset), TRUE);
    DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
    g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 1);
    g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
    g_autoptr(DebyeFrame) frame = debye_frame_new(TPR_N_ATOMS);
    g_assert_true(debye_trajectory_reader_read(reader, 0, frame, &error));
    g_assert_cmpfloat(frame->z[11], ==, 3.0F);
  }
}

/* --- Lennard-Jones parameters --- */

static DebyeLennardJonesTable *
read_table(const GByteArray *bytes, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.tpr", bytes->data, bytes->len);
  g_autoptr(DebyeLennardJonesTable) table = debye_lennard_jones_table_new();
  return debye_lennard_jones_table_read(table, path, error) ? g_steal_pointer(&table) : NULL;
}

static void
test_lennard_jones(void)
{
  static const gint32 versions[] = {83, 127};
  for (int i = 0; i < 4; i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) bytes = tpr_make_file(versions[i / 2], i % 2 == 1, 2);
    g_autoptr(DebyeLennardJonesTable) table = read_table(bytes, &error);
    DebyeLennardJones found;
    g_assert_no_error(error);
    g_assert_true(debye_lennard_jones_table_find(table, "opls_00", &found));
    g_assert_cmpfloat_with_epsilon(found.epsilon, TPR_C6 * TPR_C6 / (4.0 * TPR_C12) / 4.184, 1e-6);
    g_assert_cmpfloat_with_epsilon(found.radius, 5.0 * pow(2.0 * TPR_C12 / TPR_C6, 1.0 / 6.0), 1e-5);
    g_assert_cmpuint(debye_lennard_jones_table_get_n_types(table), ==, 1);
  }
}

static void
assert_no_table(const GByteArray *bytes, int code, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_assert_null(read_table(bytes, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(error->message, ==, sentence);
}

static void
test_no_lennard_jones(void)
{
  g_autoptr(GByteArray) other = tpr_make_file_of(83, FALSE, 2, TPR_FENE_BOND);
  assert_no_table(
      other, DEBYE_ERROR_MISSING,
      "run.tpr: expected Lennard-Jones parameters of atom type “opls_00”, found none. The run may "
      "use another potential, such as Buckingham's");
  g_autoptr(GByteArray) infinite = tpr_make_file(83, FALSE, 2);
  guint8 bytes[4];
  debye_xdr_put_float(bytes, (float)TPR_C6);
  guint at = 0;
  while (memcmp(infinite->data + at, bytes, sizeof bytes) != 0)
    at += 4;
  debye_xdr_put_float(infinite->data + at, INFINITY);
  assert_no_table(infinite, DEBYE_ERROR_VALUE,
                  "run.tpr: atom type “opls_00”: expected numbers that give a finite depth and distance");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/tpr/encodings", test_encodings);
  g_test_add_func("/tpr/cut", test_cut);
  g_test_add_func("/tpr/contradictions", test_contradictions);
  g_test_add_func("/tpr/no-coordinates", test_no_coordinates);
  g_test_add_func("/tpr/beside-structure", test_beside_structure);
  g_test_add_func("/tpr/lennard-jones", test_lennard_jones);
  g_test_add_func("/tpr/no-lennard-jones", test_no_lennard_jones);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* LAMMPS dumps from small texts: boxes in every spelling, coordinates of every kind, ids in any order, units,
 * and what is said of a file that is odd. */
#include "data/files/error.h"
#include "data/formats/lammps/lammps_ids.h"
#include "tests/support/text_file.h"

#include <math.h>
#include <string.h>

#define STEP(number) "ITEM: TIMESTEP\n" number "\n"
#define ATOMS(number) "ITEM: NUMBER OF ATOMS\n" number "\n"
#define CUBE "ITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n"

/* --- Ids --- */

static void
test_ids(void)
{
  gint64 twice = 0;
  const gint64 dense[] = {7, 3, 5}, sparse[] = {4000000000, -9, 12}, doubled[] = {4, 2, 4},
               far[] = {1, 4000000000, 1};
  g_autoptr(DebyeLammpsIds) few = debye_lammps_ids_new(dense, 3, &twice);
  g_assert_cmpuint(debye_lammps_ids_find(few, 3), ==, 0);
  g_assert_cmpuint(debye_lammps_ids_find(few, 5), ==, 1);
  g_assert_cmpuint(debye_lammps_ids_find(few, 7), ==, 2);
  g_assert_cmpuint(debye_lammps_ids_find(few, 4), ==, DEBYE_LAMMPS_NO_ATOM);
  g_assert_cmpuint(debye_lammps_ids_find(few, 8), ==, DEBYE_LAMMPS_NO_ATOM);
  g_assert_cmpuint(debye_lammps_ids_find(few, G_MININT64), ==, DEBYE_LAMMPS_NO_ATOM);
  g_autoptr(DebyeLammpsIds) wide = debye_lammps_ids_new(sparse, 3, &twice);
  g_assert_cmpuint(debye_lammps_ids_find(wide, -9), ==, 0);
  g_assert_cmpuint(debye_lammps_ids_find(wide, 12), ==, 1);
  g_assert_cmpuint(debye_lammps_ids_find(wide, 4000000000), ==, 2);
  g_assert_cmpuint(debye_lammps_ids_find(wide, 13), ==, DEBYE_LAMMPS_NO_ATOM);
  g_assert_null(debye_lammps_ids_new(doubled, 3, &twice));
  g_assert_cmpint(twice, ==, 4);
  g_assert_null(debye_lammps_ids_new(far, 3, &twice));
  g_assert_cmpint(twice, ==, 1);
}

/* --- Boxes --- */

/* The box of LAMMPS' own example: from (1, 2, 3), edges 10, 8, 6, tilts xy = 2, xz = -3, yz = 1. Its upright
 * box reaches from x + min(0, 2, -3, -1) = -2 to 11 + max(0, 2, -3, -1) = 13, and from y = 2 to 10 + 1. */
static const char tilted[] = STEP("5") ATOMS("2") "ITEM: BOX BOUNDS xy xz yz pp pp pp\n"
                                                  "-2 13 2\n"
                                                  "2 11 -3\n"
                                                  "3 9 1\n"
                                                  "ITEM: ATOMS id type xs ys zs\n"
                                                  "1 1 0 0 0\n"
                                                  "2 1 0.5 0.25 0.5\n";

static void
assert_tilted(DebyeDataset *dataset)
{
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_assert_true(frame->has_cell);
  text_file_assert_vector(frame->cell.a, 10.0, 0.0, 0.0);
  text_file_assert_vector(frame->cell.b, 2.0, 8.0, 0.0);
  text_file_assert_vector(frame->cell.c, -3.0, 1.0, 6.0);
  text_file_assert_vector(frame->cell_origin, 1.0, 2.0, 3.0);
  text_file_assert_position(frame, 0, 1.0, 2.0, 3.0);
  text_file_assert_position(frame, 1, 1.0 + 5.0 + 0.5 - 1.5, 2.0 + 2.0 + 0.5, 3.0 + 3.0);
  g_assert_cmpint(frame->step, ==, 5);
}

static void
test_tilted(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "tilted.dump", tilted);
  assert_tilted(dataset);
  g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "lmpdump");
}

/* The same cell turned a quarter about z: a along y. */
static void
test_general(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "general.dump",
                     STEP("5") ATOMS("2") "ITEM: BOX BOUNDS abc origin pp pp pp\n"
                                          "0 10 0 1\n"
                                          "-8 2 0 2\n"
                                          "-1 -3 6 3\n"
                                          "ITEM: ATOMS id type xsu ysu zsu\n"
                                          "2 1 1.5 0.25 0.5\n"
                                          "1 1 0 0 0\n");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_vector(frame->cell.a, 0.0, 10.0, 0.0);
  text_file_assert_vector(frame->cell.b, -8.0, 2.0, 0.0);
  text_file_assert_vector(frame->cell.c, -1.0, -3.0, 6.0);
  text_file_assert_vector(frame->cell_origin, 1.0, 2.0, 3.0);
  text_file_assert_position(frame, 0, 1.0, 2.0, 3.0);
  text_file_assert_position(frame, 1, 1.0 - 2.0 - 0.5, 2.0 + 15.0 + 0.5 - 1.5, 6.0);
}

static void
test_boundaries(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) slab =
      text_file_open(folder, "slab.dump",
                     STEP("0") ATOMS("1") "ITEM: BOX BOUNDS pp pp fs\n0 10\n0 10\n0 5\n"
                                          "ITEM: ATOMS id x y z\n1 1 2 3\n");
  g_assert_true(text_file_has_warning(slab, "the box isn't periodic along all its edges"));
  g_autoptr(DebyeFrame) slab_frame = text_file_read(slab, 0);
  g_assert_true(slab_frame->has_cell);

  g_autoptr(DebyeDataset) open =
      text_file_open(folder, "open.dump",
                     STEP("0") ATOMS("1") "ITEM: BOX BOUNDS ss mm ff\n0 10\n0 10\n0 5\n"
                                          "ITEM: ATOMS id x y z\n1 1 2 3\n");
  g_autoptr(DebyeFrame) open_frame = text_file_read(open, 0);
  g_assert_false(open_frame->has_cell);
  text_file_assert_position(open_frame, 0, 1.0, 2.0, 3.0);
}

/* --- Coordinates and their order --- */

/* Three frames of the same positions: other columns, other kinds, another order, ids with gaps. */
static const char changing[] = STEP("0") ATOMS("3") CUBE "ITEM: ATOMS id type x y z ix iy iz\n"
                                                         "30 2 7 8 9 0 0 0\n"
                                                         "5 1 1 2 3 1 -1 0\n"
                                                         "11 1 4 5 6 0 0 2\n" STEP("100") ATOMS("3") CUBE
    "ITEM: ATOMS zs element xs id ys\n"
    "0.6 X 0.4 11 0.5\n"
    "0.3 X 0.1 5 0.2\n"
    "0.9 X 0.7 30 0.8\n" STEP("200") ATOMS("3") CUBE "ITEM: ATOMS xu yu zu xs ys id\n"
                                                     "1 2 3 9 9 5\n"
                                                     "4 5 6 9 9 11\n"
                                                     "7 8 9 9 9 30\n";

static void
test_changing_columns(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "changing.lammpstrj", changing);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const gint32 serials[] = {5, 11, 30};
  g_assert_cmpmem(debye_topology_get_serials(topology), sizeof serials, serials, sizeof serials);
  g_assert_cmpstr(text_file_get_type(dataset, 2), ==, "2");
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 3);
  for (gsize k = 3; k-- > 0;) {
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, k);
    text_file_assert_position(frame, 0, 1.0, 2.0, 3.0);
    text_file_assert_position(frame, 1, 4.0, 5.0, 6.0);
    text_file_assert_position(frame, 2, 7.0, 8.0, 9.0);
    g_assert_cmpint(frame->step, ==, 100 * (gint64)k);
    g_assert_null(frame->vx);
  }
}

/* What LAMMPS wrote before it named the columns. */
static void
test_oldest(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "old.dump",
                     STEP("0") ATOMS("2") "ITEM: BOX BOUNDS\n-5 5\n0 10\n0 10\n"
                                          "ITEM: ATOMS\n2 1 0.5 0.5 0.5\n1 1 0 0 0.25\n");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_assert_true(frame->has_cell);
  text_file_assert_position(frame, 0, -5.0, 0.0, 2.5);
  text_file_assert_position(frame, 1, 0.0, 5.0, 5.0);
}

/* --- Atoms --- */

static void
test_topology(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "water.dump",
                     STEP("0") ATOMS("4") CUBE "ITEM: ATOMS id mol type typelabel element mass q x y z\n"
                                               "4 2 3 ion Na 22.99 1 9 9 9\n"
                                               "1 1 1 OW O 15.999 -0.834 1 1 1\n"
                                               "3 1 2 HW H 1.008 0.417 1 2 1\n"
                                               "2 1 2 HW H 1.008 0.417 2 1 1\n");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const guint8 elements[] = {8, 1, 1, 11};
  g_assert_cmpmem(debye_topology_get_elements(topology), 4, elements, 4);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 2);
  g_assert_cmpint(text_file_get_residue(dataset, 3)->number, ==, 2);
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "O");
  g_assert_cmpstr(text_file_get_type(dataset, 1), ==, "HW");
  g_assert_cmpfloat_with_epsilon(debye_topology_get_total_charge(topology), 1.0, 1e-6);
  g_assert_cmpfloat_with_epsilon((double)debye_topology_get_masses(topology)[3], 22.99, 1e-5);
  g_assert_cmpuint(text_file_count_warnings(dataset), ==, 0);
}

/* Columns that nothing is read from are named; of sizes there is a use. */
static void
test_further_columns(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) sized = text_file_open(folder, "a.dump",
                                                 "ITEM: UNITS\nnano\n" STEP("0") ATOMS("2") CUBE
                                                 "ITEM: ATOMS id element radius x y z fx c_pe[2] vx ix\n"
                                                 "2 C 0.25 1 1 1 0 0 0 0\n"
                                                 "1 C 0.125 1 1 1 0 0 0 0\n");
  static const float radii[] = {1.25F, 2.5F};
  g_assert_cmpmem(debye_topology_get_radii(debye_dataset_get_topology(sized)), sizeof radii, radii,
                  sizeof radii);
  g_assert_true(
      text_file_has_warning(sized, "a.dump: the columns “fx c_pe[2] vx ix” of the atoms are not read"));
  g_assert_cmpuint(text_file_count_warnings(sized), ==, 1);
  g_autoptr(DebyeDataset) wide =
      text_file_open(folder, "b.dump",
                     "ITEM: UNITS\nreal\n" STEP("0") ATOMS("1") CUBE
                     "ITEM: ATOMS id element diameter x y z a b c d e f g h i j k l m n vz vy vx\n"
                     "1 C 3 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2 3\n");
  g_assert_cmpfloat(debye_topology_get_radii(debye_dataset_get_topology(wide))[0], ==, 1.5F);
  g_assert_true(
      text_file_has_warning(wide, "the columns “a b c d e f g h i j k l” … of the atoms are not read"));
  g_assert_cmpuint(text_file_count_warnings(wide), ==, 1);
}

/* A molecule whose atoms' ids are apart is one residue, whatever its atoms are called. */
static void
test_molecules_that_stand_apart(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.dump",
                     STEP("0") ATOMS("4") CUBE "ITEM: ATOMS id mol element x y z\n"
                                               "1 1 C 1 1 1\n2 2 C 2 1 1\n3 1 C 1 2 1\n4 2 C 2 2 1\n");
  static const guint32 residues[] = {0, 1, 0, 1};
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 2);
  g_assert_cmpmem(debye_topology_get_residues(topology), sizeof residues, residues, sizeof residues);
}

static const char data_of_two[] =
    "LAMMPS data\n\n2 atoms\n1 bonds\n2 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n"
    "0 10 zlo zhi\n\nMasses\n\n1 12.011\n2 15.999\n\nAtoms # full\n\n"
    "8 1 2 -0.5 9 9 9\n3 1 1 0.5 9 9 8\n\nBonds\n\n1 1 8 3\n";

/* A data file beside a dump is its topology; its own coordinates are no frame then. */
static void
test_with_data(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open_two(
      folder, "run.dump", STEP("0") ATOMS("2") CUBE "ITEM: ATOMS id x y z\n8 4 5 6\n3 1 2 3\n", "run.data",
      data_of_two);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 1);
  g_assert_cmpuint(bonds[0].i, ==, 0);
  g_assert_cmpuint(bonds[0].j, ==, 1);
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "C");
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 1);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 1.0, 2.0, 3.0);
  text_file_assert_position(frame, 1, 4.0, 5.0, 6.0);
}

/* --- Units --- */

typedef struct {
  const char *units; /* NULL: not stated */
  double length, time, velocity;
} Units;

static void
check_units(const DebyeTemporaryFolder *folder, const Units *units)
{
  g_autofree char *stated =
      units->units != NULL ? g_strdup_printf("ITEM: UNITS\n%s\n", units->units) : g_strdup("");
  g_autofree char *text = g_strdup_printf("%s%s%s", stated,
                                          "ITEM: TIME\n2\n" STEP("1") ATOMS("1") CUBE
                                          "ITEM: ATOMS id x y z vx vy vz\n1 1 2 3 0.5 0 -0.25\n",
                                          "ITEM: TIME\n4\n" STEP("2") ATOMS("1") CUBE
                                          "ITEM: ATOMS id xs ys zs vx vy vz\n1 .1 .2 .3 0.5 0 -0.25\n");
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "units.dump", text);
  for (gsize k = 0; k < 2; k++) {
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, k);
    g_assert_cmpfloat_with_epsilon((double)frame->x[0] / units->length, 1.0, 1e-6);
    g_assert_cmpfloat_with_epsilon((double)frame->z[0] / units->length, 3.0, 1e-6);
    g_assert_cmpfloat_with_epsilon(frame->cell.b.y / units->length, 10.0, 1e-9);
    if (units->time > 0.0) {
      g_assert_cmpfloat_with_epsilon(frame->time / units->time, 2.0 * (double)(k + 1), 1e-9);
      g_assert_cmpfloat_with_epsilon((double)frame->vx[0] / units->velocity, 0.5, 1e-6);
      g_assert_cmpfloat_with_epsilon((double)frame->vz[0] / units->velocity, -0.25, 1e-6);
    } else {
      g_assert_true(isnan(frame->time));
      g_assert_null(frame->vx);
    }
  }
  g_assert_true(text_file_has_warning(dataset, "doesn't state its units: assuming “real”") ==
                (units->units == NULL));
}

static void
test_units(void)
{
  /* 1 m/s = 1e10 Å/1e12 ps; Bohr/atomic time = 0.5292 Å/1.03275 fs. */
  static const Units table[] = {
      {NULL, 1.0, 1e-3, 1e3},    {"real", 1.0, 1e-3, 1e3},  {"metal", 1.0, 1.0, 1.0},
      {"si", 1e10, 1e12, 1e-2},  {"cgs", 1e8, 1e12, 1e-4},  {"electron", 0.529177210903, 1e-3, 512.3962},
      {"micro", 1e4, 1e6, 1e-2}, {"nano", 10.0, 1e3, 1e-2}, {"lj", 1.0, 0.0, 0.0},
  };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(table); i++)
    check_units(folder, &table[i]);
  text_file_assert_fails(folder, "a.dump", "ITEM: UNITS\nfurlong\n" STEP("0") ATOMS("1"), DEBYE_ERROR_SYNTAX,
                         "a.dump: line 2: expected one of LAMMPS' units, found “furlong”");
}

/* --- Odd files --- */

static void
test_odd(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  text_file_assert_fails(folder, "a.dump", STEP("x"), DEBYE_ERROR_SYNTAX,
                         "a.dump: line 2: expected an integer for the time step, found “x”");
  text_file_assert_fails(folder, "a.dump", STEP("1") CUBE "ITEM: ATOMS id x y z\n", DEBYE_ERROR_SYNTAX,
                         "a.dump: line 7: expected ITEM: NUMBER OF ATOMS before the atoms, found none");
  text_file_assert_fails(
      folder, "a.dump", STEP("1") ATOMS("1") CUBE "ITEM: ATOMS id x y\n1 1 1\n", DEBYE_ERROR_SYNTAX,
      "a.dump: line 9: expected columns x y z, xs ys zs, xu yu zu or xsu ysu zsu, found “id x y”");
  text_file_assert_fails(folder, "a.dump", STEP("1") ATOMS("1") CUBE "ITEM: ATOMS id x y z\n1 1 1\n",
                         DEBYE_ERROR_SYNTAX, "a.dump: line 10: expected an atom with 4 fields, found 3");
  text_file_assert_fails(folder, "a.dump", STEP("1") ATOMS("1") CUBE "ITEM: ATOMS id x y z\n1 1 1,5 1\n",
                         DEBYE_ERROR_SYNTAX, "a.dump: line 10: expected a number for y, found “1,5”");
  text_file_assert_fails(folder, "a.dump", STEP("1") ATOMS("1") CUBE "ITEM: ATOMS id x y z\n1.5 1 1 1\n",
                         DEBYE_ERROR_SYNTAX, "a.dump: line 10: expected an integer for the id, found “1.5”");
  text_file_assert_fails(
      folder, "a.dump", STEP("1") "ITEM: NUMBER OF ENTRIES\n1\n", DEBYE_ERROR_SYNTAX,
      "a.dump: line 3: expected an ITEM: of a frame's beginning, found “ITEM: NUMBER OF ENTRIES”");
  text_file_assert_fails(
      folder, "a.dump",
      STEP("1") ATOMS("1") "ITEM: BOX BOUNDS pp pp pp\n0 0\n0 10\n0 10\n"
                           "ITEM: ATOMS id xs ys zs\n1 0 0 0\n",
      DEBYE_ERROR_VALUE,
      "a.dump: line 9: expected a box for the scaled coordinates, found one without volume");
}

#define TWO(rows) STEP("0") ATOMS("2") CUBE "ITEM: ATOMS id x y z\n" rows
#define FIRST_TWO TWO("1 1 2 3\n2 4 5 6\n")

static void
check_second_frame(const DebyeTemporaryFolder *folder, const char *text, const char *sentence)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "b.dump", text);
  text_file_assert_frame_fails(dataset, 1, DEBYE_ERROR_MISMATCH, sentence);
}

static void
test_other_atoms(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  check_second_frame(folder, FIRST_TWO TWO("1 1 2 3\n7 4 5 6\n"),
                     "b.dump: line 22: expected the atoms of the first frame, each once, found the id 7 that "
                     "isn't among them");
  check_second_frame(
      folder, FIRST_TWO TWO("2 1 2 3\n2 4 5 6\n"),
      "b.dump: line 22: expected the atoms of the first frame, each once, found the id 2 again");
  check_second_frame(folder, FIRST_TWO STEP("0") ATOMS("2") CUBE "ITEM: ATOMS x y z\n1 2 3\n4 5 6\n",
                     "b.dump: line 20: expected a column id as in the first frame, found none");

  /* Ids in some frames only tell nothing. */
  g_autoptr(DebyeDataset) fewer =
      text_file_open(folder, "c.dump",
                     STEP("1") ATOMS("2") CUBE "ITEM: ATOMS x y z\n1 2 3\n4 5 6\n" STEP("1") ATOMS("1") CUBE
                     "ITEM: ATOMS id x y z\n1 1 2 3\n");
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(fewer)), ==, 1);
  g_assert_true(text_file_has_warning(
      fewer, "1 of 2 frames are left out because they don't have the first one's 2 atoms (frame 1 has 1)"));

  g_autoptr(DebyeDataset) short_frame =
      text_file_open(folder, "d.dump", FIRST_TWO TWO("1 1 2 3\n") FIRST_TWO);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(short_frame)), ==, 1);
  g_assert_true(text_file_has_warning(
      short_frame, "line 22: expected 2 atoms in the frame, found 1; the 1 frames before it are used"));

  g_autoptr(DebyeDataset) cut = text_file_open(folder, "f.dump", FIRST_TWO TWO("1 1 2 3\n2 4 5"));
  g_assert_true(text_file_has_warning(
      cut, "line 22: expected a whole atom, found the end of the file; the 1 frames before it are used"));

  g_autoptr(DebyeDataset) long_frame = text_file_open(folder, "e.dump", FIRST_TWO "3 7 8 9\n");
  g_assert_true(text_file_has_warning(
      long_frame, "line 12: expected an ITEM: of a frame's beginning, found “3 7 8 9”; the 1 frames before"));
}

/* Atoms that come and go: all frames are there, and an atom keeps its place. */
static const char coming[] =
    STEP("0") ATOMS("2") CUBE "ITEM: ATOMS id element x y z\n9 C 1 1 1\n4 O 2 2 2\n" STEP("1") ATOMS("3") CUBE
    "ITEM: ATOMS id element x y z vx vy vz\n2 N 3 3 3 1 1 1\n9 C 4 4 4 2 2 2\n4 O 5 5 5 3 3 3\n" STEP("2")
        ATOMS("1") CUBE "ITEM: ATOMS id element x y z\n2 N 6 6 6\n";

static void
assert_positions(DebyeDataset *dataset, gsize number, double first, double second, double third)
{
  const double expected[] = {first, second, third};
  gsize n_absent = 0;
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, number);
  for (gsize i = 0; i < 3; i++) {
    n_absent += expected[i] == 0.0;
    if (expected[i] == 0.0)
      g_assert_true(isnan(frame->x[i]) && isnan(frame->y[i]) && isnan(frame->z[i]));
    else
      text_file_assert_position(frame, i, expected[i], expected[i], expected[i]);
  }
  g_assert_cmpuint(frame->n_absent, ==, n_absent);
  g_assert_cmpuint(frame->n_bad, ==, 3 * n_absent);
}

static void
test_atoms_that_come_and_go(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.dump", coming);
  static const guint8 elements[] = {7, 8, 6};
  static const gint32 serials[] = {2, 4, 9};
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 3);
  g_assert_cmpmem(debye_topology_get_elements(topology), 3, elements, 3);
  g_assert_cmpmem(debye_topology_get_serials(topology), sizeof serials, serials, sizeof serials);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 3);
  assert_positions(dataset, 2, 6.0, 0.0, 0.0);
  assert_positions(dataset, 1, 3.0, 5.0, 4.0);
  assert_positions(dataset, 0, 0.0, 2.0, 1.0);
  g_assert_true(text_file_has_warning(
      dataset, "a.dump: frames have 1 to 3 of 3 atoms: those that a frame lacks have no coordinates in it"));
  g_assert_cmpuint(text_file_count_warnings(dataset), ==, 1);
  g_autoptr(DebyeFrame) moving = text_file_read(dataset, 1);
  g_assert_cmpfloat(moving->vx[2], ==, 2.0F * moving->vx[0]);

  /* Where the first frame has them all, and beside a data file. */
  g_autofree char *going = g_strconcat(
      TWO("8 1 1 1\n3 2 2 2\n") STEP("1") ATOMS("1") CUBE "ITEM: ATOMS id x y z\n8 4 4 4\n", NULL);
  g_autoptr(DebyeDataset) alone = text_file_open(folder, "b.dump", going);
  g_autoptr(DebyeFrame) left = text_file_read(alone, 1);
  g_assert_cmpuint(left->n_absent, ==, 1);
  text_file_assert_position(left, 1, 4.0, 4.0, 4.0);
  g_autoptr(DebyeDataset) both = text_file_open_two(
      folder, "c.dump", STEP("0") ATOMS("1") CUBE "ITEM: ATOMS id x y z\n8 4 4 4\n" TWO("8 1 1 1\n3 2 2 2\n"),
      "c.data", data_of_two);
  g_assert_cmpstr(text_file_get_name(both, 0), ==, "C");
  g_autoptr(DebyeFrame) late = text_file_read(both, 0);
  text_file_assert_position(late, 1, 4.0, 4.0, 4.0);
}

/* Without ids the k-th atom of a type in one frame is the k-th in all. */
static void
test_types_that_come_and_go(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.dump",
                     STEP("0") ATOMS("2") CUBE "ITEM: ATOMS type x y z\n1 1 1 1\n2 2 2 2\n" STEP("1")
                         ATOMS("3") CUBE "ITEM: ATOMS x y z type\n3 3 3 2\n4 4 4 2\n5 5 5 1\n" STEP("2")
                             ATOMS("1") CUBE "ITEM: ATOMS type x y z\n2 6 6 6\n");
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), ==, 3);
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "1");
  g_assert_cmpstr(text_file_get_name(dataset, 2), ==, "2");
  assert_positions(dataset, 2, 0.0, 6.0, 0.0);
  assert_positions(dataset, 1, 5.0, 3.0, 4.0);
  assert_positions(dataset, 0, 1.0, 2.0, 0.0);
  g_assert_true(text_file_has_warning(
      dataset, "a.dump: frames have 1 to 3 of 3 atoms: those that a frame lacks have no coordinates in it"));
}

/* Beside a structure that has as many atoms as any frame, those without ids are the structure's where a frame has all. */
static void
test_order_that_is_known(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  static const char all[] = STEP("0") ATOMS("2") CUBE "ITEM: ATOMS type x y z\n2 1 1 1\n1 2 2 2\n";
  static const char one[] = STEP("1") ATOMS("1") CUBE "ITEM: ATOMS type x y z\n1 4 4 4\n";
  g_autofree char *going = g_strconcat(all, one, all, NULL), *coming_back = g_strconcat(one, all, NULL);
  g_autoptr(DebyeDataset) known = text_file_open_two(folder, "a.dump", going, "a.data", data_of_two);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(known)), ==, 3);
  g_autoptr(DebyeFrame) left = text_file_read(known, 1), whole = text_file_read(known, 2);
  g_assert_cmpuint(left->n_absent, ==, 1);
  text_file_assert_position(whole, 0, 1.0, 1.0, 1.0);
  text_file_assert_position(whole, 1, 2.0, 2.0, 2.0);
  g_autoptr(DebyeDataset) alone = text_file_open(folder, "b.dump", coming_back);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(alone)), ==, 2);
  g_autoptr(GError) error = NULL;
  g_autofree char *dump = g_build_filename(folder, "b.dump", NULL);
  g_autofree char *data = g_build_filename(folder, "a.data", NULL);
  g_autoptr(DebyeDataset) unknown =
      debye_dataset_open((const char *const[]){dump, data, NULL}, NULL, NULL, &error);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
}

/* An id that comes twice in a frame is found while that is looked up; the frames are as without ids then. */
static void
test_atoms_that_come_twice(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.dump",
                     FIRST_TWO STEP("1") ATOMS("3") CUBE "ITEM: ATOMS id x y z\n1 4 4 4\n3 1 1 1\n3 2 2 2\n");
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 1);
  g_assert_true(text_file_has_warning(dataset, "1 of 2 frames are left out"));
  g_assert_true(text_file_has_warning(
      dataset, "it is not known which atoms frames with another number of atoms contain"));
}

static void
test_without_ids(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  const char *frame_text = STEP("0") ATOMS("2") CUBE "ITEM: ATOMS x y z\n4 5 6\n1 2 3\n";
  g_autofree char *text = g_strconcat(frame_text, frame_text, NULL);
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.dump", text);
  g_assert_true(text_file_has_warning(dataset, "the atoms have no ids"));
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 1);
  text_file_assert_position(frame, 0, 4.0, 5.0, 6.0);
  g_assert_null(debye_topology_get_serials(debye_dataset_get_topology(dataset)));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/lammps-dump/ids", test_ids);
  g_test_add_func("/lammps-dump/tilted", test_tilted);
  g_test_add_func("/lammps-dump/general", test_general);
  g_test_add_func("/lammps-dump/boundaries", test_boundaries);
  g_test_add_func("/lammps-dump/changing-columns", test_changing_columns);
  g_test_add_func("/lammps-dump/oldest", test_oldest);
  g_test_add_func("/lammps-dump/topology", test_topology);
  g_test_add_func("/lammps-dump/further-columns", test_further_columns);
  g_test_add_func("/lammps-dump/molecules-that-stand-apart", test_molecules_that_stand_apart);
  g_test_add_func("/lammps-dump/with-data", test_with_data);
  g_test_add_func("/lammps-dump/units", test_units);
  g_test_add_func("/lammps-dump/odd", test_odd);
  g_test_add_func("/lammps-dump/other-atoms", test_other_atoms);
  g_test_add_func("/lammps-dump/atoms-that-come-and-go", test_atoms_that_come_and_go);
  g_test_add_func("/lammps-dump/types-that-come-and-go", test_types_that_come_and_go);
  g_test_add_func("/lammps-dump/order-that-is-known", test_order_that_is_known);
  g_test_add_func("/lammps-dump/atoms-that-come-twice", test_atoms_that_come_twice);
  g_test_add_func("/lammps-dump/without-ids", test_without_ids);
  return g_test_run();
}

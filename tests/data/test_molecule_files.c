/* SPDX-License-Identifier: MIT */
/* Mol2, CHARMM CRD, NAMD's binary coordinates and pos.d from small files. */
#include "data/files/error.h"
#include "data/trajectory/format_list.h"
#include "tests/support/text_file.h"

#include <string.h>

/* --- Mol2 --- */

#define ETHANE(name, x)                                                             \
  "@<TRIPOS>MOLECULE\n" name "\n 3 2 2 0 0\nSMALL\nUSER_CHARGES\n\n@<TRIPOS>ATOM\n" \
  "1 C1 " x " 2.0 3.0 C.3 1 ALA12 -0.3\n"                                           \
  "# a comment\n"                                                                   \
  "2 CL 4.0 5.0 \\\n6.0 Cl 7 LIG 0.1\n"                                             \
  "5 H1 7.0 8.0 9.0 H 1 ALA12 0.2\n"                                                \
  "@<TRIPOS>BOND\n1 1 5 1\n2 1 2 nc\n"

static void
test_mol2(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.mol2",
                     "# made by hand\n\n" ETHANE(
                         "one", "1.0") "@<TRIPOS>SUBSTRUCTURE\n1 ALA12 1 RESIDUE 4 B ALA 1\n"
                                       "@<TRIPOS>CRYSIN\n10 20 30 90 90 90 1 1\n" ETHANE("two", "1.5"));
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const guint8 elements[] = {6, 17, 1};
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpmem(debye_topology_get_elements(topology), 3, elements, 3);
  g_assert_cmpuint(n_bonds, ==, 1);
  g_assert_cmpuint(bonds[0].j, ==, 2);
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "one");
  g_assert_cmpint(debye_topology_get_serials(topology)[2], ==, 5);
  g_assert_cmpfloat_with_epsilon(debye_topology_get_total_charge(topology), 0.0, 1e-7);

  /* The hydrogen stands behind another residue, but belongs to the first. */
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 2);
  g_assert_true(text_file_get_residue(dataset, 0) == text_file_get_residue(dataset, 2));
  g_assert_cmpint(text_file_get_residue(dataset, 0)->number, ==, 12);
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 0)->name), ==, "ALA");
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 0)->chain), ==, "B");
  g_assert_cmpint(text_file_get_residue(dataset, 1)->number, ==, 7);
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 1)->name), ==, "LIG");

  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 2);
  g_autoptr(DebyeFrame) first = text_file_read(dataset, 0);
  g_autoptr(DebyeFrame) second = text_file_read(dataset, 1);
  text_file_assert_position(first, 0, 1.0, 2.0, 3.0);
  text_file_assert_position(first, 1, 4.0, 5.0, 6.0);
  text_file_assert_position(second, 0, 1.5, 2.0, 3.0);
  g_assert_true(first->has_cell);
  text_file_assert_vector(first->cell.c, 0.0, 0.0, 30.0);
  g_assert_false(second->has_cell);
}

#define ATOM_OF_TYPE(name, type) \
  "@<TRIPOS>MOLECULE\nm\n1 0\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n1 " name " 0 0 0 " type " 1 LIG 0.0\n"

/* "Ca" is SYBYL's calcium, "CA" AMBER's aromatic carbon; "Du" is no atom. */
static void
test_mol2_types(void)
{
  static const struct {
    const char *text;
    guint8 element;
  } cases[] = {
      {ATOM_OF_TYPE("X1", "Ca"), 20},    {ATOM_OF_TYPE("X1", "CA"), 6}, {ATOM_OF_TYPE("X1", "C.ar"), 6},
      {ATOM_OF_TYPE("X1", "c3"), 6},     {ATOM_OF_TYPE("X1", "Du"), 0}, {ATOM_OF_TYPE("C1", "LP"), 0},
      {ATOM_OF_TYPE("X1", "Co.oh"), 27},
  };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.mol2", cases[i].text);
    DebyeTopology *topology = debye_dataset_get_topology(dataset);
    g_assert_cmpuint(debye_topology_get_elements(topology)[0], ==, cases[i].element);
    g_assert_null(debye_topology_get_charges(topology));
    g_assert_cmpuint(text_file_count_warnings(dataset), ==, 0);
  }
}

static void
test_mol2_odd(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) others = text_file_open(
      folder, "library.mol2", ATOM_OF_TYPE("C1", "C.3") ATOM_OF_TYPE("N1", "N.3") ATOM_OF_TYPE("C9", "C.3"));
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(others)), ==, 2);
  g_assert_true(
      text_file_has_warning(others, "1 of 3 molecules are left out because their atoms are of other types"));

  text_file_assert_fails(folder, "a.mol2", "@<TRIPOS>ATOM\n1 C 0 0 0 C\n", DEBYE_ERROR_TRUNCATED,
                         "a.mol2: line 2: expected @<TRIPOS>MOLECULE, found the end of the file");
  text_file_assert_fails(folder, "a.mol2", "@<TRIPOS>MOLECULE\nm\nx\n", DEBYE_ERROR_SYNTAX,
                         "a.mol2: line 3: expected the number of atoms, found “x”");
  text_file_assert_fails(folder, "a.mol2",
                         "@<TRIPOS>MOLECULE\nm\n2 0\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n"
                         "1 C 0 0 0 C\n@<TRIPOS>BOND\n",
                         DEBYE_ERROR_SYNTAX,
                         "a.mol2: line 8: expected the 2 atoms that the molecule's header states, found 1");
  text_file_assert_fails(folder, "a.mol2", "@<TRIPOS>MOLECULE\nm\n1 0\nSMALL\n@<TRIPOS>ATOM\n1 C 0 0 0\n",
                         DEBYE_ERROR_SYNTAX,
                         "a.mol2: line 6: expected an atom with at least 6 fields, found “1 C 0 0 0”");
  text_file_assert_fails(folder, "a.mol2", "@<TRIPOS>MOLECULE\nm\n1 0\nSMALL\n@<TRIPOS>ATOM\n1 C 0 0,5 0 C\n",
                         DEBYE_ERROR_SYNTAX, "a.mol2: line 6: expected a number for y, found “0,5”");
  g_autoptr(DebyeDataset) bonds = text_file_open(
      folder, "b.mol2",
      "@<TRIPOS>MOLECULE\nm\n1 3\nSMALL\n@<TRIPOS>ATOM\n1 C 0 0 0 C\n@<TRIPOS>BOND\n1 1 9 1\n");
  g_assert_true(text_file_has_warning(bonds, "the molecule's header states 3 bonds, but it has 1"));
  g_assert_true(text_file_has_warning(bonds, "1 bonds refer to atoms that do not exist"));
}

/* --- CRD --- */

static void
test_crd(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) narrow =
      text_file_open(folder, "a.crd",
                     "* A PEPTIDE\n*  DATE: today\n*\n    3\n"
                     "    1    1 ALA  CA   -11.92100 -26.30700  10.41000 PROA 27A    0.00000\n"
                     "    2    2 ALA  CA  1234.56789   0.00000   0.50000 PROA 28     0.00000\n"
                     "    3    3 CAL  CAL    1.00000   2.00000   3.00000 HETA 1      2.50000\n");
  DebyeTopology *topology = debye_dataset_get_topology(narrow);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const guint8 elements[] = {6, 6, 20};
  g_assert_cmpstr(debye_dataset_get_formats(narrow)[0], ==, "crd");
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "A PEPTIDE");
  g_assert_cmpmem(debye_topology_get_elements(topology), 3, elements, 3);
  g_assert_cmpint(text_file_get_residue(narrow, 0)->number, ==, 27);
  g_assert_cmpint(text_file_get_residue(narrow, 0)->insertion_code, ==, 'A');
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(narrow, 2)->segment), ==, "HETA");
  g_assert_cmpfloat(debye_topology_get_b_factors(topology)[2], ==, 2.5F);
  g_autoptr(DebyeFrame) frame = text_file_read(narrow, 0);
  text_file_assert_position(frame, 0, -11.921, -26.307, 10.41);
  /* Columns may touch, and a step of single precision there is 1.2e-4 Å. */
  g_assert_cmpfloat_with_epsilon((double)frame->x[1], 1234.56789, 6.1e-5);
  g_assert_false(frame->has_cell);

  g_autoptr(DebyeDataset) wide = text_file_open(
      folder, "b.cor",
      "*\n         2  EXT\n"
      "         1         1  TIP3PWAT  OH2             1.0000000001      -22.5000000000        3.2500000000  "
      "WATERBOX  100001          0.0000000000\n"
      "         2         1  TIP3PWAT  H1              1.5000000000      -22.5000000000        3.2500000000  "
      "WATERBOX  100001          0.0000000000\n");
  g_assert_cmpint(text_file_get_residue(wide, 1)->number, ==, 100001);
  g_assert_cmpuint(debye_topology_get_n_residues(debye_dataset_get_topology(wide)), ==, 1);
  g_assert_null(debye_topology_get_b_factors(debye_dataset_get_topology(wide)));
  g_autoptr(DebyeFrame) wide_frame = text_file_read(wide, 0);
  text_file_assert_position(wide_frame, 1, 1.5, -22.5, 3.25);
}

static void
test_crd_odd(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  text_file_assert_fails(folder, "a.crd",
                         "* T\n*\n    2\n"
                         "    1    1 ALA  CA   -11.92100 -26.30700  10.41000 PROA 1      0.00000\n",
                         DEBYE_ERROR_TRUNCATED, "a.crd: line 4: expected an atom, found the end of the file");
  text_file_assert_fails(folder, "a.crd",
                         "* T\n*\n    1\n    1    1 ALA  CA   -11,92100 -26.30700  10.41000 PROA 1\n",
                         DEBYE_ERROR_SYNTAX, "a.crd: line 4: expected a number for x, found “-11,92100”");
  text_file_assert_fails(folder, "a.crd",
                         "* T\n*\n    0\n    1    1 ALA  CA   -11.92100 -26.30700  10.41000 PROA 1\n",
                         DEBYE_ERROR_SYNTAX, "a.crd: expected atoms, found none");
}

/* --- NAMD --- */

static void
check_namdbin(const DebyeTemporaryFolder *folder, gboolean is_swapped)
{
  const double positions[6] = {1.5, -2.25, 3.0, 1e3, 0.0, -7.0};
  guint8 bytes[4 + sizeof positions];
  guint32 count = is_swapped ? GUINT32_SWAP_LE_BE(2u) : 2u;
  memcpy(bytes, &count, sizeof count);
  for (int i = 0; i < 6; i++) {
    guint64 bits;
    memcpy(&bits, &positions[i], sizeof bits);
    bits = is_swapped ? GUINT64_SWAP_LE_BE(bits) : bits;
    memcpy(bytes + 4 + 8 * i, &bits, sizeof bits);
  }
  g_autofree char *path = debye_temporary_write(folder, "a.coor", bytes, sizeof bytes);
  const char *paths[] = {path, NULL};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "namdbin");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 1.5, -2.25, 3.0);
  text_file_assert_position(frame, 1, 1e3, 0.0, -7.0);
}

static void
test_namdbin(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  check_namdbin(folder, FALSE);
  check_namdbin(folder, TRUE);
}

/* --- pos.d --- */

/* Edges in one line or in three; lengths in the unit that is chosen. */
static void
test_posd(void)
{
  static const char *const texts[] = {"10 20 30\n2\n1 2 3\n\n4 5 6\n", "10.0\n20\n 30\n\n 2\n1 2 3\n4 5 6"};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "pos.d", texts[i]);
    g_autoptr(DebyeDataset) in_nm = debye_dataset_with_length_unit(dataset, "nm", NULL);
    g_autoptr(DebyeDataset) reduced = debye_dataset_with_length_unit(dataset, "3.4", NULL);
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
    g_autoptr(DebyeFrame) longer = text_file_read(in_nm, 0);
    g_autoptr(DebyeFrame) other = text_file_read(reduced, 0);
    g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "posd");
    g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), ==, 2);
    text_file_assert_position(frame, 1, 4.0, 5.0, 6.0);
    text_file_assert_vector(frame->cell.b, 0.0, 20.0, 0.0);
    text_file_assert_position(longer, 1, 40.0, 50.0, 60.0);
    text_file_assert_vector(longer->cell.c, 0.0, 0.0, 300.0);
    text_file_assert_position(other, 0, 3.4, 6.8, 10.2);
    /* What isn't said is asked for, until it is chosen: the unit and the elements. */
    g_assert_cmpuint(text_file_count_warnings(dataset), ==, 2);
    g_assert_cmpuint(text_file_count_warnings(in_nm), ==, 1);
  }
}

static void
test_posd_errors(void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"10 10 10\n3\n1 2 3\n4 5 6\n", "expected an atom, found the end of the file"},
      {"10 10 10\n2\n1 2 3\n4 5 x\n", "line 4"},
      {"10 10 10\n2\n1 2 3\n4 5\n", "line 4"},
      {"10 10 0\n1\n1 2 3\n", "above 0"},
      {"10 10 10 10\n1\n1 2 3\n", "three edges"},
      {"10 10 10\n1000000000000\n1 2 3\n", "line 2"},
  };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *path = debye_temporary_write(folder, "pos.d", cases[i].text, strlen(cases[i].text));
    g_autoptr(DebyeInput) input = debye_input_open(path, NULL);
    g_autoptr(DebyeFrameIndex) index = debye_frame_index_new();
    g_autoptr(DebyeFrame) frame = debye_frame_new(2);
    g_autofree char *reader = debye_format_posd.reader_new(input, index, NULL);
    if (debye_format_posd.index_frames(input, index, NULL, NULL, &error))
      g_assert_false(debye_format_posd.read_frame(reader, input, index, 0, frame, &error));
    g_assert_nonnull(error);
    if (strstr(error->message, cases[i].sentence) == NULL)
      g_error("%s", error->message);
  }
}

/* A unit for a file that says its own is refused, and what is no unit. */
static void
test_length_unit_refused(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) known = text_file_open(folder, "a.xyz", "1\n\nO 1 2 3\n");
  g_autoptr(DebyeDataset) unknown = text_file_open(folder, "pos.d", "9 9 9\n1\n1 2 3\n");
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_dataset_with_length_unit(known, "nm", &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  static const char *const wrong[] = {"", "mile", "0", "-1", "nan", "1e9"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_clear_error(&error);
    g_assert_null(debye_dataset_with_length_unit(unknown, wrong[i], &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  }
}

/* Neither other columns of numbers nor a trajectory of AMBER are taken for it. */
static void
test_posd_is_recognised(void)
{
  static const char *const others[] = {"10 10 10\n2\n1 2 3 4\n",      "1 2 3\n4 5 6\n7 8 9\n",
                                       "10 10 10\n1\n1 2 3\n4 5 6\n", "10 10 10\n1.5\n1 2 3\n",
                                       "-1 10 10\n1\n1 2 3\n",        "10 10 10\n2\n"};
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    g_assert_cmpint(debye_format_posd.probe((const guint8 *)others[i], strlen(others[i])), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/mol2/whole", test_mol2);
  g_test_add_func("/mol2/types", test_mol2_types);
  g_test_add_func("/mol2/odd", test_mol2_odd);
  g_test_add_func("/crd/whole", test_crd);
  g_test_add_func("/crd/odd", test_crd_odd);
  g_test_add_func("/namdbin/both-orders", test_namdbin);
  g_test_add_func("/posd/read", test_posd);
  g_test_add_func("/posd/errors", test_posd_errors);
  g_test_add_func("/posd/recognised", test_posd_is_recognised);
  g_test_add_func("/posd/length_unit_refused", test_length_unit_refused);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* AMBER's topologies, restart files and text trajectories from small texts: what the forms of the files are,
 * what decides whether there is a cell or velocities, and what is said about files that contradict
 * themselves. */
#include <math.h>
#include <string.h>

#include "data/formats/amber/amber_sections.h"
#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "data/trajectory/frame_cache.h"
#include "tests/support/temporary.h"

/* --- Opening --- */

static DebyeDataset *
open_texts(const DebyeTemporaryFolder *folder, const char *first, const char *second, GError **error)
{
  g_autofree char *one = debye_temporary_write(folder, "first", first, strlen(first));
  g_autofree char *two =
      second != NULL ? debye_temporary_write(folder, "second", second, strlen(second)) : NULL;
  return debye_dataset_open((const char *[]){one, two, NULL}, NULL, NULL, error);
}

static DebyeDataset *
open_good(const DebyeTemporaryFolder *folder, const char *first, const char *second)
{
  g_autoptr(GError) error = NULL;
  DebyeDataset *dataset = open_texts(folder, first, second, &error);
  g_assert_no_error(error);
  return dataset;
}

static void
assert_fails(const char *first, const char *second, int code, const char *sentence)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_texts(folder, first, second, &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(error->message, ==, sentence);
}

static DebyeFrame *
read_frame(DebyeDataset *dataset, gsize frame_number)
{
  g_autoptr(GError) error = NULL;
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  DebyeFrame *frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  debye_trajectory_reader_read(reader, frame_number, frame, &error);
  g_assert_no_error(error);
  return frame;
}

static gsize
count_frames(DebyeDataset *dataset)
{
  return debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset));
}

static gboolean
has_warning(DebyeDataset *dataset, const char *part)
{
  for (const char *const *text = debye_dataset_get_warnings(dataset); *text != NULL; text++)
    if (strstr(*text, part) != NULL)
      return TRUE;
  return FALSE;
}

static void
assert_cell(const DebyeFrame *frame, double a, double b, double c, double alpha, double beta, double gamma)
{
  const double expected[6] = {a, b, c, alpha, beta, gamma};
  double found[6];
  g_assert_true(frame->has_cell);
  debye_cell_to_lengths_angles(&frame->cell, found, found + 3);
  for (int k = 0; k < 6; k++)
    g_assert_cmpfloat_with_epsilon(found[k], expected[k], 1e-9);
}

/* --- Topologies --- */

/* Two residues of three and one atoms, in no usual order, with what ParmEd adds. */
#define POINTERS(ifbox)                                                                \
  "%FLAG POINTERS\n%COMMENT counts\n%FORMAT(10I8)\n"                                   \
  "       4       2       1       1       0       0       0       0       0       0\n" \
  "       1       2       1       0       0       1       0       0       2       0\n" \
  "       0       0       0       0       0       0       0       " ifbox "       3       0\n       0\n"
#define ATOMS                                                          \
  "%FLAG MASS\n%FORMAT(5E16.8)\n"                                      \
  "  1.60000000E+01  1.00800000E+00  3.02400000E+00  1.20100000E+01\n" \
  "%FLAG ATOM_NAME\n%FORMAT(20a4)\nO   H1  H2  CA\n"                   \
  "%FLAG AMBER_ATOM_TYPE\n%FORMAT(20a4)\nOW  HW  HW  CT\n"
#define CHARGES                     \
  "%FLAG CHARGE\n%FORMAT(5E16.8)\n" \
  " -1.82223000E+01  9.11115000E+00  9.11115000E+00  0.00000000E+00\n"
#define RESIDUES                                  \
  "%FLAG RESIDUE_LABEL\n%FORMAT(20a4)\nWAT ALA\n" \
  "%FLAG RESIDUE_POINTER\n%FORMAT(10I8)\n       1       4\n"
#define BONDS                                                           \
  "%FLAG BONDS_INC_HYDROGEN\n%FORMAT(10I8)\n       0       3       1\n" \
  "%FLAG BONDS_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n       0       9       1\n"
#define BOX(numbers) "%FLAG BOX_DIMENSIONS\n%FORMAT(5E16.8)\n" numbers "\n"
#define VERSION "%VERSION  VERSION_STAMP = V0001.000  DATE = 11/20/26  12:00:00\n"
#define TITLE "%FLAG TITLE\n%FORMAT(20a4)\nfour atoms\n"

static void
check_four_atoms(DebyeTopology *topology)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residues = debye_topology_get_residue_table(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  static const guint8 expected[] = {8, 1, 1, 6};
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 4);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 2);
  g_assert_cmpstr(debye_string_pool_get(pool, residues[1].name), ==, "ALA");
  g_assert_cmpuint(residues[0].n_atoms, ==, 3);
  g_assert_cmpstr(debye_string_pool_get(pool, debye_topology_get_names(topology)[3]), ==, "CA");
  g_assert_cmpstr(debye_string_pool_get(pool, debye_topology_get_types(topology)[2]), ==, "HW");
  g_assert_cmpmem(elements, 4, expected, 4);
  g_assert_cmpuint(n_bonds, ==, 2);
  g_assert_cmpuint(bonds[0].j, ==, 1);
  g_assert_cmpuint(bonds[1].j, ==, 3);
  g_assert_cmpfloat(debye_topology_get_masses(topology)[2], ==, 3.024f);
}

static void
test_topology(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      open_good(folder, VERSION RESIDUES CHARGES ATOMS BONDS POINTERS("0") TITLE, NULL);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const float *charges = debye_topology_get_charges(topology);
  DebyeCell cell;
  check_four_atoms(topology);
  g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "prmtop");
  g_assert_null(debye_dataset_get_trajectory(dataset));
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "four atoms");
  g_assert_cmpfloat(charges[0], ==, -1.0f);
  g_assert_cmpfloat(charges[1], ==, 0.5f);
  g_assert_null(debye_topology_get_radii(topology));
  g_assert_false(debye_topology_get_cell(topology, &cell));
  g_assert_cmpint(debye_topology_get_residue_table(topology)[1].number, ==, 2);
}

/* CHAMBER's charges are multiplied with CHARMM's constant, sqrt(332.0716), not with AMBER's 18.2223. */
static void
test_chamber(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      open_good(folder,
                VERSION "%FLAG CTITLE\n%FORMAT(20a4)\nfour\n" POINTERS("0") ATOMS
                "%FLAG FORCE_FIELD_TYPE\n%FORMAT(i2,a78)\n 1 CHARMM\n"
                "%FLAG CHARGE\n%COMMENT times sqrt(332.0716D0)\n%FORMAT(3E24.16)\n"
                " -5.4668498734169607E+00  5.4668498734169607E+00  0.0000000000000000E+00\n"
                "  0.0000000000000000E+00\n"
                "%FLAG RADII\n%FORMAT(5E16.8)\n"
                "  1.50000000E+00  1.20000000E+00  1.20000000E+00  1.70000000E+00\n"
                "%FLAG ATOMIC_NUMBER\n%FORMAT(10I8)\n       8       1      -1       7\n"
                "%FLAG RESIDUE_NUMBER\n%FORMAT(20I4)\n  17  17\n"
                "%FLAG RESIDUE_ICODE\n%FORMAT(20a4)\n    A\n"
                "%FLAG RESIDUE_CHAINID\n%FORMAT(20a4)\nX   Y\n" RESIDUES BONDS,
                NULL);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const DebyeResidue *residues = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  g_assert_cmpfloat_with_epsilon(debye_topology_get_charges(topology)[0], -0.3, 1e-7);
  g_assert_cmpfloat(debye_topology_get_radii(topology)[3], ==, 1.7f);
  /* A number below 0 says nothing; 7 is believed although the mass is that of carbon. */
  g_assert_cmpuint(debye_topology_get_elements(topology)[2], ==, 1);
  g_assert_cmpuint(debye_topology_get_elements(topology)[3], ==, 7);
  g_assert_cmpint(residues[0].number, ==, 17);
  g_assert_cmpint(residues[1].insertion_code, ==, 'A');
  g_assert_cmpstr(debye_string_pool_get(pool, residues[1].chain), ==, "Y");
}

#define REALS(a, b, c, d) a b c d "\n"
static void
test_old_topology(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = open_good(
      folder,
      "four atoms\n"
      "     4     1     1     1     0     0     0     0     0     0     1     2\n"
      "     1     0     0     1     0     0     1     0     0     0     0     0\n"
      "     0     0     0     2     3     0\n"
      "O   H1  H2  CA  \n" REALS(" -0.18222300E+02", "  0.91111500E+01", "  0.91111500E+01",
                                 "  0.00000000E+00")
          REALS("  0.16000000E+02", "  0.10080000E+01", "  0.30240000E+01",
                "  0.12010000E+02") "     1     1     1     1\n" /* types */
                                    "     1     1     1     1\n" /* numbers excluded */
                                    "     1\n"                   /* pair index */
                                    "WAT ALA \n"
                                    "     1     4\n"
                                    "  0.55300000E+03\n  0.95720000E+00\n"     /* bonds' parameters */
                                    "\n\n\n\n\n"                               /* no angles, no dihedrals */
                                    "  0.00000000E+00\n"                       /* SOLTY */
                                    "  0.10000000E+01\n  0.10000000E+01\n"     /* Lennard-Jones */
                                    "     0     3     1\n     0     9     1\n" /* bonds */
                                    "\n\n\n\n"                                 /* no angles, no dihedrals */
                                    "     2\n\n\n\n" /* excluded atoms, no hydrogen bonds */
                                    "OW  HW  HW  CT  \n"
                                    "M   M   M   M   \n     0     0     0     0\n     0     0     0     0\n"
                                    "     2     2     1\n     3     1\n"
                                    "  0.10947122E+03  0.30000000E+02  0.30000000E+02  0.30000000E+02\n",
      NULL);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  DebyeCell cell;
  double lengths[3], angles[3];
  check_four_atoms(topology);
  g_assert_cmpfloat(debye_topology_get_charges(topology)[0], ==, -1.0f);
  g_assert_true(debye_topology_get_cell(topology, &cell));
  debye_cell_to_lengths_angles(&cell, lengths, angles);
  g_assert_cmpfloat_with_epsilon(lengths[1], 30.0, 1e-9);
  g_assert_cmpfloat_with_epsilon(angles[2], 109.47122, 1e-9);
}

static void
test_cells(void)
{
  static const struct {
    const char *text;
    double angles[3]; /* 0: no cell */
  } cases[] = {
      {VERSION TITLE POINTERS("1") ATOMS CHARGES RESIDUES BONDS BOX(
           "  9.00000000E+01  3.00000000E+01  3.10000000E+01  3.20000000E+01"),
       {90.0, 90.0, 90.0}},
      {VERSION TITLE POINTERS("1") ATOMS CHARGES RESIDUES BONDS BOX(
           "  1.00000000E+02  3.00000000E+01  3.10000000E+01  3.20000000E+01"),
       {90.0, 100.0, 90.0}},
      {VERSION TITLE POINTERS("2") ATOMS CHARGES RESIDUES BONDS BOX(
           "  1.09471219E+02  3.00000000E+01  3.00000000E+01  3.00000000E+01"),
       {109.471219, 109.471219, 109.471219}},
      {VERSION TITLE POINTERS("1") ATOMS CHARGES RESIDUES BONDS BOX(
           "  6.00000000E+01  3.00000000E+01  3.00000000E+01  3.00000000E+01"),
       {60.0, 90.0, 60.0}},
      {VERSION TITLE POINTERS("3") ATOMS CHARGES RESIDUES BONDS BOX(
           "  8.00000000E+01  3.00000000E+01  3.00000000E+01  3.00000000E+01"),
       {0.0, 0.0, 0.0}},
  };
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autoptr(DebyeDataset) dataset = open_good(folder, cases[c].text, NULL);
    DebyeCell cell;
    double lengths[3], angles[3];
    gboolean has_cell = debye_topology_get_cell(debye_dataset_get_topology(dataset), &cell);
    g_assert_cmpint(has_cell, ==, cases[c].angles[0] > 0.0);
    if (has_cell)
      debye_cell_to_lengths_angles(&cell, lengths, angles);
    for (int k = 0; k < 3 && has_cell; k++)
      g_assert_cmpfloat_with_epsilon(angles[k], cases[c].angles[k], 1e-9);
  }
}

static void
test_bad_topologies(void)
{
  assert_fails(
      VERSION TITLE POINTERS("0") ATOMS CHARGES, NULL, DEBYE_ERROR_TRUNCATED,
      "first: expected the sections of an AMBER topology, found none of RESIDUE_LABEL, RESIDUE_POINTER, "
      "BONDS_INC_HYDROGEN, BONDS_WITHOUT_HYDROGEN: the file may have been cut");
  assert_fails(
      VERSION TITLE POINTERS("0") ATOMS "%FLAG CHARGE\n%FORMAT(5E16.8)\n -1.82223000E+01\n" RESIDUES BONDS,
      NULL, DEBYE_ERROR_SYNTAX, "first: line 23: expected a number, value 2 of 4 in CHARGE, found nothing");
  assert_fails(VERSION TITLE POINTERS("0") ATOMS
               "%FLAG CHARGE\n%FORMAT(2E16.8)\n  1.00000000E+00  1.00000000E+00\n" RESIDUES BONDS,
               NULL, DEBYE_ERROR_TRUNCATED,
               "first: line 24: expected value 3 of 4 in CHARGE, found the end of the section");
  assert_fails(
      VERSION TITLE POINTERS("0") ATOMS
      "%FLAG CHARGE\n%FORMAT(4E16.8)\n  1.00000000E+00  1.00000000E+00  1.00000000E+00  1.00000000E+00\n"
      "  1.00000000E+00\n" RESIDUES BONDS,
      NULL, DEBYE_ERROR_MISMATCH,
      "first: line 24: expected the end of CHARGE after 4 values, found “1.00000000E+00”");
  assert_fails(VERSION TITLE POINTERS("0") ATOMS
               "%FLAG CHARGE\n%FORMAT(4E16.8)\n ***************  1.00000000E+00  1.00000000E+00  "
               "1.00000000E+00\n" RESIDUES BONDS,
               NULL, DEBYE_ERROR_SYNTAX,
               "first: line 23: expected a number, value 1 of 4 in CHARGE, found “***************”");
  assert_fails(VERSION TITLE POINTERS("0") ATOMS "%FLAG CHARGE\n%FORMAT(i2,a78)\n 1\n" RESIDUES BONDS, NULL,
               DEBYE_ERROR_SYNTAX, "first: line 23: expected a %FORMAT of reals for CHARGE, found another");
  assert_fails(VERSION TITLE POINTERS("0") ATOMS CHARGES BONDS
               "%FLAG RESIDUE_LABEL\n%FORMAT(20a4)\nWAT ALA\n"
               "%FLAG RESIDUE_POINTER\n%FORMAT(10I8)\n       1       5\n",
               NULL, DEBYE_ERROR_SYNTAX,
               "first: expected the first atom of residue 2 from 2 to 4 in RESIDUE_POINTER, found 5");
  assert_fails(VERSION TITLE POINTERS("0") ATOMS CHARGES RESIDUES
               "%FLAG BONDS_INC_HYDROGEN\n%FORMAT(10I8)\n       0       4       1\n"
               "%FLAG BONDS_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n       0       9       1\n",
               NULL, DEBYE_ERROR_SYNTAX,
               "first: expected multiples of 3 for the atoms of bond 1 in BONDS_INC_HYDROGEN, found 0 and 4");
}

/* --- Restart files --- */

#define V "   0.1000000"
#define W "  -0.2000000"
#define L "  30.0000000"
#define A "  80.0000000"
#define POSITION "   1.0000000   2.0000000 -13.5000000"

/* Behind the coordinates of one, two or three atoms: what there can be. */
static void
test_restart(void)
{
  static const struct {
    const char *text;
    gboolean has_velocities;
    double angle; /* 0: no cell */
  } cases[] = {
      {"one\n    1\n" POSITION "\n", FALSE, 0.0},
      {"one\n    1  0.5000000E+01\n" POSITION "\n" V W V "\n", TRUE, 0.0},
      {"one\n    1\n" POSITION "\n" L L L "\n", FALSE, 90.0},
      {"one\n    1\n" POSITION "\n" L L L A A A "\n", FALSE, 80.0},
      {"one\n    1\n" POSITION "\n" V W V "\n" L L L A A A, TRUE, 80.0},
      {"two\n    2\n" POSITION POSITION "\n", FALSE, 0.0},
      {"two\n    2\n" POSITION POSITION "\n" V W V V W V "\n", TRUE, 0.0},
      {"two\n    2\n" POSITION POSITION "\n" L L L A A A "\n", FALSE, 80.0},
      {"two\n    2\n" POSITION POSITION "\n" V W V V W V "\n" L L L "\n\n", TRUE, 90.0},
      {"three\n    3\n" POSITION POSITION "\n" POSITION "\n", FALSE, 0.0},
      {"three\r\n    3\r\n" POSITION POSITION "\r\n" POSITION "\r\n" L L L A A A "\r\n", FALSE, 80.0},
      {"three\n    3\n" POSITION POSITION "\n" POSITION "\n" V W V V W V "\n" V W V "\n", TRUE, 0.0},
      {"three\n    3\n" POSITION POSITION "\n" POSITION "\n" V W V V W V "\n" V W V "\n" L L L A A A "\n",
       TRUE, 80.0},
  };
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autoptr(DebyeDataset) dataset = open_good(folder, cases[c].text, NULL);
    g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
    gsize last = frame->n_atoms - 1;
    g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "rst7");
    g_assert_cmpuint(count_frames(dataset), ==, 1);
    g_assert_cmpfloat(frame->z[last], ==, -13.5f);
    g_assert_cmpint(frame->vx != NULL, ==, cases[c].has_velocities);
    g_assert_cmpint(frame->has_cell, ==, cases[c].angle > 0.0);
    if (cases[c].has_velocities) /* AMBER's unit: 20.455 Å/ps */
      g_assert_cmpfloat(frame->vy[last], ==, (float)(-0.2 * 20.455));
    if (cases[c].angle > 0.0)
      assert_cell(frame, 30.0, 30.0, 30.0, cases[c].angle, cases[c].angle, cases[c].angle);
    g_assert_cmpint(isfinite(frame->time), ==, c == 1);
  }
}

/* What is behind whole coordinates and makes no sense is left out with a warning. */
static void
test_bad_restarts(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  assert_fails("three\n    3\n" POSITION POSITION "\n", NULL, DEBYE_ERROR_TRUNCATED,
               "first: line 2: expected the coordinates of 3 atoms, found 73 bytes, enough for 2");
  g_autoptr(DebyeDataset) no_cell =
      open_good(folder, "three\n    3\n" POSITION POSITION "\n" POSITION "\n" L L L A A "\n", NULL);
  g_assert_true(has_warning(no_cell, "the last line's numbers do not describe a cell"));
  g_autoptr(DebyeDataset) dataset = open_good(folder,
                                              "five\n    5\n" POSITION POSITION "\n" POSITION POSITION
                                              "\n" POSITION "\n" V W V V W V "\n" V "\n",
                                              NULL);
  g_assert_true(
      has_warning(dataset, "the 2 lines after the coordinates are neither velocities (3 lines) nor a cell"));
  g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
  g_assert_null(frame->vx);
}

/* --- Text trajectories --- */

/* A structure of `n` atoms, for what the trajectory doesn't say. */
static char *
make_structure(gsize n)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "%" G_GSIZE_FORMAT "\n\n", n);
  for (gsize i = 0; i < n; i++)
    g_string_append(text, "C 0 0 0\n");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Frame k holds k + 0.001 · (number of the value); `ends` ends lines. */
static void
put_frame(GString *text, gsize n_atoms, gsize k, const char *box, const char *ends)
{
  for (gsize i = 0; i < 3 * n_atoms; i++) {
    g_string_append_printf(text, "%4d.%03d", (int)k, (int)i);
    if (i % 10 == 9 || i + 1 == 3 * n_atoms)
      g_string_append(text, ends);
  }
  if (box != NULL)
    g_string_append_printf(text, "%s%s", box, ends);
}

static char *
make_trajectory(gsize n_atoms, gsize n_frames, const char *box, const char *ends)
{
  g_autoptr(GString) text = g_string_new("a title");
  g_string_append(text, ends);
  for (gsize k = 0; k < n_frames; k++)
    put_frame(text, n_atoms, k, box, ends);
  return g_string_free(g_steal_pointer(&text), FALSE);
}

#define BOX3 "  30.000  31.000  32.000"
#define BOX6 BOX3 "  80.000  81.000  82.000"

/* A coordinate file has no topology: a structure of another format goes with it, and its frames count for
 * less. */
static void
check_trajectory(gsize n_atoms, const char *text, gsize n_frames, gsize n_box)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *structure = make_structure(n_atoms);
  g_autoptr(DebyeDataset) dataset = open_good(folder, text, structure);
  g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, "mdcrd");
  g_assert_cmpuint(count_frames(dataset), ==, n_frames);
  for (gsize k = n_frames; k-- > 0;) {
    g_autoptr(DebyeFrame) frame = read_frame(dataset, k);
    g_assert_cmpfloat(frame->x[0], ==, (float)k);
    g_assert_cmpfloat_with_epsilon(frame->z[n_atoms - 1], (double)k + 1e-3 * (double)(3 * n_atoms - 1), 1e-5);
    g_assert_true(isnan(frame->time));
    g_assert_cmpint(frame->has_cell, ==, n_box > 0);
    if (n_box == 3)
      assert_cell(frame, 30.0, 31.0, 32.0, 90.0, 90.0, 90.0);
    else if (n_box == 6)
      assert_cell(frame, 30.0, 31.0, 32.0, 80.0, 81.0, 82.0);
  }
}

static void
test_trajectory(void)
{
  static const gsize sizes[] = {2, 3, 4, 7, 10, 11, 20, 21};
  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++)
    for (gsize n_frames = 1; n_frames < 5; n_frames++) {
      g_autofree char *plain = make_trajectory(sizes[s], n_frames, NULL, "\n");
      g_autofree char *with_box = make_trajectory(sizes[s], n_frames, BOX3, "\r\n");
      check_trajectory(sizes[s], plain, n_frames, 0);
      check_trajectory(sizes[s], with_box, n_frames, 3);
    }
  g_autofree char *six = make_trajectory(11, 3, BOX6, "\n");
  g_autofree char *blank = make_trajectory(11, 3, BOX3, "\n");
  g_autofree char *ends_in_blanks = g_strconcat(blank, "\n  \n", NULL);
  blank[strlen(blank) - 1] = '\0';
  check_trajectory(11, six, 3, 6);
  check_trajectory(11, blank, 3, 3);
  check_trajectory(11, ends_in_blanks, 3, 3);
}

/* Nothing parts a line of one atom's coordinates from one of a cell's lengths: it is coordinates. */
static void
test_one_atom(void)
{
  g_autofree char *text = make_trajectory(1, 4, NULL, "\n");
  check_trajectory(1, text, 4, 0);
}

/* A number that outgrew its column moves the rest of its line and of the file. */
static void
test_wide_numbers(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *structure = make_structure(4);
  g_autoptr(GString) text = g_string_new("wide\n");
  put_frame(text, 4, 0, NULL, "\n");
  put_frame(text, 4, 1, NULL, "\n");
  g_string_append(text, " -1234.500   1.000   2.000   3.000   4.000   5.000   6.000   7.000   8.000   "
                        "9.000\n   1.000   2.500\n");
  put_frame(text, 4, 3, NULL, "\n");
  g_autoptr(DebyeDataset) dataset = open_good(folder, text->str, structure);
  g_assert_cmpuint(count_frames(dataset), ==, 4);
  g_autoptr(DebyeFrame) wide = read_frame(dataset, 2);
  g_autoptr(DebyeFrame) last = read_frame(dataset, 3);
  g_assert_cmpfloat(wide->x[0], ==, -1234.5f);
  g_assert_cmpfloat(wide->z[3], ==, 2.5f);
  g_assert_cmpfloat(last->x[0], ==, 3.0f);
}

/* Numbers that fill their columns have no blanks between them. */
static void
test_glued_numbers(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *structure = make_structure(2);
  g_autoptr(DebyeDataset) dataset =
      open_good(folder, "glued\n-100.001-200.002-300.003-400.004-500.005-600.006\n", structure);
  g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
  g_assert_cmpfloat(frame->y[1], ==, -500.005f);
}

static void
test_replica_lines(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *structure = make_structure(3);
  g_autoptr(GString) text = g_string_new("replicas\n");
  for (gsize k = 0; k < 3; k++) {
    g_string_append_printf(text, "REMD        1        1 %8d  300.00\n", (int)k);
    put_frame(text, 3, k, BOX3, "\n");
  }
  check_trajectory(3, text->str, 3, 3);
}

/* The octahedron's angle is in the topology only. */
static void
test_angles_of_topology(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *text = make_trajectory(4, 2, "  30.000  30.000  30.000", "\n");
  g_autoptr(DebyeDataset) dataset =
      open_good(folder, text,
                VERSION TITLE POINTERS("2") ATOMS CHARGES RESIDUES BONDS BOX(
                    "  1.09471219E+02  2.00000000E+01  2.00000000E+01  2.00000000E+01"));
  g_autoptr(DebyeFrame) frame = read_frame(dataset, 1);
  assert_cell(frame, 30.0, 30.0, 30.0, 109.471219, 109.471219, 109.471219);
}

static void
test_bad_trajectories(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *good = make_trajectory(7, 3, NULL, "\n");
  g_autofree char *six = make_structure(6);
  g_autofree char *seven = make_structure(7);
  g_autofree char *many = make_structure(100);
  assert_fails(
      good, NULL, DEBYE_ERROR_MISSING,
      "first: an AMBER trajectory in text doesn't say how many atoms it has: expected its topology (prmtop, "
      "PDB, …) to be opened with it, found none");
  assert_fails(good, six, DEBYE_ERROR_SYNTAX,
               "first: line 3: expected 8 numbers in columns of 8 in a frame of 6 atoms, found 10");
  assert_fails(
      good, many, DEBYE_ERROR_MISMATCH,
      "first: expected the topology's 100 atoms in a frame, found a file of 521 bytes, too short for it");
  /* Cut within the last number of the last frame. */
  good[strlen(good) - 2] = '\0';
  g_autoptr(DebyeDataset) dataset = open_good(folder, good, seven);
  g_assert_cmpuint(count_frames(dataset), ==, 2);
  g_assert_true(
      has_warning(dataset, "line 10: expected 1 numbers in columns of 8 in a frame of 7 atoms, found 0"));
}

/* A cached index is only good for the number of atoms it was made with. */
static void
test_cache(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  const gsize n_frames = DEBYE_FRAME_CACHE_MINIMUM / 240; /* 30 numbers in three lines: 243 bytes */
  g_autofree char *text = make_trajectory(10, n_frames, NULL, "\n");
  g_autofree char *ten = make_structure(10), *twenty = make_structure(20);
  for (int again = 0; again < 2; again++) {
    g_autoptr(DebyeDataset) small = open_good(folder, text, ten);
    g_assert_cmpuint(count_frames(small), ==, n_frames);
    g_autoptr(DebyeDataset) large = open_good(folder, text, twenty);
    g_assert_cmpuint(count_frames(large), ==, n_frames / 2);
  }
}

/* Which sections a topology lacks is found out before any is read; whoever doesn't is told. */
static void
test_missing_section(void)
{
  static const char text[] = "%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n%FORMAT(20a4)\nnone\n";
  gint32 value;
  g_autoptr(GError) error = NULL;
  g_auto(DebyeAmberSections) sections = {0};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "cut.prmtop", text, strlen(text));
  g_autoptr(DebyeInput) input = debye_input_open(path, &error);
  g_assert_true(debye_amber_sections_scan(&sections, input, &error));
  g_assert_false(debye_amber_sections_read_integers(&sections, "POINTERS", 1, &value, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
  g_assert_cmpstr(error->message, ==,
                  "cut.prmtop: expected the section %FLAG POINTERS, found none: the file may have been cut");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  g_test_add_func("/amber/topology", test_topology);
  g_test_add_func("/amber/topology/chamber", test_chamber);
  g_test_add_func("/amber/topology/old", test_old_topology);
  g_test_add_func("/amber/topology/cells", test_cells);
  g_test_add_func("/amber/topology/bad", test_bad_topologies);
  g_test_add_func("/amber/restart", test_restart);
  g_test_add_func("/amber/restart/bad", test_bad_restarts);
  g_test_add_func("/amber/trajectory", test_trajectory);
  g_test_add_func("/amber/trajectory/one-atom", test_one_atom);
  g_test_add_func("/amber/trajectory/wide-numbers", test_wide_numbers);
  g_test_add_func("/amber/trajectory/glued-numbers", test_glued_numbers);
  g_test_add_func("/amber/trajectory/replica-lines", test_replica_lines);
  g_test_add_func("/amber/trajectory/angles", test_angles_of_topology);
  g_test_add_func("/amber/trajectory/bad", test_bad_trajectories);
  g_test_add_func("/amber/trajectory/cache", test_cache);
  g_test_add_func("/amber/missing-section", test_missing_section);
  return g_test_run();
}

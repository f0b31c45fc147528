/* SPDX-License-Identifier: MIT */
/* LAMMPS data files from small texts: every atom style said and unsaid, types by number and by label, boxes,
 * velocities, bonds, and what is said of a file that is odd. */
#include "data/files/error.h"
#include "tests/support/text_file.h"

#include <string.h>

#define HEADER "A title\n\n2 atoms\n1 bonds\n2 atom types\n\n0 10 xlo xhi\n-5 5 ylo yhi\n0 20 zlo zhi\n\n"
#define MASSES "Masses\n\n1 15.9994 # OW\n2 1.008 # HW\n\n"

/* --- Styles --- */

typedef struct {
  const char *hint; /* NULL: none is written */
  const char *first, *second;
  double charge; /* of both atoms together; NAN: the style has none */
  int molecule;  /* of the second atom, which has id 4; 0: the style has none, and the bond gives number 1 */
  const char *guess;
} Style;

/* Atom 4 stands at (4, 5, 6) and is of type 2, atom 9 at (1, 2, 3) of type 1. */
static const Style styles[] = {
    {"atomic", "9 1 1 2 3", "4 2 4 5 6", NAN, 0, NULL},
    {"atomic", "9 1 1 2 3 0 0 0", "4 2 4 5 6 1 -1 0", NAN, 0, NULL},
    {"charge", "9 1 0.5 1 2 3", "4 2 -1.5 4 5 6 0 0 1", -1.0, 0, NULL},
    {"bond", "9 1 1 1 2 3", "4 7 2 4 5 6", NAN, 7, NULL},
    {"angle", "9 1 1 1 2 3", "4 7 2 4 5 6", NAN, 7, NULL},
    {"molecular", "9 1 1 1 2 3 0 0 0", "4 7 2 4 5 6 0 0 0", NAN, 7, NULL},
    {"full", "9 1 1 0.5 1 2 3", "4 7 2 -1.5 4 5 6", -1.0, 7, NULL},
    {"dipole", "9 1 0.5 1 2 3 0 0 1", "4 2 -1.5 4 5 6 0 1 0", -1.0, 0, NULL},
    {"sphere", "9 1 2.0 1.5 1 2 3", "4 2 2.0 1.5 4 5 6", NAN, 0, NULL},
    {"template", "9 1 0 0 1 1 2 3", "4 7 1 2 2 4 5 6", NAN, 7, NULL},
    {"ellipsoid", "9 1 1 1.0 1 2 3", "4 2 0 1.0 4 5 6", NAN, 0, NULL},
    {"spin", "9 1 1 2 3 0 0 1 2.2", "4 2 4 5 6 0 0 1 2.2", NAN, 0, NULL},
    {"hybrid molecular charge", "9 1 1 2 3 1 0.5", "4 2 4 5 6 7 -1.5", -1.0, 7, NULL},
    {"hybrid full sphere", "9 1 1 2 3 1 0.5 2 1", "4 2 4 5 6 7 -1.5 2 1 0 0 0", -1.0, 7, NULL},
    {NULL, "9 1 1 2 3", "4 2 4 5 6", NAN, 0, "atomic"},
    {NULL, "9 1 0.5 1 2 3", "4 2 -1.5 4 5 6", -1.0, 0, "charge"},
    {NULL, "9 1 1 1 2 3", "4 7 2 4 5 6", NAN, 7, "molecular"},
    {NULL, "9 1 1 1 2 3 0 0 1", "4 7 2 4 5 6 0 0 -1", NAN, 7, "molecular"},
    {NULL, "9 1 1 0.5 1 2 3", "4 7 2 -1.5 4 5 6", -1.0, 7, "full"},
    {NULL, "9 1 0.5 1 2 3 0 0.1 1", "4 2 -1.5 4 5 6 0 1 0", -1.0, 0, "dipole"},
    {"a comment", "9 1 2.0 1.5 1 2 3", "4 2 2.0 1.5 4 5 6", NAN, 0, "sphere"},
    /* The rows know better. */
    {"full", "9 1 1 2 3", "4 2 4 5 6", NAN, 0, "atomic"},
    {"hybrid", "9 1 1 0.5 1 2 3", "4 7 2 -1.5 4 5 6", -1.0, 7, "full"},
};

/* Molecules of one oxygen and two hydrogens are water, of whatever order; hydroxide, hydrogen peroxide and hydrogen
 * aren't, nor are three such atoms of which the file states no molecules. */
static void
test_water(void)
{
  static const char head[] =
      "A title\n\n12 atoms\n2 atom types\n\n0 10 xlo xhi\n-5 5 ylo yhi\n0 20 zlo zhi\n\n" MASSES;
  static const struct {
    const char *style, *rows;
    const char *names[12];
  } cases[] = {
      {"molecular",
       "1 4 1 0 0 0\n2 4 2 1 0 0\n3 4 2 0 1 0\n4 5 2 4 0 0\n5 5 1 4 1 0\n6 5 2 4 2 0\n7 6 1 7 0 0\n"
       "8 6 2 8 0 0\n9 7 1 1 5 0\n10 7 1 2 5 0\n11 7 2 3 5 0\n12 7 2 3 6 0\n",
       {"HOH", "HOH", "HOH", "HOH", "HOH", "HOH", "", "", "", "", "", ""}},
      {"atomic",
       "1 1 0 0 0\n2 2 1 0 0\n3 2 0 1 0\n4 2 4 0 0\n5 1 4 1 0\n6 2 4 2 0\n7 1 7 0 0\n8 2 8 0 0\n9 1 1 5 0\n"
       "10 1 2 5 0\n11 2 3 5 0\n12 2 3 6 0\n",
       {"", "", "", "", "", "", "", "", "", "", "", ""}},
  };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autofree char *text = g_strdup_printf("%sAtoms # %s\n\n%s", head, cases[c].style, cases[c].rows);
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.data", text);
    DebyeTopology *topology = debye_dataset_get_topology(dataset);
    const guint32 *residues = debye_topology_get_residues(topology);
    for (gsize i = 0; i < 12; i++)
      g_assert_cmpstr(debye_string_pool_get(debye_topology_get_string_pool(topology),
                                            debye_topology_get_residue_table(topology)[residues[i]].name),
                      ==, cases[c].names[i]);
  }
}

/* Molecule 0 is LAMMPS's word for none; and in a file with bonds only hydrogens bonded to the oxygen make a water. */
static void
test_what_is_no_water(void)
{
  static const char file[] =
      "A title\n\n9 atoms\n4 bonds\n2 atom types\n1 bond types\n\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo "
      "zhi\n\n" MASSES
      "Atoms # molecular\n\n1 4 1 0 0 0\n2 4 2 1 0 0\n3 4 2 0 1 0\n4 5 2 4 0 0\n5 5 1 4 1 0\n6 5 2 4 2 0\n"
      "7 0 1 7 0 0\n8 0 2 8 0 0\n9 0 2 1 5 0\n\nBonds\n\n1 1 1 2\n2 1 3 1\n3 1 5 4\n4 1 4 6\n";
  static const char *const names[] = {"HOH", "HOH", "HOH", "", "", "", "", "", ""};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.data", file);
  const DebyeStringPool *pool = debye_topology_get_string_pool(debye_dataset_get_topology(dataset));
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, i)->name), ==, names[i]);
  g_autoptr(DebyeDataset) unbound =
      text_file_open(folder, "b.data",
                     "A title\n\n3 atoms\n2 atom types\n\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\n" MASSES
                     "Atoms # molecular\n\n1 0 1 0 0 0\n2 0 2 1 0 0\n3 0 2 0 1 0\n");
  pool = debye_topology_get_string_pool(debye_dataset_get_topology(unbound));
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(unbound, 0)->name), ==, "");
}

/* Without a column for molecules, or with zeros in it, bonds give them: two waters, one with its atoms apart from each
 * other, a chain of three carbons across both, and an ion without bonds. */
static void
test_molecules_by_bonds(void)
{
  static const char head[] =
      "A title\n\n10 atoms\n6 bonds\n4 atom types\n1 bond types\n\n0 10 xlo xhi\n0 10 ylo yhi\n"
      "0 10 zlo zhi\n\nMasses\n\n1 15.9994\n2 1.008\n3 12.011\n4 22.98977\n\n";
  static const char bonds[] = "\nBonds\n\n1 1 9 7\n2 1 9 10\n3 1 2 1\n4 1 2 3\n5 1 4 6\n6 1 6 8\n";
  static const int types[] = {2, 1, 2, 3, 4, 3, 2, 3, 1, 2}, numbers[] = {1, 1, 1, 2, 0, 2, 3, 2, 3, 3};
  static const guint32 molecules[] = {0, 0, 0, 1, 2, 1, 3, 1, 3, 3};
  static const char *const styles_without[] = {"charge", "full"};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize s = 0; s < G_N_ELEMENTS(styles_without); s++) {
    g_autoptr(GString) text = g_string_new(head);
    g_string_append_printf(text, "Atoms # %s\n\n", styles_without[s]);
    for (int i = 10; i >= 1; i--)
      g_string_append_printf(text, "%d %s%d 0.0 %d 0 0\n", i, s == 1 ? "0 " : "", types[i - 1], i % 10);
    g_string_append(text, bonds);
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.data", text->str);
    DebyeTopology *topology = debye_dataset_get_topology(dataset);
    const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
    gsize n_molecules;
    g_assert_cmpmem(debye_topology_get_molecules(topology, &n_molecules), sizeof molecules, molecules,
                    sizeof molecules);
    g_assert_cmpuint(n_molecules, ==, 4);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
      g_assert_cmpint(text_file_get_residue(dataset, i)->number, ==, numbers[i]);
    g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 0)->name), ==, "HOH");
    g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 3)->name), ==, "");
  }
}

static void
check_style(const DebyeTemporaryFolder *folder, const Style *style)
{
  g_autofree char *text = g_strdup_printf(
      HEADER MASSES "Atoms%s%s\n\n%s\n%s # a remark\n\nBonds\n\n1 1 9 4\n", style->hint != NULL ? "  # " : "",
      style->hint != NULL ? style->hint : "", style->first, style->second);
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.data", text);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 4.0, 5.0, 6.0);
  text_file_assert_position(frame, 1, 1.0, 2.0, 3.0);
  g_assert_cmpstr(text_file_get_type(dataset, 0), ==, "2");
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "HW");
  g_assert_cmpuint(debye_topology_get_elements(topology)[1], ==, 8);
  g_assert_true((debye_topology_get_charges(topology) == NULL) == isnan(style->charge));
  if (!isnan(style->charge))
    g_assert_cmpfloat(debye_topology_get_total_charge(topology), ==, style->charge);
  g_assert_cmpint(text_file_get_residue(dataset, 0)->number, ==, style->molecule != 0 ? style->molecule : 1);
  gsize n_bonds;
  debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 1);
  g_autofree char *guess = g_strdup_printf("style is not stated: assuming “%s”", style->guess);
  g_assert_true(text_file_has_warning(dataset, guess) == (style->guess != NULL));
}

static void
test_styles(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(styles); i++)
    check_style(folder, &styles[i]);
}

/* --- Types --- */

static void
test_labels(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(
      folder, "labels.data",
      HEADER "Atom Type Labels\n\n1 c3\n2 hc\n\nAtoms # full\n\n2 1 hc 0.1 1 2 3\n1 1 c3 -0.1 4 5 6\n\n"
             "Pair Coeffs\n\nc3 0.1 3.4\nhc 0.02 2.6\n\nMasses\n\nhc 1.008\nc3 12.011\n\n"
             "Bond Type Labels\n\n1 c3-hc\n\nBonds\n\n1 c3-hc 1 2\n");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpstr(text_file_get_type(dataset, 0), ==, "c3");
  g_assert_cmpstr(text_file_get_name(dataset, 1), ==, "hc");
  g_assert_cmpuint(debye_topology_get_elements(topology)[0], ==, 6);
  g_assert_cmpuint(debye_topology_get_elements(topology)[1], ==, 1);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 4.0, 5.0, 6.0);
  g_assert_cmpuint(text_file_count_warnings(dataset), ==, 0);
}

/* Masses of 1 are those of a model, not of hydrogen. */
static void
test_reduced(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(
      folder, "lj.data", HEADER "Masses\n\n1 1\n2 1.0\n\nAtoms # atomic\n\n1 1 1 2 3\n2 2 4 5 6\n\n");
  g_assert_cmpuint(debye_topology_get_elements(debye_dataset_get_topology(dataset))[0], ==, 0);
  g_assert_true(text_file_has_warning(dataset, "every mass is 1, as in reduced units"));
}

/* --- Box and velocities --- */

static void
test_box_and_velocities(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "tilted.data",
                     "LAMMPS data file via write_data, version 1 Jan 2024, timestep = 3, units = metal\n\n"
                     "2 atoms\n1 atom types\n\n-1 9 xlo xhi\n0 8 ylo yhi\n0 6 zlo zhi\n2 -3 1 xy xz yz\n\n"
                     "Atoms # atomic\n\n5 1 1 2 3\n2 1 4 5 6\n\nVelocities\n\n5 0.5 0 -1\n2 0 0 0.25\n");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_vector(frame->cell.a, 10.0, 0.0, 0.0);
  text_file_assert_vector(frame->cell.b, 2.0, 8.0, 0.0);
  text_file_assert_vector(frame->cell.c, -3.0, 1.0, 6.0);
  text_file_assert_vector(frame->cell_origin, -1.0, 0.0, 0.0);
  g_assert_cmpfloat(frame->vx[1], ==, 0.5F);
  g_assert_cmpfloat(frame->vz[0], ==, 0.25F);
  g_assert_false(text_file_has_warning(dataset, "units"));

  g_autoptr(DebyeDataset) general = text_file_open(
      folder, "general.data",
      "A title\n\n1 atoms\n1 atom types\n0 10 0 avec\n-8 2 0 bvec\n-1 -3 6 cvec\n1 2 3 abc origin\n\n"
      "Atoms # atomic\n\n1 1 1 2 3\n\nVelocities\n\n1 0.5 0 0\n");
  g_autoptr(DebyeFrame) turned = text_file_read(general, 0);
  text_file_assert_vector(turned->cell.a, 0.0, 10.0, 0.0);
  text_file_assert_vector(turned->cell.b, -8.0, 2.0, 0.0);
  text_file_assert_vector(turned->cell.c, -1.0, -3.0, 6.0);
  /* Real units, Å/fs. */
  g_assert_cmpfloat(turned->vx[0], ==, 500.0F);
  g_assert_true(text_file_has_warning(general, "doesn't state its units: assuming “real”"));

  g_autoptr(DebyeDataset) flat =
      text_file_open(folder, "flat.data",
                     "A title\n\n1 atoms\n1 atom types\n0 0 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n"
                     "Atoms # atomic\n\n1 1 1 2 3\n");
  g_autoptr(DebyeFrame) open = text_file_read(flat, 0);
  g_assert_false(open->has_cell);
  g_assert_true(text_file_has_warning(flat, "the box has no volume"));
}

/* --- Odd files --- */

static void
test_odd(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  text_file_assert_fails(folder, "a.data", HEADER "Atoms # full\n\n1 1 1 0 1 2 3\n", DEBYE_ERROR_TRUNCATED,
                         "a.data: line 13: expected an atom, found the end of the file");
  text_file_assert_fails(folder, "a.data", HEADER "Atoms # atomic\n\n1 1 1 2 3\n2 2 1 2 3\n3 1 1 2 3\n",
                         DEBYE_ERROR_SYNTAX,
                         "a.data: line 15: expected a new section after the number of rows that the header "
                         "states, found another row");
  text_file_assert_fails(folder, "a.data", HEADER "Atoms # atomic\n\n1 1 1 2 3\n1 2 1 2 3\n",
                         DEBYE_ERROR_SYNTAX, "a.data: expected each atom once, found the id 1 twice");
  text_file_assert_fails(folder, "a.data", HEADER "Atoms # atomic\n\n1 1 1 2 3\n2 3 1 2 3\n",
                         DEBYE_ERROR_SYNTAX,
                         "a.data: line 14: expected one of the 2 atom types of the header, found “3”");
  text_file_assert_fails(folder, "a.data", HEADER "Atoms # atomic\n\n1 1 1 2 3\n2 2 1 2\n",
                         DEBYE_ERROR_SYNTAX,
                         "a.data: line 14: expected an atom with 5 fields, found “2 2 1 2”");
  text_file_assert_fails(
      folder, "a.data", HEADER "Atoms\n\n1 1 1\n2 2 1\n", DEBYE_ERROR_SYNTAX,
      "a.data: line 11: expected atoms of a known style (stated as “Atoms # full”), found rows "
      "that fit none");
  text_file_assert_fails(folder, "a.data", HEADER MASSES, DEBYE_ERROR_SYNTAX,
                         "a.data: expected atoms, found none");
  text_file_assert_fails(folder, "a.data", HEADER "Masses\n\n1 abc\n", DEBYE_ERROR_SYNTAX,
                         "a.data: line 13: expected a number for the mass, found “abc”");
  text_file_assert_fails(folder, "a.data",
                         HEADER "Velocities\n\n1 0 0 0\n2 0 0 0\n\nAtoms # atomic\n\n1 1 1 2 3\n2 2 1 2 3\n",
                         DEBYE_ERROR_SYNTAX, "a.data: line 11: expected Atoms before Velocities");
  text_file_assert_fails(
      folder, "a.data", HEADER "Atoms # atomic\n\n1 1 1 2 3\n2 2 1 2 3\n\nVelocities\n\n1 0 0 0\n7 0 0 0\n",
      DEBYE_ERROR_SYNTAX, "a.data: line 19: expected the velocity of an atom, found the id 7");
  text_file_assert_fails(folder, "a.data",
                         HEADER "Atoms # atomic\n\n1 1 1 2 3\n2 2 1 2 3\n\nAtoms # atomic\n\n1 1 1 2 3\n",
                         DEBYE_ERROR_SYNTAX, "a.data: line 16: expected one section Atoms, found another");
  g_autoptr(DebyeDataset) dangling = text_file_open(
      folder, "b.data",
      HEADER "Atoms # atomic\n\n1 1 1 2 3\n2 2 1 2 3\n\nBonds\n\n1 1 1 8\n\nMy Fix\n\n1 2 3\n");
  g_assert_true(text_file_has_warning(dangling, "1 bonds refer to atoms that do not exist"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/lammps-data/styles", test_styles);
  g_test_add_func("/lammps-data/labels", test_labels);
  g_test_add_func("/lammps-data/water", test_water);
  g_test_add_func("/lammps-data/no-water", test_what_is_no_water);
  g_test_add_func("/lammps-data/molecules-by-bonds", test_molecules_by_bonds);
  g_test_add_func("/lammps-data/reduced", test_reduced);
  g_test_add_func("/lammps-data/box-and-velocities", test_box_and_velocities);
  g_test_add_func("/lammps-data/odd", test_odd);
  return g_test_run();
}

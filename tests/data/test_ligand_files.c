/* SPDX-License-Identifier: MIT */
/* Ligands of Mol2, SDF and mmCIF component files: atoms, bond orders, formal and
 * partial charges; and broken ones, each with its line. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/text/ligand_file.h"
#include "tests/support/temporary.h"

static const char acetate_sdf[] = "acetate\n  made by hand\n\n"
                                  "  4  3  0  0  0  0            999 V2000\n"
                                  "    0.0000    0.0000    0.0000 C   0  0\n"
                                  "    1.5000    0.0000    0.0000 C   0  0\n"
                                  "    2.1200    1.0900    0.0000 O   0  0\n"
                                  "    2.1200   -1.0900    0.0000 O   0  5\n"
                                  "  1  2  1  0\n  2  3  2  0\n  2  4  1  0\n"
                                  "M  CHG  1   4  -1\nM  END\n$$$$\n";

static const char acetate_mol2[] = "# by hand\n@<TRIPOS>MOLECULE\nacetate\n4 3 1 0 0\nSMALL\nUSER_CHARGES\n\n"
                                   "@<TRIPOS>ATOM\n"
                                   "1 CH3 0.0 0.0 0.0 C.3 1 ACT -0.1\n"
                                   "7 C 1.5 0.0 0.0 C.2 1 ACT 0.5\n"
                                   "3 O 2.12 1.09 0.0 O.co2 1 ACT -0.7\n"
                                   "4 OXT 2.12 -1.09 0.0 O.co2 1 ACT -0.7\n"
                                   "@<TRIPOS>BOND\n1 1 7 1\n2 7 3 ar\n3 7 4 ar\n";

static const char acetate_v3000[] =
    "acetate\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n"
    "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 2 C 1.5 0 0 0\n"
    "M  V30 3 O 2.12 1.09 0 0\nM  V30 4 O 2.12 -1.09 0 0 CHG=-1\nM  V30 END ATOM\n"
    "M  V30 BEGIN BOND\nM  V30 1 1 1 2\nM  V30 2 2 2 3\nM  V30 3 1 2 4\n"
    "M  V30 END BOND\nM  V30 END CTAB\nM  END\n";

/* Bonds come first, and the model is elsewhere. */
static const char acetate_cif[] =
    "data_ACT\n_chem_comp.id ACT\n_chem_comp.name 'ACETATE "
    "ION'\nloop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n"
    "_chem_comp_bond.atom_id_2\n_chem_comp_bond.value_order\nACT CH3 C SING\nACT C O DOUB\nACT C \"O'\" "
    "sing\n"
    "loop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\n_chem_comp_atom.type_symbol\n_chem_comp_atom."
    "charge\n"
    "_chem_comp_atom.model_Cartn_x\n_chem_comp_atom.model_Cartn_y\n_chem_comp_atom.model_Cartn_z\n"
    "_chem_comp_atom.pdbx_model_Cartn_x_ideal\n_chem_comp_atom.pdbx_model_Cartn_y_ideal\n"
    "_chem_comp_atom.pdbx_model_Cartn_z_ideal\n"
    "ACT CH3 C 0 9.0 0 0 0.0 0.0 0.0\nACT C C ? 10.5 0 0 1.5 0.0 0.0\nACT O O 0 11.12 1.2 0 2.12 1.09 0.0\n"
    "ACT \"O'\" O -1 11.12 -1.09 0 2.12 -1.09 0.0\ndata_HOH\n_chem_comp.id HOH\n";

static DebyeLigand *
read_text(const char *text, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "ligand.txt", text, strlen(text));
  return debye_ligand_file_read(path, error);
}

/* Both versions have the same molecule. */
static void
check_sdf(const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeLigand) ligand = read_text(text, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(ligand->name, ==, "acetate");
  g_assert_cmpuint(ligand->atoms->len, ==, 4);
  g_assert_cmpuint(debye_ligand_get_atom(ligand, 2)->element, ==, 8);
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 2)->position.y, ==, 1.09);
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 3)->formal_charge, ==, -1.0);
  g_assert_true(isnan(debye_ligand_get_atom(ligand, 3)->charge));
  g_assert_cmpuint(debye_ligand_find_bond(ligand, 1, 2)->order, ==, 2);
  g_assert_null(debye_ligand_find_bond(ligand, 0, 2));
}

static void
test_sdf(void)
{
  check_sdf(acetate_sdf);
  check_sdf(acetate_v3000);
}

/* Without M  CHG the code in the atom's line counts: 5 is -1. */
static void
test_charge_codes(void)
{
  g_autofree char *text = g_strdup(acetate_sdf);
  *strstr(text, "M  CHG") = 'X';
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeLigand) ligand = read_text(text, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 3)->formal_charge, ==, -1.0);
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 0)->formal_charge, ==, 0.0);
}

static void
test_mol2(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeLigand) ligand = read_text(acetate_mol2, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(ligand->residue, ==, "ACT");
  g_assert_cmpuint(ligand->atoms->len, ==, 4);
  g_assert_cmpstr(debye_ligand_get_atom(ligand, 3)->name, ==, "OXT");
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 3)->charge, ==, -0.7);
  g_assert_cmpuint(debye_ligand_find_bond(ligand, 1, 3)->order, ==, DEBYE_ORDER_AROMATIC);
}

/* The first block's; without one of the ideal places all are the model's. */
static void
test_component(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeLigand) ligand = read_text(acetate_cif, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(ligand->name, ==, "ACETATE ION");
  g_assert_cmpstr(ligand->residue, ==, "ACT");
  g_assert_cmpuint(ligand->atoms->len, ==, 4);
  g_assert_cmpstr(debye_ligand_get_atom(ligand, 3)->name, ==, "O'");
  g_assert_cmpuint(debye_ligand_get_atom(ligand, 3)->element, ==, 8);
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 3)->formal_charge, ==, -1.0);
  g_assert_true(isnan(debye_ligand_get_atom(ligand, 3)->charge));
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 2)->position.y, ==, 1.09);
  g_assert_cmpuint(debye_ligand_find_bond(ligand, 1, 2)->order, ==, 2);
  g_assert_cmpuint(debye_ligand_find_bond(ligand, 1, 3)->order, ==, 1);
  g_assert_null(debye_ligand_find_bond(ligand, 0, 2));
  g_autoptr(GString) text = g_string_new(acetate_cif);
  g_assert_cmpuint(g_string_replace(text, "2.12 -1.09 0.0", "? ? ?", 1), ==, 1);
  g_autoptr(DebyeLigand) model = read_text(text->str, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(debye_ligand_get_atom(model, 2)->position.y, ==, 1.2);
}

static void
assert_fails(const char *whole, const char *from, const char *to, const char *sentence)
{
  g_autoptr(GString) text = g_string_new(whole);
  g_autoptr(GError) error = NULL;
  g_assert_cmpuint(g_string_replace(text, from, to, 1), ==, 1);
  g_assert_null(read_text(text->str, &error));
  if (error == NULL || strstr(error->message, sentence) == NULL)
    g_error("expected “%s”, found “%s”", sentence, error != NULL ? error->message : "no error");
}

static void
test_broken_component(void)
{
  assert_fails(acetate_cif, "ACT C O DOUB", "ACT C O QUIN",
               "line 10: expected a bond of two atoms with its order (SING, DOUB");
  assert_fails(acetate_cif, "ACT C O DOUB", "ACT C OX DOUB",
               "line 10: expected a bond of two of the component's atoms, found C and OX");
  assert_fails(acetate_cif, "ACT O O 0", "EDO O O 0", "line 25: expected one component, found ACT and EDO");
  assert_fails(acetate_cif, "ACT O O 0", "ACT C O 0",
               "line 25: expected an atom with a unique name and its element");
  assert_fails(acetate_cif, "ACT O O 0", "ACT O Qq 0",
               "line 25: expected an atom with a unique name and its element");
  assert_fails(acetate_cif, "11.12 1.2 0 2.12 1.09", "? ? ? ? ?", "atom O of the component has no position");
  assert_fails("data_A\n_chem_comp.id A\n", "A", "B", "expected a ligand's atoms, found none");
}

static void
test_broken(void)
{
  assert_fails(acetate_sdf, "V2000", "V3000", "line 5: expected a whole line that begins with M  V30, found");
  assert_fails(acetate_v3000, "4 O 2.12 -1.09", "5 O 2.12 -1.09",
               "line 10: expected an atom of at most 999 with its number, element and position");
  assert_fails(acetate_v3000, "4 O 2.12 -1.09 0 0 CHG=-1", "4 O", "line 10: expected an atom of at most 999");
  assert_fails(acetate_v3000, "CHG=-1", "CHG=x", "line 10: expected an integer for the charge");
  assert_fails(acetate_v3000, "3 1 2 4", "3 1 2 5", "line 15: expected a bond of two atoms");
  assert_fails(acetate_v3000, "3 1 2 4", "3 1", "line 15: expected a bond of two atoms");
  assert_fails(acetate_v3000, "M  V30 END CTAB\nM  END\n", "", "expected END CTAB");
  assert_fails(acetate_sdf, "  4  3", "999  3", "line 4: ");
  assert_fails(acetate_sdf, "    2.1200   -1.0900", "    2.1200   -1.09x0",
               "line 8: expected a number for y");
  assert_fails(acetate_sdf, " O   0  5", " Qq  0  5", "line 8: expected an atom with its element");
  assert_fails(acetate_sdf, "  2  4  1", "  2  5  1",
               "line 11: expected a bond of two atoms with its order (1, 2, 3, or 4 for aromatic)");
  assert_fails(acetate_sdf, "M  CHG  1   4", "M  CHG  1   9",
               "line 12: expected an atom of the molecule and its charge");
  assert_fails("empty\n\n\n  1  0  0 V2000\nM  END\n", "  1", "  0", "expected a ligand's atoms, found none");
  assert_fails(acetate_mol2, "3 7 4 ar", "3 7 4 qq",
               "expected a bond of two atoms with its order (1, 2, 3, am or ar)");
  assert_fails(acetate_mol2, "3 7 4 ar", "3 7 5 ar",
               "expected a bond of two atoms with its order (1, 2, 3, am or ar)");
}

/* A molecule larger than any ligand. */
static void
test_too_large(void)
{
  g_autoptr(GString) text =
      g_string_new("@<TRIPOS>MOLECULE\nlarge\n1000 0\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n");
  g_autoptr(GError) error = NULL;
  for (int k = 1; k <= 1000; k++)
    g_string_append_printf(text, "%d C%d %d.0 0.0 0.0 C.3\n", k, k, k);
  g_assert_null(read_text(text->str, &error));
  g_assert_nonnull(strstr(error->message, "expected a ligand of at most 999 atoms, found more"));
}

#define STEP 11 /* bytes: each takes some milliseconds */

/* Whatever byte is another one or missing, there is a molecule or an error. */
static void
check_each_byte(const char *whole)
{
  const gsize n = strlen(whole);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize k = 0; k < n; k += STEP)
    for (int kind = 0; kind < 2; kind++) {
      g_autofree char *text = g_strdup(whole);
      g_autoptr(GError) error = NULL;
      text[k] = kind == 0 ? '9' : '\0';
      g_autofree char *path = debye_temporary_write(folder, "ligand.txt", text, strlen(text));
      g_autoptr(DebyeLigand) ligand = debye_ligand_file_read(path, &error);
      g_assert_true((ligand != NULL) != (error != NULL));
    }
}

/* One bond again and again: read in no time, for it is refused. */
static void
test_too_many_bonds(void)
{
  static const char heading[] = "@<TRIPOS>MOLECULE\nmany\n2 100000\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n"
                                "1 C1 0.0 0.0 0.0 C.3\n2 C2 1.5 0.0 0.0 C.3\n@<TRIPOS>BOND\n";
  static const char heading_v3000[] =
      "many\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 BEGIN ATOM\n"
      "M  V30 1 C 0 0 0 0\nM  V30 2 C 1.5 0 0 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\n";
  for (int is_sdf = 0; is_sdf < 2; is_sdf++) {
    g_autoptr(GString) text = g_string_new(is_sdf ? heading_v3000 : heading);
    g_autoptr(GError) error = NULL;
    for (int k = 1; k <= 100000; k++)
      g_string_append_printf(text, is_sdf ? "M  V30 %d 1 1 2\n" : "%d 1 2 1\n", k);
    g_assert_null(read_text(text->str, &error));
    g_assert_nonnull(strstr(error->message, "expected a ligand of at most 3996 bonds, found more"));
  }
}

/* Types of AMBER and GAFF in the place of SYBYL's: "CA" is no calcium, "os" no osmium. One that isn't SYBYL's tells of all. */
static void
test_force_field_types(void)
{
  static const struct {
    const char *types[4];
    guint8 elements[4];
  } cases[] = {{{"c3", "os", "n3", "cl"}, {6, 8, 7, 17}},
               {{"CT", "CA", "OH", "N2"}, {6, 6, 8, 7}},
               {{"C", "ho", "hc", "ca"}, {6, 1, 1, 6}},
               {{"C.ar", "Ca", "O.co2", "Du"}, {6, 20, 8, 0}}};
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GString) text =
        g_string_new("@<TRIPOS>MOLECULE\ntypes\n4 0\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n");
    g_autoptr(GError) error = NULL;
    for (int k = 0; k < 4; k++)
      g_string_append_printf(text, "%d X%d %d.0 0.0 0.0 %s\n", k + 1, k + 1, k, cases[c].types[k]);
    g_autoptr(DebyeLigand) ligand = read_text(text->str, &error);
    g_assert_no_error(error);
    for (guint32 k = 0; k < 4; k++)
      g_assert_cmpuint(debye_ligand_get_atom(ligand, k)->element, ==, cases[c].elements[k]);
  }
}

static void
test_each_byte(void)
{
  check_each_byte(acetate_sdf);
  check_each_byte(acetate_v3000);
  check_each_byte(acetate_mol2);
  check_each_byte(acetate_cif);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/ligand-files/sdf", test_sdf);
  g_test_add_func("/ligand-files/charge-codes", test_charge_codes);
  g_test_add_func("/ligand-files/mol2", test_mol2);
  g_test_add_func("/ligand-files/component", test_component);
  g_test_add_func("/ligand-files/broken-component", test_broken_component);
  g_test_add_func("/ligand-files/broken", test_broken);
  g_test_add_func("/ligand-files/too-large", test_too_large);
  g_test_add_func("/ligand-files/too-many-bonds", test_too_many_bonds);
  g_test_add_func("/ligand-files/force-field-types", test_force_field_types);
  g_test_add_func("/ligand-files/each-byte", test_each_byte);
  return g_test_run();
}

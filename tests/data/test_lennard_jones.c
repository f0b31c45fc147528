/* SPDX-License-Identifier: MIT */
/* Lennard-Jones parameters from small texts of CHARMM, GROMACS and AMBER, each in its own convention, and what is said of texts
 * that are wrong. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/forcefield/lennard_jones.h"
#include "tests/support/temporary.h"

static DebyeLennardJonesTable *
read_text(const char *text, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "parameters", text, strlen(text));
  g_autoptr(DebyeLennardJonesTable) table = debye_lennard_jones_table_new();
  return debye_lennard_jones_table_read(table, path, error) ? g_steal_pointer(&table) : NULL;
}

/* `epsilon` in kcal/mol, `radius` in Å. */
static void
assert_type(const char *text, const char *type, double epsilon, double radius)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeLennardJonesTable) table = read_text(text, &error);
  DebyeLennardJones found = {0};
  g_assert_no_error(error);
  g_assert_true(debye_lennard_jones_table_find(table, type, &found));
  g_assert_cmpfloat_with_epsilon(found.epsilon, epsilon, 1e-6);
  g_assert_cmpfloat_with_epsilon(found.radius, radius, 1e-6);
}

static void
assert_fails(const char *text, int code, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeLennardJonesTable) table = read_text(text, &error);
  g_assert_null(table);
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(error->message, ==, sentence);
}

/* TIP3P's oxygen, as each program writes it. */
#define CHARMM \
  "* a title\n\nBONDS\nOT HT 450.0 0.9572\n\nNONBONDED nbxmod 5 -\ncutnb 14.0\nOT 0.0 -0.1521 1.7682\n"
#define SIGMA "0.315057422683"
#define GROMACS "[ defaults ]\n1 2 yes 0.5 0.8333\n[ atomtypes ]\nOW 8 16.0 -0.834 A " SIGMA " 0.6363864\n"
#define COEFFICIENTS "[ defaults ]\n1 1 no\n[ atomtypes ]\nOW 8 16.0 0.0 A 2.48948e-3 2.434679e-6\n"

static void
test_conventions(void)
{
  assert_type(CHARMM, "OT", 0.1521, 1.7682);
  assert_type(CHARMM, "ot", 0.1521, 1.7682);
  assert_type(GROMACS, "OW", 0.1521, 1.7682);
  const double c6 = 2.48948e-3, c12 = 2.434679e-6;
  assert_type(COEFFICIENTS, "OW", c6 * c6 / (4.0 * c12) / 4.184, 5.0 * pow(2.0 * c12 / c6, 1.0 / 6.0));
}

/* --- AMBER --- */

/* Two atoms of `n_types` types, of which the second is `second`; A and B of argon's depth and distance. */
static char *
make_prmtop(int n_types, int second, const char *first_b)
{
  GString *text = g_string_new("%VERSION  VERSION_STAMP = V0001.000\n%FLAG POINTERS\n%FORMAT(10I8)\n");
  for (int i = 0; i < 30; i++)
    g_string_append_printf(text, "%8d%s", i == 0 ? 2 : i == 1 ? n_types : i == 11, i % 10 == 9 ? "\n" : "");
  g_string_append(text, "%FLAG AMBER_ATOM_TYPE\n%FORMAT(20a4)\nAr  Kr  \n");
  g_string_append_printf(text, "%%FLAG ATOM_TYPE_INDEX\n%%FORMAT(10I8)\n%8d%8d\n", 1, second);
  g_string_append(text, "%FLAG NONBONDED_PARM_INDEX\n%FORMAT(10I8)\n       1       2       2       3\n");
  g_string_append(
      text, "%FLAG LENNARD_JONES_ACOEF\n%FORMAT(5E16.8)\n  1.00000000E+06  2.00000000E+06  3.00000000E+06\n");
  g_string_append_printf(
      text, "%%FLAG LENNARD_JONES_BCOEF\n%%FORMAT(5E16.8)\n%16s  1.50000000E+03  2.00000000E+03\n", first_b);
  return g_string_free(text, FALSE);
}

static void
test_amber(void)
{
  g_autofree char *good = make_prmtop(2, 2, "1.00000000E+03");
  assert_type(good, "Ar", 0.25, 0.5 * pow(2000.0, 1.0 / 6.0));
  assert_type(good, "Kr", 4e6 / 12e6, 0.5 * pow(3000.0, 1.0 / 6.0));
  g_autofree char *beyond = make_prmtop(2, 3, "1.00000000E+03");
  assert_fails(beyond, DEBYE_ERROR_SYNTAX, "parameters: ATOM_TYPE_INDEX: expected 1 to 2, found 3");
  g_autofree char *many = make_prmtop(3, 2, "1.00000000E+03");
  assert_fails(many, DEBYE_ERROR_LIMIT, "parameters: expected no more types than atoms, found 3 of 2");
}

/* Their squares are beyond what double holds. */
static void
test_overflow(void)
{
  g_autofree char *prmtop = make_prmtop(2, 2, "1.0000000E+200");
  assert_fails(prmtop, DEBYE_ERROR_VALUE,
               "parameters: LENNARD_JONES_BCOEF: expected numbers that give a finite depth and distance");
  assert_fails("[ defaults ]\n1 1 no\n[ atomtypes ]\nOW 8 16.0 0.0 A 1e200 1e-6\n", DEBYE_ERROR_VALUE,
               "parameters: line 4: expected numbers that give a finite depth and distance");
}

/* A file that claims more types than it has bytes for. */
static void
test_claim(void)
{
  GString *text = g_string_new("%VERSION\n%FLAG POINTERS\n%FORMAT(10I8)\n");
  for (int i = 0; i < 30; i++)
    g_string_append_printf(text, "%8d%s", i < 2 ? 5000 : i == 11, i % 10 == 9 ? "\n" : "");
  for (int i = 0; i < 5000; i++)
    g_string_append(text, "%COMMENT there is room for the atoms\n");
  g_autofree char *claim = g_string_free(text, FALSE);
  assert_fails(claim, DEBYE_ERROR_LIMIT,
               "parameters: expected as many types as the file can hold, found 5000");
}

static void
test_refusals(void)
{
  assert_fails("NONBONDED\nOT 0.0 0.1521 1.7682\n", DEBYE_ERROR_VALUE,
               "parameters: line 2: expected a depth of 0 or below and a distance of 0 or above");
  assert_fails("[ atomtypes ]\nOW 8 16.0 -0.834 A -0.3 0.6\n", DEBYE_ERROR_VALUE,
               "parameters: line 2: expected σ and ε of 0 or above");
  assert_fails("nothing of the kind\n", DEBYE_ERROR_MISSING,
               "parameters: expected Lennard-Jones parameters (a section NONBONDED of CHARMM, atomtypes of "
               "GROMACS, or an "
               "AMBER prmtop), found none");
}

/* Of UFF; none of what has none. */
static void
test_elements(void)
{
  DebyeLennardJones found = {0};
  g_assert_true(debye_lennard_jones_of_element(6, &found));
  g_assert_cmpfloat_with_epsilon(found.epsilon, 0.105, 1e-6);
  g_assert_cmpfloat_with_epsilon(found.radius, 0.5 * 3.851, 1e-6);
  g_assert_false(debye_lennard_jones_of_element(0, &found));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/lennard-jones/conventions", test_conventions);
  g_test_add_func("/lennard-jones/amber", test_amber);
  g_test_add_func("/lennard-jones/overflow", test_overflow);
  g_test_add_func("/lennard-jones/claim", test_claim);
  g_test_add_func("/lennard-jones/refusals", test_refusals);
  g_test_add_func("/lennard-jones/elements", test_elements);
  return g_test_run();
}

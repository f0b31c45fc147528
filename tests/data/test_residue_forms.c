/* SPDX-License-Identifier: MIT */
/* The forms of residues against the force fields' tables: a form has exactly the atoms that the table has charges for, and
 * their sum is the form's charge; and how residues and atoms of files are found. */
#include <string.h>

#include "data/prepare/residue_forms.h"
#include "data/tables/charge_match.h"

static guint
list_sites(const DebyeResidueForm *form, DebyeChargeSite *sites)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  const guint n_atoms = debye_residue_form_parse(form, atoms);
  guint n = 0;
  for (guint k = 0; k < n_atoms; k++) {
    debye_charge_site_set_name(&sites[n], atoms[k].name);
    sites[n++].is_hydrogen = FALSE;
    for (guint i = 0; i < atoms[k].n_hydrogens; i++) {
      debye_charge_site_set_name(&sites[n], atoms[k].hydrogens[i]);
      sites[n++].is_hydrogen = TRUE;
    }
  }
  return n;
}

static const DebyeChargeRow *
find_row(const DebyeChargeRow *row, const char *name)
{
  for (; row->family != NULL; row++)
    if (strcmp(row->name, name) == 0)
      return row;
  return NULL;
}

static void
check_form(const DebyeResidueForm *form, const DebyeChargeRow *rows, const char *name)
{
  DebyeChargeSite sites[DEBYE_FORM_ATOMS * (1 + DEBYE_FORM_HYDROGENS)];
  const DebyeChargeRow *row = find_row(rows, name);
  const guint n = list_sites(form, sites);
  double sum = 0.0;
  if (row == NULL)
    return;
  if (!debye_charge_match(row, sites, n))
    g_error("%s has other atoms than %s", form->name, name);
  for (guint k = 0; k < n; k++)
    sum += sites[k].charge;
  /* Tables have four decimals. */
  g_assert_cmpfloat_with_epsilon(sum, form->charge, 1e-3);
}

static void
test_atoms_and_charges(void)
{
  guint n_amber = 0;
  for (const DebyeResidueForm *form = debye_residue_forms; form->family != NULL; form++) {
    check_form(form, debye_charge_rows_amber, form->name);
    check_form(form, debye_charge_rows_charmm, form->charmm != NULL ? form->charmm : form->name);
    check_form(form, debye_charge_rows_parse, form->name);
    n_amber += debye_residue_form_is_charged(form, DEBYE_CHARGE_TABLE_AMBER, FALSE, FALSE);
  }
  /* All of them. */
  g_assert_cmpuint(n_amber, ==, 46); /* MSE with the charges of MET */
}

/* AMBER has no protonated acids, neutral lysine or thiolate at the ends of chains. */
static void
test_ends(void)
{
  gboolean is_stated;
  const DebyeResidueForm *form = debye_residue_form_find("ASP", &is_stated);
  const DebyeResidueForm *acid = debye_residue_form_find_state(form, "ASH");
  const DebyeResidueForm *nucleotide = debye_residue_form_find("DA", &is_stated);
  g_assert_true(debye_residue_form_is_charged(form, DEBYE_CHARGE_TABLE_AMBER, TRUE, FALSE));
  g_assert_true(debye_residue_form_is_charged(form, DEBYE_CHARGE_TABLE_AMBER, FALSE, TRUE));
  g_assert_false(debye_residue_form_is_charged(form, DEBYE_CHARGE_TABLE_AMBER, TRUE, TRUE));
  g_assert_false(debye_residue_form_is_charged(acid, DEBYE_CHARGE_TABLE_AMBER, TRUE, FALSE));
  g_assert_true(debye_residue_form_is_charged(acid, DEBYE_CHARGE_TABLE_CHARMM, TRUE, FALSE));
  g_assert_true(debye_residue_form_is_charged(nucleotide, DEBYE_CHARGE_TABLE_AMBER, TRUE, TRUE));
  /* Neutral ends are CHARMM's and PARSE's, DNA isn't PARSE's. */
  g_assert_false(
      debye_residue_form_is_charged(form, DEBYE_CHARGE_TABLE_AMBER, DEBYE_END_NEUTRAL, DEBYE_END_NONE));
  g_assert_true(
      debye_residue_form_is_charged(form, DEBYE_CHARGE_TABLE_CHARMM, DEBYE_END_NEUTRAL, DEBYE_END_NONE));
  g_assert_true(
      debye_residue_form_is_charged(acid, DEBYE_CHARGE_TABLE_PARSE, DEBYE_END_NONE, DEBYE_END_NEUTRAL));
  g_assert_false(debye_residue_form_is_charged(nucleotide, DEBYE_CHARGE_TABLE_PARSE, TRUE, TRUE));
}

static void
test_names(void)
{
  static const struct {
    const char *in_file, *form;
    gboolean is_stated;
  } names[] = {
      {"HIS", "HIE", FALSE}, {"HSD", "HID", TRUE}, {"HIP", "HIP", TRUE},  {"NALA", "ALA", FALSE},
      {"CHID", "HID", TRUE}, {"CYX", "CYX", TRUE}, {"ASPP", "ASH", TRUE}, {"DG5", "DG", TRUE},
      {"RU", "U", TRUE},     {"ADE", "A", FALSE},  {"T", "DT", FALSE},
  };
  gboolean is_stated;
  for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
    const DebyeResidueForm *form = debye_residue_form_find(names[k].in_file, &is_stated);
    g_assert_nonnull(form);
    g_assert_cmpstr(form->name, ==, names[k].form);
    g_assert_cmpint(is_stated, ==, names[k].is_stated);
  }
  g_assert_null(debye_residue_form_find("LIG", &is_stated));
  g_assert_null(debye_residue_form_find("NLIG", &is_stated));
}

static void
test_atom_names(void)
{
  gboolean is_stated;
  char name[DEBYE_FORM_NAME_SIZE];
  const DebyeResidueForm *isoleucine = debye_residue_form_find("ILE", &is_stated);
  debye_residue_form_normalise(isoleucine, "CD", name);
  g_assert_cmpstr(name, ==, "CD1");
  debye_residue_form_normalise(isoleucine, "OT2", name);
  g_assert_cmpstr(name, ==, "OXT");
  debye_residue_form_normalise(debye_residue_form_find("DT", &is_stated), "o5*", name);
  g_assert_cmpstr(name, ==, "O5'");
  debye_residue_form_normalise(debye_residue_form_find("LYS", &is_stated), "CD", name);
  g_assert_cmpstr(name, ==, "CD");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/residue-forms/atoms-and-charges", test_atoms_and_charges);
  g_test_add_func("/residue-forms/ends", test_ends);
  g_test_add_func("/residue-forms/names", test_names);
  g_test_add_func("/residue-forms/atom-names", test_atom_names);
  return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Ligands: charges by partial equalisation of orbital electronegativity against RDKit 2025's, bond orders from geometry,
 * formal charges at pH 7, and how atoms of a file are found in a residue. */
#include <string.h>

#include "data/prepare/ligand_charges.h"
#include "data/prepare/ligand_match.h"
#include "data/prepare/ligand_orders.h"
#include "data/prepare/ligand_sources.h"
#include "data/prepare/ligand_species.h"
#include "data/tables/elements.h"

/* element:hydrogens:formal charge:charge by RDKit, and bonds first-second:order. */
static const struct {
  const char *name, *atoms, *bonds;
} molecules[] = {
    {"ethanol", "C:3:0:-0.0418 C:2:0:0.0402 O:1:0:-0.3967", "0-1:1 1-2:1"},
    {"acetate", "C:3:0:-0.0250 C:0:0:0.0383 O:0:0:-0.5505 O:0:-1:-0.5505", "0-1:1 1-2:2 1-3:1"},
    {"benzamidinium",
     "N:2:0:-0.2870 C:0:0:0.2702 N:2:1:-0.2870 C:0:0:0.0627 C:1:0:-0.0468 C:1:0:-0.0614 C:1:0:-0.0622 "
     "C:1:0:-0.0614 C:1:0:-0.0468",
     "0-1:1 1-2:2 1-3:1 3-4:2 4-5:1 5-6:2 6-7:1 7-8:2 8-3:1"},
    {"N-methylacetamide", "C:3:0:0.0148 C:0:0:0.2161 O:0:0:-0.2755 N:1:0:-0.3594 C:3:0:0.0060",
     "0-1:1 1-2:2 1-3:1 3-4:1"},
    {"methylammonium", "C:3:0:0.0634 N:3:1:-0.3600", "0-1:1"},
    {"pyridine", "C:1:0:-0.0592 C:1:0:-0.0438 C:1:0:0.0267 N:0:0:-0.2647 C:1:0:0.0267 C:1:0:-0.0438",
     "0-1:2 1-2:1 2-3:2 3-4:1 4-5:2 5-0:1"},
    {"indole",
     "C:1:0:-0.0615 C:1:0:-0.0602 C:1:0:-0.0380 C:0:0:0.0453 N:1:0:-0.3612 C:1:0:0.0017 C:1:0:-0.0368 "
     "C:0:0:-0.0007 C:1:0:-0.0528",
     "0-1:2 1-2:1 2-3:2 3-4:1 4-5:1 5-6:2 6-7:1 7-8:2 8-0:1 7-3:1"},
    {"thiophene", "C:1:0:-0.0515 C:1:0:-0.0515 C:1:0:-0.0093 S:0:0:-0.1525 C:1:0:-0.0093",
     "0-1:1 1-2:2 2-3:1 3-4:1 4-0:2"},
    {"propyne", "C:3:0:-0.0030 C:0:0:-0.1102 C:1:0:-0.1204", "0-1:1 1-2:3"},
    {"acetonitrile", "C:3:0:0.0236 C:0:0:0.0587 N:0:0:-0.1987", "0-1:1 1-2:3"},
    {"chlorobenzene",
     "Cl:0:0:-0.0843 C:0:0:0.0405 C:1:0:-0.0435 C:1:0:-0.0608 C:1:0:-0.0622 C:1:0:-0.0608 C:1:0:-0.0435",
     "0-1:1 1-2:2 2-3:1 3-4:2 4-5:1 5-6:2 6-1:1"},
    {"fluoroethane", "C:3:0:-0.0365 C:2:0:0.0866 F:0:0:-0.2514", "0-1:1 1-2:1"},
    {"bromoethane", "C:3:0:-0.0556 C:2:0:0.0003 Br:0:0:-0.0931", "0-1:1 1-2:1"},
    {"iodoethane", "C:3:0:-0.0563 C:2:0:-0.0033 I:0:0:-0.0867", "0-1:1 1-2:1"},
    {"dimethyl sulfoxide", "C:3:0:0.0116 S:0:0:0.0148 O:0:0:-0.2602 C:3:0:0.0116", "0-1:1 1-2:2 1-3:1"},
    {"methanesulfonamide", "N:2:0:-0.2290 S:0:0:0.2057 O:0:0:-0.2130 O:0:0:-0.2130 C:3:0:0.0528",
     "0-1:1 1-2:2 1-3:2 1-4:1"},
    {"nitrobenzene",
     "O:0:0:-0.2583 N:0:1:0.0622 O:0:-1:-0.2583 C:0:0:0.2689 C:1:0:0.0159 C:1:0:-0.0554 C:1:0:-0.0618 "
     "C:1:0:-0.0554 C:1:0:0.0159",
     "0-1:2 1-2:1 1-3:1 3-4:2 4-5:1 5-6:2 6-7:1 7-8:2 8-3:1"},
    {"adenine",
     "N:2:0:-0.3817 C:0:0:0.1546 N:0:0:-0.2174 C:1:0:0.1199 N:0:0:-0.2167 C:0:0:0.1623 N:1:0:-0.3291 "
     "C:1:0:0.0945 N:0:0:-0.2312 C:0:0:0.1495",
     "0-1:1 1-2:1 2-3:2 3-4:1 4-5:2 5-6:1 6-7:1 7-8:2 8-9:1 9-1:2 9-5:1"},
    {"aspirin",
     "C:3:0:0.0344 C:0:0:0.3075 O:0:0:-0.2522 O:0:0:-0.4260 C:0:0:0.1394 C:1:0:-0.0185 C:1:0:-0.0585 "
     "C:1:0:-0.0613 C:1:0:-0.0494 C:0:0:0.0400 C:0:0:0.0752 O:0:0:-0.5447 O:0:-1:-0.5447",
     "0-1:1 1-2:2 1-3:1 3-4:1 4-5:2 5-6:1 6-7:2 7-8:1 8-9:2 9-10:1 10-11:2 10-12:1 9-4:1"},
};

static DebyeLigand *
make_molecule(const char *atoms, const char *bonds)
{
  DebyeLigand *ligand = debye_ligand_new("molecule");
  g_auto(GStrv) words = g_strsplit(atoms, " ", -1), links = g_strsplit(bonds, " ", -1);
  for (char **word = words; *word != NULL; word++) {
    g_auto(GStrv) parts = g_strsplit(*word, ":", -1);
    const DebyeLigandAtom atom = {.element = debye_element_from_symbol(parts[0], -1),
                                  .n_hydrogens = (guint)atoi(parts[1]),
                                  .formal_charge = atoi(parts[2])};
    g_array_append_val(ligand->atoms, atom);
  }
  for (char **link = links; *link != NULL; link++) {
    char *rest;
    const guint32 i = (guint32)g_ascii_strtoull(*link, &rest, 10);
    const guint32 j = (guint32)g_ascii_strtoull(rest + 1, &rest, 10);
    debye_ligand_add_bond(ligand, i, j, (guint8)atoi(rest + 1));
  }
  return ligand;
}

static void
test_charges(void)
{
  for (gsize m = 0; m < G_N_ELEMENTS(molecules); m++) {
    g_autoptr(DebyeLigand) ligand = make_molecule(molecules[m].atoms, molecules[m].bonds);
    g_auto(GStrv) words = g_strsplit(molecules[m].atoms, " ", -1);
    double total = 0.0, formal = 0.0;
    g_assert_cmpuint(debye_ligand_estimate_charges(ligand), ==, 0);
    for (guint32 i = 0; i < ligand->atoms->len; i++) {
      const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
      const double expected = g_ascii_strtod(strrchr(words[i], ':') + 1, NULL);
      if (fabs(atom->charge - expected) > 0.01)
        g_error("%s, atom %u: %g, expected %g", molecules[m].name, i, atom->charge, expected);
      total += atom->charge + atom->n_hydrogens * atom->charge_of_hydrogens;
      formal += atom->formal_charge;
    }
    g_assert_cmpfloat_with_epsilon(total, formal, 1e-12);
  }
}

/* Of a phosphate the three oxygens are equal, and have what they have together in RDKit: -1.906. */
static void
test_equal_oxygens(void)
{
  g_autoptr(DebyeLigand) ligand =
      make_molecule("C:3:0:0 O:0:0:0 P:0:0:0 O:0:0:0 O:0:-1:0 O:0:-1:0", "0-1:1 1-2:1 2-3:2 2-4:1 2-5:1");
  g_assert_cmpuint(debye_ligand_estimate_charges(ligand), ==, 0);
  for (guint32 i = 3; i < 6; i++)
    g_assert_cmpfloat_with_epsilon(debye_ligand_get_atom(ligand, i)->charge, -1.906 / 3.0, 0.01);
}

static void
test_element_without_parameters(void)
{
  g_autoptr(DebyeLigand) ligand = make_molecule("C:3:0:0 Zn:0:0:0", "0-1:1");
  g_assert_cmpuint(debye_ligand_estimate_charges(ligand), ==, 30);
}

/* Formal charges in water follow from bonds alone: the molecules above are as at pH 7. */
static void
test_formal_charges_and_hydrogens(void)
{
  for (gsize m = 0; m < G_N_ELEMENTS(molecules); m++) {
    g_autoptr(DebyeLigand) ligand = make_molecule(molecules[m].atoms, molecules[m].bonds);
    g_autoptr(DebyeLigand) expected = make_molecule(molecules[m].atoms, molecules[m].bonds);
    for (guint32 i = 0; i < ligand->atoms->len; i++)
      debye_ligand_get_atom(ligand, i)->n_hydrogens = 0;
    debye_ligand_set_formal_charges(ligand);
    debye_ligand_fill_hydrogens(ligand);
    for (guint32 i = 0; i < ligand->atoms->len; i++) {
      const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i),
                            *other = debye_ligand_get_atom(expected, i);
      if (atom->n_hydrogens != other->n_hydrogens || atom->formal_charge != other->formal_charge)
        g_error("%s, atom %u: %u hydrogens, %g e", molecules[m].name, i, atom->n_hydrogens,
                atom->formal_charge);
    }
  }
}

static void
put_atom(DebyeLigand *ligand, guint8 element, double x, double y)
{
  const DebyeLigandAtom atom = {.element = element, .position = {x, y, 0.0}};
  g_array_append_val(ligand->atoms, atom);
}

/* Benzoate, of ideal hexagons: bonds of 1.39, 1.50 and 1.25 Å. */
static DebyeLigand *
make_benzoate(void)
{
  DebyeLigand *ligand = debye_ligand_new("benzoate");
  for (int k = 0; k < 6; k++)
    put_atom(ligand, 6, 1.39 * cos(k * G_PI / 3.0), 1.39 * sin(k * G_PI / 3.0));
  put_atom(ligand, 6, 1.39 + 1.50, 0.0);
  put_atom(ligand, 8, 2.89 + 1.25 * 0.5, 1.25 * sqrt(0.75));
  put_atom(ligand, 8, 2.89 + 1.25 * 0.5, -1.25 * sqrt(0.75));
  debye_ligand_find_bonds(ligand);
  return ligand;
}

static void
test_orders_from_geometry(void)
{
  g_autoptr(DebyeLigand) ligand = make_benzoate();
  guint n_double = 0;
  g_assert_cmpuint(ligand->bonds->len, ==, 9);
  g_assert_cmpuint(debye_ligand_perceive_orders(ligand), ==, DEBYE_LIGAND_COMPLETE);
  debye_ligand_set_formal_charges(ligand);
  debye_ligand_fill_hydrogens(ligand);
  for (guint b = 0; b < ligand->bonds->len; b++)
    n_double += debye_ligand_get_bond(ligand, b)->order == 2;
  g_assert_cmpuint(n_double, ==, 4);
  for (guint32 i = 0; i < 6; i++) {
    g_assert_cmpfloat(debye_ligand_get_valence(ligand, i), ==, 4.0);
    g_assert_cmpuint(debye_ligand_get_atom(ligand, i)->n_hydrogens, ==, i == 0 ? 0 : 1);
  }
  g_assert_cmpfloat(debye_ligand_get_atom(ligand, 7)->formal_charge +
                        debye_ligand_get_atom(ligand, 8)->formal_charge,
                    ==, -1.0);
}

/* A center and `n` ends about it, the first two `angle` degrees apart. */
static DebyeLigand *
make_star(guint8 center, const guint8 *ends, guint n, double length, double angle)
{
  DebyeLigand *ligand = debye_ligand_new("star");
  put_atom(ligand, center, 0.0, 0.0);
  for (guint k = 0; k < n; k++) {
    const double turn = angle * k * G_PI / 180.0;
    put_atom(ligand, ends[k], length * cos(turn), length * sin(turn));
  }
  for (guint k = 0; k < n; k++)
    debye_ligand_add_bond(ligand, 0, k + 1, 1);
  return ligand;
}

/* Their charges in water are in every textbook; what has longer bonds or another shape is something else. */
static void
test_small_species(void)
{
  static const struct {
    const char *name;
    guint8 center;
    guint8 ends[4];
    guint n;
    double length, angle;
    gboolean is_known;
    double charge;
  } cases[] = {{"nitrate", 7, {8, 8, 8}, 3, 1.25, 120, TRUE, -1},
               {"nitrite", 7, {8, 8}, 2, 1.24, 115, TRUE, -1},
               {"azide", 7, {7, 7}, 2, 1.17, 180, TRUE, -1},
               {"thiocyanate", 6, {16, 7}, 2, 1.65, 175, TRUE, -1},
               {"cyanate", 6, {8, 7}, 2, 1.2, 180, TRUE, -1},
               {"cyanide", 7, {6}, 1, 1.15, 0, TRUE, -1},
               {"perchlorate", 17, {8, 8, 8, 8}, 4, 1.45, 90, TRUE, -1},
               {"sulfite", 16, {8, 8, 8}, 3, 1.52, 105, TRUE, -2},
               {"carbon dioxide", 6, {8, 8}, 2, 1.16, 180, TRUE, 0},
               {"formate", 6, {8, 8}, 2, 1.25, 125, FALSE, 0},
               {"carbon disulfide", 6, {16, 16}, 2, 1.56, 180, TRUE, 0},
               {"oxygen", 8, {8}, 1, 1.21, 0, TRUE, 0},
               {"hydrogen peroxide", 8, {8}, 1, 1.46, 0, FALSE, 0},
               {"carbon monoxide", 6, {8}, 1, 1.13, 0, TRUE, 0},
               {"methanol", 6, {8}, 1, 1.42, 0, FALSE, 0},
               {"nitric oxide", 7, {8}, 1, 1.15, 0, TRUE, 0},
               {"methylamine", 6, {7}, 1, 1.47, 0, FALSE, 0},
               {"sulfate", 16, {8, 8, 8, 8}, 4, 1.49, 90, FALSE, 0}};
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(DebyeLigand) ligand =
        make_star(cases[c].center, cases[c].ends, cases[c].n, cases[c].length, cases[c].angle);
    double total = 0.0;
    if (debye_ligand_species_set(ligand) != cases[c].is_known)
      g_error("%s: expected %d", cases[c].name, cases[c].is_known);
    for (guint32 i = 0; i < ligand->atoms->len; i++) {
      total += debye_ligand_get_atom(ligand, i)->formal_charge;
      g_assert_cmpuint(debye_ligand_get_atom(ligand, i)->n_hydrogens, ==, 0);
    }
    g_assert_cmpfloat(total, ==, cases[c].charge);
    g_assert_cmpuint(debye_ligand_estimate_charges(ligand), ==, 0);
  }
}

/* Three carbons with two bonds of 1.37 Å: one has no partner. */
static void
test_open_orders(void)
{
  g_autoptr(DebyeLigand) ligand = debye_ligand_new("allyl");
  put_atom(ligand, 6, 0.0, 0.0);
  put_atom(ligand, 6, 1.37, 0.0);
  put_atom(ligand, 6, 1.37 * 1.5, 1.37 * sqrt(0.75));
  debye_ligand_find_bonds(ligand);
  g_assert_cmpuint(debye_ligand_perceive_orders(ligand), !=, DEBYE_LIGAND_COMPLETE);
  /* With a nitrogen it is amidine-like: C=C–N or C–C=N. */
  debye_ligand_get_atom(ligand, 2)->element = 7;
  g_assert_cmpuint(debye_ligand_perceive_orders(ligand), ==, DEBYE_LIGAND_COMPLETE);
}

static void
test_aromatic_bonds(void)
{
  g_autoptr(DebyeLigand) ligand =
      make_molecule("C:0:0:0 C:0:0:0 C:0:0:0 C:0:0:0 C:0:0:0 N:0:0:0", "0-1:4 1-2:4 2-3:4 3-4:4 4-5:4 5-0:4");
  g_assert_cmpuint(debye_ligand_localise_orders(ligand), ==, DEBYE_LIGAND_COMPLETE);
  for (guint32 i = 0; i < 6; i++)
    g_assert_cmpfloat(debye_ligand_get_valence(ligand, i), ==, 3.0);
  g_autoptr(DebyeLigand) odd = make_molecule("C:0:0:0 C:0:0:0 C:0:0:0", "0-1:4 1-2:4 2-0:4");
  g_assert_cmpuint(debye_ligand_localise_orders(odd), !=, DEBYE_LIGAND_COMPLETE);
}

/* Acetamide with its atoms in another order, without names. */
static void
test_match(void)
{
  g_autoptr(DebyeLigand) residue = make_molecule("C:0:0:0 C:0:0:0 O:0:0:0 N:0:0:0", "0-1:1 1-2:1 1-3:1");
  g_autoptr(DebyeLigand) file = make_molecule("N:2:0:0 O:0:0:0 C:0:0:0 C:3:0:0", "0-2:1 1-2:2 3-2:1");
  g_autofree guint32 *match = debye_ligand_match(residue, file);
  static const guint32 expected[] = {3, 2, 1, 0};
  g_assert_nonnull(match);
  g_assert_cmpmem(match, 4 * sizeof(guint32), expected, sizeof expected);
  /* The same elements with other bonds: methoxyamine's are C–O–N. */
  g_autoptr(DebyeLigand) other = make_molecule("N:2:0:0 O:0:0:0 C:0:0:0 C:3:0:0", "0-1:1 1-2:1 3-2:1");
  g_assert_null(debye_ligand_match(residue, other));
  g_autoptr(DebyeLigand) larger =
      make_molecule("N:2:0:0 O:0:0:0 C:0:0:0 C:3:0:0 C:3:0:0", "0-2:1 1-2:2 3-2:1");
  g_assert_null(debye_ligand_match(residue, larger));
}

static void
name_atoms(DebyeLigand *ligand, const char *names)
{
  g_auto(GStrv) words = g_strsplit(names, " ", -1);
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    g_strlcpy(debye_ligand_get_atom(ligand, i)->name, words[i], DEBYE_LIGAND_NAME_SIZE);
}

/* 1-propanol, whose carbons the file numbers otherwise: the names are the same, the bonds are not. */
static void
test_names_of_other_bonds(void)
{
  static const guint32 expected[] = {0, 1, 2, 3}, named[] = {0, 2, 1, 3};
  g_autoptr(DebyeLigand) residue = make_molecule("O:0:0:0 C:0:0:0 C:0:0:0 C:0:0:0", "0-1:1 1-2:1 2-3:1");
  g_autoptr(DebyeLigand) file = make_molecule("O:1:0:0 C:2:0:0 C:2:0:0 C:3:0:0", "0-1:1 1-2:1 2-3:1");
  name_atoms(residue, "O1 C1 C2 C3");
  name_atoms(file, "O1 C2 C1 C3");
  g_autofree guint32 *match = debye_ligand_match(residue, file);
  g_assert_cmpmem(match, sizeof expected, expected, sizeof expected);
  /* Names decide if the bonds agree with them. */
  g_autoptr(DebyeLigand) renumbered = make_molecule("O:1:0:0 C:2:0:0 C:2:0:0 C:3:0:0", "0-2:1 2-1:1 1-3:1");
  name_atoms(renumbered, "O1 C2 C1 C3");
  g_autofree guint32 *by_name = debye_ligand_match(residue, renumbered);
  g_assert_cmpmem(by_name, sizeof named, named, sizeof named);
}

/* Acetic acid whose hydroxyl (1.34 Å) is the residue's first oxygen and the file's second: where the file's molecule lies in
 * the same place and elsewhere. */
static void
test_equivalent_atoms(void)
{
  static const guint32 expected[] = {0, 1, 3, 2};
  for (int is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
    g_autoptr(DebyeLigand) residue = make_molecule("C:0:0:0 C:0:0:0 O:0:0:0 O:0:0:0", "0-1:1 1-2:1 1-3:1");
    g_autoptr(DebyeLigand) file = make_molecule("C:3:0:0 C:0:0:0 O:0:0:0 O:1:0:0", "0-1:1 1-2:2 1-3:1");
    const DebyeVec3 hydroxyl = {0.670, -1.160, 0.0}, carbonyl = {0.605, 1.048, 0.0},
                    shift = {is_elsewhere * 20.0, 0.0, 0.0};
    debye_ligand_get_atom(residue, 0)->position.x = -1.5;
    debye_ligand_get_atom(residue, 2)->position = hydroxyl;
    debye_ligand_get_atom(residue, 3)->position = carbonyl;
    debye_ligand_get_atom(file, 0)->position.x = -1.5;
    debye_ligand_get_atom(file, 2)->position = carbonyl;
    debye_ligand_get_atom(file, 3)->position = hydroxyl;
    for (guint32 i = 0; i < 4; i++)
      debye_ligand_get_atom(file, i)->position =
          debye_vec3_add(debye_ligand_get_atom(file, i)->position, shift);
    g_autofree guint32 *match = debye_ligand_match(residue, file);
    g_assert_cmpmem(match, sizeof expected, expected, sizeof expected);
  }
}

static void
assert_sources_fail(GPtrArray *files, const gboolean *is_used, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_assert_false(is_used == NULL ? debye_ligand_sources_complete(files, &error)
                                 : debye_ligand_sources_check(files, is_used, &error));
  g_assert_nonnull(strstr(error->message, sentence));
}

/* Errors name the file. */
static void
test_sources(void)
{
  static const gboolean only_first[] = {TRUE, FALSE};
  g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func((GDestroyNotify)debye_ligand_free);
  g_ptr_array_add(files, make_molecule("C:0:0:0 O:0:0:0", "0-1:1"));
  g_ptr_array_add(files, make_molecule("O:0:0:0 C:0:0:0", "0-1:1"));
  for (guint k = 0; k < 2; k++)
    ((DebyeLigand *)g_ptr_array_index(files, k))->file = g_strdup_printf("%u.sdf", k);
  assert_sources_fail(files, only_first,
                      "1.sdf: the ligand “molecule” is the same molecule as that of 0.sdf");
  debye_ligand_get_atom(g_ptr_array_index(files, 1), 0)->element = 7;
  assert_sources_fail(files, only_first, "1.sdf: the ligand “molecule” differs in heavy atoms or bonds");
  g_ptr_array_add(files, make_molecule("C:0:0:0 O:0:0:0 H:0:0:0", "0-1:1 1-2:1"));
  assert_sources_fail(files, NULL,
                      "the ligand “molecule” has hydrogens, but its carbon  (atom 1) has fewer than four");
  g_ptr_array_remove_index(files, 2);
  g_ptr_array_add(files, make_molecule("C:0:0:0 C:0:0:0 C:0:0:0", "0-1:4 1-2:4 2-0:4"));
  assert_sources_fail(files, NULL, "the ligand “molecule” has aromatic bonds that");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/ligand-charges/charges", test_charges);
  g_test_add_func("/ligand-charges/equal-oxygens", test_equal_oxygens);
  g_test_add_func("/ligand-charges/element-without-parameters", test_element_without_parameters);
  g_test_add_func("/ligand-charges/formal-charges", test_formal_charges_and_hydrogens);
  g_test_add_func("/ligand-charges/orders-from-geometry", test_orders_from_geometry);
  g_test_add_func("/ligand-charges/open-orders", test_open_orders);
  g_test_add_func("/ligand-charges/aromatic-bonds", test_aromatic_bonds);
  g_test_add_func("/ligand-charges/match", test_match);
  g_test_add_func("/ligand-charges/small-species", test_small_species);
  g_test_add_func("/ligand-charges/names-of-other-bonds", test_names_of_other_bonds);
  g_test_add_func("/ligand-charges/equivalent-atoms", test_equivalent_atoms);
  g_test_add_func("/ligand-charges/sources", test_sources);
  return g_test_run();
}

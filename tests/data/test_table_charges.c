/* SPDX-License-Identifier: MIT */
/* Charges from force fields' tables: every form's sum, the same residue under every program's names, ends of
 * chains, protonation, disulfides, water, ions, and what is said of residues that get none. */
#include <math.h>
#include <string.h>

#include "data/messages/message.h"
#include "data/tables/charge_rows.h"
#include "data/molecule/table_charges.h"

/* Residues as "ALA: N H CA …", in which a name's first letter is its element. */
static DebyeTopology *
make_topology(const char *const *residues, gboolean bonds_sulfurs)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  gint64 sulfurs[2] = {-1, -1};
  for (gint32 r = 0; residues[r] != NULL; r++) {
    g_auto(GStrv) parts = g_strsplit(residues[r], ": ", 2);
    g_auto(GStrv) names = g_strsplit(parts[1], " ", -1);
    debye_topology_builder_set_residue(builder, parts[0], -1, r + 1, 0, "", -1, "", -1);
    debye_topology_builder_new_residue(builder);
    for (char **name = names; *name != NULL; name++) {
      const char *letter = g_ascii_isdigit(**name) ? *name + 1 : *name;
      DebyeAtom atom = DEBYE_ATOM_INIT;
      atom.name = *name;
      atom.element = *letter == 'E' || *letter == 'M' ? NULL : letter;
      atom.element_length = 1;
      atom.atomic_number = atom.element == NULL ? 0 : -1;
      gint64 index = debye_topology_builder_add_atom(builder, &atom);
      if (*letter == 'S')
        sulfurs[sulfurs[0] >= 0] = index;
    }
  }
  if (bonds_sulfurs)
    debye_topology_builder_add_bond(builder, sulfurs[0], sulfurs[1]);
  else if (sulfurs[0] > 0)
    debye_topology_builder_add_bond(builder, sulfurs[0], sulfurs[0] - 1);
  return debye_topology_builder_finish(builder);
}

static double
get_charge(DebyeTopology *topology, const char *name)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const guint32 *names = debye_topology_get_names(topology);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    if (strcmp(debye_string_pool_get(pool, names[i]), name) == 0)
      return (double)debye_topology_get_charges(topology)[i];
  g_error("no atom %s", name);
}

/* The charge of one atom, and of the whole, which tells that all have theirs. */
static void
assert_charge(const char *residue, DebyeChargeTable table, const char *name, double charge, double total)
{
  g_auto(DebyeChargeReport) report = {0};
  g_autoptr(DebyeTopology) topology = make_topology((const char *[]){residue, NULL}, FALSE);
  g_autoptr(DebyeTopology) charged = debye_topology_with_table_charges(topology, table, &report);
  if (report.n_atoms[DEBYE_CHARGED_NONE] > 0)
    g_error("%s: %s", residue, report.sentences[0]);
  g_assert_cmpfloat_with_epsilon(get_charge(charged, name), charge, 1e-6);
  g_assert_cmpfloat_with_epsilon(report.total_charge, total, 1e-5);
  g_assert_null(debye_topology_get_charges(topology));
}

static double
sum_row(const char *atoms)
{
  double sum = 0.0;
  g_auto(GStrv) words = g_strsplit_set(atoms, " :,", -1);
  for (char **word = words; *word != NULL; word++)
    if (!g_ascii_isalpha(**word))
      sum += g_ascii_strtod(*word, NULL);
  return sum;
}

/* Every form of a table with radii has a radius for each charge. */
static void
check_radius_rows(const DebyeChargeRow *charges, const DebyeChargeRow *radii)
{
  for (; charges->family != NULL; charges++, radii++) {
    g_assert_cmpstr(charges->name, ==, radii->name);
    g_auto(GStrv) of_charges = g_strsplit_set(charges->atoms, " :,", -1);
    g_auto(GStrv) of_radii = g_strsplit_set(radii->atoms, " :,", -1);
    g_assert_cmpuint(g_strv_length(of_charges), ==, g_strv_length(of_radii));
    for (guint k = 0; of_charges[k] != NULL; k++) {
      if (g_ascii_isalpha(of_charges[k][0]))
        g_assert_cmpstr(of_charges[k], ==, of_radii[k]);
      else
        g_assert_cmpfloat(g_ascii_strtod(of_radii[k], NULL), >=, 0.0);
    }
  }
  g_assert_null(radii->family);
}

static void
test_radius_rows(void)
{
  check_radius_rows(debye_charge_rows_amber, debye_radius_rows_amber);
  check_radius_rows(debye_charge_rows_charmm, debye_radius_rows_charmm);
  check_radius_rows(debye_charge_rows_parse, debye_radius_rows_parse);
}

static void
check_radii(DebyeChargeTable table, const float *expected, gsize n)
{
  static const char *const residues[] = {
      "ALA: N H CA HA CB HB1 HB2 HB3 C O", "HOH: O H1 H2", "HOH: O H1 H2", "K: K", "LIG: C", NULL};
  g_auto(DebyeChargeReport) report = {0};
  g_autoptr(DebyeTopology) topology = make_topology(residues, FALSE);
  g_autoptr(DebyeTopology) charged = debye_topology_with_table_parameters(topology, table, &report);
  g_assert_cmpuint(debye_topology_get_n_atoms(charged), ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(debye_topology_get_radii(charged)[i], expected[i], 1e-4f);
  g_assert_null(debye_topology_get_radii(topology));
  g_assert_cmpuint(report.n_residues[DEBYE_CHARGED_NONE], ==, 1);
}

/* Lennard-Jones radii of AMBER's types N, H, CT, H1, HC, C, O and of CHARMM's NH1, H, CT1, HB1, CT3, HA3, C, O; of TIP3P;
 * of potassium. */
static void
test_radii(void)
{
  static const float amber[] = {1.824f,  0.6f,    1.908f, 1.387f, 1.908f,  1.487f, 1.487f, 1.487f, 1.908f,
                                1.6612f, 1.7683f, 0.0f,   0.0f,   1.7683f, 0.0f,   0.0f,   1.705f, 0.0f};
  static const float charmm[] = {1.85f, 0.2245f, 2.0f,    1.32f,   2.04f,   1.34f,   1.34f,   1.34f,   2.0f,
                                 1.7f,  1.7682f, 0.2245f, 0.2245f, 1.7682f, 0.2245f, 0.2245f, 1.7638f, 0.0f};
  check_radii(DEBYE_CHARGE_TABLE_AMBER, amber, G_N_ELEMENTS(amber));
  check_radii(DEBYE_CHARGE_TABLE_CHARMM, charmm, G_N_ELEMENTS(charmm));
}

/* Amino acids have whole charges. The ends of a nucleic acid don't, but a pair of them makes up for it. */
static void
test_sums(void)
{
  static const double starts[] = {0.3079, 0.47, 0.34}, ends[] = {0.6921, 0.53, 0.66};
  const DebyeChargeRow *tables[] = {debye_charge_rows_amber, debye_charge_rows_charmm,
                                    debye_charge_rows_parse};
  for (gsize t = 0; t < G_N_ELEMENTS(tables); t++) {
    gsize n_rows = 0;
    for (const DebyeChargeRow *row = tables[t]; row->family != NULL; row++, n_rows++) {
      double sum = sum_row(row->atoms);
      gboolean is_nucleic = strlen(row->family) == 1;
      gboolean is_start = is_nucleic && strstr(row->name, "5") != NULL && strstr(row->name, "3TER") == NULL;
      gboolean is_end = is_nucleic && strstr(row->name, "3") != NULL && strstr(row->name, "5TER") == NULL;
      if (is_start)
        sum += starts[t];
      else if (is_end)
        sum += ends[t];
      /* RNA's ends have 0.3081 and 0.6919; ACE is rounded to 1e-4 too. */
      if (fabs(sum - nearbyint(sum)) > 3e-4)
        g_error("%s: %g", row->name, sum);
    }
    g_assert_cmpuint(n_rows, >, 100);
  }
}

static void
test_names(void)
{
  static const char *const alanines[] = {"ALA: N H CA HA CB HB1 HB2 HB3 C O",
                                         "ALA: N HN CA HA CB 1HB 2HB 3HB C O",
                                         "ALA: O C HB3 HB1 HB2 CB HA CA H N"};
  for (gsize k = 0; k < G_N_ELEMENTS(alanines); k++) {
    assert_charge(alanines[k], DEBYE_CHARGE_TABLE_AMBER, "CB", -0.1825, 0.0);
    assert_charge(alanines[k], DEBYE_CHARGE_TABLE_CHARMM, "CB", -0.27, 0.0);
  }
  assert_charge("ILE: N H CA HA CB HB CG2 HG21 HG22 HG23 CG1 HG11 HG12 CD HD1 HD2 HD3 C O",
                DEBYE_CHARGE_TABLE_AMBER, "CD", -0.066, 0.0);
  assert_charge("ILE: N H CA HA CB HB CG2 1HG2 2HG2 3HG2 CG1 1HG1 2HG1 CD1 1HD1 2HD1 3HD1 C O",
                DEBYE_CHARGE_TABLE_CHARMM, "CD1", -0.27, 0.0);
}

static void
test_ends(void)
{
  assert_charge("ALA: N H1 H2 H3 CA HA CB HB1 HB2 HB3 C O", DEBYE_CHARGE_TABLE_AMBER, "N", 0.1414, 1.0);
  assert_charge("NALA: N H H2 H3 CA HA CB HB1 HB2 HB3 C O", DEBYE_CHARGE_TABLE_AMBER, "N", 0.1414, 1.0);
  assert_charge("ALA: N HT1 HT2 HT3 CA HA CB HB1 HB2 HB3 C O", DEBYE_CHARGE_TABLE_CHARMM, "HT1", 0.33, 1.0);
  assert_charge("ALA: N H CA HA CB HB1 HB2 HB3 C O OXT", DEBYE_CHARGE_TABLE_AMBER, "OXT", -0.8055, -1.0);
  assert_charge("ALA: N HN CA HA CB HB1 HB2 HB3 C OT1 OT2", DEBYE_CHARGE_TABLE_CHARMM, "OT1", -0.67, -1.0);
  assert_charge("ACE: HH31 CH3 HH32 HH33 C O", DEBYE_CHARGE_TABLE_AMBER, "C", 0.5972, 0.0);
  assert_charge("NME: N H C H1 H2 H3", DEBYE_CHARGE_TABLE_CHARMM, "C", -0.11, 0.0);
}

static void
test_protonation(void)
{
  static const char backbone[] = "N H CA HA C O CB HB2 HB3";
  static const struct {
    const char *rest, *atom;
    double charge, total;
  } histidines[] = {{"CG ND1 HD1 CE1 HE1 NE2 CD2 HD2", "ND1", -0.3811, 0.0},
                    {"CG ND1 CE1 HE1 NE2 HE2 CD2 HD2", "ND1", -0.5432, 0.0},
                    {"CG ND1 HD1 CE1 HE1 NE2 HE2 CD2 HD2", "ND1", -0.1513, 1.0}};
  for (gsize k = 0; k < G_N_ELEMENTS(histidines); k++) {
    g_autofree char *residue = g_strdup_printf("HIS: %s %s", backbone, histidines[k].rest);
    assert_charge(residue, DEBYE_CHARGE_TABLE_AMBER, histidines[k].atom, histidines[k].charge,
                  histidines[k].total);
  }
  assert_charge("ASPP: N H CA HA C O CB HB1 HB2 CG OD1 OD2 HD2", DEBYE_CHARGE_TABLE_CHARMM, "HD2", 0.44, 0.0);
  assert_charge("GLU: N H CA HA C O CB HB1 HB2 CG HG1 HG2 CD OE1 OE2", DEBYE_CHARGE_TABLE_CHARMM, "CD", 0.62,
                -1.0);
  assert_charge("LYN: N H CA HA C O CB HB2 HB3 CG HG2 HG3 CD HD2 HD3 CE HE2 HE3 NZ HZ2 HZ3",
                DEBYE_CHARGE_TABLE_AMBER, "NZ", -1.03581, 0.0);
}

/* Without hydrogen on the sulfur: bonded to another it is a disulfide, bonded only otherwise a thiolate. */
static void
test_cysteines(void)
{
  const char *residues[] = {"CYS: N H CA HA C O CB HB2 HB3 SG", "CYS: N H CA HA C O CB HB2 HB3 SG", NULL};
  for (int bonded = 0; bonded < 2; bonded++) {
    g_auto(DebyeChargeReport) report = {0};
    g_autoptr(DebyeTopology) topology = make_topology(residues, bonded);
    g_autoptr(DebyeTopology) charged =
        debye_topology_with_table_charges(topology, DEBYE_CHARGE_TABLE_AMBER, &report);
    g_assert_cmpfloat_with_epsilon(get_charge(charged, "SG"), bonded ? -0.1081 : -0.8844, 1e-6);
    g_assert_cmpfloat_with_epsilon(report.total_charge, bonded ? 0.0 : -2.0, 1e-5);
  }
  assert_charge("CYM: N H CA HA C O CB HB2 HB3 SG", DEBYE_CHARGE_TABLE_CHARMM, "SG", -0.8, -1.0);
  assert_charge("CYX: N H CA HA C O CB HB2 HB3 SG", DEBYE_CHARGE_TABLE_CHARMM, "SG", -0.08, 0.0);
  assert_charge("CYS: N H CA HA C O CB HB2 HB3 SG HG", DEBYE_CHARGE_TABLE_CHARMM, "SG", -0.23, 0.0);
}

static void
test_nucleic_acids(void)
{
  assert_charge(
      "DT: P OP1 OP2 O5' C5' H5' H5'' C4' H4' O4' C1' H1' N1 C6 H6 C5 C7 H71 H72 H73 C4 O4 N3 H3 C2 O2 "
      "C3' H3' C2' H2' H2'' O3'",
      DEBYE_CHARGE_TABLE_AMBER, "C7", -0.2269, -1.0);
  assert_charge(
      "THY: P O1P O2P O5* C5* 1H5* 2H5* C4* H4* O4* C1* H1* N1 C6 H6 C5 C5M 1H5M 2H5M 3H5M C4 O4 N3 H3 "
      "C2 O2 C3* H3* C2* 1H2* 2H2* O3*",
      DEBYE_CHARGE_TABLE_AMBER, "C5M", -0.2269, -1.0);
  assert_charge(
      "U: HO5' O5' C5' H5' H5'' C4' H4' O4' C1' H1' N1 C6 H6 C5 H5 C4 O4 N3 H3 C2 O2 C3' H3' C2' H2' O2' "
      "HO2' O3' HO3'",
      DEBYE_CHARGE_TABLE_AMBER, "HO2'", 0.4186, 0.0);
  /* CHARMM calls the hydrogen on the carbon H2'' and the hydroxyl's H2'. */
  assert_charge(
      "URA: H5T O5' C5' H5' H5'' C4' H4' O4' C1' H1' N1 C6 H6 C5 H5 C4 O4 N3 H3 C2 O2 C3' H3' C2' H2'' "
      "O2' H2' O3' H3T",
      DEBYE_CHARGE_TABLE_CHARMM, "H2'", 0.43, 0.0);
}

#define PHOSPHATE "P OP1 OP2 "
#define DEOXYRIBOSE "O5' C5' H5' H5'' C4' H4' O4' C1' H1' C3' H3' C2' H2' H2'' O3' "
#define RIBOSE "O5' C5' H5' H5'' C4' H4' O4' C1' H1' C3' H3' C2' H2' O2' HO2' O3' "
#define ADENINE "N9 C8 H8 N7 C5 C6 N6 H61 H62 N1 C2 H2 N3 C4"
#define GUANINE "N9 C8 H8 N7 C5 C6 O6 N1 H1 C2 N2 H21 H22 N3 C4"
#define CYTOSINE "N1 C6 H6 C5 H5 C4 N4 H41 H42 N3 C2 O2"
#define URACIL "N1 C6 H6 C5 H5 C4 O4 N3 H3 C2 O2"
#define THYMINE "N1 C6 H6 C5 C7 H71 H72 H73 C4 O4 N3 H3 C2 O2"

/* Of each nucleotide an atom that its neighbours in the alphabet don't have, and the whole, −1 e. AMBER's
 * from amber99sb-ildn.ff (Cornell et al., J. Am. Chem. Soc. 117, 5179, 1995) and CHARMM's from charmm27.ff
 * (Foloppe and MacKerell, J. Comput. Chem. 21, 86, 2000; CHARMM36 changed angles of torsion only), both as
 * GROMACS 2022.5 has them: another way than the tables here came. */
static void
test_nucleotides(void)
{
  static const struct {
    const char *residue, *atom;
    double amber, charmm;
  } cases[] = {
      {"DA: " PHOSPHATE DEOXYRIBOSE ADENINE, "N6", -0.9123, -0.77},
      {"DG: " PHOSPHATE DEOXYRIBOSE GUANINE, "O6", -0.5699, -0.51},
      {"DC: " PHOSPHATE DEOXYRIBOSE CYTOSINE, "N4", -0.9773, -0.75},
      {"DT: " PHOSPHATE DEOXYRIBOSE THYMINE, "C4", 0.5194, 0.5},
      {"A: " PHOSPHATE RIBOSE ADENINE, "N6", -0.9019, -0.77},
      {"G: " PHOSPHATE RIBOSE GUANINE, "O6", -0.5597, -0.51},
      {"C: " PHOSPHATE RIBOSE CYTOSINE, "N4", -0.953, -0.75},
      {"C: " PHOSPHATE RIBOSE CYTOSINE, "H41", 0.4234, 0.37},
      {"C: " PHOSPHATE RIBOSE CYTOSINE, "H42", 0.4234, 0.33},
      {"U: " PHOSPHATE RIBOSE URACIL, "C4", 0.5952, 0.53},
      {"U: " PHOSPHATE RIBOSE URACIL, "P", 1.1662, 1.5},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    assert_charge(cases[k].residue, DEBYE_CHARGE_TABLE_AMBER, cases[k].atom, cases[k].amber, -1.0);
    assert_charge(cases[k].residue, DEBYE_CHARGE_TABLE_CHARMM, cases[k].atom, cases[k].charmm, -1.0);
  }
}

/* Four nucleotides with free ends have three phosphates. */
static void
test_strands(void)
{
  static const char *const dna[] = {"DA: HO5' " DEOXYRIBOSE ADENINE, "DC: " PHOSPHATE DEOXYRIBOSE CYTOSINE,
                                    "DG: " PHOSPHATE DEOXYRIBOSE GUANINE,
                                    "DT: " PHOSPHATE DEOXYRIBOSE THYMINE " HO3'", NULL};
  static const char *const rna[] = {"U: HO5' " RIBOSE URACIL, "G: " PHOSPHATE RIBOSE GUANINE,
                                    "C: " PHOSPHATE RIBOSE CYTOSINE, "A: " PHOSPHATE RIBOSE ADENINE " HO3'",
                                    NULL};
  for (int k = 0; k < 4; k++) {
    g_auto(DebyeChargeReport) report = {0};
    g_autoptr(DebyeTopology) topology = make_topology(k % 2 == 0 ? dna : rna, FALSE);
    g_autoptr(DebyeTopology) charged = debye_topology_with_table_charges(
        topology, k < 2 ? DEBYE_CHARGE_TABLE_AMBER : DEBYE_CHARGE_TABLE_CHARMM, &report);
    g_assert_cmpuint(report.n_atoms[DEBYE_CHARGED_NONE], ==, 0);
    g_assert_cmpfloat_with_epsilon(debye_topology_get_total_charge(charged), -3.0, 1e-5);
  }
}

static void
test_water_and_ions(void)
{
  assert_charge("HOH: O H1 H2", DEBYE_CHARGE_TABLE_AMBER, "O", -0.834, 0.0);
  assert_charge("SPCE: OW HW1 HW2", DEBYE_CHARGE_TABLE_AMBER, "OW", -0.8476, 0.0);
  assert_charge("SOL: OW HW1 HW2 MW", DEBYE_CHARGE_TABLE_CHARMM, "MW", -1.04, 0.0);
  assert_charge("OPC: O H1 H2 EPW", DEBYE_CHARGE_TABLE_AMBER, "H1", 0.679142, 0.0);
  assert_charge("SOD: NA", DEBYE_CHARGE_TABLE_CHARMM, "NA", 1.0, 1.0);
  assert_charge("CL-: CL", DEBYE_CHARGE_TABLE_AMBER, "CL", -1.0, -1.0);
  assert_charge("FE2: F", DEBYE_CHARGE_TABLE_AMBER, "F", 2.0, 2.0);
  assert_charge("FE: F", DEBYE_CHARGE_TABLE_AMBER, "F", 3.0, 3.0);
}

static void
test_report(void)
{
  static const char *const residues[] = {"HOH: O H1 H2",          "LIG: C1 C2",
                                         "LIG: C1 C2 C3",         "ALA: N CA C O CB",
                                         "GLY: N CA C O",         "GLY: N H CA HA2 HA3 C O",
                                         "ALA: N H CA HA C O CB", NULL};
  static const char *const sentences[] = {
      "proteins: 7 atoms in 1 residue, charges of AMBER ff14SB (Maier et al. 2015)",
      "water: 3 atoms in 1 residue, charges of TIP3P (Jorgensen et al. 1983)",
      "2 residues LIG (the first is number 2) without charges: the table doesn't know the residue",
      "2 residues of proteins or nucleic acids (the first is number 4) without charges: the hydrogens are "
      "missing",
      "1 residue ALA (number 7) without charges: the atoms aren't those of any form in the table"};
  g_auto(DebyeChargeReport) report = {0};
  g_autoptr(DebyeTopology) topology = make_topology(residues, FALSE);
  g_autoptr(DebyeTopology) charged =
      debye_topology_with_table_charges(topology, DEBYE_CHARGE_TABLE_AMBER, &report);
  g_assert_cmpuint(g_strv_length(report.sentences), ==, G_N_ELEMENTS(sentences));
  for (gsize k = 0; k < G_N_ELEMENTS(sentences); k++) {
    g_autofree char *words = debye_message_english(report.sentences[k]);
    g_assert_cmpstr(words, ==, sentences[k]);
  }
  g_assert_cmpuint(report.n_atoms[DEBYE_CHARGED_NONE], ==, 21);
  g_assert_cmpuint(report.n_residues[DEBYE_CHARGED_NONE], ==, 5);
  g_assert_cmpint(report.kinds[0], ==, DEBYE_CHARGED_WATER);
  g_assert_cmpint(report.kinds[3], ==, DEBYE_CHARGED_NONE);
  g_assert_cmpfloat(debye_topology_get_charges(charged)[3], ==, 0.0f);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/table-charges/radius-rows", test_radius_rows);
  g_test_add_func("/table-charges/radii", test_radii);
  g_test_add_func("/table-charges/sums", test_sums);
  g_test_add_func("/table-charges/names", test_names);
  g_test_add_func("/table-charges/ends", test_ends);
  g_test_add_func("/table-charges/protonation", test_protonation);
  g_test_add_func("/table-charges/cysteines", test_cysteines);
  g_test_add_func("/table-charges/nucleic-acids", test_nucleic_acids);
  g_test_add_func("/table-charges/nucleotides", test_nucleotides);
  g_test_add_func("/table-charges/strands", test_strands);
  g_test_add_func("/table-charges/water-and-ions", test_water_and_ions);
  g_test_add_func("/table-charges/report", test_report);
  return g_test_run();
}

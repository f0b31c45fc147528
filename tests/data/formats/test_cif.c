/* SPDX-License-Identifier: MIT */
/* mmCIF and crystals from small texts: columns in any order, models, links, symmetry with answers known
 * beforehand, and what is said of files that are odd. */
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "tests/support/text_file.h"

#include <math.h>
#include <string.h>

static gsize
get_n_atoms(DebyeDataset *dataset)
{
  return debye_topology_get_n_atoms(debye_dataset_get_topology(dataset));
}

static gboolean
has_bond(DebyeDataset *dataset, guint32 i, guint32 j)
{
  gsize n;
  const DebyeBond *bonds = debye_topology_get_bonds(debye_dataset_get_topology(dataset), &n);
  for (gsize k = 0; k < n; k++)
    if (bonds[k].i == i && bonds[k].j == j)
      return TRUE;
  return FALSE;
}

static gsize
get_n_bonds(DebyeDataset *dataset)
{
  gsize n;
  debye_topology_get_bonds(debye_dataset_get_topology(dataset), &n);
  return n;
}

static guint8
get_element(DebyeDataset *dataset, gsize atom)
{
  return debye_topology_get_elements(debye_dataset_get_topology(dataset))[atom];
}

/* --- mmCIF --- */

/* Two models of a glycine's end and a zinc ion, the columns in no usual order, a row on two lines. */
#define MODELS                                                                                              \
  "data_1ABC\n_struct.title 'A test'\nloop_\n_atom_site.Cartn_z\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"  \
  "_atom_site.pdbx_PDB_model_num\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_comp_" \
  "id\n"                                                                                                    \
  "_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n"    \
  "_atom_site.pdbx_PDB_ins_code\n_atom_site.id\n_atom_site.unknown\n_atom_site.pdbx_formal_charge\n"        \
  "3 1 2 1 N N GLY A 5 X 105 ? 11 'a b' ?\n6 4 5 1 C CA GLY A 5 X 105 ? 12 ;x ?\n"                          \
  "9 7 8 1 ZN ZN ZN B .\nX 201 C 13 \"y\" 2\n"                                                              \
  "3.5 1.5 2.5 2 N N GLY A 5 X 105 ? 11 1 ?\n6.5 4.5 5.5 2 C CA GLY A 5 X 105 ? 12 1 ?\n"                   \
  "9.5 7.5 8.5 2 ZN ZN ZN B . X 201 C 13 1 2\n"                                                             \
  "_cell.length_a 10.5(2)\n_cell.length_b 11\n_cell.length_c 12\n_cell.angle_alpha 90\n_cell.angle_beta "   \
  "100\n"                                                                                                   \
  "_cell.angle_gamma 90\n"

static void
test_models(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.cif", MODELS);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "A test");
  g_assert_cmpuint(get_n_atoms(dataset), ==, 3);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 2);
  g_assert_cmpuint(text_file_count_warnings(dataset), ==, 0);

  g_autoptr(DebyeFrame) first = text_file_read(dataset, 0);
  g_autoptr(DebyeFrame) second = text_file_read(dataset, 1);
  text_file_assert_position(first, 2, 7.0, 8.0, 9.0);
  text_file_assert_position(second, 0, 1.5, 2.5, 3.5);
  g_assert_true(first->has_cell);
  g_assert_cmpfloat_with_epsilon(first->cell.a.x, 10.5, 1e-12);
  g_assert_cmpfloat_with_epsilon(second->cell.c.x, 12.0 * cos(100.0 * G_PI / 180.0), 1e-12);
}

static void
test_identity(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.cif", MODELS);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *glycine = text_file_get_residue(dataset, 0), *zinc = text_file_get_residue(dataset, 2);
  g_assert_cmpstr(text_file_get_name(dataset, 1), ==, "CA");
  g_assert_cmpuint(get_element(dataset, 1), ==, 6);
  g_assert_cmpuint(get_element(dataset, 2), ==, 30);
  g_assert_cmpint(glycine->number, ==, 105);
  g_assert_cmpstr(debye_string_pool_get(pool, glycine->chain), ==, "X");
  g_assert_cmpstr(debye_string_pool_get(pool, zinc->segment), ==, "B");
  g_assert_cmpint(zinc->insertion_code, ==, 'C');
  g_assert_cmpint(debye_topology_get_serials(topology)[2], ==, 13);
  /* A formal charge is no partial charge. */
  g_assert_null(debye_topology_get_charges(topology));
}

#define PEPTIDE_SITES                                                                                      \
  "loop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_alt_id\n"      \
  "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.auth_asym_id\n" \
  "_atom_site.auth_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"

/* Two residues bonded by C–N, one with its side chain at two places, and a disulfide to a third one far away,
 * which is the next in the sequence but no neighbour in space. */
#define PEPTIDE                                                                                              \
  "data_p\nloop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n_chem_comp_bond.atom_id_2\n"           \
  "CYS N CA CYS CA C CYS CA SG\n"                                                                            \
  "_struct_conn.conn_type_id disulf\n_struct_conn.ptnr1_auth_asym_id Z\n_struct_conn.ptnr1_auth_seq_id 11\n" \
  "_struct_conn.ptnr1_auth_comp_id CYS\n_struct_conn.ptnr1_label_atom_id SG\n"                               \
  "_struct_conn.pdbx_ptnr1_label_alt_id B\n"                                                                 \
  "_struct_conn.ptnr2_auth_asym_id Z\n_struct_conn.ptnr2_auth_seq_id 12\n_struct_conn.ptnr2_auth_comp_id "   \
  "CYS\n"                                                                                                    \
  "_struct_conn.ptnr2_label_atom_id SG\n" PEPTIDE_SITES                                                      \
  "1 N N . CYS A 1 Z 10 0 0 0\n2 C CA . CYS A 1 Z 10 1.5 0 0\n3 C C . CYS A 1 Z 10 3 0 0\n"                  \
  "4 N N . CYS A 2 Z 11 4.3 0 0\n5 C CA . CYS A 2 Z 11 5.8 0 0\n6 S SG A CYS A 2 Z 11 5.8 1.8 0\n"           \
  "7 S SG B CYS A 2 Z 11 5.8 -1.8 0\n8 C C . CYS A 2 Z 11 7.3 0 0\n"                                         \
  "9 N N . CYS A 3 Z 12 20 0 0\n10 S SG . CYS A 3 Z 12 5.8 -3.8 0\n"

static void
test_bonds(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) opened = text_file_open(folder, "a.cif", PEPTIDE);
  g_autoptr(DebyeDataset) dataset = debye_dataset_with_choices(opened, "all", NULL, &error);
  g_assert_no_error(error);
  static const DebyeBond expected[] = {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {2, 3}, {6, 9}};
  g_assert_cmpuint(get_n_bonds(dataset), ==, G_N_ELEMENTS(expected));
  for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
    g_assert_true(has_bond(dataset, expected[i].i, expected[i].j));
  g_assert_true(text_file_has_warning(dataset, "2 atoms have alternate locations; all of them count"));
  /* Of equal ones the first counts, without the disulfide that the second has. */
  g_assert_cmpuint(get_n_bonds(opened), ==, 6);
  g_assert_false(has_bond(opened, 6, 9));
}

/* A residue whose atoms stand in two places is one. */
static void
test_residues_that_stand_apart(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(
      folder, "a.cif",
      "data_p\n" PEPTIDE_SITES
      "1 N N A CYS A 1 Z 10 0 0 0\n2 N N . CYS A 2 Z 11 5 0 0\n3 N N B CYS A 1 Z 10 0 1 0\n"
      "4 O O . HOH B . Z 201 9 0 0\n5 C CA . CYS A 2 Z 11 6 0 0\n6 O O . HOH B . Z 202 9 9 0\n");
  static const guint32 residues[] = {0, 1, 0, 2, 1, 3};
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 4);
  g_assert_cmpmem(debye_topology_get_residues(topology), sizeof residues, residues, sizeof residues);
}

/* --- Several data blocks --- */

#define CUBIC(name, title, sites)                                                              \
  "data_" name "\n_chemical_name_common '" title                                               \
  "'\n_cell_length_a 10\n_cell_length_b 10\n_cell_length_c 10\n"                               \
  "_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\nloop_\n_atom_site_label\n" \
  "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n" sites

/* Of structures behind the first one only is told, and nothing of theirs gets into it. */
static void
test_further_blocks(gconstpointer folder)
{
  g_autoptr(DebyeDataset) crystals = text_file_open(
      folder, "a.cif",
      "data_global\n_journal_name x\n" CUBIC("I", "first", "C1 0.1 0.2 0.3\n")
          CUBIC("II", "second", "O1 0.5 0.5 0.5\nO2 0.6 0.6 0.6\n") "_cell_length_a 20\n"
                                                                    "data_of_no_atoms\n_symmetry_space_group_"
                                                                    "name_H-M 'P 21'\n" CUBIC("III", "third",
                                                                                              "N1 0 0 x\n"));
  g_assert_cmpstr(debye_topology_get_title(debye_dataset_get_topology(crystals)), ==, "first");
  g_assert_cmpuint(get_n_atoms(crystals), ==, 1);
  g_assert_cmpuint(text_file_count_warnings(crystals), ==, 1);
  g_assert_true(text_file_has_warning(
      crystals, "2 data blocks with atoms after the first one are not read; the first of them is “II”"));
  g_autoptr(DebyeFrame) frame = text_file_read(crystals, 0);
  text_file_assert_position(frame, 0, 1.0, 2.0, 3.0);

  g_autoptr(DebyeDataset) entries = text_file_open(folder, "b.cif",
                                                   MODELS "data_2XYZ\n_struct.title 'Another'\n" PEPTIDE_SITES
                                                          "1 N N . CYS A 1 Z 10 0 0 0\n");
  g_assert_cmpstr(debye_topology_get_title(debye_dataset_get_topology(entries)), ==, "A test");
  g_assert_cmpuint(get_n_atoms(entries), ==, 3);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(entries)), ==, 2);
  g_assert_true(text_file_has_warning(
      entries, "1 data blocks with atoms after the first one are not read; the first of them is “2XYZ”"));
}

/* What a ligand's own block behind the structure says of its bonds is of use. */
static void
test_block_of_a_component(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.cif",
                     "data_model\n" PEPTIDE_SITES "1 C C1 . LIG A . Z 1 0 0 0\n2 C C2 . LIG A . Z 1 1.5 0 0\n"
                     "3 C C3 . LIG A . Z 1 0 1.5 0\n"
                     "data_comp_LIG\nloop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n"
                     "_chem_comp_bond.atom_id_2\nLIG C1 C2 LIG C1 C3\n");
  g_assert_true(has_bond(dataset, 0, 1));
  g_assert_true(has_bond(dataset, 0, 2));
  g_assert_cmpuint(text_file_count_warnings(dataset), ==, 0);
}

/* Links that are no bonds, or lead out of the file. */
static void
test_links(gconstpointer folder)
{
  static const char *const kinds[] = {"covale 1_555", "hydrog 1_555", "covale 2_565", "metalc ."};
  static const gsize n_bonds[] = {1, 0, 0, 1};
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    g_autofree char *text = g_strdup_printf(
        "data_a\nloop_\n_struct_conn.conn_type_id\n_struct_conn.ptnr2_symmetry\n_struct_conn.ptnr1_auth_asym_"
        "id\n"
        "_struct_conn.ptnr1_auth_seq_id\n_struct_conn.ptnr1_auth_comp_id\n_struct_conn.ptnr1_label_atom_id\n"
        "_struct_conn.ptnr2_auth_asym_id\n_struct_conn.ptnr2_auth_seq_id\n_struct_conn.ptnr2_auth_comp_id\n"
        "_struct_conn.ptnr2_label_atom_id\n%s Z 1 HIS NE2 Z 2 ZN ZN\n" PEPTIDE_SITES
        "1 N NE2 . HIS A 1 Z 1 0 0 0\n2 ZN ZN . ZN B . Z 2 2 0 0\n",
        kinds[i]);
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.cif", text);
    g_assert_cmpuint(get_n_bonds(dataset), ==, n_bonds[i]);
  }
}

/* A category of one row stands item by item, and other blocks are other structures. */
static void
test_single_atom(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.cif",
                     "data_global\n_audit.id x\ndata_ion\n_atom_site.id 1\n_atom_site.type_symbol "
                     "NA\n_atom_site.Cartn_x 1.5\n"
                     "_atom_site.label_atom_id NA\n_atom_site.Cartn_y\n2.5\n_atom_site.Cartn_z\n;3.5\n;\n"
                     "data_other\n_atom_site.Cartn_x 9\n_atom_site.Cartn_y 9\n_atom_site.Cartn_z 9\n");
  g_assert_cmpuint(get_n_atoms(dataset), ==, 1);
  g_assert_cmpuint(get_element(dataset, 0), ==, 11);
  g_assert_cmpstr(debye_topology_get_title(debye_dataset_get_topology(dataset)), ==, "ion");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 1.5, 2.5, 3.5);
  g_assert_false(frame->has_cell);
}

/* --- Crystals --- */

#define CUBIC_CELL                                                                           \
  "_cell_length_a 5.64(1)\n_cell_length_b 5.64\n_cell_length_c 5.64\n_cell_angle_alpha 90\n" \
  "_cell_angle_beta 90\n_cell_angle_gamma 90\n"

/* All 48 operations of m-3m, each with the four centrings of F: what International Tables list for Fm-3m
 * (225). */
static char *
make_face_centred_operations(void)
{
  static const char *const axes[] = {"x,y,z", "y,z,x", "z,x,y", "x,z,y", "z,y,x", "y,x,z"};
  static const char *const shifts[4][3] = {
      {"", "", ""}, {"", "+1/2", "+1/2"}, {"+1/2", "", "+1/2"}, {"+1/2", "+1/2", ""}};
  GString *text = g_string_new("loop_\n_symmetry_equiv_pos_as_xyz\n");
  for (int a = 0; a < 6; a++)
    for (int signs = 0; signs < 8; signs++)
      for (int s = 0; s < 4; s++) {
        g_string_append_c(text, '\'');
        for (int k = 0; k < 3; k++)
          g_string_append_printf(text, "%s%s%c%s", k > 0 ? ", " : "", (signs >> k) & 1 ? "-" : "",
                                 axes[a][2 * k], shifts[s][k]);
        g_string_append(text, "'\n");
      }
  return g_string_free(text, FALSE);
}

#define ROCK_SALT_SITES                                                                                   \
  "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n_atom_site_type_" \
  "symbol\n"                                                                                              \
  "_atom_site_U_iso_or_equiv\n"                                                                           \
  "Na1 0 0 0 Na1+ 0.01\nCl1 0.5 .5 0.5000(3) Cl1- 0.02\n"

/* Eight atoms, each ion with six of the other kind at half an edge and none nearer. */
static void
test_rock_salt(gconstpointer folder)
{
  g_autofree char *operations = make_face_centred_operations();
  g_autofree char *text = g_strconcat(
      "data_halite\n", CUBIC_CELL, "_symmetry_space_group_name_H-M 'F m -3 m'\n", operations, ROCK_SALT_SITES,
      "loop_\n_atom_type_symbol\n_atom_type_oxidation_number\nNa1+ 1\nCl1- -1\n", NULL);
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "halite.cif", text);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  g_assert_cmpuint(frame->n_atoms, ==, 8);
  for (gsize i = 0; i < 8; i++) {
    gsize n_near = 0;
    for (gsize j = 0; j < 8; j++) {
      double r = debye_periodic_distance(&periodic, debye_frame_get_position(frame, i),
                                         debye_frame_get_position(frame, j));
      gboolean is_other = get_element(dataset, i) != get_element(dataset, j);
      g_assert_true(i == j || r > 2.82 - 1e-4);
      n_near += is_other && r < 2.82 + 1e-4;
    }
    /* Three of the cell's four others, each seen from two sides. */
    g_assert_cmpuint(n_near, ==, 3);
  }
  g_assert_cmpfloat_with_epsilon(debye_topology_get_total_charge(topology), 0.0, 1e-6);
  g_assert_cmpfloat(debye_topology_get_charges(topology)[0], ==, 1.0F);
  g_assert_cmpfloat_with_epsilon((double)debye_topology_get_b_factors(topology)[0], 0.08 * G_PI * G_PI, 1e-6);
  g_assert_true(text_file_has_warning(dataset, "the charges are the oxidation numbers that the file states"));
}

/* P 1 21/c 1-like cell with a molecule outside of it: the images are inside and whole. */
static void
test_whole_molecules(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "a.cif",
                     "data_m\n_cell.length_a 10\n_cell.length_b 12\n_cell.length_c 14\n_cell.angle_alpha 90\n"
                     "_cell.angle_beta 105\n_cell.angle_gamma "
                     "90\nloop_\n_space_group_symop_id\n_space_group_symop_operation_xyz\n"
                     "1 x,y,z\n2 -x,1/2+y,1/2-z\n3 -x,-y,-z\n4 x,1/2-y,1/2+z\n"
                     "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
                     "C1 -0.05 0.3 0.4\nO1 0.05 0.35 0.4\nH1 ? ? ?\nC2 0 0 0\n");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  /* Two atoms in general positions, one on a centre of inversion. */
  g_assert_cmpuint(frame->n_atoms, ==, 4 + 4 + 2);
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  text_file_assert_position(frame, 0, -0.5 + 0.4 * frame->cell.c.x, 3.6, 0.4 * frame->cell.c.z);
  double bond = debye_vec3_length(debye_periodic_from_fraction(&periodic, debye_vec3(0.1, 0.05, 0.0)));
  for (gsize i = 0; i + 1 < frame->n_atoms; i++) {
    if (strcmp(text_file_get_name(dataset, i), "C1") != 0)
      continue;
    g_assert_cmpstr(text_file_get_name(dataset, i + 1), ==, "O1");
    DebyeVec3 d =
        debye_vec3_subtract(debye_frame_get_position(frame, i), debye_frame_get_position(frame, i + 1));
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(d), bond, 1e-5);
  }
  g_assert_true(
      text_file_has_warning(dataset, "1 atoms have no coordinates or are dummies and are left out"));
  g_assert_cmpuint(get_element(dataset, 1), ==, 8);
}

/* Both places of a disordered atom are kept and told of; so is that a group's operations aren't listed. */
static void
test_disorder(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(
      folder, "a.cif",
      "data_d\n" CUBIC_CELL
      "_symmetry_space_group_name_H-M 'P 21/c'\nloop_\n_atom_site_label\n_atom_site_occupancy\n"
      "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n_atom_site_disorder_group\n"
      "CA1 0.6 0.1 0.1 0.1 1\nCl2 0.4 0.2 0.1 0.1 2\nZN3 1 0.5 0.5 0.5 .\n");
  g_assert_cmpuint(get_n_atoms(dataset), ==, 3);
  g_assert_cmpuint(get_element(dataset, 0), ==, 6);
  g_assert_cmpuint(get_element(dataset, 1), ==, 17);
  g_assert_cmpuint(get_element(dataset, 2), ==, 30);
  g_assert_cmpfloat(debye_topology_get_occupancies(debye_dataset_get_topology(dataset))[1], ==, 0.4F);
  g_assert_true(
      text_file_has_warning(dataset, "2 atoms are disordered or partly occupied; all of them are kept"));
  g_assert_true(
      text_file_has_warning(dataset, "the symmetry operations of space group “P 21/c” are not listed"));
}

/* --- Mistakes --- */

typedef struct {
  const char *text;
  int code;
  const char *sentence;
} Mistake;

static const Mistake mistakes[] = {
    {"data_a\n_cell.length_a 1\n", DEBYE_ERROR_MISSING,
     "a.cif: expected atoms (_atom_site with coordinates), found none"},
    {"data_a\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 2 3 4\n",
     DEBYE_ERROR_TRUNCATED,
     "a.cif: line 6: expected 3 values in a row of the loop, found the end of the file after 1"},
    {"data_a\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 2 3 4\nloop_\n_b 1\n",
     DEBYE_ERROR_SYNTAX, "a.cif: line 7: expected 3 values in a row of the loop, found a loop after 1"},
    {"data_a\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 2 3\n4 5,5 6\n",
     DEBYE_ERROR_SYNTAX, "a.cif: line 7: expected a number for Cartn_y, found “5,5”"},
    {"data_a\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_z\n1 2 3 4\n", DEBYE_ERROR_SYNTAX,
     "a.cif: line 5: expected a number for Cartn_y, found nothing"},
    {"data_a\n_b\n_c 1\n", DEBYE_ERROR_SYNTAX, "a.cif: line 3: expected a value of _b, found a tag"},
    {"data_a\n_b 1 2\n", DEBYE_ERROR_SYNTAX, "a.cif: line 2: expected a tag or a loop, found the value “2”"},
    {"data_a\nloop_\n1 2\n", DEBYE_ERROR_SYNTAX, "a.cif: line 3: expected tags after loop_, found a value"},
    {"data_a\n_atom_site_fract_x 1\n_atom_site_fract_y 1\n_atom_site_fract_z 1\n", DEBYE_ERROR_MISSING,
     "a.cif: expected the cell that the fractional coordinates belong to, found none"},
    {"data_a\n_cell_length_a 1\n_cell_length_b 2\n_cell_length_c 0\n_atom_site_fract_x 1\n_atom_site_fract_y "
     "1\n"
     "_atom_site_fract_z 1\n",
     DEBYE_ERROR_VALUE,
     "a.cif: expected the cell that the fractional coordinates belong to, found lengths and angles that "
     "describe none"},
    {"data_a\n_atom_site_fract_x ?\n_atom_site_fract_y 1\n_atom_site_fract_z 1\n", DEBYE_ERROR_MISSING,
     "a.cif: expected atoms with coordinates, found none"},
    {"data_a\n" CUBIC_CELL "_symmetry_equiv_pos_as_xyz x,y,q\n_atom_site_fract_x 1\n_atom_site_fract_y 1\n"
     "_atom_site_fract_z 1\n",
     DEBYE_ERROR_SYNTAX, "a.cif: line 8: expected a symmetry operation like “-x,y+1/2,-z”, found “x,y,q”"},
};

static void
test_mistakes(gconstpointer folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS(mistakes); i++)
    text_file_assert_fails(folder, "a.cif", mistakes[i].text, mistakes[i].code, mistakes[i].sentence);
}

static void
test_too_many_operations(gconstpointer folder)
{
  g_autoptr(GString) text = g_string_new("data_a\nloop_\n_symmetry_equiv_pos_as_xyz\n");
  for (int i = 0; i < 193; i++)
    g_string_append(text, "x,y,z\n");
  g_string_append(text, CUBIC_CELL "_atom_site_fract_x 0\n_atom_site_fract_y 0\n_atom_site_fract_z 0\n");
  text_file_assert_fails(folder, "a.cif", text->str, DEBYE_ERROR_LIMIT,
                         "a.cif: line 196: expected at most 192 symmetry operations, found more");
}

/* A file that ends inside a later model keeps the models before. */
static void
test_cut(gconstpointer folder)
{
  g_autofree char *text = g_strndup(MODELS, (gsize)(strstr(MODELS, "4.5 5.5 2") - MODELS));
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.cif", text);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 1);
  g_assert_true(text_file_has_warning(dataset,
                                      "expected 15 values in a row of the loop, found the end of the file "
                                      "after 1; the 1 frames before it are used"));
}

/* Any byte may be in a tag. */
static void
test_nul(gconstpointer folder)
{
  static const char text[] = "data_a\n_atom_site.id\0_atom_site.id 1\n_atom_site.id\0 2\n";
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_temporary_write(folder, "a.cif", text, sizeof text - 1);
  const char *paths[] = {path, NULL};
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_test_add_data_func("/cif/models", folder, test_models);
  g_test_add_data_func("/cif/identity", folder, test_identity);
  g_test_add_data_func("/cif/bonds", folder, test_bonds);
  g_test_add_data_func("/cif/residues-that-stand-apart", folder, test_residues_that_stand_apart);
  g_test_add_data_func("/cif/further-blocks", folder, test_further_blocks);
  g_test_add_data_func("/cif/block-of-a-component", folder, test_block_of_a_component);
  g_test_add_data_func("/cif/links", folder, test_links);
  g_test_add_data_func("/cif/single-atom", folder, test_single_atom);
  g_test_add_data_func("/cif/rock-salt", folder, test_rock_salt);
  g_test_add_data_func("/cif/whole-molecules", folder, test_whole_molecules);
  g_test_add_data_func("/cif/disorder", folder, test_disorder);
  g_test_add_data_func("/cif/mistakes", folder, test_mistakes);
  g_test_add_data_func("/cif/too-many-operations", folder, test_too_many_operations);
  g_test_add_data_func("/cif/cut", folder, test_cut);
  g_test_add_data_func("/cif/nul", folder, test_nul);
  return g_test_run();
}

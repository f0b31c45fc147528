/* SPDX-License-Identifier: MIT */
/* mmCIF files as Debye writes them, read again: the same bonds though names come again, chains and segments, values that
 * look like CIF's own words, coordinates that are no numbers, isotopes, and cells that change. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/trajectory/format_list.h"
#include "small_system.h"
#include "tests/support/text_file.h"

static DebyeTemporaryFolder *folder;

static char *
write_text(DebyeTopology *topology, const DebyeFrame *frame)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  gpointer writer = debye_format_cif.writer_new(stream, topology, frame->n_atoms, 1, &error);
  g_assert_no_error(error);
  g_assert_true(debye_format_cif.write_frame(writer, frame, &error));
  g_assert_true(debye_format_cif.writer_finish(writer, &error));
  g_assert_no_error(error);
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
  return g_strndup(g_memory_output_stream_get_data(memory), g_memory_output_stream_get_data_size(memory));
}

static DebyeDataset *
write_and_read(DebyeDataset *dataset)
{
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_autofree char *text = write_text(debye_dataset_get_topology(dataset), frame);
  return text_file_open(folder, "again.cif", text);
}

static void
assert_bonds(DebyeTopology *topology, const DebyeBond *expected, gsize n_expected)
{
  gsize n;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n);
  g_assert_cmpuint(n, ==, n_expected);
  for (gsize b = 0; b < n; b++) {
    g_assert_cmpuint(bonds[b].i, ==, expected[b].i);
    g_assert_cmpuint(bonds[b].j, ==, expected[b].j);
  }
}

/* Two ligands of one name and number that follow each other, and a water whose number comes again behind an ion. */
#define AGAIN                                                                        \
  "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00           C\n" \
  "ATOM      2  C2  LIG     1       1.500   0.000   0.000  1.00  0.00           C\n" \
  "TER\n"                                                                            \
  "ATOM      3  C1  LIG     1      10.000   0.000   0.000  1.00  0.00           C\n" \
  "ATOM      4  C2  LIG     1      11.500   0.000   0.000  1.00  0.00           C\n" \
  "ATOM      5  O   SOL     2      20.000   0.000   0.000  1.00  0.00           O\n" \
  "ATOM      6  H1  SOL     2      20.960   0.000   0.000  1.00  0.00           H\n" \
  "ATOM      7  NA  NA      3      50.000   0.000   0.000  1.00  0.00          NA\n" \
  "ATOM      8  O   SOL     2      30.000   0.000   0.000  1.00  0.00           O\n" \
  "ATOM      9  H1  SOL     2      30.960   0.000   0.000  1.00  0.00           H\n" \
  "CONECT    1    2\nCONECT    3    4\nCONECT    5    6\nCONECT    8    9\nEND\n"

static void
test_names_that_come_again(void)
{
  static const DebyeBond expected[] = {{0, 1}, {2, 3}, {4, 5}, {7, 8}};
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "a.pdb", AGAIN);
  g_autoptr(DebyeDataset) again = write_and_read(dataset);
  assert_bonds(debye_dataset_get_topology(dataset), expected, G_N_ELEMENTS(expected));
  assert_bonds(debye_dataset_get_topology(again), expected, G_N_ELEMENTS(expected));
}

/* Another program that numbers the atoms anew and keeps the column: the names decide again. */
static void
test_numbered_anew(void)
{
  static const DebyeBond expected[] = {{1, 2}};
  g_autoptr(DebyeDataset) dataset = text_file_open(
      folder, "a.cif",
      "data_a\n_struct_conn.conn_type_id covale\n_struct_conn.ptnr1_auth_asym_id A\n"
      "_struct_conn.ptnr1_auth_comp_id LIG\n_struct_conn.ptnr1_auth_seq_id "
      "1\n_struct_conn.ptnr1_label_atom_id "
      "C1\n"
      "_struct_conn.debye_ptnr1_atom_id 1\n_struct_conn.ptnr2_auth_asym_id A\n"
      "_struct_conn.ptnr2_auth_comp_id LIG\n_struct_conn.ptnr2_auth_seq_id "
      "1\n_struct_conn.ptnr2_label_atom_id "
      "C2\n"
      "_struct_conn.debye_ptnr2_atom_id 2\nloop_\n_atom_site.id\n_atom_site.type_symbol\n"
      "_atom_site.label_atom_id\n_atom_site.auth_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n"
      "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "1 N N1 LIG A 1 9 0 0\n2 C C1 LIG A 1 0 0 0\n3 C C2 LIG A 1 1.5 0 0\n");
  assert_bonds(debye_dataset_get_topology(dataset), expected, G_N_ELEMENTS(expected));
}

/* A segment without a chain, as each PSF file has it, and names that are CIF's own words. */
static void
test_names(void)
{
  static const SmallAtom atoms[] = {
      {"LIG", 1, 0, "", "WAT", "C1", NULL, "C", 12.011, 0.0},
      {"LIG", 1, 0, "", "WAT", ".", NULL, "C", 12.011, 0.0},
      {"LIG", 2, 0, ".", "?", "?", NULL, "C", 12.011, 0.0},
      {"LIG", 3, 0, "B", "loop_", "O5'\"", NULL, "O", 15.999, 0.0},
      {"LIG", 3, 0, "B", "loop_", "it's", NULL, "H", 2.014, 0.0},
      {"LIG", 3, 0, "B", "loop_", "H2", NULL, "H", 2.0, 0.0},
  };
  static const int bonds[] = {0, 1, 1, 2, 2, 3, -1};
  static const DebyeBond expected[] = {{0, 1}, {1, 2}, {2, 3}};
  double positions[G_N_ELEMENTS(atoms)][3] = {{NAN, INFINITY, 1.5}};
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), bonds);
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, G_N_ELEMENTS(atoms));
  g_autofree char *text = write_text(topology, frame);
  g_autoptr(DebyeDataset) again = text_file_open(folder, "names.cif", text);
  const DebyeStringPool *pool = debye_topology_get_string_pool(debye_dataset_get_topology(again));
  for (gsize i = 0; i < G_N_ELEMENTS(atoms); i++) {
    const DebyeResidue *residue = text_file_get_residue(again, i);
    g_assert_cmpstr(text_file_get_name(again, i), ==, atoms[i].name);
    g_assert_cmpstr(debye_string_pool_get(pool, residue->chain), ==, atoms[i].chain);
    g_assert_cmpstr(debye_string_pool_get(pool, residue->segment), ==, atoms[i].segment);
  }
  assert_bonds(debye_dataset_get_topology(again), expected, G_N_ELEMENTS(expected));
  /* Deuterium, and hydrogen whose mass was repartitioned. */
  g_assert_nonnull(strstr(text, "HETATM 5 D "));
  g_assert_nonnull(strstr(text, "HETATM 6 H "));
  g_autoptr(DebyeFrame) read = text_file_read(again, 0);
  g_assert_true(isnan(read->x[0]) && isinf(read->y[0]));
  g_assert_cmpfloat((double)read->z[0], ==, 1.5);
}

/* The element D of a PDB file is deuterium when it is read, and when it was written and is read again. */
static void
test_deuterium(void)
{
  g_autoptr(DebyeDataset) dataset =
      text_file_open(folder, "d.pdb",
                     "ATOM      1  O   HOH A   1      11.104   6.134  -6.504  1.00  0.00           O\n"
                     "ATOM      2  D1  HOH A   1      12.064   6.134  -6.504  1.00  0.00           D\n"
                     "ATOM      3  H2  HOH A   1      10.864   7.064  -6.504  1.00  0.00           H\nEND\n");
  g_autoptr(DebyeDataset) again = write_and_read(dataset);
  const float *masses = debye_topology_get_masses(debye_dataset_get_topology(again));
  g_assert_cmpuint(debye_topology_get_elements(debye_dataset_get_topology(again))[1], ==, 1);
  g_assert_cmpfloat_with_epsilon((double)masses[1], 2.0141, 1e-5);
  g_assert_cmpfloat_with_epsilon((double)masses[2], 1.008, 1e-5);
}

static void
test_title(void)
{
  static const char *const titles[] = {"THE 5' END AND \"X\" OF IT", "5' END", "THE \"X\"", "loop_", "."};
  for (gsize k = 0; k < G_N_ELEMENTS(titles); k++) {
    g_autofree char *text = g_strdup_printf(
        "TITLE     %s\n"
        "ATOM      1  C1  LIG A   1       0.000   0.000   0.000  1.00  0.00           C\nEND\n",
        titles[k]);
    g_autoptr(DebyeDataset) dataset = text_file_open(folder, "title.pdb", text);
    g_autoptr(DebyeDataset) again = write_and_read(dataset);
    g_assert_cmpstr(debye_topology_get_title(debye_dataset_get_topology(again)), ==, titles[k]);
  }
}

/* One cell for all frames is all that is read again: another one is refused, a cell that comes or goes as well. */
static void
test_cells(void)
{
  static const double edges[] = {30.0, 30.00001, 40.0, 0.0}; /* 0: none */
  const char *elements[] = {"Ar"};
  double position[1][3] = {{1.0, 2.0, 3.0}};
  g_autoptr(DebyeTopology) topology = small_topology_of_elements(elements, 1, TRUE);
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  gpointer writer = debye_format_cif.writer_new(stream, topology, 1, G_N_ELEMENTS(edges), NULL);
  for (gsize k = 0; k < G_N_ELEMENTS(edges); k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeFrame) frame = small_frame_new(position, 1);
    if (edges[k] > 0.0)
      small_frame_set_cell(frame, debye_vec3(edges[k], 0, 0), debye_vec3(0, edges[k], 0),
                           debye_vec3(0, 0, edges[k]));
    frame->index = 4;
    g_assert_true(debye_format_cif.write_frame(writer, frame, &error) == (k < 2));
    if (k < 2)
      continue;
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
    g_assert_cmpstr(
        error->message, ==,
        "frame 4: the cell differs from the first frame's, and an mmCIF file holds one. Write one "
        "frame, the same cell for all of them, or a .pdb or .gro file");
  }
  debye_format_cif.writer_finish(writer, NULL);
}

/* Debye's own columns are checked as a PQR file's. */
static void
test_parameters(void)
{
  static const struct {
    const char *values, *found;
  } cases[] = {
      {"nan 1", "“nan” and “1”"},   {"inf 1", "“inf” and “1”"},   {"abc 1", "“abc” and “1”"},
      {"0.5 -3", "“0.5” and “-3”"}, {". 1e40", "“.” and “1e40”"},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *text = g_strdup_printf(
        "data_x\nloop_\n_atom_site.label_atom_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_"
        "z\n"
        "_atom_site.debye_partial_charge\n_atom_site.debye_radius\nC1 0 0 0 . .\nC2 0 0 2 %s\n",
        cases[k].values);
    g_autofree char *sentence = g_strdup_printf(
        "a.cif: line 10: expected a finite charge and a radius of 0 or more, found %s", cases[k].found);
    text_file_assert_fails(folder, "a.cif", text, DEBYE_ERROR_VALUE, sentence);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = debye_temporary_folder_new();
  g_test_add_func("/cif-writer/names-that-come-again", test_names_that_come_again);
  g_test_add_func("/cif-writer/numbered-anew", test_numbered_anew);
  g_test_add_func("/cif-writer/names", test_names);
  g_test_add_func("/cif-writer/deuterium", test_deuterium);
  g_test_add_func("/cif-writer/title", test_title);
  g_test_add_func("/cif-writer/cells", test_cells);
  g_test_add_func("/cif-writer/parameters", test_parameters);
  const int status = g_test_run();
  debye_temporary_folder_free(folder);
  return status;
}

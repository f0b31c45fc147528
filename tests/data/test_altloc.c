/* SPDX-License-Identifier: MIT */
/* Alternate locations: which atoms count, that selections and bonds know no others, and the choice of a cell. */
#include <string.h>

#include "data/molecule/altloc.h"
#include "data/molecule/bonds.h"
#include "data/molecule/table_charges.h"
#include "data/selection/selection.h"
#include "data/files/error.h"
#include "tests/support/count_down.h"
#include "tests/support/text_file.h"

/* An atom of a PDB file, as short as it can be said. */
typedef struct {
  const char *name, *residue;
  char label;
  int number;
  double x, y, z, occupancy;
  const char *element;
} Site;

static char *
write_sites(const Site *sites, gsize n)
{
  GString *text = g_string_new("CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1           1\n");
  for (gsize i = 0; i < n; i++)
    g_string_append_printf(text, "ATOM  %5u  %-3s%c%3s A%4d    %8.3f%8.3f%8.3f%6.2f  0.00          %2s\n",
                           (guint)i + 1, sites[i].name, sites[i].label, sites[i].residue, sites[i].number,
                           sites[i].x, sites[i].y, sites[i].z, sites[i].occupancy, sites[i].element);
  g_string_append(text, "END\n");
  return g_string_free(text, FALSE);
}

static DebyeDataset *
open_sites(gconstpointer folder, const Site *sites, gsize n)
{
  g_autofree char *text = write_sites(sites, n);
  return text_file_open(folder, "sites.pdb", text);
}

static DebyeDataset *
choose(DebyeDataset *dataset, const char *altloc, const char *cell)
{
  g_autoptr(GError) error = NULL;
  DebyeDataset *chosen = debye_dataset_with_choices(dataset, altloc, cell, &error);
  g_assert_no_error(error);
  return chosen;
}

/* "0 1 4" */
static char *
select_atoms(DebyeDataset *dataset, const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(GArray) atoms =
      debye_selection_evaluate(selection, debye_dataset_get_topology(dataset), frame, &error);
  g_assert_no_error(error);
  GString *list = g_string_new(NULL);
  for (guint i = 0; i < atoms->len; i++)
    g_string_append_printf(list, "%s%u", i > 0 ? " " : "", g_array_index(atoms, guint32, i));
  return g_string_free(list, FALSE);
}

static void
assert_selects(DebyeDataset *dataset, const char *text, const char *expected)
{
  g_autofree char *found = select_atoms(dataset, text);
  g_assert_cmpstr(found, ==, expected);
}

/* Serine with its hydroxyl at two locations, B the fuller one, beside a water that is in half of the cells. */
static const Site serine[] = {
    {"N", "SER", ' ', 7, 0.0, 0.0, 0.0, 1.0, "N"},     {"CA", "SER", ' ', 7, 1.46, 0.0, 0.0, 1.0, "C"},
    {"C", "SER", ' ', 7, 1.98, 1.42, 0.0, 1.0, "C"},   {"O", "SER", ' ', 7, 1.2, 2.35, 0.0, 1.0, "O"},
    {"CB", "SER", 'A', 7, 1.99, -0.77, 1.2, 0.4, "C"}, {"CB", "SER", 'B', 7, 1.99, -0.9, -1.13, 0.6, "C"},
    {"OG", "SER", 'A', 7, 1.5, -2.1, 1.2, 0.4, "O"},   {"OG", "SER", 'B', 7, 1.5, -2.2, -1.13, 0.6, "O"},
    {"O", "HOH", 'A', 8, 1.4, -4.5, 1.0, 0.5, "O"},
};

static void
test_highest_occupancy_counts(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = open_sites(folder, serine, G_N_ELEMENTS(serine));
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 9);
  g_assert_cmpuint(debye_topology_get_n_counted(topology), ==, 7);
  g_assert_cmpuint(debye_topology_get_n_alternates(topology), ==, 5);
  assert_selects(dataset, "all", "0 1 2 3 5 7 8");
  assert_selects(dataset, "", "0 1 2 3 5 7 8");
  /* What doesn't count is nowhere: not in what is left, not near, not of a residue. */
  assert_selects(dataset, "not backbone", "5 7 8");
  assert_selects(dataset, "within 2.6 of resname HOH", "8");
  assert_selects(dataset, "same residue as name OG", "0 1 2 3 5 7");
  assert_selects(dataset, "altloc B", "5 7");
  assert_selects(dataset, "altloc A", "8");
  assert_selects(dataset, "altloc \"\"", "0 1 2 3");
  assert_selects(dataset, "index 4", "");
  g_assert_true(text_file_has_warning(
      dataset, "5 atoms have alternate locations; the 3 with the highest occupancy are used"));
  /* The files' own has them all. */
  g_assert_null(debye_topology_get_counted(debye_dataset_get_topology_of_files(dataset)));
}

static void
test_a_label_and_all(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = open_sites(folder, serine, G_N_ELEMENTS(serine));
  g_autoptr(DebyeDataset) first = choose(dataset, "A", NULL);
  assert_selects(first, "all", "0 1 2 3 4 6 8");
  g_assert_true(text_file_has_warning(
      first, "5 atoms have alternate locations; of these 3 count, at location A where the residue has it"));
  /* A residue without it has the fullest, or half of the structure would be gone. */
  g_autoptr(DebyeDataset) third = choose(first, "C", NULL);
  assert_selects(third, "all", "0 1 2 3 5 7 8");
  g_autoptr(DebyeDataset) all = choose(first, "all", NULL);
  assert_selects(all, "all", "0 1 2 3 4 5 6 7 8");
  assert_selects(all, "altloc A", "4 6 8");
  assert_selects(all, "within 2.6 of resname HOH", "6 8");
  g_autoptr(DebyeDataset) same = choose(all, "all", "file");
  g_assert_true(same == all);
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_dataset_with_choices(dataset, "A B", NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
}

/* Of equals the first of the file, not of the alphabet; decided by the residue's mean, so that it stays one
 * conformer though its second atom says otherwise. */
static void
test_one_conformer(gconstpointer folder)
{
  static const Site sites[] = {
      {"CA", "ALA", 'B', 1, 0.0, 0.0, 0.0, 0.5, "C"}, {"CA", "ALA", 'A', 1, 1.0, 0.0, 0.0, 0.5, "C"},
      {"CA", "GLY", 'A', 2, 5.0, 0.0, 0.0, 0.7, "C"}, {"CA", "GLY", 'B', 2, 6.0, 0.0, 0.0, 0.3, "C"},
      {"N", "GLY", 'A', 2, 5.0, 1.0, 0.0, 0.4, "N"},  {"N", "GLY", 'B', 2, 6.0, 1.0, 0.0, 0.6, "N"},
  };
  g_autoptr(DebyeDataset) dataset = open_sites(folder, sites, G_N_ELEMENTS(sites));
  assert_selects(dataset, "all", "0 2 4");
}

/* A serine in most cells and a threonine in the others are one position; a side chain with three locations on
 * a main chain with two keeps its main chain. */
static void
test_groups(gconstpointer folder)
{
  static const Site mixed[] = {{"CA", "SER", 'A', 1, 0.0, 0.0, 0.0, 0.3, "C"},
                               {"CB", "SER", 'A', 1, 1.5, 0.0, 0.0, 0.3, "C"},
                               {"CA", "THR", 'B', 1, 0.1, 0.0, 0.0, 0.7, "C"},
                               {"CB", "THR", 'B', 1, 1.6, 0.0, 0.0, 0.7, "C"},
                               {"CG2", "THR", 'B', 1, 2.0, 1.4, 0.0, 0.7, "C"}};
  g_autoptr(DebyeDataset) dataset = open_sites(folder, mixed, G_N_ELEMENTS(mixed));
  assert_selects(dataset, "all", "2 3 4");
  g_autoptr(DebyeDataset) serine_alone = choose(dataset, "A", NULL);
  assert_selects(serine_alone, "all", "0 1");

  static const Site three[] = {
      {"CA", "SER", 'A', 1, 0.0, 0.0, 0.0, 0.6, "C"}, {"CA", "SER", 'B', 1, 0.1, 0.0, 0.0, 0.4, "C"},
      {"OG", "SER", 'A', 1, 2.0, 1.0, 0.0, 0.1, "O"}, {"OG", "SER", 'B', 1, 2.0, 0.0, 1.0, 0.2, "O"},
      {"OG", "SER", 'C', 1, 2.0, -1., 0.0, 0.7, "O"}, {"HA", "SER", 'A', 1, 0.0, 1.0, 0.0, 0.6, "H"}};
  g_autoptr(DebyeDataset) chain = open_sites(folder, three, G_N_ELEMENTS(three));
  assert_selects(chain, "all", "0 4");
}

static void
test_mmcif(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = text_file_open(
      folder, "a.cif",
      "data_a\nloop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n"
      "_atom_site.label_seq_id\n_atom_site.occupancy\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"
      "_atom_site.Cartn_z\n"
      "1 C CA . ALA A 1 1.0 0 0 0\n2 C CB X1 ALA A 1 0.3 1.5 0 0\n3 C CB X2 ALA A 1 0.7 0 1.5 0\n");
  assert_selects(dataset, "all", "0 2");
  assert_selects(dataset, "altloc X2", "2");
  g_autoptr(DebyeDataset) other = choose(dataset, "X1", NULL);
  assert_selects(other, "all", "0 1");
}

static gboolean
are_bonded(DebyeTopology *topology, guint32 a, guint32 b)
{
  gsize n;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n);
  for (gsize k = 0; k < n; k++)
    if (bonds[k].i == MIN(a, b) && bonds[k].j == MAX(a, b))
      return TRUE;
  return FALSE;
}

/* Each carbon beta has its own oxygen, though the locations are near enough for bonds between them; the carbon
 * alpha, whose bonds are limited, has a hydrogen beside both of its carbons beta. */
static void
test_bonds_join_no_locations(gconstpointer folder)
{
  static const Site sites[] = {
      {"CA", "SER", ' ', 1, 0.0, 0.0, 0.0, 1.0, "C"},   {"N", "SER", ' ', 1, -1.46, 0.0, 0.0, 1.0, "N"},
      {"C", "SER", ' ', 1, 0.5, 1.43, 0.0, 1.0, "C"},   {"CB", "SER", 'A', 1, 0.5, -0.8, 1.2, 0.5, "C"},
      {"CB", "SER", 'B', 1, 0.5, -1.4, 0.1, 0.5, "C"},  {"OG", "SER", 'A', 1, 0.1, -2.1, 1.2, 0.5, "O"},
      {"OG", "SER", 'B', 1, 0.1, -2.3, 1.1, 0.5, "O"},  {"HA", "SER", 'A', 1, 0.3, -0.5, -0.9, 0.5, "H"},
      {"HA", "SER", 'B', 1, 0.35, -0.4, 0.95, 0.5, "H"}};
  g_autoptr(DebyeDataset) opened = open_sites(folder, sites, G_N_ELEMENTS(sites));
  g_autoptr(DebyeDataset) dataset = choose(opened, "all", NULL);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_autoptr(DebyeTopology) bonded =
      debye_topology_with_guessed_bonds(debye_dataset_get_topology(dataset), frame);
  static const DebyeBond expected[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {3, 5}, {4, 6}, {0, 7}, {0, 8}};
  gsize n;
  debye_topology_get_bonds(bonded, &n);
  g_assert_cmpuint(n, ==, G_N_ELEMENTS(expected));
  for (gsize k = 0; k < G_N_ELEMENTS(expected); k++)
    g_assert_true(are_bonded(bonded, expected[k].i, expected[k].j));

  /* Atoms that don't count are bonded to nothing. */
  g_autoptr(DebyeTopology) chosen =
      debye_topology_with_guessed_bonds(debye_dataset_get_topology(opened), frame);
  debye_topology_get_bonds(chosen, &n);
  g_assert_cmpuint(n, ==, 5);
  g_assert_true(are_bonded(chosen, 0, 3) && are_bonded(chosen, 3, 5) && are_bonded(chosen, 0, 7));
}

/* A file that says so itself is not believed. */
static void
test_listed_bonds_join_no_locations(gconstpointer folder)
{
  g_autofree char *sites = write_sites(serine, G_N_ELEMENTS(serine));
  char *end = strstr(sites, "END");
  *end = '\0';
  g_autofree char *text =
      g_strconcat(sites, "CONECT    5    2    6    7    8\nCONECT    6    2    8\nEND\n", NULL);
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "conect.pdb", text);
  DebyeTopology *of_files = debye_dataset_get_topology_of_files(dataset);
  gsize n;
  debye_topology_get_bonds(of_files, &n);
  g_assert_cmpuint(n, ==, 4);
  g_assert_true(are_bonded(of_files, 1, 4) && are_bonded(of_files, 4, 6) && are_bonded(of_files, 1, 5) &&
                are_bonded(of_files, 5, 7));
  debye_topology_get_bonds(debye_dataset_get_topology(dataset), &n);
  g_assert_cmpuint(n, ==, 2);
}

/* A water at two places is one water for a table of charges, and no charge is summed twice. */
static void
test_charges_count_once(gconstpointer folder)
{
  static const Site water[] = {
      {"O", "HOH", 'A', 1, 0.0, 0.0, 0.0, 0.6, "O"},    {"O", "HOH", 'B', 1, 1.0, 0.0, 0.0, 0.4, "O"},
      {"H1", "HOH", 'A', 1, 0.96, 0.0, 0.0, 0.6, "H"},  {"H1", "HOH", 'B', 1, 1.96, 0.0, 0.0, 0.4, "H"},
      {"H2", "HOH", 'A', 1, -0.24, 0.93, 0., 0.6, "H"}, {"H2", "HOH", 'B', 1, 0.76, 0.93, 0., 0.4, "H"}};
  g_autoptr(DebyeDataset) dataset = open_sites(folder, water, G_N_ELEMENTS(water));
  g_auto(DebyeChargeReport) report = {0};
  g_autoptr(DebyeTopology) charged = debye_topology_with_table_charges(debye_dataset_get_topology(dataset),
                                                                       DEBYE_CHARGE_TABLE_AMBER, &report);
  const float *charges = debye_topology_get_charges(charged);
  g_assert_cmpfloat_with_epsilon(charges[0], -0.834f, 1e-6f);
  g_assert_cmpfloat_with_epsilon(charges[4], 0.417f, 1e-6f);
  g_assert_cmpfloat(charges[1], ==, 0.0f);
  g_assert_cmpuint(report.n_atoms[DEBYE_CHARGED_WATER], ==, 3);

  const float ones[] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
  g_autoptr(DebyeTopology) full = debye_topology_with_charges(debye_dataset_get_topology(dataset), ones);
  g_assert_cmpfloat(debye_topology_get_total_charge(full), ==, 3.0);
}

/* What is left of the atoms that count has no alternates any more. */
static void
test_subset(gconstpointer folder)
{
  static const guint32 atoms[] = {0, 1, 5, 7};
  g_autoptr(DebyeDataset) dataset = open_sites(folder, serine, G_N_ELEMENTS(serine));
  g_autoptr(DebyeTopology) part =
      debye_topology_subset(debye_dataset_get_topology(dataset), atoms, G_N_ELEMENTS(atoms));
  g_assert_null(debye_topology_get_counted(part));
  g_assert_null(debye_topology_get_altlocs(part));
  g_autoptr(DebyeTopology) raw =
      debye_topology_subset(debye_dataset_get_topology_of_files(dataset), atoms, G_N_ELEMENTS(atoms));
  g_assert_cmpuint(debye_topology_get_n_alternates(raw), ==, 2);
}

static void
test_nothing_changes_without(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = open_sites(folder, serine, 4);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_null(debye_topology_get_altlocs(topology));
  g_assert_null(debye_topology_get_counted(topology));
  g_assert_true(topology == debye_dataset_get_topology_of_files(dataset));
  g_assert_null(debye_dataset_describe_altloc(dataset));
  g_autoptr(DebyeDataset) chosen = choose(dataset, "A", NULL);
  assert_selects(chosen, "all", "0 1 2 3");
  assert_selects(chosen, "altloc A", "");
}

/* --- The cell --- */

static void
assert_cell(DebyeDataset *dataset, gboolean has_cell, double a, double b, double c, double gamma)
{
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  double lengths[3], angles[3];
  g_assert_cmpint(frame->has_cell, ==, has_cell);
  if (!has_cell)
    return;
  debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
  g_assert_cmpfloat_with_epsilon(lengths[0], a, 1e-12);
  g_assert_cmpfloat_with_epsilon(lengths[1], b, 1e-12);
  g_assert_cmpfloat_with_epsilon(lengths[2], c, 1e-12);
  g_assert_cmpfloat_with_epsilon(angles[2], gamma, 1e-10);
}

static void
test_cell(gconstpointer folder)
{
  g_autoptr(DebyeDataset) dataset = open_sites(folder, serine, G_N_ELEMENTS(serine));
  assert_cell(dataset, TRUE, 40.0, 50.0, 60.0, 90.0);
  g_autoptr(DebyeDataset) none = choose(dataset, NULL, "none");
  assert_cell(none, FALSE, 0.0, 0.0, 0.0, 0.0);
  g_autoptr(DebyeDataset) given = choose(none, "A", "10.5, 20,30,90,90,60");
  assert_cell(given, TRUE, 10.5, 20.0, 30.0, 60.0);
  g_assert_cmpstr(debye_dataset_get_cell_choice(given), ==, "10.5, 20,30,90,90,60");
  /* Each choice stays when the other changes, and elements leave both. */
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) elements =
      debye_dataset_with_elements(given, (const char *[]){"OG=S", NULL}, &error);
  g_assert_no_error(error);
  assert_cell(elements, TRUE, 10.5, 20.0, 30.0, 60.0);
  assert_selects(elements, "element S", "6");
  g_autoptr(DebyeDataset) back = choose(elements, NULL, "file");
  assert_cell(back, TRUE, 40.0, 50.0, 60.0, 90.0);
  assert_selects(back, "element S", "6");
}

static void
test_refused_cells(gconstpointer folder)
{
  static const char *const refused[] = {
      "", "files", "10", "10,10", "10,10,10,90", "10,10,0", "10,10,x", "10,10,10,90,90,180", "10;10;10"};
  g_autoptr(DebyeDataset) dataset = open_sites(folder, serine, G_N_ELEMENTS(serine));
  for (gsize k = 0; k < G_N_ELEMENTS(refused); k++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_dataset_with_choices(dataset, NULL, refused[k], &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  }
}

/* A simulation that still writes: what came has the chosen cell, too. */
static void
test_refresh_keeps_choices(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *model = write_sites(serine, G_N_ELEMENTS(serine));
  g_autofree char *two = g_strconcat(model, model, NULL);
  g_autofree char *path = debye_temporary_write((gpointer)folder, "growing.pdb", model, strlen(model));
  g_autoptr(DebyeDataset) opened = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeDataset) dataset = choose(opened, "A", "11,12,13");
  g_assert_true(g_file_set_contents_full(path, two, -1, G_FILE_SET_CONTENTS_NONE, 0666, &error));
  g_autoptr(DebyeDataset) fresh = debye_dataset_refresh(dataset, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(fresh)), ==, 2);
  g_autoptr(DebyeFrame) frame = text_file_read(fresh, 1);
  g_assert_cmpfloat_with_epsilon(frame->cell.a.x, 11.0, 1e-12);
  assert_selects(fresh, "all", "0 1 2 3 4 6 8");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_test_add_data_func("/altloc/highest-occupancy", folder, test_highest_occupancy_counts);
  g_test_add_data_func("/altloc/label-and-all", folder, test_a_label_and_all);
  g_test_add_data_func("/altloc/one-conformer", folder, test_one_conformer);
  g_test_add_data_func("/altloc/groups", folder, test_groups);
  g_test_add_data_func("/altloc/mmcif", folder, test_mmcif);
  g_test_add_data_func("/altloc/bonds", folder, test_bonds_join_no_locations);
  g_test_add_data_func("/altloc/listed-bonds", folder, test_listed_bonds_join_no_locations);
  g_test_add_data_func("/altloc/charges", folder, test_charges_count_once);
  g_test_add_data_func("/altloc/subset", folder, test_subset);
  g_test_add_data_func("/altloc/nothing-changes-without", folder, test_nothing_changes_without);
  g_test_add_data_func("/cell/choices", folder, test_cell);
  g_test_add_data_func("/cell/refused", folder, test_refused_cells);
  g_test_add_data_func("/cell/refresh", folder, test_refresh_keeps_choices);
  return g_test_run();
}

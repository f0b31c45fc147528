/* SPDX-License-Identifier: MIT */
/* Every TPR and TNG file of the reference data against what is known about it. */
#include "facts_case.h"

static const DebyeFactsDifference differences[] = {
    {"tpr/freevolume.tpr", "n_bonds", "5360",
     "the three atoms of a CO2 are virtual sites; each is bonded to what carries it, so that molecules are "
     "one"},
    {"tng/frame0.tng", "time_last", "500", "the format's unit is the second: 5e-10 of them"},
    {"tng/tng_example.tng", "time_first", "nan", "the file tells no times"},
    {"tng/tng_example.tng", "time_last", "nan", "the file tells no times"},
};

static DebyeFactsSource source = {.differences = differences, .n_differences = G_N_ELEMENTS(differences)};

static void
test_file(gconstpointer file)
{
  debye_facts_test_file(&source, file);
}

static void
add_files(const char *prefix, const char *suffix, GPtrArray *kept)
{
  GPtrArray *files = debye_facts_list_files(source.facts, prefix);
  g_ptr_array_add(kept, files);
  g_assert_cmpuint(files->len, >, 0);
  for (guint i = 0; i < files->len; i++) {
    const char *file = g_ptr_array_index(files, i);
    g_autofree char *name = g_strdup_printf("/facts/%s", file);
    if (g_str_has_suffix(file, suffix))
      g_test_add_data_func(name, file, test_file);
  }
}

/* What a run's own structure files say of the same atoms: names, residues and their numbers as GROMACS wrote
 * them, charges of the PSF. */
static DebyeDataset *
open_reference(const char *name, const char *suffix)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *base = g_strconcat(name, suffix, NULL);
  g_autofree char *path = debye_shared_build_path("reference", name, base, NULL);
  DebyeDataset *dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

static void
assert_same_names(DebyeTopology *a, DebyeTopology *b)
{
  const DebyeStringPool *pools[2] = {debye_topology_get_string_pool(a), debye_topology_get_string_pool(b)};
  for (gsize i = 0; i < debye_topology_get_n_atoms(a); i++) {
    const DebyeResidue *residues[2] = {
        &debye_topology_get_residue_table(a)[debye_topology_get_residues(a)[i]],
        &debye_topology_get_residue_table(b)[debye_topology_get_residues(b)[i]]};
    g_assert_cmpstr(debye_string_pool_get(pools[0], debye_topology_get_names(a)[i]), ==,
                    debye_string_pool_get(pools[1], debye_topology_get_names(b)[i]));
    g_assert_cmpstr(debye_string_pool_get(pools[0], residues[0]->name), ==,
                    debye_string_pool_get(pools[1], residues[1]->name));
    g_assert_cmpint(residues[0]->number, ==, residues[1]->number);
  }
}

static void
test_gro(gconstpointer name)
{
  g_autoptr(DebyeDataset) tpr = open_reference(name, ".tpr");
  g_autoptr(DebyeDataset) gro = open_reference(name, ".gro");
  DebyeTopology *topology = debye_dataset_get_topology(tpr);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==,
                   debye_topology_get_n_atoms(debye_dataset_get_topology(gro)));
  assert_same_names(topology, debye_dataset_get_topology(gro));
}

/* Charges, masses, elements and bonds of the PSF, which ParmEd made of the same topology. */
static void
test_psf(gconstpointer name)
{
  g_autoptr(DebyeDataset) tpr = open_reference(name, ".tpr");
  g_autoptr(DebyeDataset) psf = open_reference(name, ".psf");
  DebyeTopology *topologies[2] = {debye_dataset_get_topology(tpr), debye_dataset_get_topology(psf)};
  gsize n_bonds[2], n = debye_topology_get_n_atoms(topologies[0]);
  const DebyeBond *bonds[2];
  g_assert_cmpuint(n, ==, debye_topology_get_n_atoms(topologies[1]));
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpfloat_with_epsilon(debye_topology_get_charges(topologies[0])[i],
                                   debye_topology_get_charges(topologies[1])[i], 1e-6f);
    /* The PSF has four decimals. */
    g_assert_cmpfloat_with_epsilon(debye_topology_get_masses(topologies[0])[i],
                                   debye_topology_get_masses(topologies[1])[i], 1e-3f);
    g_assert_cmpint(debye_topology_get_elements(topologies[0])[i], ==,
                    debye_topology_get_elements(topologies[1])[i]);
  }
  for (int k = 0; k < 2; k++)
    bonds[k] = debye_topology_get_bonds(topologies[k], &n_bonds[k]);
  g_assert_cmpmem(bonds[0], n_bonds[0] * sizeof(DebyeBond), bonds[1], n_bonds[1] * sizeof(DebyeBond));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  source.facts = debye_facts_load();
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  add_files("tpr/", ".tpr", kept);
  add_files("tng/", ".tng", kept);
  g_test_add_data_func("/gromacs/tpr-and-gro/pep", "pep", test_gro);
  g_test_add_data_func("/gromacs/tpr-and-gro/w3k", "w3k", test_gro);
  g_test_add_data_func("/gromacs/tpr-and-psf/pep", "pep", test_psf);
  g_test_add_data_func("/gromacs/tpr-and-psf/w3k", "w3k", test_psf);
  int result = g_test_run();
  debye_facts_free(source.facts);
  return result;
}
